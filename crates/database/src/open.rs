//! Opening a file: what is no database of games is refused by name, and stays as it is.

use crate::{
    Error,
    schema::{APPLICATION_ID, TABLES, VERSION},
};
use rusqlite::{Connection, OpenFlags, config::DbConfig};
use std::{
    fs::File,
    io::{self, Read as _},
    path::Path,
    time::Duration,
};

/// The first bytes of every SQLite file.
const MAGIC: &[u8] = b"SQLite format 3\0";

/// How long to wait for another program that writes.
const PATIENCE: Duration = Duration::from_secs(10);

/// Bytes that SQLite keeps of the file in memory, in KiB.
const CACHE_KIB: i32 = 64 << 10;

/// What there is before a file is opened.
enum Kind {
    Nothing,
    Database,
}

fn look(path: &Path) -> Result<Kind, Error> {
    let failed = |reason| Error::Io {
        path: path.to_owned(),
        reason,
    };
    let mut head = Vec::new();
    match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Kind::Nothing),
        Err(error) => return Err(failed(error)),
        Ok(file) => file
            .take(MAGIC.len() as u64)
            .read_to_end(&mut head)
            .map_err(failed)?,
    };
    match &head[..] {
        // What is left where the very first import was killed.
        [] => Ok(Kind::Nothing),
        head if head == MAGIC => Ok(Kind::Database),
        _ => Err(Error::NotADatabase(path.to_owned())),
    }
}

fn prepare(connection: &Connection) -> Result<(), Error> {
    connection.busy_timeout(PATIENCE)?;
    // A file made by somebody else must not be able to do harm.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "cache_size", -CACHE_KIB)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(())
}

fn number(connection: &Connection, name: &str) -> Result<i32, Error> {
    Ok(connection.pragma_query_value(None, name, |row| row.get(0))?)
}

/// Checks that a database is one of ours; `false` if it is still empty.
fn is_ours(connection: &Connection, path: &Path) -> Result<bool, Error> {
    let (id, version) = (
        number(connection, "application_id")?,
        number(connection, "user_version")?,
    );
    let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    match (id, version) {
        (0, 0) if tables == 0 => Ok(false),
        (APPLICATION_ID, 1..=VERSION) => Ok(true),
        (APPLICATION_ID, found) if found > VERSION => Err(Error::Newer {
            path: path.to_owned(),
            found,
            known: VERSION,
        }),
        (id, _) => Err(Error::Foreign {
            path: path.to_owned(),
            id,
        }),
    }
}

/// Opens a database that is there, for reading.
pub(crate) fn read(path: &Path) -> Result<Connection, Error> {
    if matches!(look(path)?, Kind::Nothing) {
        return Err(Error::Missing(path.to_owned()));
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let open = || {
        let connection = Connection::open_with_flags(path, flags)?;
        prepare(&connection)?;
        is_ours(&connection, path).map(|is_ours| (connection, is_ours))
    };
    let (connection, is_ours) = match open() {
        // In a folder that may not be written, the file cannot be shared with a writer, and there is none.
        Err(Error::Sqlite(error)) if is_closed_folder(&error) => {
            let connection =
                Connection::open_with_flags(unchanging(path), flags | OpenFlags::SQLITE_OPEN_URI)?;
            prepare(&connection)?;
            let is_ours = is_ours(&connection, path)?;
            (connection, is_ours)
        }
        opened => opened?,
    };
    if is_ours {
        Ok(connection)
    } else {
        Err(Error::Missing(path.to_owned()))
    }
}

fn is_closed_folder(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode::{CannotOpen, PermissionDenied, ReadOnly};
    matches!(
        error.sqlite_error_code(),
        Some(CannotOpen | PermissionDenied | ReadOnly)
    )
}

/// Returns the name by which SQLite opens a file that nobody writes.
fn unchanging(path: &Path) -> String {
    let mut name = "file:".to_owned();
    for &byte in path.as_os_str().as_encoded_bytes() {
        if byte.is_ascii_alphanumeric() || b"/._-".contains(&byte) {
            name.push(char::from(byte));
        } else {
            name.extend(['%', hex(byte >> 4), hex(byte & 15)]);
        }
    }
    name + "?immutable=1"
}

fn hex(digit: u8) -> char {
    char::from_digit(digit.into(), 16).unwrap_or('0')
}

/// Opens a database for reading and writing, and makes it if it is not there.
pub(crate) fn write(path: &Path) -> Result<Connection, Error> {
    look(path)?;
    let flags =
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    prepare(&connection)?;
    if !is_ours(&connection, path)? {
        // Both hold from the first page on; large pages suit large parts of the index.
        connection.pragma_update(None, "page_size", 16384)?;
    }
    // Readers go on beside a writer, and what was written in part is gone after a crash.
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "journal_size_limit", 0)?;
    connection.execute_batch("BEGIN IMMEDIATE")?;
    if !is_ours(&connection, path)? {
        connection.execute_batch(TABLES)?;
        connection.pragma_update(None, "application_id", APPLICATION_ID)?;
        connection.pragma_update(None, "user_version", VERSION)?;
    }
    connection.execute_batch("COMMIT")?;
    Ok(connection)
}
