//! The recursive double-three rule of Renju.
//!
//! Only the words of the lines are needed, so the test works on a copy of those four arrays and leaves the board
//! alone.

use super::{
    Board, Lines,
    update::{Place, places},
};
use crate::{Class, Color, Point, PointSet, Rule, Shape, shape::BLACK};

impl Board {
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
