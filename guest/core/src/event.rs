//! Inbound events. Needs no I/O, clock, settings or state.

mod delivery;

pub use delivery::Event;
