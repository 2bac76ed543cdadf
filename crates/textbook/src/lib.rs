//! The textbook searches, each in its clean form, generic over the game and the evaluation.
//!
//! They are what a student reads, what the laboratory compares, and the oracles that the fast engines are held to:
//! every full-width method here ([`Method::is_full_width`]) returns the value of plain [`Method::Minimax`].
//! The documents that comments name by a letter, A to E, have their titles in `docs/requirements.md`.
//!
//! Conventions shared by all of them:
//! - Values are for the player to move, in the evaluator's unit.
//! - Depth counts placed stones; a pass costs no depth. At depth 0 a state is evaluated as it stands (also where
//!   the player to move would have to pass), unless the game is over, which gives the value of the outcome.
//! - A node is a state entered by the search, the root and the leaves included: without pruning and without a
//!   table the count is the size of the tree.
//! - A cut-off is a node left before its last move, or at it, because its value reached beta; a hit is a probe that
//!   found the state in the table, whether or not it ended the node.
//! - Among equally good moves the first one is taken, or one at random from a seed ([`Ties`]).
//!
//! ```
//! use outflank_game::{ToyGame, toy::ToyValue};
//! use outflank_textbook::{Method, Settings, search};
//! let game = ToyGame::new("((3 5) (2 (9 1)))".parse()?);
//! let report = search(&Settings::new(Method::AlphaBeta), &game, &ToyValue, 9);
//! assert_eq!((report.value, report.best, report.line), (3, Some(0), vec![0, 0]));
//! assert_eq!(report.counters.nodes, 6); // the subtree (9 1) is cut off
//! # Ok::<(), outflank_game::toy::ParseToyTreeError>(())
//! ```

mod alpha_beta;
mod common;
mod deepening;
mod engine;
pub mod mcts;
mod memory;
mod minimax;
mod mtdf;
mod probcut;
mod pvs;
mod stack;
mod state_table;

pub use deepening::{Deepened, deepen};
pub use engine::SearchEngine;
pub use probcut::{Cut, Cuts};
pub use state_table::{Bound, Entry, Keys, StateTable, TableOptions};

use common::{Algorithm, Core};
use outflank_game::{Evaluate, GameState, SplitMix64};
use outflank_search::Control;
use std::fmt;

/// Beyond every value: evaluations and outcomes are clamped to ±(`INFINITE` − 1).
pub const INFINITE: i32 = 1_000_000_000;

/// A search method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Every state, a maximizer and a minimizer in turn, no memory.
    Minimax,
    /// The same with a cache of computed states.
    MinimaxCached(TableOptions),
    /// Alpha-beta in its maximizer and minimizer form, recursive.
    AlphaBeta,
    /// Alpha-beta with an explicit stack in the place of recursion.
    AlphaBetaStack,
    /// Alpha-beta in negamax form: one function, values change sign.
    Negamax,
    /// Negamax alpha-beta with a transposition table.
    AlphaBetaTable(TableOptions),
    /// Principal variation search: null windows after the first move, with a table or without.
    Pvs(Option<TableOptions>),
    /// MTD(f): null windows only, over alpha-beta with memory.
    MtdF(TableOptions, Reorder),
    /// Principal variation search with a table and Multi-ProbCut: not full-width, so that its value may differ from
    /// minimax's. Without any cut in it, it is full-width.
    ProbCut(TableOptions, Cuts),
}

impl Method {
    /// Returns whether theory holds this method to minimax's value.
    pub const fn is_full_width(&self) -> bool {
        !matches!(self, Self::MtdF(_, Reorder::AsWritten) | Self::ProbCut(..))
    }
}

