//! The result log: an append-only file of finished items that survives `kill -9`.
//!
//! Each finished item is one line with a checksum, written with one system call.
//! A process that dies leaves at most one torn line, at the end; opening the log again cuts it off.
//! What the file says is the only truth: memory holds just the place of each line, so that logs may be larger than
//! memory.

mod format;

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::atomic::sync_folder;
use crate::{AtomicFile, FileError, Fingerprint, Shard};
use format::HeaderProblem;

/// What a log is about; a log can be resumed only by the same job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// What a person would call it, such as the command line; only shown, never compared.
    pub title: String,
    /// Digest of everything that decides the results: command, options, input.
    pub fingerprint: Fingerprint,
    /// Number of items of the whole job, over all shards.
    pub items: usize,
    /// The part that this log holds.
    pub shard: Shard,
}

/// What opening a log again had to repair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Recovery {
    /// Items that are done.
    pub done: usize,
    /// Bytes of a torn last line that were cut off.
    pub truncated_bytes: u64,
    /// Whole lines that were damaged; their items are done again.
    pub ignored_lines: usize,
}

/// Place of one line in the file.
#[derive(Clone, Copy, Debug)]
struct Span {
    /// First byte.
    start: u64,
    /// Bytes, without the line break.
    length: usize,
}

/// An append-only file of finished items.
///
/// While it is open, no other process can open it for writing.
///
/// # Examples
/// ```
/// use outflank_jobs::{Fingerprint, Job, LogError, ResultLog, Shard};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("job.log");
/// let job = Job {
///     title: "solve ten positions".to_owned(),
///     fingerprint: Fingerprint::default().with(b"solve").with(b"contents of the input"),
///     items: 10,
///     shard: "1/2".parse()?,
/// };
/// let mut log = ResultLog::create(&path, job.clone())?;
/// log.append(4, r#"{"value":12}"#)?;
/// drop(log);
///
/// let mut log = ResultLog::resume(&path, job.clone())?;
/// assert!(log.is_done(4));
/// assert_eq!(log.pending().collect::<Vec<_>>(), [0, 2, 6, 8]);
/// assert_eq!(log.result(4)?.as_deref(), Some(r#"{"value":12}"#));
/// drop(log);
///
/// let other = Job { fingerprint: Fingerprint::default().with(b"other input"), ..job };
/// assert!(matches!(ResultLog::resume(&path, other), Err(LogError::OtherJob { .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ResultLog {
    file: File,
    path: PathBuf,
    job: Job,
    /// Where the line of each finished item is.
    spans: BTreeMap<usize, Span>,
    /// Bytes of the file up to the end of the last whole line; the next line goes there.
    end: u64,
    recovery: Recovery,
}

