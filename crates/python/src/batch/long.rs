//! Arrays of boards on which an engine works: solving, searching, playing. Each is a job, whose news are how many are done.

use super::{moves_of, rows::positions_of};
use crate::{
    evaluator::Evaluator,
    jobs::{Job, Make, Post},
    moves,
};
use numpy::{IntoPyArray as _, PyArrayMethods as _, PyReadonlyArray2};
use outflank_api::wire::{Kind, LimitsObject};
use outflank_othello::{Move, Position, Square};
use outflank_othello_engine::{EngineError, Line, Outcome, Request, SolverGoal, tuning::ProbCutTable};
use outflank_search::{Goal, SystemClock, Verdict};
use outflank_study::batch::{
    Answer, BatchOptions, Question, SelfPlay, Spread, play_all, search_all, solve_all,
};
use pyo3::{
    IntoPyObjectExt as _,
    exceptions::{PyMemoryError, PyValueError},
    prelude::*,
};
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

/// No move, where the game is over.
pub(super) const NO_MOVE: u8 = 255;
/// No value, where there is none or the move is not legal.
pub(crate) const NO_VALUE: i8 = -128;
/// Most discs of a line.
pub(super) const LINE: usize = 60;
/// Time between two news.
const TICK: Duration = Duration::from_millis(100);

/// Tells how many are done, not too often.
struct Progress<'a> {
    post: &'a Post,
    last: Instant,
}

impl<'a> Progress<'a> {
    fn new(post: &'a Post) -> Self {
        Self {
            post,
            last: Instant::now(),
        }
    }

    fn tell(&mut self, done: usize) {
        if self.last.elapsed() >= TICK {
            self.last = Instant::now();
            self.post.tell(Box::new(move |py| done.into_py_any(py)));
        }
    }
}

/// Returns the place of a kind among Python's.
const fn kind_number(kind: Kind) -> u8 {
    match kind {
        Kind::Exact => 0,
        Kind::Wld => 1,
        Kind::Bounds => 2,
        Kind::Estimate => 3,
        Kind::Book => 4,
        Kind::Aborted => 5,
        Kind::Win => 6,
        Kind::Loss => 7,
    }
}

/// Returns the answer of a job, or why there is no engine.
fn answer(
    done: Result<(), EngineError>,
    make: impl FnOnce(Python<'_>) -> PyResult<Py<PyAny>> + Send + 'static,
) -> Make {
    match done {
        Ok(()) => Box::new(make),
        Err(error) => Box::new(move |_| Err(PyMemoryError::new_err(error.to_string()))),
    }
}

/// The columns of what was solved.
#[derive(Default)]
struct Solved {
    value: Vec<i8>,
    kind: Vec<u8>,
    best: Vec<u8>,
    values: Vec<[i8; 64]>,
    nodes: Vec<u64>,
    seconds: Vec<f32>,
}

impl Solved {
    fn push(&mut self, answer: &Answer) {
        self.value
            .push(answer.value.map_or(NO_VALUE, |value| value as i8));
        self.kind.push(kind_number(match answer.kind.as_str() {
            "exact" => Kind::Exact,
            "wld" => Kind::Wld,
            "bounds" => Kind::Bounds,
            _ => Kind::Aborted,
        }));
        let best = answer.best.first().map_or(NO_MOVE, |text| {
            text.parse()
                .map_or(moves::PASS, |square: Square| square.index() as u8)
        });
        self.best.push(best);
        let mut values = [NO_VALUE; 64];
        for (text, value) in &answer.values {
            if let Ok(square) = text.parse::<Square>() {
                values[square.index()] = *value as i8;
            }
        }
        self.values.push(values);
        self.nodes.push(answer.nodes);
        self.seconds.push(answer.seconds.unwrap_or(0.0) as f32);
    }

    fn into_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let n = self.value.len();
        let values = self.values.into_flattened().into_pyarray(py).reshape([n, 64])?;
        (
            self.value.into_pyarray(py),
            self.kind.into_pyarray(py),
            self.best.into_pyarray(py),
            values,
            self.nodes.into_pyarray(py),
            self.seconds.into_pyarray(py),
        )
            .into_py_any(py)
    }
}

/// Starts to solve boards: `goal` is `exact`, `all-moves` or `wld`.
#[pyfunction]
pub(crate) fn solve(
    py: Python<'_>,
    boards: PyReadonlyArray2<'_, u64>,
    goal: &str,
    threads: usize,
    table_bytes: usize,
    seconds: Option<f64>,
    evaluator: &Evaluator,
) -> PyResult<Job> {
    let goal = match goal {
        "exact" => SolverGoal::Exact,
        "all-moves" => SolverGoal::AllMoves,
        "wld" => SolverGoal::WinLossDraw,
        _ => {
            return Err(PyValueError::new_err(format!(
                "{goal:?} is no goal: exact, all-moves or wld"
            )));
        }
    };
    let time = match seconds.map(Duration::try_from_secs_f64) {
        None => None,
        Some(Ok(time)) if !time.is_zero() => Some(time),
        Some(_) => return Err(PyValueError::new_err("time: more than 0 seconds")),
    };
    let question = |(row, position): (usize, Position)| Question {
        id: row.to_string(),
        position,
        expected: None,
        scores: Vec::new(),
    };
    let questions: Vec<Question> = positions_of(py, &boards)?
        .into_iter()
        .enumerate()
        .map(question)
        .collect();
    let options = BatchOptions {
        goal,
        threads,
        table_bytes,
        time,
    };
    let patterns = Arc::clone(&evaluator.0);
    Ok(Job::start(move |stop, post| {
        let (mut solved, mut progress) = (Solved::default(), Progress::new(post));
        let (judge, clock) = (
            (&patterns, &Arc::new(ProbCutTable::embedded())),
            SystemClock::shared(),
        );
        let done = solve_all(judge, &questions, options, &clock, stop, &mut |index, answer| {
            solved.push(&answer);
            progress.tell(index + 1);
        });
        answer(done, |py| solved.into_python(py))
    }))
}

