//! The index: for each number of discs, which games have which positions, sorted by fingerprint.

use crate::{Moves, canonical};
use outflank_othello::{Board, Color, Square};
use std::{borrow::Cow, ops::Range};

/// Bits of a fingerprint.
pub const FINGERPRINT_BITS: u32 = 40;

/// Games that one index can hold: numbers have 24 bits.
pub const MAX_GAMES: usize = 1 << GAME_BITS;

const GAME_BITS: u32 = 24;

/// Bytes of an entry: a word, and a move.
const ENTRY_BYTES: usize = 9;

/// Numbers of discs that a board can have.
const N_SLICES: usize = 65;

/// The bit of a move that says that white moves.
const WHITE: u8 = 0x80;

/// Stands for no move: the game ends here.
const END: u8 = 64;

/// First bytes of an index, with the version of its layout.
const MAGIC: [u8; 8] = *b"OFGAMES\x01";

/// Bytes in front of the collisions: magic, games, bits, collisions, and the entries of each slice.
const HEADER_BYTES: usize = 8 + 4 * (3 + N_SLICES);

/// What is wrong with the bytes of an index, or with games that are to be indexed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IndexError {
    /// Not an index, or one of another version.
    #[error("these bytes do not begin as an index of games of version 1 does")]
    NotAnIndex,
    /// Too short or too long.
    #[error("the index should have {expected} bytes and has {found}")]
    Length {
        /// Bytes that the header asks for.
        expected: u64,
        /// Bytes that there are.
        found: usize,
    },
    /// Words out of order, or a number that cannot be.
    #[error("the index is damaged where boards have {discs} discs")]
    Damaged {
        /// The number of discs.
        discs: usize,
    },
    /// Moves that are not legal.
    #[error("game number {number} of the index is none: a move is not legal")]
    Illegal {
        /// Number of the game, from 0.
        number: usize,
    },
    /// More games than an index can number.
    #[error("{0} games are more than one index holds")]
    TooMany(usize),
}

/// One game in one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexEntry {
    /// Number of the game in its segment, from 0.
    pub game: u32,
    /// The move on the smallest image of the board, as [`crate::Canonical::image`] gives it; `None` at the end.
    pub mv: Option<Square>,
    /// The side to move.
    pub side: Color,
}

/// Sorted entries of one number of discs, or a part of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slice<'a> {
    words: &'a [u8],
    moves: &'a [u8],
}

impl<'a> Slice<'a> {
    /// Takes apart what [`Slice::to_bytes`] gives; `None` if there is part of an entry.
    pub fn from_bytes(bytes: &'a [u8]) -> Option<Self> {
        let n = bytes.len() / ENTRY_BYTES;
        let (words, moves) = bytes.split_at(n * 8);
        (moves.len() == n).then_some(Self { words, moves })
    }

    /// Returns the entries of a range as bytes.
    pub fn to_bytes(self, range: Range<usize>) -> Vec<u8> {
        let mut bytes = self.words[range.start * 8..range.end * 8].to_vec();
        bytes.extend_from_slice(&self.moves[range]);
        bytes
    }

    /// Returns the number of entries.
    pub const fn len(self) -> usize {
        self.moves.len()
    }

    /// Returns whether there is no entry.
    pub const fn is_empty(self) -> bool {
        self.moves.is_empty()
    }

    /// Returns the word of an entry: fingerprint and number of the game.
    #[inline]
    pub fn word(self, at: usize) -> u64 {
        let bytes = &self.words[at * 8..at * 8 + 8];
        u64::from_le_bytes(bytes.try_into().expect("eight bytes"))
    }

