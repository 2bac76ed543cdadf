//! The best moves of a position, what they are worth, and what that is worth.

use crate::{
    access::{Capabilities, Input},
    book::{self, BookPosition},
    engines::Engines,
    error::Error,
    wire::{
        GameName, GomokuRules, Kind, LimitsObject, Number, Opening, board_and_side, effort, hundredths,
        mover, texts,
    },
};
use outflank_eval::{Patterns, Score};
use outflank_gomoku::{Board, Color, Point, notation::moves_text};
use outflank_gomoku_engine::Proof;
use outflank_othello::{Game, Position};
use outflank_othello_engine as othello;
use outflank_records::gomoku::{Record, sgf};
use outflank_search::{Clock, Goal, Limits, StopToken, Verdict};
use outflank_study::{gomoku_win, names};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{sync::Arc, time::Duration};

/// What is proven, beside the best move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum GoalName {
    /// The best move, as far as the limits allow.
    #[default]
    Best,
    /// The exact value.
    Exact,
    /// Who wins.
    Wld,
}

impl From<GoalName> for Goal {
    fn from(goal: GoalName) -> Self {
        match goal {
            GoalName::Best => Self::Best,
            GoalName::Exact => Self::Exact,
            GoalName::Wld => Self::WinLossDraw,
        }
    }
}

const fn one() -> usize {
    1
}

const fn usual_confidence() -> u8 {
    73
}

/// Asks for the best moves of positions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AnalyzeRequest {
    /// The game.
    #[serde(default)]
    pub game: GameName,
    /// Positions, or games, whose last position is meant.
    pub input: Input,
    /// Rule set and board of Gomoku.
    #[serde(default)]
    pub rules: GomokuRules,
    /// How far to search; 5 seconds a position if nothing is said.
    #[serde(default)]
    pub limits: LimitsObject,
    /// What to prove.
    #[serde(default)]
    pub goal: GoalName,
    /// How many of the best moves to value; at least 1.
    #[serde(default = "one")]
    pub lines: usize,
    /// Instead of a number of lines: value every move that is worth at most this many discs less than the best, and give
    /// one bound for all others; Othello only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<f64>,
    /// Confidence of midgame values in percent: 73, 87, 95, 98, 99 or 100.
    #[serde(default = "usual_confidence")]
    pub confidence: u8,
    /// Whether to report every finished stage of every move.
    #[serde(default)]
    pub progress: bool,
    /// Whether to say what the evaluation of the position itself is made of; Othello only.
    #[serde(default)]
    pub explain: bool,
    /// Whether to say first what the opening book has, where the front-end has opened one; Othello only.
    #[serde(default)]
    pub book: bool,
    /// Memory for the table in bytes; 64 MiB if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table_bytes: Option<u64>,
}

/// A move, its value, and the play behind it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LineObject {
    /// The move; `null` when the game is over.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// Othello: discs for the side to move. Gomoku: its chance to win in percent.
    pub value: Number,
    /// What the value is worth.
    pub kind: Kind,
    /// Moves looked ahead; as many as there are empty squares where the value is proven.
    pub depth: u32,
    /// Percent of such values that are right within a disc; Othello only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<u8>,
    /// The move and what follows.
    pub pv: Vec<String>,
    /// Gomoku: most stones to a proven end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stones: Option<u32>,
    /// Gomoku: an estimate in the engine's unit, 1/500 of the logarithm of the odds to win; 500 stands for odds of e to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub units: Option<i32>,
}

/// A forced win of Gomoku that was proved and checked against every answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ForcedWin {
    /// Most stones until five, those of both sides counted.
    pub stones: usize,
    /// The line in which each answer delays the end the most, the winner's move first.
    pub line: Vec<String>,
    /// Moves in the proof.
    pub proof_moves: usize,
}

