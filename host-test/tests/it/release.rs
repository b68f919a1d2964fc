//! The release files: checksums, manifest, versions and bill of materials.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use messaging_components::release::{COMPONENTS, bom, pack};
use messaging_components::{WIT, WIT_PACKAGE};
use messaging_host::inspect::{Inspection, Interface};
use serde_json::Value;
use sha2::{Digest, Sha256};
use wit_parser::Resolve;

use crate::process::{program, stdout};

/// Collects every file below a directory.
fn contents(root: &Path, folder: &Path, found: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            contents(root, &path, found);
        } else {
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
            found.insert(name, fs::read(&path).unwrap());
        }
    }
}

#[test]
fn release_is_reproducible_with_sums() {
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let [first, second] = folders.map(|folder| {
        let manifest = pack(&folder.path().join("a/b")).unwrap();
        assert!(manifest.files.len() > COMPONENTS.len() + 3);
        let mut found = BTreeMap::new();
        contents(&folder.path().join("a/b"), &folder.path().join("a/b"), &mut found);
        found
    });
    assert!(first == second);
    let sums = String::from_utf8(first["SHA256SUMS"].clone()).unwrap();
    let mut summed = 0;
    for line in sums.lines() {
        let (sum, name) = line.split_once("  ").unwrap();
        let digest = Sha256::digest(&first[name]);
        let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(sum, digest, "{name}");
        summed += 1;
    }
    // Every file except the checksum file has a checksum.
    assert_eq!(summed, first.len() - 1);
}

#[test]
fn manifest_lists_interfaces_of_each_component() {
    let folder = tempfile::tempdir().unwrap();
    let manifest = pack(folder.path()).unwrap();
    for (component, file) in COMPONENTS.iter().zip(manifest.files) {
        let inspection = Inspection::of(component.bytes).unwrap();
        let names = |interfaces: Vec<Interface>| {
            interfaces.into_iter().map(|interface| interface.name).collect::<Vec<_>>()
        };
        assert!(!file.exports.is_empty(), "{}", file.file);
        assert_eq!(file.exports, names(inspection.exports), "{}", file.file);
        assert_eq!(file.imports, names(inspection.imports), "{}", file.file);
    }
}

#[test]
fn version_names_released_components() {
    let folder = tempfile::tempdir().unwrap();
    pack(folder.path()).unwrap();
    let sums = fs::read_to_string(folder.path().join("SHA256SUMS")).unwrap();
    let version = stdout(&program(&["--version"], &[]).output().unwrap());
    assert!(version.starts_with("messaging 0.2.0\ncommit "), "{version}");
    let digests: Vec<_> = version.lines().filter_map(|line| line.split_once(" sha256:")).collect();
    assert_eq!(digests.len(), 2);
    for (file, digest) in digests {
        assert!(sums.contains(&format!("{digest}  {file}\n")), "{file} {digest}");
    }
}

/// Returns the text of a custom section of a component.
fn said(bytes: &[u8], section: &str) -> Option<String> {
    let start = [&[0x00][..], &[0; 0]].concat();
    let name = [&[u8::try_from(section.len()).unwrap()][..], section.as_bytes()].concat();
    let at = bytes.windows(name.len()).rposition(|window| window == name)?;
    let length = usize::from(*bytes.get(at.checked_sub(1)?)?);
    assert!(bytes[..at - 1].ends_with(&start), "not a custom section");
    let text = &bytes[at + name.len()..at + length];
    Some(String::from_utf8(text.to_vec()).unwrap())
}

#[test]
fn component_contains_name_version_and_license() {
    for component in COMPONENTS {
        assert_eq!(said(component.bytes, "version").unwrap(), "0.2.0", "{}", component.file);
        assert_eq!(said(component.bytes, "licenses").unwrap(), "Apache-2.0", "{}", component.file);
        let description = said(component.bytes, "description").unwrap();
        assert!(description.contains("event") || description.contains("message"));
        let name = component.file.trim_end_matches("_documented.wasm").trim_end_matches(".wasm");
        let name = name.replace('_', "-");
        let named = component.bytes.windows(name.len()).any(|window| window == name.as_bytes());
        assert!(named, "{}", component.file);
    }
}

#[test]
fn bill_of_materials_names_every_crate() {
    // `.ci/run` checks the document with a CycloneDX validator.
    let document = bom::document(&COMPONENTS).unwrap();
    let list = |name: &str| document[name].as_array().unwrap().clone();
    let text = |value: &Value, name: &str| value[name].as_str().unwrap().to_string();
    let entries = list("components");
    let mut references: BTreeSet<_> = entries.iter().map(|entry| text(entry, "bom-ref")).collect();
    assert_eq!(references.len(), entries.len());
    let root = text(&document["metadata"]["component"], "bom-ref");
    assert_eq!(text(&list("dependencies")[0], "ref"), root);
    references.insert(root);
    for dependency in list("dependencies") {
        assert!(references.contains(&text(&dependency, "ref")), "{dependency}");
        let on = dependency["dependsOn"].as_array().unwrap();
        assert!(on.iter().all(|on| references.contains(on.as_str().unwrap())), "{dependency}");
    }
    for component in COMPONENTS {
        let crates = bom::crates(&component).unwrap();
        for one in &crates {
            let named = |entry: &&Value| {
                text(entry, "name") == one.name && text(entry, "version") == one.version
            };
            let entry = entries.iter().find(named).unwrap();
            assert_eq!(entry["licenses"][0]["expression"], one.license.as_str());
            // Only third-party crates have a checksum, because the lock file has no checksum of
            // local crates.
            assert_eq!(one.sha256.is_none(), one.name.starts_with("messaging-"), "{one:?}");
        }
        let named = |name: &str| crates.iter().any(|one| one.name == name);
        assert!(named("messaging-core"), "{}", component.file);
        // `serde_derive` runs at build time and is not part of the component.
        assert!(!named("serde_derive"), "{}", component.file);
    }
    // The page on components states the number of crates in the plugin.
    let page = include_str!("../../../guest/README.md");
    let crates = bom::crates(&COMPONENTS[0]).unwrap().len();
    assert!(page.contains(&format!("{crates} crates")), "the plugin is made of {crates} crates");
}

#[test]
fn documented_plugin_adds_only_text() {
    let [plugin, documented, ..] = COMPONENTS;
    let (same, added) = documented.bytes.split_at(plugin.bytes.len());
    assert!(same == plugin.bytes);
    let text = String::from_utf8_lossy(added);
    assert!(text.contains("package-docs"));
    for function in ["send-message", "list-templates", "handle-event"] {
        assert!(text.contains(&format!("\"{function}\":{{\"docs\":\"")), "{function}");
    }
}

#[test]
fn binary_wit_equals_text() {
    let mut decoded = wit_component::decode(WIT_PACKAGE).unwrap();
    let package = decoded.package();
    let resolve: &mut Resolve = match &mut decoded {
        wit_component::DecodedWasm::WitPackage(resolve, _) => resolve,
        wit_component::DecodedWasm::Component(..) => panic!("not a WIT package"),
    };
    assert_eq!(resolve.packages[package].name.to_string(), "messaging:integration@0.2.0");
    let interfaces = &resolve.packages[package].interfaces;
    let messaging = &resolve.interfaces[interfaces["messaging"]];
    let docs = messaging.functions["send-message"].docs.contents.as_deref().unwrap();
    assert!(docs.starts_with("Creates one outbound message"), "{docs}");
    assert_eq!(interfaces.len(), 8);
    let own = WIT.iter().filter(|(name, _)| !name.contains('/')).count();
    assert_eq!(own, 8);
}
