//! The recursive double-three rule of Renju.
//!
//! Only the words of the lines are needed, so the test works on a copy of those four arrays and leaves the board
//! alone.

use super::{
    Board, Lines,
    update::{Place, places},
};
use crate::{Class, Color, Point, PointSet, Rule, Shape, shape::BLACK};
use std::fmt;

/// Why Renju forbids a point to Black.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Foul {
    /// Six or more in a row.
    Overline,
    /// Two fours at once, also in one line.
    DoubleFour,
    /// Two open threes at once.
    DoubleThree,
}

impl fmt::Display for Foul {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Overline => "an overline, six or more in a row",
            Self::DoubleFour => "a double four",
            Self::DoubleThree => "a double three",
        })
    }
}

impl Board {
    /// Returns why the empty `point` is forbidden for Black, the first reason of several in the order of [`Foul`]; `None`
    /// if it is allowed, as every point is outside Renju.
    ///
    /// ```
    /// use outflank_gomoku::{Board, Foul, Rule};
    /// let mut board = Board::new(Rule::Renju, 15)?;
    /// for text in ["h9", "a1", "h10", "c1", "i8", "e1", "j8", "g1"] {
    ///     board.play(text.parse()?)?;
    /// }
    /// assert_eq!(board.foul("h8".parse()?), Some(Foul::DoubleThree));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn foul(&self, point: Point) -> Option<Foul> {
        match self.class(point, Color::Black) {
            Class::Forbidden if self.shapes(point, Color::Black).contains(&Shape::Overline) => {
                Some(Foul::Overline)
            }
            Class::Forbidden => Some(Foul::DoubleFour),
            Class::Doubtful if self.is_forbidden(point) => Some(Foul::DoubleThree),
            _ => None,
        }
    }

    /// Returns whether the empty `point` is forbidden for Black; always false outside Renju.
    ///
    /// A five beats everything. Otherwise an overline, two fours (also in one line) or two real threes forbid. A three
    /// is real if one more stone makes a straight four on a point that is not itself forbidden.
    pub fn is_forbidden(&self, point: Point) -> bool {
        match self.class(point, Color::Black) {
            Class::Forbidden => true,
            Class::Doubtful => self.is_double_three(&mut self.lines.clone(), point),
            _ => false,
        }
    }

    /// Returns every point that is forbidden for Black.
    pub fn forbidden_points(&self) -> PointSet {
        if self.rule() != Rule::Renju {
            return PointSet::EMPTY;
        }
        let sure = self.points_of(Color::Black, Class::Forbidden);
        let doubtful = self.points_of(Color::Black, Class::Doubtful).iter();
        sure.union(&doubtful.filter(|&point| self.is_forbidden(point)).collect())
    }

    fn black_shape(&self, window: u32) -> Shape {
        Shape::from_bits(u32::from(self.tables.shapes.get(window)))
    }

    fn is_forbidden_in(&self, lines: &mut Lines, point: Point) -> bool {
        let shapes = places(point).map(|Place { line, shift }| {
            self.black_shape(Self::window::<5>(lines[usize::from(line)], shift))
        });
        match Class::of(shapes, Rule::Renju, Color::Black) {
            Class::Forbidden => true,
            Class::Doubtful => self.is_double_three(lines, point),
            _ => false,
        }
    }

    /// Returns whether at least two of the open threes that a stone on `point` makes are real.
    fn is_double_three(&self, lines: &mut Lines, point: Point) -> bool {
        flip(lines, point);
        let n_real = (0..4)
            .filter(|&direction| self.is_real_three(lines, point, direction))
            .count();
        flip(lines, point);
        n_real >= 2
    }

    fn is_real_three(&self, lines: &mut Lines, point: Point, direction: usize) -> bool {
        let Place { line, shift } = places(point)[direction];
        let word = lines[usize::from(line)];
        let window = Self::window::<5>(word, shift);
        if !self.black_shape(window).is_open_three() {
            return false;
        }
        for k in -4..=4 {
            let at = (i32::from(shift) + 2 * k) as u32;
            // Neither a stone nor a wall.
            if k == 0 || word >> at & 3 != 0 {
                continue;
            }
            let with_stone = Self::window::<5>(word | u64::from(BLACK) << at, shift);
            if self.black_shape(with_stone) != Shape::OpenFour {
                continue;
            }
            let (dx, dy) = crate::naive::DIRECTIONS[direction];
            let next = point.offset(k * dx, k * dy, self.size);
            if next.is_some_and(|next| !self.is_forbidden_in(lines, next)) {
                return true;
            }
        }
        false
    }
}

/// Puts a black stone on `point`, or takes it away.
fn flip(lines: &mut Lines, point: Point) {
    for &Place { line, shift } in places(point) {
        lines[usize::from(line)] ^= u64::from(BLACK) << shift;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Black's stones, and the point that they forbid; White's lie in the corners.
    fn foul(black: &[&str], point: &str) -> Option<Foul> {
        let white = ["a1", "o1", "a15", "o15", "a8", "o8"];
        let mut board = Board::new(Rule::Renju, 15).expect("a size");
        for (black, white) in black.iter().zip(white) {
            board.play(black.parse().expect("a point")).expect("empty");
            board.play(white.parse().expect("a point")).expect("empty");
        }
        let point = point.parse().expect("a point");
        assert_eq!(board.is_forbidden(point), board.foul(point).is_some());
        board.foul(point)
    }

    #[test]
    fn the_reason_is_the_one_that_the_rules_name() {
        assert_eq!(foul(&["e8", "f8", "g8", "i8", "j8"], "h8"), Some(Foul::Overline));
        assert_eq!(
            foul(&["e8", "f8", "g8", "h5", "h6", "h7"], "h8"),
            Some(Foul::DoubleFour)
        );
        assert_eq!(foul(&["f8", "g8", "h6", "h7"], "h8"), Some(Foul::DoubleThree));
        assert_eq!(
            foul(&["d8", "e8", "f8", "g8", "h6", "h7"], "h8"),
            None,
            "a five beats it"
        );
        assert_eq!(foul(&["f8", "g8"], "h8"), None);
    }
}
