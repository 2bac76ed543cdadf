//! Games as text: plain moves, Piskvork's `psq` files, SGF with `GM[4]`, and drawn boards.
//!
//! ```
//! use outflank_gomoku::notation::read_game;
//! let record = read_game("h8 i9 j10")?;
//! assert_eq!(record.moves.len(), 3);
//! assert_eq!(read_game("7,7 8,8 9,9")?.moves, record.moves);
//! assert_eq!(record.to_sgf(15), "(;GM[4]FF[4]SZ[15];B[hh];W[ig];B[jf])");
//! # Ok::<(), outflank_gomoku::notation::ReadError>(())
//! ```

use crate::{Board, Color, MAX_SIZE, MIN_SIZE, PlayError, Point, Rule, SetupError, Tables};
use std::fmt::Write as _;

/// A game or position read from text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameRecord {
    /// Edge of the board, if the text says it.
    pub size: Option<u8>,
    /// The moves, Black first.
    pub moves: Vec<Point>,
    /// Stones of a drawn board; then `moves` is empty.
    pub stones: Vec<(Point, Color)>,
}

/// Why a text is no game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// Something that is no move stands where a move should.
    #[error("{text:?} (move {nth}) is no point: write h8, or 7,7 counted from 0")]
    Point {
        /// Which move, from 1.
        nth: usize,
        /// The text.
        text: String,
    },
    /// A size that no board has.
    #[error("a board of {0} points is not supported: the edge must be 5 to 20")]
    Size(u32),
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

/// Reads a game in any of the notations.
///
/// # Errors
///
/// [`ReadError`] names the first thing that is wrong.
pub fn read_game(text: &str) -> Result<GameRecord, ReadError> {
    let text = text.trim();
    if text.starts_with("(;") {
        read_sgf(text)
    } else if text
        .get(..8)
        .is_some_and(|head| head.eq_ignore_ascii_case("piskvorq"))
    {
        read_psq(text)
    } else if let Some(record) = read_diagram(text) {
        Ok(record)
    } else if text.chars().any(char::is_alphabetic) {
        read_letters(text)
    } else {
        read_numbers(text)
    }
}

fn fail(nth: usize, text: &str) -> ReadError {
    ReadError::Point {
        nth,
        text: text.chars().take(20).collect(),
    }
}

/// `h8i9`, `H8,I9` and the like: a letter and digits each, anything else between them.
fn read_letters(text: &str) -> Result<GameRecord, ReadError> {
    let mut moves = Vec::new();
    let mut rest = text.trim_start_matches(is_separator);
    while !rest.is_empty() {
        let n_digits = rest.chars().skip(1).take_while(char::is_ascii_digit).count();
        let head = rest.chars().next().map_or(0, char::len_utf8);
        let word = &rest[..head + n_digits];
        moves.push(word.parse().map_err(|_| fail(moves.len() + 1, word))?);
        rest = rest[word.len()..].trim_start_matches(is_separator);
    }
    Ok(GameRecord {
        moves,
        ..GameRecord::default()
    })
}

fn is_separator(c: char) -> bool {
    c.is_whitespace() || matches!(c, ',' | ';' | '-' | '_')
}

/// `7,7 8,8`: column and row from 0.
fn read_numbers(text: &str) -> Result<GameRecord, ReadError> {
    let words = text
        .split(|c: char| c.is_whitespace() || c == ';')
        .filter(|word| !word.is_empty());
    let moves: Result<Vec<Point>, ReadError> = words
        .enumerate()
        .map(|(i, word)| word.parse().map_err(|_| fail(i + 1, word)))
        .collect();
    Ok(GameRecord {
        moves: moves?,
        ..GameRecord::default()
    })
}

