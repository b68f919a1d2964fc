//! HTTP API of the journal for senders on other machines: get, swap, list. Serves components and
//! programs that have no local place for a journal. Their protection against duplicate messages
//! depends on this API.
//!
//! Keys and values are sent only in bodies, never in paths or log lines.

use std::sync::Arc;

use bytes::Bytes;
use http::{Method, Request};
use messaging_host::Journal;
use messaging_host::journal::wit::{Item, JournalError, SwapOutcome};
use messaging_server::serve::Tokens;
use serde_json::{Value, json};

use crate::problem::Problem;
use crate::request::Fields;

/// Maximum size of a journal request in bytes: two values of 64 KiB and their key, with each byte
/// written as an escape sequence of six bytes (`\u0022`).
pub const MAX_JOURNAL_BODY_BYTES: usize = 776 * 1024;

/// Maximum length of a key in characters, from `wit/journal.wit`.
const KEY_CHARS: usize = 256;
/// Maximum length of `after`, the start position of a page, in characters.
const AFTER_CHARS: usize = 1_024;

/// The journal for senders, over HTTP. Senders and workers have separate tokens: a worker cannot
/// write to the journal, and a sender cannot lease events.
pub struct Senders {
    journal: Arc<dyn Journal>,
    tokens: Tokens,
}

impl Senders {
    /// Creates the API for `journal`. A request must carry a token of `tokens`.
    pub fn new(journal: Arc<dyn Journal>, tokens: Tokens) -> Self {
        Self { journal, tokens }
    }

    /// Answers a request. `function` is the path below `/v1/journal/`. The boolean is true if the
    /// request is authenticated.
    pub(crate) async fn answer(
        &self,
        request: &Request<Bytes>,
        function: &str,
    ) -> (Result<Value, Problem>, bool) {
        if !self.tokens.admit(request.headers()) {
            return (Err(Problem::unauthorized()), false);
        }
        (self.respond(request, function).await, true)
    }

    async fn respond(&self, request: &Request<Bytes>, function: &str) -> Result<Value, Problem> {
        let is_post = *request.method() == Method::POST;
        match function {
            "get" | "swap" | "list" if !is_post => Err(Problem::method("POST")),
            "get" => self.get(request.body()).await,
            "swap" => self.swap(request.body()).await,
            "list" => self.list(request.body()).await,
            _ => Err(Problem::no_such_path()),
        }
    }

    async fn get(&self, body: &[u8]) -> Result<Value, Problem> {
        let mut fields = Fields::of_body(body)?;
        let key = key(&mut fields)?;
        fields.end()?;
        let text = self.journal.get(&key).await.map_err(problem)?;
        Ok(json!({ "text": text }))
    }

    async fn swap(&self, body: &[u8]) -> Result<Value, Problem> {
        let mut fields = Fields::of_body(body)?;
        let key = key(&mut fields)?;
        let expected = fields.nullable("expected", MAX_JOURNAL_BODY_BYTES)?;
        let new = fields.string("new", MAX_JOURNAL_BODY_BYTES)?;
        let new = new.ok_or_else(|| Problem::malformed("new", "is missing"))?;
        fields.end()?;
        match self.journal.swap(&key, expected, new).await.map_err(problem)? {
            SwapOutcome::Swapped => Ok(json!({ "swapped": true })),
            SwapOutcome::Stale(text) => Ok(json!({ "swapped": false, "text": text })),
        }
    }

    async fn list(&self, body: &[u8]) -> Result<Value, Problem> {
        let mut fields = Fields::of_body(body)?;
        let after = fields.string("after", AFTER_CHARS)?;
        fields.end()?;
        let page = self.journal.list_items(after).await.map_err(problem)?;
        let item = |item: &Item| json!({ "key": item.key, "text": item.text });
        let items: Vec<_> = page.items.iter().map(item).collect();
        Ok(json!({ "items": items, "next": page.next }))
    }
}

fn key(fields: &mut Fields) -> Result<String, Problem> {
    let key = fields.string("key", KEY_CHARS)?;
    let is_key = |key: &String| !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_graphic());
    key.filter(is_key).ok_or_else(|| {
        Problem::malformed("key", format!("is not 1 to {KEY_CHARS} characters of visible ASCII"))
    })
}

fn problem(error: JournalError) -> Problem {
    match error {
        JournalError::PermanentNotSetUp(said) => Problem::journal_gone(said.detail),
        JournalError::PermanentRejected(said) => Problem::rejected(said.detail),
        JournalError::Unavailable(said) => Problem::unavailable(said.detail),
        JournalError::ExecutionFailed => Problem::unavailable("execution-failed".into()),
    }
}
