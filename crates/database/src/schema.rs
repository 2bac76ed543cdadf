//! The tables and views of a database, which `docs/games.md` describes.

/// The number by which SQLite files say whose they are: the letters `OFGD`.
pub const APPLICATION_ID: i32 = 0x4F46_4744;

/// The version of the tables, which SQLite keeps as `user_version`.
pub const VERSION: i32 = 1;

/// Makes the tables of an empty database.
///
/// Games are numbered anew by nobody: their numbers stay while their source stays. What is not known is NULL.
/// `facts`, `collisions` and `entries` are for queries and say nothing that the other tables do not say.
pub(crate) const TABLES: &str = "
CREATE TABLE sources (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    digest TEXT NOT NULL,
    games INTEGER NOT NULL,
    bad INTEGER NOT NULL
) STRICT;
CREATE TABLE players (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    identity TEXT NOT NULL,
    folded TEXT NOT NULL
) STRICT;
CREATE TABLE events (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    identity TEXT NOT NULL,
    folded TEXT NOT NULL
) STRICT;
CREATE TABLE aliases (
    spelling TEXT PRIMARY KEY,
    name TEXT NOT NULL
) STRICT;
CREATE TABLE games (
    id INTEGER PRIMARY KEY,
    source INTEGER NOT NULL REFERENCES sources (id),
    number INTEGER NOT NULL,
    black INTEGER REFERENCES players (id),
    white INTEGER REFERENCES players (id),
    event INTEGER REFERENCES events (id),
    year INTEGER,
    month INTEGER,
    day INTEGER,
    result INTEGER,
    theoretical INTEGER,
    theoretical_empties INTEGER,
    discs INTEGER NOT NULL,
    flags INTEGER NOT NULL,
    start TEXT,
    moves TEXT NOT NULL,
    alike INTEGER NOT NULL,
    UNIQUE (source, number)
) STRICT;
CREATE INDEX games_black ON games (black);
CREATE INDEX games_white ON games (white);
CREATE INDEX games_event ON games (event);
CREATE INDEX games_alike ON games (alike);
CREATE INDEX games_duplicate ON games (id) WHERE flags & 16;
CREATE TABLE tags (
    game INTEGER NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (game, place)
) STRICT, WITHOUT ROWID;
CREATE TABLE segments (
    id INTEGER PRIMARY KEY,
    games INTEGER NOT NULL,
    bits INTEGER NOT NULL,
    facts BLOB NOT NULL,
    collisions BLOB NOT NULL
) STRICT;
CREATE TABLE positions (
    segment INTEGER NOT NULL REFERENCES segments (id) ON DELETE CASCADE,
    discs INTEGER NOT NULL,
    part INTEGER NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    entries BLOB NOT NULL,
    PRIMARY KEY (segment, discs, part)
) STRICT;
CREATE VIEW game_list AS
SELECT
    games.id,
    sources.name AS source,
    games.number,
    events.name AS event,
    CASE WHEN games.day IS NOT NULL THEN printf('%04d-%02d-%02d', games.year, games.month, games.day)
        WHEN games.month IS NOT NULL THEN printf('%04d-%02d', games.year, games.month)
        ELSE printf('%04d', games.year) END AS date,
    games.year,
    b.name AS black,
    w.name AS white,
    games.result,
    CASE games.flags & 96 WHEN 32 THEN 'black' WHEN 64 THEN 'white' WHEN 96 THEN 'draw' END AS winner,
    games.theoretical,
    games.theoretical_empties,
    games.discs,
    games.flags & 1 AS finished,
    games.flags >> 2 & 1 AS early,
    games.flags >> 3 & 1 AS xot,
    games.flags >> 4 & 1 AS duplicate,
    games.start,
    games.moves
FROM games
JOIN sources ON sources.id = games.source
LEFT JOIN players AS b ON b.id = games.black
LEFT JOIN players AS w ON w.id = games.white
LEFT JOIN events ON events.id = games.event;
CREATE VIEW player_games AS
SELECT
    players.id AS player_id,
    players.name AS player,
    sides.color,
    games.id AS game,
    games.year,
    CASE sides.color WHEN 'black' THEN games.white ELSE games.black END AS opponent_id,
    CASE sides.color WHEN 'black' THEN games.result ELSE -games.result END AS discs,
    CASE games.flags & 96 WHEN 32 THEN CASE sides.color WHEN 'black' THEN 1.0 ELSE 0.0 END
        WHEN 64 THEN CASE sides.color WHEN 'white' THEN 1.0 ELSE 0.0 END
        WHEN 96 THEN 0.5 END AS points
FROM (SELECT 'black' AS color UNION ALL SELECT 'white') AS sides
JOIN games ON games.flags & 16 = 0
JOIN players ON players.id = CASE sides.color WHEN 'black' THEN games.black ELSE games.white END;
";
