use super::*;
use std::borrow::ToOwned;

#[test]
fn formatted_number_is_normalized() {
    for text in [
        "+34600111222",
        "+34 600 111 222",
        "+34-600-111-222",
        "+34.600.111.222",
        "+34.600111222",
        "+34600.111222",
        "+(34) 600111222",
        "+34 (600) 111 222",
        "+34 ( 600 ) 111 222",
        "+34-(600)-111-222",
        "+34 - 600 111 222",
        "+34 600 - 111 - 222",
        "+34 (600) 111 - 222",
        "+34 600–111–222",
        "+34\u{a0}600\u{202f}111\u{2010}2\u{2011}22",
        "+34\u{2009}600\u{3000}111\u{2212}2\u{2012}22",
    ] {
        assert_eq!(Phone::parse(text).unwrap().as_str(), "+34600111222", "{text}");
    }
}

#[test]
fn white_space_and_invisible_ends_are_removed() {
    for (before, after) in [
        ("\u{202a}", "\u{202c}"),
        ("\u{200e}", "\u{200e}"),
        ("\u{200f}", ""),
        ("\u{feff}", ""),
        ("\u{2066}", "\u{2069}"),
        ("\u{61c}", "\u{61c}"),
        ("\u{202e}", ""),
        ("\u{200b}", "\u{200d}"),
        ("", "\n"),
        (" \t", "\r\n"),
        ("\u{a0}\u{202f}\u{3000}", "\u{a0}\u{2009}"),
        (" \u{202a}\u{a0}", " \u{202c} "),
    ] {
        let text = [before, "+34 600 111 222", after].concat();
        assert_eq!(Phone::parse(&text).unwrap().as_str(), "+34600111222", "{text:?}");
    }
}

#[test]
fn length_is_bounded_on_both_sides() {
    for (text, ok) in [
        ("+123456", false),
        ("+1234567", true),
        ("+123456789012345", true),
        ("+1234567890123456", false),
    ] {
        assert_eq!(Phone::parse(text).is_ok(), ok, "{text}");
    }
    assert!(Phone::parse(&("+".to_owned() + &"1".repeat(1_000_000))).is_err());
}

#[test]
fn ambiguous_number_is_rejected_with_reason() {
    for (text, reason) in [
        ("", "empty"),
        ("\u{200e} ", "empty"),
        ("+", "fewer than 7"),
        ("600111222", "no leading +"),
        ("'+34600111222", "before the +"),
        ("(+34) 600 111 222", "before the +"),
        ("0034600111222", "begins with 00"),
        ("++34600111222", "two numbers"),
        ("+34600111222+", "two numbers"),
        ("+0034600111222", "zero after the +"),
        ("+34600FLOWERS", "letter"),
        ("+３４６００１１１２２２", "U+FF13"),
        ("+٣٤٦٠٠١١١٢٢٢", "U+0663"),
        ("+34600\n111222", "neither a digit"),
        ("+34600\t111222", "neither a digit"),
        ("+34600\u{0}111222", "neither a digit"),
        ("+34\u{202e}600111222", "U+202E"),
        ("+34\u{200b}600111222", "U+200B"),
        ("+\u{feff}34600111222", "U+FEFF"),
        ("+44 (0)20 7946 0958", "(0)"),
        ("+44 ( 0 )20 7946 0958", "(0)"),
        ("+44 (020) 7946 0958", "(0)"),
        ("+44 (-0)20 7946 0958", "(0)"),
        ("+44 (\u{a0}0)20 7946 0958", "(0)"),
        ("+44 20 (0) 7946 0958", "(0)"),
        ("+44 0 20 7946 0958", "a zero between separators"),
        ("+44\u{a0}0\u{a0}20 7946 0958", "a zero between separators"),
        ("+44-0-20-7946-0958", "a zero between separators"),
        ("+44.0.20.7946.0958", "a zero between separators"),
        ("+1 (212 555 0123", "not closed"),
        ("+1 212) 555 0123", "parentheses"),
        ("+1 ((212)) 555 0123", "parentheses"),
        ("+1 () 212 555 0123", "parentheses"),
        ("+1 (2)(12) 555 0123", "parentheses"),
        ("+1 212 555 0123 (5)", "parentheses"),
        ("+1 555 0100 (555 0101)", "parentheses"),
        ("34600111222@c.us", "chat address"),
        ("whatsapp:+34600111222", "channel"),
        ("tel:+34600111222", "channel"),
    ] {
        let error = Phone::parse(text).unwrap_err();
        assert_eq!(error.field, "phone");
        assert!(error.detail.contains(reason), "{text:?}: {}", error.detail);
    }
}

