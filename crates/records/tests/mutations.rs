//! Small damage to good inputs, at random but the same in every run: no reader panics and every law holds.
//!
//! What a fuzzer with a nightly toolchain does at length, done briefly by the ordinary tests.

use outflank_game::SplitMix64;
use outflank_records::laws;
use std::{fs, path::Path};

/// Signs that mean something to some reader.
const SIGNS: [&str; 40] = [
    "[", "]", "(", ")", "{", "}", ";", ",", ":", "\"", "'", "|", "-", "--", "/", "\\", "\n", "\r", "\t", " ",
    "0", "1", "9", "X", "O", "*", ".", "f5", "d6", "pa", "\u{feff}", "⚫", "ｆ５", "é", "(;", "GM[", "B[",
    "AB[", "$1", "\0",
];

/// Changes a text in one to four places: bytes cut out, doubled, replaced, or signs put in.
fn mutate(seed: &[u8], random: &mut SplitMix64) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len() + 1);
        let end = (at + random.below(12)).min(bytes.len());
        match random.below(5) {
            0 => drop(bytes.drain(at..end)),
            1 => {
                let piece = bytes[at..end].to_vec();
                bytes.splice(at..at, piece);
            }
            2 => {
                let sign = SIGNS[random.below(SIGNS.len())];
                bytes.splice(at..at, sign.bytes());
            }
            3 => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = random.below(256) as u8;
                }
            }
            _ => bytes.truncate(end),
        }
    }
    bytes
}

#[test]
fn damaged_seeds_obey_the_laws() {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds");
    let mut random = SplitMix64::new(20_261_128);
    for (name, law) in laws::ALL {
        let mut inputs: Vec<Vec<u8>> = Vec::new();
        let mut paths: Vec<_> = fs::read_dir(seeds.join(name))
            .unwrap_or_else(|error| panic!("{name}: {error}"))
            .map(|entry| entry.expect("a file").path())
            .collect();
        paths.sort();
        inputs.extend(paths.iter().map(|path| fs::read(path).expect("a file")));
        for round in 0..1500 {
            let seed = inputs[round % inputs.len()].clone();
            let mutated = mutate(&seed, &mut random);
            law(&mutated);
            // What is damaged once may be damaged further.
            if round % 50 == 0 && mutated.len() < 4000 {
                inputs.push(mutated);
            }
        }
    }
}

/// Everything that any reader knows is thrown at the one that recognizes notations.
#[test]
fn damaged_seeds_of_all_formats_are_pasted() {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds");
    let mut random = SplitMix64::new(1);
    let mut inputs: Vec<Vec<u8>> = Vec::new();
    for (name, _) in laws::ALL {
        let mut paths: Vec<_> = fs::read_dir(seeds.join(name))
            .expect("a folder of seeds")
            .map(|entry| entry.expect("a file").path())
            .collect();
        paths.sort();
        inputs.extend(paths.iter().map(|path| fs::read(path).expect("a file")));
    }
    for round in 0..6000 {
        let mut text = mutate(&inputs[round % inputs.len()], &mut random);
        if round % 3 == 0 {
            text.push(b'\n');
            text.extend(mutate(&inputs[random.below(inputs.len())], &mut random));
        }
        laws::paste(&text);
        laws::gomoku(&text);
    }
}
