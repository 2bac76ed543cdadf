//! The node search: principal variation search in 1/128 discs by one thread.
//!
//! ```text
//! node(board, alpha, beta, depth):
//!     no move: the final score, or the value after the pass (which costs no depth)
//!     depth 0: the evaluation; depth 1: the best of the evaluations behind each move
//!     few empties left and the depth reaches the end: the exact solver
//!     the table's bounds decide, or tell the move to try first
//!     ProbCut: a shallow search says that the value is almost surely outside the window
//!     a child's entry in the table already refutes this node
//!     the first move with the full window, the others with a null window, again if they surprise
//!     store the bounds
//! ```
//!
//! Values are fail-soft. Wherever the value is outside `alpha..beta` it is a bound.

use super::{
    balance::Balance,
    busy::Busy,
    moves::{self, MoveList},
};
use crate::{
    estimates::{INFINITE, MidgameEntry, NO_SQUARE, hash},
    probcut::{self, ProbCutTable, Selectivity},
    solver::leaf::LeafSolver,
    techniques::MidgameTechniques,
};
use outflank_eval::{Evaluator, Score};
use outflank_othello::{Bitboard, Board, Move};
use outflank_search::{Control, Stage, Table};
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

/// Nodes between two looks at the clock and the stop token.
const POLL: u64 = 512;
/// Least depth at which children's table entries are looked at for a refutation.
const ENHANCED_FROM: u32 = 4;
/// Least depth at which a thread leaves a move to another that is searching it already.
const DEFER_FROM: u32 = 4;
/// Least depth at which a thread gives a node up once another has decided it.
const ABANDON_FROM: u32 = 6;
/// Least depth at which late moves are searched less deeply.
const REDUCE_FROM: u32 = 8;

/// Moves searched to the full depth before that, in null-window and in principal-variation nodes.
const REDUCE_AFTER: [usize; 2] = [5, 7];

/// What all threads of one search share.
pub(super) struct Shared<'s, E> {
    pub(super) evaluator: &'s E,
    pub(super) probcut: &'s ProbCutTable,
    pub(super) table: &'s Table<MidgameEntry>,
    pub(super) techniques: MidgameTechniques,
    pub(super) control: &'s Control,
    /// Set when one thread has finished the stage, so that the others leave it.
    pub(super) stage_over: &'s AtomicBool,
    /// What other threads are searching; `None` with one thread.
    pub(super) busy: Option<&'s Busy>,
    pub(super) stage: Stage,
    pub(super) selectivity: Selectivity,
    pub(super) age: u8,
}

/// A null-window node whose moves are being searched.
struct OpenNode {
    key: u64,
    board: Board,
    alpha: i32,
    depth: u32,
}

/// What the table says by now of a node that is still being searched.
#[derive(Clone, Copy)]
struct Decided {
    /// Index among the open nodes.
    index: usize,
    bound: i32,
}

/// One thread's search of one stage.
pub(super) struct Worker<'s, E: Evaluator> {
    pub(super) shared: &'s Shared<'s, E>,
    /// Positions entered.
    pub(super) nodes: u64,
    /// Positions that had been entered before this stage began, by all threads.
    pub(super) nodes_before: u64,
    /// Positions that this thread may enter.
    limit: u64,
    next_poll: u64,
    /// Whether the search must end; every value returned since then is meaningless.
    pub(super) stopped: bool,
    /// Expected line from each ply on, inside principal variation nodes.
    pub(super) lines: Vec<Vec<Move>>,
    /// How many ProbCut searches enclose the current node.
    probing: u32,
    /// The null-window nodes around the current one that another thread may decide meanwhile, from the root on.
    open: Vec<OpenNode>,
    /// Which of them was decided, if the search is on its way back to it.
    decided: Option<Decided>,
    leaves: &'s mut LeafSolver<Arc<E>>,
}

impl<'s, E: Evaluator> Worker<'s, E> {
    pub(super) fn new(
        shared: &'s Shared<'s, E>,
        leaves: &'s mut LeafSolver<Arc<E>>,
        nodes_before: u64,
    ) -> Self {
        leaves.stop_with(shared.control.clone());
        Self {
            shared,
            nodes: 0,
            nodes_before,
            limit: shared.control.nodes_left(nodes_before),
            next_poll: 0,
            stopped: false,
            // Every ply places a disc or passes, and two passes end the game.
            lines: vec![Vec::new(); 132],
            probing: 0,
            open: Vec::new(),
            decided: None,
            leaves,
        }
    }

