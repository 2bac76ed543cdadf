//! Players that are an engine of this project, or any other search, under some limit.

use super::{
    book::{BookOptions, OpenBook, OthelloPlayer},
    registry::{Access, Maker, seconds_a_move},
    words,
};
use crate::{
    game::MatchGame,
    history::History,
    player::{Choice, Claim, Failure, Player, Reply, Setup, Turn},
};
use outflank_eval::HandMade;
use outflank_gomoku::Board;
use outflank_gomoku_engine::{Engine as GomokuEngine, EngineConfig as GomokuConfig, OpeningTable, Value};
use outflank_othello::Position;
use outflank_othello_engine::{
    Engine as OthelloEngine, EngineConfig, EngineError,
    tuning::{ProbCutTable, Selectivity},
};
use outflank_protocol::{TimeControl, TurnClock};
use outflank_search::{Engine, GameClock, Level, Limits, Origin, Request, StopToken, SystemClock, Verdict};
use outflank_train::model::Model;
use std::{fmt, sync::Arc, time::Duration};

/// Megabytes of table memory of a player that does not say otherwise: several may play at a time.
const DEFAULT_HASH_MB: usize = 16;
/// Time for a move of a player that follows the match's clock, where there is none: as in a quick game.
const WITHOUT_CLOCK: Duration = Duration::from_secs(1);
/// Positions that the search may enter which judges whether an opening of Gomoku is even.
const JUDGE_NODES: u64 = 2_000;

/// How far a player searches for each move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// The limits of every search.
    pub limits: Limits,
    /// Least confidence of estimates, in percent; `None` for the engine's choice.
    pub confidence: Option<u8>,
    /// Whether the time comes from the clock of the match.
    pub follows_clock: bool,
}

impl Effort {
    /// Returns the request for a move in `position`.
    fn request<G: MatchGame>(&self, position: &G, clock: &TurnClock) -> Request<G> {
        let mut request = Request::new(position.clone()).limits(self.limits);
        request.confidence = self.confidence.unwrap_or(request.confidence);
        if !self.follows_clock {
            return request;
        }
        let left = match position.player() {
            outflank_game::Player::First => clock.black,
            outflank_game::Player::Second => clock.white,
        };
        match (clock.control, left) {
            (TimeControl::PerMove(time), _) => request.time(time),
            (TimeControl::Clock { increment, .. }, Some(remaining)) => {
                request.clock(GameClock { remaining, increment })
            }
            _ => request.time(WITHOUT_CLOCK),
        }
    }
}

/// How the values of an engine are written down.
#[derive(Debug)]
pub struct Scale<V> {
    /// The value as a number: discs in Othello, the chance to win in percent in Gomoku.
    pub number: fn(V) -> f64,
    /// What the value means if it is proven.
    pub claim: fn(V) -> Claim,
}

impl<V> Clone for Scale<V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<V> Copy for Scale<V> {}

/// An engine as a player.
pub struct EnginePlayer<E: Engine> {
    engine: E,
    effort: Effort,
    scale: Scale<E::Value>,
    seed: u64,
}

impl<E: Engine> EnginePlayer<E> {
    /// Returns `engine` as a player.
    pub const fn new(engine: E, effort: Effort, scale: Scale<E::Value>) -> Self {
        Self {
            engine,
            effort,
            scale,
            seed: 0,
        }
    }

    /// Lets the player take other chances than those of another seed, in the same game.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }
}

impl<E: Engine> fmt::Debug for EnginePlayer<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EnginePlayer({:?})", self.effort)
    }
}

impl<E> Player<E::Game> for EnginePlayer<E>
where
    E: Engine<Game: MatchGame>,
{
    fn new_game(&mut self, _history: &History<E::Game>, setup: &Setup<'_>) -> Result<(), Failure> {
        self.engine.clear();
        self.engine.reseed(setup.seed ^ self.seed);
        Ok(())
    }

    fn choose(
        &mut self,
        history: &History<E::Game>,
        turn: &Turn<'_>,
    ) -> Result<Reply<outflank_search::MoveOf<E>>, Failure> {
        let request = self.effort.request(history.position(), &turn.clock);
        let outcome = self.engine.search(&request, turn.stop, &mut |_| {});
        if turn.stop.is_stopped() {
            return Err(Failure::Stopped);
        }
        let best = outcome.best();
        let mv = outcome.best_move().ok_or_else(Failure::no_move)?;
        let claim = (self.scale.claim)(best.value);
        let claim = match best.verdict {
            Verdict::Exact | Verdict::WinLossDraw => Some(claim),
            Verdict::AtLeast => Some(claim).filter(|claim| *claim > Claim::Loss),
            _ => None,
        };
        Ok(Reply::Move(Choice {
            value: (best.verdict != Verdict::Aborted).then(|| (self.scale.number)(best.value)),
            claim,
            depth: match best.verdict {
                Verdict::Estimate { depth, .. } => Some(depth),
                Verdict::Aborted => None,
                _ => history.position().depth_to_end(),
            },
            nodes: Some(outcome.nodes),
            is_book: best.origin == Origin::Book,
            ..Choice::of(mv)
        }))
    }
}

