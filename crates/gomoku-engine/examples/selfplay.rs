//! Plays games of the engine against itself, as samples for the evaluation:
//! `selfplay FOLDER CHUNKS [threads] [nodes] [minutes] [first]`, where `first` is the number of the first chunk.
//!
//! A chunk is 32 games, a file of its own, seeded by its number: a run that was stopped goes on with the chunks that are
//! missing. Every game starts from stones set at random near the center and is begun only if a short search calls the
//! position balanced. All rule sets are played, on boards of 15 and 20 points. A line holds, separated by tabs, rule set,
//! size, stones of the opening, result, moves, and the values of the positions that were searched, for the side to move.
//! Now and then a move near the stones is played instead of the best, and `?` follows the value: a search meets such
//! positions more often than games do.

#![allow(clippy::print_stdout, reason = "a program for the terminal")]

use outflank_game::SplitMix64;
use outflank_gomoku::{Board, Color, End, Point, Rule};
use outflank_gomoku_engine::{Engine, EngineConfig, Request, Value};
use outflank_search::{Limits, StopToken, SystemClock};
use std::{
    fmt::Write as _,
    fs,
    path::Path,
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

const GAMES: usize = 32;
/// Positions of the search that decides whether an opening is balanced, and how far its value may be from even.
const OPENING_NODES: u64 = 2_000;
const BALANCED: i32 = 150;
/// One move in so many is another than the best.
const ODD_MOVES: usize = 12;
/// A game with more stones is a draw.
const MOST_STONES: usize = 150;

fn searched(engine: &mut Engine, board: &Board, nodes: u64) -> (Option<Point>, Value) {
    let limits = Limits {
        nodes: Some(nodes),
        ..Limits::default()
    };
    let request = Request::new(board.clone()).limits(limits);
    let outcome = engine.search(&request, &StopToken::new(), &mut |_| {});
    (outcome.best_move(), outcome.best().value)
}

/// Returns a rule set and a size: free-style most often, with the boards that are played.
fn kind(random: &mut SplitMix64) -> (Rule, u8) {
    match random.below(20) {
        0..=7 => (Rule::Freestyle, 15),
        8..=10 => (Rule::Freestyle, 20),
        11..=13 => (Rule::Standard, 15),
        14..=16 => (Rule::Renju, 15),
        _ => (Rule::Caro, 15),
    }
}

/// Returns a balanced position of 3 to 9 stones.
fn opening(engine: &mut Engine, rule: Rule, size: u8, random: &mut SplitMix64) -> Board {
    loop {
        let mut board = Board::new(rule, size).expect("a size");
        let n_stones = 3 + random.below(7);
        let radius = 2 + random.below(3);
        let low = usize::from(size) / 2 - radius;
        // Some openings lie near an edge.
        let corner = if random.below(4) == 0 {
            [1 + random.below(4), 1 + random.below(4)]
        } else {
            [low, low]
        };
        while board.n_stones() < n_stones && board.end().is_none() {
            let [x, y] = corner.map(|from| (from + random.below(2 * radius + 1)) as u8);
            // Occupied or outside: try another.
            let _refused = Point::new(x, y).map(|point| board.play(point));
        }
        if board.end().is_none()
            && let (_, Value::Estimate(value)) = searched(engine, &board, OPENING_NODES)
            && value.abs() <= BALANCED
        {
            return board;
        }
    }
}

/// Plays one game and returns its line.
fn game(engine: &mut Engine, most_nodes: u64, random: &mut SplitMix64) -> String {
    let (rule, size) = kind(random);
    engine.clear();
    let mut board = opening(engine, rule, size, random);
    let n_opening = board.n_stones();
    let nodes = most_nodes >> random.below(3);
    let mut values = Vec::new();
    let mut proved = None;
    while board.end().is_none() && proved.is_none() && board.n_stones() < MOST_STONES {
        let (mv, value) = searched(engine, &board, nodes);
        match value {
            Value::Win(_) => proved = Some(board.side()),
            Value::Loss(_) => proved = Some(!board.side()),
            Value::Estimate(_) => {}
        }
        let mut text = value.to_string();
        let mut is_played = false;
        if proved.is_none() && random.below(ODD_MOVES) == 0 {
            let stones = board.stones(Color::Black).union(board.stones(Color::White));
            let near: Vec<Point> = stones.spread(2).intersection(&board.empties()).iter().collect();
            is_played = board.play(near[random.below(near.len())]).is_ok();
            text.push('?');
        }
        values.push(text);
        if !is_played && mv.is_none_or(|mv| board.play(mv).is_err()) {
            break;
        }
    }
    let winner = proved.or_else(|| board.end().and_then(End::winner));
    let result = winner.map_or_else(|| "draw".to_owned(), |color: Color| color.to_string());
    let moves: String = board.history().iter().map(|(mv, _)| mv.to_string()).collect();
    format!(
        "{rule}\t{size}\t{n_opening}\t{result}\t{moves}\t{}",
        values.join(",")
    )
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().collect();
    let [_, folder, chunks, rest @ ..] = &args[..] else {
        return Err("usage: selfplay FOLDER CHUNKS [threads] [nodes] [minutes] [first]".into());
    };
    let number = |nth: usize, default: f64| rest.get(nth).map_or(Ok(default), |text| text.parse());
    let (folder, chunks) = (Path::new(folder), chunks.parse::<u64>()?);
    let (threads, nodes, minutes) = (number(0, 1.0)?, number(1, 2_400.0)?, number(2, 1e6)?);
    let first = number(3, 0.0)? as u64;
    fs::create_dir_all(folder)?;
    let start = Instant::now();
    let next = AtomicU64::new(first);
    std::thread::scope(|scope| {
        for _ in 0..threads as usize {
            scope.spawn(|| {
                let config = EngineConfig {
                    table_bytes: 4 << 20,
                    threat_bits: 15,
                    ..EngineConfig::default()
                };
                let mut engine = Engine::with_clock(config, SystemClock::shared()).expect("memory");
                loop {
                    let chunk = next.fetch_add(1, Ordering::Relaxed);
                    if chunk >= first + chunks || start.elapsed() > Duration::from_secs_f64(60.0 * minutes) {
                        return;
                    }
                    let path = folder.join(format!("{chunk:06}.games"));
                    if path.exists() {
                        continue;
                    }
                    let mut random = SplitMix64::new(chunk);
                    let mut text = String::new();
                    for _ in 0..GAMES {
                        let line = game(&mut engine, nodes as u64, &mut random);
                        let _never_fails = writeln!(text, "{line}");
                    }
                    let unfinished = path.with_extension("part");
                    fs::write(&unfinished, text).expect("a file to write to");
                    fs::rename(&unfinished, &path).expect("a file to write to");
                }
            });
        }
    });
    println!(
        "{} after {:.0} s",
        folder.display(),
        start.elapsed().as_secs_f64()
    );
    Ok(())
}
