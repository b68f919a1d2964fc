//! The one way from what a caller gave to a call that can be driven: settings first, then
//! the caller's values, then the requests. Nothing here makes a request.

use alloc::string::String;

use crate::error::Error;
use crate::listing::ListTemplates;
use crate::message::{MessageRequest, Outgoing};
use crate::send::SendMessage;
use crate::settings::Settings;
use crate::template::{Query, TemplateQuery};

/// A call that was checked, and has not begun.
#[derive(Debug)]
pub struct Call<M> {
    /// The state machine to drive.
    pub machine: M,
    /// The settings it was made with; the driver applies the deadline and the cap on replies.
    pub settings: Settings,
}

impl Call<SendMessage> {
    /// A call of `send-message`. The seed spreads its pauses.
    ///
    /// # Errors
    /// A setting, or one of the caller's values, is wrong.
    pub fn send_message<V>(variables: V, request: MessageRequest, seed: u64) -> Result<Self, Error>
    where
        V: IntoIterator<Item = (String, String)>,
    {
        let settings = Settings::from_variables(variables)?;
        let message = Outgoing::new(request, settings.max_message_bytes)?;
        Ok(Self { machine: SendMessage::new(&settings, &message, seed)?, settings })
    }
}

impl Call<ListTemplates> {
    /// A call of `list-templates`. The seed spreads its pauses.
    ///
    /// # Errors
    /// A setting, or one of the caller's values, is wrong.
    pub fn list_templates<V>(variables: V, query: TemplateQuery, seed: u64) -> Result<Self, Error>
    where
        V: IntoIterator<Item = (String, String)>,
    {
        let settings = Settings::from_variables(variables)?;
        let query = Query::new(query)?;
        Ok(Self { machine: ListTemplates::new(&settings, query, seed)?, settings })
    }
}
