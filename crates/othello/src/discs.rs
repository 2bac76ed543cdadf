//! Final margins in discs.

use std::{fmt, ops::Neg};

/// A final margin in discs, −64 to 64, from one side's view.
///
/// The winner takes the empty squares and a tie is 0, so every value is even.
/// [`crate::Board::raw_difference`] is the plain difference without the empties.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Discs(i8);

impl Discs {
    /// The worst loss, −64.
    pub const MIN: Self = Self(-64);
    /// The best win, +64.
    pub const MAX: Self = Self(64);
    /// A tie.
    pub const ZERO: Self = Self(0);

    /// Returns the margin, or `None` outside −64..=64.
    pub const fn new(discs: i32) -> Option<Self> {
        if discs >= -64 && discs <= 64 {
            Some(Self(discs as i8))
        } else {
            None
        }
    }

    /// Returns the margin nearest to `discs` within −64..=64.
    pub const fn saturating(discs: i32) -> Self {
        Self(if discs < -64 {
            -64
        } else if discs > 64 {
            64
        } else {
            discs as i8
        })
    }

    /// Returns the margin as an integer.
    pub const fn get(self) -> i32 {
        self.0 as i32
    }
}

impl Neg for Discs {
    type Output = Self;

    /// Returns the margin from the other side's view.
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl fmt::Display for Discs {
    /// Writes the margin with its sign: `+4`, `-12`, and `0` without one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 0 {
            f.pad("0")
        } else {
            f.pad(&format!("{:+}", self.0))
        }
    }
}

impl fmt::Debug for Discs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
