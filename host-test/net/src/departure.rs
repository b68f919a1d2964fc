//! Decision about one request: the first byte is written before the deadline of the request, or
//! never.
//!
//! A deadline is checked on two clocks. The monotonic clock of some systems stops while the machine
//! is suspended, and the wall clock can be set back. A timeout does not suffice, because a process
//! that was stopped may find a ready connection before it checks the timeout.

use std::error::Error as StdError;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};
use std::time::{Duration, SystemTime};

use http::{Method, Request, Uri};
use http_body::{Body, Frame, SizeHint};
use tokio::time::Instant;

use crate::failure::{ConnectCause, ConnectFailure};

/// Maximum time that [`in_future`] adds, 30 years. Every clock has this range.
const MOST: Duration = Duration::from_secs(30 * 365 * 24 * 60 * 60);

/// Returns `instant` plus `later`, but at most 30 years after `instant`.
pub fn in_future(instant: Instant, later: Duration) -> Instant {
    instant.checked_add(later.min(MOST)).unwrap_or(instant)
}

/// A point in time on the monotonic clock and on the wall clock. A deadline of this type is the
/// latest time for the first byte of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Time on the monotonic clock.
    pub monotonic: Instant,
    /// Time on the wall clock.
    pub wall: SystemTime,
}

impl Moment {
    /// Returns the current time.
    pub fn now() -> Self {
        Self { monotonic: Instant::now(), wall: SystemTime::now() }
    }

    /// Returns this moment plus `later`.
    pub fn after(self, later: Duration) -> Self {
        Self {
            monotonic: in_future(self.monotonic, later),
            wall: self.wall.checked_add(later.min(MOST)).unwrap_or(self.wall),
        }
    }

    /// Returns the earlier time on each clock.
    pub fn min(self, other: Self) -> Self {
        Self { monotonic: self.monotonic.min(other.monotonic), wall: self.wall.min(other.wall) }
    }

    /// Returns true if this moment has passed on either clock.
    pub fn is_over(self) -> bool {
        self.is_over_at(Self::now())
    }

    fn is_over_at(self, now: Self) -> bool {
        now.monotonic >= self.monotonic || now.wall >= self.wall
    }
}

/// The decision to send one request or to give it up. The first decision is final.
#[derive(Clone)]
pub struct Departure(Arc<Inner>);

struct Inner {
    /// True if the request has left, false if it was given up; empty before the decision.
    has_left: OnceLock<bool>,
    deadline: Moment,
    uri: Uri,
}

impl Departure {
    /// Creates the pending decision about `request`. hyper does not poll an empty body, or a body
    /// of unknown length in a GET, HEAD or CONNECT request. A request with such a body counts as
    /// having left.
    pub fn new<B: Body>(deadline: Moment, request: &Request<B>) -> Self {
        let body = request.body();
        let is_bodiless = matches!(*request.method(), Method::GET | Method::HEAD | Method::CONNECT);
        let is_asked = !body.is_end_stream()
            && body.size_hint().exact().map_or(!is_bodiless, |length| length > 0);
        let has_left = if is_asked { OnceLock::new() } else { true.into() };
        Self(Arc::new(Inner { has_left, deadline, uri: request.uri().clone() }))
    }

    /// Returns the latest time for the first byte.
    pub fn deadline(&self) -> Moment {
        self.0.deadline
    }

    /// Lets the first byte leave unless the deadline has passed or the request was given up.
    fn leave(&self) -> Result<(), ConnectFailure> {
        if self.0.deadline.is_over() {
            self.give_up();
        }
        if *self.0.has_left.get_or_init(|| true) { Ok(()) } else { Err(self.too_late()) }
    }

    /// Gives the request up. Returns true if no byte has left; in this case, no byte leaves later.
    pub fn give_up(&self) -> bool {
        !self.0.has_left.get_or_init(|| false)
    }

