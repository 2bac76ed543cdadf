//! How likely people are to choose each move.

use super::features::{Candidate, FEATURES};
use outflank_eval::fnv1a;
use outflank_othello::Board;
use std::collections::BTreeMap;

/// Stages of the game with weights of their own; between them weights are interpolated.
const PHASES: usize = 4;
/// Powers of the skill that weights depend on.
const SKILL_TERMS: usize = 3;
/// Numbers of empties at the middle of each stage.
const KNOTS: [f32; PHASES] = [54.0, 38.0, 22.0, 6.0];
/// Games that must have come to a position before their choices count.
const LEAST_GAMES: u16 = 10;

const MAGIC: &[u8; 8] = b"OUTFLNKH";
const VERSION: u32 = 1;
const EMBEDDED: &[u8] = include_bytes!("../../data/human.policy");

/// Returns how much each stage counts at a number of empties; together 1.
fn phase_terms(empties: u32) -> [f32; PHASES] {
    let at = (empties as f32).clamp(KNOTS[PHASES - 1], KNOTS[0]);
    let step = KNOTS[0] - KNOTS[1];
    KNOTS.map(|knot| (1.0 - (at - knot).abs() / step).max(0.0))
}

/// Returns the powers of a skill, which is given as the mean loss a move in discs.
fn skill_terms(loss: f32) -> [f32; SKILL_TERMS] {
    // The middle of the games that the policy was fitted to lies near two discs.
    let z = ((0.5 + loss) / 2.5).ln();
    [1.0, z, z * z]
}

/// Returns what each part of the weights counts with, by stage, then power of the skill, at a number of empties and a mean
/// loss a move in discs.
pub fn terms(empties: u32, skill: f32) -> [f32; PHASES * SKILL_TERMS] {
    let (phases, skills) = (phase_terms(empties), skill_terms(skill));
    std::array::from_fn(|at| phases[at / SKILL_TERMS] * skills[at % SKILL_TERMS])
}

/// Returns the weights of a policy as `terms` mix them.
pub fn mixed(weights: &[f32], terms: &[f32; PHASES * SKILL_TERMS]) -> [f32; FEATURES] {
    let mut mixed = [0.0; FEATURES];
    for (term, part) in terms.iter().zip(weights.chunks_exact(FEATURES)) {
        if *term != 0.0 {
            mixed
                .iter_mut()
                .zip(part)
                .for_each(|(sum, weight)| *sum += term * weight);
        }
    }
    mixed
}

/// Why a policy cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PolicyError {
    /// The file is something else.
    #[error("this is no policy: it does not begin with OUTFLNKH")]
    NoPolicy,
    /// A version that this program does not know, or made for other features.
    #[error("this policy is of version {0} or has other features; fit it again with `outflank train policy`")]
    Version(u32),
    /// The file is cut off or has more at its end.
    #[error("the policy is damaged: {0} bytes are not its length")]
    Length(usize),
    /// A byte has changed.
    #[error("the policy is damaged: its checksum is wrong")]
    Checksum,
}

/// How often positions occur in games, up to symmetry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Openings {
    counts: BTreeMap<u64, u16>,
}

impl Openings {
    /// Counts the positions of games: each board once for every time that it occurred. Rare ones are left out.
    pub fn count(boards: impl Iterator<Item = Board>) -> Self {
        let mut counts: BTreeMap<u64, u16> = BTreeMap::new();
        for board in boards {
            let count = counts.entry(key(board)).or_default();
            *count = count.saturating_add(1);
        }
        counts.retain(|_, count| *count >= LEAST_GAMES);
        Self { counts }
    }

    /// Returns how many positions are known.
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Returns whether no position is known.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// Returns how many of ten games that came to `board` went on to `child`, as a share; `None` where too few came.
    ///
    /// A game that went on to `left_out` is not counted.
    pub fn share(&self, board: Board, child: Board, left_out: Option<Board>) -> Option<f32> {
        let less = u16::from(left_out.is_some());
        let games = self.of(board).checked_sub(less)?;
        if games < LEAST_GAMES {
            return None;
        }
        let chosen = self.of(child).saturating_sub(u16::from(left_out == Some(child)));
        Some(((f32::from(chosen) + 0.5) / (f32::from(games) + 4.0)).min(1.0))
    }

