//! What openings are called.

use crate::{
    access::{Capabilities, Input},
    error::Error,
    wire::Opening,
};
use outflank_study::names;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Asks what the openings of games are called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NamesRequest {
    /// Games.
    pub input: Input,
}

/// The opening of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Named {
    /// Line of the source, from 1.
    pub line: usize,
    /// The last named position, if there is one.
    pub opening: Option<Opening>,
}

/// Names the openings of the input.
///
/// # Errors
///
/// Returns why the request cannot be answered.
pub fn names(
    request: &NamesRequest,
    capabilities: &Capabilities<'_>,
    on_event: &mut dyn FnMut(Named),
) -> Result<(), Error> {
    request.input.open(capabilities)?.try_othello(&mut |item| {
        on_event(Named {
            line: item.line,
            opening: names::of_game(&item.game()).map(Into::into),
        });
        Ok(())
    })
}
