//! The player (`.jou`) and tournament (`.trn`) files of WTHOR.

use super::{HEADER_BYTES, Header, WthorError, fill, read_header};
use std::io::Read;

/// Which of the two name files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NameKind {
    /// Players (`.jou`), 20 bytes a name.
    Players,
    /// Tournaments (`.trn`), 26 bytes a name.
    Tournaments,
}

impl NameKind {
    /// Returns the size of a record in bytes.
    pub const fn record_bytes(self) -> usize {
        match self {
            Self::Players => 20,
            Self::Tournaments => 26,
        }
    }
}

/// A player or tournament file: names by index.
///
/// Names are Latin-1, ended by a NUL byte or the end of the record. The board size in the header is not looked at:
/// old converters left 124 there.
///
/// # Examples
///
/// ```
/// use outflank_records::wthor::{NameFile, NameKind};
/// let file = NameFile::from_names(["???", "Nicolet St\u{e9}phane"], NameKind::Players);
/// let again = NameFile::read(file.to_bytes().as_slice(), NameKind::Players)?;
/// assert_eq!(again.get(1), Some("Nicolet Stéphane"));
/// assert_eq!(again.get(2), None);
/// # Ok::<(), outflank_records::wthor::WthorError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameFile {
    /// The header as it stands in the file.
    pub header: Header,
    /// Which file this is.
    pub kind: NameKind,
    /// The names, by index.
    pub names: Vec<String>,
    /// Everything that is wrong with the file, in order.
    pub problems: Vec<WthorError>,
}

impl NameFile {
    /// Reads all names.
    ///
    /// # Errors
    ///
    /// Returns an error only if the header cannot be read.
    pub fn read(mut input: impl Read, kind: NameKind) -> Result<Self, WthorError> {
        let header = read_header(&mut input)?;
        let size = kind.record_bytes();
        let (mut names, mut problems) = (Vec::new(), Vec::new());
        let mut record = [0; 26];
        loop {
            match fill(&mut input, &mut record[..size]) {
                Err(error) => {
                    problems.push(WthorError::Io {
                        record: names.len(),
                        message: error.to_string(),
                    });
                    break;
                }
                Ok(n) if n == size => names.push(latin1(&record[..size])),
                Ok(0) => {
                    if usize::from(header.n_names) != names.len() {
                        problems.push(WthorError::Count {
                            claimed: i64::from(header.n_names),
                            found: names.len(),
                        });
                    }
                    break;
                }
                Ok(bytes) => {
                    problems.push(WthorError::Truncated {
                        record: names.len() + 1,
                        bytes,
                        size,
                    });
                    break;
                }
            }
        }
        Ok(Self {
            header,
            kind,
            names,
            problems,
        })
    }

    /// Returns a file of these names, without a date of creation.
    pub fn from_names<S: Into<String>>(names: impl IntoIterator<Item = S>, kind: NameKind) -> Self {
        let names: Vec<String> = names.into_iter().map(Into::into).collect();
        Self {
            header: Header {
                n_names: names.len() as u16,
                ..Header::default()
            },
            kind,
            names,
            problems: Vec::new(),
        }
    }

    /// Returns the name with this index.
    pub fn get(&self, index: u16) -> Option<&str> {
        self.names.get(usize::from(index)).map(String::as_str)
    }

    /// Returns the bytes of the file.
    ///
    /// Names are cut to the size of the record, and characters outside Latin-1 become `?`.
    pub fn to_bytes(&self) -> Vec<u8> {
        let size = self.kind.record_bytes();
        let mut bytes = Vec::with_capacity(HEADER_BYTES + size * self.names.len());
        bytes.extend(self.header.to_bytes());
        for name in &self.names {
            let start = bytes.len();
            bytes.extend(
                name.chars()
                    .take(size)
                    .map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')),
            );
            bytes.resize(start + size, 0);
        }
        bytes
    }
}

/// Returns the Latin-1 text before the first NUL byte.
fn latin1(bytes: &[u8]) -> String {
    bytes
        .iter()
        .take_while(|&&byte| byte != 0)
        .map(|&byte| char::from(byte))
        .collect()
}
