//! The header `Retry-After` (RFC 9110 section 10.2.3): seconds or a date.

use super::http_date;
use crate::limits::{MAX_HEADER_BYTES, UNREADABLE_RETRY_AFTER_SECONDS};

/// Returns the delay that a reply asks for, in milliseconds, at most `u32::MAX`; `None` without the
/// header. If there are several values, returns the longest delay.
///
/// A fraction of a second is rounded up. A date is measured from the reply's own `Date`, because
/// clocks differ. Any other value counts as [`UNREADABLE_RETRY_AFTER_SECONDS`], because the service
/// asks for a delay.
#[must_use]
pub fn retry_after_ms<V: AsRef<[u8]>>(values: &[V], date: Option<&[u8]>) -> Option<u32> {
    let now = date.and_then(http_date::unix_seconds);
    let seconds = |value: &V| {
        let value = value.as_ref().trim_ascii();
        let value = if value.len() > MAX_HEADER_BYTES { &[] } else { value };
        decimal(value).or_else(|| {
            let ahead = http_date::unix_seconds(value)?.checked_sub(now?)?.max(0);
            Some(ahead.try_into().unwrap_or(u32::MAX))
        })
    };
    let longest =
        values.iter().map(|value| seconds(value).unwrap_or(UNREADABLE_RETRY_AFTER_SECONDS));
    Some(longest.max()?.saturating_mul(1_000))
}

/// Returns the seconds of `12` or `12.5`, rounded up and at most `u32::MAX`.
fn decimal(value: &[u8]) -> Option<u32> {
    let mut parts = value.splitn(2, |byte| *byte == b'.');
    let (whole, fraction) = (parts.next()?, parts.next());
    let digits = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    if !digits(whole) || !fraction.is_none_or(digits) {
        return None;
    }
    // The value has only digits, so a parse error means that the number is too large.
    let seconds: u32 = core::str::from_utf8(whole).ok()?.parse().unwrap_or(u32::MAX);
    let more = fraction.is_some_and(|fraction| fraction.iter().any(|byte| *byte != b'0'));
    Some(seconds.saturating_add(more.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DATE: Option<&[u8]> = Some(b"Sat, 21 Nov 2026 10:00:00 GMT");

    #[test]
    fn readable_value_becomes_milliseconds() {
        for (value, expected) in [
            ("0", Some(0)),
            (" 2 ", Some(2_000)),
            ("120", Some(120_000)),
            ("99999999999999999999999999", Some(u32::MAX)),
            ("Sat, 21 Nov 2026 10:00:05 GMT", Some(5_000)),
            ("Saturday, 21-Nov-26 10:00:05 GMT", Some(5_000)),
            ("Sat Nov 21 10:00:05 2026", Some(5_000)),
            ("Sat, 21 Nov 2020 10:00:05 GMT", Some(0)),
            ("Fri, 31 Dec 9999 23:59:59 GMT", Some(u32::MAX)),
            ("299.997", Some(300_000)),
            ("300.0", Some(300_000)),
            ("0.001", Some(1_000)),
            ("0.0", Some(0)),
            ("4294967295.5", Some(u32::MAX)),
        ] {
            assert_eq!(retry_after_ms(&[value], DATE), expected, "{value}");
        }
    }

    #[test]
    fn unreadable_value_counts_as_minute() {
        for value in [
            "-1",
            "+5",
            "soon",
            "",
            " ",
            ".",
            ".5",
            "5.",
            "1.2.3",
            "1,5",
            "1e3",
            "120s",
            "PT5M",
            "\"120\"",
            "Sat, 21 Nov 2026",
            "Sat, 32 Nov 2026 10:00:05 GMT",
        ] {
            assert_eq!(retry_after_ms(&[value], DATE), Some(60_000), "{value}");
        }
    }

    #[test]
    fn date_without_reply_date_counts_as_minute() {
        assert_eq!(retry_after_ms(&["Sat, 21 Nov 2026 10:00:05 GMT"], None), Some(60_000));
        assert_eq!(
            retry_after_ms(&["Sat, 21 Nov 2026 10:00:05 GMT"], Some(b"today")),
            Some(60_000)
        );
    }

    #[test]
    fn longest_value_counts() {
        assert_eq!(retry_after_ms(&["1", "3", "2"], None), Some(3_000));
        assert_eq!(retry_after_ms(&["1", "x", "120"], None), Some(120_000));
        assert_eq!(retry_after_ms(&["1", "x", "3"], None), Some(60_000));
        assert_eq!(retry_after_ms(&[[b'0'; 256]], None), Some(0));
        assert_eq!(retry_after_ms(&[[b'0'; 257]], None), Some(60_000), "above the length limit");
        assert_eq!(retry_after_ms::<&str>(&[], None), None);
    }
}
