//! Wassette policies. Fields and rules are taken from `docs/reference/permissions.md` and
//! `crates/policy/README.md` in microsoft/wassette. Wassette 0.8.0 ignores the port of a host, and
//! requires no permission for a secret.

use serde::Deserialize;

use super::{Checked, Variables, component, holds, origin, refuses, world};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Policy {
    version: String,
    #[serde(rename = "description")]
    _description: String,
    permissions: Permissions,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Permissions {
    network: Allow<Host>,
    environment: Allow<Key>,
    storage: Option<Allow<Storage>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Allow<T> {
    allow: Vec<T>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Host {
    host: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Key {
    key: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Storage {
    uri: String,
    access: Vec<String>,
}

fn check(text: &str) -> Checked {
    let Permissions { storage, .. } = checked(text)?;
    holds(storage.is_none(), "a folder is granted")
}

/// Checks that a policy grants exactly one directory, for the journal. Wassette mounts a directory
/// at its original path. The journal uses the only granted directory.
fn check_once(text: &str) -> Checked {
    let storage = checked(text)?.storage.map_or_else(Vec::new, |storage| storage.allow);
    let [Storage { uri, access }] = &storage[..] else {
        return Err("not exactly one folder is granted".into());
    };
    holds(uri.starts_with("fs:///") && !uri.contains('*'), "the folder is not an absolute path")?;
    holds(access[..] == ["read", "write"], "the journal cannot be read and written")
}

/// Checks the rules for every policy, with or without a journal.
fn checked(text: &str) -> Checked<Permissions> {
    let policy: Policy = serde_yaml_ng::from_str(text).map_err(|error| error.to_string())?;
    holds(policy.version == "1.0", "the policy's version is not 1.0")?;
    let [Host { host }] = &policy.permissions.network.allow[..] else {
        return Err("not exactly one host is allowed".into());
    };
    holds(!host.contains(['*', ':', '/']), "the host is not a plain name")?;
    let keys = policy.permissions.environment.allow.iter();
    let variables: Variables =
        keys.map(|one| (one.key.clone(), format!("https://{host}"))).collect();
    holds(
        origin(&variables)? == format!("https://{host}"),
        "the host is not the service's origin",
    )?;
    Ok(policy.permissions)
}

/// The policy of the plugin. A policy has the file name of its component, because Wassette
/// identifies components by file name.
const POLICY: &str = include_str!("../../../../examples/wassette/messaging_plugin.policy.yaml");
const ONCE_POLICY: &str =
    include_str!("../../../../examples/wassette/messaging_plugin_once_files.policy.yaml");

#[test]
fn wassette_policies_fit_plugin() {
    assert_eq!(check(POLICY), Ok(()));
    assert_eq!(check_once(ONCE_POLICY), Ok(()));
    assert!(world::speaks_json(component("messaging_plugin").unwrap()));
    assert!(world::speaks_json(component("messaging_plugin_once_files").unwrap()));
    assert!(!world::speaks_json(component("messaging_webhook").unwrap()));
}

#[test]
fn broken_wassette_policy_is_refused() {
    refuses(
        check,
        POLICY,
        &[
            ("\"1.0\"", "\"2.0\"", "version is not 1.0"),
            ("  network:", "  storages: {}\n  network:", "unknown field `storages`"),
            ("  network:", "  storage: {allow: []}\n  network:", "a folder is granted"),
            ("- host: api.example.com", "- hots: api.example.com", "unknown field `hots`"),
            ("- host: api.example.com", "[]", "not exactly one host"),
            ("api.example.com", "\"*.example.com\"", "not a plain name"),
            ("api.example.com", "api.example.com:443", "not a plain name"),
            ("MESSAGING_BASE_URL", "MESSAGING_BASE", "MESSAGING_BASE"),
            (
                "- key: MESSAGING_BASE_URL",
                "- key: MESSAGING_BASE_URL\n      - key: MESSAGING_API_KEY",
                "MESSAGING_API_KEY is set twice",
            ),
        ],
    );
}

#[test]
fn broken_policy_with_journal_is_rejected() {
    refuses(
        check_once,
        ONCE_POLICY,
        &[
            ("- host: api.example.com", "[]", "not exactly one host"),
            (
                "- uri: fs:///var/lib/messaging/journal\n        access: [read, write]",
                "[]",
                "not exactly one folder",
            ),
            ("fs:///var/lib", "fs://var/lib", "not an absolute path"),
            ("messaging/journal", "messaging/**", "not an absolute path"),
            ("[read, write]", "[read]", "cannot be read and written"),
            ("access:", "acces:", "unknown field `acces`"),
        ],
    );
}
