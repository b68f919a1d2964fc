//! Outcomes of requests: which failures prove that a request was not sent, and the meaning of each
//! status.
//!
//! A request counts as not sent only with proof. A proof is a wasi:http error code that can occur
//! only before a connection carries the request, or a claim of a driver with its own HTTP client.
//! Every other code, including future codes, leaves the outcome unknown.

use alloc::borrow::Cow;
use alloc::string::String;

use crate::error::Stage;
use crate::limits::MAX_REFUSAL_FIELD_BYTES;
use crate::secret::ApiKey;

/// The wasi:http error code of a withheld reply body. A host withholds a body whose encoding could
/// hide the API key.
pub const WITHHELD: &str = "HTTP-response-content-coding";

/// A request that failed before a status line arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The stage that the request had reached.
    pub stage: Stage,
    /// Reason for the failure.
    pub cause: Cause,
}

/// Reason why a request failed, or why a reply could not be read completely.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The WIT name of the wasi:http `error-code` that the host reported.
    Code(&'static str),
    /// The call's deadline passed.
    Deadline,
    /// A stream of the host failed without an error code.
    Stream,
    /// The reply is larger than `MESSAGING_MAX_REPLY_BYTES`.
    TooLarge,
    /// The host rejected this part of the request, so nothing was sent. A retry would fail too.
    Unbuildable(&'static str),
    /// A failure that a driver with its own HTTP client reported.
    Reported {
        /// The proof that the driver claims.
        proof: Proof,
        /// The driver's description.
        detail: String,
    },
}

/// Evidence that a [`Failure`] gives about its request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// The request did not reach the service.
    NotSent,
    /// The host forbids the destination or a part of the request. Nothing was sent.
    Denied,
    /// No proof: the request may have been executed.
    Nothing,
}

impl Failure {
    /// Creates a failure from a driver's report. Limits the length of `detail` and redacts the API
    /// key.
    #[must_use]
    pub fn reported(proof: Proof, detail: String, key: &ApiKey) -> Self {
        let detail = match detail.trim_ascii() {
            "" if proof == Proof::Nothing => "the connection broke".into(),
            "" => "a failure".into(),
            _ => key.redact_within(detail, MAX_REFUSAL_FIELD_BYTES),
        };
        Self { stage: Stage::AwaitingReply, cause: Cause::Reported { proof, detail } }
    }

    /// Returns the proof that this failure gives about its request.
    pub fn proof(&self) -> Proof {
        match (self.stage, &self.cause) {
            // A reply proves that the request arrived.
            (Stage::ReadingReply | Stage::ReplyUnclear, _) => Proof::Nothing,
            (_, Cause::Code(code)) => proof_of_code(code),
            (_, Cause::Unbuildable(_)) => Proof::Denied,
            (_, Cause::Reported { proof, .. }) => *proof,
            (_, Cause::Deadline | Cause::Stream | Cause::TooLarge) => Proof::Nothing,
        }
    }

    /// Returns a description of the failure.
    pub fn detail(&self) -> Cow<'static, str> {
        self.cause.detail(self.stage)
    }
}

impl Cause {
    /// Describes the cause for a request that had reached `stage`.
    #[must_use]
    pub fn detail(&self, stage: Stage) -> Cow<'static, str> {
        let during = match stage {
            Stage::SendingRequest => "while sending the request",
            Stage::AwaitingReply => "while waiting for the reply",
            Stage::ReadingReply => "while reading the reply",
            Stage::ReplyUnclear => "after the reply",
        };
        match self {
            Self::Code(WITHHELD) => {
                "the host withheld the reply's body: its charset or encoding could hide the API key"
                    .into()
            }
            // These codes mean that no connection was made, so the stage does not matter.
            Self::Code(code) if proof_of_code(code) != Proof::Nothing => {
                [code, " while connecting"].concat().into()
            }
            Self::Code(code) => [code, " ", during].concat().into(),
            Self::Deadline => ["the deadline passed ", during].concat().into(),
            Self::Stream => ["the connection broke ", during].concat().into(),
            Self::TooLarge => "the reply is larger than MESSAGING_MAX_REPLY_BYTES".into(),
            Self::Reported { proof, detail } => {
                let during = if *proof == Proof::Nothing { during } else { "while connecting" };
                [detail, " ", during].concat().into()
            }
            Self::Unbuildable(part) => ["the host refused the request's ", part].concat().into(),
        }
    }
}

