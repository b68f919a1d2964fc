//! wasmtime, configured for many short-lived, untrusted instances.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use wasmtime::component::Component;
use wasmtime::{Config, Enabled, Engine, InstanceAllocationStrategy, PoolingAllocationConfig};

use crate::cache::Cache;
use crate::calls::Calls;
use crate::error::LoadError;
use crate::limits::{Limits, count};
use crate::outline::Outline;
use crate::state::first_line;

/// Interval at which a computing component is interrupted.
const TICK: Duration = Duration::from_millis(10);

/// A small fiber stack is enough: the component's own stack is 64 KiB of its memory,
/// and what wasmtime keeps for it natively is bounded by this.
const WASM_STACK_BYTES: usize = 512 * 1024;
const FIBER_STACK_BYTES: usize = 1024 * 1024;

/// Slots of the pool that may keep memory of components that are gone, beside those in use.
const WARM_SLOTS: u32 = 16;

/// Waits until no component is being compiled, and keeps others from it until it is dropped: a
/// compilation uses every core, and much memory, which must not add up.
pub(crate) fn compiling() -> MutexGuard<'static, ()> {
    static COMPILING: Mutex<()> = Mutex::new(());
    COMPILING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The address space of a memory that is made on demand; it moves where it grows
/// beyond.
const ON_DEMAND_RESERVATION_BYTES: u64 = 16 * 1024 * 1024;

/// All that 32 bits can address, and a guard behind it: no access needs a check.
#[cfg(feature = "p3")]
const CONCURRENT_RESERVATION_BYTES: u64 = 4 * 1024 * 1024 * 1024;
#[cfg(feature = "p3")]
const CONCURRENT_GUARD_BYTES: u64 = 32 * 1024 * 1024;

/// An engine and its clock. Clones share both.
#[derive(Clone)]
pub struct Host {
    engine: Engine,
    limits: Limits,
    is_concurrent: bool,
    cache: Option<Cache>,
    calls: Arc<Calls>,
}

impl Host {
    /// An engine whose instances come from a pool: their memory is mapped once and
    /// reset after use. Where the address space is too short for the pool (it
    /// reserves 4 GiB for each instance), instances are made on demand.
    ///
    /// # Errors
    /// The machine can run neither.
    pub fn new(limits: Limits) -> Result<Self, LoadError> {
        match Engine::new(&config(Some(&limits))) {
            Ok(engine) => Ok(Self::of(engine, limits)),
            Err(error) => {
                tracing::warn!(%error, "no room for a pool of instances; making them on demand");
                Self::on_demand(limits)
            }
        }
    }

    fn of(engine: Engine, limits: Limits) -> Self {
        tick(&engine);
        Self { engine, limits, is_concurrent: false, cache: None, calls: Arc::default() }
    }

    /// An engine that makes instances on demand.
    ///
    /// # Errors
    /// The machine cannot run it.
    pub fn on_demand(limits: Limits) -> Result<Self, LoadError> {
        Self::on_demand_with(limits, |_| {})
    }

    /// The same, with changes of the embedder's.
    ///
    /// # Errors
    /// The machine cannot run it.
    pub fn on_demand_with(
        limits: Limits,
        change: impl FnOnce(&mut Config),
    ) -> Result<Self, LoadError> {
        let mut config = config(None);
        change(&mut config);
        let engine = Engine::new(&config);
        let engine = engine.map_err(|error| LoadError::Engine(format!("{error:#}")))?;
        Ok(Self::of(engine, limits))
    }

    /// The same, with compiled components kept in a folder.
    #[must_use]
    pub fn with_cache(self, cache: Cache) -> Self {
        Self { cache: Some(cache), ..self }
    }

    /// Compiles a component, or takes it from the cache.
    ///
    /// # Errors
    /// The bytes are no component.
    pub fn component(&self, bytes: &[u8]) -> wasmtime::Result<Component> {
        // Around the cache as well: who waited finds there what was just compiled.
        let _alone = compiling();
        match &self.cache {
            Some(cache) => cache.component(&self.engine, bytes),
            None => Component::new(&self.engine, bytes),
        }
    }

    /// The same, within the [`Limits`] of this host.
    pub(crate) fn load(&self, bytes: &[u8]) -> Result<Component, LoadError> {
        let Limits { memories, tables, .. } = self.limits;
        check_file(&self.limits, bytes)?;
        let component = self.component(bytes);
        let component = component.map_err(|error| LoadError::NotAComponent(first_line(&error)))?;
        if let Some(required) = component.resources_required() {
            fits("its memories are", count(required.num_memories), "memories", count(memories))?;
            fits("its tables are", count(required.num_tables), "tables", count(tables))?;
        }
        Ok(component)
    }

