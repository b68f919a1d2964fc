//! `corpus`: converts the inputs of a fuzz target between the repository's file and a directory.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use messaging_cli::program::{Common, Failure, print};
use messaging_cli::say;
use messaging_verify::corpus;

/// Convert the corpus of a fuzz target to libFuzzer's directory, or back
#[derive(Args)]
pub struct Corpus {
    #[command(subcommand)]
    action: Action,
    /// The directory with the corpora
    #[arg(long, global = true, default_value = "host-test/fuzz/corpus", value_name = "DIRECTORY")]
    corpora: PathBuf,
}

#[derive(Subcommand)]
enum Action {
    /// Write each input as a file of a directory
    Unpack(Target),
    /// Replace the corpus with the files of a directory
    Pack(Target),
}

#[derive(Args)]
struct Target {
    /// The fuzz target
    #[arg(value_name = "TARGET")]
    name: String,
    /// Directory with a file for each input
    #[arg(value_name = "DIRECTORY")]
    folder: PathBuf,
}

impl Corpus {
    pub fn run(self, common: &Common) -> Result<(), Failure> {
        let done = match &self.action {
            Action::Unpack(Target { name, folder }) => corpus::unpack(&self.corpora, name, folder),
            Action::Pack(Target { name, folder }) => corpus::pack(&self.corpora, name, folder),
        };
        let inputs = done.map_err(|error| Failure::Failed(error.to_string()))?;
        if common.json {
            print::json(&serde_json::json!({ "inputs": inputs }));
        } else {
            say!("{inputs} inputs");
        }
        Ok(())
    }
}
