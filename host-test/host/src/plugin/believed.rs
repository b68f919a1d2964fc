//! Corrects the result of `send-message` according to the requests of the call.

use crate::error::CallResult;
use crate::outbound::{Metered, Outbound, Settled};
use crate::outcome;
use crate::types::wit;

/// Converts an error to an unknown outcome, because a request of the call may have created the
/// message.
fn unknown(said: wit::Error) -> wit::Error {
    if matches!(said, wit::Error::PermanentOutcomeUnknown(_)) {
        return said;
    }
    wit::Error::PermanentOutcomeUnknown(wit::OutcomeUnknown {
        stage: wit::Stage::ReplyUnclear,
        detail: format!(
            "the component reported {}, but sent a request that was not rejected",
            outcome::case(&said)
        ),
        status: None,
        refusal: None,
    })
}

/// Corrects the result of `send-message` according to the requests of the call. If a request may
/// have created a message, an error becomes an unknown outcome. If every request is known to have
/// created nothing, an unknown outcome without a status becomes `not-sent`, because a component may
/// reach its deadline before it learns of the failed connection.
pub(super) fn believed(
    result: CallResult<wit::CreatedMessage>,
    outbound: &mut Metered,
) -> CallResult<wit::CreatedMessage> {
    let settled = outbound.settle();
    result.map(|said| match said {
        Err(error) if settled == Settled::Maybe => Err(unknown(error)),
        Err(wit::Error::PermanentOutcomeUnknown(said))
            if settled == Settled::Nothing && said.status.is_none() =>
        {
            // Uses the detail with which the component itself reports a connection timeout.
            let detail = "connection-timeout while connecting".into();
            Err(wit::Error::NotSent(wit::NotSent { detail }))
        }
        said => said.and_then(|created| identified(created, outbound.connections())),
    })
}

/// Returns an unknown outcome if the service returned the API key as the ID of the message, because
/// the mask hides this ID from the component.
pub(super) fn identified(
    created: wit::CreatedMessage,
    outbound: &Outbound,
) -> Result<wit::CreatedMessage, wit::Error> {
    if !outbound.is_masked_key(&created.id) {
        return Ok(created);
    }
    Err(wit::Error::PermanentOutcomeUnknown(wit::OutcomeUnknown {
        stage: wit::Stage::ReplyUnclear,
        detail: "the message was created, but the reply repeats the API key as its id".into(),
        status: Some(201),
        refusal: None,
    }))
}
