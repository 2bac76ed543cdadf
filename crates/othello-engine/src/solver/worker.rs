//! Null-window search by one thread: is the value above `alpha`?
//!
//! `alpha` is even, because every value is; "above" means at least two discs more. Results are fail-soft: above
//! `alpha` a lower bound of the value, else an upper bound. Three tiers by the number of empties:
//!
//! | empties | table | ordering |
//! | --- | --- | --- |
//! | ≤ 4 | none | parity ([`super::last`]) |
//! | ≤ [`SHALLOW`] | none | parity, corners |
//! | ≤ [`MIDDLE`] | private, in the level-2 cache; from [`SHARED_FROM`] on the shared one, too | mobility and what is cheap |
//! | more | shared, with enhanced transposition cut-offs | as above, with an evaluation |

use super::{
    cache::Cache,
    last::{self, final_score},
    split::{Rest, Shared, Split},
};
use crate::{
    ordering::{CAPACITY, Candidates, odd_quadrants},
    table::{ExactEntry, NO_MOVE, hash},
    techniques::Techniques,
};
use outflank_eval::Evaluator;
use outflank_othello::{
    Bitboard, Board,
    kernels::{flips, legal_moves},
};
use outflank_search::Control;
use std::sync::{Arc, atomic::Ordering::Relaxed};

/// Empties of the one tier searched without tables and move lists; with six, ordering by mobility pays: 20 % fewer
/// nodes and 8 % less time on hard-20 1–8.
pub(super) const SHALLOW: u32 = 5;
/// Most empties searched with the private table.
pub(super) const MIDDLE: u32 = 12;
/// Fewest empties whose bounds go into the shared table beside the private one, which has long forgotten them when other
/// moves lead to the same board, or when the proof comes to what the search before it has solved.
const SHARED_FROM: u32 = 11;
/// Fewest empties at which a node looks for its moves in the private table.
const ENHANCED_FROM: u32 = 7;
/// Fewest empties at which a node is shared with idle threads.
const SPLIT_FROM: u32 = 15;
/// Moves of a node that are searched before idle threads are let in: of one that should have been cut off two, since the
/// next may well do it, of others the first, whose table and hints make the rest cheaper (1.02 times the nodes of one thread
/// on FFO 40–42 where letting them in at once costs 1.09).
const MOVES_ALONE: [usize; 2] = [1, 2];
/// Nodes between two questions to the control; with the nodes of one call to the last five empties fewer than
/// [`Control::POLL`].
const POLL: u64 = 480;
/// Most nodes below a position of five empties, itself included: none of them asks the control.
const LAST_FIVE: u64 = {
    // One empty costs up to three nodes; more cost themselves, a pass, and every move.
    let (mut nodes, mut empties) = (3, 2);
    while empties <= SHALLOW as u64 {
        nodes = 2 + empties * nodes;
        empties += 1;
    }
    nodes
};
const _: () = assert!(
    POLL + LAST_FIVE < Control::POLL,
    "the control is asked often enough"
);

/// One thread's state.
pub(super) struct Worker<E> {
    pub(super) shared: Arc<Shared<E>>,
    pub(super) cache: Cache,
    /// Positions entered.
    pub(super) nodes: u64,
    /// Whether the search was stopped; every value returned since then is meaningless.
    pub(super) stopped: bool,
    pub(super) control: Arc<Control>,
    /// Count of nodes at which the control is asked again.
    next_poll: u64,
    /// Whether so few nodes are left that each is asked for.
    careful: bool,
    /// The innermost split that this thread works on.
    pub(super) split: Option<Arc<Split>>,
    /// The thread: 0 for the one that solves, others serve its splits.
    pub(super) number: usize,
    /// Nodes that a helper has reported to the pool.
    pub(super) reported_nodes: u64,
}

impl<E: Evaluator> Worker<E> {
    pub(super) fn new(shared: Arc<Shared<E>>) -> Self {
        Self {
            shared,
            cache: Cache::new(),
            nodes: 0,
            stopped: false,
            control: Arc::new(Control::unlimited()),
            next_poll: 0,
            careful: false,
            split: None,
            number: 0,
            reported_nodes: 0,
        }
    }

    #[inline(always)]
    pub(super) fn techniques(&self) -> &Techniques {
        &self.shared.techniques
    }

    /// Begins work that ends when `control` says so, having counted what is in `nodes` already.
    pub(super) fn begin(&mut self, control: Arc<Control>) {
        self.control = control;
        self.resume();
    }

