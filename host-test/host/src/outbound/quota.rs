//! Counts the bytes that a call sends and receives, and enforces the budget of the call.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::{HeaderMap, Request, Response};
use http_body::{Body, Frame, SizeHint};
use http_body_util::BodyExt;
use messaging_net::permit::Permit;
use wasmtime_wasi_http::{Error, RequestOptions, WasiBody, WasiHttpHooks};

use super::{ConnectFailure, Done, Outbound, Sent, Settled};
use crate::limits::count;
use crate::meter::Meter;

/// Maximum size of one write of a component to a request body, in bytes.
const CHUNK_BYTES: usize = 64 * 1024;

/// Maximum size of the unsent data of a request body, in bytes.
pub const BODY_BYTES: usize = 2 * CHUNK_BYTES;

/// Outgoing HTTP of one instance, counted by a meter.
pub struct Metered {
    outbound: Outbound,
    meter: Arc<Meter>,
}

impl Metered {
    /// Counts the requests of `outbound` with `meter`.
    pub(crate) fn new(outbound: Outbound, meter: Arc<Meter>) -> Self {
        Self { outbound, meter }
    }

    /// Tracks the requests that could create a message. Call this method once, before the first
    /// call of the instance, and [`settle`](Self::settle) after each call.
    pub(crate) fn track(&mut self) {
        self.outbound.track();
    }

    /// Starts a call, to which all later requests belong.
    pub(crate) fn begin_call(&mut self) {
        self.outbound.begin_call();
    }

    /// Returns the connections without the meter.
    pub(crate) fn connections(&self) -> &Outbound {
        &self.outbound
    }

    /// Returns the effect of the tracked requests since the last call of this method.
    pub(crate) fn settle(&mut self) -> Settled {
        self.outbound.settle()
    }

    /// Sends a request within the budget of the call.
    pub(crate) fn send(
        &self,
        request: Request<WasiBody>,
        options: RequestOptions,
    ) -> impl Future<Output = Result<Response<WasiBody>, Error>> + Send + use<> {
        let (outbound, meter) = (self.outbound.clone(), Arc::clone(&self.meter));
        let permits = self.permits();
        async move {
            let permits = permits.ok_or(Error::ConnectionLimitReached)?;
            let headers = size(request.headers());
            if headers > meter.limits().header_bytes || !meter.transfer(headers) {
                return Err(Error::HttpRequestHeaderSectionSize(None));
            }
            let over = Error::HttpRequestBodySize(None);
            let request = request.map(|body| counted(body, &meter, over, None));
            let response = outbound.send(request, options).await?;
            let headers = size(response.headers());
            if headers > meter.limits().header_bytes || !meter.transfer(headers) {
                return Err(Error::HttpResponseHeaderSectionSize(u32::try_from(headers).ok()));
            }
            let over = Error::HttpResponseBodySize(None);
            Ok(response.map(|body| counted(body, &meter, over, Some(permits))))
        }
    }

    fn permits(&self) -> Option<Permits> {
        let own = self.meter.request()?;
        // This limit applies to all instances together. Otherwise the open connections of a process
        // would grow with the number of instances.
        let most = count(self.meter.limits().instances);
        Some([own, Permit::take(&self.outbound.under_way, most)?])
    }

    /// Returns the reason why the last request had no connection; `None` if it had a connection.
    pub(crate) fn connect_failure(&self) -> Option<ConnectFailure> {
        self.outbound.connect_failure()
    }
}

impl WasiHttpHooks for Metered {
    fn send_request(
        &mut self,
        request: Request<WasiBody>,
        options: Option<RequestOptions>,
        _: Done,
    ) -> Box<dyn Future<Output = Sent> + Send> {
        let sent = self.send(request, options.unwrap_or_default());
        // The connection pool drives the connection, so the second future does nothing.
        Box::new(async { Ok((sent.await?, Box::new(async { Ok(()) }) as Done)) })
    }

    fn p2_outgoing_body_chunk_size(&mut self) -> usize {
        CHUNK_BYTES
    }

    #[cfg(feature = "p3")]
    fn p3_outgoing_body_chunk_size(&mut self) -> usize {
        CHUNK_BYTES
    }
}

/// The two permits of a request: one from its instance, and one from its [`Outbound`].
type Permits = [Permit; 2];

fn size(headers: &HeaderMap) -> usize {
    let of = |(name, value): (&http::HeaderName, &http::HeaderValue)| {
        name.as_str().len().saturating_add(value.len())
    };
    headers.iter().map(of).fold(0, usize::saturating_add)
}

