//! The trace context of a delivery (W3C Trace Context). Headers are validated on receipt, so stored
//! values can be passed on unchanged.

/// Maximum length of a stored `tracestate` in bytes. The specification lets receivers drop a longer
/// value.
const STATE_BYTES: usize = 512;

/// Maximum length of a `traceparent` in bytes. Version 00 has 55 bytes; later versions may be
/// longer.
const PARENT_BYTES: usize = 256;

/// The valid values of the headers `traceparent` and `tracestate`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceContext {
    parent: String,
    state: Option<String>,
}

impl TraceContext {
    /// Parses the values of the headers `traceparent` and `tracestate`. Several `tracestate`
    /// headers must be joined with commas. Returns `None` if `traceparent` is invalid. An invalid
    /// `tracestate` is dropped.
    pub fn parse(parent: &str, state: Option<&str>) -> Option<Self> {
        if !is_parent(parent) {
            return None;
        }
        let state = state.map(str::trim).filter(|state| is_state(state)).map(str::to_string);
        Some(Self { parent: parent.to_string(), state })
    }

    /// Creates a trace with this trace ID and this ID of its first span. Replaces 0, which is an
    /// invalid ID, with 1.
    #[must_use]
    pub fn begin(trace: u128, span: u64) -> Self {
        let (trace, span) = (trace.max(1), span.max(1));
        Self { parent: format!("00-{trace:032x}-{span:016x}-01"), state: None }
    }

    /// Returns the trace with this span as the new parent. Uses version 00, as the specification
    /// requires of receivers that do not know a later version.
    #[must_use]
    pub fn child(&self, span: u64) -> Self {
        let (trace, flags) = (self.trace_id(), u8::from(self.is_sampled()));
        let parent = format!("00-{trace}-{:016x}-{flags:02x}", span.max(1));
        Self { parent, state: self.state.clone() }
    }

    /// Returns the trace ID: 32 hexadecimal digits.
    pub fn trace_id(&self) -> &str {
        self.parent.get(3..35).unwrap_or_default()
    }

    /// Returns the ID of the parent span: 16 hexadecimal digits.
    pub fn span_id(&self) -> &str {
        self.parent.get(36..52).unwrap_or_default()
    }

    /// Returns true if earlier participants record the trace.
    pub fn is_sampled(&self) -> bool {
        let flags = self.parent.get(53..55).and_then(|flags| u8::from_str_radix(flags, 16).ok());
        flags.is_some_and(|flags| flags & 1 == 1)
    }

    /// Returns the header `traceparent`.
    pub fn parent(&self) -> &str {
        &self.parent
    }

    /// Returns the header `tracestate`.
    pub fn state(&self) -> Option<&str> {
        self.state.as_deref()
    }
}

/// Returns true for `VERSION-TRACE-PARENT-FLAGS` in lowercase hexadecimal digits. Versions after 00
/// may continue after a further hyphen.
fn is_parent(text: &str) -> bool {
    let mut parts = text.splitn(5, '-');
    let mut part = |digits: usize| {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        parts.next().filter(|part| part.len() == digits && part.bytes().all(is_digit))
    };
    let is_zero = |part: &str| part.bytes().all(|byte| byte == b'0');
    let (Some(version), Some(trace), Some(parent), Some(_)) =
        (part(2), part(32), part(16), part(2))
    else {
        return false;
    };
    let ends = parts.next().is_none();
    let is_printed = text.bytes().all(|byte| byte.is_ascii_graphic());
    let of_its_version = match version {
        "00" => ends,
        "ff" => false,
        _ => is_printed && text.len() <= PARENT_BYTES,
    };
    of_its_version && !is_zero(trace) && !is_zero(parent)
}

/// Returns true for a list of up to 32 `KEY=VALUE` members.
fn is_state(text: &str) -> bool {
    let members: Vec<_> = text.split(',').map(|member| member.trim_matches([' ', '\t'])).collect();
    let is_member = |member: &&str| {
        let is_value = |byte: u8| matches!(byte, b' '..=b'~') && byte != b'=';
        let is_key =
            |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-' | b'*' | b'/' | b'@');
        // An empty member is valid and ignored.
        member.is_empty()
            || member.split_once('=').is_some_and(|(key, value)| {
                !key.is_empty()
                    && !value.is_empty()
                    && key.bytes().all(is_key)
                    && value.bytes().all(is_value)
            })
    };
    let any = members.iter().any(|member| !member.is_empty());
    any && text.len() <= STATE_BYTES && members.len() <= 32 && members.iter().all(is_member)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    #[test]
    fn only_valid_trace_is_accepted() {
        let later = format!("01{}-more", &PARENT[2..]);
        for valid in [PARENT, later.as_str(), &PARENT.replace("-01", "-00")] {
            assert_eq!(TraceContext::parse(valid, None).unwrap().parent(), valid);
        }
        let none = "00-00000000000000000000000000000000-b7ad6b7169203331-01";
        let no_parent = "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01";
        let capitals = PARENT.to_uppercase();
        let (longer, last) = (format!("{PARENT}-more"), PARENT.replacen("00", "ff", 1));
        let split = format!("01{}-a\r\nb", &PARENT[2..]);
        let endless = format!("01{}-{}", &PARENT[2..], "a".repeat(1_000));
        for invalid in
            ["", "00", none, no_parent, &capitals, &longer, &last, &PARENT[1..], &split, &endless]
        {
            assert_eq!(TraceContext::parse(invalid, None), None, "{invalid}");
        }
    }

    #[test]
    fn trace_is_passed_on_with_another_span() {
        let trace = TraceContext::parse(&PARENT.replacen("00-", "01-", 1), Some("a=b")).unwrap();
        let child = trace.child(255);
        assert_eq!(child.parent(), "00-0af7651916cd43dd8448eb211c80319c-00000000000000ff-01");
        assert_eq!((child.state(), child.span_id()), (Some("a=b"), "00000000000000ff"));
        assert_eq!((trace.trace_id(), trace.span_id()), (&PARENT[3..35], "b7ad6b7169203331"));
        let dropped = TraceContext::parse(&PARENT.replace("-01", "-02"), None).unwrap();
        assert!(trace.is_sampled() && !dropped.is_sampled() && !dropped.child(1).is_sampled());
        let begun = TraceContext::begin(0, 0);
        assert_eq!(TraceContext::parse(begun.parent(), None).unwrap(), begun);
        assert!(begun.is_sampled());
    }

    #[test]
    fn invalid_trace_state_keeps_trace() {
        for valid in
            ["rojo=00f067aa0ba902b7", "rojo=00f067aa0ba902b7, congo=t61rcWkgMzE,", "a@b=c d"]
        {
            assert_eq!(TraceContext::parse(PARENT, Some(valid)).unwrap().state(), Some(valid));
        }
        let (long, many) = (format!("a={}", "b".repeat(600)), "a=b,".repeat(33));
        for invalid in
            ["", ",", "a", "a=", "=b", "A=b", "a=b=c", "a=\u{e9}", "a=b\r\nc", &long, &many]
        {
            let trace = TraceContext::parse(PARENT, Some(invalid)).unwrap();
            assert_eq!((trace.parent(), trace.state()), (PARENT, None), "{invalid}");
        }
    }
}