    /// Goes on after a stop that no longer matters.
    pub(super) fn resume(&mut self) {
        self.stopped = false;
        self.careful = false;
        self.next_poll = self.nodes;
    }

    /// As [`Self::begin`], with `nodes` counted already; the control is not asked before `next_poll` are, unless the
    /// limit is near.
    pub(super) fn begin_at(&mut self, nodes: u64, next_poll: u64) {
        self.nodes = nodes;
        self.resume();
        self.next_poll = next_poll.min(self.control.max_nodes().saturating_sub(LAST_FIVE));
    }

    /// Counts a node; returns whether the search must end instead.
    #[inline(always)]
    pub(super) fn enter(&mut self) -> bool {
        if self.nodes >= self.next_poll && self.must_stop() {
            return true;
        }
        self.nodes += 1;
        false
    }

    /// Asks the control whether the search must end, and remembers it.
    #[cold]
    #[inline(never)]
    pub(super) fn must_stop(&mut self) -> bool {
        let spent = self.spent();
        if self.stopped
            || self.control.must_stop(spent)
            || self.split.as_ref().is_some_and(|split| split.is_moot())
        {
            self.stopped = true;
            self.next_poll = 0;
            return true;
        }
        let left = self.control.nodes_left(spent);
        self.careful = left <= LAST_FIVE;
        self.next_poll = if self.careful {
            self.nodes
        } else {
            self.nodes + POLL.min(left - LAST_FIVE)
        };
        false
    }

    /// Returns the nodes of all threads, as far as they have told.
    fn spent(&mut self) -> u64 {
        let pool = &self.shared.pool;
        if self.number != 0 {
            pool.helper_nodes
                .fetch_add(self.nodes - self.reported_nodes, Relaxed);
            self.reported_nodes = self.nodes;
            pool.helper_nodes.load(Relaxed) + pool.main_nodes.load(Relaxed)
        } else {
            pool.main_nodes.store(self.nodes, Relaxed);
            self.nodes + pool.helper_nodes.load(Relaxed)
        }
    }

    /// Returns whether the value is above `alpha`, as a bound; see the module.
    ///
    /// `cut_node` says whether the caller expects it to be: it decides what effort goes into ordering and when idle
    /// threads are let in, never the result.
    pub(super) fn null_window<const PRUNE: bool>(
        &mut self,
        player: u64,
        opponent: u64,
        alpha: i32,
        cut_node: bool,
    ) -> i32 {
        let empties = (!(player | opponent)).count_ones();
        if empties <= 4 {
            if self.nodes >= self.next_poll {
                return self.last_empties_asking::<PRUNE>(player, opponent, alpha);
            }
            if self.techniques().stability {
                last::last_few::<PRUNE, true>(&mut self.nodes, player, opponent, alpha)
            } else {
                last::last_few::<PRUNE, false>(&mut self.nodes, player, opponent, alpha)
            }
        } else if empties <= SHALLOW {
            self.shallow::<PRUNE>(player, opponent, alpha)
        } else if empties <= MIDDLE {
            self.middle::<PRUNE>(player, opponent, alpha, empties)
        } else {
            self.upper::<PRUNE>((player, opponent), alpha, empties, cut_node)
        }
    }

    /// Five empties: the odd quadrants first, corners first in each group.
    fn shallow<const PRUNE: bool>(&mut self, player: u64, opponent: u64, alpha: i32) -> i32 {
        if self.nodes >= self.next_poll {
            return self.last_empties_asking::<PRUNE>(player, opponent, alpha);
        }
        if self.techniques().stability {
            self.five::<PRUNE, true>(player, opponent, alpha)
        } else {
            self.five::<PRUNE, false>(player, opponent, alpha)
        }
    }

    /// As [`Self::null_window`] for up to five empties, when it is time to ask the control.
    #[cold]
    #[inline(never)]
    fn last_empties_asking<const PRUNE: bool>(&mut self, player: u64, opponent: u64, alpha: i32) -> i32 {
        if self.must_stop() {
            0
        } else if self.careful {
            self.one_by_one::<PRUNE>(player, opponent, alpha)
        } else {
            self.null_window::<PRUNE>(player, opponent, alpha, true)
        }
    }

