//! Which positions an opening table is made of, and how its replies are found.
//!
//! ```text
//! one stone:  the center
//! two:        the center and any stone near it
//! more:       for each position two stones smaller: the best reply known to it, then any stone near the others
//! ```
//!
//! So a player who follows the table meets its positions whatever the other side does nearby, with either color.
//! [`lacking`] names the positions without any reply: a build that was stopped goes on where the table ends, and finds
//! the same positions as one that ran through.

use super::{OpeningTable, ReadTableError};
use crate::{
    config::EngineConfig,
    engine::{Engine, Request},
    value::Value,
};
use outflank_game::SplitMix64;
use outflank_gomoku::{
    Board, Color, Point, Rule, SetupError, Tables,
    canonical::{ShapeKey, shape_of},
};
use outflank_search::{ManualClock, StopToken, TableError};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// How far from the middle the three stones of an even position lie at most, in points along either axis: no edge of a board
/// of 15 points is near, so that the shape fits every greater board, too.
const EVEN_REACH: i32 = 2;
/// Positions of three stones that are tried for each even one that is wanted, before no more are looked for.
const TRIES_FOR_AN_EVEN_ONE: usize = 60;

/// What positions a table shall hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildOptions {
    /// The rule sets, one after the other.
    pub rules: Vec<Rule>,
    /// Edge of the board in points; only edges nearer than [`outflank_gomoku::canonical::EDGE`] matter.
    pub size: u8,
    /// Stones of the largest positions.
    pub stones: u32,
    /// How far from other stones the other side's stones may lie, in points along either axis.
    pub reach: u32,
    /// Most positions with the same number of stones; which ones are left out is decided by `seed`.
    pub most: usize,
    /// Positions of three stones to find that are as good as even, for Swap2: see [`OpeningTable::even`].
    pub even: usize,
    /// Decides which positions are left out, and which of three stones are tried.
    pub seed: u64,
}

/// How a table is built: its positions, and what is searched for each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Build {
    /// The positions.
    pub options: BuildOptions,
    /// Replies to keep for each position.
    pub lines: usize,
    /// Nodes that the engine searches for each position.
    pub nodes: u64,
    /// Memory of its table, in megabytes.
    pub megabytes: u64,
}

/// What a build tells.
#[derive(Clone, Copy, Debug)]
pub enum BuildEvent<'a> {
    /// So many positions with so many stones come now.
    Level {
        /// The rule set.
        rule: Rule,
        /// Their stones.
        stones: u32,
        /// Their number.
        positions: usize,
    },
    /// A position has its replies.
    Position {
        /// The position.
        board: &'a Board,
        /// The table so far.
        table: &'a OpeningTable,
    },
}

/// Why a table cannot be built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// There is no such board.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// There is no memory for the engine.
    #[error(transparent)]
    Memory(#[from] TableError),
}

/// Why a build cannot go on with what an earlier one has written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResumeError {
    /// It was another build.
    #[error("was built with other options, {0:?}: give the same ones or name another file")]
    OtherOptions(String),
    /// It is damaged.
    #[error(transparent)]
    Read(#[from] ReadTableError),
}

impl Build {
    /// Returns the line that stands before the table in its file: what it was built with.
    pub fn heading(&self) -> String {
        let BuildOptions {
            ref rules,
            size,
            stones,
            reach,
            most,
            even,
            seed,
        } = self.options;
        let rules: Vec<String> = rules.iter().map(Rule::to_string).collect();
        let (rules, lines, nodes, hash) = (rules.join(" "), self.lines, self.nodes, self.megabytes);
        format!(
            "# Outflank opening table: {rules}, size {size}, stones {stones}, reach {reach}, most {most}, even {even}, \
             top {lines}, nodes {nodes}, hash {hash}, seed {seed}"
        )
    }

    /// Returns the contents of a file with `table`, finished or not.
    pub fn write(&self, table: &OpeningTable) -> String {
        format!("{}\n{}", self.heading(), table.write())
    }

    /// Returns the table in the contents of a file of this build.
    ///
    /// # Errors
    ///
    /// The file is of a build with other options, or damaged.
    pub fn resume(&self, text: &str) -> Result<OpeningTable, ResumeError> {
        let found = text.lines().next().unwrap_or_default();
        if found != self.heading() {
            return Err(ResumeError::OtherOptions(found.to_owned()));
        }
        Ok(OpeningTable::read(text)?)
    }

