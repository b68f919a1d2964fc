//! Bearer tokens (RFC 6750) that authorize requests. Two tokens can be valid at once, for a
//! rotation without downtime.

use std::fmt;

use http::{HeaderMap, header};
use sha2::{Digest, Sha256};
use subtle::{Choice, ConstantTimeEq};

/// Maximum length of a token, in bytes.
const MAX_BYTES: usize = 1024;

/// The accepted tokens. Only their digests are stored.
#[derive(Clone)]
pub struct Tokens(Vec<[u8; 32]>);

impl fmt::Debug for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Tokens([redacted])")
    }
}

/// The reason why a token setting is invalid. Contains no part of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// There is no token, or there are more than two.
    #[error("has {0} tokens; set one, or two with a space between them during a rotation")]
    Number(usize),
    /// A token is too short or too long.
    #[error(
        "has a token of {0} bytes; use 16 to 1024, for example the output of `openssl rand -hex 32`"
    )]
    Length(usize),
    /// Both tokens are equal.
    #[error("has one token twice; replace or remove one of the two")]
    Same,
    /// A token contains characters that are not allowed in an `Authorization` header.
    #[error("has a token with an invalid character; use letters, digits and - . _ ~ + / =")]
    Characters,
}

impl Tokens {
    /// Minimum length of a token, in bytes. A shorter token can be guessed.
    pub const MIN_BYTES: usize = 16;

    /// Parses one or two tokens, separated by white space.
    ///
    /// # Errors
    /// Returns `TokenError` if there are not one or two tokens, or if a token is invalid or
    /// repeated.
    pub fn parse(text: &str) -> Result<Self, TokenError> {
        let tokens: Vec<_> = text.split_ascii_whitespace().collect();
        if tokens.is_empty() || tokens.len() > 2 {
            return Err(TokenError::Number(tokens.len()));
        }
        for token in &tokens {
            if !(Self::MIN_BYTES..=MAX_BYTES).contains(&token.len()) {
                return Err(TokenError::Length(token.len()));
            }
            let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~+/=".contains(&byte);
            if !token.bytes().all(is_allowed) {
                return Err(TokenError::Characters);
            }
        }
        if let [one, two] = tokens.as_slice()
            && one == two
        {
            return Err(TokenError::Same);
        }
        Ok(Self(tokens.into_iter().map(|token| Sha256::digest(token).into()).collect()))
    }

    /// Returns true if both sets contain an equal token.
    #[must_use]
    pub fn share_one_with(&self, others: &Self) -> bool {
        self.0.iter().any(|one| others.0.contains(one))
    }

    /// Returns true if a request has exactly one `Authorization` header and it contains an accepted
    /// token. Compares digests in constant time.
    #[must_use]
    pub fn admit(&self, headers: &HeaderMap) -> bool {
        let mut values = headers.get_all(header::AUTHORIZATION).iter();
        let (Some(value), None) = (values.next(), values.next()) else { return false };
        let Some((scheme, token)) = value.as_bytes().split_at_checked(7) else { return false };
        let given: [u8; 32] = Sha256::digest(token.trim_ascii()).into();
        let found = self.0.iter().fold(Choice::from(0), |found, one| found | one.ct_eq(&given));
        scheme.eq_ignore_ascii_case(b"bearer ") & bool::from(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http::HeaderValue;

    const ONE: &str = "0123456789abcdef";
    const TWO: &str = "ABCDEF-._~+/=000";

    fn headers(values: &[&str]) -> HeaderMap {
        let named = |value: &&str| (header::AUTHORIZATION, HeaderValue::from_str(value).unwrap());
        values.iter().map(named).collect()
    }

    #[test]
    fn either_of_two_tokens_is_admitted() {
        let tokens = Tokens::parse(&format!(" {ONE}\n{TWO} ")).unwrap();
        for good in [ONE, TWO] {
            assert!(tokens.admit(&headers(&[&format!("Bearer {good}")])));
            assert!(tokens.admit(&headers(&[&format!("bearer  {good}")])));
        }
        let right = format!("Bearer {ONE}");
        for wrong in [
            &[][..],
            &[""],
            &["Bearer"],
            &["Bearer "],
            &[ONE],
            &[&format!("Basic {ONE}")],
            &[&format!("Bearer {ONE} {TWO}")],
            &["Bearer 0123456789abcde"],
            &["Bearer 0123456789abcdeF"],
            &[&right, &right],
        ] {
            assert!(!tokens.admit(&headers(wrong)), "{wrong:?}");
        }
    }

    #[test]
    fn token_that_two_listeners_share_is_noticed() {
        let of = |text: &str| Tokens::parse(text).unwrap();
        let both = of(&format!("{ONE} {TWO}"));
        assert!(both.share_one_with(&of(TWO)) && of(ONE).share_one_with(&both));
        assert!(!of(ONE).share_one_with(&of(TWO)));
    }

    #[test]
    fn weak_or_unsendable_token_is_rejected() {
        assert_eq!(Tokens::parse("").unwrap_err(), TokenError::Number(0));
        assert_eq!(
            Tokens::parse(&format!("{ONE} {ONE} {ONE}")).unwrap_err(),
            TokenError::Number(3)
        );
        assert_eq!(Tokens::parse(&format!("{ONE} {ONE}")).unwrap_err(), TokenError::Same);
        assert_eq!(Tokens::parse("0123456789abcde").unwrap_err(), TokenError::Length(15));
        assert_eq!(Tokens::parse(&"a".repeat(1025)).unwrap_err(), TokenError::Length(1025));
        assert_eq!(Tokens::parse("0123456789abcde\"").unwrap_err(), TokenError::Characters);
        let shown = format!("{:?}", Tokens::parse(ONE).unwrap());
        assert!(!shown.contains("0123"), "{shown}");
    }
}
