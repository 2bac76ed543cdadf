//! The same searches, unchanged, on Gomoku: the second real game.

use super::*;
use crate::mcts::{Config, Mcts, Reward, Uniform};
use outflank_gomoku::{Board, Class, Color, Rule, Symmetry};

/// Threes and fours at hand, and a little for what is not even that.
struct Chances;

impl Evaluate<Board> for Chances {
    fn evaluate(&self, board: &Board) -> i32 {
        let of = |color: Color| -> i32 {
            let worth = |class: &Class| board.count_of(color, *class) as i32 * *class as i32;
            Class::ALL.iter().map(worth).sum()
        };
        of(board.side()) - of(!board.side()) / 2
    }

    fn outcome_value(&self, outcome: outflank_game::Outcome) -> i32 {
        10_000 * outcome.margin
    }
}

/// Returns the position after `plies` random moves, or `None` if the game ended before.
fn random_board(rule: Rule, size: u8, plies: usize, random: &mut SplitMix64) -> Option<Board> {
    let mut board = Board::new(rule, size).expect("a size for a board");
    for _ in 0..plies {
        let moves = board.legal_moves();
        let mv = *moves.get(random.below(moves.len()))?;
        board.play(mv).expect("generated moves are legal");
    }
    board.end().is_none().then_some(board)
}

#[test]
fn all_methods_agree_on_gomoku() {
    let mut random = SplitMix64::new(12);
    for round in 0..16 {
        let rule = Rule::ALL[round % 4];
        if let Some(board) = random_board(rule, 6, round, &mut random) {
            check_all(&board, &Chances, 1);
            check_all(&board, &Chances, 2);
        }
        if let Some(board) = random_board(rule, 5, 14 + round % 6, &mut random) {
            check_all(&board, &Chances, 3);
        }
        // To the end of the game and beyond it.
        if let Some(board) = random_board(rule, 5, 20 + round % 4, &mut random) {
            check_all(&board, &Chances, 4);
            check_all(&board, &Chances, 7);
        }
    }
}

#[test]
fn one_canonical_table_serves_all_eight_orientations_of_a_board() {
    let methods = [
        Method::MinimaxCached(TABLES[2]),
        Method::AlphaBetaTable(TABLES[2]),
        Method::AlphaBetaTable(TABLES[3]),
        Method::Pvs(Some(TABLES[2])),
    ];
    let mut random = SplitMix64::new(9);
    for round in 0..12 {
        let rule = Rule::ALL[round % 4];
        let Some(board) = random_board(rule, 6 + (round % 2) as u8, 4 + round, &mut random) else {
            continue;
        };
        for method in methods {
            let control = Control::unlimited();
            let core = Core::new(&Chances, Order::Generated, &control);
            let mut runner = Runner::new(&Settings::new(method), core);
            let first = runner.run(&board, 2, 0, None);
            // From here on the root is known, in another orientation: its move comes out of the table, turned.
            for symmetry in Symmetry::ALL {
                let image = board.transformed(symmetry);
                let optimal = best_moves(&Settings::new(Method::Minimax), &image, &Chances, 2);
                let found = runner.run(&image, 2, 0, None);
                assert_eq!(found.value, first.value, "{method} {image:?}");
                assert_eq!(
                    (found.counters.nodes, found.counters.hits),
                    (1, 1),
                    "{method} {image:?}"
                );
                let best = found.best.unwrap();
                assert!(
                    image.is_legal(best) && optimal.contains(&best),
                    "{method} {image:?}"
                );
            }
        }
    }
}

#[test]
fn monte_carlo_makes_five_and_blocks_a_four() {
    let config = Config {
        reward: Reward::Result,
        scale: 1,
        seed: 4,
        ..Config::default()
    };
    let best = |moves: &str| {
        let mut board = Board::new(Rule::Freestyle, 7).unwrap();
        for mv in moves.split(' ') {
            board.play(mv.parse().unwrap()).unwrap();
        }
        let found = Mcts::new(config, Uniform).search(&board, &Control::of_nodes(6000));
        found.best.unwrap().to_string()
    };
    assert_eq!(best("c4 b4 d4 b5 e4 b6 f4 a1"), "g4");
    assert_eq!(best("c4 b4 d4 b5 e4 b6 f4"), "g4");
}
