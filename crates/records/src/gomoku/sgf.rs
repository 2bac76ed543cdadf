//! SGF, the Smart Game Format, for game 4 (Gomoku and Renju).
//!
//! Points are two letters, rows from the top (`B[hh]`), or a letter and a number, rows from the bottom (`B[h8]`).
//! `AB`, `AW` and `PL` set stones up before the first move. Of variations the first is read.

use super::{Failure, Parsed, Problem, Record, Warning, board_size};
use crate::{
    bracket::{self, Escapes, Token},
    text::{excerpt, fold},
};
use outflank_gomoku::{Color, Point, notation};
use std::fmt::Write;

/// Edge of the board where `SZ` is absent, in points.
const USUAL_SIZE: u8 = 15;

/// Names of the games of SGF by their numbers, from 1.
pub(crate) const GAMES: [&str; 15] = [
    "Go",
    "Othello",
    "chess",
    "Gomoku",
    "nine men's morris",
    "backgammon",
    "Chinese chess",
    "shogi",
    "Lines of Action",
    "Ataxx",
    "Hex",
    "Jungle",
    "Neutron",
    "Philosopher's football",
    "Quadrature",
];

/// Returns the name of an SGF game for a message: the number, and the name where it is known.
pub(crate) fn game_name(number: &str) -> String {
    let name = number
        .trim()
        .parse::<usize>()
        .ok()
        .and_then(|n| GAMES.get(n.checked_sub(1)?));
    match name {
        Some(name) => format!("{name} (GM[{}])", number.trim()),
        None => format!("GM[{}]", excerpt(number, 20)),
    }
}

pub(super) fn parse(text: &str) -> Result<Parsed, Failure> {
    parse_sized(text, None)
}

/// As [`parse`], for a board of `size` points where the record itself does not say its size.
pub(super) fn parse_sized(text: &str, size: Option<u8>) -> Result<Parsed, Failure> {
    let syntax = |error: crate::ReadError| Failure::new(error.offset, Problem::Syntax(error.problem));
    let tokens = bracket::lex(text, Escapes::All).map_err(syntax)?;
    let Some(end) = tokens.iter().position(|token| *token == Token::Close) else {
        return Err(Failure::new(0, Problem::Syntax(crate::Problem::Unclosed('('))));
    };
    let of_key = |wanted: &str| {
        tokens[..end].iter().find_map(|token| match token {
            Token::Property { key, value, offset } if key == wanted => Some((value.as_str(), *offset)),
            _ => None,
        })
    };
    let mut reader = Reader {
        size: size.unwrap_or(USUAL_SIZE),
        record: Record::default(),
        warnings: Vec::new(),
        to_move: None,
    };
    // Points depend on the size, so that it is read first.
    match of_key("GM") {
        Some((game, _)) if game.trim() == "4" => {}
        Some((game, at)) => return Err(Failure::new(at, Problem::OtherGame(game_name(game)))),
        None => reader.warnings.push(Warning::MissingTag("GM[4]")),
    }
    if let Some((size, at)) = of_key("SZ") {
        reader.size = board_size(size).map_err(|problem| Failure::new(at, problem))?;
    }
    reader.record.size = Some(reader.size);
    for token in &tokens[..end] {
        if let Token::Property { key, value, offset } = token {
            reader.property(key, value, *offset)?;
        }
    }
    let is_move =
        |token: &&Token| matches!(token, Token::Property { key, .. } if matches!(key.as_str(), "B" | "W"));
    let n_variations = tokens[end..].iter().filter(is_move).count();
    if n_variations > 0 {
        reader.warnings.push(Warning::Variations(n_variations));
    }
    let mut record = reader.record;
    // Only what the stones do not say is kept.
    record.side = record
        .side
        .filter(|&side| side != notation::side_of(&record.stones));
    Ok(Parsed {
        value: record,
        warnings: reader.warnings,
    })
}

struct Reader {
    size: u8,
    record: Record,
    warnings: Vec<Warning>,
    /// Who is to move, once moves have begun.
    to_move: Option<Color>,
}

impl Reader {
    fn property(&mut self, key: &str, value: &str, offset: usize) -> Result<(), Failure> {
        match key {
            "AB" | "AW" | "AE" | "PL" if self.to_move.is_some() => {
                return Err(Failure::new(offset, Problem::LateSetup));
            }
            "AB" => self.add(Some(Color::Black), value, offset)?,
            "AW" => self.add(Some(Color::White), value, offset)?,
            "AE" => self.add(None, value, offset)?,
            "PL" => {
                self.record.side = match value.trim().to_ascii_lowercase().as_str() {
                    "b" | "black" => Some(Color::Black),
                    "w" | "white" => Some(Color::White),
                    _ => {
                        let problem = crate::Problem::Side(excerpt(value, 12));
                        return Err(Failure::new(offset, Problem::Syntax(problem)));
                    }
                };
            }
            "B" => self.place(Color::Black, value, offset)?,
            "W" => self.place(Color::White, value, offset)?,
            "RU" => self.record.rule = value.trim().parse().ok(),
            _ => {}
        }
        Ok(())
    }

