//! Writes the files of a release to a directory: `pack [--out FOLDER]`, by default `dist`.

use std::io::{Write, stdout};
use std::path::Path;

use anyhow::bail;
use messaging_components::release::pack;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let out = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => "dist",
        ["--out", folder] => folder,
        _ => bail!("usage: pack [--out FOLDER]"),
    };
    let manifest = pack(Path::new(out))?;
    let mut output = stdout().lock();
    writeln!(output, "{} {} in {out}", manifest.package, manifest.version)?;
    for file in manifest.files.iter().filter(|file| !file.file.starts_with("wit/")) {
        writeln!(output, "{:>7}  {}: {}", file.bytes, file.file, file.about)?;
    }
    writeln!(output, "         wit/, manifest.json, SHA256SUMS")?;
    Ok(())
}
