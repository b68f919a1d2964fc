//! Tests of the HTTP journal's requests and replies.

use super::*;
use crate::outcome;
use crate::wire::Body;
use alloc::format;
use alloc::vec;

const SECRET: &str = "canary-token-0123456789";

fn read(pairs: &[(&str, &str)]) -> Result<Settings, InvalidSettings> {
    let mut all = vec![(URL.to_string(), "https://journal.example/p".to_string())];
    all.push((TOKEN.into(), SECRET.into()));
    for (name, value) in pairs {
        all.retain(|(known, _)| known != name);
        all.push(((*name).into(), (*value).into()));
    }
    Settings::from_variables(all)
}

fn reply(status: u16, body: &str) -> Input {
    Input::Replied(Reply {
        status,
        retry_after: vec![],
        date: None,
        content_encoding: vec![],
        body: Body { bytes: body.as_bytes().to_vec(), cut_short: None },
    })
}

#[test]
fn unknown_names_are_ignored() {
    let others = [
        ("MESSAGING_API_KEY", "x"),
        ("MESSAGING_JOURNAL_TOKENS", "x"),
        ("MESSAGING_JOURNAL_SERVICE_HOST", "10.0.0.1"),
        ("MESSAGING_JOURNAL_PORT", "tcp://10.0.0.1:80"),
    ];
    assert_eq!(read(&others).unwrap().deadline_ms, 5_000);
    assert_eq!(read(&[(DEADLINE_MS, "1")]).unwrap().deadline_ms, 1);
}

#[test]
fn invalid_setting_is_named_without_its_value() {
    for (name, value) in [
        (URL, "http://canary.example"),
        (URL, "https://user:canary@journal.example"),
        (URL, ""),
        (TOKEN, "canary\n"),
        (TOKEN, ""),
        (DEADLINE_MS, "0"),
        (DEADLINE_MS, "canary"),
        (ALLOW_HTTP, "canary"),
    ] {
        let error = read(&[(name, value)]).unwrap_err();
        assert_eq!(error.setting, name, "{value}");
        assert!(!error.detail.contains("canary"), "{}", error.detail);
    }
    assert!(read(&[(URL, "http://127.0.0.1:8089")]).is_ok());
    assert!(read(&[(URL, "http://journal.lan"), (ALLOW_HTTP, "true")]).is_ok());
    let missing = Settings::from_variables([]).unwrap_err();
    let Failure::NotSetUp(detail) = Failure::from(missing) else { panic!("another failure") };
    assert_eq!(detail, "MESSAGING_JOURNAL_URL is not set");
}