/// A header `Piskvorq 15x15, …`, then `x,y,milliseconds` counted from 1.
fn read_psq(text: &str) -> Result<GameRecord, ReadError> {
    let mut lines = text.lines();
    let header = lines.next().unwrap_or_default();
    let digits: String = header
        .chars()
        .skip_while(|c| !c.is_ascii_digit())
        .take_while(char::is_ascii_digit)
        .collect();
    let size = checked_size(digits.parse().unwrap_or(0))?;
    let mut moves = Vec::new();
    for line in lines {
        let fields: Vec<&str> = line.split(',').map(str::trim).collect();
        let [x, y, _] = fields[..] else { break };
        let parse = |field: &str| field.parse::<u8>().ok().and_then(|value| value.checked_sub(1));
        let point = parse(x).zip(parse(y)).and_then(|(x, y)| Point::new(x, y));
        moves.push(point.ok_or_else(|| fail(moves.len() + 1, line))?);
    }
    Ok(GameRecord {
        size: Some(size),
        moves,
        stones: Vec::new(),
    })
}

fn checked_size(size: u32) -> Result<u8, ReadError> {
    u8::try_from(size)
        .ok()
        .filter(|size| (MIN_SIZE..=MAX_SIZE).contains(size))
        .ok_or(ReadError::Size(size))
}

/// The main line of an SGF game: `B[hh]` (rows from the top) or `B[h8]`.
fn read_sgf(text: &str) -> Result<GameRecord, ReadError> {
    let mut size = 15;
    let mut words = Vec::new();
    let mut rest = text;
    let mut name = String::new();
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '[' => {
                let mut escaped = false;
                let end = rest.find(|c: char| {
                    let closes = c == ']' && !escaped;
                    escaped = c == '\\' && !escaped;
                    closes
                });
                let end = end.unwrap_or(rest.len());
                let value = &rest[..end];
                match name.as_str() {
                    "SZ" => size = checked_size(value.trim().parse().unwrap_or(0))?,
                    "B" | "W" => words.push(value.trim().to_owned()),
                    _ => {}
                }
                rest = rest.get(end + 1..).unwrap_or("");
            }
            ']' => {}
            // Variations after the main line are left out.
            ')' => break,
            c if c.is_ascii_alphabetic() => name.push(c),
            _ => name.clear(),
        }
        if c == '[' {
            name.clear();
        }
    }
    let mut moves = Vec::new();
    for word in words.iter().filter(|word| !word.is_empty()) {
        let bytes = word.as_bytes();
        let point = match bytes {
            [x, y] if x.is_ascii_alphabetic() && y.is_ascii_alphabetic() => {
                let (x, y) = (x.to_ascii_lowercase() - b'a', y.to_ascii_lowercase() - b'a');
                size.checked_sub(y + 1).and_then(|y| Point::new(x, y))
            }
            _ => word.parse().ok(),
        };
        moves.push(point.ok_or_else(|| fail(moves.len() + 1, word))?);
    }
    Ok(GameRecord {
        size: Some(size),
        moves,
        stones: Vec::new(),
    })
}

