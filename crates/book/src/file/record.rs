//! One position as bytes, and back.

use super::FileError;
use crate::{
    Count, Entry, Fact, Known, Worth,
    derive::{Derived, Grade},
    fact::{MOST, SourceId},
    place::distinct_moves,
};
use outflank_othello::{Bitboard, Board, Square};

const COUNTS: u8 = 1;
const REST: u8 = 2;
const OWN: u8 = 4;
/// Bytes of the board and what every record has.
const FIXED: usize = 16 + 2 + DERIVED;
const DERIVED: usize = 13;
const FACT: usize = 5;
const MOVE: usize = 1 + FACT;
const COUNT: usize = 6;
/// What stands for no value.
const NO_VALUE: i16 = i16::MIN;

fn flags(entry: &Entry) -> u8 {
    let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
    flag(entry.has_counts(), COUNTS) | flag(entry.rest.is_some(), REST) | flag(entry.own.is_some(), OWN)
}

/// Appends what is known about a position, without what follows from others; `rename` gives each source its place in the
/// file.
pub(crate) fn facts_of(key: Board, entry: &Entry, rename: &[SourceId], out: &mut Vec<u8>) {
    out.extend(key.player().bits().to_le_bytes());
    out.extend(key.opponent().bits().to_le_bytes());
    out.extend([entry.moves.len() as u8, flags(entry)]);
    facts(entry, rename, out);
}

fn facts(entry: &Entry, rename: &[SourceId], out: &mut Vec<u8>) {
    let put = |fact: Option<Fact>, out: &mut Vec<u8>| {
        let (value, worth, source) = fact.map_or((0, 0, 0), |fact| {
            let source = rename.get(fact.source.index()).copied().unwrap_or(fact.source);
            (fact.value, fact.worth.to_bits(), source.0)
        });
        out.extend(value.to_le_bytes());
        out.extend(worth.to_le_bytes());
        out.push(source);
    };
    for fact in [entry.rest, entry.own].into_iter().flatten() {
        put(Some(fact), out);
    }
    let counts = entry.has_counts();
    for known in &entry.moves {
        out.push(known.square.index() as u8);
        put(known.fact, out);
        if counts {
            out.extend(known.count.games.to_le_bytes());
            out.extend(known.count.mean.to_le_bytes());
        }
    }
}

/// Appends a whole record.
pub(super) fn write(key: Board, entry: &Entry, derived: &Derived, rename: &[SourceId], out: &mut Vec<u8>) {
    out.extend(key.player().bits().to_le_bytes());
    out.extend(key.opponent().bits().to_le_bytes());
    out.extend([entry.moves.len() as u8, flags(entry)]);
    out.extend(derived.value.unwrap_or(NO_VALUE).to_le_bytes());
    out.extend(derived.low.to_le_bytes());
    out.extend(derived.high.to_le_bytes());
    out.extend(derived.proved_low.to_le_bytes());
    out.extend(derived.proved_high.to_le_bytes());
    out.push(derived.grade.map_or(0, |grade| grade as u8));
    out.extend(derived.lines.to_le_bytes());
    facts(entry, rename, out);
}

/// Returns the key and the length of the record at the beginning of `bytes`, if it is whole.
pub(super) fn measure(bytes: &[u8]) -> Option<((u64, u64), usize)> {
    let head = bytes.get(..FIXED)?;
    let word = |at: usize| u64::from_le_bytes(head[at..at + 8].try_into().unwrap_or_default());
    let (moves, flags) = (usize::from(head[16]), head[17]);
    let each = MOVE + if flags & COUNTS == 0 { 0 } else { COUNT };
    let facts = usize::from(flags & REST != 0) + usize::from(flags & OWN != 0);
    let length = FIXED + facts * FACT + moves * each;
    (length <= bytes.len()).then_some(((word(0), word(8)), length))
}

