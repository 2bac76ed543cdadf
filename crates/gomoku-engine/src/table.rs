//! The entries of the main search's transposition table.

use crate::value::MATE_BOUND;
use outflank_gomoku::Point;
use outflank_search::TableEntry;

/// Which side of the true value a stored value is on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Bound {
    #[default]
    Lower,
    Upper,
    Exact,
}

/// What a later search adds to the worth of its entries: as much as four stones more. So what earlier moves of a game have
/// left makes room, the shallow first.
const WORTH_OF_A_SEARCH: u32 = 8;

/// One position of the main search.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Entry {
    pub(crate) key: u64,
    pub(crate) best: Option<Point>,
    /// Value for the side to move; wins and losses count from this position.
    pub(crate) value: i32,
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
    /// Number of the search that stored it.
    pub(crate) search: u32,
}

impl TableEntry for Entry {
    type Key = u64;

    fn pack(self) -> [u64; 3] {
        let best = self.best.map_or(0, |best| best.idx() as u64 + 1);
        let value = u64::from(self.value as u32);
        let depth = u64::from(self.depth.clamp(0, 255) as u8);
        [
            self.key,
            best | depth << 16 | (self.bound as u64) << 24 | value << 32,
            u64::from(self.search),
        ]
    }

    fn unpack([key, word, search]: [u64; 3]) -> Self {
        let best = (word & 0xFFFF)
            .checked_sub(1)
            .and_then(|idx| Point::from_idx(idx as usize));
        let bound = match word >> 24 & 3 {
            0 => Bound::Lower,
            1 => Bound::Upper,
            _ => Bound::Exact,
        };
        Self {
            key,
            best,
            value: (word >> 32) as u32 as i32,
            depth: (word >> 16 & 255) as i32,
            bound,
            search: search as u32,
        }
    }

    fn is_for(&self, key: u64) -> bool {
        self.key == key
    }

    fn worth(&self) -> u32 {
        let of_search = self.search.saturating_mul(WORTH_OF_A_SEARCH);
        of_search.saturating_add((self.depth * 2 + i32::from(self.bound == Bound::Exact)) as u32)
    }
}

/// Turns a value that counts from the root into one that counts from a node `ply` stones deeper.
pub(crate) fn to_node(value: i32, ply: i32) -> i32 {
    if value >= MATE_BOUND {
        value + ply
    } else if value <= -MATE_BOUND {
        value - ply
    } else {
        value
    }
}

/// The inverse of [`to_node`].
pub(crate) fn to_root(value: i32, ply: i32) -> i32 {
    if value >= MATE_BOUND {
        value - ply
    } else if value <= -MATE_BOUND {
        value + ply
    } else {
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_survive_packing() {
        for (value, best, bound) in [
            (-29_990, None, Bound::Upper),
            (12, Point::new(7, 7), Bound::Exact),
        ] {
            let entry = Entry {
                key: 5,
                best,
                value,
                depth: 17,
                bound,
                search: 3,
            };
            let back = Entry::unpack(entry.pack());
            assert_eq!(
                (back.value, back.best, back.bound, back.depth, back.search),
                (value, best, bound, 17, 3)
            );
        }
        assert_eq!(to_root(to_node(29_990, 7), 7), 29_990);
        assert_eq!(to_node(-29_990, 4), -29_994);
        assert_eq!(to_node(300, 4), 300);
    }
}
