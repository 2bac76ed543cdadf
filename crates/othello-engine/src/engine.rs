//! The engine: positions in, events and an outcome out.

mod plan;
mod root;
mod solve;

use crate::{
    config::EngineConfig,
    contract::{Line, Outcome, Progress, Request},
    error::EngineError,
    human::{HumanPlayer, Manner},
    midgame::{MidgameSearch, final_value},
    probcut::ProbCutTable,
    solver::{Solver, SolverOptions},
    techniques::{MidgameTechniques, Techniques},
};
use outflank_eval::{Evaluator, HandMade, Patterns, Score};
use outflank_othello::{Board, Move, Position, Square};
use outflank_search::{
    Clock, Control, Driven, Goal, Level, Origin, Plan, Stage, StopToken, Table, TimePlan, Verdict, drive,
    threads_at_work,
};
use root::Root;
use std::{fmt, sync::Arc, time::Duration};

/// An Othello engine with its memory, for one search at a time.
///
/// What a search learns stays in the tables for the next one, until it is cleared: an analysis continues from
/// what it knows when a move is played, and pondering is a search of the expected position that is stopped when the
/// opponent has moved.
///
/// # Examples
///
/// ```
/// use outflank_othello::Position;
/// use outflank_othello_engine::{Engine, EngineConfig, Request};
/// use outflank_search::StopToken;
///
/// // Engine::new() has 128 MiB of tables.
/// let mut engine = Engine::with(EngineConfig { table_bytes: 1 << 20, ..EngineConfig::default() })?;
/// let request = Request::new(Position::start()).depth(6);
/// let outcome = engine.search(&request, &StopToken::new(), &mut |news| assert!(news.nodes > 0));
/// assert!(outcome.complete && outcome.best_move().is_some());
/// # Ok::<(), outflank_othello_engine::EngineError>(())
/// ```
pub struct Engine<E: Evaluator + 'static> {
    midgame: MidgameSearch<E>,
    solver: Solver<Arc<E>>,
    clock: Arc<dyn Clock>,
    techniques: MidgameTechniques,
    endgame: Techniques,
    /// The root of the last search; what the solver has proven is about positions after it.
    root: Board,
    evaluator: Arc<E>,
    seed: u64,
    /// Plays at the levels that err as people do; made when one is asked for.
    human: Option<HumanPlayer<Arc<E>>>,
}

impl<E: Evaluator + 'static> fmt::Debug for Engine<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine")
            .field("midgame", &self.midgame)
            .field("solver", &self.solver)
            .finish_non_exhaustive()
    }
}

impl Engine<Patterns> {
    /// Returns an engine with the default configuration, the learned weights inside the program and the system's clock.
    ///
    /// # Errors
    ///
    /// Returns [`EngineError`] if there is no memory for the tables.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn new() -> Result<Self, EngineError> {
        Self::with(EngineConfig::default())
    }

    /// As [`Engine::new`], with this configuration.
    ///
    /// # Errors
    ///
    /// Returns [`EngineError`] if there is no memory for the tables or no thread to be had.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn with(config: EngineConfig) -> Result<Self, EngineError> {
        Self::with_clock(config, outflank_search::SystemClock::shared())
    }

    /// As [`Engine::new`], with this configuration and `clock` to read the time from.
    ///
    /// # Errors
    ///
    /// Returns [`EngineError`] if there is no memory for the tables or no thread to be had.
    pub fn with_clock(config: EngineConfig, clock: Arc<dyn Clock>) -> Result<Self, EngineError> {
        let (evaluator, probcut) = (Patterns::shared(), Arc::new(ProbCutTable::embedded()));
        Self::judging_by(evaluator, probcut, config, clock)
    }
}

impl Engine<HandMade> {
    /// Returns an engine that judges by the hand-made evaluator, without anything learned.
    ///
    /// # Errors
    ///
    /// Returns [`EngineError`] if there is no memory for the tables or no thread to be had.
    pub fn hand_made(config: EngineConfig, clock: Arc<dyn Clock>) -> Result<Self, EngineError> {
        let (evaluator, probcut) = (Arc::new(HandMade), Arc::new(ProbCutTable::hand_made()));
        Self::judging_by(evaluator, probcut, config, clock)
    }
}

