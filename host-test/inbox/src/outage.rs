//! Log lines about failing commits: at the start of an outage, at each new kind of error, and at
//! the end of the outage.

use std::mem::{Discriminant, discriminant};
use std::time::Instant;

use super::error::StoreError;

/// A series of failing commits.
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
    /// Creates an outage that has not begun. `consequence` describes the effect of an outage on
    /// requests.
    pub fn new(consequence: &'static str) -> Self {
        Self { consequence, begun: None }
    }

    /// Records a failed commit. Logs the first one, and each new kind of error.
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
            tracing::warn!(%error, requests, "commits fail: {}", self.consequence);
        }
    }

    /// Records a successful commit. Logs the first one after an outage.
    pub fn ended(&mut self) {
        if let Some(Begun { at, requests, .. }) = self.begun.take() {
            let seconds = at.elapsed().as_secs();
            tracing::warn!(requests, seconds, "commits succeed again");
        }
    }
}