impl fmt::Display for Method {
    /// Writes the name that the laboratory uses: `alpha-beta+table+canonical`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, table) = match self {
            Self::Minimax => ("minimax", None),
            Self::MinimaxCached(table) => ("minimax", Some(table)),
            Self::AlphaBeta => ("alpha-beta", None),
            Self::AlphaBetaStack => ("alpha-beta-stack", None),
            Self::Negamax => ("negamax", None),
            Self::AlphaBetaTable(table) => ("alpha-beta", Some(table)),
            Self::Pvs(table) => ("pvs", table.as_ref()),
            Self::MtdF(table, _) => ("mtdf", Some(table)),
            Self::ProbCut(table, _) => ("probcut", Some(table)),
        };
        f.write_str(name)?;
        if let Some(table) = table {
            f.write_str("+table")?;
            if table.canonical {
                f.write_str("+canonical")?;
            }
            if table.keys == Keys::Direct {
                f.write_str("+direct")?;
            }
        }
        match self {
            Self::MtdF(_, Reorder::AsWritten) => f.write_str("+reorder-as-written"),
            Self::MtdF(_, Reorder::Corrected) => f.write_str("+reorder"),
            _ => Ok(()),
        }
    }
}

/// What MTD(f) does about move ordering before it searches a node of more than four plies.
///
/// Document E's printed code runs the move loop twice, first two plies shallower, and sorts the moves in between;
/// but it keeps the best value and alpha of the shallow round, so that a shallow value can be returned as a deep one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reorder {
    /// Nothing: only the table's move goes first.
    Off,
    /// As printed, unsound: the value can differ from minimax.
    AsWritten,
    /// The shallow round sorts the moves and is then forgotten.
    Corrected,
}

/// In which order a node's moves are tried, the table's move (where there is one) always first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// As the game generates them.
    #[default]
    Generated,
    /// By the static value of the state after the move, best first; the evaluations are counted.
    Evaluated,
}

/// Which of several equally good root moves is returned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ties {
    /// The first in the order tried.
    #[default]
    First,
    /// One at random. Finding them all costs extra null-window searches, which are counted.
    Random {
        /// The seed of the choice.
        seed: u64,
    },
}

/// A method with its options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The method.
    pub method: Method,
    /// Move ordering.
    pub order: Order,
    /// Choice among equal root moves.
    pub ties: Ties,
}

impl Settings {
    /// Returns `method` with generated move order and the first of equal moves.
    pub const fn new(method: Method) -> Self {
        Self {
            method,
            order: Order::Generated,
            ties: Ties::First,
        }
    }
}

/// What a search did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// States entered.
    pub nodes: u64,
    /// Calls of the evaluation, those for ordering included.
    pub evaluations: u64,
    /// Look-ups in the table or cache.
    pub probes: u64,
    /// Look-ups that found the state.
    pub hits: u64,
    /// Nodes left early because the value reached beta, table cut-offs included.
    pub cutoffs: u64,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report<M> {
    /// Value for the player to move at the root, in the evaluator's unit.
    pub value: i32,
    /// The chosen move; `None` if the game is over (or the depth is 0).
    pub best: Option<M>,
    /// The expected line, starting with `best`; may end early where the value came from a table.
    pub line: Vec<M>,
    /// Depth searched, in placed stones.
    pub depth: u32,
    /// Whether the search ran to its end; if not, value and line mean nothing.
    pub complete: bool,
    /// What it cost.
    pub counters: Counters,
}

/// Searches `game` to `depth` placed stones.
pub fn search<G: GameState, E: Evaluate<G>>(
    settings: &Settings,
    game: &G,
    evaluate: &E,
    depth: u32,
) -> Report<G::Move> {
    search_within(settings, game, evaluate, depth, &Control::unlimited())
}

/// As [`search`], until `control` says so; the report is then not [complete](Report::complete).
pub fn search_within<G: GameState, E: Evaluate<G>>(
    settings: &Settings,
    game: &G,
    evaluate: &E,
    depth: u32,
    control: &Control,
) -> Report<G::Move> {
    Runner::new(settings, Core::new(evaluate, settings.order, control)).run(game, depth, 0, None)
}

/// Returns every root move whose value at `depth` equals the best, in generated order.
pub fn best_moves<G: GameState, E: Evaluate<G>>(
    settings: &Settings,
    game: &G,
    evaluate: &E,
    depth: u32,
) -> Vec<G::Move> {
    let control = Control::unlimited();
    let mut runner = Runner::new(settings, Core::new(evaluate, settings.order, &control));
    let value = runner.run(game, depth, 0, None).value;
    runner.equal_moves(game, depth, value)
}

