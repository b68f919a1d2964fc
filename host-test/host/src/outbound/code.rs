//! Conversion of HTTP failures to errors of `wasi:http`, and the WIT names of these errors.

use messaging_net::{ConnectCause, RequestError};
use wasmtime_wasi_http::Error;

/// Returns the WIT name of an error.
pub fn name(error: &Error) -> &'static str {
    match error {
        Error::DnsTimeout => "DNS-timeout",
        Error::DnsError { .. } => "DNS-error",
        Error::DestinationNotFound => "destination-not-found",
        Error::DestinationUnavailable => "destination-unavailable",
        Error::DestinationIpProhibited => "destination-IP-prohibited",
        Error::DestinationIpUnroutable => "destination-IP-unroutable",
        Error::ConnectionRefused => "connection-refused",
        Error::ConnectionTerminated => "connection-terminated",
        Error::ConnectionTimeout => "connection-timeout",
        Error::ConnectionLimitReached => "connection-limit-reached",
        Error::ConnectionReadTimeout => "connection-read-timeout",
        Error::TlsProtocolError => "TLS-protocol-error",
        Error::TlsCertificateError => "TLS-certificate-error",
        Error::HttpRequestDenied => "HTTP-request-denied",
        Error::HttpResponseIncomplete => "HTTP-response-incomplete",
        Error::HttpRequestHeaderSectionSize(_) => "HTTP-request-header-section-size",
        Error::HttpResponseHeaderSectionSize(_) => "HTTP-response-header-section-size",
        Error::HttpResponseContentCoding(_) => "HTTP-response-content-coding",
        Error::HttpResponseTimeout => "HTTP-response-timeout",
        Error::HttpProtocolError => "HTTP-protocol-error",
        _ => "internal-error",
    }
}

/// Returns the `wasi:http` error for a request without a response.
pub(super) fn of(error: &RequestError) -> Error {
    match error {
        RequestError::NotConnected(failure) => of_cause(failure.cause()),
        RequestError::Unavailable => Error::DestinationUnavailable,
        RequestError::Timeout => Error::HttpResponseTimeout,
        RequestError::HeadTooLarge => Error::HttpResponseHeaderSectionSize(None),
        RequestError::Incomplete => Error::HttpResponseIncomplete,
        RequestError::Terminated => Error::ConnectionTerminated,
        RequestError::Protocol => Error::HttpProtocolError,
    }
}

fn of_cause(cause: &ConnectCause) -> Error {
    match cause {
        ConnectCause::NameNotFound(_) => Error::DnsError { rcode: None, info_code: None },
        ConnectCause::NameTooSlow => Error::DnsTimeout,
        ConnectCause::PrivateAddress => Error::DestinationIpProhibited,
        ConnectCause::Refused => Error::ConnectionRefused,
        ConnectCause::Unroutable => Error::DestinationIpUnroutable,
        ConnectCause::TooSlow | ConnectCause::HandshakeTooSlow | ConnectCause::TooLate => {
            Error::ConnectionTimeout
        }
        ConnectCause::Unavailable(_) => Error::DestinationUnavailable,
        ConnectCause::Certificate(_) => Error::TlsCertificateError,
        // A failed handshake proves that no request was sent. `TlsAlertReceived` would not prove
        // this to a plugin.
        ConnectCause::NoTls | ConnectCause::HungUp | ConnectCause::Handshake(_) => {
            Error::TlsProtocolError
        }
    }
}
