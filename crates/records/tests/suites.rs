//! Every suite, opening list and collection of the data folder is read whole.

use outflank_records::{Content, Item, Pasted, paste_bytes};
use outflank_testkit::data;

fn load(name: &str) -> Option<Pasted> {
    let pasted = paste_bytes(&data(name)?).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(pasted.bad, [], "{name}");
    Some(pasted)
}

#[test]
fn solved_suites() {
    for (name, n, empties) in [
        ("suites/fforum-1-19.obf", 19, 14..=16),
        ("suites/fforum-20-39.obf", 20, 6..=26),
        ("suites/fforum-40-59.obf", 20, 20..=34),
        ("suites/fforum-60-79.obf", 20, 24..=36),
        ("suites/hard-20.obf", 276, 20..=20),
        ("suites/hard-25.obf", 311, 25..=25),
        ("suites/exact_18_26_180.obf", 180, 18..=26),
        ("suites/puzzles_182.obf", 182, 6..=20),
    ] {
        let Some(pasted) = load(name) else { continue };
        assert_eq!(pasted.items.len(), n, "{name}");
        for (i, item) in pasted.items.iter().enumerate() {
            assert_eq!(item.line, i + 1);
            assert_eq!(item.warnings, [], "{name}");
            let Content::Position(scored) = &item.content else {
                panic!("{name}")
            };
            let board = scored.position.board();
            assert!(empties.contains(&board.empties().count()), "{name} {item:?}");
            assert_eq!(
                scored.scores.len(),
                board.mobility() as usize,
                "{name} line {}",
                item.line
            );
        }
    }
}

#[test]
fn lists_of_positions_and_openings() {
    let warned = |items: &[Item]| items.iter().filter(|item| !item.warnings.is_empty()).count();
    for (name, n) in [
        ("suites/random-20.txt", 999),
        ("suites/last-6.txt", 137),
        ("openings/xot_small.txt", 3623),
    ] {
        let Some(pasted) = load(name) else { continue };
        assert_eq!(pasted.items.len(), n, "{name}");
        assert_eq!(warned(&pasted.items), if name.contains("xot") { 0 } else { n });
    }
    for name in [
        "openings/english_openings.txt",
        "openings/japanese_openings.txt",
        "openings/welty_thor_openings.txt",
    ] {
        let Some(pasted) = load(name) else { continue };
        assert_eq!(warned(&pasted.items), pasted.items.len(), "{name}");
    }
    // The first line of this list is its length.
    if let Some(bytes) = data("openings/zebra_openings.txt") {
        let pasted = paste_bytes(&bytes).unwrap();
        assert_eq!((pasted.items.len(), pasted.bad.len()), (76, 1));
    }
}