/// What a description of an engine says.
struct Description {
    effort: Effort,
    threads: usize,
    table_bytes: usize,
    /// Contents of the file after `--model`.
    weights: Option<Vec<u8>>,
    hand_made: bool,
    /// Of Gomoku.
    built_in_book: bool,
    /// Of Othello.
    book: BookOptions,
    seed: u64,
}

/// The options of an engine that not every game has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extra {
    /// `--confidence`, `--model`, `--hand-made`, and a book of the user's.
    Othello,
    /// `--book`.
    Gomoku,
}

impl Extra {
    const fn help(self) -> &'static str {
        match self {
            Self::Othello => {
                "--threads, --hash, --seed, --confidence, --model, --hand-made, --book, --book-random or --book-human"
            }
            Self::Gomoku => "--threads, --hash, --seed or --book",
        }
    }
}

impl Description {
    /// Returns what the player adds to the seed of each game: another seed in the description, other chances in the same
    /// match.
    const fn spread_seed(&self) -> u64 {
        self.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    /// Reads the value and the options of an engine of `kind` (`level`, `depth`, `nodes`, `time`, `clock`).
    fn parse(kind: &str, arguments: &str, extra: Extra, access: Access) -> Result<Self, String> {
        let words = words::split(arguments).ok_or("a quote is not closed")?;
        let mut description = Self {
            effort: Effort::default(),
            threads: 1,
            table_bytes: DEFAULT_HASH_MB << 20,
            weights: None,
            hand_made: false,
            built_in_book: false,
            book: BookOptions::default(),
            seed: 0,
        };
        let mut value = None;
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "--hand-made" if extra == Extra::Othello => description.hand_made = true,
                "--book" if extra == Extra::Gomoku => description.built_in_book = true,
                option if option.starts_with("--") => {
                    description.option(option, words.next(), extra, access)?;
                }
                text if value.replace(text.to_owned()).is_some() => {
                    return Err("expected one value".to_owned());
                }
                _ => {}
            }
        }
        description.limit(kind, &value.unwrap_or_default())?;
        Ok(description)
    }

    /// Reads an option with a value.
    fn option(
        &mut self,
        option: &str,
        text: Option<String>,
        extra: Extra,
        access: Access,
    ) -> Result<(), String> {
        let of_othello = extra == Extra::Othello;
        let known = match option {
            "--threads" | "--hash" | "--seed" => true,
            "--confidence" | "--model" | "--weights" | "--book" | "--book-random" | "--book-human" => {
                of_othello
            }
            _ => false,
        };
        if !known {
            return Err(format!("no option {option}: expected {}", extra.help()));
        }
        let text = text.ok_or_else(|| format!("{option} needs a value"))?;
        let number = |most: usize| {
            text.parse()
                .ok()
                .filter(|number| (1..=most).contains(number))
                .ok_or_else(|| format!("{option} {text:?}: expected a number from 1 to {most}"))
        };
        match option {
            "--threads" => self.threads = number(256)?,
            "--hash" => self.table_bytes = number(1 << 20)? << 20,
            "--seed" => {
                let seed = text
                    .parse()
                    .map_err(|_| format!("--seed {text:?}: expected a whole number"));
                self.seed = seed?;
            }
            "--confidence" => {
                // Any other would be taken for one of these.
                let levels = Selectivity::LEVELS.map(|level| level.confidence);
                let confidence = text.parse().ok().filter(|number| levels.contains(number));
                let known = levels.map(|level| level.to_string()).join(", ");
                let wrong = || format!("--confidence {text:?}: expected one of {known}");
                self.effort.confidence = Some(confidence.ok_or_else(wrong)?);
            }
            "--book-random" | "--book-human" => {
                self.book.take(option, &text);
            }
            _ if access.files && self.book.take(option, &text) => {}
            _ if access.files => {
                self.weights = Some(std::fs::read(&text).map_err(|error| format!("{text}: {error}"))?);
            }
            _ => return Err("files may not be opened from here".to_owned()),
        }
        Ok(())
    }

    /// Reads the limit that `kind` names.
    fn limit(&mut self, kind: &str, value: &str) -> Result<(), String> {
        let number = |what: &str, most: u64| {
            value
                .parse()
                .ok()
                .filter(|number| (1..=most).contains(number))
                .ok_or_else(|| format!("expected {what} from 1 to {most}, as in \"{kind} 8\""))
        };
        let limits = &mut self.effort.limits;
        match kind {
            "level" => {
                let level: Result<Level, _> = value.parse();
                limits.level = Some(level.map_err(|error| error.to_string())?);
            }
            "depth" => limits.depth = Some(number("a depth", 60)? as u32),
            "nodes" => limits.nodes = Some(number("a number of nodes", u64::MAX)?),
            "time" => limits.time = Some(seconds_a_move(value)?),
            _ if value.is_empty() => self.effort.follows_clock = true,
            _ => return Err(format!("takes no value, but got {value:?}")),
        }
        Ok(())
    }
}

