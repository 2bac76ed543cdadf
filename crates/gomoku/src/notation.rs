//! The plain notation of games and positions: moves, `h8i9`, and drawn boards.
//!
//! Files and the dialects of other programs are read by the crate `outflank-records`.
//!
//! ```
//! use outflank_gomoku::Board;
//! let board: Board = "h8i9h9".parse()?;
//! assert_eq!(board.n_stones(), 3);
//! assert_eq!(board.to_string().parse::<Board>()?, board);
//! # Ok::<(), outflank_gomoku::notation::ParseBoardError>(())
//! ```

use crate::{Board, Color, MAX_SIZE, MIN_SIZE, ParsePointError, PlayError, Point, Rule, SetupError, Tables};
use std::str::FromStr;

/// Edge of the board on which moves are read that say nothing of it, in points.
pub const USUAL_SIZE: u8 = 15;

/// Why a text is not the plain notation of a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseBoardError {
    /// Something that is no point stands where a move should.
    #[error("move {nth}: {error}")]
    Point {
        /// Which move, from 1.
        nth: usize,
        /// What is wrong with it.
        error: ParsePointError,
    },
    /// A move that cannot be played.
    #[error("move {nth}: {error}")]
    Move {
        /// Which move, from 1.
        nth: usize,
        /// Why.
        error: PlayError,
    },
    /// Stones that make no position.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

/// A drawn board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawing {
    /// Edge of the board, in points.
    pub size: u8,
    /// The stones, from the top left corner on.
    pub stones: Vec<(Point, Color)>,
    /// Who is to move: as a line such as `white to move` says, else White if Black has more stones, else Black.
    pub side: Color,
}

impl Drawing {
    /// Reads a drawn board, highest row first: `.`, `+`, `_` or `-` empty, `X`, `x`, `●` or `⚫` black, `O`, `o`, `○` or
    /// `⚪` white; white space, row numbers and lines that are no row are ignored, but for one that says who is to move.
    ///
    /// Returns `None` if the text is no drawing of a square board of 5 to 20 rows.
    pub fn read(text: &str) -> Option<Self> {
        let mut rows: Vec<Vec<Cell>> = Vec::new();
        let mut said = None;
        for line in text.lines() {
            let cells: Option<Vec<_>> = line
                .chars()
                .filter(|c| !c.is_whitespace() && !c.is_ascii_digit() && *c != '|')
                .map(cell)
                .collect();
            match cells {
                Some(cells) if cells.len() >= usize::from(MIN_SIZE) => rows.push(cells),
                _ => said = said.or_else(|| said_side(line)),
            }
        }
        let size = u8::try_from(rows.len())
            .ok()
            .filter(|size| (MIN_SIZE..=MAX_SIZE).contains(size))?;
        if rows.iter().any(|row| row.len() != usize::from(size)) {
            return None;
        }
        let mut stones = Vec::new();
        for (row, y) in rows.iter().zip((0..size).rev()) {
            for (cell, x) in row.iter().zip(0..size) {
                if let Cell::Stone(color) = cell {
                    stones.push((Point::new(x, y)?, *color));
                }
            }
        }
        let side = said.unwrap_or_else(|| side_of(&stones));
        Some(Self { size, stones, side })
    }
}

/// Returns who is to move after these stones if nothing else says it: White if Black has more of them, else Black.
pub fn side_of(stones: &[(Point, Color)]) -> Color {
    let n_black = stones.iter().filter(|(_, color)| *color == Color::Black).count();
    if 2 * n_black > stones.len() {
        Color::White
    } else {
        Color::Black
    }
}

/// A sign of a drawn board.
#[derive(Clone, Copy)]
enum Cell {
    Empty,
    Stone(Color),
}

const fn cell(c: char) -> Option<Cell> {
    match c {
        'X' | 'x' | '●' | '⚫' => Some(Cell::Stone(Color::Black)),
        'O' | 'o' | '○' | '⚪' => Some(Cell::Stone(Color::White)),
        '.' | '+' | '_' | '-' | '·' => Some(Cell::Empty),
        _ => None,
    }
}

