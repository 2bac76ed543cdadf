//! Points of the board and sets of points.
//!
//! A point is a column and a row, both counted from 0, in one number that does not depend on the size of the board:
//! rows are [`STRIDE`] apart, so that a step along any line is one addition on every board from 5×5 to 20×20.

use std::{fmt, str::FromStr};

/// Smallest board edge, in points.
pub const MIN_SIZE: u8 = 5;
/// Largest board edge, in points.
pub const MAX_SIZE: u8 = 20;
/// Distance between two rows in the numbering of points.
pub const STRIDE: usize = 20;
/// One more than the largest index of a point.
pub const N_POINTS: usize = STRIDE * STRIDE;

/// A point: column `x` and row `y`, counted from 0.
///
/// # Examples
///
/// ```
/// use outflank_gomoku::Point;
/// let point: Point = "h8".parse()?;
/// assert_eq!((point.x(), point.y()), (7, 7));
/// assert_eq!("7,7".parse::<Point>()?, point);
/// assert_eq!(point.to_string(), "h8");
/// # Ok::<(), outflank_gomoku::ParsePointError>(())
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(u16);

/// Why a text is not a [`Point`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{text:?} is not a point: write a column letter a-{} and a row 1-{size} (h8), or two numbers from 0 (7,7)",
    char::from(b'a' + size.clamp(&1, &MAX_SIZE) - 1)
)]
pub struct ParsePointError {
    /// The offending text.
    pub text: String,
    /// Edge of the board that the point should lie on, in points; the largest that there is if it is not known.
    pub size: u8,
}

impl Point {
    /// Returns the point in column `x` and row `y` (from 0), or `None` if no board reaches that far.
    #[inline]
    pub const fn new(x: u8, y: u8) -> Option<Self> {
        if x < MAX_SIZE && y < MAX_SIZE {
            Some(Self(y as u16 * STRIDE as u16 + x as u16))
        } else {
            None
        }
    }

    /// Parses a point of a board of `size`×`size` points, in the forms that `FromStr` reads.
    ///
    /// ```
    /// use outflank_gomoku::Point;
    /// assert!(Point::parse_on("o15", 15).is_ok());
    /// let error = Point::parse_on("p15", 15).unwrap_err().to_string();
    /// assert!(error.contains("a column letter a-o and a row 1-15"));
    /// ```
    ///
    /// # Errors
    ///
    /// Returns what this board would have.
    pub fn parse_on(text: &str, size: u8) -> Result<Self, ParsePointError> {
        match text.parse::<Self>() {
            Ok(point) if point.is_on(size) => Ok(point),
            Ok(_) => Err(ParsePointError {
                text: text.chars().take(40).collect(),
                size,
            }),
            Err(error) => Err(ParsePointError { size, ..error }),
        }
    }

    /// Returns the point with index `idx`, as counted by [`Point::idx`].
    #[inline]
    pub const fn from_idx(idx: usize) -> Option<Self> {
        if idx < N_POINTS {
            Some(Self(idx as u16))
        } else {
            None
        }
    }

    /// Returns the index of the point: 20 times the row plus the column.
    #[inline]
    pub const fn idx(self) -> usize {
        self.0 as usize
    }

    /// Returns the column, from 0.
    #[inline]
    pub const fn x(self) -> u8 {
        (self.0 % STRIDE as u16) as u8
    }

    /// Returns the row, from 0.
    #[inline]
    pub const fn y(self) -> u8 {
        (self.0 / STRIDE as u16) as u8
    }

    /// Returns whether the point lies on a board of `size`×`size` points.
    #[inline]
    pub const fn is_on(self, size: u8) -> bool {
        self.x() < size && self.y() < size
    }

