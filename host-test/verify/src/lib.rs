//! The test laboratory: campaigns, comparisons and measurements that take longer than `cargo test`.
//! `messaging-conformance` has the cases that `cargo test` runs.
//!
//! ```text
//! corpus        inputs of the fuzz targets
//! differential  comparison of a component with the core, case by case
//! attack        attacks by components, services and unauthenticated peers
//! ordinary      all programs at once on one store, in ordinary use or with kills
//! program       the program under test
//! process       processes under test, such as `serve`
//! server        a process with a journal over HTTP
//! worker        a program in any language that sends once
//! bench         benchmark results: medians, ratios, charts
//! ```

pub mod attack;
pub mod bench;
pub mod corpus;
pub mod differential;
#[cfg(unix)]
pub mod ordinary;
mod process;
pub mod program;
pub mod server;
pub mod worker;
