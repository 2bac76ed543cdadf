//! Which positions to add next: the cheapest way to each move that leads out of the book. [LINCKE01]

use crate::{Move, Worked, derive::loss, fact::UNITS, place::Place};
use outflank_othello::{Board, Color, Square};
use std::collections::BTreeMap;

/// How far a book may grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Growth {
    /// What one move may lose, in units.
    pub loss: i32,
    /// What all moves of a line may lose together, in units.
    pub total: i32,
    /// Most discs of a position that is added.
    pub until: u32,
    /// What a lost disc costs, in thousandths of a move: with 4000 a line that gave a disc away comes as late as one that is
    /// four moves longer.
    pub per_disc: u32,
    /// The side whose moves are to be good, with what one of them may lose; all moves of the other one count. `None` treats
    /// both alike.
    pub side: Option<(Color, i32)>,
}

impl Default for Growth {
    /// Moves that lose up to 2 discs, 4 in a line, to 36 discs, for both sides.
    fn default() -> Self {
        Self {
            loss: 2 * UNITS,
            total: 4 * UNITS,
            until: 36,
            per_disc: 4000,
            side: None,
        }
    }
}

/// What a move costs without a loss; a loss of one unit costs `per_disc`, so that everything is a whole number.
const PLY: u64 = 1000 * UNITS as u64;

/// A move out of the book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exit {
    /// The position that it leads to, after a pass if there is one: a key that is not in the book.
    pub next: Board,
    /// The position in which it is made.
    pub key: Board,
    /// The move.
    pub square: Square,
    /// Moves from the root, each loss counted as more of them, in units of which [`Exit::plies`] makes plies.
    pub cost: u64,
}

impl Exit {
    /// Returns the cost in moves.
    pub fn plies(&self) -> f64 {
        self.cost as f64 / PLY as f64
    }
}

/// The cheapest way to a position, and the one that loses least.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Way {
    cost: u64,
    total: i32,
}

impl Way {
    fn join(&mut self, other: Self) {
        self.cost = self.cost.min(other.cost);
        self.total = self.total.min(other.total);
    }
}

/// Takes a position with the way to it, and the moves within the limits with the ways to what is behind them.
type Visit<'a> = &'a mut dyn FnMut(Board, Way, &[(Move, Way)]);

/// Walks from `root` through the book, layer by layer, and shows every position with its moves.
fn walk(book: &Worked, root: (Board, Color), growth: &Growth, visit: Visit<'_>) {
    let Place::Node { key, passed, .. } = Place::of(root.0) else {
        return;
    };
    let side = if passed { !root.1 } else { root.1 };
    let mut layers: Vec<BTreeMap<(Board, bool), Way>> = vec![BTreeMap::new(); 65];
    let is_black = side == Color::Black;
    layers[key.occupied().count() as usize].insert((key, is_black), Way { cost: 0, total: 0 });
    for discs in 4..=64 {
        for ((key, is_black), way) in std::mem::take(&mut layers[discs]) {
            let Some(derived) = book.derived(key) else {
                continue;
            };
            let side = if is_black { Color::Black } else { Color::White };
            let most = match growth.side {
                Some((own, loss)) if own == side => loss,
                _ => growth.loss,
            };
            let allowed = book.moves(key).into_iter().filter_map(|mv| {
                let loss = loss(derived, &mv)?;
                let total = way.total.saturating_add(loss.max(0));
                let cost = way.cost + PLY + u64::from(growth.per_disc) * loss.max(0) as u64;
                (loss <= most && total <= growth.total).then_some((mv, Way { cost, total }))
            });
            let allowed: Vec<_> = allowed.collect();
            visit(key, way, &allowed);
            for (mv, way) in allowed.iter().filter(|(mv, _)| mv.leads_on) {
                let after = key.play_unchecked(mv.square, key.flips(mv.square));
                if let Place::Node {
                    key: next, passed, ..
                } = Place::of(after)
                {
                    let layer = &mut layers[discs + 1];
                    layer
                        .entry((next, is_black == passed))
                        .and_modify(|old| old.join(*way))
                        .or_insert(*way);
                }
            }
        }
    }
}

/// Returns every move out of the book within the limits, cheapest first, one for each position that one leads to.
///
/// The first is the one that drop-out expansion would choose: each side plays its best moves, and where it leaves them it
/// pays for the loss.
pub fn exits(book: &Worked, root: (Board, Color), growth: &Growth) -> Vec<Exit> {
    let mut exits: BTreeMap<Board, Exit> = BTreeMap::new();
    walk(book, root, growth, &mut |key, _, allowed| {
        for (mv, way) in allowed.iter().filter(|(mv, _)| !mv.leads_on) {
            let after = key.play_unchecked(mv.square, key.flips(mv.square));
            let Place::Node { key: next, .. } = Place::of(after) else {
                continue;
            };
            if next.occupied().count() > growth.until {
                continue;
            }
            let exit = Exit {
                next,
                key,
                square: mv.square,
                cost: way.cost,
            };
            exits
                .entry(next)
                .and_modify(|old| {
                    if exit.cost < old.cost {
                        *old = exit;
                    }
                })
                .or_insert(exit);
        }
    });
    let mut exits: Vec<Exit> = exits.into_values().collect();
    exits.sort_by_key(|exit| (exit.cost, exit.next));
    exits
}

/// Returns the keys of the positions of the book that can be reached within the limits, cheapest first, each with its cost.
pub fn reachable(book: &Worked, root: (Board, Color), growth: &Growth) -> Vec<(u64, Board)> {
    let mut costs: BTreeMap<Board, u64> = BTreeMap::new();
    walk(book, root, growth, &mut |key, way, _| {
        if key.occupied().count() <= growth.until {
            let cost = costs.entry(key).or_insert(way.cost);
            *cost = way.cost.min(*cost);
        }
    });
    let mut keys: Vec<(u64, Board)> = costs.into_iter().map(|(key, cost)| (cost, key)).collect();
    keys.sort_unstable();
    keys
}
