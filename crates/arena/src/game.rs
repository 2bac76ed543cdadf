//! What a match needs of a game beyond its rules: how it is written down, started, judged and cut short.

mod gomoku;
mod othello;

use crate::{
    openings::OpeningError,
    player::Registry,
    record::{PlayedGame, RecordError},
};
use outflank_game::{GameState, Player as Side, ToyGame};

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

/// A game so far: where it began, the moves, and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct History<G: GameState> {
    start: G,
    moves: Vec<G::Move>,
    position: G,
}

/// A move that the rules do not allow.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{mv} is no legal move {place}")]
pub struct IllegalMove {
    /// The move.
    pub mv: String,
    /// When: the number of moves before it.
    pub place: String,
}

impl<G: GameState> History<G> {
    /// Returns the game that begins at `start`, before its first move.
    pub fn new(start: G) -> Self {
        Self {
            position: start.clone(),
            moves: Vec::new(),
            start,
        }
    }

    /// Returns the position before the first move.
    pub const fn start(&self) -> &G {
        &self.start
    }

    /// Returns the moves, passes included.
    pub fn moves(&self) -> &[G::Move] {
        &self.moves
    }

    /// Returns the position after the last move.
    pub const fn position(&self) -> &G {
        &self.position
    }

    /// Plays a move.
    ///
    /// # Errors
    ///
    /// [`IllegalMove`] if the rules do not allow it; nothing is changed then.
    pub fn play(&mut self, mv: G::Move) -> Result<(), IllegalMove> {
        if !self.position.is_legal(mv) {
            return Err(IllegalMove {
                mv: mv.to_string(),
                place: format!("after {} moves", self.moves.len()),
            });
        }
        self.position.play(mv);
        self.moves.push(mv);
        Ok(())
    }

    /// Returns the first player's margin if the game is over.
    pub fn margin(&self) -> Option<i32> {
        let outcome = self.position.outcome()?;
        Some(match self.position.player() {
            Side::First => outcome.margin,
            Side::Second => -outcome.margin,
        })
    }

    /// Returns the moves with a space between each two.
    pub fn moves_text(&self) -> String {
        let moves: Vec<String> = self.moves.iter().map(ToString::to_string).collect();
        moves.join(" ")
    }
}

/// Returns the color of a side as both of our games call it.
pub(crate) const fn color(side: Side) -> &'static str {
    match side {
        Side::First => "black",
        Side::Second => "white",
    }
}

/// Returns 0 for the first player and 1 for the second.
pub(crate) const fn index(side: Side) -> usize {
    match side {
        Side::First => 0,
        Side::Second => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn histories_keep_what_is_legal() {
        let mut history = History::new(ToyGame::new("(1 (2 -3))".parse().expect("a tree")));
        history.play(1).expect("legal");
        let error = history.play(2).expect_err("there are two moves");
        assert_eq!(error.to_string(), "2 is no legal move after 1 moves");
        assert_eq!(history.margin(), None);
        history.play(1).expect("legal");
        // The value is the first player's, who is to move here.
        assert_eq!(
            (history.margin(), history.moves_text().as_str()),
            (Some(-3), "1 1")
        );
        assert_eq!(history.start().read_move("1"), Some(1));
        assert_eq!(history.start().read_move("7"), None);
    }
}
