//! A game as it was played: a start position and moves.

use crate::{Color, Discs, IllegalMove, Move, ParsePositionError, ParseSquareError, Position, Square};
use std::{fmt, str::FromStr};

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

/// Why a text is not the plain notation of a game; the dialects of other programs are read by the crate
/// `outflank-records`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseGameError {
    /// The board in front of the moves is none.
    #[error(transparent)]
    Start(#[from] ParsePositionError),
    /// A text that is neither a square nor a pass.
    #[error("move {number}: {error}")]
    Square {
        /// Number of the move, from 1, passes counted.
        number: usize,
        /// What is wrong with it.
        error: ParseSquareError,
    },
    /// A move that the rules do not allow.
    #[error(transparent)]
    Move(#[from] GameError),
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
            outflank_game::GameState::play(&mut position, mv);
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

impl fmt::Display for Game {
    /// Writes the moves in one lower-case word, passes as `pa`; in front of them the start position, if it is not the
    /// usual one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.start != Position::start() {
            write!(f, "{} ", self.start)?;
        }
        self.moves.iter().try_for_each(|mv| match mv {
            Move::Place(square) => square.fmt(f),
            Move::Pass => f.write_str("pa"),
        })
    }
}

impl FromStr for Game {
    type Err = ParseGameError;

    /// Parses what `Display` writes: squares in either case, passes as `pass`, `pa`, `ps` or `--`, white space anywhere
    /// between them; passes that the rules imply may be left out.
    ///
    /// ```
    /// use outflank_othello::Game;
    /// let game: Game = "f5d6c3".parse()?;
    /// assert_eq!(game.moves().len(), 3);
    /// assert_eq!("F5 D6 C3".parse(), Ok(game));
    /// let from_board = "---------------------------OX------XXX-------------------------- O d6".parse::<Game>()?;
    /// assert_eq!(from_board.moves().len(), 1);
    /// assert_eq!("f5a1".parse::<Game>().unwrap_err().to_string(), "move 2 \"a1\": a1 flips nothing");
    /// # Ok::<(), outflank_othello::ParseGameError>(())
    /// ```
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_board = |c: &char| matches!(c, 'X' | 'O' | '-') || c.is_whitespace();
        let n_signs = text
            .chars()
            .take_while(is_board)
            .filter(|c| !c.is_whitespace())
            .count();
        let (mut game, mut rest) = if n_signs < 64 {
            (Self::new(), text)
        } else {
            // The side to move is the sign behind the squares.
            let mut signs = text.char_indices().filter(|(_, c)| !c.is_whitespace());
            let end = signs.nth(64).map_or(text.len(), |(at, c)| at + c.len_utf8());
            (Self::from_position(text[..end].parse()?), &text[end..])
        };
        loop {
            rest = rest.trim_start();
            if rest.is_empty() {
                return Ok(game);
            }
            let pass = ["pass", "pas", "pa", "ps", "--", "@@@@"]
                .into_iter()
                .find(|pass| {
                    rest.get(..pass.len())
                        .is_some_and(|head| head.eq_ignore_ascii_case(pass))
                });
            if let Some(pass) = pass {
                game.play(Move::Pass)?;
                rest = &rest[pass.len()..];
                continue;
            }
            let end = rest.char_indices().nth(2).map_or(rest.len(), |(at, _)| at);
            let square = rest[..end].parse().map_err(|error| ParseGameError::Square {
                number: game.moves.len() + 1,
                error,
            })?;
            game.place(square)?;
            rest = &rest[end..];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_survive_their_notation() {
        let with_pass =
            "f5d6c3d3c4f4f6f3e3b4c5c6e6e2e7d2f1d7a3a4b3g6a5a2a1f2g5f7b2c2b5e1b1g1c1h4g3b6d1h2h1g2h3pah7";
        let other_start = "---------------------------XO------OX--------------------------- X e3f3";
        for text in ["", "f5d6c3", with_pass, other_start] {
            let game: Game = text.parse().expect(text);
            assert_eq!(game.to_string(), text);
        }
        let implied: Game = with_pass.replace("pa", "").parse().expect("implied passes");
        assert_eq!(implied.to_string(), with_pass);
        assert_eq!(" F5\nd6 \tC3".parse(), "f5d6c3".parse::<Game>());
    }

    #[test]
    fn other_texts_are_refused_with_their_place() {
        for (text, message) in [
            ("f5d6c", "move 3: \"c\": a square is a letter a–h and a digit 1–8"),
            ("f5 i1", "move 2: \"i1\": column i is off the board"),
            (
                "pass",
                "move 1 \"pass\": a pass is not allowed while there is a legal move (d3)",
            ),
            ("f5é5", "move 2: \"é5\": a square is a letter a–h and a digit 1–8"),
        ] {
            assert_eq!(text.parse::<Game>().unwrap_err().to_string(), message);
        }
        let board = "-".repeat(64);
        assert!(matches!(board.parse::<Game>(), Err(ParseGameError::Start(_))));
        assert!(format!("{board}- f5").parse::<Game>().is_err());
    }
}
