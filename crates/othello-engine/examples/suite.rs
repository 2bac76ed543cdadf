//! Solves the positions of OBF files and reports values, nodes and CPU time: the bench of the endgame solver.
//!
//! `cargo run --release -p outflank-othello-engine --example suite -- [options] FILE…`
//!
//! Options: `--threads N`, `--hash MB`, `--lines A-B` (of each file, from 1), `--all-moves`, `--wld`, `--quiet`,
//! `--without TECHNIQUE` (a field of `Techniques`), `--hand-made` (the evaluator without learning), `--weights FILE` (other
//! learned weights), `--probcut TABLE` (their statistics), `--weight NAME=VALUE` (of `OrderingWeights`), `--empties N` (only
//! positions with so many), `--limit N` (at most so many positions).

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command-line tool")]

use outflank_eval::{Evaluator, HandMade, Patterns};
use outflank_othello::{Bitboard, Board, Square};
use outflank_othello_engine::{
    Engine, EngineConfig, SolverGoal,
    tuning::{OrderingWeights, ProbCutTable, Techniques},
};
use outflank_search::{Control, ManualClock};
use std::{collections::BTreeMap, fs, sync::Arc, time::Instant};

struct Item {
    board: Board,
    scores: BTreeMap<Square, i32>,
    /// The value without a move.
    value: Option<i32>,
    /// The value is the plain disc difference, in which the empties count for nobody.
    plain: bool,
}

impl Item {
    /// Returns whether the file agrees with a value; a plain difference may be smaller where squares stay empty.
    fn agrees(&self, value: i32) -> bool {
        match self.scores.values().max().copied().or(self.value) {
            Some(known) if self.plain => {
                value == known || (value.signum() == known.signum() && value.abs() > known.abs())
            }
            known => known.is_none_or(|known| known == value),
        }
    }
}

/// Reads `board side; move:score; …`, one a line; side and scores may be missing. Also `board side score`, and
/// `board score` with a board of `b`, `w` and `.`, White to move.
fn parse(line: &str) -> Option<Item> {
    let mut fields = line.split(';');
    let head = fields.next()?.trim();
    let cells = head.get(..64)?;
    let plain = cells.contains(['b', 'w']);
    let black_to_move = !plain && !head[64..].trim_start().starts_with(['O', 'o']);
    let (mut black, mut white) = (0, 0);
    for (index, cell) in cells.bytes().enumerate() {
        match cell {
            b'X' | b'x' | b'*' | b'b' => black |= 1 << index,
            b'O' | b'o' | b'w' => white |= 1 << index,
            _ => {}
        }
    }
    let (player, opponent) = if black_to_move {
        (black, white)
    } else {
        (white, black)
    };
    let scores = fields
        .filter_map(|field| {
            let (square, score) = field.trim().split_once(':')?;
            Some((square.parse().ok()?, score.parse().ok()?))
        })
        .collect();
    Some(Item {
        board: Board::new(Bitboard::new(player), Bitboard::new(opponent))?,
        scores,
        value: head[64..]
            .split_whitespace()
            .last()
            .and_then(|score| score.parse().ok()),
        plain,
    })
}

/// CPU seconds of this process so far.
fn cpu_seconds() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after = stat.rsplit(')').next().unwrap_or_default();
    let ticks: f64 = after
        .split_whitespace()
        .skip(11)
        .take(2)
        .filter_map(|field| field.parse::<f64>().ok())
        .sum();
    ticks / 100.0
}

fn switch_off(techniques: &mut Techniques, name: &str) {
    let field = match name {
        "pruning" => &mut techniques.pruning,
        "parity" => &mut techniques.parity,
        "mobility" => &mut techniques.mobility,
        "corner_stability" => &mut techniques.corner_stability,
        "evaluation" => &mut techniques.evaluation,
        "ordering_search" => &mut techniques.ordering_search,
        "stability" => &mut techniques.stability,
        "enhanced_cutoffs" => &mut techniques.enhanced_cutoffs,
        "private_table" => &mut techniques.private_table,
        "shared_table" => &mut techniques.shared_table,
        "presearch" => &mut techniques.presearch,
        "guide" => &mut techniques.guide,
        _ => {
            eprintln!("unknown technique {name}");
            return;
        }
    };
    *field = false;
}

/// Sets a weight: `upper.evaluation=20`.
fn set_weight(weights: &mut OrderingWeights, text: &str) {
    let (name, value) = text.split_once('=').expect("NAME=VALUE");
    let number: i32 = value.parse().expect("a number");
    let (tier, field) = name.split_once('.').unwrap_or(("", name));
    let tier = match tier {
        "middle" => &mut weights.middle,
        "top" => &mut weights.top,
        _ => &mut weights.upper,
    };
    match field {
        "mobility" => tier.mobility = number,
        "corner" => tier.corner = number,
        "parity" => tier.parity = number,
        "square" => tier.square = number,
        "evaluation" => tier.evaluation = number,
        "evaluation_from" => weights.evaluation_from = number.unsigned_abs(),
        "full_from" => weights.full_from = number.unsigned_abs(),
        "whole_from" => weights.whole_from = number.unsigned_abs(),
        "search1" => weights.search_from[0] = number.unsigned_abs(),
        "search2" => weights.search_from[1] = number.unsigned_abs(),
        "search3" => weights.search_from[2] = number.unsigned_abs(),
        _ => eprintln!("unknown weight {name}"),
    }
}

