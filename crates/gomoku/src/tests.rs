//! The fast board against the naive one, and the laws of every game.

use crate::{Board, Class, Color, NaiveBoard, Point, PointSet, Rule, Tables, naive::ShapeMemo};
use outflank_game::{GameState, conformance};
use outflank_testkit::cpu_time;
use std::time::Duration;

/// A reproducible stream of numbers.
pub(crate) struct Stream(u64);

impl Stream {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n
    }
}

/// Plays a random game that keeps stones close together, so that lines of every kind arise.
fn random_game(rule: Rule, size: u8, n_moves: usize, stream: &mut Stream) -> Board {
    let weights = Tables::with_weights(rule, |color, combo| {
        let idx = combo.idx() as i32;
        [idx * 7 - 3000 * color.idx() as i32, -idx]
    });
    let mut board = Board::with_tables(weights, size).expect("size");
    for _ in 0..n_moves {
        let empties: Vec<_> = board.empties().iter().collect();
        let mut point = empties[stream.below(empties.len())];
        if let Some((last, _)) = board.last_move().filter(|_| stream.below(8) != 0) {
            let (dx, dy) = (stream.below(7) as i32 - 3, stream.below(7) as i32 - 3);
            point = last
                .offset(dx, dy, size)
                .filter(|&near| board.is_empty(near))
                .unwrap_or(point);
        }
        if board.play(point).is_err() || board.end().is_some() {
            board.undo_move();
        }
    }
    board
}

fn naive_of(board: &Board) -> NaiveBoard {
    let mut naive = NaiveBoard::new(board.rule(), board.size());
    for color in Color::BOTH {
        board
            .stones(color)
            .iter()
            .for_each(|point| naive.set(point, Some(color)));
    }
    naive
}

/// Compares shapes, classes, sets, counts, sums, wins and forbidden points with the oracle.
fn compare(board: &Board, memo: &mut ShapeMemo) {
    let mut naive = naive_of(board);
    let mut sums = [[0i32; 2]; 2];
    let mut counts = [[0usize; 15]; 2];
    for point in board.empties() {
        for color in Color::BOTH {
            let shapes = [0, 1, 2, 3].map(|direction| naive.shape(point, direction, color, memo));
            assert_eq!(board.shapes(point, color), shapes, "{point} {color}\n{board:?}");
            let class = Class::of(shapes, board.rule(), color);
            assert_eq!(board.class(point, color), class);
            assert!(board.points_of(color, class).contains(point));
            assert_eq!(class == Class::Five, naive.makes_five(point, color));
            counts[color.idx()][class as usize] += 1;
            let idx = board.combo(point, color).idx() as i32;
            sums[color.idx()][0] += idx * 7 - 3000 * color.idx() as i32;
            sums[color.idx()][1] -= idx;
        }
        assert_eq!(
            board.is_forbidden(point),
            naive.is_forbidden(point),
            "{point}\n{board:?}"
        );
    }
    for color in Color::BOTH {
        assert_eq!(board.weight_sums(color), sums[color.idx()]);
        for class in Class::ALL {
            assert_eq!(board.count_of(color, class), counts[color.idx()][class as usize]);
            assert_eq!(board.points_of(color, class).len(), board.count_of(color, class));
        }
    }
}

fn compare_games(n_games: usize, seed: u64) {
    let mut stream = Stream::new(seed);
    let mut memo = ShapeMemo::new();
    for i in 0..n_games {
        let rule = Rule::ALL[i % 4];
        let size = [15, 15, 15, 5, 8, 20, 19, 13][i / 4 % 8];
        let n_moves = stream.below(usize::from(size) * usize::from(size) * 2 / 3);
        let mut board = random_game(rule, size, n_moves, &mut stream);
        compare(&board, &mut memo);
        for _ in 0..stream.below(20) {
            board.undo_move();
        }
        compare(&board, &mut memo);
    }
}

