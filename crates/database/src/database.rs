//! A database for reading: one state of the file, with what was read of it kept.

use crate::{Error, Import, check, open, rows, segments};
use outflank_games::{GameRef, Moves, NameKind, Names, Segment, Slice, Store};
use rusqlite::{Connection, params};
use std::{
    cell::{OnceCell, RefCell},
    collections::BTreeMap,
    path::Path,
    sync::Arc,
};

/// Parts of the index that are kept, some 70 MB.
const KEPT_PARTS: usize = 256;

/// A source of games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceInfo {
    /// Its name.
    pub name: String,
    /// What tells that it is the same.
    pub digest: String,
    /// Games in it.
    pub games: u64,
    /// Games that could not be read.
    pub bad: u64,
}

/// The segments, and their numbers in the file.
type Segments = (Vec<Segment>, Vec<i64>);

/// A part's segment, number of discs, and number.
type PartKey = (i64, usize, i64);

/// An open database of games.
#[derive(Debug)]
pub struct Database {
    pub(crate) connection: Connection,
    segments: OnceCell<Segments>,
    players: OnceCell<Names>,
    events: OnceCell<Names>,
    sources: OnceCell<Names>,
    parts: RefCell<BTreeMap<PartKey, Arc<[u8]>>>,
    is_writable: bool,
}

impl Database {
    /// Opens a database that is there, for reading.
    ///
    /// # Errors
    ///
    /// There is none, or what is there is not a database of games.
    pub fn open(path: &Path) -> Result<Self, Error> {
        Self::of(open::read(path)?, false)
    }

    /// Opens a database for reading and importing, and makes it if it is not there.
    ///
    /// # Errors
    ///
    /// What is there is not a database of games, or it cannot be written.
    pub fn create(path: &Path) -> Result<Self, Error> {
        Self::of(open::write(path)?, true)
    }

    fn of(connection: Connection, is_writable: bool) -> Result<Self, Error> {
        let database = Self {
            connection,
            segments: OnceCell::new(),
            players: OnceCell::new(),
            events: OnceCell::new(),
            sources: OnceCell::new(),
            parts: RefCell::default(),
            is_writable,
        };
        database.hold()?;
        Ok(database)
    }

    /// Holds the present state of the file until [`Database::release`].
    pub(crate) fn hold(&self) -> Result<(), Error> {
        self.connection.execute_batch("BEGIN")?;
        let _first: i64 = self
            .connection
            .query_row("SELECT count(*) FROM segments", [], |row| row.get(0))?;
        Ok(())
    }

    /// Lets go of the state and forgets what was read of it.
    pub(crate) fn release(&mut self) -> Result<(), Error> {
        self.segments.take();
        self.players.take();
        self.events.take();
        self.sources.take();
        self.parts.borrow_mut().clear();
        if !self.connection.is_autocommit() {
            self.connection.execute_batch("COMMIT")?;
        }
        Ok(())
    }

    /// Sees what was written since the database was opened.
    ///
    /// # Errors
    ///
    /// The file cannot be read any more.
    pub fn refresh(&mut self) -> Result<(), Error> {
        self.release()?;
        self.hold()
    }

