//! The selective midgame search: deep estimates before the end of the game can be reached.
//!
//! [`MidgameSearch`] owns what a search keeps from stage to stage (table, private caches, the order of the root
//! moves) and searches one stage at a time, with one thread or several; the root driver of `outflank_search` calls
//! it. The node search itself is in [`worker`].
//!
//! Several threads search the same root. They share the table and tell each other which moves they are at
//! ([`busy`]), so that each works on what the others leave.

mod balance;
mod busy;
mod moves;
mod node;
mod polling;
mod worker;

use crate::{
    estimates::{Guide, MidgameEntry, hash},
    probcut::{ProbCutTable, Selectivity},
    solver::leaf::LeafSolver,
    table::ExactEntry,
    techniques::MidgameTechniques,
};
use busy::Busy;
use node::{Kind, Node};
use outflank_eval::{Evaluator, Score};
use outflank_othello::{Board, Move, Square};
use outflank_search::{Control, RootAnswer, RootRequest, RootSearch, Table, TableError};
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};
use worker::{Shared, Worker};

/// Least depth worth starting other threads for.
const THREADS_FROM: u32 = 7;
/// Memory for what is proven at the leaves of a search that shares no table with a solver.
const PROOF_BYTES: usize = 1 << 16;

/// A midgame search with its memory.
pub struct MidgameSearch<E: Evaluator> {
    evaluator: Arc<E>,
    probcut: Arc<ProbCutTable>,
    techniques: MidgameTechniques,
    table: Arc<Table<MidgameEntry>>,
    /// One per thread.
    leaves: Vec<LeafSolver<Arc<E>>>,
    busy: Busy,
    age: u8,
    board: Board,
    /// Root moves, the most promising first.
    order: Vec<Square>,
    nodes: u64,
}

impl<E: Evaluator> std::fmt::Debug for MidgameSearch<E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MidgameSearch")
            .field("techniques", &self.techniques)
            .field("threads", &self.leaves.len())
            .field("board", &self.board)
            .finish_non_exhaustive()
    }
}

impl<E: Evaluator> MidgameSearch<E> {
    /// Returns a search that judges by `evaluator`, whose statistics are `probcut`, with a table of at most
    /// `table_bytes`.
    ///
    /// # Errors
    ///
    /// Returns [`TableError`] if there is no memory for the table.
    pub fn new(
        evaluator: Arc<E>,
        probcut: Arc<ProbCutTable>,
        techniques: MidgameTechniques,
        table_bytes: usize,
        threads: usize,
    ) -> Result<Self, TableError> {
        let proofs = Arc::new(Table::new(PROOF_BYTES)?);
        Self::proving_into(&proofs, evaluator, probcut, techniques, table_bytes, threads)
    }

    /// As [`MidgameSearch::new`]; the solvers at the leaves keep in `proofs` what they prove.
    pub(crate) fn proving_into(
        proofs: &Arc<Table<ExactEntry>>,
        evaluator: Arc<E>,
        probcut: Arc<ProbCutTable>,
        techniques: MidgameTechniques,
        table_bytes: usize,
        threads: usize,
    ) -> Result<Self, TableError> {
        let leaves = (0..threads.max(1))
            .map(|_| LeafSolver::new(Arc::clone(&evaluator), Arc::clone(proofs)))
            .collect();
        Ok(Self {
            evaluator,
            probcut,
            techniques,
            table: Arc::new(Table::new(table_bytes)?),
            leaves,
            busy: Busy::new(),
            age: 0,
            board: Board::start(),
            order: Vec::new(),
            nodes: 0,
        })
    }

    /// Forgets everything, so that the next search costs the same nodes as in a new engine.
    pub fn clear(&mut self) {
        self.table.new_generation();
        self.leaves.iter_mut().for_each(LeafSolver::clear);
        self.age = 0;
    }

    /// Makes `board` the root. What is known from earlier searches stays known.
    pub fn set_root(&mut self, board: Board) {
        self.board = board;
        self.age = self.age.saturating_add(1);
        self.nodes = 0;
        let mut moves: Vec<_> = board
            .legal_moves()
            .into_iter()
            .map(|square| {
                let child = board.play_unchecked(square, board.flips(square));
                (std::cmp::Reverse(moves::quick_score(child, square)), square)
            })
            .collect();
        moves.sort_unstable();
        self.order = moves.into_iter().map(|(_, square)| square).collect();
        if let Some(entry) = self.table.probe(hash(board), board)
            && let Some(best) = entry.best()
        {
            self.prefer(best);
        }
    }

