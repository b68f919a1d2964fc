//! Parser for the three forms of HTTP dates (RFC 9110 section 5.6.7). Existing crates need the
//! clock of `std`, but a component without imports has no clock.

use crate::digits::whole_number;

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// Returns the seconds since 1970-01-01 00:00:00 UTC; `None` if `value` is not an HTTP date.
pub fn unix_seconds(value: &[u8]) -> Option<i64> {
    let text = core::str::from_utf8(value).ok()?.trim_ascii();
    let mut parts = text.split_ascii_whitespace();
    let _weekday = parts.next()?;
    let (year, month, day, time) = if text.ends_with("GMT") {
        let next = parts.next()?;
        if next.contains('-') {
            // RFC 850: Sunday, 06-Nov-94 08:49:37 GMT
            let mut date = next.split('-');
            let (day, month, year) = (date.next()?, date.next()?, date.next()?);
            let year = number(year)?;
            // Years 70 to 99 are in the 20th century, all others in the 21st.
            let century: i64 = if year < 70 { 2_000 } else { 1_900 };
            (century.checked_add(year).filter(|_| year < 100)?, month, number(day)?, parts.next()?)
        } else {
            // IMF-fixdate: Sun, 06 Nov 1994 08:49:37 GMT
            let (month, year) = (parts.next()?, number(parts.next()?)?);
            (year, month, number(next)?, parts.next()?)
        }
    } else {
        // asctime: Sun Nov  6 08:49:37 1994
        let (month, day, time) = (parts.next()?, number(parts.next()?)?, parts.next()?);
        (number(parts.next()?)?, month, day, time)
    };
    let month =
        i64::try_from(MONTHS.iter().position(|name| *name == month)?).ok()?.checked_add(1)?;
    let mut clock = time.split(':');
    let (hour, minute, second) =
        (number(clock.next()?)?, number(clock.next()?)?, number(clock.next()?)?);
    let valid = (1_601..=9_999).contains(&year)
        && (1..=31).contains(&day)
        && hour < 24
        && minute < 60
        && second <= 60
        && clock.next().is_none();
    if !valid {
        return None;
    }
    let minutes = days(year, month, day)?
        .checked_mul(24)?
        .checked_add(hour)?
        .checked_mul(60)?
        .checked_add(minute)?;
    minutes.checked_mul(60)?.checked_add(second)
}

/// Returns the days since 1970-01-01 in the Gregorian calendar. Years start in March, so the leap
/// day is the last day of a year.
fn days(year: i64, month: i64, day: i64) -> Option<i64> {
    let year = if month > 2 { year } else { year.checked_sub(1)? };
    let month = if month > 2 { month.checked_sub(3)? } else { month.checked_add(9)? };
    let leap_days = (year / 4).checked_sub(year / 100)?.checked_add(year / 400)?;
    // The months from March have 30.6 days on average. The rounded product is the number of days
    // before the month.
    let before_month = month.checked_mul(306)?.checked_add(5)? / 10;
    year.checked_mul(365)?
        .checked_add(leap_days)?
        .checked_add(before_month)?
        .checked_add(day)?
        // Days from 0000-03-01 to 1970-01-01, plus one because days of a month start at 1.
        .checked_sub(719_469)
}

fn number(text: &str) -> Option<i64> {
    whole_number(text).filter(|_| text.len() <= 4).map(Into::into)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_dates_are_converted() {
        for (text, seconds) in [
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
            ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Thursday, 01-Jan-70 00:00:00 GMT", 0),
            ("Tuesday, 31-Dec-69 23:59:60 GMT", 3_155_760_000),
            ("Sun Nov  6 08:49:37 1994", 784_111_777),
            ("Tue, 29 Feb 2000 23:59:59 GMT", 951_868_799),
            ("Wed, 01 Mar 2000 00:00:00 GMT", 951_868_800),
            ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
        ] {
            assert_eq!(unix_seconds(text.as_bytes()), Some(seconds), "{text}");
        }
    }

    #[test]
    fn each_day_follows_previous_day() {
        let lengths = |year: i64| {
            let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            [31, if leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        };
        let mut expected = days(1999, 12, 31).unwrap();
        for year in 2000..2500 {
            for (month, length) in (1..).zip(lengths(year)) {
                for day in 1..=length {
                    expected += 1;
                    assert_eq!(days(year, month, day), Some(expected), "{year}-{month}-{day}");
                }
            }
        }
    }

    #[test]
    fn malformed_date_is_rejected() {
        for text in [
            "",
            "GMT",
            "Sun, 06 Nov 1994",
            "Sun, 06 Nov 1994 08:49:37",
            "Sun, 00 Nov 1994 08:49:37 GMT",
            "Sun, 06 Now 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 24:00:00 GMT",
            "Sun, 06 Nov 1994 08:60:37 GMT",
            "Sun, 06 Nov 99999 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49 GMT",
            "Sun, 06 Nov 1994 08:49:61 GMT",
            "Sun, 06 Nov 1600 08:49:37 GMT",
            "Sun, 06-Nov-1994 08:49:37 GMT",
            "Sun, 06-Nov-100 08:49:37 GMT",
            "Sun, +6 Nov 1994 08:49:37 GMT",
            "Sun, -6 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37:00 GMT",
        ] {
            assert_eq!(unix_seconds(text.as_bytes()), None, "{text}");
        }
    }
}
