//! Importing: sources come whole or not at all, and the collection does not depend on the order in which they came.

use crate::{Database, Error, rows, segments};
use outflank_games::{
    Entry, Facts, Flags, Moves, Name, Names, Segment,
    duplicates::{self, Candidate, Key},
};
use rusqlite::{Connection, OptionalExtension as _, params};
use std::collections::{BTreeMap, BTreeSet};

/// New games after which what is complete is kept for good.
const BATCH: usize = 250_000;

/// What a source is to the collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It is there as it is: nothing is to be done.
    Unchanged,
    /// It was not there.
    New,
    /// It was there with other contents, which are gone.
    Replaced,
}

/// What an import did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// Sources that were not there.
    pub new: u64,
    /// Sources that had other contents.
    pub replaced: u64,
    /// Sources that were there already.
    pub unchanged: u64,
    /// Games that were added.
    pub games: u64,
    /// Games that could not be read.
    pub bad: u64,
    /// Games of former contents, which are gone.
    pub removed: u64,
    /// Games in the whole collection.
    pub total: u64,
    /// Duplicates in the whole collection.
    pub duplicates: u64,
}

/// A source that is being read.
#[derive(Debug)]
struct Current {
    id: u32,
    change: Change,
    /// New games before it.
    first: usize,
    removed: Vec<u32>,
}

/// Numbers of names.
type Numbers = BTreeMap<String, u32>;

/// An import that is under way; what is not finished is undone.
#[derive(Debug)]
pub struct Import<'a> {
    database: &'a mut Database,
    current: Option<Current>,
    /// New games that are not indexed yet, in the order of their numbers.
    games: Vec<(Facts, Moves)>,
    /// Games that are gone and still indexed.
    removed: BTreeSet<u32>,
    next_game: u32,
    /// Of players and events.
    numbers: [Option<Numbers>; 2],
    imported: Imported,
    is_changed: bool,
    is_done: bool,
}

const NAMES: [&str; 2] = ["players", "events"];

impl<'a> Import<'a> {
    pub(crate) fn new(database: &'a mut Database) -> Result<Self, Error> {
        database.release()?;
        let mut import = Self {
            database,
            current: None,
            games: Vec::new(),
            removed: BTreeSet::new(),
            next_game: 0,
            numbers: [None, None],
            imported: Imported::default(),
            is_changed: false,
            is_done: false,
        };
        import.connection().execute_batch("BEGIN IMMEDIATE")?;
        let last: Option<u32> = import
            .connection()
            .query_row("SELECT max(id) FROM games", [], |row| row.get(0))?;
        import.next_game = last.unwrap_or(0) + 1;
        Ok(import)
    }

    fn connection(&self) -> &Connection {
        &self.database.connection
    }

    /// Begins a source; unless it is unchanged its games are to follow, and [`Import::end`] after them.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn begin(&mut self, name: &str, digest: &str) -> Result<Change, Error> {
        self.abandon()?;
        let mut statement = self
            .connection()
            .prepare_cached("SELECT id, digest FROM sources WHERE name = ?1")?;
        let known: Option<(u32, String)> = statement
            .query_row([name], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        drop(statement);
        if known.as_ref().is_some_and(|known| known.1 == digest) {
            self.imported.unchanged += 1;
            return Ok(Change::Unchanged);
        }
        let connection = self.connection();
        connection.execute_batch("SAVEPOINT source")?;
        let (id, removed, change) = if let Some((id, _)) = known {
            let removed = remove_games(connection, id)?;
            connection.execute(
                "UPDATE sources SET digest = ?2 WHERE id = ?1",
                params![id, digest],
            )?;
            (id, removed, Change::Replaced)
        } else {
            let sql = "INSERT INTO sources (name, digest, games, bad) VALUES (?1, ?2, 0, 0)";
            connection.execute(sql, [name, digest])?;
            let id = u32::try_from(connection.last_insert_rowid()).map_err(|_| Error::Full)?;
            (id, Vec::new(), Change::New)
        };
        self.current = Some(Current {
            id,
            change,
            first: self.games.len(),
            removed,
        });
        Ok(change)
    }

