//! What the engine says about one position, as facts.

use outflank_book::{Kind, Slot, UNITS, Worth, distinct_moves};
use outflank_eval::Evaluator;
use outflank_jobs::Fingerprint;
use outflank_othello::{Board, Color, Move, Position};
use outflank_othello_engine::{Engine, Request};
use outflank_search::{StopToken, Verdict};
use std::collections::BTreeMap;

/// How positions are evaluated. Two who use the same get the same facts, whatever their machines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct How {
    /// Discs to look ahead; one more where that leaves an even number of empty squares beyond, so that all values of a book
    /// are alike.
    pub depth: u32,
    /// Moves within this of the best one are valued, in units; of the others only the greatest value is noted.
    pub window: i32,
    /// Empty squares from which on a position is solved.
    pub exact: u32,
    /// Most positions that one search may enter.
    pub nodes: Option<u64>,
    /// Megabytes for the table of each thread.
    pub megabytes: u32,
}

impl Default for How {
    /// 18 discs ahead, moves within 6 discs, solved from 18 empty squares on, 64 MB.
    fn default() -> Self {
        Self {
            depth: 18,
            window: 6 * UNITS,
            exact: 18,
            nodes: None,
            megabytes: 64,
        }
    }
}

impl How {
    /// Returns how the positions of a book with these settings are evaluated.
    pub fn of(settings: &BTreeMap<String, String>) -> Self {
        let number = |name: &str| settings.get(name).and_then(|text| text.parse::<u64>().ok());
        let small =
            |name: &str, usual: u32| number(name).and_then(|n| u32::try_from(n).ok()).unwrap_or(usual);
        let usual = Self::default();
        Self {
            depth: small("depth", usual.depth),
            window: i32::try_from(small("window", usual.window as u32)).unwrap_or(usual.window),
            exact: small("exact", usual.exact),
            nodes: number("nodes"),
            megabytes: small("megabytes", usual.megabytes),
        }
    }

    /// Notes this in the settings of a book.
    pub fn note(&self, settings: &mut BTreeMap<String, String>) {
        let mut note = |name: &str, value: String| settings.insert(name.to_owned(), value);
        note("depth", self.depth.to_string());
        note("window", self.window.to_string());
        note("exact", self.exact.to_string());
        note("megabytes", self.megabytes.to_string());
        if let Some(nodes) = self.nodes {
            note("nodes", nodes.to_string());
        }
    }

    pub(super) fn mix(&self, print: Fingerprint) -> Fingerprint {
        print.with(format!("{self:?}").as_bytes())
    }

    fn request(&self, board: Board) -> Request {
        let empties = board.empties().count();
        let depth = self.depth.max(1);
        let depth = depth + (empties.saturating_sub(depth)) % 2;
        // The side has no bearing on a board that is seen by the player to move.
        let mut request = Request::new(Position::new(board, Color::Black)).within(self.window);
        request = if empties <= self.exact {
            request.exact()
        } else {
            request.depth(depth.min(empties))
        };
        if let Some(nodes) = self.nodes {
            request = request.nodes(nodes);
        }
        let distinct = distinct_moves(board);
        let images = board
            .legal_moves()
            .into_iter()
            .filter(|&square| !distinct.contains(square));
        request.excluding(images.map(Move::Place))
    }
}

/// A fact that has no source yet.
pub type Judgment = (Slot, i32, Worth);

/// Evaluates `board`, which must be a key: the moves near the best one are valued, the others bounded. Returns `None` if the
/// search was stopped.
///
/// Everything is forgotten first, so that the answer depends on nothing but the position and `how`.
pub fn evaluate<E: Evaluator + 'static>(
    engine: &mut Engine<E>,
    board: Board,
    how: &How,
    stop: &StopToken,
) -> Option<Vec<Judgment>> {
    engine.clear();
    let outcome = engine.search(&how.request(board), stop, &mut |_| {});
    if stop.is_stopped() {
        return None;
    }
    let empties = board.empties().count();
    let valued = outcome.lines.iter().filter_map(|line| {
        let square = line.best()?.square()?;
        let worth = match line.verdict {
            Verdict::Exact => Worth::EXACT,
            Verdict::Estimate { depth, confidence } => {
                let kind = if depth >= empties {
                    Kind::ToEnd
                } else {
                    Kind::Estimate
                };
                Worth::new(kind, depth, confidence)
            }
            _ => return None,
        };
        Some((square, line.value.units(), worth))
    });
    let valued: Vec<_> = valued.collect();
    let least_worth = valued.iter().map(|(.., worth)| *worth).min()?;
    let mut facts: Vec<Judgment> = valued
        .into_iter()
        .map(|(square, units, worth)| (Slot::Move(square), units, worth))
        .collect();
    if let Some(rest) = outcome.rest {
        facts.push((Slot::Rest, rest.units(), least_worth));
    }
    Some(facts)
}
