//! Known perft counts through every kernel, table and thread count.

use outflank_game::perft::perft as generic;
use outflank_othello::{
    Board, Position,
    naive::NaiveBoard,
    perft::{self, Active, Portable, Table},
};

/// Move sequences from the start position by depth, passes counted as plies.
const LEAVES: [u64; 12] = [
    1, 4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288, 24571284, 212258800,
];

#[test]
fn every_way_of_counting_agrees() {
    let start = Board::start();
    for (depth, &leaves) in (0..).zip(&LEAVES[..=9]) {
        assert_eq!(perft::bulk(Active, start, depth), leaves, "bulk {depth}");
        assert_eq!(perft::bulk(Portable, start, depth), leaves, "portable {depth}");
        let mut table = Table::new(4).unwrap();
        assert_eq!(
            perft::with_table(Active, start, depth, &mut table),
            leaves,
            "table {depth}"
        );
        for (threads, megabytes) in [(1, 0), (2, 0), (3, 1)] {
            assert_eq!(
                perft::parallel(Active, start, depth, threads, megabytes).unwrap(),
                leaves
            );
        }
    }
    for (depth, &leaves) in (0..).zip(&LEAVES[..=8]) {
        assert_eq!(perft::plain(Active, start, depth), leaves);
    }
    for (depth, &leaves) in (0..).zip(&LEAVES[..=7]) {
        assert_eq!(generic(&mut Position::start(), depth), leaves);
        assert_eq!(NaiveBoard::start().perft(depth), leaves);
    }
    // Depth 9 is the first with a pass, depth 10 the first after a finished game.
    assert_eq!(perft::bulk(Active, start, 10), LEAVES[10]);
    assert_eq!(perft::bulk(Active, start, 11), LEAVES[11]);
}

#[test]
fn unique_positions_match_published_counts() {
    let published = [1, 1, 3, 14, 60, 322, 1773, 10649, 67245, 434029];
    assert_eq!(perft::unique_positions(Board::start(), 9), published);
    assert_eq!(perft::unique_positions_naive(5), [1, 1, 3, 14, 60, 322]);
}
