//! Adds name, version, license and description to a built component, for registries and
//! `wasm-tools metadata show`.

use std::fmt::Display;

use wasm_metadata::{AddMetadata, AddMetadataField, Description, Licenses, Version};

const VERSION: &str = env!("CARGO_PKG_VERSION");
const LICENSE: &str = "Apache-2.0";

/// Removes the names that the linker gave to parts of the component, because no host reads them.
pub fn without_names(component: &[u8], name: &str) -> Result<Vec<u8>, String> {
    let mut metadata = AddMetadata::default();
    metadata.name = AddMetadataField::Clear;
    metadata.to_wasm(component).map_err(|error| format!("{name}: cannot remove names: {error:#}"))
}

/// Adds the metadata to the component.
pub fn finish(component: &[u8], name: &str, description: &str) -> Result<Vec<u8>, String> {
    let wrong = |error: &dyn Display| format!("{name}: cannot add the metadata: {error:#}");
    let license = Licenses::new(LICENSE).map_err(|error| wrong(&error))?;
    let mut metadata = AddMetadata::default();
    metadata.name = AddMetadataField::Set(name.into());
    metadata.description = AddMetadataField::Set(Description::new(description.to_string()));
    metadata.licenses = AddMetadataField::Set(license);
    metadata.version = AddMetadataField::Set(Version::new(VERSION));
    metadata.to_wasm(component).map_err(|error| wrong(&error))
}