    /// Adds a game of the source that was begun; without one nothing happens.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn add(&mut self, entry: &Entry) -> Result<(), Error> {
        let Some(source) = self.current.as_ref().map(|current| current.id) else {
            return Ok(());
        };
        let mut facts = entry.facts();
        facts.flags = facts.flags.with(Flags::DUPLICATE, false);
        facts.id = self.next_game;
        facts.source = source;
        facts.black = self.number(0, &entry.black)?;
        facts.white = self.number(0, &entry.white)?;
        facts.event = self.number(1, &entry.event)?;
        rows::insert(self.connection(), &facts, entry, Key::of(&entry.moves).hash())?;
        self.next_game = self.next_game.checked_add(1).ok_or(Error::Full)?;
        self.games.push((facts, entry.moves.clone()));
        Ok(())
    }

    /// Returns the number of a player (0) or an event (1), which it gets if it has none.
    fn number(&mut self, kind: usize, text: &str) -> Result<u32, Error> {
        if text.is_empty() {
            return Ok(0);
        }
        let table = NAMES[kind];
        let connection = &self.database.connection;
        let numbers = match &mut self.numbers[kind] {
            Some(numbers) => numbers,
            slot => {
                let names = rows::names(connection, table)?;
                slot.insert(
                    names
                        .iter()
                        .map(|(number, name)| (name.text.clone(), number))
                        .collect(),
                )
            }
        };
        if let Some(&number) = numbers.get(text) {
            return Ok(number);
        }
        let name = Name::new(text);
        let sql = format!("INSERT INTO {table} (name, identity, folded) VALUES (?1, ?2, ?3)");
        connection
            .prepare_cached(&sql)?
            .execute([&name.text, &name.identity, &name.folded])?;
        let number = u32::try_from(connection.last_insert_rowid()).map_err(|_| Error::Full)?;
        numbers.insert(name.text, number);
        Ok(number)
    }

    /// Ends the source that was begun: it is complete. `bad` games of it could not be read.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn end(&mut self, bad: u64) -> Result<(), Error> {
        let Some(current) = self.current.take() else {
            return Ok(());
        };
        let n_games = (self.games.len() - current.first) as u64;
        let connection = self.connection();
        connection.execute(
            "UPDATE sources SET games = ?2, bad = ?3 WHERE id = ?1",
            params![current.id, n_games as i64, bad as i64],
        )?;
        connection.execute_batch("RELEASE source")?;
        match current.change {
            Change::New => self.imported.new += 1,
            Change::Replaced => self.imported.replaced += 1,
            Change::Unchanged => {}
        }
        self.imported.games += n_games;
        self.imported.bad += bad;
        self.forget(current.removed);
        if self.games.len() >= BATCH {
            self.settle(false)?;
            self.connection().execute_batch("COMMIT; BEGIN IMMEDIATE")?;
        }
        Ok(())
    }

    /// Undoes the source that was begun and has not ended: its former contents, if it had any, are there again.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn abandon(&mut self) -> Result<(), Error> {
        if let Some(current) = self.current.take() {
            self.games.truncate(current.first);
            self.numbers = [None, None];
            self.connection()
                .execute_batch("ROLLBACK TO source; RELEASE source")?;
        }
        Ok(())
    }

    /// Removes a source and its games; returns whether it was there.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn remove(&mut self, name: &str) -> Result<bool, Error> {
        self.abandon()?;
        let connection = self.connection();
        let id: Option<u32> = connection
            .query_row("SELECT id FROM sources WHERE name = ?1", [name], |row| row.get(0))
            .optional()?;
        let Some(id) = id else { return Ok(false) };
        let removed = remove_games(connection, id)?;
        connection.execute("DELETE FROM sources WHERE id = ?1", [id])?;
        self.forget(removed);
        Ok(true)
    }

    /// Remembers that games are gone: they are to leave the index, or never to get there.
    fn forget(&mut self, removed: Vec<u32>) {
        let gone: BTreeSet<u32> = removed.into_iter().collect();
        // What came and went within this import is among the new games.
        self.games.retain(|game| !gone.contains(&game.0.id));
        self.imported.removed += gone.len() as u64;
        self.removed.extend(gone);
        self.is_changed = true;
    }

    /// Replaces the spellings that stand for other names: pairs of a spelling and the name it means.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn set_aliases(&mut self, aliases: &[(String, String)]) -> Result<(), Error> {
        self.abandon()?;
        let connection = self.connection();
        connection.execute("DELETE FROM aliases", [])?;
        for (spelling, name) in aliases {
            connection.execute(
                "INSERT OR REPLACE INTO aliases (spelling, name) VALUES (?1, ?2)",
                [spelling, name],
            )?;
        }
        self.is_changed = true;
        Ok(())
    }

    /// Marks duplicates, indexes what is new, and keeps everything for good; a source that has not ended is undone.
    ///
    /// # Errors
    ///
    /// The file cannot be written; nothing since the last time is then kept.
    pub fn finish(mut self) -> Result<Imported, Error> {
        self.abandon()?;
        if self.is_changed {
            self.settle(true)?;
        }
        let count = |sql: &str| self.connection().query_row(sql, [], |row| row.get::<_, u32>(0));
        let total = count("SELECT count(*) FROM games")?;
        let duplicates = count("SELECT count(*) FROM games WHERE flags & 16")?;
        (self.imported.total, self.imported.duplicates) = (total.into(), duplicates.into());
        self.connection().execute_batch("COMMIT")?;
        self.is_done = true;
        // Only tidying: readers may still need what is in the journal.
        let _busy: i64 = self
            .connection()
            .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
        self.database.refresh()?;
        Ok(self.imported)
    }

    /// Brings duplicates, index and names up to date with the games.
    fn settle(&mut self, is_last: bool) -> Result<(), Error> {
        let changed = self.settle_duplicates()?;
        for (facts, _) in &mut self.games {
            if let Some(&is_duplicate) = changed.get(&facts.id) {
                facts.flags = facts.flags.with(Flags::DUPLICATE, is_duplicate);
            }
        }
        self.settle_segments(&changed, is_last)?;
        if !self.removed.is_empty() {
            for (table, used) in [
                (
                    "players",
                    "black = players.id) AND NOT EXISTS (SELECT 1 FROM games WHERE white = players.id",
                ),
                ("events", "event = events.id"),
            ] {
                let sql = format!("DELETE FROM {table} WHERE NOT EXISTS (SELECT 1 FROM games WHERE {used})");
                self.connection().execute(&sql, [])?;
            }
            self.numbers = [None, None];
        }
        self.games.clear();
        self.removed.clear();
        Ok(())
    }

    /// Marks duplicates, and returns the games whose mark has changed.
    fn settle_duplicates(&self) -> Result<BTreeMap<u32, bool>, Error> {
        let connection = self.connection();
        let ids = |sql: &str| -> Result<BTreeSet<u32>, Error> {
            let mut statement = connection.prepare_cached(sql)?;
            let rows = statement.query_map([], |row| row.get(0))?;
            Ok(rows.collect::<Result<_, _>>()?)
        };
        let before = ids("SELECT id FROM games WHERE flags & 16")?;
        let now = duplicates_of(connection)?;
        let mut statement =
            connection.prepare_cached("UPDATE games SET flags = flags & ~16 | ?2 WHERE id = ?1")?;
        let mut changed = BTreeMap::new();
        for &id in before.symmetric_difference(&now) {
            let is_duplicate = now.contains(&id);
            statement.execute(params![id, if is_duplicate { 16 } else { 0 }])?;
            changed.insert(id, is_duplicate);
        }
        Ok(changed)
    }

    /// Takes games that are gone out of the index, puts new ones in, and keeps the number of segments small.
    fn settle_segments(&mut self, changed: &BTreeMap<u32, bool>, is_last: bool) -> Result<(), Error> {
        let connection = &self.database.connection;
        let mut segments = segments::read(connection)?;
        let is_gone = |facts: &Facts| self.removed.contains(&facts.id);
        let has_gone = |segment: &Segment| !self.removed.is_empty() && segment.facts.iter().any(is_gone);
        let mut anew: BTreeSet<usize> = (0..segments.len())
            .filter(|&at| has_gone(&segments[at].1))
            .collect();
        if is_last {
            let sizes: Vec<usize> = segments.iter().map(|segment| segment.1.facts.len()).collect();
            anew.extend(segments::to_merge(&sizes, self.games.len()));
        }
        let mut games = std::mem::take(&mut self.games);
        for (at, (id, segment)) in segments.iter_mut().enumerate() {
            let mut is_patched = false;
            for facts in &mut segment.facts {
                if let Some(&is_duplicate) = changed.get(&facts.id) {
                    facts.flags = facts.flags.with(Flags::DUPLICATE, is_duplicate);
                    is_patched = true;
                }
            }
            if anew.contains(&at) {
                games.extend(segments::games(connection, segment, |facts| !is_gone(facts))?);
                connection.execute("DELETE FROM segments WHERE id = ?1", [*id])?;
            } else if is_patched {
                let facts: Vec<u8> = segment.facts.iter().flat_map(Facts::to_bytes).collect();
                connection.execute(
                    "UPDATE segments SET facts = ?2 WHERE id = ?1",
                    params![*id, facts],
                )?;
            }
        }
        games.sort_by_key(|game| game.0.id);
        for games in games.chunks(segments::FULL) {
            segments::write(connection, games)?;
        }
        Ok(())
    }
}

