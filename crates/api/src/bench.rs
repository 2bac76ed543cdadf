//! Fixed work with an engine, so that changes can be told from noise.
//!
//! The number of positions entered is the same on every processor, and changes exactly when the search does; the time is
//! the machine's.

use crate::error::Error;
use outflank_eval::Patterns;
use outflank_gomoku::{Board, Color, Rule};
use outflank_gomoku_engine as gomoku;
use outflank_othello_engine::{Engine, EngineConfig, Request, SolverGoal};
use outflank_records::paste;
use outflank_search::{Clock, Control, StopToken};
use serde::Serialize;
use std::{sync::Arc, time::Duration};

/// Openings of Othello, eight moves long.
const OPENINGS: [&str; 4] = [
    "f5d6c4d3c2b3b4b5",
    "f5f6d3c5d6c7b5e3",
    "f5f4e3d2c3e6e1g5",
    "f5d6c3d3c4f4f6g5",
];
/// Depth of their searches, in placed discs.
const DEPTH: u32 = 12;

/// Endgames of Othello: the first part of the FFO test.
const ENDGAMES: &str = include_str!("../data/fforum-1-19.obf");

/// Openings and middle games of Gomoku from our own games, one a rule set and two for free-style.
const POSITIONS: [(Rule, &str); 5] = [
    (Rule::Freestyle, "h8i9g6j5e10k11"),
    (Rule::Freestyle, "h8g7i9g9j10g10g8i8h7f9h9h10"),
    (Rule::Standard, "h8i8j6i7f7g6"),
    (Rule::Renju, "h8i9j10i8i7g9"),
    (Rule::Caro, "h8h9j9j8f8i7"),
];
/// How long stones are placed and taken back.
const PAIRS_TIME: Duration = Duration::from_millis(500);

/// What one part of the work took.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Part {
    /// How many positions were searched.
    #[serde(skip)]
    pub positions: usize,
    /// Positions entered.
    pub nodes: u64,
    /// Time taken.
    pub seconds: f64,
}

impl Part {
    /// Returns the positions entered in a second.
    pub fn speed(&self) -> f64 {
        self.nodes as f64 / self.seconds
    }
}

/// What the fixed work of Othello took.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct OthelloBench {
    /// Endgames, solved.
    pub endgames: Part,
    /// Openings, searched to a depth.
    pub midgames: Part,
    /// Positions entered.
    pub nodes: u64,
    /// Positions entered in a second.
    pub nps: f64,
    /// Time taken.
    pub seconds: f64,
    /// Positions entered: what changes when the search does.
    pub signature: u64,
}

/// What the fixed work of Gomoku took.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct GomokuBench {
    /// Pairs of a stone placed and taken back in a second, under the free-style rule.
    pub move_undo_pairs_per_second: f64,
    /// Positions entered.
    pub nodes: u64,
    /// Positions entered in a second.
    pub nps: f64,
    /// How many positions were searched.
    #[serde(skip)]
    pub positions: usize,
    /// Time taken.
    pub seconds: f64,
    /// Positions entered: what changes when the search does, with one thread.
    pub signature: u64,
}

/// Measures what `work` takes.
fn measured(
    positions: usize,
    clock: &dyn Clock,
    work: impl FnOnce() -> Result<u64, Error>,
) -> Result<Part, Error> {
    let begin = clock.now();
    let nodes = work()?;
    Ok(Part {
        positions,
        nodes,
        seconds: clock.now().saturating_sub(begin).as_secs_f64(),
    })
}

