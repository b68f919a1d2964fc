//! Contents of each component: the crates that cargo reports, with their checksums from the lock
//! file.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Map, Value, json};

/// Returns a table from package to crates. Each crate is `{name, version, license, sha256?,
/// depends}`. The first crate is the package itself.
pub fn read(root: &Path, target: &str, packages: &[&str]) -> Result<Value, String> {
    let checksums = checksums(&root.join("Cargo.lock"))?;
    let mut table = Map::new();
    for package in packages {
        table.insert((*package).to_string(), crates(root, target, package, &checksums)?);
    }
    Ok(Value::Object(table))
}

/// Returns the checksum of each registry crate, by name and version.
fn checksums(lock: &Path) -> Result<BTreeMap<(String, String), String>, String> {
    let text = fs::read_to_string(lock).map_err(|error| format!("{}: {error}", lock.display()))?;
    let value = |entry: &str, name: &str| {
        let line = entry.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(" = \""));
        line.and_then(|rest| rest.strip_suffix('"')).map(ToString::to_string)
    };
    let entry = |entry: &str| {
        Some(((value(entry, "name")?, value(entry, "version")?), value(entry, "checksum")?))
    };
    Ok(text.split("[[package]]").filter_map(entry).collect())
}

fn crates(
    root: &Path,
    target: &str,
    package: &str,
    checksums: &BTreeMap<(String, String), String>,
) -> Result<Value, String> {
    let mut cargo = Command::new(super::var("CARGO")?);
    cargo.args(["tree", "--locked", "--package", package, "--target", target]);
    // Excludes procedural macros, which run during the build and are not part of the component.
    cargo.args(["--edges", "normal,no-proc-macro", "--prefix", "depth", "--no-dedupe"]);
    cargo.args(["--format", "|{p}|{l}"]).current_dir(root);
    let output = cargo.output().map_err(|error| format!("cargo could not be started: {error}"))?;
    let tree = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() || tree.is_empty() {
        let log = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{package}: cannot list the crates:\n{log}"));
    }
    let mut order = Vec::new();
    let mut licenses = BTreeMap::new();
    let mut depends: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    // Crates on the path from the root to the current line.
    let mut path: Vec<String> = Vec::new();
    for line in tree.lines() {
        let wrong = || format!("{package}: unexpected line of `cargo tree`: {line}");
        let mut fields = line.splitn(3, '|');
        let (Some(depth), Some(name), Some(license)) =
            (fields.next(), fields.next(), fields.next())
        else {
            return Err(wrong());
        };
        let mut words = name.split(' ');
        let (Some(name), Some(version)) = (words.next(), words.next()) else { return Err(wrong()) };
        let id = format!("{name} {}", version.trim_start_matches('v'));
        path.truncate(depth.parse().map_err(|_| wrong())?);
        if let Some(parent) = path.last() {
            depends.entry(parent.clone()).or_default().insert(id.clone());
        }
        if licenses.insert(id.clone(), license.replace('/', " OR ")).is_none() {
            order.push(id.clone());
        }
        path.push(id);
    }
    let crates = order.iter().filter_map(|id| {
        let (name, version) = id.split_once(' ')?;
        let mut entry = json!({
            "name": name,
            "version": version,
            "license": licenses.get(id)?,
            "depends": depends.get(id).cloned().unwrap_or_default(),
        });
        let checksum = checksums.get(&(name.to_string(), version.to_string()));
        if let (Some(checksum), Value::Object(entry)) = (checksum, &mut entry) {
            entry.insert("sha256".into(), checksum.as_str().into());
        }
        Some(entry)
    });
    Ok(crates.collect())
}