    /// As [`Self::null_window`] for the last nodes that a limit allows: every one is asked for.
    fn one_by_one<const PRUNE: bool>(&mut self, player: u64, opponent: u64, alpha: i32) -> i32 {
        if self.enter() {
            return 0;
        }
        let mut moves = legal_moves(player, opponent);
        if moves == 0 {
            return if legal_moves(opponent, player) == 0 {
                final_score(player, opponent)
            } else {
                -self.one_by_one::<PRUNE>(opponent, player, -alpha - 2)
            };
        }
        let mut best = last::NONE;
        while moves != 0 {
            let square = moves.trailing_zeros() as usize & 63;
            moves &= moves - 1;
            let flipped = flips(square, player, opponent);
            let (next, other) = (opponent ^ flipped, player ^ flipped ^ 1 << square);
            best = best.max(-self.one_by_one::<PRUNE>(next, other, -alpha - 2));
            if self.stopped {
                return 0;
            }
            if PRUNE && best > alpha {
                break;
            }
        }
        best
    }

    /// As [`Self::shallow`], with what is decided once taken out of the loop.
    fn five<const PRUNE: bool, const STABILITY: bool>(
        &mut self,
        player: u64,
        opponent: u64,
        alpha: i32,
    ) -> i32 {
        const CORNERS: u64 = 0x8100_0000_0000_0081;
        self.nodes += 1;
        if PRUNE && let Some(bound) = self.stability_cut(player, opponent, alpha, SHALLOW) {
            return bound;
        }
        let moves = legal_moves(player, opponent);
        if moves == 0 {
            return if legal_moves(opponent, player) == 0 {
                final_score(player, opponent)
            } else {
                -self.five::<PRUNE, STABILITY>(opponent, player, -alpha - 2)
            };
        }
        let empties = !(player | opponent);
        let odd = if self.techniques().parity {
            odd_quadrants(empties)
        } else {
            0
        };
        let mut best = last::NONE;
        for group in [odd & CORNERS, odd & !CORNERS, !odd & CORNERS, !odd & !CORNERS] {
            let mut rest = moves & group;
            while rest != 0 {
                let square = rest.trailing_zeros() as usize & 63;
                rest &= rest - 1;
                let flipped = flips(square, player, opponent);
                let (next, other) = (opponent ^ flipped, player ^ flipped ^ 1 << square);
                let left = empties ^ 1 << square;
                let value = -last::last_4::<PRUNE, STABILITY>(&mut self.nodes, next, other, left, -alpha - 2);
                best = best.max(value);
                if PRUNE && best > alpha {
                    return best;
                }
            }
        }
        best
    }

    /// Returns a bound from stable discs if it decides the question.
    #[inline(always)]
    fn stability_cut(&self, player: u64, opponent: u64, alpha: i32, empties: u32) -> Option<i32> {
        if !self.techniques().stability {
            return None;
        }
        last::stability_bound(player, opponent, alpha, empties)
    }

    /// Six to twelve empties: private table, ordering by mobility.
    fn middle<const PRUNE: bool>(&mut self, player: u64, opponent: u64, alpha: i32, empties: u32) -> i32 {
        if empties <= SHALLOW {
            return self.shallow::<PRUNE>(player, opponent, alpha);
        }
        if self.enter() {
            return 0;
        }
        if PRUNE && let Some(bound) = self.stability_cut(player, opponent, alpha, empties) {
            return bound;
        }
        let key = hash(player, opponent);
        let mut hint = NO_MOVE;
        let caching = PRUNE && self.techniques().private_table;
        if caching && let Some(entry) = self.cache.probe(key, player, opponent) {
            if let Some(bound) = decides((entry.lower, entry.upper), alpha) {
                return bound;
            }
            hint = entry.square;
        }
        let entered = self.nodes;
        let sharing = PRUNE && empties >= SHARED_FROM && self.techniques().shared_table;
        if sharing && let Some(entry) = self.shared.table.probe(key, (player, opponent)) {
            if let Some(bound) = decides((entry.lower, entry.upper), alpha) {
                return bound;
            }
            if hint == NO_MOVE {
                hint = entry.moves[0];
            }
        }
        let moves = legal_moves(player, opponent);
        if moves == 0 {
            return if legal_moves(opponent, player) == 0 {
                final_score(player, opponent)
            } else {
                -self.middle::<PRUNE>(opponent, player, -alpha - 2, empties)
            };
        }
        let mut list = Candidates::<{ MIDDLE as usize }>::new();
        if !list.add_moves((player, opponent), moves) {
            if PRUNE {
                return if self.enter() { 0 } else { 64 };
            }
            return self.every_move(player, opponent, moves);
        }
        let mut best = last::NONE;
        if caching && empties >= ENHANCED_FROM && self.techniques().enhanced_cutoffs {
            best = self.take_known(&mut list, (player, opponent), alpha, empties);
            if best > alpha {
                return best;
            }
        }
        let mut scored = false;
        // The move that was best before goes ahead of the work of ordering the others.
        let mut hinted = list.take(hint);
        let mut best_square = NO_MOVE;
        loop {
            if hinted.is_none() && !scored {
                scored = true;
                if list.left() > 1 {
                    self.score_middle(&mut list, (player, opponent), empties);
                }
            }
            let Some(candidate) = hinted.take().or_else(|| list.take_best()) else {
                break;
            };
            let (next, other) = candidate.after(player, opponent);
            let value = -self.middle::<PRUNE>(next, other, -alpha - 2, empties - 1);
            if self.stopped {
                return 0;
            }
            if value > best {
                best = value;
                best_square = candidate.square;
                if PRUNE && best > alpha {
                    break;
                }
            }
        }
        if caching {
            self.cache
                .store(key, (player, opponent), alpha, best, best_square);
        }
        if sharing {
            self.share(key, (player, opponent), alpha, (best, best_square), entered);
        }
        best
    }

