//! A report about a value that somebody doubts: what is needed to see it again, and what slower methods say of it.

use crate::{
    analyze::{Analysis, DEFAULT_TIME},
    error::Error,
    show::PositionObject,
    wire::LimitsObject,
};
use outflank_eval::{Evaluator as _, Patterns, Score};
use outflank_game::Evaluate;
use outflank_othello::{Game, Position, kernels, naive::NaiveBoard};
use outflank_othello_engine::{Engine, Outcome, Request};
use outflank_search::{Clock, Control, Limits, StopToken, Verdict};
use outflank_textbook::{Method, Order, Settings, search_within};
use serde::Serialize;
use std::{sync::Arc, time::Duration};

/// Most empty squares for which the solver is asked, too.
pub const SOLVED: u32 = 22;
/// Most empty squares for which textbook alpha-beta is.
pub const TEXTBOOK: u32 = 14;
/// Most empty squares for which minimax on an array is.
pub const ARRAY: u32 = 8;

/// The longest that the solver or the textbook search may take; the search itself has its own limits.
const PROOF_TIME: Duration = Duration::from_mins(1);

/// Asks for a report.
#[derive(Clone, Debug)]
pub struct ReportRequest<'a> {
    /// The game whose last position is meant.
    pub game: &'a Game,
    /// The value that is thought to be right, in discs for the side to move.
    pub expected: Option<f64>,
    /// How the engine is asked.
    pub settings: SearchSettings,
}

/// How the engine was asked.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SearchSettings {
    /// How far it searches; 5 seconds if nothing is said.
    pub limits: LimitsObject,
    /// Confidence of midgame values in percent.
    pub confidence: u8,
    /// Threads that work at the same time.
    pub threads: usize,
    /// Memory for the table in bytes.
    pub table_bytes: usize,
}

/// The program that says so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Program {
    /// Its version.
    pub version: &'static str,
    /// The operating system.
    pub os: &'static str,
    /// The architecture.
    pub arch: &'static str,
    /// Extensions of the instruction set that it was built for.
    pub instructions: Vec<&'static str>,
    /// The kernels of the rules.
    pub kernels: &'static str,
    /// Whether it checks itself as it goes, as builds for development do.
    pub assertions: bool,
    /// Digest of the weights in use, in hexadecimal digits.
    pub weights: String,
    /// Whether these are the weights inside the program.
    pub embedded: bool,
}

impl Program {
    fn new(evaluator: &Patterns) -> Self {
        let instructions = [
            ("sse4.2", cfg!(target_feature = "sse4.2")),
            ("popcnt", cfg!(target_feature = "popcnt")),
            ("avx", cfg!(target_feature = "avx")),
            ("avx2", cfg!(target_feature = "avx2")),
            ("bmi1", cfg!(target_feature = "bmi1")),
            ("bmi2", cfg!(target_feature = "bmi2")),
            ("fma", cfg!(target_feature = "fma")),
            ("lzcnt", cfg!(target_feature = "lzcnt")),
            ("avx512f", cfg!(target_feature = "avx512f")),
            ("neon", cfg!(target_feature = "neon")),
            ("simd128", cfg!(target_feature = "simd128")),
        ];
        Self {
            version: env!("CARGO_PKG_VERSION"),
            os: std::env::consts::OS,
            arch: std::env::consts::ARCH,
            instructions: instructions
                .into_iter()
                .filter_map(|(name, built)| built.then_some(name))
                .collect(),
            kernels: kernels::ACTIVE,
            assertions: cfg!(debug_assertions),
            weights: format!("{:016x}", evaluator.fingerprint()),
            embedded: evaluator.fingerprint() == Patterns::embedded_checksum(),
        }
    }
}

/// What a slower method says, which shares little with the engine.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SlowCheck {
    /// The method.
    pub method: &'static str,
    /// The exact value; `null` if there was not enough time.
    pub value: Option<i32>,
    /// Positions entered, where they are counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Time taken.
    pub seconds: f64,
}

/// A report about a value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Who says so.
    pub program: Program,
    /// The position.
    pub position: PositionObject,
    /// The value that is thought to be right.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<f64>,
    /// How the engine was asked.
    pub settings: SearchSettings,
    /// What it answers.
    pub analysis: Analysis,
    /// What it answers if the value is to be exact, where that is in reach.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solved: Option<Analysis>,
    /// What slower methods say, where they are in reach.
    pub checks: Vec<SlowCheck>,
    /// Whether two proven values differ: then the program is wrong.
    pub contradiction: bool,
    /// Whether a proven value is the expected one; absent if nothing is expected or nothing is proven.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_expected: Option<bool>,
}

/// The result of a game as its value. No other position is judged: mobility only sorts the moves, for a search to the end
/// ends nowhere else.
struct Results;

impl Evaluate<Position> for Results {
    fn evaluate(&self, position: &Position) -> i32 {
        position.legal_moves().len() as i32
    }
}

