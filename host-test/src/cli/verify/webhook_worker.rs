//! `webhook-worker`: a process with a webhook that keeps events itself, in files or in a key-value store;
//! for tests and attacks.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use messaging_components::{WEBHOOK_FILES, WEBHOOK_KEYVALUE};
use messaging_host::inbox::Buckets;
use messaging_host::serve::{Deliveries, Options, Probe, Server, folder};
use messaging_host::webhook::{Webhook, WebhookConfig};
use messaging_inbox::Store;
use messaging_webhook_core::Settings;
use messaging_webhook_core::settings::ALLOW_UNVERIFIED;
use serde_json::json;

use crate::cli::signal::Stop;
use crate::cli::{Common, Failure, origin, serve};

/// Receive events with a component that keeps them itself; for tests and `attack`
#[derive(Args)]
pub struct WebhookWorker {
    /// Address and port to listen on
    #[arg(long, value_name = "ADDRESS:PORT")]
    listen: SocketAddr,
    /// Store events as files in this folder
    #[arg(
        long,
        value_name = "FOLDER",
        conflicts_with = "keyvalue",
        required_unless_present = "keyvalue"
    )]
    files: Option<PathBuf>,
    /// Store events through wasi:keyvalue, in the file of --store
    #[arg(long, requires = "store")]
    keyvalue: bool,
    /// The file of the key-value store
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
}

impl WebhookWorker {
    pub async fn run(self, common: &Common) -> Result<(), Failure> {
        let mut environment = origin::variables()?;
        let settings = Settings::from_variables(environment.iter().cloned())
            .map_err(|error| Failure::Usage(format!("{} {}", error.setting, error.detail)))?;
        if !settings.proofs.are_set() {
            environment.push((ALLOW_UNVERIFIED.into(), "true".into()));
        }
        serve::only_for_its_owner();
        let store = match &self.store {
            Some(path) if self.keyvalue => {
                let options = messaging_inbox::Options::default();
                Some(Store::open(path, options).map_err(Failure::failed)?)
            }
            _ => None,
        };
        if let Some(folder) = &self.files {
            folder::make(folder)
                .map_err(|error| Failure::Failed(format!("{}: {error}", folder.display())))?;
        }
        let config = WebhookConfig {
            environment,
            buckets: Buckets(store.clone()),
            folder: self.files.clone(),
            requests_per_instance: 1_000,
            ..WebhookConfig::default()
        };
        let component = if self.keyvalue { WEBHOOK_KEYVALUE } else { WEBHOOK_FILES };
        let host = common.cached(serve::host()?);
        let webhook = Webhook::load(&host, component, config).map_err(Failure::failed)?;
        let options = Options {
            probe: Some(probe(self.files, store.clone())),
            local_names_only: !settings.proofs.are_set(),
            ..Options::new(self.listen)
        };
        let mut stop = Stop::new();
        let deliveries = Deliveries::new(webhook).proofs(settings.proofs);
        let server = Server::start(deliveries, options).await.map_err(Failure::failed)?;
        say!("{}", json!({ "url": format!("http://{}/", server.address()) }));
        stop.wait().await;
        server.stop().await;
        if let Some(store) = store {
            store.close().await;
        }
        tracing::info!("stopped");
        Ok(())
    }
}

/// Tries a write where the component keeps events.
fn probe(folder: Option<PathBuf>, store: Option<Store>) -> Probe {
    Arc::new(move || {
        let (folder, store) = (folder.clone(), store.clone());
        Box::pin(async move {
            if let Some(folder) = folder {
                tokio::task::spawn_blocking(move || folder::probe(&folder)).await??;
            }
            if let Some(store) = store {
                store.probe().await?;
            }
            Ok(())
        })
    })
}
