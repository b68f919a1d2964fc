//! Tests of the listing machine without a component, against a simulated service.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

#[path = "listing/properties.rs"]
mod properties;

use messaging_core::error::{Error, Stage};
use messaging_core::listing::ListTemplates;
use messaging_core::outcome::{Cause, Failure};
use messaging_core::template::{Incomplete, Query, TemplatePage, TemplateQuery};
use messaging_core::wire::{Body, Reply};
use messaging_core::{Input, Machine, Settings, Step};

fn settings() -> Settings {
    Settings::from_variables([
        ("MESSAGING_BASE_URL".into(), "https://api.example".into()),
        ("MESSAGING_API_KEY".into(), "canary-key".into()),
    ])
    .unwrap()
}

fn every_page(parameter: &str) -> Query {
    let every_page = Some(parameter.to_string());
    Query::new(TemplateQuery { every_page, ..TemplateQuery::default() }).unwrap()
}

fn plain(status: u16, body: String) -> Reply {
    Reply {
        status,
        retry_after: vec![],
        date: None,
        content_encoding: vec![],
        body: Body { bytes: body.into_bytes(), cut_short: None },
    }
}

fn reply(status: u16, body: String) -> Input {
    Input::Replied(plain(status, body))
}

fn page(names: &[usize], total: usize, page: usize) -> Input {
    let template =
        |name: &usize| format!(r#"{{"name":"t{name}","status":"APPROVED","language":"es","x":1}}"#);
    page_of(&names.iter().map(template).collect::<Vec<_>>(), total, page)
}

fn page_of(data: &[String], total: usize, page: usize) -> Input {
    let size = data.len();
    let data = data.join(",");
    reply(200, format!(r#"{{"data":[{data}],"total":{total},"page":{page},"size":{size}}}"#))
}

/// Runs a listing, with `every-page: page` if `follow` is true. `service` returns the input for
/// each requested path. Returns the requested paths and the result.
fn list(
    follow: bool,
    mut service: impl FnMut(usize, &str) -> Input,
) -> (Vec<String>, Result<TemplatePage, Error>) {
    let query = TemplateQuery {
        status: Some("approved".into()),
        every_page: follow.then(|| "page".into()),
        ..TemplateQuery::default()
    };
    let query = Query::new(query).unwrap();
    let mut call = ListTemplates::new(&settings(), query, 7).unwrap();
    let mut input = Input::Start;
    let (mut paths, mut now) = (Vec::new(), 0);
    loop {
        input = match call.next(input, now) {
            Step::Send(request) => {
                paths.push(request.path().to_string());
                service(paths.len(), request.path())
            }
            Step::Sleep(pause) => {
                now += u64::from(pause);
                Input::Woke
            }
            Step::Done(result) => return (paths, result),
        };
    }
}

fn number(path: &str) -> usize {
    path.split_once("&page=").map_or(0, |(_, page)| page.parse().unwrap())
}

#[test]
fn mismatched_input_ends_list() {
    let mut call = ListTemplates::new(&settings(), every_page("page"), 7).unwrap();
    assert!(matches!(call.next(Input::Start, 0), Step::Send(_)));
    let step = call.next(Input::Woke, 0);
    assert!(matches!(step, Step::Done(Err(Error::Unavailable(_)))), "{step:?}");
}

#[test]
fn single_page_reports_completeness() {
    let (paths, result) = list(false, |_, _| page(&[0, 1], 2, 0));
    assert_eq!(paths, ["/v1/waba/templates?status=approved"]);
    let all = result.unwrap();
    assert_eq!(
        (all.templates.len(), all.total, all.page, all.size, all.incomplete),
        (2, 2, 0, 2, None)
    );
    let (_, result) = list(false, |_, _| page(&[0, 1], 5, 0));
    assert_eq!(result.unwrap().incomplete, Some(Incomplete::PagesNotFollowed));
    let (_, result) =
        list(false, |_, _| reply(200, r#"{"data":[],"total":0,"page":0,"size":50}"#.into()));
    assert_eq!(result.unwrap().size, 50, "the size in the reply");
}

#[test]
fn no_templates_are_complete_list() {
    for follow in [false, true] {
        let (paths, result) = list(follow, |_, _| page(&[], 0, 0));
        assert_eq!(paths.len(), 1);
        assert_eq!(result.unwrap().incomplete, None);
    }
}

#[test]
fn pages_are_followed_until_total_is_held() {
    let (paths, result) = list(true, |_, path| match number(path) {
        0 => page(&[0, 1], 5, 0),
        1 => page(&[2, 3], 5, 1),
        2 => page(&[4], 5, 2),
        _ => panic!("unexpected request"),
    });
    let base = "/v1/waba/templates?status=approved";
    assert_eq!(paths, [base.to_string(), format!("{base}&page=1"), format!("{base}&page=2")]);
    let all = result.unwrap();
    let names: Vec<_> = all.templates.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["t0", "t1", "t2", "t3", "t4"]);
    assert_eq!(
        (all.total, all.page, all.size, all.incomplete),
        (5, 0, 1, None),
        "the size is that of the last page"
    );
}

#[test]
fn incomplete_listing_has_reason() {
    type Answering = fn(usize) -> Input;
    // The number of requests, the number of templates read, and the total of the last page.
    let cases: [(Incomplete, [usize; 3], Answering); 9] = [
        (Incomplete::PageParameterIgnored, [2, 2, 5], |_| page(&[0, 1], 5, 0)),
        (Incomplete::PageRepeated, [2, 2, 5], |asked| page(&[0, 1], 5, asked)),
        (Incomplete::PageEmpty, [2, 2, 5], |asked| {
            page(if asked == 0 { &[0, 1] } else { &[] }, 5, asked)
        }),
        (Incomplete::PageEmpty, [1, 0, 5], |_| page(&[], 5, 0)),
        (Incomplete::TotalChanged, [2, 2, 6], |asked| page(&[asked], 5 + asked, asked)),
        (Incomplete::TotalChanged, [1, 3, 1], |_| page(&[0, 1, 2], 1, 0)),
        (Incomplete::TotalChanged, [1, 2, 0], |_| page(&[0, 1], 0, 0)),
        (Incomplete::TotalChanged, [2, 4, 3], |asked| {
            page(if asked == 0 { &[0, 1] } else { &[2, 3] }, 3, asked)
        }),
        (Incomplete::PageParameterIgnored, [1, 2, 5], |_| page(&[0, 1], 5, 3)),
    ];
    for (reason, counts, service) in cases {
        let (paths, result) = list(true, |_, path| service(number(path)));
        let held = result.unwrap();
        assert_eq!(held.incomplete, Some(reason));
        let total = usize::try_from(held.total).unwrap();
        assert_eq!([paths.len(), held.templates.len(), total], counts, "{reason:?}");
    }
}

#[test]
fn listing_with_duplicate_is_incomplete() {
    type Listing = (usize, &'static [&'static [usize]]);
    let listings: [(Listing, usize); 9] = [
        // The total, the pages, and the number of requests until the result.
        ((6, &[&[0, 1], &[2, 3], &[0, 1]]), 3),
        ((7, &[&[0, 1], &[2, 3], &[0, 1], &[2, 3]]), 3),
        ((6, &[&[0, 1], &[2, 3], &[1, 0]]), 3),
        ((4, &[&[0, 1], &[1, 2]]), 2),
        ((5, &[&[0, 1], &[1, 2], &[2, 3]]), 3),
        ((4, &[&[0], &[1], &[0], &[1]]), 3),
        ((4, &[&[0, 1], &[1, 2, 3, 4]]), 2),
        ((2, &[&[0, 0]]), 1),
        ((3, &[&[0, 1, 0]]), 1),
    ];
    for ((total, pages), requests) in listings {
        let (paths, result) = list(true, |_, path| page(pages[number(path)], total, number(path)));
        assert_eq!(paths.len(), requests, "{pages:?}");
        let held = result.unwrap();
        assert_eq!(held.incomplete, Some(Incomplete::PageRepeated), "{pages:?}");
    }
}

#[test]
fn repeated_page_is_detected() {
    let template = |name: &str, more: &str| {
        format!(r#"{{"name":"{name}","status":"a","language":"es"{more}}}"#)
    };
    let first = || vec![template("a", ""), template("b", "")];
    let spaced = |text: String| text.replace(':', " : ").replace(',', " ,\n");
    let reordered = |name: &str| format!(r#"{{"language":"es","name":"{name}","status":"a"}}"#);
    let escaped = r#"{"n\u0061me":"\u0061","status":"a","language":"\u0065s"}"#.to_string();
    for again in [
        first(),
        first().into_iter().map(spaced).collect(),
        first().into_iter().rev().collect(),
        vec![reordered("a"), reordered("b")],
        vec![escaped, template("b", "")],
        vec![template("a", r#","asked":2"#), template("b", r#","asked":2"#)],
        vec![template("a", "").replace(r#""a","language"#, r#""b","language"#), template("b", "")],
    ] {
        let (paths, result) = list(true, |_, path| match number(path) {
            0 => page_of(&first(), 4, 0),
            asked => page_of(&again, 4, asked),
        });
        assert_eq!(paths.len(), 2);
        let held = result.unwrap();
        assert_eq!(held.incomplete, Some(Incomplete::PageRepeated), "{again:?}");
        assert_eq!(held.templates.len(), 2);
    }
}

#[test]
fn name_in_several_languages_is_several_templates() {
    let template =
        |language: &str| format!(r#"{{"name":"a","status":"a","language":"{language}"}}"#);
    let (_, result) = list(true, |_, path| {
        let asked = number(path);
        page_of(&[template(["en", "es"][asked])], 2, asked)
    });
    let held = result.unwrap();
    assert_eq!((held.templates.len(), held.incomplete), (2, None));
    // `ab` and `c` differ from `a` and `bc`, although the concatenated strings are equal.
    let pair = |name: &str, language: &str| {
        format!(r#"{{"name":"{name}","status":"a","language":"{language}"}}"#)
    };
    let (_, result) = list(false, |_, _| page_of(&[pair("ab", "c"), pair("a", "bc")], 2, 0));
    assert_eq!(result.unwrap().incomplete, None);
}

#[test]
fn listing_past_deadline_sends_no_request() {
    let query = || every_page("page");
    let call = || ListTemplates::new(&settings(), query(), 7).unwrap();
    let limited = || {
        let mut reply = plain(429, String::new());
        reply.retry_after = vec!["1".into()];
        Input::Replied(reply)
    };
    for woken in [30_000, 30_001, u64::MAX] {
        let mut one = call();
        assert!(matches!(one.next(Input::Start, 0), Step::Send(_)));
        assert!(matches!(one.next(limited(), 10), Step::Sleep(_)));
        let end = one.next(Input::Woke, woken);
        assert!(matches!(end, Step::Done(Err(Error::RateLimited(_)))), "{end:?}");

        let mut one = call();
        assert!(matches!(one.next(Input::Start, 0), Step::Send(_)));
        assert!(matches!(one.next(reply(503, String::new()), 10), Step::Sleep(_)));
        let end = one.next(Input::Woke, woken);
        let status = match end {
            Step::Done(Err(Error::Unavailable(unavailable))) => unavailable.status,
            other => panic!("{other:?}"),
        };
        assert_eq!(status, Some(503));

        // After the deadline, no request for the next page starts. A partial list is not a result.
        let mut one = call();
        assert!(matches!(one.next(Input::Start, 0), Step::Send(_)));
        let end = one.next(page(&[0], 2, 0), woken);
        assert!(matches!(end, Step::Done(Err(Error::Unavailable(_)))), "{end:?}");
        // A complete list is a result even after the deadline.
        let mut one = call();
        assert!(matches!(one.next(Input::Start, 0), Step::Send(_)));
        let end = one.next(page(&[0], 1, 0), woken);
        assert!(matches!(end, Step::Done(Ok(_))), "{end:?}");
    }
}

#[test]
fn endless_listing_ends_at_cap() {
    let (paths, result) = list(true, |_, path| page(&[number(path)], 100_000, number(path)));
    assert_eq!(paths.len(), 1_000);
    let held = result.unwrap();
    assert_eq!((held.templates.len(), held.incomplete), (1_000, Some(Incomplete::CapReached)));
}

/// The result contains each string twice: as a field and in the template's JSON.
#[test]
fn names_and_languages_count_towards_cap() {
    for field in ["name", "status", "language"] {
        let (mut handed, long) = (0, "x".repeat(900_000));
        let (_, result) = list(true, |_, path| {
            let page = number(path);
            let text = |one| if one == field { format!("{page}{long}") } else { format!("{page}") };
            let [name, status, language] = ["name", "status", "language"].map(text);
            let template =
                format!(r#"{{"name":"{name}","status":"{status}","language":"{language}"}}"#);
            page_of(&[template], 100_000, page)
        });
        let held = result.unwrap();
        for one in &held.templates {
            handed += one.name.len() + one.status.len() + one.language.len() + one.json.len();
        }
        assert_eq!(held.incomplete, Some(Incomplete::CapReached), "{field}");
        assert!(handed < 20 * 1024 * 1024, "{field}: {handed}");
    }
}

#[test]
fn broken_reply_is_requested_again() {
    let cut = |cause| {
        let mut reply = plain(200, r#"{"data":[],"total":0"#.into());
        reply.body.cut_short = Some(cause);
        Input::Replied(reply)
    };
    let (paths, result) = list(false, |count, _| match count {
        1 => cut(Cause::Stream),
        _ => page(&[], 0, 0),
    });
    assert_eq!((paths.len(), result.unwrap().incomplete), (2, None));
    let (paths, result) = list(false, |_, _| cut(Cause::Deadline));
    assert_eq!(paths.len(), 3);
    let Err(Error::Unavailable(unavailable)) = result else { panic!("{result:?}") };
    assert_eq!(unavailable.status, Some(200));
    assert_eq!(unavailable.detail, "the deadline passed while reading the reply");
}

#[test]
fn permanent_reply_is_not_requested_again() {
    let whole = || plain(200, r#"{"data":[],"total":0,"page":0,"size":0}"#.into());
    let mut large = whole();
    large.body.cut_short = Some(Cause::TooLarge);
    let mut encoded = whole();
    encoded.content_encoding = vec![b"gzip".to_vec()];
    let mut withheld = whole();
    withheld.body.cut_short = Some(Cause::Code("HTTP-response-content-coding"));
    for (reply, reason) in [
        (large, "MESSAGING_MAX_REPLY_BYTES"),
        (encoded, "content encoding"),
        (withheld, "could hide the API key"),
    ] {
        let (paths, result) = list(false, |_, _| Input::Replied(reply.clone()));
        assert_eq!(paths.len(), 1);
        let Err(Error::UnexpectedReply(unexpected)) = result else { panic!("{result:?}") };
        assert_eq!((unexpected.status, unexpected.path.as_ref()), (200, "$"));
        assert!(unexpected.detail.contains(reason), "{}", unexpected.detail);
    }
}

#[test]
fn rate_limited_listing_waits_for_hint() {
    let limited = |after: &str| {
        let mut reply = plain(429, r#"{"message":"slow down"}"#.into());
        reply.retry_after = vec![after.into()];
        Input::Replied(reply)
    };
    let (paths, result) = list(false, |count, _| match count {
        1 => limited("1"),
        _ => page(&[], 0, 0),
    });
    assert_eq!((paths.len(), result.unwrap().incomplete), (2, None));
    let (paths, result) = list(false, |_, _| limited("30"));
    assert_eq!(paths.len(), 1, "the delay would pass the deadline");
    let Err(Error::RateLimited(limit)) = result else { panic!("{result:?}") };
    assert_eq!(limit.retry_after_ms, Some(30_000));
    assert_eq!(limit.refusal.message.as_deref(), Some("slow down"));
}

#[test]
fn denied_destination_is_not_tried_again() {
    let (paths, result) = list(false, |_, _| {
        Input::Failed(Failure {
            stage: Stage::SendingRequest,
            cause: Cause::Code("destination-IP-prohibited"),
        })
    });
    assert_eq!(paths.len(), 1);
    assert!(matches!(result, Err(Error::Denied(_))), "{result:?}");
}

#[test]
fn too_long_query_is_rejected_early() {
    let call = |name: usize| {
        let query = every_page(&"p".repeat(name));
        ListTemplates::new(&settings(), query, 7)
    };
    let rest = "/v1/waba/templates?=1000".len();
    assert!(call(8_000 - rest).is_ok());
    assert_eq!(call(8_001 - rest).unwrap_err().field, "parameters");
}

#[test]
fn one_budget_serves_all_pages() {
    let passing = |number: usize| reply([408, 425, 500, 502, 503, 504][number % 6], String::new());
    // Two failures are permitted in total, on any page.
    let (paths, result) = list(true, |count, path| match count {
        1 | 3 => passing(count),
        _ => page(&[number(path)], 2, number(path)),
    });
    assert_eq!((paths.len(), result.unwrap().templates.len()), (4, 2));
    let (paths, result) = list(true, |count, path| match count {
        1 | 3 | 4 => passing(count),
        _ => page(&[number(path)], 2, number(path)),
    });
    assert_eq!(paths.len(), 4);
    assert!(matches!(result, Err(Error::Unavailable(_))), "no partial list: {result:?}");
}

#[test]
fn transport_error_is_repeated_and_then_unavailable() {
    let (paths, result) = list(false, |_, _| {
        Input::Failed(Failure {
            stage: Stage::AwaitingReply,
            cause: Cause::Code("connection-terminated"),
        })
    });
    assert_eq!(paths.len(), 3);
    assert!(matches!(result, Err(Error::Unavailable(ref u)) if u.status.is_none()), "{result:?}");
}

#[test]
fn permanent_refusal_is_not_repeated() {
    for status in (100..=599).filter(|s| ![200, 408, 425, 429, 500, 502, 503, 504].contains(s)) {
        let (paths, result) = list(false, |_, _| reply(status, "<html>".into()));
        assert_eq!(paths.len(), 1, "{status}");
        match (status, result) {
            (401 | 403, Err(Error::Unauthorized(refusal))) => assert_eq!(refusal.status, status),
            (401 | 403, other) => panic!("{status}: {other:?}"),
            (400..=499, Err(Error::Refused(refusal))) => assert_eq!(refusal.status, status),
            (500..=599, Err(Error::Unavailable(unavailable))) => {
                assert_eq!(unavailable.status, Some(status));
            }
            (100..=399, Err(Error::UnexpectedReply(unexpected))) => {
                assert_eq!(unexpected.status, status);
            }
            (_, other) => panic!("{status}: {other:?}"),
        }
    }
}

#[test]
fn malformed_reply_names_json_path() {
    let (paths, result) = list(false, |_, _| {
        reply(200, r#"{"data":[{"name":"a"}],"total":1,"page":0,"size":1}"#.into())
    });
    assert_eq!(paths.len(), 1);
    let Err(Error::UnexpectedReply(unexpected)) = result else { panic!("{result:?}") };
    assert_eq!((unexpected.status, unexpected.path.as_ref()), (200, "$.data[0].status"));
}