/// Returns the side of a line that ends in `white to move` or the like.
fn said_side(line: &str) -> Option<Color> {
    let line = line.trim().to_ascii_lowercase();
    let word = line.strip_suffix("to move")?.split_whitespace().next_back()?;
    match word.trim_start_matches(|c: char| !c.is_alphabetic()) {
        "black" | "x" => Some(Color::Black),
        "white" | "o" => Some(Color::White),
        _ => None,
    }
}

/// Parses moves, `h8i9` or `H8 i9`: letters and digits, white space anywhere between them.
///
/// # Errors
///
/// Returns the first thing that is no point, with its place.
pub fn parse_moves(text: &str) -> Result<Vec<Point>, ParseBoardError> {
    let mut moves = Vec::new();
    let mut rest = text.trim_start();
    while let Some(head) = rest.chars().next() {
        let n_digits = rest.chars().skip(1).take_while(char::is_ascii_digit).count();
        let word = &rest[..head.len_utf8() + n_digits];
        let nth = moves.len() + 1;
        moves.push(
            word.parse()
                .map_err(|error| ParseBoardError::Point { nth, error })?,
        );
        rest = rest[word.len()..].trim_start();
    }
    Ok(moves)
}

/// Writes moves without spaces: `h8i9`.
pub fn moves_text(moves: &[Point]) -> String {
    moves
        .iter()
        .fold(String::new(), |text, mv| text + &mv.to_string())
}

impl FromStr for Board {
    type Err = ParseBoardError;

    /// Parses moves from the empty board of 15×15 points, or what `Display` writes, under the free-style rule.
    ///
    /// Of a drawn board White is to move if Black has more stones, else Black.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Some(drawing) = Drawing::read(text) {
            let tables = Tables::new(Rule::Freestyle);
            return Ok(Self::from_stones(
                tables,
                drawing.size,
                &drawing.stones,
                drawing.side,
            )?);
        }
        let mut board = Self::new(Rule::Freestyle, USUAL_SIZE)?;
        for (i, mv) in parse_moves(text)?.into_iter().enumerate() {
            board
                .play(mv)
                .map_err(|error| ParseBoardError::Move { nth: i + 1, error })?;
        }
        Ok(board)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_and_drawings_give_the_same_board() {
        let board: Board = "h8i9j10a1o15".parse().expect("moves");
        assert_eq!("H8 i9\nJ10 a1 o15\n".parse(), Ok(board.clone()));
        assert_eq!(board.to_string().parse(), Ok(board.clone()));
        let moves: Vec<Point> = board.history().into_iter().map(|(point, _)| point).collect();
        assert_eq!(moves_text(&moves), "h8i9j10a1o15");
        assert_eq!("".parse::<Board>().expect("the empty board").n_stones(), 0);
        // Signs of other programs, without labels.
        let drawing = Drawing::read(". . . . .\n. ● ○ . .\n+ + ⚫ + +\n_____\n-----\n").expect("a drawing");
        assert_eq!(
            (drawing.size, drawing.stones.len(), drawing.side),
            (5, 3, Color::White)
        );
        assert_eq!(drawing.stones[0], ("b4".parse().expect("a point"), Color::Black));
    }

    #[test]
    fn other_texts_are_refused_with_their_place() {
        for (text, message) in [
            ("h8i", "move 2: \"i\" is not a point"),
            ("h8 i99", "move 2: \"i99\" is not a point"),
            ("h8h8", "move 2: h8 is occupied"),
            ("t20", "move 1: t20 is outside the 15x15 board"),
            (
                "a1a2b1b2c1c2d1d2e1f1",
                "move 10: the game is over (black has five in a row): take a move back or start a new game",
            ),
            ("é", "move 1: \"é\" is not a point"),
        ] {
            let error = text.parse::<Board>().expect_err(text).to_string();
            assert!(error.starts_with(message), "{text}: {error}");
        }
        // Four rows, and rows of unequal length.
        for text in ["....\n....\n....\n....", ".....\n.....\n.....\n.....\n....."] {
            assert_eq!(Drawing::read(text).is_some(), text.len() > 20, "{text}");
        }
        assert_eq!(Drawing::read(".....\n.....\n.....\n.....\n......"), None);
    }
}
