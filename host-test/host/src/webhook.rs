//! The webhook component in this host: its instances and its inbox. Contains no connection
//! handling; see [`serve`].

use std::path::PathBuf;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use futures_core::future::BoxFuture;
use http::{Request, Response};
use http_body_util::{BodyExt, Full, Limited};
use messaging_inbox::Throttle;
use messaging_server::serve::{self, DeliveryHandler, Handled};
use messaging_server::span::trace;
use tokio::sync::oneshot;
use wasmtime::Store;
use wasmtime::component::{Component, HasSelf, Linker};
use wasmtime_wasi::WasiCtxBuilder;
use wasmtime_wasi_http::WasiHttpView;
use wasmtime_wasi_http::p2::bindings::http::types::Scheme;
use wasmtime_wasi_http::p2::bindings::{Proxy, ProxyPre};

use crate::engine::Host;
use crate::error::{CallError, LoadError, first_line};
use crate::keyvalue::{self, KeyValue, KeyValueView};
use crate::outbound::{AllowList, Outbound, Trust};
use crate::state::{self, Hook, State, WebhookState};
use crate::wasi;

pub use messaging_inbox::TraceContext;

pub use crate::inbox::{Inbox, wit};

/// The interface that marks a component as an HTTP handler.
const HANDLER: &str = "wasi:http/incoming-handler";

/// Maximum size of a response body, in bytes. The webhook's own responses have a few lines.
const MAX_ANSWER_BYTES: usize = 64 * 1024;

/// Memory in bytes above which an instance is discarded after a request. A large body makes the
/// memory grow, and linear memory never shrinks.
const KEPT_MEMORY_BYTES: usize = 8 * 1024 * 1024;

/// Path of the inbox directory inside the component.
const INBOX_FOLDER: &str = "/inbox";

/// Configuration of a webhook.
#[derive(Clone)]
pub struct WebhookConfig {
    /// Environment variables of the component: the `MESSAGING_WEBHOOK_*` settings.
    pub environment: Vec<(String, String)>,
    /// The inbox for a component that imports `inbox`.
    pub inbox: Option<Arc<dyn Inbox>>,
    /// The store for a component that imports `wasi:keyvalue`.
    pub keyvalue: Option<Arc<dyn KeyValue>>,
    /// The directory for a component with an inbox in files. Each instance opens the directory
    /// once. If the directory is moved, a running instance continues to write to the moved
    /// directory.
    ///
    /// New files get their permissions from the umask of the process, because WASI cannot set
    /// permissions. Events are private if the directory has mode 0700 or the umask is 077, which
    /// `messaging serve` sets.
    pub folder: Option<PathBuf>,
    /// Number of requests that an instance answers in sequence before it is replaced. With 1, each
    /// request gets a fresh instance. With a higher value, data of a request stays in memory during
    /// the next request of this webhook. An instance is also discarded after a failure, and if its
    /// memory exceeds 8 MiB.
    pub requests_per_instance: u32,
}

impl Default for WebhookConfig {
    fn default() -> Self {
        Self {
            environment: Vec::new(),
            inbox: None,
            keyvalue: None,
            folder: None,
            requests_per_instance: 1,
        }
    }
}

/// A loaded webhook. Clones share its instances.
#[derive(Clone)]
pub struct Webhook {
    host: Host,
    pre: ProxyPre<State>,
    config: Arc<WebhookConfig>,
    hook: Option<Hook>,
    outbound: Outbound,
    /// Instances that are ready for a request.
    idle: Arc<Mutex<Vec<Instance>>>,
    failures: Arc<Throttle<()>>,
}

impl Webhook {
    /// Compiles and links a component.
    ///
    /// # Errors
    /// - Returns `NotAComponent` if the bytes are not a component.
    /// - Returns `TooLarge` if the component exceeds the limits of `host`.
    /// - Returns an error of [`link`](Self::link) if the component cannot be linked.
    pub fn load(host: &Host, bytes: &[u8], config: WebhookConfig) -> Result<Self, LoadError> {
        Self::link(host, &host.load(bytes)?, config)
    }

    /// Links a compiled component. The component gets the directory, the inbox and the key-value
    /// store of `config`, and no network access.
    ///
    /// # Errors
    /// Returns `NotAWebhook` if the component does not handle HTTP requests, and `MissingImport` if
    /// the host does not provide an import.
    pub fn link(
        host: &Host,
        component: &Component,
        config: WebhookConfig,
    ) -> Result<Self, LoadError> {
        let kind = component.component_type();
        if !kind.exports(host.engine()).any(|(name, _)| name.starts_with(HANDLER)) {
            return Err(LoadError::NotAWebhook { exports: host.exports_of(component) });
        }
        let linked = || {
            let mut linker = Linker::new(host.engine());
            wasi::link(&mut linker)?;
            wasi::link_files(&mut linker)?;
            wit::add_to_linker::<_, HasSelf<_>>(&mut linker, |state| state)?;
            keyvalue::add_to_linker(&mut linker, |state: &mut State| KeyValueView {
                store: state.webhook.keyvalue.as_deref(),
                table: &mut state.table,
            })?;
            ProxyPre::new(linker.instantiate_pre(component)?)
        };
        let pre = linked().map_err(LoadError::missing)?;
        let outbound = Outbound::new(AllowList::deny_all(), Trust::Public)
            .map_err(|error| LoadError::Engine(error.to_string()))?;
        let config = Arc::new(config);
        Ok(Self {
            host: host.clone(),
            pre,
            config,
            outbound,
            hook: None,
            idle: Arc::default(),
            failures: Arc::default(),
        })
    }

