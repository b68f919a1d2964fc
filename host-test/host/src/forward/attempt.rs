//! One delivery to the receiver: the request, and what its end says about the event.
//!
//! # Failures of the event, and of the way to its receiver
//!
//! An attempt counts as a failure of its event once the request was on its way over a
//! connection: any answer but 2xx, a connection that breaks, no answer in time. Then the
//! receiver may have had the event, and an event that makes it fail is one of the reasons for
//! such ends. It does not count
//!
//! - where no connection was there: the name, the network, TLS, a receiver that is down;
//! - where a first attempt's connection breaks: it may be one that was kept from before, and that
//!   the receiver was about to close. Later attempts have connections of their own;
//! - where this process stood still past the time for an answer, or cut the delivery off in
//!   favour of others;
//! - where the request could not be made at all.
//!
//! A stop of this process, a store that cannot be written to, and a lease that ran out note
//! nothing. So a dead letter is always the receiver's answer to that event, or its silence.

use std::time::{Duration, UNIX_EPOCH};

use bytes::Bytes;
use http::{HeaderValue, Request, Response, header};
use http_body_util::Full;
use messaging_core::wire::retry_after::retry_after_ms;
use messaging_inbox::{Event, Retry, TraceContext};
use tokio::time::Instant;

use super::Options;
use super::headers::KEY_HEADERS;
use crate::outbound::ConnectFailure;
use crate::outbound::connect::{self, Client, Connector};
use crate::post::{self, PostError};
use crate::span::{STATUS, Side};

/// The longest pause that a receiver can ask for.
const LONGEST_ASKED: Duration = Duration::from_secs(24 * 60 * 60);

/// "Gone": the receiver will take no more of it.
const GONE: u16 = 410;

/// The longest time by which an end of waiting is noticed late by a process that runs.
const NOTICED_LATE: Duration = Duration::from_secs(1);

/// Clients that carry the requests.
pub(super) struct Sender {
    /// Keeps connections for the next request.
    kept: Client<Full<Bytes>>,
    /// Makes one for each request.
    own: Client<Full<Bytes>>,
}

impl Sender {
    pub(super) fn new(connector: Connector) -> Self {
        let kept = connect::client().build(connector.clone());
        let own = connect::client().pool_max_idle_per_host(0).build(connector);
        Self { kept, own }
    }
}

/// Reason why an event was not taken; kept with it as its last error.
#[derive(Debug, thiserror::Error)]
pub(super) enum Undelivered {
    #[error("status {status}")]
    Refused {
        status: u16,
        /// Pause that the receiver asks for.
        asks: Option<Duration>,
    },
    #[error(transparent)]
    NotConnected(ConnectFailure),
    #[error("{0}")]
    Broken(wasmtime_wasi_http::Error),
    #[error("no answer in time")]
    Late,
    #[error("no answer in time, while this process stood still")]
    StoodStill,
    #[error("no answer by the time that others waited for their turn")]
    CutOff,
    #[error(transparent)]
    NoRequest(http::Error),
}

impl Undelivered {
    /// Says what becomes of an event after so many attempts; `random` is from 0 up to 1.
    pub(super) fn retry(&self, options: &Options, attempts: i64, random: f64) -> Retry {
        let pause = options.pause(attempts, random);
        let counted = |pause| match options.attempts {
            Some(failures) => Retry::UpTo { failures, pause },
            None => Retry::After(pause),
        };
        match self {
            Self::Refused { status: GONE, .. } => Retry::Never,
            // Never before it asks for, and no pause at all would be a flood.
            Self::Refused { asks: Some(asks), .. } => {
                counted(with_jitter((*asks).max(options.first_pause), random))
            }
            Self::Broken(_) if attempts <= 1 => Retry::Uncounted(pause),
            Self::Refused { asks: None, .. } | Self::Broken(_) | Self::Late => counted(pause),
            Self::NotConnected(_) | Self::StoodStill | Self::CutOff | Self::NoRequest(_) => {
                Retry::Uncounted(pause)
            }
        }
    }
}

