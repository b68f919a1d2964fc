//! The component file: imports, size and WIT. Also covers files that are not valid components.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::path::{Path, PathBuf};

use crate::common::{Kind, cached};
use messaging_components::{
    INBOX_FILES, INBOX_KEYVALUE, PLUGIN, PLUGIN_P3, PLUGIN_SANS_IO, WEBHOOK, WEBHOOK_FILES,
    WEBHOOK_KEYVALUE, WEBHOOK_OPEN,
};
use messaging_host::inspect::{Inspection, Interface};
use messaging_host::plugin::{
    CONCURRENT_INTERFACE, INTERFACE as MESSAGING, SANS_IO_INTERFACE, TYPES,
};
use messaging_host::{Host, Limits, LoadError, Plugin};

/// Expected imports of the plugin.
const GOLDEN_IMPORTS: [&str; 7] = [
    "wasi:cli/environment@0.2.0",
    "wasi:io/poll@0.2.0",
    "wasi:clocks/monotonic-clock@0.2.0",
    "wasi:io/error@0.2.0",
    "wasi:io/streams@0.2.0",
    "wasi:http/types@0.2.0",
    "wasi:http/outgoing-handler@0.2.0",
];

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
fn plugin_has_exactly_seven_imports() {
    let mut golden = GOLDEN_IMPORTS;
    golden.sort_unstable();
    let golden_p3 = [
        "wasi:cli/environment@0.3.0",
        "wasi:clocks/monotonic-clock@0.3.0",
        // This interface contains only types.
        "wasi:clocks/types@0.3.0",
        "wasi:http/client@0.3.0",
        "wasi:http/types@0.3.0",
    ];
    let functions = ["send-message", "list-templates", "handle-event"];
    let driven = [
        "[constructor]send-call",
        "[method]send-call.next",
        "[constructor]list-call",
        "[method]list-call.next",
        "handle-event",
    ];
    for (kind, golden, export, functions, most_bytes) in [
        (Kind::P2, &golden[..], MESSAGING, &functions[..], 145_000),
        (Kind::P3, &golden_p3, CONCURRENT_INTERFACE, &functions, 175_000),
        (Kind::SansIo, &[], SANS_IO_INTERFACE, &driven, 125_000),
    ] {
        let (imports, exports) = interfaces(kind.component());
        assert_eq!(imports, golden, "{kind:?}");
        let mut expected = [export, TYPES];
        expected.sort_unstable();
        assert_eq!(exports, expected, "{kind:?}");
        let inspection = Inspection::of(kind.component()).unwrap();
        for one in &inspection.exports {
            let expected: &[&str] = if one.name == TYPES { &[] } else { functions };
            assert_eq!(one.functions, expected, "{kind:?} {}", one.name);
        }
        let Inspection { is_messaging_plugin, is_concurrent, is_sans_io, bytes, .. } = inspection;
        let is = [is_messaging_plugin, is_concurrent, is_sans_io];
        assert_eq!(is, [Kind::P2, Kind::P3, Kind::SansIo].map(|other| other == kind));
        assert!(bytes <= most_bytes, "{kind:?}: {bytes} bytes");
    }
}

