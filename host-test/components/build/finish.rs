//! Adds name, version, license and description to a built component. Registries and `wasm-tools
//! metadata show` read them.

use std::fmt::Display;

use wasm_metadata::{AddMetadata, AddMetadataField, Description, Licenses, Version};

const VERSION: &str = env!("CARGO_PKG_VERSION");
const LICENSE: &str = "Apache-2.0";

/// Returns the component without the linker's names of its parts, which no host reads.
pub fn without_names(component: &[u8], name: &str) -> Result<Vec<u8>, String> {
    let mut metadata = AddMetadata::default();
    metadata.name = AddMetadataField::Clear;
    metadata.to_wasm(component).map_err(|error| format!("{name}: its names: {error:#}"))
}

/// Returns the component with its metadata.
pub fn finish(component: &[u8], name: &str, description: &str) -> Result<Vec<u8>, String> {
    let wrong = |error: &dyn Display| format!("{name}: its metadata: {error:#}");
    let license = Licenses::new(LICENSE).map_err(|error| wrong(&error))?;
    let mut metadata = AddMetadata::default();
    metadata.name = AddMetadataField::Set(name.into());
    metadata.description = AddMetadataField::Set(Description::new(description.to_string()));
    metadata.licenses = AddMetadataField::Set(license);
    metadata.version = AddMetadataField::Set(Version::new(VERSION));
    metadata.to_wasm(component).map_err(|error| wrong(&error))
}