impl ResultLog {
    /// Starts a log for `job` in a new file.
    ///
    /// # Errors
    /// [`LogError::Exists`] if there is such a file already.
    pub fn create(path: impl AsRef<Path>, job: Job) -> Result<Self, LogError> {
        let path = path.as_ref();
        let opened = OpenOptions::new()
            .read(true)
            .write(true)
            .create_new(true)
            .open(path);
        let file = opened.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => LogError::Exists {
                path: path.to_path_buf(),
            },
            _ => FileError::of("create", path)(error).into(),
        })?;
        lock(&file, path)?;
        let mut log = Self::new(file, path, job);
        log.start()?;
        Ok(log)
    }

    /// Opens the log of `job` to go on with it, or starts one if there is none.
    ///
    /// # Errors
    /// [`LogError::OtherJob`] if it was written by a job with another fingerprint, number of items or shard.
    pub fn resume(path: impl AsRef<Path>, job: Job) -> Result<Self, LogError> {
        let path = path.as_ref();
        let opened = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path);
        let file = opened.map_err(FileError::of("open", path))?;
        lock(&file, path)?;
        let mut log = Self::new(file, path, job);
        match log.read_header()? {
            None => log.start()?,
            Some(found) => {
                log.require_same(&found)?;
                log.scan()?;
                log.cut().map_err(FileError::of("repair", path))?;
            }
        }
        Ok(log)
    }

    /// Opens any log for reading, without locking or changing it.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, LogError> {
        let path = path.as_ref();
        let file = File::open(path).map_err(FileError::of("open", path))?;
        let nothing = Job {
            title: String::new(),
            fingerprint: Fingerprint::default(),
            items: 0,
            shard: Shard::WHOLE,
        };
        let mut log = Self::new(file, path, nothing);
        log.job = log.read_header()?.ok_or_else(|| LogError::NotALog {
            path: path.to_path_buf(),
        })?;
        log.scan()?;
        Ok(log)
    }

    fn new(file: File, path: &Path, job: Job) -> Self {
        let path = path.to_path_buf();
        Self {
            file,
            path,
            job,
            spans: BTreeMap::new(),
            end: 0,
            recovery: Recovery::default(),
        }
    }

    /// Returns the job that the log belongs to.
    pub const fn job(&self) -> &Job {
        &self.job
    }

    /// Returns the file's path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns what opening the log found and repaired.
    pub const fn recovery(&self) -> Recovery {
        self.recovery
    }

    /// Reports whether the log holds the result of `item`.
    pub fn is_done(&self, item: usize) -> bool {
        self.spans.contains_key(&item)
    }

    /// Returns the number of finished items.
    pub fn n_done(&self) -> usize {
        self.spans.len()
    }

    /// Iterates in order over the items of this shard that are not done.
    pub fn pending(&self) -> impl Iterator<Item = usize> {
        self.job
            .shard
            .items(self.job.items)
            .filter(|item| !self.is_done(*item))
    }

    /// Reports whether all items of this shard are done.
    pub fn is_complete(&self) -> bool {
        self.n_done() == self.job.shard.len(self.job.items)
    }

    /// Writes the result of `item`: one line of text.
    ///
    /// The line is with the operating system when this returns, so that the death of this process cannot harm it; a
    /// power failure can, until [`sync`](Self::sync).
    /// A second result for the same item is not written.
    pub fn append(&mut self, item: usize, result: &str) -> Result<(), LogError> {
        if item >= self.job.items || !self.job.shard.contains(item) {
            return Err(LogError::NotOurItem {
                item,
                items: self.job.items,
                shard: self.job.shard,
            });
        }
        if result.contains('\n') {
            return Err(LogError::LineBreak { item });
        }
        if self.is_done(item) {
            return Ok(());
        }
        let line = format::record(self.job.fingerprint, item, result);
        let start = self.end;
        self.write(&line)?;
        self.spans.insert(
            item,
            Span {
                start,
                length: line.len() - 1,
            },
        );
        Ok(())
    }

    /// Puts all that was written safely on the disk, so that it survives a power failure.
    ///
    /// Cost: milliseconds, so not for every item.
    pub fn sync(&self) -> Result<(), LogError> {
        Ok(self
            .file
            .sync_data()
            .map_err(FileError::of("write", &self.path))?)
    }

    /// Reads the result of `item`; `None` if it is not done.
    pub fn result(&mut self, item: usize) -> Result<Option<String>, LogError> {
        let Some(&span) = self.spans.get(&item) else {
            return Ok(None);
        };
        let line = self.read_span(span).map_err(FileError::of("read", &self.path))?;
        match format::parse_record(self.job.fingerprint, &line) {
            Some((found, payload)) if found == item => Ok(Some(payload.to_owned())),
            _ => Err(LogError::Changed {
                path: self.path.clone(),
                item,
            }),
        }
    }

    /// Reads all results there are, in the order of their items.
    pub fn results(&mut self) -> Result<Vec<String>, LogError> {
        let items: Vec<usize> = self.spans.keys().copied().collect();
        items
            .into_iter()
            .filter_map(|item| self.result(item).transpose())
            .collect()
    }

    /// Writes all results there are to a file, one a line in the order of their items, completely or not at all.
    pub fn write_results(&mut self, path: impl AsRef<Path>) -> Result<(), LogError> {
        let path = path.as_ref();
        let mut file = AtomicFile::create(path)?;
        let items: Vec<usize> = self.spans.keys().copied().collect();
        for item in items {
            if let Some(result) = self.result(item)? {
                writeln!(file, "{result}").map_err(FileError::of("write", path))?;
            }
        }
        Ok(file.commit()?)
    }

    /// Writes the first line over whatever is there.
    fn start(&mut self) -> Result<(), LogError> {
        self.end = 0;
        self.cut().map_err(FileError::of("write", &self.path))?;
        self.write(&format::header(&self.job))?;
        self.sync()?;
        Ok(sync_folder(&self.path).map_err(FileError::of("create", &self.path))?)
    }

    /// Writes one line at the end; on failure the file ends where it did before.
    fn write(&mut self, line: &str) -> Result<(), LogError> {
        let mut write = || {
            self.file.seek(SeekFrom::Start(self.end))?;
            self.file.write_all(line.as_bytes())
        };
        if let Err(error) = write() {
            // If this fails too, the torn line is cut off when the log is opened again.
            drop(self.cut());
            return Err(FileError::of("write", &self.path)(error).into());
        }
        self.end += line.len() as u64;
        Ok(())
    }

    /// Cuts off everything behind the last whole line.
    fn cut(&mut self) -> io::Result<()> {
        self.file.set_len(self.end)
    }

    /// Reads the first line; `None` if the file is empty or ends within a first line of ours.
    fn read_header(&mut self) -> Result<Option<Job>, LogError> {
        let mut line = Vec::new();
        self.file
            .seek(SeekFrom::Start(0))
            .map_err(FileError::of("read", &self.path))?;
        let mut reader = BufReader::new(&self.file).take(format::MAX_HEADER);
        reader
            .read_until(b'\n', &mut line)
            .map_err(FileError::of("read", &self.path))?;
        if line.pop_if(|last| *last == b'\n').is_none() {
            let common = line.len().min(format::BEGINNING.len());
            if line[..common] == format::BEGINNING[..common] && (line.len() as u64) < format::MAX_HEADER {
                return Ok(None);
            }
            return Err(LogError::NotALog {
                path: self.path.clone(),
            });
        }
        self.end = line.len() as u64 + 1;
        let parsed = format::parse_header(&line);
        parsed.map(Some).map_err(|problem| match problem {
            HeaderProblem::NotALog => LogError::NotALog {
                path: self.path.clone(),
            },
            HeaderProblem::Version(version) => LogError::Version {
                path: self.path.clone(),
                version,
            },
        })
    }

    /// Compares the job in the file with the one that wants to resume it.
    fn require_same(&self, found: &Job) -> Result<(), LogError> {
        let difference = if found.shard != self.job.shard {
            format!("shard {}, not {}", found.shard, self.job.shard)
        } else if found.items != self.job.items {
            format!("{} items, not {}", found.items, self.job.items)
        } else if found.fingerprint != self.job.fingerprint {
            "other input or options".to_owned()
        } else {
            return Ok(());
        };
        let (path, title) = (self.path.clone(), found.title.clone());
        Err(LogError::OtherJob {
            path,
            title,
            difference,
        })
    }

    /// Finds the lines behind the first one, and where the last whole line ends.
    fn scan(&mut self) -> Result<(), LogError> {
        let fail = |error| FileError::of("read", &self.path)(error);
        self.file.seek(SeekFrom::Start(self.end)).map_err(fail)?;
        let mut reader = BufReader::with_capacity(1 << 16, &self.file);
        let mut line = Vec::new();
        loop {
            line.clear();
            let length = reader.read_until(b'\n', &mut line).map_err(fail)?;
            if length == 0 {
                break;
            }
            if line.pop_if(|last| *last == b'\n').is_none() {
                self.recovery.truncated_bytes = length as u64;
                break;
            }
            let is_ours = |item: &usize| *item < self.job.items && self.job.shard.contains(*item);
            match format::parse_record(self.job.fingerprint, &line)
                .map(|(item, _)| item)
                .filter(is_ours)
            {
                Some(item) => {
                    self.spans.entry(item).or_insert(Span {
                        start: self.end,
                        length: line.len(),
                    });
                }
                None => self.recovery.ignored_lines += 1,
            }
            self.end += length as u64;
        }
        self.recovery.done = self.spans.len();
        Ok(())
    }

    fn read_span(&mut self, span: Span) -> io::Result<Vec<u8>> {
        let mut line = vec![0; span.length];
        self.file.seek(SeekFrom::Start(span.start))?;
        self.file.read_exact(&mut line)?;
        Ok(line)
    }
}

