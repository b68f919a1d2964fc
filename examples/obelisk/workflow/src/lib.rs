//! Two workflows about orders. Each call of `messaging` is an activity of the engine. The engine
//! stores the result of each activity, so a workflow continues after its last activity when the
//! engine restarts.
//!
//! The configuration disables retries of activities (`max_retries = 0`), because the engine would
//! also retry an activity whose result it lost, and send the message twice. This code decides from
//! the error case whether a call is retried.

#[allow(missing_docs, reason = "documented in the WIT")]
mod bindings {
    wit_bindgen::generate!({
        path: ["../../../wit", "../wit"],
        world: "example:orders/workflow",
        generate_all,
    });
}

use bindings::exports::example::orders::orders::{
    Event, EventResult, Failure, Guest, Notice, SentNotice,
};
use bindings::messaging::integration::messaging;
use bindings::messaging::integration::types::{Error, MessageRequest, Template, TemplateQuery};
use bindings::obelisk::{
    types::time::{Duration, ScheduleAt},
    workflow::workflow_support::sleep,
};

/// Delay before the first retry. Each further delay is twice as long.
const FIRST_PAUSE_MS: u64 = 1_000;
/// Maximum number of retries. Their delays add up to about 17 minutes.
const FURTHER_CALLS: u32 = 10;
/// Name of the page parameter, which the service's specification does not define. The plugin
/// reports an error if the service does not support this parameter.
const PAGE_PARAMETER: &str = "page";

struct Orders;

bindings::export!(Orders with_types_in bindings);

impl Guest for Orders {
    fn order_ready(notice: Notice) -> Result<SentNotice, Failure> {
        let template = approved_template(&notice)?;
        let message = format!("Your order {} is ready for pickup.", notice.order);
        let message_id = send(notice.phone, message)?;
        Ok(SentNotice { message_id, template: template.json })
    }

    fn event_received(event: Event) -> Result<EventResult, Failure> {
        let confirmation = match sender_of_new_message(&event) {
            Some(phone) => {
                let thanks = "Thank you for your message. A colleague will answer you soon.";
                Some(send(phone, thanks.to_string())?)
            }
            None => None,
        };
        Ok(EventResult { message_id: event.message_id, confirmation })
    }
}

fn approved_template(notice: &Notice) -> Result<Template, Failure> {
    let query = TemplateQuery {
        status: Some("approved".to_string()),
        parameters: Vec::new(),
        every_page: Some(PAGE_PARAMETER.to_string()),
    };
    let page = retrying(|| messaging::list_templates(&query))
        .map_err(|error| Failure::NotSent(format!("cannot list templates: {error:?}")))?;
    let found = page.templates.into_iter().find(|template| {
        template.name == notice.template
            && template.language == notice.language
            && template.status.eq_ignore_ascii_case("approved")
    });
    match (found, page.incomplete) {
        (Some(template), _) => Ok(template),
        (None, Some(reason)) => {
            Err(Failure::NotSent(format!("not all templates could be listed: {reason:?}")))
        }
        (None, None) => Err(Failure::NoApprovedTemplate),
    }
}

/// Sends a message and returns its identifier.
fn send(phone: String, message: String) -> Result<String, Failure> {
    let request = MessageRequest { phone, message, device: None, fields: Vec::new() };
    retrying(|| messaging::send_message(&request)).map(|created| created.id).map_err(failure)
}

/// Converts an error of `send-message` to a `failure`, which says whether the message may exist.
fn failure(error: Error) -> Failure {
    match error {
        // The engine lost the activity. The request may have been sent.
        Error::ExecutionFailed => Failure::OutcomeUnknown("the engine lost the call".to_string()),
        // No message was created.
        Error::PermanentInvalidInput(_)
        | Error::PermanentInvalidSettings(_)
        | Error::PermanentUnauthorized(_)
        | Error::PermanentRefused(_)
        | Error::PermanentDenied(_)
        | Error::RateLimited(_)
        | Error::NotSent(_)
        | Error::Unavailable(_) => Failure::NotSent(format!("{error:?}")),
        // The message may exist.
        _ => Failure::OutcomeUnknown(format!("{error:?}")),
    }
}

/// Retries a call after errors that prove that no message was created. The engine stores each
/// delay, so that delays survive a restart.
fn retrying<T>(call: impl Fn() -> Result<T, Error>) -> Result<T, Error> {
    let mut pause_ms = FIRST_PAUSE_MS;
    for _ in 0..FURTHER_CALLS {
        let hint_ms = match call() {
            Err(Error::RateLimited(limit)) => limit.retry_after_ms,
            Err(Error::Unavailable(unavailable)) => unavailable.retry_after_ms,
            Err(Error::NotSent(_)) => None,
            answer => return answer,
        };
        let wait_ms = hint_ms.map_or(pause_ms, u64::from);
        if sleep(ScheduleAt::In(Duration::Milliseconds(wait_ms)), None).is_err() {
            // The delay was canceled. Makes one last call.
            break;
        }
        pause_ms = pause_ms.saturating_mul(2);
    }
    call()
}

/// Returns the sender's phone number of an inbound message. The specification defines no field for
/// the sender; the simulated service uses `from`.
fn sender_of_new_message(event: &Event) -> Option<String> {
    if event.kind != "message:in:new" {
        return None;
    }
    let json: serde_json::Value = serde_json::from_str(&event.json).ok()?;
    json.get("from")?.as_str().map(ToString::to_string)
}
