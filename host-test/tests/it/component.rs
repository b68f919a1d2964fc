//! The component file: its imports, its size, its WIT; and files that are none.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::path::{Path, PathBuf};

use crate::common::cached;
use messaging_components::{
    INBOX_FILES, INBOX_KEYVALUE, PLUGIN, WEBHOOK, WEBHOOK_FILES, WEBHOOK_KEYVALUE, WEBHOOK_OPEN,
};
use messaging_host::inspect::{Inspection, Interface};
use messaging_host::plugin::TYPES;
use messaging_host::{Host, Limits, LoadError, Plugin};

/// Of the plugin.
const GOLDEN_IMPORTS: [&str; 7] = [
    "wasi:cli/environment@0.2.0",
    "wasi:io/poll@0.2.0",
    "wasi:clocks/monotonic-clock@0.2.0",
    "wasi:io/error@0.2.0",
    "wasi:io/streams@0.2.0",
    "wasi:http/types@0.2.0",
    "wasi:http/outgoing-handler@0.2.0",
];

const MESSAGING: &str = "messaging:integration/messaging@0.2.0";
const INBOX: &str = "messaging:integration/inbox@0.2.0";
const HANDLER: &str = "wasi:http/incoming-handler@0.2.0";

fn host() -> Host {
    cached(Host::on_demand(Limits::default()).unwrap())
}

fn load(text: &str) -> LoadError {
    let bytes = wat::parse_str(text).unwrap();
    match Plugin::load(&host(), &bytes, crate::common::config(&[], None)) {
        Err(error) => error,
        Ok(_) => panic!("{text} was loaded"),
    }
}

#[test]
fn the_imports_are_these_and_no_others() {
    let inspection = Inspection::of(PLUGIN).unwrap();
    let mut imports: Vec<_> = inspection.imports.iter().map(|one| one.name.as_str()).collect();
    let mut golden = GOLDEN_IMPORTS;
    imports.sort_unstable();
    golden.sort_unstable();
    assert_eq!(imports, golden);
    assert!(inspection.is_messaging_plugin);
    let [types, messaging] = &inspection.exports[..] else { panic!("{:?}", inspection.exports) };
    assert_eq!((&*types.name, types.functions.len()), (TYPES, 0));
    assert_eq!(messaging.functions, ["send-message", "list-templates", "handle-event"]);
}

/// The names of a component's imports and exports, sorted.
fn interfaces(bytes: &[u8]) -> (Vec<String>, Vec<String>) {
    let inspection = Inspection::of(bytes).unwrap();
    let names = |found: Vec<Interface>| {
        let mut names: Vec<_> = found.into_iter().map(|one| one.name).collect();
        names.sort_unstable();
        names
    };
    (names(inspection.imports), names(inspection.exports))
}

#[test]
fn the_inboxes_import_a_store_and_little_else() {
    let (imports, exports) = interfaces(INBOX_FILES);
    assert_eq!(
        imports,
        [
            // Times of files: the type alone, no clock can be read through it.
            "wasi:clocks/wall-clock@0.2.0",
            "wasi:filesystem/preopens@0.2.0",
            "wasi:filesystem/types@0.2.0",
        ]
    );
    assert_eq!(exports, [INBOX]);
    let (imports, exports) = interfaces(INBOX_KEYVALUE);
    assert_eq!(imports, ["wasi:cli/environment@0.2.0", "wasi:keyvalue/store@0.2.0-draft"]);
    assert_eq!(exports, [INBOX]);
    assert!(INBOX_FILES.len() <= 60_000, "{} bytes", INBOX_FILES.len());
    assert!(INBOX_KEYVALUE.len() <= 50_000, "{} bytes", INBOX_KEYVALUE.len());
}

#[test]
fn a_composed_webhook_imports_what_its_parts_do_once_each() {
    let (webhook, exports) = interfaces(WEBHOOK);
    assert_eq!(exports, [HANDLER]);
    for (composed, inbox) in [
        (WEBHOOK_OPEN, None),
        (WEBHOOK_FILES, Some(INBOX_FILES)),
        (WEBHOOK_KEYVALUE, Some(INBOX_KEYVALUE)),
    ] {
        let mut expected = [webhook.clone(), interfaces(PLUGIN).0].concat();
        expected.retain(|name| name != MESSAGING && name != TYPES);
        if let Some(inbox) = inbox {
            expected.retain(|name| name != INBOX);
            expected.extend(interfaces(inbox).0);
        }
        expected.sort_unstable();
        expected.dedup();
        assert_eq!(interfaces(composed), (expected, vec![HANDLER.to_string()]));
    }
}

#[test]
fn no_component_holds_a_path_of_the_machine() {
    for bytes in [WEBHOOK_FILES, WEBHOOK_KEYVALUE] {
        let holds = |text: &str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
        for path in ["/root/", "/home/", "/Users/", ".cargo", env!("CARGO_MANIFEST_DIR")] {
            assert!(!holds(path), "{path}");
        }
    }
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
fn a_component_that_is_not_a_plugin_is_refused_with_a_reason() {
    let sandbox = crate::common::config(&[], None);
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
    let error = load(&interface("0.1.0"));
    assert!(matches!(error, LoadError::WrongWorld { .. }), "{error}");
    assert!(error.to_string().contains("messaging@0.1.0"), "{error}");
    // The right name, but without its functions.
    let error = load(&interface("0.2.0"));
    assert!(matches!(error, LoadError::MissingImport(_) | LoadError::WrongWorld { .. }), "{error}");
    let error = load(
        "(component (import \"wasi:keyvalue/store@0.2.0-draft\" (instance (export \"open\" (func))))
           (instance $i) (export \"messaging:integration/messaging@0.2.0\" (instance $i)))",
    );
    assert!(error.to_string().contains("wasi:keyvalue/store"), "{error}");
}

#[test]
fn the_vendored_wit_is_what_the_wasi_crate_carries() {
    let vendored = Path::new(env!("CARGO_MANIFEST_DIR")).join("../wit/deps");
    let (keyvalue, vendored): (Vec<_>, Vec<_>) = crate::common::files(&vendored)
        .into_iter()
        .partition(|(name, _)| name.starts_with("keyvalue"));
    let carried =
        crate::common::files(&crate::common::source_of("wasi", "0.13.1").join("wit/deps"));
    let names = |files: &[(PathBuf, String)]| {
        files.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(&vendored), names(&carried));
    assert!(vendored == carried, "a vendored file was edited");
    // wasi:keyvalue is no part of WASI 0.2.
    let carried = crate::common::files(
        &crate::common::source_of("wasmtime-wasi-keyvalue", "48.").join("wit/deps"),
    );
    assert_eq!(names(&keyvalue), names(&carried));
    assert!(keyvalue == carried, "a vendored file was edited");
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
    assert_eq!(names, ["memchr", "percent-encoding", "serde", "serde_json"]);
}
