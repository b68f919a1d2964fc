//! Events on standard output: for people, as lines for a shell, and as JSON.

use std::time::{Duration, UNIX_EPOCH};

use messaging_inbox::{Counts, Event, State, TraceContext};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::cli::show::{BOLD, DIM, GREEN, RED, RESET};
use crate::cli::{Common, print, text};

/// Prints at most `limit` events of a list. Without `--json`, also prints the counts of all events.
/// If more events match, reports this on standard error.
pub fn print_list(common: &Common, mut events: Vec<Event>, limit: u32, counts: Counts) {
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let has_more = events.len() > limit;
    events.truncate(limit);
    if common.json {
        print::json(&events.iter().map(EventView).collect::<Vec<_>>());
    } else {
        for event in &events {
            say!("{}", summary(event));
        }
        let Counts { pending, leased, done, quarantined, dead } = counts;
        say!(
            "{DIM}{} listed; in all {pending} pending, {leased} leased, {done} done, {quarantined} quarantined, {dead} dead{RESET}",
            events.len()
        );
    }
    if let Some(last) = events.last().filter(|_| has_more) {
        complain!("more events match; list the next ones with --after {}", last.id);
    }
}

fn summary(event: &Event) -> String {
    let color = match event.state {
        State::Done => GREEN,
        State::Quarantined | State::Dead => RED,
        State::Pending | State::Leased => BOLD,
    };
    let [key, kind] = [&event.idempotency_key, &event.kind].map(|text| text::printable(text));
    let mut line = format!(
        "{:>8}  {color}{:<11}{RESET}  {}  {key}  {kind}",
        event.id,
        event.state.as_str(),
        time(event.received_at_ms)
    );
    match event.attempts {
        ..=0 => {}
        1 => line.push_str(&format!("  {DIM}leased once{RESET}")),
        attempts => line.push_str(&format!("  {DIM}leased {attempts} times{RESET}")),
    }
    if let Some(first) = event.replay_of {
        line.push_str(&format!("  {RED}replay of {first}{RESET}"));
    }
    if let (Some(error), true) = (&event.last_error, event.state != State::Done) {
        line.push_str(&format!("  {RED}{}{RESET}", text::printable(error)));
    }
    line
}

fn time(ms: i64) -> String {
    let since = Duration::from_millis(u64::try_from(ms).unwrap_or(0));
    match UNIX_EPOCH.checked_add(since) {
        // RFC 3339 has no times after the year 9999.
        Some(time) if ms < 253_402_300_800_000 => {
            humantime::format_rfc3339_millis(time).to_string()
        }
        _ => format!("{ms} ms"),
    }
}

/// Prints all fields of one event.
pub fn print_event(common: &Common, event: &Event) {
    if common.json {
        return print::json(&EventView(event));
    }
    say!("{}", summary(event));
    let field = |name: &str, value: &str| say!("  {name:<16} {}", text::printable(value));
    field("idempotency-key", &event.idempotency_key);
    if event.copy > 0 {
        field("copy", &format!("{}: this key has an earlier, different event", event.copy));
        field("delivery-key", &event.delivery_key());
    }
    if let Some(first) = event.replay_of {
        field("replay of", &format!("{first}: an equal event has another key"));
    }
    field("message-id", &event.message_id);
    field("kind", &event.kind);
    field("received", &time(event.received_at_ms));
    field("attempts", &event.attempts.to_string());
    for began in &event.attempted_at_ms {
        field("  began", &time(*began));
    }
    if event.failures > 0 {
        field("failures", &event.failures.to_string());
    }
    match event.state {
        State::Leased => field("leased until", &time(event.due_ms)),
        State::Pending if event.due_ms > 0 => field("not before", &time(event.due_ms)),
        State::Pending | State::Done | State::Quarantined | State::Dead => {}
    }
    if let Some(error) = &event.last_error {
        field("last error", error);
    }
    if let Some(done) = event.done_at_ms {
        field("done", &time(done));
    }
    if let Some(dead) = event.dead_at_ms {
        field("dead since", &time(dead));
    }
    if let Some(trace) = &event.trace {
        field("traceparent", trace.parent());
        if let Some(state) = trace.state() {
            field("tracestate", state);
        }
    }
    field("json", &event.json);
}

