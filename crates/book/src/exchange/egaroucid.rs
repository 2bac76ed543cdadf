//! Books of Egaroucid (`egbk3`), both ways.
//!
//! Nine letters (`DICUORAGE`; the documentation says `EGAROUCID`), u8 3, i32 number of positions, then 25 bytes for each: u64
//! player, opponent, i8 value, level, u32 lines, i8 leaf value, leaf move, leaf level. The words are turned half round, which
//! makes no difference, since a position stands for all its images. Positions in which a pass is the only move are left out.

// Source: the layout of the file, [EGAROUCID26].

use super::{ExchangeError, Report, edax::usual_level};
use crate::{
    Book, Fact, Kind, Slot, Worked, Worth,
    fact::{UNITS, to_discs},
    file::Cursor,
    place::Place,
};
use outflank_othello::{Bitboard, Board, Square};
use std::collections::BTreeSet;

const LETTERS: &[u8; 9] = b"DICUORAGE";
const DOCUMENTED: &[u8; 9] = b"EGAROUCID";
const VERSION: u8 = 3;
const RECORD: usize = 25;
/// What stands for a value that is not known.
const NO_VALUE: i8 = -126;
/// What stands for a move that is not known.
const UNKNOWN_MOVE: i8 = 125;
/// What stands for that there is no other move.
const NO_MOVE: i8 = 65;
/// The level of values that a person has set.
const BY_HAND: i8 = 70;
/// The greatest number of lines.
const MOST_LINES: u32 = 4_000_000_000;

/// Returns whether a file that begins with `head` is a book of Egaroucid.
pub fn is_egaroucid(head: &[u8]) -> bool {
    head.starts_with(LETTERS) || head.starts_with(DOCUMENTED)
}

/// Adds what a book of Egaroucid says to `book`; records that cannot be used are in the report. `source` is the name of the
/// source of the facts.
///
/// # Errors
///
/// It is no such book, or has another version.
pub fn read(bytes: &[u8], book: &mut Book, source: &str) -> Result<Report, ExchangeError> {
    const EGAROUCID: &str = "Egaroucid";
    let mut rest = Cursor(bytes);
    let letters = rest.take(9).filter(|letters| is_egaroucid(letters));
    letters.ok_or(ExchangeError::NotOne(EGAROUCID))?;
    let version = rest.u8().ok_or(ExchangeError::NotOne(EGAROUCID))?;
    if version != VERSION {
        return Err(ExchangeError::Version {
            program: EGAROUCID,
            version,
            known: VERSION,
        });
    }
    let count = rest.u32().ok_or(ExchangeError::NotOne(EGAROUCID))?;
    let mut report = Report::default();
    let records = rest.0.chunks_exact(RECORD);
    let (whole, torn) = (records.len() as u64, records.remainder().len());
    if torn > 0 {
        report.refuse(whole, format!("cut short: only {torn} bytes are left"));
    } else if whole != u64::from(count) {
        report.refuse(whole, format!("the file says {count} positions and has {whole}"));
    }
    let source = book.source(source)?;
    let board = |record: &[u8]| Cursor(record).board();
    let keys = records
        .clone()
        .filter_map(|record| Some(Place::key(board(record)?)?.0));
    let present: BTreeSet<Board> = keys.collect();
    for (number, record) in records.enumerate() {
        let number = number as u64;
        let Some(board) = board(record) else {
            report.refuse(number, "the discs of the two sides overlap");
            continue;
        };
        match Place::of(board) {
            Place::End(_) => report.ended += 1,
            Place::Node { passed: true, .. } => report.passes += 1,
            Place::Node { .. } => {
                let [value, level] = [record[16] as i8, record[17] as i8];
                let [leaf_value, leaf, leaf_level] = [record[22] as i8, record[23] as i8, record[24] as i8];
                let fact = |value: i8, level: i8| Fact::new(i32::from(value) * UNITS, worth(level), source);
                let leads_on = board.legal_moves().into_iter().any(|square| {
                    let after = board.play_unchecked(square, board.flips(square));
                    matches!(Place::of(after), Place::Node { key, .. } if present.contains(&key))
                });
                book.add_position(board)?;
                report.positions += 1;
                let square = usize::try_from(leaf).ok().and_then(Square::from_index);
                let mut known = leads_on;
                if let Some(square) = square {
                    if board.flips(square).is_empty() || !(-64..=64).contains(&leaf_value) {
                        report.refuse(
                            number,
                            format!("its leaf {square} ({leaf_value}) is not possible"),
                        );
                    } else {
                        report.add(book, board, Slot::Move(square), fact(leaf_value, leaf_level))?;
                        known = true;
                    }
                }
                if !known || level == BY_HAND {
                    if (-64..=64).contains(&value) {
                        report.add(book, board, Slot::Position, fact(value, level))?;
                    } else if value != NO_VALUE {
                        report.refuse(number, format!("its value is {value}"));
                    }
                }
            }
        }
    }
    Ok(report)
}

