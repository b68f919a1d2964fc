//! A component that wraps the plugin and adds one defect, named by the variable `BROKEN`. The
//! conformance suite must find exactly this defect.
#![cfg(target_family = "wasm")]

use wasi::http::outgoing_handler;
use wasi::http::types::{Fields, Method, OutgoingBody, OutgoingRequest, Scheme};

#[allow(missing_docs, reason = "documented in the WIT")]
mod bindings {
    wit_bindgen::generate!({
        path: "../../../wit",
        inline: "package broken:plugin;
            world wrapper {
                import messaging:integration/messaging@0.2.0;
                export messaging:integration/messaging@0.2.0;
            }",
        world: "broken:plugin/wrapper",
        generate_all,
    });
}

use bindings::exports::messaging::integration::messaging::Guest;
use bindings::messaging::integration::messaging as plugin;
use bindings::messaging::integration::types::{self as wit, Error};

struct Broken;

bindings::export!(Broken with_types_in bindings);

impl Guest for Broken {
    fn send_message(request: wit::MessageRequest) -> Result<wit::CreatedMessage, Error> {
        let result = plugin::send_message(&request);
        let how = variable("BROKEN");
        match (how.as_str(), result) {
            // Repeats a request whose reply was lost.
            ("retries-a-lost-reply", Err(Error::PermanentOutcomeUnknown(unknown)))
                if unknown.status.is_none() && !unknown.detail.contains("deadline") =>
            {
                plugin::send_message(&request)
            }
            // Puts the API key into an error message.
            ("leaks-the-key", Err(Error::PermanentUnauthorized(mut refusal))) => {
                refusal.message =
                    Some(format!("{} was not accepted", variable("MESSAGING_API_KEY")));
                Err(Error::PermanentUnauthorized(refusal))
            }
            // Follows a redirect: repeats the request to learn the target, then posts to the
            // target.
            ("follows-a-redirect", Err(Error::PermanentOutcomeUnknown(unknown)))
                if matches!(unknown.status, Some(300..=399)) =>
            {
                let body = format!(r#"{{"phone":{:?},"message":"x"}}"#, request.phone);
                let base = variable("MESSAGING_BASE_URL");
                if let Some(location) = post(&format!("{base}/v1/messages"), &body) {
                    post(&location, &body);
                }
                Err(Error::PermanentOutcomeUnknown(unknown))
            }
            // Reduces the JSON of the reply to the ID.
            ("drops-unknown-fields", Ok(created)) if !created.json.contains("status") => {
                let json = format!("{{\"id\":{:?}}}", created.id);
                Ok(wit::CreatedMessage { json, ..created })
            }
            // Reports `delivered` instead of `accepted`.
            ("says-delivered", Ok(created)) => {
                let json = created.json.replace("accepted", "delivered");
                Ok(wit::CreatedMessage { json, ..created })
            }
            (_, result) => result,
        }
    }

    fn list_templates(query: wit::TemplateQuery) -> Result<wit::TemplatePage, Error> {
        plugin::list_templates(&query)
    }

    fn handle_event(delivery: wit::WebhookDelivery) -> Result<wit::Event, Error> {
        plugin::handle_event(&delivery)
    }
}

fn variable(name: &str) -> String {
    std::env::var(name).unwrap_or_default()
}

/// Posts with the API key, and returns the `Location` of the response.
fn post(url: &str, body: &str) -> Option<String> {
    let (authority, path) = url.strip_prefix("http://")?.split_once('/')?;
    let headers = [
        ("token".to_string(), variable("MESSAGING_API_KEY").into_bytes()),
        ("content-length".to_string(), body.len().to_string().into_bytes()),
    ];
    let request = OutgoingRequest::new(Fields::from_list(&headers).ok()?);
    request.set_method(&Method::Post).ok()?;
    request.set_scheme(Some(&Scheme::Http)).ok()?;
    request.set_authority(Some(authority)).ok()?;
    request.set_path_with_query(Some(&format!("/{path}"))).ok()?;
    let outgoing = request.body().ok()?;
    let future = outgoing_handler::handle(request, None).ok()?;
    let stream = outgoing.write().ok()?;
    stream.blocking_write_and_flush(body.as_bytes()).ok()?;
    drop(stream);
    OutgoingBody::finish(outgoing, None).ok()?;
    future.subscribe().block();
    let response = future.get()?.ok()?.ok()?;
    let location = response.headers().get(&"location".to_string()).into_iter().next()?;
    String::from_utf8(location).ok()
}
