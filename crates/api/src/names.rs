//! What openings are called.

use crate::{
    access::{Capabilities, Input},
    error::Error,
    wire::Opening,
};
use outflank_records::transcript::{self, Passes};
use outflank_study::names;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Asks what the openings of games are called, or for openings by their names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NamesRequest {
    /// Games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<Input>,
    /// A part of a name, in English or Japanese, in any letters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search: Option<String>,
    /// The most openings to find; 20 if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
}

/// The opening of a game, or one that was searched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Named {
    /// Line of the source, or place among those that were found, from 1.
    pub line: usize,
    /// The last named position, if there is one.
    pub opening: Option<Opening>,
    /// Where it was searched: the moves to it, or 64 characters and the side where only the position is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
}

/// The most openings that are found if nothing is said.
const USUAL_LIMIT: usize = 20;

/// Names the openings of the input, then finds those that were searched, the likeliest first.
///
/// # Errors
///
/// Returns why the request cannot be answered.
pub fn names(
    request: &NamesRequest,
    capabilities: &Capabilities<'_>,
    on_event: &mut dyn FnMut(Named),
) -> Result<(), Error> {
    if request.input.is_none() && request.search.is_none() {
        return Err(Error::Value {
            name: "input",
            reason: "games are wanted, or a name to search".to_owned(),
        });
    }
    if let Some(input) = &request.input {
        input.open(capabilities)?.try_othello(&mut |item| {
            on_event(Named {
                line: item.line,
                opening: names::of_game(&item.game()).map(Into::into),
                game: None,
            });
            Ok(())
        })?;
    }
    let text = request.search.as_deref().unwrap_or_default();
    let found = names::search(text).into_iter();
    for (line, (name, game)) in (1..).zip(found.take(request.limit.unwrap_or(USUAL_LIMIT))) {
        let moves = game.moves().len();
        on_event(Named {
            line,
            opening: Some(names::Opening { name, moves }.into()),
            game: Some(transcript::write_whole(&game, Passes::Omit)),
        });
    }
    Ok(())
}