/// `pause`, and up to a quarter of it more: what failed together is not tried again together.
pub(super) fn with_jitter(pause: Duration, random: f64) -> Duration {
    // A pause too long for any clock needs no jitter.
    let more = Duration::try_from_secs_f64(pause.as_secs_f64() / 4.0 * random);
    pause.saturating_add(more.unwrap_or_default())
}

/// Posts an event, and waits for the head of the answer. `now_ms` is the time of day, in
/// milliseconds since 1970.
pub(super) async fn post(
    sender: &Sender,
    options: &Options,
    event: &Event,
    now_ms: i64,
) -> Result<(), Undelivered> {
    let Some(spans) = &options.spans else {
        return post_in(sender, options, event, event.trace.as_ref(), now_ms).await;
    };
    let mut span = spans.begin("forward", Side::Client, event.trace.as_ref());
    let posted = post_in(sender, options, event, span.context(), now_ms).await;
    span.number("http.request.resend_count", event.attempts.saturating_sub(1));
    if let Err(error) = &posted {
        if let Undelivered::Refused { status, .. } = error {
            span.number(STATUS, i64::from(*status));
        }
        span.fail(error);
    }
    posted
}

async fn post_in(
    sender: &Sender,
    options: &Options,
    event: &Event,
    trace: Option<&TraceContext>,
    now_ms: i64,
) -> Result<(), Undelivered> {
    let request = request(options, event, trace, now_ms).map_err(Undelivered::NoRequest)?;
    let begun = Instant::now();
    let client = if event.attempts <= 1 { &sender.kept } else { &sender.own };
    match post::send(client, request, options.timeout).await {
        Ok(response) if response.status().is_success() => Ok(()),
        Ok(response) => Err(Undelivered::Refused {
            status: response.status().as_u16(),
            asks: asked_pause(&response, now_ms),
        }),
        Err(PostError::NotConnected(failure)) => Err(Undelivered::NotConnected(failure)),
        Err(PostError::Broken(code)) => Err(Undelivered::Broken(code)),
        Err(PostError::Late) if begun.elapsed() > options.timeout.saturating_add(NOTICED_LATE) => {
            Err(Undelivered::StoodStill)
        }
        Err(PostError::Late) => Err(Undelivered::Late),
    }
}

/// The request for an event.
fn request(
    options: &Options,
    event: &Event,
    trace: Option<&TraceContext>,
    now_ms: i64,
) -> Result<Request<Full<Bytes>>, http::Error> {
    let delivery_key = event.delivery_key();
    let key = HeaderValue::from_str(&delivery_key)?;
    let body = Bytes::from(event.json.clone());
    let mut request = Request::new(Full::new(body.clone()));
    *request.method_mut() = http::Method::POST;
    *request.uri_mut() = options.url.clone();
    let headers = request.headers_mut();
    for (name, value) in options.headers.iter() {
        headers.insert(name, value.clone());
    }
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    for name in KEY_HEADERS.iter().chain(options.key_headers.iter().map(|one| &one.0)) {
        headers.insert(name, key.clone());
    }
    if let Some(trace) = trace {
        headers.insert("traceparent", HeaderValue::from_str(trace.parent())?);
        if let Some(state) = trace.state() {
            headers.insert("tracestate", HeaderValue::from_str(state)?);
        }
    }
    if let Some(secrets) = &options.secrets {
        let timestamp = now_ms.div_euclid(1000);
        headers.insert("webhook-id", key);
        headers.insert("webhook-timestamp", HeaderValue::from(timestamp));
        headers.insert("webhook-signature", secrets.sign(&delivery_key, timestamp, &body)?);
    }
    Ok(request)
}

