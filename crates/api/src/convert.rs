//! From any notation to another.

use crate::{
    access::{Capabilities, Input},
    error::Error,
    review::record,
};
use outflank_eval::Evaluator;
use outflank_othello::{Color, Discs, Game, Move};
use outflank_othello_engine::{Engine, Request};
use outflank_records::{
    Content, Item, ScoredPosition, Warning, board, ggf, obf, sgf,
    transcript::{self, Passes},
    tree,
    wthor::{WriteWthorError, Wthor, WthorError, WthorWriter},
};
use outflank_search::{StopToken, Verdict};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{
    io::{BufReader, Read},
    ops::AddAssign,
};

/// A notation to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Notation {
    /// 64 characters and the side to move; of a game, its last position.
    Board,
    /// Moves in one word, passes left out but for one at the end; a start that is not the usual one stands before them.
    Transcript,
    /// The same with all passes, as `pa`.
    TranscriptPa,
    /// Othello board file: board and scores.
    Obf,
    /// Generic Game Format.
    Ggf,
    /// Smart Game Format.
    Sgf,
}

/// Asks for positions or games in another notation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConvertRequest {
    /// Positions or games.
    pub input: Input,
    /// The notation to write.
    pub to: Notation,
}

/// A position or game in its new notation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Converted {
    /// Line of the source, from 1.
    pub line: usize,
    /// The notation.
    pub text: String,
    /// What was doubtful about it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// Writes everything in the input in the notation that is asked for, one event each as it is read.
///
/// # Errors
///
/// Returns why the request cannot be answered.
pub fn convert(
    request: &ConvertRequest,
    capabilities: &Capabilities<'_>,
    on_event: &mut dyn FnMut(Converted),
) -> Result<(), Error> {
    request.input.open(capabilities)?.try_othello(&mut |item| {
        on_event(Converted {
            line: item.line,
            text: write(&item, request.to).map_err(|error| Error::Input(error.to_string()))?,
            warnings: (item.warnings.iter())
                .filter(|warning| !is_kept(&item, warning, request.to))
                .map(ToString::to_string)
                .collect(),
        });
        Ok(())
    })
}

/// A position cannot be written as moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: a position has no moves to write; try the board")]
pub struct NoMoves {
    /// Its line in the source, from 1.
    pub line: usize,
}

/// Returns whether a doubt about `item` is none where this notation is written: it holds what a record left out.
pub fn is_kept(item: &Item, warning: &Warning, to: Notation) -> bool {
    let left_out = matches!(warning, Warning::Variations(_) | Warning::Ignored(_));
    to == Notation::Sgf && item.tree.is_some() && left_out
}

/// Returns `item` in this notation.
///
/// # Errors
///
/// Says what cannot be written in it.
pub fn write(item: &Item, to: Notation) -> Result<String, NoMoves> {
    Ok(match to {
        Notation::Board => board::write(item.position()),
        Notation::Obf => match &item.content {
            Content::Position(scored) => obf::write(scored),
            Content::Game(record) => obf::write(&ScoredPosition::new(*record.game.position())),
        },
        Notation::Transcript | Notation::TranscriptPa => {
            let Content::Game(record) = &item.content else {
                return Err(NoMoves { line: item.line });
            };
            let passes = if to == Notation::Transcript {
                Passes::Omit
            } else {
                Passes::Write
            };
            transcript::write_whole(&record.game, passes)
        }
        // What is said between the moves is kept, and in SGF the variations are.
        Notation::Ggf => match &item.tree {
            Some(tree) => tree::write_ggf(tree).0,
            None => ggf::write(&record(item.clone())),
        },
        Notation::Sgf => match &item.tree {
            Some(tree) => tree::sgf::write(tree),
            None => sgf::write(&record(item.clone())),
        },
    })
}

