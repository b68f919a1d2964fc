//! `serve --check`: opens existing stores and loads the component like `serve`, but creates no
//! store and opens no listener.

use std::future::Future;
use std::path::Path;

use messaging_core::webhook::Settings;
use messaging_host::webhook::WebhookConfig;
use messaging_host::{AllowList, Outbound};
use messaging_inbox::Replays;
use messaging_journal::sqlite::files::sidecar;
use messaging_postgres::CREATES_TABLES;

use super::announce::announce;
use super::{Serve, host, keeping, webhook};
use crate::cli::store::{Location, StoreArgument};
use crate::cli::{Common, Failure, setup};

impl Serve {
    /// Opens existing stores, loads the component, and prints the addresses and the settings. The
    /// caller has checked the settings.
    pub(super) async fn only_check(
        self,
        common: &Common,
        environment: Vec<(String, String)>,
        settings: &Settings,
        argument: &StoreArgument,
        scheme: &str,
        target: Option<&str>,
    ) -> Result<(), Failure> {
        let mut missing = Vec::new();
        let location = self.reach.location(argument)?;
        let opening = keeping::open(&location, Replays::default(), false);
        match existing(&location, opening).await? {
            Some(store) => store.close().await,
            None => missing.push(argument.to_string()),
        }
        if let Some((argument, location)) = self.operate.journal_location()? {
            let opening = self.operate.journal(false);
            let journal = match self.operate.needs_journal() {
                true => opening.await?,
                false => existing(&location, opening).await?.flatten(),
            };
            match journal {
                Some(journal) => journal.close().await,
                None => missing.push(argument.to_string()),
            }
        }
        let config = WebhookConfig { environment, ..WebhookConfig::default() };
        webhook(&common.cached(host(settings.max_body_bytes)?), common, config)?;
        Outbound::new(AllowList::deny_all(), common.trust()).map_err(setup::untrusted)?;
        let url = format!("{scheme}://{}/", self.listen);
        let urls = self.operate.urls(scheme);
        announce(common, argument, &url, &urls, settings, target, Some(&missing));
        Ok(())
    }
}

/// Opens a store or a journal; `None` if `serve` would create it.
async fn existing<T>(
    location: &Location,
    opening: impl Future<Output = Result<T, Failure>>,
) -> Result<Option<T>, Failure> {
    if let Location::File(path) = location
        && !has_data(path)
        && !has_data(&sidecar(path, "-wal"))
    {
        return can_create(path).map(|()| None);
    }
    match opening.await {
        Err(Failure::Usage(error)) if error.ends_with(CREATES_TABLES) => Ok(None),
        opened => opened.map(Some),
    }
}

/// Checks the permission to create a file. Only the default state directory can be missing here.
/// `serve` creates it, so this function checks the nearest parent directory that exists.
fn can_create(path: &Path) -> Result<(), Failure> {
    #[cfg(unix)]
    {
        use rustix::fs::{Access, AtFlags, CWD, accessat};
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
        let is_there = |directory: &&Path| {
            let found = std::fs::metadata(directory);
            !found.is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound)
        };
        let directory = path.ancestors().skip(1).find(is_there).unwrap_or(Path::new("/"));
        let rights = Access::WRITE_OK | Access::EXEC_OK;
        // `join` adds a final slash, so that a file in place of the directory is an error.
        if let Err(error) = accessat(CWD, directory.join(""), rights, AtFlags::EACCESS) {
            return Err(Failure::Usage(format!(
                "{} does not exist, and cannot be created in {}: {error}; allow this user to write to the directory",
                path.display(),
                directory.display()
            )));
        }
    }
    Ok(())
}

fn has_data(path: &Path) -> bool {
    std::fs::metadata(path).map_or_else(
        |error| error.kind() != std::io::ErrorKind::NotFound,
        |found| !found.is_file() || found.len() > 0,
    )
}