fn worth(level: i8) -> Worth {
    if level == BY_HAND {
        return Worth::MANUAL;
    }
    Worth::new(Kind::Estimate, u32::try_from(level).unwrap_or(0).min(60), 0)
}

/// Writes a book as Egaroucid takes it, with what had to be left out. `level` stands at every position; if left out, the depth
/// that is most frequent in the book.
pub fn write(book: &Worked, level: Option<u8>) -> (Vec<u8>, Report) {
    let level = level.unwrap_or_else(|| usual_level(book.book())).min(60) as i8;
    let mut report = Report::default();
    let valued = book
        .iter()
        .filter_map(|(key, entry, derived)| Some((key, entry, derived, derived.value?)));
    let mut records = Vec::new();
    for (key, entry, derived, value) in valued {
        let by_hand = entry.own().is_some_and(|own| own.worth.kind() == Kind::Manual);
        let mut unlinked = key.legal_moves();
        let mut leaf: Option<(i32, Square, i8)> = None;
        for mv in book.moves(key) {
            if mv.leads_on {
                unlinked = Bitboard::new(unlinked.bits() & !images(key, mv.square).bits());
            } else if let Some(units) = mv.units() {
                let depth = mv.fact.map_or(60, |fact| match fact.worth.kind() {
                    Kind::Manual => BY_HAND,
                    Kind::Exact => 60,
                    _ => fact.worth.depth().min(60) as i8,
                });
                report.left_out += u64::from(leaf.is_some());
                if leaf.is_none_or(|(best, ..)| units > best) {
                    leaf = Some((units, mv.square, depth));
                }
            }
        }
        let no_leaf = if unlinked.is_empty() {
            NO_MOVE
        } else {
            UNKNOWN_MOVE
        };
        let (leaf_value, leaf_move, leaf_level) = leaf
            .map_or((NO_VALUE, no_leaf, -1), |(units, square, level)| {
                (to_discs(units) as i8, square.index() as i8, level)
            });
        records.extend(key.player().bits().to_le_bytes());
        records.extend(key.opponent().bits().to_le_bytes());
        records.extend([
            to_discs(i32::from(value)) as i8 as u8,
            (if by_hand { BY_HAND } else { level }) as u8,
        ]);
        records.extend(derived.lines.min(MOST_LINES).to_le_bytes());
        records.extend([leaf_value as u8, leaf_move as u8, leaf_level as u8]);
        report.positions += 1;
    }
    report.without_moves = book.book().len() as u64 - report.positions;
    let mut out = LETTERS.to_vec();
    out.push(VERSION);
    out.extend((report.positions as u32).to_le_bytes());
    out.extend(records);
    (out, report)
}

/// Returns the moves that are images of one of them.
fn images(key: Board, square: Square) -> Bitboard {
    let own = outflank_othello::Symmetry::ALL.into_iter();
    own.filter(|&symmetry| key.transformed(symmetry) == key)
        .map(|symmetry| symmetry.square(square))
        .fold(Bitboard::EMPTY, Bitboard::with)
}
