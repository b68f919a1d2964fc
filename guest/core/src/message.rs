//! Outbound messages, validated before any request.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::error::InvalidInput;
use crate::phone::Phone;
use crate::wire::json::{Json, Unreadable};

/// A request from the caller, not validated: the WIT's `message-request`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MessageRequest {
    /// The recipient's phone number, as the caller wrote it.
    pub phone: String,
    /// The text of the message, sent byte for byte.
    pub message: String,
    /// The identifier of the sender number; `None` for the account's only number.
    pub device: Option<String>,
    /// Additional members of the request body.
    pub fields: Vec<Field>,
}

/// An additional member of the request's JSON object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The member's name, different from the names of all other members.
    pub name: String,
    /// The member's value, as JSON.
    pub json: String,
}

/// A valid message (section 2.1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outgoing {
    phone: Phone,
    text: String,
    device: Option<String>,
    fields: Vec<Field>,
}

impl Outgoing {
    /// Validates the caller's values. `max_bytes` limits the text, because the service's own limit
    /// is unknown (section 8).
    ///
    /// # Errors
    /// Returns `InvalidInput` with the name of the first invalid value.
    pub fn new(request: MessageRequest, max_bytes: Option<usize>) -> Result<Self, InvalidInput> {
        let MessageRequest { phone, message: text, device, fields } = request;
        let phone = Phone::parse(&phone)?;
        if text.chars().all(char::is_whitespace) {
            return Err(InvalidInput::new("message", "is empty or only white space"));
        }
        if max_bytes.is_some_and(|max| text.len() > max) {
            return Err(InvalidInput::new("message", "is longer than MESSAGING_MAX_MESSAGE_BYTES"));
        }
        // The service could treat an empty device as absent and choose another sender number.
        if device.as_deref().is_some_and(str::is_empty) {
            return Err(InvalidInput::new(
                "device",
                "is empty; leave it out to use the account's only number",
            ));
        }
        check(&fields, device.is_some())?;
        Ok(Self { phone, text, device, fields })
    }

    /// Returns the recipient's number in normalized form.
    pub fn phone(&self) -> &Phone {
        &self.phone
    }

    /// Returns the text, byte for byte as the caller wrote it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the identifier of the sender number. The specification does not define its format
    /// (section 2.6).
    pub fn device(&self) -> Option<&str> {
        self.device.as_deref()
    }

    /// Returns the additional members. Their names are unique and their values are valid JSON.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }
}

/// Validates the additional members. Rejects duplicate names, because parsers disagree about which
/// of two members with the same name counts (RFC 8259 section 4).
fn check(fields: &[Field], has_device: bool) -> Result<(), InvalidInput> {
    for (index, field) in fields.iter().enumerate() {
        match field.name.as_str() {
            "" => return Err(wrong(index, ".name", "is empty")),
            "phone" | "message" => {
                return Err(wrong(index, ".name", "is already a member of the request"));
            }
            "device" if has_device => {
                return Err(wrong(index, ".name", "repeats the `device` of the request"));
            }
            name if fields.iter().take(index).any(|earlier| earlier.name == name) => {
                return Err(wrong(index, ".name", "is given more than once"));
            }
            _ => {}
        }
        Json::value(&field.json).map_err(|Unreadable(why)| wrong(index, ".json", why))?;
    }
    Ok(())
}

fn wrong(index: usize, part: &str, detail: &'static str) -> InvalidInput {
    InvalidInput::new(["fields[", &index.to_string(), "]", part].concat(), detail)
}

/// A created message. Creation does not imply delivery (section 4.1, rule 2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreatedMessage {
    /// The message's identifier; never empty.
    pub id: String,
    /// The reply's JSON object, as received.
    pub json: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    const PHONE: &str = "+34600111222";

    fn request(phone: &str, text: &str, device: Option<&str>) -> MessageRequest {
        MessageRequest {
            phone: phone.into(),
            message: text.into(),
            device: device.map(String::from),
            fields: Vec::new(),
        }
    }

    fn with_fields(device: Option<&str>, fields: &[(&str, &str)]) -> MessageRequest {
        let field =
            |(name, json): &(&str, &str)| Field { name: (*name).into(), json: (*json).into() };
        MessageRequest {
            fields: fields.iter().map(field).collect(),
            ..request(PHONE, "hi", device)
        }
    }

    #[test]
    fn invalid_input_names_wrong_value() {
        for (phone, text, device, field, detail) in [
            ("600111222", "hi", None, "phone", "no leading +"),
            (PHONE, "", None, "message", "empty"),
            (PHONE, " \n\u{a0}\u{3000}", None, "message", "white space"),
            (PHONE, "éé!", None, "message", "MESSAGING_MAX_MESSAGE_BYTES"),
            (PHONE, "hi", Some(""), "device", "empty"),
        ] {
            let wrong = Outgoing::new(request(phone, text, device), Some(4)).unwrap_err();
            assert_eq!(wrong.field, field);
            assert!(wrong.detail.contains(detail), "{}", wrong.detail);
        }
    }

    #[test]
    fn other_members_are_sent_unchanged() {
        for (text, device, max) in
            [("éé", None, Some(4)), (" hi\n", Some(" "), Some(4)), ("éé!", Some("7"), None)]
        {
            let sent = Outgoing::new(request(PHONE, text, device), max).unwrap();
            assert_eq!((sent.phone().as_str(), sent.text(), sent.device()), (PHONE, text, device));
        }
    }

    #[test]
    fn field_is_unique_and_valid_json() {
        for (device, fields, field, detail) in [
            (None, &[("", "1")][..], "fields[0].name", "empty"),
            (None, &[("a", "1"), ("phone", "1")], "fields[1].name", "already"),
            (None, &[("message", "1")], "fields[0].name", "already"),
            (Some("7"), &[("device", "7")], "fields[0].name", "`device`"),
            (None, &[("b", "1"), ("a", "1"), ("c", "1"), ("b", "1")], "fields[3].name", "once"),
            (None, &[("a", "")], "fields[0].json", "empty"),
            (None, &[("a", " ")], "fields[0].json", "empty"),
            (None, &[("a", "text")], "fields[0].json", "not valid JSON"),
            (None, &[("a", "1 2")], "fields[0].json", "not valid JSON"),
            (None, &[("a", "1,\"phone\":2")], "fields[0].json", "not valid JSON"),
            (None, &[("a", "1}")], "fields[0].json", "not valid JSON"),
            (None, &[("a", "{\"b\":[}")], "fields[0].json", "not valid JSON"),
            (None, &[("a", "\u{feff}1")], "fields[0].json", "not valid JSON"),
        ] {
            let wrong = Outgoing::new(with_fields(device, fields), None).unwrap_err();
            assert_eq!(wrong.field, field, "{fields:?}");
            assert!(wrong.detail.contains(detail), "{fields:?}: {}", wrong.detail);
        }
        let long: String =
            core::iter::repeat_n('[', 100_000).chain(core::iter::repeat_n(']', 100_000)).collect();
        let fields = [("device", " 7 "), ("Phone", "null"), ("a", &long)];
        let sent = Outgoing::new(with_fields(None, &fields), None).unwrap();
        assert_eq!(sent.fields().len(), 3);
    }
}
