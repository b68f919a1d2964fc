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
