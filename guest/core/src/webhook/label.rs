//! Decision whether an event is new under its key, for a store with only `get` and `set`. Does not
//! access the store.
//!
//! Each event is stored under its key and its digest, so no event can overwrite another. The label
//! of a key is the digest of its first event. After concurrent calls, the label is the digest of
//! the event whose call wrote the label last.

use crate::webhook::inbox::Stored;

/// The result for an event, and the step that remains after the event is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The result of the inbox.
    pub kept: Stored,
    /// True if the label must be set to this event's digest before the result is returned.
    pub set_label: bool,
}

/// Returns the result for an event. `was_kept` is true if the event was in the store before this
/// call. `label` is the stored digest of the key's first event, read after the check for the event
/// in the store.
pub fn judge(was_kept: bool, label: Option<&[u8]>, digest: &str) -> Verdict {
    let kept = match label {
        Some(first) if first != digest.as_bytes() => Stored::Conflict,
        // Another call wrote the label and the event, perhaps after this call looked for the event.
        Some(_) => Stored::Duplicate,
        // Another call wrote the event, and has not yet written the label or was interrupted.
        None if was_kept => Stored::Duplicate,
        None => Stored::Stored,
    };
    Verdict { kept, set_label: label.is_none() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn label_and_event_decide_result() {
        let verdict = |kept, set_label| Verdict { kept, set_label };
        let (mine, other) = (Some(&b"mine"[..]), Some(&b"other"[..]));
        assert_eq!(judge(false, None, "mine"), verdict(Stored::Stored, true));
        assert_eq!(judge(true, None, "mine"), verdict(Stored::Duplicate, true));
        assert_eq!(judge(true, mine, "mine"), verdict(Stored::Duplicate, false));
        assert_eq!(judge(false, mine, "mine"), verdict(Stored::Duplicate, false));
        assert_eq!(judge(true, other, "mine"), verdict(Stored::Conflict, false));
        assert_eq!(judge(false, other, "mine"), verdict(Stored::Conflict, false));
    }
}
