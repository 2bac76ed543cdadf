//! The weight file: `docs/weights.md` describes it byte by byte.

use super::{
    NetworkWeights,
    layout::{PACKED, PARAMETERS},
    weights::{KNOTS, Weights},
};
use zlib_rs::{
    DeflateConfig, InflateConfig, ReturnCode, Strategy, compress_bound, compress_slice, decompress_slice,
};

/// First bytes of every weight file.
const MAGIC: &[u8; 8] = b"OUTFLNKW";
/// Version of the layout.
const VERSION: u16 = 1;
/// Model kind: the 46 pattern features of [`super::layout`].
const KIND_PATTERNS: u16 = 1;
/// Bytes before the compressed content.
const HEADER: usize = 32;
/// Largest content that is accepted.
const CONTENT_LIMIT: usize = 64 << 20;
/// Tags of the sections that every file of this kind has.
const TAG_KNOTS: [u8; 4] = *b"KNOT";
const TAG_BIAS: [u8; 4] = *b"BIAS";
const TAG_LIGHT: [u8; 4] = *b"LITE";
const TAG_LIGHT_BIAS: [u8; 4] = *b"LBIA";
/// Tag of the network, which a file need not have.
const TAG_NETWORK: [u8; 4] = *b"NETW";

/// Why some bytes are not a weight file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WeightsError {
    /// The magic bytes are missing.
    #[error("not an Outflank weight file: the first eight bytes are not \"OUTFLNKW\"")]
    Magic,
    /// A later version of the layout.
    #[error(
        "made by a newer Outflank (version {0} of the weight file; this one knows {VERSION}): update Outflank"
    )]
    Version(u16),
    /// Another model.
    #[error("model kind {0} is not known to this program (1 is the pattern evaluation)")]
    Kind(u16),
    /// The file is cut off or has something behind its end.
    #[error("the file has {found} bytes instead of {expected}: it is damaged, fetch or write it again")]
    Length {
        /// Bytes that the header announces.
        expected: usize,
        /// Bytes of the file.
        found: usize,
    },
    /// The compressed content cannot be read.
    #[error("the compressed content is damaged: {0}")]
    Compression(String),
    /// The content is not what was written.
    #[error("checksum {found:016x} instead of {expected:016x}: the file is damaged, fetch or write it again")]
    Checksum {
        /// Checksum in the header.
        expected: u64,
        /// Checksum of the content.
        found: u64,
    },
    /// A section is missing or has the wrong size.
    #[error("section {tag:?} is missing or has the wrong size")]
    Section {
        /// The section's tag.
        tag: String,
    },
    /// Knots at other empties than this program's.
    #[error("the file's knots are at empties {0:?}, this program's at {KNOTS:?}")]
    Knots(Vec<u8>),
}

/// Returns the 64-bit FNV-1a hash: the checksum of files of weights, samples and policies.
pub fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
    })
}

/// Raw deflate, without a head of its own, and the usual window.
const WINDOW_BITS: i32 = -15;

/// Returns `content` packed: what it holds are small numbers rather than words that come again, so that short matches would
/// cost more than they save.
fn compressed(content: &[u8]) -> Vec<u8> {
    let config = DeflateConfig {
        level: 9,
        window_bits: WINDOW_BITS,
        strategy: Strategy::Filtered,
        ..DeflateConfig::default()
    };
    let mut packed = vec![0; compress_bound(content.len())];
    let (written, code) = compress_slice(&mut packed, content, config);
    assert!(code == ReturnCode::Ok, "the bound leaves room enough: {code:?}");
    written.to_vec()
}

/// Returns the content of `length` bytes that was packed as `packed`.
fn decompressed(packed: &[u8], length: usize) -> Result<Vec<u8>, WeightsError> {
    let wrong = |reason: String| Err(WeightsError::Compression(reason));
    if length > CONTENT_LIMIT {
        return wrong(format!("{length} bytes instead of at most {CONTENT_LIMIT}"));
    }
    let mut content = vec![0; length];
    let config = InflateConfig {
        window_bits: WINDOW_BITS,
    };
    match decompress_slice(&mut content, packed, config) {
        (written, ReturnCode::Ok) if written.len() == length => Ok(content),
        (written, ReturnCode::Ok) => wrong(format!("{} bytes instead of {length}", written.len())),
        (_, ReturnCode::BufError) => wrong(format!("more or fewer than {length} bytes")),
        _ => wrong("no deflate stream".to_owned()),
    }
}

