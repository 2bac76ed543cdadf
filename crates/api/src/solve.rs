//! Exact values of endgames of Othello, and forced wins of Gomoku.

use crate::{
    access::{Capabilities, Input},
    analyze::{gomoku_board, history, side, table_bytes},
    error::Error,
    wire::{GameName, GomokuRules, texts},
};
use outflank_gomoku::Board;
use outflank_gomoku_engine::{Proof, ThreatSettings};
use outflank_othello_engine::{SolverGoal, tuning::ProbCutTable};
use outflank_records::{Content, Item};
use outflank_search::{Clock, StopToken};
use outflank_study::{
    batch::{BatchOptions, Question, Summary, solve_all},
    gomoku_win::Found,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{sync::Arc, time::Duration};

pub use outflank_study::{
    batch::Answer,
    gomoku_win::{WinKind, WinSearch},
};

/// Asks for exact values of positions, or for a forced win.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SolveRequest {
    /// The game.
    #[serde(default)]
    pub game: GameName,
    /// Positions, or games, whose last position is meant; one of Gomoku.
    pub input: Input,
    /// Rule set and board of Gomoku.
    #[serde(default)]
    pub rules: GomokuRules,
    /// Othello: the exact value of every legal move.
    #[serde(default)]
    pub all_moves: bool,
    /// Othello: only win, loss or draw.
    #[serde(default)]
    pub wld: bool,
    /// Gomoku: only wins by fours.
    #[serde(default)]
    pub fours: bool,
    /// Gomoku: most threats in a line; any number if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Seconds for a position; Gomoku 60 if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Gomoku: most positions to enter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Memory for the table in bytes; 64 MiB if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table_bytes: Option<u64>,
}

impl SolveRequest {
    /// Returns what is asked where nothing but the input is said.
    pub fn of(input: Input) -> Self {
        Self {
            game: GameName::default(),
            input,
            rules: GomokuRules::default(),
            all_moves: false,
            wld: false,
            fours: false,
            depth: None,
            seconds: None,
            nodes: None,
            table_bytes: None,
        }
    }
}

/// The sums of many answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Totals {
    /// Positions.
    pub positions: u64,
    /// Values that agree with the source.
    pub ok: u64,
    /// Values that do not.
    pub wrong: u64,
    /// Positions that were not finished.
    pub aborted: u64,
    /// Positions entered.
    pub nodes: u64,
    /// Time taken; absent where it was left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

impl From<&Summary> for Totals {
    fn from(summary: &Summary) -> Self {
        Self {
            positions: summary.positions,
            ok: summary.ok,
            wrong: summary.wrong,
            aborted: summary.aborted,
            nodes: summary.nodes,
            seconds: Some(summary.seconds),
        }
    }
}

/// What comes after the last answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SolveSummary {
    /// The sums.
    pub summary: Totals,
}

/// A forced win of Gomoku, or that there is none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WinObject {
    /// The stones in the order in which they were placed, or an SGF record.
    pub history: String,
    /// `X` or `O`, to move.
    pub side: String,
    /// By which method a win was found.
    pub kind: WinKind,
    /// Most stones to the end.
    pub depth: usize,
    /// The winning line.
    pub line: Vec<String>,
    /// Whether it was checked against every defense.
    pub verified: bool,
    /// Positions entered.
    pub nodes: u64,
    /// Time taken.
    pub seconds: f64,
    /// Moves in the proof.
    pub proof_moves: usize,
}

/// What a solver says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum SolveEvent {
    /// The answer to one position of Othello.
    Answer(Box<Answer>),
    /// The sums, last.
    Summary(SolveSummary),
    /// The answer to a position of Gomoku.
    Win(WinObject),
}

/// Seconds for a position of Gomoku if nothing else is said.
const DEFAULT_SECONDS: f64 = 60.0;