/// Returns the proof that a wasi:http `error-code` gives. `code` is the WIT name of the case.
///
/// `TLS-protocol-error` and `TLS-certificate-error` are proof, because the handshake precedes the
/// request. A TLS alert can also end a connection that carried the request, so `TLS-alert-received`
/// proves nothing. `connection-terminated` and `HTTP-protocol-error` can also occur after the
/// request.
pub fn proof_of_code(code: &str) -> Proof {
    match code {
        "DNS-timeout"
        | "DNS-error"
        | "destination-not-found"
        | "destination-unavailable"
        | "destination-IP-unroutable"
        | "connection-refused"
        | "connection-timeout"
        | "connection-limit-reached"
        | "TLS-protocol-error"
        | "TLS-certificate-error" => Proof::NotSent,
        "HTTP-request-denied" | "destination-IP-prohibited" => Proof::Denied,
        _ => Proof::Nothing,
    }
}

/// The meaning of a status for a request that creates a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CreateStatus {
    /// 201: the message exists.
    Created,
    /// 401 or 403: the plugin assumes that no message was created.
    Unauthorized,
    /// 429: the plugin assumes that no message was created.
    RateLimited,
    /// 4xx except 401, 403, 408, 409, 429, 460 and 499: the plugin assumes that no message was
    /// created.
    Refused,
    /// Any other status: the message may exist.
    Unclear,
}

/// Interprets the status of a reply to `POST /v1/messages`.
///
/// The specification documents only 201 (section 7). The plugin assumes that most 4xx statuses mean
/// "not executed" (RFC 9110 section 15.5). Every other status is unclear.
pub fn judge_create_status(status: u16) -> CreateStatus {
    match status {
        201 => CreateStatus::Created,
        401 | 403 => CreateStatus::Unauthorized,
        429 => CreateStatus::RateLimited,
        // Each of these can follow an executed request: a timeout (408) and a conflict, perhaps with
        // this message (409). Load balancers (460) and proxies (499) report a disconnected client.
        408 | 409 | 460 | 499 => CreateStatus::Unclear,
        400..=499 => CreateStatus::Refused,
        _ => CreateStatus::Unclear,
    }
}

/// The meaning of a status in the reply to a read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadStatus {
    /// 200: the reply has the result.
    Read,
    /// 401 or 403: the service rejected the API key.
    Unauthorized,
    /// 429: a retry after a delay can succeed.
    RateLimited,
    /// 4xx except 401, 403, 408, 425 and 429: the service rejected the request.
    Refused,
    /// 408, 425, 500, 502, 503, 504: a retry can succeed.
    Passing,
    /// 5xx except 500, 502, 503 and 504: a later call can succeed, but an immediate retry is
    /// unlikely to succeed.
    Failing,
    /// An undocumented status: 1xx, other 2xx, 3xx, and numbers outside 100 to 599.
    Unexpected,
}

