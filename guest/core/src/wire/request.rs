//! HTTP requests as data, ready for a driver to send.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::error::{Error, InvalidInput};
use crate::limits::MAX_PATH_BYTES;
use crate::message::Outgoing;
use crate::origin::{Origin, Scheme};
use crate::secret::ApiKey;
use crate::settings::Settings;
use crate::template::Query;

/// Characters that are percent-encoded in a query: all except RFC 3986's unreserved characters.
const QUERY: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The HTTP method of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// `GET`, for reads.
    Get,
    /// `POST`, for changes.
    Post,
}

/// A secret and the header that carries it.
#[derive(Clone, Debug)]
pub enum Credential {
    /// `Token`, the header of the service (section 5).
    Token(ApiKey),
    /// `Authorization: Bearer` (RFC 6750).
    Bearer(ApiKey),
}

/// An HTTP request.
pub struct Request {
    method: Method,
    scheme: Scheme,
    authority: String,
    path: String,
    credential: Credential,
    body: Vec<u8>,
}

impl Request {
    /// Creates the request `POST /v1/messages` (section 4.1).
    ///
    /// # Errors
    /// Returns `InvalidInput` if the message cannot be written as JSON. No known message causes
    /// this.
    pub fn create_message(settings: &Settings, message: &Outgoing) -> Result<Self, Error> {
        let unwritable = |_| InvalidInput::new("message", "cannot be written as JSON");
        let mut body = serde_json::to_vec(&CreateBody(message)).map_err(unwritable)?;
        for field in message.fields() {
            // Removes the closing brace.
            body.pop();
            body.push(b',');
            body.extend(serde_json::to_vec(&field.name).map_err(unwritable)?);
            body.push(b':');
            body.extend_from_slice(field.json.trim_ascii().as_bytes());
            body.push(b'}');
        }
        Ok(Self::of_service(settings, Method::Post, "/v1/messages", body))
    }

    /// Creates the request `GET /v1/waba/templates` for one page (section 4.2).
    ///
    /// # Errors
    /// Returns `InvalidInput` if path and query together are longer than 8,000 bytes.
    pub fn list_templates(
        settings: &Settings,
        query: &Query,
        page: u32,
    ) -> Result<Self, InvalidInput> {
        let mut path = String::from("/v1/waba/templates");
        for (index, (name, value)) in query.parameters(page).enumerate() {
            path.push(if index == 0 { '?' } else { '&' });
            path.extend(utf8_percent_encode(name, QUERY));
            path.push('=');
            path.extend(utf8_percent_encode(&value, QUERY));
            if path.len() > MAX_PATH_BYTES {
                return Err(InvalidInput::new(
                    "parameters",
                    "make the query longer than 8000 bytes",
                ));
            }
        }
        Ok(Self::of_service(settings, Method::Get, &path, Vec::new()))
    }

    fn of_service(settings: &Settings, method: Method, path: &str, body: Vec<u8>) -> Self {
        Self::new(&settings.origin, method, path, Credential::Token(settings.key.clone()), body)
    }

    /// Creates a request to `path` below `origin`. `body` must be JSON or empty.
    #[must_use]
    pub fn new(
        origin: &Origin,
        method: Method,
        path: &str,
        credential: Credential,
        body: Vec<u8>,
    ) -> Self {
        Self {
            method,
            scheme: origin.scheme(),
            authority: origin.authority().to_string(),
            path: [origin.prefix(), path].concat(),
            credential,
            body,
        }
    }

    /// Returns the HTTP method.
    pub fn method(&self) -> Method {
        self.method
    }

    /// Returns the scheme of the request's URL.
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// Returns host and port.
    pub fn authority(&self) -> &str {
        &self.authority
    }

    /// Returns path and query, with a leading slash.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns the body, which is empty for a read.
    pub fn body(&self) -> &[u8] {
        &self.body
    }

    /// Returns the headers, including the secret. They include `Content-Length`, because hosts
    /// otherwise send the body in chunks. `Content-Length` is last, so a driver can drop it for a
    /// host that forbids this header.
    pub fn headers(&self) -> Vec<(&'static str, Vec<u8>)> {
        let mut headers = Vec::with_capacity(5);
        headers.push(match &self.credential {
            Credential::Token(key) => ("token", key.reveal().as_bytes().to_vec()),
            Credential::Bearer(token) => {
                ("authorization", ["Bearer ", token.reveal()].concat().into_bytes())
            }
        });
        headers.push(("accept", b"application/json".to_vec()));
        headers.push(("accept-encoding", b"identity".to_vec()));
        if self.method == Method::Post {
            headers.push(("content-type", b"application/json".to_vec()));
            headers.push(("content-length", self.body.len().to_string().into_bytes()));
        }
        headers
    }
}

/// Redacts the secret and shows only the length of the body.
impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request")
            .field("method", &self.method)
            .field("scheme", &self.scheme)
            .field("authority", &self.authority)
            .field("path", &self.path)
            .field("credential", &self.credential)
            .field("body_bytes", &self.body.len())
            .finish()
    }
}

/// The body of section 2.1, without additional members. Omits `device` if it is absent.
struct CreateBody<'a>(&'a Outgoing);

