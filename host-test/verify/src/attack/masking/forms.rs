//! Forms in which a text contains the API key.

/// Length of a part of the key that counts as a leak, in bytes.
pub(super) const PART: usize = 8;

/// Escapes every second character for JSON, in this number of layers.
pub(super) fn escaped(key: &str, layers: usize) -> String {
    let layers = u32::try_from(layers.saturating_sub(1)).unwrap_or(0);
    let backslashes = "\\".repeat(2_usize.saturating_pow(layers));
    let write = |(index, char): (usize, char)| match index % 2 {
        0 => format!("{backslashes}u{:04x}", u32::from(char)),
        _ => char.to_string(),
    };
    key.chars().enumerate().map(write).collect()
}

/// Returns a substitute for the compressed or encoded key: other bytes from which a reader can
/// restore the key.
pub(super) fn encoded(key: &str) -> String {
    key.bytes().map(|byte| char::from(byte ^ 1)).collect()
}

/// Returns true if a text contains a part of the key: plain, in capitals, escaped, with zero bytes,
/// or encoded.
pub(super) fn tells(text: &str, key: &str) -> bool {
    let mut text = text.replace('\0', "").to_lowercase();
    let encoded = encoded(key);
    // The debug format of an error adds a layer of escapes.
    for _ in 0..6 {
        for form in [key, &encoded] {
            let lower = form.to_lowercase();
            let mut parts = lower.as_bytes().windows(PART).filter_map(|it| str::from_utf8(it).ok());
            if parts.any(|part| text.contains(part)) {
                return true;
            }
        }
        let read = unescaped(&text);
        if read == text {
            return false;
        }
        text = read;
    }
    false
}

fn unescaped(text: &str) -> String {
    let mut read = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(char) = rest.next() {
        if char != '\\' {
            read.push(char);
            continue;
        }
        let digits = rest.as_str().strip_prefix('u').and_then(|rest| rest.get(..4));
        let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        match number.and_then(char::from_u32) {
            Some(char) => {
                read.push(char);
                rest.by_ref().take(5).for_each(drop);
            }
            None => read.extend(rest.next()),
        }
    }
    read
}
