//! Parser for the head of a request. Finds the end of the head and the length of the body, and
//! rejects ambiguous heads. Contains no I/O.

use http::uri::Authority;
use messaging_core::webhook::Answer;

/// Maximum number of headers. hyper responds with 431 to a request with more headers.
const MAX_HEADERS: usize = 100;

/// Maximum length of a body in hyper, in bytes. hyper rejects a longer body as if the head were too
/// long.
const MAX_LENGTH: u64 = u64::MAX - 2;

/// The first line of a client that uses HTTP/2 without negotiation (RFC 9113, section 3.4). hyper
/// closes such a connection without a response.
const HTTP_2: &[u8] = b"PRI * HTTP/2.0\r\n";

/// Result of parsing the first bytes of a request.
#[derive(Debug, PartialEq, Eq)]
pub enum Head {
    /// The head is incomplete.
    Incomplete,
    /// The head is complete.
    Whole {
        /// Length of the head, in bytes.
        length: usize,
        /// Length of the body, in bytes.
        body: u64,
    },
    /// Only hyper can process the request, because the body is chunked or the head is invalid. The
    /// connection closes after the response.
    Last,
    /// The head is rejected, for example because a proxy may have parsed it differently.
    Refused(Answer),
}

/// Parses the first bytes of a request.
///
/// Rejects two different lengths, and a `Content-Length` together with a `Transfer-Encoding` (RFC
/// 9112, section 6.3), because a proxy may find another end of such a request. hyper accepts some
/// of these requests. Also rejects encodings other than `chunked`, because the server does not
/// decode them (section 6.1), and a missing, repeated or invalid `Host` (section 3.2).
pub fn judge(seen: &[u8]) -> Head {
    if seen.starts_with(HTTP_2) {
        return refused("version", "is HTTP/2; use HTTP/1.1");
    }
    if HTTP_2.starts_with(seen) {
        return Head::Incomplete;
    }
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut request = httparse::Request::new(&mut headers);
    let length = match request.parse(seen) {
        Ok(httparse::Status::Complete(length)) => length,
        Ok(httparse::Status::Partial) => return Head::Incomplete,
        Err(_) => return Head::Last,
    };
    let all = |name: &'static str| {
        let same = request.headers.iter().filter(|one| one.name.eq_ignore_ascii_case(name));
        same.map(|one| one.value)
    };

    let mut hosts = all("host");
    match (hosts.next(), hosts.next()) {
        (None, _) if request.version == Some(0) => {}
        (None, _) => return refused("host", "is missing"),
        (Some(_), Some(_)) => return refused("host", "occurs more than once"),
        (Some(host), None) if is_host(host) => {}
        (Some(_), None) => return refused("host", "is not the name of a host"),
    }

    let mut encodings = all("transfer-encoding");
    let mut lengths = all("content-length");
    let first = lengths.next();
    if let Some(encoding) = encodings.next() {
        let is_chunked = encoding.eq_ignore_ascii_case(b"chunked") && encodings.next().is_none();
        return match first {
            Some(_) => refused("transfer-encoding", "occurs together with content-length"),
            None if is_chunked => Head::Last,
            None => refused("transfer-encoding", "is not exactly `chunked`"),
        };
    }
    let body = match first.map(whole_number) {
        None => 0,
        Some(Some(body)) if lengths.all(|other| whole_number(other) == Some(body)) => body,
        Some(Some(_)) => return refused("content-length", "occurs twice, with different values"),
        Some(None) => return refused("content-length", "is not a whole number"),
    };
    if body > MAX_LENGTH {
        return Head::Refused(Answer::TooLarge);
    }
    // A tunnel follows the head of `CONNECT`, not a body.
    if request.method == Some("CONNECT") { Head::Last } else { Head::Whole { length, body } }
}

fn refused(field: &str, detail: &str) -> Head {
    Head::Refused(Answer::Malformed { field: field.into(), detail: detail.into() })
}

/// Returns true if a `Host` value is a host with an optional port, or empty. Clients send an empty
/// value if the URL has no authority.
fn is_host(value: &[u8]) -> bool {
    value.is_empty() || (!value.contains(&b'@') && Authority::try_from(value).is_ok())
}

