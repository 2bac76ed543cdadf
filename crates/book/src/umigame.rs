//! Umigame numbers: how many lines a player must know to stay in the book.

use crate::{Worked, fact::to_discs, place::Place};
use outflank_othello::{Board, Color};
use std::collections::{BTreeMap, BTreeSet};

/// Which moves are expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expected {
    /// What all moves of a line may lose together, in whole discs.
    pub loss: u32,
    /// Discs at which nobody needs to know more.
    pub until: u32,
}

impl Default for Expected {
    /// Best moves only, to 30 discs.
    fn default() -> Self {
        Self { loss: 0, until: 30 }
    }
}

/// How much there is to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Umigame {
    /// Lines that black must know at least: the answers to all moves of white's, each answer being the one that leads to
    /// the fewest lines.
    pub black: u64,
    /// Lines that white must know at least.
    pub white: u64,
    /// Different positions with black to move in these lines.
    pub black_positions: u64,
    /// Different positions with white to move in these lines.
    pub white_positions: u64,
}

/// The lines of whoever is to move and of the other one.
type Lines = (u64, u64);

struct Count<'a> {
    book: &'a Worked,
    expected: Expected,
    known: BTreeMap<(Board, u32), Lines>,
}

/// Returns the umigame numbers of a position, or `None` if it is not in the book.
///
/// Losses are differences of values rounded to discs, so that moves of the same value count as equal.
pub fn umigame(book: &Worked, board: Board, side: Color, expected: Expected) -> Option<Umigame> {
    let Place::Node { key, passed, .. } = Place::of(board) else {
        return None;
    };
    book.derived(key)?;
    let mover = if passed { !side } else { side };
    let mut count = Count {
        book,
        expected,
        known: BTreeMap::new(),
    };
    let (own, other) = count.lines(key, expected.loss);
    let repertoire = |count: &mut Count<'_>, for_mover| {
        let mut seen = BTreeSet::new();
        count.repertoire(key, expected.loss, for_mover, &mut seen);
        seen.iter()
            .filter(|(_, _, own)| *own)
            .map(|(key, ..)| key)
            .collect::<BTreeSet<_>>()
            .len() as u64
    };
    let (own_positions, other_positions) = (repertoire(&mut count, true), repertoire(&mut count, false));
    let is_black = mover == Color::Black;
    let pick = |own, other| if is_black { (own, other) } else { (other, own) };
    let (black, white) = pick(own, other);
    let (black_positions, white_positions) = pick(own_positions, other_positions);
    Some(Umigame {
        black,
        white,
        black_positions,
        white_positions,
    })
}

impl Count<'_> {
    /// Returns the expected moves of a position: where each leads, whether the same side moves again, and what may still be
    /// lost.
    fn candidates(&self, key: Board, budget: u32) -> Vec<(Board, bool, u32)> {
        if key.occupied().count() >= self.expected.until {
            return Vec::new();
        }
        let Some(best) = self.book.derived(key).and_then(|derived| derived.value) else {
            return Vec::new();
        };
        let best = to_discs(i32::from(best));
        let moves = self.book.moves(key);
        let expected = moves.iter().filter_map(|mv| {
            let loss = best - to_discs(mv.units()?);
            let left = budget.checked_sub(loss.max(0) as u32)?;
            let after = key.play_unchecked(mv.square, key.flips(mv.square));
            match Place::of(after) {
                Place::Node { key, passed, .. } => Some((key, passed, left)),
                // Nothing is to be known after the end: a board that is in no book.
                Place::End(_) => Some((after, false, left)),
            }
        });
        expected.collect()
    }

    fn lines(&mut self, key: Board, budget: u32) -> Lines {
        if let Some(&lines) = self.known.get(&(key, budget)) {
            return lines;
        }
        // Each step places a disc, so that this is at most sixty calls deep.
        let candidates = self.candidates(key, budget);
        let mut lines: Lines = if candidates.is_empty() {
            (1, 1)
        } else {
            (u64::MAX, 0)
        };
        for (next, again, left) in candidates {
            let after = self.lines(next, left);
            let (own, other) = if again { after } else { (after.1, after.0) };
            lines = (lines.0.min(own), lines.1.saturating_add(other));
        }
        self.known.insert((key, budget), lines);
        lines
    }

    /// Collects the positions that one side meets if it plays the moves with the fewest lines; with each is noted whether
    /// that side is to move.
    fn repertoire(&mut self, key: Board, budget: u32, own: bool, seen: &mut BTreeSet<(Board, u32, bool)>) {
        let candidates = self.candidates(key, budget);
        if candidates.is_empty() || !seen.insert((key, budget, own)) {
            return;
        }
        let mut cheapest: Option<(u64, Board, bool, u32)> = None;
        for &(next, again, left) in &candidates {
            if own {
                let after = self.lines(next, left);
                let lines = if again { after.0 } else { after.1 };
                if cheapest.is_none_or(|(least, ..)| lines < least) {
                    cheapest = Some((lines, next, again, left));
                }
            } else {
                self.repertoire(next, left, own == again, seen);
            }
        }
        if let Some((_, next, again, left)) = cheapest {
            self.repertoire(next, left, own == again, seen);
        }
    }
}
