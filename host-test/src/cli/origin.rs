//! Descriptions of the webhook's proofs of origin (secrets and signatures), and the settings of the
//! webhook from the environment.

use messaging_core::webhook::Settings;
use messaging_core::webhook::origin::Proofs;
use messaging_core::webhook::secret::Secrets;
use messaging_core::webhook::signature::{Scheme, Signature};
use messaging_inbox::Replays;

use super::Failure;
use super::settings::variable;

/// Returns the webhook's variables from the environment.
pub fn variables() -> Result<Vec<(String, String)>, Failure> {
    let mut variables = Vec::new();
    for name in messaging_core::webhook::settings::names() {
        variables.extend(variable(name)?.map(|value| (name.to_string(), value)));
    }
    Ok(variables)
}

/// Returns the settings of the webhook, or `None` if no variable is set. Errors name the setting.
pub fn from_environment() -> Option<Result<Settings, String>> {
    let variables = match variables() {
        Ok(variables) if variables.is_empty() => return None,
        Ok(variables) => variables,
        Err(Failure::Usage(error)) => return Some(Err(error)),
        Err(_) => return None,
    };
    let settings = Settings::from_variables(variables);
    Some(settings.map_err(|error| format!("{} {}", error.setting, error.detail)))
}

/// Describes the required proofs without secrets.
pub fn shown(proofs: &Proofs) -> String {
    if !proofs.are_set() {
        return "no proof of origin: only deliveries from this machine".into();
    }
    let mut all = Vec::new();
    if let Some(secrets) = &proofs.path {
        all.push(format!("the last segment of the path{}", number(secrets)));
    }
    if let Some((name, secrets)) = &proofs.header {
        all.push(format!("the header {name}{}", number(secrets)));
    }
    if let Some(signature) = &proofs.signature {
        let scheme = &signature.scheme;
        let within = scheme.tolerance().map_or_else(
            || ", signed at any time".to_string(),
            |seconds| format!(", signed within {seconds} s of now"),
        );
        let within = if scheme.name() == "body" { String::new() } else { within };
        let (name, header) = (scheme.name(), scheme.header());
        let number = number(&signature.secrets);
        all.push(format!("a signature ({name}) in {header}{number}{within}"));
    }
    let binds = if proofs.bind_key() {
        "a delivery is valid for one idempotency key"
    } else {
        "an attacker with a captured delivery can repeat it under another idempotency key"
    };
    format!("{}; {binds}", all.join(", and "))
}

fn number<F>(secrets: &Secrets<F>) -> &'static str {
    if secrets.count() > 1 { ", either of two secrets" } else { "" }
}

/// Warns if a `whsec_` secret is used unchanged as a key. Standard Webhooks decodes the secret, so
/// all its deliveries would be rejected. Not an error, because some event sources do not decode it.
pub fn warn_of_unread_secret(proofs: &Proofs, environment: &[(String, String)]) {
    let has_form = |(name, value): &(String, String)| {
        name == "MESSAGING_WEBHOOK_SIGNATURE_SECRET" && value.starts_with("whsec_")
    };
    let is_read =
        |signature: &Signature| matches!(signature.scheme, Scheme::StandardWebhooks { .. });
    if environment.iter().any(has_form) && !proofs.signature.as_ref().is_some_and(is_read) {
        tracing::warn!(
            "the signature's secret begins with whsec_, but is used unchanged as key; an event source of Standard Webhooks needs MESSAGING_WEBHOOK_SIGNED=standard-webhooks"
        );
    }
}

/// Returns the treatment of an event that arrives again under another key.
pub fn replays(proofs: &Proofs, quarantine: bool) -> Result<Replays, Failure> {
    match (proofs.bind_key(), quarantine) {
        (true, true) => Err(Failure::Usage(
            "--quarantine-replays has no effect, because the signature covers the idempotency key; remove it".into(),
        )),
        (true, false) => Ok(Replays::Allowed),
        (false, true) => Ok(Replays::Quarantined),
        (false, false) if proofs.are_set() => Ok(Replays::Noticed),
        (false, false) => Ok(Replays::Allowed),
    }
}