    /// Returns the point `dx` columns and `dy` rows away, or `None` outside a board of `size`×`size` points.
    #[inline]
    pub fn offset(self, dx: i32, dy: i32, size: u8) -> Option<Self> {
        let (x, y) = (i32::from(self.x()) + dx, i32::from(self.y()) + dy);
        let edge = 0..i32::from(size);
        if edge.contains(&x) && edge.contains(&y) {
            Self::new(x as u8, y as u8)
        } else {
            None
        }
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.x()), self.y() + 1)
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Point {
    type Err = ParsePointError;

    /// Parses `h8` (column letter, row from 1) or `7,7` (column and row from 0).
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fail = || ParsePointError {
            text: text.chars().take(40).collect(),
            size: MAX_SIZE,
        };
        let trimmed = text.trim();
        let (x, y) = if let Some((x, y)) = trimmed.split_once(',') {
            let parse = |part: &str| part.trim().parse::<u8>().map_err(|_| fail());
            (parse(x)?, parse(y)?)
        } else {
            let letter = trimmed.bytes().next().ok_or_else(fail)?.to_ascii_lowercase();
            let x = letter.checked_sub(b'a').ok_or_else(fail)?;
            let digits = trimmed.get(1..).ok_or_else(fail)?;
            if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(fail());
            }
            let row = digits.parse::<u8>().map_err(|_| fail())?;
            (x, row.checked_sub(1).ok_or_else(fail)?)
        };
        Self::new(x, y).ok_or_else(fail)
    }
}

/// A set of points, iterated in the order of their indices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PointSet([u64; 8]);

impl PointSet {
    /// The empty set.
    pub const EMPTY: Self = Self([0; 8]);

    /// Returns the set of all points of a board of `size`×`size` points.
    pub fn board(size: u8) -> Self {
        let mut set = Self::EMPTY;
        for y in 0..size {
            for x in 0..size {
                if let Some(point) = Point::new(x, y) {
                    set.insert(point);
                }
            }
        }
        set
    }

    /// Returns whether `point` is in the set.
    #[inline]
    pub fn contains(&self, point: Point) -> bool {
        self.0[(point.idx() >> 6) & 7] >> (point.idx() & 63) & 1 != 0
    }

    /// Adds `point`.
    #[inline]
    pub fn insert(&mut self, point: Point) {
        self.0[(point.idx() >> 6) & 7] |= 1 << (point.idx() & 63);
    }

    /// Takes `point` out.
    #[inline]
    pub fn remove(&mut self, point: Point) {
        self.0[(point.idx() >> 6) & 7] &= !(1 << (point.idx() & 63));
    }

    /// Adds the point with index `idx` if it is absent and takes it out if it is present.
    #[inline]
    pub(crate) fn toggle_idx(&mut self, idx: usize) {
        self.0[(idx >> 6) & 7] ^= 1 << (idx & 63);
    }

    /// Returns whether the set has no point.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |any, word| any | word) == 0
    }

    /// Returns the number of points.
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Returns the point with the smallest index.
    #[inline]
    pub fn first(&self) -> Option<Point> {
        let (at, word) = self.0.iter().enumerate().find(|&(_, &word)| word != 0)?;
        Some(Point((at * 64) as u16 + word.trailing_zeros() as u16))
    }

    /// Returns the points in either set.
    #[must_use]
    #[inline]
    pub fn union(mut self, other: &Self) -> Self {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word |= other;
        }
        self
    }

    /// Returns the points in both sets.
    #[must_use]
    #[inline]
    pub fn intersection(mut self, other: &Self) -> Self {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word &= other;
        }
        self
    }

    /// Returns the points of this set that are not in `other`.
    #[must_use]
    #[inline]
    pub fn without(mut self, other: &Self) -> Self {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word &= !other;
        }
        self
    }

    /// Returns every point of the set with its neighbors up to `reach` (0 to 4) columns and rows away, on a board of the
    /// largest size: mask the result with the points wanted.
    #[must_use]
    pub fn spread(&self, reach: u32) -> Self {
        let mut wide = *self;
        for _ in 0..reach.min(4) {
            // A row ends where the next begins.
            let right = wide.without(&LAST_COLUMN).shifted_up(1);
            let left = wide.without(&FIRST_COLUMN).shifted_down(1);
            wide = wide.union(&right).union(&left);
        }
        for _ in 0..reach.min(4) {
            wide = wide
                .union(&wide.shifted_up(STRIDE as u32))
                .union(&wide.shifted_down(STRIDE as u32));
        }
        wide
    }

    fn shifted_up(&self, by: u32) -> Self {
        let below = |i: usize| if i > 0 { self.0[i - 1] >> (64 - by) } else { 0 };
        Self(std::array::from_fn(|i| self.0[i] << by | below(i)))
    }

    fn shifted_down(&self, by: u32) -> Self {
        let above = |i: usize| if i < 7 { self.0[i + 1] << (64 - by) } else { 0 };
        Self(std::array::from_fn(|i| self.0[i] >> by | above(i)))
    }

    /// Iterates over the points, smallest index first.
    #[inline]
    pub fn iter(&self) -> Points {
        Points { words: self.0, at: 0 }
    }
}

