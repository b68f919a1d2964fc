//! The inbox on a key-value store.

use std::collections::BTreeSet;

use messaging_host::keyvalue::Error;

use super::*;

async fn put_key(store: &Memory, entry: &Entry) -> Answer {
    put(keyvalue_inbox(), WasiCtxBuilder::new(), store.clone(), entry).await
}

#[tokio::test]
async fn each_event_has_its_own_entry() {
    let store = Memory::default();
    let (first, second) = (entry("EVT 1", "{\"n\":1}"), entry("EVT 1", "{\"n\":2}"));
    assert_eq!(put_key(&store, &first).await, Ok(Stored::Stored));
    assert_eq!(put_key(&store, &first).await, Ok(Stored::Duplicate));
    assert_eq!(put_key(&store, &second).await, Ok(Stored::Conflict));
    assert_eq!(put_key(&store, &second).await, Ok(Stored::Conflict));
    assert_eq!(put_key(&store, &first).await, Ok(Stored::Duplicate));
    let (one, two) = (record(&first), record(&second));
    let key = |record: &Record| format!("event.{}.{}", record.name, record.digest);
    let label = format!("first.{}", one.name);
    let conflicts = format!("conflicts.{}", one.name);
    let keys: BTreeSet<_> = [key(&one), key(&two), label.clone(), conflicts.clone()].into();
    assert_eq!(store.keys().into_iter().collect::<BTreeSet<_>>(), keys);
    assert_eq!(store.value(&key(&one)).unwrap(), one.bytes);
    assert_eq!(store.value(&key(&two)).unwrap(), two.bytes);
    assert_eq!(store.value(&label).unwrap(), one.digest.as_bytes());
    assert_eq!(store.value(&conflicts).unwrap(), format!("{}\n", two.digest).as_bytes());
    let safe =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_=.".contains(&byte);
    assert!(keys.iter().all(|key| key.bytes().all(safe) && key.len() <= 181));
}

#[tokio::test]
async fn aborted_write_leaves_no_lone_label() {
    let (first, second) = (entry("evt-1", "{\"n\":1}"), entry("evt-1", "{\"n\":2}"));
    for waits in 0.. {
        let store = Memory::default();
        let consistent = || {
            let label = store.value("first.evt-1");
            let event =
                label.map(|digest| format!("event.evt-1.{}", String::from_utf8(digest).unwrap()));
            assert!(event.is_none_or(|event| store.value(&event).is_some()), "after {waits} waits");
        };
        let done = cut_off(put_key(&store, &first), waits).await.is_some();
        consistent();
        let again = put_key(&store, &first).await.unwrap();
        assert!(again == Stored::Duplicate || (!done && again == Stored::Stored), "{again:?}");
        let conflict = cut_off(put_key(&store, &second), waits).await.is_some();
        consistent();
        assert_eq!(put_key(&store, &second).await, Ok(Stored::Conflict));
        assert_eq!(put_key(&store, &first).await, Ok(Stored::Duplicate));
        let listed = format!("{}\n", record(&second).digest);
        assert_eq!(store.value("conflicts.evt-1").unwrap(), listed.as_bytes());
        assert_eq!(store.keys().len(), 4);
        if done && conflict {
            assert!(waits >= 8, "{waits}");
            return;
        }
    }
}

#[tokio::test]
async fn at_most_16_conflicts_are_stored() {
    let event = |number: u32| entry("evt-1", &format!("{{\"n\":{number}}}"));
    let (folder, store) = (TempDir::new().unwrap(), Memory::default());
    for number in 0..40 {
        let answers = [
            ("files", put_file(folder.path(), &event(number)).await),
            ("key-value", put_key(&store, &event(number)).await),
        ];
        for (kind, answer) in answers {
            match number {
                0 => assert_eq!(answer, Ok(Stored::Stored), "{kind}"),
                1..=16 => assert_eq!(answer, Ok(Stored::Conflict), "{kind} {number}"),
                _ => {
                    let text = unavailable(answer);
                    assert!(text.contains("16 conflicting events"), "{text}");
                }
            }
        }
    }
    // A stored event is still recognized. The limit of this key does not affect other keys.
    for (number, stored) in [(0, Stored::Duplicate), (16, Stored::Conflict)] {
        assert_eq!(put_file(folder.path(), &event(number)).await, Ok(stored));
        assert_eq!(put_key(&store, &event(number)).await, Ok(stored));
    }
    for (json, stored) in [("{}", Stored::Stored), ("[]", Stored::Conflict)] {
        assert_eq!(put_file(folder.path(), &entry("evt", json)).await, Ok(stored));
        assert_eq!(put_key(&store, &entry("evt", json)).await, Ok(stored));
    }
    let of_one = |name: &&String| name.starts_with("evt-1.");
    assert_eq!(names(&folder.path().join("conflict")).iter().filter(of_one).count(), 16);
    assert!(names(&folder.path().join("tmp")).is_empty());
    let events = store.keys();
    assert_eq!(events.iter().filter(|key| key.starts_with("event.evt-1.")).count(), 17);
}

#[tokio::test]
async fn concurrent_writes_lose_nothing() {
    for round in 0..20 {
        let store = Memory::default();
        let calls = (0..8).map(|n| {
            let (store, event) = (store.clone(), entry("evt-1", &format!("{{\"n\":{}}}", n % 2)));
            tokio::spawn(async move {
                for _ in 0..n * round {
                    tokio::task::yield_now().await;
                }
                put_key(&store, &event).await.unwrap()
            })
        });
        let answers = ended(calls).await;
        assert!(answers.contains(&Stored::Stored), "{answers:?}");
        let keys = store.keys();
        let events = keys.iter().filter(|key| key.starts_with("event."));
        assert_eq!(events.count(), 2, "{answers:?}");
        assert!(keys.contains(&"first.evt-1".into()), "{keys:?}");
    }
}

#[tokio::test]
async fn bucket_errors_are_reported() {
    let event = entry("evt-1", "{}");
    let call = async |bucket: &str, store: &Memory| {
        let mut wasi = WasiCtxBuilder::new();
        wasi.env("MESSAGING_WEBHOOK_BUCKET", bucket);
        put(keyvalue_inbox(), wasi, store.clone(), &event).await
    };
    assert_eq!(call("mine", &Memory::default()).await, Ok(Stored::Stored));
    assert_eq!(call("", &Memory::default()).await, Ok(Stored::Stored));
    let answer = call("missing", &Memory::default()).await;
    let text = not_set_up(answer);
    assert!(text.contains("missing") && text.contains("MESSAGING_WEBHOOK_BUCKET"), "{text}");
    let answer = call("mine", &Memory::failing(Error::AccessDenied)).await;
    assert!(matches!(answer, Err(InboxError::PermanentNotSetUp(_))), "{answer:?}");
    let answer = call("mine", &Memory::failing(Error::Other("no connection".into()))).await;
    let text = unavailable(answer);
    assert!(text.contains("no connection"), "{text}");
}
