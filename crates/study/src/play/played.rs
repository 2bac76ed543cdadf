//! What a session asks of a game.

use super::{GameSession, Purpose};
use outflank_game::{GameState, Player};
use outflank_search::{Line, Verdict};
use std::{
    error::Error,
    fmt::{Debug, Display},
};

/// A game with its moves, as a [`GameSession`] plays it.
pub trait Played: Clone + Debug {
    /// A position.
    type Position: GameState<Move: Send + Sync + 'static> + Send + Sync + 'static;
    /// Where a person places a disc or a stone.
    type Place: Copy + PartialEq + Debug + Into<MoveOf<Self>>;
    /// A color.
    type Color: Copy + PartialEq + Debug + Display + Into<Player> + Send + Sync + 'static;
    /// What a position is worth to the engine.
    type Score: Clone + Debug + Send + Sync + 'static;
    /// What is known of a position, for black.
    type Known: Copy + Debug;
    /// Why the rules refuse a move.
    type Refusal: Error + Clone + PartialEq + Send + Sync + 'static;

    /// Both colors, black first.
    const COLORS: [Self::Color; 2];
    /// The least level of a hint: advice from a weak engine helps nobody.
    const HINT_LEVEL: u32;
    /// The level at which moves are judged.
    const JUDGE_LEVEL: u32;

    /// Returns the level at which positions are valued for the graph while the engine plays at `level`.
    fn value_level(level: u32) -> u32;

    /// Returns the position after the last move.
    fn position(&self) -> &Self::Position;

    /// Returns the moves, passes included.
    fn moves(&self) -> &[MoveOf<Self>];

    /// Plays a move.
    ///
    /// # Errors
    ///
    /// Returns why the rules refuse it; the game is then unchanged.
    fn play(&mut self, mv: MoveOf<Self>) -> Result<(), Self::Refusal>;

    /// Takes back and returns the last move, if there is one.
    fn undo(&mut self) -> Option<MoveOf<Self>>;

    /// Returns a new game by the same rules, without moves.
    #[must_use]
    fn anew(&self) -> Self;

    /// Returns whether the game has ended by its rules.
    fn is_over(&self) -> bool;

    /// Returns whether the player to move has nothing but a pass.
    fn must_pass(&self) -> bool;

    /// Returns in how many places the player to move may place something.
    fn n_choices(&self) -> usize;

    /// Refuses a place that a person chooses although it loses at once by the rules.
    ///
    /// # Errors
    ///
    /// Returns why it is refused.
    fn allow(&self, place: Self::Place) -> Result<(), Self::Refusal>;

    /// Returns what a line found for `side` to move says of the position.
    fn known(line: &Line<MoveOf<Self>, Self::Score>, side: Player) -> Self::Known;

    /// Returns what that is worth.
    fn verdict(known: &Self::Known) -> Verdict;

    /// Returns the next search that the judgment of a move needs, where moves are judged.
    fn judgment_wanted(session: &GameSession<Self>) -> Option<(Purpose, Self::Position)>;

    /// Takes what a search says of the position after a move: the one that was made before position `at`, or the best.
    fn note_judgment(
        session: &mut GameSession<Self>,
        at: usize,
        best: bool,
        position: &Self::Position,
        known: Self::Known,
    );

    /// Returns the color to move.
    fn side(&self) -> Self::Color {
        Self::COLORS[self.position().player() as usize]
    }
}

/// A move of a game.
pub type MoveOf<G> = <<G as Played>::Position as GameState>::Move;