/// Parses decimal digits; `None` for other text. Returns `u64::MAX` for larger numbers.
fn whole_number(value: &[u8]) -> Option<u64> {
    let digits = !value.is_empty() && value.iter().all(u8::is_ascii_digit);
    let text = std::str::from_utf8(value).ok().filter(|_| digits)?;
    Some(text.parse().unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(version: &str, headers: &str) -> Head {
        judge(format!("POST /x HTTP/{version}\r\n{headers}\r\nrest").as_bytes())
    }

    fn field(head: Head) -> String {
        match head {
            Head::Refused(Answer::Malformed { field, .. }) => field,
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn ambiguous_head_is_rejected() {
        let host = "Host: h\r\n";
        for (headers, named) in [
            ("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "transfer-encoding"),
            ("transfer-encoding: chunked\r\ncontent-length: 5\r\n", "transfer-encoding"),
            ("Transfer-Encoding: gzip\r\nContent-Length: 5\r\n", "transfer-encoding"),
            ("Content-Length: 5\r\nContent-Length: 6\r\n", "content-length"),
            ("Content-Length: 5, 5\r\n", "content-length"),
            ("Content-Length: +5\r\n", "content-length"),
            ("Content-Length: -1\r\n", "content-length"),
            ("Content-Length: \r\n", "content-length"),
            ("Transfer-Encoding: gzip, chunked\r\n", "transfer-encoding"),
            ("Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n", "transfer-encoding"),
            ("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "transfer-encoding"),
            ("Transfer-Encoding: chunked, chunked\r\n", "transfer-encoding"),
            ("Transfer-Encoding: xchunked\r\n", "transfer-encoding"),
            ("Transfer-Encoding: identity\r\n", "transfer-encoding"),
            ("Transfer-Encoding: \r\n", "transfer-encoding"),
            ("Host: other\r\n", "host"),
        ] {
            assert_eq!(field(of("1.1", &format!("{host}{headers}"))), named, "{headers}");
        }
        for host in ["", "Host: a@b\r\n", "Host: a b\r\n", "Host: \u{e9}\r\n", "Host: /\r\n"] {
            assert_eq!(field(of("1.1", host)), "host", "{host}");
        }
    }

    #[test]
    fn http_2_preface_is_refused_whole() {
        let preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
        for length in 0..HTTP_2.len() {
            assert_eq!(judge(&preface[..length]), Head::Incomplete, "{length}");
        }
        for length in HTTP_2.len()..=preface.len() {
            assert_eq!(field(judge(&preface[..length])), "version", "{length}");
        }
        assert_eq!(judge(b"PRI * HTTP/1.0\r\n\r\n"), Head::Whole { length: 18, body: 0 });
    }

    #[test]
    fn uncountable_body_length_is_too_large() {
        for length in ["18446744073709551614", "18446744073709551615", "99999999999999999999999"] {
            let head = of("1.1", &format!("Host: h\r\nContent-Length: {length}\r\n"));
            assert_eq!(head, Head::Refused(Answer::TooLarge), "{length}");
        }
        let head = of("1.1", &format!("Host: h\r\nContent-Length: {MAX_LENGTH}\r\n"));
        assert!(matches!(head, Head::Whole { body: MAX_LENGTH, .. }), "{head:?}");
    }

    #[test]
    fn usual_head_forms_are_accepted() {
        let whole = |version: &str, headers: &str| match of(version, headers) {
            Head::Whole { length, body } => {
                let head = format!("POST /x HTTP/{version}\r\n{headers}\r\n");
                assert_eq!(length, head.len());
                body
            }
            other => panic!("{headers}: {other:?}"),
        };
        for host in ["h", "h:80", "127.0.0.1:1", "[::1]:80", ""] {
            assert_eq!(whole("1.1", &format!("Host: {host}\r\n")), 0, "{host}");
        }
        assert_eq!(whole("1.1", "host: h\r\ncontent-length: 7\r\n"), 7);
        assert_eq!(whole("1.1", "Host: h\r\nContent-Length: 7\r\nContent-Length: 7\r\n"), 7);
        assert_eq!(whole("1.0", "Content-Length: 7\r\n"), 7);
        assert_eq!(whole("1.0", "Host: h\r\n"), 0);
    }

    #[test]
    fn unsupported_request_ends_connection() {
        for encoding in ["chunked", "Chunked", " chunked "] {
            let head = format!("Host: h\r\nTransfer-Encoding:{encoding}\r\n");
            assert_eq!(of("1.1", &head), Head::Last, "{encoding:?}");
        }
        assert_eq!(of("9", ""), Head::Last);
        assert_eq!(judge(b"\x16\x03\x01\x02"), Head::Last);
        assert_eq!(judge(b"CONNECT h:80 HTTP/1.1\r\nHost: h\r\n\r\n"), Head::Last);
        assert_eq!(judge(b"POST / HTTP/1.1\r\nHost: h\r\n"), Head::Incomplete);
        assert_eq!(judge(b"\r\n\r\n"), Head::Incomplete);
        let many = "X-A: 1\r\n".repeat(MAX_HEADERS + 1);
        assert_eq!(of("1.1", &many), Head::Last);
    }
}
