//! A component with the exports of the plugin and the webhook. The component misbehaves on command:
//! the command is the text of a message, or the header `x-command` of a delivery. The variable
//! `HOSTILE_START` has a command that runs during instantiation. Uses std, because most components
//! of other authors do.
#![cfg(target_family = "wasm")]

mod attacks;

use wasi::http::types::{
    Fields, IncomingRequest, OutgoingBody, OutgoingResponse, ResponseOutparam,
};

#[allow(missing_docs, reason = "documented in the WIT")]
mod bindings {
    wit_bindgen::generate!({
        path: "../../../wit",
        inline: "package hostile:plugin;
            world hostile {
                export messaging:integration/messaging@0.2.0;
                export wasi:http/incoming-handler@0.2.0;
            }",
        world: "hostile:plugin/hostile",
        with: {
            "wasi:clocks/monotonic-clock@0.2.0": ::wasi::clocks::monotonic_clock,
            "wasi:io/error@0.2.0": ::wasi::io::error,
            "wasi:io/poll@0.2.0": ::wasi::io::poll,
            "wasi:io/streams@0.2.0": ::wasi::io::streams,
            "wasi:http/types@0.2.0": ::wasi::http::types,
        },
        generate_all,
    });
}

use bindings::exports::messaging::integration::messaging::Guest;
use bindings::exports::wasi::http::incoming_handler;
use bindings::messaging::integration::types as wit;

struct Hostile;

bindings::export!(Hostile with_types_in bindings);

/// Runs during instantiation. A constructor in `.init_array` would run only at the first call.
#[unsafe(export_name = "_initialize")]
extern "C" fn start() {
    if let Ok(command) = std::env::var("HOSTILE_START") {
        attacks::run(&command);
    }
}

impl Guest for Hostile {
    fn send_message(request: wit::MessageRequest) -> Result<wit::CreatedMessage, wit::Error> {
        let said = attacks::run(&request.message);
        match request.device.as_deref() {
            Some("not-sent") => Err(wit::Error::NotSent(wit::NotSent { detail: said })),
            Some("invalid-input") => {
                let invalid = wit::InvalidInput { field: "phone".into(), detail: said };
                Err(wit::Error::PermanentInvalidInput(invalid))
            }
            Some("denied") => Err(wit::Error::PermanentDenied(wit::Denied { detail: said })),
            Some("unavailable") => Err(wit::Error::Unavailable(wit::Unavailable {
                detail: said,
                status: None,
                retry_after_ms: None,
            })),
            Some("refused") => Err(wit::Error::PermanentRefused(wit::Refusal {
                status: 400,
                code: None,
                message: None,
                details: Vec::new(),
                body: said,
            })),
            _ => Ok(wit::CreatedMessage { id: "hostile".into(), json: said }),
        }
    }

    fn list_templates(_: wit::TemplateQuery) -> Result<wit::TemplatePage, wit::Error> {
        Err(wit::Error::ExecutionFailed)
    }

    fn handle_event(_: wit::WebhookDelivery) -> Result<wit::Event, wit::Error> {
        Err(wit::Error::ExecutionFailed)
    }
}

impl incoming_handler::Guest for Hostile {
    fn handle(request: IncomingRequest, out: ResponseOutparam) {
        let command = request.headers().get(&"x-command".to_string()).into_iter().next();
        let command = String::from_utf8(command.unwrap_or_default()).unwrap_or_default();
        let said = attacks::run(&command);
        let response = OutgoingResponse::new(Fields::new());
        let Ok(body) = response.body() else { return };
        ResponseOutparam::set(out, Ok(response));
        let Ok(stream) = body.write() else { return };
        for piece in said.as_bytes().chunks(4096) {
            if stream.blocking_write_and_flush(piece).is_err() {
                return;
            }
        }
        drop(stream);
        // Ignores errors, because the caller may have closed the connection.
        let _ = OutgoingBody::finish(body, None);
    }
}
