//! Error responses with arbitrary bodies.

use messaging_core::limits;
use messaging_core::outcome::Cause;
use messaging_core::wire::Reply;
use messaging_core::wire::refusal::read_refusal;

use super::input::{Input, KEY, keeps_the_key, key};

pub fn check(data: &[u8]) {
    let reply = Input(data).reply();
    let refusal = read_refusal(&reply, &key());
    assert_eq!(refusal.status, reply.status);
    assert!(refusal.body.len() <= limits::MAX_REFUSAL_TEXT_BYTES);
    assert!(refusal.details.len() <= limits::MAX_REFUSAL_DETAILS);
    let details = refusal.details.iter();
    let details = details.flat_map(|detail| detail.field.iter().chain([&detail.message]));
    for text in refusal.code.iter().chain(&refusal.message).chain(details) {
        assert!(text.len() <= limits::MAX_REFUSAL_FIELD_BYTES);
        keeps_the_key(text);
    }
    keeps_the_key(&refusal.body);
    breaking_off_within_the_key(&reply);
    if reply.is_encoded() {
        assert_eq!(refusal.body, "");
        assert_eq!((refusal.message, refusal.code), (None, None));
    } else if reply.body.cut_short.is_none() && !refusal.body.contains("[redacted]") {
        let text = String::from_utf8_lossy(&reply.body.bytes);
        // The last character may be cut by the size limit.
        assert!(text.starts_with(refusal.body.trim_end_matches('\u{fffd}')));
    }
}

/// Checks that a reply that ends inside the API key reveals no more than a reply that ends before
/// the API key.
fn breaking_off_within_the_key(reply: &Reply) {
    let whole = reply.body.bytes.len() <= 1_000 && std::str::from_utf8(&reply.body.bytes).is_ok();
    let ends_with_some =
        (1..=KEY.len()).any(|end| reply.body.bytes.ends_with(&KEY.as_bytes()[..end]));
    // Skips bodies with escapes, because an escape could decode to the start of the API key.
    let escapes = reply.body.bytes.contains(&b'\\');
    if !whole || ends_with_some || escapes {
        return;
    }
    let mut broken = reply.clone();
    broken.body.cut_short = Some(Cause::Stream);
    let before = read_refusal(&broken, &key());
    let most = KEY.len() - 1;
    let some = usize::from(reply.status) % most + 1;
    broken.body.bytes.extend_from_slice(&KEY.as_bytes()[..some]);
    assert_eq!(read_refusal(&broken, &key()), before);
}
