//! A textbook search as an engine: any game with an evaluation can be asked like the champions.

use super::{Core, Deepened, Report, Runner, Settings, deepening::deepen_while};
use outflank_game::{Evaluate, GameState};
use outflank_search::{
    Clock, Control, Engine, Line, Outcome, Progress, Request, Settled, Stage, StopToken, TimePlan, Verdict,
};
use std::{cmp::Reverse, fmt, marker::PhantomData, sync::Arc};

/// Moves that a player is expected to need still, where a clock is to be shared among them.
const MOVES_LEFT: u32 = 20;

/// A textbook method with an evaluation, deepening step by step. Values are in the evaluation's unit.
///
/// A level is a depth. Nothing is remembered from one search to the next.
///
/// # Examples
///
/// ```
/// use outflank_game::{ToyGame, toy::ToyValue};
/// use outflank_search::{Engine, ManualClock, Request, StopToken, Verdict};
/// use outflank_textbook::{Method, SearchEngine, Settings};
/// use std::sync::Arc;
///
/// let game = ToyGame::new("((3 5) (2 (9 1)))".parse()?);
/// let mut engine = SearchEngine::new(Settings::new(Method::AlphaBeta), ToyValue, Arc::new(ManualClock::default()));
/// let outcome = engine.search(&Request::new(game), &StopToken::new(), &mut |_| {});
/// assert_eq!((outcome.best().value, outcome.best_move()), (3, Some(0)));
/// assert_eq!(outcome.best().verdict, Verdict::Exact);
/// # Ok::<(), outflank_game::toy::ParseToyTreeError>(())
/// ```
pub struct SearchEngine<G, E> {
    settings: Settings,
    evaluate: E,
    clock: Arc<dyn Clock>,
    game: PhantomData<fn(G)>,
}

impl<G, E> fmt::Debug for SearchEngine<G, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SearchEngine({:?})", self.settings)
    }
}

impl<G: GameState, E: Evaluate<G>> SearchEngine<G, E> {
    /// Returns the engine that searches by `settings`, judges by `evaluate` and reads the time from `clock`.
    pub const fn new(settings: Settings, evaluate: E, clock: Arc<dyn Clock>) -> Self {
        Self {
            settings,
            evaluate,
            clock,
            game: PhantomData,
        }
    }

    /// Searches the best move alone, as the method does it.
    fn one_line(&self, search: &mut Search<'_, G>) -> (Vec<Line<G::Move>>, bool) {
        let (request, control, depth) = (search.request, search.control.clone(), search.depth);
        let mut go_on = |report: &Report<G::Move>, exhausted: bool, nodes: u64| {
            search.nodes = nodes;
            let line = search.line(report.line.clone(), report.value, report.depth, exhausted);
            search.finished(report.depth, exhausted, vec![line])
        };
        let Deepened { total, exhausted, .. } = deepen_while(
            &self.settings,
            &request.position,
            &self.evaluate,
            depth,
            &control,
            &mut go_on,
        );
        search.nodes = total.nodes;
        (std::mem::take(&mut search.lines), exhausted)
    }

    /// Searches the positions behind the moves one by one, for the values of several or without some of them.
    fn several_lines(&self, search: &mut Search<'_, G>, moves: &[G::Move]) -> (Vec<Line<G::Move>>, bool) {
        for depth in 1..=search.depth.unwrap_or(u32::MAX) {
            let (mut found, mut exhausted) = (Vec::<(i32, Vec<G::Move>)>::new(), true);
            for &mv in moves {
                let mut after = search.request.position.clone();
                let below = if after.is_pass(mv) { depth } else { depth - 1 };
                after.play(mv);
                let control = search.control.part(search.nodes, None, None);
                let core = Core::new(&self.evaluate, self.settings.order, &control);
                let mut runner = Runner::new(&self.settings, core);
                let deeper = runner.run(&after, below, 0, None);
                search.nodes += deeper.counters.nodes;
                if !deeper.complete {
                    return (std::mem::take(&mut search.lines), false);
                }
                exhausted &= !runner.core.at_horizon;
                found.push((-deeper.value, std::iter::once(mv).chain(deeper.line).collect()));
            }
            found.sort_by_key(|(value, _)| Reverse(*value));
            let lines = found
                .into_iter()
                .take(search.request.lines)
                .map(|(value, line)| search.line(line, value, depth, exhausted))
                .collect();
            if !search.finished(depth, exhausted, lines) || exhausted {
                return (std::mem::take(&mut search.lines), exhausted);
            }
        }
        (std::mem::take(&mut search.lines), false)
    }
}

