//! Every number of the product, with its unit and its reason. Owns no behaviour.
//!
//! The service's own limits are a gap (section 8); these are the plugin's.

/// Default of `MESSAGING_DEADLINE_MS`: what people wait for an interactive call.
pub const DEFAULT_DEADLINE_MS: u32 = 30_000;
/// Largest `MESSAGING_DEADLINE_MS`: wasi:http's own default for a single phase.
pub const MAX_DEADLINE_MS: u32 = 600_000;

/// Default of `MESSAGING_MAX_ATTEMPTS`, the first request included.
pub const DEFAULT_ATTEMPTS: u32 = 3;
/// Largest `MESSAGING_MAX_ATTEMPTS`: more is the work of an engine, not of a call.
pub const MAX_ATTEMPTS: u32 = 10;

/// Default of `MESSAGING_MAX_REPLY_BYTES`.
pub const DEFAULT_REPLY_BYTES: u32 = 1024 * 1024;
/// Smallest `MESSAGING_MAX_REPLY_BYTES`: room for an identifier and its object.
pub const MIN_REPLY_BYTES: u32 = 1024;
/// Largest `MESSAGING_MAX_REPLY_BYTES`: whatever such a reply holds, a call needs
/// less than 64 MiB of memory.
pub const MAX_REPLY_BYTES: u32 = 4 * 1024 * 1024;

/// Longest API key: header blocks of common servers end at 8 KiB.
pub const MAX_KEY_BYTES: usize = 4 * 1024;
/// Shortest key that is searched for in texts: replacing a shorter one would
/// damage ordinary text, and it would be no secret.
pub const MIN_REDACTED_KEY_BYTES: usize = 4;
/// Longest base URL.
pub const MAX_BASE_URL_BYTES: usize = 2 * 1024;
/// Longest path and query: RFC 9110 section 4.1 asks servers for 8,000 octets.
pub const MAX_PATH_BYTES: usize = 8_000;

/// Fewest digits of a phone number, country code included: the shortest
/// international numbers in use.
pub const MIN_PHONE_DIGITS: usize = 7;
/// Most digits of a phone number, country code included: ITU-T E.164, section 6.
pub const MAX_PHONE_DIGITS: usize = 15;

/// Upper bound of the first pause between attempts; doubles with each attempt.
pub const BACKOFF_BASE_MS: u32 = 100;
/// Upper bound of any pause that the service did not ask for.
pub const BACKOFF_CAP_MS: u32 = 5_000;

/// Least time that a further attempt is given: with less, the deadline would come before a
/// host could say that there is no connection, and with it the proof.
pub const MIN_ATTEMPT_MS: u32 = 100;

/// Delay in seconds for a `Retry-After` that cannot be read. A minute, because a service that asks
/// for a delay must not get the retry of a service that does not.
pub const UNREADABLE_RETRY_AFTER_SECONDS: u32 = 60;

/// Longest value of a reply header that is looked at.
pub const MAX_HEADER_BYTES: usize = 256;
/// Most bytes of an error body that are read; what follows is dropped.
pub const MAX_REFUSAL_BYTES: usize = 64 * 1024;
/// Longest error body text that is handed on.
pub const MAX_REFUSAL_TEXT_BYTES: usize = 4 * 1024;
/// Longest single text taken out of an error body.
pub const MAX_REFUSAL_FIELD_BYTES: usize = 1024;
/// Most field details taken out of an error body.
pub const MAX_REFUSAL_DETAILS: usize = 32;

/// Most pages that one listing follows.
pub const MAX_PAGES: u32 = 1_000;
/// Memory that a template is charged beside its strings: an estimate in bytes.
pub const TEMPLATE_BYTES: usize = 128;
/// Most bytes of templates that a listing holds before it asks for another page.
pub const MAX_LISTING_BYTES: usize = 16 * 1024 * 1024;

/// Longest `X-Idempotency-Key`.
pub const MAX_IDEMPOTENCY_KEY_BYTES: usize = 256;
/// Longest event body.
pub const MAX_EVENT_BYTES: usize = 256 * 1024;
