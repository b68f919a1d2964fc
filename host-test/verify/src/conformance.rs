//! A suite that any component which exports `messaging:integration/messaging` can be
//! held against, in any host.
//!
//! ```text
//! case     what is promised, as data: a call, a scripted service, the outcome
//! judge    outcome and received requests against the case
//! run      the cases against a component in this host
//! catalogue  those cases and more, in every way this host can run them
//! control  the cases for a runner in another host, over HTTP
//! report   the results, as text, JSON, JUnit, or a table of hosts
//! ```
//!
//! The cases stand in `host-test/conformance`. Whoever runs them, they are judged
//! here, so that no host can drift from another.

pub mod case;
pub mod catalogue;
pub mod control;
pub mod judge;
pub mod report;
pub mod run;

pub use case::Case;
pub use report::{Report, Verdict};
