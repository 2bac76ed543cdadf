//! Replays the corpus of the fuzz targets: inputs that once broke a parser, and good ones to start from.

use outflank_records::{Content, laws, read_items};
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

/// Tags that mean something to GGF, in which every record must survive, in formats where they are only words.
#[test]
fn words_of_ggf_are_tags_elsewhere() {
    let kept = |text: &str| -> Vec<(String, String)> {
        laws::paste(text.as_bytes());
        match read_items(text.as_bytes()).next() {
            Some(Ok(item)) => match item.content {
                Content::Game(record) => record.tags,
                Content::Position(_) => panic!("{text}: a position"),
            },
            other => panic!("{text}: {other:?}"),
        }
    };
    let tags = |tags: &[(&str, &str)]| -> Vec<(String, String)> {
        tags.iter()
            .map(|&(key, value)| (key.to_owned(), value.to_owned()))
            .collect()
    };
    for (key, value, expected) in [
        ("TY", "8", &[][..]),
        ("TY", "8r20", &[("TY", "8r20")]),
        ("TY", "10", &[("XTY", "10")]),
        ("TY", "88", &[("XTY", "88")]),
        ("TY", "8a", &[("XTY", "8a")]),
        ("TY", "s8k", &[("XTY", "s8k")]),
        ("TY", "x", &[("TY", "x")]),
        ("KM", "0", &[("KM", "0")]),
        ("KM", "6.5", &[("XKM", "6.5")]),
        ("KM", "x", &[("KM", "x")]),
        ("TI", "-5", &[("TI", "-5")]),
        ("BO", "8 x", &[("XBO", "8 x")]),
    ] {
        assert_eq!(kept(&format!("(;GM[2]{key}[{value}];B[f5])")), tags(expected));
        assert_eq!(kept(&format!("[{key} \"{value}\"]\n\n1. f5 d6")), tags(expected));
        laws::sgf(format!("(;GM[2]{key}[{value}];B[f5])").as_bytes());
        laws::sgf_tree(format!("(;GM[2]{key}[{value}];B[f5](;W[f6])(;W[d6]))").as_bytes());
        laws::pgn(format!("[{key} \"{value}\"]\n\n1. f5 d6").as_bytes());
    }
    assert_eq!(
        kept("(;GM[2]TY[8r]TY[8];B[f5])"),
        tags(&[("TY", "8r"), ("TY", "8")])
    );
    assert_eq!(kept("(;GM[2]TY[8]TY[8];B[f5])"), []);
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
