//! Replays the corpus of the fuzz targets.

use outflank_book::laws;
use std::{fs, path::Path};

#[test]
fn the_corpus_obeys_the_laws() {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds");
    for (name, law) in laws::ALL {
        let entries = fs::read_dir(seeds.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
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
