//! Properties that hold for every input: one function per target, which panics on a violation.
//! LibFuzzer runs the targets (`fuzz_targets/`). `cargo test` runs them on the committed corpora
//! (`host-test/verify/tests/it/corpora.rs`).

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a target panics if a property is violated"
)]

mod base_url;
mod created;
mod event;
mod fields;
mod input;
mod listing;
mod phone;
mod refusal;
mod retry_after;
mod schemes;
mod send;
mod settings;
mod signature;
mod templates;
mod webhook;

/// A target: its name, which is also the name of its corpus, and its check.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const ALL: [Target; 14] = [
    ("base_url", base_url::check),
    ("created", created::check),
    ("event", event::check),
    ("fields", fields::check),
    ("listing", listing::check),
    ("phone", phone::check),
    ("refusal", refusal::check),
    ("retry_after", retry_after::check),
    ("schemes", schemes::check),
    ("send", send::check),
    ("settings", settings::check),
    ("signature", signature::check),
    ("templates", templates::check),
    ("webhook", webhook::check),
];

/// Runs the target with this name.
///
/// # Panics
/// Panics if a property is violated or no target has this name.
pub fn run(name: &str, data: &[u8]) {
    let target = ALL.iter().find(|(known, _)| *known == name);
    target.unwrap_or_else(|| panic!("no fuzz target has the name {name}")).1(data);
}
