//! The moves of a game as they are kept: squares without passes, and the start if it is not the usual one.

use outflank_othello::{Board, Color, Game, IllegalMove, Move, Position, Square};

/// The placed discs of a game, one byte each; passes are implied.
///
/// This is plain data: whether the moves are legal shows when they are replayed.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moves {
    /// The start, if it is not the standard one.
    pub start: Option<Box<Start>>,
    /// Where discs were placed.
    pub squares: Vec<Square>,
}

/// A start position as plain data that can be ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Start {
    /// The discs as the side to move sees them.
    pub board: Board,
    /// The side to move.
    pub side: Color,
}

/// Moves that are no game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MovesError {
    /// A text of an odd length, or with what is no square.
    #[error("move {number}: not a square")]
    Square {
        /// Number of the move, from 1, passes not counted.
        number: usize,
    },
    /// The start position cannot be read.
    #[error("the start position {0:?} is none")]
    Start(String),
    /// A move that the rules do not allow.
    #[error("move {number}, {square}: {reason}")]
    Illegal {
        /// Number of the move, from 1, passes not counted.
        number: usize,
        /// Where the disc was to go.
        square: Square,
        /// Why it cannot.
        reason: IllegalMove,
    },
}

impl Moves {
    /// Returns the moves of a game.
    pub fn of(game: &Game) -> Self {
        let start = *game.start();
        Self {
            start: (start != Position::start()).then(|| {
                Box::new(Start {
                    board: start.board(),
                    side: start.side(),
                })
            }),
            squares: game.moves().iter().filter_map(|mv| mv.square()).collect(),
        }
    }

    /// Returns the position before the first move.
    pub fn start(&self) -> Position {
        match &self.start {
            Some(start) => Position::new(start.board, start.side),
            None => Position::start(),
        }
    }

    /// Reads squares as [`Moves::text`] writes them, and a start position as `Position` writes it.
    ///
    /// # Errors
    ///
    /// Says what is no square or no position.
    pub fn parse(start: Option<&str>, text: &str) -> Result<Self, MovesError> {
        let start = match start {
            Some(text) => {
                let position: Position = text.parse().map_err(|_| MovesError::Start(text.to_owned()))?;
                Some(Box::new(Start {
                    board: position.board(),
                    side: position.side(),
                }))
            }
            None => None,
        };
        let squares = text.as_bytes().chunks(2).enumerate().map(|(i, pair)| match pair {
            [column @ b'a'..=b'h', row @ b'1'..=b'8'] => Ok(Square::from_index_wrapping(usize::from(
                (row - b'1') * 8 + (column - b'a'),
            ))),
            _ => Err(MovesError::Square { number: i + 1 }),
        });
        Ok(Self {
            start,
            squares: squares.collect::<Result<_, _>>()?,
        })
    }

    /// Returns the squares in one lower-case word.
    pub fn text(&self) -> String {
        let mut text = String::with_capacity(self.squares.len() * 2);
        for square in &self.squares {
            text.push((b'a' + square.column() as u8) as char);
            text.push((b'1' + square.row() as u8) as char);
        }
        text
    }

    /// Returns the game, passes explicit.
    ///
    /// # Errors
    ///
    /// Returns the first move that is not legal.
    pub fn to_game(&self) -> Result<Game, MovesError> {
        let mut game = Game::from_position(self.start());
        for (i, &square) in self.squares.iter().enumerate() {
            game.place(square).map_err(|error| MovesError::Illegal {
                number: i + 1,
                square,
                reason: error.reason,
            })?;
        }
        Ok(game)
    }

    /// Walks through the positions of the game.
    pub fn replay(&self) -> Replay<'_> {
        let start = self.start();
        Replay {
            board: start.board(),
            side: start.side(),
            rest: &self.squares,
            done: false,
        }
    }
}

/// A position in a game and what was played there; never one with a pass, for which the position after it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The discs as the side to move sees them.
    pub board: Board,
    /// The side to move.
    pub side: Color,
    /// The move; `None` at the end of the game.
    pub mv: Option<Square>,
}

/// The positions of a game; see [`Moves::replay`]. It ends early before a move that is not legal.
#[derive(Clone, Debug)]
pub struct Replay<'a> {
    board: Board,
    side: Color,
    rest: &'a [Square],
    done: bool,
}

impl Iterator for Replay<'_> {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        if self.done {
            return None;
        }
        if self.board.must_pass() {
            (self.board, self.side) = (self.board.passed(), !self.side);
        }
        let step = Step {
            board: self.board,
            side: self.side,
            mv: self.rest.first().copied(),
        };
        let Some((&square, rest)) = self.rest.split_first() else {
            self.done = true;
            return Some(step);
        };
        let Ok(board) = self.board.play(Move::Place(square)) else {
            self.done = true;
            return None;
        };
        (self.board, self.side, self.rest) = (board, !self.side, rest);
        Some(step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_survive() {
        let with_pass =
            "f5d6c3d3c4f4f6f3e3b4c5c6e6e2e7d2f1d7a3a4b3g6a5a2a1f2g5f7b2c2b5e1b1g1c1h4g3b6d1h2h1g2h3pah7";
        let other = "---------------------------XO------OX--------------------------- X e3f3";
        for text in ["", "f5d6c3", with_pass, other] {
            let game: Game = text.parse().expect(text);
            let moves = Moves::of(&game);
            assert_eq!(moves.to_game().expect("legal"), game);
            let start = moves.start.is_some().then(|| game.start().to_string());
            assert_eq!(Moves::parse(start.as_deref(), &moves.text()), Ok(moves.clone()));
            let steps: Vec<Step> = moves.replay().collect();
            assert_eq!(steps.len(), moves.squares.len() + 1);
            assert_eq!(steps.last().map(|step| step.mv), Some(None));
            let without_passes = game.positions().into_iter().filter(|p| !p.board().must_pass());
            assert!(
                without_passes
                    .map(|p| (p.board(), p.side()))
                    .eq(steps.iter().map(|s| (s.board, s.side)))
            );
        }
    }

    #[test]
    fn what_is_no_game_is_refused() {
        assert_eq!(Moves::parse(None, "f5d6c"), Err(MovesError::Square { number: 3 }));
        assert_eq!(Moves::parse(None, "f5é5"), Err(MovesError::Square { number: 2 }));
        assert!(matches!(
            Moves::parse(Some("board"), ""),
            Err(MovesError::Start(_))
        ));
        let illegal = Moves::parse(None, "f5a1").expect("squares");
        assert_eq!(
            illegal.to_game().expect_err("illegal").to_string(),
            "move 2, a1: a1 flips nothing"
        );
        assert_eq!(illegal.replay().count(), 1);
    }
}
