//! Bindings of the interfaces, generated from the WIT, and conversions to and from the types of
//! `messaging-core`.

/// The interface that marks a component as a messaging plugin.
pub const INTERFACE: &str = "messaging:integration/messaging@0.2.0";

/// The interface with the types. It has no functions, so an import of it gives no access.
pub const TYPES: &str = "messaging:integration/types@0.2.0";

/// The interface that marks a component as a messaging plugin for WASI 0.3.
pub const CONCURRENT_INTERFACE: &str = "messaging:integration-async/messaging@0.2.0";
/// The interface that marks a component as a sans-I/O messaging plugin.
pub const SANS_IO_INTERFACE: &str = "messaging:integration/sans-io@0.2.0";

#[allow(missing_docs, clippy::all, clippy::pedantic, reason = "generated from the WIT")]
pub(crate) mod messaging {
    wasmtime::component::bindgen!({
        path: "wit",
        inline: "package host:test; world messaging-types { import messaging:integration/types@0.2.0; }",
        world: "host:test/messaging-types",
        additional_derives: [PartialEq],
    });
}

#[allow(missing_docs, clippy::all, clippy::pedantic, reason = "generated from the WIT")]
pub(crate) mod once {
    wasmtime::component::bindgen!({
        path: "wit",
        inline: "package host:test; world once-host { export messaging:integration/once@0.2.0; }",
        world: "host:test/once-host",
        exports: { default: async },
        additional_derives: [PartialEq],
        with: { "messaging:integration/types@0.2.0": crate::types::wit },
    });
}

#[allow(missing_docs, clippy::all, clippy::pedantic, reason = "generated from the WIT")]
pub(crate) mod journal {
    wasmtime::component::bindgen!({
        path: "wit",
        inline: "package host:test; world journal-host { import messaging:integration/journal@0.2.0; }",
        world: "host:test/journal-host",
        imports: { default: async },
        additional_derives: [PartialEq],
    });
}

pub use journal::messaging::integration::journal as journal_wit;
/// The types of the interfaces, generated from `wit/types.wit`.
pub use messaging::messaging::integration::types as wit;
pub use once::messaging::integration::once_types as once_wit;

impl wit::MessageRequest {
    /// Creates a request with a phone number and a text, without optional fields.
    pub fn new(phone: &str, message: &str) -> Self {
        Self { phone: phone.into(), message: message.into(), device: None, fields: Vec::new() }
    }
}

messaging_core::conversions!(crate::types::wit);

mod once_conversions {
    messaging_core::once_conversions!(
        crate::types::wit,
        crate::types::once_wit,
        crate::types::wit::Error,
        crate::types::journal_wit::Page
    );
    messaging_core::provider_conversions!();
}
pub(crate) use once_conversions::*;
