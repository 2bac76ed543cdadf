//! Writing a book, position by position.

use super::{BLOCK, BLOCK_HEAD, Digest, FOOT, MAGIC, VERSION, record};
use crate::{Book, Entry, Worked, derive::Derived, fact::SourceId};
use outflank_othello::Board;
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeMap,
    io::{self, Write},
};

/// What a book says about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Meta {
    pub(crate) sources: Vec<String>,
    pub(crate) settings: BTreeMap<String, String>,
}

/// Most bytes of metadata that are read.
pub(crate) const META_LIMIT: u64 = 1 << 24;

/// The digest of facts: FNV-1a with 128 bits.
#[derive(Clone, Debug)]
pub(crate) struct Digester(u128);

impl Digester {
    pub(crate) fn new(sources: &[String]) -> Self {
        let mut digest = Self(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d);
        for source in sources {
            digest.add(&(source.len() as u64).to_le_bytes());
            digest.add(source.as_bytes());
        }
        digest
    }

    pub(crate) fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013B);
        }
    }

    pub(crate) const fn finish(&self) -> Digest {
        Digest(self.0)
    }
}

impl Book {
    /// Returns the digest of the facts: two books with the same one say the same.
    pub fn digest(&self) -> Digest {
        let (names, places) = self.used_sources();
        let (mut digest, mut bytes) = (Digester::new(&names), Vec::new());
        for (key, entry) in self.iter() {
            bytes.clear();
            record::facts_of(key, entry, &places, &mut bytes);
            digest.add(&bytes);
        }
        digest.finish()
    }

    pub(crate) fn meta(&self) -> (Meta, Vec<SourceId>) {
        let (sources, places) = self.used_sources();
        let settings = self.settings.clone();
        (Meta { sources, settings }, places)
    }
}

impl Worked {
    /// Writes the book as a file.
    ///
    /// # Errors
    ///
    /// `out` cannot be written.
    pub fn write<W: Write>(&self, out: W) -> io::Result<W> {
        let (meta, places) = self.book().meta();
        let mut writer = Writer::start(out, meta, places)?;
        for (key, entry, derived) in self.iter() {
            writer.push(key, entry, derived)?;
        }
        writer.finish(self.book().round)
    }
}

/// Writes a book whose positions come in the order of their keys, without having all of them in memory.
#[derive(Debug)]
pub struct Writer<W> {
    out: W,
    meta: Meta,
    places: Vec<SourceId>,
    block: Vec<u8>,
    records: u16,
    first_keys: Vec<u8>,
    positions: u64,
    moves: u64,
    digest: Digester,
    bytes: Vec<u8>,
    last: Option<Board>,
}

impl<W: Write> Writer<W> {
    /// Starts a book with these sources, which must be sorted, and settings.
    ///
    /// # Errors
    ///
    /// `out` cannot be written.
    pub fn new(out: W, sources: &[&str], settings: BTreeMap<String, String>) -> io::Result<Self> {
        let sources: Vec<String> = sources.iter().map(|&name| name.to_owned()).collect();
        let places = (0..sources.len()).map(|place| SourceId(place as u8)).collect();
        Self::start(out, Meta { sources, settings }, places)
    }

    fn start(mut out: W, meta: Meta, places: Vec<SourceId>) -> io::Result<Self> {
        let mut head = vec![0; BLOCK];
        head[..8].copy_from_slice(MAGIC);
        head[8..10].copy_from_slice(&VERSION.to_le_bytes());
        out.write_all(&head)?;
        let digest = Digester::new(&meta.sources);
        Ok(Self {
            out,
            meta,
            places,
            block: vec![0; BLOCK_HEAD],
            records: 0,
            first_keys: Vec::new(),
            positions: 0,
            moves: 0,
            digest,
            bytes: Vec::new(),
            last: None,
        })
    }

    /// Writes a position with what follows about it.
    ///
    /// # Errors
    ///
    /// `out` cannot be written, or the key does not come after the one before.
    pub fn push(&mut self, key: Board, entry: &Entry, derived: &Derived) -> io::Result<()> {
        if self.last.is_some_and(|last| last >= key) {
            return Err(io::Error::other(
                "positions are written in the order of their keys",
            ));
        }
        self.last = Some(key);
        self.bytes.clear();
        record::facts_of(key, entry, &self.places, &mut self.bytes);
        self.digest.add(&self.bytes);
        self.bytes.clear();
        record::write(key, entry, derived, &self.places, &mut self.bytes);
        if self.block.len() + self.bytes.len() > BLOCK {
            self.end_block()?;
        }
        if self.records == 0 {
            self.first_keys.extend(&self.bytes[..16]);
        }
        self.block.extend(&self.bytes);
        self.records += 1;
        self.positions += 1;
        self.moves += entry.moves().len() as u64;
        Ok(())
    }

    fn end_block(&mut self) -> io::Result<()> {
        if self.records == 0 {
            return Ok(());
        }
        self.block.resize(BLOCK, 0);
        self.block[4..6].copy_from_slice(&self.records.to_le_bytes());
        let crc = crc32fast::hash(&self.block[4..]);
        self.block[..4].copy_from_slice(&crc.to_le_bytes());
        self.out.write_all(&self.block)?;
        self.block.clear();
        self.block.resize(BLOCK_HEAD, 0);
        self.records = 0;
        Ok(())
    }

    /// Writes what stands behind the positions.
    ///
    /// # Errors
    ///
    /// `out` cannot be written.
    pub fn finish(mut self, round: u64) -> io::Result<W> {
        self.end_block()?;
        let meta = serde_json::to_vec(&self.meta)?;
        let blocks = (self.first_keys.len() / 16) as u64;
        let mut foot = Vec::with_capacity(FOOT);
        for number in [blocks, self.positions, self.moves, round, meta.len() as u64] {
            foot.extend(number.to_le_bytes());
        }
        foot.extend(self.digest.finish().0.to_le_bytes());
        foot.extend(crc32fast::hash(&self.first_keys).to_le_bytes());
        foot.extend(crc32fast::hash(&meta).to_le_bytes());
        foot.resize(FOOT - 12, 0);
        let crc = crc32fast::hash(&foot);
        foot.extend(crc.to_le_bytes());
        foot.extend(MAGIC);
        self.out.write_all(&self.first_keys)?;
        self.out.write_all(&meta)?;
        self.out.write_all(&foot)?;
        Ok(self.out)
    }
}
