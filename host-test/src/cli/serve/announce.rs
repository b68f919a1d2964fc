//! The lines that `serve` prints when it is ready, and with --check.

use messaging_core::webhook::Settings;
use serde_json::json;

use crate::cli::show::{BOLD, DIM, RESET};
use crate::cli::store::StoreArgument;
use crate::cli::{Common, origin};

/// Prints the addresses and the settings. For --check, `missing` has the stores that `serve` would
/// create.
pub fn announce(
    common: &Common,
    store: &StoreArgument,
    url: &str,
    others: &[(&str, String)],
    settings: &Settings,
    target: Option<&str>,
    missing: Option<&[String]>,
) {
    if common.json {
        let mut line = json!({ "url": url, "verified": settings.proofs.are_set() });
        if let Some(line) = line.as_object_mut() {
            line.extend(others.iter().map(|(name, url)| (name.to_string(), url.as_str().into())));
            if let Some(missing) = missing {
                line.insert("would-create".into(), missing.into());
            }
        }
        // One line, for scripts that wait for it.
        say!("{line}");
        return;
    }
    let segment = if settings.proofs.path.is_some() { "<path secret>" } else { "" };
    say!("{BOLD}webhook{RESET} on {url}{segment}");
    say!("events are stored in {store}");
    for (name, url) in others {
        say!("{BOLD}{name}{RESET} on {url}");
    }
    match settings.proofs.are_set() {
        true => say!("a delivery needs {}", origin::shown(&settings.proofs)),
        false => say!(
            "deliveries are not verified, and only this machine can make them: set a proof of origin before a proxy forwards deliveries from elsewhere"
        ),
    }
    if let Some(target) = target {
        say!("{target}");
    }
    for argument in missing.into_iter().flatten() {
        say!("{argument} is missing or empty, and would be created");
    }
    let last = match missing {
        Some(_) => "Settings, stores and component are usable; nothing was started.",
        None => "Ctrl-C stops the server after open deliveries; a second Ctrl-C stops it at once.",
    };
    say!("\n{DIM}{last}{RESET}");
}
