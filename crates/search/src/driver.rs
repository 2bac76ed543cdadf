//! The root driver: from a node search that can search one stage to an answer under any limit.
//!
//! It deepens step by step along a list of stages, sets the window around the value expected, finds several lines
//! one after the other, watches the limits, and reports. It knows no game: both engines use it.
//!
//! With several lines and nothing but a depth as the limit, each line is brought to its last stage before the next
//! one begins. Line `k` then depends only on the lines before it, so its value is the same whatever number of lines
//! was asked for. Under time and node limits, and in analysis without end, all lines advance together.

use crate::{
    Control, Line, Progress, Stage, Verdict,
    time::{Settled, TimePlan},
};

/// What the driver asks of a node search.
#[derive(Clone, Copy, Debug)]
pub struct RootRequest<'a, M> {
    /// Depth and care.
    pub stage: Stage,
    /// Root moves that are not to be searched: the lines found already.
    pub excluded: &'a [M],
    /// Lower end of the window, in the game's unit.
    pub alpha: i32,
    /// Upper end of the window, in the game's unit.
    pub beta: i32,
}

/// What a node search answers.
#[derive(Clone, Debug)]
pub struct RootAnswer<M> {
    /// The best move and the expected continuation; empty if nothing could be found out.
    pub moves: Vec<M>,
    /// Its value; a bound if outside the window.
    pub value: i32,
    /// Whether the stage was finished; if not, `moves` is the best of the moves that were.
    pub complete: bool,
}

/// A search of one root position, driven stage by stage.
pub trait RootSearch {
    /// A move of the game.
    type Move: Copy + PartialEq;

    /// Searches one stage.
    fn search_root(
        &mut self,
        request: &RootRequest<'_, Self::Move>,
        control: &Control,
    ) -> RootAnswer<Self::Move>;

    /// Returns the number of positions entered since this search began, by all threads.
    fn nodes(&self) -> u64;

    /// Returns whether no later stage could change a line whose value is `value`, a proven win or loss perhaps: a
    /// search for one line then ends.
    fn is_decided(&self, value: i32) -> bool {
        let _ = value;
        false
    }
}

/// How the driver is to search.
#[derive(Clone, Debug)]
pub struct Plan<'a> {
    /// The stages, in order; must not be empty.
    pub stages: &'a [Stage],
    /// Number of lines wanted; at least 1.
    pub lines: usize,
    /// Lines whose value is further than this below that of the best are not wanted, in the game's unit: all moves
    /// without a line get one bound, [`Driven::rest`].
    pub within: Option<i32>,
    /// Number of legal moves at the root.
    pub root_moves: usize,
    /// Least and greatest value of the game.
    pub range: (i32, i32),
    /// Half width of the first window, in the game's unit: before the end, and to the end; `None` for full windows.
    pub aspiration: Option<(i32, i32)>,
    /// Drop of the value from stage to stage that makes the search spend more time, in the game's unit.
    pub drop: i32,
    /// When to stop beginning stages; `None` for no time limit.
    pub time: Option<TimePlan>,
    /// Whether lines advance together rather than one after the other.
    pub interleave: bool,
}

/// How a driven search ended.
#[derive(Clone, Debug)]
pub struct Driven<M> {
    /// The lines found, best first.
    pub lines: Vec<Line<M>>,
    /// No root move without a line is worth more than this; `None` if nothing was found out about them, or if every
    /// move has a line.
    pub rest: Option<i32>,
    /// The last stage that every line finished, if any.
    pub stage: Option<Stage>,
    /// Whether every stage was finished, or the one line was decided before.
    pub complete: bool,
}

/// The state of one line while stages go by.
#[derive(Clone, Debug)]
struct Standing<M> {
    line: Line<M>,
    stage: Option<Stage>,
    /// Values of the last two finished stages, the older first: odd and even depths differ by a tempo.
    values: [Option<(Stage, i32)>; 2],
    settled: Settled,
}

impl<M: Copy + PartialEq> Standing<M> {
    fn new() -> Self {
        Self {
            line: Line::searched(Vec::new(), 0, Verdict::Aborted),
            stage: None,
            values: [None; 2],
            settled: Settled::default(),
        }
    }

    /// Returns the value to expect from `stage`: that of a finished stage with the same parity of depth, else the
    /// last one.
    fn expected(&self, stage: Stage) -> Option<i32> {
        let same_kind = |seen: &Option<(Stage, i32)>| {
            seen.filter(|(old, _)| old.depth % 2 == stage.depth % 2 || old.to_end)
                .map(|(_, value)| value)
        };
        same_kind(&self.values[1])
            .or_else(|| same_kind(&self.values[0]))
            .or(self.values[1].map(|(_, value)| value))
    }

    fn finish(&mut self, stage: Stage, answer: RootAnswer<M>, drop: i32) {
        let same = self.line.best() == answer.moves.first().copied();
        self.settled.stages_since_change = if same {
            self.settled.stages_since_change + 1
        } else {
            0
        };
        self.settled.dropped = self
            .expected(stage)
            .is_some_and(|before| answer.value < before - drop);
        self.values = [self.values[1], Some((stage, answer.value))];
        self.line = Line::searched(answer.moves, answer.value, stage.verdict());
        self.stage = Some(stage);
    }
}