    /// Returns the first place whose word is at least `word`.
    fn lower_bound(self, word: u64) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low.midpoint(high);
            if self.word(middle) < word {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// Returns the places with a fingerprint.
    pub fn find(self, fingerprint: u64) -> Range<usize> {
        let end = self.lower_bound((fingerprint + 1) << GAME_BITS);
        self.lower_bound(fingerprint << GAME_BITS)..end
    }

    /// Returns an entry; a byte that is no move is the end of its game.
    #[inline]
    pub fn entry(self, at: usize) -> IndexEntry {
        let byte = self.moves[at];
        IndexEntry {
            game: (self.word(at) & (MAX_GAMES as u64 - 1)) as u32,
            mv: Square::from_index(usize::from(byte & !WHITE)),
            side: if byte & WHITE == 0 {
                Color::Black
            } else {
                Color::White
            },
        }
    }
}

/// The positions of up to 2²⁴ games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Index<'a> {
    n_games: usize,
    bits: u32,
    slices: Vec<Cow<'a, [u8]>>,
    /// Fingerprints that several positions with the same number of discs share, with that number; sorted.
    collisions: Vec<(u8, u64)>,
}

/// A game on its way through the numbers of discs.
struct Cursor {
    board: Board,
    side: Color,
    /// Moves played; more than there are after the end.
    at: usize,
}

/// Makes the index of games, the first of which is number 0.
///
/// `bits` is the size of the fingerprints, which is [`FINGERPRINT_BITS`] but for tests.
///
/// # Errors
///
/// There are more than [`MAX_GAMES`], or one has a move that is not legal.
pub fn build(games: &[Moves], bits: u32) -> Result<Index<'static>, IndexError> {
    if games.len() > MAX_GAMES {
        return Err(IndexError::TooMany(games.len()));
    }
    let mut cursors: Vec<Cursor> = games
        .iter()
        .map(|game| {
            let start = game.start();
            Cursor {
                board: start.board(),
                side: start.side(),
                at: 0,
            }
        })
        .collect();
    let mut boards = vec![Board::start(); games.len()];
    let mut index = Index {
        n_games: games.len(),
        bits,
        slices: Vec::with_capacity(N_SLICES),
        collisions: Vec::new(),
    };
    let mut entries: Vec<(u64, u8)> = Vec::new();
    for discs in 0..N_SLICES {
        entries.clear();
        for (number, (cursor, game)) in cursors.iter_mut().zip(games).enumerate() {
            if cursor.at > game.squares.len() || cursor.board.occupied().count() as usize != discs {
                continue;
            }
            if cursor.board.must_pass() {
                (cursor.board, cursor.side) = (cursor.board.passed(), !cursor.side);
            }
            let position = canonical(cursor.board);
            boards[number] = position.board;
            let side = if cursor.side == Color::Black { 0 } else { WHITE };
            let square = game.squares.get(cursor.at).copied();
            let mv = square.map_or(END, |square| position.image(square).index() as u8);
            entries.push((position.fingerprint(bits) << GAME_BITS | number as u64, mv | side));
            if let Some(square) = square {
                let played = cursor.board.play(square.into());
                cursor.board = played.map_err(|_| IndexError::Illegal { number })?;
                cursor.side = !cursor.side;
            }
            cursor.at += 1;
        }
        entries.sort_unstable();
        for pair in entries.windows(2) {
            let fingerprint = pair[0].0 >> GAME_BITS;
            let board = |entry: (u64, u8)| boards[(entry.0 & (MAX_GAMES as u64 - 1)) as usize];
            let shared = (discs as u8, fingerprint);
            if pair[1].0 >> GAME_BITS == fingerprint
                && board(pair[0]) != board(pair[1])
                && index.collisions.last() != Some(&shared)
            {
                index.collisions.push(shared);
            }
        }
        let mut bytes = Vec::with_capacity(entries.len() * ENTRY_BYTES);
        bytes.extend(entries.iter().flat_map(|entry| entry.0.to_le_bytes()));
        bytes.extend(entries.iter().map(|entry| entry.1));
        index.slices.push(Cow::Owned(bytes));
    }
    Ok(index)
}

impl<'a> Index<'a> {
    /// Returns the number of games.
    pub const fn n_games(&self) -> usize {
        self.n_games
    }

    /// Returns the bits of a fingerprint.
    pub const fn bits(&self) -> u32 {
        self.bits
    }

