//! Logic of the webhook and its inboxes, without WASI, clock or environment.
//!
//! ```text
//! request -> settings -> proof of origin -> handle-event -> inbox (record) -> answer
//! ```

pub mod answer;
pub mod delivery;
pub mod exact;
pub mod inbox;
pub mod keyvalue;
pub mod label;
pub mod origin;
pub mod record;
pub mod secret;
pub mod settings;
pub mod signature;

pub use answer::Answer;
pub use delivery::Delivery;
pub use settings::Settings;