/// Runs `search` along `plan` until a limit is met.
///
/// The first stage of the first line is finished whatever the time, so that there is a move to play. Only a limit of
/// nodes can end it; then there may be no line.
pub fn drive<S: RootSearch>(
    search: &mut S,
    plan: &Plan<'_>,
    control: &Control,
    on_progress: &mut dyn FnMut(&Progress<S::Move>),
) -> Driven<S::Move> {
    let n_lines = plan.lines.clamp(1, plan.root_moves.max(1));
    let mut driver = Driver {
        search,
        plan,
        control,
        on_progress,
        lines: vec![Standing::new(); n_lines],
        rest: None,
    };
    driver.lines[0].settled.forced = plan.root_moves == 1;
    let complete = if plan.interleave {
        driver.all_lines_together()
    } else {
        driver.one_line_after_the_other()
    };
    let rest = driver.rest;
    let stage = driver
        .lines
        .iter()
        .filter(|line| rest.is_none() || line.stage.is_some())
        .map(|line| line.stage)
        .min_by_key(|stage| stage.map(|stage| (stage.to_end, stage.depth, stage.confidence)));
    let mut lines: Vec<_> = driver
        .lines
        .into_iter()
        .map(|standing| standing.line)
        .filter(|line| !line.moves.is_empty())
        .collect();
    lines.sort_by_key(|line| std::cmp::Reverse(line.value));
    Driven {
        lines,
        rest,
        stage: stage.flatten(),
        complete,
    }
}

struct Driver<'a, S: RootSearch> {
    search: &'a mut S,
    plan: &'a Plan<'a>,
    control: &'a Control,
    on_progress: &'a mut dyn FnMut(&Progress<S::Move>),
    lines: Vec<Standing<S::Move>>,
    /// See [`Driven::rest`].
    rest: Option<i32>,
}

/// How a stage of a line ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ended {
    /// The line has its value.
    Valued,
    /// No move that is left is worth as much as a line has to be: this is their bound.
    Below(i32),
    /// A limit was met.
    Cut,
}

