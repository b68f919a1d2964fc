//! A function that an instance exports.

use wasmtime::AsContextMut;
use wasmtime::component::{
    ComponentExportIndex, ComponentNamedList, Instance, Lift, Lower, TypedFunc,
};

/// A function whose types are checked at its first use. A check of all functions would take a fifth
/// of the instructions of a fresh sans-I/O instance and its call.
pub struct Export<P, R> {
    index: ComponentExportIndex,
    checked: Option<TypedFunc<P, R>>,
}

impl<P, R> Export<P, R>
where
    P: ComponentNamedList + Lower,
    R: ComponentNamedList + Lift,
{
    pub fn new(index: ComponentExportIndex) -> Self {
        Self { index, checked: None }
    }

    /// Returns the function in `instance`, which must be the same at each use.
    ///
    /// # Errors
    /// Returns an error if the function has other types.
    pub fn of(
        &mut self,
        instance: &Instance,
        store: impl AsContextMut,
    ) -> wasmtime::Result<TypedFunc<P, R>> {
        match self.checked {
            Some(checked) => Ok(checked),
            None => Ok(*self.checked.insert(instance.get_typed_func(store, self.index)?)),
        }
    }
}
