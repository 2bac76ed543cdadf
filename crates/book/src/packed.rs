//! The small form of a book: facts alone, column by column, deflated.
//!
//! `OUTFPACK`, u16 version, u64 positions, moves and bytes when unpacked, 16 bytes digest of the facts, u32 CRC-32 of what
//! was deflated, then that: u64 round, u64 length of the metadata, the metadata as JSON, and the columns.
//!
//! Most positions follow from another one by a move, so that a bit a move tells which: the positions are walked breadth first
//! from the start position, and for each legal move on, by square, that leads to a position that was not seen yet a bit says
//! whether the book has it. The keys of positions that no walk reaches come first, with their number as u64, in their order;
//! each is where another walk begins, after the one from the start position if the book has that. Then, in the order of the
//! walk: the bits of the moves on, the bits of the moves that are listed, flags, the facts without a move, and of every
//! listed move the low and the high byte of its value, its worth, its source; at last the counts, where the flags say so.

use crate::{
    Book, Entry, FileError, Place, Worked,
    file::{Cursor, Digester, META_LIMIT, Meta, facts_of, read_facts},
    place::{distinct_moves, is_key},
};
use miniz_oxide::{deflate::compress_to_vec, inflate::decompress_to_vec_with_limit};
use outflank_othello::{Board, Square};
use std::collections::HashSet;

const MAGIC: &[u8; 8] = b"OUTFPACK";
const VERSION: u16 = 1;
/// Bytes before what is deflated.
const HEAD: usize = 8 + 2 + 3 * 8 + 16 + 4;
/// The most that deflating can shrink.
const MOST_RATIO: u64 = 1040;
/// Bytes of a fact.
const FACT: usize = 5;
/// Bytes of a count.
const COUNT: usize = 6;

/// Returns whether a file that begins with `head` is a packed book.
pub fn is_packed(head: &[u8]) -> bool {
    head.starts_with(MAGIC)
}

const BAD: FileError = FileError::Damaged("where it is packed: it was cut short or changed");

/// Bits that are written one after the other.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    written: usize,
}

impl Bits {
    fn push(&mut self, bit: bool) {
        if self.written.is_multiple_of(8) {
            self.bytes.push(0);
        }
        if let Some(last) = self.bytes.last_mut() {
            *last |= u8::from(bit) << (self.written % 8);
        }
        self.written += 1;
    }
}

/// Bits that are read one after the other.
struct ReadBits<'a> {
    bytes: &'a [u8],
    read: usize,
}

impl ReadBits<'_> {
    fn next(&mut self) -> Option<bool> {
        let byte = self.bytes.get(self.read / 8)?;
        let bit = byte >> (self.read % 8) & 1 == 1;
        self.read += 1;
        Some(bit)
    }
}

/// Walks through positions from `roots`, breadth first; `has` says of a position that was not seen yet whether the book has
/// it. Returns the keys in the order of the walk.
fn walk(
    roots: impl Iterator<Item = Board>,
    mut has: impl FnMut(Board) -> Option<bool>,
    most: usize,
) -> Option<Vec<Board>> {
    let mut seen = HashSet::new();
    let mut order = Vec::new();
    let mut at = 0;
    for root in roots {
        if !seen.insert(root) {
            // A walk has come here before.
            continue;
        }
        order.push(root);
        while let Some(&key) = order.get(at) {
            at += 1;
            for square in distinct_moves(key) {
                let after = key.play_unchecked(square, key.flips(square));
                if let Place::Node { key: next, .. } = Place::of(after)
                    && !seen.contains(&next)
                    && has(next)?
                {
                    seen.insert(next);
                    order.push(next);
                    if order.len() > most {
                        return None;
                    }
                }
            }
        }
    }
    Some(order)
}

/// Returns where the first walk begins.
fn start() -> Board {
    Board::start().canonical().0
}

/// The bytes of the records, sorted by what they mean.
#[derive(Default)]
struct Columns {
    listed: Bits,
    flags: Vec<u8>,
    others: [Vec<u8>; FACT],
    moves: [Vec<u8>; FACT],
    counts: Vec<u8>,
}