    /// Takes the moves out whose values the tables already know to be above `alpha` or not. Returns the best of these
    /// bounds: enhanced transposition cut-offs [PLAAT96], and no work on moves that are known to fail.
    #[inline(always)]
    fn take_known<const N: usize>(
        &self,
        list: &mut Candidates<N>,
        (player, opponent): (u64, u64),
        alpha: i32,
        empties: u32,
    ) -> i32 {
        // Waiting for all lines together takes 3 % off the time of FFO 40–44.
        if empties > SHARED_FROM {
            for candidate in list.rest() {
                let (next, other) = candidate.after(player, opponent);
                self.shared.table.prefetch(hash(next, other));
            }
        }
        let mut best = last::NONE;
        list.retain(|candidate| {
            let (next, other) = candidate.after(player, opponent);
            let Some((lower, upper)) = self.known(hash(next, other), (next, other), empties - 1) else {
                return true;
            };
            let (lower, upper) = (-i32::from(upper), -i32::from(lower));
            if lower > alpha {
                best = best.max(lower);
            } else if upper <= alpha {
                best = best.max(upper);
            } else {
                return true;
            }
            false
        });
        best
    }

    /// Returns what the tables know of a board: bounds of its value.
    #[inline(always)]
    fn known(&self, key: u64, (player, opponent): (u64, u64), empties: u32) -> Option<(i8, i8)> {
        if empties <= MIDDLE
            && self.techniques().private_table
            && let Some(entry) = self.cache.probe(key, player, opponent)
        {
            return Some((entry.lower, entry.upper));
        }
        if empties < SHARED_FROM || !self.techniques().shared_table {
            return None;
        }
        let entry = self.shared.table.probe(key, (player, opponent))?;
        Some((entry.lower, entry.upper))
    }

    /// Scores the moves by what they leave the opponent, and by what the evaluation thinks where much lies below.
    #[inline(always)]
    fn score_middle<const N: usize>(
        &self,
        list: &mut Candidates<N>,
        (player, opponent): (u64, u64),
        empties: u32,
    ) {
        let weights = &self.shared.weights;
        let odd = odd_quadrants(!(player | opponent));
        list.score_rest(|candidate| Some(weights.middle.cheap(candidate, (player, opponent), odd)));
        if weights.middle.evaluation != 0 && empties >= weights.evaluation_from {
            self.add_evaluation(list, (player, opponent));
        }
    }

    /// Adds the evaluator's opinion to the scores.
    fn add_evaluation<const N: usize>(&self, list: &mut Candidates<N>, (player, opponent): (u64, u64)) {
        let weight = self.shared.weights.middle.evaluation;
        list.score_rest(|candidate| {
            let (next, other) = candidate.after(player, opponent);
            let board = Board::new_unchecked(Bitboard::new(next), Bitboard::new(other));
            Some(candidate.score - self.shared.evaluator.ordering_score(board).units() * weight / 128)
        });
    }

    /// Searches all moves, one of which wipes the opponent out: only for counting the whole tree.
    #[cold]
    fn every_move(&mut self, player: u64, opponent: u64, moves: u64) -> i32 {
        let mut best = last::NONE;
        for square in Bitboard::new(moves) {
            let board = Board::new_unchecked(Bitboard::new(player), Bitboard::new(opponent));
            let after = board.play_unchecked(square, board.flips(square));
            best =
                best.max(-self.null_window::<false>(after.player().bits(), after.opponent().bits(), 0, true));
            if self.stopped {
                return 0;
            }
        }
        best
    }

