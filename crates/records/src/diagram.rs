//! Diagrams of a whole game: 8×8 squares, each with the number of the move that was played there.
//!
//! The squares of the start hold discs, a sign for nothing, or 0; numbers run from 1 without a gap, passes are not
//! counted. Row numbers and column letters around the squares are left out.

use crate::{Failed, GameRecord, Parsed, Problem, ReadError, board, text::fold, transcript};
use outflank_othello::{Bitboard, Game, Move, Position, Setup, Square};

/// A square of a diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cell {
    /// Nothing was played here.
    Empty,
    /// A disc of the start.
    Disc(outflank_othello::Color),
    /// The move of this number.
    Number(u8),
}

/// Returns the squares of row `index`, from 0, of a diagram, with the byte offset of each.
fn row(line: &str, index: usize) -> Option<[(usize, Cell); 8]> {
    let mut words: Vec<(usize, String)> = Vec::with_capacity(10);
    let mut is_open = false;
    for (at, c) in line.char_indices().map(|(at, c)| (at, fold(c))) {
        if c.is_whitespace() || matches!(c, '|' | ',' | ';' | '\t') {
            is_open = false;
        } else if is_open {
            words.last_mut()?.1.push(c);
        } else {
            words.push((at, c.to_string()));
            is_open = true;
        }
        if words.len() > 10 {
            return None;
        }
    }
    let label = (index + 1).to_string();
    let is_label = |word: Option<&(usize, String)>| word.is_some_and(|word| word.1 == label);
    match words.len() {
        8 => {}
        9 if is_label(words.first()) => drop(words.remove(0)),
        9 if is_label(words.last()) => drop(words.pop()),
        10 if is_label(words.first()) && is_label(words.last()) => {
            words.remove(0);
            words.pop();
        }
        _ => return None,
    }
    let cells: Vec<(usize, Cell)> = words
        .into_iter()
        .map(|(at, word)| cell(&word).map(|cell| (at, cell)))
        .collect::<Option<_>>()?;
    cells.try_into().ok()
}

fn cell(word: &str) -> Option<Cell> {
    if let Ok(number) = word.parse::<u8>() {
        let is_number = word.bytes().all(|b| b.is_ascii_digit()) && number <= 60;
        return is_number.then_some(if number == 0 {
            Cell::Empty
        } else {
            Cell::Number(number)
        });
    }
    let mut signs = word.chars();
    let first = signs.next()?;
    if signs.all(|c| c == first)
        && let Some(color) = board::cell(first).and_then(board::Cell::color)
    {
        return Some(Cell::Disc(color));
    }
    let nothing = |c: char| matches!(c, '-' | '.' | '#' | '_' | '[' | ']' | '(' | ')' | '+');
    word.chars().all(nothing).then_some(Cell::Empty)
}

/// Returns whether a line is row `index`, from 0, of a diagram: eight squares, at least one of them with a number that
/// no board has.
pub(crate) fn is_row(line: &str, index: usize) -> bool {
    row(line, index).is_some_and(|cells| cells.iter().any(|(_, cell)| matches!(cell, Cell::Number(2..))))
}

/// Returns whether a line is row `index`, from 0, of a diagram, perhaps one without numbers.
pub(crate) fn is_plain_row(line: &str, index: usize) -> bool {
    row(line, index).is_some()
}

/// Reads a diagram of eight rows; `lines` may hold column letters and a side to move, too.
pub(crate) fn read(text: &str) -> Result<Parsed<GameRecord>, Failed> {
    let mut cells: Vec<(usize, Cell)> = Vec::with_capacity(64);
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        if cells.len() < 64
            && let Some(found) = row(line, cells.len() / 8)
        {
            cells.extend(found.map(|(at, cell)| (offset + at, cell)));
        }
        offset += line.len();
    }
    let fail = |offset, problem| Err(ReadError::new(offset, problem).into());
    if cells.len() != 64 {
        return fail(0, Problem::SquareCount(cells.len()));
    }
    let mut order: [Option<(usize, Square)>; 61] = [None; 61];
    let (mut black, mut white) = (Bitboard::EMPTY, Bitboard::EMPTY);
    for (&(at, cell), square) in cells.iter().zip(Square::ALL) {
        match cell {
            Cell::Empty => {}
            Cell::Disc(outflank_othello::Color::Black) => black = black.with(square),
            Cell::Disc(outflank_othello::Color::White) => white = white.with(square),
            Cell::Number(number) => {
                if order[usize::from(number)].replace((at, square)).is_some() {
                    return fail(at, Problem::NumberTwice(number));
                }
            }
        }
    }
    let n_moves = order.iter().rposition(Option::is_some).unwrap_or(0);
    if let Some(number) = (1..=n_moves).find(|&number| order[number].is_none()) {
        return fail(0, Problem::NumberMissing(number as u8));
    }
    let mut start = Position::start();
    if !(black | white).is_empty() {
        let side = start.side();
        start = Setup { black, white, side }
            .build()
            .expect("a sign is one disc at most");
    }
    let mut record = GameRecord::new(Game::from_position(start));
    for (at, square) in order.into_iter().flatten() {
        if let Err(error) = record.game.place(square) {
            let problem = transcript::why_illegal(&record.game, Move::Place(square), error.reason);
            let error = ReadError {
                offset: at,
                ply: Some(error.number),
                square: Some(square),
                problem,
            };
            return Err(Failed::new(error, record));
        }
    }
    Ok(Parsed {
        value: record,
        warnings: Vec::new(),
    })
}