/// Reads limits, a `LimitsObject` as JSON.
fn request_of(limits: &str, goal: &str) -> PyResult<Request> {
    let limits: LimitsObject =
        serde_json::from_str(limits).map_err(|error| PyValueError::new_err(error.to_string()))?;
    let limits = limits
        .limits()
        .map_err(|error| PyValueError::new_err(error.to_string()))?;
    let goal = match goal {
        "best" => Goal::Best,
        "exact" => Goal::Exact,
        "wld" => Goal::WinLossDraw,
        _ => {
            return Err(PyValueError::new_err(format!(
                "{goal:?} is no goal: best, exact or wld"
            )));
        }
    };
    Ok(Request::default().limits(limits).goal(goal).without_book())
}

/// The columns of what was searched.
#[derive(Default)]
struct Searched {
    mv: Vec<u8>,
    value: Vec<f32>,
    kind: Vec<u8>,
    depth: Vec<u8>,
    nodes: Vec<u64>,
    pv: Vec<[u8; LINE]>,
    /// By rank: moves and their values, as many as were asked for.
    lines: usize,
    moves: Vec<u8>,
    values: Vec<f32>,
}

impl Searched {
    fn push(&mut self, outcome: &Outcome) {
        let best = outcome.best();
        self.mv.push(best.best().map_or(NO_MOVE, moves::number));
        self.value.push(best.value.discs() as f32);
        self.kind.push(kind_number(Kind::of(best.verdict, best.origin)));
        let depth = match best.verdict {
            Verdict::Estimate { depth, .. } => depth,
            _ => 0,
        };
        self.depth.push(depth as u8);
        self.nodes.push(outcome.nodes);
        self.pv.push(moves_of(&best.moves));
        for rank in 0..self.lines {
            let line = outcome.lines.get(rank);
            let mv = line.and_then(Line::best);
            self.moves.push(mv.map_or(NO_MOVE, moves::number));
            self.values
                .push(line.map_or(f32::NAN, |line| line.value.discs() as f32));
        }
    }

    fn into_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let n = self.mv.len();
        let pv = self.pv.into_flattened().into_pyarray(py).reshape([n, LINE])?;
        (
            self.mv.into_pyarray(py),
            self.value.into_pyarray(py),
            self.kind.into_pyarray(py),
            self.depth.into_pyarray(py),
            self.nodes.into_pyarray(py),
            pv,
            self.moves.into_pyarray(py).reshape([n, self.lines])?,
            self.values.into_pyarray(py).reshape([n, self.lines])?,
        )
            .into_py_any(py)
    }
}

/// Starts to search boards, each with an empty memory.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "each is one of Python's")]
pub(crate) fn search(
    py: Python<'_>,
    boards: PyReadonlyArray2<'_, u64>,
    limits: &str,
    goal: &str,
    lines: usize,
    threads: usize,
    table_bytes: usize,
    evaluator: &Evaluator,
) -> PyResult<Job> {
    let request = request_of(limits, goal)?.lines(lines);
    let positions = positions_of(py, &boards)?;
    let spread = Spread { threads, table_bytes };
    let patterns = Arc::clone(&evaluator.0);
    Ok(Job::start(move |stop, post| {
        let found = Searched {
            lines,
            ..Searched::default()
        };
        let (mut found, mut progress) = (found, Progress::new(post));
        let (judge, clock) = (
            (&patterns, &Arc::new(ProbCutTable::embedded())),
            SystemClock::shared(),
        );
        let done = search_all(
            judge,
            &positions,
            &request,
            spread,
            (&clock, stop),
            &mut |index, outcome| {
                found.push(&outcome);
                progress.tell(index + 1);
            },
        );
        answer(done, |py| found.into_python(py))
    }))
}

/// Starts games of the engine against itself.
#[pyfunction]
pub(crate) fn self_play(
    games: usize,
    seed: u64,
    random_plies: usize,
    limits: &str,
    threads: usize,
    table_bytes: usize,
    evaluator: &Evaluator,
) -> PyResult<Job> {
    let recipe = SelfPlay {
        games,
        seed,
        random_plies,
        request: request_of(limits, "best")?,
    };
    let spread = Spread { threads, table_bytes };
    let patterns = Arc::clone(&evaluator.0);
    Ok(Job::start(move |stop, post| {
        let (mut played, mut results) = (Vec::new(), Vec::new());
        let mut progress = Progress::new(post);
        let (judge, clock) = (
            (&patterns, &Arc::new(ProbCutTable::embedded())),
            SystemClock::shared(),
        );
        let done = play_all(judge, &recipe, spread, (&clock, stop), &mut |index, game| {
            let placed: Vec<Move> = game
                .moves()
                .iter()
                .copied()
                .filter(|&mv| mv != Move::Pass)
                .collect();
            played.push(moves_of(&placed));
            results.push(game.result().map_or(0_i8, |result| result.discs.get() as i8));
            progress.tell(index + 1);
        });
        answer(done, move |py| {
            let n = played.len();
            let moves = played.into_flattened().into_pyarray(py).reshape([n, LINE])?;
            (moves, results.into_pyarray(py)).into_py_any(py)
        })
    }))
}
