//! The slow, obvious board: the oracle of [`crate::Board`] and the referee of proofs.
//!
//! Everything is found by walking over the stones of whole lines. There are no windows, no look-up tables and no
//! incremental state, and nothing here is shared with the fast board but the definition of the shapes.

use std::collections::BTreeMap;

use crate::{Color, Point, PointSet, Rule, Shape, point::N_POINTS, shape::Ways};

/// The steps along a row, a column, a rising and a falling diagonal, as columns and rows.
pub const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// Shapes found so far, by rule set, color and the eleven points around the stone as text: the definition takes
/// seconds a position without it.
pub type ShapeMemo = BTreeMap<(Rule, Color, [u8; 11]), Shape>;

/// A board as an array of stones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NaiveBoard {
    rule: Rule,
    size: u8,
    stones: [Option<Color>; N_POINTS],
}

impl NaiveBoard {
    /// Returns an empty board of `size`×`size` points.
    pub fn new(rule: Rule, size: u8) -> Self {
        Self {
            rule,
            size,
            stones: [None; N_POINTS],
        }
    }

    /// Returns the stone on `point`.
    pub fn get(&self, point: Point) -> Option<Color> {
        self.stones[point.idx()]
    }

    /// Puts a stone on `point`, or takes it away.
    pub fn set(&mut self, point: Point, stone: Option<Color>) {
        self.stones[point.idx()] = stone;
    }

    /// Returns the rule set.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// Returns the empty points, smallest index first.
    pub fn empties(&self) -> Vec<Point> {
        PointSet::board(self.size)
            .iter()
            .filter(|&point| self.get(point).is_none())
            .collect()
    }

    fn walk(&self, from: Point, (dx, dy): (i32, i32), holds: impl Fn(Option<Color>) -> bool) -> Vec<Point> {
        let mut points = Vec::new();
        let mut at = from;
        while let Some(next) = at.offset(dx, dy, self.size) {
            if !holds(self.get(next)) {
                break;
            }
            points.push(next);
            at = next;
        }
        points
    }

    /// Returns the length of the row of `color` through `point` and the stones just beyond its two ends, reading
    /// `point` as a stone of `color`.
    fn row(&self, point: Point, (dx, dy): (i32, i32), color: Color) -> (usize, [Option<Color>; 2]) {
        let arm = |sign: i32| {
            let (mut at, mut length) = (point, 0);
            while let Some(next) = at.offset(sign * dx, sign * dy, self.size) {
                let stone = self.get(next);
                if stone != Some(color) {
                    return (length, stone);
                }
                length += 1;
                at = next;
            }
            (length, None)
        };
        let ((back, before), (ahead, after)) = (arm(-1), arm(1));
        (back + ahead + 1, [before, after])
    }

    /// Returns whether a stone of `color` on `point` wins.
    pub fn makes_five(&self, point: Point, color: Color) -> bool {
        DIRECTIONS
            .into_iter()
            .any(|direction| self.makes_five_along(point, direction, color))
    }

    fn makes_five_along(&self, point: Point, direction: (i32, i32), color: Color) -> bool {
        let (length, ends) = self.row(point, direction, color);
        let blocked = ends == [Some(!color); 2];
        match self.rule {
            Rule::Freestyle => length >= 5,
            Rule::Standard => length == 5,
            Rule::Renju => length == 5 || (length > 5 && color == Color::White),
            Rule::Caro => length == 5 && !blocked,
        }
    }

    /// Returns whether `color` has a winning row on the board.
    pub fn has_five(&self, color: Color) -> bool {
        let mut points = PointSet::board(self.size).iter();
        points.any(|point| self.get(point) == Some(color) && self.makes_five(point, color))
    }

    /// Returns the shape that a stone of `color` on `point` makes along `direction` (0 to 3).
    pub fn shape(&mut self, point: Point, direction: usize, color: Color, memo: &mut ShapeMemo) -> Shape {
        let before = self.get(point);
        self.set(point, Some(color));
        let shape = self.shape_around(point, DIRECTIONS[direction], color, memo);
        self.set(point, before);
        shape
    }

    /// The definition of [`Shape`], with the stone on `point` already placed.
    fn shape_around(
        &mut self,
        point: Point,
        (dx, dy): (i32, i32),
        color: Color,
        memo: &mut ShapeMemo,
    ) -> Shape {
        let mut around = [b'#'; 11];
        for (k, cell) in (-5..=5).zip(&mut around) {
            if let Some(next) = point.offset(k * dx, k * dy, self.size) {
                *cell = self.get(next).map_or(b'.', |stone| b'x' + stone as u8);
            }
        }
        let known = (self.rule, color, around);
        if let Some(&shape) = memo.get(&known) {
            return shape;
        }
        let shape = self.shape_by_definition(point, (dx, dy), color, memo);
        memo.insert(known, shape);
        shape
    }

