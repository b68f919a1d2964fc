//! Lines of a log about commits that fail: one when that begins, one when it ends.

use std::mem::{Discriminant, discriminant};
use std::time::Instant;

use super::error::StoreError;

/// Commits that fail one after the other.
#[derive(Debug)]
pub struct Outage {
    consequence: &'static str,
    begun: Option<Begun>,
}

#[derive(Debug)]
struct Begun {
    at: Instant,
    requests: u64,
    error: Discriminant<StoreError>,
}

impl Outage {
    /// Before any; `consequence` says what becomes of the requests of one.
    #[must_use]
    pub fn new(consequence: &'static str) -> Self {
        Self { consequence, begun: None }
    }

    /// Notes a commit that failed; logs the first, and each that fails in another way than before.
    pub fn failed(&mut self, requests: usize, error: &StoreError) {
        let kind = discriminant(error);
        let is_known = self.begun.as_ref().is_some_and(|begun| begun.error == kind);
        let begun = self.begun.get_or_insert_with(|| Begun {
            at: Instant::now(),
            requests: 0,
            error: kind,
        });
        begun.requests = begun.requests.saturating_add(u64::try_from(requests).unwrap_or(u64::MAX));
        begun.error = kind;
        if !is_known {
            tracing::warn!(%error, requests, "commits fail, until a line says that they succeed again: {}", self.consequence);
        }
    }

    /// Notes a commit that succeeded; logs the first after those that failed.
    pub fn ended(&mut self) {
        if let Some(Begun { at, requests, .. }) = self.begun.take() {
            let seconds = at.elapsed().as_secs();
            tracing::warn!(requests, seconds, "commits succeed again; so many requests failed");
        }
    }
}
