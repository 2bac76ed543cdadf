//! The law of the bytes of an index, for its fuzz target; the normal tests replay it on a small corpus.

use crate::Index;

/// Reading never panics, what was read is written as it was, and no question about it panics.
pub fn index(bytes: &[u8]) {
    let Ok(index) = Index::from_bytes(bytes) else {
        return;
    };
    let is_sound = index.check().is_ok();
    for discs in 0..=64 {
        let slice = index.slice(discs);
        for at in 0..slice.len() {
            let found = slice.find(slice.word(at) >> 24);
            // Only what is in order can be found.
            assert!(!is_sound || found.contains(&at));
            assert!(!is_sound || (slice.entry(at).game as usize) < index.n_games());
        }
    }
    assert_eq!(index.to_bytes(), bytes);
}
