//! Tests of two properties of the mask: the output does not contain the key, and apart from the
//! masked key, the output equals the input.

use proptest::prelude::*;

use super::*;

/// Returns the key with `depth` layers of JSON escapes. The seed selects the escapes.
fn escaped(key: &str, depth: usize, mut seed: u64) -> Vec<u8> {
    let mut text = key.to_string();
    for _ in 0..depth {
        let layer = |char: char| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
            let units = |upper: bool| {
                let unit = |unit: u16| match upper {
                    true => format!("\\u{unit:04X}"),
                    false => format!("\\u{unit:04x}"),
                };
                char.encode_utf16(&mut [0; 2]).iter().map(|one| unit(*one)).collect::<String>()
            };
            match ((seed >> 60) % 8, char) {
                (0, _) => units(false),
                (1, _) => units(true),
                (_, '"' | '\\') => format!("\\{char}"),
                (2, '/') => "\\/".into(),
                (_, '\t') => "\\t".into(),
                _ => char.into(),
            }
        };
        text = text.chars().map(layer).collect();
    }
    text.into_bytes()
}

/// A byte, a character, or an invalid escape.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Item {
    Byte(u8),
    Char(char),
    Bad,
}

/// Removes one layer of JSON escapes. Unlike the mask, this function processes the whole text and
/// does not know the key. The number next to each item is its end position in the original text.
fn unescape(items: &[(Item, usize)]) -> Vec<(Item, usize)> {
    let mut plain = Vec::new();
    let mut at = 0;
    let hex = |at: usize| -> Option<u16> {
        let digits = items.get(at..at + 4)?.iter().map(|(item, _)| match item {
            Item::Byte(byte) => char::from(*byte).to_digit(16),
            _ => None,
        });
        digits.into_iter().try_fold(0, |unit, digit| Some(unit * 16 + digit? as u16))
    };
    let is = |at: usize, byte: u8| items.get(at).is_some_and(|(item, _)| *item == Item::Byte(byte));
    while at < items.len() {
        if !is(at, b'\\') {
            plain.push(items[at]);
            at += 1;
            continue;
        }
        let (item, width) = match items.get(at + 1) {
            Some((Item::Byte(b'u'), _)) => match hex(at + 2) {
                Some(high @ 0xd800..0xdc00) if is(at + 6, b'\\') && is(at + 7, b'u') => {
                    let pair = hex(at + 8).map(|low| char::decode_utf16([high, low]).next());
                    match pair {
                        Some(Some(Ok(char))) => (Item::Char(char), 12),
                        _ => (Item::Bad, 2),
                    }
                }
                Some(unit) => match char::from_u32(unit.into()) {
                    Some(char) if char.is_ascii() => (Item::Byte(char as u8), 6),
                    Some(char) => (Item::Char(char), 6),
                    None => (Item::Bad, 2),
                },
                None => (Item::Bad, 2),
            },
            Some((Item::Byte(b't'), _)) => (Item::Byte(b'\t'), 2),
            Some((Item::Byte(byte @ (b'"' | b'\\' | b'/')), _)) => (Item::Byte(*byte), 2),
            _ => (Item::Bad, 1),
        };
        at += width;
        let end = at.min(items.len()) - 1;
        plain.push((item, items[end].1));
    }
    plain
}

/// Returns the length in bytes of the key, plain or JSON-escaped, at the beginning of `text`.
/// Returns the shortest length if several match; `None` if `text` does not begin with the key.
fn repeated(text: &[u8], key: &str) -> Option<usize> {
    let mut items: Vec<(Item, usize)> =
        text.iter().enumerate().map(|(at, byte)| (Item::Byte(*byte), at + 1)).collect();
    let mut shortest: Option<usize> = None;
    for _ in 0..=3 {
        let mut bytes = Vec::new();
        let mut ends = items.iter();
        while bytes.len() < key.len() {
            match ends.next() {
                Some((Item::Byte(byte), _)) => bytes.push(*byte),
                Some((Item::Char(char), _)) => {
                    bytes.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
                }
                _ => break,
            }
        }
        if bytes == key.as_bytes() {
            let read = items.len() - ends.len();
            let width = items[read - 1].1;
            shortest = Some(shortest.map_or(width, |least| least.min(width)));
        }
        items = unescape(&items);
    }
    shortest
}

/// Returns `text` with each occurrence of the key overwritten by `fill`.
fn expected(text: &[u8], key: &str, fill: u8) -> Vec<u8> {
    let mut clean = text.to_vec();
    let mut at = 0;
    while at < text.len() {
        match repeated(&text[at..], key) {
            Some(width) => {
                clean[at..at + width].fill(fill);
                at += width;
            }
            None => at += 1,
        }
    }
    clean
}

/// Generates keys with characters that JSON escapes, fill characters of the mask, and repetitions.
fn keys() -> impl Strategy<Value = String> {
    let char = prop_oneof![
        4 => prop::sample::select(&['a', 'b', 'c', '0', '6', 'u', '-', '*', '/', '"', '\\'][..]),
        1 => prop::sample::select(&['\t', ' ', '~'][..]),
    ];
    let key = prop::collection::vec(char, 4..12).prop_map(String::from_iter);
    key.prop_filter("a valid key", |key| key.trim() == key && ApiKey::new(key.clone()).is_ok())
}

