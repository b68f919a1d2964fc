//! One delivery to the receiver: the request, and the effect of its outcome on the event.
//!
//! # Failures
//!
//! An attempt counts as a failure of its event if the request was sent over a connection and did
//! not succeed: a status other than 2xx, a broken connection, or a timeout. In these cases the
//! receiver may have seen the event, and the event may be the cause. An attempt does not count if
//!
//! - no connection was made, because the name, the network or TLS failed, or the receiver is down;
//! - the connection of a first attempt breaks. A first attempt may use a kept connection, and the
//!   receiver may be closing this connection. Later attempts use new connections;
//! - this process was suspended until after the timeout, or cut off the delivery because other
//!   deliveries waited;
//! - the request could not be built.
//!
//! No failure is recorded if this process shuts down, the store is unavailable or the lease has
//! expired. Therefore an event is dead only because of the receiver's responses or its silence.

use std::time::{Duration, UNIX_EPOCH};

use bytes::Bytes;
use http::{HeaderValue, Request, Response, header};
use http_body_util::Full;
use messaging_core::wire::retry_after::retry_after_ms;
use messaging_inbox::{Event, Retry, TraceContext};
use messaging_net::connect::{self, Client, Connector};
use messaging_net::headers::{KEY_HEADERS, KeyHeader};
use messaging_net::{RequestError, post};
use tokio::time::Instant;

use super::options::{Options, with_jitter};
use crate::span::{STATUS, Side};

/// Maximum delay that a receiver can request.
const LONGEST_ASKED: Duration = Duration::from_secs(24 * 60 * 60);

/// Status "Gone": the receiver will never accept the event.
const GONE: u16 = 410;

/// Maximum delay between a timeout and its detection in a running process.
const NOTICED_LATE: Duration = Duration::from_secs(1);

/// HTTP clients for deliveries.
pub(super) struct Sender {
    /// Client for first attempts; keeps connections open.
    kept: Client<Full<Bytes>>,
    /// Client for later attempts; opens a connection for each request.
    own: Client<Full<Bytes>>,
}

impl Sender {
    pub(super) fn new(connector: Connector) -> Self {
        let kept = connect::client().build(connector.clone());
        let own = connect::client().pool_max_idle_per_host(0).build(connector);
        Self { kept, own }
    }
}

/// The reason why an event was not accepted, stored as the event's last error.
#[derive(Debug, thiserror::Error)]
pub(super) enum Undelivered {
    #[error("status {status}{}", advice(*status))]
    Refused {
        status: u16,
        /// Delay that the receiver requests.
        asks: Option<Duration>,
    },
    #[error(transparent)]
    Unanswered(RequestError),
    #[error("no answer in time, because this process was suspended")]
    StoodStill,
    #[error("cut off before an answer, because other events waited")]
    CutOff,
    #[error(transparent)]
    NoRequest(http::Error),
}

/// Returns the remedy for a redirect, to append to the message; empty for other statuses.
fn advice(status: u16) -> &'static str {
    match status {
        300..=399 => ": redirects are not followed; forward to the final URL",
        _ => "",
    }
}

impl Undelivered {
    /// Returns how to retry an event after this many attempts. `random` is in the range 0..1.
    pub(super) fn retry(&self, options: &Options, attempts: i64, random: f64) -> Retry {
        let pause = options.pause(attempts, random);
        let counted = |pause| match options.attempts {
            Some(failures) => Retry::UpTo { failures, pause },
            None => Retry::After(pause),
        };
        match self {
            Self::Refused { status: GONE, .. } => Retry::Never,
            // Waits at least `first_pause`, because a requested delay of zero would cause a flood
            // of retries.
            Self::Refused { asks: Some(asks), .. } => {
                counted(with_jitter((*asks).max(options.first_pause), random))
            }
            Self::Unanswered(RequestError::NotConnected(_)) => Retry::Uncounted(pause),
            Self::Unanswered(RequestError::Timeout) | Self::Refused { .. } => counted(pause),
            Self::Unanswered(_) if attempts > 1 => counted(pause),
            Self::Unanswered(_) | Self::StoodStill | Self::CutOff | Self::NoRequest(_) => {
                Retry::Uncounted(pause)
            }
        }
    }
}

/// Posts an event and waits for the response head. `now_ms` is the wall-clock time, in milliseconds
/// since 1970.
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
        Err(RequestError::Timeout)
            if begun.elapsed() > options.timeout.saturating_add(NOTICED_LATE) =>
        {
            Err(Undelivered::StoodStill)
        }
        Err(error) => Err(Undelivered::Unanswered(error)),
    }
}

/// Builds the request for an event.
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
    for name in KEY_HEADERS.iter().chain(options.key_headers.iter().map(KeyHeader::name)) {
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

/// Returns the delay that a response requests, at most a day. A date in `Retry-After` is relative
/// to the response's `Date`, or to the host's clock if there is no `Date`.
fn asked_pause<B>(response: &Response<B>, now_ms: i64) -> Option<Duration> {
    let headers = response.headers();
    let values: Vec<_> = headers.get_all(header::RETRY_AFTER).iter().collect();
    let own_date = || {
        let since = Duration::from_millis(u64::try_from(now_ms).ok()?);
        let now = UNIX_EPOCH.checked_add(since)?;
        // HTTP dates end with the year 9999.
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
    fn requested_pause_is_kept_up_to_day() {
        let date = "Sat, 21 Nov 2026 10:00:00 GMT";
        let now_ms = 1_795_255_200_000;
        for (headers, seconds) in [
            (&[("retry-after", "120")][..], Some(120)),
            (&[("retry-after", "0")], Some(0)),
            // A fraction of a second is rounded up.
            (&[("retry-after", "299.997")], Some(300)),
            (&[("retry-after", "300.0")], Some(300)),
            (&[("retry-after", "86399.5")], Some(24 * 60 * 60)),
            (&[("retry-after", "Sat, 21 Nov 2026 10:00:30 GMT"), ("date", date)], Some(30)),
            // Uses the host's clock, because the response has no date.
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
        // A delay of zero would cause a flood of retries.
        assert_eq!(pause(0, 0.0), Duration::from_secs(1));
        assert_eq!(refused(None).retry(&options(), 2, 0.0), Retry::After(Duration::from_secs(2)));
    }

    #[test]
    fn only_sent_request_counts_as_failure() {
        let three = NonZeroU32::new(3).unwrap();
        let pause = Duration::from_secs(1);
        let counted = Retry::UpTo { failures: three, pause };
        let uncounted = Retry::Uncounted(pause);
        let broken = || Undelivered::Unanswered(RequestError::Incomplete);
        let no_request = HeaderValue::from_str("\0").unwrap_err().into();
        for (reason, attempts, expected) in [
            (Undelivered::Refused { status: 500, asks: None }, 1, counted),
            (Undelivered::Refused { status: 307, asks: None }, 1, counted),
            (Undelivered::Refused { status: 410, asks: Some(pause) }, 1, Retry::Never),
            (Undelivered::Unanswered(RequestError::Timeout), 1, counted),
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