/// Interprets the status of a reply to a read.
pub fn judge_read_status(status: u16) -> ReadStatus {
    match status {
        200 => ReadStatus::Read,
        401 | 403 => ReadStatus::Unauthorized,
        429 => ReadStatus::RateLimited,
        408 | 425 | 500 | 502 | 503 | 504 => ReadStatus::Passing,
        400..=499 => ReadStatus::Refused,
        500..=599 => ReadStatus::Failing,
        _ => ReadStatus::Unexpected,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn only_early_error_codes_are_proof() {
        let wit = include_str!("../../../wit/deps/http/types.wit");
        let (_, cases) = wit.split_once("variant error-code {").unwrap();
        let (cases, _) = cases.split_once("\n  }").unwrap();
        let codes = cases.lines().map(str::trim).filter(|line| !line.starts_with("///"));
        let proofs: Vec<(&str, Proof)> = codes
            .map(|line| line.split(['(', ',']).next().unwrap())
            .map(|code| (code, proof_of_code(code)))
            .filter(|(_, proof)| *proof != Proof::Nothing)
            .collect();
        assert_eq!(
            proofs,
            [
                ("DNS-timeout", Proof::NotSent),
                ("DNS-error", Proof::NotSent),
                ("destination-not-found", Proof::NotSent),
                ("destination-unavailable", Proof::NotSent),
                ("destination-IP-prohibited", Proof::Denied),
                ("destination-IP-unroutable", Proof::NotSent),
                ("connection-refused", Proof::NotSent),
                ("connection-timeout", Proof::NotSent),
                ("connection-limit-reached", Proof::NotSent),
                ("TLS-protocol-error", Proof::NotSent),
                ("TLS-certificate-error", Proof::NotSent),
                ("HTTP-request-denied", Proof::Denied),
            ]
        );
    }

    #[test]
    fn failure_names_cause_and_stage() {
        for (stage, cause, said) in [
            (Stage::SendingRequest, Cause::Code("DNS-error"), "DNS-error while connecting"),
            (
                Stage::AwaitingReply,
                Cause::Code("connection-refused"),
                "connection-refused while connecting",
            ),
            (
                Stage::SendingRequest,
                Cause::Code("connection-terminated"),
                "connection-terminated while sending the request",
            ),
            (
                Stage::AwaitingReply,
                Cause::Deadline,
                "the deadline passed while waiting for the reply",
            ),
            (Stage::ReadingReply, Cause::Stream, "the connection broke while reading the reply"),
            (
                Stage::ReadingReply,
                Cause::Code(WITHHELD),
                "the host withheld the reply's body: its charset or encoding could hide the API key",
            ),
            (Stage::ReplyUnclear, Cause::Stream, "the connection broke after the reply"),
            (
                Stage::ReadingReply,
                Cause::TooLarge,
                "the reply is larger than MESSAGING_MAX_REPLY_BYTES",
            ),
            (
                Stage::SendingRequest,
                Cause::Unbuildable("path"),
                "the host refused the request's path",
            ),
        ] {
            assert_eq!(Failure { stage, cause }.detail(), said);
        }
    }

    #[test]
    fn driver_report_is_bounded_and_redacted() {
        let key = ApiKey::new("canary".into()).unwrap();
        for (proof, words, said) in [
            (Proof::NotSent, "ECONNREFUSED", "ECONNREFUSED while connecting"),
            (Proof::Denied, "not on the list", "not on the list while connecting"),
            (Proof::Nothing, "ECONNRESET", "ECONNRESET while waiting for the reply"),
            (Proof::NotSent, "", "a failure while connecting"),
            (Proof::Nothing, " \n", "the connection broke while waiting for the reply"),
            (Proof::Nothing, "token: canary", "token: [redacted] while waiting for the reply"),
        ] {
            let failure = Failure::reported(proof, words.into(), &key);
            assert_eq!((failure.proof(), &*failure.detail()), (proof, said));
        }
        let long = ["é".repeat(600), "canary".repeat(600)].concat();
        let detail = Failure::reported(Proof::Nothing, long, &key).detail().into_owned();
        assert!(detail.len() < 1_100 && !detail.contains("canary"), "{detail}");
    }

    #[test]
    fn failure_after_reply_start_proves_nothing() {
        for cause in [Cause::Code("connection-refused"), Cause::Unbuildable("path"), Cause::Stream]
        {
            let failure = Failure { stage: Stage::ReadingReply, cause };
            assert_eq!(failure.proof(), Proof::Nothing);
        }
    }

    #[test]
    fn unknown_code_proves_nothing() {
        assert_eq!(proof_of_code("connection-melted"), Proof::Nothing);
    }

    /// Returns every status for which `judge` returns `judged`.
    fn all<T: PartialEq>(judge: fn(u16) -> T, judged: T) -> Vec<u16> {
        (0..=u16::MAX).filter(|status| judge(*status) == judged).collect()
    }

    #[test]
    fn only_some_4xx_prove_no_message() {
        let judge = judge_create_status;
        assert_eq!(all(judge, CreateStatus::Created), [201]);
        assert_eq!(all(judge, CreateStatus::Unauthorized), [401, 403]);
        assert_eq!(all(judge, CreateStatus::RateLimited), [429]);
        let refused = all(judge, CreateStatus::Refused);
        let others = [401, 403, 408, 409, 429, 460, 499];
        let expected: Vec<u16> = (400..500).filter(|status| !others.contains(status)).collect();
        assert_eq!(refused, expected);
    }

    #[test]
    fn read_is_repeated_after_transient_status() {
        let judge = judge_read_status;
        assert_eq!(all(judge, ReadStatus::Read), [200]);
        assert_eq!(all(judge, ReadStatus::Unauthorized), [401, 403]);
        assert_eq!(all(judge, ReadStatus::RateLimited), [429]);
        let passing = [408, 425, 500, 502, 503, 504];
        assert_eq!(all(judge, ReadStatus::Passing), passing);
        let others = [401, 403, 408, 425, 429];
        let refused: Vec<u16> = (400..500).filter(|status| !others.contains(status)).collect();
        assert_eq!(all(judge, ReadStatus::Refused), refused);
        let failing: Vec<u16> = (500..600).filter(|status| !passing.contains(status)).collect();
        assert_eq!(all(judge, ReadStatus::Failing), failing);
    }
}
