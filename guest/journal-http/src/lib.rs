//! A journal over HTTP, as a component of the world `messaging:integration/journal-http`. Contains
//! only the exports; `messaging_core::journal` defines requests and responses.
// Other targets have no WASI, so the crate is empty there.
#![cfg(target_family = "wasm")]
#![no_std]
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::string_slice)]

extern crate alloc;

#[allow(missing_docs, reason = "documented in the WIT")]
mod bindings {
    wit_bindgen::generate!({
        path: "../../wit",
        world: "journal-http",
        generate_all,
    });
}

use alloc::string::String;
use alloc::vec::Vec;

use ::wasi::cli::environment::get_environment;
use messaging_core::journal::{self, Failure, MAX_ANSWER_BYTES, Question, Settings, Swapped};
use messaging_runtime::clock::{self, Clock};
use messaging_runtime::http;

use crate::bindings::exports::messaging::integration::journal as wit;

struct Component;

bindings::export!(Component with_types_in bindings);

impl wit::Guest for Component {
    fn get(key: String) -> Result<Option<String>, wit::JournalError> {
        Ok(journal::read_text(&ask(Question::Get { key: &key })?)?)
    }

    fn swap(
        key: String,
        expected: Option<String>,
        new: String,
    ) -> Result<wit::SwapOutcome, wit::JournalError> {
        let question = Question::Swap { key: &key, expected: expected.as_deref(), new: &new };
        Ok(match journal::read_swapped(&ask(question)?)? {
            Swapped::Swapped => wit::SwapOutcome::Swapped,
            Swapped::Stale(found) => wit::SwapOutcome::Stale(found),
        })
    }

    fn list_items(after: Option<String>) -> Result<wit::Page, wit::JournalError> {
        let page = journal::read_page(&ask(Question::List { after: after.as_deref() })?)?;
        let item = |(key, text)| wit::Item { key, text };
        Ok(wit::Page { items: page.items.into_iter().map(item).collect(), next: page.next })
    }
}

/// Sends one request to the server.
fn ask(question: Question<'_>) -> Result<Vec<u8>, Failure> {
    let start = clock::now();
    let settings = Settings::from_variables(get_environment())?;
    let request = settings.request(question)?;
    let clock = Clock::new(start, settings.deadline_ms);
    settings.answer(http::exchange(&request, &clock, MAX_ANSWER_BYTES))
}

impl From<Failure> for wit::JournalError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::NotSetUp(detail) => Self::PermanentNotSetUp(wit::Failure { detail }),
            Failure::Rejected(detail) => Self::PermanentRejected(wit::Failure { detail }),
            Failure::Unavailable(detail) => Self::Unavailable(wit::Failure { detail }),
        }
    }
}
