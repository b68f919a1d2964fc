//! The code accepts the ranges and limits of the pages.

use super::rows;

/// Returns the smallest and the largest number of a text such as "1 to 10" or "at most 600000".
fn range(text: &str) -> Option<(Option<u64>, u64)> {
    let number = |word: &str| word.trim_end_matches([';', ',']).parse::<u64>().ok();
    let words: Vec<_> = text.split_whitespace().collect();
    words.windows(3).find_map(|words| match words {
        [from, "to", to] => Some((Some(number(from)?), number(to)?)),
        ["at", "most", to] => Some((None, number(to)?)),
        _ => None,
    })
}

/// Returns true if the core accepts the value. `name` is a setting of the plugin, or a setting of
/// the webhook without its prefix.
fn is_accepted(name: &str, value: u64) -> bool {
    use messaging_core::{settings, webhook};
    let long = "s".repeat(usize::try_from(value).unwrap_or_default().min(10_000));
    let value = if name.ends_with("SECRET") { long } else { value.to_string() };
    let owned = |(name, value): (&str, &str)| (name.to_string(), value.to_string());
    if name.starts_with("MESSAGING_") {
        let others =
            [("MESSAGING_BASE_URL", "https://service.example"), ("MESSAGING_API_KEY", "k")];
        let all = others.into_iter().chain([(name, value.as_str())]).map(owned);
        return settings::Settings::from_variables(all).is_ok();
    }
    let name = format!("MESSAGING_WEBHOOK_{name}");
    // A tolerance needs a signature with a timestamp.
    let others = [
        ("MESSAGING_WEBHOOK_SIGNATURE_SECRET", "a-secret-of-enough-bytes"),
        ("MESSAGING_WEBHOOK_SIGNED", "timestamp.body"),
    ];
    let others =
        others.into_iter().filter(|(other, _)| name.ends_with("SECONDS") && *other != name);
    let all = others.chain([(name.as_str(), value.as_str())]).map(owned);
    webhook::settings::Settings::from_variables(all).is_ok()
}

#[test]
fn ranges_in_tables_are_those_of_code() {
    let pages = [
        include_str!("../../../../wit/README.md"),
        include_str!("../../../../wit/worlds.wit").split("world plugin {").next().unwrap(),
        include_str!("../../../docs/verification.md"),
    ];
    let mut count = 0;
    for row in pages.into_iter().flat_map(rows).filter(|row| row.len() == 3) {
        let (name, Some((least, most))) = (row[0].split('`').next().unwrap(), range(row[1])) else {
            continue;
        };
        assert!(is_accepted(name, most) && !is_accepted(name, most + 1), "{name}: {most}");
        if let Some(least) = least {
            assert!(is_accepted(name, least), "{name}: {least}");
            assert!(least == 0 || !is_accepted(name, least - 1), "{name}: {least}");
        }
        count += 1;
    }
    assert!(count >= 9, "{count}");
}

#[test]
fn limits_in_table_are_those_of_code() {
    let page =
        include_str!("../../../docs/sending.md").split("## Limits of a call").nth(1).unwrap();
    let cells: Vec<_> =
        page.lines().filter_map(|line| line.trim_end_matches(" |").rsplit(" | ").next()).collect();
    let limits = messaging_host::Limits::default();
    let mebibytes = |bytes: u64| format!("{} MiB", bytes >> 20);
    let shown = [
        mebibytes(limits.memory_bytes as u64),
        mebibytes(limits.crossing_bytes as u64),
        limits.resources.to_string(),
        format!("{} s", limits.cpu.as_secs()),
        format!("Rust: {} s", limits.wall.as_secs()),
        format!("{}; 10,000", limits.concurrent_requests),
        mebibytes(limits.transfer_bytes),
        format!("{} KiB each", limits.log_bytes >> 10),
    ];
    for limit in shown {
        assert!(cells.iter().any(|cell| cell.contains(&limit)), "{limit}");
    }
    assert_eq!((limits.requests, limits.random_bytes), (10_000, limits.log_bytes));
}
