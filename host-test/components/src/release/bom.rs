//! Software bill of materials of a release, in CycloneDX 1.5: the crates in each component. The
//! build script of this crate gets the crates from `cargo tree`.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Context;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Component, VERSION, sha256};
use crate::CRATES;

/// ID of the document's subject.
const ROOT: &str = "messaging:integration";

/// A crate that is compiled into a component.
#[derive(Clone, Debug, Deserialize)]
pub struct Crate {
    /// Name of the crate.
    pub name: String,
    /// Version of the crate.
    pub version: String,
    /// License as an SPDX expression.
    pub license: String,
    /// SHA-256 of the source in the registry; `None` for crates of this project.
    #[serde(default)]
    pub sha256: Option<String>,
    /// Dependencies, each as name and version.
    depends: Vec<String>,
}

impl Crate {
    fn id(&self) -> String {
        format!("{} {}", self.name, self.version)
    }

    fn reference(&self) -> String {
        reference(&self.id())
    }

    fn entry(&self) -> Value {
        let mut entry = json!({
            "type": "library",
            "bom-ref": self.reference(),
            "name": self.name,
            "version": self.version,
            "licenses": [{ "expression": self.license }],
        });
        if let (Some(sha256), Value::Object(entry)) = (&self.sha256, &mut entry) {
            entry.insert("purl".into(), self.reference().into());
            entry.insert("hashes".into(), json!([{ "alg": "SHA-256", "content": sha256 }]));
        }
        entry
    }
}

/// Returns the package URL of a crate, which is also its ID in the document.
fn reference(id: &str) -> String {
    format!("pkg:cargo/{}", id.replacen(' ', "@", 1).replace('+', "%2B"))
}

/// Returns the crates that are compiled into a component, without duplicates.
///
/// # Errors
/// Returns an error if the build script wrote a malformed list of crates.
pub fn crates(component: &Component) -> anyhow::Result<Vec<Crate>> {
    let table: BTreeMap<String, Vec<Crate>> = serde_json::from_str(CRATES)?;
    let mut seen = BTreeSet::new();
    let mut crates = Vec::new();
    for package in component.packages {
        let own =
            table.get(*package).with_context(|| format!("{package} has no list of crates"))?;
        crates.extend(own.iter().filter(|one| seen.insert(one.id())).cloned());
    }
    Ok(crates)
}

/// Returns the bill of materials of these components.
///
/// # Errors
/// Returns an error if [`crates`] fails.
pub fn document(components: &[Component]) -> anyhow::Result<Value> {
    let mut entries = Vec::new();
    let mut libraries = BTreeMap::new();
    let files: Vec<_> = components.iter().map(|component| component.file).collect();
    let mut dependencies = vec![json!({ "ref": ROOT, "dependsOn": files })];
    for component in components {
        entries.push(json!({
            "type": "application",
            "bom-ref": component.file,
            "name": component.file,
            "version": VERSION,
            "description": component.about,
            "licenses": [{ "expression": "Apache-2.0" }],
            "hashes": [{ "alg": "SHA-256", "content": sha256(component.bytes) }],
        }));
        let crates = crates(component)?;
        let roots = component.packages.iter();
        let roots: Vec<_> = roots.map(|name| reference(&format!("{name} {VERSION}"))).collect();
        dependencies.push(json!({ "ref": component.file, "dependsOn": roots }));
        libraries.extend(crates.into_iter().map(|one| (one.id(), one)));
    }
    for one in libraries.values() {
        let depends: Vec<_> = one.depends.iter().map(|id| reference(id)).collect();
        dependencies.push(json!({ "ref": one.reference(), "dependsOn": depends }));
        entries.push(one.entry());
    }
    Ok(json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": {
                "type": "library",
                "bom-ref": ROOT,
                "name": "messaging:integration",
                "version": VERSION,
                "licenses": [{ "expression": "Apache-2.0" }],
            }
        },
        "components": entries,
        "dependencies": dependencies,
    }))
}