    fn of(&self, board: Board) -> u16 {
        self.counts.get(&key(board)).copied().unwrap_or(0)
    }
}

/// Returns a number that images of a board share. Two boards with the same number only share statistics.
fn key(board: Board) -> u64 {
    let (board, _) = board.canonical();
    let mixed = board.player().bits().wrapping_mul(0x9E37_79B9_7F4A_7C15)
        ^ board
            .opponent()
            .bits()
            .rotate_left(31)
            .wrapping_mul(0xD1B5_4A32_D192_ED03);
    mixed ^ (mixed >> 29)
}

/// How likely people are to choose each move, at any skill.
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    /// Weights by stage, power of the skill and feature.
    weights: Vec<f32>,
    openings: Openings,
}

impl Policy {
    /// Weights of a policy.
    pub const WEIGHTS: usize = PHASES * SKILL_TERMS * FEATURES;

    /// Returns a policy with [`Policy::WEIGHTS`] weights, by stage, then power of the skill, then feature.
    ///
    /// # Panics
    ///
    /// Panics if there are fewer or more weights.
    pub fn new(weights: Vec<f32>, openings: Openings) -> Self {
        assert_eq!(weights.len(), Self::WEIGHTS);
        Self { weights, openings }
    }

    /// Returns the policy inside the program.
    ///
    /// # Panics
    ///
    /// Never: a test reads it.
    pub fn embedded() -> Self {
        Self::decode(EMBEDDED).expect("the program's own policy is whole")
    }

    /// Returns how often positions occur in games.
    pub const fn openings(&self) -> &Openings {
        &self.openings
    }

    /// Returns how likely a person who loses `skill` discs a move is to choose each of the candidates of `board`.
    pub fn probabilities(&self, board: Board, skill: f32, candidates: &[Candidate]) -> Vec<f64> {
        let weights = mixed(&self.weights, &terms(board.empties().count(), skill));
        let logits = candidates.iter().map(|candidate| {
            let products = candidate.features.iter().zip(&weights).map(|(x, w)| x * w);
            f64::from(products.sum::<f32>())
        });
        softmax(&logits.collect::<Vec<_>>())
    }

    /// Returns the policy as a file.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((self.weights.len() as u32).to_le_bytes());
        bytes.extend((self.openings.len() as u32).to_le_bytes());
        for weight in &self.weights {
            bytes.extend(weight.to_le_bytes());
        }
        for (key, count) in &self.openings.counts {
            bytes.extend(key.to_le_bytes());
            bytes.extend(count.to_le_bytes());
        }
        bytes.extend(fnv1a(&bytes).to_le_bytes());
        bytes
    }

    /// Reads a file.
    ///
    /// # Errors
    ///
    /// Returns what is wrong with it.
    pub fn decode(bytes: &[u8]) -> Result<Self, PolicyError> {
        const HEADER: usize = 20;
        let rest = bytes.strip_prefix(MAGIC).ok_or(PolicyError::NoPolicy)?;
        let number = |at: usize| {
            let bytes = rest.get(at..at + 4)?.try_into().ok()?;
            Some(u32::from_le_bytes(bytes))
        };
        let length = PolicyError::Length(bytes.len());
        let (version, weights) = (number(0).ok_or(length)?, number(4).ok_or(length)? as usize);
        let positions = number(8).ok_or(length)? as usize;
        if version != VERSION || weights != Self::WEIGHTS {
            return Err(PolicyError::Version(version));
        }
        let end = HEADER + 4 * weights + 10 * positions;
        let Some((content, sum)) = bytes.split_at_checked(end).filter(|(_, sum)| sum.len() == 8) else {
            return Err(length);
        };
        if fnv1a(content).to_le_bytes() != sum {
            return Err(PolicyError::Checksum);
        }
        let (weights, counts) = content[HEADER..].split_at(4 * weights);
        let weights = weights
            .as_chunks::<4>()
            .0
            .iter()
            .map(|bytes| f32::from_le_bytes(*bytes));
        let counts = counts.as_chunks::<10>().0.iter().map(|bytes| {
            let (key, count) = bytes.split_at(8);
            let key = key.try_into().map(u64::from_le_bytes).unwrap_or_default();
            (key, count.try_into().map(u16::from_le_bytes).unwrap_or_default())
        });
        Ok(Self {
            weights: weights.collect(),
            openings: Openings {
                counts: counts.collect(),
            },
        })
    }
}

