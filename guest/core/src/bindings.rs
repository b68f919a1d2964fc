//! Macros for code that depends on generated bindings.
//!
//! Each component crate generates its own bindings, and this crate cannot implement conversions to
//! types that it does not know. The component crates therefore call these macros.

/// Implements the conversions between WIT types and core types. `$wit` is the module of the
/// bindings.
#[macro_export]
macro_rules! conversions {
    ($wit:path) => {
        $crate::unknown_conversions!($wit);
        const _: () = {
            use $crate::event::Event;
            use $crate::message::{CreatedMessage, Field, MessageRequest};
            use $crate::template::{Incomplete, Template, TemplatePage, TemplateQuery};
            use $wit as wit;

            impl From<wit::MessageRequest> for MessageRequest {
                fn from(request: wit::MessageRequest) -> Self {
                    let field = |field: wit::Field| Field { name: field.name, json: field.json };
                    Self {
                        phone: request.phone,
                        message: request.message,
                        device: request.device,
                        fields: request.fields.into_iter().map(field).collect(),
                    }
                }
            }

            impl From<wit::TemplateQuery> for TemplateQuery {
                fn from(query: wit::TemplateQuery) -> Self {
                    let parameter = |given: wit::QueryParameter| (given.name, given.value);
                    Self {
                        status: query.status,
                        parameters: query.parameters.into_iter().map(parameter).collect(),
                        every_page: query.every_page,
                    }
                }
            }

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
                        incomplete: page.incomplete.map(Into::into),
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
                        kind: event.kind,
                        json: event.json,
                    }
                }
            }

            $crate::error_conversions!(wit);
        };
    };
}

/// Implements the conversions of [`OutcomeUnknown`](crate::error::OutcomeUnknown)
/// and its parts to and from the
/// WIT's records. `$wit` is the module of the bindings.
#[macro_export]
macro_rules! unknown_conversions {
    ($wit:path) => {
        const _: () = {
            use $crate::error as core;
            use $wit as wit;
    $crate::unknown_conversions!(@ core => wit);
    $crate::unknown_conversions!(@ wit => core);

            impl From<core::OutcomeUnknown> for wit::OutcomeUnknown {
                fn from(said: core::OutcomeUnknown) -> Self {
                    Self {
                        stage: said.stage.into(),
                        detail: said.detail,
                        status: said.status,
                        refusal: said.refusal.map(|refusal| (*refusal).into()),
                    }
                }
            }

            impl From<wit::OutcomeUnknown> for core::OutcomeUnknown {
                fn from(said: wit::OutcomeUnknown) -> Self {
                    Self {
                        stage: said.stage.into(),
                        detail: said.detail,
                        status: said.status,
                        refusal: said.refusal.map(core::Refusal::from).map(Into::into),
                    }
                }
            }
        };
    };
    (@ $from:ident => $to:ident) => {
        impl From<$from::Stage> for $to::Stage {
            fn from(stage: $from::Stage) -> Self {
                match stage {
                    $from::Stage::SendingRequest => Self::SendingRequest,
                    $from::Stage::AwaitingReply => Self::AwaitingReply,
                    $from::Stage::ReadingReply => Self::ReadingReply,
                    $from::Stage::ReplyUnclear => Self::ReplyUnclear,
                }
            }
        }

        impl From<$from::FieldDetail> for $to::FieldDetail {
            fn from(said: $from::FieldDetail) -> Self {
                Self { field: said.field, message: said.message }
            }
        }

        impl From<$from::Refusal> for $to::Refusal {
            fn from(said: $from::Refusal) -> Self {
                Self {
                    status: said.status,
                    code: said.code,
                    message: said.message,
                    details: said.details.into_iter().map(Into::into).collect(),
                    body: said.body,
                }
            }
        }
    };
}

/// Defines `fn name`, which returns the WIT name of a wasi:http error code, without its payload.
/// Formatting with `{:?}` would add 5 KB to a component. `$code` is the type of the error code in
/// the bindings of wasi:http 0.2 or 0.3. Both versions have equal cases.
#[macro_export]
macro_rules! error_code_name {
    ($code:ty) => {
        /// Returns the WIT name of an error code, without its payload.
        fn name(code: &$code) -> &'static str {
            type Code = $code;
            match code {
                Code::DnsTimeout => "DNS-timeout",
                Code::DnsError(_) => "DNS-error",
                Code::DestinationNotFound => "destination-not-found",
                Code::DestinationUnavailable => "destination-unavailable",
                Code::DestinationIpProhibited => "destination-IP-prohibited",
                Code::DestinationIpUnroutable => "destination-IP-unroutable",
                Code::ConnectionRefused => "connection-refused",
                Code::ConnectionTerminated => "connection-terminated",
                Code::ConnectionTimeout => "connection-timeout",
                Code::ConnectionReadTimeout => "connection-read-timeout",
                Code::ConnectionWriteTimeout => "connection-write-timeout",
                Code::ConnectionLimitReached => "connection-limit-reached",
                Code::TlsProtocolError => "TLS-protocol-error",
                Code::TlsCertificateError => "TLS-certificate-error",
                Code::TlsAlertReceived(_) => "TLS-alert-received",
                Code::HttpRequestDenied => "HTTP-request-denied",
                Code::HttpRequestLengthRequired => "HTTP-request-length-required",
                Code::HttpRequestBodySize(_) => "HTTP-request-body-size",
                Code::HttpRequestMethodInvalid => "HTTP-request-method-invalid",
                Code::HttpRequestUriInvalid => "HTTP-request-URI-invalid",
                Code::HttpRequestUriTooLong => "HTTP-request-URI-too-long",
                Code::HttpRequestHeaderSectionSize(_) => "HTTP-request-header-section-size",
                Code::HttpRequestHeaderSize(_) => "HTTP-request-header-size",
                Code::HttpRequestTrailerSectionSize(_) => "HTTP-request-trailer-section-size",
                Code::HttpRequestTrailerSize(_) => "HTTP-request-trailer-size",
                Code::HttpResponseIncomplete => "HTTP-response-incomplete",
                Code::HttpResponseHeaderSectionSize(_) => "HTTP-response-header-section-size",
                Code::HttpResponseHeaderSize(_) => "HTTP-response-header-size",
                Code::HttpResponseBodySize(_) => "HTTP-response-body-size",
                Code::HttpResponseTrailerSectionSize(_) => "HTTP-response-trailer-section-size",
                Code::HttpResponseTrailerSize(_) => "HTTP-response-trailer-size",
                Code::HttpResponseTransferCoding(_) => "HTTP-response-transfer-coding",
                Code::HttpResponseContentCoding(_) => "HTTP-response-content-coding",
                Code::HttpResponseTimeout => "HTTP-response-timeout",
                Code::HttpUpgradeFailed => "HTTP-upgrade-failed",
                Code::HttpProtocolError => "HTTP-protocol-error",
                Code::LoopDetected => "loop-detected",
                Code::ConfigurationError => "configuration-error",
                Code::InternalError(_) => "internal-error",
            }
        }
    };
}