/// One search while it runs.
struct Search<'a, G: GameState> {
    request: &'a Request<G>,
    control: Control,
    time: Option<TimePlan>,
    /// Greatest depth, if there is one.
    depth: Option<u32>,
    nodes: u64,
    /// Of the last depth that was finished.
    lines: Vec<Line<G::Move>>,
    reached: u32,
    on_progress: &'a mut dyn FnMut(&Progress<G::Move>),
}

impl<G: GameState> Search<'_, G> {
    fn line(&self, moves: Vec<G::Move>, value: i32, depth: u32, exhausted: bool) -> Line<G::Move> {
        Line::searched(moves, value, stage(depth, exhausted).verdict())
    }

    /// Takes what a depth has found; returns whether the next one may begin.
    fn finished(&mut self, depth: u32, exhausted: bool, lines: Vec<Line<G::Move>>) -> bool {
        self.reached = depth;
        self.lines = lines;
        for (rank, line) in self.lines.iter().enumerate() {
            (self.on_progress)(&Progress {
                rank,
                line: line.clone(),
                stage: stage(depth, exhausted),
                nodes: self.nodes,
                elapsed: self.control.elapsed(),
            });
        }
        let (elapsed, settled) = (self.control.elapsed(), Settled::default());
        self.time.is_none_or(|time| time.may_continue(elapsed, settled))
    }
}

/// Leaves out the lines that are worth less than the best by more than `within`; returns the value of the best of them.
fn leave_out<M: Copy>(lines: &mut Vec<Line<M>>, within: Option<i32>) -> Option<i32> {
    let floor = lines[0].value - within?;
    let wanted = lines.iter().take_while(|line| line.value >= floor).count();
    let rest = lines.get(wanted).map(|line| line.value);
    lines.truncate(wanted);
    rest
}

const fn stage(depth: u32, exhausted: bool) -> Stage {
    Stage {
        depth,
        confidence: 100,
        to_end: exhausted,
    }
}

impl<G, E> Engine for SearchEngine<G, E>
where
    G: GameState<Move: Send + Sync + 'static> + Send + Sync + 'static,
    E: Evaluate<G> + Send,
{
    type Game = G;
    type Value = i32;

    fn search(
        &mut self,
        request: &Request<G>,
        stop: &StopToken,
        on_progress: &mut dyn FnMut(&Progress<G::Move>),
    ) -> Outcome<G::Move, i32> {
        let (limits, reserve) = (&request.limits, request.reserve);
        let fixed = limits.time.map(|time| TimePlan::per_move(time, reserve));
        let clock = limits
            .clock
            .map(|clock| TimePlan::on_clock(clock, MOVES_LEFT, reserve));
        let time = fixed.into_iter().chain(clock).min_by_key(|plan| plan.deadline);
        let deadline = time.map(|time| time.deadline);
        let control = Control::new(stop.clone(), Arc::clone(&self.clock), deadline, limits.nodes);
        let of_level = limits.level.map(outflank_search::Level::number);
        let mut search = Search {
            request,
            control: control.clone(),
            time,
            depth: limits
                .depth
                .into_iter()
                .chain(of_level)
                .min()
                .map(|depth| depth.max(1)),
            nodes: 0,
            lines: Vec::new(),
            reached: 0,
            on_progress,
        };
        let legal = request.position.legal_moves();
        let mut moves: Vec<_> = legal
            .iter()
            .copied()
            .filter(|mv| !request.excluded.contains(mv))
            .collect();
        if moves.is_empty() {
            moves.clone_from(&legal);
        }
        let (mut lines, exhausted) = if let Some(over) = request.position.outcome() {
            let value = self.evaluate.outcome_value(over);
            (vec![Line::searched(Vec::new(), value, Verdict::Exact)], true)
        } else if request.lines <= 1 && moves.len() == legal.len() {
            self.one_line(&mut search)
        } else {
            self.several_lines(&mut search, &moves)
        };
        let complete = exhausted || search.depth.is_some_and(|depth| search.reached >= depth);
        if lines.is_empty() {
            // Stopped before anything was known: any move is better than none.
            lines.push(Line::searched(
                moves.into_iter().take(1).collect(),
                0,
                Verdict::Aborted,
            ));
        }
        let rest = leave_out(&mut lines, request.within);
        Outcome {
            lines,
            rest,
            nodes: search.nodes,
            elapsed: control.elapsed(),
            complete,
        }
    }

    fn clear(&mut self) {}
}

#[cfg(test)]
mod tests;