    /// More than twelve empties: shared table, enhanced transposition cut-offs, ordering with an evaluation.
    pub(super) fn upper<const PRUNE: bool>(
        &mut self,
        (player, opponent): (u64, u64),
        alpha: i32,
        empties: u32,
        cut_node: bool,
    ) -> i32 {
        if self.enter() {
            return 0;
        }
        let entered = self.nodes;
        if PRUNE && let Some(bound) = self.stability_cut(player, opponent, alpha, empties) {
            return bound;
        }
        let key = hash(player, opponent);
        let sharing = PRUNE && self.techniques().shared_table;
        let mut hints = [NO_MOVE; 2];
        if sharing && let Some(entry) = self.shared.table.probe(key, (player, opponent)) {
            if let Some(bound) = decides((entry.lower, entry.upper), alpha) {
                return bound;
            }
            hints = entry.moves;
        }
        let moves = legal_moves(player, opponent);
        if moves == 0 {
            return if legal_moves(opponent, player) == 0 {
                final_score(player, opponent)
            } else {
                -self.null_window::<PRUNE>(opponent, player, -alpha - 2, !cut_node)
            };
        }
        let mut list = Candidates::<CAPACITY>::new();
        if !list.add_moves((player, opponent), moves) {
            if PRUNE {
                return if self.enter() { 0 } else { 64 };
            }
            return self.every_move(player, opponent, moves);
        }
        let mut best = last::NONE;
        if PRUNE && self.techniques().enhanced_cutoffs {
            best = self.take_known(&mut list, (player, opponent), alpha, empties);
            if best > alpha {
                return best;
            }
        }
        let mut scored = false;
        // Where a cut-off is expected the move that is thought best goes before the work of ordering the others.
        let mut hinted = None;
        if list.len() > 1 {
            self.add_guide(&mut hints, (player, opponent), empties);
            if cut_node {
                hinted = list.take(hints[0]);
            }
        }
        let mut best_square = NO_MOVE;
        loop {
            if hinted.is_none() && !scored {
                scored = true;
                if list.left() > 1 {
                    self.score_upper(&mut list, (player, opponent), hints, empties, cut_node);
                }
                if self.stopped {
                    return 0;
                }
            }
            if PRUNE && empties >= SPLIT_FROM && hinted.is_none() && self.can_split(&list, cut_node) {
                let rest = Rest {
                    board: (player, opponent),
                    alpha,
                    cut_node,
                    best: (best, best_square),
                    moves: list.rest().collect(),
                };
                (best, best_square) = self.split(rest);
                if self.stopped {
                    return 0;
                }
                break;
            }
            let Some(candidate) = hinted.take().or_else(|| list.take_best()) else {
                break;
            };
            let (next, other) = candidate.after(player, opponent);
            let value = -self.null_window::<PRUNE>(next, other, -alpha - 2, !cut_node);
            if self.stopped {
                return 0;
            }
            if value > best {
                best = value;
                best_square = candidate.square;
                if PRUNE && best > alpha {
                    break;
                }
            }
        }
        if sharing {
            self.share(key, (player, opponent), alpha, (best, best_square), entered);
        }
        best
    }

    /// Stores in the shared table what a search above `alpha` found: the best value and its square, begun at `entered`
    /// nodes.
    fn share(&self, key: u64, board: (u64, u64), alpha: i32, (best, square): (i32, u8), entered: u64) {
        let nodes = self.nodes - entered;
        self.shared.table.update(key, board, |old| {
            old.unwrap_or(ExactEntry::unknown(board.0, board.1))
                .learned(alpha, best, square, nodes)
        });
    }

    /// Returns whether a thread waits for work and there is some to share.
    #[inline(always)]
    fn can_split<const N: usize>(&self, list: &Candidates<N>, cut_node: bool) -> bool {
        self.shared.pool.has_idle()
            && list.left() > 1
            && list.len() - list.left() >= MOVES_ALONE[usize::from(cut_node)]
    }
}

/// Returns the one of two bounds of a value that says whether it is above `alpha`, if one does.
#[inline(always)]
fn decides((lower, upper): (i8, i8), alpha: i32) -> Option<i32> {
    let (lower, upper) = (i32::from(lower), i32::from(upper));
    if lower > alpha {
        Some(lower)
    } else {
        (upper <= alpha).then_some(upper)
    }
}
