//! An HTTP/1.1 server that stops when it is dropped.

use std::convert::Infallible;
use std::net::SocketAddr;

use bytes::Bytes;
use http::{Response, StatusCode};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::service::HttpService;
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;
use tokio::task::{JoinHandle, JoinSet};

/// A reply's body, which may break off.
pub type Body = UnsyncBoxBody<Bytes, Cut>;

/// The connection is closed here, in the middle of whatever was going on.
#[derive(Debug, thiserror::Error)]
#[error("the connection was cut on purpose")]
pub struct Cut;

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// A listening server.
pub struct Server {
    address: SocketAddr,
    task: JoinHandle<()>,
}

impl Server {
    /// Listens, with a service for each connection.
    pub async fn start<S, F>(address: SocketAddr, mut service: F) -> std::io::Result<Self>
    where
        F: FnMut() -> S + Send + 'static,
        S: HttpService<Incoming, Future: Send, Error: Into<Failure>> + Send + 'static,
        S::ResBody: http_body::Body<Data: Send, Error: Into<Failure>> + Send + 'static,
    {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        let task = tokio::spawn(async move {
            // Dropped with this task, and every connection with it.
            let mut connections = JoinSet::new();
            loop {
                let Ok((stream, _)) = listener.accept().await else { continue };
                let _ = stream.set_nodelay(true);
                let connection = hyper::server::conn::http1::Builder::new()
                    .serve_connection(TokioIo::new(stream), service());
                connections.spawn(async move {
                    // A connection that breaks is the peer's or the script's doing.
                    let _ = connection.await;
                });
                while connections.try_join_next().is_some() {}
            }
        });
        Ok(Self { address, task })
    }

    /// Returns the address that it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// A JSON reply.
pub fn json(status: StatusCode, body: &serde_json::Value) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(body.to_string())));
    *response.status_mut() = status;
    response
        .headers_mut()
        .insert(http::header::CONTENT_TYPE, http::HeaderValue::from_static("application/json"));
    response
}

/// The same reply, with a body that could break off.
pub fn boxed(response: Response<Full<Bytes>>) -> Response<Body> {
    response.map(|body| body.map_err(|never: Infallible| match never {}).boxed_unsync())
}
