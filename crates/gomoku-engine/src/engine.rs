//! The engine: positions in, progress and an outcome out.

use crate::{
    book::OpeningTable,
    budget::{Budget, Counts},
    config::{EngineConfig, level_nodes},
    eval::Weights,
    human::{Chooser, Manner},
    proof::Proof,
    search::{ESTIMATE, Root, Worker},
    table::Entry,
    threat::search::{ThreatSearch, ThreatSettings},
    value::Value,
};
use outflank_game::SplitMix64;
use outflank_gomoku::{Board, Color, Point, Rule, Tables};
use outflank_search::{
    Clock, Control, Goal, Level, Origin, RootSearch as _, StopToken, Table, TableError, TimePlan, Verdict,
    threads_at_work,
};
use std::{fmt, sync::Arc, time::Duration};

/// A question to a Gomoku [`Engine`].
pub type Request = outflank_search::Request<Board>;
/// One candidate move with its line of play.
pub type Line = outflank_search::Line<Point, Value>;
/// What a search of a Gomoku position found.
pub type Outcome = outflank_search::Outcome<Point, Value>;
/// News from a running search of a Gomoku position.
pub type Progress = outflank_search::Progress<Point, Value>;

/// The Gomoku engine, with its memory.
pub struct Engine {
    config: EngineConfig,
    weights: Weights,
    clock: Arc<dyn Clock>,
    table: Table<Entry>,
    /// How many searches have filled the table since it was empty.
    searches: u32,
    /// One per thread, so never empty.
    threats: Vec<ThreatSearch>,
    tables: Vec<(Rule, Arc<Tables>)>,
    book: Option<Arc<OpeningTable>>,
    /// Of the last search.
    proof: Option<Proof>,
    /// What levels that err as people do draw from.
    random: SplitMix64,
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine")
            .field("config", &self.config)
            .finish_non_exhaustive()
    }
}

impl Engine {
    /// Returns an engine with the default configuration, on the system's clock.
    ///
    /// # Errors
    ///
    /// [`TableError`] if the memory of the table cannot be had.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn new() -> Result<Self, TableError> {
        Self::with(EngineConfig::default())
    }

    /// Returns an engine with this configuration, on the system's clock.
    ///
    /// # Errors
    ///
    /// [`TableError`] if the memory of the table cannot be had.
    #[cfg(not(target_arch = "wasm32"))]
    pub fn with(config: EngineConfig) -> Result<Self, TableError> {
        Self::with_clock(config, outflank_search::SystemClock::shared())
    }

    /// Returns an engine that reads the time from `clock`.
    ///
    /// # Errors
    ///
    /// [`TableError`] if the memory of the table cannot be had.
    pub fn with_clock(config: EngineConfig, clock: Arc<dyn Clock>) -> Result<Self, TableError> {
        Self::with_weights(config, clock, Weights::default())
    }

    /// Returns an engine with other weights than the fitted ones.
    ///
    /// # Errors
    ///
    /// [`TableError`] if the memory of the table cannot be had.
    pub fn with_weights(
        config: EngineConfig,
        clock: Arc<dyn Clock>,
        weights: Weights,
    ) -> Result<Self, TableError> {
        let mut engine = Self {
            config,
            weights,
            clock,
            table: Table::new(config.table_bytes)?,
            searches: 0,
            threats: Vec::new(),
            tables: Vec::new(),
            book: None,
            proof: None,
            random: SplitMix64::new(0),
        };
        engine.set_threads(config.threads);
        Ok(engine)
    }

    /// Changes the number of threads of the main search: at least 1, and none beyond the processors that this program may
    /// use ([`threads_at_work`]).
    pub fn set_threads(&mut self, threads: usize) {
        let threads = threads_at_work(threads);
        self.config.threads = threads;
        while self.threats.len() < threads {
            // Helpers only look for wins by fours, which need less memory.
            let is_first = self.threats.is_empty();
            self.threats.push(ThreatSearch::new(ThreatSettings {
                deepening: false,
                vcf_nodes: 2_000,
                cache_bits: self.config.threat_bits.saturating_sub(u32::from(!is_first)),
                ..ThreatSettings::default()
            }));
        }
        self.threats.truncate(threads);
    }

    /// Lets the engine play from an opening table (or no longer).
    pub fn set_book(&mut self, book: Option<Arc<OpeningTable>>) {
        self.book = book;
    }

    /// Forgets everything: the next search behaves like the first.
    pub fn clear(&mut self) {
        self.table.new_generation();
        self.searches = 0;
        self.threats.iter_mut().for_each(ThreatSearch::clear);
    }

    /// Sets what levels that err as people do draw from: the same seed makes the same choices.
    pub const fn reseed(&mut self, seed: u64) {
        self.random = SplitMix64::new(seed);
    }

    /// Returns the engine's own copy of `board`.
    fn own_board(&mut self, board: &Board) -> Board {
        let rule = board.rule();
        let tables = if let Some((_, tables)) = self.tables.iter().find(|(known, _)| *known == rule) {
            tables.clone()
        } else {
            let tables = self.weights.tables(rule);
            self.tables.push((rule, tables.clone()));
            tables
        };
        let stones: Vec<(Point, Color)> = Color::BOTH
            .into_iter()
            .flat_map(|color| board.stones(color).iter().map(move |point| (point, color)))
            .collect();
        Board::from_stones(tables, board.size(), &stones, board.side()).unwrap_or_else(|_| board.clone())
    }

    /// Returns the best reply of the opening table, where nothing on the board is urgent.
    fn book_reply(&self, request: &Request) -> Option<(Point, i32)> {
        let plain = request.may_use_book
            && request.lines <= 1
            && request.excluded.is_empty()
            && request.goal == Goal::Best;
        let book = self.book.as_ref().filter(|_| plain)?;
        book.replies(&request.position).first().copied()
    }

    /// Returns the proof behind the last search's best move, if that move starts a forced win that was proven and
    /// verified.
    pub const fn proof(&self) -> Option<&Proof> {
        self.proof.as_ref()
    }

    /// Searches the position of `request` and returns the best moves found; reports to `on_progress` on the way.
    ///
    /// Ends within a few milliseconds of a stop or of the time limit, with a legal move unless the game is over. With
    /// one thread a limit of nodes is never exceeded, and without a limit of time the outcome depends on nothing but
    /// the request and what the engine remembers. A level limits the nodes ([`level_nodes`]); one that errs as people do
    /// chooses at once, whatever the other limits ([`Manner`]).
    ///
    /// [`level_nodes`]: crate::tuning::level_nodes
    /// [`Manner`]: crate::tuning::Manner
    pub fn search(
        &mut self,
        request: &Request,
        stop: &StopToken,
        on_progress: &mut dyn FnMut(&Progress),
    ) -> Outcome {
        self.proof = None;
        let board = &request.position;
        let at_once = |line: Line| Outcome {
            lines: vec![line],
            rest: None,
            nodes: 0,
            elapsed: Duration::ZERO,
            complete: true,
        };
        if let Some(end) = board.end() {
            let value = match end.winner() {
                None => Value::Estimate(0),
                Some(winner) if winner == board.side() => Value::Win(0),
                Some(_) => Value::Loss(0),
            };
            return at_once(Line::searched(Vec::new(), value, Verdict::Exact));
        }
        if let Some(level) = request.limits.level.and_then(Level::as_human) {
            return self.play_as_human(level, request);
        }
        if let Some((reply, value)) = self.book_reply(request) {
            return at_once(Line {
                moves: vec![reply],
                value: Value::Estimate(value),
                verdict: ESTIMATE,
                origin: Origin::Book,
            });
        }
        let time = time_plan(request);
        let of_level = request.limits.level.map(level_nodes);
        let control = Control::new(
            stop.clone(),
            Arc::clone(&self.clock),
            time.map(|time| time.deadline),
            request.limits.nodes.into_iter().chain(of_level).min(),
        );
        // The search for wins can cost more than the first stage may: it ends in time even then.
        let mut budget = Budget::new(control.always_armed());
        let own = self.own_board(board);
        self.searches = self.searches.saturating_add(1);
        let (is_over, counts) = (StopToken::new(), Arc::new(Counts::default()));
        if self.threats.len() > 1 {
            budget.lead(counts.clone());
        }
        let vcf_nodes = self.config.vcf_nodes;
        let (weights, table, search) = (&self.weights, &self.table, self.searches);
        let worker =
            |threats, budget| Worker::new(own.clone(), weights, table, threats, budget, vcf_nodes, search);
        let Some((first, others)) = self.threats.split_first_mut() else {
            unreachable!("there is at least one thread")
        };
        let helpers = others
            .iter_mut()
            .map(|threats| worker(threats, budget.helper(&is_over, counts.clone())))
            .collect();
        let lead = worker(first, budget);
        let mut root = Root::new(self.config, request, time, own.side(), lead, helpers, is_over);
        let decision = root.decide(&control, on_progress);
        let nodes = root.nodes();
        self.proof = decision.proof;
        Outcome {
            lines: decision.lines,
            rest: decision.rest,
            nodes,
            elapsed: control.elapsed(),
            complete: decision.complete,
        }
    }
}

