//! The unit of estimates: 1/128 disc.

use outflank_othello::Discs;
use std::{fmt, ops::Neg};

/// An estimated or exact margin in units of 1/128 disc, −8192 to 8192, from one side's view.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i16);

impl Score {
    /// Units in one disc.
    pub const PER_DISC: i32 = 128;
    /// A loss by 64 discs.
    pub const MIN: Self = Self(-8192);
    /// A win by 64 discs.
    pub const MAX: Self = Self(8192);
    /// Greatest estimate: 63 discs, so that only a proven wipe-out is worth 64.
    pub const MAX_ESTIMATE: Self = Self(63 * 128);
    /// A tie.
    pub const ZERO: Self = Self(0);

    /// Returns the score with this many units, clamped to [`Score::MIN`]..=[`Score::MAX`].
    #[inline(always)]
    pub const fn saturating(units: i32) -> Self {
        Self(if units < -8192 {
            -8192
        } else if units > 8192 {
            8192
        } else {
            units as i16
        })
    }

    /// Returns the score with this many units, clamped to what an estimate may be (±63 discs).
    #[inline(always)]
    pub const fn estimate(units: i32) -> Self {
        Self(if units < -8064 {
            -8064
        } else if units > 8064 {
            8064
        } else {
            units as i16
        })
    }

    /// Returns the score of a final margin.
    #[inline(always)]
    pub const fn from_discs(discs: Discs) -> Self {
        Self((discs.get() * Self::PER_DISC) as i16)
    }

    /// Returns the units, 1/128 disc each.
    #[inline(always)]
    pub const fn units(self) -> i32 {
        self.0 as i32
    }

    /// Returns the nearest whole number of discs, halves away from zero; exact for [`Score::from_discs`].
    pub const fn to_discs(self) -> Discs {
        let half = Self::PER_DISC / 2;
        let units = self.units();
        let shifted = if units < 0 { units - half } else { units + half };
        Discs::saturating(shifted / Self::PER_DISC)
    }

    /// Returns the score in discs as a real number.
    pub fn discs(self) -> f64 {
        f64::from(self.0) / f64::from(Self::PER_DISC)
    }
}

impl Neg for Score {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl fmt::Display for Score {
    /// Writes the score in discs with a sign and two decimals; zero is `0.00`, never `-0.00`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{:+.2}", self.discs());
        f.pad(if text == "+0.00" || text == "-0.00" {
            "0.00"
        } else {
            &text
        })
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_discs_survive_and_others_are_rounded() {
        for discs in -64..=64 {
            let discs = Discs::saturating(discs);
            assert_eq!(Score::from_discs(discs).to_discs(), discs);
        }
        for (units, discs) in [
            (63, 0),
            (64, 1),
            (-63, 0),
            (-64, -1),
            (191, 1),
            (192, 2),
            (-192, -2),
        ] {
            assert_eq!(Score::saturating(units).to_discs().get(), discs, "{units}");
        }
    }
}
