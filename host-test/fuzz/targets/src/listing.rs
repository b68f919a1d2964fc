//! The state machine that lists templates page by page.

use std::collections::BTreeSet;

use messaging_core::limits::MAX_PAGES;
use messaging_core::listing::ListTemplates;
use messaging_core::template::{Incomplete, Query, TemplateQuery};
use messaging_core::wire::{Method, Request};
use messaging_core::{Error, Input as MachineInput, Machine, Step};

use super::input::{Input, keeps_the_key, settings, text};

pub fn check(data: &[u8]) {
    let mut input = Input(data);
    let attempts = u32::from(input.byte() % 10) + 1;
    let deadline_ms = u32::from(input.byte()) * 100 + 1;
    let query = Caller::of(&mut input);
    let built = Query::new(TemplateQuery {
        status: query.status.clone(),
        parameters: query.parameters.clone(),
        every_page: query.every_page.clone(),
    });
    let Ok(built) = built else { return };
    let settings = settings(attempts, deadline_ms);
    let Ok(mut call) = ListTemplates::new(&settings, built, 7) else {
        assert!(query.bytes() > 2_000, "rejected a query of at most 2,000 bytes");
        return;
    };
    let (mut now, mut retries, mut pages) = (0_u64, 0, 0);
    let mut answer = MachineInput::Start;
    let mut waits = false;
    loop {
        let woke = matches!(answer, MachineInput::Woke);
        match call.next(answer, now) {
            Step::Send(request) => {
                assert!(now < u64::from(deadline_ms), "a request after the deadline");
                // A request after a delay is a retry; every other request asks for the next page.
                pages += u32::from(!woke);
                assert!(pages <= MAX_PAGES);
                query.is_in(request, pages - 1);
                waits = true;
            }
            Step::Sleep(pause) => {
                retries += 1;
                assert!(waits && retries < attempts);
                now += u64::from(pause);
                assert!(now < u64::from(deadline_ms));
                // Half of the delays end after the deadline.
                now += u64::from(input.byte() / 128) * 100_000;
                answer = MachineInput::Woke;
                continue;
            }
            Step::Done(result) => return judge(result, pages, &query),
        }
        now += u64::from(input.byte());
        answer = if input.byte().is_multiple_of(8) {
            MachineInput::Failed(input.failure())
        } else {
            let length = usize::from(input.byte()) * 4;
            let (reply, rest) = input.0.split_at(length.min(input.0.len()));
            input.0 = rest;
            MachineInput::Replied(Input(reply).reply())
        };
    }
}

fn judge(
    result: Result<messaging_core::template::TemplatePage, Error>,
    pages: u32,
    query: &Caller,
) {
    match result {
        Ok(page) => {
            let held = u64::try_from(page.templates.len()).unwrap_or(u64::MAX);
            match page.incomplete {
                // A list without `incomplete` has all templates, each once.
                None => {
                    assert!(held >= page.total.into() && page.page == 0);
                    let names = page.templates.iter().map(|one| (&one.name, &one.language));
                    assert_eq!(names.collect::<BTreeSet<_>>().len(), page.templates.len());
                }
                Some(Incomplete::PagesNotFollowed) => assert!(query.every_page.is_none()),
                Some(_) => assert!(query.every_page.is_some() || pages == 1),
            }
            assert!(pages == 1 || query.every_page.is_some());
            for template in &page.templates {
                keeps_the_key(&template.json);
            }
        }
        Err(error) => {
            keeps_the_key(&format!("{error:?}"));
            let other = matches!(
                error,
                Error::InvalidSettings(_) | Error::OutcomeUnknown(_) | Error::NotSent(_)
            );
            assert!(!other, "unexpected error of a read-only call: {error:?}");
        }
    }
}

/// A query, as given by the caller.
struct Caller {
    status: Option<String>,
    parameters: Vec<(String, String)>,
    every_page: Option<String>,
}

impl Caller {
    /// Takes three lines: status, page parameter, and further parameters.
    fn of(input: &mut Input<'_>) -> Self {
        let given = |line: &[u8]| (!line.is_empty()).then(|| text(line));
        let (status, every_page) = (given(input.line()), given(input.line()));
        let parameters = text(input.line());
        let pair = |pair: &str| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            (name.to_string(), value.to_string())
        };
        let parameters = parameters.split('&').filter(|pair| !pair.is_empty()).map(pair);
        Self { status, parameters: parameters.collect(), every_page }
    }

    fn bytes(&self) -> usize {
        let pairs = self.parameters.iter().map(|(name, value)| name.len() + value.len() + 2);
        self.status.as_ref().map_or(0, String::len) + pairs.sum::<usize>()
    }

    /// Asserts that the request contains exactly this query, and that no value changes the path or
    /// host.
    fn is_in(&self, request: &Request, page: u32) {
        assert_eq!(request.method(), Method::Get);
        assert_eq!(request.authority(), "api.example");
        let (path, query) = request.path().split_once('?').unwrap_or((request.path(), ""));
        assert_eq!(path, "/prefix/v1/waba/templates");
        assert!(query.bytes().all(|byte| byte.is_ascii_graphic()));
        let pairs = query.split('&').filter(|pair| !pair.is_empty());
        let pairs: Vec<_> = pairs
            .map(|pair| {
                let (name, value) = pair.split_once('=').expect("a name and a value");
                (decoded(name), decoded(value))
            })
            .collect();
        let mut expected: Vec<(String, String)> = Vec::new();
        expected.extend(self.status.clone().map(|status| ("status".into(), status)));
        expected.extend(self.parameters.clone());
        if page > 0 {
            expected.extend(self.every_page.clone().map(|name| (name, page.to_string())));
        }
        assert_eq!(pairs, expected);
        let names: BTreeSet<_> = request.headers().into_iter().map(|(name, _)| name).collect();
        assert_eq!(names.len(), request.headers().len());
    }
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        if let (b'%', [high, low, after @ ..]) = (first, after) {
            let digit = |byte: u8| char::from(byte).to_digit(16).expect("a digit");
            bytes.push(u8::try_from(digit(*high) * 16 + digit(*low)).expect("a byte"));
            rest = after;
        } else {
            bytes.push(*first);
            rest = after;
        }
    }
    String::from_utf8(bytes).expect("the input is UTF-8")
}
