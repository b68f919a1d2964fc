//! Conformance suites for components that export `messaging` or `once`, and the fault suite.
//! Runners in other hosts submit their outcomes to this crate, so equal rules apply to every host.
//! `cases/` contains the cases as data.
//!
//! ```text
//! case      cases as data: a call, a scripted service, the expected outcome
//! judge     compares outcome and received requests with the case
//! run       runs cases against a component in this host
//! faults    runs conformance and fault cases in every mode of this host
//! control   HTTP interface for runners in other hosts
//! report    results as text, JSON, JUnit, or a table of hosts
//! native    the plugin's calls without a component, for comparison
//! once      suite for any implementation of `once`, with any provider and journal
//! delivery  deliveries of events as bytes, for tests of the HTTP server
//! ```

pub mod case;
pub mod control;
pub mod delivery;
pub mod faults;
pub mod judge;
pub mod native;
pub mod once;
pub mod report;
pub mod run;
mod states;

pub use case::Case;
pub use report::{Report, Verdict};
