//! Checks if a component links in a host. `host.wit`, next to the manifest for the host, describes
//! the world of the host.

use std::path::Path;

use messaging_components::{
    INBOX_KEYVALUE, PLUGIN, PLUGIN_ONCE_FILES, PLUGIN_ONCE_OPEN, PLUGIN_ONCE_WASMCLOUD,
    WEBHOOK_FILES, WEBHOOK_KEYVALUE, WEBHOOK_OPEN, WEBHOOK_WASMCLOUD,
};
use wit_component::DecodedWasm;
use wit_parser::{InterfaceId, Resolve, Type, TypeDefKind, TypeId, WorldId, WorldItem};

use super::Checked;

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// Checks that the world provides every import, that the component provides every export, and that
/// their types agree.
pub fn links(host: &str, world: &str, component: &[u8]) -> Checked {
    let mut resolve = Resolve::default();
    resolve.push_dir(root().join("wit")).unwrap();
    resolve.push_dir(root().join("wit/p3")).unwrap();
    let file = root().join("examples").join(host).join("host.wit");
    let package = resolve.push_file(&file).unwrap();
    let world = resolve.select_world(&[package], Some(world)).unwrap();
    wit_component::targets(&resolve, world, component).map_err(|error| format!("{error:#}"))
}

fn decoded(component: &[u8]) -> (Resolve, WorldId) {
    match wit_component::decode(component).unwrap() {
        DecodedWasm::Component(resolve, world) => (resolve, world),
        DecodedWasm::WitPackage(..) => panic!("not a component"),
    }
}

/// Returns the names of a component's imports, for example `wasi:http/types@0.2.0`.
pub fn imports(component: &[u8]) -> Vec<String> {
    let (resolve, world) = decoded(component);
    resolve.worlds[world].imports.keys().map(|key| resolve.name_world_key(key)).collect()
}

pub fn exports(component: &[u8]) -> Vec<String> {
    let (resolve, world) = decoded(component);
    resolve.worlds[world].exports.keys().map(|key| resolve.name_world_key(key)).collect()
}

/// Returns true if JSON can represent every parameter and result of the exports.
pub fn speaks_json(component: &[u8]) -> bool {
    let (resolve, world) = decoded(component);
    let exported = resolve.worlds[world].exports.values();
    let mut types = exported.flat_map(|item| resolve.interfaces[interface(item)].types.values());
    types.all(|one| is_plain(&resolve, *one))
}

fn is_plain(resolve: &Resolve, one: TypeId) -> bool {
    match &resolve.types[one].kind {
        TypeDefKind::Type(Type::Id(other)) => is_plain(resolve, *other),
        TypeDefKind::Resource
        | TypeDefKind::Handle(_)
        | TypeDefKind::Future(_)
        | TypeDefKind::Stream(_) => false,
        _ => true,
    }
}

fn interface(item: &WorldItem) -> InterfaceId {
    match item {
        WorldItem::Interface { id, .. } => *id,
        _ => panic!("exported outside of an interface"),
    }
}

#[test]
fn plugin_links_in_each_host() {
    for host in ["spin", "wasmcloud", "wassette"] {
        assert_eq!(links(host, "messaging", PLUGIN), Ok(()), "{host}");
    }
}

#[test]
fn host_without_import_rejects_component() {
    let inbox = links("spin", "webhook", WEBHOOK_OPEN).unwrap_err();
    assert!(inbox.contains("messaging:integration/inbox@0.2.0"), "{inbox}");
    let store = links("spin", "webhook", WEBHOOK_KEYVALUE).unwrap_err();
    assert!(store.contains("wasi:keyvalue/store@0.2.0-draft"), "{store}");
    let export = links("wassette", "messaging", INBOX_KEYVALUE).unwrap_err();
    assert!(export.contains("messaging"), "{export}");
}

#[test]
fn plugin_with_journal_links_with_grant() {
    assert_eq!(links("wassette", "once", PLUGIN_ONCE_FILES), Ok(()));
    assert_eq!(links("wasmcloud", "once-wasmcloud", PLUGIN_ONCE_WASMCLOUD), Ok(()));
    let journal = links("wassette", "once", PLUGIN_ONCE_OPEN).unwrap_err();
    assert!(journal.contains("messaging:integration/journal@0.2.0"), "{journal}");
}

#[test]
fn webhooks_link_in_hosts_of_their_inboxes() {
    assert_eq!(links("wasmcloud", "webhook", WEBHOOK_KEYVALUE), Ok(()));
    assert_eq!(links("wasmcloud", "webhook", WEBHOOK_FILES), Ok(()));
    assert_eq!(links("wasmcloud", "webhook-wasmcloud", WEBHOOK_WASMCLOUD), Ok(()));
    // The component also links in Spin, but Spin's files are read-only or temporary.
    assert_eq!(links("spin", "webhook", WEBHOOK_FILES), Ok(()));
}
