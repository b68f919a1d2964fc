//! The program under test: `messaging`, which `cargo build` puts next to `messaging-verify`.

use std::env::consts::EXE_SUFFIX;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};

/// Returns the program `messaging` in the directory of the running program. If the running program
/// is a test or a benchmark, this directory is the parent of `deps`.
///
/// # Errors
/// Returns an error if the program is missing, or older than its sources. The error names the
/// command that builds it.
pub fn messaging() -> anyhow::Result<PathBuf> {
    let own = std::env::current_exe().context("the directory of this program is unknown")?;
    let directory = own.ancestors().skip(1).find(|directory| !directory.ends_with("deps"));
    program_in(directory.context("this program has no directory")?)
}

fn program_in(directory: &Path) -> anyhow::Result<PathBuf> {
    let program = directory.join(format!("messaging{EXE_SUFFIX}"));
    let build = match directory.file_name().and_then(|name| name.to_str()) {
        // Cargo builds the profile `bench` in this directory.
        Some("release") => "cargo build --profile bench".to_string(),
        Some("debug") | None => "cargo build".to_string(),
        Some(profile) => format!("cargo build --profile {profile}"),
    };
    let name = program.display();
    ensure!(program.is_file(), "{name} is missing; build it with `{build}`");
    if let Some(source) = newer_source(&program) {
        bail!("{name} is older than {}; build it with `{build}`", source.display());
    }
    Ok(program)
}

/// Returns a source file that has changed since the program was built. Cargo lists the sources next
/// to the program.
fn newer_source(program: &Path) -> Option<PathBuf> {
    let built = program.metadata().and_then(|program| program.modified()).ok()?;
    let list = std::fs::read_to_string(program.with_extension("d")).ok()?;
    let (_, sources) = list.split_once(": ")?;
    // A space in a name is escaped.
    let sources = sources.replace("\\ ", "\0");
    let mut sources = sources.split_whitespace().map(|name| PathBuf::from(name.replace('\0', " ")));
    sources.find(|source| {
        let changed = source.metadata().and_then(|source| source.modified());
        source.extension().is_some_and(|kind| kind == "rs") && changed.is_ok_and(|at| at > built)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_or_outdated_program_names_its_build() {
        let target = tempfile::tempdir().unwrap();
        let directory = target.path().join("debug");
        std::fs::create_dir(&directory).unwrap();
        let error = program_in(&directory).unwrap_err().to_string();
        assert!(error.ends_with("is missing; build it with `cargo build`"), "{error}");
        let [program, source] =
            [&*format!("messaging{EXE_SUFFIX}"), "a source.rs"].map(|name| directory.join(name));
        std::fs::write(&program, "").unwrap();
        std::fs::write(&source, "").unwrap();
        let listed = source.to_str().unwrap().replace(' ', "\\ ");
        std::fs::write(directory.join("messaging.d"), format!("messaging: {listed}")).unwrap();
        let set = |file: &Path, seconds| {
            let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(seconds);
            std::fs::File::options().write(true).open(file).unwrap().set_modified(time).unwrap();
        };
        set(&source, 1);
        set(&program, 2);
        assert_eq!(program_in(&directory).unwrap(), program);
        set(&source, 3);
        let error = program_in(&directory).unwrap_err().to_string();
        assert!(error.contains("is older than") && error.contains("a source.rs"), "{error}");
    }
}
