//! The fuzz targets over their committed corpora: whatever they once found stays found.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use std::fs;
use std::path::Path;

#[test]
fn every_file_of_every_corpus_holds() {
    let corpora = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
    for (name, check) in fuzz_targets::ALL {
        let files: Vec<_> = fs::read_dir(corpora.join(name)).unwrap().collect();
        assert!(files.len() > 5, "{name} has hardly a corpus");
        for file in files {
            let path = file.unwrap().path();
            let held = std::panic::catch_unwind(|| check(&fs::read(&path).unwrap()));
            assert!(held.is_ok(), "{} does not hold for {}", name, path.display());
        }
    }
}
