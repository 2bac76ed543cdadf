//! A position as every one of its eight images looks: what is searched there holds for all of them.

use outflank_game::GameState as _;
use outflank_gomoku::{Board, Color, Point, PointSet, Symmetry};

/// The image of a position that is the same for all its images, and the way there.
#[derive(Clone, Debug)]
pub(super) struct View {
    /// The image.
    pub(super) board: Board,
    /// Leads from the position to the image.
    there: Symmetry,
    /// What moves no stone of the image to a point without one of its color.
    own: Vec<Symmetry>,
}

/// Returns the stones as `symmetry` shows them.
fn image(board: &Board, symmetry: Symmetry) -> [PointSet; 2] {
    Color::BOTH.map(|color| {
        let stones = board.stones(color).iter();
        stones
            .map(|point| symmetry.apply(point, board.size()))
            .collect::<PointSet>()
    })
}

impl View {
    /// Returns the image of a position; where the position has symmetries of its own, `marked` is a point that tells its
    /// images apart.
    pub(super) fn of(board: &Board, marked: Option<Point>) -> Self {
        let mark = |symmetry: Symmetry| marked.map(|point| symmetry.apply(point, board.size()));
        let there = Symmetry::ALL
            .into_iter()
            .min_by_key(|&symmetry| (image(board, symmetry), mark(symmetry)))
            .unwrap_or_default();
        let seen = board.transformed(there);
        let stones = image(&seen, Symmetry::IDENTITY);
        let own = Symmetry::ALL.into_iter();
        let own = own.filter(|&symmetry| image(&seen, symmetry) == stones).collect();
        Self {
            board: seen,
            there,
            own,
        }
    }

    /// Returns where a point of the position is in the image.
    pub(super) fn there(&self, point: Point) -> Point {
        self.there.apply(point, self.board.size())
    }

    /// Returns what leads back.
    pub(super) const fn back(&self) -> Symmetry {
        self.there.inverse()
    }

    /// Returns the points of the image that no symmetry of it tells from `point`.
    pub(super) fn orbit(&self, point: Point) -> Vec<Point> {
        let images = self.own.iter();
        images
            .map(|symmetry| symmetry.apply(point, self.board.size()))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_gomoku::Rule;

    #[test]
    fn all_images_of_a_position_and_a_move_look_the_same() {
        let mut board = Board::new(Rule::Freestyle, 15).expect("a size");
        for text in ["h8", "h9"] {
            board.play(text.parse().expect("a point")).expect("legal");
        }
        // The two stones lie on an axis: g10 and i10 are one and the same move.
        let [left, right] = ["g10", "i10"].map(|text| text.parse::<Point>().expect("a point"));
        let seen = View::of(&board, Some(left));
        assert_eq!(seen.orbit(seen.there(left)).len(), 2);
        for symmetry in Symmetry::ALL {
            let turned = board.transformed(symmetry);
            for point in [left, right] {
                let point = symmetry.apply(point, 15);
                let view = View::of(&turned, Some(point));
                assert_eq!(view.board, seen.board);
                assert_eq!(view.there(point), seen.there(left));
                assert_eq!(view.back().apply(view.there(point), 15), point);
            }
        }
    }
}
