//! Files of a release. This crate embeds the components, which the tests run, and the WIT packages.
//! [`pack`] generates `bom.cdx.json`, `manifest.json` and `SHA256SUMS`.

pub mod bom;

use std::fs;
use std::path::Path;

use anyhow::Context;
use serde::Serialize;
use sha2::{Digest, Sha256};
use wasmparser::{Parser, Payload};

use crate::{WIT, WIT_PACKAGE, WIT_PACKAGE_P3};

/// Version of all files and of the WIT packages.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A released component.
#[derive(Clone, Copy, Debug)]
pub struct Component {
    /// Name of the file in the release.
    pub file: &'static str,
    /// Contents of the file.
    pub bytes: &'static [u8],
    /// Description, in one sentence.
    pub about: &'static str,
    /// Cargo packages from which the component is composed.
    pub packages: &'static [&'static str],
}

/// All released components.
pub const COMPONENTS: [Component; 19] = [
    Component {
        file: "messaging_plugin.wasm",
        bytes: crate::PLUGIN,
        about: "the plugin: send-message, list-templates, handle-event",
        packages: &["messaging-plugin"],
    },
    Component {
        file: "messaging_plugin_documented.wasm",
        bytes: crate::PLUGIN_DOCUMENTED,
        about: "the plugin with documentation for Wassette; other tools may reject this file",
        packages: &["messaging-plugin"],
    },
    Component {
        file: "messaging_plugin_p3.wasm",
        bytes: crate::PLUGIN_P3,
        about: "the plugin for WASI 0.3: one instance runs concurrent calls",
        packages: &["messaging-plugin-p3"],
    },
    Component {
        file: "messaging_plugin_sans_io.wasm",
        bytes: crate::PLUGIN_SANS_IO,
        about: "the plugin without imports: the host's own HTTP client makes the requests",
        packages: &["messaging-plugin-sans-io"],
    },
    Component {
        file: "messaging_webhook.wasm",
        bytes: crate::WEBHOOK,
        about: "the webhook without plugin and inbox, for engines that link messaging and inbox",
        packages: &["messaging-webhook"],
    },
    Component {
        file: "messaging_webhook_open.wasm",
        bytes: crate::WEBHOOK_OPEN,
        about: "the webhook with the plugin, for hosts that provide the inbox",
        packages: &["messaging-webhook", "messaging-plugin"],
    },
    Component {
        file: "messaging_webhook_files.wasm",
        bytes: crate::WEBHOOK_FILES,
        about: "the webhook with the plugin and an inbox in a directory",
        packages: &["messaging-webhook", "messaging-plugin", "messaging-inbox-files"],
    },
    Component {
        file: "messaging_webhook_keyvalue.wasm",
        bytes: crate::WEBHOOK_KEYVALUE,
        about: "the webhook with the plugin and an inbox on wasi:keyvalue",
        packages: &["messaging-webhook", "messaging-plugin", "messaging-inbox-keyvalue"],
    },
    Component {
        file: "messaging_webhook_wasmcloud.wasm",
        bytes: crate::WEBHOOK_WASMCLOUD,
        about: "the webhook for WASI 0.3; its inbox on wasmcloud:keyvalue detects duplicates among concurrent deliveries",
        packages: &["messaging-webhook-wasmcloud"],
    },
    Component {
        file: "messaging_inbox_files.wasm",
        bytes: crate::INBOX_FILES,
        about: "the inbox in a directory, for engines that link it",
        packages: &["messaging-inbox-files"],
    },
    Component {
        file: "messaging_inbox_keyvalue.wasm",
        bytes: crate::INBOX_KEYVALUE,
        about: "the inbox on wasi:keyvalue, for engines that link it",
        packages: &["messaging-inbox-keyvalue"],
    },
    Component {
        file: "messaging_plugin_once_files.wasm",
        bytes: crate::PLUGIN_ONCE_FILES,
        about: "send-once with the plugin and a journal in a directory",
        packages: &["messaging-once", "messaging-plugin", "messaging-journal-files"],
    },
    Component {
        file: "messaging_plugin_once_http.wasm",
        bytes: crate::PLUGIN_ONCE_HTTP,
        about: "send-once with the plugin and a journal on a server",
        packages: &["messaging-once", "messaging-plugin", "messaging-journal-http"],
    },
    Component {
        file: "messaging_plugin_once_open.wasm",
        bytes: crate::PLUGIN_ONCE_OPEN,
        about: "send-once with the plugin; the host provides the journal",
        packages: &["messaging-once", "messaging-plugin"],
    },
    Component {
        file: "messaging_plugin_once_wasmcloud.wasm",
        bytes: crate::PLUGIN_ONCE_WASMCLOUD,
        about: "send-once for WASI 0.3 with the plugin and a journal on wasmcloud:keyvalue",
        packages: &["messaging-once-wasmcloud", "messaging-plugin-p3"],
    },
    Component {
        file: "messaging_once.wasm",
        bytes: crate::ONCE,
        about: "send-once without provider and journal, for engines that link them",
        packages: &["messaging-once"],
    },
    Component {
        file: "messaging_once_sans_io.wasm",
        bytes: crate::ONCE_SANS_IO,
        about: "send-once without imports: the host calls the provider and the journal",
        packages: &["messaging-once-sans-io"],
    },
    Component {
        file: "messaging_journal_files.wasm",
        bytes: crate::JOURNAL_FILES,
        about: "the journal in a directory, for engines that link it",
        packages: &["messaging-journal-files"],
    },
    Component {
        file: "messaging_journal_http.wasm",
        bytes: crate::JOURNAL_HTTP,
        about: "the journal on a server, for engines that link it",
        packages: &["messaging-journal-http"],
    },
];