/// The points of the first and of the last column of a board of the largest size.
const FIRST_COLUMN: PointSet = column(0);
const LAST_COLUMN: PointSet = column(STRIDE - 1);

const fn column(x: usize) -> PointSet {
    let mut set = PointSet([0; 8]);
    let mut idx = x;
    while idx < N_POINTS {
        set.0[idx / 64] |= 1 << (idx % 64);
        idx += STRIDE;
    }
    set
}

impl FromIterator<Point> for PointSet {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> Self {
        let mut set = Self::EMPTY;
        points.into_iter().for_each(|point| set.insert(point));
        set
    }
}

impl IntoIterator for &PointSet {
    type Item = Point;
    type IntoIter = Points;

    fn into_iter(self) -> Points {
        self.iter()
    }
}

impl IntoIterator for PointSet {
    type Item = Point;
    type IntoIter = Points;

    fn into_iter(self) -> Points {
        self.iter()
    }
}

/// Iterator over a [`PointSet`].
#[derive(Clone, Debug)]
pub struct Points {
    words: [u64; 8],
    at: usize,
}

impl Iterator for Points {
    type Item = Point;

    #[inline]
    fn next(&mut self) -> Option<Point> {
        while self.at < 7 {
            let word = self.words[self.at];
            if word != 0 {
                self.words[self.at] = word & (word - 1);
                return Some(Point((self.at * 64) as u16 + word.trailing_zeros() as u16));
            }
            self.at += 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_survives_both_notations() {
        for idx in 0..N_POINTS {
            let point = Point::from_idx(idx).expect("in range");
            assert_eq!(point.to_string().parse(), Ok(point));
            assert_eq!(format!("{},{}", point.x(), point.y()).parse(), Ok(point));
            assert_eq!(PointSet::from_iter([point]).first(), Some(point));
        }
        for text in [
            "", "h", "8", "h0", "h21", "u1", "1,20", "-1,3", "1,", "h+8", "é8", "h8x", "300,1",
        ] {
            assert!(text.parse::<Point>().is_err(), "{text}");
        }
    }

    #[test]
    fn sets_behave_like_sets() {
        let board = PointSet::board(15);
        assert_eq!(board.len(), 225);
        let corner = PointSet::from_iter([
            Point::new(0, 0).expect("on board"),
            Point::new(19, 19).expect("on board"),
        ]);
        assert_eq!(board.intersection(&corner).len(), 1);
        assert_eq!(board.union(&corner).len(), 226);
        assert_eq!(board.without(&corner).len(), 224);
        assert_eq!(corner.iter().count(), 2);
        assert!(PointSet::EMPTY.is_empty());
        let middle = PointSet::from_iter([Point::new(7, 7).expect("on board")]);
        assert_eq!(
            [0, 1, 2].map(|reach| middle.spread(reach).intersection(&board).len()),
            [1, 9, 25]
        );
    }

    #[test]
    fn sets_spread_to_their_neighbors_and_not_around_the_edge() {
        let board = PointSet::board(MAX_SIZE);
        for point in &board {
            let near =
                |other: &Point| other.x().abs_diff(point.x()) <= 2 && other.y().abs_diff(point.y()) <= 2;
            let expected: PointSet = board.iter().filter(near).collect();
            let spread = PointSet::from_iter([point]).spread(2).intersection(&board);
            assert_eq!(spread, expected, "{point}");
        }
    }
}
