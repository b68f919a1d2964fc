//! Values under keys, in buckets: what `wasi:keyvalue/store` needs.

use super::error::StoreError;
use super::model::KeyPage;
use super::{Store, check_size};

/// Values under keys, on the same terms as events.
impl Store {
    /// The value under a key, or `None`.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`], [`StoreError::Damaged`].
    pub async fn kv_get(
        &self,
        bucket: impl Into<String>,
        key: impl Into<String>,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        self.shared.reads.reads.kv_get(bucket.into(), key.into()).await
    }

    /// Sets the value under a key, whatever it was.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`]: call again. [`StoreError::Refused`]: over
    /// [`Store::MAX_BYTES`].
    pub async fn kv_set(
        &self,
        bucket: impl Into<String>,
        key: impl Into<String>,
        value: impl Into<Vec<u8>>,
    ) -> Result<(), StoreError> {
        let (bucket, key, value) = (bucket.into(), key.into(), value.into());
        check_size(&[bucket.as_bytes(), key.as_bytes(), &value])?;
        self.in_time(self.shared.backend.kv_set(bucket, key, value)).await
    }

    /// Deletes a key and its value, if there.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`]: call again.
    pub async fn kv_delete(
        &self,
        bucket: impl Into<String>,
        key: impl Into<String>,
    ) -> Result<(), StoreError> {
        self.in_time(self.shared.backend.kv_delete(bucket.into(), key.into())).await
    }

    /// Whether there is a value under a key.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`], [`StoreError::Damaged`].
    pub async fn kv_exists(
        &self,
        bucket: impl Into<String>,
        key: impl Into<String>,
    ) -> Result<bool, StoreError> {
        Ok(self.kv_get(bucket, key).await?.is_some())
    }

    /// A bucket's keys: up to `page_size` of them, from where `cursor` says.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`], [`StoreError::Damaged`].
    pub async fn kv_list(
        &self,
        bucket: impl Into<String>,
        cursor: Option<u64>,
        page_size: u32,
    ) -> Result<KeyPage, StoreError> {
        self.shared.reads.reads.kv_list(bucket.into(), cursor, page_size).await
    }
}