    /// An engine for components of WASI 0.3 as well. Its instances carry many calls at once, so
    /// they are few: each has the address space that makes it fast.
    ///
    /// # Errors
    /// The machine cannot run it.
    #[cfg(feature = "p3")]
    pub fn concurrent(limits: Limits) -> Result<Self, LoadError> {
        Self::concurrent_with(limits, |_| {})
    }

    /// The same, with changes of the embedder's.
    ///
    /// # Errors
    /// The machine cannot run it.
    #[cfg(feature = "p3")]
    pub fn concurrent_with(
        limits: Limits,
        change: impl FnOnce(&mut Config),
    ) -> Result<Self, LoadError> {
        let host = Self::on_demand_with(limits, |config| {
            config.concurrency_support(true);
            config.memory_reservation(CONCURRENT_RESERVATION_BYTES);
            config.memory_guard_size(CONCURRENT_GUARD_BYTES);
            change(config);
        })?;
        Ok(Self { is_concurrent: true, ..host })
    }

    /// Returns true if components of WASI 0.3 run here.
    pub(crate) fn is_concurrent(&self) -> bool {
        self.is_concurrent
    }

    /// Returns the numbers of calls of plugins in this host, by function and end.
    #[must_use]
    pub fn calls(&self) -> &Arc<Calls> {
        &self.calls
    }

    /// Returns wasmtime's engine, for components compiled elsewhere.
    #[must_use]
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Returns the limits of each call.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Returns the number of instances that exist now; `None` where they are made on demand,
    /// and not counted.
    #[must_use]
    pub fn instances(&self) -> Option<u64> {
        Some(self.engine.pooling_allocator_metrics()?.component_instances())
    }

    /// Whether instances come from a pool.
    #[must_use]
    pub fn is_pooling(&self) -> bool {
        self.instances().is_some()
    }
}

/// Checks what can be known of a component before it is compiled.
pub(crate) fn check_file(limits: &Limits, bytes: &[u8]) -> Result<(), LoadError> {
    let Limits { component_bytes, component_functions, component_instances, .. } = *limits;
    fits("the bytes of its file are", bytes.len(), "component_bytes", component_bytes)?;
    let (functions, instances) = (count(component_functions), count(component_instances));
    let outline = Outline::of(bytes);
    fits("its functions are", outline.functions, "component_functions", functions)?;
    fits("its instances are", outline.instances, "component_instances", instances)
}

fn fits(
    what: &'static str,
    found: usize,
    limit: &'static str,
    allowed: usize,
) -> Result<(), LoadError> {
    match found <= allowed {
        true => Ok(()),
        false => Err(LoadError::TooLarge { what, found, limit, allowed }),
    }
}

fn config(pool: Option<&Limits>) -> Config {
    let mut config = Config::new();
    // A component that computes without end is interrupted at its next loop.
    config.epoch_interruption(true);
    // WASI 0.2 needs none of WASI 0.3's concurrency, which costs each call time.
    config.concurrency_support(false);
    config.max_wasm_stack(WASM_STACK_BYTES);
    config.async_stack_size(FIBER_STACK_BYTES);
    if let Some(limits) = pool {
        let count = limits.instances;
        let parts = count.saturating_mul(limits.parts);
        let mut pooling = PoolingAllocationConfig::new();
        // A component of wit-bindgen's is several core modules: itself and adapters.
        pooling
            .total_component_instances(count)
            .total_core_instances(parts.saturating_mul(4))
            .total_memories(parts)
            .total_tables(parts.saturating_mul(3))
            .total_stacks(count)
            .max_core_instances_per_component(limits.core_instances)
            .max_memory_size(limits.memory_bytes)
            .table_elements(limits.table_elements)
            // Memory that was touched is zeroed in place instead of being unmapped: what a
            // call of the plugin touches, and no more, because it stays with the pool when a
            // component that touched all it may is gone.
            .linear_memory_keep_resident(512 * 1024)
            .max_unused_warm_slots(WARM_SLOTS)
            .table_keep_resident(64 * 1024)
            .async_stack_keep_resident(64 * 1024)
            .pagemap_scan(Enabled::Auto);
        config.allocation_strategy(InstanceAllocationStrategy::Pooling(pooling));
    } else {
        // Without a pool address space is short: reserve what can be used and no more,
        // at the price of checking each access.
        config.memory_reservation(ON_DEMAND_RESERVATION_BYTES);
        config.memory_guard_size(64 * 1024);
    }
    config
}

/// Advances the engine's epoch for as long as the engine exists.
fn tick(engine: &Engine) {
    let weak = engine.weak();
    thread::spawn(move || {
        while let Some(engine) = weak.upgrade() {
            engine.increment_epoch();
            drop(engine);
            thread::sleep(TICK);
        }
    });
}
