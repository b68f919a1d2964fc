//! Cases from a seed: mostly typical, often unusual, sometimes corrupted. Purely random input would
//! fail at the first byte, and would not test any later step.

use http::{HeaderValue, StatusCode};
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};

use super::case::{
    Answer, BREAKS, Call, Case, End, FAILURES, GUARDED, KEY, LONG_DEADLINE, ONCE, PROOFS, Reply,
    SHORT_DEADLINE, SHUT, SMALL, Settings,
};
use super::mutate::mutate;
use messaging_host::wit;

/// Returns a random element of `list`, which must not be empty.
fn one<T: Clone + Default>(random: &mut StdRng, list: &[T]) -> T {
    list.choose(random).cloned().unwrap_or_default()
}

/// Returns true in one of `times` calls.
fn rarely(random: &mut StdRng, times: u32) -> bool {
    random.random_ratio(1, times)
}

impl Case {
    /// Returns the case of a seed.
    pub fn generated(seed: u64) -> Self {
        let random = &mut StdRng::seed_from_u64(seed);
        let call = match random.random_range(0..10) {
            0..5 => Call::Send(message(random)),
            5..8 => Call::List(query(random)),
            _ => Call::Event(delivery(random)),
        };
        // Rarely selects the profiles that wait, because such cases take long.
        let settings = match random.random_range(0..1_000) {
            0..450 => Settings::Profile(ONCE),
            450..700 => Settings::Profile(GUARDED),
            700..820 => Settings::Profile(SMALL),
            820..860 => Settings::Profile(LONG_DEADLINE),
            860 => Settings::Profile(SHORT_DEADLINE),
            861..890 => Settings::Profile(SHUT),
            _ => Settings::Own(settings(random)),
        };
        let lists = matches!(call, Call::List(_));
        let answers = match settings {
            Settings::Profile(SHORT_DEADLINE) => vec![silence(random)],
            Settings::Profile(LONG_DEADLINE) => {
                let attempts = random.random_range(1..=3);
                let mut answers: Vec<_> = (0..attempts).map(|_| passing(random, lists)).collect();
                answers.extend(answers_of(random, lists, true));
                answers
            }
            _ => answers_of(random, lists, false),
        };
        Self { settings, call, answers }
    }
}

fn message(random: &mut StdRng) -> wit::MessageRequest {
    let phone = match random.random_range(0..24) {
        0 => one(
            random,
            &["", "34600111222", "0034600111222", "+34", "+0600111222", "+1234567890123456"],
        ),
        1 => one(
            random,
            &["+34600111222@c.us", "whatsapp:+34600111222", "+34 ٦00111222", "++34600111222"],
        ),
        2 => {
            one(random, &["+44 (0)20 7946 0000", "+3460011122a", "+34600111222\n", "+34/600111222"])
        }
        3 => one(random, &["+34 (600) 111-222", "+34\u{a0}600.111.222", "+1234567"]),
        _ => "+34600111222",
    };
    let mut message = match random.random_range(0..20) {
        0 => one(random, &["", " ", "\n\t", "\u{a0}"]).to_string(),
        1 => "x".repeat(random.random_range(1..100_000)),
        2 => {
            one(random, &["\"\\\u{0}\u{7f}\u{85}\u{202e}", "😀é\u{2028}", "</script>"]).to_string()
        }
        3 => format!("the key is {KEY}"),
        _ => "Your order is ready.".to_string(),
    };
    if rarely(random, 10) {
        message = altered_text(random, &message);
    }
    let device = match random.random_range(0..20) {
        0 => Some(String::new()),
        1 => Some("7".into()),
        2 => Some(altered_text(random, "device \"1\"")),
        _ => None,
    };
    wit::MessageRequest { phone: phone.into(), message, device, fields: fields(random) }
}

fn fields(random: &mut StdRng) -> Vec<wit::Field> {
    let mut fields = Vec::new();
    while rarely(random, 4) && fields.len() < 8 {
        let names =
            ["template", "media", "reference", "device", "phone", "a \"b\"", "ü\n", "a", "b"];
        let name = if rarely(random, 20) { "" } else { one(random, &names) };
        let good = ["7", " null\t", "\"text\"", "{\"a\" : [1e400]}", "\"\\ud800\"", "[[[]]]"];
        let bad = ["", "text", "1 2", "1,\"phone\":\"+1\"", "{", "\u{feff}1"];
        let mut json =
            if rarely(random, 8) { one(random, &bad) } else { one(random, &good) }.to_string();
        if rarely(random, 20) {
            json = altered_text(random, &json);
        }
        fields.push(wit::Field { name: name.into(), json });
    }
    fields
}

