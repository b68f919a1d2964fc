//! Composes a component with the components that provide its imports. Any host can run the result.
//! The result has each shared import once. The same inputs produce the same bytes.

use wac_graph::types::Package;
use wac_graph::{CompositionGraph, EncodeOptions, PackageId};

pub const TYPES: &str = "messaging:integration/types@0.2.0";
pub const MESSAGING: &str = "messaging:integration/messaging@0.2.0";
pub const INBOX: &str = "messaging:integration/inbox@0.2.0";
#[cfg(feature = "all")]
pub const JOURNAL: &str = "messaging:integration/journal@0.2.0";
#[cfg(feature = "all")]
pub const ONCE: &str = "messaging:integration/once@0.2.0";
#[cfg(feature = "all")]
pub const CONCURRENT_MESSAGING: &str = "messaging:integration-async/messaging@0.2.0";
#[cfg(feature = "all")]
pub const CONCURRENT_ONCE: &str = "messaging:integration-async/once@0.2.0";
pub const HANDLER: &str = "wasi:http/incoming-handler@0.2.0";

/// A component and its name.
pub type Named<'a> = (&'a str, &'a [u8]);

/// Composes components: each import of `socket` gets the export of a plug. `plugs` lists each
/// component with the interfaces to connect. The result exports `export` of the socket, and imports
/// the interfaces that no plug provides.
pub fn compose(socket: Named, plugs: &[(Named, &[&str])], export: &str) -> Result<Vec<u8>, String> {
    let mut graph = CompositionGraph::new();
    let (socket_name, _) = socket;
    let socket = register(&mut graph, socket)?;
    let socket = graph.instantiate(socket);
    for &(plug, interfaces) in plugs {
        let (name, _) = plug;
        let plug = register(&mut graph, plug)?;
        let plug = graph.instantiate(plug);
        for interface in interfaces {
            let offered = graph
                .alias_instance_export(plug, interface)
                .map_err(|error| format!("{name} does not export {interface}: {error:#}"))?;
            graph.set_instantiation_argument(socket, interface, offered).map_err(|error| {
                format!("{interface} of {name} does not fit {socket_name}: {error:#}")
            })?;
        }
    }
    let exported = graph
        .alias_instance_export(socket, export)
        .map_err(|error| format!("{socket_name} does not export {export}: {error:#}"))?;
    graph
        .export(exported, export)
        .map_err(|error| format!("{export} cannot be exported: {error:#}"))?;
    graph
        .encode(EncodeOptions::default())
        .map_err(|error| format!("{socket_name} cannot be composed: {error:#}"))
}

fn register(graph: &mut CompositionGraph, (name, bytes): Named) -> Result<PackageId, String> {
    let package = Package::from_bytes(name, None, bytes, graph.types_mut())
        .map_err(|error| format!("{name} is not a component: {error:#}"))?;
    graph.register_package(package).map_err(|error| format!("{name}: {error:#}"))
}
