//! Players that are the engine of this project under some limit.

use super::{Failure, Maker, Player, Reply, answer, words};
use outflank_eval::{Evaluator, HandMade, Patterns};
use outflank_othello::{Color, Game};
use outflank_othello_engine::{Engine, EngineConfig, ProbCutTable, Request};
use outflank_protocol::{TimeControl, TurnClock};
use outflank_search::{GameClock, Level, Limits, StopToken, SystemClock, Verdict};
use std::{fmt, sync::Arc, time::Duration};

/// Megabytes of table memory of a player that does not say otherwise: several may play at a time.
const DEFAULT_HASH_MB: usize = 16;

/// How the engine decides how long to think.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Effort {
    /// The same request for every move.
    Fixed(Request),
    /// Whatever the clock of the match allows.
    MatchClock(Request),
}

/// The engine as a player.
pub struct EnginePlayer<E: Evaluator + 'static> {
    engine: Engine<E>,
    effort: Effort,
}

impl<E: Evaluator + 'static> fmt::Debug for EnginePlayer<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EnginePlayer({:?})", self.effort)
    }
}

impl Effort {
    /// The request for a move of `color`.
    fn request(&self, color: Color, clock: &TurnClock) -> Request {
        let mut request = match self {
            Self::Fixed(request) => return request.clone(),
            Self::MatchClock(request) => request.clone(),
        };
        let left = match color {
            Color::Black => clock.black,
            Color::White => clock.white,
        };
        match (clock.control, left) {
            (TimeControl::PerMove(time), _) => request.limits.time = Some(time),
            (TimeControl::Clock { increment, .. }, Some(remaining)) => {
                request.limits.clock = Some(GameClock { remaining, increment });
            }
            // A match without a clock: as long as a move in a quick game.
            _ => request.limits.time = Some(Duration::from_secs(1)),
        }
        request
    }
}

impl<E: Evaluator + 'static> Player for EnginePlayer<E> {
    fn new_game(&mut self, _game: &Game, _control: &TimeControl, _seed: u64) -> Result<(), Failure> {
        self.engine.clear();
        Ok(())
    }

    fn choose(
        &mut self,
        game: &Game,
        clock: &TurnClock,
        _patience: Option<Duration>,
    ) -> Result<Reply, Failure> {
        let position = game.position();
        let request = self.effort.request(position.side(), clock).at(*position);
        let outcome = self.engine.search(&request, &StopToken::new(), &mut |_| {});
        let best = outcome.best();
        let mv = outcome
            .best_move()
            .ok_or_else(|| Failure::Internal("asked for a move in a finished game".to_owned()))?;
        let depth = match best.verdict {
            Verdict::Estimate { depth, .. } => Some(depth),
            Verdict::Exact | Verdict::WinLossDraw | Verdict::AtLeast | Verdict::AtMost => {
                Some(position.board().empties().count())
            }
            Verdict::Aborted => None,
        };
        let value = (best.verdict != Verdict::Aborted).then(|| best.value.discs());
        Ok(Reply::Move(answer(mv, value, depth, Some(outcome.nodes))))
    }
}

/// What a description of an engine says beside its limit.
struct Options {
    config: EngineConfig,
    confidence: Option<u8>,
    evaluator: EvaluatorChoice,
}

/// What the engine judges by; the learned evaluation is shared by all players of a description.
#[derive(Clone)]
enum EvaluatorChoice {
    Learned(Arc<Patterns>),
    HandMade,
}

