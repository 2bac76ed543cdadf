//! A labeled position, and files of them.
//!
//! A file is a header of 32 bytes and records of 20 bytes, little endian:
//!
//! | offset | size | header |
//! | --- | --- | --- |
//! | 0 | 8 | `OUTFLNKS` |
//! | 8 | 2 | version, 1 |
//! | 10 | 2 | record size, 20 |
//! | 12 | 4 | reserved, 0 |
//! | 16 | 8 | number of records |
//! | 24 | 8 | FNV-1a 64 of the records |
//!
//! | offset | size | record |
//! | --- | --- | --- |
//! | 0 | 8 | discs of the player to move, a1 is bit 0 |
//! | 8 | 8 | discs of the opponent |
//! | 16 | 2 | value for the player in 1/128 disc, −32768 while there is none |
//! | 18 | 1 | where the value comes from, see [`Source`] |
//! | 19 | 1 | part of the data, see [`Split`] |

use outflank_eval::fnv1a;
use outflank_jobs::{FileError, write_atomic};
use outflank_othello::{Bitboard, Board};
use std::{
    fs, io,
    path::{Path, PathBuf},
};

const MAGIC: &[u8; 8] = b"OUTFLNKS";
const VERSION: u16 = 1;
const HEADER: usize = 32;
const RECORD: usize = 20;

/// Where a label comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Source {
    /// Not labeled yet.
    Unlabeled = 0,
    /// Solved to the end.
    Exact = 1,
    /// WTHOR's theoretical score.
    Theoretical = 2,
    /// Full-width search with an evaluation at its leaves.
    Search = 3,
    /// Result of the game, as it was played.
    Result = 4,
}

impl Source {
    /// All sources, by number.
    pub const ALL: [Self; 5] = [
        Self::Unlabeled,
        Self::Exact,
        Self::Theoretical,
        Self::Search,
        Self::Result,
    ];
}

/// Part of the data, assigned by game, so that no game is in two parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Split {
    /// Fitted to.
    Train = 0,
    /// Looked at while choosing settings.
    Validation = 1,
    /// Looked at in the end.
    Test = 2,
}

impl Split {
    /// All parts, by number.
    pub const ALL: [Self; 3] = [Self::Train, Self::Validation, Self::Test];

    /// Returns the part of a game by a hash of it: one in 32 is validation, one in 32 test.
    pub const fn of_hash(hash: u64) -> Self {
        match (hash ^ hash >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 59 {
            0 => Self::Validation,
            1 => Self::Test,
            _ => Self::Train,
        }
    }
}

/// A position and what it is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The position, from the side of the player to move.
    pub board: Board,
    /// Value for the player in 1/128 disc; [`Sample::NO_VALUE`] while there is none.
    pub value: i16,
    /// Where the value comes from.
    pub source: Source,
    /// Part of the data.
    pub split: Split,
}

impl Sample {
    /// Stands in for the value of a position that is not labeled yet.
    pub const NO_VALUE: i16 = i16::MIN;

    /// Returns the number of empty squares.
    pub fn empties(&self) -> usize {
        self.board.empties().count() as usize
    }
}

/// Why a sample file cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum SampleError {
    /// A file or folder could not be read.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The reason.
        error: io::Error,
    },
    /// A file could not be written.
    #[error(transparent)]
    Write(#[from] FileError),
    /// There is nothing to learn from.
    #[error("no training samples in the files")]
    NoTraining,
    /// The content is not a sample file or is damaged.
    #[error("{}: {reason}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong, with the place.
        reason: String,
    },
}

fn content(path: &Path) -> Result<Vec<u8>, SampleError> {
    fs::read(path).map_err(|error| SampleError::Io {
        path: path.to_owned(),
        error,
    })
}

/// Returns the content of a sample file.
pub fn encode(samples: &[Sample]) -> Vec<u8> {
    let mut records = Vec::with_capacity(RECORD * samples.len());
    for sample in samples {
        records.extend(sample.board.player().bits().to_le_bytes());
        records.extend(sample.board.opponent().bits().to_le_bytes());
        records.extend(sample.value.to_le_bytes());
        records.push(sample.source as u8);
        records.push(sample.split as u8);
    }
    let mut file = Vec::with_capacity(HEADER + records.len());
    file.extend(MAGIC);
    file.extend(VERSION.to_le_bytes());
    file.extend((RECORD as u16).to_le_bytes());
    file.extend([0; 4]);
    file.extend((samples.len() as u64).to_le_bytes());
    file.extend(fnv1a(&records).to_le_bytes());
    file.extend(records);
    file
}