impl<S: RootSearch> Driver<'_, S> {
    fn one_line_after_the_other(&mut self) -> bool {
        /// Stages of a line whose moves need only be told from those that are not wanted: what the lines before it
        /// left in the table replaces the others.
        const LAST_STAGES: usize = 3;
        let stages = self.plan.stages;
        for rank in 0..self.lines.len() {
            let excluded = self.found(rank);
            let floor = self.floor(rank);
            let from = match floor {
                Some(_) => stages.len().saturating_sub(LAST_STAGES),
                None => 0,
            };
            for (index, &stage) in stages.iter().enumerate().skip(from) {
                if !self.may_begin(rank, index) {
                    return false;
                }
                let last = index + 1 == stages.len();
                match self.run(rank, stage, &excluded, floor) {
                    Ended::Below(bound) if last => {
                        self.leave_from(rank);
                        self.rest = Some(bound);
                        return true;
                    }
                    // Only the last stage can tell: before it, a move may still rise.
                    Ended::Valued | Ended::Below(_) => {}
                    Ended::Cut => return false,
                }
                if self.is_decided() {
                    return true;
                }
            }
        }
        true
    }

    /// Returns the least value that line `rank` is wanted for.
    fn floor(&self, rank: usize) -> Option<i32> {
        let within = self.plan.within.filter(|_| rank > 0)?;
        Some((self.lines[0].line.value - within).max(self.plan.range.0))
    }

    /// The lines from `rank` on are not wanted.
    fn leave_from(&mut self, rank: usize) {
        self.lines[rank..].fill(Standing::new());
    }

    /// Returns whether the only line wanted cannot change any more.
    fn is_decided(&self) -> bool {
        self.lines.len() == 1 && self.search.is_decided(self.lines[0].line.value)
    }

    fn all_lines_together(&mut self) -> bool {
        for index in 0..self.plan.stages.len() {
            let stage = self.plan.stages[index];
            let mut rest = None;
            for rank in 0..self.lines.len() {
                // The best lines of this stage need not be those of the last one.
                let excluded = self.found(rank);
                if !self.may_begin(rank, index) {
                    return false;
                }
                match self.run(rank, stage, &excluded, self.floor(rank)) {
                    Ended::Valued => {}
                    Ended::Below(bound) => {
                        self.leave_from(rank);
                        rest = Some(bound);
                        break;
                    }
                    Ended::Cut => return false,
                }
            }
            self.rest = rest;
            // Lines without a value stay behind those that have one.
            self.lines
                .sort_by_key(|standing| std::cmp::Reverse((standing.stage.is_some(), standing.line.value)));
            if self.is_decided() {
                return true;
            }
        }
        true
    }

    fn found(&self, rank: usize) -> Vec<S::Move> {
        self.lines[..rank]
            .iter()
            .filter_map(|standing| standing.line.best())
            .collect()
    }

    /// Returns whether stage number `index` of a line may begin.
    fn may_begin(&self, rank: usize, index: usize) -> bool {
        if (rank, index) == (0, 0) {
            return true;
        }
        if self.control.must_stop(self.search.nodes()) {
            return false;
        }
        let settled = self.lines[0].settled;
        rank > 0
            || self
                .plan
                .time
                .is_none_or(|time| time.may_continue(self.control.elapsed(), settled))
    }

    /// Searches one stage of one line, which is only wanted if it is worth `floor` or more.
    fn run(&mut self, rank: usize, stage: Stage, excluded: &[S::Move], floor: Option<i32>) -> Ended {
        // The very first stage must end, so that there is a move to play.
        let first = rank == 0 && self.lines[0].stage.is_none();
        self.control.arm(!first);
        let answer = self.in_window(rank, stage, excluded, floor);
        self.control.arm(true);
        if answer.complete && floor.is_some_and(|floor| answer.value < floor) {
            return Ended::Below(answer.value);
        }
        if answer.complete {
            self.hand_over(rank, answer.moves.first().copied());
            self.lines[rank].finish(stage, answer, self.plan.drop);
            (self.on_progress)(&Progress {
                rank,
                line: self.lines[rank].line.clone(),
                stage,
                nodes: self.search.nodes(),
                elapsed: self.control.elapsed(),
            });
            return Ended::Valued;
        }
        let Some(&best) = answer.moves.first() else {
            return Ended::Cut;
        };
        match self.lines[rank].stage {
            // An unfinished stage still counts if it found another move better than the one it began with, but it is
            // worth no more than the last finished one, and never exact.
            Some(old) if self.lines[rank].line.best() != Some(best) => {
                self.hand_over(rank, Some(best));
                let verdict = Verdict::Estimate {
                    depth: old.depth,
                    confidence: old.confidence.min(stage.confidence),
                };
                self.lines[rank].line = Line::searched(answer.moves, answer.value, verdict);
            }
            // Out of nodes in the very first stage: better than any legal move, but worth nothing.
            None if first => {
                self.lines[rank].line = Line::searched(answer.moves, answer.value, Verdict::Aborted);
            }
            _ => {}
        }
        Ended::Cut
    }

    /// Line `rank` is about to begin with `best`: if a later line did, that one takes over the old move, so that no
    /// move appears twice.
    fn hand_over(&mut self, rank: usize, best: Option<S::Move>) {
        let (before, later) = self.lines.split_at_mut(rank + 1);
        let own = &mut before[rank];
        if let Some(other) = later
            .iter_mut()
            .find(|other| best.is_some() && other.line.best() == best)
        {
            std::mem::swap(&mut own.line, &mut other.line);
        }
    }

    /// Searches one stage in a window around the expected value, widened until the value is inside or below `floor`.
    fn in_window(
        &mut self,
        rank: usize,
        stage: Stage,
        excluded: &[S::Move],
        floor: Option<i32>,
    ) -> RootAnswer<S::Move> {
        /// Depth from which a narrow window pays.
        const NARROW_FROM: u32 = 5;
        let (low, high) = (floor.unwrap_or(self.plan.range.0), self.plan.range.1);
        // A line of which nothing is known yet is most often not worth its floor.
        let expected = self.lines[rank]
            .expected(stage)
            .or(floor)
            .map(|value| value.max(low));
        let (mut alpha, mut beta, mut width) = match (self.plan.aspiration, expected) {
            (Some((middle, end)), Some(value)) if stage.depth >= NARROW_FROM => {
                let width = if stage.to_end { end } else { middle };
                (value - width, value + width, width)
            }
            _ => (low - 1, high + 1, high - low),
        };
        let mut better = None;
        loop {
            let request = RootRequest {
                stage,
                excluded,
                alpha: alpha.max(low - 1),
                beta: beta.min(high + 1),
            };
            let answer = self.search.search_root(&request, self.control);
            let failed_low = answer.value <= request.alpha;
            let failed_high = answer.value >= request.beta;
            if !answer.complete {
                // A move that has proven to be better than expected counts even if its value is not settled.
                return match better {
                    Some(better) if answer.moves.is_empty() => better,
                    _ => answer,
                };
            }
            let at_the_floor = request.alpha < low && failed_low;
            let full = request.alpha < low && request.beta > high;
            if full || at_the_floor || !(failed_low || failed_high) {
                return answer;
            }
            width = width.saturating_mul(3);
            if failed_high {
                alpha = request.beta - 1;
                beta = answer.value.saturating_add(width);
                better = Some(RootAnswer {
                    complete: false,
                    ..answer
                });
            } else {
                beta = request.alpha + 1;
                alpha = answer.value.saturating_sub(width);
            }
            // A third failure or a value near the end of the range: no more guessing.
            if width > (high - low) / 3 {
                (alpha, beta) = (low - 1, high + 1);
            }
        }
    }
}

#[cfg(test)]
mod tests;
