//! The recursive double-three rule of Renju.
//!
//! Only the words of the lines are needed, so the test works on a copy of those four arrays and leaves the board
//! alone.

use super::{Board, update::Place};
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

    fn is_forbidden_in(&self, lines: &mut [[u64; 64]; 4], point: Point) -> bool {
        let shapes = [0, 1, 2, 3].map(|direction| {
            let Place { line, shift, .. } = self.place_on(point, direction);
            self.black_shape(Self::window::<5>(lines[direction][line], shift))
        });
        match Class::of(shapes, Rule::Renju, Color::Black) {
            Class::Forbidden => true,
            Class::Doubtful => self.is_double_three(lines, point),
            _ => false,
        }
    }

    /// Returns whether at least two of the open threes that a stone on `point` makes are real.
    fn is_double_three(&self, lines: &mut [[u64; 64]; 4], point: Point) -> bool {
        self.flip(lines, point);
        let n_real = (0..4)
            .filter(|&direction| self.is_real_three(lines, point, direction))
            .count();
        self.flip(lines, point);
        n_real >= 2
    }

    fn flip(&self, lines: &mut [[u64; 64]; 4], point: Point) {
        for (direction, words) in lines.iter_mut().enumerate() {
            let Place { line, shift, .. } = self.place_on(point, direction);
            words[line] ^= u64::from(BLACK) << shift;
        }
    }

    fn is_real_three(&self, lines: &mut [[u64; 64]; 4], point: Point, direction: usize) -> bool {
        let Place {
            line,
            shift,
            before,
            after,
        } = self.place_on(point, direction);
        let word = lines[direction][line];
        let window = Self::window::<5>(word, shift);
        if !self.black_shape(window).is_open_three() {
            return false;
        }
        let reach = -(before.min(4) as i32)..=after.min(4) as i32;
        for k in reach {
            let at = (shift as i32 + 2 * k) as u32;
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
