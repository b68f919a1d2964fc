//! HTTP/2 server for requests from Restate's nodes.

use std::time::Duration;

use hyper::server::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo};
use restate_sdk::endpoint::Endpoint;
use restate_sdk::hyper::HyperEndpoint;
use tokio::net::TcpListener;
use tracing::warn;

/// Delay after a failed accept, for example if too many files are open.
const PAUSE: Duration = Duration::from_millis(100);

/// Serves `endpoint`; never returns.
pub async fn serve(listener: TcpListener, endpoint: Endpoint) {
    let endpoint = HyperEndpoint::new(endpoint);
    loop {
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(error) => {
                warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(PAUSE).await;
                continue;
            }
        };
        let connection = http2::Builder::new(TokioExecutor::new())
            // No stream limit: an invocation holds a stream while it waits for another invocation,
            // which needs a stream too. With a limit they could deadlock.
            .max_concurrent_streams(None)
            .serve_connection(TokioIo::new(stream), endpoint.clone());
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                warn!(%error, "a connection was lost");
            }
        });
    }
}
