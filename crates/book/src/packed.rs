//! The small form of a book: facts alone, column by column, deflated.
//!
//! `OUTFPACK`, u16 version, u64 positions, moves and bytes when unpacked, 16 bytes digest of the facts, u32 CRC-32 of what
//! was deflated, then that: u64 round, u64 length of the metadata, the metadata as JSON, and the columns. These are, for every
//! position: moves, flags, eight bytes each of player and opponent, the facts without a move; then for every move: square,
//! the low and the high byte of its value, two of its worth, source; then the counts, where the flags say that there are some.

use crate::{
    Book, FileError, Worked,
    crc::crc32,
    file::{Cursor, Digester, META_LIMIT, Meta, facts_of, read_facts},
    place::is_key,
};
use miniz_oxide::{deflate::compress_to_vec, inflate::decompress_to_vec_with_limit};

const MAGIC: &[u8; 8] = b"OUTFPACK";
const VERSION: u16 = 1;
/// Bytes before what is deflated.
const HEAD: usize = 8 + 2 + 3 * 8 + 16 + 4;
/// The most that deflating can shrink.
const MOST_RATIO: u64 = 1040;

/// Returns whether a file that begins with `head` is a packed book.
pub fn is_packed(head: &[u8]) -> bool {
    head.starts_with(MAGIC)
}

const BAD: FileError = FileError::Damaged("where it is packed: it was cut short or changed");

/// The bytes of the records, sorted by what they mean.
#[derive(Default)]
struct Columns {
    moves: Vec<u8>,
    flags: Vec<u8>,
    boards: Vec<u8>,
    others: Vec<u8>,
    squares: Vec<u8>,
    low: Vec<u8>,
    high: Vec<u8>,
    worth: Vec<u8>,
    sources: Vec<u8>,
    counts: Vec<u8>,
}

/// Packs a book.
pub fn pack(book: &Book) -> Vec<u8> {
    let (meta, places) = book.meta();
    let mut digest = Digester::new(&meta.sources);
    let (mut columns, mut record, mut n_moves) = (Columns::default(), Vec::new(), 0_u64);
    for (key, entry) in book.iter() {
        record.clear();
        facts_of(key, entry, &places, &mut record);
        digest.add(&record);
        n_moves += entry.moves.len() as u64;
        let (board, rest) = record.split_at(16);
        columns.boards.extend(board);
        columns.moves.push(rest[0]);
        columns.flags.push(rest[1]);
        let each = if entry.has_counts() { 12 } else { 6 };
        let (others, moves) = rest[2..].split_at(rest.len() - 2 - entry.moves.len() * each);
        columns.others.extend(others);
        for mv in moves.chunks_exact(each) {
            columns.squares.push(mv[0]);
            columns.low.push(mv[1]);
            columns.high.push(mv[2]);
            columns.worth.extend(&mv[3..5]);
            columns.sources.push(mv[5]);
            columns.counts.extend(&mv[6..]);
        }
    }
    let meta = serde_json::to_vec(&meta).unwrap_or_default();
    let mut plain = book.round.to_le_bytes().to_vec();
    plain.extend((meta.len() as u64).to_le_bytes());
    plain.extend(meta);
    plain.extend(&columns.moves);
    plain.extend(&columns.flags);
    // The same byte of neighbors is much alike, as they are sorted.
    for byte in (0..16).rev() {
        plain.extend(columns.boards.iter().skip(byte).step_by(16));
    }
    for column in [
        &columns.others,
        &columns.squares,
        &columns.low,
        &columns.high,
        &columns.worth,
        &columns.sources,
        &columns.counts,
    ] {
        plain.extend(column);
    }
    let mut out = MAGIC.to_vec();
    out.extend(VERSION.to_le_bytes());
    for number in [book.len() as u64, n_moves, plain.len() as u64] {
        out.extend(number.to_le_bytes());
    }
    out.extend(digest.finish().to_bytes());
    out.extend(crc32(&plain).to_le_bytes());
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
    if plain.len() != limit || crc32(&plain) != crc {
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
    let meta_bytes = rest.u64().filter(|&bytes| bytes <= META_LIMIT)?;
    let meta: Meta = serde_json::from_slice(rest.take(usize::try_from(meta_bytes).ok()?)?).ok()?;
    for name in &meta.sources {
        book.source(name).ok()?;
    }
    if book.sources().len() != meta.sources.len() {
        return None;
    }
    book.settings = meta.settings;
    let (n, m) = (usize::try_from(positions).ok()?, usize::try_from(moves).ok()?);
    let (counts_of, flags) = (rest.take(n)?, rest.take(n)?);
    let boards = rest.take(n.checked_mul(16)?)?;
    let others_length = flags
        .iter()
        .map(|flags| usize::from(flags >> 1 & 1) + usize::from(flags >> 2 & 1));
    let mut others = Cursor(rest.take(others_length.sum::<usize>() * 5)?);
    let (squares, low, high) = (rest.take(m)?, rest.take(m)?, rest.take(m)?);
    let (worth, sources) = (rest.take(m.checked_mul(2)?)?, rest.take(m)?);
    let mut record = Vec::new();
    let mut at = 0;
    let mut last = None;
    for position in 0..n {
        let board_bytes: [u8; 16] = std::array::from_fn(|byte| boards[(15 - byte) * n + position]);
        let board = Cursor(&board_bytes).board()?;
        if last.is_some_and(|last| last >= board) || !is_key(board) {
            return None;
        }
        last = Some(board);
        let flags = flags[position];
        let own = usize::from(flags >> 1 & 1) + usize::from(flags >> 2 & 1);
        record.clear();
        record.extend(others.take(own * 5)?);
        for _ in 0..counts_of[position] {
            record.extend([
                *squares.get(at)?,
                low[at],
                high[at],
                worth[2 * at],
                worth[2 * at + 1],
                sources[at],
            ]);
            if flags & 1 != 0 {
                record.extend(rest.take(6)?);
            }
            at += 1;
        }
        let entry = read_facts(
            &mut Cursor(&record),
            board,
            counts_of[position],
            flags,
            meta.sources.len(),
        )?;
        book.insert(board, entry);
    }
    (at == m && rest.0.is_empty()).then_some(book)
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