/// Returns the names of a component's imports and exports, sorted.
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
fn inboxes_import_store_and_little_else() {
    let (imports, exports) = interfaces(INBOX_FILES);
    assert_eq!(
        imports,
        [
            // Provides only the type of file times. The inbox cannot read a clock.
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
fn composed_webhook_imports_each_interface_once() {
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
fn no_component_contains_local_path() {
    for bytes in [PLUGIN, PLUGIN_P3, PLUGIN_SANS_IO, WEBHOOK_FILES, WEBHOOK_KEYVALUE] {
        let holds = |text: &str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
        for path in ["/root/", "/home/", "/Users/", ".cargo", env!("CARGO_MANIFEST_DIR")] {
            assert!(!holds(path), "{path}");
        }
        let is_webhook = [WEBHOOK_FILES, WEBHOOK_KEYVALUE].contains(&bytes);
        // A plugin contains no path of the crate registry, and no name of the webhook's interface,
        // because a host recognizes a webhook by this name.
        for text in ["registry", "wasi:http/incoming-handler"] {
            assert!(is_webhook || !holds(text), "{text}");
        }
    }
}

#[test]
fn other_component_is_rejected_with_reason() {
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
    // The interface name is right, but its functions are missing.
    let error = load(&interface("0.2.0"));
    assert!(matches!(error, LoadError::MissingImport(_) | LoadError::WrongWorld { .. }), "{error}");
    let sans_io = |import: &str| {
        load(&format!(
            "(component {import} (instance $i) (export \"{SANS_IO_INTERFACE}\" (instance $i)))"
        ))
    };
    // A sans-I/O component may import nothing, not even a clock.
    let error = sans_io("(import \"wasi:clocks/monotonic-clock@0.2.0\" (instance))");
    assert!(matches!(error, LoadError::Imports { .. }), "{error}");
    assert!(error.to_string().contains("wasi:clocks"), "{error}");
    let error = sans_io("");
    assert!(matches!(error, LoadError::MissingImport(_)), "{error}");
    for (import, item) in [
        ("wasi:keyvalue/store@0.2.0-draft", "open"),
        ("wasi:filesystem/preopens@0.2.0", "get-directories"),
        ("wasi:sockets/tcp-create-socket@0.2.6", "create-tcp-socket"),
        ("wasi:sockets/ip-name-lookup@0.2.6", "resolve-addresses"),
    ] {
        let error = load(&format!(
            "(component (import \"{import}\" (instance (export \"{item}\" (func))))
               (instance $i) (export \"{MESSAGING}\" (instance $i)))"
        ));
        assert!(matches!(error, LoadError::MissingImport(_)), "{error}");
        // The error names the import, and the interfaces that no plugin gets.
        for part in [import, "implementation is missing", "no plugin gets files or sockets"] {
            assert!(error.to_string().contains(part), "{error}");
        }
    }
    // A host without WASI 0.3 cannot compile the component, or refuses to run it.
    let by_name =
        format!("(component (instance $i) (export \"{CONCURRENT_INTERFACE}\" (instance $i)))");
    for bytes in [PLUGIN_P3, &wat::parse_str(by_name).unwrap()] {
        let error = Plugin::load(&host(), bytes, sandbox.clone()).err().unwrap();
        assert!(matches!(error, LoadError::Concurrent), "{error}");
    }
}

/// Returns the part of a WIT file after the opening line of an interface, without doc comments.
fn interface(text: &str, name: &str) -> String {
    let (_, interface) = text.split_once(&format!("\ninterface {name} {{\n")).unwrap();
    interface.lines().filter(|line| !line.trim().starts_with("///")).collect::<Vec<_>>().join("\n")
}

#[test]
fn interfaces_of_both_wasi_versions_agree() {
    for (name, now, concurrent, waiting) in [
        (
            "messaging",
            include_str!("../../../wit/messaging.wit"),
            include_str!("../../../wit/p3/messaging.wit"),
            2,
        ),
        (
            "once",
            include_str!("../../../wit/once.wit"),
            include_str!("../../../wit/p3/once.wit"),
            5,
        ),
    ] {
        let (now, concurrent) = (interface(now, name), interface(concurrent, name));
        assert_eq!(concurrent.matches(": async func(").count(), waiting);
        let concurrent = concurrent.replace(": async func(", ": func(");
        let types = [("use messaging:integration/", "use "), ("types@0.2.0.{", "types.{")];
        let concurrent = types.iter().fold(concurrent, |text, (from, to)| text.replace(from, to));
        assert_eq!(concurrent, now);
    }
}

#[test]
fn vendored_wit_equals_wasi_crate() {
    let files = |folder: &str| {
        crate::common::files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../wit").join(folder))
    };
    // wasi:keyvalue is not part of WASI 0.2.
    let (keyvalue, vendored): (Vec<_>, Vec<_>) =
        files("deps").into_iter().partition(|(name, _)| name.starts_with("keyvalue"));
    let mut vendored_p3 = files("p3/deps");
    // No crate contains this file. `examples/wasmcloud/cluster/run` shows that wasmCloud links it.
    vendored_p3.retain(|(name, _)| name != Path::new("wasmcloud-keyvalue.wit"));
    for (vendored, package, version, folder) in [
        (vendored, "wasi", "0.13.1", "wit/deps"),
        (keyvalue, "wasmtime-wasi-keyvalue", "48.", "wit/deps"),
        (vendored_p3, "wasmtime-wasi-http", "48.", "src/p3/wit/deps"),
    ] {
        let carried = crate::common::source_of(package, version).join(folder);
        let carried = crate::common::files(&carried);
        let names = |files: &[(PathBuf, String)]| {
            files.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>()
        };
        assert_eq!(names(&vendored), names(&carried));
        assert!(!vendored.is_empty() && vendored == carried, "a vendored file was edited");
    }
}

#[test]
fn core_cannot_reach_wasi() {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("../guest/core/Cargo.toml");
    let text = std::fs::read_to_string(manifest).unwrap();
    let (_, dependencies) = text.split_once("[dependencies]").unwrap();
    let (dependencies, _) = dependencies.split_once("[dev-dependencies]").unwrap();
    let names: Vec<_> = dependencies
        .lines()
        .filter_map(|line| line.split_once(" ="))
        .map(|(name, _)| name)
        .collect();
    assert_eq!(
        names,
        [
            "base64.workspace",
            "hmac.workspace",
            "memchr",
            "percent-encoding",
            "serde",
            "serde_json",
            "sha2.workspace",
            "subtle.workspace"
        ]
    );
}
