//! The engine: positions in, events and an outcome out.

mod plan;
mod root;
mod solve;

use crate::{
    Level, MidgameSearch, MidgameTechniques, OrderingWeights, ProbCutTable, Solver, SolverError,
    SolverOptions, Techniques, midgame::final_value,
};
use outflank_eval::{Evaluator, Score};
use outflank_othello::{Board, Move, Position};
use outflank_search::{
    Clock, Control, Driven, Event, GameClock, Limits, Line, Plan, Stage, StopToken, TimePlan, Verdict, drive,
};
use root::Root;
use std::{fmt, sync::Arc, time::Duration};

/// What an [`Engine`] is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineConfig {
    /// Memory for the tables, in bytes, shared between midgame and endgame.
    pub table_bytes: usize,
    /// Threads that search one position; at least 1.
    pub threads: usize,
    /// What the midgame search uses.
    pub techniques: MidgameTechniques,
    /// What the exact solver uses.
    pub endgame: Techniques,
    /// How the exact solver orders moves.
    pub ordering: OrderingWeights,
}

impl Default for EngineConfig {
    /// One thread, 128 MiB, everything on.
    fn default() -> Self {
        Self {
            table_bytes: 128 << 20,
            threads: 1,
            techniques: MidgameTechniques::ALL,
            endgame: Techniques::ALL,
            ordering: OrderingWeights::TUNED,
        }
    }
}

/// What to find out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Aim {
    /// The best estimate that the limits allow, exact where the end is in reach.
    #[default]
    Best,
    /// The exact value, whatever it takes within the limits.
    Exact,
    /// Who wins, whatever it takes within the limits.
    WinLossDraw,
}

/// A question to an [`Engine`].
///
/// The search ends at the first limit it reaches; without any it goes on until it is stopped or everything is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// Depth, nodes, time for this search.
    pub limits: Limits,
    /// The clock of the game, from which a time for this search is chosen.
    pub clock: Option<GameClock>,
    /// A level, which sets the depth for each number of empties.
    pub level: Option<Level>,
    /// What to find out.
    pub aim: Aim,
    /// How many of the best moves to value.
    pub lines: usize,
    /// Confidence of midgame values, in percent; 100 searches everything to the full width.
    pub confidence: u8,
}

impl Default for Request {
    /// One line, no limit, the most selective level.
    fn default() -> Self {
        Self {
            limits: Limits::default(),
            clock: None,
            level: None,
            aim: Aim::Best,
            lines: 1,
            confidence: 73,
        }
    }
}

impl Request {
    /// Returns the request for a search within `limits`.
    pub fn limited(limits: Limits) -> Self {
        Self {
            limits,
            ..Self::default()
        }
    }

    /// Returns the request for a search to `depth` placed discs.
    pub fn depth(depth: u32) -> Self {
        Self::limited(Limits {
            depth: Some(depth),
            ..Limits::default()
        })
    }

    /// Returns the request for a search that lasts `time`.
    pub fn time(time: Duration) -> Self {
        Self::limited(Limits {
            time: Some(time),
            ..Limits::default()
        })
    }

    /// Returns the request for a search of `level`.
    pub fn level(level: Level) -> Self {
        Self {
            level: Some(level),
            ..Self::default()
        }
    }
}

/// A move, what it is worth, and what is expected to follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluation {
    /// The move and its expected continuation, passes included; empty only when the game is over.
    pub moves: Vec<Move>,
    /// Value for the player to move at the root.
    pub value: Score,
    /// What the value is worth.
    pub verdict: Verdict,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The lines asked for, best first; at least one. The only one is without moves if the game is over.
    pub lines: Vec<Evaluation>,
    /// Positions entered.
    pub nodes: u64,
    /// Time taken.
    pub elapsed: Duration,
    /// Whether the search did all that was asked, rather than meeting a limit of time or nodes or being stopped.
    pub complete: bool,
}

impl Outcome {
    /// Returns the best line.
    pub fn best(&self) -> &Evaluation {
        &self.lines[0]
    }

    /// Returns the move to play; `None` if and only if the game is over.
    pub fn best_move(&self) -> Option<Move> {
        self.best().moves.first().copied()
    }
}

/// News from a running search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Place of the line: 0 is the best move's.
    pub rank: usize,
    /// The line as it stands.
    pub line: Evaluation,
    /// Placed discs ahead.
    pub depth: u32,
    /// Percent of the stage that was finished.
    pub confidence: u8,
    /// Positions entered so far.
    pub nodes: u64,
    /// Time since the search began.
    pub elapsed: Duration,
}

