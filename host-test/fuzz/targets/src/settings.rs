//! Settings from arbitrary environments.

use messaging_core::limits;
use messaging_core::origin::Scheme;
use messaging_core::{Error, Settings};

use super::input::{Input, KEY, keeps_the_key, text};

pub fn check(data: &[u8]) {
    let variables = variables(&mut Input(data));
    let read = Settings::from_variables(variables.iter().cloned());
    // Other variables have no effect.
    let more = [("PATH".to_string(), "/bin".to_string()), ("MESSAGING_PORT".into(), String::new())];
    let again = Settings::from_variables(more.into_iter().chain(variables.iter().cloned()));
    match read {
        Ok(settings) => {
            assert!((1..=limits::MAX_DEADLINE_MS).contains(&settings.deadline_ms));
            assert!((1..=limits::MAX_ATTEMPTS).contains(&settings.max_attempts));
            assert!((1024..=4 * 1024 * 1024).contains(&settings.max_reply_bytes));
            assert!(settings.max_message_bytes != Some(0));
            let set = |name: &str| {
                variables.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
            };
            assert_eq!(set("MESSAGING_API_KEY"), Some(settings.key.reveal()));
            let plain = settings.origin.scheme() == Scheme::Http && !settings.origin.is_loopback();
            assert!(!plain || set("MESSAGING_ALLOW_HTTP") == Some("true"));
            assert_eq!(again.expect("valid settings").origin, settings.origin);
            // Debug output contains the API key only if the base URL contains it too.
            if settings.key.reveal() == KEY && !settings.origin.to_string().contains(KEY) {
                keeps_the_key(&format!("{settings:?}"));
            }
        }
        Err(invalid) => {
            assert_eq!(again.err(), Some(invalid.clone()));
            assert!(invalid.setting.starts_with("MESSAGING_") && invalid.setting.len() <= 64);
            // Checks only the detail. The name of an invalid setting comes from the environment,
            // and may contain the API key.
            keeps_the_key(&invalid.detail);
            assert!(invalid.detail.len() < 300);
            assert!(matches!(Error::from(invalid), Error::InvalidSettings(_)));
        }
    }
}

/// Takes lines of `NAME=value`; `%` stands for `MESSAGING_`.
pub fn variables(input: &mut Input<'_>) -> Vec<(String, String)> {
    let mut variables = Vec::new();
    while !input.is_empty() {
        let line = text(input.line());
        if line.is_empty() {
            break;
        }
        let (name, value) = line.split_once('=').unwrap_or((&line, ""));
        variables.push((name.replace('%', "MESSAGING_"), value.to_string()));
    }
    variables
}
