//! WIT types and core types, one to one. No logic. `crate::wit` are the bindings of
//! whoever includes this file: the plugins, and the host that is compared with them.

use messaging_core::error as core;
use messaging_core::event::{Event, Kind};
use messaging_core::message::CreatedMessage;
use messaging_core::outcome::Stage;
use messaging_core::template::{Incomplete, Template, TemplatePage};

use crate::wit;

impl From<CreatedMessage> for wit::CreatedMessage {
    fn from(created: CreatedMessage) -> Self {
        Self { id: created.id, json: created.json }
    }
}

impl From<TemplatePage> for wit::TemplatePage {
    fn from(page: TemplatePage) -> Self {
        Self {
            templates: page.templates.into_iter().map(Into::into).collect(),
            total: page.total,
            page: page.page,
            size: page.size,
            complete: page.incomplete.is_none(),
            incomplete_reason: page.incomplete.map(Into::into),
        }
    }
}

impl From<Template> for wit::Template {
    fn from(template: Template) -> Self {
        Self {
            name: template.name,
            status: template.status,
            language: template.language,
            json: template.json,
        }
    }
}

impl From<Incomplete> for wit::IncompleteReason {
    fn from(reason: Incomplete) -> Self {
        match reason {
            Incomplete::PagesNotFollowed => Self::PagesNotFollowed,
            Incomplete::PageParameterIgnored => Self::PageParameterIgnored,
            Incomplete::PageRepeated => Self::PageRepeated,
            Incomplete::PageEmpty => Self::PageEmpty,
            Incomplete::TotalChanged => Self::TotalChanged,
            Incomplete::CapReached => Self::CapReached,
        }
    }
}

impl From<Event> for wit::Event {
    fn from(event: Event) -> Self {
        Self {
            idempotency_key: event.idempotency_key,
            message_id: event.message_id,
            kind: match event.kind {
                Kind::MessageInNew => wit::EventKind::MessageInNew,
                Kind::Other(kind) => wit::EventKind::Other(kind),
            },
            json: event.json,
        }
    }
}

impl From<core::InvalidInput> for wit::Error {
    fn from(invalid: core::InvalidInput) -> Self {
        Self::PermanentInvalidInput(wit::InvalidInput {
            field: invalid.field.into_owned(),
            reason: invalid.reason.into_owned(),
        })
    }
}

impl From<core::Error> for wit::Error {
    fn from(error: core::Error) -> Self {
        match error {
            core::Error::InvalidInput(invalid) => invalid.into(),
            core::Error::InvalidSettings(invalid) => {
                Self::PermanentInvalidSettings(wit::InvalidSettings {
                    setting: invalid.setting.into_owned(),
                    reason: invalid.reason.into_owned(),
                })
            }
            core::Error::Unauthorized(refusal) => Self::PermanentUnauthorized(refusal.into()),
            core::Error::Refused(refusal) => Self::PermanentRefused(refusal.into()),
            core::Error::OutcomeUnknown(unknown) => {
                Self::PermanentOutcomeUnknown(wit::OutcomeUnknown {
                    stage: unknown.stage.into(),
                    status: unknown.status,
                    detail: unknown.full_detail(),
                })
            }
            core::Error::UnexpectedReply(unexpected) => {
                Self::PermanentUnexpectedReply(wit::UnexpectedReply {
                    status: unexpected.status,
                    path: unexpected.path.into_owned(),
                    reason: unexpected.reason.into_owned(),
                })
            }
            core::Error::Denied(detail) => Self::PermanentDenied(detail),
            core::Error::RateLimited(limit) => Self::RateLimited(wit::RateLimit {
                retry_after_ms: limit.retry_after_ms,
                refusal: limit.refusal.into(),
            }),
            core::Error::NotSent(detail) => Self::NotSent(wit::NotSent { detail }),
            core::Error::Unavailable(unavailable) => Self::Unavailable(wit::Unavailable {
                detail: unavailable.detail.into_owned(),
                status: unavailable.status,
            }),
        }
    }
}

impl From<core::Refusal> for wit::Refusal {
    fn from(refusal: core::Refusal) -> Self {
        let detail = |detail: core::FieldDetail| wit::FieldDetail {
            field: detail.field,
            message: detail.message,
        };
        Self {
            status: refusal.status,
            code: refusal.code,
            message: refusal.message,
            details: refusal.details.into_iter().map(detail).collect(),
            body: refusal.body,
        }
    }
}

impl From<Stage> for wit::Stage {
    fn from(stage: Stage) -> Self {
        match stage {
            Stage::SendingRequest => Self::SendingRequest,
            Stage::AwaitingReply => Self::AwaitingReply,
            Stage::ReadingReply => Self::ReadingReply,
            Stage::ReplyUnclear => Self::ReplyUnclear,
        }
    }
}