/// Reads the content of a sample file.
///
/// # Errors
///
/// Returns what is wrong, with the place.
pub fn decode(file: &[u8]) -> Result<Vec<Sample>, String> {
    let (header, records) = file
        .split_first_chunk::<HEADER>()
        .filter(|(header, _)| header.starts_with(MAGIC))
        .ok_or("not a sample file: it does not start with \"OUTFLNKS\" and a header of 32 bytes")?;
    let word = |at: usize| u64::from_le_bytes(std::array::from_fn(|byte| header[at + byte]));
    let (version, size) = (word(8) as u16, (word(8) >> 16) as u16);
    if version != VERSION || usize::from(size) != RECORD {
        return Err(format!(
            "version {version} with records of {size} bytes is not supported (this program reads version {VERSION} with {RECORD})"
        ));
    }
    if records.len() as u64 != word(16).saturating_mul(RECORD as u64) {
        return Err(format!(
            "{} bytes of records where the header announces {} records of {RECORD}: the file is cut off or damaged",
            records.len(),
            word(16)
        ));
    }
    if fnv1a(records) != word(24) {
        return Err("the checksum is wrong: the file is damaged".to_owned());
    }
    records
        .as_chunks::<RECORD>()
        .0
        .iter()
        .enumerate()
        .map(|(number, record)| decode_record(record).map_err(|reason| format!("record {number}: {reason}")))
        .collect()
}

fn decode_record(record: &[u8; RECORD]) -> Result<Sample, String> {
    let word = |at: usize| u64::from_le_bytes(std::array::from_fn(|byte| record[at + byte]));
    let board = Board::new(Bitboard::new(word(0)), Bitboard::new(word(8)))
        .ok_or("a square holds discs of both players")?;
    Ok(Sample {
        board,
        value: i16::from_le_bytes([record[16], record[17]]),
        source: *Source::ALL
            .get(usize::from(record[18]))
            .ok_or_else(|| format!("unknown label source {}", record[18]))?,
        split: *Split::ALL
            .get(usize::from(record[19]))
            .ok_or_else(|| format!("unknown part {}", record[19]))?,
    })
}

/// Reads a sample file.
///
/// # Errors
///
/// Returns the file and what is wrong with it.
pub fn read(path: &Path) -> Result<Vec<Sample>, SampleError> {
    decode(&content(path)?).map_err(|reason| SampleError::Content {
        path: path.to_owned(),
        reason,
    })
}

/// Reads a file of solved positions as records of 17 bytes: player, opponent, exact value in discs.
///
/// # Errors
///
/// Returns the file and what is wrong with it.
pub fn read_exact(path: &Path) -> Result<Vec<Sample>, SampleError> {
    let wrong = |reason| SampleError::Content {
        path: path.to_owned(),
        reason,
    };
    let content = content(path)?;
    let (records, rest) = content.as_chunks::<17>();
    if !rest.is_empty() {
        return Err(wrong(format!(
            "{} bytes are not a whole number of records of 17 bytes",
            content.len()
        )));
    }
    let sample = |(number, record): (usize, &[u8; 17])| {
        let word = |at: usize| u64::from_le_bytes(std::array::from_fn(|byte| record[at + byte]));
        let (board, discs) = (
            Board::new(Bitboard::new(word(0)), Bitboard::new(word(8))),
            i16::from(record[16].cast_signed()),
        );
        let (Some(board), -64..=64) = (board, discs) else {
            return Err(wrong(format!(
                "record {number} is no position with a value of -64 to 64 discs"
            )));
        };
        Ok(Sample {
            board,
            value: 128 * discs,
            source: Source::Exact,
            split: Split::of_hash(word(0) ^ word(8).rotate_left(17)),
        })
    };
    records.iter().enumerate().map(sample).collect()
}

/// Writes a sample file: all of it or nothing.
///
/// # Errors
///
/// Returns the file and why it could not be written.
pub fn write(path: &Path, samples: &[Sample]) -> Result<(), SampleError> {
    Ok(write_atomic(path, &encode(samples))?)
}

/// Reads every file among `paths`, and every `.samples` file of every folder among them, in the order of their names.
///
/// # Errors
///
/// Returns the first file or folder that cannot be read.
pub fn read_all(paths: &[PathBuf]) -> Result<Vec<Sample>, SampleError> {
    let mut samples = Vec::new();
    for path in paths {
        for file in files_of(path, &["samples"])? {
            samples.extend(read(&file)?);
        }
    }
    Ok(samples)
}

