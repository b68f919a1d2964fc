//! The WIT packages as binary files, as a table of sources, and as documentation inside a
//! component.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};
use wasm_encoder::{ComponentSection, CustomSection};
use wit_parser::{PackageId, Resolve};

/// Name of the custom section for documentation.
const DOCS_SECTION: &str = "package-docs";
/// Version of the documentation format, stored as the first byte.
const DOCS_VERSION: u8 = 1;

/// The WIT of this project.
pub struct Wit {
    resolve: Resolve,
    package: PackageId,
}

impl Wit {
    /// Reads the package in `folder`. `with` is a file with interfaces that the package uses.
    pub fn read(folder: &Path, with: Option<&Path>) -> Result<Self, String> {
        let mut resolve = Resolve::default();
        let mut push = |path: &Path| match resolve.push_path(path) {
            Ok((package, _)) => Ok(package),
            Err(error) => Err(format!("{}: {error:#}", path.display())),
        };
        with.map(&mut push).transpose()?;
        let package = push(folder)?;
        Ok(Self { resolve, package })
    }

    /// Encodes the package as a binary file with documentation.
    pub fn encode(&self) -> Result<Vec<u8>, String> {
        wit_component::encode(&self.resolve, self.package)
            .map_err(|error| format!("the WIT package cannot be encoded: {error:#}"))
    }

    /// Adds the documentation of functions to the plugin, for Wassette 0.8. Wassette reads only the
    /// documentation of functions that a world exports directly. The result therefore documents the
    /// functions of the interface `messaging` as direct exports. Other tools reject such a
    /// component, so the result is a separate file.
    pub fn document(&self, component: &[u8]) -> Result<Vec<u8>, String> {
        let package = self.resolve.packages.get(self.package).ok_or("no WIT package")?;
        let interface = package.interfaces.get("messaging").ok_or("no interface messaging")?;
        let interface = self.resolve.interfaces.get(*interface).ok_or("no interface messaging")?;
        let docs = |function: &wit_parser::Function| json!({ "docs": function.docs.contents.as_deref().unwrap_or_default() });
        let functions: Map<String, Value> =
            interface.functions.iter().map(|(name, given)| (name.clone(), docs(given))).collect();
        let docs = json!({ "worlds": { "root": { "func_exports": functions } } });
        let data = [&[DOCS_VERSION], docs.to_string().as_bytes()].concat();
        let section = CustomSection { name: DOCS_SECTION.into(), data: data.into() };
        let mut documented = component.to_vec();
        section.append_to_component(&mut documented);
        Ok(documented)
    }
}

/// Writes the WIT files as a Rust table, for `pack`.
pub fn list(folder: &Path, out: &Path) -> Result<(), String> {
    let mut files = Vec::new();
    wit_files(folder, folder, &mut files)?;
    files.sort();
    let mut table = String::from("&[\n");
    for (name, path) in files {
        table.push_str(&format!("    ({name:?}, include_str!({path:?})),\n"));
    }
    table.push(']');
    super::write(&out.join("wit.rs"), table.as_bytes())
}

fn wit_files(root: &Path, folder: &Path, files: &mut Vec<(String, PathBuf)>) -> Result<(), String> {
    let unreadable = |error: std::io::Error| format!("{}: {error}", folder.display());
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.is_dir() {
            if path.file_name().is_some_and(|name| name != "released") {
                wit_files(root, &path, files)?;
            }
        } else if path.extension().is_some_and(|extension| extension == "wit") {
            let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
            files.push((name.replace('\\', "/"), path.canonicalize().map_err(unreadable)?));
        }
    }
    Ok(())
}
