//! The scripted service of a case. It replaces the network, and keeps a ledger of requests.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use http::{HeaderValue, Request, Response};
use http_body::Frame;
use http_body_util::{BodyExt, StreamBody};
use wasmtime_wasi_http::{Error, WasiBody};

use super::case::{Answer, BREAKS, End, FAILURES, Reply};
use messaging_host::outbound::{self, Transport};

/// A received request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Received {
    method: String,
    uri: String,
    headers: Vec<(String, Vec<u8>)>,
    body: Bytes,
}

/// A scripted service. Clones share its state.
#[derive(Clone, Default)]
pub struct Scripted(Arc<Mutex<Script>>);

#[derive(Default)]
struct Script {
    answers: Vec<Answer>,
    ledger: Vec<Received>,
}

impl Scripted {
    /// Starts a case with these answers and an empty ledger.
    pub fn play(&self, answers: &[Answer]) {
        *self.script() = Script { answers: answers.to_vec(), ledger: Vec::new() };
    }

    /// Returns the requests received so far, and empties the ledger.
    pub fn ledger(&self) -> Vec<Received> {
        std::mem::take(&mut self.script().ledger)
    }

    fn script(&self) -> std::sync::MutexGuard<'_, Script> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the answer to the next request.
    fn answer(&self) -> Answer {
        let script = self.script();
        let answer = script.answers.get(script.ledger.len()).or(script.answers.last());
        answer.cloned().unwrap_or(Answer::Failure(0))
    }
}

impl Transport for Scripted {
    fn send(&self, request: Request<WasiBody>) -> outbound::Answer {
        let this = self.clone();
        Box::pin(async move {
            let answer = this.answer();
            let (head, body) = request.into_parts();
            let early = matches!(&answer, Answer::Reply(Reply { early: true, .. }));
            let body = if early { Bytes::new() } else { body.collect().await?.to_bytes() };
            let header = |(name, value): (&http::HeaderName, &HeaderValue)| {
                (name.to_string(), value.as_bytes().to_vec())
            };
            let mut headers: Vec<_> = head.headers.iter().map(header).collect();
            // Omits the header that the host derives from the URI.
            headers.retain(|(name, _)| name != "host");
            this.script().ledger.push(Received {
                method: head.method.to_string(),
                uri: head.uri.to_string(),
                headers,
                body,
            });
            match answer {
                Answer::Failure(which) => Err(made(&FAILURES, which)),
                Answer::Silence => std::future::pending().await,
                Answer::Reply(reply) => Ok(reply.response()),
            }
        })
    }
}

fn made(errors: &[fn() -> Error], which: usize) -> Error {
    errors.get(which).map_or(Error::ConnectionRefused, |make| make())
}

type Frames = Pin<Box<dyn futures_core::Stream<Item = Result<Frame<Bytes>, Error>> + Send>>;

impl Reply {
    fn response(self) -> Response<WasiBody> {
        let Self { status, headers, pieces, end, dawdles, .. } = self;
        let frames: Frames = Box::pin(async_stream::stream! {
            for piece in pieces {
                if dawdles {
                    tokio::task::yield_now().await;
                }
                yield Ok(Frame::data(piece));
            }
            match end {
                End::Whole => {}
                End::Broken(which) => yield Err(made(&BREAKS, which)),
                End::Silent => std::future::pending().await,
            }
        });
        let mut response = Response::new(BodyExt::boxed_unsync(StreamBody::new(frames)));
        *response.status_mut() = status;
        *response.headers_mut() = headers;
        response
    }
}
