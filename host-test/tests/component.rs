//! The component file: its imports, its size, its WIT; and files that are none.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;

use host_test::inspect::Inspection;
use host_test::{Host, Limits, LoadError, PLUGIN, Plugin};

const GOLDEN_IMPORTS: [&str; 7] = [
    "wasi:cli/environment@0.2.0",
    "wasi:io/poll@0.2.0",
    "wasi:clocks/monotonic-clock@0.2.0",
    "wasi:io/error@0.2.0",
    "wasi:io/streams@0.2.0",
    "wasi:http/types@0.2.0",
    "wasi:http/outgoing-handler@0.2.0",
];

fn host() -> Host {
    Host::on_demand(Limits::default()).unwrap()
}

fn load(text: &str) -> LoadError {
    let bytes = wat::parse_str(text).unwrap();
    match Plugin::load(&host(), &bytes, common::sandbox(&[], None)) {
        Err(error) => error,
        Ok(_) => panic!("{text} was loaded"),
    }
}

#[test]
fn the_imports_are_these_and_no_others() {
    let inspection = Inspection::of(&host(), PLUGIN).unwrap();
    let mut imports: Vec<_> = inspection.imports.iter().map(|one| one.name.as_str()).collect();
    let mut golden = GOLDEN_IMPORTS;
    imports.sort_unstable();
    golden.sort_unstable();
    assert_eq!(imports, golden);
    assert!(inspection.is_messaging_plugin);
    assert_eq!(inspection.exports.len(), 1);
    assert_eq!(inspection.exports[0].functions, ["send-message", "list-templates", "handle-event"]);
}

#[test]
fn the_component_is_at_most_145_kilobytes() {
    assert!(PLUGIN.len() <= 145_000, "{} bytes", PLUGIN.len());
}

#[test]
fn no_host_takes_it_for_a_webhook_or_finds_a_path_of_the_machine_in_it() {
    let holds = |text: &str| PLUGIN.windows(text.len()).any(|window| window == text.as_bytes());
    assert!(!holds("wasi:http/incoming-handler"));
    for path in ["/root/", "/home/", "/Users/", ".cargo", "registry", env!("CARGO_MANIFEST_DIR")] {
        assert!(!holds(path), "{path}");
    }
}

#[test]
fn what_is_no_plugin_is_refused_with_a_reason() {
    let sandbox = common::sandbox(&[], None);
    for bytes in [&b""[..], b"not wasm", &[0, 0x61, 0x73, 0x6d], &PLUGIN[..PLUGIN.len() / 2]] {
        let error = Plugin::load(&host(), bytes, sandbox.clone()).err().unwrap();
        assert!(matches!(error, LoadError::NotAComponent(_)), "{error}");
        assert_eq!(error.to_string().lines().count(), 1, "{error}");
    }
    assert!(matches!(load("(module)"), LoadError::NotAComponent(_)));
    let error = load("(component)");
    assert!(error.to_string().contains("exports nothing"), "{error}");
    let interface = |version: &str| {
        format!(
            "(component (instance $i) (export \"messaging:integration/messaging@{version}\" (instance $i)))"
        )
    };
    let error = load(&interface("0.2.0"));
    assert!(matches!(error, LoadError::WrongWorld { .. }), "{error}");
    assert!(error.to_string().contains("messaging@0.2.0"), "{error}");
    // The right name, but without its functions.
    let error = load(&interface("0.1.0"));
    assert!(matches!(error, LoadError::MissingImport(_) | LoadError::WrongWorld { .. }), "{error}");
    let error = load(
        "(component (import \"wasi:keyvalue/store@0.2.0-draft\" (instance (export \"open\" (func))))
           (instance $i) (export \"messaging:integration/messaging@0.1.0\" (instance $i)))",
    );
    assert!(error.to_string().contains("wasi:keyvalue/store"), "{error}");
}

/// The folder of a dependency's sources.
fn source_of(package: &str, version: &str) -> PathBuf {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let log = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{log}");
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let found = packages.iter().find(|one| {
        one["name"] == package && one["version"].as_str().unwrap().starts_with(version)
    });
    let manifest = PathBuf::from(found.unwrap()["manifest_path"].as_str().unwrap());
    manifest.parent().unwrap().to_path_buf()
}

fn files(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let text = std::fs::read_to_string(&path).unwrap();
                found.push((path.strip_prefix(folder).unwrap().to_path_buf(), text));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn the_vendored_wit_is_what_the_wasi_crate_carries() {
    let vendored = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../wit/deps"));
    let carried = files(&source_of("wasi", "0.13.1").join("wit/deps"));
    let names = |files: &[(PathBuf, String)]| {
        files.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(&vendored), names(&carried));
    assert!(vendored == carried, "a vendored file was edited");
}

#[test]
fn the_core_cannot_reach_wasi() {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("../guest/core/Cargo.toml");
    let text = std::fs::read_to_string(manifest).unwrap();
    let (_, dependencies) = text.split_once("[dependencies]").unwrap();
    let (dependencies, _) = dependencies.split_once("[dev-dependencies]").unwrap();
    let names: Vec<_> = dependencies
        .lines()
        .filter_map(|line| line.split_once(" ="))
        .map(|(name, _)| name)
        .collect();
    assert_eq!(names, ["percent-encoding", "serde", "serde_json"]);
}
