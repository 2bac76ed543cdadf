//! What a match needs of a game beyond its rules: how it is written down, started, judged and cut short.

use crate::{
    history::History,
    players::{
        registry::{Access, Registry},
        simple::add_random,
    },
    record::{PlayedGame, RecordError},
};
use outflank_game::{GameState, ToyGame};
use outflank_records::{BadItem, PasteError};

/// A game that matches can be played in.
///
/// Everything has a default, so that a game with rules and nothing else can be played too:
/// `impl MatchGame for YourGame {}`.
pub trait MatchGame: GameState<Move: Send + Sync> + Send + Sync + 'static {
    /// What the margin of a game counts, where it counts more than won and lost.
    const UNIT: Option<&'static str> = None;
    /// Margin of a game that was lost away from the board; positive.
    const FORFEIT: i32 = 1;
    /// Greatest number of plies after which all positions are listed as openings.
    const MAX_ALL_PLIES: u32 = 4;
    /// Plies of a random opening, and how far it may be from even, where nothing else is asked for.
    const RANDOM_OPENINGS: (u32, u32) = (2, 1);
    /// Suffix of files with games as other programs read them; `None` if there is no such format.
    const SUFFIX: Option<&'static str> = None;

    /// Returns the rules of this game, as every record of it states them.
    fn rules(&self) -> String {
        "game".to_owned()
    }

    /// Returns this position as text if it is not the usual start under its rules.
    fn start_text(&self) -> Option<String> {
        None
    }

    /// Returns the position that [`MatchGame::rules`] and [`MatchGame::start_text`] describe.
    ///
    /// # Errors
    ///
    /// Returns what cannot be read.
    fn read_start(rules: &str, start: Option<&str>) -> Result<Self, String> {
        let _ = start;
        Err(format!("games of {rules:?} cannot be read back"))
    }

    /// Returns the legal move that `text` names.
    fn read_move(&self, text: &str) -> Option<Self::Move> {
        self.legal_moves().into_iter().find(|mv| mv.to_string() == text)
    }

    /// Returns how many placed stones or discs the game lasts from here at most, where its rules say so.
    fn depth_to_end(&self) -> Option<u32> {
        None
    }

    /// Returns how this finished game came to its end, where its rules know more than one way.
    fn ending(&self) -> String {
        String::new()
    }

    /// Returns the exact outcome from the first player's side, with the reason, if at most `empties` cells are empty
    /// and it can be found at once.
    fn adjudicated(&self, empties: u32) -> Option<(i32, String)> {
        let _ = empties;
        None
    }

    /// Reads openings that begin in this position, in any notation of the game.
    ///
    /// # Errors
    ///
    /// Returns the first that cannot be read or leaves nothing to play.
    fn read_openings(&self, bytes: &[u8]) -> Result<Vec<History<Self>>, OpeningError> {
        let _ = bytes;
        Err(OpeningError::Notation)
    }

    /// Returns the moves from which random openings are drawn.
    fn opening_moves(&self) -> Vec<Self::Move> {
        self.legal_moves()
    }

    /// Returns what tells how far a position is from even, in the game's unit or in percent of the chance to win.
    fn judge() -> Box<dyn FnMut(&Self) -> f64> {
        Box::new(|_| 0.0)
    }

    /// Returns the game as other programs read it; see [`MatchGame::SUFFIX`].
    ///
    /// # Errors
    ///
    /// Returns why the record cannot be replayed.
    fn export(game: &PlayedGame) -> Result<String, RecordError> {
        game.replay::<Self>().map(|_| String::new())
    }

    /// Adds the players of this game; those that start programs or open files only as far as the registry may.
    fn add_players(registry: &mut Registry<Self>) {
        let _ = registry;
    }
}

impl MatchGame for ToyGame {}

/// Why there are no openings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpeningError {
    /// Nothing in it can be read.
    #[error(transparent)]
    Paste(#[from] PasteError),
    /// A line is neither game nor position.
    #[error(transparent)]
    Bad(Box<BadItem>),
    /// A line cannot be read.
    #[error("line {line}: {message}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        message: String,
    },
    /// There is no line with an opening.
    #[error("there is no opening here")]
    Nothing,
    /// The game has no notation for openings.
    #[error("openings of this game cannot be read from a text")]
    Notation,
    /// Nothing is left to play.
    #[error("line {0}: the game is over at the end of this opening")]
    Over(usize),
    /// Too many positions.
    #[error("all positions after {plies} plies are too many to list; at most {most} plies")]
    TooManyPlies {
        /// The plies asked for.
        plies: u32,
        /// As many as can be listed.
        most: u32,
    },
    /// The conditions are too narrow.
    #[error(
        "found only {found} of {wanted} openings of {plies} plies within ±{within} {unit}; ask for fewer or allow more"
    )]
    TooFew {
        /// Openings found.
        found: usize,
        /// Openings wanted.
        wanted: usize,
        /// Their length.
        plies: u32,
        /// Greatest imbalance allowed.
        within: u32,
        /// In what.
        unit: &'static str,
    },
}

impl<G: MatchGame> Registry<G> {
    /// Returns the players of a game that stay within this program.
    ///
    /// Every game has `random`. Othello has the engine under any limit (`level N`, `depth N`, `nodes N`, `time SECONDS`,
    /// `clock`), `greedy` and `plain N`; Gomoku has its engine under the same limits.
    ///
    /// ```
    /// use outflank_arena::Registry;
    /// use outflank_othello::Position;
    /// let registry = Registry::<Position>::standard();
    /// assert_eq!(registry.parse("level 4 --hash 1")?.text, "level 4 --hash 1");
    /// let error = registry.parse("clever").unwrap_err().to_string();
    /// assert!(error.starts_with("\"clever\": there is no player \"clever\"; known are "));
    /// let error = registry.parse("external: rm -r /").unwrap_err().to_string();
    /// assert_eq!(error, "\"external: rm -r /\": programs may not be started from here");
    /// # Ok::<(), outflank_arena::SpecError>(())
    /// ```
    pub fn standard() -> Self {
        Self::with_access(Access::NONE)
    }

    /// Returns [`Registry::standard`] and, as far as `access` goes, players that start programs and options that name
    /// files.
    pub fn with_access(access: Access) -> Self {
        let mut registry = Self::empty(access);
        add_random(&mut registry);
        G::add_players(&mut registry);
        registry
    }
}

impl PlayedGame {
    /// Replays the game.
    ///
    /// # Errors
    ///
    /// Returns the first move that is not legal, or why this is no game of `G`.
    pub fn replay<G: MatchGame>(&self) -> Result<History<G>, RecordError> {
        let start = G::read_start(&self.rules, self.start.as_deref()).map_err(RecordError::Game)?;
        let mut history = History::new(start);
        for (played, ply) in self.moves.iter().zip(1..) {
            let mv = history.position().read_move(&played.mv).ok_or_else(|| {
                RecordError::Game(format!("move {ply}, {:?}, is not legal there", played.mv))
            })?;
            history
                .play(mv)
                .map_err(|error| RecordError::Game(error.to_string()))?;
        }
        Ok(history)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_read_as_they_are_written() {
        let start = ToyGame::new("(1 (2 -3))".parse().expect("a tree"));
        assert_eq!(start.read_move("1"), Some(1));
        assert_eq!(start.read_move("7"), None);
    }
}