/// Returns the value of a finished proof in discs.
fn proven(outcome: &Outcome) -> Option<i32> {
    let best = outcome.best();
    (best.verdict == Verdict::Exact).then(|| best.value.units() / Score::PER_DISC)
}

/// Asks the engine and slower methods for the value of a position.
///
/// # Errors
///
/// A limit is outside of its range.
pub fn report(
    request: &ReportRequest<'_>,
    engine: &mut Engine<Patterns>,
    clock: &Arc<dyn Clock>,
    stop: &StopToken,
) -> Result<Report, Error> {
    let position = *request.game.position();
    let empties = position.board().empties().count();
    let mut limits = request.settings.limits.limits()?;
    if limits == Limits::default() {
        limits.time = Some(DEFAULT_TIME);
    }
    engine.clear();
    let search = Request::new(position)
        .limits(limits)
        .confidence(request.settings.confidence);
    let outcome = engine.search(&search, stop, &mut |_| {});
    let mut values: Vec<i32> = proven(&outcome).into_iter().collect();
    let solved = (empties <= SOLVED).then(|| {
        engine.clear();
        engine.search(
            &Request::new(position).exact().time(PROOF_TIME),
            stop,
            &mut |_| {},
        )
    });
    values.extend(solved.as_ref().and_then(proven));
    let checks = slow_checks(&position, empties, clock, stop);
    values.extend(checks.iter().filter_map(|check| check.value));
    Ok(Report {
        program: Program::new(engine.evaluator()),
        position: PositionObject::new(request.game, None),
        expected: request.expected,
        settings: request.settings.clone(),
        analysis: Analysis::othello(request.game, &outcome),
        solved: solved.map(|outcome| Analysis::othello(request.game, &outcome)),
        checks,
        contradiction: values.windows(2).any(|pair| pair[0] != pair[1]),
        as_expected: match (request.expected, values.last()) {
            (Some(expected), Some(&value)) => Some((expected - f64::from(value)).abs() < 0.01),
            _ => None,
        },
    })
}

fn slow_checks(
    position: &Position,
    empties: u32,
    clock: &Arc<dyn Clock>,
    stop: &StopToken,
) -> Vec<SlowCheck> {
    let mut checks = Vec::new();
    let since = |begin: Duration| clock.now().saturating_sub(begin).as_secs_f64();
    if empties <= TEXTBOOK {
        let begin = clock.now();
        let control = Control::new(stop.clone(), Arc::clone(clock), Some(PROOF_TIME), None);
        let settings = Settings {
            order: Order::Evaluated,
            ..Settings::new(Method::Negamax)
        };
        let found = search_within(&settings, position, &Results, empties, &control);
        checks.push(SlowCheck {
            method: "textbook alpha-beta without tables, evaluation or stability",
            value: found.complete.then_some(found.value),
            nodes: Some(found.counters.nodes),
            seconds: since(begin),
        });
    }
    if empties <= ARRAY && !stop.is_stopped() {
        let begin = clock.now();
        checks.push(SlowCheck {
            method: "minimax without pruning, on an array instead of bitboards",
            value: Some(NaiveBoard::from_position(position).minimax()),
            nodes: None,
            seconds: since(begin),
        });
    }
    checks
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_records::paste;
    use outflank_search::SystemClock;

    fn report_on(text: &str, expected: Option<f64>, depth: Option<u32>) -> Report {
        let game = paste(text).expect("a position").items[0].game();
        let clock = SystemClock::shared();
        let mut engine = Engine::new().expect("an engine");
        let settings = SearchSettings {
            limits: LimitsObject {
                depth,
                ..LimitsObject::default()
            },
            confidence: 73,
            threads: 1,
            table_bytes: 64 << 20,
        };
        let request = ReportRequest {
            game: &game,
            expected,
            settings,
        };
        report(&request, &mut engine, &clock, &StopToken::new()).expect("a report")
    }

    #[test]
    fn an_endgame_is_solved_in_every_way_there_is() {
        let suite = include_str!("../../../data/fforum-20-39.obf");
        let few = |line: &&str| {
            line.split(' ')
                .next()
                .is_some_and(|board| (1..=8).contains(&board.matches('-').count()))
        };
        let line = suite.lines().find(few).expect("a position of few empties");
        let found = report_on(line, Some(1.0), None);
        assert!(!found.contradiction && found.as_expected == Some(false));
        assert_eq!(found.checks.len(), 2);
        let value = found.checks[0].value;
        assert!(value.is_some() && found.checks.iter().all(|check| check.value == value));
        let again = report_on(line, value.map(f64::from), None);
        assert_eq!(again.as_expected, Some(true));
    }

    #[test]
    fn far_from_the_end_nothing_is_proven() {
        let found = report_on("f5d6c3", Some(0.0), Some(4));
        assert!(found.solved.is_none() && found.checks.is_empty());
        assert!(!found.contradiction && found.as_expected.is_none());
        assert_eq!(found.analysis.best.depth, 4);
        assert!(found.program.embedded && found.program.weights.len() == 16);
    }
}
