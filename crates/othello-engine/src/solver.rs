//! The exact endgame solver: the value of a position under perfect play of both sides.

mod cache;
mod estimate;
mod last;
mod last_move;
pub(crate) mod leaf;
mod pool;
mod principal;
mod recording;
mod split;
mod worker;

use crate::{
    error::EngineError, estimates::Guide, ordering::OrderingWeights, table::ExactEntry,
    techniques::Techniques,
};
use outflank_eval::Evaluator;
use outflank_othello::{Board, Discs, Move, Square};
use outflank_search::{Clock, Control, Table, Verdict};
use pool::Helpers;
use principal::Line;
use recording::Recording;
use split::{Pool, Shared};
use std::sync::{Arc, atomic::Ordering::Relaxed};
use worker::Worker;

pub use recording::{Sharing, Wait};

/// What a [`Solver`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolverOptions {
    /// Size of the shared table in bytes, rounded down to a power of two.
    pub table_bytes: usize,
    /// Threads that search one position; at least 1.
    pub threads: usize,
    /// What the search uses.
    pub techniques: Techniques,
    /// How moves are ordered.
    pub weights: OrderingWeights,
}

impl Default for SolverOptions {
    /// One thread, 64 MiB, everything on.
    fn default() -> Self {
        Self {
            table_bytes: 64 << 20,
            threads: 1,
            techniques: Techniques::ALL,
            weights: OrderingWeights::TUNED,
        }
    }
}

/// What to find out about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolverGoal {
    /// The exact value.
    Exact,
    /// Only whether it is a win, a draw or a loss.
    WinLossDraw,
    /// The exact value if it is between these two; else only that it is not above the first, or not below the second.
    Window(Discs, Discs),
    /// The exact value of every legal move.
    AllMoves,
}

/// A move and its exact value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveValue {
    /// Where the disc is placed.
    pub square: Square,
    /// The value for the player who places it.
    pub value: Discs,
}

/// What a [`Solver`] found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolveResult {
    /// In discs for the player to move; see `verdict`.
    pub value: Discs,
    /// What the value is worth. If only its sign is proven, it is −2 for a loss, 0 for a draw and +2 for a win.
    pub verdict: Verdict,
    /// The best line, passes included, as far as it is known; its first move is the best move.
    ///
    /// Empty if the game is over, if the search was stopped, or if the value is only an upper bound.
    pub pv: Vec<Move>,
    /// With [`SolverGoal::AllMoves`], every legal move, best first; those finished, if the search was stopped.
    pub moves: Vec<MoveValue>,
    /// Positions entered.
    pub nodes: u64,
}

impl SolveResult {
    /// Returns the best move; `None` if none is known or there is none but a pass.
    pub fn best(&self) -> Option<Square> {
        self.pv.first().and_then(|mv| mv.square())
    }

    /// Returns what a search reports that was stopped before it found anything.
    pub(crate) const fn aborted(nodes: u64) -> Self {
        Self {
            value: Discs::ZERO,
            verdict: Verdict::Aborted,
            pv: Vec::new(),
            moves: Vec::new(),
            nodes,
        }
    }

    /// Returns the result for every legal move of `board` from what `solve` says of the positions behind them.
    ///
    /// Ends with the first that is aborted; the nodes are those of the positions behind, and one.
    pub(crate) fn of_all_moves(board: Board, mut solve: impl FnMut(Board) -> Self) -> Self {
        let legal = board.legal_moves();
        let mut all = Self::aborted(1);
        for square in legal {
            let child = solve(board.play_unchecked(square, board.flips(square)));
            all.nodes += child.nodes;
            if child.verdict == Verdict::Aborted {
                break;
            }
            let value = -child.value;
            all.moves.push(MoveValue { square, value });
            if all.pv.is_empty() || value > all.value {
                all.value = value;
                all.pv = vec![Move::Place(square)];
                all.pv.extend(child.pv);
            }
        }
        all.moves.sort_by_key(|entry| std::cmp::Reverse(entry.value));
        if all.moves.len() == legal.count() as usize {
            all.verdict = Verdict::Exact;
        }
        all
    }
}

/// An exact solver with its tables and threads.
///
/// # Examples
///
/// ```
/// use outflank_eval::HandMade;
/// use outflank_othello::Position;
/// use outflank_othello_engine::{Solver, SolverGoal, SolverOptions};
/// use outflank_search::Control;
///
/// let position: Position = "OXXOX---OXXOX--XOXOXXXXXOOXOXXXXOOXXOXXX--XXXOXX-OOOXXX-OOOOOOXO O".parse()?;
/// let options = SolverOptions { table_bytes: 1 << 20, ..SolverOptions::default() };
/// let mut solver = Solver::new(HandMade, options)?;
/// let result = solver.solve(position.board(), SolverGoal::Exact, &Control::unlimited());
/// assert_eq!(result.value.get(), 46);
/// assert_eq!(result.best().map(|square| square.to_string()), Some("b6".to_owned()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Solver<E> {
    shared: Arc<Shared<E>>,
    worker: Worker<E>,
    /// Kept for its `Drop`, which ends the threads.
    _helpers: Helpers<E>,
}