    #[cold]
    fn poll(&mut self) {
        self.stopped |= self.shared.stage_over.load(Ordering::Relaxed)
            || self.shared.control.must_stop(self.nodes_before + self.nodes);
        if !self.stopped {
            self.decided = self.decided_meanwhile();
            self.stopped = self.decided.is_some();
        }
        // As many as are left, so that the limit is met exactly.
        self.next_poll = self.nodes + (self.limit - self.nodes).min(POLL);
    }

    /// Returns the outermost open node that the table decides by now, thanks to another thread.
    fn decided_meanwhile(&self) -> Option<Decided> {
        self.open.iter().enumerate().find_map(|(index, node)| {
            let entry = self.shared.table.probe(node.key, node.board)?;
            let bound = self.decides(&entry, node.alpha, node.alpha + 1, node.depth)?;
            Some(Decided { index, bound })
        })
    }

    /// Returns the value that a table entry has for a node, if it is enough.
    fn decides(&self, entry: &MidgameEntry, alpha: i32, beta: i32, depth: u32) -> Option<i32> {
        if !entry.serves(depth, self.shared.selectivity.confidence) {
            return None;
        }
        let (lower, upper) = (i32::from(entry.lower), i32::from(entry.upper));
        if lower >= beta || lower == upper {
            Some(lower)
        } else {
            (upper <= alpha).then_some(upper)
        }
    }

    /// Counts a node; returns whether the search must end, in which case none was entered.
    #[inline(always)]
    pub(super) fn enter(&mut self) -> bool {
        if self.nodes >= self.next_poll {
            self.poll();
        }
        self.nodes += u64::from(!self.stopped);
        self.stopped
    }

    #[inline(always)]
    fn uses(&self, technique: MidgameTechniques) -> bool {
        self.shared.techniques.has(technique)
    }

