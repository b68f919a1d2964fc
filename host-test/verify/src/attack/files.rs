//! The family "files": what anybody can do to the files of a process that receives events, and
//! what it leaves open to others.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, ensure};

use super::sender::Connection;
use super::{Attack, Ground, body, keys};
use crate::process::Serving;

/// The name of the family.
pub(super) const FAMILY: &str = "files";

/// Files of an open store, by the ends of their names.
const ENDS: [&str; 2] = ["", "-wal"];

/// Treatment of a file of an open store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Done {
    Removed,
    /// By a copy.
    Replaced,
}

/// Every attack of the family.
pub(super) fn attacks() -> Vec<Attack> {
    let touched = |name, done| {
        Attack::on_process(FAMILY, name, "each of 2", move |ground| touch(ground, done))
    };
    vec![
        Attack::on_process(FAMILY, "umask", "4 umasks", umask),
        touched("a file of the open store removed", Done::Removed),
        touched("a file of the open store replaced", Done::Replaced),
    ]
}

/// Delivers one event over a connection of its own.
async fn deliver(serving: &Serving, key: &str, id: &str) -> anyhow::Result<u16> {
    let mut connection = Connection::to(serving.address()).await?;
    Ok(connection.deliver("", key, &body(id)).await?)
}

async fn acknowledged(serving: &Serving, key: &str, id: &str) -> anyhow::Result<()> {
    let status = deliver(serving, key, id).await?;
    ensure!(status == 200, "{key}: answered {status}");
    Ok(())
}

async fn umask(ground: Arc<Ground>) -> anyhow::Result<String> {
    let mut seen: usize = 0;
    for umask in ["000", "022", "077", "777"] {
        let folder = ground.folder()?;
        let mut command = ground.command_under(umask);
        command.arg("--store").arg(folder.join("inbox.sqlite")).arg("--cache");
        match umask {
            // Compiled components are kept for the owner alone as well.
            "000" => command.arg(folder.join("compiled")),
            _ => command.arg(&ground.options.compiled),
        };
        let mut serving = Serving::start(command).await?;
        for id in ["m-1", "m-2"] {
            acknowledged(&serving, "a", id).await?;
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
    Ok(format!("{seen} files and folders, all for their owner alone"))
}

/// Every file and folder below this one.
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

async fn touch(ground: Arc<Ground>, done: Done) -> anyhow::Result<String> {
    for end in ENDS {
        let (mut serving, store) = ground.serve_store(&[], &[]).await?;
        acknowledged(&serving, "before", "m-1").await?;
        let file = with_end(&store, end);
        let aside = store.with_extension("aside");
        std::fs::rename(&file, &aside).with_context(|| file.display().to_string())?;
        if done == Done::Replaced {
            std::fs::copy(&aside, &file)?;
        }
        let status = deliver(&serving, "meanwhile", "m-1").await?;
        let case = format!("sqlite{end} {done:?}");
        ensure!(status == 503, "{case}: answered {status}");
        std::fs::rename(&aside, &file)?;
        // It mends itself, as senders repeat what was refused.
        let mut status = 503;
        for _ in 0..4 {
            if status == 503 {
                status = deliver(&serving, "after", "m-1").await?;
            }
        }
        ensure!(status == 200, "{case}, and put back: answered {status}");
        serving.kill().await;
        let kept = keys(&store).await?;
        let all = ["before", "after"].iter().all(|key| kept.iter().any(|it| it == key));
        ensure!(all, "{case}: in the store {kept:?}");
    }
    Ok("answered 503 until it was back; what was acknowledged is there".into())
}

fn with_end(store: &Path, end: &str) -> std::path::PathBuf {
    let mut name = store.as_os_str().to_os_string();
    name.push(end);
    name.into()
}
