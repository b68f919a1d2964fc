//! Description of a component file: its size, its exports, its imports, and the access that each
//! import gives.

use serde::Serialize;
use wasmparser::component_types::{ComponentEntityType, ComponentItem};
use wasmparser::{Parser, Validator, WasmFeatures};

use crate::engine;
use crate::error::LoadError;
use crate::limits::Limits;
use crate::outline::Names;
use crate::types::{CONCURRENT_INTERFACE, INTERFACE, SANS_IO_INTERFACE};

/// Description of a component file, made without running the component.
#[derive(Debug, Clone, Serialize)]
pub struct Inspection {
    /// Size of the file, in bytes.
    pub bytes: usize,
    /// True if the component exports `messaging` for WASI 0.2.
    pub is_messaging_plugin: bool,
    /// True if the component exports `messaging` for WASI 0.3. An instance of such a component runs
    /// many calls at once.
    pub is_concurrent: bool,
    /// True if the component exports the sans-I/O interface.
    pub is_sans_io: bool,
    /// Exports, with the functions of each interface.
    pub exports: Vec<Interface>,
    /// Imports, in the order of the file.
    pub imports: Vec<Interface>,
}

/// An exported or imported interface.
#[derive(Debug, Clone, Serialize)]
pub struct Interface {
    /// Name with version, for example `wasi:http/types@0.2.0`.
    pub name: String,
    /// Names of the exported functions, or of the imported functions that the component uses.
    pub functions: Vec<String>,
    /// Access that an import gives the component; `None` for an export.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allows: Option<&'static str>,
}

impl Inspection {
    /// Reads a component for any version of WASI. Compiles nothing, so a hostile file costs little.
    ///
    /// # Errors
    /// Returns `LoadError` if the bytes are not a component or exceed the default [`Limits`].
    pub fn of(bytes: &[u8]) -> Result<Self, LoadError> {
        engine::check_file(&Limits::default(), bytes)?;
        let types = Validator::new_with_features(WasmFeatures::all())
            .validate_all(bytes)
            .map_err(|error| LoadError::NotAComponent(error.message().to_string()))?;
        if !Parser::is_component(bytes) {
            return Err(LoadError::NotAComponent("it is a core module".into()));
        }
        let types = types.as_ref();
        let interface = |name: String, item: Option<&ComponentItem>, allows| Interface {
            functions: match item.map(|item| &item.ty) {
                Some(ComponentEntityType::Instance(id)) => {
                    let exports = &types[*id].exports;
                    let functions = exports
                        .iter()
                        .filter(|(_, item)| matches!(item.ty, ComponentEntityType::Func(_)));
                    functions.map(|(name, _)| name.clone()).collect()
                }
                _ => Vec::new(),
            },
            name,
            allows,
        };
        let Names { exports, imports } = Names::of(bytes);
        let is_exported = |interface: &str| exports.iter().any(|name| provides(name, interface));
        Ok(Self {
            bytes: bytes.len(),
            is_messaging_plugin: is_exported(INTERFACE),
            is_concurrent: is_exported(CONCURRENT_INTERFACE),
            is_sans_io: is_exported(SANS_IO_INTERFACE),
            exports: exports
                .into_iter()
                .map(|name| {
                    let item = types.component_item_for_export(&name);
                    interface(name, item, None)
                })
                .collect(),
            imports: imports
                .into_iter()
                .map(|name| {
                    let item = types.component_item_for_import(&name);
                    let allows = allows(&name);
                    interface(name, item, Some(allows))
                })
                .collect(),
        })
    }
}

/// Returns true if an export has the interface's name and a compatible version. The engine compares
/// versions in the same way: 0.2.1 is compatible with 0.2.0.
fn provides(export: &str, interface: &str) -> bool {
    let track = |name: &str| {
        let (name, version) = name.split_once('@')?;
        let mut parts = version.split('.');
        let (major, minor) = (parts.next()?, parts.next()?);
        Some((name.to_string(), major.to_string(), (major == "0").then(|| minor.to_string())))
    };
    export == interface || track(export).is_some_and(|own| Some(own) == track(interface))
}

/// Returns the access that an import gives, regardless of its version.
fn allows(name: &str) -> &'static str {
    match name.split('@').next().unwrap_or(name) {
        "messaging:integration/types" | "messaging:integration/once-types" => {
            "nothing: the interface has only types"
        }
        "messaging:integration/messaging" => {
            "call a plugin; this host links no plugin to a component"
        }
        "messaging:integration/inbox" => "store events in the inbox of the host",
        "messaging:integration/journal" => "read and write the journal of sends of the host",
        "wasi:http/types" => "build HTTP requests and read replies",
        "wasi:http/outgoing-handler" | "wasi:http/client" => {
            "make HTTP requests to destinations that the host allows"
        }
        "wasi:io/poll" => "wait",
        "wasi:io/error" => "read the reason for the end of a stream",
        "wasi:io/streams" => "read and write the bodies of requests and replies",
        "wasi:clocks/monotonic-clock" => "measure time, without access to the date",
        "wasi:clocks/types" => "use durations",
        "wasi:clocks/wall-clock" => "know the date and time",
        "wasi:cli/environment" => "read the environment variables that the host gives",
        "wasi:cli/stdin" => "read standard input",
        "wasi:cli/stdout" | "wasi:cli/stderr" => "write text, which this host logs",
        "wasi:cli/exit" => "end itself",
        name if name.starts_with("wasi:cli/terminal") => "detect a terminal",
        name if name.starts_with("wasi:random/") => "get random numbers",
        name if name.starts_with("wasi:filesystem/") => {
            "open files in directories that the host grants"
        }
        name if name.starts_with("wasi:sockets/") => "open sockets that the host allows",
        name if name.starts_with("wasi:keyvalue/") => "use a key-value store, if the host has one",
        name if name.starts_with("wasi:config/") => "read a configuration; this host has none",
        _ => "unknown to this host",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_as_by_engine() {
        for (export, is_provided) in [
            ("messaging:integration/messaging@0.2.0", true),
            ("messaging:integration/messaging@0.2.1", true),
            ("messaging:integration/messaging@0.3.0", false),
            ("messaging:integration/messaging", false),
            ("messaging:integration/other@0.2.0", false),
        ] {
            assert_eq!(provides(export, INTERFACE), is_provided, "{export}");
        }
        assert!(provides("a:b/c@1.9.0", "a:b/c@1.2.0") && !provides("a:b/c@2.0.0", "a:b/c@1.2.0"));
    }

    #[test]
    fn core_module_and_text_are_not_components() {
        for bytes in [&b"\0asm\x01\0\0\0"[..], b"(component)", b""] {
            assert!(matches!(Inspection::of(bytes), Err(LoadError::NotAComponent(_))));
        }
    }
}
