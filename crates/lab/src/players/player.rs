//! What a player is, how far it searches, and how both are written.

use crate::evaluation::Evaluation;
use outflank_game::GameState;
use outflank_othello::Position;
use outflank_search::{Control, StopToken, SystemClock};
use outflank_textbook::{Cuts, Keys, Method, Order, Reorder, TableOptions};
use std::time::Duration;

/// A player of one game at a time.
pub trait Player<G: GameState = Position>: Send {
    /// Forgets the game before; `seed` decides all that is left to chance.
    fn new_game(&mut self, seed: u64);

    /// Lets `stop` end the searches to come; their move is then any one that is legal.
    fn stopped_by(&mut self, stop: &StopToken) {
        let _ = stop;
    }

    /// Returns a legal move, `None` if the game is over.
    fn choose(&mut self, position: &G) -> Option<G::Move>;
}

/// How far a player searches per move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// Placed discs ahead.
    Depth(u32),
    /// Nodes, or simulations.
    Nodes(u64),
    /// Time.
    Time(Duration),
}

impl Budget {
    /// Returns the control of a search that begins now; a depth is no limit of it.
    pub(super) fn control(self, stop: &StopToken) -> Control {
        let (time, nodes) = match self {
            Self::Depth(_) => (None, None),
            Self::Nodes(nodes) => (None, Some(nodes)),
            Self::Time(time) => (Some(time), None),
        };
        Control::new(stop.clone(), SystemClock::shared(), time, nodes)
    }
}

/// Why a text names no player.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayerError {
    /// The first part is neither a player nor an evaluation.
    #[error(
        "no player {0:?}: expected random, greedy, divergence, abstract-rule, mcts or an evaluation ({names})",
        names = Evaluation::NAMES.join(", ")
    )]
    Name(String),
    /// The first part is no player of Gomoku.
    #[error("no player of Gomoku {0:?}: expected random, shapes or mcts")]
    GomokuName(String),
    /// The limit is not one.
    #[error("{0:?} is no limit: write a depth (4), nodes (5000n) or seconds (0.5s)")]
    Limit(String),
    /// The method is none.
    #[error("no method {name:?}: expected one of {known}, perhaps with +order", known = method_names().join(", "))]
    Method {
        /// What was written.
        name: String,
    },
    /// An option of `mcts` is unknown or has no such value.
    #[error(
        "{0:?}: options of mcts are policy ({policies}), c, epsilon, decay, expand, reward (margin, result, mixed), \
         update (written, corrected), threads, reuse (yes, no)",
        policies = crate::rollouts::Policy::NAMES.join(", ")
    )]
    Option(String),
    /// The player takes no limit or needs one.
    #[error("{0:?}: {1}")]
    Shape(String, &'static str),
}

/// Reads `4`, `5000n` or `0.5s`.
pub fn parse_budget(text: &str) -> Result<Budget, PlayerError> {
    let bad = || PlayerError::Limit(text.to_owned());
    if let Some(seconds) = text.strip_suffix('s') {
        let seconds: f64 = seconds.parse().map_err(|_| bad())?;
        // From a hundredth of a millisecond to a day.
        if !(1e-5..=86_400.0).contains(&seconds) {
            return Err(bad());
        }
        return Ok(Budget::Time(Duration::from_secs_f64(seconds)));
    }
    if let Some(nodes) = text.strip_suffix('n') {
        return nodes
            .parse()
            .ok()
            .filter(|&n| n > 0)
            .map(Budget::Nodes)
            .ok_or_else(bad);
    }
    text.parse()
        .ok()
        .filter(|depth| (1..=60).contains(depth))
        .map(Budget::Depth)
        .ok_or_else(bad)
}

/// Every textbook method with a name.
pub fn methods() -> Vec<Method> {
    let plain = TableOptions::default();
    let canonical = TableOptions {
        canonical: true,
        ..plain
    };
    let direct = TableOptions {
        keys: Keys::Direct,
        ..plain
    };
    let both = TableOptions {
        canonical: true,
        ..direct
    };
    let mut methods = vec![
        Method::Minimax,
        Method::MinimaxCached(plain),
        Method::MinimaxCached(canonical),
        Method::AlphaBeta,
        Method::AlphaBetaStack,
        Method::Negamax,
    ];
    methods.extend([plain, canonical, direct, both].map(Method::AlphaBetaTable));
    methods.extend([None, Some(plain), Some(canonical)].map(Method::Pvs));
    methods.extend(
        [Reorder::Off, Reorder::AsWritten, Reorder::Corrected].map(|reorder| Method::MtdF(plain, reorder)),
    );
    // The cuts depend on the evaluation: `probcut::fitted` puts them in.
    methods.push(Method::ProbCut(plain, Cuts::default()));
    methods
}

/// Returns the names of all methods.
pub fn method_names() -> Vec<String> {
    methods().iter().map(ToString::to_string).collect()
}

/// Reads the name of a method, with `+order` at its end for moves ordered by evaluation.
pub fn parse_method(text: &str) -> Result<(Method, Order), PlayerError> {
    let (name, order) = match text.strip_suffix("+order") {
        Some(name) => (name, Order::Evaluated),
        None => (text, Order::Generated),
    };
    let found = methods().into_iter().find(|method| method.to_string() == name);
    found
        .map(|method| (method, order))
        .ok_or_else(|| PlayerError::Method {
            name: name.to_owned(),
        })
}
