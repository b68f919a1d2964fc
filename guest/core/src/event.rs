//! Inbound events. Pure: no network, no clock, no settings, no state.

mod delivery;

pub use delivery::Event;
