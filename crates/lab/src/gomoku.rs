//! Gomoku for the laboratory: the game with its moves restricted to points near stones, and a simple evaluation.
//!
//! A 15×15 board has 225 points, too many for a textbook search to look three stones ahead everywhere. [`NearStones`]
//! is Gomoku with one rule more: a stone must lie within so many lines of another. It is a game of its own, with the
//! same laws, so that every full-width method must give minimax's value on it as on any other.

use crate::evaluation::WIN;
use outflank_game::{Evaluate, GameState, Outcome, Player, SplitMix64};
use outflank_gomoku::{
    Board, Class, Color, Combo, Point, PointSet, Rule, SetupError, Shape, Symmetry, Tables,
};
use outflank_textbook::{Method, Settings, Ties, search};
use std::sync::Arc;

/// A Gomoku position in which only points near a stone may be played.
///
/// On an empty board those are the points at the center: one, or four where the edge is even.
#[derive(Clone, Debug, PartialEq)]
pub struct NearStones {
    /// Boxed, so that a table whose entries may hold a state stays small where they do not.
    board: Box<Board>,
    /// Lines (columns and rows) between a new stone and its nearest neighbor, at most; 0 for no restriction.
    reach: u8,
}

impl NearStones {
    /// Returns `board` with moves at most `reach` lines away from a stone, anywhere if `reach` is 0.
    pub fn new(board: Board, reach: u8) -> Self {
        Self {
            board: Box::new(board),
            reach,
        }
    }

    /// Returns the board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the empty points that are near enough to a stone.
    fn candidates(&self) -> PointSet {
        let board = &self.board;
        let size = board.size();
        if self.reach == 0 {
            return board.empties();
        }
        if board.n_stones() == 0 {
            let central = |at: u8| (2 * i32::from(at) + 1 - i32::from(size)).abs() <= 1;
            return board
                .empties()
                .iter()
                .filter(|point| central(point.x()) && central(point.y()))
                .collect();
        }
        let reach = i32::from(self.reach);
        let mut near = PointSet::EMPTY;
        for stone in Color::BOTH.iter().flat_map(|&color| board.stones(color)) {
            for (dx, dy) in (-reach..=reach).flat_map(|dx| (-reach..=reach).map(move |dy| (dx, dy))) {
                if let Some(point) = stone.offset(dx, dy, size) {
                    near.insert(point);
                }
            }
        }
        near.intersection(&board.empties())
    }

    fn wrapped(&self, board: Board) -> Self {
        Self::new(board, self.reach)
    }
}

impl GameState for NearStones {
    type Move = Point;
    type Undo = ();
    type Symmetry = Symmetry;

    fn player(&self) -> Player {
        self.board.player()
    }

    fn collect_legal_moves(&self, moves: &mut Vec<Point>) {
        if self.board.end().is_none() {
            moves.extend(self.candidates());
        }
    }

    fn all_moves(&self) -> Vec<Point> {
        self.board.all_moves()
    }

    fn is_legal(&self, mv: Point) -> bool {
        self.board.is_legal(mv) && self.candidates().contains(mv)
    }

    fn is_pass(&self, _mv: Point) -> bool {
        false
    }

    fn play(&mut self, mv: Point) {
        GameState::play(&mut *self.board, mv);
    }

    fn undo(&mut self, mv: Point, (): ()) {
        self.board.undo(mv, ());
    }

    fn outcome(&self) -> Option<Outcome> {
        self.board.outcome()
    }

    fn key(&self) -> u64 {
        self.board.key()
    }

    fn recomputed_key(&self) -> u64 {
        self.board.recomputed_key()
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        self.board.symmetries()
    }

    fn inverse(&self, symmetry: Symmetry) -> Symmetry {
        self.board.inverse(symmetry)
    }

    fn transformed(&self, symmetry: Symmetry) -> Self {
        self.wrapped(self.board.transformed(symmetry))
    }

    fn transform_move(&self, mv: Point, symmetry: Symmetry) -> Point {
        self.board.transform_move(mv, symmetry)
    }

    fn canonical(&self) -> (Self, Symmetry) {
        let (board, symmetry) = self.board.canonical();
        (self.wrapped(board), symmetry)
    }
}

/// What a shape is worth: twice as much for every stone nearer to five, twice as much again if it is open.
pub const fn shape_weight(shape: Shape) -> i32 {
    match shape {
        Shape::Dead | Shape::Overline | Shape::DoubleFour => 0,
        Shape::One => 1,
        Shape::OpenOne => 2,
        Shape::Two => 4,
        Shape::OpenTwo | Shape::OpenTwo3 | Shape::OpenTwo4 => 8,
        Shape::Three => 16,
        Shape::OpenThree | Shape::OpenThree2 => 32,
        Shape::Four => 64,
        Shape::OpenFour => 256,
        Shape::Five => 1024,
    }
}

/// The laboratory's evaluation of Gomoku, `shapes`.
///
/// Every empty point is worth to a color what a stone there would make of its four lines, by [`shape_weight`]; a
/// point forbidden for certain is worth nothing. The value is the sum of the side to move, less half the sum of the
/// other: whoever moves first uses his points first. A finished game is worth ±[`WIN`].
///
/// The board must come from [`Shapes::tables`], which make it add the weights up move by move.
#[derive(Clone, Copy, Debug, Default)]
pub struct Shapes;

