//! Builds the components that this crate embeds, and composes the webhooks, so that `cargo run` and
//! `cargo test` need no further setup. Adds the wasm target with rustup if it is missing.

#[cfg(feature = "all")]
#[path = "build/bom.rs"]
mod bom;
#[path = "build/compose.rs"]
mod compose;
#[path = "build/finish.rs"]
mod finish;
#[cfg(feature = "all")]
#[path = "build/wit.rs"]
mod wit;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

#[cfg(feature = "all")]
use compose::{CONCURRENT_MESSAGING, CONCURRENT_ONCE, JOURNAL, ONCE};
use compose::{HANDLER, INBOX, MESSAGING, TYPES, compose};
use finish::{finish, without_names};

const TARGET: &str = "wasm32-wasip2";
const ADD_TARGET: &str = "rustup target add wasm32-wasip2";

/// Components for the command line.
const MAIN: [&str; 4] =
    ["messaging-plugin", "messaging-webhook", "messaging-inbox-files", "messaging-inbox-keyvalue"];

/// Further components of a release (feature `all`).
#[cfg(feature = "all")]
const MORE: [&str; 8] = [
    "messaging-plugin-p3",
    "messaging-webhook-wasmcloud",
    "messaging-plugin-sans-io",
    "messaging-once",
    "messaging-once-sans-io",
    "messaging-once-wasmcloud",
    "messaging-journal-files",
    "messaging-journal-http",
];

/// Components that test the hosts and the conformance suite (feature `guests`): three components
/// that misbehave, and a provider for an SMS gateway.
const GUESTS: [&str; 4] = ["hostile-plugin", "hostile-plugin-p3", "broken-plugin", "sms-provider"];

/// Guests that are embedded without changes.
const EMBEDDED: [(&str, &str); 3] = [
    ("EMBEDDED_HOSTILE_WASM", "hostile_plugin.wasm"),
    ("EMBEDDED_HOSTILE_P3_WASM", "hostile_plugin_p3.wasm"),
    ("EMBEDDED_SMS_WASM", "sms_provider.wasm"),
];

/// A released file, made from built components.
struct Release {
    /// Environment variable for the path of the file. Does not begin with `MESSAGING_`, because
    /// `cargo run` passes the variable to the program, which rejects names similar to a setting.
    variable: &'static str,
    /// File name without extension. The name of the component has `-` instead of `_`.
    name: &'static str,
    description: &'static str,
    made: Made,
}

enum Made {
    /// A built component that has the name of the released file.
    Built,
    /// A component whose imports are connected to other components. The host provides the remaining
    /// imports.
    Composed {
        socket: &'static str,
        plugs: &'static [Plug],
        /// Interface of the socket that the composed component exports.
        export: &'static str,
    },
}

