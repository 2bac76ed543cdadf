//! Opening tables: replies to shapes of stones, wherever on the board and however turned.
//!
//! A table is text, one shape a line: the shape, ` > `, then replies as `columns,rows=value` from the corner of the
//! shape, best first. See [`outflank_gomoku::canonical`] for what counts as the same shape.

use outflank_gomoku::{
    Board, Point,
    canonical::{ShapeKey, shape_of},
};
use std::{collections::BTreeMap, fmt::Write as _};

/// The table that is built in, made by our own engine (see docs/gomoku.md).
static BUILT_IN: &str = include_str!("openings.txt");

/// A reply to a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Reply {
    offset: (i32, i32),
    /// Value for the side to move in units of 1/500 of the logarithm of the odds.
    value: i32,
}

/// Replies to opening shapes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpeningTable {
    entries: BTreeMap<ShapeKey, Vec<Reply>>,
}

/// Why a text is no opening table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct ReadTableError {
    /// Which line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub reason: String,
}

impl OpeningTable {
    /// Returns the table that is built in.
    pub fn built_in() -> Self {
        Self::read(BUILT_IN).unwrap_or_default()
    }

    /// Reads a table from text.
    ///
    /// # Errors
    ///
    /// [`ReadTableError`] names the first bad line.
    pub fn read(text: &str) -> Result<Self, ReadTableError> {
        let mut table = Self::default();
        for (i, line) in text.lines().enumerate() {
            let fail = |reason: String| ReadTableError { line: i + 1, reason };
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let (key, replies) = line
                .split_once(" > ")
                .ok_or_else(|| fail("no \" > \" in it".to_owned()))?;
            let key: ShapeKey = key.parse().map_err(|error| fail(format!("{error}")))?;
            let mut list = Vec::new();
            for word in replies.split_whitespace() {
                let reply =
                    parse_reply(word).ok_or_else(|| fail(format!("{word:?} is no reply: dx,dy=value")))?;
                list.push(reply);
            }
            table.entries.insert(key, list);
        }
        Ok(table)
    }

    /// Writes the table as text.
    pub fn write(&self) -> String {
        let mut text = String::new();
        for (key, replies) in &self.entries {
            let _ = write!(text, "{key} >");
            for Reply {
                offset: (x, y),
                value,
            } in replies
            {
                let _ = write!(text, " {x},{y}={value}");
            }
            text.push('\n');
        }
        text
    }

    /// Returns the number of shapes.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether the table has no shape.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the replies to the position, best first, with their values; none that is off the board or occupied.
    pub fn replies(&self, board: &Board) -> Vec<(Point, i32)> {
        let Some((key, frame)) = shape_of(board) else {
            return Vec::new();
        };
        let found = self.entries.get(&key).map_or(&[][..], Vec::as_slice);
        found
            .iter()
            .filter_map(|reply| Some((frame.point(reply.offset)?, reply.value)))
            .filter(|&(point, _)| board.is_empty(point))
            .collect()
    }

    /// Adds a reply to the position, or changes its value; does nothing on an empty board.
    pub fn insert(&mut self, board: &Board, reply: Point, value: i32) {
        let Some((key, frame)) = shape_of(board) else {
            return;
        };
        let offset = frame.offset(reply);
        let list = self.entries.entry(key).or_default();
        list.retain(|known| known.offset != offset);
        list.push(Reply { offset, value });
        list.sort_by_key(|reply| (-reply.value, reply.offset));
    }
}

fn parse_reply(word: &str) -> Option<Reply> {
    let (offset, value) = word.split_once('=')?;
    let (x, y) = offset.split_once(',')?;
    let range = -20..=40;
    let (x, y): (i32, i32) = (x.parse().ok()?, y.parse().ok()?);
    (range.contains(&x) && range.contains(&y)).then_some(Reply {
        offset: (x, y),
        value: value.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_gomoku::{Rule, Symmetry};

    fn played(points: &[(i32, i32)]) -> Board {
        let mut board = Board::new(Rule::Freestyle, 20).expect("size");
        for &(x, y) in points {
            board
                .play(Point::new(x as u8, y as u8).expect("on board"))
                .expect("legal");
        }
        board
    }

    /// Plays a line of the table in one orientation, returning the points as columns and rows.
    fn line(table: &OpeningTable, symmetry: Symmetry, shift: (i32, i32)) -> Vec<(i32, i32)> {
        let mut points = vec![symmetry.apply_xy((8 + shift.0, 8 + shift.1), 20)];
        let opponent = [(10, 9), (8, 11)];
        for next in opponent {
            let board = played(&points);
            let (reply, _) = table.replies(&board)[0];
            points.push((i32::from(reply.x()), i32::from(reply.y())));
            points.push(symmetry.apply_xy((next.0 + shift.0, next.1 + shift.1), 20));
        }
        // Seen in the first orientation again.
        let back = points
            .into_iter()
            .map(|point| symmetry.inverse().apply_xy(point, 20));
        back.map(|(x, y)| (x - shift.0, y - shift.1)).collect()
    }

    #[test]
    fn a_line_in_any_orientation_gets_the_same_replies() {
        let mut table = OpeningTable::default();
        let point = |x, y| Point::new(x, y).expect("on board");
        table.insert(&played(&[(8, 8)]), point(9, 8), 10);
        table.insert(&played(&[(8, 8), (9, 8), (10, 9)]), point(9, 10), 20);
        for image in [(8, 9), (7, 8), (8, 7)] {
            // One stone is symmetric: any of the four neighbours may come, and each continues.
            table.insert(&played(&[(8, 8), image, (10, 9)]), point(9, 10), 20);
        }
        let shown = line(&table, Symmetry::IDENTITY, (0, 0));
        for symmetry in Symmetry::ALL {
            for shift in [(0, 0), (1, 2), (-2, 1)] {
                let other = line(&table, symmetry, shift);
                assert_eq!(shown.len(), other.len());
                assert_eq!(other[3], (9, 10), "{symmetry:?} {shift:?}");
            }
        }
        let pushed = played(&[(1, 8)]);
        assert!(
            table.replies(&pushed).is_empty(),
            "an edge-clamped shift must not match"
        );
        assert_eq!(OpeningTable::read(&table.write()), Ok(table));
    }

    #[test]
    fn bad_tables_are_refused_with_their_line() {
        assert_eq!(
            OpeningTable::read("# nothing\n\nfreestyle").map_err(|error| error.line),
            Err(3)
        );
        assert_eq!(
            OpeningTable::read("freestyle O 5,5,5,5 0,0X > 1").map_err(|error| error.line),
            Err(1)
        );
        drop(OpeningTable::built_in());
    }
}
