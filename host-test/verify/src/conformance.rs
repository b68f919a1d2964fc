//! A conformance suite for any component that exports `messaging:integration/messaging`,
//! in any host.
//!
//! ```text
//! case     the promises, as data: a call, a scripted service, the outcome
//! judge    outcome and received requests against the case
//! run      the cases against a component in this host
//! faults   those cases and more, in every mode of this host
//! control  the cases for a runner in another host, over HTTP
//! report   the results, as text, JSON, JUnit, or a table of hosts
//! ```
//!
//! The cases stand in `host-test/verify/cases`. Whoever runs them, they are judged
//! here, so that no host can drift from another.

pub mod case;
pub mod control;
pub mod faults;
pub mod judge;
pub mod report;
pub mod run;
mod states;

pub use case::Case;
pub use report::{Report, Verdict};