    /// Returns the legal moves of the root, the most promising first.
    pub fn root_moves(&self) -> &[Square] {
        &self.order
    }

    /// Returns a view of the table for the exact solver.
    pub(crate) fn guide(&self) -> Guide {
        Guide(Arc::clone(&self.table))
    }

    /// Returns the share of the table in use, in thousandths.
    pub fn permille_full(&self) -> usize {
        self.table.permille_full()
    }

    /// Notes that others think `square` best on `board`, so that searches try it first.
    ///
    /// Only the order of moves is taken from outside, never a value; what is known from searches stays.
    pub fn suggest(&self, board: Board, square: Square) {
        let limit = Score::MAX.units() as i16;
        let entry = MidgameEntry {
            board,
            lower: -limit,
            upper: limit,
            depth: 0,
            confidence: 0,
            square: square as u8,
            age: self.age,
        };
        self.table
            .update(hash(board), board, |old| MidgameEntry::merged(old, entry));
    }

    fn prefer(&mut self, square: Square) {
        if let Some(index) = self.order.iter().position(|&other| other == square) {
            self.order[..=index].rotate_right(1);
        }
    }
}

impl<E: Evaluator> RootSearch for MidgameSearch<E> {
    type Move = Move;

    fn search_root(&mut self, request: &RootRequest<'_, Move>, control: &Control) -> RootAnswer<Move> {
        let stage_over = AtomicBool::new(false);
        let threads = if request.stage.depth < THREADS_FROM || !control.is_armed() {
            1
        } else {
            self.leaves.len()
        };
        let shared = Shared {
            evaluator: &*self.evaluator,
            probcut: &self.probcut,
            table: &self.table,
            techniques: self.techniques,
            control,
            stage_over: &stage_over,
            busy: (threads > 1).then_some(&self.busy),
            stage: request.stage,
            selectivity: Selectivity::at_least(request.stage.confidence),
            age: self.age,
        };
        let moves: Vec<_> = self
            .order
            .iter()
            .copied()
            .filter(|&square| !request.excluded.contains(&Move::Place(square)))
            .collect();
        let root = Node {
            board: self.board,
            alpha: request.alpha,
            beta: request.beta,
            depth: request.stage.depth.max(1),
            ply: 0,
            kind: Kind::Principal,
        };
        // The first to finish ends the stage for all threads.
        let search = |worker: &mut Worker<'_, E>| {
            let answer = worker.root(root, &moves);
            if answer.complete {
                stage_over.store(true, Ordering::Relaxed);
            }
            answer
        };
        let (own, others) = self.leaves.split_first_mut().expect("at least one thread");
        let mut worker = Worker::new(&shared, own, self.nodes);
        let mut nodes_of_others = 0;
        let answer = if threads == 1 {
            search(&mut worker)
        } else {
            std::thread::scope(|scope| {
                let helpers: Vec<_> = others
                    .iter_mut()
                    .map(|leaves| {
                        let (shared, search) = (&shared, &search);
                        let nodes = self.nodes;
                        scope.spawn(move || {
                            let mut worker = Worker::new(shared, leaves, nodes);
                            let answer = search(&mut worker);
                            (answer, worker.nodes)
                        })
                    })
                    .collect();
                let mut answer = search(&mut worker);
                stage_over.store(true, Ordering::Relaxed);
                for helper in helpers {
                    // A helper that panicked has only failed to help.
                    if let Ok((other, nodes)) = helper.join() {
                        nodes_of_others += nodes;
                        if !answer.complete && other.complete {
                            answer = other;
                        }
                    }
                }
                answer
            })
        };
        self.nodes += worker.nodes + nodes_of_others;
        if let Some(Move::Place(best)) = answer.moves.first()
            && answer.value > request.alpha
        {
            self.prefer(*best);
        }
        answer
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }
}

/// Returns the value of a finished game in 1/128 disc, for the player to move.
pub(crate) fn final_value(board: Board) -> i32 {
    Score::from_discs(board.final_discs()).units()
}

#[cfg(test)]
mod tests;