#[test]
fn decimal_number_is_rejected() {
    for (text, reason) in [
        ("+34600111222.0", "decimal"),
        ("34600111222.0", "decimal"),
        ("3.46001E+10", "rounded"),
        ("+3,46e10", "rounded"),
        ("+34600111222.00", "decimal"),
        ("+34600111222.000", "decimal"),
        ("+34600111222.5", "decimal"),
        ("+34600111222.25", "decimal"),
        ("+34600111222.500", "decimal"),
        ("+15551234567.0505", "decimal"),
        ("+34 600 111 222.00", "decimal"),
        ("+34 600 111 222 .00", "two numbers"),
        ("+34600111222.", "dot or hyphen"),
        ("+34600111222-", "dot or hyphen"),
        ("+.34600111222", "dot or hyphen"),
        ("+-34600111222", "dot or hyphen"),
        ("+34600111222..12", "dot or hyphen"),
        ("+34--600111222", "dot or hyphen"),
        ("+34600111222,0", "two numbers"),
        ("+34.600.111.222,00", "two numbers"),
        ("+3.46E+10", "rounded"),
        ("+3.46001112220000E10", "rounded"),
    ] {
        let error = Phone::parse(text).unwrap_err();
        assert!(error.detail.contains(reason), "{text:?}: {}", error.detail);
    }
}

#[test]
fn extension_or_second_number_is_rejected() {
    for (text, reason) in [
        ("+1 212 555 0123 5", "extension"),
        ("+1 212 555 0123-5", "extension"),
        ("+1.212.555.0123.5", "extension"),
        ("+49 30 901820-0", "extension"),
        ("+34 600 111 222\u{a0}5", "extension"),
        ("+34600111222-333", "extension"),
        ("+34600111222 500", "extension"),
        ("+34600111222–1234", "extension"),
        ("+34 600111222-333", "extension"),
        ("+1 2125550123 500", "extension"),
        ("+45 12345678-12", "extension"),
        ("+1 212 555 0123 ext. 5", "extension"),
        ("+1 212 555 0123 x5", "extension"),
        ("+1 555 0100 x12", "extension"),
        ("+1 212 555 0123 #5", "extension"),
        ("+12125550123;ext=5", "two numbers"),
        ("+12125550123,5", "two numbers"),
        ("+1 (555) 010-0199 - 12", "two numbers"),
        ("+1 (555) 010-0199 -12", "two numbers"),
        ("+1 (555) 010-0199- 123", "two numbers"),
        ("+1 (555) 010-0199 – 1234", "two numbers"),
        ("+49 30 123456/57", "slash"),
        ("+34 600 111 222 / +34 600 111 223", "slash"),
        ("+34600111222 +34600111333", "two numbers"),
        ("+1234567 7654321", "two numbers"),
        ("+1234567-1234568", "two numbers"),
        ("+1234567.1234568", "two numbers"),
        ("+1234567 765-4321", "two numbers"),
        ("+1 555 0100 555 0101", "two numbers"),
        ("+1-555-0100-555-0101", "two numbers"),
        ("+298 123456 654321", "two numbers"),
    ] {
        let error = Phone::parse(text).unwrap_err();
        assert!(error.detail.contains(reason), "{text:?}: {}", error.detail);
    }
}

#[test]
fn business_card_formats_keep_their_digits() {
    for (text, number) in [
        ("+34 600 111 222", "+34600111222"),        // Spain
        ("+44 20 7946 0958", "+442079460958"),      // United Kingdom
        ("+44 7911 123456", "+447911123456"),       // United Kingdom, mobile
        ("+49 30 901820-12", "+493090182012"),      // Germany, direct dial
        ("+49 1511 2345678", "+4915112345678"),     // Germany, mobile
        ("+49 89 1234–567", "+49891234567"),        // Germany, typeset
        ("+33 1 23 45 67 89", "+33123456789"),      // France
        ("+39 06 1234 5678", "+390612345678"),      // Italy, which dials the zero
        ("+41 44 668 18 00", "+41446681800"),       // Switzerland
        ("+43 1 5123456", "+4315123456"),           // Austria
        ("+31 20 123 4567", "+31201234567"),        // Netherlands
        ("+46 8-123 456 78", "+46812345678"),       // Sweden
        ("+45 12 34 56 78", "+4512345678"),         // Denmark
        ("+358 9 1234 5678", "+358912345678"),      // Finland
        ("+48 22 123 45 67", "+48221234567"),       // Poland
        ("+7 (495) 123-45-67", "+74951234567"),     // Russia
        ("+1 (212) 555-0123", "+12125550123"),      // United States
        ("+1-212-555-0123", "+12125550123"),        // United States
        ("+1.212.555.0123", "+12125550123"),        // United States
        ("+52 1 (55) 1234 5678", "+5215512345678"), // Mexico
        ("+54 9 (11) 1234-5678", "+5491112345678"), // Argentina
        ("+55 (11) 91234-5678", "+5511912345678"),  // Brazil
        ("+81-3-1234-5678", "+81312345678"),        // Japan
        ("+86 138 0013 8000", "+8613800138000"),    // China
        ("+91 98765 43210", "+919876543210"),       // India
        ("+91 - 98765 43210", "+919876543210"),     // India
        ("+33.1.23.45.67.89", "+33123456789"),      // France
        ("+44.2079460958", "+442079460958"),        // United Kingdom, in a domain registry
        ("+61 2 9876 5432", "+61298765432"),        // Australia
        ("+90 (212) 123 45 67", "+902121234567"),   // Turkey
        ("+880 1712 345678", "+8801712345678"),     // Bangladesh
        ("+971 4 123 4567", "+97141234567"),        // United Arab Emirates
    ] {
        assert_eq!(Phone::parse(text).unwrap().as_str(), number, "{text}");
    }
}