impl Shapes {
    /// Its name, as `outflank lab compare --evaluation` takes it.
    pub const NAME: &'static str = "shapes";

    /// Returns the tables of `rule` with the weights of this evaluation.
    pub fn tables(rule: Rule) -> Arc<Tables> {
        Tables::with_weights(rule, |color, combo: Combo| {
            if Class::of(combo.shapes(), rule, color) == Class::Forbidden {
                return [0, 0];
            }
            let sum = combo.shapes().into_iter().map(shape_weight).sum();
            [sum, 0]
        })
    }

    /// Returns the value of `board` for the side to move.
    pub fn value(self, board: &Board) -> i32 {
        let [own, _] = board.weight_sums(board.side());
        let [other, _] = board.weight_sums(!board.side());
        (own - other / 2).clamp(1 - WIN, WIN - 1)
    }
}

impl Evaluate<NearStones> for Shapes {
    fn evaluate(&self, game: &NearStones) -> i32 {
        self.value(game.board())
    }

    fn outcome_value(&self, outcome: Outcome) -> i32 {
        WIN * outcome.margin
    }
}

/// Returns the positions of one game: three random stones, then two players that look two stones ahead.
///
/// Every `stride`-th position with more than one move is taken, up to `stones` stones.
///
/// # Errors
///
/// [`SetupError::Size`] unless the size is 5 to 20.
pub fn game_positions(
    rule: Rule,
    size: u8,
    reach: u8,
    (stride, stones): (usize, usize),
    seed: u64,
) -> Result<Vec<NearStones>, SetupError> {
    let mut random = SplitMix64::new(seed);
    let board = Board::with_tables(Shapes::tables(rule), size)?;
    // The players look at near points only, whatever the comparison allows.
    let mut game = NearStones::new(board, reach.clamp(1, 2));
    let mut positions = Vec::new();
    for ply in 0..stones {
        let mv = if ply < 3 {
            let moves = game.legal_moves();
            moves.get(random.below(moves.len())).copied()
        } else {
            if (ply - 3) % stride.max(1) == 0 && game.legal_moves().len() > 1 {
                positions.push(NearStones::new(game.board().clone(), reach));
            }
            let seed = random.next_u64();
            let settings = Settings {
                ties: Ties::Random { seed },
                ..Settings::new(Method::AlphaBeta)
            };
            search(&settings, &game, &Shapes, 2).best
        };
        let Some(mv) = mv else { break };
        GameState::play(&mut game, mv);
    }
    Ok(positions)
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_game::conformance;
    use outflank_textbook::best_moves;

    fn board(rule: Rule, size: u8, moves: &str) -> Board {
        let mut board = Board::with_tables(Shapes::tables(rule), size).unwrap();
        for mv in moves.split_whitespace() {
            board.play(mv.parse().unwrap()).unwrap();
        }
        board
    }

    #[test]
    fn the_restricted_game_is_a_game() {
        for rule in Rule::ALL {
            for (size, reach, plies) in [(5, 1, 30), (6, 2, 12), (7, 0, 8)] {
                let game = NearStones::new(board(rule, size, ""), reach);
                conformance::check(&game, 2, plies, 7).unwrap_or_else(|violation| panic!("{violation}"));
            }
        }
        let moves = |size, reach, text| {
            NearStones::new(board(Rule::Freestyle, size, text), reach)
                .legal_moves()
                .len()
        };
        assert_eq!(
            [moves(15, 1, ""), moves(20, 1, ""), moves(15, 0, "")],
            [1, 4, 225]
        );
        assert_eq!(
            [moves(20, 1, "a1"), moves(20, 2, "t10"), moves(15, 1, "h8 i9")],
            [3, 14, 12]
        );
    }

    #[test]
    fn sums_follow_the_definition() {
        // From scratch: every empty point, every line.
        let positions = game_positions(Rule::Renju, 15, 2, (3, 30), 5).unwrap();
        assert!(positions.len() > 3, "{}", positions.len());
        for game in positions {
            let board = game.board();
            let sum = |color| -> i32 {
                let worth = |point: Point| -> i32 {
                    let shapes = board.shapes(point, color);
                    if Class::of(shapes, board.rule(), color) == Class::Forbidden {
                        return 0;
                    }
                    shapes.into_iter().map(shape_weight).sum()
                };
                board.empties().iter().map(worth).sum()
            };
            assert_eq!(
                Shapes.value(board),
                sum(board.side()) - sum(!board.side()) / 2,
                "{board}"
            );
        }
    }

    #[test]
    fn a_five_is_made_and_a_four_is_blocked() {
        let best = |moves: &str, depth| {
            let game = NearStones::new(board(Rule::Freestyle, 15, moves), 1);
            best_moves(&Settings::new(Method::AlphaBeta), &game, &Shapes, depth)
        };
        let points =
            |text: &str| -> Vec<Point> { text.split(' ').map(|word| word.parse().unwrap()).collect() };
        let four = "h8 h9 i8 i9 j8 j9 k8";
        assert_eq!(best(&format!("{four} a1"), 1), points("g8 l8"));
        assert_eq!(best("h8 g8 i8 i9 j8 j9 k8", 2), points("l8"));
        // An open three loses to nothing but a block or a four, and white has none of his own.
        let replies = best("h8 a1 i8 a3 j8", 4);
        assert!(
            !replies.is_empty() && replies.iter().all(|mv| points("f8 g8 k8 l8").contains(mv)),
            "{replies:?}"
        );
    }
}
