//! Books as text: one JSON object a line, sorted, with nothing left out: for diffs, and for other programs.

use super::{ExchangeError, Report};
use crate::{
    Book, Count, Entry, Fact, Kind, Slot, SourceId, Worth,
    fact::{MOST, UNITS},
};
use outflank_othello::{Bitboard, Board, Square};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, fmt::Write as _};

/// The first line.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    book: String,
    version: u8,
    round: u64,
    settings: BTreeMap<String, String>,
}

/// A fact.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FactText {
    /// Discs, a multiple of 1/128.
    value: f64,
    kind: Kind,
    #[serde(default, skip_serializing_if = "is_zero")]
    depth: u32,
    #[serde(default, skip_serializing_if = "is_zero_u8")]
    confidence: u8,
    source: String,
}

/// A move.
#[derive(Serialize, Deserialize)]
struct MoveText {
    #[serde(rename = "move")]
    mv: String,
    #[serde(flatten, default, skip_serializing_if = "Option::is_none")]
    fact: Option<FactText>,
    #[serde(default, skip_serializing_if = "is_zero")]
    games: u32,
    #[serde(default, skip_serializing_if = "is_zero_i16")]
    mean: i16,
}

/// A position.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PositionText {
    board: String,
    #[serde(default)]
    moves: Vec<MoveText>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rest: Option<FactText>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    own: Option<FactText>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde wants a reference")]
const fn is_zero(number: &u32) -> bool {
    *number == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde wants a reference")]
const fn is_zero_u8(number: &u8) -> bool {
    *number == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde wants a reference")]
const fn is_zero_i16(number: &i16) -> bool {
    *number == 0
}

/// Returns the 64 squares of a board, `X` for the player to move.
pub fn board_text(board: Board) -> String {
    let disc = |square: Square| match (board.player().contains(square), board.opponent().contains(square)) {
        (true, _) => 'X',
        (_, true) => 'O',
        _ => '-',
    };
    Square::ALL.into_iter().map(disc).collect()
}

fn parse_board(text: &str) -> Option<Board> {
    if text.len() != 64 {
        return None;
    }
    let (mut player, mut opponent) = (0, 0);
    for (index, disc) in text.bytes().enumerate() {
        match disc {
            b'X' => player |= 1 << index,
            b'O' => opponent |= 1 << index,
            b'-' => {}
            _ => return None,
        }
    }
    Board::new(Bitboard::new(player), Bitboard::new(opponent))
}

/// Returns the book as text.
pub fn write(book: &Book) -> String {
    let head = Head {
        book: "outflank".to_owned(),
        version: 1,
        round: book.round,
        settings: book.settings.clone(),
    };
    let mut out = serde_json::to_string(&head).unwrap_or_default();
    out.push('\n');
    for (key, entry) in book.iter() {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{}", write_position(book, key, entry));
    }
    out
}

/// Returns what a book says about one position, as a line without its end.
pub fn write_position(book: &Book, key: Board, entry: &Entry) -> String {
    let text = |fact: Fact| FactText {
        value: f64::from(fact.value) / f64::from(UNITS),
        kind: fact.worth.kind(),
        depth: fact.worth.depth(),
        confidence: fact.worth.confidence(),
        source: book.source_name(fact.source).to_owned(),
    };
    let moves = entry.moves().iter().map(|known| MoveText {
        mv: known.square.to_string(),
        fact: known.fact.map(text),
        games: known.count.games,
        mean: known.count.mean,
    });
    let position = PositionText {
        board: board_text(key),
        moves: moves.collect(),
        rest: entry.rest().map(text),
        own: entry.own().map(text),
    };
    serde_json::to_string(&position).unwrap_or_default()
}

/// Adds the positions of a text; lines that cannot be used are in the report.
///
/// # Errors
///
/// The first line is not the one of a book.
pub fn read(text: &str, book: &mut Book) -> Result<Report, ExchangeError> {
    let mut lines = text.lines().enumerate();
    let head = lines
        .next()
        .and_then(|(_, line)| serde_json::from_str::<Head>(line).ok());
    let head = head.filter(|head| head.book == "outflank");
    let head = head.ok_or(ExchangeError::NotOne("Outflank as lines of JSON"))?;
    if head.version != 1 {
        return Err(ExchangeError::Version {
            program: "Outflank",
            version: head.version,
            known: 1,
        });
    }
    book.settings.extend(head.settings);
    book.round = book.round.max(head.round);
    let mut report = Report::default();
    for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        match read_position(line, book, &mut report) {
            Ok(()) => report.positions += 1,
            Err(reason) => report.refuse(number as u64 + 1, reason),
        }
    }
    Ok(report)
}

/// Adds what a line of [`write_position`] says.
///
/// # Errors
///
/// Returns what is wrong with the line.
pub fn read_position(line: &str, book: &mut Book, report: &mut Report) -> Result<(), String> {
    let position: PositionText = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let board = parse_board(&position.board).ok_or("a board has 64 squares of X, O and -")?;
    let mut facts: Vec<(Slot, FactText)> = Vec::new();
    let mut counts = Vec::new();
    for mv in position.moves {
        let square: Square = mv.mv.parse().map_err(|error| format!("{error}"))?;
        if board.flips(square).is_empty() {
            return Err(format!("{square} is no legal move here"));
        }
        facts.extend(mv.fact.map(|fact| (Slot::Move(square), fact)));
        counts.push((square, mv.games, mv.mean));
    }
    facts.extend(position.rest.map(|fact| (Slot::Rest, fact)));
    facts.extend(position.own.map(|fact| (Slot::Position, fact)));
    let say = |error: crate::BookError| error.to_string();
    book.add_position(board).map_err(say)?;
    for (slot, text) in facts {
        let source = book.source(&text.source).map_err(say)?;
        let fact = fact(&text, source)?;
        report.add(book, board, slot, fact).map_err(say)?;
    }
    for (square, games, mean) in counts {
        if i32::from(mean).abs() > MOST {
            return Err(format!("{mean} is no mean result"));
        }
        book.add_count(board, square, Count { games, mean })
            .map_err(say)?;
    }
    Ok(())
}

fn fact(text: &FactText, source: SourceId) -> Result<Fact, String> {
    let units = text.value * f64::from(UNITS);
    if units.is_nan() || units.abs() > f64::from(MOST) {
        return Err(format!("{} is no number of discs", text.value));
    }
    let worth = Worth::new(text.kind, text.depth, text.confidence);
    Ok(Fact::new(units.round() as i32, worth, source))
}