/// Reads the value and the options of a description.
fn options(arguments: &str) -> Result<(String, Options), String> {
    let words = words::split(arguments).ok_or("a quote is not closed")?;
    let mut options = Options {
        config: EngineConfig {
            table_bytes: DEFAULT_HASH_MB << 20,
            ..EngineConfig::default()
        },
        confidence: None,
        evaluator: EvaluatorChoice::Learned(Arc::new(Patterns::embedded())),
    };
    let mut value = None;
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        if !word.starts_with("--") {
            if value.replace(word).is_some() {
                return Err("expected one value".to_owned());
            }
            continue;
        }
        if word == "--hand-made" {
            options.evaluator = EvaluatorChoice::HandMade;
            continue;
        }
        let text = words.next().ok_or_else(|| format!("{word} needs a value"))?;
        let number = |most: usize| {
            text.parse()
                .ok()
                .filter(|number| (1..=most).contains(number))
                .ok_or_else(|| format!("{word} {text:?}: expected a number from 1 to {most}"))
        };
        match word.as_str() {
            "--threads" => options.config.threads = number(1024)?,
            "--hash" => options.config.table_bytes = number(1 << 20)? << 20,
            "--weights" => {
                let bytes = std::fs::read(&text).map_err(|error| format!("{text}: {error}"))?;
                let patterns = Patterns::from_bytes(&bytes).map_err(|error| format!("{text}: {error}"))?;
                options.evaluator = EvaluatorChoice::Learned(Arc::new(patterns));
            }
            "--confidence" => options.confidence = Some(number(100)? as u8),
            _ => {
                return Err(format!(
                    "no option {word}: expected --threads, --hash, --confidence, --weights or --hand-made"
                ));
            }
        }
    }
    Ok((value.unwrap_or_default(), options))
}

/// Returns an engine that judges by `evaluator`, whose statistics are `probcut`, as a player.
fn player<E: Evaluator + 'static>(
    evaluator: Arc<E>,
    probcut: ProbCutTable,
    config: EngineConfig,
    effort: Effort,
) -> Result<Box<dyn Player>, Failure> {
    let engine = Engine::new(evaluator, Arc::new(probcut), config, SystemClock::shared())
        .map_err(|error| Failure::Internal(error.to_string()))?;
    Ok(Box::new(EnginePlayer { engine, effort }))
}

/// Returns the maker for a description of `kind` (`level`, `depth`, `nodes`, `time`, `clock`).
pub(super) fn maker(kind: &str, arguments: &str) -> Result<Maker, String> {
    let (value, options) = options(arguments)?;
    let number = |what: &str, least: u64, most: u64| {
        value
            .parse()
            .ok()
            .filter(|number| (least..=most).contains(number))
            .ok_or_else(|| {
                format!(
                    "expected {what} from {least} to {most}, as in \"{kind} {}\"",
                    least.max(8)
                )
            })
    };
    let mut effort = match kind {
        "level" => {
            let level = number("a level", 1, u64::from(Level::MAX))?;
            Effort::Fixed(
                Request::default().level(Level::new(level as u32).map_err(|error| error.to_string())?),
            )
        }
        "depth" => Effort::Fixed(Request::default().depth(number("a depth", 1, 60)? as u32)),
        "nodes" => Effort::Fixed(Request::default().limits(Limits {
            nodes: Some(number("a number of nodes", 1, u64::MAX)?),
            ..Limits::default()
        })),
        "time" => {
            let seconds: f64 = value
                .parse()
                .ok()
                .filter(|seconds| (0.001..=1e6).contains(seconds))
                .ok_or("expected seconds a move, as in \"time 0.1\"")?;
            Effort::Fixed(Request::default().time(Duration::from_secs_f64(seconds)))
        }
        _ if value.is_empty() => Effort::MatchClock(Request::default()),
        _ => return Err(format!("takes no value, but got {value:?}")),
    };
    let (Effort::Fixed(request) | Effort::MatchClock(request)) = &mut effort;
    if let Some(confidence) = options.confidence {
        request.confidence = confidence;
    }
    let make = move || -> Result<Box<dyn Player>, Failure> {
        match &options.evaluator {
            EvaluatorChoice::Learned(patterns) => {
                let probcut = ProbCutTable::embedded();
                player(Arc::clone(patterns), probcut, options.config, effort.clone())
            }
            EvaluatorChoice::HandMade => {
                let probcut = ProbCutTable::hand_made();
                player(Arc::new(HandMade), probcut, options.config, effort.clone())
            }
        }
    };
    // Whoever asks for more memory than there is should hear of it now.
    drop(make().map_err(|error| error.to_string())?);
    Ok(Arc::new(make))
}
