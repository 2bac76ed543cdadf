//! One position looked at: a proved win, else a search; and what was better than the move that was made.

use super::{ReviewOptions, view::View};
use crate::gomoku_win::WinSearch;
use outflank_gomoku::{Board, Class, Color, Point, Rule};
use outflank_gomoku_engine::{Engine, EngineConfig, Proof, Request, Value, tuning::level_nodes};
use outflank_search::{Clock, Limits, StopToken, TableError};
use std::sync::Arc;

/// Memory of each worker's table in bytes.
const TABLE_BYTES: usize = 16 << 20;
/// log₂ of the entries that each worker remembers of forced wins.
const THREAT_BITS: u32 = 16;
/// Moves that are tried, at most, to find one that does not lose.
const TRIES: usize = 6;

/// What is known of a position.
#[derive(Clone, Debug)]
pub(super) struct Look {
    /// Its value for the side to move.
    pub(super) value: Value,
    /// A best move; `None` where the game is over.
    pub(super) best: Option<Point>,
    /// The checked proof of a win of the side to move.
    pub(super) proof: Option<Proof>,
    /// The checked proof of a win that begins with the move that was made.
    pub(super) kept: Option<Proof>,
    /// Positions entered.
    pub(super) nodes: u64,
}

/// A move beside the one that was made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Other {
    /// The move.
    pub(super) mv: Point,
    /// Its value for who would have made it.
    pub(super) value: Value,
}

/// What looks at positions, one after the other.
pub(super) struct Worker {
    engine: Engine,
    wins: WinSearch,
    limits: Limits,
    clock: Arc<dyn Clock>,
    stop: StopToken,
}

/// Returns the value of a position that is over.
pub(super) fn value_of_end(board: &Board) -> Option<Value> {
    board.end().map(|end| match end.winner() {
        None => Value::Estimate(0),
        Some(winner) if winner == board.side() => Value::Win(0),
        Some(_) => Value::Loss(0),
    })
}

/// Returns whether there is nothing else to do than `mv`: it takes the one five that the other side threatens, or it is the
/// last empty point.
///
/// In Caro a five can be prevented in several ways.
pub(super) fn is_forced(board: &Board, mv: Point) -> bool {
    let (side, other) = (board.side(), !board.side());
    let fives = |color: Color| board.points_of(color, Class::Five);
    let takes_the_five = board.rule() != Rule::Caro
        && fives(side).is_empty()
        && board.count_of(other, Class::Five) == 1
        && fives(other).contains(mv);
    board.n_empty() == 1 || takes_the_five
}

impl Worker {
    pub(super) fn new(
        options: &ReviewOptions,
        clock: &Arc<dyn Clock>,
        stop: &StopToken,
    ) -> Result<Self, TableError> {
        let config = EngineConfig {
            table_bytes: TABLE_BYTES,
            threat_bits: THREAT_BITS,
            // A win by threats was looked for before.
            vct_nodes: 0,
            ..EngineConfig::default()
        };
        let mut wins = WinSearch::within(options.level.map_or(u64::MAX, level_nodes));
        wins.nodes = options.level.map(level_nodes);
        // With the proof and its check as much as the search of a move.
        wins.time = options.time.map(|time| time / 3);
        Ok(Self {
            engine: Engine::with_clock(config, Arc::clone(clock))?,
            wins,
            limits: Limits {
                level: options.level,
                time: options.time,
                ..Limits::default()
            },
            clock: Arc::clone(clock),
            stop: stop.clone(),
        })
    }

    /// Looks at a position, in which `made` is played next; `None` if it was stopped.
    pub(super) fn look(&mut self, board: &Board, made: Option<Point>) -> Option<Look> {
        let mut look = Look {
            value: Value::Estimate(0),
            best: None,
            proof: None,
            kept: None,
            nodes: 0,
        };
        if let Some(value) = value_of_end(board) {
            return Some(Look { value, ..look });
        }
        let view = View::of(board, made);
        let side = view.board.side();
        let found = self.wins.find(&view.board, side, &self.clock, &self.stop);
        look.nodes += found.nodes;
        look.proof = found.proof;
        if look.proof.is_none() {
            let (mv, value, nodes) = self.search(&view, Vec::new());
            look.nodes += nodes;
            (look.best, look.value) = (mv, value);
            if let (Value::Win(_), Some(mv)) = (value, mv) {
                // The search is sure; only a proof can be checked.
                look.proof = self.win_with(&view, mv, &mut look.nodes);
            }
        }
        if let Some(proof) = &look.proof {
            look.value = Value::Win(stones(proof));
            look.best = Some(proof.mv);
        }
        let made = made.map(|made| view.there(made));
        if let (Value::Win(_), Some(made)) = (look.value, made)
            && look.proof.as_ref().is_none_or(|proof| proof.mv != made)
        {
            look.kept = self.win_with(&view, made, &mut look.nodes);
        }
        let (back, size) = (view.back(), board.size());
        look.best = look.best.map(|mv| back.apply(mv, size));
        for proof in [&mut look.proof, &mut look.kept] {
            *proof = proof.take().map(|proof| proof.transformed(back, size));
        }
        (!self.stop.is_stopped()).then_some(look)
    }

    /// Returns the best of the moves beside the one that was `made`, as far as they were tried, and the positions entered:
    /// `first` and, while those that were tried lose, others. `None` if it was stopped.
    ///
    /// `first` is left out where nothing tells it from the move that was made.
    pub(super) fn other(&mut self, board: &Board, made: Point, first: Point) -> Option<(Option<Other>, u64)> {
        let view = View::of(board, Some(made));
        let mut tried = view.orbit(view.there(made));
        let mut next = Some(view.there(first)).filter(|first| !tried.contains(first));
        let (mut best, mut nodes): (Option<Other>, u64) = (None, 0);
        for _ in 0..TRIES {
            let mv = if let Some(mv) = next.take() {
                mv
            } else {
                let (mv, _, entered) = self.search(&view, tried.clone());
                nodes += entered;
                match mv.filter(|mv| !tried.contains(mv)) {
                    Some(mv) => mv,
                    None => break,
                }
            };
            tried.extend(view.orbit(mv));
            let mut child = view.board.clone();
            if child.play(mv).is_err() {
                break;
            }
            let look = self.look(&child, None)?;
            nodes += look.nodes;
            let found = Other {
                mv: view.back().apply(mv, board.size()),
                value: look.value.before(),
            };
            let saves = !matches!(found.value, Value::Loss(_));
            if best.is_none_or(|best| found.value > best.value) {
                best = Some(found);
            }
            if saves {
                break;
            }
        }
        (!self.stop.is_stopped()).then_some((best, nodes))
    }

    /// Searches for a move that is none of `excluded`, from an empty memory.
    fn search(&mut self, view: &View, excluded: Vec<Point>) -> (Option<Point>, Value, u64) {
        self.engine.clear();
        let mut request = Request::new(view.board.clone()).limits(self.limits);
        request.excluded = excluded;
        let outcome = self.engine.search(&request, &self.stop, &mut |_| {});
        (outcome.best_move(), outcome.best().value, outcome.nodes)
    }

    fn win_with(&self, view: &View, mv: Point, nodes: &mut u64) -> Option<Proof> {
        let side = view.board.side();
        let (proof, entered) = self
            .wins
            .find_with(&view.board, side, mv, &self.clock, &self.stop);
        *nodes += entered;
        proof
    }
}

/// Returns the most stones until five.
pub(super) fn stones(proof: &Proof) -> u32 {
    u32::try_from(proof.longest()).unwrap_or(u32::MAX)
}
