//! HTTP requests over wasi:http 0.3, with the call's deadline and size limits.

use alloc::string::String;
use alloc::vec::Vec;
use core::future::poll_fn;
use core::pin::pin;
use core::task::Poll;

use messaging_core::Input;
use messaging_core::error::Stage;
use messaging_core::origin::Scheme;
use messaging_core::outcome::{Cause, Failure};
use messaging_core::wire::reply::is_body_read;
use messaging_core::wire::{Body, Method, Reply, Request};
use messaging_runtime::p3::{self as body, Clock, Cut};

use crate::bindings::wasi::http::client;
use crate::bindings::wasi::http::types::{
    ErrorCode, Fields, HeaderError, Method as WasiMethod, Request as WasiRequest, Response,
    Scheme as WasiScheme,
};
use crate::bindings::{wit_future, wit_stream};

messaging_core::error_code_name!(ErrorCode);

/// Maximum size of one write in bytes. Each write copies its part of the body, so this limit bounds
/// the extra memory.
const PIECE_BYTES: usize = 64 * 1024;

/// Sends `request` and reads its reply.
pub async fn exchange(request: &Request, clock: &mut Clock, max_reply_bytes: usize) -> Input {
    let failed = |stage, cause| Input::Failed(Failure { stage, cause });
    let (outgoing, upload) = match build(request) {
        Ok(built) => built,
        Err(part) => return failed(Stage::SendingRequest, Cause::Unbuildable(part)),
    };
    let mut sending = pin!(client::send(outgoing));
    // Keeps an unfinished upload until the reply is read. Dropping it earlier would close the
    // connection that carries the reply.
    let mut upload = pin!(upload);
    let mut uploaded = None;
    let sent = clock.wait(poll_fn(|context| {
        // The service may reply before it has read the complete request. Its reply is more useful
        // than a failed write.
        if let Poll::Ready(sent) = sending.as_mut().poll(context) {
            return Poll::Ready(sent);
        }
        if uploaded.is_none()
            && let Poll::Ready(whole) = upload.as_mut().poll(context)
        {
            uploaded = Some(whole);
        }
        Poll::Pending
    }));
    let sent = sent.await;
    let stage = if uploaded == Some(true) { Stage::AwaitingReply } else { Stage::SendingRequest };
    match sent {
        Some(Ok(response)) => {
            Input::Replied(read(request.method(), response, clock, max_reply_bytes).await)
        }
        Some(Err(code)) => failed(stage, Cause::Code(name(&code))),
        None => failed(stage, Cause::Deadline),
    }
}

/// Builds the request and the upload of its body. The upload returns true if the host accepted the
/// complete body. `Err` contains the name of the part that the host rejected.
fn build(request: &Request) -> Result<(WasiRequest, impl Future<Output = bool>), &'static str> {
    let mut headers = named(request.headers());
    let fields = match Fields::from_list(&headers) {
        // Some hosts forbid `content-length`, the last header, and set it themselves.
        Err(HeaderError::Forbidden) => {
            headers.pop();
            Fields::from_list(&headers)
        }
        other => other,
    };
    let fields = fields.map_err(|_| "headers")?;
    let (writer, contents) = match request.body().is_empty() {
        true => (None, None),
        false => {
            let (writer, contents) = wit_stream::new();
            (Some(writer), Some(contents))
        }
    };
    let (no_trailers, trailers) = wit_future::new(|| Ok(None));
    // Sets no timeouts of the host. A host that applies its connect timeout to a slow reply would
    // report that the service was never reached.
    let (outgoing, _) = WasiRequest::new(fields, contents, trailers, None);
    let method = match request.method() {
        Method::Get => WasiMethod::Get,
        Method::Post => WasiMethod::Post,
    };
    let scheme = match request.scheme() {
        Scheme::Http => WasiScheme::Http,
        Scheme::Https => WasiScheme::Https,
    };
    outgoing.set_method(&method).map_err(|()| "method")?;
    outgoing.set_scheme(Some(&scheme)).map_err(|()| "scheme")?;
    outgoing.set_authority(Some(request.authority())).map_err(|()| "authority")?;
    outgoing.set_path_with_query(Some(request.path())).map_err(|()| "path")?;
    let upload = async move {
        // Dropping the writer sends its default value: no trailers.
        drop(no_trailers);
        let Some(mut writer) = writer else { return true };
        for piece in request.body().chunks(PIECE_BYTES) {
            if !writer.write_all(piece.to_vec()).await.is_empty() {
                return false;
            }
        }
        true
    };
    Ok((outgoing, upload))
}

fn named(headers: Vec<(&'static str, Vec<u8>)>) -> Vec<(String, Vec<u8>)> {
    headers.into_iter().map(|(name, value)| (name.into(), value)).collect()
}

/// Reads the status, the relevant headers and the body.
async fn read(method: Method, response: Response, clock: &mut Clock, max_bytes: usize) -> Reply {
    let status = response.get_status_code();
    let headers = response.get_headers();
    let mut reply = Reply {
        status,
        retry_after: Vec::new(),
        date: None,
        content_encoding: headers.get("content-encoding"),
        body: Body::default(),
    };
    if status >= 400 {
        reply.retry_after = headers.get("retry-after");
        if !reply.retry_after.is_empty() {
            reply.date = headers.get("date").into_iter().next();
        }
    }
    drop(headers);
    if is_body_read(method, status) {
        reply.body = read_body(response, clock, max_bytes).await;
    }
    reply
}

async fn read_body(response: Response, clock: &mut Clock, max_bytes: usize) -> Body {
    let cut = |bytes, cause| Body { bytes, cut_short: Some(cause) };
    // Dropping the writer reports success. The host does not use this result.
    let (_no_complaint, complaint) = wit_future::new(|| Ok(()));
    let (stream, end) = Response::consume_body(response, complaint);
    let (bytes, cut_short) = body::read(stream, clock, max_bytes).await;
    match cut_short {
        Some(Cut::TooLarge) => return cut(bytes, Cause::TooLarge),
        Some(Cut::Late) => return cut(bytes, Cause::Deadline),
        Some(Cut::Broken) => return cut(bytes, Cause::Stream),
        None => {}
    }
    // The stream ends in the same way for complete and incomplete bodies. Only `end` differs.
    match clock.wait(end.into_future()).await {
        Some(Ok(_trailers)) => Body { bytes, cut_short: None },
        Some(Err(code)) => cut(bytes, Cause::Code(name(&code))),
        None => cut(bytes, Cause::Deadline),
    }
}
