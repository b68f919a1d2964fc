//! Builds the component that this crate embeds (and a hostile one for its tests), so that `cargo run` and `cargo
//! test` are the whole set-up. Adds the wasm target with rustup where it is missing.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

const TARGET: &str = "wasm32-wasip2";
const ADD_TARGET: &str = "rustup target add wasm32-wasip2";

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
    for source in
        ["guest", "wit", "host-test/hostile", "Cargo.toml", "Cargo.lock", "rust-toolchain.toml"]
    {
        println!("cargo::rerun-if-changed={}", root.join(source).display());
    }
    if !target_is_installed()? {
        add_target()?;
    }
    // OUT_DIR is TARGET/PROFILE/build/PACKAGE/out: one folder for all profiles. A
    // folder of its own, because the outer cargo holds the lock of its own.
    let out = PathBuf::from(var("OUT_DIR")?);
    let target_dir = out.ancestors().nth(4).unwrap_or(&out).join("components");
    let mut cargo = Command::new(var("CARGO")?);
    cargo
        .args(["build", "--release", "--locked", "--target", TARGET, "-p", "messaging-plugin"])
        // What the tests hold the host against: it misbehaves on command.
        .args(["-p", "hostile-plugin"])
        .arg("--target-dir")
        .arg(&target_dir)
        .current_dir(&root);
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
    if !output.status.success() {
        let log = String::from_utf8_lossy(&output.stderr);
        return Err(format!("the messaging plugin could not be built for {TARGET}:\n{log}"));
    }
    let built = target_dir.join(TARGET).join("release");
    for (name, file) in [
        ("EMBEDDED_PLUGIN_WASM", "messaging_plugin.wasm"),
        ("EMBEDDED_HOSTILE_WASM", "hostile_plugin.wasm"),
    ] {
        println!("cargo::rustc-env={name}={}", built.join(file).display());
    }
    Ok(())
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