/// Adds a game to a file of WTHOR; with an engine and a number of empty squares it is solved from there on.
///
/// # Errors
///
/// It is no game, or one that WTHOR has no place for.
pub fn add_wthor<E: Evaluator + 'static>(
    writer: &mut WthorWriter,
    item: &Item,
    solver: Option<(&mut Engine<E>, u8)>,
) -> Result<(), WthorRefusal> {
    let line = item.line;
    let Content::Game(game) = &item.content else {
        return Err(WthorRefusal::Position { line });
    };
    let solved =
        solver.and_then(|(engine, empties)| Some((theoretical(engine, &game.game, empties)?, empties)));
    match solved {
        Some((discs, empties)) => writer.add_solved(game, discs, empties),
        None => writer.add(game),
    }
    .map_err(|reason| WthorRefusal::Game { line, reason })
}

/// Why something cannot be added to a file of WTHOR.
#[derive(Debug, thiserror::Error)]
pub enum WthorRefusal {
    /// It is a position.
    #[error("line {line}: a position is not a game; WTHOR holds games only")]
    Position {
        /// Its line in the source, from 1.
        line: usize,
    },
    /// The format cannot hold it.
    #[error("line {line}: {reason}")]
    Game {
        /// Its line in the source, from 1.
        line: usize,
        /// Why.
        reason: WriteWthorError,
    },
}

/// Solves the first position of a game with at most `empties` empty squares, and returns black's margin; `None` if the
/// game stops before it.
fn theoretical<E: Evaluator + 'static>(engine: &mut Engine<E>, game: &Game, empties: u8) -> Option<Discs> {
    let position = game
        .positions()
        .into_iter()
        .find(|position| position.board().empties().count() <= u32::from(empties))?;
    if position.is_game_over() {
        return Some(position.final_discs(Color::Black));
    }
    let request = Request::new(position).exact();
    let outcome = engine.search(&request, &StopToken::new(), &mut |_| {});
    let best = outcome.best();
    let discs = best.value.to_discs();
    (best.verdict == Verdict::Exact).then(|| match position.side() {
        Color::Black => discs,
        Color::White => Discs::saturating(-discs.get()),
    })
}

/// What is in a collection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Entries that cannot be read.
    pub bad: u64,
    /// Games.
    pub games: u64,
    /// Games that stop before their end.
    pub incomplete: u64,
    /// Their moves.
    pub moves: u64,
    /// Their passes.
    pub passes: u64,
    /// Positions.
    pub positions: u64,
    /// Finished games that state another score than their moves give; results by resignation, time or mutual agreement
    /// are not compared.
    pub wrong_scores: u64,
}

impl Tally {
    /// Counts a game or position.
    pub fn add(&mut self, item: &Item) {
        match &item.content {
            Content::Position(_) => self.positions += 1,
            Content::Game(record) => {
                self.add_game(&record.game);
                // The reader has compared already.
                let differs = |warning| matches!(warning, &Warning::ResultDiffers { .. });
                self.wrong_scores += u64::from(item.warnings.iter().any(differs));
            }
        }
    }

    fn add_game(&mut self, game: &Game) {
        self.games += 1;
        let passes = game.moves().iter().filter(|&&mv| mv == Move::Pass).count() as u64;
        self.passes += passes;
        self.moves += game.moves().len() as u64 - passes;
        self.incomplete += u64::from(game.result().is_none());
    }

    /// Counts a file of WTHOR games, and tells of every record that is damaged or states another score.
    ///
    /// # Errors
    ///
    /// It is no such file.
    pub fn of_wthor(bytes: impl Read, tell: &mut dyn FnMut(String)) -> Result<Self, WthorError> {
        let file = Wthor::read(BufReader::new(bytes))?;
        let mut tally = Self::default();
        for game in &file.games {
            tally.add_game(&game.game);
            if game.score_agrees() == Some(false) {
                tally.wrong_scores += 1;
                tell(format!("record {}: the moves give another score", game.number));
            }
        }
        for problem in &file.problems {
            tell(problem.to_string());
        }
        tally.bad = file.problems.len() as u64;
        Ok(tally)
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.bad += other.bad;
        self.games += other.games;
        self.incomplete += other.incomplete;
        self.moves += other.moves;
        self.passes += other.passes;
        self.positions += other.positions;
        self.wrong_scores += other.wrong_scores;
    }
}
