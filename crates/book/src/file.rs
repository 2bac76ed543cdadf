//! The book's file: positions in the order of their keys, in blocks that are read one at a time.
//!
//! | place | content (little-endian) |
//! | --- | --- |
//! | 0 | `OUTFBOOK`, u16 version, zeros to 4096 |
//! | 4096 | blocks of 4096 bytes: u32 CRC-32 of the rest of the block, u16 records, records |
//! | behind the blocks | for each block the key of its first record: u64 player, u64 opponent |
//! | behind these | metadata as JSON: sources by name, settings |
//! | last 96 bytes | u64 blocks, positions, moves, round, length of the metadata; 16 bytes digest of the facts; u32 CRC-32 of the keys, u32 of the metadata; zeros; u32 CRC-32 of these 96 bytes without it; `OUTFBOOK` |
//!
//! A record is u64 player, u64 opponent (a1 is bit 0, the smallest of the eight images), u8 moves, u8 flags (1 counts, 2 rest,
//! 4 value without a move); i16 value, low and high, i8 proved low and high, u8 grade (1 is A, 0 none), u32 lines: what follows
//! from other records, −32768 for no value; then rest and value without a move where the flags say so, as i16 value, u16
//! worth, u8 source; then for each move u8 square, i16 value, u16 worth (0 for none), u8 source, and with counts u32 games,
//! i16 mean result. A worth is 3 bits of kind, 3 of confidence, 6 of depth.

mod read;
mod record;
mod write;

pub use read::{BookFile, Digest, ReadAt};
pub(crate) use record::{Cursor, facts_of, read_facts};
pub use write::Writer;
pub(crate) use write::{Digester, META_LIMIT, Meta};

/// Bytes of a block.
pub(crate) const BLOCK: usize = 4096;
/// Bytes of a block before its records.
const BLOCK_HEAD: usize = 6;
/// Bytes at the end of the file.
const FOOT: usize = 96;
/// What a file begins and ends with.
const MAGIC: &[u8; 8] = b"OUTFBOOK";
/// Version of the format.
const VERSION: u16 = 1;

/// Returns whether a file that begins with `head` is a book.
pub fn is_book(head: &[u8]) -> bool {
    head.starts_with(MAGIC)
}

/// Why a book cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The system refused.
    #[error("cannot read the book: {0}")]
    Read(#[from] std::io::Error),
    /// It is something else.
    #[error("this is no book of Outflank; `outflank book import` reads those of other programs")]
    NotABook,
    /// It is from a later program.
    #[error(
        "made by a newer Outflank (version {0} of the book file; this one knows {VERSION}): update Outflank"
    )]
    Version(u16),
    /// It was cut short or changed.
    #[error("the book is damaged {0}; take a copy of it, or make it again")]
    Damaged(&'static str),
}
