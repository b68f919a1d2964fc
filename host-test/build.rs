//! Builds the components that this crate embeds (and a hostile one for its tests) and composes the webhooks, so that
//! `cargo run` and `cargo test` are the whole set-up. Adds the wasm target with rustup where it is missing.

#[path = "build/compose.rs"]
mod compose;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use compose::{HANDLER, INBOX, MESSAGING, compose};

const TARGET: &str = "wasm32-wasip2";
const ADD_TARGET: &str = "rustup target add wasm32-wasip2";

/// What is built. The hostile one is what the tests hold the host against: it
/// misbehaves on command. The broken one is what they hold the conformance suite
/// against.
const PACKAGES: [&str; 6] = [
    "messaging-plugin",
    "messaging-webhook",
    "messaging-inbox-files",
    "messaging-inbox-keyvalue",
    "hostile-plugin",
    "broken-plugin",
];

/// What is embedded as it is built. The names do not begin with `MESSAGING_`: `cargo
/// run` hands them to the program, which refuses settings that it does not know.
const EMBEDDED: [(&str, &str); 5] = [
    ("EMBEDDED_PLUGIN_WASM", "messaging_plugin.wasm"),
    ("EMBEDDED_WEBHOOK_WASM", "messaging_webhook.wasm"),
    ("EMBEDDED_INBOX_FILES_WASM", "messaging_inbox_files.wasm"),
    ("EMBEDDED_INBOX_KEYVALUE_WASM", "messaging_inbox_keyvalue.wasm"),
    ("EMBEDDED_HOSTILE_WASM", "hostile_plugin.wasm"),
];

/// What is composed of the webhook, the plugin and an inbox. Without an inbox the
/// host brings one.
const COMPOSED: [(&str, &str, Option<&str>); 3] = [
    ("EMBEDDED_WEBHOOK_OPEN_WASM", "messaging_webhook_open.wasm", None),
    (
        "EMBEDDED_WEBHOOK_FILES_WASM",
        "messaging_webhook_files.wasm",
        Some("messaging_inbox_files.wasm"),
    ),
    (
        "EMBEDDED_WEBHOOK_KEYVALUE_WASM",
        "messaging_webhook_keyvalue.wasm",
        Some("messaging_inbox_keyvalue.wasm"),
    ),
];

fn main() -> ExitCode {
    match build() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn build() -> Result<(), String> {
    let root = Path::new(&var("CARGO_MANIFEST_DIR")?).join("..");
    for source in [
        "guest",
        "wit",
        "host-test/hostile",
        "host-test/broken",
        "host-test/build",
        "Cargo.toml",
        "Cargo.lock",
        "rust-toolchain.toml",
    ] {
        println!("cargo::rerun-if-changed={}", root.join(source).display());
    }
    if !target_is_installed()? {
        add_target()?;
    }
    // OUT_DIR is TARGET/PROFILE/build/PACKAGE/out: one folder for all profiles. A
    // folder of its own, because the outer cargo holds the lock of its own.
    let out = PathBuf::from(var("OUT_DIR")?);
    let target_dir = out.ancestors().nth(4).unwrap_or(&out).join("components");
    for package in PACKAGES {
        build_component(&root, &target_dir, package)?;
    }
    let built = target_dir.join(TARGET).join("release");
    for (name, file) in EMBEDDED {
        println!("cargo::rustc-env={name}={}", built.join(file).display());
    }
    let webhook = read(&built.join("messaging_webhook.wasm"))?;
    let plugin = read(&built.join("messaging_plugin.wasm"))?;
    let plugin = (("messaging:plugin", plugin.as_slice()), MESSAGING);
    for (name, file, inbox) in COMPOSED {
        let inbox = inbox.map(|inbox| read(&built.join(inbox))).transpose()?;
        let inbox = inbox.as_deref().map(|inbox| (("messaging:inbox", inbox), INBOX));
        let plugs: Vec<_> = [plugin].into_iter().chain(inbox).collect();
        let composed = compose(("messaging:webhook", &webhook), &plugs, HANDLER)?;
        embed(name, &built.join(file), &composed)?;
    }
    let broken = read(&built.join("broken_plugin.wasm"))?;
    let broken = compose(("broken:plugin", &broken), &[plugin], MESSAGING)?;
    embed("EMBEDDED_BROKEN_WASM", &built.join("broken_plugin_composed.wasm"), &broken)?;
    Ok(())
}

/// One component by itself: the features that another one needs of a shared package
/// must not change its bytes.
fn build_component(root: &Path, target_dir: &Path, package: &str) -> Result<(), String> {
    let mut cargo = Command::new(var("CARGO")?);
    cargo
        .args(["build", "--release", "--locked", "--target", TARGET, "-p", package])
        .arg("--target-dir")
        .arg(target_dir)
        .current_dir(root);
    // What is set for the native build (clippy's wrapper, instrumentation) is not
    // meant for the component, whose bytes depend on its sources alone.
    for name in [
        "RUSTFLAGS",
        "CARGO_ENCODED_RUSTFLAGS",
        "RUSTC_WRAPPER",
        "RUSTC_WORKSPACE_WRAPPER",
        "CARGO_BUILD_TARGET",
        "CARGO_TARGET_DIR",
        "CARGO_BUILD_RUSTFLAGS",
    ] {
        cargo.env_remove(name);
    }
    let output = cargo.output().map_err(|error| format!("cargo could not be started: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let log = String::from_utf8_lossy(&output.stderr);
    Err(format!("{package} could not be built for {TARGET}:\n{log}"))
}

/// Leaves a composed component beside its parts, where whoever wants the files finds
/// them all.
fn embed(name: &str, path: &Path, bytes: &[u8]) -> Result<(), String> {
    write(path, bytes)?;
    println!("cargo::rustc-env={name}={}", path.display());
    Ok(())
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| format!("{} cannot be read: {error}", path.display()))
}

/// Writes a file whole or not at all: builds of other profiles use the same folder.
fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    if fs::read(path).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    let draft = path.with_extension(format!("wasm.{}", std::process::id()));
    fs::write(&draft, bytes)
        .and_then(|()| fs::rename(&draft, path))
        .map_err(|error| format!("{} cannot be written: {error}", path.display()))
}

fn var(name: &str) -> Result<String, String> {
    env::var(name).map_err(|_| format!("cargo did not set {name}"))
}

fn target_is_installed() -> Result<bool, String> {
    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let output = Command::new(rustc)
        .args(["--print", "target-libdir", "--target", TARGET])
        .output()
        .map_err(|error| format!("rustc could not be started: {error}"))?;
    Ok(Path::new(String::from_utf8_lossy(&output.stdout).trim()).is_dir())
}

fn add_target() -> Result<(), String> {
    println!("cargo::warning=adding the target {TARGET} with rustup");
    let added = Command::new("rustup")
        .args(["target", "add", TARGET])
        .stdout(Stdio::null())
        .output()
        .map_err(|_| {
            format!("the target {TARGET} is missing, and there is no rustup to add it. Install it, for example with: {ADD_TARGET}")
        })?;
    if added.status.success() {
        return Ok(());
    }
    let log = String::from_utf8_lossy(&added.stderr);
    Err(format!("the target {TARGET} could not be added. Try: {ADD_TARGET}\n{log}"))
}
