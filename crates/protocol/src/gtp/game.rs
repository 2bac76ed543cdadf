//! What a dialogue over GTP needs of a game beyond its rules.

use crate::DialogueBook;
use outflank_game::{GameState, ToyGame};
use outflank_othello::{Color, Move, Position, Square};
use outflank_records::{
    sgf,
    text::{decode, without_mark},
};
use std::fmt::Write as _;

/// A game that can be spoken of over GTP.
///
/// Everything has a default, so that a game with rules and nothing else will do: `impl GtpGame for YourGame {}`.
pub trait GtpGame: GameState<Move: Send> + Send {
    /// The name, with one capital, as `GoGui` expects it.
    const NAME: &'static str = "Game";
    /// What the margin of a game counts, where it counts more than won and lost.
    const UNIT: Option<&'static str> = None;
    /// The edge of the only board there is; `None` if a size means nothing.
    const SIZE: Option<usize> = None;
    /// Whether there are opening books of the game.
    const HAS_BOOKS: bool = false;

    /// Returns the moves that a book has here, the best first, and what it says of each.
    fn book_lines(&self, book: &DialogueBook) -> Vec<(Self::Move, String)> {
        let _ = book;
        Vec::new()
    }

    /// Returns the move that `text` names, legal here or not.
    fn read_move(&self, text: &str) -> Option<Self::Move> {
        self.all_moves()
            .into_iter()
            .find(|mv| mv.to_string().eq_ignore_ascii_case(text))
    }

    /// Returns the name of a move.
    fn write_move(&self, mv: Self::Move) -> String {
        if self.is_pass(mv) {
            "pass".to_owned()
        } else {
            mv.to_string()
        }
    }

    /// Returns why a move is not legal here.
    fn why_illegal(&self, mv: Self::Move) -> String {
        format!("{mv} cannot be played here")
    }

    /// Returns the board as people draw it, with line ends.
    fn drawing(&self) -> String {
        format!("{self:?}")
    }

    /// Returns the rows of the board from the last to the first, as `GoGui` draws them; `None` if there is no such board.
    fn rows(&self) -> Option<String> {
        None
    }

    /// Reads a game record: where it starts, and its moves, all of them legal.
    ///
    /// # Errors
    ///
    /// Returns what cannot be read.
    fn read_sgf(_bytes: &[u8]) -> Result<(Self, Vec<Self::Move>), String> {
        Err(format!("there are no files of {}", Self::NAME))
    }
}

impl GtpGame for ToyGame {}

impl GtpGame for Position {
    const NAME: &'static str = "Othello";
    const UNIT: Option<&'static str> = Some("discs");
    const SIZE: Option<usize> = Some(8);
    const HAS_BOOKS: bool = true;

    fn book_lines(&self, book: &DialogueBook) -> Vec<(Move, String)> {
        let lines = book.lines(self).into_iter();
        lines
            .filter_map(|line| Some((*line.moves.first()?, line.said())))
            .collect()
    }

    fn read_move(&self, text: &str) -> Option<Move> {
        text.parse().ok()
    }

    fn write_move(&self, mv: Move) -> String {
        mv.square()
            .map_or_else(|| "pass".to_owned(), |square| square.to_string().to_uppercase())
    }

    fn why_illegal(&self, mv: Move) -> String {
        let mut position = *self;
        match Self::play(&mut position, mv) {
            Err(reason) => reason.to_string(),
            Ok(()) => String::new(),
        }
    }

    /// The board as Othello players draw it, row 1 at the top.
    fn drawing(&self) -> String {
        let mut text = String::from("\n  A B C D E F G H\n");
        for row in 0..8 {
            writeln!(text, "{} {}", row + 1, symbols(self, row)).expect("a string takes every text");
        }
        let (black, white) = (self.discs(Color::Black).count(), self.discs(Color::White).count());
        let turn = if self.is_game_over() {
            "game over".to_owned()
        } else {
            format!("{} to move", self.side())
        };
        text + &format!("X {black}, O {white}, {turn}")
    }

    /// From row 8 down to row 1: GTP's row 1 is at the bottom.
    fn rows(&self) -> Option<String> {
        let rows: Vec<String> = (0..8).rev().map(|row| symbols(self, row)).collect();
        Some(rows.join("\n"))
    }

    fn read_sgf(bytes: &[u8]) -> Result<(Self, Vec<Move>), String> {
        let (text, _) = decode(bytes);
        let record = sgf::parse(without_mark(&text).trim()).map_err(|error| error.to_string())?;
        let game = record.value.game;
        Ok((*game.start(), game.moves().to_vec()))
    }
}

/// The squares of a row, with blanks between them.
fn symbols(position: &Position, row: usize) -> String {
    let symbol = |square| position.disc_at(square).map_or('.', Color::symbol).to_string();
    (0..8)
        .filter_map(|column| Square::from_coordinates(column, row))
        .map(symbol)
        .collect::<Vec<_>>()
        .join(" ")
}
