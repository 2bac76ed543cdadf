//! Files that are there completely or not at all.
//!
//! The contents go to a temporary file in the same folder; when they are safe on the disk, the file takes its real
//! name in one step.
//! Whoever opens the name sees the old contents or the new ones, even after a power failure, never a part.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Left-over temporary files of one target, after which a new one is refused.
const MAX_LEFTOVERS: usize = 1000;

/// Something could not be done to a file.
#[derive(Debug, Error)]
#[error("cannot {action} {}: {source}", path.display())]
pub struct FileError {
    /// What was tried: a verb such as `create`.
    pub action: &'static str,
    /// The file.
    pub path: PathBuf,
    /// What the system said.
    pub source: io::Error,
}

impl FileError {
    /// Returns a function that wraps what the system said.
    pub(crate) fn of(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_path_buf();
        move |source| Self { action, path, source }
    }
}

/// Writes a whole file: afterwards `path` holds `bytes`, or, on error, what it held before.
///
/// # Examples
/// ```
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("result.txt");
/// outflank_jobs::write_atomic(&path, b"42\n")?;
/// assert_eq!(std::fs::read(&path)?, b"42\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_atomic(path: impl AsRef<Path>, bytes: &[u8]) -> Result<(), FileError> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(bytes)
        .map_err(FileError::of("write", &file.target))?;
    file.commit()
}

/// A file under construction, which takes its name when it is [committed](AtomicFile::commit).
///
/// Dropping it without that leaves the target as it was.
/// A process that is killed leaves a file `.NAME.N.tmp` behind, which the next one that writes this file takes over.
///
/// # Examples
/// ```
/// use std::io::Write as _;
/// use outflank_jobs::AtomicFile;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("result.txt");
/// let mut file = AtomicFile::create(&path)?;
/// writeln!(file, "first line")?;
/// assert!(!path.exists());
/// file.commit()?;
/// assert_eq!(std::fs::read_to_string(&path)?, "first line\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct AtomicFile {
    /// The temporary file; `None` once it has been committed.
    writer: Option<BufWriter<File>>,
    temporary: PathBuf,
    target: PathBuf,
}

impl AtomicFile {
    /// Starts a file that will be called `path`, in a folder that exists.
    ///
    /// If `path` is a link, the file it leads to is replaced, not the link.
    /// The permissions of a file that is replaced are kept.
    pub fn create(path: impl AsRef<Path>) -> Result<Self, FileError> {
        let path = path.as_ref();
        let fail = |error| FileError::of("create", path)(error);
        let target = match fs::canonicalize(path) {
            Ok(target) => target,
            Err(error) if error.kind() == io::ErrorKind::NotFound => path.to_path_buf(),
            Err(error) => return Err(fail(error)),
        };
        let permissions = match fs::metadata(&target) {
            Ok(metadata) if metadata.is_dir() => return Err(fail(io::ErrorKind::IsADirectory.into())),
            Ok(metadata) => Some(metadata.permissions()),
            Err(_) => None,
        };
        let name = target
            .file_name()
            .ok_or_else(|| fail(io::ErrorKind::InvalidFilename.into()))?;
        let (file, temporary) = create_temporary(&target, name).map_err(fail)?;
        let atomic = Self {
            writer: Some(BufWriter::new(file)),
            temporary,
            target,
        };
        if let Some(permissions) = permissions {
            fs::set_permissions(&atomic.temporary, permissions).map_err(fail)?;
        }
        Ok(atomic)
    }

    /// Puts the contents safely on the disk and gives the file its name.
    pub fn commit(mut self) -> Result<(), FileError> {
        let Some(mut writer) = self.writer.take() else {
            return Ok(());
        };
        // It is locked until it has its name.
        let done = finish(&mut writer).and_then(|()| fs::rename(&self.temporary, &self.target));
        if let Err(error) = done {
            discard(&self.temporary);
            return Err(FileError::of("write", &self.target)(error));
        }
        sync_folder(&self.target).map_err(FileError::of("write", &self.target))
    }

    fn writer(&mut self) -> io::Result<&mut BufWriter<File>> {
        self.writer
            .as_mut()
            .ok_or_else(|| io::Error::other("the file is closed"))
    }
}

/// Creates a file `.NAME.N.tmp` beside `target`, with the first `N` that is free or was left by a process that is gone:
/// whoever writes one holds a lock on it.
fn create_temporary(target: &Path, name: &std::ffi::OsStr) -> io::Result<(File, PathBuf)> {
    for number in 0..MAX_LEFTOVERS {
        let mut hidden = OsString::from(".");
        hidden.push(name);
        hidden.push(format!(".{number}.tmp"));
        let path = target.with_file_name(hidden);
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                if let Some(file) = abandoned(&path) {
                    return Ok((file, path));
                }
            }
            Err(error) => return Err(error),
            // Locked by somebody who took it for abandoned, in the moment before this; without locks, nobody does.
            Ok(file) => match file.try_lock() {
                Err(TryLockError::WouldBlock) => {}
                _ => return Ok((file, path)),
            },
        }
    }
    Err(io::Error::other(format!(
        "{MAX_LEFTOVERS} temporary files .NAME.N.tmp lie beside it already; delete them"
    )))
}