impl Engine {
    /// Chooses as people do, in a game that goes on.
    fn play_as_human(&mut self, level: u32, request: &Request) -> Outcome {
        let began = self.clock.now();
        let mut board = self.own_board(&request.position);
        // What was last played draws the eye; a board of one's own does not know it.
        let last = request.position.last_move().map(|(point, _)| point);
        let threats = &mut self.threats[0];
        threats.clear();
        let mut chooser = Chooser {
            board: &mut board,
            weights: &self.weights,
            threats,
            random: &mut self.random,
            nodes: 0,
        };
        let line = chooser.choose(&Manner::of(level), last, &request.excluded);
        Outcome {
            lines: vec![line],
            rest: None,
            nodes: chooser.nodes,
            elapsed: self.clock.now().saturating_sub(began),
            complete: true,
        }
    }
}

impl outflank_search::Engine for Engine {
    type Game = Board;
    type Value = Value;

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
}

/// By how much the time for a move is more than an even share of the clock, before the search shows how settled it is.
const CLOCK_STRETCH: f64 = 1.4;

/// Returns how long the search should last, if time matters.
fn time_plan(request: &Request) -> Option<TimePlan> {
    let (limits, reserve) = (&request.limits, request.reserve);
    let fixed = limits.time.map(|time| TimePlan::per_move(time, reserve));
    let clock = limits.clock.map(|clock| {
        // A game is decided within 40 moves of either side, most within 20.
        let moves_left = 30_u32
            .saturating_sub(request.position.n_stones() as u32 / 4)
            .clamp(8, 21);
        let plan = TimePlan::on_clock(clock, moves_left, reserve);
        TimePlan {
            // Games end early more often than late, and a stage costs less than twice the one before it.
            target: plan.target.mul_f64(CLOCK_STRETCH),
            ..plan
        }
    });
    match (fixed, clock) {
        // Where the clock leaves more than the move may take, the move is what counts.
        (Some(a), Some(b)) if b.target < a.target => Some(TimePlan {
            deadline: a.deadline.min(b.deadline),
            ..b
        }),
        (Some(a), Some(b)) => Some(TimePlan {
            deadline: a.deadline.min(b.deadline),
            ..a
        }),
        (one, other) => one.or(other),
    }
}