impl ForcedWin {
    /// Returns the win that a proof shows.
    pub fn new(proof: &Proof) -> Self {
        Self {
            stones: proof.longest(),
            line: texts(&proof.main_line()),
            proof_moves: proof.n_moves(),
        }
    }
}

/// Positions that a look for what the other side threatens may enter: some hundredths of a second.
const THREAT_NODES: u64 = 5_000;

/// Returns the win that the other side would have if the side to move passed: what it threatens.
pub fn threat(board: &Board, clock: &Arc<dyn Clock>, stop: &StopToken) -> Option<ForcedWin> {
    let proof = gomoku_win::threat(board, THREAT_NODES, clock, stop)?;
    Some(ForcedWin::new(&proof))
}

impl LineObject {
    /// Returns a line of Othello from `position`.
    pub fn othello(position: &Position, line: &othello::Line) -> Self {
        let (depth, confidence) = effort(position, line.verdict);
        Self {
            mv: mover(line.best()),
            value: Number::discs(line),
            kind: Kind::of(line.verdict, line.origin),
            depth,
            confidence: Some(confidence),
            pv: texts(&line.moves),
            stones: None,
            units: None,
        }
    }

    /// Returns a line of Gomoku.
    pub fn gomoku(line: &outflank_gomoku_engine::Line) -> Self {
        use outflank_gomoku_engine::Value;
        let (kind, stones, units) = match line.value {
            Value::Win(stones) => (Kind::Win, Some(stones), None),
            Value::Loss(stones) => (Kind::Loss, Some(stones), None),
            Value::Estimate(units) => (Kind::Estimate, None, Some(units)),
        };
        let depth = match line.verdict {
            Verdict::Estimate { depth, .. } => depth,
            _ => u32::try_from(line.moves.len()).unwrap_or(u32::MAX),
        };
        Self {
            mv: line.best().map(|mv| mv.to_string()),
            value: Number::hundredths(line.value.win_probability() * 100.0),
            kind,
            depth,
            confidence: None,
            pv: texts(&line.moves),
            stones,
            units,
        }
    }
}

/// The best moves of a position of Othello.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Analysis {
    /// The best line.
    #[serde(flatten)]
    pub best: LineObject,
    /// 64 characters, a1 first; Othello only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<String>,
    /// The stones in the order in which they were placed, or an SGF record; Gomoku only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub history: Option<String>,
    /// `X` or `O`, to move.
    pub side: String,
    /// Positions entered.
    pub nodes: u64,
    /// Time taken.
    pub seconds: f64,
    /// Whether everything was done that was asked; not if a limit was met, or somebody stopped it.
    pub complete: bool,
    /// The best moves, best first.
    pub lines: Vec<LineObject>,
    /// No legal move that is without a line is worth more than this, in discs, by a search like that of the best; only
    /// where `within` was asked for and such moves are left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rest: Option<f64>,
    /// The last named position of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening: Option<Opening>,
    /// What the evaluation of the position is made of, if that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explanation: Option<Explanation>,
    /// What the opening book says about the position, if it has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub book: Option<Box<BookPosition>>,
    /// Gomoku: the proof of the best line, where it was proved by threats and checked against every answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<ForcedWin>,
    /// Gomoku: the win that the other side would have if the side to move passed, where a short look finds one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threat: Option<ForcedWin>,
}

/// What the evaluation says without any search, and why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Explanation {
    /// Its estimate in discs for the side to move.
    pub value: f64,
    /// What speaks for and against the side to move, the weightiest first; together the estimate, unless that is cut off.
    pub parts: Vec<Part>,
}

/// A part of an evaluation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Part {
    /// Name of a kind of pattern; or `mobility`, `constant`, or `network`: what only several patterns together say.
    pub name: String,
    /// The squares that the pattern looks at.
    pub squares: Vec<String>,
    /// What they hold in the pattern's order, X for the side to move; of `mobility`, both numbers of moves.
    pub holds: String,
    /// Its share in discs, for the side to move.
    pub discs: f64,
}