impl<E: Evaluator + 'static> Engine<E> {
    /// Returns an engine that judges by `evaluator`, whose statistics are `probcut`, and reads the time from `clock`.
    ///
    /// # Errors
    ///
    /// Returns [`EngineError`] if there is no memory for the tables or no thread to be had.
    pub fn judging_by(
        evaluator: Arc<E>,
        probcut: Arc<ProbCutTable>,
        config: EngineConfig,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, EngineError> {
        let half = config.table_bytes / 2;
        let threads = threads_at_work(config.threads);
        let proofs = Arc::new(Table::new(half)?);
        let midgame = MidgameSearch::proving_into(
            &proofs,
            Arc::clone(&evaluator),
            probcut,
            config.techniques,
            half,
            threads,
        )?;
        let options = SolverOptions {
            table_bytes: half,
            threads,
            techniques: config.endgame,
            weights: config.ordering,
        };
        Ok(Self {
            solver: Solver::guided(Arc::clone(&evaluator), options, Some(midgame.guide()), proofs)?,
            midgame,
            clock,
            techniques: config.techniques,
            endgame: config.endgame,
            root: Board::start(),
            evaluator,
            seed: config.seed,
            human: None,
        })
    }

    /// Returns what the engine judges by.
    pub fn evaluator(&self) -> &E {
        &self.evaluator
    }

    /// Forgets everything, so that the next search costs the same nodes as in a new engine.
    ///
    /// The levels that err as people do go on with other choices: they never play the same game twice.
    pub fn clear(&mut self) {
        self.midgame.clear();
        self.solver.forget();
    }

    /// Lets the levels that err as people do begin anew with their choices, from `seed`.
    pub fn reseed(&mut self, seed: u64) {
        self.seed = seed;
        self.human = None;
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

    /// Searches the position of `request` and returns the best moves found; reports to `on_progress` on the way.
    ///
    /// A level that errs as people do chooses by lot among the moves, after a fixed small search, whatever the other limits.
    /// Whatever the limits, and however early `stop` is stopped, the outcome has a legal move unless the game is
    /// over. With one thread a limit of nodes is never exceeded, and without a limit of time the same search from the
    /// same memory gives the same outcome. Moves are excluded only where others are left.
    pub fn search(
        &mut self,
        request: &Request,
        stop: &StopToken,
        on_progress: &mut dyn FnMut(&Progress),
    ) -> Outcome {
        let board = request.position.board();
        if board.is_game_over() {
            return finished(board);
        }
        if let Some(level) = request.limits.level.and_then(Level::as_human) {
            return self.play_as_human(level, request);
        }
        self.keep_proofs_for(board);
        let empties = board.empties().count();
        let stages = plan::stages(request, empties);
        let time = time_plan(request, empties);
        let control = Control::new(
            stop.clone(),
            Arc::clone(&self.clock),
            time.map(|time| time.deadline),
            request.limits.nodes,
        );
        self.search_stages(request, &stages, time, &control, on_progress)
    }

    /// Chooses as people do, in a game that is not over.
    fn play_as_human(&mut self, level: u32, request: &Request) -> Outcome {
        let began = self.clock.now();
        let board = request.position.board();
        let passing = board.must_pass();
        let (evaluator, seed) = (&self.evaluator, self.seed);
        let player = self
            .human
            .get_or_insert_with(|| HumanPlayer::new(Arc::clone(evaluator), seed));
        let before = player.nodes();
        let root = if passing { board.passed() } else { board };
        let chosen = player.choose(root, &Manner::of(level), &request.excluded);
        let look = HumanPlayer::<E>::LOOK;
        let found = outflank_search::Line {
            moves: vec![Move::Place(chosen.square)],
            value: (chosen.value * Score::PER_DISC as f32) as i32,
            verdict: if root.empties().count() <= look {
                Verdict::Exact
            } else {
                Verdict::Estimate {
                    depth: look,
                    confidence: 100,
                }
            },
            origin: Origin::Search,
        };
        Outcome {
            lines: vec![line(&found, passing, false)],
            rest: None,
            nodes: player.nodes() - before,
            elapsed: self.clock.now().saturating_sub(began),
            complete: true,
        }
    }

    /// Searches stage by stage a game that is not over; no stage begins after what `time` says.
    fn search_stages(
        &mut self,
        request: &Request,
        stages: &[Stage],
        time: Option<TimePlan>,
        control: &Control,
        on_progress: &mut dyn FnMut(&Progress),
    ) -> Outcome {
        let board = request.position.board();
        let passing = board.must_pass();
        let root = if passing { board.passed() } else { board };
        let lines = if passing { 1 } else { request.lines.max(1) };
        self.midgame.set_root(root);
        let mut excluded: &[Move] = if passing { &[] } else { &request.excluded };
        let allowed = |excluded: &[Move], order: &[Square]| -> Vec<Move> {
            let moves = order.iter().map(|&square| Move::Place(square));
            moves.filter(|mv| !excluded.contains(mv)).collect()
        };
        if allowed(excluded, self.midgame.root_moves()).is_empty() {
            excluded = &[];
        }
        let root_moves = allowed(excluded, self.midgame.root_moves());
        let mut search = Root {
            midgame: &mut self.midgame,
            solver: &mut self.solver,
            board: root,
            excluded,
            may_solve: self.techniques.has(MidgameTechniques::SOLVER),
            win_loss_draw: request.goal == Goal::WinLossDraw,
            nodes: 0,
        };
        let limited = time.is_some() || request.limits.nodes.is_some();
        let fixed =
            request.limits.depth.is_some() || request.limits.level.is_some() || request.goal != Goal::Best;
        let wld = request.goal == Goal::WinLossDraw;
        let plan = Plan {
            stages,
            lines,
            within: request.within.filter(|_| !passing),
            root_moves: root_moves.len(),
            range: (Score::MIN.units(), Score::MAX.units()),
            // A window around an estimate means nothing where only the winner is asked for.
            aspiration: (self.techniques.has(MidgameTechniques::ASPIRATION) && !wld)
                .then_some((3 * Score::PER_DISC, Score::PER_DISC + 1)),
            drop: 2 * Score::PER_DISC,
            time,
            interleave: limited || !fixed,
        };
        let driven = drive(&mut search, &plan, control, &mut |news| {
            on_progress(&Progress {
                rank: news.rank,
                line: line(&news.line, passing, wld),
                stage: news.stage,
                nodes: news.nodes,
                elapsed: news.elapsed,
            });
        });
        let nodes = outflank_search::RootSearch::nodes(&search);
        let elapsed = control.elapsed();
        let first = if passing { Move::Pass } else { root_moves[0] };
        outcome(&driven, first, passing, wld, nodes, elapsed)
    }

    /// Keeps what the solver has proven if `root` can come after the last root; else it would only fill the memory.
    fn keep_proofs_for(&mut self, root: Board) {
        let later = root.empties().bits() & !self.root.empties().bits() == 0;
        if !later {
            self.solver.forget();
        }
        self.root = root;
    }
}

impl<E: Evaluator + 'static> outflank_search::Engine for Engine<E> {
    type Game = Position;
    type Value = Score;

    fn search(
        &mut self,
        request: &Request,
        stop: &StopToken,
        on_progress: &mut dyn FnMut(&Progress),
    ) -> Outcome {
        Self::search(self, request, stop, on_progress)
    }

    fn clear(&mut self) {
        Self::clear(self);
    }

    fn reseed(&mut self, seed: u64) {
        Self::reseed(self, seed);
    }

    fn suggest(&mut self, position: &Position, line: &[Move]) {
        Self::suggest(self, position, line);
    }
}