/// Solves endgames and searches openings of Othello with one thread.
///
/// # Errors
///
/// There is no engine to be had.
pub fn othello(clock: &Arc<dyn Clock>) -> Result<OthelloBench, Error> {
    let config = EngineConfig {
        table_bytes: 32 << 20,
        ..EngineConfig::default()
    };
    let made = Engine::<Patterns>::with_clock(config, Arc::clone(clock));
    let mut engine = made.map_err(|error| Error::Engine(error.to_string()))?;
    let read = |text: &str| {
        paste(text)
            .map(|pasted| pasted.items)
            .map_err(|error| Error::Input(format!("the built-in positions: {error}")))
    };
    let positions = read(ENDGAMES)?;
    let endgames = measured(positions.len(), &**clock, || {
        let solve = |item: &outflank_records::Item| {
            let board = item.position().board();
            engine
                .solve(board, SolverGoal::Exact, &Control::unlimited())
                .nodes
        };
        Ok(positions.iter().map(solve).sum())
    })?;
    let midgames = measured(OPENINGS.len(), &**clock, || {
        let mut nodes = 0;
        for opening in OPENINGS {
            for item in read(opening)? {
                engine.clear();
                let request = Request::new(*item.position()).depth(DEPTH);
                nodes += engine.search(&request, &StopToken::new(), &mut |_| {}).nodes;
            }
        }
        Ok(nodes)
    })?;
    let nodes = midgames.nodes + endgames.nodes;
    let seconds = midgames.seconds + endgames.seconds;
    Ok(OthelloBench {
        endgames,
        midgames,
        nodes,
        nps: (nodes as f64 / seconds).round(),
        seconds,
        signature: nodes,
    })
}

/// Searches positions of Gomoku; with more than one thread the number of positions entered varies.
///
/// # Errors
///
/// There is no engine to be had.
pub fn gomoku(threads: usize, clock: &Arc<dyn Clock>) -> Result<GomokuBench, Error> {
    let config = gomoku::EngineConfig {
        table_bytes: 16 << 20,
        vct_nodes: 5_000,
        threads,
        ..gomoku::EngineConfig::default()
    };
    let made = gomoku::Engine::with_clock(config, Arc::clone(clock));
    let mut engine = made.map_err(|error| Error::Engine(error.to_string()))?;
    let all = measured(POSITIONS.len(), &**clock, || {
        let mut nodes = 0;
        for (rule, moves) in POSITIONS {
            engine.clear();
            let request = gomoku::Request::new(board(rule, moves)?).depth(6).nodes(400_000);
            nodes += engine.search(&request, &StopToken::new(), &mut |_| {}).nodes;
        }
        Ok(nodes)
    })?;
    let pairs = moves_and_undos(board(Rule::Freestyle, POSITIONS[1].1)?, &**clock);
    Ok(GomokuBench {
        move_undo_pairs_per_second: pairs.round(),
        nodes: all.nodes,
        nps: all.speed().round(),
        positions: all.positions,
        seconds: all.seconds,
        signature: all.nodes,
    })
}

/// Returns a board with these moves.
fn board(rule: Rule, moves: &str) -> Result<Board, Error> {
    let wrong = |error: &dyn std::fmt::Display| Error::Input(format!("the built-in positions: {error}"));
    let record = outflank_records::gomoku::read(moves).map_err(|error| wrong(&error))?;
    record.value.board(rule, 15).map_err(|error| wrong(&error))
}

/// Places and takes back pairs of stones around the center; returns how many in a second.
fn moves_and_undos(mut board: Board, clock: &dyn Clock) -> f64 {
    let empties: Vec<_> = board
        .empties()
        .iter()
        .filter(|point| (3..12).contains(&point.x()) && (3..12).contains(&point.y()))
        .collect();
    let begin = clock.now();
    let mut pairs = 0_u64;
    loop {
        let elapsed = clock.now().saturating_sub(begin);
        if elapsed >= PAIRS_TIME {
            return pairs as f64 / elapsed.as_secs_f64();
        }
        for &first in &empties {
            board.place(first, Color::Black);
            for &second in empties.iter().filter(|&&second| second != first) {
                board.place(second, Color::White);
                board.unplace();
                pairs += 1;
            }
            board.unplace();
            pairs += 1;
        }
    }
}
