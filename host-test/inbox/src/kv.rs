//! Values under keys, in buckets: what `wasi:keyvalue/store` needs. Writing goes with
//! the events' transactions, reading through the readers' connections.

use rusqlite::{Connection, OptionalExtension};

use super::error::StoreError;
use super::model::KeyPage;
use super::writer::Batch;
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
        let (bucket, key) = (bucket.into(), key.into());
        self.read("reading a value", move |connection| get(connection, &bucket, &key)).await
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
        self.write(move |batch| set(batch, &bucket, &key, &value)).await
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
        let (bucket, key) = (bucket.into(), key.into());
        self.write(move |batch| delete(batch, &bucket, &key)).await
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
        let (bucket, key) = (bucket.into(), key.into());
        self.read("looking for a key", move |connection| exists(connection, &bucket, &key)).await
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
        let bucket = bucket.into();
        let list = move |connection: &Connection| list(connection, &bucket, cursor, page_size);
        self.read("listing keys", list).await
    }
}

fn set(batch: &Batch<'_>, bucket: &str, key: &str, value: &[u8]) -> Result<(), StoreError> {
    let fault = batch.fault("setting a value");
    let sql = "\
        INSERT INTO kv (bucket, key, value) VALUES (?1, ?2, ?3)
        ON CONFLICT (bucket, key) DO UPDATE SET value = excluded.value";
    let mut statement = batch.connection.prepare_cached(sql).map_err(&fault)?;
    statement.execute((bucket, key, value)).map_err(&fault)?;
    batch.step("insert");
    Ok(())
}

fn delete(batch: &Batch<'_>, bucket: &str, key: &str) -> Result<(), StoreError> {
    let fault = batch.fault("deleting a value");
    let sql = "DELETE FROM kv WHERE bucket = ?1 AND key = ?2";
    let mut statement = batch.connection.prepare_cached(sql).map_err(&fault)?;
    statement.execute((bucket, key)).map_err(&fault)?;
    Ok(())
}

fn get(connection: &Connection, bucket: &str, key: &str) -> rusqlite::Result<Option<Vec<u8>>> {
    let sql = "SELECT value FROM kv WHERE bucket = ?1 AND key = ?2";
    connection.prepare_cached(sql)?.query_row((bucket, key), |row| row.get(0)).optional()
}

fn exists(connection: &Connection, bucket: &str, key: &str) -> rusqlite::Result<bool> {
    let sql = "SELECT 1 FROM kv WHERE bucket = ?1 AND key = ?2";
    connection.prepare_cached(sql)?.exists((bucket, key))
}

/// Pages by the keys' numbers, so that a key that comes or goes meanwhile makes no
/// other one appear twice or not at all.
fn list(
    connection: &Connection,
    bucket: &str,
    cursor: Option<u64>,
    page_size: u32,
) -> rusqlite::Result<KeyPage> {
    let sql = "SELECT id, key FROM kv WHERE bucket = ?1 AND id > ?2 ORDER BY id LIMIT ?3";
    let mut statement = connection.prepare_cached(sql)?;
    let after = cursor.map_or(0, |cursor| i64::try_from(cursor).unwrap_or(i64::MAX));
    let page_size = page_size.max(1);
    // One more than asked for tells whether there is a next page.
    let mut rows = statement.query((bucket, after, i64::from(page_size) + 1))?;
    let mut page = KeyPage::default();
    let mut last = None;
    while let Some(row) = rows.next()? {
        if page.keys.len() as u64 == u64::from(page_size) {
            page.cursor = last;
            break;
        }
        last = u64::try_from(row.get::<_, i64>(0)?).ok();
        page.keys.push(row.get(1)?);
    }
    Ok(page)
}
