//! A position with colors: a board and who is to move.

use crate::{Bitboard, Board, Color, Discs, IllegalMove, Move, Setup, SetupError, Square, Symmetry, zobrist};
use outflank_game::{GameState, Outcome, Player};
use std::{fmt, str::FromStr};

/// A [`Board`] with the color of the player to move, and its Zobrist key.
///
/// # Examples
///
/// ```
/// use outflank_othello::{Color, Position, Square};
/// let mut position = Position::start();
/// position.play(Square::F5.into()).expect("f5 is legal");
/// assert_eq!(position.side(), Color::White);
/// assert_eq!(position.to_string(), "---------------------------OX------XXX-------------------------- O");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    board: Board,
    side: Color,
    key: u64,
}

impl Position {
    /// Returns the standard start position: black on d5 and e4, white on d4 and e5, black to move.
    pub fn start() -> Self {
        Self::new(Board::start(), Color::Black)
    }

    /// Returns the position in which `side` is to move and owns the player's discs of `board`.
    pub fn new(board: Board, side: Color) -> Self {
        let mut position = Self { board, side, key: 0 };
        position.key = position.recomputed_key();
        position
    }

    /// Returns the discs as the player to move sees them.
    #[inline]
    pub const fn board(&self) -> Board {
        self.board
    }

    /// Returns the color to move.
    #[inline]
    pub const fn side(&self) -> Color {
        self.side
    }

    /// Returns the discs of one color.
    pub const fn discs(&self, color: Color) -> Bitboard {
        if color as u8 == self.side as u8 {
            self.board.player()
        } else {
            self.board.opponent()
        }
    }

    /// Returns the color of the disc on `square`, if there is one.
    pub const fn disc_at(&self, square: Square) -> Option<Color> {
        if self.discs(Color::Black).contains(square) {
            Some(Color::Black)
        } else if self.discs(Color::White).contains(square) {
            Some(Color::White)
        } else {
            None
        }
    }

    /// Returns the Zobrist key, absolute in the colors, the side to move included.
    #[inline]
    pub const fn zobrist_key(&self) -> u64 {
        self.key
    }

    /// Returns the moves of the player to move: squares, or a single pass, or nothing when the game is over.
    pub fn legal_moves(&self) -> Vec<Move> {
        GameState::legal_moves(self)
    }

    /// Returns whether neither side can place a disc.
    pub fn is_game_over(&self) -> bool {
        self.board.is_game_over()
    }

    /// Plays a move.
    ///
    /// # Errors
    ///
    /// Returns why the move is not legal; the position is then unchanged.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.board.play(mv)?;
        GameState::play(self, mv);
        Ok(())
    }

    /// Returns the margin for `color` if the game ended here: the winner takes the empties, a tie is 0.
    pub const fn final_discs(&self, color: Color) -> Discs {
        let discs = self.board.final_discs();
        if color as u8 == self.side as u8 {
            discs
        } else {
            Discs::saturating(-discs.get())
        }
    }

    /// Returns the plain data of this position.
    pub const fn to_setup(&self) -> Setup {
        Setup {
            black: self.discs(Color::Black),
            white: self.discs(Color::White),
            side: self.side,
        }
    }
}

impl GameState for Position {
    type Move = Move;
    /// The flipped discs; empty for a pass.
    type Undo = Bitboard;
    type Symmetry = Symmetry;

    fn player(&self) -> Player {
        self.side.into()
    }

    fn collect_legal_moves(&self, moves: &mut Vec<Move>) {
        let squares = self.board.legal_moves();
        if !squares.is_empty() {
            moves.extend(squares.into_iter().map(Move::Place));
        } else if !self.board.passed().legal_moves().is_empty() {
            moves.push(Move::Pass);
        }
    }

    fn all_moves(&self) -> Vec<Move> {
        Square::ALL
            .into_iter()
            .map(Move::Place)
            .chain([Move::Pass])
            .collect()
    }

    fn is_legal(&self, mv: Move) -> bool {
        self.board.is_legal(mv)
    }

    fn is_pass(&self, mv: Move) -> bool {
        mv == Move::Pass
    }

    fn play(&mut self, mv: Move) -> Bitboard {
        let flips = match mv {
            Move::Place(square) => {
                let flips = self.board.flips(square);
                self.board = self.board.play_unchecked(square, flips);
                self.key ^= zobrist::disc(self.side, square) ^ zobrist::flipped(flips);
                flips
            }
            Move::Pass => {
                self.board = self.board.passed();
                Bitboard::EMPTY
            }
        };
        self.side = !self.side;
        self.key ^= zobrist::turn();
        flips
    }

    fn undo(&mut self, mv: Move, flips: Bitboard) {
        self.side = !self.side;
        self.key ^= zobrist::turn();
        match mv {
            Move::Place(square) => {
                self.board = self.board.undo_unchecked(square, flips);
                self.key ^= zobrist::disc(self.side, square) ^ zobrist::flipped(flips);
            }
            Move::Pass => self.board = self.board.passed(),
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.is_game_over().then(|| Outcome {
            margin: self.board.final_discs().get(),
        })
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn recomputed_key(&self) -> u64 {
        zobrist::key(self.discs(Color::Black), self.discs(Color::White), self.side)
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        Symmetry::ALL.to_vec()
    }

    fn inverse(&self, symmetry: Symmetry) -> Symmetry {
        symmetry.inverse()
    }

    fn transformed(&self, symmetry: Symmetry) -> Self {
        Self::new(self.board.transformed(symmetry), self.side)
    }

    fn transform_move(&self, mv: Move, symmetry: Symmetry) -> Move {
        symmetry.apply_move(mv)
    }

    fn canonical(&self) -> (Self, Symmetry) {
        let (board, symmetry) = self.board.canonical();
        (Self::new(board, self.side), symmetry)
    }
}

impl Default for Position {
    /// The start position.
    fn default() -> Self {
        Self::start()
    }
}

impl fmt::Display for Position {
    /// Writes 64 characters from a1 to h8 (`X` black, `O` white, `-` empty), a space, and the side to move.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for square in Square::ALL {
            let symbol = self.disc_at(square).map_or('-', Color::symbol);
            write!(f, "{symbol}")?;
        }
        write!(f, " {}", self.side.symbol())
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({self})")
    }
}

/// Why a text is not the plain notation of a position; the dialects of other programs are read by the crate
/// `outflank-records`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParsePositionError {
    /// Not 64 squares and a side to move.
    #[error("expected 64 squares and a side to move (X or O), found {0} characters")]
    Length(usize),
    /// A character that is neither `X`, `O` nor `-`.
    #[error("character {index} ({found:?}): expected X, O or -")]
    Character {
        /// Position among the characters that are not spaces, from 0.
        index: usize,
        /// The character.
        found: char,
    },
    /// The discs do not make a position.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

impl FromStr for Position {
    type Err = ParsePositionError;

    /// Parses what `Display` writes; white space is ignored.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let chars: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
        if chars.len() != 65 {
            return Err(ParsePositionError::Length(chars.len()));
        }
        let mut setup = Setup {
            black: Bitboard::EMPTY,
            white: Bitboard::EMPTY,
            side: Color::Black,
        };
        for (index, &found) in chars.iter().enumerate() {
            match (found, Square::from_index(index)) {
                ('X', Some(square)) => setup.black = setup.black.with(square),
                ('O', Some(square)) => setup.white = setup.white.with(square),
                ('-', Some(_)) | ('X', None) => {}
                ('O', None) => setup.side = Color::White,
                _ => return Err(ParsePositionError::Character { index, found }),
            }
        }
        Ok(setup.build()?)
    }
}