/// Returns the outcome of a position in which nobody can move.
fn finished(board: Board) -> Outcome {
    Outcome {
        lines: vec![Line::searched(
            Vec::new(),
            Score::saturating(final_value(board)),
            Verdict::Exact,
        )],
        rest: None,
        nodes: 1,
        elapsed: Duration::ZERO,
        complete: true,
    }
}

/// Returns what `driven` comes to; `first` is a legal move, in case that there is no line.
fn outcome(
    driven: &Driven<Move>,
    first: Move,
    passing: bool,
    wld: bool,
    nodes: u64,
    elapsed: Duration,
) -> Outcome {
    let mut lines: Vec<_> = driven
        .lines
        .iter()
        .map(|found| line(found, passing, wld))
        .collect();
    if lines.is_empty() {
        // There were no nodes even for the first stage. But a legal move costs nothing.
        lines.push(Line::searched(vec![first], Score::ZERO, Verdict::Aborted));
    }
    Outcome {
        lines,
        rest: driven.rest.map(Score::saturating),
        nodes,
        elapsed,
        complete: driven.complete,
    }
}

fn line(found: &outflank_search::Line<Move>, passing: bool, wld: bool) -> Line {
    let value = Score::saturating(found.value);
    let mut moves = found.moves.clone();
    if passing {
        moves.insert(0, Move::Pass);
    }
    let verdict = match found.verdict {
        Verdict::Exact if wld => Verdict::WinLossDraw,
        verdict => verdict,
    };
    Line::searched(moves, if passing { -value } else { value }, verdict)
}

/// Returns how long the search should last, if time matters.
fn time_plan(request: &Request, empties: u32) -> Option<TimePlan> {
    let fixed = request
        .limits
        .time
        .map(|time| TimePlan::per_move(time, request.reserve));
    let clock = request.limits.clock.map(|clock| {
        // Beyond some 20 empties the search is an estimate that time improves; below, a solve that takes little.
        let own_moves = empties.div_ceil(2);
        let to_solve = empties.saturating_sub(18).div_ceil(2);
        TimePlan::on_clock(clock, (to_solve + 3).min(own_moves.max(1)), request.reserve)
    });
    match (fixed, clock) {
        (Some(a), Some(b)) => Some(if a.deadline <= b.deadline { a } else { b }),
        (one, other) => one.or(other),
    }
}

#[cfg(test)]
mod tests;
