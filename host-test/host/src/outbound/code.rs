//! Names of HTTP failures in the WIT of `wasi:http`.

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