    /// Begins an import; nobody else can import until it has ended.
    ///
    /// # Errors
    ///
    /// Somebody else is importing, or the database was opened for reading only.
    pub fn import(&mut self) -> Result<Import<'_>, Error> {
        if !self.is_writable {
            return Err(Error::Sqlite(rusqlite::Error::SqliteFailure(
                rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_READONLY),
                Some("the database was opened for reading only".to_owned()),
            )));
        }
        Import::new(self)
    }

    /// Returns the sources, by name.
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub fn source_list(&self) -> Result<Vec<SourceInfo>, Error> {
        let mut statement = self
            .connection
            .prepare_cached("SELECT name, digest, games, bad FROM sources ORDER BY name")?;
        let rows = statement.query_map([], |row| {
            Ok(SourceInfo {
                name: row.get(0)?,
                digest: row.get(1)?,
                games: row.get::<_, u32>(2)?.into(),
                bad: row.get::<_, u32>(3)?.into(),
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Looks at everything in the file, and returns what is wrong with it; `on_step` hears of each part of the work and
    /// says whether to go on.
    ///
    /// # Errors
    ///
    /// The file cannot be read, which is more than being wrong.
    pub fn check(&self, on_step: &mut dyn FnMut(&str) -> bool) -> Result<Vec<String>, Error> {
        check::check(&self.connection, on_step)
    }

    fn loaded(&self) -> Result<&Segments, Error> {
        if let Some(segments) = self.segments.get() {
            return Ok(segments);
        }
        let (ids, read) = segments::read(&self.connection)?.into_iter().unzip();
        Ok(self.segments.get_or_init(|| (read, ids)))
    }

    fn id(&self, game: GameRef) -> Result<u32, Error> {
        let facts = self.facts(game)?;
        facts.map(|facts| facts.id).ok_or_else(|| {
            Error::Damaged(format!(
                "there is no game {} in segment {}",
                game.number, game.segment
            ))
        })
    }

    fn part(&self, key: PartKey) -> Result<Arc<[u8]>, Error> {
        if let Some(part) = self.parts.borrow().get(&key) {
            return Ok(Arc::clone(part));
        }
        let mut statement = self.connection.prepare_cached(
            "SELECT entries FROM positions WHERE segment = ?1 AND discs = ?2 AND part = ?3",
        )?;
        let bytes = statement.query_row(params![key.0, key.1 as i64, key.2], |row| {
            Ok(Arc::<[u8]>::from(row.get_ref(0)?.as_blob()?))
        })?;
        let mut parts = self.parts.borrow_mut();
        if parts.len() >= KEPT_PARTS {
            parts.clear();
        }
        parts.insert(key, Arc::clone(&bytes));
        Ok(bytes)
    }
}

impl Store for Database {
    type Error = Error;

    fn segments(&self) -> Result<&[Segment], Error> {
        Ok(&self.loaded()?.0)
    }

    fn entries(
        &self,
        segment: usize,
        discs: usize,
        fingerprint: u64,
        take: &mut dyn FnMut(Slice<'_>),
    ) -> Result<(), Error> {
        let Some(&id) = self.loaded()?.1.get(segment) else {
            return Ok(());
        };
        let mut statement = self.connection.prepare_cached(
            "SELECT part FROM positions WHERE segment = ?1 AND discs = ?2 AND first <= ?3 AND last >= ?3 ORDER BY part",
        )?;
        let parts = statement.query_map(params![id, discs as i64, fingerprint as i64], |row| row.get(0))?;
        for part in parts.collect::<Result<Vec<i64>, _>>()? {
            let bytes = self.part((id, discs, part))?;
            let slice = Slice::from_bytes(&bytes)
                .ok_or_else(|| Error::Damaged(format!("part {part} of the index has a wrong length")))?;
            take(slice);
        }
        Ok(())
    }

    fn moves(&self, game: GameRef) -> Result<Moves, Error> {
        rows::moves(&self.connection, self.id(game)?)
    }

    fn tags(&self, game: GameRef) -> Result<Vec<(String, String)>, Error> {
        rows::tags(&self.connection, self.id(game)?)
    }

    fn number(&self, game: GameRef) -> Result<u32, Error> {
        let id = self.id(game)?;
        let mut statement = self
            .connection
            .prepare_cached("SELECT number FROM games WHERE id = ?1")?;
        Ok(statement.query_row([id], |row| row.get(0))?)
    }

    fn names(&self, kind: NameKind) -> Result<&Names, Error> {
        let (slot, table) = match kind {
            NameKind::Players => (&self.players, "players"),
            NameKind::Events => (&self.events, "events"),
            NameKind::Sources => (&self.sources, "sources"),
        };
        if let Some(names) = slot.get() {
            return Ok(names);
        }
        let names = rows::names(&self.connection, table)?;
        Ok(slot.get_or_init(|| names))
    }
}
