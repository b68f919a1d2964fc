//! Properties of the listing machine, for any service.

use proptest::prelude::*;

use super::*;

proptest! {
    /// For any consistent service, a listing of all pages returns every template once, in order.
    #[test]
    fn every_template_is_held_once(total in 0..60_usize, size in 1..10_usize) {
        let all: Vec<usize> = (0..total).collect();
        let (paths, result) = list(true, |_, path| {
            let asked = number(path);
            page(all.chunks(size).nth(asked).unwrap_or_default(), total, asked)
        });
        prop_assert_eq!(paths.len(), total.div_ceil(size).max(1));
        let held = result.unwrap();
        prop_assert_eq!(held.incomplete, None);
        let names: Vec<_> = held.templates.into_iter().map(|one| one.name).collect();
        let expected: Vec<_> = all.iter().map(|name| format!("t{name}")).collect();
        prop_assert_eq!(names, expected);
    }

    /// For any templates on any pages, a complete list has no duplicates and at least `total`
    /// templates.
    #[test]
    fn only_whole_list_is_complete(
        pages in prop::collection::vec(prop::collection::vec(0..8_usize, 0..5), 1..6),
        total in 0..10_usize,
    ) {
        let (_, result) = list(true, |_, path| {
            let asked = number(path);
            page(pages.get(asked).map_or(&[], Vec::as_slice), total, asked)
        });
        let held = result.unwrap();
        let names: std::collections::BTreeSet<_> =
            held.templates.iter().map(|one| one.name.clone()).collect();
        let whole = names.len() == held.templates.len() && names.len() >= total;
        prop_assert!(held.incomplete.is_some() || whole);
    }

    /// No request starts after the deadline, for any time between two steps.
    #[test]
    fn nothing_is_asked_for_past_deadline(
        leaps in prop::collection::vec(prop_oneof![Just(0), 0..40_000_u64, Just(7_200_000)], 1..20),
        statuses in prop::collection::vec(prop::sample::select(vec![200, 429, 503]), 1..20),
    ) {
        let query = every_page("page");
        let mut call = ListTemplates::new(&settings(), query, 7).unwrap();
        let (mut input, mut now) = (Input::Start, 0_u64);
        let (mut leaps, mut statuses) = (leaps.into_iter().cycle(), statuses.into_iter().cycle());
        for asked in 0.. {
            input = match call.next(input, now) {
                Step::Send(request) => {
                    prop_assert!(now < 30_000);
                    let number = request.path().split_once("page=").map_or(0, |(_, page)| page.parse().unwrap());
                    match statuses.next().unwrap() {
                        200 => page(&[asked], 6, number),
                        status => reply(status, String::new()),
                    }
                }
                Step::Sleep(pause) => {
                    now += u64::from(pause);
                    Input::Woke
                }
                Step::Done(_) => break,
            };
            now += leaps.next().unwrap();
        }
    }

    /// For any service, a listing ends. A complete list has at least `total` templates.
    #[test]
    fn listing_ends_and_never_claims_too_much(
        pages in prop::collection::vec((0..6_usize, 0..20_usize, 0..4_usize), 1..12),
    ) {
        let mut next = 0;
        let (_, result) = list(true, |count, _| {
            let (held, total, number) = pages[count % pages.len()];
            let names: Vec<usize> = (next..next + held).collect();
            next += held;
            page(&names, total, number)
        });
        let held = result.unwrap();
        let all = held.templates.len() >= usize::try_from(held.total).unwrap();
        prop_assert!(held.incomplete.is_some() || all);
    }
}
