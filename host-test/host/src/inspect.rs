//! Description of a component file: its size, its exports, its imports, and the access that each
//! import gives.

use serde::Serialize;
use wasmtime::Engine;
use wasmtime::component::Component;
use wasmtime::component::types::ComponentItem;

use crate::engine;
use crate::error::LoadError;
use crate::limits::Limits;
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
    /// Reads a component for any version of WASI.
    ///
    /// # Errors
    /// Returns `LoadError` if the bytes are not a component or exceed the default [`Limits`].
    pub fn of(bytes: &[u8]) -> Result<Self, LoadError> {
        engine::check_file(&Limits::default(), bytes)?;
        // A default engine suffices, because nothing is run.
        let engine = &Engine::default();
        let _guard = engine::compiling();
        let component = Component::new(engine, bytes).map_err(|error| {
            let text = error.root_cause().to_string();
            LoadError::NotAComponent(text.lines().next().unwrap_or_default().to_string())
        })?;
        let kind = component.component_type();
        let interface = |name: &str, item: ComponentItem, allows| Interface {
            name: name.to_string(),
            functions: match item {
                ComponentItem::ComponentInstance(instance) => instance
                    .exports(engine)
                    .filter(|(_, item)| matches!(item.ty, ComponentItem::ComponentFunc(_)))
                    .map(|(name, _)| name.to_string())
                    .collect(),
                _ => Vec::new(),
            },
            allows,
        };
        let exports: Vec<_> =
            kind.exports(engine).map(|(name, item)| interface(name, item.ty, None)).collect();
        Ok(Self {
            bytes: bytes.len(),
            is_messaging_plugin: exports.iter().any(|export| export.name == INTERFACE),
            is_concurrent: exports.iter().any(|export| export.name == CONCURRENT_INTERFACE),
            is_sans_io: exports.iter().any(|export| export.name == SANS_IO_INTERFACE),
            exports,
            imports: kind
                .imports(engine)
                .map(|(name, item)| interface(name, item.ty, Some(allows(name))))
                .collect(),
        })
    }
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