/// Keeps other processes from writing to the same log.
fn lock(file: &File, path: &Path) -> Result<(), LogError> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(LogError::InUse {
            path: path.to_path_buf(),
        }),
        // A file system without locks is no reason to refuse the work.
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(()),
        Err(TryLockError::Error(error)) => Err(FileError::of("lock", path)(error).into()),
    }
}

/// Why a log cannot be used.
#[derive(Debug, Error)]
pub enum LogError {
    /// The system refused.
    #[error(transparent)]
    File(#[from] FileError),
    /// A new log would overwrite an old one.
    #[error("{} exists already; resume the job (--resume), or choose another file", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// Another process has it open.
    #[error("{} is in use by another process; wait for it or stop it", path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// The file holds something else.
    #[error("{} is no result log, or its first line was changed; choose another file", path.display())]
    NotALog {
        /// The file.
        path: PathBuf,
    },
    /// The log was written by a later program.
    #[error(
        "{}: made by a newer Outflank (version {version} of the log; this one knows 1): update Outflank",
        path.display()
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// The version it names.
        version: String,
    },
    /// The log belongs to another job.
    #[error("{} belongs to another job ({difference}); it was started as: {title}", path.display())]
    OtherJob {
        /// The file.
        path: PathBuf,
        /// The other job's title.
        title: String,
        /// What differs.
        difference: String,
    },
    /// A result has more than one line.
    #[error("the result of item {item} contains a line break; a result is one line")]
    LineBreak {
        /// The item, counted from 0.
        item: usize,
    },
    /// The item does not belong to the log.
    #[error("item {item} is not one of the {items} items of shard {shard}")]
    NotOurItem {
        /// The item, counted from 0.
        item: usize,
        /// Number of items of the whole job.
        items: usize,
        /// The log's shard.
        shard: Shard,
    },
    /// The file was changed while it was open.
    #[error("{}: the line of item {item} was changed by another program", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
        /// The item, counted from 0.
        item: usize,
    },
}

#[cfg(test)]
mod tests;
