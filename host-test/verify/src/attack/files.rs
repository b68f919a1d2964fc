//! Family `files`: the modes of the files of a process that receives events, under any umask.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;

use anyhow::ensure;
use messaging_conformance::delivery::{Connection, body};

use super::{Attack, Fixture};
use crate::process::Serving;

/// Name of the family.
pub(super) const FAMILY: &str = "files";

/// Returns all attacks of the family.
pub(super) fn attacks() -> Vec<Attack> {
    vec![Attack::on_process(FAMILY, "umask", "6 umasks", umask)]
}

async fn umask(fixture: Arc<Fixture>) -> anyhow::Result<String> {
    let mut seen: usize = 0;
    for umask in ["000", "022", "077", "277", "377", "777"] {
        let folder = fixture.folder()?;
        let mut command = fixture.command_under(umask);
        command.arg("--store").arg(folder.join("inbox.sqlite")).arg("--cache");
        match umask {
            // Under this umask, the check includes the modes of compiled components.
            "000" => command.arg(folder.join("compiled")),
            _ => command.arg(&fixture.options.compiled),
        };
        let mut serving = Serving::start(command).await?;
        let mut connection = Connection::to(serving.address()).await?;
        for id in ["m-1", "m-2"] {
            let status = connection.deliver("", "a", &body(id)).await?;
            ensure!(status == 200, "{id}: answered {status}");
        }
        each_below(&folder, &mut |path| {
            let found = std::fs::symlink_metadata(path)?;
            let expected = if found.is_dir() { 0o700 } else { 0o600 };
            let mode = found.permissions().mode() & 0o777;
            let name = path.display();
            ensure!(mode == expected, "{mode:o}, under umask {umask}: {name}");
            seen = seen.saturating_add(1);
            Ok(())
        })?;
        serving.kill().await;
    }
    ensure!(seen > 8, "only {seen} files were found");
    Ok(format!("{seen} files and directories, readable only by their owner"))
}

/// Calls `see` with every file and directory below `folder`.
fn each_below(
    folder: &Path,
    see: &mut impl FnMut(&Path) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        see(&path)?;
        if path.is_dir() {
            each_below(&path, see)?;
        }
    }
    Ok(())
}