fn query(random: &mut StdRng) -> wit::TemplateQuery {
    let status = match random.random_range(0..4) {
        0 => Some(one(random, &["", "approved", "APPROVED", "a&b=c#d", "é/?", "\r\nX: y"]).into()),
        _ => None,
    };
    let mut parameters = Vec::new();
    while rarely(random, 3) && parameters.len() < 8 {
        let names = ["language", "limit", "limit", "category", "a b", "ü", "page", "status"];
        let name = if rarely(random, 20) { "" } else { one(random, &names) };
        let mut value = one(random, &["", "1", "es&x=y", "%2e%2e", "a+b"]).to_string();
        if rarely(random, 20) {
            value = "v".repeat(random.random_range(1..9_000));
        }
        parameters.push(wit::QueryParameter { name: name.into(), value });
    }
    let every_page = random
        .random::<bool>()
        .then(|| one(random, &["page", "page", "page", "page", "page", "", "status", "p q"]));
    wit::TemplateQuery { status, parameters, every_page: every_page.map(Into::into) }
}

fn delivery(random: &mut StdRng) -> wit::WebhookDelivery {
    let mut headers = Vec::new();
    let mut push = |name: &str, value: &str| {
        headers.push(wit::Header { name: name.into(), value: value.into() });
    };
    if !rarely(random, 20) {
        let name = one(random, &["content-type", "Content-Type", "CONTENT-TYPE"]);
        let kinds = ["application/json", "Application/JSON; charset=utf-8", " application/json "];
        let other = ["text/plain", "", "application/jsonx", "multipart/form-data"];
        push(name, if rarely(random, 8) { one(random, &other) } else { one(random, &kinds) });
    }
    if rarely(random, 4) {
        push("host", "hooks.example");
    }
    if !rarely(random, 20) {
        let value = match random.random_range(0..24) {
            0 => one(random, &["", " ", "é", "a b", "evt\n1"]).to_string(),
            1 => "k".repeat(random.random_range(250..260)),
            _ => format!("evt-{}", random.random::<u32>()),
        };
        let name = one(random, &["x-idempotency-key", "X-Idempotency-Key"]).to_string();
        headers.push(wit::Header { name, value });
        if rarely(random, 20) {
            headers.push(wit::Header { name: "x-idempotency-key".into(), value: "again".into() });
        }
    }
    let kinds = ["message:in:new", "message:in:new", "message:out:ack", "message:in:New"];
    let event = if rarely(random, 20) { "" } else { one(random, &kinds) };
    let ids = ["", "\\ud800", "\\\"", "é\\u00e9"];
    let id = if rarely(random, 8) { one(random, &ids) } else { "msg-1" };
    let mut body = format!(
        r#"{{"id":"{id}","object":"message","event":"{event}","from":{{"n":[1.50,null]}}}}"#
    );
    if rarely(random, 4) {
        body = altered_text(random, &body);
    }
    if rarely(random, 200) {
        body = format!("{body}{}", " ".repeat(random.random_range(250_000..265_000)));
    }
    wit::WebhookDelivery { headers, body }
}