/// Returns the differences between consecutive values, folded (0, −1, 1, −2, …) so that small ones have a zero high
/// byte; first all low bytes, then all high bytes.
fn planes(values: impl Iterator<Item = i16>) -> Vec<u8> {
    let folded: Vec<u16> = values
        .map(|value| ((value << 1) ^ (value >> 15)).cast_unsigned())
        .collect();
    let low = folded.iter().map(|value| *value as u8);
    low.chain(folded.iter().map(|value| (value >> 8) as u8)).collect()
}

fn from_planes(bytes: &[u8]) -> Vec<i16> {
    let (low, high) = bytes.split_at(bytes.len() / 2);
    low.iter()
        .zip(high)
        .map(|(&low, &high)| {
            let folded = u16::from_le_bytes([low, high]);
            (folded >> 1).cast_signed() ^ -(folded & 1).cast_signed()
        })
        .collect()
}

impl Weights {
    /// Returns the content before compression: sections of tag, length and bytes.
    fn content(&self) -> Vec<u8> {
        let mut knots = vec![KNOTS.len() as u8];
        knots.extend(KNOTS);
        knots.extend((PARAMETERS as u32).to_le_bytes());
        let mut previous = vec![0; PARAMETERS];
        for knot in self.knots() {
            knots.extend(planes(
                knot.iter().zip(&previous).map(|(a, b)| a.wrapping_sub(*b)),
            ));
            previous.clone_from(knot);
        }
        let mut content = Vec::new();
        let mut section = |tag: [u8; 4], bytes: &[u8]| {
            content.extend(tag);
            content.extend((bytes.len() as u32).to_le_bytes());
            content.extend(bytes);
        };
        section(TAG_KNOTS, &knots);
        section(TAG_BIAS, &planes(self.bias().iter().copied()));
        section(TAG_LIGHT, &planes(self.light().iter().copied()));
        section(TAG_LIGHT_BIAS, &planes(self.light_bias().iter().copied()));
        if let Some(network) = self.network() {
            section(TAG_NETWORK, &network.encode());
        }
        for (tag, bytes) in self.sections() {
            section(*tag, bytes);
        }
        content
    }

    /// Returns the checksum of the content, which also tells evaluators apart.
    pub fn checksum(&self) -> u64 {
        fnv1a(&self.content())
    }

    /// Returns the checksum that a weight file states in its head, without reading what it is of.
    pub fn stated_checksum(file: &[u8]) -> Option<u64> {
        let header: &[u8; HEADER] = file.first_chunk().filter(|_| file.starts_with(MAGIC))?;
        header[16..].first_chunk().map(|bytes| u64::from_le_bytes(*bytes))
    }

    /// Returns the weight file.
    pub fn encode(&self) -> Vec<u8> {
        let content = self.content();
        let compressed = compressed(&content);
        let mut file = Vec::with_capacity(HEADER + compressed.len());
        file.extend(MAGIC);
        file.extend(VERSION.to_le_bytes());
        file.extend(KIND_PATTERNS.to_le_bytes());
        file.extend((content.len() as u32).to_le_bytes());
        file.extend(fnv1a(&content).to_le_bytes());
        file.extend((compressed.len() as u32).to_le_bytes());
        file.extend([0; 4]);
        file.extend(compressed);
        file
    }

    /// Reads a weight file.
    ///
    /// # Errors
    ///
    /// Returns what is wrong with the file.
    pub fn decode(file: &[u8]) -> Result<Self, WeightsError> {
        Self::read(file, false)
    }

    /// Reads a weight file whose checksum was compared with its content before, which takes a quarter of the time.
    pub(super) fn decode_checked(file: &[u8]) -> Result<Self, WeightsError> {
        Self::read(file, true)
    }

