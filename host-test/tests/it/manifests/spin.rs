//! Spin manifests. Fields and rules are taken from the manifest reference and "Using component
//! dependencies": `content/v4/manifest-reference.md` and `content/v4/writing-apps.md` in
//! spinframework/spin-docs.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::{Checked, Variables, component_at, holds, origin, refuses, world};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    spin_manifest_version: u32,
    #[serde(rename = "application")]
    _application: Application,
    trigger: Triggers,
    component: BTreeMap<String, Component>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Application {
    #[serde(rename = "name")]
    _name: String,
    #[serde(rename = "version")]
    _version: String,
    #[serde(rename = "description")]
    _description: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Triggers {
    http: Vec<HttpTrigger>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HttpTrigger {
    route: String,
    component: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Component {
    #[serde(rename = "source")]
    _source: String,
    allowed_outbound_hosts: Vec<String>,
    environment: Variables,
    dependencies: BTreeMap<String, Dependency>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Dependency {
    path: String,
    inherit_configuration: BTreeSet<String>,
}

/// Permissions that a dependency needs for its imports.
const PERMISSIONS: [(&str, &str); 2] = [
    ("wasi:cli/environment@0.2.0", "environment"),
    ("wasi:http/outgoing-handler@0.2.0", "allowed_outbound_hosts"),
];

fn check(text: &str) -> Checked {
    let manifest: Manifest = toml::from_str(text).map_err(|error| error.to_string())?;
    holds(manifest.spin_manifest_version == 2, "the manifest's version is not 2")?;
    for trigger in &manifest.trigger.http {
        holds(trigger.route.starts_with('/'), "a route does not begin with /")?;
        holds(
            manifest.component.contains_key(&trigger.component),
            "a trigger names an unknown component",
        )?;
    }
    for (name, component) in &manifest.component {
        let kebab = |one: char| one.is_ascii_lowercase() || one.is_ascii_digit() || one == '-';
        holds(name.chars().all(kebab), "a component's name is not in kebab case")?;
        holds(
            component.allowed_outbound_hosts == [origin(&component.environment)?],
            "the allowed hosts differ from the service's origin",
        )?;
        for (interface, dependency) in &component.dependencies {
            let bytes = component_at(&dependency.path)?;
            holds(
                world::exports(bytes).contains(interface),
                "a dependency does not export its interface",
            )?;
            world::links("spin", "messaging", bytes)?;
            let imports = world::imports(bytes);
            let needed =
                PERMISSIONS.iter().filter(|(import, _)| imports.iter().any(|one| one == import));
            let needed: BTreeSet<_> =
                needed.map(|(_, permission)| (*permission).to_owned()).collect();
            holds(
                dependency.inherit_configuration == needed,
                "a dependency has excess or missing permissions",
            )?;
        }
    }
    Ok(())
}

const MANIFEST: &str = include_str!("../../../../examples/spin/spin.toml");

#[test]
fn spin_manifest_fits_plugin() {
    assert_eq!(check(MANIFEST), Ok(()));
}

#[test]
fn broken_spin_manifest_is_refused() {
    refuses(
        check,
        MANIFEST,
        &[
            ("spin_manifest_version = 2", "spin_manifest_version = 1", "version is not 2"),
            ("[[trigger.http]]", "[[trigger.https]]", "unknown field `https`"),
            (
                "component = \"caller\"",
                "component = \"other\"",
                "a trigger names an unknown component",
            ),
            (
                "[\"https://api.example.com\"]",
                "[\"https://*.example.com\"]",
                "the service's origin",
            ),
            ("[\"https://api.example.com\"]", "[]", "the service's origin"),
            ("{ MESSAGING_BASE_URL", "{ MESSAGING_BASE", "MESSAGING_BASE"),
            (
                "{ MESSAGING_BASE_URL",
                "{ MESSAGING_API_KEY = \"key\", MESSAGING_BASE_URL",
                "MESSAGING_API_KEY is set twice",
            ),
            ("messaging_plugin.wasm", "messaging.wasm", "is not a component that the build makes"),
            ("messaging_plugin.wasm", "messaging_inbox_files.wasm", "does not export"),
            ("messaging@0.2.0\"]", "messaging@0.1.0\"]", "does not export"),
            (", \"environment\"]", "]", "excess or missing"),
            (", \"environment\"]", ", \"environment\", \"files\"]", "excess or missing"),
        ],
    );
}