/// An Othello engine with its memory, for one search at a time.
///
/// What a search learns stays in the tables for the next one, until [`Engine::clear`]: an analysis continues from
/// what it knows when a move is played, and pondering is a search of the expected position that is stopped when the
/// opponent has moved.
///
/// # Examples
///
/// ```
/// use outflank_eval::HandMade;
/// use outflank_othello::Position;
/// use outflank_othello_engine::{Engine, EngineConfig, Request};
/// use outflank_search::{ManualClock, StopToken};
/// use std::sync::Arc;
///
/// let config = EngineConfig { table_bytes: 1 << 20, ..EngineConfig::default() };
/// let mut engine = Engine::hand_made(config, Arc::new(ManualClock::default()))?;
/// let outcome = engine.search(&Position::start(), &Request::depth(6), &StopToken::new(), &mut |_| {});
/// assert!(outcome.complete && outcome.best_move().is_some());
/// # Ok::<(), outflank_othello_engine::SolverError>(())
/// ```
pub struct Engine<E: Evaluator + 'static> {
    midgame: MidgameSearch<E>,
    solver: Solver<Arc<E>>,
    clock: Arc<dyn Clock>,
    techniques: MidgameTechniques,
    endgame: Techniques,
    /// The root of the last search; what the solver has proven is about positions after it.
    root: Board,
}

impl<E: Evaluator + 'static> fmt::Debug for Engine<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine")
            .field("midgame", &self.midgame)
            .field("solver", &self.solver)
            .finish_non_exhaustive()
    }
}

impl Engine<outflank_eval::HandMade> {
    /// Returns an engine that judges by the hand-made evaluator.
    ///
    /// # Errors
    ///
    /// Returns [`SolverError`] if there is no memory for the tables or no thread to be had.
    pub fn hand_made(config: EngineConfig, clock: Arc<dyn Clock>) -> Result<Self, SolverError> {
        Self::new(
            Arc::new(outflank_eval::HandMade),
            Arc::new(ProbCutTable::hand_made()),
            config,
            clock,
        )
    }
}

impl Engine<outflank_eval::Patterns> {
    /// Returns an engine that judges by the learned weights inside the program.
    ///
    /// # Errors
    ///
    /// Returns [`SolverError`] if there is no memory for the tables or no thread to be had.
    pub fn embedded(config: EngineConfig, clock: Arc<dyn Clock>) -> Result<Self, SolverError> {
        Self::new(
            Arc::new(outflank_eval::Patterns::embedded()),
            Arc::new(ProbCutTable::embedded()),
            config,
            clock,
        )
    }
}

