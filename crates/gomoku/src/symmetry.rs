//! The eight symmetries of the square.

use crate::Point;

/// A symmetry of the board: an optional exchange of columns and rows, then optional mirrors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symmetry(u8);

impl Symmetry {
    /// The symmetry that moves nothing.
    pub const IDENTITY: Self = Self(0);

    /// All eight symmetries, the identity first.
    pub const ALL: [Self; 8] = [
        Self(0),
        Self(1),
        Self(2),
        Self(3),
        Self(4),
        Self(5),
        Self(6),
        Self(7),
    ];

    /// Maps the column and row of a point on a board of `size`×`size` points.
    ///
    /// # Panics
    ///
    /// Never: coordinates outside the board come back outside the board, wrapped into an `i32`.
    pub fn apply_xy(self, (x, y): (i32, i32), size: i32) -> (i32, i32) {
        let (x, y) = if self.0 & 4 == 0 { (x, y) } else { (y, x) };
        let mirror = |bit: u8, value: i32| {
            if self.0 & bit == 0 {
                value
            } else {
                size - 1 - value
            }
        };
        (mirror(1, x), mirror(2, y))
    }

    /// Returns the image of `point` on a board of `size`×`size` points; a point outside the board is its own image.
    #[must_use]
    pub fn apply(self, point: Point, size: u8) -> Point {
        if !point.is_on(size) {
            return point;
        }
        let (x, y) = self.apply_xy((i32::from(point.x()), i32::from(point.y())), i32::from(size));
        Point::new(x as u8, y as u8).unwrap_or(point)
    }

    /// Returns the symmetry that takes this one back.
    #[must_use]
    pub const fn inverse(self) -> Self {
        // Exchanging columns and rows after the mirrors swaps which mirror is which.
        if self.0 & 4 == 0 {
            self
        } else {
            Self(4 | (self.0 & 1) << 1 | (self.0 & 2) >> 1)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetries_form_a_group_of_eight() {
        let point = Point::new(1, 3).expect("on board");
        let mut images: Vec<_> = Symmetry::ALL
            .iter()
            .map(|symmetry| symmetry.apply(point, 9))
            .collect();
        images.sort_unstable();
        images.dedup();
        assert_eq!(images.len(), 8);
        for symmetry in Symmetry::ALL {
            assert_eq!(symmetry.inverse().apply(symmetry.apply(point, 9), 9), point);
        }
    }
}
