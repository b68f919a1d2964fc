//! `backup` and `restore`: copy a store to a file, and back.

use std::path::Path;

use messaging_inbox::{Counts, ReadStore};
use serde_json::json;

use super::failed;
use super::view::print_done;
use crate::cli::show::{GREEN, RESET};
use crate::cli::store::{Location, StoreArgument};
use crate::cli::text::printable;
use crate::cli::{Common, Failure, settings};

/// Copies the store to a new file.
pub fn backup(common: &Common, location: &Location, file: &Path) -> Result<(), Failure> {
    if file.as_os_str() == "-" {
        let text = "a backup cannot be written to standard output, because it is checked after it is complete; name a file";
        return Err(Failure::Usage(text.into()));
    }
    copy(common, file_of(location)?, file, "copied")
}

/// Creates the store from a backup.
pub fn restore(
    common: &Common,
    argument: &StoreArgument,
    location: &Location,
    file: &Path,
) -> Result<(), Failure> {
    let store = file_of(location)?;
    argument.create_state_directory("--store", settings::STORE)?;
    copy(common, file, store, "restored")
}

fn file_of(location: &Location) -> Result<&Path, Failure> {
    match location {
        Location::File(file) => Ok(file),
        Location::Postgres(_) => Err(Failure::Usage(
            "--store is a database: back it up with `pg_dump`, and restore it with `pg_restore`"
                .into(),
        )),
    }
}

fn copy(common: &Common, from: &Path, to: &Path, done: &str) -> Result<(), Failure> {
    let counts = ReadStore::copy(from, to).map_err(|error| failed(common, &error, ""))?;
    let Counts { pending, leased, done: processed, quarantined, dead } = counts;
    let events: u64 = [pending, leased, processed, quarantined, dead].iter().sum();
    let file = std::path::absolute(to).unwrap_or_else(|_| to.into()).display().to_string();
    let text = format!("{GREEN}{done}{RESET} {events} events to {}", printable(&file));
    print_done(common, &json!({ "file": file, "events": events }), &text);
    Ok(())
}