impl<E: Evaluator + 'static> Engine<E> {
    /// Returns an engine that judges by `evaluator`, whose statistics are `probcut`, and reads the time from `clock`.
    ///
    /// # Errors
    ///
    /// Returns [`SolverError`] if there is no memory for the tables or no thread to be had.
    pub fn new(
        evaluator: Arc<E>,
        probcut: Arc<ProbCutTable>,
        config: EngineConfig,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, SolverError> {
        let half = config.table_bytes / 2;
        let midgame = MidgameSearch::new(
            Arc::clone(&evaluator),
            probcut,
            config.techniques,
            half,
            config.threads,
        )?;
        let options = SolverOptions {
            table_bytes: half,
            threads: config.threads.max(1),
            techniques: config.endgame,
            weights: config.ordering,
        };
        Ok(Self {
            solver: Solver::guided(evaluator, options, Some(midgame.guide()))?,
            midgame,
            clock,
            techniques: config.techniques,
            endgame: config.endgame,
            root: Board::start(),
        })
    }

    /// Forgets everything, so that the next search costs the same nodes as in a new engine.
    pub fn clear(&mut self) {
        self.midgame.clear();
        self.solver.forget();
    }

    /// Notes the best line of somebody else's search of `position`, so that the next searches try its moves first.
    ///
    /// Only the order of moves is taken over, never a value: what is exact stays exact, whoever talks to the engine.
    /// The line ends at its first illegal move.
    pub fn suggest(&mut self, position: &Position, line: &[Move]) {
        let mut position = *position;
        for &mv in line {
            let board = position.board();
            if position.play(mv).is_err() {
                return;
            }
            if let Some(square) = mv.square() {
                self.midgame.suggest(board, square);
            }
        }
    }

    /// Searches `position` and returns the best moves found; reports to `on_progress` on the way.
    ///
    /// Whatever the limits, and however early `stop` is stopped, the outcome has a legal move unless the game is
    /// over. With one thread and no limit of time the same search from the same memory gives the same outcome.
    pub fn search(
        &mut self,
        position: &Position,
        request: &Request,
        stop: &StopToken,
        on_progress: &mut dyn FnMut(&Progress),
    ) -> Outcome {
        let board = position.board();
        if board.is_game_over() {
            return finished(board);
        }
        self.keep_proofs_for(board);
        let empties = board.empties().count();
        self.search_stages(
            position,
            request,
            &plan::stages(request, empties),
            stop,
            on_progress,
        )
    }

    /// Searches stage by stage a game that is not over.
    fn search_stages(
        &mut self,
        position: &Position,
        request: &Request,
        stages: &[Stage],
        stop: &StopToken,
        on_progress: &mut dyn FnMut(&Progress),
    ) -> Outcome {
        let board = position.board();
        let passing = board.must_pass();
        let root = if passing { board.passed() } else { board };
        let lines = if passing { 1 } else { request.lines.max(1) };
        let empties = root.empties().count();
        self.midgame.set_root(root);
        let time = time_plan(request, empties);
        let control = Control::new(
            stop.clone(),
            &*self.clock,
            time.map(|time| time.deadline),
            request.limits.nodes,
        );
        let deadline = time.map(|time| self.clock.now().saturating_add(time.deadline));
        let solver_stop = match deadline {
            Some(deadline) => stop.with_deadline(Arc::clone(&self.clock), deadline),
            None => stop.clone(),
        };
        let root_moves = self.midgame.root_moves().len();
        let mut search = Root {
            midgame: &mut self.midgame,
            solver: &mut self.solver,
            board: root,
            stop: solver_stop,
            // The solver cannot stop at a number of nodes.
            may_solve: request.limits.nodes.is_none() && self.techniques.has(MidgameTechniques::SOLVER),
            win_loss_draw: request.aim == Aim::WinLossDraw,
            nodes: 0,
        };
        let limited = time.is_some() || request.limits.nodes.is_some();
        let fixed = request.limits.depth.is_some() || request.level.is_some() || request.aim != Aim::Best;
        let wld = request.aim == Aim::WinLossDraw;
        let plan = Plan {
            stages,
            lines,
            root_moves,
            range: (Score::MIN.units(), Score::MAX.units()),
            // A window around an estimate means nothing where only the winner is asked for.
            aspiration: (self.techniques.has(MidgameTechniques::ASPIRATION) && !wld)
                .then_some((3 * Score::PER_DISC, Score::PER_DISC + 1)),
            drop: 2 * Score::PER_DISC,
            time,
            interleave: limited || !fixed,
        };
        let driven = drive(&mut search, &plan, &control, &mut |event| {
            if let Event::Line {
                rank,
                line,
                stage,
                nodes,
                elapsed,
            } = event
            {
                on_progress(&Progress {
                    rank: *rank,
                    line: evaluation(line, passing, wld),
                    depth: stage.depth,
                    confidence: stage.confidence,
                    nodes: *nodes,
                    elapsed: *elapsed,
                });
            }
        });
        let nodes = outflank_search::RootSearch::nodes(&search);
        let elapsed = control.elapsed();
        self.outcome(&driven, passing, wld, nodes, elapsed)
    }

    /// Keeps what the solver has proven if `root` can come after the last root; else it would only fill the memory.
    fn keep_proofs_for(&mut self, root: Board) {
        let later = root.empties().bits() & !self.root.empties().bits() == 0;
        if !later {
            self.solver.forget();
        }
        self.root = root;
    }

    fn outcome(
        &self,
        driven: &Driven<Move>,
        passing: bool,
        wld: bool,
        nodes: u64,
        elapsed: Duration,
    ) -> Outcome {
        let mut lines: Vec<_> = driven
            .lines
            .iter()
            .map(|line| evaluation(line, passing, wld))
            .collect();
        if lines.is_empty() {
            // Not reached: the first stage always ends. But a legal move costs nothing.
            let first = if passing {
                Some(Move::Pass)
            } else {
                self.midgame.root_moves().first().map(|&s| s.into())
            };
            lines.push(Evaluation {
                moves: first.into_iter().collect(),
                value: Score::ZERO,
                verdict: Verdict::Aborted,
            });
        }
        Outcome {
            lines,
            nodes,
            elapsed,
            complete: driven.complete,
        }
    }
}

/// Returns the outcome of a position in which nobody can move.
fn finished(board: Board) -> Outcome {
    Outcome {
        lines: vec![Evaluation {
            moves: Vec::new(),
            value: Score::saturating(final_value(board)),
            verdict: Verdict::Exact,
        }],
        nodes: 1,
        elapsed: Duration::ZERO,
        complete: true,
    }
}

fn evaluation(line: &Line<Move>, passing: bool, wld: bool) -> Evaluation {
    let value = Score::saturating(line.value);
    let mut moves = line.moves.clone();
    if passing {
        moves.insert(0, Move::Pass);
    }
    Evaluation {
        moves,
        value: if passing { -value } else { value },
        verdict: match line.verdict {
            Verdict::Exact if wld => Verdict::Wld,
            verdict => verdict,
        },
    }
}

/// Returns how long the search should last, if time matters.
fn time_plan(request: &Request, empties: u32) -> Option<TimePlan> {
    let fixed = request.limits.time.map(TimePlan::per_move);
    let clock = request.clock.map(|clock| {
        // Beyond some 20 empties the search is an estimate that time improves; below, a solve that takes little.
        let own_moves = empties.div_ceil(2);
        let to_solve = empties.saturating_sub(18).div_ceil(2);
        TimePlan::on_clock(clock, (to_solve + 3).min(own_moves.max(1)))
    });
    match (fixed, clock) {
        (Some(a), Some(b)) => Some(if a.deadline <= b.deadline { a } else { b }),
        (one, other) => one.or(other),
    }
}

#[cfg(test)]
mod tests;
