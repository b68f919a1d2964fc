//! Suite for any implementation of the interface `once`, over any provider of the specified service
//! and any journal. Judges the results of calls and the ledger of the simulated service.

mod subject;

use std::future::Future;
use std::pin::Pin;

use anyhow::{Context, bail, ensure};
use futures_util::future::join_all;
use messaging_host::once::wit::{
    EntryState, JournalEntry, MessageRequest, OnceCreated, OnceError, Resolution, Resolved,
};
use messaging_host::once::{Called, SendOnce, case};
use messaging_simulator::service::{Options, Service};
use serde::Serialize;

pub use subject::{Component, OverHttp, Subject, config};

/// API key of the simulated account.
pub const KEY: &str = "once-suite-key-58c1";
/// Deadline of the provider in the suite, in milliseconds.
pub const DEADLINE_MS: u32 = 2_000;

const CUSTOMER: &str = "+34600111222";
/// Phone numbers for which the service creates nothing. The last three digits are the response
/// status.
const REFUSED: &str = "+99900000422";
const LIMITED: &str = "+99900000429";
const FAILED: &str = "+99900000500";
/// Phone numbers for which the service creates the message, then answers 500 or closes the
/// connection.
const CREATED_THEN_FAILED: &str = "+99900001500";
const CREATED_THEN_CLOSED: &str = "+99900002000";

/// The verdict on a case.
#[derive(Clone, Debug, Serialize)]
pub struct Verdict {
    /// Name of the case: the rule of the interface that the case tests.
    pub name: &'static str,
    /// The harm if an implementation breaks the rule of the case.
    pub why: &'static str,
    /// The problem; `None` if the case passed.
    pub problem: Option<String>,
}

/// The fixture of a case. Cases share no keys.
struct Bench<'a, S: Subject> {
    subject: &'a S,
    service: Service,
    once: S::Once,
    /// Name of the case.
    name: &'static str,
}

type Judged<'a> = Pin<Box<dyn Future<Output = anyhow::Result<()>> + Send + 'a>>;

macro_rules! cases {
    ($($name:ident: $why:literal;)*) => {
        /// Names of the cases, each with the harm if an implementation fails the case.
        pub const CASES: &[(&str, &str)] = &[$((stringify!($name), $why)),*];

        fn judged<'a, S: Subject>(bench: &'a Bench<'a, S>) -> Judged<'a>
        where
            S::Once: Send,
        {
            match bench.name {
                $(stringify!($name) => Box::pin(bench.$name()),)*
                _ => Box::pin(async { bail!("unknown case") }),
            }
        }
    };
}

cases! {
    retries_return_the_recorded_message:
        "a caller that lost the reply would send a second message";
    one_of_sixteen_concurrent_calls_sends: "concurrent calls would create a second message";
    used_key_rejects_another_request: "the other message would be lost silently";
    proof_of_no_message_frees_the_key: "the message could never be sent";
    provider_errors_are_returned_unchanged: "a caller would not know the next step";
    invalid_request_is_reported_and_not_sent: "a caller could not correct the request";
    unknown_outcome_stays_unknown: "a guess would send a second message";
    unknown_outcome_keeps_reply: "an operator could not find the message";
    key_resolved_as_created_returns_the_message: "an unknown key could never be resolved";
    key_resolved_as_not_created_sends_again: "the message could never be sent";
    resolution_applies_to_its_attempt:
        "a repeated resolution would free a key whose message exists";
    resolution_needs_name_and_reason: "the journal would not show the reason for a decision";
    only_unknown_keys_can_be_resolved: "a message that exists would be sent again";
    forgotten_key_never_sends: "a late retry would send a second message";
    key_is_short_visible_ascii: "keys that look equal would stand for two messages";
    every_entry_is_listed: "an operator would overlook an unknown outcome";
    journal_has_no_number_and_text: "the journal would contain the conversation";
}

