//! Piskvork's game files, `.psq`: a header `Piskvorky 15x15, 11:11, 0`, then a line `x,y,milliseconds` for each move.
//!
//! Columns and rows are counted from 1, rows from the top. Behind the moves stand the names of the players and `-1`.

use super::{Failure, Parsed, Record, board_size};
use outflank_gomoku::Point;
use std::fmt::Write;

/// Returns whether a text begins with the header of such a file; some programs write `Piskvorq` or `Piskvork`.
pub(super) fn is_header(text: &str) -> bool {
    text.get(..8)
        .is_some_and(|head| head.eq_ignore_ascii_case("piskvork") || head.eq_ignore_ascii_case("piskvorq"))
}

/// Returns the numbers of a line with three of them, the shape of a move.
fn fields(line: &str) -> Option<[i64; 3]> {
    let mut numbers = line.split(',').map(|field| field.trim().parse().ok());
    let all = [numbers.next()??, numbers.next()??, numbers.next()??];
    numbers.next().is_none().then_some(all)
}

pub(super) fn parse(text: &str) -> Result<Parsed, Failure> {
    let mut lines = text.split_inclusive('\n');
    let header = lines.next().unwrap_or_default();
    let size = header
        .split(|c: char| c.is_whitespace() || c == ',')
        .find(|word| word.starts_with(|c: char| c.is_ascii_digit()))
        .unwrap_or_default();
    let at = header.find(size).unwrap_or(0);
    let size = board_size(size).map_err(|problem| Failure::new(at, problem))?;
    let mut record = Record {
        size: Some(size),
        ..Record::default()
    };
    let mut offset = header.len();
    let mut is_over = false;
    for line in lines {
        let nth = record.moves.len() + 1;
        match fields(line) {
            Some([x, y, _]) if !is_over => {
                let edge = 1..=i64::from(size);
                let on_board = edge.contains(&x) && edge.contains(&y);
                let point = on_board
                    .then(|| Point::new((x - 1) as u8, size - y as u8))
                    .flatten();
                let point = point.ok_or_else(|| Failure::point(offset, nth, line))?;
                record.moves.push(point);
            }
            // A move behind what looks like the end: lines in between are damaged.
            Some(_) => return Err(Failure::point(offset, nth, line)),
            None => is_over |= !line.trim().is_empty(),
        }
        offset += line.len();
    }
    Ok(Parsed::from(record))
}

/// Returns the game as a file, for a board of the record's own size, or `size` if it names none.
///
/// # Errors
///
/// The format has no place for stones that are set up, nor for a game that White begins.
pub fn write(record: &Record, size: u8) -> Result<String, WritePsqError> {
    if !record.stones.is_empty() || record.side.is_some() {
        return Err(WritePsqError);
    }
    let size = record.size.unwrap_or(size);
    let mut text = format!("Piskvorky {size}x{size}, 11:11, 0\n");
    for mv in &record.moves {
        let row = size.saturating_sub(mv.y());
        writeln!(text, "{},{row},0", mv.x() + 1).expect("a string takes every text");
    }
    Ok(text + "-1\n")
}

/// Why a record does not fit the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a psq file holds only games that begin on the empty board: write SGF instead")]
pub struct WritePsqError;