/// A drawn board, highest row first: `.` empty, `X` black, `O` white; row numbers and column letters are ignored.
fn read_diagram(text: &str) -> Option<GameRecord> {
    let mut rows: Vec<String> = Vec::new();
    for line in text.lines() {
        let cells: String = line
            .chars()
            .filter(|c| !c.is_whitespace() && !c.is_ascii_digit())
            .collect();
        let is_row = cells.len() >= usize::from(MIN_SIZE) && cells.chars().all(|c| ".+_xXoO".contains(c));
        if is_row {
            rows.push(cells);
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
        for (cell, x) in row.bytes().zip(0..size) {
            let color = match cell.to_ascii_lowercase() {
                b'x' => Color::Black,
                b'o' => Color::White,
                _ => continue,
            };
            stones.push((Point::new(x, y)?, color));
        }
    }
    Some(GameRecord {
        size: Some(size),
        moves: Vec::new(),
        stones,
    })
}

impl GameRecord {
    /// Plays the record on a board of its own size, or `size` if it names none.
    ///
    /// A drawn board with as many black as white stones, or fewer, has Black to move.
    ///
    /// # Errors
    ///
    /// [`ReadError`] for a move that cannot be played or stones that make no position.
    pub fn board(&self, rule: Rule, size: u8) -> Result<Board, ReadError> {
        let size = self.size.unwrap_or(size);
        if !self.stones.is_empty() {
            let n_black = self
                .stones
                .iter()
                .filter(|(_, color)| *color == Color::Black)
                .count();
            let side = if 2 * n_black > self.stones.len() {
                Color::White
            } else {
                Color::Black
            };
            return Ok(Board::from_stones(Tables::new(rule), size, &self.stones, side)?);
        }
        let mut board = Board::new(rule, size)?;
        for (i, &mv) in self.moves.iter().enumerate() {
            board
                .play(mv)
                .map_err(|error| ReadError::Move { nth: i + 1, error })?;
        }
        Ok(board)
    }

    /// Writes the moves as SGF for a board of `size`×`size` points.
    pub fn to_sgf(&self, size: u8) -> String {
        let mut text = format!("(;GM[4]FF[4]SZ[{size}]");
        for (i, mv) in self.moves.iter().enumerate() {
            let name = if i.is_multiple_of(2) { 'B' } else { 'W' };
            let row = size.saturating_sub(mv.y() + 1);
            let _ = write!(
                text,
                ";{name}[{}{}]",
                char::from(b'a' + mv.x()),
                char::from(b'a' + row)
            );
        }
        text + ")"
    }

    /// Writes the moves as a Piskvork file for a board of `size`×`size` points.
    pub fn to_psq(&self, size: u8) -> String {
        let mut text = format!("Piskvorq {size}x{size}, 0:0, 0\n");
        for mv in &self.moves {
            let _ = writeln!(text, "{},{},0", mv.x() + 1, mv.y() + 1);
        }
        text + "-1\n"
    }
}

/// Writes moves without spaces: `h8i9`.
pub fn moves_text(moves: &[Point]) -> String {
    moves
        .iter()
        .fold(String::new(), |text, mv| text + &mv.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_notation_gives_the_same_game() {
        let plain = read_game("h8i9j10a1o15").expect("moves");
        for text in [
            "H8,I9,J10,A1,O15",
            " h8 i9 j10 a1 o15\n",
            "7,7 8,8 9,9 0,0 14,14",
            "h8-i9-j10-a1-o15",
        ] {
            assert_eq!(read_game(text).expect("moves").moves, plain.moves, "{text}");
        }
        for text in [plain.to_sgf(15), plain.to_psq(15)] {
            let record = read_game(&text).expect("a file");
            assert_eq!(
                (record.moves, record.size),
                (plain.moves.clone(), Some(15)),
                "{text}"
            );
        }
        let board = plain.board(Rule::Standard, 15).expect("legal");
        let drawn = read_game(&board.to_string())
            .expect("a drawing")
            .board(Rule::Standard, 15)
            .expect("valid");
        assert_eq!(drawn, board);
    }

    #[test]
    fn bad_text_is_refused_with_its_place() {
        for text in [
            "h8i",
            "h8 i99",
            "7,7 8",
            "7,x",
            "(;SZ[99];B[aa])",
            "(;B[a99])",
            "Piskvorq 3x3\n1,1,0",
            "é",
        ] {
            assert!(read_game(text).is_err(), "{text}");
        }
        assert!(
            read_game("h8h8")
                .expect("points")
                .board(Rule::Freestyle, 15)
                .is_err()
        );
        assert!(
            read_game("t20")
                .expect("points")
                .board(Rule::Freestyle, 15)
                .is_err()
        );
        for text in ["(;", "(;B[", "(;B[hh", "Piskvorq 15x15", "", "."] {
            drop(read_game(text));
        }
    }
}