/// Returns `make` as a maker, if it can make a player now: whoever asks for more memory than there is should hear of it.
fn tried<G: MatchGame>(
    make: impl Fn() -> Result<Box<dyn Player<G>>, Failure> + Send + Sync + 'static,
) -> Result<Maker<G>, String> {
    drop(make().map_err(|error| error.to_string())?);
    Ok(Arc::new(make))
}

/// Returns the claim that a number makes if it is proven.
fn claim_of(number: f64) -> Claim {
    match number.partial_cmp(&0.0) {
        Some(std::cmp::Ordering::Greater) => Claim::Win,
        Some(std::cmp::Ordering::Less) => Claim::Loss,
        _ => Claim::Draw,
    }
}

/// Returns the maker for a description of Othello's engine.
pub(super) fn othello(
    kind: &str,
    arguments: &str,
    access: Access,
    open_book: Option<&OpenBook>,
) -> Result<Maker<Position>, String> {
    let description = Description::parse(kind, arguments, Extra::Othello, access)?;
    let config = EngineConfig {
        table_bytes: description.table_bytes,
        threads: description.threads,
        ..EngineConfig::default()
    };
    let (effort, seed) = (description.effort, description.spread_seed());
    let scale = Scale {
        number: outflank_eval::Score::discs,
        claim: |score: outflank_eval::Score| claim_of(score.discs()),
    };
    let book = description.book.open(open_book)?;
    let seated = move |engine: Result<OthelloPlayer, EngineError>| {
        let engine = engine.map_err(|error| Failure::Internal(error.to_string()))?;
        let engine = match &book {
            Some(with_book) => with_book(engine)?,
            None => engine,
        };
        let player = EnginePlayer::new(engine, effort, scale).with_seed(seed);
        Ok(Box::new(player) as Box<dyn Player<Position>>)
    };
    if description.hand_made {
        return tried(move || {
            let (evaluator, probcut) = (Arc::new(HandMade), Arc::new(ProbCutTable::hand_made()));
            let engine = OthelloEngine::judging_by(evaluator, probcut, config, SystemClock::shared());
            seated(engine.map(|engine| Box::new(engine) as OthelloPlayer))
        });
    }
    // The learned evaluation is shared by all players of a description.
    let model = match &description.weights {
        Some(bytes) => Model::decode(bytes).map_err(|error| error.to_string())?,
        None => Model::embedded(),
    };
    tried(move || {
        let (evaluator, probcut) = (Arc::clone(&model.evaluator), Arc::clone(&model.probcut));
        let engine = OthelloEngine::judging_by(evaluator, probcut, config, SystemClock::shared());
        seated(engine.map(|engine| Box::new(engine) as OthelloPlayer))
    })
}

/// What Gomoku's values mean.
const CHANCE: Scale<Value> = Scale {
    number: |value| 100.0 * value.win_probability(),
    claim: |value| match value {
        Value::Win(_) => Claim::Win,
        Value::Loss(_) => Claim::Loss,
        Value::Estimate(_) => Claim::Draw,
    },
};

/// Returns the maker for a description of Gomoku's engine.
pub(super) fn gomoku(kind: &str, arguments: &str, access: Access) -> Result<Maker<Board>, String> {
    let description = Description::parse(kind, arguments, Extra::Gomoku, access)?;
    let (effort, seed, config) = (
        description.effort,
        description.spread_seed(),
        GomokuConfig {
            table_bytes: description.table_bytes,
            threads: description.threads,
            ..GomokuConfig::default()
        },
    );
    let book = description
        .built_in_book
        .then(|| Arc::new(OpeningTable::built_in()));
    tried(move || {
        let mut engine = GomokuEngine::with(config).map_err(|error| Failure::Internal(error.to_string()))?;
        engine.set_book(book.clone());
        Ok(Box::new(
            EnginePlayer::new(engine, effort, CHANCE).with_seed(seed),
        ))
    })
}

/// Returns what values a position of Gomoku for the side to move: percent above an even chance to win.
pub(crate) fn chance_to_win() -> Box<dyn FnMut(&Board) -> f64> {
    let config = GomokuConfig {
        table_bytes: 1 << 20,
        ..GomokuConfig::default()
    };
    let Ok(mut engine) = GomokuEngine::with(config) else {
        // Without a megabyte of memory nothing else would work either.
        return Box::new(|_| 0.0);
    };
    Box::new(move |board| {
        // The verdict must not depend on what was judged before.
        engine.clear();
        let request = Request::new(board.clone()).nodes(JUDGE_NODES);
        let outcome = engine.search(&request, &StopToken::new(), &mut |_| {});
        (CHANCE.number)(outcome.best().value) - 50.0
    })
}
