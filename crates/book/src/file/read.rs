//! Reading a book, one block at a time.

use super::{
    BLOCK, BLOCK_HEAD, FOOT, FileError, MAGIC, META_LIMIT, Meta, VERSION,
    record::{self, Cursor},
};
use crate::{Book, Entry, Worked, derive::Derived, place::is_key};
use outflank_othello::Board;
use std::{
    collections::BTreeMap,
    fmt, io,
    sync::{Mutex, PoisonError},
};

/// Bytes that can be read at any place: memory, or a file that somebody has opened.
pub trait ReadAt {
    /// Fills `buffer` with the bytes from `offset` on.
    ///
    /// # Errors
    ///
    /// There are not so many, or they cannot be read.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()>;

    /// Returns how many bytes there are.
    ///
    /// # Errors
    ///
    /// The system does not say.
    fn size(&self) -> io::Result<u64>;
}

impl ReadAt for [u8] {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let start = usize::try_from(offset).ok();
        let bytes = start.and_then(|start| self.get(start..start.checked_add(buffer.len())?));
        buffer.copy_from_slice(bytes.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }

    fn size(&self) -> io::Result<u64> {
        Ok(self.len() as u64)
    }
}

impl ReadAt for Vec<u8> {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.as_slice().read_at(offset, buffer)
    }

    fn size(&self) -> io::Result<u64> {
        self.as_slice().size()
    }
}

impl<R: ReadAt + ?Sized> ReadAt for &R {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        (**self).read_at(offset, buffer)
    }

    fn size(&self) -> io::Result<u64> {
        (**self).size()
    }
}

impl<R: ReadAt + ?Sized> ReadAt for Box<R> {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        (**self).read_at(offset, buffer)
    }

    fn size(&self) -> io::Result<u64> {
        (**self).size()
    }
}

/// What tells the facts of one book from those of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest(pub(super) u128);

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl Digest {
    pub(crate) const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(u128::from_le_bytes(bytes))
    }

    pub(crate) const fn to_bytes(self) -> [u8; 16] {
        self.0.to_le_bytes()
    }
}

/// Takes the key and the bytes of a record, and says whether it wants another one.
type TakeRecord<'a> = &'a mut dyn FnMut(((u64, u64), &[u8])) -> Result<bool, FileError>;

/// A book that stays in its file; only the first key of each block is in memory.
#[derive(Debug)]
pub struct BookFile<R> {
    bytes: R,
    /// Player and opponent of the first record of each block.
    first_keys: Vec<(u64, u64)>,
    meta: Meta,
    positions: u64,
    moves: u64,
    round: u64,
    digest: Digest,
    /// The block that was read last, with its number.
    block: Mutex<(Option<usize>, Box<[u8; BLOCK]>)>,
}

impl<R: Clone> Clone for BookFile<R> {
    /// Returns a book that reads the same bytes, and keeps a block of its own.
    fn clone(&self) -> Self {
        Self {
            bytes: self.bytes.clone(),
            first_keys: self.first_keys.clone(),
            meta: self.meta.clone(),
            block: Mutex::new((None, Box::new([0; BLOCK]))),
            ..*self
        }
    }
}