/// Returns the files of a folder that have one of these extensions, in the order of their names; a file as it is.
fn files_of(path: &Path, extensions: &[&str]) -> Result<Vec<PathBuf>, SampleError> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let io = |error| SampleError::Io {
        path: path.to_owned(),
        error,
    };
    let mut files = fs::read_dir(path)
        .map_err(io)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<Vec<_>, _>>()
        .map_err(io)?;
    files.retain(|file| {
        let extension = file.extension().and_then(|extension| extension.to_str());
        extension.is_some_and(|extension| extensions.contains(&extension))
    });
    files.sort();
    Ok(files)
}

/// Keeps about `n` samples, evenly spread.
pub fn thin(samples: &mut Vec<Sample>, n: usize) {
    if n < samples.len() {
        *samples = (0..n).map(|number| samples[number * samples.len() / n]).collect();
    }
}

/// Removes samples whose position is, up to symmetry, that of an earlier one.
///
/// Where two have the same position, the first stays; put the better labels first.
pub fn deduplicate(samples: &mut Vec<Sample>) {
    let mut keys: Vec<(Board, u32)> = samples
        .iter()
        .enumerate()
        .map(|(number, sample)| (sample.board.canonical().0, number as u32))
        .collect();
    keys.sort_unstable();
    let mut keep = vec![true; samples.len()];
    for pair in keys.windows(2) {
        if pair[0].0 == pair[1].0 {
            keep[pair[1].1 as usize] = false;
        }
    }
    let mut number = 0;
    samples.retain(|_| {
        number += 1;
        keep[number - 1]
    });
}

/// Returns the positions of every sample file and suite among `paths`, and of those in every folder among them. A suite
/// is a text in any notation that `records` reads: `.obf` and `.txt` in folders.
///
/// # Errors
///
/// Returns the first file or folder that cannot be read, or the first line of a suite that is none.
pub fn positions_of(paths: &[PathBuf]) -> Result<Vec<Board>, SampleError> {
    let mut boards = Vec::new();
    for path in paths {
        for file in files_of(path, &["samples", "obf", "txt"])? {
            let bytes = content(&file)?;
            if bytes.starts_with(MAGIC) {
                boards.extend(read(&file)?.iter().map(|sample| sample.board));
                continue;
            }
            for item in outflank_records::read_items(&bytes[..]) {
                let item = item.map_err(|error| SampleError::Content {
                    path: file.clone(),
                    reason: error.to_string(),
                })?;
                boards.push(item.position().board());
            }
        }
    }
    Ok(boards)
}

/// Removes samples whose position is, up to symmetry, among `others`; returns how many.
///
/// A split by game does not keep a position out that occurs in games of two parts: this does.
pub fn exclude(samples: &mut Vec<Sample>, others: &[Board]) -> usize {
    let mut unwanted: Vec<Board> = others.iter().map(|board| board.canonical().0).collect();
    unwanted.sort_unstable();
    let before = samples.len();
    samples.retain(|sample| unwanted.binary_search(&sample.board.canonical().0).is_err());
    before - samples.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_othello::{Square, Symmetry};

    fn samples() -> Vec<Sample> {
        let start = Board::start();
        let after = start.play(Square::F5.into()).expect("f5 is legal");
        [start, after, after.transformed(Symmetry::ALL[6])]
            .map(|board| Sample {
                board,
                value: -300,
                source: Source::Search,
                split: Split::Test,
            })
            .to_vec()
    }

    #[test]
    fn files_round_trip() {
        assert_eq!(decode(&encode(&samples())), Ok(samples()));
        assert_eq!(decode(&encode(&[])), Ok(Vec::new()));
    }

    #[test]
    fn damage_is_reported() {
        let file = encode(&samples());
        for at in (0..12).chain(16..file.len()) {
            let mut damaged = file.clone();
            damaged[at] ^= 1;
            assert!(decode(&damaged).is_err(), "byte {at}");
        }
        assert!(decode(&file[..file.len() - 1]).is_err());
    }

    #[test]
    fn images_are_excluded() {
        let [start, after, image] = samples().try_into().expect("three samples");
        let mut left = vec![start, after, after];
        assert_eq!(exclude(&mut left, &[image.board]), 2);
        assert_eq!(left, [start]);
        assert_eq!(exclude(&mut left, &[]), 0);
        assert_eq!(left, [start]);
    }

    #[test]
    fn images_are_duplicates() {
        let mut samples = samples();
        deduplicate(&mut samples);
        assert_eq!(samples.len(), 2);
    }
}
