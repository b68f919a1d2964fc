//! Retention: what became of old keys is forgotten, many at a time. The keys stay.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use futures_util::future::join_all;
use messaging_once_core::entry::{End, Outcome};
use messaging_once_core::{Kept, Now};

use super::{failure, now, once_error, unreachable, wit};
use crate::journal::{Journal, wit as journal};
use messaging_once_core::Error;

/// A page of a journal that was looked through.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Forgotten {
    /// Keys of which was forgotten what became.
    pub keys: u64,
    /// Start of the next page; `None` after the last.
    pub next: Option<String>,
}

/// Forgets what became of the keys of a page, from the beginning or from a page's `next`, that were
/// created or not created more than `older_than` ago. A key that is sending or unknown stays as it
/// is, and one that changes meanwhile. Stopped at any place, it can be begun anew.
///
/// # Errors
/// The journal does not answer; some of the page may be forgotten.
pub async fn forget_older(
    journal: &dyn Journal,
    older_than: Duration,
    after: Option<String>,
) -> Result<Forgotten, wit::OnceError> {
    let page = journal.list_items(after).await.map_err(unreachable)?;
    let since = SystemTime::now().checked_sub(older_than).unwrap_or(UNIX_EPOCH);
    let since = since.duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
    let now = now(Instant::now());
    let swaps = page.items.into_iter().filter_map(|item| {
        let new = forgotten(&item.text, u64::try_from(since).unwrap_or(u64::MAX), now)?;
        Some(async move { journal.swap(&item.key, Some(item.text), new).await })
    });
    let mut keys: u64 = 0;
    for swapped in join_all(swaps).await {
        match swapped.map_err(failure) {
            Ok(journal::SwapOutcome::Swapped) => keys = keys.saturating_add(1),
            Ok(journal::SwapOutcome::Stale(_)) => {}
            Err(said) if said.refused => return Err(once_error(Error::Journal(said.detail))),
            Err(said) => return Err(once_error(Error::Unavailable(said.detail))),
        }
    }
    Ok(Forgotten { keys, next: page.next })
}

/// Does so for all pages, one after the other. Returns how many keys it was, also where it came to
/// no end: done again, it goes on.
///
/// # Errors
/// Those of [`forget_older`].
pub async fn forget_all_older(
    journal: &dyn Journal,
    older_than: Duration,
) -> (u64, Result<(), wit::OnceError>) {
    let (mut keys, mut after) = (0_u64, None);
    loop {
        match forget_older(journal, older_than, after).await {
            Ok(page) => {
                keys = keys.saturating_add(page.keys);
                after = page.next;
            }
            Err(error) => return (keys, Err(error)),
        }
        if after.is_none() {
            return (keys, Ok(()));
        }
    }
}

/// The text in place of one whose outcome is known since before `since_ms`.
fn forgotten(text: &str, since_ms: u64, now: Now) -> Option<String> {
    let Ok(Kept::Entry(entry)) = Kept::read(text) else { return None };
    match entry.end? {
        End { outcome: Outcome::Unknown(_), .. } => None,
        End { at_ms, .. } => (at_ms < since_ms).then(|| Kept::forgotten_text(now.wall_ms)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_and_old_is_forgotten_and_nothing_else() {
        let text = |end: &str| {
            format!(
                r#"{{"v":1,"entry":{{"digest":{{"salt":"{0}","sha256":"{0}{0}"}},"attempts":1,"attempt":{{"name":"a","began":1,"until":2}}{end}}}}}"#,
                "00".repeat(16)
            )
        };
        let ended = |outcome: &str| text(&format!(r#","end":{{"at":50,"outcome":{outcome}}}"#));
        let created = ended(r#"{"created":{"id":"m"}}"#);
        assert!(Kept::read(&created).is_ok(), "{:?}", Kept::read(&created));
        let now = Now { wall_ms: 100, elapsed_ms: 0 };
        let new = Some(Kept::forgotten_text(100));
        assert_eq!(forgotten(&created, 51, now), new);
        assert_eq!(forgotten(&created, 50, now), None);
        assert_eq!(forgotten(&ended(r#"{"not-created":{}}"#), 51, now), new);
        let unknown = ended(r#"{"unknown":{"stage":"awaiting-reply","detail":"d"}}"#);
        assert!(Kept::read(&unknown).is_ok(), "{:?}", Kept::read(&unknown));
        for kept in [&unknown, &text(""), &Kept::forgotten_text(1), "of another version"] {
            assert_eq!(forgotten(kept, 51, now), None, "{kept}");
        }
    }
}