/// The pause that an answer asks for, up to a day. A date is measured from the answer's own
/// `Date`, and without one from our clock.
fn asked_pause<B>(response: &Response<B>, now_ms: i64) -> Option<Duration> {
    let headers = response.headers();
    let values: Vec<_> = headers.get_all(header::RETRY_AFTER).iter().collect();
    let own_date = || {
        let since = Duration::from_millis(u64::try_from(now_ms).ok()?);
        let now = UNIX_EPOCH.checked_add(since)?;
        // Dates beyond the year 9999 cannot be written.
        (since.as_secs() < 253_402_300_800).then(|| httpdate::fmt_http_date(now))
    };
    let date = match headers.get(header::DATE) {
        Some(date) => Some(date.as_bytes().to_vec()),
        None if values.is_empty() => None,
        None => own_date().map(String::into_bytes),
    };
    let ms = retry_after_ms(&values, date.as_deref())?;
    Some(Duration::from_millis(ms.into()).min(LONGEST_ASKED))
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use http::Uri;

    use super::*;

    fn options() -> Options {
        Options::new(Uri::from_static("http://localhost/"))
    }

    #[test]
    fn a_pause_that_the_receiver_asks_for_is_kept_within_a_day_and_not_shortened() {
        let date = "Sat, 21 Nov 2026 10:00:00 GMT";
        let now_ms = 1_795_255_200_000;
        for (headers, seconds) in [
            (&[("retry-after", "120")][..], Some(120)),
            (&[("retry-after", "0")], Some(0)),
            (&[("retry-after", "Sat, 21 Nov 2026 10:00:30 GMT"), ("date", date)], Some(30)),
            // Our own clock, where the answer names no time.
            (&[("retry-after", "Sat, 21 Nov 2026 10:00:30 GMT")], Some(30)),
            (&[("retry-after", "4000000000")], Some(24 * 60 * 60)),
            (&[("retry-after", "soon")], Some(60)),
            (&[], None),
        ] {
            let mut response = Response::new(());
            for (name, value) in headers {
                response.headers_mut().insert(*name, HeaderValue::from_str(value).unwrap());
            }
            let asked = asked_pause(&response, now_ms);
            assert_eq!(asked, seconds.map(Duration::from_secs), "{headers:?}");
        }
        let refused = |asks| Undelivered::Refused { status: 503, asks };
        let pause = |asks: u64, random| {
            let retry = refused(Some(Duration::from_secs(asks))).retry(&options(), 9, random);
            let Retry::After(pause) = retry else { panic!("{retry:?}") };
            pause
        };
        assert_eq!(pause(100, 0.0), Duration::from_secs(100));
        assert_eq!(pause(100, 0.5), Duration::from_millis(112_500));
        // None at all would be a flood.
        assert_eq!(pause(0, 0.0), Duration::from_secs(1));
        assert_eq!(refused(None).retry(&options(), 2, 0.0), Retry::After(Duration::from_secs(2)));
    }

    #[test]
    fn only_what_the_receiver_may_have_seen_counts_as_a_failure() {
        let three = NonZeroU32::new(3).unwrap();
        let pause = Duration::from_secs(1);
        let counted = Retry::UpTo { failures: three, pause };
        let uncounted = Retry::Uncounted(pause);
        let broken = || Undelivered::Broken(wasmtime_wasi_http::Error::HttpResponseIncomplete);
        let no_request = HeaderValue::from_str("\0").unwrap_err().into();
        for (reason, attempts, expected) in [
            (Undelivered::Refused { status: 500, asks: None }, 1, counted),
            (Undelivered::Refused { status: 307, asks: None }, 1, counted),
            (Undelivered::Refused { status: 410, asks: Some(pause) }, 1, Retry::Never),
            (Undelivered::Late, 1, counted),
            (broken(), 1, uncounted),
            (broken(), 2, counted),
            (Undelivered::StoodStill, 2, uncounted),
            (Undelivered::CutOff, 2, uncounted),
            (Undelivered::NoRequest(no_request), 2, uncounted),
        ] {
            let first_pause = if attempts == 1 { pause } else { pause / 2 };
            let options = Options { attempts: Some(three), first_pause, ..options() };
            assert_eq!(reason.retry(&options, attempts, 0.0), expected, "{reason}");
        }
    }
}
