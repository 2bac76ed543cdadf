//! Replays the seeds of the fuzz target of messages, and small damage to them, at random but the same in every run.

use outflank_api::{Call, laws};
use outflank_game::SplitMix64;
use std::{
    fs,
    path::{Path, PathBuf},
};

fn seeds() -> Vec<Vec<u8>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/message");
    let entries = fs::read_dir(folder).expect("a folder of seeds");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).expect("a file")).collect()
}

/// What means something in a message.
const SIGNS: [&str; 36] = [
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\"",
    "\\",
    "0",
    "-1",
    "1e9",
    "18446744073709551616",
    "null",
    "true",
    "\"path\"",
    "\"text\"",
    "\"base64\"",
    "\"id\"",
    "\"call\"",
    "\"limits\":{}",
    "\"lines\":0",
    "\"cancel\"",
    "f5",
    "d6",
    "pa",
    " X",
    "\u{feff}",
    "é",
    "\0",
    "\n",
    "\"game\":\"gomoku\"",
    "\"more\":true",
    "\"forget\":[]",
    "QQ==",
    "虎",
    "\"filter\":{}",
];

fn mutate(seed: &[u8], random: &mut SplitMix64) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..=random.below(3) {
        let at = random.below(bytes.len() + 1);
        let end = (at + random.below(10)).min(bytes.len());
        match random.below(5) {
            0 => drop(bytes.drain(at..end)),
            1 => {
                let piece = bytes[at..end].to_vec();
                bytes.splice(at..at, piece);
            }
            2 => drop(bytes.splice(at..at, SIGNS[random.below(SIGNS.len())].bytes())),
            3 => drop(bytes.splice(at..end, SIGNS[random.below(SIGNS.len())].bytes())),
            _ => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = random.below(256) as u8;
                }
            }
        }
    }
    bytes
}

#[test]
fn seeds_and_their_damage_obey_the_law() {
    let (seeds, mut random) = (seeds(), SplitMix64::new(20_261_128));
    for seed in &seeds {
        laws::message(seed);
        for at in 0..seed.len() {
            laws::message(&seed[..at]);
        }
    }
    for round in 0..3000 {
        laws::message(&mutate(&seeds[round % seeds.len()], &mut random));
    }
}

#[test]
fn every_call_has_a_seed() {
    let seeds = seeds();
    for name in Call::NAMES {
        let asked = format!("\"call\":\"{name}\"");
        let has = seeds
            .iter()
            .any(|seed| String::from_utf8_lossy(seed).contains(&asked));
        assert!(has, "{name}");
    }
}

#[test]
fn the_endgames_of_the_bench_are_those_of_the_readme() {
    let read = |path: &str| fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
    // A published crate has its own copy.
    assert_eq!(read("data/fforum-1-19.obf"), read("../../data/fforum-1-19.obf"));
}