    /// Returns the failure of a request that was given up.
    pub fn too_late(&self) -> ConnectFailure {
        ConnectFailure::new(&self.0.uri, ConnectCause::TooLate)
    }

    fn has_left(&self) -> bool {
        self.0.has_left.get() == Some(&true)
    }
}

/// A guard that gives the request up when the guard is dropped.
pub struct GiveUp(pub Departure);

impl Drop for GiveUp {
    fn drop(&mut self) {
        self.0.give_up();
    }
}

/// The body of a request. hyper polls the first frame after it has built the head, and before it
/// writes any byte of head or body. If this poll returns an error, hyper closes the connection
/// without a write.
pub struct Departing<B> {
    body: B,
    departure: Departure,
}

impl<B> Departing<B> {
    /// Creates the body of a request. `departure` decides if the request leaves.
    pub fn new(body: B, departure: Departure) -> Self {
        Self { body, departure }
    }
}

impl<B> Body for Departing<B>
where
    B: Body + Unpin,
    B::Error: Into<Box<dyn StdError + Send + Sync>>,
{
    type Data = B::Data;
    type Error = Box<dyn StdError + Send + Sync>;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<B::Data>, Self::Error>>> {
        if !self.departure.has_left()
            && let Err(failure) = self.departure.leave()
        {
            return Poll::Ready(Some(Err(failure.into())));
        }
        Pin::new(&mut self.body).poll_frame(context).map_err(Into::into)
    }

    /// False until the request has left, because hyper does not poll a body that has ended.
    fn is_end_stream(&self) -> bool {
        self.departure.has_left() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytes::Bytes;
    use http_body_util::{Empty, Full};

    #[test]
    fn deadline_passes_on_either_clock() {
        let start = Moment::now();
        let ms = Duration::from_millis;
        let deadline = start.after(ms(100));
        let at = |monotonic, wall| Moment {
            monotonic: start.monotonic + ms(monotonic),
            wall: start.wall + ms(wall),
        };
        for (monotonic, wall, is_over) in
            [(0, 0, false), (99, 99, false), (100, 0, true), (0, 100, true), (200, 200, true)]
        {
            assert_eq!(deadline.is_over_at(at(monotonic, wall)), is_over, "{monotonic} {wall}");
        }
        // A wall clock that was set back does not extend the deadline.
        let set_back = Moment { wall: SystemTime::UNIX_EPOCH, ..at(100, 0) };
        assert!(deadline.is_over_at(set_back));
    }

    #[test]
    fn first_decision_on_request_holds() {
        let body = || Full::<Bytes>::from("{}");
        let request = || Request::post("http://a.example/").body(body()).unwrap();
        let later = Moment::now().after(Duration::from_secs(60));
        let left = Departure::new(later, &request());
        assert!(left.leave().is_ok() && !left.give_up() && left.leave().is_ok());
        let given_up = Departure::new(later, &request());
        assert!(given_up.give_up() && given_up.leave().is_err() && given_up.give_up());
        let late = Departure::new(Moment::now().after(Duration::ZERO), &request());
        assert!(late.leave().is_err() && late.give_up());
        let dropped = Departure::new(later, &request());
        drop(GiveUp(dropped.clone()));
        assert!(dropped.leave().is_err());
    }

    #[test]
    fn only_safe_request_without_body_leaves_unasked() {
        let later = Moment::now().after(Duration::from_secs(60));
        for (method, is_empty, unasked) in [
            ("GET", true, true),
            ("GET", false, false),
            ("POST", true, true),
            ("POST", false, false),
            ("DELETE", true, true),
        ] {
            let request = Request::builder().method(method).uri("http://a.example/");
            let departure = match is_empty {
                true => Departure::new(later, &request.body(Empty::<Bytes>::new()).unwrap()),
                false => Departure::new(later, &request.body(Full::<Bytes>::from("{}")).unwrap()),
            };
            assert_eq!(departure.has_left(), unasked, "{method} {is_empty}");
        }
    }
}