/// Reads a record that [`measure`] has found.
pub(super) fn read(bytes: &[u8], sources: usize) -> Result<(Board, Entry, Derived), FileError> {
    const BAD: FileError = FileError::Damaged("in a position");
    let mut cursor = Cursor(bytes);
    let board = cursor.board().ok_or(BAD)?;
    let (moves, flags) = (cursor.u8().ok_or(BAD)?, cursor.u8().ok_or(BAD)?);
    let derived = read_derived(&mut cursor).ok_or(BAD)?;
    let entry = read_facts(&mut cursor, board, moves, flags, sources).ok_or(BAD)?;
    Ok((board, entry, derived))
}

fn read_derived(cursor: &mut Cursor<'_>) -> Option<Derived> {
    let value = cursor.i16()?;
    let (low, high) = (cursor.i16()?, cursor.i16()?);
    let (proved_low, proved_high) = (cursor.u8()? as i8, cursor.u8()? as i8);
    let grade = cursor.u8()?;
    let lines = cursor.u32()?;
    let most = MOST as i16;
    let limits = [low, high]
        .into_iter()
        .chain((value != NO_VALUE).then_some(value));
    let fits = limits.into_iter().all(|value| (-most..=most).contains(&value))
        && (-64..=64).contains(&proved_low)
        && (-64..=64).contains(&proved_high)
        && usize::from(grade) <= Grade::ALL.len();
    fits.then_some(Derived {
        value: (value != NO_VALUE).then_some(value),
        low,
        high,
        proved_low,
        proved_high,
        grade: Grade::ALL.into_iter().find(|&known| known as u8 == grade),
        lines,
    })
}

/// Reads what [`facts_of`] writes behind the board, the moves and the flags.
pub(crate) fn read_facts(
    cursor: &mut Cursor<'_>,
    board: Board,
    moves: u8,
    flags: u8,
    sources: usize,
) -> Option<Entry> {
    if flags > COUNTS | REST | OWN || moves > 64 {
        return None;
    }
    let mut entry = Entry::default();
    if flags & REST != 0 {
        entry.rest = Some(cursor.fact(sources)?);
    }
    if flags & OWN != 0 {
        entry.own = Some(cursor.fact(sources)?);
    }
    let legal = distinct_moves(board);
    for _ in 0..moves {
        let square =
            Square::from_index(usize::from(cursor.u8()?)).filter(|&square| legal.contains(square))?;
        if entry.moves.last().is_some_and(|last| last.square >= square) {
            return None;
        }
        let MaybeFact(fact) = maybe_fact(cursor, sources)?;
        let mut count = Count::default();
        if flags & COUNTS != 0 {
            count.games = cursor.u32()?;
            count.mean = cursor.i16()?;
            if i32::from(count.mean).abs() > MOST {
                return None;
            }
        }
        entry.moves.push(Known { square, fact, count });
    }
    Some(entry)
}

/// Bytes that are read from the front.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor<'a>(pub(crate) &'a [u8]);

impl<'a> Cursor<'a> {
    pub(crate) fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    pub(crate) fn u8(&mut self) -> Option<u8> {
        Some(self.array::<1>()?[0])
    }

    pub(crate) fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    pub(crate) fn i16(&mut self) -> Option<i16> {
        self.array().map(i16::from_le_bytes)
    }

    pub(crate) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    /// Reads two words that are a board.
    pub(crate) fn board(&mut self) -> Option<Board> {
        let (player, opponent) = (self.u64()?, self.u64()?);
        Board::new(Bitboard::new(player), Bitboard::new(opponent))
    }

    /// Reads a fact.
    fn fact(&mut self, sources: usize) -> Option<Fact> {
        let (value, worth, source) = (self.i16()?, self.u16()?, self.u8()?);
        let worth = Worth::from_bits(worth)?;
        let fits = i32::from(value).abs() <= MOST && usize::from(source) < sources;
        fits.then_some(Fact {
            value,
            worth,
            source: SourceId(source),
        })
    }
}

/// Reads a fact or that there is none, which is all zeros.
fn maybe_fact(cursor: &mut Cursor<'_>, sources: usize) -> Option<MaybeFact> {
    if cursor.0.starts_with(&[0; FACT]) {
        cursor.take(FACT)?;
        return Some(MaybeFact(None));
    }
    cursor.fact(sources).map(|fact| MaybeFact(Some(fact)))
}

/// A fact where there need not be one.
struct MaybeFact(Option<Fact>);
