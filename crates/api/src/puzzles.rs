//! Puzzles: those inside the program or of a text, and what an answer is worth.

use crate::{
    error::Error,
    wire::{board_and_side, texts},
};
use outflank_othello::Square;
use outflank_study::{
    drill::{Card, Judged},
    puzzle::{self, Puzzle, Theme},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Asks for puzzles.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PuzzlesRequest {
    /// A text of puzzles, as `outflank puzzles make` writes it; those inside the program if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Only those.
    #[serde(flatten)]
    pub filter: PuzzleFilter,
}

/// Which puzzles are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PuzzleFilter {
    /// With this theme.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub theme: Option<String>,
    /// With at least so many empty squares.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_empties: Option<u32>,
    /// With at most so many.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_empties: Option<u32>,
    /// That at least so many of a hundred club players would get wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_wrong: Option<u8>,
    /// That at most so many of them would.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_wrong: Option<u8>,
}

impl PuzzleFilter {
    /// Returns those of `puzzles` that are wanted.
    ///
    /// # Errors
    ///
    /// There is no such theme.
    pub fn apply<'a>(&self, puzzles: &'a [Puzzle]) -> Result<Vec<&'a Puzzle>, Error> {
        let theme = match &self.theme {
            None => None,
            Some(name) => Some(Theme::of(name).ok_or_else(|| Error::Value {
                name: "theme",
                reason: format!("{name:?} is none; there are {}", texts(&Theme::ALL).join(", ")),
            })?),
        };
        let empties = self.min_empties.unwrap_or(0)..=self.max_empties.unwrap_or(64);
        let wrong = self.min_wrong.unwrap_or(0)..=self.max_wrong.unwrap_or(100);
        let wanted = |puzzle: &&Puzzle| {
            empties.contains(&puzzle.empties())
                && wrong.contains(&puzzle.difficulty.wrong[1])
                && theme.is_none_or(|theme| puzzle.themes.contains(&theme))
        };
        Ok(puzzles.iter().filter(wanted).collect())
    }
}

/// A move of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PuzzleMove {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its exact value for the side to move, in discs.
    pub value: i32,
    /// The discs that it loses.
    pub loss: i32,
}

/// A move of a solution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SolutionStep {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Whether every other move is worse.
    pub only: bool,
}

/// A puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PuzzleObject {
    /// Its name, which all images of the position share.
    pub puzzle: String,
    /// 64 characters, a1 first.
    pub board: String,
    /// `X` or `O`, to move.
    pub side: String,
    /// Empty squares.
    pub empties: u32,
    /// The exact value for the side to move, in discs.
    pub value: i32,
    /// The discs that the second best move loses.
    pub gap: i32,
    /// Every legal move, the best first.
    pub moves: Vec<PuzzleMove>,
    /// How the game goes on with best play, up to the last move without equal.
    pub line: Vec<SolutionStep>,
    /// What it is about.
    pub themes: Vec<String>,
    /// How many of a hundred beginners, club players and experts choose another move, by the program's model of people.
    pub wrong: [u8; 3],
    /// The discs to look ahead, 1, 2 or 4, from which on the best move looks best; 0 if it takes more.
    pub look: u8,
    /// Where it is from.
    pub source: String,
}

impl From<&Puzzle> for PuzzleObject {
    fn from(puzzle: &Puzzle) -> Self {
        let (board, side) = board_and_side(&puzzle.position);
        Self {
            puzzle: puzzle.id(),
            board,
            side,
            empties: puzzle.empties(),
            value: puzzle.value(),
            gap: puzzle.gap(),
            moves: puzzle
                .moves
                .iter()
                .map(|known| PuzzleMove {
                    mv: known.square.to_string(),
                    value: known.value.get(),
                    loss: puzzle.value() - known.value.get(),
                })
                .collect(),
            line: puzzle
                .line
                .iter()
                .map(|step| SolutionStep {
                    mv: step.mv.to_string(),
                    only: step.only,
                })
                .collect(),
            themes: texts(&puzzle.themes),
            wrong: puzzle.difficulty.wrong,
            look: puzzle.difficulty.look,
            source: puzzle.source.clone(),
        }
    }
}

/// Hands out the puzzles that are asked for.
///
/// # Errors
///
/// The text holds something else, or there is no such theme.
pub fn puzzles(request: &PuzzlesRequest, on_event: &mut dyn FnMut(PuzzleObject)) -> Result<(), Error> {
    let own;
    let all = match &request.text {
        Some(text) => {
            own = puzzle::read(text).map_err(|error| Error::Input(error.to_string()))?;
            &own[..]
        }
        None => puzzle::shipped(),
    };
    for puzzle in request.filter.apply(all)? {
        on_event(puzzle.into());
    }
    Ok(())
}

/// A question of a drill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DrillQuestion {
    /// The name of the card.
    pub card: String,
    /// 64 characters, a1 first.
    pub board: String,
    /// `X` or `O`, to move.
    pub side: String,
    /// Legal moves.
    pub legal: Vec<String>,
    /// What is said beside the board.
    pub hint: String,
    /// Whether it has never been asked.
    pub new: bool,
    /// Its number in this session, and how many there are.
    pub number: [usize; 2],
}

/// What an answer is worth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DrillAnswer {
    /// The name of the card.
    pub answered: String,
    /// The answer; `null` if it was given up.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// Whether it is right.
    pub right: bool,
    /// Discs lost, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss: Option<i32>,
    /// The right answers, the main one first.
    pub best: Vec<String>,
    /// How the game goes on, or what the repertoire says.
    pub remark: String,
    /// The day on which the card comes again, counted from 1970-01-01.
    pub due: i64,
}

/// How a drill ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DrillSummary {
    /// Right answers, and all.
    pub drilled: [usize; 2],
}

/// What a drill says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum DrillEvent {
    /// A question.
    Question(DrillQuestion),
    /// What the answer was worth.
    Answer(DrillAnswer),
    /// The end.
    Summary(DrillSummary),
}

impl DrillQuestion {
    /// Returns the question of a card.
    pub fn new(card: &Card, new: bool, number: [usize; 2]) -> Self {
        let (board, side) = board_and_side(card.position());
        Self {
            card: card.id(),
            board,
            side,
            legal: texts(&card.position().legal_moves()),
            hint: card.hint(),
            new,
            number,
        }
    }
}

impl DrillAnswer {
    /// Returns what `answer` to a card is worth; nothing is no answer.
    pub fn new(card: &Card, answer: Option<Square>, judged: &Judged, due: i64) -> Self {
        Self {
            answered: card.id(),
            mv: answer.map(|square| square.to_string()),
            right: judged.right,
            loss: judged.loss,
            best: texts(&judged.best),
            remark: judged.remark.clone(),
            due,
        }
    }
}
