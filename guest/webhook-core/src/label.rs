//! Decides which of several events under one key came first, for a store that can only get and
//! set. Says nothing of how it is reached.
//!
//! Each event stands under its key and its digest together, so that no event can
//! overwrite another. The label of a key names the digest that came first.

use crate::inbox::Stored;

/// Steps that are left once the event itself is in the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Answer of the inbox.
    pub kept: Stored,
    /// Whether the label has to be set to this event's digest first.
    pub set_label: bool,
}

/// Judges an event: whether it `was_kept` before this call writes it, and the `label` as
/// found then.
#[must_use]
pub fn judge(was_kept: bool, label: Option<&[u8]>, digest: &str) -> Verdict {
    let kept = match label {
        Some(first) if first != digest.as_bytes() => Stored::Conflict,
        // A label without its event: somebody else wrote both, just now or earlier.
        Some(_) => Stored::Duplicate,
        // The call that wrote the event has not come to its label, or was cut off.
        None if was_kept => Stored::Duplicate,
        None => Stored::Stored,
    };
    Verdict { kept, set_label: label.is_none() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case() {
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
