//! Judges components and hosts of the messaging interface. Owns what has to hold and how it
//! is tried; `cases/` holds the cases as data.
//!
//! ```text
//! conformance   a suite for any component that exports the interface
//! once          a suite for whatever sends once, over any provider and any journal
//! native        the same calls without a component, to compare it with
//! corpus        the inputs of the fuzz targets
//! differential  the same cases by a component and by the core, compared
//! attack        what hostile components, services and senders try, and what holds
//! ordinary      ordinary use of one store, all at once, and kills
//! process       `serve` as a process of its own
//! bench         figures of benchmarks: medians, ratios, a chart
//! release       the files to release, and how they are written
//! ```

pub mod attack;
pub mod bench;
pub mod conformance;
pub mod corpus;
pub mod differential;
pub mod native;
pub mod once;
#[cfg(unix)]
pub mod ordinary;
mod process;
pub mod release;
