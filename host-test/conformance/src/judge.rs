//! Judges a case: compares the outcome and the received requests with the case, and with the rules
//! for all cases.

use messaging_core::error::Case as ErrorCase;
use messaging_core::limits::MAX_REFUSAL_TEXT_BYTES;
use serde_json::Value;

use super::case::{Case, Expected, Function, KEY, Pattern, Requests, RunningCase, expand};
use super::report::Verdict;
use messaging_simulator::faults::{ConnectionEvent, Event, Received, Record};

impl Case {
    /// Judges the outcome of a call: `{"ok": ...}`, `{"error": {"case", "payload"}}`, or
    /// `{"trap": "text"}` if the component returned no result.
    pub fn judge(&self, running: &RunningCase, outcome: &Value) -> Verdict {
        let mut problems = Vec::new();
        let unmet = self.expect.unmet(outcome);
        let weaker = match (&unmet, &self.or) {
            (Some(_), Some(or)) => or.unmet(outcome).is_none(),
            _ => false,
        };
        if !weaker {
            problems.extend(unmet);
        }
        let record = running.peer.record();
        problems.extend(self.requests.unmet(&record.requests));
        for request in &record.elsewhere {
            problems.push(format!(
                "a request went to another address: {} {}",
                request.method, request.target
            ));
        }
        let key = running.settings.get("MESSAGING_API_KEY").map_or(KEY, String::as_str);
        for request in record.requests.iter().chain(&record.elsewhere) {
            problems.extend(match self.neutral {
                true => key_scattered(request, key),
                false => key_misplaced(request, key),
            });
        }
        problems.extend(misshapen(self.call, outcome));
        let text = outcome.to_string();
        if key.len() >= 4 && text.contains(key) {
            problems.push("the outcome contains the API key".into());
        }
        let says = |text: &str| text.to_ascii_lowercase().contains("delivered");
        if says(&text) && !says(&running.said) {
            problems
                .push("the outcome mentions delivery, which status 201 does not confirm".into());
        }
        if !problems.is_empty() && !record.events.is_empty() {
            problems.push(format!("events at the service: {}", story(&record)));
        }
        Verdict::new(self, problems, weaker)
    }
}

/// Describes the events at the service, to explain a failure.
fn story(record: &Record) -> String {
    let one = |event: &Event| match &event.what {
        ConnectionEvent::Accepted => format!("connection {} accepted", event.connection),
        ConnectionEvent::NoTls(error) => format!("no TLS ({error})"),
        ConnectionEvent::Read => "request read".into(),
        ConnectionEvent::Wrote(bytes) => format!("{bytes} bytes written"),
        ConnectionEvent::Opened(gate) => format!("gate {gate} opened"),
        ConnectionEvent::Passed(gate) => format!("gate {gate} passed"),
        ConnectionEvent::Left => "caller gone".into(),
        ConnectionEvent::Ended => "ended".into(),
    };
    record.events.iter().map(one).collect::<Vec<_>>().join(", ")
}

impl Expected {
    fn unmet(&self, outcome: &Value) -> Option<String> {
        let shown = shorten(&outcome.to_string());
        let expected = match (&self.ok, &self.error) {
            (Some(ok), _) => {
                let Some(found) = outcome.get("ok") else {
                    return Some(format!("success was expected, not {shown}"));
                };
                return unlike(&expand(ok.clone()), found, "ok");
            }
            (None, Some(case)) => case,
            (None, None) => return Some("the case has no expected outcome".into()),
        };
        let Some(error) = outcome.get("error") else {
            return Some(format!("{expected} was expected, not {shown}"));
        };
        if error.get("case").and_then(Value::as_str) != Some(expected) {
            return Some(format!("{expected} was expected, not {shown}"));
        }
        let pattern = expand(self.payload.clone()?);
        unlike(&pattern, error.get("payload").unwrap_or(&Value::Null), "payload")
    }
}

/// Returns the first difference between `found` and `pattern`.
fn unlike(pattern: &Value, found: &Value, path: &str) -> Option<String> {
    match (pattern, found) {
        (Value::Object(pattern), _) if pattern.contains_key("$contains") => {
            let part = pattern.get("$contains").and_then(Value::as_str).unwrap_or_default();
            let holds = found.as_str().is_some_and(|text| text.contains(part));
            (!holds).then(|| format!("{path} is {}, which lacks {part:?}", shown(found)))
        }
        (Value::Object(pattern), Value::Object(found)) => {
            pattern.iter().find_map(|(name, value)| {
                let path = format!("{path}.{name}");
                unlike(value, found.get(name).unwrap_or(&Value::Null), &path)
            })
        }
        (Value::Array(pattern), Value::Array(found)) if pattern.len() == found.len() => {
            let mut pairs = pattern.iter().zip(found).enumerate();
            pairs.find_map(|(index, (pattern, found))| {
                unlike(pattern, found, &format!("{path}[{index}]"))
            })
        }
        (Value::Number(pattern), Value::Number(found)) if pattern.as_f64() == found.as_f64() => {
            None
        }
        _ if pattern == found => None,
        _ => Some(format!("{path} is {}, not {}", shown(found), shown(pattern))),
    }
}

