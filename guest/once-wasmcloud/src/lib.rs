//! `send-once` with a journal in wasmCloud's key-value store, as a component of the world
//! `messaging:integration-async/once-wasmcloud`. Contains only the export; the decisions are in
//! `messaging_core::once`.
//!
//! ```text
//! export -> machine of the core -> drive -> bucket, messaging, clocks
//! ```
// Other targets have no WASI, so the crate is empty there.
#![cfg(target_family = "wasm")]
#![no_std]
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::string_slice)]

extern crate alloc;

mod bucket;
mod drive;

#[allow(missing_docs, reason = "documented in the WIT")]
mod bindings {
    wit_bindgen::generate!({
        path: ["../../wit/types.wit", "../../wit/p3"],
        world: "messaging:integration-async/once-wasmcloud",
        generate_all,
    });
}

use alloc::string::String;

use messaging_core::once::change::{Change, Changing};
use messaging_core::once::digest::SALT_BYTES;
use messaging_core::once::keyvalue::Page;
use messaging_core::once::send::{ATTEMPT_ID_BYTES, Input, JournalFailure, SendOnce};
use messaging_core::once::settings::{self, InvalidSettings};
use messaging_core::once::{Key, keyvalue};

use crate::bindings::exports::messaging::integration_async::once::Guest;
use crate::bindings::messaging::integration::{once_types as wit, types};
use crate::bindings::messaging::integration_async::messaging;
use crate::bindings::wasi::cli::environment::get_environment;
use crate::bindings::wasi::random::random::get_random_u64;
use crate::bucket::Bucket;
use crate::drive::Drive;

messaging_core::unknown_conversions!(crate::types);
messaging_core::once_conversions!(crate::types, crate::wit, types::Error, Page);
messaging_core::provider_conversions!();

struct Once;

bindings::export!(Once with_types_in bindings);

impl Guest for Once {
    async fn send_once(
        key: String,
        request: types::MessageRequest,
    ) -> Result<wit::OnceCreated, wit::OnceError> {
        let drive = begin(key)?;
        let variables = get_environment();
        let service = settings::service(variables.iter().cloned());
        let deadline = settings::deadline_ms(variables).map_err(invalid_settings)?;
        let attempt_id = messaging_core::names::hex::encode(&random::<ATTEMPT_ID_BYTES>());
        let content = digested(&request, service.as_deref());
        let mut machine = SendOnce::new(content, random::<SALT_BYTES>(), attempt_id, deadline);
        let send = async |()| Input::Sent(answered(messaging::send_message(request.clone()).await));
        let sent = drive.run(|input, now| machine.next(input, now), send).await;
        sent.map(created).map_err(once_error)
    }

    async fn look_up(key: String) -> Result<Option<wit::JournalEntry>, wit::OnceError> {
        let key = Key::new(key).map_err(invalid_key)?;
        let text = journal().await?.get(&key).await.map_err(unreachable)?;
        looked_up(&key, text.as_deref(), drive::at_once())
    }

    async fn list_entries(after: Option<String>) -> Result<wit::EntryPage, wit::OnceError> {
        let page = journal().await?.list(after.as_deref()).await.map_err(unreachable)?;
        Ok(entry_page(page, drive::at_once()))
    }

    async fn resolve(key: String, given: wit::Resolution) -> Result<(), wit::OnceError> {
        change(key, Change::Resolve(resolution(given)?)).await
    }

    async fn forget(key: String) -> Result<(), wit::OnceError> {
        change(key, Change::Forget).await
    }
}

async fn change(key: String, change: Change) -> Result<(), wit::OnceError> {
    let drive = begin(key)?;
    let mut machine = Changing::new(change);
    let never = async |never| match never {};
    drive.run(|input, now| machine.next(input, now), never).await.map_err(once_error)
}

/// Begins a call, with the journal from the settings.
fn begin(key: String) -> Result<Drive, wit::OnceError> {
    let start = messaging_runtime::p3::now();
    Ok(Drive::new(Key::new(key).map_err(invalid_key)?, bucket_name()?, start))
}

/// Opens the journal for a read-only call.
async fn journal() -> Result<keyvalue::Journal<Bucket>, wit::OnceError> {
    bucket::open(&bucket_name()?).await.map_err(unreachable)
}

fn bucket_name() -> Result<String, wit::OnceError> {
    settings::bucket(get_environment()).map_err(invalid_settings)
}

fn invalid_settings(invalid: InvalidSettings) -> wit::OnceError {
    wit::OnceError::PermanentInvalidSettings(wit::InvalidSettings {
        setting: invalid.setting.into(),
        detail: invalid.detail.into(),
    })
}

/// Converts a journal error to the error of a read-only call.
fn unreachable(failure: JournalFailure) -> wit::OnceError {
    once_error(failure.into())
}

/// Returns `N` random bytes. Calls `get-random-u64`, because `get-random-bytes` of the host may
/// return fewer bytes than requested.
fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    for some in bytes.chunks_mut(size_of::<u64>()) {
        for (byte, random) in some.iter_mut().zip(get_random_u64().to_le_bytes()) {
            *byte = random;
        }
    }
    bytes
}
