//! Answers to `GET /v1/waba/templates` (`wit/service.md`, section 4.2).

use http::{Response, StatusCode};
use serde::Serialize;
use serde_json::{Value, json};

use super::Options;
use super::server::{self, Body};

/// A template (`wit/service.md`, section 2.4). Its content is a choice of the simulation, because
/// the specification does not define it.
#[derive(Clone, Debug, Serialize)]
pub struct Template {
    /// Name of the template; not unique.
    pub name: String,
    /// Status of the template. `wit/service.md` shows only the value `approved`.
    pub status: String,
    /// Language code.
    pub language: String,
    /// Content of the template. `wit/service.md`, section 2.6, does not define this member, so the
    /// simulated service chose its form.
    pub components: Value,
}

impl Template {
    /// Creates a template with one body text.
    pub fn new(name: &str, status: &str, language: &str, text: &str) -> Self {
        Self {
            name: name.to_string(),
            status: status.to_string(),
            language: language.to_string(),
            components: json!([{ "type": "body", "text": text }]),
        }
    }
}

/// Returns enough templates for more than one page.
pub fn samples() -> Vec<Template> {
    [
        ("order_ready", "approved", "en", "Your order {{1}} is ready for pickup."),
        ("order_ready", "approved", "es", "Tu pedido {{1}} está listo para recoger."),
        ("appointment", "approved", "en", "Your appointment is on {{1}}."),
        ("appointment", "pending", "es", "Tu cita es el {{1}}."),
        ("invoice", "approved", "en_US", "Your invoice {{1}} is attached."),
        ("winter_sale", "rejected", "en", "Everything must go!"),
        ("delivery", "approved", "en", "Your parcel {{1}} is on its way."),
        ("delivery", "approved", "de", "Dein Paket {{1}} ist unterwegs."),
        ("survey", "approved", "en", "How did we do?"),
    ]
    .map(|(name, status, language, text)| Template::new(name, status, language, text))
    .into()
}

/// Returns one page of the templates that match `query`.
pub fn list(options: &Options, query: &str) -> Response<Body> {
    let value = |name: &str| {
        query.split('&').filter_map(|pair| pair.split_once('=')).find_map(|(key, value)| {
            let decode = |text| percent_encoding::percent_decode_str(text).decode_utf8_lossy();
            (decode(key) == name).then(|| decode(value).into_owned())
        })
    };
    let page = match value(&options.page_parameter).map(|page| page.parse::<usize>()) {
        None => 0,
        Some(Ok(page)) => page,
        Some(Err(_)) => {
            let text = format!("{} is not a page number", options.page_parameter);
            return super::refuse(StatusCode::BAD_REQUEST, "invalid_parameter", &text);
        }
    };
    let status = value("status");
    let matches: Vec<_> = options
        .templates
        .iter()
        .filter(|template| status.as_ref().is_none_or(|status| *status == template.status))
        .collect();
    let skip = page.saturating_mul(options.page_size);
    let data: Vec<_> = matches.iter().skip(skip).take(options.page_size).collect();
    let size = data.len();
    let body = json!({ "data": data, "total": matches.len(), "page": page, "size": size });
    server::boxed(server::json(StatusCode::OK, &body))
}