impl<E: Evaluator + 'static> Solver<E> {
    /// Returns a solver that orders moves by `evaluator`.
    ///
    /// # Errors
    ///
    /// Returns [`EngineError`] if there is no memory for the table, or no thread to be had.
    pub fn new(evaluator: E, options: SolverOptions) -> Result<Self, EngineError> {
        let proofs = Arc::new(Table::new(options.table_bytes)?);
        Self::guided(evaluator, options, None, proofs)
    }

    /// As [`Solver::new`], with a selective search whose best moves are tried first, and `proofs` for its table.
    pub(crate) fn guided(
        evaluator: E,
        options: SolverOptions,
        guide: Option<Guide>,
        proofs: Arc<Table<ExactEntry>>,
    ) -> Result<Self, EngineError> {
        let techniques = &options.techniques;
        let mut weights = options.weights;
        weights.middle = weights.middle.only(techniques);
        weights.upper = weights.upper.only(techniques);
        weights.top = weights.top.only(techniques);
        if !techniques.ordering_search {
            weights.search_from = [u32::MAX; 3];
        }
        let shared = Arc::new(Shared {
            evaluator,
            table: proofs,
            techniques: options.techniques,
            guide: guide.filter(|_| options.techniques.guide),
            weights,
            pool: Pool::default(),
        });
        Ok(Self {
            _helpers: Helpers::start(&shared, options.threads.saturating_sub(1))?,
            worker: Worker::new(Arc::clone(&shared)),
            shared,
        })
    }

    /// Solves `board` for the player to move; ends early if `control` says so. With one thread a limit of nodes is never
    /// exceeded.
    ///
    /// Every call starts from tables that are empty as far as it can tell, so that with one thread the same question
    /// costs the same nodes every time.
    pub fn solve(&mut self, board: Board, goal: SolverGoal, control: &Control) -> SolveResult {
        self.forget();
        self.resume(board, goal, control)
    }

    /// Records from now on when threads wait and how often they share nodes, by `clock`.
    pub fn record(&mut self, clock: Arc<dyn Clock>) {
        self.shared.pool.record(Some(Recording::new(clock)));
    }

    /// Ends the recording and returns it; `None` if there was none.
    pub fn recorded(&mut self) -> Option<Sharing> {
        self.shared.pool.record(None).map(Recording::end)
    }

    /// Forgets every bound that was proven.
    pub fn forget(&mut self) {
        self.shared.table.new_generation();
        self.worker.cache.clear();
    }

    /// As [`Solver::solve`], but with the bounds proven by earlier calls, which hold for ever.
    pub fn resume(&mut self, board: Board, goal: SolverGoal, control: &Control) -> SolveResult {
        self.worker.nodes = 0;
        self.shared.pool.helper_nodes.store(0, Relaxed);
        self.worker.begin(Arc::new(control.clone()));
        let mut result = match goal {
            SolverGoal::Exact => self.solve_window(board, -66, 66),
            SolverGoal::WinLossDraw => {
                let mut result = self.solve_window(board, -2, 2);
                if result.verdict != Verdict::Aborted {
                    result.verdict = Verdict::WinLossDraw;
                    result.value = Discs::saturating(2 * result.value.get().signum());
                }
                result
            }
            SolverGoal::Window(low, high) => {
                let alpha = low.get().min(high.get()).div_euclid(2) * 2;
                let beta = -((-low.get().max(high.get())).div_euclid(2) * 2);
                self.solve_window(board, alpha, beta.max(alpha + 2))
            }
            SolverGoal::AllMoves => self.solve_all_moves(board),
        };
        result.nodes = self.worker.nodes + self.shared.pool.helper_nodes.load(Relaxed);
        result
    }

    /// Solves with an open window; both ends even.
    fn solve_window(&mut self, board: Board, alpha: i32, beta: i32) -> SolveResult {
        let mut line = Line::new();
        let discs = (board.player().bits(), board.opponent().bits());
        let value = if self.shared.techniques.pruning {
            self.worker.principal(discs, alpha, beta, &mut line)
        } else {
            self.worker.null_window::<false>(discs.0, discs.1, 0, true)
        };
        let verdict = match value {
            _ if self.worker.stopped => Verdict::Aborted,
            _ if board.is_game_over() => Verdict::Exact,
            v if v <= alpha => Verdict::AtMost,
            v if v >= beta => Verdict::AtLeast,
            _ => Verdict::Exact,
        };
        if verdict == Verdict::Aborted {
            line.clear();
        }
        SolveResult {
            value: Discs::saturating(value),
            verdict,
            pv: line,
            moves: Vec::new(),
            nodes: 0,
        }
    }

    /// Solves every move with a full window; the tables of one help the others.
    fn solve_all_moves(&mut self, board: Board) -> SolveResult {
        if board.legal_moves().is_empty() {
            return self.solve_window(board, -66, 66);
        }
        if self.worker.enter() {
            return SolveResult::aborted(0);
        }
        SolveResult::of_all_moves(board, |child| self.solve_window(child, -66, 66))
    }
}

impl<E> std::fmt::Debug for Solver<E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Solver")
            .field("techniques", &self.shared.techniques)
            .finish_non_exhaustive()
    }
}
