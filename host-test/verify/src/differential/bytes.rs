//! Cases from arbitrary bytes: a status line, header lines, an empty line, and a body.

use super::case::{Answer, BREAKS, Call, Case, End, GUARDED, ONCE, Reply, SMALL, Settings};
use messaging_host::wit;

impl Case {
    /// Returns a call with these bytes as the response. The bits of `how` choose the function, the
    /// settings and the transfer of the body.
    pub fn of_reply(how: u64, bytes: &[u8]) -> Self {
        let [how, ..] = how.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_be_bytes();
        let (status, rest) = line(bytes);
        // Status 200 is for a list, and 201 for a send. Any other status is for a list or a send.
        let lists = status == b"200" || (status != b"201" && how & 1 == 1);
        let status = std::str::from_utf8(status).ok().and_then(|text| text.trim().parse().ok());
        let (headers, body) = headers(rest);
        let size = [usize::MAX, 1, 7, 1024].get(usize::from(how >> 1 & 3)).copied();
        let mut reply = Reply::new(status.unwrap_or(201), headers).body(body, size.unwrap_or(1));
        reply.dawdles = how & 8 != 0;
        if how & 0x30 == 0x30 {
            reply.end = End::Broken(usize::from(how >> 6) % BREAKS.len());
        }
        let settings = match how & 0x30 {
            0x10 => GUARDED,
            0x20 => SMALL,
            _ => ONCE,
        };
        Self {
            settings: Settings::Profile(settings),
            call: if lists { Call::List(query()) } else { Call::Send(message()) },
            answers: vec![Answer::Reply(reply)],
        }
    }

    /// Returns a delivery of these bytes: header lines, an empty line, and a body.
    pub fn of_delivery(bytes: &[u8]) -> Self {
        let (headers, body) = headers(bytes);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let header = |(name, value): (Vec<u8>, Vec<u8>)| wit::Header {
            name: text(&name),
            value: text(&value),
        };
        Self {
            settings: Settings::Profile(ONCE),
            call: Call::Event(wit::WebhookDelivery {
                headers: headers.into_iter().map(header).collect(),
                body: text(body),
            }),
            answers: Vec::new(),
        }
    }
}

fn message() -> wit::MessageRequest {
    wit::MessageRequest::new("+34600111222", "Your order is ready.")
}

fn query() -> wit::TemplateQuery {
    wit::TemplateQuery { status: None, parameters: Vec::new(), every_page: Some("page".into()) }
}

/// Splits off the first line.
fn line(bytes: &[u8]) -> (&[u8], &[u8]) {
    let end = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
    let (line, rest) = bytes.split_at(end);
    (line, rest.get(1..).unwrap_or_default())
}

type Headers = Vec<(Vec<u8>, Vec<u8>)>;

fn headers(mut rest: &[u8]) -> (Headers, &[u8]) {
    let mut headers = Vec::new();
    while !rest.is_empty() {
        let (header, after) = line(rest);
        rest = after;
        if header.is_empty() {
            break;
        }
        let colon = header.iter().position(|byte| *byte == b':').unwrap_or(header.len());
        let (name, value) = header.split_at(colon);
        let value = value.get(1..).unwrap_or_default().trim_ascii_start();
        headers.push((name.to_vec(), value.to_vec()));
    }
    (headers, rest)
}
