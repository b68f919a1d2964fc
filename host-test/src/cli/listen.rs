//! Starts HTTP servers for commands that listen on an address.

use messaging_server::serve::{self, Server};

use super::Failure;

/// Starts a server.
pub async fn listen(
    service: impl serve::Service,
    options: serve::Options,
) -> Result<Server, Failure> {
    let address = options.address;
    let started = Server::start(service, options).await;
    started.map_err(|error| {
        Failure::Failed(format!(
            "{address}: cannot listen: {error}; choose another address or port"
        ))
    })
}