/// Prints leased events, each with its lease.
pub fn print_leased(common: &Common, events: &[Event]) {
    if common.json {
        return print::json(&events.iter().map(EventView).collect::<Vec<_>>());
    }
    // One line for each event, with tabs between the fields, so that a shell can read it. JSON
    // has line breaks and tabs only between values, so spaces can replace them.
    for event in events {
        let lease = event.lease.as_deref().unwrap_or_default();
        let json = event.json.replace(['\t', '\n', '\r'], " ");
        let [key, kind] = [&*event.delivery_key(), &event.kind].map(text::printable);
        let json = text::escaped_json(&json);
        print::plain(&format!("{}\t{lease}\t{key}\t{kind}\t{json}", event.id));
    }
}

/// Prints the current state of an event.
pub fn print_change(common: &Common, id: i64, state: State) {
    let ok = json!({ "id": id, "state": state.as_str() });
    print_done(common, &ok, &format!("{GREEN}{state}{RESET} {id}"));
}

/// Prints the number of pruned events. `is_exact` is false if events can stay longer.
pub fn print_pruned(common: &Common, count: u64, is_exact: bool) {
    let mut text = format!("{GREEN}pruned{RESET} {count} done {}", events(count));
    if count == 0 && !is_exact {
        text.push_str(&format!(
            "\n{DIM}events can stay 3 hours longer than --older-than; --by-clock is exact{RESET}"
        ));
    }
    print_done(common, &json!({ "pruned": count }), &text);
}

/// Prints the number of requeued events, and the IDs of events that were not dead.
pub fn print_requeued(common: &Common, count: u64, unchanged: &[i64]) {
    let mut text = format!("{GREEN}requeued{RESET} {count} dead {}", events(count));
    for id in unchanged {
        text.push_str(&format!("\n{DIM}{id} is not dead: unchanged{RESET}"));
    }
    print_done(common, &json!({ "requeued": count, "unchanged": unchanged }), &text);
}

fn events(count: u64) -> &'static str {
    if count == 1 { "event" } else { "events" }
}

pub fn print_done(common: &Common, ok: &Value, text: &str) {
    match common.json {
        true => print::json(&json!({ "ok": ok })),
        false => say!("{text}"),
    }
}

/// An event as JSON. The received JSON is unchanged, including numbers of any length.
struct EventView<'a>(&'a Event);

impl Serialize for EventView<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(event) = self;
        let trace = event.trace.as_ref();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("id", &event.id)?;
        map.serialize_entry("lease", &event.lease)?;
        map.serialize_entry("idempotency-key", &event.idempotency_key)?;
        map.serialize_entry("delivery-key", &event.delivery_key())?;
        map.serialize_entry("message-id", &event.message_id)?;
        map.serialize_entry("kind", &event.kind)?;
        map.serialize_entry("json", &Json(&event.json))?;
        map.serialize_entry("state", event.state.as_str())?;
        map.serialize_entry("copy", &event.copy)?;
        map.serialize_entry("attempts", &event.attempts)?;
        map.serialize_entry("attempted-at-ms", &event.attempted_at_ms)?;
        map.serialize_entry("due-ms", &event.due_ms)?;
        map.serialize_entry("received-at-ms", &event.received_at_ms)?;
        map.serialize_entry("done-at-ms", &event.done_at_ms)?;
        map.serialize_entry("dead-at-ms", &event.dead_at_ms)?;
        map.serialize_entry("failures", &event.failures)?;
        map.serialize_entry("last-error", &event.last_error)?;
        map.serialize_entry("traceparent", &trace.map(TraceContext::parent))?;
        map.serialize_entry("tracestate", &trace.and_then(TraceContext::state))?;
        map.serialize_entry("replay-of", &event.replay_of)?;
        map.end()
    }
}

/// A JSON text, serialized as a value if common readers accept it, otherwise as a string.
struct Json<'a>(&'a str);

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match serde_json::from_str::<&RawValue>(self.0) {
            Ok(value) if text::is_readable(self.0) => value.serialize(serializer),
            _ => self.0.serialize(serializer),
        }
    }
}
