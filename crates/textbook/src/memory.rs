//! Negamax alpha-beta with a transposition table: probe on entry, store on exit.
//!
//! An entry from a search at least as deep ends the node if its bound settles the window, and narrows the window
//! otherwise; its move is tried first in any case. From one root, a game that only ever adds stones reaches a state
//! at one depth only, so "at least as deep" and "exactly as deep" are the same, and the value is minimax's.

use super::{
    Bound, Entry, INFINITE, Reorder, StateTable, TableOptions,
    common::{Algorithm, Core, Question, best_of, depth_after},
    state_table::Place,
};
use outflank_game::{Evaluate, GameState};

/// What a probe found.
pub(super) struct Probed<G: GameState> {
    /// The value, if the node ends here.
    pub(super) value: Option<i32>,
    /// The move to try first.
    pub(super) best: Option<G::Move>,
    place: Option<Place<G>>,
}

/// Looks `game` up, narrows the window to what is known, and says whether the node ends.
pub(super) fn probe<G: GameState, E: Evaluate<G>>(
    table: Option<&StateTable<G>>,
    core: &mut Core<'_, G, E>,
    game: &G,
    depth: u32,
    alpha: &mut i32,
    beta: &mut i32,
) -> Probed<G> {
    let Some(table) = table else {
        return Probed {
            value: None,
            best: None,
            place: None,
        };
    };
    let place = table.place(game);
    core.counters.probes += 1;
    let mut probed = Probed {
        value: None,
        best: None,
        place: None,
    };
    if let Some(entry) = table.probe(game, &place) {
        core.counters.hits += 1;
        probed.best = entry.best;
        if entry.depth >= depth {
            match entry.bound {
                Bound::Exact => probed.value = Some(entry.value),
                Bound::Lower => *alpha = (*alpha).max(entry.value),
                Bound::Upper => *beta = (*beta).min(entry.value),
            }
            if *alpha >= *beta {
                probed.value = Some(entry.value);
            }
            core.counters.cutoffs += u64::from(probed.value.is_some());
        }
    }
    probed.place = Some(place);
    probed
}

/// Stores what the search of `game` within `alpha`..`beta` found.
pub(super) fn store<G: GameState>(
    table: Option<&mut StateTable<G>>,
    game: &G,
    probed: Probed<G>,
    (depth, value, best): (u32, i32, Option<G::Move>),
    (alpha, beta): (i32, i32),
) {
    if let (Some(table), Some(place)) = (table, probed.place) {
        let bound = Bound::of(value, alpha, beta);
        table.store(
            game,
            place,
            Entry {
                depth,
                value,
                bound,
                best,
            },
        );
    }
}

/// Alpha-beta with memory; under MTD(f) it may also order moves by a shallower round.
pub(super) struct Memory<G: GameState> {
    table: Option<StateTable<G>>,
    reorder: Reorder,
}

impl<G: GameState> Memory<G> {
    /// Nodes of more plies than this get the shallow round (document E).
    const REORDER_ABOVE: u32 = 4;
    /// Plies that the shallow round leaves out (document E).
    const REORDER_LESS: u32 = 2;

    pub(super) fn new(table: Option<TableOptions>, reorder: Reorder) -> Self {
        Self {
            table: table.map(StateTable::new),
            reorder,
        }
    }

    /// Searches every move two plies shallower and sorts them, best first.
    ///
    /// Returns the best shallow value, which document E's code goes on to use.
    fn reorder<E: Evaluate<G>>(
        &mut self,
        core: &mut Core<'_, G, E>,
        game: &mut G,
        depth: u32,
        (alpha, beta): (i32, i32),
        moves: &mut Vec<G::Move>,
    ) -> i32 {
        let mut best = -INFINITE;
        let mut judged = Vec::with_capacity(moves.len());
        for &mv in &*moves {
            let below = depth_after(game, mv, depth - Self::REORDER_LESS);
            let undo = game.play(mv);
            let value = -self.value(core, game, below, -beta, -alpha, &mut Vec::new());
            game.undo(mv, undo);
            if core.aborted {
                return 0;
            }
            best = best.max(value);
            judged.push((value, mv));
            if best >= beta {
                break;
            }
        }
        let untried = moves[judged.len()..].to_vec();
        judged.sort_by_key(|&(value, _)| -value);
        *moves = judged.into_iter().map(|(_, mv)| mv).chain(untried).collect();
        best
    }
}

impl<G: GameState, E: Evaluate<G>> Algorithm<G, E> for Memory<G> {
    fn value(
        &mut self,
        core: &mut Core<'_, G, E>,
        game: &mut G,
        depth: u32,
        mut alpha: i32,
        mut beta: i32,
        line: &mut Vec<G::Move>,
    ) -> i32 {
        line.clear();
        if !core.enter() {
            return 0;
        }
        if let Some(value) = core.leaf(game, depth) {
            return value;
        }
        let probed = probe(self.table.as_ref(), core, game, depth, &mut alpha, &mut beta);
        if let Some(value) = probed.value {
            line.extend(probed.best);
            return value;
        }
        let window = (alpha, beta);
        let mut moves = core.moves(game, probed.best);
        let mut best = -INFINITE;
        if self.reorder != Reorder::Off && depth > Self::REORDER_ABOVE {
            let shallow = self.reorder(core, game, depth, window, &mut moves);
            if self.reorder == Reorder::AsWritten {
                best = shallow;
                line.extend(moves.first());
            }
        }
        let question = Question { depth, alpha, beta };
        let ask = |core: &mut Core<'_, G, E>, game: &mut G, below: Question, _, rest: &mut Vec<G::Move>| {
            -self.value(core, game, below.depth, -below.beta, -below.alpha, rest)
        };
        let Some(best) = best_of(core, game, &moves, question, best, line, ask) else {
            return 0;
        };
        let found = (depth, best, line.first().copied());
        store(self.table.as_mut(), game, probed, found, window);
        best
    }
}
