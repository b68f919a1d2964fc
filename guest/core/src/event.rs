//! Inbound events. Reading an event needs no I/O, clock, settings or state.

mod delivery;

pub use delivery::Event;
