//! Shards: which part of a job this process does.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// One of several equal parts of a job, written `i/n`: the first of four is `1/4`, the whole is `1/1`.
///
/// Items are dealt like cards, item 0 to the first shard, item 1 to the second and so on, because neighbors in an
/// input file are often equally hard.
///
/// # Examples
/// ```
/// use outflank_jobs::Shard;
///
/// let shard: Shard = "2/3".parse()?;
/// assert_eq!(shard.items(8).collect::<Vec<_>>(), [1, 4, 7]);
/// assert_eq!(shard.to_string(), "2/3");
/// assert!("4/3".parse::<Shard>().is_err());
/// # Ok::<(), outflank_jobs::ShardError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shard {
    /// Counted from 0; less than `count`.
    index: usize,
    /// At least 1.
    count: usize,
}

impl Shard {
    /// The only shard of a job that is not split.
    pub const WHOLE: Self = Self { index: 0, count: 1 };

    /// Makes the shard `number` (counted from 1) of `count`.
    ///
    /// # Errors
    /// If `count` is 0 or `number` is not in 1..=`count`.
    pub fn new(number: usize, count: usize) -> Result<Self, ShardError> {
        if count == 0 {
            return Err(ShardError::NoShards);
        }
        match number.checked_sub(1) {
            Some(index) if index < count => Ok(Self { index, count }),
            _ => Err(ShardError::OutOfRange { number, count }),
        }
    }

    /// Returns the shard's number, counted from 1.
    pub const fn number(self) -> usize {
        self.index + 1
    }

    /// Returns the number of shards that the job is split into.
    pub const fn count(self) -> usize {
        self.count
    }

    /// Reports whether `item` belongs to this shard.
    pub const fn contains(self, item: usize) -> bool {
        item % self.count == self.index
    }

    /// Iterates in order over the items of this shard, for a job of `total` items.
    pub fn items(self, total: usize) -> impl Iterator<Item = usize> {
        (self.index..total).step_by(self.count)
    }

    /// Returns how many of `total` items belong to this shard.
    pub const fn len(self, total: usize) -> usize {
        // One more than the full rounds, if the last round reaches this shard.
        total / self.count + (total % self.count > self.index) as usize
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number(), self.count)
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let malformed = || ShardError::Malformed {
            text: text.to_owned(),
        };
        let (number, count) = text.split_once('/').ok_or_else(malformed)?;
        // `parse` would accept a sign.
        let parse = |digits: &str| {
            let is_plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
            digits.parse().ok().filter(|_| is_plain).ok_or_else(malformed)
        };
        Self::new(parse(number)?, parse(count)?)
    }
}

/// Why a text names no shard.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ShardError {
    /// The text has another form.
    #[error("{text:?} is no shard; write i/n, such as 1/4 for the first of four")]
    Malformed {
        /// The text that was read.
        text: String,
    },
    /// A job cannot be split into no parts.
    #[error("a job cannot be split into 0 shards; write i/n with n at least 1, such as 1/4")]
    NoShards,
    /// There is no shard of that number.
    #[error("there is no shard {number} of {count}; shards are counted from 1 to {count}")]
    OutOfRange {
        /// The number asked for.
        number: usize,
        /// How many there are.
        count: usize,
    },
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn bad_shards_are_refused_with_a_reason() {
        for text in [
            "",
            "1",
            "/",
            "1/",
            "/2",
            "a/2",
            "1/2/3",
            "-1/2",
            "+1/2",
            " 1/2",
            "1/99999999999999999999999",
        ] {
            let error = text.parse::<Shard>().expect_err(text);
            assert_eq!(
                error,
                ShardError::Malformed {
                    text: text.to_owned()
                }
            );
        }
        assert_eq!("1/0".parse::<Shard>(), Err(ShardError::NoShards));
        assert_eq!(
            "0/4".parse::<Shard>(),
            Err(ShardError::OutOfRange { number: 0, count: 4 })
        );
        let error = "5/4".parse::<Shard>().expect_err("there are four");
        assert_eq!(
            error.to_string(),
            "there is no shard 5 of 4; shards are counted from 1 to 4"
        );
    }

    proptest! {
        #[test]
        fn print_then_parse_changes_nothing(count in 1_usize..1000, pick in any::<prop::sample::Index>()) {
            let shard = Shard::new(pick.index(count) + 1, count).expect("in range");
            prop_assert_eq!(shard.to_string().parse(), Ok(shard));
        }

        #[test]
        fn every_item_belongs_to_exactly_one_shard(count in 1_usize..20, total in 0_usize..200) {
            let mut owners = vec![0; total];
            for number in 1..=count {
                let shard = Shard::new(number, count).expect("in range");
                prop_assert_eq!(shard.items(total).count(), shard.len(total));
                for item in shard.items(total) {
                    prop_assert!(shard.contains(item));
                    owners[item] += 1;
                }
            }
            prop_assert!(owners.iter().all(|&owners| owners == 1));
        }
    }
}