    fn shape_by_definition(
        &mut self,
        point: Point,
        (dx, dy): (i32, i32),
        color: Color,
        memo: &mut ShapeMemo,
    ) -> Shape {
        if self.makes_five_along(point, (dx, dy), color) {
            return Shape::Five;
        }
        let (length, _) = self.row(point, (dx, dy), color);
        if length > 5 {
            return Shape::Overline;
        }
        let free = |stone: Option<Color>| stone != Some(!color);
        let back = self.walk(point, (-dx, -dy), free);
        let ahead = self.walk(point, (dx, dy), free);
        let mut ways = Ways::default();
        let mut fives = Vec::new();
        // A row of five that holds `point` reaches at most 4 points from it.
        let reach: Vec<Point> = back
            .iter()
            .take(4)
            .rev()
            .chain(ahead.iter().take(4))
            .copied()
            .collect();
        for next in reach {
            if self.get(next).is_some() {
                continue;
            }
            self.set(next, Some(color));
            let shape = self.shape_around(point, (dx, dy), color, memo);
            self.set(next, None);
            ways.count(shape);
            if shape == Shape::Five {
                fives.push(next);
            }
        }
        if let (Some(first), Some(last)) = (fives.first(), fives.last()) {
            let apart = |a: u8, b: u8| u32::from(a.abs_diff(b));
            ways.fives_apart = apart(first.x(), last.x()).max(apart(first.y(), last.y()));
        }
        Shape::from_ways(&ways, self.rule == Rule::Renju && color == Color::Black)
    }

    /// Returns whether `point` is forbidden for Black; always false outside Renju.
    ///
    /// A five beats everything. Otherwise an overline, two fours (also in one line) or two real threes forbid. A three
    /// is real if one more stone makes a straight four on a point that is not itself forbidden.
    pub fn is_forbidden(&mut self, point: Point) -> bool {
        if self.rule != Rule::Renju || self.get(point).is_some() || self.makes_five(point, Color::Black) {
            return false;
        }
        if self.has_too_few_stones(point) {
            return false;
        }
        self.set(point, Some(Color::Black));
        let overline = DIRECTIONS
            .into_iter()
            .any(|direction| self.row(point, direction, Color::Black).0 > 5);
        let mut fours = 0;
        let mut threes = 0;
        for direction in DIRECTIONS {
            let n_fours = self.n_fours(point, direction);
            fours += n_fours;
            threes += usize::from(n_fours == 0 && self.is_real_three(point, direction));
        }
        self.set(point, None);
        overline || fours >= 2 || threes >= 2
    }

    /// Returns whether there are too few black stones around for a forbidden point: an overline and a double-four in
    /// one line need four in that line, anything else two in each of two lines.
    fn has_too_few_stones(&self, point: Point) -> bool {
        let counts = DIRECTIONS.map(|(dx, dy)| {
            let black = |k: i32| {
                let next = point.offset(k * dx, k * dy, self.size);
                next.is_some_and(|next| self.get(next) == Some(Color::Black))
            };
            (-5..=5).filter(|&k| k != 0 && black(k)).count()
        });
        counts.iter().all(|&n| n < 4) && counts.iter().filter(|&&n| n >= 2).count() < 2
    }

    /// Points at which Black makes exactly five along `direction` in a row that holds `point`.
    fn five_points(&mut self, point: Point, (dx, dy): (i32, i32)) -> Vec<Point> {
        let mut found = Vec::new();
        for k in -4..=4 {
            let Some(next) = point.offset(k * dx, k * dy, self.size) else {
                continue;
            };
            if self.get(next).is_some() {
                continue;
            }
            self.set(next, Some(Color::Black));
            let five = self.makes_five_along(point, (dx, dy), Color::Black);
            self.set(next, None);
            if five {
                found.push(next);
            }
        }
        found
    }

    /// Number of fours through the stone on `point`: a straight four is one four with two ends.
    fn n_fours(&mut self, point: Point, direction: (i32, i32)) -> usize {
        let five_points = self.five_points(point, direction);
        if self.is_straight_four(point, direction, &five_points) {
            1
        } else {
            five_points.len()
        }
    }

    fn is_straight_four(&self, point: Point, direction: (i32, i32), five_points: &[Point]) -> bool {
        five_points.len() == 2 && self.row(point, direction, Color::Black).0 == 4
    }

    fn is_real_three(&mut self, point: Point, (dx, dy): (i32, i32)) -> bool {
        for k in -4..=4 {
            let Some(next) = point.offset(k * dx, k * dy, self.size) else {
                continue;
            };
            if self.get(next).is_some() {
                continue;
            }
            self.set(next, Some(Color::Black));
            let five_points = self.five_points(point, (dx, dy));
            let straight = self.is_straight_four(point, (dx, dy), &five_points);
            self.set(next, None);
            if straight && !self.is_forbidden(next) {
                return true;
            }
        }
        false
    }
}
