//! An outbound message, checked before any request is made.

use alloc::string::String;

use crate::error::InvalidInput;
use crate::phone::Phone;

/// A message that can be sent (section 2.1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outgoing {
    phone: Phone,
    text: String,
    device: Option<String>,
}

impl Outgoing {
    /// Checks the caller's values. `max_bytes` bounds the text; the service's own
    /// limit is a gap (section 8).
    ///
    /// # Errors
    /// Names the value that is wrong.
    pub fn new(
        phone: &str,
        text: String,
        device: Option<String>,
        max_bytes: Option<usize>,
    ) -> Result<Self, InvalidInput> {
        let phone = Phone::parse(phone)?;
        if text.chars().all(char::is_whitespace) {
            return Err(InvalidInput::new("message", "is empty or only white space"));
        }
        if max_bytes.is_some_and(|max| text.len() > max) {
            return Err(InvalidInput::new("message", "is longer than MESSAGING_MAX_MESSAGE_BYTES"));
        }
        // An empty choice would let the service choose, and another number send.
        if device.as_deref().is_some_and(str::is_empty) {
            return Err(InvalidInput::new(
                "device",
                "is empty; leave it out to use the account's only number",
            ));
        }
        Ok(Self { phone, text, device })
    }

    /// The recipient.
    #[must_use]
    pub fn phone(&self) -> &Phone {
        &self.phone
    }

    /// The text, byte for byte as the caller gave it.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What selects the sender number; its format is a gap (section 2.6).
    #[must_use]
    pub fn device(&self) -> Option<&str> {
        self.device.as_deref()
    }
}

/// The service has created the message. Nothing more is known of it (section 4.1,
/// rule 2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreatedMessage {
    /// The identifier; never empty.
    pub id: String,
    /// The reply's JSON object as it was received.
    pub json: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    const PHONE: &str = "+34600111222";

    #[test]
    fn what_cannot_be_sent_names_the_value_that_is_wrong() {
        for (phone, text, device, field, reason) in [
            ("600111222", "hi", None, "phone", "no leading +"),
            (PHONE, "", None, "message", "empty"),
            (PHONE, " \n\u{a0}\u{3000}", None, "message", "white space"),
            (PHONE, "éé!", None, "message", "MESSAGING_MAX_MESSAGE_BYTES"),
            (PHONE, "hi", Some(""), "device", "empty"),
        ] {
            let device = device.map(String::from);
            let wrong = Outgoing::new(phone, text.into(), device, Some(4)).unwrap_err();
            assert_eq!(wrong.field, field);
            assert!(wrong.reason.contains(reason), "{}", wrong.reason);
        }
    }

    #[test]
    fn everything_else_is_kept_as_it_was_given() {
        for (text, device, max) in
            [("éé", None, Some(4)), (" hi\n", Some(" "), Some(4)), ("éé!", Some("7"), None)]
        {
            let sent = Outgoing::new(PHONE, text.into(), device.map(String::from), max).unwrap();
            assert_eq!((sent.phone().as_str(), sent.text(), sent.device()), (PHONE, text, device));
        }
    }
}