impl<R: ReadAt> BookFile<R> {
    /// Opens a book.
    ///
    /// # Errors
    ///
    /// It is none, from a later version, or damaged. What stands in the blocks is only looked at when it is needed.
    pub fn open(bytes: R) -> Result<Self, FileError> {
        let size = bytes.size()?;
        let mut head = [0; 10];
        if size < (BLOCK + FOOT) as u64 {
            return Err(FileError::NotABook);
        }
        bytes.read_at(0, &mut head)?;
        if !head.starts_with(MAGIC) {
            return Err(FileError::NotABook);
        }
        let version = u16::from_le_bytes([head[8], head[9]]);
        if version != VERSION {
            return Err(FileError::Version(version));
        }
        let mut foot = [0; FOOT];
        bytes.read_at(size - FOOT as u64, &mut foot)?;
        let bad = || FileError::Damaged("at its end: it was cut short or changed");
        let mut cursor = Cursor(&foot);
        let mut next = || cursor.u64().ok_or_else(bad);
        let (blocks, positions, moves, round, meta_bytes) = (next()?, next()?, next()?, next()?, next()?);
        let digest = cursor.array::<16>().map(Digest::from_bytes).ok_or_else(bad)?;
        let (keys_crc, meta_crc) = (cursor.u32().ok_or_else(bad)?, cursor.u32().ok_or_else(bad)?);
        let (sum, magic) = foot[FOOT - 12..].split_at(4);
        if magic != MAGIC
            || sum != crc32fast::hash(&foot[..FOOT - 12]).to_le_bytes()
            || meta_bytes > META_LIMIT
        {
            return Err(bad());
        }
        // The parts must fill the file exactly, so that nothing is allocated that is not there.
        let keys_at = blocks
            .checked_mul(BLOCK as u64)
            .and_then(|all| all.checked_add(BLOCK as u64));
        let meta_at = keys_at.and_then(|at| at.checked_add(blocks.checked_mul(16)?));
        let end = meta_at.and_then(|at| at.checked_add(meta_bytes)?.checked_add(FOOT as u64));
        let (Some(keys_at), Some(meta_at), true) = (keys_at, meta_at, end == Some(size)) else {
            return Err(bad());
        };
        let read = |at: u64, length: u64, crc: u32| -> Result<Vec<u8>, FileError> {
            let length = usize::try_from(length).map_err(|_| bad())?;
            let mut part = vec![0; length];
            bytes.read_at(at, &mut part)?;
            if crc32fast::hash(&part) == crc {
                Ok(part)
            } else {
                Err(bad())
            }
        };
        let keys = read(keys_at, blocks * 16, keys_crc)?;
        let meta = read(meta_at, meta_bytes, meta_crc)?;
        let meta: Meta = serde_json::from_slice(&meta).map_err(|_| bad())?;
        if meta.sources.len() > crate::MOST_SOURCES || !meta.sources.is_sorted() {
            return Err(bad());
        }
        let word = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().unwrap_or_default());
        let first_keys = keys
            .chunks_exact(16)
            .map(|key| (word(&key[..8]), word(&key[8..])));
        Ok(Self {
            first_keys: first_keys.collect(),
            bytes,
            meta,
            positions,
            moves,
            round,
            digest,
            block: Mutex::new((None, Box::new([0; BLOCK]))),
        })
    }

    /// Returns the number of positions.
    pub const fn len(&self) -> u64 {
        self.positions
    }

    /// Returns whether there are no positions.
    pub const fn is_empty(&self) -> bool {
        self.positions == 0
    }

    /// Returns the number of moves about which something is known.
    pub const fn moves(&self) -> u64 {
        self.moves
    }

    /// Returns the rounds of learning that are finished.
    pub const fn round(&self) -> u64 {
        self.round
    }

    /// Returns what tells the facts from those of another book.
    pub const fn digest(&self) -> Digest {
        self.digest
    }

    /// Returns the names of the sources.
    pub fn sources(&self) -> &[String] {
        &self.meta.sources
    }

    /// Returns what the book was made with.
    pub const fn settings(&self) -> &BTreeMap<String, String> {
        &self.meta.settings
    }

    /// Returns what is known about the position with this key, and what follows about it.
    ///
    /// # Errors
    ///
    /// The book cannot be read or is damaged there.
    pub fn find(&self, key: Board) -> Result<Option<(Entry, Derived)>, FileError> {
        let wanted = (key.player().bits(), key.opponent().bits());
        let after = self.first_keys.partition_point(|first| *first <= wanted);
        let Some(number) = after.checked_sub(1) else {
            return Ok(None);
        };
        let mut found = None;
        self.in_block(number, &mut |(board, bytes)| {
            if board == wanted {
                found = Some(record::read(bytes, self.meta.sources.len())?);
            }
            Ok(board < wanted)
        })?;
        Ok(found.map(|(_, entry, derived)| (entry, derived)))
    }

    /// Hands the records of a block to `take` until that returns `false`.
    fn in_block(&self, number: usize, take: TakeRecord<'_>) -> Result<(), FileError> {
        let bad = FileError::Damaged("in a block: it was changed");
        // Who failed while it held the block has left it marked as unknown.
        let mut kept = self.block.lock().unwrap_or_else(PoisonError::into_inner);
        let (kept_number, block) = &mut *kept;
        if *kept_number != Some(number) {
            *kept_number = None;
            let offset = (number as u64 + 1) * BLOCK as u64;
            self.bytes.read_at(offset, &mut block[..])?;
            if block[..4] != crc32fast::hash(&block[4..]).to_le_bytes() {
                return Err(bad);
            }
            *kept_number = Some(number);
        }
        let records = u16::from_le_bytes([block[4], block[5]]);
        let mut rest = &block[BLOCK_HEAD..];
        for _ in 0..records {
            let Some((key, length)) = record::measure(rest) else {
                return Err(bad);
            };
            let (bytes, behind) = rest.split_at(length);
            rest = behind;
            if !take((key, bytes))? {
                break;
            }
        }
        Ok(())
    }

    /// Hands every position to `take`, in the order of the keys.
    ///
    /// # Errors
    ///
    /// The book cannot be read or is damaged.
    pub fn for_each(&self, take: &mut dyn FnMut(Board, Entry, Derived)) -> Result<(), FileError> {
        let (mut last, mut positions) = (None, 0);
        for number in 0..self.first_keys.len() {
            self.in_block(number, &mut |(key, bytes)| {
                let (board, entry, derived) = record::read(bytes, self.meta.sources.len())?;
                if last.is_some_and(|last| last >= key) {
                    return Err(FileError::Damaged("in its order"));
                }
                if !is_key(board) {
                    return Err(FileError::Damaged("in a position that is no key"));
                }
                last = Some(key);
                positions += 1;
                take(board, entry, derived);
                Ok(true)
            })?;
        }
        if positions == self.positions {
            Ok(())
        } else {
            Err(FileError::Damaged("in the number of its positions"))
        }
    }

    /// Reads the whole book into memory, to change it.
    ///
    /// # Errors
    ///
    /// The book cannot be read or is damaged.
    pub fn load(&self) -> Result<Book, FileError> {
        let mut book = Book::new();
        self.take_meta(&mut book)?;
        self.for_each(&mut |board, entry, _| book.insert(board, entry))?;
        Ok(book)
    }

    fn take_meta(&self, book: &mut Book) -> Result<(), FileError> {
        for name in &self.meta.sources {
            let added = book.source(name);
            added.map_err(|_| FileError::Damaged("in its sources"))?;
        }
        if book.sources().len() != self.meta.sources.len() {
            return Err(FileError::Damaged("in its sources: two have the same name"));
        }
        book.settings.clone_from(&self.meta.settings);
        book.round = self.round;
        Ok(())
    }

    /// Reads everything and returns what is wrong with it: nothing, if what follows from the facts is what the file says,
    /// and the digest is the facts'.
    ///
    /// # Errors
    ///
    /// The book cannot be read or is damaged so that it cannot be checked.
    pub fn check(&self) -> Result<Vec<String>, FileError> {
        let (mut book, mut said) = (Book::new(), Vec::new());
        self.take_meta(&mut book)?;
        self.for_each(&mut |board, entry, derived| {
            book.insert(board, entry);
            said.push(derived);
        })?;
        let mut wrong = Vec::new();
        if book.digest() != self.digest {
            wrong.push(format!(
                "the digest of the facts is {}, not {}",
                book.digest(),
                self.digest
            ));
        }
        let worked = Worked::new(book);
        for ((key, _, derived), said) in worked.iter().zip(&said) {
            if derived != said {
                wrong.push(format!("what follows about {key:?} is {derived:?}, not {said:?}"));
            }
        }
        Ok(wrong)
    }
}
