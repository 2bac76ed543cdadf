//! Whether everything in a database belongs together.

use crate::{Error, import::duplicates_of, rows, segments};
use outflank_games::{Entry, Facts, Flags, Name, build, duplicates::Key};
use rusqlite::{Connection, params};
use std::collections::{BTreeMap, BTreeSet};

/// Problems of one kind that are named; the others are counted.
const NAMED: usize = 20;

/// What is wrong, of each kind the first few.
#[derive(Default)]
struct Problems {
    texts: Vec<String>,
    of_kind: usize,
}

impl Problems {
    fn begin(&mut self) {
        if self.of_kind > NAMED {
            self.texts
                .push(format!("… and {} more like this", self.of_kind - NAMED));
        }
        self.of_kind = 0;
    }

    fn add(&mut self, text: impl FnOnce() -> String) {
        self.of_kind += 1;
        if self.of_kind <= NAMED {
            self.texts.push(text());
        }
    }
}

/// A part of the work.
type Step = fn(&Connection, &mut Problems) -> Result<(), Error>;

/// Looks at everything; see [`crate::Database::check`].
pub(crate) fn check(
    connection: &Connection,
    on_step: &mut dyn FnMut(&str) -> bool,
) -> Result<Vec<String>, Error> {
    let mut problems = Problems::default();
    let steps: [(&str, Step); 5] = [
        ("the file", file),
        ("names and sources", names),
        ("games", games),
        ("duplicates", duplicates),
        ("the index", index),
    ];
    for (name, step) in steps {
        problems.begin();
        if !on_step(name) {
            break;
        }
        step(connection, &mut problems)?;
    }
    problems.begin();
    Ok(problems.texts)
}

fn file(connection: &Connection, problems: &mut Problems) -> Result<(), Error> {
    let mut statement = connection.prepare("PRAGMA integrity_check")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let text: String = row.get(0)?;
        if text != "ok" {
            problems.add(|| text);
        }
    }
    let mut statement = connection.prepare("PRAGMA foreign_key_check")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (table, parent): (String, String) = (row.get(0)?, row.get(2)?);
        problems.add(|| format!("a row of {table} names one of {parent} that is not there"));
    }
    Ok(())
}

fn names(connection: &Connection, problems: &mut Problems) -> Result<(), Error> {
    for table in ["players", "events"] {
        for (number, name) in rows::names(connection, table)?.iter() {
            if *name != Name::new(&name.text) {
                problems.add(|| {
                    format!(
                        "{table} {number}, {:?}: what it is searched by is wrong",
                        name.text
                    )
                });
            }
        }
    }
    let mut statement = connection.prepare(
        "SELECT name FROM sources WHERE games <> (SELECT count(*) FROM games WHERE source = sources.id)",
    )?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let name: String = row.get(0)?;
        problems.add(|| format!("source {name:?}: another number of games is there than it should have"));
    }
    Ok(())
}

fn games(connection: &Connection, problems: &mut Problems) -> Result<(), Error> {
    let sql = format!("SELECT {}, alike FROM games", rows::FACTS);
    let mut statement = connection.prepare(&sql)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let facts = rows::facts(row)?;
        let alike: i64 = row.get(13)?;
        let id = facts.id;
        let moves = match rows::moves(connection, id) {
            Ok(moves) => moves,
            Err(error) => {
                problems.add(|| format!("game {id}: {error}"));
                continue;
            }
        };
        let game = match moves.to_game() {
            Ok(game) => game,
            Err(error) => {
                problems.add(|| format!("game {id}: {error}"));
                continue;
            }
        };
        let replayed = Entry::of_game(&game);
        let is_finished = facts.flags.has(Flags::FINISHED);
        if replayed.discs != facts.discs || replayed.flags.has(Flags::FINISHED) != is_finished {
            problems.add(|| format!("game {id}: it ends in another way than is said"));
        } else if is_finished && replayed.result != facts.result {
            problems.add(|| format!("game {id}: the result is not that of the moves"));
        }
        if Key::of(&moves).hash() as i64 != alike {
            problems.add(|| format!("game {id}: the number of alike games is wrong"));
        }
    }
    Ok(())
}

fn duplicates(connection: &Connection, problems: &mut Problems) -> Result<(), Error> {
    let mut statement = connection.prepare("SELECT id FROM games WHERE flags & 16")?;
    let marked = statement
        .query_map([], |row| row.get(0))?
        .collect::<Result<BTreeSet<u32>, _>>()?;
    for id in marked.symmetric_difference(&duplicates_of(connection)?) {
        problems.add(|| format!("game {id}: wrongly marked, or not marked, as a duplicate"));
    }
    Ok(())
}

fn index(connection: &Connection, problems: &mut Problems) -> Result<(), Error> {
    let mut left: BTreeMap<u32, Facts> = BTreeMap::new();
    let mut statement = connection.prepare(&format!("SELECT {} FROM games", rows::FACTS))?;
    for facts in statement.query_map([], rows::facts)? {
        let facts = facts?;
        left.insert(facts.id, facts);
    }
    for (segment_id, segment) in segments::read(connection)? {
        for facts in &segment.facts {
            match left.remove(&facts.id) {
                Some(row) if row == *facts => {}
                Some(_) => {
                    problems.add(|| format!("game {}: the index has other facts than the table", facts.id));
                }
                None => {
                    problems.add(|| format!("game {}: indexed, but not there or indexed twice", facts.id));
                }
            }
        }
        let Ok(games) = segments::games(connection, &segment, |_| true) else {
            problems.add(|| format!("segment {segment_id}: its games cannot be read"));
            continue;
        };
        let moves: Vec<_> = games.into_iter().map(|game| game.1).collect();
        let Ok(index) = build(&moves, segment.bits) else {
            problems.add(|| format!("segment {segment_id}: its games cannot be played"));
            continue;
        };
        if index.collisions() != segment.collisions {
            problems.add(|| format!("segment {segment_id}: shared fingerprints are wrong"));
        }
        let mut statement = connection.prepare_cached(
            "SELECT first, last, entries FROM positions WHERE segment = ?1 AND discs = ?2 AND part = ?3",
        )?;
        let mut n_parts = 0;
        segments::each_part(&index, &mut |discs, part, first, last, entries| {
            let stored = statement.query_row(params![segment_id, discs as i64, part as i64], |row| {
                Ok((
                    row.get::<_, i64>(0)?,
                    row.get::<_, i64>(1)?,
                    row.get::<_, Vec<u8>>(2)?,
                ))
            });
            n_parts += 1;
            if stored.ok() != Some((first as i64, last as i64, entries)) {
                problems.add(|| format!("segment {segment_id}: the positions with {discs} discs are wrong"));
            }
            Ok(())
        })?;
        let n_stored: i64 = connection.query_row(
            "SELECT count(*) FROM positions WHERE segment = ?1",
            [segment_id],
            |row| row.get(0),
        )?;
        if n_stored != n_parts {
            problems.add(|| format!("segment {segment_id}: there are positions too many"));
        }
    }
    for id in left.keys() {
        problems.add(|| format!("game {id}: not indexed"));
    }
    Ok(())
}