/// A part of a string: the key, a beginning of the key, or other text.
#[derive(Clone, Debug)]
enum Part {
    Key(usize, u64),
    Beginning(usize, u64, prop::sample::Index),
    Other(String),
}

fn parts() -> impl Strategy<Value = Vec<Part>> {
    let part = prop_oneof![
        (0..=3_usize, any::<u64>()).prop_map(|(depth, seed)| Part::Key(depth, seed)),
        (0..=3_usize, any::<u64>(), any::<prop::sample::Index>())
            .prop_map(|(depth, seed, end)| Part::Beginning(depth, seed, end)),
        r#"[abc06u*"\\/ é{}]{0,8}"#.prop_map(Part::Other),
    ];
    prop::collection::vec(part, 0..6)
}

fn write(parts: &[Part], key: &str) -> Vec<u8> {
    let part = |part: &Part| match part {
        Part::Key(depth, seed) => escaped(key, *depth, *seed),
        Part::Beginning(depth, seed, end) => {
            let mut bytes = escaped(key, *depth, *seed);
            bytes.truncate(end.index(bytes.len()));
            bytes
        }
        Part::Other(text) => text.clone().into_bytes(),
    };
    parts.iter().flat_map(part).collect()
}

/// RFC 9112, section 6.3: without a length, the body ends when the connection closes. The close may
/// cut the body off.
#[tokio::test]
async fn key_start_at_possible_break_is_masked() {
    let key = "secret-key";
    for length in 1..key.len() {
        for (delimiter, masked) in
            [("x-other", length >= 4), ("content-length", false), ("transfer-encoding", false)]
        {
            let beginning = &key[..length];
            let pieces = vec![data(b"bad "), data(beginning.as_bytes())];
            let head = map(&[(delimiter, b"chunked")]);
            let (_, response) = exchange(key, &[], reply(head, pieces)).await;
            let (bytes, _, whole) = read(response.into_body()).await;
            let end = if masked { "*".repeat(length) } else { beginning.to_string() };
            assert!(whole);
            assert_eq!(String::from_utf8_lossy(&bytes), format!("bad {end}"), "{delimiter}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_048))]

    #[test]
    fn output_equals_input_except_key(
        key in keys(),
        body in parts(),
        field in parts(),
        cuts in prop::collection::vec(1..9_usize, 1..8),
        trailers in any::<bool>(),
    ) {
        let (body, field) = (write(&body, &key), write(&field, &key));
        let fill = if key.contains('*') { b'#' } else { b'*' };
        let fields = map(&[("x-echo", &field), ("x-other", b"other")]);
        // Without this header, the mask would assume that the connection may have cut the body off.
        let chunked = ("transfer-encoding", &b"chunked"[..]);
        let head = map(&[("x-echo", &field), ("x-other", b"other"), chunked]);
        let mut pieces = Vec::new();
        let (mut rest, mut sizes) = (body.as_slice(), cuts.iter().cycle());
        while !rest.is_empty() {
            let (piece, later) = rest.split_at(rest.len().min(*sizes.next().unwrap()));
            pieces.push(data(piece));
            rest = later;
        }
        if trailers {
            pieces.push(Ok(Frame::trailers(fields.clone())));
        }
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let (seen, (bytes, ended, whole)) = runtime.block_on(async {
            let (_, response) = exchange(&key, &[], reply(head, pieces)).await;
            (response.headers().clone(), read(response.into_body()).await)
        });
        prop_assert!(whole);
        let clean = expected(&body, &key, fill);
        prop_assert_eq!(String::from_utf8_lossy(&bytes), String::from_utf8_lossy(&clean));
        let field = expected(&field, &key, fill);
        let head = map(&[("x-echo", &field), ("x-other", b"other"), chunked]);
        prop_assert_eq!(&seen, &head);
        let fields = map(&[("x-echo", &field), ("x-other", b"other")]);
        prop_assert_eq!(ended, trailers.then_some(fields));
        for text in [&bytes, &field] {
            for at in 0..text.len() {
                prop_assert_eq!(repeated(&text[at..], &key), None, "unmasked key at {}", at);
            }
        }
    }

    #[test]
    fn no_header_name_contains_key(key in "[A-Za-z0-9_*.-]{4,9}", around in "[a-z*-]{0,6}") {
        let name = format!("{around}{key}{key}{around}").to_lowercase();
        let fields = map(&[(&name, b"a"), ("x-other", b"b")]);
        let pieces = vec![Ok(Frame::trailers(fields.clone()))];
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let (head, trailers) = runtime.block_on(async {
            let (_, response) = exchange(&key, &[], reply(fields, pieces)).await;
            (response.headers().clone(), read(response.into_body()).await.1.unwrap())
        });
        for seen in [head, trailers] {
            prop_assert_eq!(seen.len(), 2);
            let (masked, value) = seen.iter().next().unwrap();
            prop_assert_eq!((masked.as_str().len(), value.as_bytes()), (name.len(), &b"a"[..]));
            prop_assert!(!masked.as_str().contains(&key.to_lowercase()), "{}", masked);
        }
    }
}
