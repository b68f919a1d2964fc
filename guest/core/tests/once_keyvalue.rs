//! Tests of sends under one key, over a store whose operations interleave in every order. Calls are
//! canceled, reads are stale, and replies are lost. Each run is checked against the list of
//! requests that reached the service.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use messaging_core::keyvalue::orders::{self, Call, Choices, turn};
use messaging_core::once::digest::Request;
use messaging_core::once::entry::{MAX_VALUE_BYTES, Outcome};
use messaging_core::once::keyvalue::{Bucket, Current, Journal, Listed, PREFIX, StoreError};
use messaging_core::once::provider::Message;
use messaging_core::once::send::{Created, Input, JournalFailure, SendOnce, Step};
use messaging_core::once::{Entry, Error, Kept, Key, Now};

const DEADLINE_MS: u32 = 60;

type Answer = Result<Created, Error<()>>;

/// A store and the service.
#[derive(Default)]
struct World {
    /// All values of each key; the last is current.
    values: RefCell<BTreeMap<String, Vec<Vec<u8>>>>,
    /// Keys in the order of their last writes, as in NATS.
    order: RefCell<Vec<String>>,
    /// Random number of writes that a read misses; `None` if reads return the current value.
    late: RefCell<Option<Choices>>,
    /// Random faults of writes. A failed write may have changed the value.
    failing: RefCell<Option<Choices>>,
    /// True if the store compares and writes in two steps.
    is_racy: bool,
    /// True if the store has no compare-and-swap.
    is_plain: bool,
    /// Numbers of the calls whose requests reached the service.
    ledger: RefCell<Vec<usize>>,
    later_ms: Cell<u64>,
}

impl World {
    fn put(&self, key: &str, value: &[u8]) {
        self.values.borrow_mut().entry(key.into()).or_default().push(value.into());
        let mut order = self.order.borrow_mut();
        order.retain(|known| known != key);
        order.push(key.into());
    }

    fn versions(&self, key: &str) -> usize {
        self.values.borrow().get(key).map_or(0, Vec::len)
    }

    /// Writes the value if the key has had exactly `versions` writes.
    async fn write(&self, key: &str, versions: usize, value: &[u8]) -> Result<bool, StoreError> {
        turn().await;
        let holds = self.versions(key) == versions;
        if self.is_racy {
            turn().await;
        }
        let fault = self.failing.borrow_mut().as_mut().map_or(0, |failing| failing.pick(6));
        if holds && fault != 1 {
            self.put(key, value);
        }
        if fault == 1 || fault == 2 { Err(StoreError::Other("lost".into())) } else { Ok(holds) }
    }

    fn messages(&self) -> usize {
        self.ledger.borrow().len()
    }

    fn entry(&self) -> Entry {
        let values = self.values.borrow();
        let value = String::from_utf8(values[STORED].last().unwrap().clone()).unwrap();
        let (key, text) = messaging_core::names::keyed::read(&value).unwrap();
        assert_eq!(key, KEY);
        match Kept::read(text).unwrap() {
            Kept::Entry(entry) => *entry,
            Kept::Forgotten { .. } => panic!("{text}"),
        }
    }
}

impl Bucket for &World {
    async fn current(&self, key: &str) -> Result<Option<Current>, StoreError> {
        turn().await;
        if self.is_plain {
            return Err(StoreError::Other("compare-and-swap is not supported".into()));
        }
        let mut number = self.versions(key);
        if let Some(late) = self.late.borrow_mut().as_mut().filter(|_| number > 0) {
            number -= late.pick(3).min(number);
        }
        let values = self.values.borrow();
        let value = number.checked_sub(1).map(|index| values[key][index].clone());
        Ok(value.map(|value| Current { value, version: number.to_string() }))
    }

    async fn create(&self, key: &str, value: &[u8]) -> Result<bool, StoreError> {
        self.write(key, 0, value).await
    }

    async fn swap(&self, key: &str, version: &str, value: &[u8]) -> Result<bool, StoreError> {
        self.write(key, version.parse().unwrap(), value).await
    }