impl Columns {
    fn add(&mut self, key: Board, entry: &Entry, record: &[u8]) {
        for square in distinct_moves(key) {
            self.listed.push(entry.known(square).is_some());
        }
        // The board, the number of moves, and the flags.
        let (head, rest) = record.split_at(18);
        self.flags.push(head[17]);
        let each = 1 + FACT + if entry.has_counts() { COUNT } else { 0 };
        let (others, moves) = rest.split_at(rest.len() - entry.moves.len() * each);
        for fact in others.chunks_exact(FACT) {
            for (column, byte) in self.others.iter_mut().zip(fact) {
                column.push(*byte);
            }
        }
        for mv in moves.chunks_exact(each) {
            for (column, byte) in self.moves.iter_mut().zip(&mv[1..]) {
                column.push(*byte);
            }
            self.counts.extend(&mv[1 + FACT..]);
        }
    }
}

/// Packs a book.
pub fn pack(book: &Book) -> Vec<u8> {
    let (meta, places) = book.meta();
    let mut digest = Digester::new(&meta.sources);
    let (mut record, mut n_moves) = (Vec::new(), 0_u64);
    for (key, entry) in book.iter() {
        record.clear();
        facts_of(key, entry, &places, &mut record);
        digest.add(&record);
        n_moves += entry.moves.len() as u64;
    }
    let begin = book.get(start()).map(|_| start());
    let keys = book.iter().map(|(key, _)| key);
    let mut on = Bits::default();
    let mut roots = Vec::new();
    // The walk from the start position, then from the keys that it did not reach.
    let mut reached = HashSet::new();
    let all = begin.into_iter().chain(keys);
    let order = walk(
        all,
        |next| {
            let has = book.get(next).is_some();
            on.push(has);
            if has {
                reached.insert(next);
            }
            Some(has)
        },
        usize::MAX,
    )
    .unwrap_or_default();
    let mut columns = Columns::default();
    for &key in &order {
        if Some(key) != begin && !reached.contains(&key) {
            roots.push(key);
        }
        if let Some(entry) = book.get(key) {
            record.clear();
            facts_of(key, entry, &places, &mut record);
            columns.add(key, entry, &record);
        }
    }
    let meta = serde_json::to_vec(&meta).unwrap_or_default();
    let mut plain = book.round.to_le_bytes().to_vec();
    plain.extend((meta.len() as u64).to_le_bytes());
    plain.extend(meta);
    plain.push(u8::from(begin.is_some()));
    plain.extend((roots.len() as u64).to_le_bytes());
    for root in roots {
        plain.extend(root.player().bits().to_le_bytes());
        plain.extend(root.opponent().bits().to_le_bytes());
    }
    for bits in [&on, &columns.listed] {
        plain.extend((bits.bytes.len() as u64).to_le_bytes());
        plain.extend(&bits.bytes);
    }
    plain.extend(&columns.flags);
    for column in columns.others.iter().chain(&columns.moves) {
        plain.extend(column);
    }
    plain.extend(&columns.counts);
    let mut out = MAGIC.to_vec();
    out.extend(VERSION.to_le_bytes());
    for number in [book.len() as u64, n_moves, plain.len() as u64] {
        out.extend(number.to_le_bytes());
    }
    out.extend(digest.finish().to_bytes());
    out.extend(crc32fast::hash(&plain).to_le_bytes());
    out.extend(compress_to_vec(&plain, 9));
    out
}

/// Unpacks a book.
///
/// # Errors
///
/// It is none, from a later version, or damaged.
pub fn unpack(bytes: &[u8]) -> Result<Book, FileError> {
    let mut head = Cursor(bytes);
    if head.take(8).is_none_or(|magic| magic != MAGIC) {
        return Err(FileError::NotABook);
    }
    let version = head.u16().ok_or(FileError::NotABook)?;
    if version != VERSION {
        return Err(FileError::Version(version));
    }
    let mut number = || head.u64().ok_or(BAD);
    let (positions, moves, length) = (number()?, number()?, number()?);
    let digest = head.array::<16>().ok_or(BAD)?;
    let crc = head.u32().ok_or(BAD)?;
    let packed = &bytes[HEAD..];
    if length > packed.len() as u64 * MOST_RATIO {
        return Err(BAD);
    }
    let limit = usize::try_from(length).map_err(|_| BAD)?;
    let plain = decompress_to_vec_with_limit(packed, limit).map_err(|_| BAD)?;
    if plain.len() != limit || crc32fast::hash(&plain) != crc {
        return Err(BAD);
    }
    let book = read_columns(&plain, positions, moves).ok_or(BAD)?;
    if book.digest().to_bytes() == digest {
        Ok(book)
    } else {
        Err(BAD)
    }
}

