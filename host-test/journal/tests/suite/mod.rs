//! Tests of the behavior of every journal. Each crate with a backend includes these tests. The
//! crate provides a module `fixture` with a `Fixture`, a journal that can be opened several times.
//! `Fixture::new` returns `None` if the machine lacks a requirement.

use messaging_journal::{JournalError, MAX_TEXT_BYTES, Swapped};

use super::fixture::Fixture;

#[tokio::test]
async fn value_changes_only_from_expected_value() {
    let Some(fixture) = Fixture::new().await else { return };
    let journal = fixture.open().await;
    assert_eq!(journal.get("k").await.unwrap(), None);
    assert_eq!(journal.swap("k", None, "1").await.unwrap(), Swapped::Swapped);
    let stale = |text: &str| Swapped::Stale(Some(text.into()));
    assert_eq!(journal.swap("k", None, "2").await.unwrap(), stale("1"));
    assert_eq!(journal.swap("k", Some("0"), "2").await.unwrap(), stale("1"));
    assert_eq!(journal.swap("k", Some("1"), "2").await.unwrap(), Swapped::Swapped);
    assert_eq!(journal.swap("other", Some("1"), "2").await.unwrap(), Swapped::Stale(None));
    drop(journal);
    assert_eq!(fixture.open().await.get("k").await.unwrap().as_deref(), Some("2"));
}

/// Three writers swap the values of the same keys in different orders.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn writers_of_same_keys_win_each_step_once() {
    let Some(fixture) = Fixture::new().await else { return };
    let journals = [fixture.open().await, fixture.open().await, fixture.open().await];
    let mut tasks = tokio::task::JoinSet::new();
    for round in 0..10 {
        for number in 0..300 {
            let (journal, writer) = (journals[number % 3].clone(), number % 3);
            let key = format!("k{:03}", (number / 3 * [1, 3, 7][writer]) % 100);
            let expected = (round > 0).then(|| (round - 1).to_string());
            tasks.spawn(async move {
                journal.swap(&key, expected.as_deref(), &round.to_string()).await.unwrap()
            });
        }
        let mut won = 0;
        while let Some(swapped) = tasks.join_next().await {
            match swapped.unwrap() {
                Swapped::Swapped => won += 1,
                Swapped::Stale(found) => assert_eq!(found, Some(round.to_string())),
            }
        }
        assert_eq!(won, 100);
    }
    assert_eq!(fixture.deadlocks(), "0");
}

#[tokio::test]
async fn every_key_is_on_one_page() {
    let Some(fixture) = Fixture::new().await else { return };
    let journal = fixture.open().await;
    let mut tasks = Vec::new();
    for number in 0..1_100 {
        let journal = journal.clone();
        tasks.push(tokio::spawn(async move {
            journal.swap(&format!("k{number:04}"), None, "t").await.unwrap()
        }));
    }
    for task in tasks {
        task.await.unwrap();
    }
    let (mut found, mut after) = (Vec::new(), None);
    loop {
        let page = journal.list(after.as_deref()).await.unwrap();
        found.extend(page.items.into_iter().map(|(key, _)| key));
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    let all: Vec<_> = (0..1_100).map(|number| format!("k{number:04}")).collect();
    assert_eq!(found, all);
}

/// The size of a page is limited, because callers hold copies of it, for example as JSON.
#[tokio::test]
async fn page_of_longest_texts_is_bounded() {
    let Some(fixture) = Fixture::new().await else { return };
    let journal = fixture.open().await;
    let longest = "x".repeat(MAX_TEXT_BYTES);
    for number in 0..20 {
        journal.swap(&format!("k{number:02}"), None, &longest).await.unwrap();
    }
    let first = journal.list(None).await.unwrap();
    // The keys count toward the size limit.
    assert_eq!((first.items.len(), first.next.as_deref()), (15, Some("k14")));
    let rest = journal.list(first.next.as_deref()).await.unwrap();
    assert_eq!((rest.items.len(), rest.next), (5, None));
}

#[tokio::test]
async fn too_long_text_is_rejected() {
    let Some(fixture) = Fixture::new().await else { return };
    let journal = fixture.open().await;
    let long = "x".repeat(MAX_TEXT_BYTES + 1);
    let refused = journal.swap("k", None, &long).await;
    assert!(matches!(refused, Err(JournalError::Refused { .. })), "{refused:?}");
    assert_eq!(journal.get("k").await.unwrap(), None);
}

#[tokio::test]
async fn keys_and_texts_are_kept_and_ordered() {
    let Some(fixture) = Fixture::new().await else { return };
    let journal = fixture.open().await;
    let mut keys = ["b", "a", "B", "a-1", "a1", "a.1", "~", "!", "\\x61", "%", "'", "é", "z"];
    let text = |key: &str| format!("{key}\0\u{1}\\ \u{10ffff} é e\u{301}\r\n'\"");
    for key in keys {
        assert_eq!(journal.swap(key, None, &text(key)).await.unwrap(), Swapped::Swapped);
        // The string looks equal, but has other bytes.
        let other = text(key).replace("e\u{301}", "é");
        let stale = Swapped::Stale(Some(text(key)));
        assert_eq!(journal.swap(key, Some(&other), "new").await.unwrap(), stale);
    }
    keys.sort_unstable();
    let items: Vec<_> = keys.iter().map(|key| (key.to_string(), text(key))).collect();
    assert_eq!(journal.list(None).await.unwrap().items, items);
}

/// Several swaps in one transaction use one key. Each swap sees the result of the previous swap.
#[tokio::test]
async fn concurrent_swaps_are_serialized() {
    let Some(fixture) = Fixture::new().await else { return };
    let journal = fixture.open().await;
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..16 {
        let journal = journal.clone();
        tasks.spawn(async move {
            let mut expected: Option<String> = None;
            loop {
                let next = expected.as_ref().map_or(1, |text| text.parse::<u32>().unwrap() + 1);
                match journal.swap("k", expected.as_deref(), &next.to_string()).await.unwrap() {
                    Swapped::Swapped => return next,
                    Swapped::Stale(found) => {
                        assert_ne!(found, expected);
                        expected = found;
                    }
                }
            }
        });
    }
    let mut won = tasks.join_all().await;
    won.sort_unstable();
    assert_eq!(won, (1..=16).collect::<Vec<_>>());
    assert_eq!(journal.get("k").await.unwrap().as_deref(), Some("16"));
}
