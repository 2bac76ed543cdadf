//! Opening books in files: opened, loaded, saved, and the one inside the program.

use outflank_book::{
    Book, BookFile, Derived, Entry, FileError, Look, ReadAt, SourceId, Worked, is_packed, pack,
};
use outflank_jobs::{AtomicFile, FileError as SaveError, write_atomic};
use outflank_othello::Board;
use std::{
    fs::{self, File},
    io::{self, Read as _},
    path::{Path, PathBuf},
    sync::Arc,
};

/// A file that is read at any place.
#[derive(Clone, Debug)]
pub struct FileAt(Arc<File>);

impl ReadAt for FileAt {
    #[cfg(unix)]
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(&*self.0, buffer, offset)
    }

    #[cfg(windows)]
    fn read_at(&self, mut offset: u64, mut buffer: &mut [u8]) -> io::Result<()> {
        while !buffer.is_empty() {
            match std::os::windows::fs::FileExt::seek_read(&*self.0, buffer, offset)? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                read => {
                    buffer = &mut buffer[read..];
                    offset += read as u64;
                }
            }
        }
        Ok(())
    }

    #[cfg(not(any(unix, windows)))]
    fn read_at(&self, _: u64, _: &mut [u8]) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn size(&self) -> io::Result<u64> {
        Ok(self.0.metadata()?.len())
    }
}

/// Why a book cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The file cannot be read or is no book.
    #[error("{}: {reason}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: FileError,
    },
    /// The book cannot be saved.
    #[error(transparent)]
    Save(#[from] SaveError),
}

fn at(path: &Path) -> impl Fn(FileError) -> OpenError {
    let path = path.to_owned();
    move |reason| OpenError::File {
        path: path.clone(),
        reason,
    }
}

/// A book that can be asked; a copy shares the file or the memory.
#[derive(Clone, Debug)]
pub enum Shelf {
    /// It stays in its file.
    File(Box<BookFile<FileAt>>),
    /// It was packed, and is in memory.
    Memory(Arc<Worked>),
    /// It is inside the program.
    Embedded(Box<BookFile<&'static [u8]>>),
}

impl Shelf {
    /// Opens the book in a file; a packed one is read into memory.
    ///
    /// # Errors
    ///
    /// The file cannot be read or is no book.
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        let fail = at(path);
        let mut head = Vec::new();
        let file = File::open(path).map_err(|error| fail(error.into()))?;
        let mut reader = &file;
        let read = reader.by_ref().take(8).read_to_end(&mut head);
        read.map_err(|error| fail(error.into()))?;
        if is_packed(&head) {
            return Ok(Self::Memory(Arc::new(Worked::new(load(path)?))));
        }
        Ok(Self::File(Box::new(
            BookFile::open(FileAt(Arc::new(file))).map_err(fail)?,
        )))
    }

    /// Returns the book inside the program, if it was built with one.
    pub fn starter() -> Option<Self> {
        embedded()
    }

    /// Returns all of it, with everything that follows from its facts.
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub fn worked(&self) -> Result<Arc<Worked>, FileError> {
        match self {
            Self::File(file) => Ok(Arc::new(Worked::new(file.load()?))),
            Self::Embedded(file) => Ok(Arc::new(Worked::new(file.load()?))),
            Self::Memory(book) => Ok(Arc::clone(book)),
        }
    }
}

impl Look for Shelf {
    fn find(&self, key: Board) -> Result<Option<(Entry, Derived)>, FileError> {
        match self {
            Self::File(file) => Look::find(file.as_ref(), key),
            Self::Embedded(file) => Look::find(file.as_ref(), key),
            Self::Memory(book) => book.find(key),
        }
    }

    fn source_name(&self, source: SourceId) -> &str {
        match self {
            Self::File(file) => file.source_name(source),
            Self::Embedded(file) => file.source_name(source),
            Self::Memory(book) => book.source_name(source),
        }
    }

    fn positions(&self) -> u64 {
        match self {
            Self::File(file) => file.positions(),
            Self::Embedded(file) => file.positions(),
            Self::Memory(book) => book.positions(),
        }
    }
}

/// Reads the whole book of a file into memory, to change it.
///
/// # Errors
///
/// The file cannot be read or is no book.
pub fn load(path: &Path) -> Result<Book, OpenError> {
    let bytes = fs::read(path).map_err(|error| at(path)(error.into()))?;
    Book::from_bytes(&bytes).map_err(at(path))
}

/// Saves a book, completely or not at all: packed if the name ends in `.ofbz`.
///
/// # Errors
///
/// The file cannot be written.
pub fn save(path: &Path, book: &Worked) -> Result<(), OpenError> {
    if path.extension().is_some_and(|extension| extension == "ofbz") {
        return Ok(write_atomic(path, &pack(book.book()))?);
    }
    let file = book.write(AtomicFile::create(path)?);
    let file = file.map_err(|error| at(path)(error.into()))?;
    Ok(file.commit()?)
}

/// The book inside the program: as a table that is open at once, which the build unpacked.
#[cfg(all(feature = "starter-book", not(target_arch = "wasm32")))]
fn embedded() -> Option<Shelf> {
    let table: &'static [u8] = include_bytes!(concat!(env!("OUT_DIR"), "/starter.ofb"));
    Some(Shelf::Embedded(Box::new(BookFile::open(table).ok()?)))
}

/// The book inside the program: packed, since a page is to be loaded before it is read.
#[cfg(all(feature = "starter-book", target_arch = "wasm32"))]
fn embedded() -> Option<Shelf> {
    use std::sync::OnceLock;
    static STARTER: OnceLock<Option<Arc<Worked>>> = OnceLock::new();
    let unpack = || {
        Some(Arc::new(
            Worked::from_bytes(include_bytes!("../data/starter.ofbz")).ok()?,
        ))
    };
    STARTER.get_or_init(unpack).clone().map(Shelf::Memory)
}

/// Nothing: the program was built without a book.
#[cfg(not(feature = "starter-book"))]
const fn embedded() -> Option<Shelf> {
    None
}

#[cfg(test)]
#[cfg(feature = "starter-book")]
mod tests {
    use super::*;
    use outflank_book::View;

    #[test]
    fn the_book_inside_the_program_is_whole_and_small() {
        assert!(include_bytes!("../data/starter.ofbz").len() <= 1_000_000);
        let shelf = Shelf::starter().expect("it can be read");
        let book = &shelf;
        let start = View::of(book, Board::start())
            .expect("memory")
            .expect("it has the start");
        assert!(start.moves[0].units().is_some() && start.moves[0].count.games > 0);
    }
}