fn read_columns(plain: &[u8], positions: u64, moves: u64) -> Option<Book> {
    let mut rest = Cursor(plain);
    let mut book = Book::new();
    book.round = rest.u64()?;
    let meta = rest.u64().filter(|&bytes| bytes <= META_LIMIT)?;
    let meta: Meta = serde_json::from_slice(rest.take(usize::try_from(meta).ok()?)?).ok()?;
    for name in &meta.sources {
        book.source(name).ok()?;
    }
    if book.sources().len() != meta.sources.len() {
        return None;
    }
    book.settings = meta.settings;
    let (n, m) = (usize::try_from(positions).ok()?, usize::try_from(moves).ok()?);
    let mut roots: Vec<Board> = Vec::new();
    if rest.u8()? == 1 {
        roots.push(start());
    }
    let n_roots = usize::try_from(rest.u64()?).ok()?;
    let mut keys = Cursor(rest.take(n_roots.checked_mul(16)?)?);
    for _ in 0..n_roots {
        roots.push(keys.board().filter(|&key| is_key(key))?);
    }
    let mut bits = || {
        let length = usize::try_from(rest.u64()?).ok()?;
        Some(ReadBits {
            bytes: rest.take(length)?,
            read: 0,
        })
    };
    let (mut on, mut listed) = (bits()?, bits()?);
    let order = walk(roots.into_iter(), |_| on.next(), n)?;
    if order.len() != n {
        return None;
    }
    let flags = rest.take(n)?;
    let own = |flags: u8| usize::from(flags >> 1 & 1) + usize::from(flags >> 2 & 1);
    let n_others = flags.iter().map(|&flags| own(flags)).sum();
    let others = columns(&mut rest, n_others)?;
    let values = columns(&mut rest, m)?;
    let (mut record, mut other, mut mv) = (Vec::new(), 0, 0);
    for (&key, &flags) in order.iter().zip(flags) {
        record.clear();
        for _ in 0..own(flags) {
            record.extend(others.iter().map(|column| column[other]));
            other += 1;
        }
        let mut squares: Vec<Square> = Vec::new();
        for square in distinct_moves(key) {
            if listed.next()? {
                squares.push(square);
            }
        }
        for square in &squares {
            record.push(square.index() as u8);
            for column in values {
                record.push(*column.get(mv)?);
            }
            mv += 1;
            if flags & 1 != 0 {
                record.extend(rest.take(COUNT)?);
            }
        }
        let facts = &mut Cursor(&record);
        let entry = read_facts(facts, key, squares.len() as u8, flags, meta.sources.len())?;
        book.insert(key, entry);
    }
    (mv == m && rest.0.is_empty()).then_some(book)
}

/// Reads the columns of so many facts.
fn columns<'a>(rest: &mut Cursor<'a>, facts: usize) -> Option<[&'a [u8]; FACT]> {
    let mut columns = [&[][..]; FACT];
    for column in &mut columns {
        *column = rest.take(facts)?;
    }
    Some(columns)
}

impl Worked {
    /// Reads a book in either form, with everything that follows from it.
    ///
    /// # Errors
    ///
    /// It is none, or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FileError> {
        Book::from_bytes(bytes).map(Self::new)
    }
}

impl Book {
    /// Reads a book in either form.
    ///
    /// # Errors
    ///
    /// It is none, or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, FileError> {
        if is_packed(bytes) {
            unpack(bytes)
        } else {
            crate::BookFile::open(bytes)?.load()
        }
    }
}
