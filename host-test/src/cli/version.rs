//! The text of `--version`: the version, the commit of the sources, and the embedded components.

use std::fmt::Write;

use messaging_components::{PLUGIN, WEBHOOK_OPEN};
use sha2::{Digest, Sha256};

/// Commit of the sources. `None` if the build did not set `BUILD_COMMIT`.
const COMMIT: Option<&str> = option_env!("BUILD_COMMIT");

/// Returns the version, the commit, and the digest of each embedded component, one per line.
/// `SHA256SUMS` of a release lists the digests, too.
pub fn text() -> String {
    let mut text = format!("messaging {}", env!("CARGO_PKG_VERSION"));
    let _ = write!(text, "\ncommit {}", COMMIT.unwrap_or("unknown: BUILD_COMMIT was not set"));
    for (file, bytes) in
        [("messaging_plugin.wasm", PLUGIN), ("messaging_webhook_open.wasm", WEBHOOK_OPEN)]
    {
        let _ = write!(text, "\n{file} sha256:");
        for byte in Sha256::digest(bytes) {
            let _ = write!(text, "{byte:02x}");
        }
    }
    text
}
