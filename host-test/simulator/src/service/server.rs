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
use tokio_rustls::TlsAcceptor;

/// Body of a reply; can end early.
pub type Body = UnsyncBoxBody<Bytes, Cut>;

/// Error that closes the connection immediately.
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
    /// Listens on `address` and creates a service for each connection. Serves HTTPS if `tls` is
    /// `Some`.
    pub async fn start<S, F>(
        address: SocketAddr,
        tls: Option<TlsAcceptor>,
        mut service: F,
    ) -> std::io::Result<Self>
    where
        F: FnMut() -> S + Send + 'static,
        S: HttpService<Incoming, Future: Send, Error: Into<Failure>> + Send + 'static,
        S::ResBody: http_body::Body<Data: Send, Error: Into<Failure>> + Send + 'static,
    {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        let task = tokio::spawn(async move {
            // Dropping this task drops all its connections.
            let mut connections = JoinSet::new();
            loop {
                let Ok((stream, _)) = listener.accept().await else { continue };
                let _ = stream.set_nodelay(true);
                let (tls, service) = (tls.clone(), service());
                connections.spawn(async move {
                    let http = hyper::server::conn::http1::Builder::new();
                    // Ignores errors, because the peer or the script caused them.
                    match tls {
                        None => drop(http.serve_connection(TokioIo::new(stream), service).await),
                        Some(tls) => {
                            if let Ok(stream) = tls.accept(stream).await {
                                drop(http.serve_connection(TokioIo::new(stream), service).await);
                            }
                        }
                    }
                });
                while connections.try_join_next().is_some() {}
            }
        });
        Ok(Self { address, task })
    }

    /// Returns the listening address.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Creates a JSON reply.
pub fn json(status: StatusCode, body: &serde_json::Value) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(body.to_string())));
    *response.status_mut() = status;
    response
        .headers_mut()
        .insert(http::header::CONTENT_TYPE, http::HeaderValue::from_static("application/json"));
    response
}

/// Converts a complete body to a [`Body`], which can end early.
pub fn boxed(response: Response<Full<Bytes>>) -> Response<Body> {
    response.map(|body| body.map_err(|never: Infallible| match never {}).boxed_unsync())
}