    /// Returns the value of `board` for the player to move, in 1/128 disc.
    ///
    /// `cut` says that the value is expected to reach `beta`.
    #[expect(
        clippy::too_many_arguments,
        reason = "the arguments of every alpha-beta search"
    )]
    pub(super) fn node<const PV: bool>(
        &mut self,
        board: Board,
        state: &E::State,
        alpha: i32,
        beta: i32,
        depth: u32,
        ply: usize,
        cut: bool,
    ) -> i32 {
        if self.enter() {
            return 0;
        }
        if PV {
            self.lines[ply].clear();
        }
        let legal = board.legal_moves();
        if legal.is_empty() {
            return self.pass::<PV>(board, state, alpha, beta, depth, ply, cut);
        }
        if depth == 0 {
            let estimate = self.shared.evaluator.evaluate_within(board, state, alpha, beta);
            return estimate.units();
        }
        if depth == 1 {
            return self.frontier::<PV>(board, state, legal, alpha, beta, ply);
        }
        self.inner::<PV>(board, state, legal, (alpha, beta), depth, ply, cut)
    }

    /// No disc can be placed: the final score, or the value after a pass.
    #[expect(
        clippy::too_many_arguments,
        reason = "the arguments of every alpha-beta search"
    )]
    fn pass<const PV: bool>(
        &mut self,
        board: Board,
        state: &E::State,
        alpha: i32,
        beta: i32,
        depth: u32,
        ply: usize,
        cut: bool,
    ) -> i32 {
        let passed = board.passed();
        if passed.legal_moves().is_empty() {
            return Score::from_discs(board.final_discs()).units();
        }
        if depth == 0 {
            let estimate = self.shared.evaluator.evaluate_within(board, state, alpha, beta);
            return estimate.units();
        }
        let state = self.shared.evaluator.after_pass(state);
        let value = -self.node::<PV>(passed, &state, -beta, -alpha, depth, ply + 1, !cut);
        if PV && value > alpha && value < beta {
            self.keep_line(ply, Move::Pass);
        }
        value
    }

    /// One disc before the depth is reached: every child is a leaf.
    fn frontier<const PV: bool>(
        &mut self,
        board: Board,
        state: &E::State,
        legal: Bitboard,
        alpha: i32,
        beta: i32,
        ply: usize,
    ) -> i32 {
        let evaluator = self.shared.evaluator;
        // The leaves are entered together, or none of them.
        if self.limit - self.nodes < u64::from(legal.count()) {
            self.stopped = true;
            return 0;
        }
        // The last empty square ends the game: nothing is estimated after it.
        let balance = if self.uses(MidgameTechniques::BALANCE) && board.empties().count() > 1 {
            Balance::around(evaluator.evaluate(board, state).units())
        } else {
            Balance::OFF
        };
        let (alpha, beta) = (balance.needed(alpha + 1) - 1, balance.needed(beta));
        let mut best = -INFINITE;
        for group in moves::SQUARE_CLASSES {
            for square in legal & group {
                let flips = board.flips(square);
                let child = board.play_unchecked(square, flips);
                self.nodes += 1;
                let value = if child.legal_moves().is_empty() && child.passed().legal_moves().is_empty() {
                    -Score::from_discs(child.final_discs()).units()
                } else {
                    let state = evaluator.after_move(state, board, square, flips);
                    let low = best.max(alpha);
                    -evaluator.evaluate_within(child, &state, -beta, -low).units()
                };
                if value > best {
                    best = value;
                    if PV && value > alpha {
                        self.lines[ply].clear();
                        self.lines[ply].push(Move::Place(square));
                    }
                    if value >= beta {
                        return balance.of(best);
                    }
                }
            }
        }
        balance.of(best)
    }

    /// Two discs and more before the depth is reached.
    #[expect(
        clippy::too_many_arguments,
        reason = "the arguments of every alpha-beta search"
    )]
    fn inner<const PV: bool>(
        &mut self,
        board: Board,
        state: &E::State,
        legal: Bitboard,
        (alpha, beta): (i32, i32),
        depth: u32,
        ply: usize,
        cut: bool,
    ) -> i32 {
        let empties = board.empties().count();
        let depth = depth.min(empties);
        if !PV
            && depth == empties
            && empties <= LeafSolver::<Arc<E>>::MAX_EMPTIES
            && beta - alpha == 1
            && self.uses(MidgameTechniques::SOLVER)
        {
            // "Above alpha" in 1/128 disc is "above the whole number of discs at or below it".
            let above = alpha.div_euclid(Score::PER_DISC);
            // This node has been counted already.
            let nodes = self.nodes_before + self.nodes - 1;
            let next_poll = self.nodes_before + self.next_poll;
            let (value, entered) = self.leaves.null_window(board, above, nodes, next_poll);
            self.nodes += entered.saturating_sub(1);
            self.stopped |= value.is_none();
            return value.unwrap_or(0) * Score::PER_DISC;
        }
        let key = hash(board);
        let entry = if self.uses(MidgameTechniques::TABLE) {
            self.shared.table.probe(key, board)
        } else {
            None
        };
        if !PV
            && let Some(entry) = &entry
            && let Some(value) = self.decides(entry, alpha, beta, depth)
        {
            return value;
        }
        if !PV
            && depth >= probcut::MIN_DEPTH
            && let Some(value) = self.probcut(board, state, beta, depth, empties, ply, cut)
        {
            return value;
        }
        if self.stopped {
            return 0;
        }
        let hint = entry
            .and_then(|entry| entry.best())
            .filter(|&square| legal.contains(square));
        let mut list = MoveList::new(board, legal);
        if !PV
            && depth >= ENHANCED_FROM
            && self.uses(MidgameTechniques::TABLE.with(MidgameTechniques::ENHANCED_CUTOFFS))
            && let Some(value) = self.enhanced_cutoff(board, &list, beta, depth)
        {
            return value;
        }
        if let Some(square) = hint {
            list.put_first(square);
        }
        let open = !PV && self.shared.busy.is_some() && beta - alpha == 1 && depth >= ABANDON_FROM;
        if open {
            self.open.push(OpenNode {
                key,
                board,
                alpha,
                depth,
            });
        }
        let (best, square) = self.children::<PV>(
            board,
            state,
            &mut list,
            hint.is_some(),
            (alpha, beta),
            depth,
            ply,
            cut,
        );
        if open {
            self.open.pop();
            if let Some(decided) = self.decided.take_if(|decided| decided.index == self.open.len()) {
                self.stopped = false;
                return decided.bound;
            }
        }
        if self.stopped {
            return 0;
        }
        if self.uses(MidgameTechniques::TABLE) {
            self.store(key, board, best, (alpha, beta), depth, square);
        }
        best
    }

    /// Searches the moves of a node in turn; returns the best value and its square.
    #[expect(
        clippy::too_many_arguments,
        reason = "the arguments of every alpha-beta search"
    )]
    fn children<const PV: bool>(
        &mut self,
        board: Board,
        state: &E::State,
        list: &mut MoveList,
        hinted: bool,
        (alpha, beta): (i32, i32),
        depth: u32,
        ply: usize,
        cut: bool,
    ) -> (i32, u8) {
        let mut best = -INFINITE;
        let mut best_square = NO_SQUARE;
        // Moves that another thread was searching when their turn came are searched after the others.
        let mut deferred = 0_u64;
        for round in 0..2 {
            for index in 0..list.len() {
                if round == 0 && index == usize::from(hinted) {
                    self.sort_moves(board, state, list.rest(index), alpha, depth, ply, PV, cut);
                    if self.stopped {
                        return (0, NO_SQUARE);
                    }
                }
                if round == 1 && deferred >> index & 1 == 0 {
                    continue;
                }
                let candidate = list[index];
                let child = board.play_unchecked(candidate.square, candidate.flips);
                // Where no cut-off is expected the first move may wait too: all must be searched.
                if round == 0
                    && (index > 0 || !PV && !cut)
                    && depth >= DEFER_FROM
                    && self.shared.busy.is_some_and(|busy| busy.has(hash(child), depth))
                {
                    deferred |= 1 << index;
                    continue;
                }
                let child_state =
                    self.shared
                        .evaluator
                        .after_move(state, board, candidate.square, candidate.flips);
                let busy = self.shared.busy.filter(|_| depth >= DEFER_FROM);
                if let Some(busy) = busy {
                    busy.begin(hash(child), depth);
                }
                let value =
                    self.child::<PV>(child, &child_state, alpha.max(best), beta, depth, ply, cut, index);
                if let Some(busy) = busy {
                    busy.end(hash(child), depth);
                }
                if self.stopped {
                    return (0, NO_SQUARE);
                }
                if value > best {
                    if PV && value > alpha {
                        self.keep_line(ply, Move::Place(candidate.square));
                    }
                    best = value;
                    best_square = candidate.square as u8;
                    if best >= beta {
                        return (best, best_square);
                    }
                }
            }
            if deferred == 0 {
                break;
            }
        }
        (best, best_square)
    }

    /// Searches one child; returns its value for the parent's player.
    #[expect(
        clippy::too_many_arguments,
        reason = "the arguments of every alpha-beta search"
    )]
    pub(super) fn child<const PV: bool>(
        &mut self,
        child: Board,
        state: &E::State,
        alpha: i32,
        beta: i32,
        depth: u32,
        ply: usize,
        cut: bool,
        index: usize,
    ) -> i32 {
        let null_windows = self.uses(MidgameTechniques::NULL_WINDOWS);
        if PV {
            self.lines[ply + 1].clear();
        }
        if index == 0 || !null_windows {
            return if PV {
                -self.node::<true>(child, state, -beta, -alpha, depth - 1, ply + 1, false)
            } else {
                -self.node::<false>(child, state, -beta, -alpha, depth - 1, ply + 1, !cut)
            };
        }
        let reduction = if ply == 0 {
            0
        } else {
            self.reduction(depth, index, PV)
        };
        let mut value = -self.node::<false>(
            child,
            state,
            -alpha - 1,
            -alpha,
            depth - 1 - reduction,
            ply + 1,
            true,
        );
        if reduction > 0 && value > alpha && !self.stopped {
            value = -self.node::<false>(child, state, -alpha - 1, -alpha, depth - 1, ply + 1, true);
        }
        if value > alpha && value < beta && beta - alpha > 1 && !self.stopped {
            value = if PV {
                -self.node::<true>(child, state, -beta, -alpha, depth - 1, ply + 1, false)
            } else {
                -self.node::<false>(child, state, -beta, -alpha, depth - 1, ply + 1, !cut)
            };
        }
        value
    }

    /// Returns by how much a late move is searched less deeply at first.
    fn reduction(&self, depth: u32, index: usize, pv: bool) -> u32 {
        let reduced = depth >= REDUCE_FROM
            && index >= REDUCE_AFTER[usize::from(pv)]
            && !self.shared.stage.to_end
            && self.shared.selectivity == Selectivity::LEVELS[0]
            && self.uses(MidgameTechniques::REDUCTIONS);
        u32::from(reduced)
    }

    /// Returns a bound if a shallow search makes it almost sure that the value is outside the null window below
    /// `beta`.
    #[expect(
        clippy::too_many_arguments,
        reason = "the arguments of every alpha-beta search"
    )]
    fn probcut(
        &mut self,
        board: Board,
        state: &E::State,
        beta: i32,
        depth: u32,
        empties: u32,
        ply: usize,
        cut: bool,
    ) -> Option<i32> {
        /// ProbCut searches inside ProbCut searches, at most.
        const MAX_NESTING: u32 = 2;
        let selectivity = self.shared.selectivity;
        if selectivity == Selectivity::NONE
            || self.probing >= MAX_NESTING
            || !self.uses(MidgameTechniques::PROBCUT)
        {
            return None;
        }
        let alpha = beta - 1;
        let prediction = self.shared.probcut.search(depth, empties);
        let margin = (prediction.sigma * selectivity.margin + 50) / 100;
        let (high, low) = (beta + margin - prediction.mean, alpha - margin - prediction.mean);
        let at_once = self.shared.probcut.static_evaluation(depth, empties);
        let now = self.shared.evaluator.evaluate(board, state).units() + at_once.mean;
        // A shallow search costs less than it saves only where the static evaluation leans the same way.
        let lean = margin / 2;
        let limit = Score::MAX_ESTIMATE.units();
        if now >= beta + lean && high < limit {
            if prediction.depth == 0 {
                return (now - at_once.mean >= high).then_some(beta);
            }
            self.probing += 1;
            let value = self.node::<false>(board, state, high - 1, high, prediction.depth, ply + 1, cut);
            self.probing -= 1;
            if !self.stopped && value >= high {
                return Some(beta);
            }
        } else if now <= alpha - lean && low > -limit {
            if prediction.depth == 0 {
                return (now - at_once.mean <= low).then_some(alpha);
            }
            self.probing += 1;
            let value = self.node::<false>(board, state, low, low + 1, prediction.depth, ply + 1, cut);
            self.probing -= 1;
            if !self.stopped && value <= low {
                return Some(alpha);
            }
        }
        None
    }

    /// Returns a lower bound that reaches `beta` if the table holds one for some child.
    fn enhanced_cutoff(&self, board: Board, list: &MoveList, beta: i32, depth: u32) -> Option<i32> {
        let confidence = self.shared.selectivity.confidence;
        list.iter().find_map(|candidate| {
            let child = board.play_unchecked(candidate.square, candidate.flips);
            let entry = self.shared.table.probe(hash(child), child)?;
            let value = -i32::from(entry.upper);
            (entry.serves(depth - 1, confidence) && value >= beta).then_some(value)
        })
    }

    /// Puts the most promising moves first.
    #[expect(clippy::too_many_arguments, reason = "the node and how it is to be searched")]
    fn sort_moves(
        &mut self,
        board: Board,
        state: &E::State,
        rest: &mut [moves::Candidate],
        alpha: i32,
        depth: u32,
        ply: usize,
        pv: bool,
        cut: bool,
    ) {
        if rest.len() < 2 || !self.uses(MidgameTechniques::ORDERING) {
            return;
        }
        let search_depth = if self.uses(MidgameTechniques::ORDERING_SEARCH) {
            moves::search_depth(depth, pv, cut)
        } else {
            0
        };
        for candidate in rest.iter_mut() {
            let child = board.play_unchecked(candidate.square, candidate.flips);
            candidate.score = moves::quick_score(child, candidate.square);
            if depth >= moves::EVALUATE_FROM {
                let state = self
                    .shared
                    .evaluator
                    .after_move(state, board, candidate.square, candidate.flips);
                let value = if search_depth > 0 {
                    // Moves far below alpha need no order among themselves.
                    let low = alpha.max(-INFINITE + moves::SLACK) - moves::SLACK;
                    self.probing += 2;
                    let value =
                        -self.node::<false>(child, &state, -INFINITE, -low, search_depth, ply + 1, false);
                    self.probing -= 2;
                    if self.stopped {
                        return;
                    }
                    value
                } else {
                    -self.shared.evaluator.rough(child, &state).units()
                };
                candidate.score += value * moves::VALUE_WEIGHT;
            }
        }
        rest.sort_by_key(|candidate| std::cmp::Reverse((candidate.score, candidate.square)));
    }

    fn store(&self, key: u64, board: Board, best: i32, (alpha, beta): (i32, i32), depth: u32, square: u8) {
        let limit = Score::MAX.units();
        let entry = MidgameEntry {
            board,
            lower: (if best > alpha { best } else { -limit }) as i16,
            upper: (if best < beta { best } else { limit }) as i16,
            depth: depth as u8,
            confidence: self.shared.selectivity.confidence,
            square: if best > alpha { square } else { NO_SQUARE },
            age: self.shared.age,
        };
        self.shared
            .table
            .update(key, board, |old| MidgameEntry::merged(old, entry));
    }

    /// The expected line from `ply` on is `mv` and what is expected after it.
    pub(super) fn keep_line(&mut self, ply: usize, mv: Move) {
        let (before, after) = self.lines.split_at_mut(ply + 1);
        before[ply].clear();
        before[ply].push(mv);
        before[ply].extend_from_slice(&after[0]);
    }
}
