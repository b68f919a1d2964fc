//! Runs the fuzz targets on their committed corpora, because fixed bugs must stay fixed.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use std::path::Path;

use messaging_verify::corpus;

#[test]
fn every_file_of_every_corpus_holds() {
    let corpora = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus");
    for (name, check) in fuzz_targets::ALL {
        let inputs = corpus::read(&corpora, name).unwrap();
        assert!(inputs.len() > 5, "{name} has fewer than 6 inputs");
        for (input, bytes) in inputs {
            let held = std::panic::catch_unwind(|| check(&bytes));
            assert!(held.is_ok(), "the check {name} fails for {input}");
        }
    }
}

#[test]
fn corpus_is_unchanged_by_repacking() {
    let folder = tempfile::tempdir().unwrap();
    let all: Vec<u8> = (0..=255).collect();
    std::fs::create_dir(folder.path().join("in")).unwrap();
    std::fs::write(folder.path().join("in/all bytes"), &all).unwrap();
    std::fs::write(folder.path().join("in/empty"), b"").unwrap();
    assert_eq!(corpus::pack(folder.path(), "t", &folder.path().join("in")).unwrap(), 2);
    let inputs = corpus::read(folder.path(), "t").unwrap();
    assert_eq!(inputs, [("all_bytes".into(), all), ("empty".into(), Vec::new())]);
    let out = folder.path().join("out");
    assert_eq!(corpus::unpack(folder.path(), "t", &out).unwrap(), 2);
    assert_eq!(std::fs::read(out.join("empty")).unwrap(), b"");
    for line in ["noname", "a \\y", "a \u{fc}", "a \\x4"] {
        std::fs::write(folder.path().join("t.txt"), line).unwrap();
        assert!(corpus::read(folder.path(), "t").is_err(), "{line}");
    }
}