impl Explanation {
    /// Takes the evaluation of a position apart; a side that must pass is judged by the other's view.
    pub fn new(evaluator: &Patterns, position: &Position) -> Self {
        let passes = position.board().must_pass();
        let board = if passes {
            position.board().passed()
        } else {
            position.board()
        };
        let sign = if passes { -1.0 } else { 1.0 };
        let found = evaluator.explain(board);
        let discs = |units: i32| sign * f64::from(units) / f64::from(Score::PER_DISC) + 0.0;
        let mut parts: Vec<Part> = found
            .parts
            .into_iter()
            .map(|part| Part {
                name: part.name.to_owned(),
                squares: part
                    .squares
                    .into_iter()
                    .map(|square| square.to_string())
                    .collect(),
                holds: part.configuration,
                discs: discs(part.units),
            })
            .collect();
        parts.sort_by(|a, b| b.discs.abs().total_cmp(&a.discs.abs()));
        Self {
            value: discs(found.value.units()),
            parts,
        }
    }
}

impl Analysis {
    /// Returns what was found at the end of `game`.
    pub fn othello(game: &Game, outcome: &othello::Outcome) -> Self {
        let position = game.position();
        let (board, side) = board_and_side(position);
        Self {
            best: LineObject::othello(position, outcome.best()),
            board: Some(board),
            history: None,
            side,
            nodes: outcome.nodes,
            seconds: outcome.elapsed.as_secs_f64(),
            complete: outcome.complete,
            lines: outcome
                .lines
                .iter()
                .map(|line| LineObject::othello(position, line))
                .collect(),
            rest: outcome.rest.map(|bound| hundredths(bound.discs())),
            opening: names::of_game(game).map(Into::into),
            explanation: None,
            book: None,
            proof: None,
            threat: None,
        }
    }

    /// Returns what was found for `board`, with the proof of its best line, and what the other side threatens.
    pub fn gomoku(
        board: &Board,
        outcome: &outflank_gomoku_engine::Outcome,
        proof: Option<&Proof>,
        threat: Option<ForcedWin>,
    ) -> Self {
        Self {
            best: LineObject::gomoku(outcome.best()),
            board: None,
            history: Some(history(board)),
            side: side(board).to_owned(),
            nodes: outcome.nodes,
            seconds: outcome.elapsed.as_secs_f64(),
            complete: outcome.complete,
            lines: outcome
                .lines
                .iter()
                .filter(|line| !line.moves.is_empty())
                .map(LineObject::gomoku)
                .collect(),
            rest: None,
            opening: None,
            explanation: None,
            book: None,
            proof: proof.map(ForcedWin::new),
            threat,
        }
    }
}

/// A finished stage of a move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StageObject {
    /// The line as it is now.
    #[serde(flatten)]
    pub line: LineObject,
    /// Place of the move as far as is known, from 1.
    pub rank: usize,
    /// Positions entered so far.
    pub nodes: u64,
    /// Time taken so far.
    pub seconds: f64,
}

/// Reports a finished stage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Progress {
    /// The stage.
    pub progress: StageObject,
}

impl Progress {
    /// Returns a stage of a search; `line` is its line as an object.
    pub fn new(line: LineObject, rank: usize, nodes: u64, elapsed: Duration) -> Self {
        Self {
            progress: StageObject {
                line,
                rank: rank + 1,
                nodes,
                seconds: elapsed.as_secs_f64(),
            },
        }
    }
}

/// Says what the opening book has, before the search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BookNews {
    /// What the book says about the position.
    pub book: Box<BookPosition>,
}

/// What an analysis says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum AnalyzeEvent {
    /// A finished stage.
    Progress(Progress),
    /// The result for one position.
    Result(Box<Analysis>),
    /// What the book says, before the search.
    Book(BookNews),
}