#[test]
fn everything_equals_the_naive_board() {
    compare_games(64, 1);
}

#[test]
#[ignore = "100,000 positions: minutes"]
fn everything_equals_the_naive_board_on_100_000_positions() {
    compare_games(50_000, 2);
}

#[test]
fn the_laws_of_a_game_hold() {
    for rule in Rule::ALL {
        let board = Board::new(rule, 5).expect("size");
        let coverage = conformance::check(&board, 3, 30, 7).unwrap_or_else(|violation| panic!("{violation}"));
        assert!(coverage.finished > 0);
    }
}

#[test]
fn undo_restores_every_detail() {
    let mut stream = Stream::new(5);
    for rule in Rule::ALL {
        let mut board = random_game(rule, 15, 60, &mut stream);
        let before = every_detail(&board);
        for _ in 0..20 {
            let empties: Vec<_> = board.empties().iter().collect();
            board.place(empties[stream.below(empties.len())], Color::BOTH[stream.below(2)]);
        }
        for _ in 0..20 {
            board.unplace();
        }
        assert_eq!(before, every_detail(&board));
    }
}

#[test]
fn stones_placed_for_fours_keep_up_to_date_what_they_promise() {
    let mut stream = Stream::new(6);
    let (mut n_sharp, mut n_forbidden) = (0, 0);
    for game in 0..200 {
        let (rule, size) = (Rule::ALL[game % 4], [15, 11, 20][game / 4 % 3]);
        let mut board = random_game(rule, size, 40, &mut stream);
        let mut whole = board.clone();
        let before = every_detail(&board);
        for _ in 0..12 {
            let near = board.stones(Color::BOTH[stream.below(2)]).spread(1);
            let near: Vec<_> = near.intersection(&board.empties()).iter().collect();
            let (point, color) = (near[stream.below(near.len())], Color::BOTH[stream.below(2)]);
            board.place_for_fours(point, color);
            whole.place(point, color);
            for color in Color::BOTH {
                let sharp = Class::ALL.into_iter().filter(|&class| {
                    class >= Class::Four || matches!(class, Class::Forbidden | Class::Doubtful)
                });
                for class in sharp {
                    let points = whole.points_of(color, class);
                    assert_eq!(
                        board.points_of(color, class),
                        points,
                        "{color} {class:?}\n{board:?}"
                    );
                    assert_eq!(board.count_of(color, class), points.len());
                    for point in points {
                        assert_eq!(board.class(point, color), class);
                        assert_eq!(board.combo(point, color), whole.combo(point, color));
                    }
                    n_sharp += points.len();
                    n_forbidden += points.len() * usize::from(class < Class::Four);
                }
                for point in board.empties() {
                    assert_eq!(board.shapes(point, color), whole.shapes(point, color));
                }
            }
        }
        for _ in 0..12 {
            board.unplace();
        }
        assert_eq!(before, every_detail(&board));
    }
    assert!(n_sharp > 5_000 && n_forbidden > 200, "{n_sharp} {n_forbidden}");
}

fn every_detail(board: &Board) -> String {
    let shapes = PointSet::board(board.size())
        .iter()
        .map(|point| Color::BOTH.map(|color| board.shapes(point, color)));
    let sums = Color::BOTH.map(|color| board.weight_sums(color));
    format!(
        "{:?} {sums:?} {:?} {:?}",
        shapes.collect::<Vec<_>>(),
        board_sets(board),
        board.key()
    )
}

fn board_sets(board: &Board) -> Vec<(PointSet, usize)> {
    let mut sets = Vec::new();
    for color in Color::BOTH {
        sets.extend(Class::ALL.map(|class| (*board.points_of(color, class), board.count_of(color, class))));
    }
    sets
}

fn played(rule: Rule, text: &str) -> Board {
    let mut board = Board::new(rule, 15).expect("size");
    for word in text.split_whitespace() {
        board.play(word.parse().expect("point")).expect("legal");
    }
    board
}

