//! `Retry-After` values and their dates.

use messaging_core::wire::retry_after::retry_after_ms;

use super::input::Input;

pub fn check(data: &[u8]) {
    let mut input = Input(data);
    let date = input.line();
    let mut values = Vec::new();
    while !input.is_empty() {
        values.push(input.line());
    }
    let date = (!date.is_empty()).then_some(date);
    let read = retry_after_ms(&values, date);
    assert_eq!(read.is_none(), values.is_empty());
    if let Some(ms) = read {
        assert!(ms % 1_000 == 0 || ms == u32::MAX);
    }
    let reversed: Vec<_> = values.iter().rev().collect();
    assert_eq!(retry_after_ms(&reversed, date), read, "the order of values has no effect");
    // The longest delay wins, so a further value never shortens the delay.
    assert!(values.split_last().is_none_or(|(_, fewer)| retry_after_ms(fewer, date) <= read));
    // Without `Date`, a value that is not a number counts as 60 s.
    let seconds = |value: &&[u8]| -> Option<u64> {
        let text = std::str::from_utf8(value).ok()?.trim_ascii();
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
        if text.len() > 256 || !digits(whole) || !digits(fraction) {
            return None;
        }
        let more = u64::from(fraction.bytes().any(|byte| byte != b'0'));
        Some(whole.parse().unwrap_or(u64::MAX).saturating_add(more))
    };
    let longest = values.iter().map(|value| seconds(value).unwrap_or(60)).max();
    let longest = longest.map(|s| u32::try_from(s.saturating_mul(1_000)).unwrap_or(u32::MAX));
    assert_eq!(retry_after_ms(&values, None), longest);
    if data.len() == 10 {
        between_two_dates(data);
    }
}

/// Writes two times from the input as dates. Asserts that the delay is their difference.
fn between_two_dates(data: &[u8]) {
    let (Some(now), Some(then)) = (moment(data, 0), moment(data, 5)) else { return };
    let (written, until) = (imf_fixdate(now), imf_fixdate(then));
    let expected = u64::try_from(then - now).unwrap_or(0).saturating_mul(1_000);
    let expected = u32::try_from(expected).unwrap_or(u32::MAX);
    let read = retry_after_ms(&[until.as_bytes()], Some(written.as_bytes()));
    assert_eq!(read, Some(expected), "from {written} until {until}");
}

/// Takes 5 bytes as a time in seconds since 1970, between the years 1601 and 9999.
fn moment(data: &[u8], from: usize) -> Option<i64> {
    let bytes = data.get(from..from + 5)?;
    let number = bytes.iter().fold(0_i64, |sum, byte| (sum << 8) | i64::from(*byte));
    Some(number.rem_euclid(265_000_000_000) - 11_644_473_600)
}

fn imf_fixdate(seconds: i64) -> String {
    const DAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
    const MONTHS: [(&str, i64); 12] = [
        ("Jan", 31),
        ("Feb", 28),
        ("Mar", 31),
        ("Apr", 30),
        ("May", 31),
        ("Jun", 30),
        ("Jul", 31),
        ("Aug", 31),
        ("Sep", 30),
        ("Oct", 31),
        ("Nov", 30),
        ("Dec", 31),
    ];
    let (days, clock) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    // 400 years have 146,097 days. The rest is counted year by year.
    let (cycle, mut left) =
        ((days + 134_774).div_euclid(146_097), (days + 134_774).rem_euclid(146_097));
    let mut year = 1601 + 400 * cycle;
    let leap = |year: i64| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    while left >= 365 + i64::from(leap(year)) {
        left -= 365 + i64::from(leap(year));
        year += 1;
    }
    let mut month = 0;
    let length = |month: usize| MONTHS[month].1 + i64::from(month == 1 && leap(year));
    while left >= length(month) {
        left -= length(month);
        month += 1;
    }
    let weekday = DAYS[usize::try_from(days.rem_euclid(7)).unwrap_or(0)];
    format!(
        "{weekday}, {:02} {} {year:04} {:02}:{:02}:{:02} GMT",
        left + 1,
        MONTHS[month].0,
        clock / 3_600,
        clock / 60 % 60,
        clock % 60
    )
}
