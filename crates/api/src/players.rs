//! Whether descriptions of players are understood, and may be played with from here.

use crate::{Capabilities, Error, wire::GameName};
use outflank_arena::{Access, Registry};
use outflank_gomoku::Board;
use outflank_othello::Position;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Asks whether these descriptions name players.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlayersRequest {
    /// The game.
    #[serde(default)]
    pub game: GameName,
    /// Descriptions, such as `level 4` or `external: PROGRAM`.
    pub players: Vec<String>,
}

/// The descriptions, which are understood.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Understood {
    /// The descriptions.
    pub players: Vec<String>,
}

/// Returns what players may do outside of this program.
pub fn access(capabilities: &Capabilities<'_>) -> Access {
    Access {
        programs: capabilities.programs,
        files: capabilities.open.is_some(),
    }
}

/// Checks the descriptions, without starting anything.
///
/// # Errors
///
/// Returns what is wrong with one, or that it names a program or a file that may not be reached from here.
pub fn players(request: &PlayersRequest, capabilities: &Capabilities<'_>) -> Result<Understood, Error> {
    let access = access(capabilities);
    for text in &request.players {
        let parsed = match request.game {
            GameName::Othello => Registry::<Position>::with_access(access).parse(text).map(drop),
            GameName::Gomoku => Registry::<Board>::with_access(access).parse(text).map(drop),
        };
        parsed.map_err(|error| Error::Player(error.to_string()))?;
    }
    Ok(Understood {
        players: request.players.clone(),
    })
}