    /// Returns the entries of boards with this many discs.
    pub fn slice(&self, discs: usize) -> Slice<'_> {
        let bytes = self.slices.get(discs).map_or(&[][..], |bytes| bytes);
        Slice::from_bytes(bytes).expect("slices are checked when an index is made or read")
    }

    /// Returns the fingerprints that several positions share, each with its number of discs.
    pub fn collisions(&self) -> &[(u8, u64)] {
        &self.collisions
    }

    /// Returns the index as bytes: magic; number of games, bits, number of collisions, and the number of entries for each
    /// number of discs from 0 to 64, as 32-bit words; the collisions, with the number of discs in the highest byte of a
    /// word of 64 bits; the entries. Everything is little endian.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let header = [self.n_games, self.bits as usize, self.collisions.len()];
        let lengths = self.slices.iter().map(|slice| slice.len() / ENTRY_BYTES);
        for number in header.into_iter().chain(lengths) {
            bytes.extend((number as u32).to_le_bytes());
        }
        for &(discs, fingerprint) in &self.collisions {
            bytes.extend((u64::from(discs) << 56 | fingerprint).to_le_bytes());
        }
        for slice in &self.slices {
            bytes.extend_from_slice(slice);
        }
        bytes
    }

    /// Reads what [`Index::to_bytes`] gives, without copying the entries.
    ///
    /// Only the lengths are looked at; see [`Index::check`].
    ///
    /// # Errors
    ///
    /// Says why the bytes are no index.
    pub fn from_bytes(bytes: &'a [u8]) -> Result<Self, IndexError> {
        if bytes.len() < HEADER_BYTES || !bytes.starts_with(&MAGIC) {
            return Err(IndexError::NotAnIndex);
        }
        let (header, mut rest) = bytes.split_at(HEADER_BYTES);
        let numbers: Vec<u32> = header[MAGIC.len()..]
            .chunks_exact(4)
            .map(|word| u32::from_le_bytes(word.try_into().expect("four bytes")))
            .collect();
        let (n_games, bits, n_collisions) = (numbers[0] as usize, numbers[1], numbers[2]);
        let lengths = &numbers[3..];
        if n_games > MAX_GAMES || !(1..=FINGERPRINT_BITS).contains(&bits) {
            return Err(IndexError::NotAnIndex);
        }
        let n_entries: u64 = lengths.iter().map(|&length| u64::from(length)).sum();
        let expected = HEADER_BYTES as u64 + 8 * u64::from(n_collisions) + ENTRY_BYTES as u64 * n_entries;
        if expected != bytes.len() as u64 {
            return Err(IndexError::Length {
                expected,
                found: bytes.len(),
            });
        }
        let mut take = |n: usize| {
            let (part, behind) = rest.split_at(n);
            rest = behind;
            part
        };
        let collisions = take(n_collisions as usize * 8).chunks_exact(8).map(|word| {
            let word = u64::from_le_bytes(word.try_into().expect("eight bytes"));
            ((word >> 56) as u8, word & ((1 << 56) - 1))
        });
        Ok(Self {
            n_games,
            bits,
            collisions: collisions.collect(),
            slices: lengths
                .iter()
                .map(|&length| Cow::Borrowed(take(length as usize * ENTRY_BYTES)))
                .collect(),
        })
    }

    /// Looks at every word: whether they are in order, and their games there.
    ///
    /// # Errors
    ///
    /// Says where the index is damaged.
    pub fn check(&self) -> Result<(), IndexError> {
        let in_order = |pair: &[(u8, u64)]| pair[0] < pair[1];
        if let Some(pair) = self.collisions.windows(2).find(|pair| !in_order(pair)) {
            let discs = usize::from(pair[1].0);
            return Err(IndexError::Damaged { discs });
        }
        for discs in 0..self.slices.len() {
            let slice = self.slice(discs);
            let mut last = None;
            for at in 0..slice.len() {
                let word = Some(slice.word(at));
                let is_move = slice.moves[at] & !WHITE <= END;
                if word <= last || slice.entry(at).game as usize >= self.n_games || !is_move {
                    return Err(IndexError::Damaged { discs });
                }
                last = word;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