fn counted(body: WasiBody, meter: &Arc<Meter>, over: Error, permits: Option<Permits>) -> WasiBody {
    Counted { body, meter: Arc::clone(meter), over: Some(over), _permits: permits }.boxed_unsync()
}

/// A body whose bytes are counted. The body of a reply holds the permits of the request until the
/// body is dropped, because a request with an unread reply is active.
struct Counted {
    body: WasiBody,
    meter: Arc<Meter>,
    over: Option<Error>,
    _permits: Option<Permits>,
}

impl Body for Counted {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        if let Poll::Ready(Some(Ok(frame))) = &polled {
            let trailers = || frame.trailers_ref().map_or(0, size);
            if !self.meter.transfer(frame.data_ref().map_or_else(trailers, Bytes::len)) {
                return Poll::Ready(self.over.take().map(Err));
            }
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use crate::outbound::{AllowList, Answer, Transport};
    use futures_util::FutureExt;
    use http::Response;
    use http_body_util::Full;

    /// A service that answers only `/now`.
    struct Silent;

    impl Transport for Silent {
        fn send(&self, request: Request<WasiBody>) -> Answer {
            let is_answered = request.uri().path() == "/now";
            Box::pin(async move {
                if !is_answered {
                    std::future::pending::<()>().await;
                }
                let body = Full::new(Bytes::from_static(b"ok")).map_err(|never| match never {});
                Ok(Response::new(body.boxed_unsync()))
            })
        }
    }

    /// Creates a separate instance that shares the [`Outbound`].
    fn instance(outbound: &Outbound) -> Metered {
        Metered::new(outbound.clone(), Meter::new(Limits::default()))
    }

    fn request(path: &str) -> Request<WasiBody> {
        let body = http_body_util::Empty::new().map_err(|never| match never {});
        let request = Request::get(format!("http://127.0.0.1:9{path}"));
        request.body(body.boxed_unsync()).unwrap()
    }

    fn send(instance: &mut Metered, path: &str) -> Pin<Box<dyn Future<Output = Sent> + Send>> {
        Box::into_pin(instance.send_request(request(path), None, Box::new(async { Ok(()) })))
    }

    #[test]
    fn only_tracked_requests_are_kept() {
        let allow = AllowList::parse(["http://127.0.0.1:9"]).unwrap();
        let outbound = Outbound::over(allow, Arc::new(Silent));
        let post = |instance: &mut Metered| {
            let mut request = request("/now");
            *request.method_mut() = http::Method::POST;
            let sent = instance.send(request, RequestOptions::default());
            assert!(Box::pin(sent).now_or_never().unwrap().is_ok());
            instance.settle()
        };
        let mut tracked = instance(&outbound);
        tracked.track();
        assert_eq!(post(&mut tracked), Settled::Maybe);
        assert_eq!(tracked.settle(), Settled::NoRequest);
        assert_eq!(post(&mut instance(&outbound)), Settled::NoRequest);
    }

    #[test]
    fn request_beyond_thousand_in_flight_is_rejected() {
        let allow = AllowList::parse(["http://127.0.0.1:9"]).unwrap();
        let outbound = Outbound::over(allow, Arc::new(Silent));
        let most = usize::try_from(Limits::default().instances).unwrap();
        assert_eq!(most, 1_000);
        let mut under_way: Vec<_> = (0..most)
            .map(|_| {
                let mut sent = send(&mut instance(&outbound), "/never");
                assert!(sent.as_mut().now_or_never().is_none());
                sent
            })
            .collect();
        let refused = |outbound: &Outbound| {
            let sent = send(&mut instance(outbound), "/now").now_or_never().unwrap();
            matches!(sent, Err(Error::ConnectionLimitReached))
        };
        assert!(refused(&outbound));
        // A clone shares the permits, even with another allow-list.
        assert!(refused(&outbound.allowing(AllowList::parse(["http://127.0.0.1:9"]).unwrap())));
        // A permit is freed when a request is canceled, and held while a reply is unread.
        under_way.pop();
        let reply = send(&mut instance(&outbound), "/now").now_or_never().unwrap();
        assert!(reply.is_ok());
        assert!(refused(&outbound));
        drop(reply);
        assert!(!refused(&outbound));
        // Another `Outbound` has separate permits.
        let allow = AllowList::parse(["http://127.0.0.1:9"]).unwrap();
        assert!(!refused(&Outbound::over(allow, Arc::new(Silent))));
    }
}
