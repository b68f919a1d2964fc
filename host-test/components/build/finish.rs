//! Turns a built component into a file to release: puts name, version, licence and description
//! inside it, where registries and `wasm-tools metadata show` look. And the WIT package as one
//! binary file.

use std::fmt::Display;
use std::path::Path;

use serde_json::{Map, Value, json};
use wasm_encoder::{ComponentSection, CustomSection};
use wasm_metadata::{AddMetadata, AddMetadataField, Description, Licenses, Version};
use wit_parser::{PackageId, Resolve};

const VERSION: &str = env!("CARGO_PKG_VERSION");
const LICENCE: &str = "Apache-2.0";

/// The custom section that documentation is looked for in.
const DOCS_SECTION: &str = "package-docs";
/// Its format's version, which is its first byte.
const DOCS_VERSION: u8 = 1;

/// The component without the linker's names of its parts, which no host reads.
pub fn without_names(component: &[u8], name: &str) -> Result<Vec<u8>, String> {
    let mut metadata = AddMetadata::default();
    metadata.name = AddMetadataField::Clear;
    metadata.to_wasm(component).map_err(|error| format!("{name}: its names: {error:#}"))
}

/// The component with its metadata.
pub fn finish(component: &[u8], name: &str, description: &str) -> Result<Vec<u8>, String> {
    let wrong = |error: &dyn Display| format!("{name}: its metadata: {error:#}");
    let licence = Licenses::new(LICENCE).map_err(|error| wrong(&error))?;
    let mut metadata = AddMetadata::default();
    metadata.name = AddMetadataField::Set(name.into());
    metadata.description = AddMetadataField::Set(Description::new(description.to_string()));
    metadata.licenses = AddMetadataField::Set(licence);
    metadata.version = AddMetadataField::Set(Version::new(VERSION));
    metadata.to_wasm(component).map_err(|error| wrong(&error))
}

/// The WIT of this project.
pub struct Wit {
    resolve: Resolve,
    package: PackageId,
}

impl Wit {
    pub fn read(folder: &Path) -> Result<Self, String> {
        let mut resolve = Resolve::default();
        let (package, _) =
            resolve.push_dir(folder).map_err(|error| format!("{}: {error:#}", folder.display()))?;
        Ok(Self { resolve, package })
    }

    /// The package as a binary file, documentation included.
    pub fn encode(&self) -> Result<Vec<u8>, String> {
        wit_component::encode(&self.resolve, self.package)
            .map_err(|error| format!("the WIT package cannot be encoded: {error:#}"))
    }

    /// The plugin with the documentation of its functions, where Wassette 0.8 looks for
    /// it: as if they were exported by the world and not by an interface. Other tools
    /// refuse a component that says so, which is why this is a file of its own.
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
