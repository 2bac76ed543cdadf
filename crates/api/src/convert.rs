//! From any notation to another.

use crate::{Capabilities, Error, Input, review::record};
use outflank_records::{
    Content, Item, ScoredPosition, board, ggf, obf, sgf,
    transcript::{self, Passes},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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

/// Writes everything in the input in the notation that is asked for.
///
/// # Errors
///
/// Returns why the request cannot be answered.
pub fn convert(
    request: &ConvertRequest,
    capabilities: &Capabilities<'_>,
    on_event: &mut dyn FnMut(Converted),
) -> Result<(), Error> {
    for item in request.input.open(capabilities)?.othello()? {
        on_event(Converted {
            line: item.line,
            text: write(&item, request.to).map_err(Error::Input)?,
            warnings: item.warnings.iter().map(ToString::to_string).collect(),
        });
    }
    Ok(())
}

/// Returns `item` in this notation.
///
/// # Errors
///
/// Says what cannot be written in it.
pub fn write(item: &Item, to: Notation) -> Result<String, String> {
    Ok(match to {
        Notation::Board => board::write(item.position()),
        Notation::Obf => match &item.content {
            Content::Position(scored) => obf::write(scored),
            Content::Game(record) => obf::write(&ScoredPosition::new(*record.game.position())),
        },
        Notation::Transcript | Notation::TranscriptPa => {
            let Content::Game(record) = &item.content else {
                return Err(format!(
                    "line {}: a position has no moves to write; try the board",
                    item.line
                ));
            };
            let passes = if to == Notation::Transcript {
                Passes::Omit
            } else {
                Passes::Write
            };
            transcript::write_whole(&record.game, passes)
        }
        Notation::Ggf => ggf::write(&record(item.clone())),
        Notation::Sgf => sgf::write(&record(item.clone())),
    })
}