    fn read(file: &[u8], is_checked: bool) -> Result<Self, WeightsError> {
        if !file.starts_with(MAGIC) {
            return Err(WeightsError::Magic);
        }
        let damaged = |expected| WeightsError::Length {
            expected,
            found: file.len(),
        };
        let header: &[u8; HEADER] = file.first_chunk().ok_or(damaged(HEADER))?;
        let number = |at: usize, size: usize| {
            (0..size).fold(0_u64, |sum, byte| {
                sum | u64::from(header[at + byte]) << (8 * byte)
            })
        };
        let (version, kind) = (number(8, 2) as u16, number(10, 2) as u16);
        if version != VERSION {
            return Err(WeightsError::Version(version));
        }
        if kind != KIND_PATTERNS {
            return Err(WeightsError::Kind(kind));
        }
        let expected = HEADER + number(24, 4) as usize;
        if file.len() != expected {
            return Err(damaged(expected));
        }
        let length = number(12, 4) as usize;
        let content = decompressed(&file[HEADER..], length)?;
        if !is_checked {
            let (expected, found) = (number(16, 8), fnv1a(&content));
            if expected != found {
                return Err(WeightsError::Checksum { expected, found });
            }
        }
        Self::from_content(&content)
    }

    fn from_content(content: &[u8]) -> Result<Self, WeightsError> {
        let mut weights = Self::zero();
        let mut seen = [false; 4];
        let mut rest = content;
        while !rest.is_empty() {
            let Section {
                tag,
                bytes,
                rest: next,
            } = split_section(rest)?;
            rest = next;
            let wrong = || wrong_section(tag);
            let values = |count: usize| {
                (bytes.len() == 2 * count)
                    .then(|| from_planes(bytes))
                    .ok_or_else(wrong)
            };
            match tag {
                TAG_KNOTS => {
                    weights.read_knots(bytes)?;
                    seen[0] = true;
                }
                TAG_BIAS => {
                    weights.bias_mut().copy_from_slice(&values(65)?);
                    seen[1] = true;
                }
                TAG_LIGHT => {
                    weights.light_mut().copy_from_slice(&values(PACKED)?);
                    seen[2] = true;
                }
                TAG_LIGHT_BIAS => {
                    weights.light_bias_mut().copy_from_slice(&values(65)?);
                    seen[3] = true;
                }
                TAG_NETWORK => {
                    let network = NetworkWeights::decode(bytes).ok_or_else(wrong)?;
                    weights.set_network(Some(network));
                }
                _ => weights.set_section(tag, bytes.to_vec()),
            }
        }
        let tags = [TAG_KNOTS, TAG_BIAS, TAG_LIGHT, TAG_LIGHT_BIAS];
        match seen.iter().position(|seen| !seen) {
            Some(missing) => Err(wrong_section(tags[missing])),
            None => Ok(weights),
        }
    }

    fn read_knots(&mut self, bytes: &[u8]) -> Result<(), WeightsError> {
        let wrong = || wrong_section(TAG_KNOTS);
        let (&count, rest) = bytes.split_first().ok_or_else(wrong)?;
        let (knots, rest) = rest.split_at_checked(usize::from(count)).ok_or_else(wrong)?;
        if knots != KNOTS {
            return Err(WeightsError::Knots(knots.to_vec()));
        }
        let (parameters, rest) = rest.split_at_checked(4).ok_or_else(wrong)?;
        if parameters != (PARAMETERS as u32).to_le_bytes() || rest.len() != 2 * PARAMETERS * KNOTS.len() {
            return Err(wrong());
        }
        let mut previous = vec![0_i16; PARAMETERS];
        for (knot, bytes) in self.knots_mut().iter_mut().zip(rest.chunks(2 * PARAMETERS)) {
            for (weight, difference) in previous.iter_mut().zip(from_planes(bytes)) {
                *weight = weight.wrapping_add(difference);
            }
            knot.copy_from_slice(&previous);
        }
        Ok(())
    }
}

fn wrong_section(tag: [u8; 4]) -> WeightsError {
    WeightsError::Section {
        tag: tag.escape_ascii().to_string(),
    }
}

/// A section and what follows it.
struct Section<'a> {
    tag: [u8; 4],
    bytes: &'a [u8],
    rest: &'a [u8],
}

/// Splits the first section off.
fn split_section(content: &[u8]) -> Result<Section<'_>, WeightsError> {
    let (&tag, rest) = content
        .split_first_chunk::<4>()
        .ok_or_else(|| wrong_section(*b"????"))?;
    let wrong = || wrong_section(tag);
    let (&length, rest) = rest.split_first_chunk::<4>().ok_or_else(wrong)?;
    let (bytes, rest) = rest
        .split_at_checked(u32::from_le_bytes(length) as usize)
        .ok_or_else(wrong)?;
    Ok(Section { tag, bytes, rest })
}