/// What to solve, and how.
struct Task {
    config: EngineConfig,
    goal: SolverGoal,
    quiet: bool,
    first: usize,
    last: usize,
    empties: Option<u32>,
    limit: usize,
    files: Vec<String>,
}

fn main() {
    let mut config = EngineConfig::default();
    let (mut goal, mut quiet) = (SolverGoal::Exact, false);
    let (mut first, mut last) = (1, usize::MAX);
    let (mut empties, mut limit, mut hand_made) = (None, usize::MAX, false);
    let (mut weights, mut probcut) = (None, None);
    let mut files = Vec::new();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().unwrap_or_default();
        match arg.as_str() {
            "--threads" => config.threads = value().parse().expect("a number of threads"),
            "--hash" => config.table_bytes = value().parse::<usize>().expect("megabytes") << 20,
            "--lines" => {
                let range = value();
                let (from, to) = range.split_once('-').unwrap_or((&range, &range));
                (first, last) = (from.parse().expect("a line"), to.parse().expect("a line"));
            }
            "--all-moves" => goal = SolverGoal::AllMoves,
            "--wld" => goal = SolverGoal::WinLossDraw,
            "--weight" => set_weight(&mut config.ordering, &value()),
            "--quiet" => quiet = true,
            "--hand-made" => hand_made = true,
            "--weights" => weights = Some(value()),
            "--probcut" => probcut = Some(value()),
            "--empties" => empties = Some(value().parse().expect("a number of empties")),
            "--limit" => limit = value().parse().expect("a number of positions"),
            "--without" => switch_off(&mut config.endgame, &value()),
            _ => files.push(arg),
        }
    }
    let task = Task {
        config,
        goal,
        quiet,
        first,
        last,
        empties,
        limit,
        files,
    };
    if hand_made {
        run(HandMade, ProbCutTable::hand_made(), &task);
    } else {
        let patterns = weights.map_or_else(Patterns::embedded, |path| {
            let bytes = fs::read(path).expect("the file can be read");
            Patterns::from_bytes(&bytes).expect("a weight file")
        });
        let probcut = probcut.map_or_else(ProbCutTable::embedded, |path| {
            let text = fs::read_to_string(path).expect("the file can be read");
            text.parse().expect("a ProbCut table")
        });
        run(patterns, probcut, &task);
    }
}

fn run<E: Evaluator + 'static>(evaluator: E, probcut: ProbCutTable, task: &Task) {
    let goal = task.goal;
    let clock = Arc::new(ManualClock::default());
    let mut engine = Engine::judging_by(Arc::new(evaluator), Arc::new(probcut), task.config, clock)
        .expect("memory for the tables");
    let (mut nodes, mut wrong, mut count) = (0, 0, 0);
    let (start, cpu_start) = (Instant::now(), cpu_seconds());
    for file in &task.files {
        let text = fs::read_to_string(file).expect("the file can be read");
        for (number, line) in text.lines().enumerate() {
            let Some(item) = parse(line).filter(|_| (task.first..=task.last).contains(&(number + 1))) else {
                continue;
            };
            let empties = item.board.empties().count();
            if count == task.limit || task.empties.is_some_and(|only| only != empties) {
                continue;
            }
            let one = Instant::now();
            let result = engine.solve(item.board, goal, &Control::unlimited());
            let seconds = one.elapsed().as_secs_f64();
            let best = item.scores.values().max().copied();
            let ok = match goal {
                SolverGoal::WinLossDraw => {
                    best.is_none_or(|best| best.signum() == result.value.get().signum())
                }
                SolverGoal::AllMoves => item.scores.iter().all(|(square, &score)| {
                    result
                        .moves
                        .iter()
                        .any(|mv| mv.square == *square && mv.value.get() == score)
                }),
                _ => {
                    item.agrees(result.value.get())
                        && result
                            .best()
                            .is_none_or(|square| best.is_none() || item.scores.get(&square).copied() == best)
                }
            };
            count += 1;
            wrong += usize::from(!ok);
            nodes += result.nodes;
            if !task.quiet || !ok {
                println!(
                    "{:4} {:2} empties  {:>4}  {:12} nodes {seconds:8.3} s {:6.1} M/s {} {}",
                    number + 1,
                    item.board.empties().count(),
                    result.value,
                    result.nodes,
                    result.nodes as f64 / seconds / 1e6,
                    if ok { "ok" } else { "WRONG" },
                    result
                        .pv
                        .iter()
                        .map(ToString::to_string)
                        .collect::<Vec<_>>()
                        .join(" "),
                );
            }
        }
    }
    let (wall, cpu) = (start.elapsed().as_secs_f64(), cpu_seconds() - cpu_start);
    println!(
        "{count} positions, {wrong} wrong, {nodes} nodes, {wall:.2} s, {cpu:.2} CPU s, {:.2} M nodes per CPU s",
        nodes as f64 / cpu / 1e6
    );
}
