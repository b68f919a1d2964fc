//! The plugin's functions without a component: the state machines of the core, on the connections
//! of this host. Tests compare a component with these functions, case by case.

use std::time::{Duration, Instant};

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use messaging_core::error::{Error, Stage};
use messaging_core::event::Event;
use messaging_core::origin::Scheme;
use messaging_core::outcome::{Cause, Failure, WITHHELD};
use messaging_core::wire::reply::is_body_read;
use messaging_core::wire::{Body, Method, Reply, Request};
use messaging_core::{Call, Input, Machine, Step};
use wasmtime_wasi_http::{RequestOptions, WasiBody};

use messaging_host::outbound::Outbound;
use messaging_host::{CallResult, Messaging};
use messaging_host::{PluginConfig, wit};

/// The plugin's three functions in native code. They use the settings and connections that a
/// component would get.
#[derive(Clone)]
pub struct Native(pub PluginConfig);

impl Native {
    async fn send(&self, request: &wit::MessageRequest) -> Result<wit::CreatedMessage, wit::Error> {
        let (variables, request) = (self.0.variables(), request.clone().into());
        let call = Call::send_message(variables, request, rand::random())?;
        Ok(self.drive(call).await?.into())
    }

    async fn list(&self, query: &wit::TemplateQuery) -> Result<wit::TemplatePage, wit::Error> {
        let (variables, query) = (self.0.variables(), query.clone().into());
        let call = Call::list_templates(variables, query, rand::random())?;
        Ok(self.drive(call).await?.into())
    }

    async fn drive<M: Machine>(&self, call: Call<M>) -> M::Output {
        let Call { mut machine, settings } = call;
        let mut outbound = self.0.outbound().clone();
        outbound.begin_call();
        let start = Instant::now();
        let deadline = start + Duration::from_millis(settings.deadline_ms.into());
        let mut input = Input::Start;
        loop {
            let elapsed = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
            input = match machine.next(input, elapsed) {
                Step::Send(request) => {
                    exchange(&outbound, request, deadline, settings.max_reply_bytes).await
                }
                Step::Sleep(pause_ms) => {
                    tokio::time::sleep(Duration::from_millis(pause_ms.into())).await;
                    Input::Woke
                }
                Step::Done(output) => return output,
            };
        }
    }
}

async fn exchange(
    outbound: &Outbound,
    request: &Request,
    deadline: Instant,
    max_bytes: usize,
) -> Input {
    let failed = |cause| Input::Failed(Failure { stage: Stage::AwaitingReply, cause });
    let method = request.method();
    let Some(request) = build(request) else {
        return failed(Cause::Unbuildable("parts"));
    };
    let sent = outbound.send(request, RequestOptions::default());
    let response = match tokio::time::timeout_at(deadline.into(), sent).await {
        Ok(Ok(response)) => response,
        Ok(Err(error)) => return failed(Cause::Code(messaging_host::outbound::code::name(&error))),
        Err(_) => return failed(Cause::Deadline),
    };
    let (head, body) = response.into_parts();
    let status = head.status.as_u16();
    let values = |name: &str| -> Vec<Vec<u8>> {
        head.headers.get_all(name).iter().map(|value| value.as_bytes().to_vec()).collect()
    };
    let retry_after = if status >= 400 { values("retry-after") } else { Vec::new() };
    let date = values("date").into_iter().next().filter(|_| !retry_after.is_empty());
    let mut reply = Reply {
        status,
        retry_after,
        date,
        content_encoding: values("content-encoding"),
        body: Body::default(),
    };
    if is_body_read(method, status) {
        reply.body = read(body, deadline, max_bytes).await;
    }
    Input::Replied(reply)
}

fn build(request: &Request) -> Option<http::Request<WasiBody>> {
    let scheme = match request.scheme() {
        Scheme::Http => "http",
        Scheme::Https => "https",
    };
    let method = match request.method() {
        Method::Get => http::Method::GET,
        Method::Post => http::Method::POST,
    };
    let mut built = http::Request::builder().method(method).uri(format!(
        "{scheme}://{}{}",
        request.authority(),
        request.path()
    ));
    for (name, value) in request.headers() {
        built = built.header(name, value);
    }
    let body = Full::new(Bytes::copy_from_slice(request.body()));
    built.body(body.map_err(|never| match never {}).boxed_unsync()).ok()
}

async fn read(mut body: WasiBody, deadline: Instant, max_bytes: usize) -> Body {
    let mut bytes = Vec::new();
    let cut = |bytes, cause| Body { bytes, cut_short: Some(cause) };
    loop {
        match tokio::time::timeout_at(deadline.into(), body.frame()).await {
            Ok(Some(Ok(frame))) => {
                bytes.extend_from_slice(frame.data_ref().map_or(&[][..], |data| data));
            }
            Ok(Some(Err(error))) => {
                // Hides the names of other errors, because a component cannot see them on a WASI
                // stream.
                let name = messaging_host::outbound::code::name(&error);
                let is_withheld = name == WITHHELD;
                return cut(bytes, if is_withheld { Cause::Code(name) } else { Cause::Stream });
            }
            Ok(None) => return Body { bytes, cut_short: None },
            Err(_) => return cut(bytes, Cause::Deadline),
        }
        if bytes.len() > max_bytes {
            bytes.truncate(max_bytes);
            return cut(bytes, Cause::TooLarge);
        }
    }
}

impl Messaging for Native {
    async fn send_message(&self, request: &wit::MessageRequest) -> CallResult<wit::CreatedMessage> {
        Ok(self.send(request).await)
    }

    async fn list_templates(&self, query: &wit::TemplateQuery) -> CallResult<wit::TemplatePage> {
        Ok(self.list(query).await)
    }

    async fn handle_event(&self, delivery: &wit::WebhookDelivery) -> CallResult<wit::Event> {
        let headers =
            delivery.headers.iter().map(|header| (header.name.as_str(), header.value.as_str()));
        let read = Event::read(headers, &delivery.body);
        Ok(read.map(Into::into).map_err(|invalid| Error::from(invalid).into()))
    }
}
