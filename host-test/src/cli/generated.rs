//! `completions` and `manual`: files for shells and for `man`, generated from the commands.

use std::path::Path;

use clap::{Command, CommandFactory};
use clap_complete::Shell;

use super::{Arguments, Failure, exit, print};

/// Prints a script that completes commands and options in a shell.
pub fn completions(shell: Shell) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut documented(), "messaging", &mut script);
    print::plain(&String::from_utf8(script).map_err(Failure::failed)?);
    Ok(())
}

/// Writes a manual page for each command.
pub fn manual(folder: &Path) -> Result<(), Failure> {
    let written = std::fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(documented(), folder));
    written.map_err(|error| {
        let folder = folder.display();
        Failure::Failed(format!("{folder}: {error}; name a directory that this user can write to"))
    })
}

fn documented() -> Command {
    exit::documented(Arguments::command())
}
