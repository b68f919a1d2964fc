//! Wassette. The fields and rules are those of `docs/reference/permissions.md` and
//! `crates/policy/README.md` of microsoft/wassette; that a host's port is not compared, and that
//! a secret needs no grant, was seen in version 0.8.0.

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

fn check(text: &str) -> Checked {
    let policy: Policy = serde_yaml_ng::from_str(text).map_err(|error| error.to_string())?;
    holds(policy.version == "1.0", "the policy's version is not 1.0")?;
    let [Host { host }] = &policy.permissions.network.allow[..] else {
        return Err("not exactly one host is allowed".into());
    };
    holds(!host.contains(['*', ':', '/']), "the host is not a plain name")?;
    let keys = policy.permissions.environment.allow.into_iter();
    let variables: Variables = keys.map(|one| (one.key, format!("https://{host}"))).collect();
    holds(origin(&variables)? == format!("https://{host}"), "the host is not the origin's")
}

/// Its name is the plugin's file's: that is the component's identifier.
const POLICY: &str = include_str!("../../../../examples/wassette/messaging_plugin.policy.yaml");

#[test]
fn the_wassette_policy_fits_the_plugin() {
    assert_eq!(check(POLICY), Ok(()));
    assert!(world::speaks_json(component("messaging_plugin").unwrap()));
    assert!(!world::speaks_json(component("messaging_webhook").unwrap()));
}

#[test]
fn a_broken_wassette_policy_is_refused() {
    refuses(
        check,
        POLICY,
        &[
            ("\"1.0\"", "\"2.0\"", "version is not 1.0"),
            ("  network:", "  storage: {}\n  network:", "unknown field `storage`"),
            ("- host: api.example.com", "- hots: api.example.com", "unknown field `hots`"),
            ("- host: api.example.com", "[]", "not exactly one host"),
            ("api.example.com", "\"*.example.com\"", "not a plain name"),
            ("api.example.com", "api.example.com:443", "not a plain name"),
            ("MESSAGING_BASE_URL", "MESSAGING_BASE", "MESSAGING_BASE"),
            (
                "- key: MESSAGING_BASE_URL",
                "- key: MESSAGING_BASE_URL\n      - key: MESSAGING_API_KEY",
                "MESSAGING_API_KEY is given twice",
            ),
        ],
    );
}