/// The contents of `manifest.json`.
#[derive(Debug, Serialize)]
pub struct Manifest {
    /// Name of the WIT package.
    pub package: &'static str,
    /// Version of the WIT package and of all files.
    pub version: &'static str,
    /// License as an SPDX expression.
    pub license: &'static str,
    /// Version of the Rust compiler that reproduces the files from the sources.
    pub rustc: &'static str,
    /// Files of the release.
    pub files: Vec<File>,
}

/// A file of a release.
#[derive(Debug, Serialize)]
pub struct File {
    /// Path below the directory of the release.
    pub file: String,
    /// Description.
    pub about: String,
    /// Size in bytes.
    pub bytes: usize,
    /// SHA-256 in hexadecimal.
    pub sha256: String,
    /// Names of a component's exports.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exports: Vec<String>,
    /// Names of a component's imports.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub imports: Vec<String>,
}

/// Writes a release into `folder`: the components, the WIT package, a bill of materials,
/// `manifest.json` and `SHA256SUMS`. The WIT package is included as text and as binary files.
/// `sha256sum --check` reads `SHA256SUMS`. Equal sources give equal bytes.
///
/// # Errors
/// Returns an error if a component or the bill of materials is invalid, or if a file cannot be
/// written.
pub fn pack(folder: &Path) -> anyhow::Result<Manifest> {
    let mut files = Vec::new();
    for component in COMPONENTS {
        let mut file = put(folder, component.file, component.bytes, component.about)?;
        (file.exports, file.imports) = names(component.bytes).context(component.file)?;
        files.push(file);
    }
    let binary = format!("messaging_integration-{VERSION}.wit.wasm");
    files.push(put(folder, &binary, WIT_PACKAGE, "the WIT package as one binary file")?);
    let binary = format!("messaging_integration_async-{VERSION}.wit.wasm");
    let about = "the WIT package for WASI 0.3 as one binary file";
    files.push(put(folder, &binary, WIT_PACKAGE_P3, about)?);
    for (name, text) in WIT {
        let about = match name {
            name if name.contains("deps/") => "WASI package that the WIT packages use",
            name if name.starts_with("p3/") => "the WIT package for WASI 0.3",
            _ => "the WIT package",
        };
        files.push(put(folder, &format!("wit/{name}"), text.as_bytes(), about)?);
    }
    let bom = bom::document(&COMPONENTS).context("bill of materials")?;
    let bom = format!("{bom:#}\n");
    let about = "the software bill of materials, in CycloneDX 1.5";
    files.push(put(folder, "bom.cdx.json", bom.as_bytes(), about)?);
    let manifest = Manifest {
        package: "messaging:integration",
        version: VERSION,
        license: "Apache-2.0",
        rustc: crate::RUSTC,
        files,
    };
    let json = format!("{:#}\n", serde_json::json!(manifest));
    let json = put(folder, "manifest.json", json.as_bytes(), "")?;
    let line = |file: &File| format!("{}  {}\n", file.sha256, file.file);
    let sums: String = manifest.files.iter().chain([&json]).map(line).collect();
    put(folder, "SHA256SUMS", sums.as_bytes(), "")?;
    Ok(manifest)
}

/// Returns the names of a component's exports and imports. Ignores nested components.
fn names(component: &[u8]) -> anyhow::Result<(Vec<String>, Vec<String>)> {
    let (mut exports, mut imports) = (Vec::new(), Vec::new());
    let mut depth = 0_usize;
    for payload in Parser::new(0).parse_all(component) {
        match payload? {
            Payload::ModuleSection { .. } | Payload::ComponentSection { .. } => depth += 1,
            Payload::End(_) => depth = depth.saturating_sub(1),
            Payload::ComponentExportSection(section) if depth == 0 => {
                for export in section {
                    exports.push(export?.name.name.to_string());
                }
            }
            Payload::ComponentImportSection(section) if depth == 0 => {
                for import in section {
                    imports.push(import?.name.name.to_string());
                }
            }
            _ => {}
        }
    }
    Ok((exports, imports))
}

fn put(folder: &Path, name: &str, bytes: &[u8], about: &str) -> anyhow::Result<File> {
    let path = folder.join(name);
    let parent = path.parent().unwrap_or(folder);
    fs::create_dir_all(parent)
        .and_then(|()| fs::write(&path, bytes))
        .with_context(|| format!("{} cannot be written", path.display()))?;
    Ok(File {
        file: name.to_string(),
        about: about.to_string(),
        bytes: bytes.len(),
        sha256: sha256(bytes),
        exports: Vec::new(),
        imports: Vec::new(),
    })
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