    /// Finds replies to every position that `table` lacks, and returns to how many.
    ///
    /// The engine starts from nothing for each position, so that the order of the work does not matter.
    ///
    /// # Errors
    ///
    /// Returns why the table cannot be built, or what `on_event` returns.
    pub fn run<X: From<BuildError>>(
        &self,
        table: &mut OpeningTable,
        on_event: &mut dyn FnMut(BuildEvent<'_>) -> Result<(), X>,
    ) -> Result<usize, X> {
        let config = EngineConfig {
            table_bytes: usize::try_from(self.megabytes << 20).unwrap_or(usize::MAX),
            ..EngineConfig::default()
        };
        // Searches end at a number of positions, so no clock is needed: there is none where a page runs this.
        let mut engine =
            Engine::with_clock(config, Arc::new(ManualClock::default())).map_err(BuildError::from)?;
        let mut searched = 0;
        for &rule in &self.options.rules {
            loop {
                let boards = lacking(table, rule, &self.options).map_err(BuildError::from)?;
                let Some(first) = boards.first() else {
                    break;
                };
                on_event(BuildEvent::Level {
                    rule,
                    stones: first.n_stones() as u32,
                    positions: boards.len(),
                })?;
                for board in &boards {
                    self.reply(&mut engine, board, table);
                    searched += 1;
                    on_event(BuildEvent::Position { board, table })?;
                }
            }
            searched += self.find_even(&mut engine, rule, table, on_event)?;
        }
        Ok(searched)
    }

    /// Looks for positions of three stones that are as good as even, and returns to how many positions it found replies.
    fn find_even<X: From<BuildError>>(
        &self,
        engine: &mut Engine,
        rule: Rule,
        table: &mut OpeningTable,
        on_event: &mut dyn FnMut(BuildEvent<'_>) -> Result<(), X>,
    ) -> Result<usize, X> {
        let BuildOptions { size, even, seed, .. } = self.options;
        let mut random = SplitMix64::new(seed.wrapping_add(rule as u64));
        let (mut seen, mut found, mut searched) = (BTreeSet::new(), 0, 0);
        if even > 0 {
            on_event(BuildEvent::Level {
                rule,
                stones: 3,
                positions: even,
            })?;
        }
        // One in twenty or so is even; where none is the search must end.
        for _ in 0..even * TRIES_FOR_AN_EVEN_ONE {
            if found >= even {
                break;
            }
            let board = three_stones(rule, size, &mut random)?;
            let Some((key, _)) = shape_of(&board) else {
                continue;
            };
            if !seen.insert(key) {
                continue;
            }
            if !table.knows(&board) {
                self.reply(engine, &board, table);
                searched += 1;
            }
            if table.is_even(&board) {
                found += 1;
                on_event(BuildEvent::Position { board: &board, table })?;
            }
        }
        Ok(searched)
    }

    /// Finds replies to one position.
    fn reply(&self, engine: &mut Engine, board: &Board, table: &mut OpeningTable) {
        engine.clear();
        let request = Request::new(board.clone()).nodes(self.nodes).lines(self.lines);
        let outcome = engine.search(&request, &StopToken::new(), &mut |_| {});
        for line in &outcome.lines {
            let Some(&reply) = line.moves.first() else {
                continue;
            };
            // In a symmetric position a later line may start with an image of a better one.
            let known = table.replies(board).iter().any(|&(known, _)| known == reply);
            if !known {
                table.insert(board, reply, table_value(line.value));
            }
        }
    }
}

/// Returns a value in the units of a table, within ±10,000: a proven win is worth as much as the best estimate.
fn table_value(value: Value) -> i32 {
    match value {
        Value::Win(_) => 10_000,
        Value::Loss(_) => -10_000,
        Value::Estimate(value) => value,
    }
}

/// Returns a position of three stones near the middle, White to move.
fn three_stones(rule: Rule, size: u8, random: &mut SplitMix64) -> Result<Board, BuildError> {
    let mut board = Board::new(rule, size)?;
    let middle = i32::from(size / 2);
    let reach = EVEN_REACH.min(middle);
    while board.n_stones() < 3 {
        let mut at = || (middle - reach + random.below(2 * reach as usize + 1) as i32) as u8;
        if let Some(point) = Point::new(at(), at()).filter(|&point| board.is_empty(point)) {
            let played = board.play(point);
            debug_assert!(played.is_ok(), "nothing is forbidden with so few stones");
        }
    }
    Ok(board)
}

/// Returns the positions of a rule set that `table` still lacks among those with the fewest stones; none if it is
/// complete.
///
/// Ask again when they have replies: the larger positions depend on them.
///
/// # Errors
///
/// [`SetupError::Size`] for a board that does not exist.
pub fn lacking(table: &OpeningTable, rule: Rule, options: &BuildOptions) -> Result<Vec<Board>, SetupError> {
    let tables = Tables::new(rule);
    let mut center = Board::with_tables(tables, options.size)?;
    let middle = Point::new(options.size / 2, options.size / 2).unwrap_or_default();
    if center.play(middle).is_err() || options.stones == 0 {
        return Ok(Vec::new());
    }
    // The positions one and two stones smaller than those looked at.
    let (mut smaller, mut level) = (Vec::new(), vec![center]);
    for stones in 1..=options.stones {
        let lacks: Vec<Board> = level
            .iter()
            .filter(|board| !table.knows(board))
            .cloned()
            .collect();
        if !lacks.is_empty() {
            return Ok(lacks);
        }
        let next = if stones == 1 {
            around(&level, options)
        } else {
            let replied: Vec<Board> = smaller
                .iter()
                .filter_map(|board: &Board| {
                    let (reply, _) = table.replies(board).first().copied()?;
                    let mut board = board.clone();
                    board.play(reply).ok()?;
                    Some(board)
                })
                .collect();
            around(&replied, options)
        };
        smaller = std::mem::replace(&mut level, sample(next, options, stones + 1));
    }
    Ok(Vec::new())
}

/// Returns every position that one more stone near the others makes, each shape once, in the order of their keys.
fn around(boards: &[Board], options: &BuildOptions) -> BTreeMap<ShapeKey, Board> {
    let mut found = BTreeMap::new();
    for board in boards.iter().filter(|board| board.end().is_none()) {
        let stones = board.stones(Color::Black).union(board.stones(Color::White));
        let near = stones.spread(options.reach).intersection(&board.empties());
        for point in near {
            let mut next = board.clone();
            if next.play(point).is_ok()
                && next.end().is_none()
                && let Some((key, _)) = shape_of(&next)
            {
                found.entry(key).or_insert(next);
            }
        }
    }
    found
}

/// Leaves at most `options.most` positions.
fn sample(found: BTreeMap<ShapeKey, Board>, options: &BuildOptions, stones: u32) -> Vec<Board> {
    let mut boards: Vec<Board> = found.into_values().collect();
    let mut random = SplitMix64::new(options.seed.wrapping_add(u64::from(stones)));
    while boards.len() > options.most.max(1) {
        boards.swap_remove(random.below(boards.len()));
    }
    boards
}
