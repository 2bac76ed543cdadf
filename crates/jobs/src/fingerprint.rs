//! Fingerprints: a short number that tells one job from another.

use std::fmt;
use std::str::FromStr;

/// A 64-bit digest of everything that decides a job's results: command, options, input.
///
/// It guards against mistakes, such as resuming with another input file, not against malice.
/// Parts are kept apart: `ab` and `c` differ from `a` and `bc`.
///
/// # Examples
/// ```
/// use outflank_jobs::Fingerprint;
///
/// let one = Fingerprint::default().with(b"solve").with(b"--depth 10");
/// let two = Fingerprint::default().with(b"solve").with(b"--depth 12");
/// assert_ne!(one, two);
/// assert_eq!(one.to_string().parse(), Ok(one));
/// ```
///
/// # Source
/// FNV-1a, 64 bits, by Fowler, Noll and Vo (public domain), with each part's length mixed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint(u64);

/// The offset basis and the prime of FNV-1a with 64 bits.
const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

impl Fingerprint {
    /// Returns the fingerprint of everything so far and `part`.
    #[must_use]
    pub fn with(self, part: &[u8]) -> Self {
        let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(PRIME);
        let hash = part.iter().fold(self.0, step);
        Self((part.len() as u64).to_le_bytes().iter().fold(hash, step))
    }

    /// Returns the fingerprint as a number.
    pub const fn to_u64(self) -> u64 {
        self.0
    }
}

impl Default for Fingerprint {
    /// The fingerprint of nothing.
    fn default() -> Self {
        Self(BASIS)
    }
}

impl fmt::Display for Fingerprint {
    /// Writes 16 hexadecimal digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl FromStr for Fingerprint {
    type Err = InvalidFingerprint;

    fn from_str(text: &str) -> Result<Self, InvalidFingerprint> {
        let is_plain = text.len() == 16 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        let number = u64::from_str_radix(text, 16).ok().filter(|_| is_plain);
        number.map(Self).ok_or_else(|| InvalidFingerprint {
            text: text.to_owned(),
        })
    }
}

/// A text that is no fingerprint.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is no fingerprint; it has 16 digits from 0 to 9 and a to f")]
pub struct InvalidFingerprint {
    /// The text that was read.
    pub text: String,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn fingerprints_are_the_published_function() {
        // Known value of FNV-1a for "a", continued by the eight bytes of the length 1.
        let a = 0xaf63_dc4c_8601_ec8c_u64;
        let expected = [1_u8, 0, 0, 0, 0, 0, 0, 0]
            .iter()
            .fold(a, |h, &b| (h ^ u64::from(b)).wrapping_mul(PRIME));
        assert_eq!(Fingerprint::default().with(b"a").to_u64(), expected);
    }

    #[test]
    fn other_texts_are_no_fingerprints() {
        for text in [
            "",
            "0",
            "0123456789ABCDEF",
            "+123456789abcdef",
            "0123456789abcdef0",
            "é",
        ] {
            assert!(text.parse::<Fingerprint>().is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn print_then_parse_changes_nothing(number in any::<u64>()) {
            let fingerprint = Fingerprint(number);
            prop_assert_eq!(fingerprint.to_string().parse(), Ok(fingerprint));
        }

        #[test]
        fn parts_are_kept_apart(a in prop::collection::vec(any::<u8>(), 0..8), b in prop::collection::vec(any::<u8>(), 1..8)) {
            let joined = [a.as_slice(), &b].concat();
            let start = Fingerprint::default();
            prop_assert_ne!(start.with(&a).with(&b), start.with(&joined).with(b""));
            prop_assert_ne!(start.with(&a).with(&b), start.with(&joined));
        }
    }
}
