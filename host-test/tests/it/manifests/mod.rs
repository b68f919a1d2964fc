//! The manifests in `examples` for engines that `cargo test` does not run. The fields match the
//! engines' documentation, and the settings and permissions match the components. Each component
//! links in the world that its engine provides.
//!
//! Each check is a function of the manifest text. Tests prove that the check rejects invalid
//! manifests.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod spin;
mod wasmcloud;
mod wassette;
mod world;

use std::collections::BTreeMap;

use messaging_core::settings::Settings;
use messaging_core::webhook::settings::Settings as WebhookSettings;

type Checked<T = ()> = Result<T, String>;
type Variables = BTreeMap<String, String>;

/// Directory of the built components, relative to a manifest.
const FOLDER: &str = "../../dist";
const COMPONENTS: [(&str, &[u8]); 10] = [
    ("messaging_plugin", messaging_components::PLUGIN),
    ("messaging_plugin_once_files", messaging_components::PLUGIN_ONCE_FILES),
    ("messaging_plugin_once_wasmcloud", messaging_components::PLUGIN_ONCE_WASMCLOUD),
    ("messaging_webhook", messaging_components::WEBHOOK),
    ("messaging_webhook_open", messaging_components::WEBHOOK_OPEN),
    ("messaging_webhook_files", messaging_components::WEBHOOK_FILES),
    ("messaging_webhook_keyvalue", messaging_components::WEBHOOK_KEYVALUE),
    ("messaging_webhook_wasmcloud", messaging_components::WEBHOOK_WASMCLOUD),
    ("messaging_inbox_files", messaging_components::INBOX_FILES),
    ("messaging_inbox_keyvalue", messaging_components::INBOX_KEYVALUE),
];

fn component(name: &str) -> Option<&'static [u8]> {
    COMPONENTS.iter().find(|(known, _)| *known == name).map(|(_, bytes)| *bytes)
}

/// Returns the component at a path that is relative to its manifest.
fn component_at(path: &str) -> Checked<&'static [u8]> {
    path.strip_prefix(FOLDER)
        .and_then(|rest| rest.strip_prefix('/')?.strip_suffix(".wasm"))
        .and_then(component)
        .ok_or(format!("{path} is not a component that the build makes"))
}

fn holds(what: bool, otherwise: &str) -> Checked {
    if what { Ok(()) } else { Err(otherwise.into()) }
}

/// Returns the variables of a manifest and a variable from a secret store. If the manifest also
/// contains the secret, the variable is set twice, and the settings are rejected.
fn with_secret(variables: &Variables, secret: &str) -> Vec<(String, String)> {
    let secret = (secret.to_owned(), "only-the-secret-store-knows".to_owned());
    variables.clone().into_iter().chain([secret]).collect()
}

/// Returns the origin that the plugin would call.
fn origin(variables: &Variables) -> Checked<String> {
    Settings::from_variables(with_secret(variables, "MESSAGING_API_KEY"))
        .map(|settings| {
            format!("{}://{}", settings.origin.scheme().as_str(), settings.origin.authority())
        })
        .map_err(|error| format!("{} {}", error.setting, error.detail))
}

fn webhook_reads(variables: &Variables, secret: &str) -> Checked {
    // The component itself would ignore a misspelled name.
    let is_setting = |name: &str| messaging_core::webhook::settings::names().any(|own| own == name);
    for name in variables.keys().map(String::as_str).chain([secret]) {
        holds(is_setting(name), &format!("{name} is not a setting of the webhook"))?;
    }
    WebhookSettings::from_variables(with_secret(variables, secret))
        .map_err(|error| format!("{} {}", error.setting, error.detail))
        .and_then(|settings| holds(settings.can_admit(), "the webhook would refuse everything"))
}

/// Applies each invalid change to a manifest, and asserts that the check rejects the result with
/// the expected reason.
fn refuses(check: fn(&str) -> Checked, manifest: &str, broken: &[(&str, &str, &str)]) {
    for (old, new, reason) in broken {
        assert_eq!(manifest.matches(old).count(), 1, "{old}");
        let error = check(&manifest.replace(old, new)).expect_err(old);
        assert!(error.contains(reason), "{old} -> {new}: {error}");
    }
}