#[test]
fn question_is_one_post_with_token() {
    let settings = read(&[]).unwrap();
    for (question, path, body) in [
        (Question::Get { key: "a\"b" }, "get", r#"{"key":"a\"b"}"#),
        (
            Question::Swap { key: "k", expected: None, new: "{\"v\":1}" },
            "swap",
            r#"{"key":"k","expected":null,"new":"{\"v\":1}"}"#,
        ),
        (
            Question::Swap { key: "k", expected: Some("é\n"), new: "" },
            "swap",
            r#"{"key":"k","expected":"é\n","new":""}"#,
        ),
        (Question::List { after: None }, "list", "{}"),
        (Question::List { after: Some("k") }, "list", r#"{"after":"k"}"#),
    ] {
        let request = settings.request(question).unwrap();
        assert_eq!(request.method(), Method::Post);
        assert_eq!(request.path(), format!("/p/v1/journal/{path}"));
        assert_eq!(request.body(), body.as_bytes());
        let [(name, value), ..] = &request.headers()[..] else { panic!("no headers") };
        assert_eq!((*name, &value[..]), ("authorization", &b"Bearer canary-token-0123456789"[..]));
        assert!(!format!("{request:?} {settings:?}").contains("canary"));
    }
}

#[test]
fn responses_are_read_as_specified() {
    assert_eq!(read_text(br#"{"text":null}"#), Ok(None));
    assert_eq!(read_text(br#"{"text":"{\"v\":1}","more":1}"#), Ok(Some("{\"v\":1}".into())));
    assert_eq!(read_swapped(br#"{"swapped":true}"#), Ok(Swapped::Swapped));
    let stale = |text: Option<&str>| Ok(Swapped::Stale(text.map(Into::into)));
    assert_eq!(read_swapped(br#"{"swapped":false,"text":"x"}"#), stale(Some("x")));
    assert_eq!(read_swapped(br#"{"swapped":false,"text":null}"#), stale(None));
    let page = read_page(br#"{"items":[{"key":"a","text":"1"}],"next":"a"}"#).unwrap();
    assert_eq!(page, Page { items: vec![("a".into(), "1".into())], next: Some("a".into()) });
    assert_eq!(read_page(br#"{"items":[],"next":null}"#).unwrap().next, None);
}

/// An unexpected response must not be read as "no value" or as "swapped".
#[test]
fn unexpected_response_is_unavailable() {
    for body in ["", "{}", "null", "[]", "<html>", "{\"text\":1}", "{\"text\":null,\"text\":\"x\"}"]
    {
        assert!(matches!(read_text(body.as_bytes()), Err(Failure::Unavailable(_))), "{body}");
    }
    for body in ["", "{}", "{\"swapped\":1}", "{\"swapped\":\"true\"}", "{\"swapped\":false}"] {
        assert!(matches!(read_swapped(body.as_bytes()), Err(Failure::Unavailable(_))), "{body}");
    }
    for body in ["{}", "{\"items\":[]}", "{\"items\":[{\"key\":\"a\"}],\"next\":null}"] {
        assert!(matches!(read_page(body.as_bytes()), Err(Failure::Unavailable(_))), "{body}");
    }
}

#[test]
fn only_some_statuses_prove_no_write() {
    let settings = read(&[]).unwrap();
    let judged = |status| match settings.answer(reply(status, "")) {
        Ok(_) => "answered",
        Err(Failure::NotSetUp(_)) => "not set up",
        Err(Failure::Rejected(_)) => "rejected",
        Err(Failure::Unavailable(_)) => "unavailable",
    };
    for status in 0..1_000 {
        let expected = match status {
            200 => "answered",
            401 | 403 | 404 | 405 => "not set up",
            400 | 413 | 422 => "rejected",
            _ => "unavailable",
        };
        assert_eq!(judged(status), expected, "{status}");
    }
    let failed = |stage, cause| {
        settings.answer(Input::Failed(outcome::Failure { stage, cause })).unwrap_err()
    };
    let denied = failed(Stage::SendingRequest, Cause::Code("HTTP-request-denied"));
    assert_eq!(denied, Failure::NotSetUp("HTTP-request-denied while connecting".into()));
    for cause in [Cause::Code("connection-refused"), Cause::Deadline, Cause::Stream] {
        assert!(matches!(failed(Stage::AwaitingReply, cause), Failure::Unavailable(_)));
    }
}

#[test]
fn server_text_is_reported_without_token() {
    let problem = format!("{{\"code\":\"no-journal\",\"detail\":\"start it, {SECRET}\"}}");
    let failure = read(&[]).unwrap().answer(reply(404, &problem)).unwrap_err();
    assert_eq!(failure, Failure::NotSetUp("status 404: start it, [redacted]".into()));
}

#[test]
fn truncated_or_encoded_answer_is_rejected() {
    let settings = read(&[]).unwrap();
    for (cut_short, encoding, said) in [
        (Some(Cause::Deadline), "", "the deadline passed while reading the reply"),
        (Some(Cause::TooLarge), "", "the response is larger than 4 MiB"),
        (None, "gzip", "the response has a content encoding"),
    ] {
        let Input::Replied(reply) = reply(200, "{\"text\":null}") else { continue };
        let body = Body { cut_short, ..reply.body };
        let content_encoding = vec![encoding.as_bytes().to_vec()];
        let answer = settings.answer(Input::Replied(Reply { body, content_encoding, ..reply }));
        assert_eq!(answer, Err(Failure::Unavailable(said.into())));
    }
}
