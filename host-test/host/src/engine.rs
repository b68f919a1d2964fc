//! wasmtime, configured for many short-lived, untrusted instances.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use wasmtime::component::Component;
use wasmtime::{Config, Enabled, Engine, InstanceAllocationStrategy, PoolingAllocationConfig};

use crate::cache::Cache;
use crate::calls::Calls;
use crate::error::{LoadError, first_line};
use crate::limits::{Limits, count};
use crate::outline::Outline;

/// Interval at which the host interrupts a running component to check the limits of the call.
const TICK: Duration = Duration::from_millis(10);

/// Sizes of the native wasm stack and of the fiber stack, in bytes. Both can be small, because a
/// component has its own stack of 64 KiB in its linear memory.
const WASM_STACK_BYTES: usize = 512 * 1024;
const FIBER_STACK_BYTES: usize = 1024 * 1024;

/// Maximum number of unused pool slots that keep the memory of an earlier instance. Such a slot
/// starts the next instance faster, but occupies memory.
const WARM_SLOTS: u32 = 16;

/// Locks compilation for the whole process, because each compilation uses every core and much
/// memory.
pub(crate) fn compiling() -> MutexGuard<'static, ()> {
    static COMPILING: Mutex<()> = Mutex::new(());
    COMPILING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reserved address space of a memory outside the pool, in bytes. A memory that outgrows the
/// reservation is moved.
const ON_DEMAND_RESERVATION_BYTES: u64 = 16 * 1024 * 1024;

/// Address space for a 32-bit memory, and for the guard region after it, in bytes. With both,
/// memory accesses need no bounds check.
#[cfg(feature = "p3")]
const CONCURRENT_RESERVATION_BYTES: u64 = 4 * 1024 * 1024 * 1024;
#[cfg(feature = "p3")]
const CONCURRENT_GUARD_BYTES: u64 = 32 * 1024 * 1024;

/// A wasmtime engine with limits, a clock for interruptions and call counts. Clones share the
/// engine and the counts.
#[derive(Clone)]
pub struct Host {
    engine: Engine,
    limits: Limits,
    is_concurrent: bool,
    cache: Option<Cache>,
    calls: Arc<Calls>,
}

impl Host {
    /// Creates a host with an instance pool, whose memory is mapped once and reset after use. The
    /// pool reserves 4 GiB of address space for each instance. If the address space is too small,
    /// instances are created on demand.
    ///
    /// # Errors
    /// Returns `LoadError::Engine` if the machine supports neither a pool nor instances on demand.
    pub fn new(limits: Limits) -> Result<Self, LoadError> {
        match Engine::new(&config(Some(&limits))) {
            Ok(engine) => Ok(Self::of(engine, limits)),
            Err(error) => {
                tracing::warn!(%error, "too little memory for a pool of instances; creating instances on demand");
                Self::on_demand(limits)
            }
        }
    }

    fn of(engine: Engine, limits: Limits) -> Self {
        tick(&engine);
        Self { engine, limits, is_concurrent: false, cache: None, calls: Arc::default() }
    }

    /// Creates a host that has no instance pool and creates instances on demand.
    ///
    /// # Errors
    /// Returns `LoadError::Engine` if the machine does not support the configuration.
    pub fn on_demand(limits: Limits) -> Result<Self, LoadError> {
        Self::on_demand_with(limits, |_| {})
    }

    /// Creates a host that creates instances on demand, without an instance pool. `change` edits
    /// the configuration before the engine is created.
    ///
    /// # Errors
    /// Returns `LoadError::Engine` if the machine does not support the configuration.
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

    /// Returns this host with `cache` for compiled components.
    #[must_use]
    pub fn with_cache(self, cache: Cache) -> Self {
        Self { cache: Some(cache), ..self }
    }

    /// Compiles a component or loads it from the cache.
    ///
    /// # Errors
    /// Returns an error if the bytes are not a component.
    pub fn component(&self, bytes: &[u8]) -> wasmtime::Result<Component> {
        // The lock also covers the cache lookup: a caller that waited may find its component in the
        // cache.
        let _guard = compiling();
        match &self.cache {
            Some(cache) => cache.component(&self.engine, bytes),
            None => Component::new(&self.engine, bytes),
        }
    }

    /// Compiles a component or loads it from the cache. Rejects a component above the [`Limits`] of
    /// this host.
    pub(crate) fn load(&self, bytes: &[u8]) -> Result<Component, LoadError> {
        let Limits { memories, tables, .. } = self.limits;
        check_file(&self.limits, bytes)?;
        let component = self.component(bytes);
        let component = component.map_err(|error| LoadError::NotAComponent(first_line(&error)))?;
        if let Some(required) = component.resources_required() {
            fits("memories", count(required.num_memories), "memories", count(memories))?;
            fits("tables", count(required.num_tables), "tables", count(tables))?;
        }
        Ok(component)
    }