fn at(text: &str) -> Point {
    text.parse().expect("point")
}

#[test]
fn six_in_a_row_wins_only_where_it_should() {
    // Black fills e8 to j8 but for h8, White plays apart; h8 makes six.
    let moves = "e8 a1 f8 c1 g8 e1 i8 a3 j8 c3";
    let end = |rule| {
        let mut board = played(rule, moves);
        board.play(at("h8")).expect("legal");
        board.end()
    };
    assert_eq!(end(Rule::Freestyle), Some(crate::End::Five(Color::Black)));
    assert_eq!(end(Rule::Standard), None);
    assert_eq!(end(Rule::Caro), None);
    assert_eq!(end(Rule::Renju), Some(crate::End::Forbidden));
}

#[test]
fn caro_five_blocked_by_two_stones_is_no_win_but_edges_do_not_block() {
    let mut blocked = played(Rule::Caro, "e8 d8 f8 j8 g8 a1 h8 c1");
    assert_eq!(blocked.class(at("i8"), Color::Black), Class::Quiet);
    blocked.play(at("i8")).expect("legal");
    assert_eq!(blocked.end(), None);
    let edge = played(Rule::Caro, "a8 f8 b8 o15 c8 o1 d8 o3");
    assert_eq!(edge.class(at("e8"), Color::Black), Class::Five);
}

#[test]
fn playing_on_a_stone_outside_or_after_the_end_is_refused() {
    let mut board = played(Rule::Freestyle, "a1 a2 b1 b2 c1 c2 d1 d2");
    assert!(board.play(at("a1")).is_err());
    assert!(board.play(at("p1")).is_err());
    board.play(at("e1")).expect("legal");
    assert!(board.play(at("o15")).is_err());
    assert!(board.legal_moves().is_empty());
}

/// Places and takes back every stone of both colors on every pair of points in the middle, `n_rounds` times; returns the
/// number of stones placed.
fn place_and_unplace(board: &mut Board, n_rounds: usize) -> usize {
    let points: Vec<_> = board
        .empties()
        .iter()
        .filter(|point| (4..11).contains(&point.x()) && (4..11).contains(&point.y()))
        .collect();
    let mut n = 0;
    for _ in 0..n_rounds {
        for &first in &points {
            board.place(first, Color::Black);
            for &second in points.iter().filter(|&&second| second != first) {
                board.place(second, Color::White);
                board.unplace();
                n += 1;
            }
            board.unplace();
            n += 1;
        }
    }
    n
}

#[test]
fn undone_moves_leave_no_trace_and_cost_little() {
    for rule in Rule::ALL {
        let mut board = random_game(rule, 15, 30, &mut Stream::new(11));
        let mut memo = ShapeMemo::default();
        // Both sides of the ratio keep up or find out the shapes of a position; the oracle knows those it has seen.
        compare(&board, &mut memo);
        let slow = cpu_time(|| compare(&board, &mut memo));
        let (mut n, mut fast) = (0, Duration::ZERO);
        while fast < Duration::from_millis(20) {
            fast += cpu_time(|| n += place_and_unplace(&mut board, 1));
        }
        compare(&board, &mut memo);
        let ratio = slow.as_secs_f64() / (fast.as_secs_f64() / n as f64);
        assert!(
            ratio > 20.0,
            "{rule}: a move and its undo cost 1/{ratio:.0} of working it all out"
        );
    }
}

#[test]
#[ignore = "a measurement of a few seconds: moves a second"]
fn measure_moves_and_undos() {
    for rule in Rule::ALL {
        let mut board = random_game(rule, 15, 30, &mut Stream::new(11));
        let mut n = 0;
        let time = cpu_time(|| n = place_and_unplace(&mut board, 1000));
        compare(&board, &mut ShapeMemo::default());
        println!(
            "{rule}: {:.2} M pairs a second",
            n as f64 / 1e6 / time.as_secs_f64()
        );
    }
}