impl Serialize for CreateBody<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = if self.0.device().is_some() { 3 } else { 2 };
        let mut body = serializer.serialize_struct("CreateBody", fields)?;
        body.serialize_field("phone", self.0.phone().as_str())?;
        body.serialize_field("message", self.0.text())?;
        if let Some(device) = self.0.device() {
            body.serialize_field("device", device)?;
        }
        body.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::{Field, MessageRequest};
    use crate::template::TemplateQuery;
    use alloc::format;
    use alloc::vec;

    fn settings(base: &str) -> Settings {
        Settings::from_variables([
            ("MESSAGING_BASE_URL".into(), base.into()),
            ("MESSAGING_API_KEY".into(), "can ary".into()),
        ])
        .unwrap()
    }

    fn message(text: &str, device: Option<&str>) -> Outgoing {
        with_fields(text, device, &[])
    }

    fn with_fields(text: &str, device: Option<&str>, fields: &[(&str, &str)]) -> Outgoing {
        let field =
            |(name, json): &(&str, &str)| Field { name: (*name).into(), json: (*json).into() };
        let request = MessageRequest {
            phone: "+34 600111222".into(),
            message: text.into(),
            device: device.map(Into::into),
            fields: fields.iter().map(field).collect(),
        };
        Outgoing::new(request, None).unwrap()
    }

    #[test]
    fn message_is_one_post_with_length() {
        let request =
            Request::create_message(&settings("https://A.example:8443/p/"), &message("hi", None))
                .unwrap();
        assert_eq!(
            (request.method(), request.scheme(), request.authority()),
            (Method::Post, Scheme::Https, "a.example:8443")
        );
        assert_eq!(request.path(), "/p/v1/messages");
        assert_eq!(request.body(), br#"{"phone":"+34600111222","message":"hi"}"#);
        assert_eq!(
            request.headers(),
            vec![
                ("token", b"can ary".to_vec()),
                ("accept", b"application/json".to_vec()),
                ("accept-encoding", b"identity".to_vec()),
                ("content-type", b"application/json".to_vec()),
                ("content-length", b"39".to_vec()),
            ]
        );
    }

    #[test]
    fn text_and_device_are_sent_unchanged() {
        let text = "  \"quoted\" \\ \n\u{0}\u{202e} ñ 😀\u{feff} ";
        let request =
            Request::create_message(&settings("https://a.example"), &message(text, Some(" 7 ")))
                .unwrap();
        let body: serde_json::Value = serde_json::from_slice(request.body()).unwrap();
        assert_eq!(
            body,
            serde_json::json!({"phone": "+34600111222", "message": text, "device": " 7 "})
        );
    }

    #[test]
    fn further_fields_keep_order_and_bytes() {
        let body = |device, fields: &[(&str, &str)]| {
            let message = with_fields("hi", device, fields);
            let request = Request::create_message(&settings("https://a.example"), &message);
            String::from_utf8(request.unwrap().body().to_vec()).unwrap()
        };
        assert_eq!(
            body(Some("7"), &[("z", " {\"b\" : 1e400,\n\"b\":[]}\t"), ("a\"\\\n", "\"\\ud800\"")]),
            "{\"phone\":\"+34600111222\",\"message\":\"hi\",\"device\":\"7\",\"z\":{\"b\" : 1e400,\n\"b\":[]},\"a\\\"\\\\\\n\":\"\\ud800\"}"
        );
        assert_eq!(
            body(None, &[("device", "7")]),
            "{\"phone\":\"+34600111222\",\"message\":\"hi\",\"device\":7}"
        );
    }

    #[test]
    fn query_cannot_break_out_of_its_value() {
        let query = Query::new(TemplateQuery {
            status: Some("approved&x=1".into()),
            parameters: vec![("a b".into(), "ñ#/?=+\r\n\0".into())],
            every_page: Some("page".into()),
        })
        .unwrap();
        let path = |page| {
            Request::list_templates(&settings("https://a.example"), &query, page)
                .unwrap()
                .path()
                .to_string()
        };
        let first =
            "/v1/waba/templates?status=approved%26x%3D1&a%20b=%C3%B1%23%2F%3F%3D%2B%0D%0A%00";
        assert_eq!(path(0), first);
        assert_eq!(path(2), format!("{first}&page=2"));
    }

    #[test]
    fn too_long_query_is_rejected() {
        let list = |value: usize| {
            let parameters = vec![("a".into(), "x".repeat(value))];
            let query = TemplateQuery { parameters, ..TemplateQuery::default() };
            let query = Query::new(query).unwrap();
            Request::list_templates(&settings("https://a.example"), &query, 0)
        };
        let rest = "/v1/waba/templates?a=".len();
        assert_eq!(list(8_000 - rest).unwrap().path().len(), 8_000);
        assert_eq!(list(8_001 - rest).unwrap_err().field, "parameters");
    }

    #[test]
    fn debug_shows_neither_key_nor_text_nor_number() {
        let shown = format!(
            "{:?}",
            Request::create_message(&settings("https://a.example"), &message("secret text", None))
                .unwrap()
        );
        assert!(shown.contains("Post") && shown.contains("/v1/messages"), "{shown}");
        for hidden in ["canary", "secret text", "34600111222"] {
            assert!(!shown.contains(hidden), "{shown}");
        }
    }
}
