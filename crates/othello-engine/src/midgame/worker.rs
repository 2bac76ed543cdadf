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
    final_value,
    moves::{self, Candidate, MoveList, Picker},
    node::{Kind, Node},
    polling::{Decided, OpenNode},
};
use crate::{
    estimates::{INFINITE, MidgameEntry, NO_SQUARE, hash},
    probcut::{self, ProbCutTable, Selectivity},
    solver::leaf::LeafSolver,
    techniques::MidgameTechniques,
};
use outflank_eval::{Evaluator, Score};
use outflank_othello::{Bitboard, Board, Move, Square};
use outflank_search::{Control, RootAnswer, Stage, Table};
use std::sync::{Arc, atomic::AtomicBool};

/// Least depth at which children's table entries are looked at for a refutation.
const ENHANCED_FROM: u32 = 4;
/// Least depth at which a thread leaves a move to another that is searching it already: below it, moves that come out of
/// their order leave a proof worse moves to try first (docs/endgame.md has the nodes of two threads).
const DEFER_FROM: u32 = 6;
/// Least depth at which late moves are searched less deeply.
const REDUCE_FROM: u32 = 8;
/// Least depth at which a node looks itself up in the table.
const PROBED_FROM: u32 = 2;

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

/// One thread's search of one stage.
pub(super) struct Worker<'s, E: Evaluator> {
    pub(super) shared: &'s Shared<'s, E>,
    /// Positions entered.
    pub(super) nodes: u64,
    /// Positions that had been entered before this stage began, by all threads.
    pub(super) nodes_before: u64,
    /// Positions that this thread may enter.
    pub(super) limit: u64,
    /// Count of nodes at which it looks up next.
    pub(super) next_poll: u64,
    /// Whether the search must end; every value returned since then is meaningless.
    pub(super) stopped: bool,
    /// Expected line from each ply on, inside principal variation nodes.
    lines: Vec<Vec<Move>>,
    /// How many ProbCut searches enclose the current node.
    probing: u32,
    /// The null-window nodes around the current one that another thread may decide meanwhile, from the root on.
    pub(super) open: Vec<OpenNode>,
    /// Which of them was decided, if the search is on its way back to it.
    pub(super) decided: Option<Decided>,
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

    /// Searches every move of the root, given in the order to try them; returns what was found, with the best moves
    /// of those that were searched if the search had to end.
    pub(super) fn root(&mut self, root: Node, moves: &[Square]) -> RootAnswer<Move> {
        let state = self.shared.evaluator.state(root.board);
        self.lines[0].clear();
        let mut value = -INFINITE;
        let mut complete = false;
        if !self.enter() {
            let mut list = MoveList::EMPTY;
            list.add(root.board, moves.iter().copied());
            let sorted = list.len();
            (value, _) = self.children(&root, &state, &mut list, sorted);
            complete = !self.stopped;
        }
        RootAnswer {
            moves: self.lines[0].clone(),
            value,
            complete,
        }
    }

    #[inline(always)]
    fn uses(&self, technique: MidgameTechniques) -> bool {
        self.shared.techniques.has(technique)
    }

    /// Returns the value that a table entry has for a node, if it is enough.
    #[inline]
    pub(super) fn decides(&self, entry: &MidgameEntry, node: &Node) -> Option<i32> {
        if !entry.serves(node.depth, self.shared.selectivity.confidence) {
            return None;
        }
        let (lower, upper) = (i32::from(entry.lower), i32::from(entry.upper));
        if lower >= node.beta || lower == upper {
            Some(lower)
        } else {
            (upper <= node.alpha).then_some(upper)
        }
    }

    /// Returns the value of a node for the player to move, in 1/128 disc.
    fn node(&mut self, node: Node, state: &E::State) -> i32 {
        if self.enter() {
            return 0;
        }
        if node.is_principal() {
            self.lines[node.ply].clear();
        }
        let legal = node.board.legal_moves();
        if legal.is_empty() {
            return self.pass(&node, state);
        }
        match node.depth {
            0 => self.estimate(&node, state),
            1 => self.frontier(&node, state, legal),
            _ => self.inner(node, state, legal),
        }
    }

    #[inline(always)]
    fn estimate(&self, node: &Node, state: &E::State) -> i32 {
        let evaluator = self.shared.evaluator;
        evaluator
            .evaluate_within(node.board, state, node.alpha, node.beta)
            .units()
    }

    /// No disc can be placed: the final score, or the value after a pass.
    fn pass(&mut self, node: &Node, state: &E::State) -> i32 {
        let passed = node.after_pass();
        if passed.board.legal_moves().is_empty() {
            return final_value(node.board);
        }
        if node.depth == 0 {
            return self.estimate(node, state);
        }
        let state = self.shared.evaluator.after_pass(state);
        let value = -self.node(passed, &state);
        if node.is_principal() && value > node.alpha && value < node.beta {
            self.keep_line(node.ply, Move::Pass);
        }
        value
    }

    /// One disc before the depth is reached: every child is a leaf.
    fn frontier(&mut self, node: &Node, state: &E::State, legal: Bitboard) -> i32 {
        let evaluator = self.shared.evaluator;
        let board = node.board;
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
        let (alpha, beta) = (balance.needed(node.alpha + 1) - 1, balance.needed(node.beta));
        let mut best = -INFINITE;
        for group in moves::SQUARE_CLASSES {
            for square in legal & group {
                let flips = board.flips(square);
                let child = board.play_unchecked(square, flips);
                self.nodes += 1;
                let value = if child.legal_moves().is_empty() && child.passed().legal_moves().is_empty() {
                    -final_value(child)
                } else {
                    let state = evaluator.after_move(state, board, square, flips);
                    let low = best.max(alpha);
                    -evaluator.evaluate_within(child, &state, -beta, -low).units()
                };
                if value > best {
                    best = value;
                    if node.is_principal() && value > alpha {
                        self.lines[node.ply].clear();
                        self.lines[node.ply].push(Move::Place(square));
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
    fn inner(&mut self, mut node: Node, state: &E::State, legal: Bitboard) -> i32 {
        let board = node.board;
        let empties = board.empties().count();
        node.depth = node.depth.min(empties);
        if !node.is_principal()
            && node.depth == empties
            && empties <= LeafSolver::<Arc<E>>::MAX_EMPTIES
            && node.has_null_window()
            && self.uses(MidgameTechniques::SOLVER)
        {
            return self.solve(&node);
        }
        let key = hash(board);
        let uses_table = self.uses(MidgameTechniques::TABLE);
        let entry = if uses_table {
            self.shared.table.probe(key, board)
        } else {
            None
        };
        if !node.is_principal() {
            if let Some(entry) = &entry
                && let Some(value) = self.decides(entry, &node)
            {
                return value;
            }
            if node.depth >= probcut::MIN_DEPTH
                && let Some(value) = self.probcut(&node, state, empties)
            {
                return value;
            }
            if self.stopped {
                return 0;
            }
        }
        let hint = entry
            .and_then(|entry| entry.best())
            .filter(|&square| legal.contains(square));
        let mut list = MoveList::EMPTY;
        list.add(board, legal);
        if !node.is_principal()
            && node.depth >= ENHANCED_FROM
            && uses_table
            && self.uses(MidgameTechniques::ENHANCED_CUTOFFS)
            && let Some(value) = self.enhanced_cutoff(&node, &list)
        {
            return value;
        }
        if let Some(square) = hint {
            list.put_first(square);
        }
        let sorted = usize::from(hint.is_some());
        let found = self.unless_decided(key, &node, |worker| {
            worker.children(&node, state, &mut list, sorted)
        });
        let (best, square) = match found {
            Err(bound) => return bound,
            Ok(_) if self.stopped => return 0,
            Ok(found) => found,
        };
        if uses_table {
            self.store(key, &node, best, square);
        }
        best
    }

    /// Returns the value of a null-window node to the end of the game.
    fn solve(&mut self, node: &Node) -> i32 {
        // "Above alpha" in 1/128 disc is "above the whole number of discs at or below it".
        let above = node.alpha.div_euclid(Score::PER_DISC);
        // This node has been counted already.
        let nodes = self.nodes_before + self.nodes - 1;
        let next_poll = self.nodes_before + self.next_poll;
        let (value, entered) = self.leaves.null_window(node.board, above, nodes, next_poll);
        self.nodes += entered.saturating_sub(1);
        self.stopped |= value.is_none();
        value.unwrap_or(0) * Score::PER_DISC
    }

    /// Searches the moves of a node in turn, of which the first `sorted` are in their order; returns the best value and
    /// its square, of the moves that were searched if the search has to end.
    fn children(&mut self, node: &Node, state: &E::State, list: &mut MoveList, sorted: usize) -> (i32, u8) {
        let mut best = -INFINITE;
        let mut best_square = NO_SQUARE;
        let busy = self.shared.busy.filter(|_| node.depth >= DEFER_FROM);
        // Where no cut-off is expected the first move may wait for another thread, too: all must be searched.
        let defer_from = usize::from(node.kind != Kind::All);
        let mut picker = Picker::new(list);
        loop {
            if picker.begun() == sorted && self.score_moves(node, state, picker.rest()) {
                picker.go_by_score();
            }
            let Some(pick) = picker.pick() else { break };
            let Candidate { square, flips, .. } = pick.candidate;
            let child = node.board.play_unchecked(square, flips);
            if !pick.again
                && pick.index >= defer_from
                && busy.is_some_and(|busy| busy.has(hash(child), node.depth))
            {
                picker.defer(&pick);
                continue;
            }
            if node.depth > PROBED_FROM {
                self.shared.table.prefetch(hash(child));
            }
            let child_state = self.shared.evaluator.after_move(state, node.board, square, flips);
            let mark = busy.map(|busy| busy.begin(hash(child), node.depth));
            let value = self.child(node, child, &child_state, node.alpha.max(best), pick.index);
            drop(mark);
            if self.stopped {
                break;
            }
            if value > best {
                // Of the root a line is wanted even if it is only the longest defense.
                if node.is_principal() && (value > node.alpha || node.ply == 0) {
                    self.keep_line(node.ply, Move::Place(square));
                }
                best = value;
                best_square = square as u8;
                if best >= node.beta {
                    break;
                }
            }
        }
        (best, best_square)
    }

    /// Searches the move to `child`, the one at `index`; returns its value for the player of `node`.
    fn child(&mut self, node: &Node, child: Board, state: &E::State, alpha: i32, index: usize) -> i32 {
        let full = node.after_move(child, alpha);
        if node.is_principal() {
            self.lines[full.ply].clear();
        }
        if index == 0 || !self.uses(MidgameTechniques::NULL_WINDOWS) {
            return -self.node(full, state);
        }
        let null = Node {
            alpha: -alpha - 1,
            kind: Kind::Cut,
            ..full
        };
        let reduction = self.reduction(node, index);
        let reduced = Node {
            depth: null.depth - reduction,
            ..null
        };
        let mut value = -self.node(reduced, state);
        if reduction > 0 && value > alpha && !self.stopped {
            value = -self.node(null, state);
        }
        if value > alpha && value < node.beta && node.beta - alpha > 1 && !self.stopped {
            value = -self.node(full, state);
        }
        value
    }

    /// Returns by how much a late move is searched less deeply at first.
    fn reduction(&self, node: &Node, index: usize) -> u32 {
        let reduced = node.depth >= REDUCE_FROM
            && node.ply > 0
            && index >= REDUCE_AFTER[usize::from(node.is_principal())]
            && !self.shared.stage.to_end
            && self.shared.selectivity == Selectivity::LEVELS[0]
            && self.uses(MidgameTechniques::REDUCTIONS);
        u32::from(reduced)
    }

    /// Returns a bound if a shallow search makes it almost sure that the value is outside the null window below
    /// beta.
    fn probcut(&mut self, node: &Node, state: &E::State, empties: u32) -> Option<i32> {
        /// ProbCut searches inside ProbCut searches, at most.
        const MAX_NESTING: u32 = 2;
        let selectivity = self.shared.selectivity;
        if selectivity == Selectivity::NONE
            || self.probing >= MAX_NESTING
            || !self.uses(MidgameTechniques::PROBCUT)
        {
            return None;
        }
        let (alpha, beta) = (node.beta - 1, node.beta);
        let prediction = self.shared.probcut.search(node.depth, empties);
        let margin = (prediction.sigma * selectivity.margin + 50) / 100;
        let (high, low) = (beta + margin - prediction.mean, alpha - margin - prediction.mean);
        let at_once = self.shared.probcut.static_evaluation(node.depth, empties);
        let now = self.shared.evaluator.evaluate(node.board, state).units() + at_once.mean;
        // A shallow search costs less than it saves only where the static evaluation leans the same way.
        let lean = margin / 2;
        let limit = Score::MAX_ESTIMATE.units();
        if now >= beta + lean && high < limit {
            if prediction.depth == 0 {
                return (now - at_once.mean >= high).then_some(beta);
            }
            let value = self.probe(node.shallow(high - 1, prediction.depth), state);
            if !self.stopped && value >= high {
                return Some(beta);
            }
        } else if now <= alpha - lean && low > -limit {
            if prediction.depth == 0 {
                return (now - at_once.mean <= low).then_some(alpha);
            }
            let value = self.probe(node.shallow(low, prediction.depth), state);
            if !self.stopped && value <= low {
                return Some(alpha);
            }
        }
        None
    }

    /// Searches the node of a ProbCut.
    fn probe(&mut self, node: Node, state: &E::State) -> i32 {
        self.probing += 1;
        let value = self.node(node, state);
        self.probing -= 1;
        value
    }

    /// Returns a lower bound that reaches beta if the table holds one for some child.
    fn enhanced_cutoff(&self, node: &Node, list: &MoveList) -> Option<i32> {
        let confidence = self.shared.selectivity.confidence;
        // Waiting for all lines together and fetching those of children ahead takes 5 % off the time of hard-25 at depth 15.
        for candidate in list.iter() {
            let child = node.board.play_unchecked(candidate.square, candidate.flips);
            self.shared.table.prefetch(hash(child));
        }
        list.iter().find_map(|candidate| {
            let child = node.board.play_unchecked(candidate.square, candidate.flips);
            let entry = self.shared.table.probe(hash(child), child)?;
            let value = -i32::from(entry.upper);
            (entry.serves(node.depth - 1, confidence) && value >= node.beta).then_some(value)
        })
    }

    /// Scores moves by how promising they are; returns whether they are to be ordered.
    #[inline(never)]
    fn score_moves(&self, node: &Node, state: &E::State, rest: &mut [Candidate]) -> bool {
        if rest.len() < 2 || !self.uses(MidgameTechniques::ORDERING) {
            return false;
        }
        let evaluator = self.shared.evaluator;
        for candidate in rest.iter_mut() {
            let Candidate { square, flips, .. } = *candidate;
            let child = node.board.play_unchecked(square, flips);
            candidate.score = moves::quick_score(child, square);
            if node.depth >= moves::ROUGH_FROM {
                let state = evaluator.after_move(state, node.board, square, flips);
                let value = if node.depth >= moves::EVALUATE_FROM {
                    evaluator.evaluate(child, &state)
                } else {
                    evaluator.rough(child, &state)
                };
                candidate.score -= value.units() * moves::VALUE_WEIGHT;
            }
        }
        true
    }

    fn store(&self, key: u64, node: &Node, best: i32, square: u8) {
        let limit = Score::MAX.units();
        let entry = MidgameEntry {
            board: node.board,
            lower: (if best > node.alpha { best } else { -limit }) as i16,
            upper: (if best < node.beta { best } else { limit }) as i16,
            depth: node.depth as u8,
            confidence: self.shared.selectivity.confidence,
            square: if best > node.alpha { square } else { NO_SQUARE },
            age: self.shared.age,
        };
        self.shared
            .table
            .update(key, node.board, |old| MidgameEntry::merged(old, entry));
    }

    /// The expected line from `ply` on is `mv` and what is expected after it.
    fn keep_line(&mut self, ply: usize, mv: Move) {
        let (before, after) = self.lines.split_at_mut(ply + 1);
        before[ply].clear();
        before[ply].push(mv);
        before[ply].extend_from_slice(&after[0]);
    }
}
