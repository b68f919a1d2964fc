//! A value that is made once in an instance.

use core::cell::OnceCell;

/// A value that the first who asks makes, and that stays.
pub struct Once<T>(OnceCell<T>);

// SAFETY: an instance has one thread: the components import nothing that makes another.
#[allow(unsafe_code, reason = "as the line above says")]
unsafe impl<T> Sync for Once<T> {}

impl<T> Default for Once<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Once<T> {
    /// No value yet.
    #[must_use]
    pub const fn new() -> Self {
        Self(OnceCell::new())
    }

    /// Returns the value, made with `make` where there is none.
    pub fn get_or_init(&self, make: impl FnOnce() -> T) -> &T {
        self.0.get_or_init(make)
    }
}
