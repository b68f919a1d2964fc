//! Options of a forwarder, and its delays.

use std::num::NonZeroU32;
use std::time::Duration;

use http::Uri;
use messaging_inbox::Kinds;
use messaging_net::Trust;
use messaging_net::headers::{KeyHeader, SecretHeaders};

use super::sign::SigningSecrets;
use crate::span::Spans;

/// Options of a forwarder.
#[derive(Clone, Debug)]
pub struct Options {
    /// URL that receives the events by POST.
    pub url: Uri,
    /// Accepted certificates.
    pub trust: Trust,
    /// Number of slots for each kind of attempt: first, later and patient attempts. A patient
    /// attempt is a later attempt that is never cut off. Every other attempt frees its slot after
    /// 250 ms without a response, but stays open. At most 120 first attempts and 120 non-patient
    /// later attempts are open.
    pub concurrency: usize,
    /// Timeout of a delivery, up to the response head. A delivery may be cut off earlier if 120
    /// deliveries of its kind are open and other deliveries wait.
    pub timeout: Duration,
    /// Time for storing the outcome: a lease lasts for the sum of `timeout` and this time. Until a
    /// lease ends, no other worker gets the event, even after a crash.
    pub grace: Duration,
    /// Delay after the first failure; doubles with each further failure. Each delay gets a random
    /// addition of up to a quarter, because events that failed together must not be retried
    /// together.
    pub first_pause: Duration,
    /// Maximum delay, without the random addition. A receiver can request a delay of up to 24 h
    /// with `Retry-After`.
    pub longest_pause: Duration,
    /// Number of failures after which an event is dead; `None` to retry forever. Only an attempt
    /// that the receiver may have seen counts as a failure.
    pub attempts: Option<NonZeroU32>,
    /// Kinds of events to deliver. Other workers can lease the other kinds.
    pub kinds: Kinds,
    /// Secrets for signatures of Standard Webhooks; `None` to send no signatures.
    pub secrets: Option<SigningSecrets>,
    /// Additional headers of each request.
    pub headers: SecretHeaders,
    /// Additional headers with the event's key, next to `X-Idempotency-Key` and `Idempotency-Key`.
    pub key_headers: Vec<KeyHeader>,
    /// Consumer of the spans of attempts. If `None`, requests carry the trace context of the
    /// event's delivery to the webhook unchanged.
    pub spans: Option<Spans>,
}

impl Options {
    /// Returns options with 8 concurrent deliveries, a timeout and a grace of 30 s each, and delays
    /// from 1 s to 5 min.
    pub fn new(url: Uri) -> Self {
        Self {
            url,
            trust: Trust::Public,
            concurrency: 8,
            timeout: Duration::from_secs(30),
            grace: Duration::from_secs(30),
            first_pause: Duration::from_secs(1),
            longest_pause: Duration::from_secs(300),
            attempts: None,
            kinds: Kinds::All,
            secrets: None,
            headers: SecretHeaders::default(),
            key_headers: Vec::new(),
            spans: None,
        }
    }

    /// Returns the delay after this many attempts. `random` is in the range 0..1.
    pub(super) fn pause(&self, attempts: i64, random: f64) -> Duration {
        let doublings = u32::try_from(attempts.saturating_sub(1).clamp(0, 16)).unwrap_or(0);
        let pause = self.first_pause.saturating_mul(2_u32.saturating_pow(doublings));
        let pause = pause.min(self.longest_pause);
        with_jitter(pause, random)
    }
}

/// Adds up to a quarter to `pause`, because events that failed together must not be retried
/// together.
pub(super) fn with_jitter(pause: Duration, random: f64) -> Duration {
    // A delay beyond the range of `Duration` gets no jitter.
    let more = Duration::try_from_secs_f64(pause.as_secs_f64() / 4.0 * random);
    pause.saturating_add(more.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pause_doubles_with_jitter() {
        let options = Options::new(Uri::from_static("http://localhost/"));
        for (attempts, seconds) in [(0, 1), (1, 1), (2, 2), (5, 16), (9, 256), (10, 300), (99, 300)]
        {
            let pause = Duration::from_secs(seconds);
            assert_eq!(options.pause(attempts, 0.0), pause, "{attempts}");
            assert_eq!(options.pause(attempts, 0.5), pause + pause / 8, "{attempts}");
            assert!(options.pause(attempts, 1.0 - f64::EPSILON) <= pause + pause / 4);
        }
        let endless =
            Options { first_pause: Duration::MAX, longest_pause: Duration::MAX, ..options };
        assert_eq!(endless.pause(1, 0.5), Duration::MAX);
    }
}