/// Time for a position if nothing else is said.
pub const DEFAULT_TIME: Duration = Duration::from_secs(5);
/// Bytes of the table if nothing else is said.
const DEFAULT_TABLE: u64 = 64 << 20;
/// Most bytes that may be asked for.
const MOST_TABLE: u64 = 1 << 40;

impl AnalyzeRequest {
    /// Returns a request for the best move of positions of Othello, with the usual limits.
    pub fn of(input: Input) -> Self {
        Self {
            game: GameName::Othello,
            input,
            rules: GomokuRules::default(),
            limits: LimitsObject::default(),
            goal: GoalName::Best,
            lines: one(),
            within: None,
            confidence: usual_confidence(),
            progress: false,
            explain: false,
            book: false,
            table_bytes: None,
        }
    }

    /// Returns [`AnalyzeRequest::within`] in the engine's unit.
    fn within(&self) -> Result<Option<i32>, Error> {
        match self.within {
            None => Ok(None),
            Some(_) if self.game == GameName::Gomoku => Err(Error::Value {
                name: "within",
                reason: "only Othello's moves are valued in discs".to_owned(),
            }),
            Some(_) if self.goal == GoalName::Wld => Err(Error::Value {
                name: "within",
                reason: "where only the winner is asked for, there are no discs to count".to_owned(),
            }),
            Some(discs) => within_units(discs).map(Some).map_err(|reason| Error::Value {
                name: "within",
                reason,
            }),
        }
    }

    fn limits(&self) -> Result<Limits, Error> {
        let mut limits = self.limits.limits()?;
        if limits == Limits::default() && self.goal == GoalName::Best {
            limits.time = Some(DEFAULT_TIME);
        }
        Ok(limits)
    }
}

/// Returns a number of discs by which moves may be worse than the best, in the engine's unit.
///
/// # Errors
///
/// Returns why it is no such number.
pub fn within_units(discs: f64) -> Result<i32, String> {
    if (0.0..=128.0).contains(&discs) {
        Ok((discs * f64::from(Score::PER_DISC)).round() as i32)
    } else {
        Err(format!("{discs} is not from 0 to 128 discs"))
    }
}

/// Returns the size of a table that was asked for.
pub(crate) fn table_bytes(bytes: Option<u64>) -> Result<usize, Error> {
    let bytes = bytes.unwrap_or(DEFAULT_TABLE);
    // No processor of 32 bits has more than half of its addresses for one thing.
    let most = MOST_TABLE.min(isize::MAX as u64);
    match usize::try_from(bytes) {
        Ok(size) if (1..=most).contains(&bytes) => Ok(size),
        _ => Err(Error::Value {
            name: "table_bytes",
            reason: format!("{bytes} is not from 1 to {most}"),
        }),
    }
}

/// Refuses a confidence that no search has.
pub(crate) fn check_confidence(confidence: u8) -> Result<(), Error> {
    let known = othello::tuning::Selectivity::LEVELS.map(|level| level.confidence);
    if confidence == 100 || known.contains(&confidence) {
        Ok(())
    } else {
        Err(Error::Value {
            name: "confidence",
            reason: format!("{confidence} is none of 73, 87, 95, 98, 99 and 100"),
        })
    }
}

