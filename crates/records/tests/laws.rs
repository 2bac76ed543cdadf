//! Replays the corpus of the fuzz targets: inputs that once broke a parser, and good ones to start from.

use outflank_records::laws;
use std::{fs, path::Path};

#[test]
fn the_corpus_obeys_the_laws() {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds");
    for (name, law) in laws::ALL {
        let mut paths: Vec<_> = fs::read_dir(seeds.join(name))
            .unwrap_or_else(|error| panic!("{name}: {error}"))
            .map(|entry| entry.unwrap().path())
            .collect();
        paths.sort();
        assert!(!paths.is_empty(), "{name}");
        for path in paths {
            let bytes = fs::read(&path).unwrap();
            // Every start and every end of a seed is an input too.
            law(&bytes);
            for at in 0..bytes.len().min(400) {
                law(&bytes[..at]);
                law(&bytes[at..]);
            }
        }
    }
}

/// Replays what a run of the fuzz targets has gathered, in the folder that `OUTFLANK_CORPUS` names.
#[test]
#[ignore = "needs the corpus of a fuzzing run"]
fn a_gathered_corpus_obeys_the_laws() {
    let corpus = std::env::var_os("OUTFLANK_CORPUS").expect("OUTFLANK_CORPUS names a folder");
    let mut n = 0;
    for (name, law) in laws::ALL {
        let Ok(entries) = fs::read_dir(Path::new(&corpus).join(name)) else {
            continue;
        };
        for entry in entries {
            law(&fs::read(entry.unwrap().path()).unwrap());
            n += 1;
        }
    }
    assert!(n > 0, "no inputs in {}", corpus.display());
}

#[test]
fn every_law_has_a_target() {
    let targets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/fuzz_targets");
    let manifest = fs::read_to_string(targets.join("../Cargo.toml")).unwrap();
    for (name, _) in laws::ALL {
        let target = fs::read_to_string(targets.join(format!("{name}.rs"))).unwrap();
        assert!(target.contains(&format!("laws::{name}(bytes)")), "{name}");
        assert!(manifest.contains(&format!("name = \"{name}\"")), "{name}");
    }
}
