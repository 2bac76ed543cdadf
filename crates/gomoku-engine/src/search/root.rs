//! What happens at the root: wins at hand, proofs, and the stages of the main search under the driver of
//! `outflank-search`.

use super::{moves::MAX_CANDIDATES, worker::Worker};
use crate::{
    config::EngineConfig,
    proof::{Proof, verify},
    threat::{
        defenses::defenses,
        points::{is_allowed, parries},
        search::Answer,
    },
    value::{EVAL_BOUND, INFINITE, MATE, MATE_BOUND, Value},
};
use outflank_gomoku::{Board, Class, Color, Point, PointSet};
use outflank_search::{
    Control, Line, Plan, Progress, Request, RootAnswer, RootRequest, RootSearch, Stage, StopToken, TimePlan,
    Verdict, drive,
};
use std::thread;

/// Deepest search in stones.
const MAX_DEPTH: u32 = 100;
/// What the driver is told about the care of a stage, in percent. All stages prune alike, so it tells none apart.
const CONFIDENCE: u8 = 60;
/// What a move is worth that was judged without a search.
pub(crate) const ESTIMATE: Verdict = Verdict::Estimate {
    depth: 0,
    confidence: CONFIDENCE,
};
/// Half width of the first window around the expected value.
const ASPIRATION: i32 = 60;
/// Least depth worth starting other threads for.
const THREADS_FROM: u32 = 5;
/// Depth of a helper's first stage: what lies before it, the thread that leads has done before the other has begun.
const FIRST_HELP: i32 = 3;

/// One search at the root.
pub(crate) struct Root<'a, 'w> {
    config: EngineConfig,
    request: &'a Request<Board>,
    time: Option<TimePlan>,
    side: Color,
    lead: Worker<'w>,
    /// One for each of the other threads, until the main search starts them.
    helpers: Vec<Worker<'w>>,
    /// Tells the helpers to end.
    is_over: StopToken,
    /// The moves, the most promising first.
    moves: Vec<RootMove>,
}

/// What a search comes to.
pub(crate) struct Decision {
    /// Best first, at least one.
    pub(crate) lines: Vec<Line<Point, Value>>,
    /// The verified proof, if the best move is the start of a forced win by threats.
    pub(crate) proof: Option<Proof>,
    /// No move that was looked at and has no line is worth more.
    pub(crate) rest: Option<Value>,
    /// Whether all was done that was asked.
    pub(crate) complete: bool,
}

impl Decision {
    /// Returns the decision for a move whose value is known at once.
    fn at_once(mv: Point, value: Value, verdict: Verdict) -> Self {
        Self {
            lines: vec![Line::searched(vec![mv], value, verdict)],
            rest: None,
            proof: None,
            complete: true,
        }
    }
}

/// A move at the root.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    mv: Point,
    /// Value in the last stage that searched it.
    value: i32,
    line: Vec<Point>,
    /// The other side was found to win by threats after it.
    refuted: bool,
    vetted: bool,
}

/// What one pass over the moves of the root brought.
struct Pass {
    /// Best value; below every value if no move was finished.
    value: i32,
    /// Whether every move was searched.
    complete: bool,
}

impl<'a, 'w> Root<'a, 'w> {
    /// Returns a search with as many threads as there are workers; the helpers end when `is_over` says so.
    pub(crate) fn new(
        config: EngineConfig,
        request: &'a Request<Board>,
        time: Option<TimePlan>,
        side: Color,
        lead: Worker<'w>,
        helpers: Vec<Worker<'w>>,
        is_over: StopToken,
    ) -> Self {
        Self {
            config,
            request,
            time,
            side,
            lead,
            helpers,
            is_over,
            moves: Vec::new(),
        }
    }