/// The name of a built component, and the interfaces that it provides to another component.
type Plug = (&'static str, &'static [&'static str]);

/// The plugin behind a webhook. Also provides the types, because the composed component would
/// otherwise import them.
const EVENTS: Plug = ("messaging_plugin", &[TYPES, MESSAGING]);
/// The plugin behind `once`. Does not provide the interface `types`, because the composed component
/// imports `types` for the functions of `once`.
#[cfg(feature = "all")]
const PLUGIN: Plug = ("messaging_plugin", &[MESSAGING]);

const MAIN_RELEASES: [Release; 4] = [
    Release {
        variable: "EMBEDDED_PLUGIN_WASM",
        name: "messaging_plugin",
        description: "Sends messages, lists templates and parses events of a business messaging service",
        made: Made::Built,
    },
    Release {
        variable: "EMBEDDED_WEBHOOK_OPEN_WASM",
        name: "messaging_webhook_open",
        description: "Receives the events of a business messaging service; the host provides the inbox",
        made: Made::Composed { socket: "messaging_webhook", plugs: &[EVENTS], export: HANDLER },
    },
    Release {
        variable: "EMBEDDED_WEBHOOK_FILES_WASM",
        name: "messaging_webhook_files",
        description: "Receives the events of a business messaging service, and stores them in a directory",
        made: Made::Composed {
            socket: "messaging_webhook",
            plugs: &[EVENTS, ("messaging_inbox_files", &[INBOX])],
            export: HANDLER,
        },
    },
    Release {
        variable: "EMBEDDED_WEBHOOK_KEYVALUE_WASM",
        name: "messaging_webhook_keyvalue",
        description: "Receives the events of a business messaging service, and stores them in the host's key-value store",
        made: Made::Composed {
            socket: "messaging_webhook",
            plugs: &[EVENTS, ("messaging_inbox_keyvalue", &[INBOX])],
            export: HANDLER,
        },
    },
];

#[cfg(feature = "all")]
const MORE_RELEASES: [Release; 14] = [
    Release {
        variable: "EMBEDDED_PLUGIN_P3_WASM",
        name: "messaging_plugin_p3",
        description: "Sends messages, lists templates and parses events of a business messaging service, with concurrent calls",
        made: Made::Built,
    },
    Release {
        variable: "EMBEDDED_WEBHOOK_WASMCLOUD_WASM",
        name: "messaging_webhook_wasmcloud",
        description: "Receives the events of a business messaging service, and stores each exactly once in wasmCloud's key-value store",
        made: Made::Built,
    },
    Release {
        variable: "EMBEDDED_PLUGIN_SANS_IO_WASM",
        name: "messaging_plugin_sans_io",
        description: "Sends messages, lists templates and parses events of a messaging service; its driver makes the HTTP requests",
        made: Made::Built,
    },
    Release {
        variable: "EMBEDDED_WEBHOOK_WASM",
        name: "messaging_webhook",
        description: "Receives the events of a business messaging service; imports messaging and inbox",
        made: Made::Built,
    },
    Release {
        variable: "EMBEDDED_INBOX_FILES_WASM",
        name: "messaging_inbox_files",
        description: "Stores received events in a directory, each exactly once",
        made: Made::Built,
    },
    Release {
        variable: "EMBEDDED_INBOX_KEYVALUE_WASM",
        name: "messaging_inbox_keyvalue",
        description: "Stores received events in a key-value store of the host",
        made: Made::Built,
    },
    Release {
        variable: "EMBEDDED_ONCE_WASM",
        name: "messaging_once",
        description: "Sends at most one message per key; imports messaging and journal",
        made: Made::Built,
    },
    Release {
        variable: "EMBEDDED_ONCE_SANS_IO_WASM",
        name: "messaging_once_sans_io",
        description: "Sends at most one message per key; its driver calls provider and journal",
        made: Made::Built,
    },
    Release {
        variable: "EMBEDDED_JOURNAL_FILES_WASM",
        name: "messaging_journal_files",
        description: "Stores the outcomes of idempotent message sends in a directory",
        made: Made::Built,
    },
    Release {
        variable: "EMBEDDED_JOURNAL_HTTP_WASM",
        name: "messaging_journal_http",
        description: "Stores the outcomes of idempotent message sends in a journal on a server",
        made: Made::Built,
    },
    Release {
        variable: "EMBEDDED_PLUGIN_ONCE_OPEN_WASM",
        name: "messaging_plugin_once_open",
        description: "Sends at most one message per key; the host provides the journal",
        made: Made::Composed { socket: "messaging_once", plugs: &[PLUGIN], export: ONCE },
    },
    Release {
        variable: "EMBEDDED_PLUGIN_ONCE_FILES_WASM",
        name: "messaging_plugin_once_files",
        description: "Sends at most one message per key, with a journal in a directory",
        made: Made::Composed {
            socket: "messaging_once",
            plugs: &[PLUGIN, ("messaging_journal_files", &[JOURNAL])],
            export: ONCE,
        },
    },
    Release {
        variable: "EMBEDDED_PLUGIN_ONCE_WASMCLOUD_WASM",
        name: "messaging_plugin_once_wasmcloud",
        description: "Sends at most one message per key, with a journal in wasmCloud's key-value store",
        made: Made::Composed {
            socket: "messaging_once_wasmcloud",
            plugs: &[("messaging_plugin_p3", &[CONCURRENT_MESSAGING])],
            export: CONCURRENT_ONCE,
        },
    },
    Release {
        variable: "EMBEDDED_PLUGIN_ONCE_HTTP_WASM",
        name: "messaging_plugin_once_http",
        description: "Sends at most one message per key, with a journal on a server",
        made: Made::Composed {
            socket: "messaging_once",
            plugs: &[PLUGIN, ("messaging_journal_http", &[JOURNAL])],
            export: ONCE,
        },
    },
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
    let root = Path::new(&var("CARGO_MANIFEST_DIR")?).join("../..");
    for source in [
        "guest",
        "wit",
        "host-test/guests",
        "host-test/components/build",
        ".cargo",
        "Cargo.toml",
        "Cargo.lock",
        "rust-toolchain.toml",
    ] {
        println!("cargo::rerun-if-changed={}", root.join(source).display());
    }
    if !target_is_installed()? {
        add_target()?;
    }
    // OUT_DIR is TARGET/PROFILE/build/PACKAGE/out. Components of all profiles are built in
    // TARGET/components, because the outer cargo holds a lock on its own directory.
    let out = PathBuf::from(var("OUT_DIR")?);
    let target_dir = out.ancestors().nth(4).unwrap_or(&out).join("components");
    let built = target_dir.join(TARGET);
    let released = target_dir.join("released");
    fs::create_dir_all(&released).map_err(|error| format!("{}: {error}", released.display()))?;
    let build = |packages: &[&str]| {
        packages.iter().try_for_each(|package| build_component(&root, &target_dir, package))
    };
    build(&MAIN)?;
    release(&MAIN_RELEASES, &built, &released)?;
    #[cfg(feature = "all")]
    {
        build(&MORE)?;
        release(&MORE_RELEASES, &built, &released)?;
        describe(&root, &released, &out)?;
        println!("cargo::rustc-env=EMBEDDED_RUSTC={}", compiler()?);
    }
    if cfg!(feature = "guests") {
        build(&GUESTS)?;
        for (name, file) in EMBEDDED {
            println!("cargo::rustc-env={name}={}", built.join("release").join(file).display());
        }
        let plugin = part(&built, "messaging_plugin")?;
        let plug = (("messaging:plugin", plugin.as_slice()), &[MESSAGING][..]);
        let broken = part(&built, "broken_plugin")?;
        let broken = compose(("broken:plugin", &broken), &[plug], MESSAGING)?;
        embed("EMBEDDED_BROKEN_WASM", &built.join("release/broken_plugin_composed.wasm"), &broken)?;
    }
    Ok(())
}

/// Writes released files. The tests run the released bytes, because the crate embeds these files.
fn release(releases: &[Release], built: &Path, released: &Path) -> Result<(), String> {
    for Release { variable, name, description, made } in releases {
        let component = match made {
            Made::Built => part(built, name)?,
            Made::Composed { socket, plugs, export } => {
                let bytes = |(name, _): &Plug| part(built, name);
                let parts: Vec<_> = plugs.iter().map(bytes).collect::<Result<_, _>>()?;
                let plugs: Vec<_> = plugs
                    .iter()
                    .zip(&parts)
                    .map(|((name, interface), bytes)| {
                        ((package(name), bytes.as_slice()), *interface)
                    })
                    .collect();
                compose((package(socket), &part(built, socket)?), &plugs, export)?
            }
        };
        let finished = finish(&component, &name.replace('_', "-"), description)?;
        embed(variable, &released.join(name).with_extension("wasm"), &finished)?;
    }
    Ok(())
}

/// Returns the package name of a built component in a composition.
fn package(name: &str) -> &str {
    match name {
        "messaging_plugin" | "messaging_plugin_p3" => "messaging:plugin",
        "messaging_webhook" => "messaging:webhook",
        "messaging_inbox_files" | "messaging_inbox_keyvalue" => "messaging:inbox",
        "messaging_once" | "messaging_once_wasmcloud" => "messaging:once",
        "messaging_journal_files" | "messaging_journal_http" => "messaging:journal",
        name => name,
    }
}

/// Reads a built component, and removes the linker's names.
fn part(built: &Path, name: &str) -> Result<Vec<u8>, String> {
    let file = built.join("release").join(name);
    without_names(&read(&file.with_extension("wasm"))?, name)
}

/// Writes the further files of a release: the WIT packages, the plugin with embedded documentation,
/// and the bill of materials.
#[cfg(feature = "all")]
fn describe(root: &Path, released: &Path, out: &Path) -> Result<(), String> {
    let wit = wit::Wit::read(&root.join("wit"), None)?;
    embed("EMBEDDED_WIT_WASM", &released.join("messaging_integration.wit.wasm"), &wit.encode()?)?;
    let wit_p3 = wit::Wit::read(&root.join("wit/p3"), Some(&root.join("wit/types.wit")))?;
    let wit_p3 = wit_p3.encode()?;
    embed("EMBEDDED_WIT_P3_WASM", &released.join("messaging_integration_async.wit.wasm"), &wit_p3)?;
    let plain = read(&released.join("messaging_plugin.wasm"))?;
    let documented = released.join("messaging_plugin_documented.wasm");
    embed("EMBEDDED_PLUGIN_DOCUMENTED_WASM", &documented, &wit.document(&plain)?)?;
    wit::list(&root.join("wit"), out)?;
    let packages: Vec<_> = MAIN.iter().chain(&MORE).copied().collect();
    let bom = bom::read(root, TARGET, &packages)?;
    write(&out.join("bom.json"), bom.to_string().as_bytes())
}

/// Builds one component. In a common build, features that another component enables in a shared
/// package would change the bytes of this component.
fn build_component(root: &Path, target_dir: &Path, package: &str) -> Result<(), String> {
    let mut cargo = Command::new(var("CARGO")?);
    cargo
        .args(["build", "--release", "--locked", "--target", TARGET, "-p", package])
        .arg("--target-dir")
        .arg(target_dir)
        .current_dir(root);
    // Removes settings of the native build (clippy's wrapper, instrumentation), because the bytes
    // of a component may depend only on its sources.
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

/// Writes a file, and passes its path to the crate as variable `name`.
fn embed(name: &str, path: &Path, bytes: &[u8]) -> Result<(), String> {
    write(path, bytes)?;
    println!("cargo::rustc-env={name}={}", path.display());
    Ok(())
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| format!("{} cannot be read: {error}", path.display()))
}

/// Writes a file atomically, because builds of other profiles use the same directory.
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
    let folder = rustc(&["--print", "target-libdir", "--target", TARGET])?;
    Ok(Path::new(folder.trim()).is_dir())
}

/// Returns the version of the compiler, such as `1.95.0`.
#[cfg(feature = "all")]
fn compiler() -> Result<String, String> {
    let version = rustc(&["--version"])?;
    let number = version.split_whitespace().nth(1).map(ToString::to_string);
    number.ok_or_else(|| format!("unexpected version of rustc: {version}"))
}

fn rustc(arguments: &[&str]) -> Result<String, String> {
    let output = Command::new(env::var("RUSTC").unwrap_or_else(|_| "rustc".into()))
        .args(arguments)
        .output()
        .map_err(|error| format!("rustc could not be started: {error}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn add_target() -> Result<(), String> {
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
