//! Tests of components and hosts of the messaging interface. Defines the promises and how they are
//! tested; `cases/` contains the cases as data.
//!
//! ```text
//! conformance   suite for any component that exports the interface
//! once          suite for any implementation of `once`, with any provider and journal
//! native        the plugin's calls without a component, for comparison
//! corpus        inputs of the fuzz targets
//! differential  equal cases with a component and with the core, compared
//! attack        attacks by components, services and unauthenticated peers
//! ordinary      ordinary use of one store by all programs at once, and kills
//! process       processes under test, such as `serve`
//! bench         benchmark results: medians, ratios, a chart
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
