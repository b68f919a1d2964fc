//! Limits and defaults of the plugin, with units and reasons. The specification defines no limits
//! of the service (section 8).

/// Default of `MESSAGING_DEADLINE_MS`. A user waits about this long for an interactive call.
pub const DEFAULT_DEADLINE_MS: u32 = 30_000;
/// Maximum of `MESSAGING_DEADLINE_MS`: 10 minutes, like the default timeout of wasi:http hosts for
/// one phase of a request.
pub const MAX_DEADLINE_MS: u32 = 600_000;

/// Default of `MESSAGING_MAX_ATTEMPTS`. Includes the first request.
pub const DEFAULT_ATTEMPTS: u32 = 3;
/// Maximum of `MESSAGING_MAX_ATTEMPTS`. Further retries are the task of the workflow engine.
pub const MAX_ATTEMPTS: u32 = 10;

/// Default of `MESSAGING_MAX_REPLY_BYTES`.
pub const DEFAULT_REPLY_BYTES: u32 = 1024 * 1024;
/// Minimum of `MESSAGING_MAX_REPLY_BYTES`: enough for an identifier and its JSON object.
pub const MIN_REPLY_BYTES: u32 = 1024;
/// Maximum of `MESSAGING_MAX_REPLY_BYTES`. A call with a reply of this size needs less than 64 MiB
/// of memory.
pub const MAX_REPLY_BYTES: u32 = 4 * 1024 * 1024;

/// Maximum length of an API key, in bytes. Common servers limit the header section to 8 KiB.
pub const MAX_KEY_BYTES: usize = 4 * 1024;
/// Minimum length of an API key that is redacted, in bytes. A shorter key is not secret, and
/// redacting it would damage ordinary text.
pub const MIN_REDACTED_KEY_BYTES: usize = 4;
/// Maximum length of a base URL, in bytes.
pub const MAX_BASE_URL_BYTES: usize = 2 * 1024;
/// Maximum length of path and query together, in bytes. RFC 9110 section 4.1 recommends that
/// servers support 8,000 octets.
pub const MAX_PATH_BYTES: usize = 8_000;

/// Minimum number of digits of a phone number with country code. The shortest international numbers
/// in use have 7 digits.
pub const MIN_PHONE_DIGITS: usize = 7;
/// Maximum number of digits of a phone number with country code, from ITU-T E.164, section 6.
pub const MAX_PHONE_DIGITS: usize = 15;

/// Upper bound of the first delay between attempts. The bound doubles with each attempt.
pub const BACKOFF_BASE_MS: u32 = 100;
/// Upper bound of a delay that the service did not request.
pub const BACKOFF_CAP_MS: u32 = 5_000;

/// Minimum time between the start of a retry and the deadline. With less time, the deadline could
/// pass before the host reports a failed connection. That report proves that nothing was sent.
pub const MIN_ATTEMPT_MS: u32 = 100;

/// Delay for an unreadable `Retry-After`, in seconds. One minute, because the service asked for a
/// delay of unknown length.
pub const UNREADABLE_RETRY_AFTER_SECONDS: u32 = 60;

/// Maximum length of a `Retry-After` value, in bytes. A longer value counts as unreadable.
pub const MAX_HEADER_BYTES: usize = 256;
/// Maximum number of bytes read from an error body. The rest is discarded.
pub const MAX_REFUSAL_BYTES: usize = 64 * 1024;
/// Maximum length of the error body in a result, in bytes.
pub const MAX_REFUSAL_TEXT_BYTES: usize = 4 * 1024;
/// Maximum length of one string from an error body, in bytes.
pub const MAX_REFUSAL_FIELD_BYTES: usize = 1024;
/// Maximum number of field details from an error body.
pub const MAX_REFUSAL_DETAILS: usize = 32;

/// Maximum number of pages in one listing.
pub const MAX_PAGES: u32 = 1_000;
/// Estimated memory of a template without its strings, in bytes.
pub const TEMPLATE_BYTES: usize = 128;
/// Size of all read templates, in bytes, at which a listing requests no further page.
pub const MAX_LISTING_BYTES: usize = 16 * 1024 * 1024;

/// Maximum length of `X-Idempotency-Key`, in bytes.
pub const MAX_IDEMPOTENCY_KEY_BYTES: usize = 256;
/// Maximum length of an event body in bytes, large enough for media in Base64. A call with a body
/// of this length needs less than 64 MiB of memory.
pub const MAX_EVENT_BYTES: usize = 16 * 1024 * 1024;
