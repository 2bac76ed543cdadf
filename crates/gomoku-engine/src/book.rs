//! Opening tables: replies to shapes of stones, wherever on the board and however turned.
//!
//! A table is text, one shape a line: the shape, ` > `, then replies as `columns,rows=value` from the corner of the
//! shape, best first. See [`outflank_gomoku::canonical`] for what counts as the same shape.
//! A reply to a shape with symmetries of its own stands for all its images under them.

pub(crate) mod build;

use outflank_gomoku::{
    Board, Color, Point, Rule,
    canonical::{Frame, ShapeKey, frames_of},
};
use std::{collections::BTreeMap, fmt::Write as _};

/// The table that is built in, made by our own engine (see docs/gomoku.md).
static BUILT_IN: &str = include_str!("openings.txt");

/// Up to what value either way a position counts as even, in units of 1/500 of the logarithm of the odds.
const EVEN: i32 = 50;

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

    /// Returns the shapes, in their order.
    pub fn shapes(&self) -> impl Iterator<Item = &ShapeKey> {
        self.entries.keys()
    }

    /// Returns whether the table has the position's shape.
    pub fn knows(&self, board: &Board) -> bool {
        frames_of(board).is_some_and(|(key, _)| self.entries.contains_key(&key))
    }

    /// Returns the replies to the position, best first, with their values; none that is off the board or occupied.
    ///
    /// In a symmetric position every image of a reply is a reply.
    pub fn replies(&self, board: &Board) -> Vec<(Point, i32)> {
        let mut points: Vec<(Point, i32)> = Vec::new();
        let Some((key, frames)) = frames_of(board) else {
            return points;
        };
        for reply in self.entries.get(&key).map_or(&[][..], Vec::as_slice) {
            for point in frames.iter().filter_map(|frame| frame.point(reply.offset)) {
                if board.is_empty(point) && !points.iter().any(|&(known, _)| known == point) {
                    points.push((point, reply.value));
                }
            }
        }
        points
    }

    /// Returns whether the position is in the table and as good as even: within ±[`EVEN`] by its best reply.
    pub(crate) fn is_even(&self, board: &Board) -> bool {
        self.replies(board)
            .first()
            .is_some_and(|(_, value)| value.abs() <= EVEN)
    }

    /// Returns the positions of three stones, White to move, that are as good as even (chances of 47.5 to 52.5 %): openings
    /// to propose under Swap2.
    ///
    /// Stones and their colors on a board of `size` points, in the order of the shapes.
    pub fn even(&self, rule: Rule, size: u8) -> Vec<Vec<(Point, Color)>> {
        let is_wanted = |key: &ShapeKey| (key.rule(), key.n_stones(), key.side()) == (rule, 3, Color::White);
        self.entries
            .iter()
            .filter(|(key, replies)| {
                is_wanted(key) && replies.first().is_some_and(|best| best.value.abs() <= EVEN)
            })
            .filter_map(|(key, _)| key.placed_on(size))
            .collect()
    }

    /// Adds a reply to the position, or changes its value; does nothing on an empty board.
    pub fn insert(&mut self, board: &Board, reply: Point, value: i32) {
        let Some((key, frames)) = frames_of(board) else {
            return;
        };
        // Of the images of a reply under the symmetries of the shape one is stored.
        let Some(offset) = frames.iter().map(|frame: &Frame| frame.offset(reply)).min() else {
            return;
        };
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
    use super::{
        build::{Build, BuildError, BuildEvent, BuildOptions, lacking},
        *,
    };
    use outflank_gomoku::{Symmetry, Tables};

    fn played(points: &[(i32, i32)]) -> Board {
        let mut board = Board::new(Rule::Freestyle, 20).expect("size");
        for &(x, y) in points {
            board
                .play(Point::new(x as u8, y as u8).expect("on board"))
                .expect("legal");
        }
        board
    }

    /// A table of the engine's size: replies to 1 to 5 stones around a point far from the edges.
    fn small_table() -> OpeningTable {
        let options = BuildOptions {
            rules: vec![Rule::Freestyle],
            size: 20,
            stones: 4,
            reach: 1,
            most: 40,
            even: 0,
            seed: 3,
        };
        let mut table = OpeningTable::default();
        loop {
            let boards = lacking(&table, Rule::Freestyle, &options).expect("a size");
            if boards.is_empty() {
                return table;
            }
            for board in boards {
                // Any fixed rule will do for replies: the empty points around the last stone, by distance.
                let (last, _) = board.last_move().expect("a stone");
                for (value, (dx, dy)) in [(9, (1, 0)), (7, (1, 1)), (7, (-1, 2)), (3, (2, -1))] {
                    if let Some(reply) = last.offset(dx, dy, 20).filter(|&reply| board.is_empty(reply)) {
                        table.insert(&board, reply, value);
                    }
                }
            }
        }
    }

    fn replies(table: &OpeningTable, board: &Board) -> Vec<(i32, i32, i32)> {
        let mut replies: Vec<_> = table
            .replies(board)
            .into_iter()
            .map(|(point, value)| (value, i32::from(point.x()), i32::from(point.y())))
            .collect();
        replies.sort_unstable();
        replies
    }

    #[test]
    fn a_line_in_any_orientation_gets_the_same_replies() {
        let table = small_table();
        let mut random = outflank_game::SplitMix64::new(5);
        let mut n_compared = 0;
        for _ in 0..20 {
            // A line: the table's reply, then a stone beside some other.
            let mut line = vec![(9, 9)];
            while line.len() < 5 {
                let board = played(&line);
                let shown = replies(&table, &board);
                for symmetry in Symmetry::ALL {
                    for shift in [(0, 0), (1, 2), (-2, 1), (-1, -1)] {
                        let image = |&(x, y): &(i32, i32)| symmetry.apply_xy((x + shift.0, y + shift.1), 20);
                        let turned: Vec<_> = line.iter().map(image).collect();
                        let mut back: Vec<_> = replies(&table, &played(&turned))
                            .into_iter()
                            .map(|(value, x, y)| {
                                let (x, y) = symmetry.inverse().apply_xy((x, y), 20);
                                (value, x - shift.0, y - shift.1)
                            })
                            .collect();
                        back.sort_unstable();
                        assert_eq!(back, shown, "{symmetry:?} {shift:?}\n{board}");
                        n_compared += usize::from(!back.is_empty());
                    }
                }
                let Some(&(_, x, y)) = shown.last() else { break };
                line.push((x, y));
                loop {
                    let (x, y) = line[random.below(line.len())];
                    let next = (x + random.below(3) as i32 - 1, y + random.below(3) as i32 - 1);
                    if !line.contains(&next) {
                        line.push(next);
                        break;
                    }
                }
            }
        }
        assert!(n_compared > 20 * 8 * 4);
        assert!(!table.replies(&played(&[(5, 9)])).is_empty());
        let pushed = table.replies(&played(&[(4, 9)]));
        assert!(pushed.is_empty(), "an edge-clamped shift must not match");
        assert_eq!(OpeningTable::read(&table.write()), Ok(table));
    }

    #[test]
    fn replies_to_a_symmetric_shape_are_symmetric() {
        let mut table = OpeningTable::default();
        let one = played(&[(8, 8)]);
        table.insert(&one, Point::new(9, 8).expect("on board"), 10);
        table.insert(&one, Point::new(8, 7).expect("on board"), 20);
        assert_eq!(table.len(), 1);
        let found = table.replies(&one);
        assert_eq!(found.len(), 4, "one reply, four images: {found:?}");
        assert!(found.iter().all(|&(_, value)| value == 20));
    }

    #[test]
    fn even_positions_of_three_stones_are_found() {
        let options = BuildOptions {
            rules: vec![Rule::Freestyle, Rule::Standard],
            size: 15,
            stones: 1,
            reach: 1,
            most: 10,
            even: 2,
            seed: 7,
        };
        let build = Build {
            options,
            lines: 1,
            nodes: 400,
            megabytes: 1,
        };
        let mut table = OpeningTable::default();
        let quiet = &mut |_: BuildEvent<'_>| Ok::<(), BuildError>(());
        let searched = build.run(&mut table, quiet).expect("a table");
        assert_eq!(searched, table.len());
        for rule in [Rule::Freestyle, Rule::Standard] {
            let found = table.even(rule, 20);
            assert!(found.len() >= 2, "{rule}: {}", table.write());
            for stones in found {
                let board = Board::from_stones(Tables::new(rule), 20, &stones, Color::White);
                assert!(table.is_even(&board.expect("a position")));
            }
        }
        assert!(table.even(Rule::Renju, 15).is_empty());
        let before = table.clone();
        assert_eq!(build.run(&mut table, quiet).ok(), Some(0), "it is complete");
        assert_eq!(table, before);
    }

    #[test]
    fn a_build_that_goes_on_asks_for_the_same_positions() {
        let whole = small_table();
        // Half of what it wrote, as after a kill, then the rest.
        let text = whole.write();
        let half: Vec<&str> = text.lines().take(whole.len() / 2).collect();
        let mut table = OpeningTable::read(&half.join("\n")).expect("a table");
        let options = BuildOptions {
            rules: vec![Rule::Freestyle],
            size: 20,
            stones: 4,
            reach: 1,
            most: 40,
            even: 0,
            seed: 3,
        };
        loop {
            let boards = lacking(&table, Rule::Freestyle, &options).expect("a size");
            if boards.is_empty() {
                break;
            }
            for board in boards {
                let known = whole.replies(&board);
                assert!(
                    !known.is_empty(),
                    "a position that the whole build did not ask for\n{board}"
                );
                for (reply, value) in known {
                    table.insert(&board, reply, value);
                }
            }
        }
        assert_eq!(table, whole);
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
        assert_eq!(OpeningTable::read(BUILT_IN), Ok(OpeningTable::built_in()));
        assert!(OpeningTable::built_in().len() > 100);
    }
}