/// Analyzes every position of the input; tells `on_event` of stages, and of each result.
///
/// # Errors
///
/// Returns why the request cannot be answered.
pub fn analyze(
    request: &AnalyzeRequest,
    capabilities: &Capabilities<'_>,
    engines: &mut Engines,
    stop: &StopToken,
    on_event: &mut dyn FnMut(AnalyzeEvent),
) -> Result<(), Error> {
    let limits = request.limits()?;
    check_confidence(request.confidence)?;
    let within = request.within()?;
    if request.lines == 0 {
        return Err(Error::Value {
            name: "lines",
            reason: "at least 1".to_owned(),
        });
    }
    let source = request.input.open(capabilities)?;
    match request.game {
        GameName::Othello => {
            let items = source.othello()?;
            for game in items.iter().map(outflank_records::Item::game) {
                if stop.is_stopped() {
                    break;
                }
                let known = match engines.book(request.book) {
                    Some(shelf) => Some(book::show(&shelf, &game)?).filter(|known| known.known),
                    None => None,
                };
                let known = known.map(Box::new);
                if let Some(known) = &known {
                    on_event(AnalyzeEvent::Book(BookNews { book: known.clone() }));
                }
                let engine = engines.othello(request.table_bytes, None)?;
                let position = *game.position();
                let asked = othello::Request::new(position)
                    .limits(limits)
                    .goal(request.goal.into())
                    .lines(request.lines)
                    .confidence(request.confidence);
                let asked = match within {
                    Some(units) => asked.within(units),
                    None => asked,
                };
                let outcome = engine.search(&asked, stop, &mut |news: &othello::Progress| {
                    if request.progress {
                        let line = LineObject::othello(&position, &news.line);
                        let stage = Progress::new(line, news.rank, news.nodes, news.elapsed);
                        on_event(AnalyzeEvent::Progress(stage));
                    }
                });
                let mut analysis = Analysis::othello(&game, &outcome);
                analysis.explanation = request
                    .explain
                    .then(|| Explanation::new(engine.evaluator(), &position));
                analysis.book = known;
                on_event(AnalyzeEvent::Result(Box::new(analysis)));
            }
        }
        GameName::Gomoku if request.explain => {
            return Err(Error::Value {
                name: "explain",
                reason: "only Othello's evaluation is explained".to_owned(),
            });
        }
        GameName::Gomoku => {
            let board = gomoku_board(&source.gomoku()?.0, &request.rules)?;
            let engine = engines.gomoku(request.table_bytes)?;
            let asked = outflank_gomoku_engine::Request::new(board.clone())
                .limits(limits)
                .goal(request.goal.into())
                .lines(request.lines);
            let outcome = engine.search(&asked, stop, &mut |news| {
                if request.progress {
                    let line = LineObject::gomoku(&news.line);
                    let stage = Progress::new(line, news.rank, news.nodes, news.elapsed);
                    on_event(AnalyzeEvent::Progress(stage));
                }
            });
            let proof = engine.proof().cloned();
            let threat = threat(&board, engines.clock(), stop);
            let analysis = Analysis::gomoku(&board, &outcome, proof.as_ref(), threat);
            on_event(AnalyzeEvent::Result(Box::new(analysis)));
        }
    }
    Ok(())
}

/// Returns the position of a record of Gomoku, under the rules that were asked for.
///
/// # Errors
///
/// Returns what is against the rules.
pub fn gomoku_board(record: &Record, rules: &GomokuRules) -> Result<Board, Error> {
    let rule = rules.rule()?.or(record.rule).unwrap_or_default();
    record
        .board(rule, rules.size())
        .map_err(|error| Error::Input(error.to_string()))
}

/// Returns the stones in playing order as moves, or as an SGF record if they did not alternate.
pub fn history(board: &Board) -> String {
    let history = board.history();
    let turns = [Color::Black, Color::White].into_iter().cycle();
    let alternates = history.iter().map(|stone| stone.1).eq(turns.take(history.len()));
    let next = if history.len().is_multiple_of(2) {
        Color::Black
    } else {
        Color::White
    };
    if alternates && board.side() == next {
        let points: Vec<Point> = history.into_iter().map(|(point, _)| point).collect();
        return moves_text(&points);
    }
    let record = Record {
        size: Some(board.size()),
        stones: history,
        side: Some(board.side()),
        ..Record::default()
    };
    sgf::write(&record, board.size())
}

/// Returns `X` or `O` for the side to move.
pub fn side(board: &Board) -> &'static str {
    match board.side() {
        Color::Black => "X",
        Color::White => "O",
    }
}
