//! The engine and what goes in and out of it.

use super::{MAX_PLY, Worker, root::Root};
use crate::{
    Budget, OpeningTable, Proof, ThreatSearch, ThreatSettings, eval::Weights, table::Entry, value::Value,
};
use outflank_gomoku::{Board, Color, Point, Rule, Tables};
use outflank_search::{Clock, Control, Limits, RootSearch as _, StopToken, Table, TableError};
use std::{
    fmt,
    sync::{Arc, atomic::AtomicU64},
    time::Duration,
};

/// How the engine works.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EngineSettings {
    /// Memory of the transposition table in bytes.
    pub table_bytes: usize,
    /// log₂ of the entries remembered by the search for forced wins (40 bytes each).
    pub threat_bits: u32,
    /// Positions that one look for a win by fours may cost inside the main search.
    pub vcf_nodes: u64,
    /// Share of the time for finding and proving a win by threats before the main search.
    pub vct_share: f64,
    /// Most positions of that search.
    pub vct_nodes: u64,
    /// Positions of the search for the other side's win by threats after the move that looks best; 0 for none.
    pub vet_nodes: u64,
    /// Threads of the main search, at least 1. With one, results under node and depth limits are reproducible.
    pub threads: usize,
}

impl Default for EngineSettings {
    fn default() -> Self {
        Self {
            table_bytes: 64 << 20,
            threat_bits: 18,
            vcf_nodes: 120,
            vct_share: 0.15,
            vct_nodes: 200_000,
            vet_nodes: 4_000,
            threads: 1,
        }
    }
}

/// What one search may spend and must report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchLimits {
    /// Depth in stones, positions, and time that must not be passed.
    pub limits: Limits,
    /// Time after which no new iteration starts.
    pub soft_time: Option<Duration>,
    /// Number of best moves to report, at least 1.
    pub top: usize,
    /// Points that must not be played.
    pub excluded: Vec<Point>,
}

impl Default for SearchLimits {
    fn default() -> Self {
        Self {
            limits: Limits::default(),
            soft_time: None,
            top: 1,
            excluded: Vec::new(),
        }
    }
}

/// One candidate move with its line of play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The value for the side to move.
    pub value: Value,
    /// Depth of the search behind it, in stones; 0 for a proof.
    pub depth: u32,
    /// The moves, first the candidate.
    pub moves: Vec<Point>,
}

/// What the engine reports while it thinks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A stage of the search ended.
    Progress {
        /// The lines so far: best first if all of them have reached this depth.
        lines: Vec<Line>,
        /// Positions so far.
        nodes: u64,
        /// Deepest node so far, in stones from the root.
        deepest: u32,
    },
    /// A forced win was found and its proof verified.
    Proved {
        /// Moves in the proof.
        n_moves: usize,
        /// Positions spent.
        nodes: u64,
    },
}

/// What a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The move to play; `None` if the game is over.
    pub best: Option<Point>,
    /// The lines, best first; the first starts with `best`.
    pub lines: Vec<Line>,
    /// Positions spent, all searches together.
    pub nodes: u64,
    /// The verified proof, if the move is the start of a forced win by threats.
    pub proof: Option<Proof>,
}

/// The Gomoku engine, with its memory.
pub struct Engine {
    settings: EngineSettings,
    weights: Weights,
    table: Table<Entry>,
    /// One per thread, so never empty.
    threats: Vec<ThreatSearch>,
    tables: Vec<(Rule, Arc<Tables>)>,
    book: Option<Arc<OpeningTable>>,
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine")
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}

impl Engine {
    /// Returns an engine with the fitted weights.
    ///
    /// # Errors
    ///
    /// [`TableError`] if the memory of the table cannot be had.
    pub fn new(settings: EngineSettings) -> Result<Self, TableError> {
        Self::with_weights(settings, Weights::default())
    }

    /// Returns an engine with other weights.
    ///
    /// # Errors
    ///
    /// [`TableError`] if the memory of the table cannot be had.
    pub fn with_weights(settings: EngineSettings, weights: Weights) -> Result<Self, TableError> {
        let mut engine = Self {
            settings,
            weights,
            table: Table::new(settings.table_bytes)?,
            threats: Vec::new(),
            tables: Vec::new(),
            book: None,
        };
        engine.set_threads(settings.threads);
        Ok(engine)
    }

    /// Changes the number of threads of the main search (at least 1).
    pub fn set_threads(&mut self, threads: usize) {
        let threads = threads.max(1);
        self.settings.threads = threads;
        while self.threats.len() < threads {
            // Helpers only look for wins by fours, which need less memory.
            let is_first = self.threats.is_empty();
            self.threats.push(ThreatSearch::new(ThreatSettings {
                deepening: false,
                vcf_nodes: 2_000,
                cache_bits: self.settings.threat_bits.saturating_sub(u32::from(!is_first)),
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
        self.threats.iter_mut().for_each(ThreatSearch::clear);
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
    fn book_reply(&self, board: &Board, limits: &SearchLimits) -> Option<(Point, i32)> {
        let plain = limits.top <= 1 && limits.excluded.is_empty();
        let book = self.book.as_ref().filter(|_| plain)?;
        book.replies(board).first().copied()
    }

    /// Thinks about `board` for the side to move.
    ///
    /// Ends within a few milliseconds of a stop or of the time limit. With one thread, and node or depth limits alone,
    /// the result depends on nothing but the arguments and what the engine remembers ([`Engine::clear`]).
    pub fn search(
        &mut self,
        board: &Board,
        limits: &SearchLimits,
        clock: &Arc<dyn Clock>,
        stop: &StopToken,
        report: &mut dyn FnMut(&Event),
    ) -> Outcome {
        let mut outcome = Outcome {
            best: None,
            lines: Vec::new(),
            nodes: 0,
            proof: None,
        };
        if board.end().is_some() {
            return outcome;
        }
        if let Some((reply, value)) = self.book_reply(board, limits) {
            outcome.best = Some(reply);
            outcome.lines = vec![Line {
                value: Value::Estimate(value),
                depth: 0,
                moves: vec![reply],
            }];
            return outcome;
        }
        let control = Control::new(
            stop.clone(),
            clock.clone(),
            limits.limits.time,
            limits.limits.nodes,
        );
        let mut budget = Budget::new(&limits.limits, clock.clone(), stop.clone());
        let own = self.own_board(board);
        self.table.new_generation();
        let (stage_over, nodes_of_helpers) = (StopToken::new(), Arc::new(AtomicU64::new(0)));
        if self.threats.len() > 1 {
            budget.lead(nodes_of_helpers.clone());
        }
        let mut workers: Vec<Worker<'_>> = Vec::with_capacity(self.threats.len());
        for threats in &mut self.threats {
            workers.push(Worker {
                board: own.clone(),
                weights: &self.weights,
                table: &self.table,
                threats,
                budget: if workers.is_empty() {
                    budget.clone()
                } else {
                    Budget::helper(stage_over.clone(), nodes_of_helpers.clone())
                },
                killers: vec![[None; 2]; MAX_PLY],
                history: Box::new([[0; 512]; 2]),
                lines: vec![Vec::new(); MAX_PLY + 1],
                root_depth: 0,
                vcf_nodes: self.settings.vcf_nodes,
                deepest: 0,
            });
        }
        let mut root = Root::new(self.settings, limits, own.side(), workers, stage_over);
        root.decide(&control, &mut outcome, report);
        outcome.nodes = root.nodes();
        outcome
    }
}
