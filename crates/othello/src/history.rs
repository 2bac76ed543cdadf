//! A game as it was played: a start position and moves.

use crate::{Color, Discs, IllegalMove, Move, Position, Square};

/// A start position and the moves played from it, every one legal, passes explicit.
///
/// # Examples
///
/// ```
/// use outflank_othello::{Game, Square};
/// let mut game = Game::new();
/// for square in [Square::F5, Square::D6, Square::C3] {
///     game.place(square)?;
/// }
/// assert_eq!(game.transcript(), "f5d6c3");
/// let error = game.place(Square::A1).unwrap_err();
/// assert_eq!(error.to_string(), "move 4 \"a1\": a1 flips nothing");
/// # Ok::<(), outflank_othello::GameError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Game {
    start: Position,
    moves: Vec<Move>,
    position: Position,
}

/// A move of a game that is not legal, with its place in the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("move {number} \"{mv}\": {reason}")]
pub struct GameError {
    /// Number of the move, from 1, passes counted.
    pub number: usize,
    /// The move.
    pub mv: Move,
    /// Why it is not legal.
    pub reason: IllegalMove,
}

/// How a finished game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GameResult {
    /// Black's margin; the winner takes the empties, a tie is 0.
    pub discs: Discs,
    /// Black's discs minus white's on the board, empties counted for nobody.
    pub raw_difference: i32,
    /// The winner, `None` for a tie.
    pub winner: Option<Color>,
}

impl Game {
    /// Returns a game from the standard start position, without moves.
    pub fn new() -> Self {
        Self::from_position(Position::start())
    }

    /// Returns a game that starts at `start`, without moves.
    pub const fn from_position(start: Position) -> Self {
        Self {
            start,
            moves: Vec::new(),
            position: start,
        }
    }

    /// Returns the position before the first move.
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// Returns the moves, passes included.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Returns the position after the last move.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the positions before each move, and the last one.
    pub fn positions(&self) -> Vec<Position> {
        let mut position = self.start;
        let mut positions = vec![position];
        for &mv in &self.moves {
            outflank_game::Game::play(&mut position, mv);
            positions.push(position);
        }
        positions
    }

    /// Plays a move.
    ///
    /// # Errors
    ///
    /// Returns the number of the move and why it is not legal; the game is then unchanged.
    pub fn play(&mut self, mv: Move) -> Result<(), GameError> {
        self.position.play(mv).map_err(|reason| GameError {
            number: self.moves.len() + 1,
            mv,
            reason,
        })?;
        self.moves.push(mv);
        Ok(())
    }

    /// Places a disc, after the pass that the rules imply if the player to move has none to place.
    ///
    /// This is how transcripts without passes are read: an implied pass is accepted, a wrong move is not.
    ///
    /// # Errors
    ///
    /// Returns the number of the move and why it is not legal; the game is then unchanged.
    pub fn place(&mut self, square: Square) -> Result<(), GameError> {
        let passed = self.position.board().must_pass();
        if passed {
            self.play(Move::Pass)?;
        }
        let played = self.play(Move::Place(square));
        if played.is_err() && passed {
            self.undo();
        }
        played
    }

    /// Takes back and returns the last move, if there is one.
    pub fn undo(&mut self) -> Option<Move> {
        let mv = self.moves.pop()?;
        self.position = *self
            .positions()
            .last()
            .expect("there is always the start position");
        Some(mv)
    }

    /// Returns the result if neither side can move.
    pub fn result(&self) -> Option<GameResult> {
        self.position.is_game_over().then(|| {
            let raw = self.position.board().raw_difference();
            let raw_difference = if self.position.side() == Color::Black {
                raw
            } else {
                -raw
            };
            let winner = match raw_difference {
                0 => None,
                1.. => Some(Color::Black),
                _ => Some(Color::White),
            };
            GameResult {
                discs: self.position.final_discs(Color::Black),
                raw_difference,
                winner,
            }
        })
    }

    /// Returns the placed discs in one lower-case word, passes left out: `f5d6c3`.
    pub fn transcript(&self) -> String {
        self.moves
            .iter()
            .filter_map(|mv| mv.square())
            .map(|square| square.to_string())
            .collect()
    }
}

impl Default for Game {
    fn default() -> Self {
        Self::new()
    }
}