    /// Creates a host that also runs components of WASI 0.3. Each instance reserves enough address
    /// space to avoid bounds checks. Such a host needs few instances, because an instance runs many
    /// calls at once.
    ///
    /// # Errors
    /// Returns `LoadError::Engine` if the machine does not support the configuration.
    #[cfg(feature = "p3")]
    pub fn concurrent(limits: Limits) -> Result<Self, LoadError> {
        Self::concurrent_with(limits, |_| {})
    }

    /// Creates a host that also runs components of WASI 0.3. `change` edits the configuration
    /// before the engine is created.
    ///
    /// # Errors
    /// Returns `LoadError::Engine` if the machine does not support the configuration.
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

    /// Returns true if this host runs components of WASI 0.3.
    pub(crate) fn is_concurrent(&self) -> bool {
        self.is_concurrent
    }

    /// Returns the counts of plugin calls in this host, by function and outcome.
    pub fn calls(&self) -> &Arc<Calls> {
        &self.calls
    }

    /// Returns the wasmtime engine, for components that the caller compiles.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Returns the names of a component's exports, for an error message.
    pub(crate) fn exports_of(&self, component: &Component) -> String {
        let kind = component.component_type();
        listed(kind.exports(self.engine()).map(|(name, _)| name))
    }

    /// Returns the limits of each call.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Returns the number of existing instances in the pool; `None` if the host has no pool,
    /// because instances on demand are not counted.
    pub fn instances(&self) -> Option<u64> {
        Some(self.engine.pooling_allocator_metrics()?.component_instances())
    }

    /// Returns true if instances come from a pool.
    pub fn is_pooling(&self) -> bool {
        self.instances().is_some()
    }
}

/// Returns the names of a component's exports for an error.
pub(crate) fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<_> = names.collect();
    if names.is_empty() { "nothing".into() } else { names.join(", ") }
}

/// Maximum depth of nested components. Validation and compilation of deeper files take a time that
/// is quadratic in the depth. A composition of components has a few levels.
const MAX_DEPTH: usize = 100;

/// Checks the limits that apply to a file before compilation.
pub(crate) fn check_file(limits: &Limits, bytes: &[u8]) -> Result<(), LoadError> {
    let Limits { component_bytes, component_functions, component_instances, .. } = *limits;
    fits("bytes", bytes.len(), "component_bytes", component_bytes)?;
    let (functions, instances) = (count(component_functions), count(component_instances));
    let outline = Outline::of(bytes);
    if outline.depth > MAX_DEPTH {
        let detail = format!("it nests components more than {MAX_DEPTH} levels deep");
        return Err(LoadError::NotAComponent(detail));
    }
    fits("functions", outline.functions, "component_functions", functions)?;
    fits("instances", outline.instances, "component_instances", instances)
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
    // An infinite loop is interrupted at its next iteration.
    config.epoch_interruption(true);
    // WASI 0.2 does not need the concurrency of WASI 0.3, which slows down each call.
    config.concurrency_support(false);
    config.max_wasm_stack(WASM_STACK_BYTES);
    config.async_stack_size(FIBER_STACK_BYTES);
    if let Some(limits) = pool {
        let count = limits.instances;
        let parts = count.saturating_mul(limits.parts);
        let mut pooling = PoolingAllocationConfig::new();
        // A component from wit-bindgen has several core modules: its own and adapters.
        pooling
            .total_component_instances(count)
            .total_core_instances(parts.saturating_mul(4))
            .total_memories(parts)
            .total_tables(parts.saturating_mul(3))
            .total_stacks(count)
            .max_core_instances_per_component(limits.core_instances)
            .max_memory_size(limits.memory_bytes)
            .table_elements(limits.table_elements)
            // Zeroes touched memory in place instead of unmapping it. 512 KiB is about as much as a
            // plugin call touches. The pool keeps this memory after the instance ends, so a higher
            // value wastes memory.
            .linear_memory_keep_resident(512 * 1024)
            .max_unused_warm_slots(WARM_SLOTS)
            .table_keep_resident(64 * 1024)
            .pagemap_scan(Enabled::Auto);
        config.allocation_strategy(InstanceAllocationStrategy::Pooling(pooling));
    } else {
        // Reserves little address space, because the pool may have failed for lack of it. Memory
        // accesses then need bounds checks.
        config.memory_reservation(ON_DEMAND_RESERVATION_BYTES);
        config.memory_guard_size(64 * 1024);
    }
    config
}

/// Starts a thread that advances the engine's epoch until the engine is dropped.
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
