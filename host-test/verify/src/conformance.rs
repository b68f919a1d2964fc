//! Conformance suite for any component that exports `messaging:integration/messaging`, in any host.
//!
//! ```text
//! case     cases as data: a call, a scripted service, the expected outcome
//! judge    compares outcome and received requests with the case
//! run      runs cases against a component in this host
//! faults   runs conformance and fault cases in every mode of this host
//! control  HTTP interface for runners in other hosts
//! report   results as text, JSON, JUnit, or a table of hosts
//! ```
//!
//! The cases are in `host-test/verify/cases`. This module judges the outcomes of every runner, so
//! all hosts follow the same rules.

pub mod case;
pub mod control;
pub mod faults;
pub mod judge;
pub mod report;
pub mod run;
mod states;

pub use case::Case;
pub use report::{Report, Verdict};
