//! Composes the webhook with the components that it imports, into one component that
//! any host of `wasi:http` can serve. What they import together stands once in the
//! result; the same inputs make the same bytes.

use wac_graph::types::Package;
use wac_graph::{CompositionGraph, EncodeOptions, PackageId};

const MESSAGING: &str = "messaging:integration/messaging@0.1.0";
const INBOX: &str = "messaging:integration/inbox@0.1.0";
const HANDLER: &str = "wasi:http/incoming-handler@0.2.0";

/// The webhook with the plugin behind its `messaging`, and `inbox` behind its inbox;
/// without one the result imports it.
pub fn compose(webhook: &[u8], plugin: &[u8], inbox: Option<&[u8]>) -> Result<Vec<u8>, String> {
    let mut graph = CompositionGraph::new();
    let socket = register(&mut graph, "messaging:webhook", webhook)?;
    let socket = graph.instantiate(socket);
    let mut plugs = vec![("messaging:plugin", plugin, MESSAGING)];
    plugs.extend(inbox.map(|inbox| ("messaging:inbox", inbox, INBOX)));
    for (name, bytes, interface) in plugs {
        let plug = register(&mut graph, name, bytes)?;
        let plug = graph.instantiate(plug);
        let export = graph
            .alias_instance_export(plug, interface)
            .map_err(|error| format!("{name} does not export {interface}: {error:#}"))?;
        graph.set_instantiation_argument(socket, interface, export).map_err(|error| {
            format!("{interface} of {name} does not fit the webhook: {error:#}")
        })?;
    }
    let handler = graph
        .alias_instance_export(socket, HANDLER)
        .map_err(|error| format!("the webhook does not export {HANDLER}: {error:#}"))?;
    graph
        .export(handler, HANDLER)
        .map_err(|error| format!("{HANDLER} cannot be exported: {error:#}"))?;
    graph
        .encode(EncodeOptions::default())
        .map_err(|error| format!("the webhook cannot be composed: {error:#}"))
}

fn register(graph: &mut CompositionGraph, name: &str, bytes: &[u8]) -> Result<PackageId, String> {
    let package = Package::from_bytes(name, None, bytes, graph.types_mut())
        .map_err(|error| format!("{name} is no component: {error:#}"))?;
    graph.register_package(package).map_err(|error| format!("{name}: {error:#}"))
}