/// Mutates a text one to three times, and makes it valid UTF-8 again.
fn altered_text(random: &mut StdRng, text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..random.random_range(1..4) {
        mutate(&mut bytes, text.as_bytes(), random);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn settings(random: &mut StdRng) -> Vec<(String, String)> {
    let mut variables: Vec<(&str, String)> = Vec::new();
    let bases = ["https://api.example", "https://api.example/", "https://API.example:443/a/b"];
    let odd = [
        "",
        "api.example",
        "http://api.example",
        "https://user:pass@api.example",
        "https://api.example/?q",
        "https://api.example/#f",
        "https://api.example//x",
        "https://api.example/../x",
        "https://api.example:0",
        "https://api.example.",
        "https://0x7f.1",
        "https://[::1",
        "ftp://api.example",
        "https://bücher.example",
        "https://denied.example",
    ];
    if !rarely(random, 20) {
        let base = if rarely(random, 4) { one(random, &odd) } else { one(random, &bases) };
        let base = if rarely(random, 10) { altered_text(random, base) } else { base.into() };
        variables.push(("MESSAGING_BASE_URL", base));
    }
    if !rarely(random, 20) {
        let long = "k".repeat(5_000);
        let odd = ["", "k", "a\nb", "key with spaces ", "ключ", "\"id\"", &long];
        let key = if rarely(random, 4) { one(random, &odd) } else { KEY };
        variables.push(("MESSAGING_API_KEY", key.into()));
    }
    // One attempt or an invalid value, so that no call waits.
    let attempts = ["1", "1", "1", "0", "11", "+1", "", "x"];
    variables.push(("MESSAGING_MAX_ATTEMPTS", one(random, &attempts).into()));
    let further: [(&str, &[&str]); 6] = [
        ("MESSAGING_DEADLINE_MS", &["30000", "600000", "600001", "0", "-1", "1e3"]),
        ("MESSAGING_MAX_REPLY_BYTES", &["1024", "4194304", "1023", "4194305", "99999999999"]),
        ("MESSAGING_MAX_MESSAGE_BYTES", &["1", "20", "100000", "0", ""]),
        ("MESSAGING_ALLOW_HTTP", &["true", "false", "TRUE", ""]),
        ("MESSAGING_RETRY_RATE_LIMITED", &["true", "false", "\"false\"", "0"]),
        ("MESSAGING_BASE_URL ", &["x"]),
    ];
    for (name, values) in further {
        let chance = if name.ends_with(' ') { 40 } else { 5 };
        if rarely(random, chance) {
            variables.push((name, one(random, values).into()));
        }
    }
    if rarely(random, 20) {
        variables.push(("MESSAGING_WEBHOOK_HEADER", "x".into()));
        variables.push(("PATH", "/bin".into()));
    }
    let mut variables: Vec<_> =
        variables.into_iter().map(|(name, value)| (name.to_string(), value)).collect();
    if rarely(random, 40) {
        variables.extend(variables.first().cloned());
    }
    // An environment variable cannot contain NUL.
    variables.retain(|(_, value)| !value.contains('\0'));
    variables
}

/// Returns an answer that causes another attempt after a very short delay.
fn passing(random: &mut StdRng, lists: bool) -> Answer {
    match random.random_range(0..4) {
        0 => Answer::Reply(reply(
            random,
            429,
            b"{\"message\":\"slow down\"}",
            &[("retry-after", "0")],
        )),
        1 if lists => Answer::Reply(reply(random, 503, b"", &[])),
        _ => Answer::Failure(random.random_range(0..PROOFS)),
    }
}

/// Returns an answer that never ends: no response, or a response whose body stops.
fn silence(random: &mut StdRng) -> Answer {
    let status = one(random, &[200, 201, 201, 401, 422]);
    match random.random_range(0..3) {
        0 => Answer::Silence,
        _ => {
            let mut reply = reply(random, status, b"{\"id\":\"m", &[]);
            reply.end = End::Silent;
            Answer::Reply(reply)
        }
    }
}

fn answers_of(random: &mut StdRng, lists: bool, patient: bool) -> Vec<Answer> {
    if rarely(random, 8) {
        return vec![Answer::Failure(random.random_range(0..FAILURES.len()))];
    }
    if lists && random.random::<bool>() {
        return pages(random);
    }
    let status = match (random.random_range(0..10), lists) {
        (0..4, false) => 201,
        (0..4, true) => 200,
        (4..7, _) => {
            one(random, &[400, 401, 403, 404, 408, 409, 413, 422, 425, 429, 429, 460, 499])
        }
        (7, _) => one(random, &[200, 201, 202, 204, 301, 302, 307, 500, 502, 503, 504, 507]),
        (_, _) => random.random_range(100..1000),
    };
    let mut headers = Vec::new();
    if rarely(random, 4) {
        let pauses = ["120", "99999999999", "-1", "1.5", "soon", "", " 60 ", "60, 70"];
        headers.push(("retry-after", one(random, &pauses)));
        if random.random() {
            headers.push(("retry-after", "Sun, 06 Nov 1994 08:50:37 GMT"));
        }
        if random.random() {
            headers.push(("date", "Sun, 06 Nov 1994 08:49:37 GMT"));
        }
    }
    if rarely(random, 12) {
        let codings = ["gzip", "identity", "br", "", " Identity ", "x"];
        headers.push(("content-encoding", one(random, &codings)));
    }
    if rarely(random, 8) {
        headers.push(("location", "https://elsewhere.example/"));
    }
    // Keeps only a delay beyond the deadline, because the call would wait for a shorter delay.
    if patient {
        headers.retain(|(name, value)| *name != "retry-after" || *value == "99999999999");
    }
    let body = body(random, status);
    vec![Answer::Reply(reply(random, status, &body, &headers))]
}

/// Returns a list of one to four pages, consistent or not.
fn pages(random: &mut StdRng) -> Vec<Answer> {
    let count = random.random_range(1..5);
    let total = if rarely(random, 6) { random.random_range(0..20) } else { count * 2 };
    let page = |random: &mut StdRng, number: u32| {
        let number = if rarely(random, 12) { random.random_range(0..4) } else { number };
        let total = if rarely(random, 20) { total + 1 } else { total };
        let item = |item: u32| {
            format!(
                r#"{{"name":"t{number}-{item}","status":"approved","language":"es","body":"{KEY}"}}"#
            )
        };
        let items = if rarely(random, 12) { 0 } else { 2 };
        let items: Vec<_> = (0..items).map(item).collect();
        let mut body = format!(
            r#"{{"data":[{}],"total":{total},"page":{number},"size":{}}}"#,
            items.join(","),
            items.len()
        );
        if rarely(random, 30) {
            body = altered_text(random, &body);
        }
        Answer::Reply(reply(random, 200, body.as_bytes(), &[]))
    };
    (0..count).map(|number| page(random, number)).collect()
}

fn reply(random: &mut StdRng, status: u16, body: &[u8], headers: &[(&str, &str)]) -> Reply {
    let named =
        headers.iter().map(|(name, value)| (name.as_bytes().to_vec(), value.as_bytes().to_vec()));
    let mut reply = Reply::new(status, named);
    reply.status = StatusCode::from_u16(status).unwrap_or_default();
    if rarely(random, 50)
        && let Ok(value) = HeaderValue::from_bytes(b"\xff\x80")
    {
        reply.headers.append("retry-after", value);
    }
    let size = match random.random_range(0..10) {
        0 if body.len() < 2_000 => 1,
        1 => random.random_range(1..100),
        2 => random.random_range(100..100_000),
        _ => usize::MAX,
    };
    let mut reply = reply.body(body, size.max(body.len() / 64));
    reply.dawdles = rarely(random, 4);
    reply.early = rarely(random, 20);
    if rarely(random, 12) {
        reply.end = End::Broken(random.random_range(0..BREAKS.len()));
    }
    reply
}

fn body(random: &mut StdRng, status: u16) -> Vec<u8> {
    let created = [
        r#"{"id":"msg-1"}"#,
        r#"[{"id":"msg-1","status":"queued"}]"#,
        r#" {"id":"msg-1","more":{"a":[1,2.50,null]}} "#,
        r#"{"id":"a","id":"b"}"#,
        r#"{"id":"a","id":"a"}"#,
        r#"{"id":7}"#,
        r#"{"id":""}"#,
        r#"{"id":"é\u00e9\ud83d\ude00"}"#,
        r#"{"id":"canary-key-4d1f0c8e"}"#,
        r#"{"id":"m","token":"canary-key-4d1f0c8e"}"#,
        r#"{"id":"m","token":"\u0063anary-key-4d1f0c8e"}"#,
        r#"[]"#,
        r#"{}"#,
        "<html><title>Log in</title>",
    ];
    let refused = [
        r#"{"message":"no such number"}"#,
        r#"{"error":"invalid_phone"}"#,
        r#"{"error":{"code":131,"message":"no","details":[{"field":"phone","message":"bad"}]}}"#,
        r#"{"errors":{"phone":["no","never"],"message":"empty"}}"#,
        r#"{"errors":[{"source":{"pointer":"/phone"},"detail":"bad"},"text",7]}"#,
        r#"{"type":"about:blank","title":"Bad","detail":"worse","invalid-params":[{"name":"a","reason":"b"}]}"#,
        r#"["no","never"]"#,
        r#""no""#,
        "no",
        "",
        "<html>no</html>",
        r#"{"message":"the key canary-key-4d1f0c8e is unknown"}"#,
        r#"{"message":"the key \u0063anary-key\u002d4d1f0c8e is unknown"}"#,
        "canary-key-4d1f0c8e",
        "\u{feff}{\"msg\":\"bom\"}",
    ];
    let mut body = match status {
        400..=499 => one(random, &refused).as_bytes().to_vec(),
        _ => one(random, &created).as_bytes().to_vec(),
    };
    match random.random_range(0..16) {
        0..5 => {
            for _ in 0..random.random_range(1..5) {
                let list = if random.random() { &created[..] } else { &refused[..] };
                let other = one(random, list);
                mutate(&mut body, other.as_bytes(), random);
            }
        }
        5 => body = (0..random.random_range(0..200)).map(|_| random.random()).collect(),
        6 => {
            // Lengths around the limits of an error body (1,024, 4,096 and 65,536 bytes), and
            // around the 1,024 bytes that one profile allows for a reply.
            let length = one(random, &[1_000, 1_024, 1_025, 4_096, 5_000, 65_536, 70_000]);
            let filler = one(random, &["x", "é", " ", KEY]);
            let filler = filler.repeat(length / filler.len().max(1));
            body = format!("{{\"id\":\"m\",\"message\":\"{filler}\"}}").into_bytes();
        }
        _ => {}
    }
    body
}