/// Takes a temporary file over that nobody writes any longer.
#[cfg(unix)]
fn abandoned(path: &Path) -> Option<File> {
    use std::os::unix::fs::MetadataExt as _;
    let file = OpenOptions::new().write(true).open(path).ok()?;
    file.try_lock().ok()?;
    // It may have got its real name since it was opened, or be a link to something else.
    let (opened, there) = (file.metadata().ok()?, fs::symlink_metadata(path).ok()?);
    let is_it = (opened.dev(), opened.ino()) == (there.dev(), there.ino()) && opened.nlink() == 1;
    (is_it && file.set_len(0).is_ok()).then_some(file)
}

/// Other systems do not tell whether a file is still the one of this name.
#[cfg(not(unix))]
fn abandoned(_path: &Path) -> Option<File> {
    None
}

fn finish(writer: &mut BufWriter<File>) -> io::Result<()> {
    writer.flush()?;
    writer.get_ref().sync_all()
}

/// Removes a file that nobody will miss; that it cannot be removed is no reason to fail.
fn discard(path: &Path) {
    drop(fs::remove_file(path));
}

/// Makes a new name in a folder survive a power failure.
#[cfg(unix)]
pub(crate) fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    File::open(folder)?.sync_all()
}

/// Other systems have no such call for folders.
#[cfg(not(unix))]
pub(crate) fn sync_folder(_path: &Path) -> io::Result<()> {
    Ok(())
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer()?.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer()?.flush()
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if let Some(writer) = self.writer.take() {
            // Before the lock goes, and without writing what is left.
            discard(&self.temporary);
            drop(writer.into_parts());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name());
        let mut names: Vec<String> = entries.map(|name| name.to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn the_old_contents_stay_until_the_commit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        write_atomic(&path, b"old").unwrap();
        let mut file = AtomicFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        file.flush().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        file.commit().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(names(folder.path()), ["a.txt"]);
    }

    #[test]
    fn dropping_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = AtomicFile::create(folder.path().join("a.txt")).unwrap();
        file.write_all(b"new").unwrap();
        drop(file);
        assert_eq!(names(folder.path()), Vec::<String>::new());
    }

    #[test]
    fn left_over_files_of_killed_processes_do_not_matter() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        fs::write(folder.path().join(".a.txt.0.tmp"), b"torn").unwrap();
        write_atomic(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        if cfg!(unix) {
            assert_eq!(names(folder.path()), ["a.txt"], "taken over");
        }
    }

    #[test]
    fn two_who_write_the_same_file_do_not_disturb_each_other() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        let mut one = AtomicFile::create(&path).unwrap();
        let mut other = AtomicFile::create(&path).unwrap();
        one.write_all(b"one, which is longer").unwrap();
        other.write_all(b"other").unwrap();
        assert_eq!(names(folder.path()), [".a.txt.0.tmp", ".a.txt.1.tmp"]);
        one.commit().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one, which is longer");
        other.commit().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"other");
        assert_eq!(names(folder.path()), ["a.txt"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_in_place_of_a_temporary_file_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let (path, precious) = (folder.path().join("a.txt"), folder.path().join("precious"));
        fs::write(&precious, b"precious").unwrap();
        std::os::unix::fs::symlink("precious", folder.path().join(".a.txt.0.tmp")).unwrap();
        fs::hard_link(&precious, folder.path().join(".a.txt.1.tmp")).unwrap();
        write_atomic(&path, b"new").unwrap();
        assert_eq!(fs::read(&precious).unwrap(), b"precious");
        assert_eq!(fs::read(&path).unwrap(), b"new");
    }

    #[test]
    fn errors_name_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let error = write_atomic(folder.path(), b"x").unwrap_err().to_string();
        assert!(
            error.starts_with("cannot create ") && error.contains(&folder.path().display().to_string()),
            "{error}"
        );
        let missing = folder.path().join("no/such/folder");
        let error = write_atomic(&missing, b"x").unwrap_err().to_string();
        assert!(error.contains("no/such/folder"), "{error}");
        assert!(write_atomic("", b"x").is_err());
        assert!(write_atomic("/", b"x").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_are_kept() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};

        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("a.txt"), folder.path().join("link"));
        fs::write(&path, b"old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        symlink("a.txt", &link).unwrap();
        write_atomic(&link, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    }
}
