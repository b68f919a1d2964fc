//! The time of a step, and times as strings.

use alloc::format;
use alloc::string::String;

const DAY_MS: u64 = 86_400_000;

/// The time of a step on two clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Now {
    /// Wall clock, in milliseconds since 1970. It can jump.
    pub wall_ms: u64,
    /// Milliseconds since the call began, on a monotonic clock.
    pub elapsed_ms: u64,
}

/// Formats milliseconds since 1970 as RFC 3339 in UTC: `2026-11-23T09:00:00.000Z`.
pub fn rfc3339(ms: u64) -> String {
    let (days, rest) = (ms / DAY_MS, ms % DAY_MS);
    let (hour, minute) = (rest / 3_600_000, rest / 60_000 % 60);
    let (second, milli) = (rest / 1_000 % 60, rest % 1_000);
    let (year, month, day) = date(days);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{milli:03}Z")
}

/// Converts days since 1970 to year, month and day in the Gregorian calendar.
#[allow(clippy::arithmetic_side_effects, reason = "a u64 of milliseconds has at most 2^38 days")]
fn date(days: u64) -> (u64, u64, u64) {
    // Counts in eras of 400 years from 1 March of year 0, because a leap day is then the last day
    // of its year.
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (era * 400 + year + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_rfc_3339() {
        // date --utc --date=@… --iso-8601=seconds
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_400, "2000-02-29T00:00:00.000Z"),
            (1_709_251_199, "2024-02-29T23:59:59.000Z"),
            (1_763_888_400, "2025-11-23T09:00:00.000Z"),
            (4_107_542_400, "2100-03-01T00:00:00.000Z"),
        ] {
            assert_eq!(rfc3339(seconds * 1_000), text);
        }
        assert_eq!(rfc3339(1_007), "1970-01-01T00:00:01.007Z");
        assert!(rfc3339(u64::MAX).ends_with('Z'));
    }
}
