//! Gomoku as a [`GameState`].

use super::{Board, End};
use crate::{Color, Point, PointSet, Symmetry, zobrist};
use outflank_game::{GameState, Outcome, Player};

impl GameState for Board {
    type Move = Point;
    type Undo = ();
    type Symmetry = Symmetry;

    fn player(&self) -> Player {
        self.side.into()
    }

    fn collect_legal_moves(&self, moves: &mut Vec<Point>) {
        if self.end.is_none() {
            moves.extend(self.empties());
        }
    }

    fn all_moves(&self) -> Vec<Point> {
        PointSet::board(self.size).iter().collect()
    }

    fn is_legal(&self, mv: Point) -> bool {
        self.end.is_none() && self.is_empty(mv)
    }

    fn is_pass(&self, _mv: Point) -> bool {
        false
    }

    fn play(&mut self, mv: Point) {
        let played = Self::play(self, mv);
        debug_assert!(played.is_ok(), "{played:?}");
    }

    fn undo(&mut self, mv: Point, (): ()) {
        let undone = self.undo_move();
        debug_assert_eq!(undone, Some(mv));
    }

    fn outcome(&self) -> Option<Outcome> {
        let margin = |winner: Color| if winner == self.side { 1 } else { -1 };
        self.end.map(|end| Outcome {
            margin: end.winner().map_or(0, margin),
        })
    }

    fn key(&self) -> u64 {
        self.key ^ zobrist::side(self.side)
    }

    fn recomputed_key(&self) -> u64 {
        Color::BOTH.into_iter().fold(
            zobrist::start(self.rule(), self.size) ^ zobrist::side(self.side),
            |key, color| {
                self.stones(color)
                    .iter()
                    .fold(key, |key, point| key ^ zobrist::stone(point, color))
            },
        )
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        Symmetry::ALL.to_vec()
    }

    fn inverse(&self, symmetry: Symmetry) -> Symmetry {
        symmetry.inverse()
    }

    fn transformed(&self, symmetry: Symmetry) -> Self {
        let mut image = Self::with_tables(self.tables.clone(), self.size)
            .expect("the size of a board is a size for a board");
        for &(point, color) in &self.history() {
            image.place(symmetry.apply(point, self.size), color);
        }
        image.side = self.side;
        image.end = self.end;
        image
    }

    fn transform_move(&self, mv: Point, symmetry: Symmetry) -> Point {
        symmetry.apply(mv, self.size)
    }

    fn canonical(&self) -> (Self, Symmetry) {
        let image_of = |symmetry: Symmetry| {
            Color::BOTH.map(|color| {
                self.stones(color)
                    .iter()
                    .map(|point| symmetry.apply(point, self.size))
                    .collect::<PointSet>()
            })
        };
        let best = Symmetry::ALL
            .into_iter()
            .min_by_key(|&symmetry| image_of(symmetry))
            .unwrap_or_default();
        (self.transformed(best), best)
    }
}

/// The outcome of an end, kept here so that front-ends need not match on it.
impl End {
    /// Returns `black`, `white` or `draw`.
    pub const fn name(self) -> &'static str {
        match self.winner() {
            Some(Color::Black) => "black",
            Some(Color::White) => "white",
            None => "draw",
        }
    }
}
