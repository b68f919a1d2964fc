//! Construction of calls: checks the settings, then the caller's values, and builds the first
//! request. Sends nothing.

use alloc::string::String;

use crate::error::Error;
use crate::listing::ListTemplates;
use crate::message::{MessageRequest, Outgoing};
use crate::send::SendMessage;
use crate::settings::Settings;
use crate::template::{Query, TemplateQuery};

/// A validated call that has not started.
#[derive(Debug)]
pub struct Call<M> {
    /// The state machine.
    pub machine: M,
    /// The settings of the call. The driver applies the deadline and the maximum size of replies.
    pub settings: Settings,
}

impl Call<SendMessage> {
    /// Creates a call of `send-message`. `seed` randomizes the delays between attempts.
    ///
    /// # Errors
    /// Returns `InvalidSettings` if a setting is missing or invalid. Returns `InvalidInput` if a
    /// value of the caller is invalid.
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
    /// Creates a call of `list-templates`. `seed` randomizes the delays between attempts.
    ///
    /// # Errors
    /// Returns `InvalidSettings` if a setting is missing or invalid. Returns `InvalidInput` if a
    /// value of the caller is invalid.
    pub fn list_templates<V>(variables: V, query: TemplateQuery, seed: u64) -> Result<Self, Error>
    where
        V: IntoIterator<Item = (String, String)>,
    {
        let settings = Settings::from_variables(variables)?;
        let query = Query::new(query)?;
        Ok(Self { machine: ListTemplates::new(&settings, query, seed)?, settings })
    }
}
