//! The engine: what happens at the root, from opening table to iterative deepening.

use super::{MAX_PLY, Worker, moves::MAX_CANDIDATES};
use crate::{
    Answer, Budget, OpeningTable, Proof, ThreatSearch, ThreatSettings,
    eval::Weights,
    table::Entry,
    threat::{defences, is_allowed},
    value::{EVAL_BOUND, INFINITE, MATE_BOUND, Value},
    verify,
};
use outflank_gomoku::{Board, Class, Color, Point, PointSet, Rule, Tables};
use outflank_search::{Clock, Limits, StopToken, Table, TableError};
use std::{fmt, sync::Arc, time::Duration};

/// How the engine works.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EngineSettings {
    /// Memory of the transposition table in bytes.
    pub hash_bytes: usize,
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
}

impl Default for EngineSettings {
    fn default() -> Self {
        Self {
            hash_bytes: 64 << 20,
            threat_bits: 18,
            vcf_nodes: 120,
            vct_share: 0.15,
            vct_nodes: 200_000,
            vet_nodes: 4_000,
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
    /// An iteration ended, or its best move changed.
    Progress {
        /// The best lines so far, best first.
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
    threats: ThreatSearch,
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
        let threats = ThreatSettings {
            deepening: false,
            vcf_nodes: 2_000,
            cache_bits: settings.threat_bits,
            ..ThreatSettings::default()
        };
        Ok(Self {
            settings,
            weights,
            table: Table::new(settings.hash_bytes)?,
            threats: ThreatSearch::new(threats),
            tables: Vec::new(),
            book: None,
        })
    }

    /// Lets the engine play from an opening table (or no longer).
    pub fn set_book(&mut self, book: Option<Arc<OpeningTable>>) {
        self.book = book;
    }

    /// Forgets everything: the next search behaves like the first.
    pub fn clear(&mut self) {
        self.table.new_generation();
        self.threats.clear();
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
    /// Ends within a few milliseconds of a stop or of the time limit. With node or depth limits alone the result
    /// depends on nothing but the arguments and what the engine remembers ([`Engine::clear`]).
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
        let start = clock.now();
        let own = self.own_board(board);
        self.table.new_generation();
        let mut worker = Worker {
            board: own,
            weights: &self.weights,
            table: &self.table,
            threats: &mut self.threats,
            budget: Budget::new(&limits.limits, clock.clone(), stop.clone()),
            killers: vec![[None; 2]; MAX_PLY],
            history: Box::new([[0; 512]; 2]),
            lines: vec![Vec::new(); MAX_PLY + 1],
            root_depth: 0,
            vcf_nodes: self.settings.vcf_nodes,
            deepest: 0,
        };
        let mut root = Root {
            settings: self.settings,
            limits,
            clock,
            start,
            worker: &mut worker,
            report,
        };
        root.decide(&mut outcome);
        outcome.nodes = worker.budget.nodes();
        outcome
    }
}

/// One search at the root.
struct Root<'a, 'w> {
    settings: EngineSettings,
    limits: &'a SearchLimits,
    clock: &'a Arc<dyn Clock>,
    start: Duration,
    worker: &'a mut Worker<'w>,
    report: &'a mut dyn FnMut(&Event),
}

/// A move at the root.
#[derive(Clone, Debug)]
struct RootMove {
    mv: Point,
    /// Value in the last iteration that searched it.
    value: i32,
    line: Vec<Point>,
    /// The other side was found to win by threats after it.
    refuted: bool,
    vetted: bool,
}

impl Root<'_, '_> {
    fn decide(&mut self, outcome: &mut Outcome) {
        let side = self.worker.board.side();
        let single = self.limits.top <= 1;
        let quick = |mv: Point, value: Value| Line {
            value,
            depth: 0,
            moves: vec![mv],
        };
        let board = &self.worker.board;
        let allowed = |point: &Point| !self.limits.excluded.contains(point);
        if let Some(five) = board
            .points_of(side, Class::Five)
            .iter()
            .find(allowed)
            .filter(|_| single)
        {
            outcome.best = Some(five);
            outcome.lines = vec![quick(five, Value::Win(1))];
            return;
        }
        if board.n_stones() == 0 {
            let middle = board.size() / 2;
            if let Some(centre) = Point::new(middle, middle).filter(allowed).filter(|_| single) {
                outcome.best = Some(centre);
                outcome.lines = vec![quick(centre, Value::Estimate(0))];
                return;
            }
        }
        let points = self.root_points(side);
        if single && self.limits.excluded.is_empty() && self.prove_win(side, outcome) {
            return;
        }
        self.deepen(side, &points, outcome);
    }

    /// Returns the points worth searching at the root: all that parry a proven threat, or the candidates.
    fn root_points(&mut self, side: Color) -> PointSet {
        let excluded: PointSet = self.limits.excluded.iter().copied().collect();
        let worker = &mut *self.worker;
        let board = &mut worker.board;
        let fives = *board.points_of(!side, Class::Five);
        let mut points = PointSet::EMPTY;
        if board.count_of(side, Class::Five) > 0 {
            points = worker.neighborhood();
        } else if !fives.is_empty() {
            points = crate::threat::parries(board, !side).union(&fives);
        } else if board.count_of(side, Class::OpenFour) == 0 {
            let mut part = worker.budget.part(20_000, 0.05);
            let answer = worker
                .threats
                .vcf_within(board, !side, u32::MAX, 20_000, &mut part);
            worker.budget.add_spent(&part);
            if let Answer::Win { line, .. } = answer {
                points = defences(board, !side, &line);
                if points.is_empty() {
                    points = line.into_iter().collect();
                }
            }
        }
        let playable = |points: &PointSet, board: &Board| -> PointSet {
            let free = points.without(&excluded).intersection(&board.empties());
            free.iter()
                .filter(|&point| is_allowed(board, point, side))
                .collect()
        };
        for wider in [points, worker.neighborhood(), worker.board.empties()] {
            let usable = playable(&wider, &worker.board);
            if !usable.is_empty() {
                return usable;
            }
        }
        // Every empty point is forbidden or excluded: any empty point is a legal move.
        worker.board.empties()
    }

    /// Looks for a forced win, proves it and has it verified; fills `outcome` if all of that succeeds.
    fn prove_win(&mut self, side: Color, outcome: &mut Outcome) -> bool {
        let worker = &mut *self.worker;
        let mut part = worker.budget.part(50_000, self.settings.vct_share);
        let mut depth = 0;
        let mut answer = worker
            .threats
            .vcf_within(&mut worker.board, side, u32::MAX, 50_000, &mut part);
        worker.budget.add_spent(&part);
        if !matches!(answer, Answer::Win { .. }) && self.settings.vct_nodes > 0 {
            part = worker
                .budget
                .part(self.settings.vct_nodes, self.settings.vct_share);
            answer = worker.threats.vct(&mut worker.board, side, 1, &mut part);
            if !matches!(answer, Answer::Win { .. }) {
                answer = worker
                    .threats
                    .vct_by_proof_numbers(&mut worker.board, side, &mut part);
            }
            worker.budget.add_spent(&part);
        }
        let Answer::Win { depth: found, .. } = answer else {
            return false;
        };
        depth = depth.max(found);
        part = worker.budget.part(self.settings.vct_nodes.max(20_000), 0.5);
        let proof = worker
            .threats
            .prove(&mut worker.board, side, depth, 4_000, &mut part);
        worker.budget.add_spent(&part);
        let Some(proof) = proof else { return false };
        if verify(
            &worker.board,
            side,
            &proof,
            &mut worker.budget.part(u64::MAX, 0.9),
        )
        .is_err()
        {
            return false;
        }
        (self.report)(&Event::Proved {
            n_moves: proof.n_moves(),
            nodes: worker.budget.nodes(),
        });
        let line = Line {
            value: Value::Win(proof.longest() as u32),
            depth: 0,
            moves: proof.main_line(),
        };
        outcome.best = Some(proof.mv);
        outcome.lines = vec![line];
        outcome.proof = Some(proof);
        true
    }

    fn deepen(&mut self, side: Color, points: &PointSet, outcome: &mut Outcome) {
        let mut moves = self.first_moves(side, points);
        let max_depth = self.limits.limits.depth.unwrap_or(100).clamp(1, 100) as i32;
        if let Some(first) = moves.first() {
            outcome.best = Some(first.mv);
            outcome.lines = vec![Line {
                value: Value::Estimate(0),
                depth: 0,
                moves: vec![first.mv],
            }];
        }
        let top = self.limits.top.clamp(1, moves.len().max(1));
        let mut depth = 1;
        while depth <= max_depth {
            self.worker.root_depth = depth;
            let finished = self.iterate(side, &mut moves, depth, top);
            self.publish(&moves, depth, top, outcome);
            if !finished {
                return;
            }
            if top == 1 && !self.vet(side, &mut moves) {
                // The best move is refuted: look again at this depth.
                continue;
            }
            let best = moves.first().map_or(0, |first| first.value);
            let decided = best.abs() >= MATE_BOUND && top == 1;
            let forced = moves.len() == 1 && self.limits.soft_time.is_some();
            let late = self
                .limits
                .soft_time
                .is_some_and(|soft| self.clock.now().saturating_sub(self.start) >= soft);
            if decided || forced || late || !self.worker.budget.check() {
                return;
            }
            depth += 1;
        }
    }

    fn first_moves(&mut self, side: Color, points: &PointSet) -> Vec<RootMove> {
        let mut candidates = self.worker.candidates(points, side, 0, None);
        let mut moves = Vec::new();
        while let Some(mv) = candidates.next() {
            moves.push(RootMove {
                mv,
                value: 0,
                line: vec![mv],
                refuted: false,
                vetted: false,
            });
        }
        if moves.is_empty() {
            let points = points.iter().take(MAX_CANDIDATES);
            moves.extend(points.map(|mv| RootMove {
                mv,
                value: 0,
                line: vec![mv],
                refuted: false,
                vetted: false,
            }));
        }
        moves
    }

    /// Searches all moves at `depth` for the best `top`; returns whether it came to the end.
    fn iterate(&mut self, side: Color, moves: &mut [RootMove], depth: i32, top: usize) -> bool {
        for rank in 0..top {
            let guess = moves[rank].value;
            let mut margin = if depth >= 4 && guess.abs() < MATE_BOUND {
                60
            } else {
                INFINITE
            };
            loop {
                let (alpha, beta) = (
                    (guess.saturating_sub(margin)).max(-INFINITE),
                    (guess.saturating_add(margin)).min(INFINITE),
                );
                let Some(value) = self.search_moves(side, moves, rank, alpha, beta, depth) else {
                    return false;
                };
                if value <= alpha && alpha > -INFINITE || value >= beta && beta < INFINITE {
                    margin = if margin > 400 { INFINITE } else { margin * 4 };
                } else {
                    break;
                }
            }
        }
        true
    }

    /// One pass over the moves from `rank` on; the best comes to `rank`. `None` if the budget ran out.
    fn search_moves(
        &mut self,
        side: Color,
        moves: &mut [RootMove],
        rank: usize,
        alpha: i32,
        beta: i32,
        depth: i32,
    ) -> Option<i32> {
        let (mut best, mut low) = (-INFINITE, alpha);
        for i in rank..moves.len() {
            let mv = moves[i].mv;
            if moves[i].refuted {
                moves[i].value = -EVAL_BOUND;
                if best < -EVAL_BOUND {
                    best = -EVAL_BOUND;
                }
                continue;
            }
            let worker = &mut *self.worker;
            worker.board.place(mv, side);
            let mut value = low;
            if i > rank {
                value = -worker.node::<false>(!side, -low - 1, -low, depth - 1, 1);
            }
            if i == rank || (value > low && value < beta) {
                value = -worker.node::<true>(!side, -beta, -low, depth - 1, 1);
            }
            worker.board.unplace();
            if worker.budget.is_exhausted() {
                return None;
            }
            moves[i].value = value;
            if value > best {
                best = value;
                if i == rank || value > low {
                    let below = std::mem::take(&mut worker.lines[1]);
                    moves[i].line = std::iter::once(mv).chain(below.iter().copied()).collect();
                    worker.lines[1] = below;
                    moves[rank..=i].rotate_right(1);
                }
            }
            low = low.max(value);
            if low >= beta {
                break;
            }
        }
        Some(best)
    }

    /// Asks whether the other side wins by threats after the best move; returns false if so and another move is left.
    fn vet(&mut self, side: Color, moves: &mut [RootMove]) -> bool {
        let Some(first) = moves
            .first()
            .filter(|first| !first.vetted && first.value.abs() < MATE_BOUND)
        else {
            return true;
        };
        if self.settings.vet_nodes == 0 || moves.iter().filter(|other| !other.refuted).count() < 2 {
            return true;
        }
        let mv = first.mv;
        let worker = &mut *self.worker;
        let mut part = worker.budget.part(self.settings.vet_nodes, 0.1);
        worker.board.place(mv, side);
        let answer = worker
            .threats
            .vct_by_proof_numbers(&mut worker.board, !side, &mut part);
        worker.board.unplace();
        worker.budget.add_spent(&part);
        let refuted = matches!(answer, Answer::Win { .. });
        moves[0].vetted = true;
        moves[0].refuted = refuted;
        if refuted {
            moves[0].value = -EVAL_BOUND;
            let last = moves.len() - 1;
            let next = moves.iter().position(|other| !other.refuted).unwrap_or(last);
            moves.swap(0, next);
        }
        !refuted
    }

    /// Puts the best lines into `outcome` and reports them.
    fn publish(&mut self, moves: &[RootMove], depth: i32, top: usize, outcome: &mut Outcome) {
        let line = |best: &RootMove| Line {
            value: Value::from_score(best.value),
            depth: depth as u32,
            moves: best.line.clone(),
        };
        outcome.lines = moves.iter().take(top).map(line).collect();
        outcome.best = moves.first().map(|best| best.mv);
        (self.report)(&Event::Progress {
            lines: outcome.lines.clone(),
            nodes: self.worker.budget.nodes(),
            deepest: self.worker.deepest as u32,
        });
    }
}
