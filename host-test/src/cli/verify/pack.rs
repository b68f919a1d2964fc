//! `pack`: writes the files of a release to a directory.

use std::path::PathBuf;

use clap::Args;
use messaging_verify::release;
use serde_json::json;

use crate::cli::show::{BOLD, DIM, RESET};
use crate::cli::{Common, Failure, print};

/// Write the release: every component, the WIT package, a manifest, checksums
///
/// The files contain the bytes that this program embeds and that its tests run. The same sources
/// produce the same bytes on every machine.
#[derive(Args)]
pub struct Pack {
    /// Folder for the files; created if it is missing
    #[arg(long, default_value = "dist", value_name = "FOLDER")]
    out: PathBuf,
}

impl Pack {
    pub fn run(self, common: &Common) -> Result<(), Failure> {
        let manifest =
            release::pack(&self.out).map_err(|error| Failure::Failed(error.to_string()))?;
        if common.json {
            print::json(&json!(manifest));
            return Ok(());
        }
        let out = self.out.display();
        say!("{BOLD}{} {}{RESET} in {out}", manifest.package, manifest.version);
        let (shown, rest): (Vec<_>, Vec<_>) =
            manifest.files.iter().partition(|file| !file.file.starts_with("wit/"));
        for file in shown {
            say!("{:>7}  {}", file.bytes, file.file);
            say!("         {DIM}{}{RESET}", file.about);
        }
        say!("         wit/, {} files; manifest.json; SHA256SUMS", rest.len());
        Ok(())
    }
}