    /// Chooses a move; reports stages and a proof on the way.
    pub(crate) fn decide(
        &mut self,
        control: &Control,
        on_progress: &mut dyn FnMut(&Progress<Point, Value>),
    ) -> Decision {
        let side = self.side;
        let single = self.request.lines <= 1;
        let board = &self.lead.board;
        let allowed = |point: &Point| !self.request.excluded.contains(point);
        let mut fives = board.points_of(side, Class::Five).iter();
        if let Some(five) = fives.find(allowed).filter(|_| single) {
            return Decision::at_once(five, Value::Win(1), Verdict::WinLossDraw);
        }
        if board.n_stones() == 0 {
            let middle = board.size() / 2;
            if let Some(center) = Point::new(middle, middle).filter(allowed).filter(|_| single) {
                return Decision::at_once(center, Value::Estimate(0), ESTIMATE);
            }
        }
        let points = self.root_points();
        if single
            && self.request.excluded.is_empty()
            && let Some(decision) = self.prove_win(control, on_progress)
        {
            return decision;
        }
        self.moves = self.first_moves(&points);
        self.deepen(control, on_progress)
    }

    /// Returns the points worth searching at the root: all that parry a proven threat, or the candidates.
    fn root_points(&mut self) -> PointSet {
        let side = self.side;
        let excluded: PointSet = self.request.excluded.iter().copied().collect();
        let worker = &mut self.lead;
        let board = &mut worker.board;
        let fives = *board.points_of(!side, Class::Five);
        let mut points = PointSet::EMPTY;
        if board.count_of(side, Class::Five) > 0 {
            points = worker.neighborhood();
        } else if !fives.is_empty() {
            points = parries(board, !side).union(&fives);
        } else if board.count_of(side, Class::OpenFour) == 0 {
            let mut part = worker.budget.part(20_000, 0.05);
            let answer = worker
                .threats
                .vcf_within(board, !side, u32::MAX, 20_000, &mut part);
            worker.budget.add_spent(&part);
            if let Answer::Win { line, .. } = answer {
                points = defenses(board, !side, &line);
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

    /// Looks for a forced win, proves it and has it verified; `None` unless all of that succeeds.
    fn prove_win(
        &mut self,
        control: &Control,
        on_progress: &mut dyn FnMut(&Progress<Point, Value>),
    ) -> Option<Decision> {
        let side = self.side;
        let worker = &mut self.lead;
        let mut part = worker.budget.part(50_000, self.config.vct_share);
        let mut depth = 0;
        let mut answer = worker
            .threats
            .vcf_within(&mut worker.board, side, u32::MAX, 50_000, &mut part);
        worker.budget.add_spent(&part);
        if !matches!(answer, Answer::Win { .. }) && self.config.vct_nodes > 0 {
            part = worker.budget.part(self.config.vct_nodes, self.config.vct_share);
            answer = worker.threats.vct(&mut worker.board, side, 1, &mut part);
            if !matches!(answer, Answer::Win { .. }) {
                answer = worker
                    .threats
                    .vct_by_proof_numbers(&mut worker.board, side, &mut part);
            }
            worker.budget.add_spent(&part);
        }
        let Answer::Win { depth: found, .. } = answer else {
            return None;
        };
        depth = depth.max(found);
        part = worker.budget.part(self.config.vct_nodes.max(20_000), 0.5);
        let proof = worker
            .threats
            .prove(&mut worker.board, side, depth, 4_000, &mut part);
        worker.budget.add_spent(&part);
        let proof = proof?;
        let mut checking = worker.budget.part(u64::MAX, 0.9);
        let verified = verify(&worker.board, side, &proof, &mut checking);
        worker.budget.add_spent(&checking);
        if verified.is_err() {
            return None;
        }
        let longest = proof.longest() as u32;
        let line = Line::searched(proof.main_line(), Value::Win(longest), Verdict::WinLossDraw);
        on_progress(&Progress {
            rank: 0,
            line: line.clone(),
            stage: Stage {
                depth: longest,
                confidence: 100,
                to_end: true,
            },
            nodes: worker.budget.nodes(),
            elapsed: control.elapsed(),
        });
        Some(Decision {
            lines: vec![line],
            rest: None,
            proof: Some(proof),
            complete: true,
        })
    }

    /// Searches stage by stage under the driver.
    fn deepen(
        &mut self,
        control: &Control,
        on_progress: &mut dyn FnMut(&Progress<Point, Value>),
    ) -> Decision {
        let limits = &self.request.limits;
        let is_forced = self.moves.len() == 1 && self.time.is_some();
        let max_depth = if is_forced {
            1
        } else {
            limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH)
        };
        let stages: Vec<Stage> = (1..=max_depth)
            .map(|depth| Stage {
                depth,
                confidence: CONFIDENCE,
                to_end: false,
            })
            .collect();
        let plan = Plan {
            stages: &stages,
            lines: self.request.lines.clamp(1, self.moves.len()),
            within: self.request.within,
            root_moves: self.moves.len(),
            range: (-MATE, MATE),
            aspiration: Some((ASPIRATION, ASPIRATION)),
            drop: 2 * ASPIRATION,
            time: self.time,
            interleave: limits.depth.is_none() || self.time.is_some() || control.max_nodes() != u64::MAX,
        };
        let first = self.moves[0].mv;
        let mut report = |news: &Progress<Point, i32>| {
            on_progress(&Progress {
                rank: news.rank,
                line: shown(&news.line),
                stage: news.stage,
                nodes: news.nodes,
                elapsed: news.elapsed,
            });
        };
        let helpers = std::mem::take(&mut self.helpers);
        let driven = if helpers.is_empty() || max_depth < THREADS_FROM {
            drive(self, &plan, control, &mut report)
        } else {
            thread::scope(|scope| {
                for (nth, mut helper) in helpers.into_iter().enumerate() {
                    let moves = self.moves.clone();
                    scope.spawn(move || helper.help(moves, nth, plan.lines));
                }
                let driven = drive(self, &plan, control, &mut report);
                self.is_over.stop();
                driven
            })
        };
        if driven.lines.is_empty() {
            return Decision {
                complete: false,
                ..Decision::at_once(first, Value::Estimate(0), Verdict::Aborted)
            };
        }
        Decision {
            lines: driven.lines.iter().map(shown).collect(),
            rest: driven.rest.map(Value::from_score),
            proof: None,
            complete: driven.complete,
        }
    }

    fn first_moves(&self, points: &PointSet) -> Vec<RootMove> {
        let mut candidates = self.lead.candidates(points, self.side, 0, None);
        let mut ordered: Vec<Point> = std::iter::from_fn(|| candidates.next()).collect();
        if ordered.is_empty() {
            ordered.extend(points.iter().take(MAX_CANDIDATES));
        }
        let root_move = |mv| RootMove {
            mv,
            value: 0,
            line: vec![mv],
            refuted: false,
            vetted: false,
        };
        ordered.into_iter().map(root_move).collect()
    }

    /// Asks whether the other side wins by threats after the best move; returns false if so and another move is left.
    fn vet(&mut self) -> bool {
        let moves = &mut self.moves;
        let Some(first) = moves
            .first()
            .filter(|first| !first.vetted && first.value.abs() < MATE_BOUND)
        else {
            return true;
        };
        if self.config.vet_nodes == 0 || moves.iter().filter(|other| !other.refuted).count() < 2 {
            return true;
        }
        let mv = first.mv;
        let worker = &mut self.lead;
        let mut part = worker.budget.part(self.config.vet_nodes, 0.1);
        worker.board.place(mv, self.side);
        let answer = worker
            .threats
            .vct_by_proof_numbers(&mut worker.board, !self.side, &mut part);
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
}

impl RootSearch for Root<'_, '_> {
    type Move = Point;

    fn search_root(&mut self, request: &RootRequest<'_, Point>, _: &Control) -> RootAnswer<Point> {
        let depth = request.stage.depth as i32;
        let rank = request.excluded.len();
        for (to, &excluded) in request.excluded.iter().enumerate() {
            if let Some(from) = self.moves.iter().position(|other| other.mv == excluded) {
                self.moves[to.min(from)..=from].rotate_right(1);
            }
        }
        self.lead.root_depth = depth;
        let mut has_changed = false;
        loop {
            let window = (request.alpha, request.beta);
            let pass = self.lead.pass(&mut self.moves, rank, window, depth);
            let is_inside = request.alpha < pass.value && pass.value < request.beta;
            if pass.complete && is_inside && self.request.lines <= 1 && !self.vet() {
                // The best move is refuted: look again at this depth.
                has_changed = true;
                continue;
            }
            let is_known = pass.complete || has_changed || pass.value > -INFINITE;
            let best = self.moves.get(rank).filter(|_| is_known);
            return RootAnswer {
                moves: best.map(|best| best.line.clone()).unwrap_or_default(),
                value: pass.value.max(-MATE),
                complete: pass.complete,
            };
        }
    }

    fn nodes(&self) -> u64 {
        let lead = &self.lead.budget;
        lead.nodes() + lead.nodes_of_helpers()
    }

    fn is_decided(&self, value: i32) -> bool {
        value.abs() >= MATE_BOUND
    }
}

impl Worker<'_> {
    /// Searches the moves from `rank` on; the best comes to `rank`.
    fn pass(&mut self, moves: &mut [RootMove], rank: usize, (alpha, beta): (i32, i32), depth: i32) -> Pass {
        let side = self.board.side();
        let (mut best, mut low) = (-INFINITE, alpha);
        for i in rank..moves.len() {
            let mv = moves[i].mv;
            if moves[i].refuted {
                moves[i].value = -EVAL_BOUND;
                best = best.max(-EVAL_BOUND);
                continue;
            }
            self.board.place(mv, side);
            let mut value = low;
            if i > rank {
                value = -self.node::<false>(!side, -low - 1, -low, depth - 1, 1);
            }
            if i == rank || (value > low && value < beta) {
                value = -self.node::<true>(!side, -beta, -low, depth - 1, 1);
            }
            self.board.unplace();
            if self.budget.is_exhausted() {
                return Pass {
                    value: best,
                    complete: false,
                };
            }
            moves[i].value = value;
            if value > best {
                best = value;
                if i == rank || value > low {
                    moves[i].line.clear();
                    moves[i].line.push(mv);
                    moves[i].line.extend_from_slice(&self.lines[1]);
                    moves[rank..=i].rotate_right(1);
                }
            }
            low = low.max(value);
            if low >= beta {
                break;
            }
        }
        Pass {
            value: best,
            complete: true,
        }
    }

    /// Searches the same moves as the thread that leads, stage by stage until the search is over: what it finds reaches
    /// the others through the table.
    fn help(&mut self, mut moves: Vec<RootMove>, nth: usize, lines: usize) {
        // No helper has the order of another, and every other one is a stone ahead.
        if let Some(rest) = moves.get_mut(1..).filter(|rest| !rest.is_empty()) {
            rest.rotate_left(nth % rest.len());
        }
        let mut expected = vec![0; lines];
        for depth in FIRST_HELP + 1 - (nth % 2) as i32..=MAX_DEPTH as i32 {
            self.root_depth = depth;
            for (rank, expected) in expected.iter_mut().enumerate() {
                let mut window = (*expected - ASPIRATION, *expected + ASPIRATION);
                loop {
                    let pass = self.pass(&mut moves, rank, window, depth);
                    if !pass.complete {
                        return;
                    }
                    *expected = pass.value;
                    if pass.value <= window.0 && window.0 > -MATE {
                        window.0 = -MATE;
                    } else if pass.value >= window.1 && window.1 < MATE {
                        window.1 = MATE;
                    } else {
                        break;
                    }
                }
            }
        }
    }
}

/// Returns a line of the driver as the engine shows it: what is won or lost is proven, though not in how many stones.
fn shown(line: &Line<Point>) -> Line<Point, Value> {
    let value = Value::from_score(line.value);
    let verdict = match value {
        Value::Win(_) | Value::Loss(_) if line.verdict != Verdict::Aborted => Verdict::WinLossDraw,
        _ => line.verdict,
    };
    Line::searched(line.moves.clone(), value, verdict)
}
