//! Rows of the tables to entries and facts, and back.

use crate::Error;
use outflank_games::{Entry, Facts, Flags, Moves, Name, Names};
use outflank_othello::Discs;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

/// The columns of [`facts`], in order.
pub(crate) const FACTS: &str = "id, black, white, event, source, year, month, day, result, theoretical, \
                                theoretical_empties, discs, flags";

/// Reads the facts of a game from a row of [`FACTS`].
pub(crate) fn facts(row: &Row<'_>) -> rusqlite::Result<Facts> {
    let discs = |at: usize| -> rusqlite::Result<Option<Discs>> {
        let discs: Option<i32> = row.get(at)?;
        Ok(discs.and_then(Discs::new))
    };
    Ok(Facts {
        id: row.get(0)?,
        black: row.get::<_, Option<u32>>(1)?.unwrap_or(0),
        white: row.get::<_, Option<u32>>(2)?.unwrap_or(0),
        event: row.get::<_, Option<u32>>(3)?.unwrap_or(0),
        source: row.get(4)?,
        year: row.get::<_, Option<u16>>(5)?.unwrap_or(0),
        month: row.get::<_, Option<u8>>(6)?.unwrap_or(0),
        day: row.get::<_, Option<u8>>(7)?.unwrap_or(0),
        result: discs(8)?,
        theoretical: discs(9)?,
        theoretical_empties: row.get::<_, Option<u8>>(10)?.unwrap_or(0),
        discs: row.get(11)?,
        flags: Flags(row.get(12)?),
    })
}

/// Adds a game.
pub(crate) fn insert(connection: &Connection, facts: &Facts, entry: &Entry, alike: u64) -> Result<(), Error> {
    let known = |number: u32| (number != 0).then_some(number);
    let discs = |discs: Option<Discs>| discs.map(Discs::get);
    let start = entry
        .moves
        .start
        .is_some()
        .then(|| entry.moves.start().to_string());
    let mut statement = connection.prepare_cached(
        "INSERT INTO games (id, source, number, black, white, event, year, month, day, result, theoretical, \
         theoretical_empties, discs, flags, start, moves, alike) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)",
    )?;
    statement.execute(params![
        facts.id,
        facts.source,
        entry.number,
        known(facts.black),
        known(facts.white),
        known(facts.event),
        known(u32::from(facts.year)),
        known(u32::from(facts.month)),
        known(u32::from(facts.day)),
        discs(facts.result),
        discs(facts.theoretical),
        facts.theoretical.map(|_| facts.theoretical_empties),
        facts.discs,
        facts.flags.0,
        start,
        entry.moves.text(),
        alike as i64,
    ])?;
    if !entry.tags.is_empty() {
        let mut statement = connection
            .prepare_cached("INSERT INTO tags (game, place, key, value) VALUES (?1, ?2, ?3, ?4)")?;
        for (place, (key, value)) in entry.tags.iter().enumerate() {
            statement.execute(params![facts.id, place as i64, key, value])?;
        }
    }
    Ok(())
}

/// Returns the moves of a game.
pub(crate) fn moves(connection: &Connection, id: u32) -> Result<Moves, Error> {
    let mut statement = connection.prepare_cached("SELECT start, moves FROM games WHERE id = ?1")?;
    let row = statement.query_row([id], |row| {
        Ok((row.get::<_, Option<String>>(0)?, row.get::<_, String>(1)?))
    });
    let Some((start, text)) = row.optional()? else {
        return Err(Error::Damaged(format!("game {id} of the index is not there")));
    };
    Ok(Moves::parse(start.as_deref(), &text)?)
}

/// Returns the tags of a game.
pub(crate) fn tags(connection: &Connection, id: u32) -> Result<Vec<(String, String)>, Error> {
    let mut statement =
        connection.prepare_cached("SELECT key, value FROM tags WHERE game = ?1 ORDER BY place")?;
    let rows = statement.query_map([id], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Reads the names of a table.
pub(crate) fn names(connection: &Connection, table: &str) -> Result<Names, Error> {
    let mut names = Names::default();
    if table == "players" {
        let mut statement = connection.prepare("SELECT spelling, name FROM aliases")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            names.add_alias(
                row.get_ref(0)?.as_str().unwrap_or(""),
                row.get_ref(1)?.as_str().unwrap_or(""),
            );
        }
    }
    if table == "sources" {
        let mut statement = connection.prepare("SELECT id, name FROM sources")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            names.insert(row.get(0)?, Name::new(&row.get::<_, String>(1)?));
        }
        return Ok(names);
    }
    let mut statement = connection.prepare(&format!("SELECT id, name, identity, folded FROM {table}"))?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let name = Name {
            text: row.get(1)?,
            identity: row.get(2)?,
            folded: row.get(3)?,
        };
        names.insert(row.get(0)?, name);
    }
    Ok(names)
}
