//! A value that an instance creates at most once.

use core::cell::OnceCell;

/// A value that the first access creates.
pub struct Once<T>(OnceCell<T>);

// SAFETY: an instance has one thread, because the components import nothing that could start
// another thread.
#[allow(unsafe_code, reason = "as the line above says")]
unsafe impl<T> Sync for Once<T> {}

impl<T> Default for Once<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Once<T> {
    /// Creates a cell without a value.
    pub const fn new() -> Self {
        Self(OnceCell::new())
    }

    /// Returns the value. Creates it with `make` on first use.
    pub fn get_or_init(&self, make: impl FnOnce() -> T) -> &T {
        self.0.get_or_init(make)
    }
}
