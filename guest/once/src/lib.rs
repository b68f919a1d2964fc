//! `send-once` as a component of the world `messaging:integration/once-middleware`. Contains only
//! the export; the decisions are in `messaging_core::once`.
//!
//! ```text
//! export -> machine of the core -> drive -> journal, messaging, clocks
//! ```
// Other targets have no WASI, so the crate is empty there.
#![cfg(target_family = "wasm")]
#![no_std]
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::string_slice)]

extern crate alloc;

mod drive;
use messaging_runtime as _;

#[allow(missing_docs, reason = "documented in the WIT")]
mod bindings {
    wit_bindgen::generate!({
        path: "../../wit",
        world: "once-middleware",
        generate_all,
    });
}

use alloc::string::String;

use ::wasi::cli::environment::get_environment;
use ::wasi::clocks::monotonic_clock;
use messaging_core::once::change::{Change, Changing};
use messaging_core::once::digest::SALT_BYTES;
use messaging_core::once::send::{ATTEMPT_ID_BYTES, Input, SendOnce};
use messaging_core::once::{Key, settings};

use crate::bindings::exports::messaging::integration::once::Guest;
use crate::bindings::messaging::integration::{journal, messaging, once_types as wit, types};
use crate::drive::Drive;

messaging_core::unknown_conversions!(crate::types);
messaging_core::once_conversions!(crate::types, crate::wit, types::Error, journal::Page);
messaging_core::provider_conversions!();

struct Once;

bindings::export!(Once with_types_in bindings);

impl Guest for Once {
    fn send_once(
        key: String,
        request: types::MessageRequest,
    ) -> Result<wit::OnceCreated, wit::OnceError> {
        let drive = Drive::new(Key::new(key).map_err(invalid_key)?);
        let variables = get_environment();
        let service = settings::service(variables.iter().cloned());
        let deadline = settings::deadline_ms(variables).map_err(|invalid| {
            wit::OnceError::PermanentInvalidSettings(wit::InvalidSettings {
                setting: invalid.setting.into(),
                detail: invalid.detail.into(),
            })
        })?;
        let attempt_id = messaging_core::names::hex::encode(&random::<ATTEMPT_ID_BYTES>());
        let content = digested(&request, service.as_deref());
        let mut machine = SendOnce::new(content, random::<SALT_BYTES>(), attempt_id, deadline);
        let send = |()| Input::Sent(answered(messaging::send_message(&request)));
        drive.run(|input, now| machine.next(input, now), send).map(created).map_err(once_error)
    }

    fn look_up(key: String) -> Result<Option<wit::JournalEntry>, wit::OnceError> {
        let key = Key::new(key).map_err(invalid_key)?;
        let text = journal::get(key.as_str()).map_err(unreachable)?;
        looked_up(&key, text.as_deref(), drive::now(monotonic_clock::now()))
    }

    fn list_entries(after: Option<String>) -> Result<wit::EntryPage, wit::OnceError> {
        let page = journal::list_items(after.as_deref()).map_err(unreachable)?;
        Ok(entry_page(page, drive::now(monotonic_clock::now())))
    }

    fn resolve(key: String, given: wit::Resolution) -> Result<(), wit::OnceError> {
        change(key, Change::Resolve(resolution(given)?))
    }

    fn forget(key: String) -> Result<(), wit::OnceError> {
        change(key, Change::Forget)
    }
}

fn change(key: String, change: Change) -> Result<(), wit::OnceError> {
    let drive = Drive::new(Key::new(key).map_err(invalid_key)?);
    let mut machine = Changing::new(change);
    drive.run(|input, now| machine.next(input, now), |never| match never {}).map_err(once_error)
}

/// Converts a journal error to the error of a read-only call.
fn unreachable(error: journal::JournalError) -> wit::OnceError {
    once_error(drive::failure(error).into())
}

/// Returns `N` random bytes.
fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    let length = u64::try_from(N).unwrap_or_default();
    for (byte, random) in bytes.iter_mut().zip(::wasi::random::random::get_random_bytes(length)) {
        *byte = random;
    }
    bytes
}