    async fn list(&self, cursor: Option<String>) -> Result<Listed, StoreError> {
        turn().await;
        let skip: usize = cursor.map_or(0, |cursor| cursor.parse().unwrap());
        let order = self.order.borrow();
        let keys: Vec<_> = order.iter().skip(skip).take(LISTED).cloned().collect();
        let end = skip + keys.len();
        let cursor = (end < order.len()).then(|| end.to_string());
        Ok(Listed {
            keys: keys.into_iter().filter(|key| key.starts_with(PREFIX)).collect(),
            cursor,
        })
    }
}

const KEY: &str = "order-17";
const STORED: &str = "sent.order-17";
/// Maximum number of keys in one part of a listing.
const LISTED: usize = 40;

fn key(key: &str) -> Key {
    Key::new(key).unwrap()
}

fn journal(world: &World) -> Journal<&World> {
    Journal::new(world, "sent".into())
}

/// Runs one call of `send-once`.
async fn send(world: &World, number: usize) -> Answer {
    let request = Request::new("+34600111222", "Is it ready?", None, [].into_iter());
    let mut machine = SendOnce::new(request, [7; 16], number.to_string(), DEADLINE_MS);
    let (journal, key) = (journal(world), key(KEY));
    let (mut input, mut elapsed_ms) = (Input::Start, 0);
    loop {
        let now = Now { wall_ms: 1_000_000_000 + world.later_ms.get(), elapsed_ms };
        input = match machine.next(input, now) {
            Step::Get => journal.get(&key).await.map_or_else(Input::Failed, Input::Got),
            Step::Swap { expected, new } => journal.swap(&key, expected.as_deref(), &new).await,
            Step::Send(()) => {
                turn().await;
                world.ledger.borrow_mut().push(number);
                turn().await;
                Input::Sent(Ok(Message { id: format!("m{number}"), json: "{}".into() }))
            }
            Step::Sleep(ms) => {
                turn().await;
                elapsed_ms += u64::from(ms);
                Input::Woke
            }
            Step::Done(answer) => return answer,
        };
    }
}

