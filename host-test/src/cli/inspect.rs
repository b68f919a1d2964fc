//! `inspect`: shows the interfaces and rights of a component without running it.

use std::path::PathBuf;

use messaging_host::inspect::{Inspection, Interface};
use serde_json::json;
use sha2::{Digest, Sha256};

use super::show::{BOLD, DIM, GREEN, RED, RESET};
use super::{Common, Failure, print, setup, text};

pub fn run(common: &Common, file: Option<PathBuf>) -> Result<(), Failure> {
    let (bytes, name) = setup::component(file.as_deref().or(common.component.as_deref()))?;
    let inspection =
        Inspection::of(&bytes).map_err(|error| Failure::Usage(format!("{name}: {error}")))?;
    let digest = messaging_core::names::hex::encode(&Sha256::digest(&bytes));
    if common.json {
        let mut shown = json!(inspection);
        if let Some(shown) = shown.as_object_mut() {
            shown.insert("sha256".into(), digest.into());
        }
        print::json(&shown);
        return Ok(());
    }
    say!("{BOLD}{}{RESET}, {} bytes", text::printable(&name), inspection.bytes);
    say!("sha256 {digest}");
    let Inspection { is_messaging_plugin, is_concurrent, is_sans_io, .. } = inspection;
    match (is_messaging_plugin, is_concurrent, is_sans_io) {
        (true, _, _) => say!("{GREEN}a messaging plugin{RESET}"),
        (_, true, _) => say!("{GREEN}a messaging plugin for WASI 0.3{RESET}"),
        (_, _, true) => {
            say!("{GREEN}a messaging plugin (sans-I/O: its caller makes the requests){RESET}")
        }
        _ => say!("{RED}not a messaging plugin{RESET}"),
    }
    let is_plugin = is_messaging_plugin || is_concurrent || is_sans_io;
    let has_access = |import: &Interface| {
        import.name.starts_with("wasi:filesystem/") || import.name.starts_with("wasi:sockets/")
    };
    if is_plugin && inspection.imports.iter().any(has_access) {
        say!("{RED}not loaded by this program{RESET}: no plugin gets files or sockets");
    }
    say!("\n{BOLD}exports{RESET}");
    for Interface { name, functions, .. } in &inspection.exports {
        say!("  {}", text::printable(name));
        say!("    {DIM}{}{RESET}", functions.join(", "));
    }
    if inspection.imports.is_empty() {
        say!("\n{BOLD}imports{RESET}: none");
        return Ok(());
    }
    say!("\n{BOLD}imports{RESET}, with the rights that they grant");
    let width = inspection.imports.iter().map(|import| import.name.len()).max().unwrap_or(0);
    for import in &inspection.imports {
        let allows = import.allows.unwrap_or_default();
        say!("  {:width$}  {allows}", text::printable(&import.name));
    }
    Ok(())
}