/// A method with its memory, kept from one iteration to the next.
struct Runner<'a, G: GameState, E> {
    core: Core<'a, G, E>,
    algorithm: Box<dyn Algorithm<G, E> + 'a>,
    ties: Ties,
}

impl<'a, G: GameState + 'a, E: Evaluate<G> + 'a> Runner<'a, G, E> {
    fn new(settings: &Settings, core: Core<'a, G, E>) -> Self {
        let algorithm: Box<dyn Algorithm<G, E>> = match settings.method {
            Method::Minimax => Box::new(minimax::Minimax::<G>::new(None)),
            Method::MinimaxCached(options) => Box::new(minimax::Minimax::<G>::new(Some(options))),
            Method::AlphaBeta => Box::new(alpha_beta::MaxMin),
            Method::AlphaBetaStack => Box::new(stack::Stack),
            Method::Negamax => Box::new(alpha_beta::Negamax),
            Method::AlphaBetaTable(options) => {
                Box::new(memory::Memory::<G>::new(Some(options), Reorder::Off))
            }
            Method::Pvs(options) => Box::new(pvs::Pvs::<G>::new(options, None)),
            Method::ProbCut(options, cuts) => Box::new(pvs::Pvs::<G>::new(Some(options), Some(cuts))),
            Method::MtdF(options, reorder) => Box::new(mtdf::MtdF::<G>::new(options, reorder)),
        };
        Self {
            core,
            algorithm,
            ties: settings.ties,
        }
    }

    /// Searches once, trying `hint` first at the root; `guess` is where MTD(f) starts.
    fn run(&mut self, game: &G, depth: u32, guess: i32, hint: Option<G::Move>) -> Report<G::Move> {
        let before = self.core.counters;
        let mut state = game.clone();
        let mut line = Vec::new();
        self.core.root_hint = hint;
        let value = self
            .algorithm
            .root(&mut self.core, &mut state, depth, guess, &mut line);
        if let (Ties::Random { seed }, true) = (self.ties, line.len() + usize::from(depth > 0) > 1) {
            let equal = self.equal_moves(game, depth, value);
            let choice = SplitMix64::new(seed ^ game.key()).below(equal.len());
            if let Some(&mv) = equal.get(choice).filter(|&&mv| line.first() != Some(&mv)) {
                line = vec![mv];
            }
        }
        Report {
            value,
            best: line.first().copied(),
            line,
            depth,
            complete: !self.core.aborted,
            counters: self.core.counters - before,
        }
    }

    /// Returns the root moves worth at least `value`, each found by a null window just below it.
    fn equal_moves(&mut self, game: &G, depth: u32, value: i32) -> Vec<G::Move> {
        let mut equal = Vec::new();
        self.core.root_hint = None;
        if depth == 0 {
            return equal;
        }
        let mut state = game.clone();
        for mv in game.legal_moves() {
            let below = depth - u32::from(!game.is_pass(mv));
            let undo = state.play(mv);
            let reply = self.algorithm.value(
                &mut self.core,
                &mut state,
                below,
                -value,
                1 - value,
                &mut Vec::new(),
            );
            state.undo(mv, undo);
            if !self.core.aborted && -reply >= value {
                equal.push(mv);
            }
        }
        equal
    }
}

impl std::ops::Sub for Counters {
    type Output = Self;

    /// Returns what was counted between `other` and `self`.
    fn sub(self, other: Self) -> Self {
        Self {
            nodes: self.nodes - other.nodes,
            evaluations: self.evaluations - other.evaluations,
            probes: self.probes - other.probes,
            hits: self.hits - other.hits,
            cutoffs: self.cutoffs - other.cutoffs,
        }
    }
}

impl std::ops::Add for Counters {
    type Output = Self;

    /// Returns the sums.
    fn add(self, other: Self) -> Self {
        Self {
            nodes: self.nodes + other.nodes,
            evaluations: self.evaluations + other.evaluations,
            probes: self.probes + other.probes,
            hits: self.hits + other.hits,
            cutoffs: self.cutoffs + other.cutoffs,
        }
    }
}

#[cfg(test)]
mod tests;