/// Runs one call for each number.
fn run(
    world: &World,
    numbers: &[usize],
    choices: &mut Choices,
    may_end: bool,
) -> Vec<Option<Answer>> {
    let calls = numbers.iter().map(|number| Box::pin(send(world, *number)) as Call<'_, _>);
    orders::run(calls.collect(), choices, may_end, || {
        assert!(world.is_racy || world.messages() <= 1, "two messages under one key");
    })
}

fn one(world: &World, number: usize) -> Answer {
    run(world, &[number], &mut Choices::every(), false).remove(0).unwrap()
}

/// Checks each result against the ledger.
fn judge(world: &World, answers: &[Option<Answer>]) {
    for (number, answer) in answers.iter().enumerate() {
        let made = world.ledger.borrow().contains(&number);
        match answer {
            None | Some(Err(Error::Unknown(_))) => {}
            Some(Ok(created)) => {
                let sender: usize = created.id[1..].parse().unwrap();
                assert!(world.ledger.borrow().contains(&sender), "{created:?}");
                assert_eq!(made, !created.replayed);
                if created.recorded {
                    let end = world.entry().end.unwrap().outcome;
                    assert!(matches!(end, Outcome::Created { id, .. } if id == created.id));
                }
            }
            Some(Err(Error::Busy { .. } | Error::Unavailable(_))) => assert!(!made),
            Some(Err(error)) => panic!("{error:?}"),
        }
    }
}

/// Makes two further calls after all senders have given up, with a store that works. Both calls
/// must get the same result.
fn again(world: &World) {
    *world.late.borrow_mut() = None;
    *world.failing.borrow_mut() = None;
    world.later_ms.set(1_000_000);
    let first = one(world, 100);
    match &first {
        Ok(created) if !created.replayed => assert_eq!(*world.ledger.borrow(), [100]),
        Ok(created) => assert_eq!(format!("m{}", world.ledger.borrow()[0]), created.id),
        Err(Error::Unknown(_)) => {}
        Err(error) => panic!("{error:?}"),
    }
    let second = one(world, 101);
    let id = |answer: &Answer| answer.as_ref().ok().map(|created| created.id.clone());
    assert_eq!(id(&first), id(&second));
    assert!(world.messages() <= 1);
}

#[test]
fn one_of_two_calls_sends() {
    let (mut choices, mut outcomes) = (Choices::every(), BTreeSet::new());
    loop {
        let world = World::default();
        let answers = run(&world, &[0, 1], &mut choices, false);
        judge(&world, &answers);
        assert_eq!(world.messages(), 1);
        let sender = world.ledger.borrow()[0];
        assert!(matches!(&answers[sender], Some(Ok(Created { recorded: true, .. }))));
        outcomes.insert((sender, matches!(answers[1 - sender], Some(Ok(_)))));
        again(&world);
        if !choices.advance() {
            break;
        }
    }
    // In some orders the first call sends, in others the second. The other call then gets the
    // message or `Busy`.
    assert_eq!(outcomes.len(), 4);
}

#[test]
fn aborted_race_sends_at_most_once() {
    let (mut choices, mut messages) = (Choices::every(), BTreeSet::new());
    loop {
        let world = World::default();
        let answers = run(&world, &[0, 1], &mut choices, true);
        judge(&world, &answers);
        again(&world);
        messages.insert(world.messages());
        if !choices.advance() {
            break;
        }
    }
    // The service gets no request if the first sender was canceled before its request.
    assert_eq!(messages, BTreeSet::from([0, 1]));
}

#[test]
fn late_reads_and_lost_writes_send_once() {
    let (mut choices, mut created, mut unavailable) = (Choices::Random(1), 0, 0);
    for seed in 1..4_000_u64 {
        let world = World::default();
        let faults = |of| ((seed & of) != 0).then(|| Choices::Random(seed * of + 1));
        *world.late.borrow_mut() = faults(1);
        *world.failing.borrow_mut() = faults(2);
        let answers = run(&world, &[0, 1, 2, 3], &mut choices, seed % 3 == 0);
        judge(&world, &answers);
        created += answers.iter().flatten().filter(|answer| answer.is_ok()).count();
        let failed = |answer: &&Answer| matches!(answer, Err(Error::Unavailable(_)));
        unavailable += answers.iter().flatten().filter(failed).count();
        again(&world);
    }
    assert!(created > 1_000 && unavailable > 0, "{created}, {unavailable}");
}

/// Proves that these tests detect a second message: this store compares and writes in two steps.
#[test]
fn check_then_write_store_sends_twice() {
    let (mut choices, mut twice) = (Choices::every(), false);
    while !twice {
        let world = World { is_racy: true, ..World::default() };
        run(&world, &[0, 1], &mut choices, false);
        twice = world.messages() == 2;
        assert!(twice || choices.advance(), "no order makes two messages");
    }
}

#[test]
fn store_without_compare_is_rejected_first() {
    let world = World { is_plain: true, ..World::default() };
    let Err(Error::Unavailable(said)) = one(&world, 0) else { panic!() };
    assert!(said.contains("compare-and-swap is not supported"), "{said}");
    assert!(said.contains("the bucket \"sent\""), "{said}");
    assert!(world.messages() == 0 && world.values.borrow().is_empty());
}

/// Runs a call without concurrent calls.
fn run_one<T>(call: impl Future<Output = T>) -> T {
    let calls = vec![Box::pin(call) as Call<'_, _>];
    orders::run(calls, &mut Choices::every(), false, || ()).remove(0).unwrap()
}

fn swap(world: &World, name: &str, expected: Option<&str>, new: &str) -> Input<()> {
    run_one(journal(world).swap(&key(name), expected, new))
}

#[test]
fn values_are_compared_and_stored_exactly() {
    let world = World::default();
    let (first, second) = ("{\"v\": 1}", "{\"v\":1}");
    assert_eq!(swap(&world, KEY, Some(first), second), Input::Stale(None));
    assert_eq!(swap(&world, KEY, None, first), Input::Swapped);
    assert_eq!(swap(&world, KEY, None, second), Input::Stale(Some(first.into())));
    assert_eq!(swap(&world, KEY, Some(second), second), Input::Stale(Some(first.into())));
    assert_eq!(swap(&world, KEY, Some(first), second), Input::Swapped);
    assert_eq!(run_one(journal(&world).get(&key(KEY))), Ok(Some(second.into())));
    let long = "x".repeat(MAX_VALUE_BYTES + 1);
    let Input::Failed(failure) = swap(&world, KEY, Some(second), &long) else { panic!() };
    assert!(failure.is_permanent);
}

#[test]
fn key_names_are_valid_in_nats() {
    let world = World::default();
    let long = "k".repeat(256);
    let keys = ["order-17", "Order-17", "ORDER-17", "a.b", "*", ">", "!~", "sent.x", &long];
    for name in keys {
        assert_eq!(swap(&world, name, None, "{}"), Input::Swapped, "{name}");
    }
    assert_eq!(world.values.borrow().len(), keys.len());
    for stored in world.values.borrow().keys() {
        let safe = |byte: u8| {
            byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_=.".contains(&byte)
        };
        assert!(stored.bytes().all(safe) && stored.len() <= 115, "{stored}");
    }
    for other in ["{\"key\":\"order-18\",\"text\":{}}\n", "{}", "null"] {
        world.put(STORED, other.as_bytes());
        let failure = run_one(journal(&world).get(&key(KEY))).unwrap_err();
        assert!(failure.detail.contains("sent.order-17 is damaged"), "{failure:?}");
        assert!(matches!(swap(&world, KEY, None, "{}"), Input::Failed(_)));
    }
}

const LISTED_KEYS: usize = 230;

/// Creates a world with keys of a journal, and other keys in the same bucket.
fn full() -> World {
    let world = World::default();
    for number in 0..LISTED_KEYS {
        let name = format!("k{number:03}");
        let value = messaging_core::names::keyed::print(&name, "{\"n\":1}");
        world.put(&format!("{PREFIX}{name}"), value.as_bytes());
        world.put(&format!("event.{number}"), b"another's");
    }
    world
}

/// Rewrites keys one after the other.
async fn rewrite(world: &World) {
    for number in 0..30 {
        turn().await;
        let stored = format!("{PREFIX}k{:03}", number * 37 % LISTED_KEYS);
        let value = world.values.borrow()[&stored][0].clone();
        world.put(&stored, &value);
    }
}

#[test]
fn listing_during_writes_has_every_key() {
    let mut skipped = 0;
    for seed in 1..100 {
        let listed = RefCell::new(BTreeSet::new());
        let world = full();
        let list = async {
            let mut after = None;
            loop {
                let page = journal(&world).list(after.as_deref()).await.unwrap();
                assert!(page.items.len() <= 100);
                for item in page.items {
                    assert_eq!(item.text, "{\"n\":1}");
                    assert!(listed.borrow_mut().insert(item.key), "listed twice");
                }
                after = page.next;
                if after.is_none() {
                    return;
                }
            }
        };
        let calls = vec![Box::pin(list) as Call<'_, _>, Box::pin(rewrite(&world))];
        orders::run(calls, &mut Choices::Random(seed), false, || ());
        assert_eq!(listed.borrow().len(), LISTED_KEYS);

        // A plain listing of the store, for comparison.
        let world = full();
        let found = RefCell::new(BTreeSet::new());
        let plain = async {
            let mut cursor = None;
            loop {
                let part = (&world).list(cursor).await.unwrap();
                found.borrow_mut().extend(part.keys);
                cursor = part.cursor;
                if cursor.is_none() {
                    return;
                }
            }
        };
        let calls = vec![Box::pin(plain) as Call<'_, _>, Box::pin(rewrite(&world))];
        orders::run(calls, &mut Choices::Random(seed), false, || ());
        skipped += LISTED_KEYS - found.borrow().len();
    }
    assert!(skipped > 0);
}

#[test]
fn changing_keys_make_listing_fail() {
    let world = full();
    let list = async { journal(&world).list(None).await.err() };
    let disturb = async {
        // The first key moves to the end, so it appears in the first and the last part of each
        // listing.
        for _ in 0..1_000 {
            turn().await;
            let stored = world.order.borrow().iter().find(|key| key.starts_with(PREFIX)).cloned();
            world.put(&stored.unwrap(), b"{\"key\":\"k\",\"text\":{}}\n");
        }
        None
    };
    let calls = vec![Box::pin(list) as Call<'_, _>, Box::pin(disturb)];
    let answers: Vec<Option<Option<JournalFailure>>> =
        orders::run(calls, &mut Choices::Random(1), false, || ());
    let failure = answers[0].clone().flatten().unwrap();
    assert!(failure.detail.contains("change faster than they can be listed"), "{failure:?}");
}
