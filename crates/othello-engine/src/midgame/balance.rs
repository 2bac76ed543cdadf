//! What a position is worth one disc before the depth is reached.
//!
//! The best of several estimates after the last disc leans towards whoever placed it, by choice among errors; and an
//! evaluation fitted to positions of all kinds leans towards whoever is to move after good play. Both change sides with
//! every disc, so that values swing from depth to depth. Here the position before the last disc has a say as well: in
//! this mix the leanings cancel, and two estimates err less than one.

/// Parts that a value is divided into.
const PARTS: i32 = 32;
/// Parts that the estimate before the last disc makes up; measured in docs/search.md.
const BEFORE: i32 = 9;
/// Parts that the best estimate after it makes up.
const AFTER: i32 = PARTS - BEFORE;

/// How the value of a node is made of the estimate there and the best one after a move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Balance {
    /// The estimate before times its parts, in 1/4096 disc; `None` if only the moves count.
    before: Option<i32>,
}

impl Balance {
    /// Only the moves count.
    pub(super) const OFF: Self = Self { before: None };

    /// Returns the balance of a node with this estimate, in 1/128 disc.
    #[inline]
    pub(super) const fn around(estimate: i32) -> Self {
        Self {
            before: Some(BEFORE * estimate),
        }
    }

    /// Returns the value of a node whose best move is worth `best`.
    #[inline]
    pub(super) const fn of(self, best: i32) -> i32 {
        match self.before {
            Some(before) => (AFTER * best + before).div_euclid(PARTS),
            None => best,
        }
    }

    /// Returns the least worth of a best move with which the node is worth at least `value`.
    #[inline]
    pub(super) const fn needed(self, value: i32) -> i32 {
        match self.before {
            Some(before) => -(before - PARTS * value).div_euclid(AFTER),
            None => value,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_needed_worth_is_the_least_that_reaches_the_value() {
        for estimate in [-8064, -129, -1, 0, 1, 77, 4000, 8064] {
            for value in (-8192..=8192).step_by(13) {
                for balance in [Balance::around(estimate), Balance::OFF] {
                    let needed = balance.needed(value);
                    assert!(balance.of(needed) >= value, "{estimate} {value}");
                    assert!(balance.of(needed - 1) < value, "{estimate} {value}");
                }
            }
        }
    }
}