    /// Returns true if the component imports `interface` in any version.
    pub fn imports(&self, interface: &str) -> bool {
        let component = self.pre.instance_pre().component().component_type();
        let of = |name: &str| name.split('@').next() == Some(interface);
        component.imports(self.host.engine()).any(|(name, _)| of(name))
    }

    /// Returns this webhook with the configuration `config`.
    #[must_use]
    pub fn with_config(&self, config: WebhookConfig) -> Self {
        Self { config: Arc::new(config), idle: Arc::default(), ..self.clone() }
    }

    /// Sets a function that runs at each call of a host function and at each return from it. For
    /// tests that stop the component at such a point.
    #[doc(hidden)]
    #[must_use]
    pub fn with_hook(self, hook: Hook) -> Self {
        Self { hook: Some(hook), idle: Arc::default(), ..self }
    }

    /// Answers a request with an instance that handles no other request at the same time.
    ///
    /// The body is passed on as it arrives; see [`serve`] for a server that reads the whole body
    /// first. Dropping the returned future drops the instance. The event source then retries the
    /// delivery unless the delivery was acknowledged.
    ///
    /// # Errors
    /// Returns `CallError` if the component gave no response. Respond with 503, because the event
    /// source then retries.
    pub async fn handle<B>(
        &self,
        scheme: Scheme,
        request: Request<B>,
    ) -> Result<Response<Full<Bytes>>, CallError>
    where
        B: http_body::Body<Data = Bytes> + Send + 'static,
        B::Error: Into<wasmtime_wasi_http::Error>,
    {
        let (sender, answer) = oneshot::channel();
        let ready = match self.idle().pop() {
            Some(instance) => {
                instance.store.data().meter().restart();
                Ok(instance)
            }
            None => Err(self.store()?),
        };
        let store = ready.as_ref().map_or_else(|store| store, |instance| &instance.store);
        let meter = Arc::clone(store.data().meter());
        let call = async {
            let instance = match ready {
                Ok(instance) => instance,
                Err(store) => self.start(store).await?,
            };
            self.call(instance, scheme, request, sender).await
        };
        // Reads the body of the response while the component writes it.
        let both = pin!(async { tokio::join!(call, collect(answer)) });
        let (called, answer) = meter.within(both).await.map_err(CallError::Limit)?;
        let instance = called?;
        let state = instance.store.data();
        // A component can respond after it has reached a limit, but this limit would end its next
        // call.
        let is_usable = state.memory_held <= KEPT_MEMORY_BYTES && state.meter().reached().is_none();
        if is_usable && instance.calls < self.config.requests_per_instance {
            self.idle().push(instance);
        }
        answer.ok_or_else(|| CallError::Trap("it returned no answer".into()))
    }

    async fn call<B>(
        &self,
        mut instance: Instance,
        scheme: Scheme,
        request: Request<B>,
        sender: oneshot::Sender<Answered>,
    ) -> Result<Instance, CallError>
    where
        B: http_body::Body<Data = Bytes> + Send + 'static,
        B::Error: Into<wasmtime_wasi_http::Error>,
    {
        let trap = |error: wasmtime::Error| CallError::Trap(first_line(&error));
        let store = &mut instance.store;
        store.data_mut().webhook.trace = trace(request.headers());
        let mut http = store.data_mut().http();
        let request = serve::addressed(request);
        let request = http.new_incoming_request(scheme, request).map_err(trap)?;
        let out = http.new_response_outparam(sender).map_err(trap)?;
        let handler = instance.proxy.wasi_http_incoming_handler();
        let result = handler.call_handle(&mut *store, request, out).await;
        result.map_err(|error| state::call_error(store, &error))?;
        instance.calls = instance.calls.saturating_add(1);
        Ok(instance)
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Instance>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Creates a store for an instance. The budget of its first call starts now.
    fn store(&self) -> Result<Store<State>, CallError> {
        let mut wasi = WasiCtxBuilder::new();
        wasi.envs(&self.config.environment);
        if let Some(folder) = &self.config.folder {
            state::preopen(&mut wasi, folder, INBOX_FOLDER)?;
        }
        let (inbox, keyvalue) = (self.config.inbox.clone(), self.config.keyvalue.clone());
        let failures = Some(Arc::clone(&self.failures));
        let mut store = state::store(&self.host, Some(wasi), self.outbound.clone());
        store.data_mut().webhook = WebhookState { inbox, keyvalue, trace: None, failures };
        state::hook(&mut store, self.hook.clone());
        Ok(store)
    }

    async fn start(&self, mut store: Store<State>) -> Result<Instance, CallError> {
        let started = self.pre.instantiate_async(&mut store).await;
        let proxy = state::ended(&store, Ok(started))?;
        Ok(Instance { store, proxy, calls: 0 })
    }
}

impl DeliveryHandler for Webhook {
    fn handle(&self, request: Request<Bytes>, is_tls: bool) -> BoxFuture<'_, Handled> {
        let scheme = if is_tls { Scheme::Https } else { Scheme::Http };
        Box::pin(async move { Ok(Self::handle(self, scheme, request.map(Full::new)).await?) })
    }
}

/// An instance between two requests. It is dropped after a failure or a cancellation.
struct Instance {
    store: Store<State>,
    proxy: Proxy,
    calls: u32,
}

type Answered = Result<
    Response<wasmtime_wasi_http::p2::body::HyperOutgoingBody>,
    wasmtime_wasi_http::p2::bindings::http::types::ErrorCode,
>;

async fn collect(answer: oneshot::Receiver<Answered>) -> Option<Response<Full<Bytes>>> {
    let (head, body) = answer.await.ok()?.ok()?.into_parts();
    let body = Limited::new(body, MAX_ANSWER_BYTES).collect().await.ok()?;
    Some(Response::from_parts(head, Full::new(body.to_bytes())))
}
