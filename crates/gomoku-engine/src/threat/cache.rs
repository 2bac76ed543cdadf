//! What the searches for forced wins remember.
//!
//! Two bounds per position: a win is known within so many threats, and there is none within so many. Each answers only
//! in its own direction. Positions are told apart by a 64-bit key of stones, attacker and mode; a collision can hide a
//! win or suggest a wrong first move, but cannot make a false win that survives the verifier.

use outflank_gomoku::{Color, Point};

/// What is searched for; part of the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Vcf,
    Vct,
}

/// A depth beyond every search: holds at any depth.
pub(super) const ANY_DEPTH: u8 = u8::MAX;

/// What is known about one position.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Known {
    key: u64,
    /// Smallest depth at which a win was found, plus one; 0 for none.
    win: u8,
    /// Largest depth at which there is no win, plus one (saturated at [`ANY_DEPTH`]); 0 for none.
    fail: u8,
    /// Winning move plus one; 0 for none.
    best: u16,
}

impl Known {
    /// Returns whether there is no win within `depth`.
    pub(super) fn fails_at(&self, depth: u32) -> bool {
        self.fail == ANY_DEPTH || u32::from(self.fail) > depth
    }

    /// Returns whether greater depth cannot change that there is no win.
    pub(super) fn fails_at_any_depth(&self) -> bool {
        self.fail == ANY_DEPTH
    }

    /// Returns whether a win within `depth` is known.
    pub(super) fn wins_at(&self, depth: u32) -> bool {
        self.win != 0 && u32::from(self.win) <= depth.saturating_add(1)
    }

    /// Returns the move that won.
    pub(super) fn best(&self) -> Option<Point> {
        self.best
            .checked_sub(1)
            .and_then(|idx| Point::from_idx(usize::from(idx)))
    }
}

/// A table of [`Known`], two to a bucket: the newest is always kept, and the deeper of the others.
#[derive(Debug)]
pub(super) struct Cache {
    entries: Vec<[Known; 2]>,
}

impl Cache {
    /// Returns a cache of 2^`bits` entries; 0 bits for none.
    pub(super) fn new(bits: u32) -> Self {
        let n_buckets = if bits == 0 { 0 } else { 1 << bits.saturating_sub(1) };
        Self {
            entries: vec![[Known::default(); 2]; n_buckets],
        }
    }

    pub(super) fn clear(&mut self) {
        self.entries.fill([Known::default(); 2]);
    }

    /// Returns the key of a query.
    pub(super) fn key(stones: u64, attacker: Color, mode: Mode) -> u64 {
        let salt = match (attacker, mode) {
            (Color::Black, Mode::Vcf) => 0xA24B_AED4_963E_E407,
            (Color::White, Mode::Vcf) => 0x9FB2_1C65_1E98_DF25,
            (Color::Black, Mode::Vct) => 0xD6E8_FEB8_6659_FD93,
            (Color::White, Mode::Vct) => 0xC2B2_AE3D_27D4_EB4F,
        };
        stones ^ salt
    }

    #[inline]
    fn bucket(&self, key: u64) -> usize {
        key as usize & self.entries.len().wrapping_sub(1)
    }

    /// Returns what is known under `key`.
    #[inline]
    pub(super) fn probe(&self, key: u64) -> Option<Known> {
        let bucket = self.entries.get(self.bucket(key))?;
        bucket
            .iter()
            .find(|known| known.key == key && (known.win | known.fail) != 0)
            .copied()
    }

    /// Stores that there is no win within `depth`, or at any depth.
    pub(super) fn store_fail(&mut self, key: u64, depth: u32, any_depth: bool) {
        let fail = if any_depth {
            ANY_DEPTH
        } else {
            u8::try_from(depth.saturating_add(1))
                .unwrap_or(ANY_DEPTH)
                .min(ANY_DEPTH - 1)
        };
        self.update(key, |known| known.fail = known.fail.max(fail));
    }

    /// Stores that `best` wins within `depth`.
    pub(super) fn store_win(&mut self, key: u64, depth: u32, best: Point) {
        let Ok(win) = u8::try_from(depth.saturating_add(1)) else {
            return;
        };
        self.update(key, |known| {
            if known.win == 0 || win <= known.win {
                known.win = win;
                known.best = best.idx() as u16 + 1;
            }
        });
    }

    fn update(&mut self, key: u64, change: impl FnOnce(&mut Known)) {
        let at = self.bucket(key);
        let Some(bucket) = self.entries.get_mut(at) else {
            return;
        };
        if bucket[1].key == key {
            bucket.swap(0, 1);
        } else if bucket[0].key != key {
            if bucket[0].win != 0 || bucket[0].fail >= bucket[1].fail {
                bucket[1] = bucket[0];
            }
            bucket[0] = Known {
                key,
                ..Known::default()
            };
        }
        change(&mut bucket[0]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_answers_only_in_its_own_direction() {
        let mut cache = Cache::new(4);
        let point = Point::new(3, 4).expect("point");
        cache.store_fail(9, 3, false);
        let known = cache.probe(9).expect("stored");
        assert!(known.fails_at(0) && known.fails_at(3) && !known.fails_at(4) && !known.wins_at(200));
        cache.store_win(9, 5, point);
        let known = cache.probe(9).expect("stored");
        assert!(known.wins_at(5) && known.wins_at(9) && !known.wins_at(4) && known.fails_at(3));
        assert_eq!(known.best(), Some(point));
        cache.store_fail(7, 3, true);
        assert!(cache.probe(7).expect("stored").fails_at(1000));
        assert!(cache.probe(8).is_none());
        assert!(Cache::new(0).probe(9).is_none());
    }
}