/// Runs every case whose name contains one of the `chosen` strings, or all cases if `chosen` is
/// empty. Calls `begins` before each case with its index, the number of cases and its name.
///
/// # Errors
/// Returns an error if the simulated service or the subject cannot be started.
pub async fn run<S: Subject>(
    subject: &S,
    chosen: &[String],
    begins: impl Fn(usize, usize, &str),
) -> anyhow::Result<Vec<Verdict>>
where
    S::Once: Send,
{
    let is_chosen = |name: &str| chosen.iter().any(|text| name.contains(text.as_str()));
    let cases = CASES.iter().copied().filter(|(name, _)| chosen.is_empty() || is_chosen(name));
    let cases: Vec<_> = cases.collect();
    let mut verdicts = Vec::new();
    for (name, why) in cases.iter().copied() {
        begins(verdicts.len(), cases.len(), name);
        let service = Service::start(Options::new(KEY)).await?;
        let once = subject.with_base_url(&service.base_url())?;
        let bench = Bench { subject, service, once, name };
        let problem = judged(&bench).await.err().map(|error| format!("{error:#}"));
        verdicts.push(Verdict { name, why, problem });
    }
    Ok(verdicts)
}

impl<S: Subject> Bench<'_, S> {
    fn key(&self, name: &str) -> String {
        format!("{}.{name}", self.name)
    }

    async fn send(
        &self,
        phone: &str,
        text: &str,
    ) -> anyhow::Result<Result<OnceCreated, OnceError>> {
        ended(self.once.send_once(&self.key("k"), &MessageRequest::new(phone, text)).await)
    }

    async fn entry(&self) -> anyhow::Result<JournalEntry> {
        let entry = answered(self.once.look_up(&self.key("k")).await)?;
        entry.context("the journal has no entry for the key")
    }

    async fn resolve(
        &self,
        attempt: u32,
        found: Resolved,
    ) -> anyhow::Result<Result<(), OnceError>> {
        let (by, reason) = ("Ada".to_string(), "looked into the inbox".to_string());
        let resolution = Resolution { attempt, found, by, reason };
        ended(self.once.resolve(&self.key("k"), &resolution).await)
    }

    fn messages(&self) -> usize {
        self.service.ledger().messages.len()
    }

    fn requests(&self) -> usize {
        self.service.ledger().posts()
    }

    async fn retries_return_the_recorded_message(&self) -> anyhow::Result<()> {
        let first = created(self.send(CUSTOMER, "one").await?)?;
        ensure!(!first.replayed && first.recorded, "{first:?}");
        ensure!(self.messages() == 1, "{} messages", self.messages());
        for _ in 0..3 {
            // A new instance shares only the journal, like another process.
            let other = self.subject.with_base_url(&self.service.base_url())?;
            let request = MessageRequest::new(CUSTOMER, "one");
            let again = created(ended(other.send_once(&self.key("k"), &request).await)?)?;
            let same = again.id == first.id && again.json == first.json;
            ensure!(same && again.replayed && again.recorded, "{again:?}");
        }
        ensure!(self.requests() == 1, "{} requests", self.requests());
        let entry = self.entry().await?;
        ensure!(entry.state == EntryState::Created && entry.id == Some(first.id), "{entry:?}");
        ensure!(entry.attempts == 1 && entry.ended.is_some(), "{entry:?}");
        Ok(())
    }

    async fn one_of_sixteen_concurrent_calls_sends(&self) -> anyhow::Result<()> {
        let calls = join_all((0..16).map(|_| self.send(CUSTOMER, "at once"))).await;
        let mut sent = 0;
        for call in calls {
            match call? {
                Ok(created) => {
                    ensure!(created.id == "msg-0001", "{created:?}");
                    sent += usize::from(!created.replayed);
                }
                Err(OnceError::Busy(_)) => {}
                Err(error) => bail!("{error:?}"),
            }
        }
        ensure!(sent == 1, "{sent} callers received a new message");
        ensure!(self.requests() == 1, "{} requests", self.requests());
        Ok(())
    }

    async fn used_key_rejects_another_request(&self) -> anyhow::Result<()> {
        created(self.send(CUSTOMER, "one").await?)?;
        for (phone, text) in [(CUSTOMER, "two"), ("+34600111223", "one")] {
            let said = self.send(phone, text).await?;
            ensure!(matches!(said, Err(OnceError::PermanentKeyReused(_))), "{said:?}");
        }
        let request =
            MessageRequest { device: Some("7".into()), ..MessageRequest::new(CUSTOMER, "one") };
        let said = ended(self.once.send_once(&self.key("k"), &request).await)?;
        ensure!(matches!(said, Err(OnceError::PermanentKeyReused(_))), "{said:?}");
        ensure!(self.requests() == 1, "{} requests", self.requests());
        Ok(())
    }

    async fn proof_of_no_message_frees_the_key(&self) -> anyhow::Result<()> {
        // No server listens on port 1.
        let nowhere = self.subject.with_base_url("http://127.0.0.1:1")?;
        let request = MessageRequest::new(CUSTOMER, "one");
        for attempts in 1..=2 {
            let said = ended(nowhere.send_once(&self.key("k"), &request).await)?;
            ensure!(matches!(said, Err(OnceError::NotSent(_))), "{said:?}");
            let entry = self.entry().await?;
            let free =
                entry.state == EntryState::NotCreated && entry.error.as_deref() == Some("not-sent");
            ensure!(free && entry.attempts == attempts, "{entry:?}");
        }
        let other = MessageRequest::new(CUSTOMER, "other");
        let other = ended(nowhere.send_once(&self.key("k"), &other).await)?;
        ensure!(matches!(other, Err(OnceError::PermanentKeyReused(_))), "{other:?}");
        ensure!(self.requests() == 0, "{} requests", self.requests());
        Ok(())
    }

    async fn provider_errors_are_returned_unchanged(&self) -> anyhow::Result<()> {
        for times in 1..=2 {
            let said = self.send(REFUSED, "one").await?;
            let Err(OnceError::PermanentRefused(refusal)) = &said else { bail!("{said:?}") };
            ensure!(refusal.status == 422, "{refusal:?}");
            ensure!(self.requests() == times, "{} requests", self.requests());
        }
        let request = MessageRequest::new(LIMITED, "one");
        let said = ended(self.once.send_once(&self.key("limited"), &request).await)?;
        ensure!(matches!(said, Err(OnceError::RateLimited(_))), "{said:?}");
        ensure!(self.messages() == 0, "{} messages", self.messages());
        Ok(())
    }

    async fn invalid_request_is_reported_and_not_sent(&self) -> anyhow::Result<()> {
        let said = self.send("600111222", "one").await?;
        let Err(OnceError::PermanentInvalidInput(invalid)) = &said else { bail!("{said:?}") };
        ensure!(invalid.field == "phone", "{invalid:?}");
        ensure!(self.requests() == 0, "{} requests", self.requests());
        // The corrected request may use the key again. Spaces in a phone number do not matter.
        let sent = created(self.send("+34 600 111 222", "one").await?)?;
        ensure!(!sent.replayed && self.messages() == 1, "{sent:?}");
        let again = created(self.send(CUSTOMER, "one").await?)?;
        ensure!(again.replayed && self.requests() == 1, "{again:?}");
        Ok(())
    }

    async fn unknown_outcome_stays_unknown(&self) -> anyhow::Result<()> {
        for _ in 0..3 {
            let said = self.send(CREATED_THEN_CLOSED, "one").await?;
            ensure!(matches!(said, Err(OnceError::PermanentOutcomeUnknown(_))), "{said:?}");
        }
        ensure!(self.messages() == 1, "{} messages", self.messages());
        ensure!(self.entry().await?.state == EntryState::Unknown, "{:?}", self.entry().await?);
        Ok(())
    }

    async fn unknown_outcome_keeps_reply(&self) -> anyhow::Result<()> {
        let mut all = Vec::new();
        for _ in 0..2 {
            let said = self.send(CREATED_THEN_FAILED, "one").await?;
            let Err(OnceError::PermanentOutcomeUnknown(unknown)) = said else { bail!("{said:?}") };
            let refusal =
                unknown.refusal.as_ref().context("the reply of the service is missing")?;
            ensure!(refusal.status == 500 && !refusal.body.is_empty(), "{refusal:?}");
            all.push(unknown);
        }
        let kept = self.entry().await?.outcome;
        ensure!(all.iter().all(|said| Some(said) == kept.as_ref()), "{all:?} and {kept:?}");
        Ok(())
    }

    async fn key_resolved_as_created_returns_the_message(&self) -> anyhow::Result<()> {
        unknown(self.send(CREATED_THEN_CLOSED, "one").await?)?;
        for _ in 0..2 {
            // Resolves twice, as after a lost response.
            answered(Ok(self.resolve(1, Resolved::Created("msg-0001".into())).await?))?;
        }
        let found = created(self.send(CREATED_THEN_CLOSED, "one").await?)?;
        ensure!(found.id == "msg-0001" && found.replayed && found.json.is_none(), "{found:?}");
        let entry = self.entry().await?;
        let [made] = &entry.resolutions[..] else { bail!("{entry:?}") };
        ensure!(made.resolution.by == "Ada" && made.at.ends_with('Z'), "{made:?}");
        ensure!(self.requests() == 1, "{} requests", self.requests());
        Ok(())
    }

    async fn key_resolved_as_not_created_sends_again(&self) -> anyhow::Result<()> {
        unknown(self.send(FAILED, "one").await?)?;
        answered(Ok(self.resolve(1, Resolved::NotCreated).await?))?;
        ensure!(self.entry().await?.state == EntryState::NotCreated, "{:?}", self.entry().await?);
        unknown(self.send(FAILED, "one").await?)?;
        ensure!(self.requests() == 2, "{} requests", self.requests());
        ensure!(self.entry().await?.attempts == 2, "{:?}", self.entry().await?);
        Ok(())
    }

    async fn resolution_applies_to_its_attempt(&self) -> anyhow::Result<()> {
        unknown(self.send(FAILED, "one").await?)?;
        answered(Ok(self.resolve(1, Resolved::NotCreated).await?))?;
        unknown(self.send(FAILED, "one").await?)?;
        // An equal resolution of attempt 1 is accepted again. A different resolution is rejected.
        answered(Ok(self.resolve(1, Resolved::NotCreated).await?))?;
        let said = self.resolve(1, Resolved::Created("m".into())).await?;
        ensure!(other(&said) == Some("other-attempt"), "{said:?}");
        unknown(self.send(FAILED, "one").await?)?;
        ensure!(self.requests() == 2, "{} requests", self.requests());
        Ok(())
    }

    async fn resolution_needs_name_and_reason(&self) -> anyhow::Result<()> {
        unknown(self.send(CREATED_THEN_CLOSED, "one").await?)?;
        for (by, reason) in [("", "r"), ("a", ""), ("a", " "), ("a\n", "r")] {
            let found = Resolved::NotCreated;
            let (by, reason) = (by.to_string(), reason.to_string());
            let resolution = Resolution { attempt: 1, found, by, reason };
            let said = ended(self.once.resolve(&self.key("k"), &resolution).await)?;
            ensure!(matches!(said, Err(OnceError::PermanentInvalidInput(_))), "{said:?}");
        }
        unknown(self.send(CREATED_THEN_CLOSED, "one").await?)?;
        Ok(())
    }

    async fn only_unknown_keys_can_be_resolved(&self) -> anyhow::Result<()> {
        let said = self.resolve(1, Resolved::NotCreated).await?;
        ensure!(other(&said) == Some("no-entry"), "{said:?}");
        created(self.send(CUSTOMER, "one").await?)?;
        let said = self.resolve(1, Resolved::NotCreated).await?;
        ensure!(other(&said) == Some("not-unknown"), "{said:?}");
        ensure!(created(self.send(CUSTOMER, "one").await?)?.replayed, "the message was sent again");
        Ok(())
    }

    async fn forgotten_key_never_sends(&self) -> anyhow::Result<()> {
        created(self.send(CUSTOMER, "one").await?)?;
        for _ in 0..2 {
            answered(self.once.forget(&self.key("k")).await)?;
        }
        let said = self.send(CUSTOMER, "one").await?;
        ensure!(matches!(said, Err(OnceError::PermanentKeyForgotten(_))), "{said:?}");
        let entry = self.entry().await?;
        ensure!(entry.state == EntryState::Forgotten && entry.id.is_none(), "{entry:?}");
        ensure!(self.messages() == 1, "{} messages", self.messages());
        let said = ended(self.once.forget(&self.key("never")).await)?;
        ensure!(other(&said) == Some("no-entry"), "{said:?}");
        let request = MessageRequest::new(CREATED_THEN_CLOSED, "one");
        unknown(ended(self.once.send_once(&self.key("unknown"), &request).await)?)?;
        let said = ended(self.once.forget(&self.key("unknown")).await)?;
        ensure!(matches!(said, Err(OnceError::PermanentOutcomeUnknown(_))), "{said:?}");
        Ok(())
    }

    async fn key_is_short_visible_ascii(&self) -> anyhow::Result<()> {
        let request = MessageRequest::new(CUSTOMER, "one");
        for bad in ["", "a b", "a\n", "é", &"k".repeat(257)] {
            let said = ended(self.once.send_once(bad, &request).await)?;
            let Err(OnceError::PermanentInvalidInput(invalid)) = &said else { bail!("{said:?}") };
            ensure!(invalid.field == "key", "{invalid:?}");
        }
        ensure!(self.requests() == 0, "{} requests", self.requests());
        // Keys that are problematic as file names or path segments.
        let tricky = ["/", "..", "a/../b", "CON", "con", "\"\\", "%00", "~", &"k".repeat(256)];
        for (index, good) in tricky.iter().enumerate() {
            let good = format!("{}{good}", &self.name[..index % 2]);
            let sent = created(ended(self.once.send_once(&good, &request).await)?)?;
            ensure!(!sent.replayed, "{good}");
        }
        ensure!(self.messages() == tricky.len(), "{} messages", self.messages());
        Ok(())
    }

    async fn every_entry_is_listed(&self) -> anyhow::Result<()> {
        let keys: Vec<_> = (0..130).map(|number| self.key(&format!("{number:03}"))).collect();
        let request = MessageRequest::new(CUSTOMER, "one");
        for some in keys.chunks(8) {
            for sent in join_all(some.iter().map(|key| self.once.send_once(key, &request))).await {
                created(ended(sent)?)?;
            }
        }
        let (mut found, mut after) = (Vec::new(), None);
        loop {
            let page = answered(self.once.list_entries(after).await)?;
            ensure!(page.unreadable.is_empty(), "{:?}", page.unreadable);
            found.extend(page.entries.into_iter().map(|entry| entry.key));
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        found.retain(|key| key.starts_with(self.name));
        found.sort();
        ensure!(found == keys, "{found:?}");
        Ok(())
    }

    async fn journal_has_no_number_and_text(&self) -> anyhow::Result<()> {
        created(self.send(CUSTOMER, "text without another owner").await?)?;
        let entry = format!("{:?}", self.entry().await?);
        ensure!(!entry.contains("another owner") && !entry.contains("600111222"), "{entry}");
        ensure!(!entry.contains(KEY), "{entry}");
        Ok(())
    }
}

fn ended<T>(called: Called<T>) -> anyhow::Result<Result<T, OnceError>> {
    called.context("the call returned no result")
}

fn answered<T>(called: Called<T>) -> anyhow::Result<T> {
    match ended(called)? {
        Ok(value) => Ok(value),
        Err(error) => bail!("{}: {error:?}", case(&error)),
    }
}

fn created(result: Result<OnceCreated, OnceError>) -> anyhow::Result<OnceCreated> {
    answered(Ok(result))
}

fn unknown(result: Result<OnceCreated, OnceError>) -> anyhow::Result<()> {
    match result {
        Err(OnceError::PermanentOutcomeUnknown(_)) => Ok(()),
        said => bail!("{said:?} instead of permanent-outcome-unknown"),
    }
}

/// Returns the code of `permanent-other`; `None` for other results.
fn other<T>(result: &Result<T, OnceError>) -> Option<&str> {
    match result {
        Err(OnceError::PermanentOther(other)) => Some(&other.code),
        _ => None,
    }
}