    /// Adds stones of a setup, or takes them away: one point, or a rectangle `aa:cc`.
    fn add(&mut self, color: Option<Color>, value: &str, offset: usize) -> Result<(), Failure> {
        let (from, to) = value.split_once(':').unwrap_or((value, value));
        let point = |text: &str| {
            point(text, self.size).ok_or_else(|| Failure::new(offset, Problem::Point(excerpt(text, 20))))
        };
        let (from, to) = (point(from)?, point(to)?);
        for y in from.y().min(to.y())..=from.y().max(to.y()) {
            for x in from.x().min(to.x())..=from.x().max(to.x()) {
                let Some(point) = Point::new(x, y) else { continue };
                match color {
                    Some(color) => self.record.stones.push((point, color)),
                    None => self.record.stones.retain(|(other, _)| *other != point),
                }
            }
        }
        Ok(())
    }

    fn place(&mut self, color: Color, value: &str, offset: usize) -> Result<(), Failure> {
        let nth = self.record.moves.len() + 1;
        let expected = *self.to_move.get_or_insert_with(|| {
            // The first move says who begins, unless PL did.
            *self.record.side.get_or_insert(color)
        });
        if expected != color {
            let found = color;
            return Err(Failure::of_move(
                offset,
                nth,
                Problem::WrongColor { expected, found },
            ));
        }
        let name = value.trim().to_ascii_lowercase();
        if matches!(name.as_str(), "" | "pass") || name == "tt" && self.size < 20 {
            return Err(Failure::of_move(offset, nth, Problem::Pass));
        }
        let point = point(value, self.size).ok_or_else(|| Failure::point(offset, nth, value))?;
        self.record.moves.push(point);
        self.to_move = Some(!color);
        Ok(())
    }
}

/// Reads a point of either dialect.
fn point(text: &str, size: u8) -> Option<Point> {
    let text: String = text.trim().chars().map(fold).collect();
    let point = match *text.to_ascii_lowercase().as_bytes() {
        [x @ b'a'..=b't', y @ b'a'..=b't'] => {
            let row = size.checked_sub(y - b'a' + 1)?;
            Point::new(x - b'a', row)
        }
        _ => text.parse().ok(),
    };
    point.filter(|point| point.is_on(size))
}

/// Returns the game on one line, for a board of the record's own size, or `size` if it names none.
pub fn write(record: &Record, size: u8) -> String {
    write_tagged(record, size, &[])
}

/// As [`write()`], with properties of the game beside its moves: who played (`PB`, `PW`), who won (`RE`), comments (`C`).
pub fn write_tagged(record: &Record, size: u8, tags: &[(&str, String)]) -> String {
    let size = record.size.unwrap_or(size);
    let mut text = format!("(;GM[4]FF[4]CA[UTF-8]AP[Outflank]SZ[{size}]");
    for (key, value) in tags {
        let value = value.replace('\\', "\\\\").replace(']', "\\]");
        write!(text, "{key}[{value}]").expect("a string takes every text");
    }
    let name = |point: Point| {
        let row = size.saturating_sub(point.y() + 1);
        format!("[{}{}]", char::from(b'a' + point.x()), char::from(b'a' + row))
    };
    if let Some(rule) = record.rule {
        write!(text, "RU[{rule}]").expect("a string takes every text");
    }
    for (key, color) in [("AB", Color::Black), ("AW", Color::White)] {
        let stones: Vec<Point> = record
            .stones
            .iter()
            .filter(|stone| stone.1 == color)
            .map(|stone| stone.0)
            .collect();
        if !stones.is_empty() {
            text.push_str(key);
        }
        text.extend(stones.into_iter().map(name));
    }
    let letter = |color| if color == Color::Black { 'B' } else { 'W' };
    let mut side = record.first();
    if !record.stones.is_empty() || side == Color::White {
        write!(text, "PL[{}]", letter(side)).expect("a string takes every text");
    }
    for &mv in &record.moves {
        write!(text, ";{}{}", letter(side), name(mv)).expect("a string takes every text");
        side = !side;
    }
    text + ")"
}