/// Returns numbers in proportion to the exponentials of `logits`, together 1.
pub(super) fn softmax(logits: &[f64]) -> Vec<f64> {
    let most = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let powers: Vec<f64> = logits.iter().map(|logit| (logit - most).exp()).collect();
    let sum: f64 = powers.iter().sum();
    powers.into_iter().map(|power| power / sum).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_othello::Symmetry;

    fn small() -> Policy {
        let weights = (0..Policy::WEIGHTS)
            .map(|at| (at % 7) as f32 / 10.0 - 0.3)
            .collect();
        let start = Board::start();
        let boards = start
            .legal_moves()
            .into_iter()
            .map(|square| start.play_unchecked(square, start.flips(square)));
        let twenty = std::iter::repeat_n(start, 20);
        let openings = Openings::count(twenty.chain(boards.cycle().take(20)));
        Policy::new(weights, openings)
    }

    #[test]
    fn files_are_read_as_they_were_written() {
        let policy = small();
        assert_eq!(Policy::decode(&policy.encode()), Ok(policy));
        assert!(!Policy::embedded().openings().is_empty());
        assert_eq!(Policy::embedded().encode(), EMBEDDED);
    }

    #[test]
    fn damage_is_named() {
        let bytes = small().encode();
        assert_eq!(Policy::decode(b""), Err(PolicyError::NoPolicy));
        assert_eq!(Policy::decode(b"OUTFLNKS"), Err(PolicyError::NoPolicy));
        assert_eq!(Policy::decode(&bytes[..12]), Err(PolicyError::Length(12)));
        assert_eq!(
            Policy::decode(&bytes[..bytes.len() - 1]),
            Err(PolicyError::Length(bytes.len() - 1))
        );
        for at in [8, 12] {
            let mut other = bytes.clone();
            other[at] ^= 2;
            assert!(
                matches!(Policy::decode(&other), Err(PolicyError::Version(_))),
                "{at}"
            );
        }
        for at in [20, 1000, bytes.len() - 9, bytes.len() - 1] {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert_eq!(Policy::decode(&damaged), Err(PolicyError::Checksum), "{at}");
        }
    }

    #[test]
    fn shares_are_those_of_the_games_that_are_counted() {
        let openings = small().openings;
        let start = Board::start();
        let square = start.legal_moves().first().expect("there are four");
        let child = start.play_unchecked(square, start.flips(square));
        // All four first moves are images of one another.
        assert_eq!(openings.share(start, child, None), Some(20.5 / 24.0));
        assert_eq!(openings.share(start, child, Some(child)), Some(19.5 / 23.0));
        assert_eq!(openings.share(child, start, None), Some(20.5 / 24.0));
        let reply = child.legal_moves().first().expect("there are three");
        let unknown = child.play_unchecked(reply, child.flips(reply));
        assert_eq!(openings.share(unknown, child, None), None);
        for symmetry in Symmetry::ALL {
            assert_eq!(openings.of(child.transformed(symmetry)), openings.of(child));
        }
    }

    #[test]
    fn stages_and_skills_go_over_into_one_another() {
        for empties in 0..=60 {
            let terms = phase_terms(empties);
            assert!((terms.iter().sum::<f32>() - 1.0).abs() < 1e-6, "{empties}");
            assert!(terms.iter().all(|term| (0.0..=1.0).contains(term)));
        }
        assert!(skill_terms(2.0)[1].abs() < 1e-6);
        assert!(skill_terms(1.0)[1] < 0.0 && skill_terms(3.0)[1] > 0.0);
    }

    #[test]
    fn chances_add_up_to_one() {
        let chances = softmax(&[1.0, 2.0, -800.0, 700.0]);
        assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert!(chances[3] > 0.99 && chances[1] > chances[0]);
    }
}
