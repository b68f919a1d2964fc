//! Access to the store `wasmcloud:keyvalue`, as a macro, because each component has its own
//! bindings.

/// Defines functions that are private to the calling module. `store_error` converts the host's error
/// to a [`StoreError`](crate::keyvalue::StoreError). `create` writes a key that does not exist.
/// `$types` is the binding module of the interface `types`.
#[macro_export]
macro_rules! wasmcloud {
    ($types:path) => {
        use $types as types_wit;

        fn store_error(error: types_wit::Error) -> $crate::keyvalue::StoreError {
            use types_wit::Error;
            use $crate::keyvalue::StoreError;
            let other = |said: &str| StoreError::Other(said.into());
            match error {
                Error::NoSuchStore => StoreError::NoSuchStore,
                Error::AccessDenied => StoreError::AccessDenied,
                Error::InvalidArgument => other("invalid-argument"),
                Error::PreconditionFailed => other("precondition-failed"),
                Error::Timeout => other("timeout"),
                Error::StoreUnavailable => other("store-unavailable"),
                Error::QuotaExceeded => other("quota-exceeded"),
                Error::Other(said) => StoreError::Other(said),
            }
        }

        /// Creates a key in one atomic step. Returns false if the key exists.
        async fn create(
            bucket: &types_wit::Bucket,
            key: &str,
            value: &[u8],
        ) -> Result<bool, $crate::keyvalue::StoreError> {
            let options = types_wit::SetOptions { ttl_ms: None, if_not_exists: true };
            match bucket.set(key.into(), value.into(), Some(options)).await {
                Ok(()) => Ok(true),
                Err(types_wit::Error::PreconditionFailed) => Ok(false),
                Err(error) => Err(store_error(error)),
            }
        }
    };
}