/// Returns what a record asks the solver: its position, and the scores that stand beside it.
pub fn question(item: &Item) -> Question {
    let mut id = format!("line {}", item.line);
    let (mut expected, mut scores) = (None, Vec::new());
    if let Content::Position(scored) = &item.content {
        if !scored.comment.is_empty() {
            id.clone_from(&scored.comment);
        }
        expected = scored.expected();
        scores = scored
            .scores
            .iter()
            .map(|score| (score.mv, score.discs))
            .collect();
    }
    Question {
        id,
        position: *item.position(),
        expected,
        scores,
    }
}

/// Solves every position of the input.
///
/// # Errors
///
/// Returns why the request cannot be answered.
pub fn solve(
    request: &SolveRequest,
    capabilities: &Capabilities<'_>,
    clock: &Arc<dyn Clock>,
    stop: &StopToken,
    on_event: &mut dyn FnMut(SolveEvent),
) -> Result<(), Error> {
    let time = match request.seconds {
        Some(seconds) if !(seconds > 0.0 && seconds <= 1e7) => {
            return Err(Error::Value {
                name: "seconds",
                reason: format!("{seconds} is no time: more than 0 and at most 10 000 000 seconds"),
            });
        }
        seconds => seconds.map(Duration::from_secs_f64),
    };
    let source = request.input.open(capabilities)?;
    if request.game == GameName::Gomoku {
        let board = gomoku_board(&source.gomoku()?.0, &request.rules)?;
        let search = WinSearch {
            settings: ThreatSettings::default(),
            fours: request.fours,
            depth: request.depth,
            time: Some(time.unwrap_or(Duration::from_secs_f64(DEFAULT_SECONDS))),
            nodes: request.nodes,
        };
        on_event(SolveEvent::Win(find_win(&search, &board, clock, stop)?.object));
        return Ok(());
    }
    let questions: Vec<Question> = source.othello()?.iter().map(question).collect();
    let options = BatchOptions {
        goal: match (request.all_moves, request.wld) {
            (true, _) => SolverGoal::AllMoves,
            (_, true) => SolverGoal::WinLossDraw,
            _ => SolverGoal::Exact,
        },
        threads: 1,
        table_bytes: table_bytes(request.table_bytes)?,
        time,
    };
    let mut summary = Summary::default();
    let evaluator = outflank_eval::Patterns::shared();
    solve_all(
        (&evaluator, &Arc::new(ProbCutTable::embedded())),
        &questions,
        options,
        clock,
        stop,
        &mut |_, answer| {
            summary.add(&answer);
            on_event(SolveEvent::Answer(Box::new(answer)));
        },
    )
    .map_err(|error| Error::Engine(error.to_string()))?;
    on_event(SolveEvent::Summary(SolveSummary {
        summary: Totals::from(&summary),
    }));
    Ok(())
}

/// A win with its proof, or that there is none.
#[derive(Clone, Debug)]
pub struct Win {
    /// What is said of it.
    pub object: WinObject,
    /// The proof, if it was verified.
    pub proof: Option<Proof>,
}

/// Looks for a win of the side to move, as `search` says.
///
/// # Errors
///
/// The game is over.
pub fn find_win(
    search: &WinSearch,
    board: &Board,
    clock: &Arc<dyn Clock>,
    stop: &StopToken,
) -> Result<Win, Error> {
    if let Some(end) = board.end() {
        return Err(Error::Input(format!("the game is over: {}", end.name())));
    }
    let Found {
        kind,
        proof,
        proof_moves,
        nodes,
        elapsed,
    } = search.find(board, board.side(), clock, stop);
    let line = proof.as_ref().map(Proof::main_line).unwrap_or_default();
    let object = WinObject {
        history: history(board),
        side: side(board).to_owned(),
        kind,
        depth: proof.as_ref().map_or(0, Proof::longest),
        line: texts(&line),
        verified: proof.is_some(),
        nodes,
        seconds: elapsed.as_secs_f64(),
        proof_moves,
    };
    Ok(Win { object, proof })
}
