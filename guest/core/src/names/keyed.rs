//! A key and its value in one string, for stores whose names cannot be converted back to keys. The
//! form is `{"key":"order-17","text":{…}}` and a newline. The value is stored byte for byte. If the
//! value is JSON, the string is JSON too.

use alloc::string::String;

const HEAD: &str = "{\"key\":\"";
const MIDDLE: &str = "\",\"text\":";
const TAIL: &str = "}\n";

/// Returns the string for a key and its value.
pub fn print(key: &str, text: &str) -> String {
    let mut all = String::from(HEAD);
    for char in key.chars() {
        // Keys are visible ASCII, so no other character needs an escape.
        if matches!(char, '"' | '\\') {
            all.push('\\');
        }
        all.push(char);
    }
    all.push_str(MIDDLE);
    all.push_str(text);
    all.push_str(TAIL);
    all
}

/// Returns the key and the value of a string; `None` if the string has another form.
pub fn read(kept: &str) -> Option<(String, &str)> {
    let rest = kept.strip_prefix(HEAD)?;
    let mut key = String::new();
    let mut chars = rest.chars();
    loop {
        match chars.next()? {
            '"' => break,
            '\\' => key.push(chars.next()?),
            char => key.push(char),
        }
    }
    let rest = chars.as_str();
    // The loop has consumed the quotation mark at the end of the key.
    let text = rest.strip_prefix(MIDDLE.strip_prefix('"')?)?.strip_suffix(TAIL)?;
    Some((key, text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn reading_reverses_writing_and_refuses_anything_else() {
        let text = "{\"v\":1,\"also\":[\"}\\n\"]}";
        for key in ["order-17", "\"", "\\", "\\\"", "a\",\"text\":{", "!~"] {
            let kept = print(key, text);
            assert_eq!(read(&kept), Some((key.to_string(), text)), "{kept}");
        }
        let kept = print("order-17", text);
        assert_eq!(kept, "{\"key\":\"order-17\",\"text\":{\"v\":1,\"also\":[\"}\\n\"]}}\n");
        for end in 0..kept.len() {
            assert_eq!(kept.get(..end).map(read), Some(None), "cut off after {end}");
        }
        for other in ["", "{}\n", "null", "{\"text\":{},\"key\":\"a\"}\n"] {
            assert_eq!(read(other), None, "{other}");
        }
    }
}
