//! A function that an instance exports.

use std::pin::pin;

use wasmtime::component::{
    ComponentExportIndex, ComponentNamedList, Instance, Lift, Lower, TypedFunc,
};
use wasmtime::{AsContextMut, Store};

use crate::error::CallResult;
use crate::state::{self, State};
use crate::types::wit;

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

/// A function with argument `A` that returns `T` or an error of the service.
pub type Function<A, T> = Export<(&'static A,), (Result<T, wit::Error>,)>;

impl<A: Lower, T> Function<A, T>
where
    (Result<T, wit::Error>,): ComponentNamedList + Lift,
{
    /// Calls the function within the remaining budget.
    pub async fn call(
        &mut self,
        instance: &Instance,
        store: &mut Store<State>,
        argument: &A,
    ) -> CallResult<T>
    where
        A: Send + Sync + 'static,
        T: Send + Sync + 'static,
    {
        let meter = store.data_mut().begin_call();
        let called = async {
            let function = self.of(instance, &mut *store)?;
            function.call_async(&mut *store, (argument,)).await
        };
        let called = meter.within(pin!(called)).await;
        state::ended(store, called).map(|(result,)| result)
    }
}