impl Requests {
    fn unmet(&self, received: &[Received]) -> Vec<String> {
        let expected = match self {
            Self::Count(count) => *count,
            Self::Each(patterns) => patterns.len(),
        };
        let mut problems = Vec::new();
        if received.len() != expected {
            problems.push(format!("{} requests were received, not {expected}", received.len()));
        }
        if let Self::Each(patterns) = self {
            for (pattern, request) in patterns.iter().zip(received) {
                pattern.compare(request, &mut problems);
            }
        }
        problems
    }
}

impl Pattern {
    fn compare(&self, request: &Received, problems: &mut Vec<String>) {
        let mut differs = |what: &str, expected: &str, found: &str| {
            if expected != found {
                let (found, expected) = (shorten(found), shorten(expected));
                problems.push(format!("the request's {what} is {found:?}, not {expected:?}"));
            }
        };
        if let Some(method) = &self.method {
            differs("method", method, &request.method);
        }
        if let Some(target) = &self.target {
            differs("target", target, &request.target);
        }
        let values = |name: &str| -> Vec<&str> {
            let own = request.headers.iter().filter(|(own, _)| own == name);
            own.map(|(_, value)| value.as_str()).collect()
        };
        for (name, value) in &self.headers {
            differs(&format!("header {name}"), value, &values(name).join(" and "));
        }
        for name in &self.without {
            differs(&format!("header {name}"), "", &values(name).join(" and "));
        }
        if let Some(body) = &self.body {
            differs("body", body, &request.body);
        }
        if let Some(json) = &self.json {
            let expected = expand(json.clone());
            let found = serde_json::from_str(&request.body).unwrap_or(Value::Null);
            if expected != found {
                differs("body", &expected.to_string(), &request.body);
            }
        }
    }
}

/// Checks that the request has one `Token` header with the unchanged API key, and that no other
/// part of the request contains the key. Returns the problems.
fn key_misplaced(request: &Received, key: &str) -> Vec<String> {
    let mut problems = Vec::new();
    let tokens: Vec<_> = request.headers.iter().filter(|(name, _)| name == "token").collect();
    if tokens.len() != 1 || tokens.iter().any(|(_, value)| value != key) {
        problems.push("a request does not have the unchanged key in one Token header".into());
    }
    if key.len() < 4 {
        return problems;
    }
    let others = request.headers.iter().filter(|(name, _)| name != "token");
    let mut texts = others.map(|(_, value)| value).chain([&request.target, &request.body]);
    if texts.any(|text| text.contains(key)) {
        problems.push("a request holds the key outside the Token header".into());
    }
    problems
}

/// Returns a problem if the API key occurs in several headers, in the target or in the body. A
/// provider may choose any one header.
fn key_scattered(request: &Received, key: &str) -> Vec<String> {
    if key.len() < 4 {
        return Vec::new();
    }
    let headers = request.headers.iter().filter(|(_, value)| value.contains(key)).count();
    let elsewhere = [&request.target, &request.body].iter().any(|text| text.contains(key));
    let scattered = headers > 1 || elsewhere;
    scattered
        .then(|| {
            "a request has the key in several headers, in its target or in its body".to_string()
        })
        .into_iter()
        .collect()
}

/// Returns the rules of the interface that an error of `function` violates. The rules apply to
/// every provider.
fn misshapen(function: Function, outcome: &Value) -> Vec<String> {
    let Some(error) = outcome.get("error") else { return Vec::new() };
    let case = error.get("case").and_then(Value::as_str).unwrap_or_default();
    let payload = error.get("payload").unwrap_or(&Value::Null);
    let text = |name: &str| payload.get(name).and_then(Value::as_str).unwrap_or_default();
    let mut problems = Vec::new();
    let known = ErrorCase::named(case).filter(|case| match (function, case) {
        (_, ErrorCase::ExecutionFailed) => false,
        (Function::SendMessage, case) => {
            !matches!(case, ErrorCase::UnexpectedReply | ErrorCase::Unavailable)
        }
        (Function::ListTemplates, case) => {
            !matches!(case, ErrorCase::OutcomeUnknown | ErrorCase::NotSent)
        }
        (Function::HandleEvent, case) => {
            matches!(case, ErrorCase::InvalidInput | ErrorCase::Other)
        }
    });
    if known.is_none() {
        problems.push(format!("{case} is not an error of this function"));
    }
    let has_refusal = matches!(
        known,
        Some(ErrorCase::Unauthorized | ErrorCase::Refused | ErrorCase::RateLimited)
    );
    if !has_refusal && text("detail").is_empty() {
        problems.push(format!("{case} has no detail"));
    }
    let kebab = |code: &str| {
        let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        !code.is_empty() && code.bytes().all(allowed)
    };
    if case == "permanent-other" && !kebab(text("code")) {
        problems.push(format!("the code is not in kebab case: {:?}", text("code")));
    }
    let refusals = [Some(payload), payload.get("refusal")];
    let bodies = refusals.into_iter().flatten().filter_map(|refusal| refusal.get("body")?.as_str());
    for body in bodies.filter(|body| body.len() > MAX_REFUSAL_TEXT_BYTES) {
        problems.push(format!("the text of a refusal has {} bytes, above the limit", body.len()));
    }
    problems
}

fn shown(value: &Value) -> String {
    shorten(&value.to_string())
}

fn shorten(text: &str) -> String {
    match text.char_indices().nth(300) {
        Some((end, _)) => format!("{}... ({} bytes)", text.get(..end).unwrap_or(text), text.len()),
        None => text.to_string(),
    }
}
