//! A file's contents: `{"key":"order-17","text":{…}}` and a newline. The text is kept byte for
//! byte; that it is JSON makes the file so.

use alloc::string::String;

const HEAD: &str = "{\"key\":\"";
const MIDDLE: &str = "\",\"text\":";
const TAIL: &str = "}\n";

/// Writes a key and its text.
pub fn print(key: &str, text: &str) -> String {
    let mut all = String::from(HEAD);
    for char in key.chars() {
        // Keys are visible ASCII: nothing else needs to be escaped.
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

/// Reads a key and its text; none where it is something else.
pub fn read(file: &str) -> Option<(String, &str)> {
    let rest = file.strip_prefix(HEAD)?;
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
    // The quotation mark that ended the key is gone already.
    let text = rest.strip_prefix(MIDDLE.strip_prefix('"')?)?.strip_suffix(TAIL)?;
    Some((key, text))
}