impl Drop for Import<'_> {
    fn drop(&mut self) {
        if !self.is_done {
            // What cannot be undone now is undone when the file is opened next.
            drop(self.database.connection.execute_batch("ROLLBACK"));
            drop(self.database.refresh());
        }
    }
}

/// Removes the games of a source, and returns their numbers.
fn remove_games(connection: &Connection, source: u32) -> Result<Vec<u32>, Error> {
    let mut statement = connection.prepare_cached("SELECT id FROM games WHERE source = ?1")?;
    let removed = statement
        .query_map([source], |row| row.get(0))?
        .collect::<Result<Vec<u32>, _>>()?;
    connection.execute("DELETE FROM games WHERE source = ?1", [source])?;
    Ok(removed)
}

/// Returns the games that are the same as another one before them, by source and number.
pub(crate) fn duplicates_of(connection: &Connection) -> Result<BTreeSet<u32>, Error> {
    let (players, sources): (Names, Names) = (
        rows::names(connection, "players")?,
        rows::names(connection, "sources")?,
    );
    let mut statement = connection.prepare("SELECT alike FROM games GROUP BY alike HAVING count(*) > 1")?;
    let alike = statement
        .query_map([], |row| row.get(0))?
        .collect::<Result<Vec<i64>, _>>()?;
    let sql = format!("SELECT {}, number FROM games WHERE alike = ?1", rows::FACTS);
    let mut statement = connection.prepare(&sql)?;
    let mut found = BTreeSet::new();
    for alike in alike {
        let rows = statement.query_map([alike], |row| Ok((rows::facts(row)?, row.get::<_, u32>(13)?)))?;
        let mut games: Vec<(Facts, u32, Moves)> = Vec::new();
        for row in rows {
            let (facts, number) = row?;
            games.push((facts, number, rows::moves(connection, facts.id)?));
        }
        let candidates: Vec<Candidate<'_>> = games
            .iter()
            .map(|(facts, number, moves)| Candidate {
                moves,
                facts,
                players: [players.person(facts.black), players.person(facts.white)],
                source: sources.text(facts.source),
                number: *number,
            })
            .collect();
        let flags = duplicates::flags(&candidates);
        found.extend(
            games
                .iter()
                .zip(flags)
                .filter(|(_, flag)| *flag)
                .map(|(game, _)| game.0.id),
        );
    }
    Ok(found)
}
