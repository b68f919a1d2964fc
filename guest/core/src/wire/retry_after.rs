//! `Retry-After` (RFC 9110 section 10.2.3): seconds, or a date.

use super::http_date;
use crate::limits::MAX_HEADER_BYTES;

/// The pause that a reply asks for, in milliseconds; at most `u32::MAX`.
///
/// A date is measured from the reply's own `Date`, so no clock is needed and none
/// has to agree with the service's; without `Date` it says nothing. Values that
/// cannot be read are ignored; of several, the longest counts.
#[must_use]
pub fn retry_after_ms<V: AsRef<[u8]>>(values: &[V], date: Option<&[u8]>) -> Option<u32> {
    let now = date.and_then(http_date::unix_seconds);
    let seconds = |value: &V| -> Option<u32> {
        let value = value.as_ref().trim_ascii();
        if value.is_empty() || value.len() > MAX_HEADER_BYTES {
            return None;
        }
        if value.iter().all(u8::is_ascii_digit) {
            // All digits: only the size can make this fail.
            return Some(core::str::from_utf8(value).ok()?.parse().unwrap_or(u32::MAX));
        }
        let ahead = http_date::unix_seconds(value)?.checked_sub(now?)?.max(0);
        Some(ahead.try_into().unwrap_or(u32::MAX))
    };
    Some(values.iter().filter_map(seconds).max()?.saturating_mul(1_000))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DATE: Option<&[u8]> = Some(b"Sat, 21 Nov 2026 10:00:00 GMT");

    #[test]
    fn seconds_and_dates_become_milliseconds() {
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
            ("-1", None),
            ("1.5", None),
            ("+5", None),
            ("soon", None),
            ("", None),
            ("Sat, 21 Nov 2026", None),
            ("Sat, 32 Nov 2026 10:00:05 GMT", None),
        ] {
            assert_eq!(retry_after_ms(&[value], DATE), expected, "{value}");
        }
    }

    #[test]
    fn a_date_without_a_date_to_measure_from_says_nothing() {
        assert_eq!(retry_after_ms(&["Sat, 21 Nov 2026 10:00:05 GMT"], None), None);
        assert_eq!(retry_after_ms(&["Sat, 21 Nov 2026 10:00:05 GMT"], Some(b"today")), None);
    }

    #[test]
    fn of_several_the_longest_readable_one_counts() {
        assert_eq!(retry_after_ms(&["1", "x", "3", "2"], None), Some(3_000));
        assert_eq!(retry_after_ms(&[[b'0'; 256]], None), Some(0));
        assert_eq!(retry_after_ms(&[[b'0'; 257]], None), None, "too long to be looked at");
        assert_eq!(retry_after_ms::<&str>(&[], None), None);
    }
}
