//! Measures the midgame search: the commands behind the tables of docs/search.md.
//!
//! `cargo run --release -p outflank-othello-engine --example midgame -- MODE [options]`
//!
//! | mode | what it prints |
//! | --- | --- |
//! | `reach FILE` | depth finished in `--seconds` of CPU time from each opening of FILE (moves, one game a line) |
//! | `nodes FILE` | nodes and CPU time to `--depth` |
//! | `honesty FILE` | for each confidence level: how often and how far values differ from the full width's |
//! | `accuracy FILE` | share of best moves and error at `--depth` on positions with exact scores (OBF) |
//! | `exact FILE` | by empties, how many positions (OBF) are solved in `--seconds` of CPU time each |
//! | `stops FILE` | how long the engine takes to answer after it is stopped, `--count` times |
//! | `window FILE` | nodes for one move, for all within `--within` discs with one bound for the rest, and for all |
//! | `threads FILE` | time to `--depth` with 1 and with `--threads N`, interleaved |
//!
//! Options: `--seconds S`, `--depth N`, `--count N` (positions), `--skip N`, `--plies N` (random-ish plies after the
//! opening), `--confidence P`, `--threads N`, `--hash MB`, `--without TECHNIQUE`, `--probcut TABLE`, `--weights FILE`.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command-line tool")]

use outflank_eval::{Patterns, Score};
use outflank_game::SplitMix64;
use outflank_othello::{Bitboard, Color, Game, Move, Position, Setup, Square};
use outflank_othello_engine::{
    Engine, EngineConfig, Request,
    tuning::{MidgameTechniques, ProbCutTable, Selectivity},
};
use outflank_search::{Clock, Goal, Limits, StopToken, SystemClock, Verdict};
use std::{
    collections::BTreeMap,
    env, fs, process,
    sync::Arc,
    time::{Duration, Instant},
};

/// CPU time of the main thread, so that other programs on the machine do not count.
#[derive(Debug)]
struct CpuClock;

impl Clock for CpuClock {
    fn now(&self) -> Duration {
        let text = fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
        let nanos = text.split(' ').next().and_then(|field| field.parse().ok());
        Duration::from_nanos(nanos.unwrap_or(0))
    }
}

struct Options {
    mode: String,
    file: String,
    values: BTreeMap<String, f64>,
    techniques: MidgameTechniques,
    probcut: Arc<ProbCutTable>,
    evaluator: Arc<Patterns>,
}

impl Options {
    fn parse() -> Result<Self, String> {
        let mut words = env::args().skip(1);
        let mut options = Self {
            mode: words.next().ok_or("which mode?")?,
            file: words.next().ok_or("which file?")?,
            values: BTreeMap::new(),
            techniques: MidgameTechniques::ALL,
            probcut: Arc::new(ProbCutTable::embedded()),
            evaluator: Arc::new(Patterns::embedded()),
        };
        while let Some(option) = words.next() {
            let value = words.next().ok_or("a value is missing")?;
            match option.as_str() {
                "--without" => {
                    let (_, technique) = MidgameTechniques::named()
                        .find(|(name, _)| *name == value)
                        .ok_or("no such technique")?;
                    options.techniques = options.techniques.without(technique);
                }
                "--weights" => {
                    let bytes = fs::read(value).map_err(|error| error.to_string())?;
                    let weights = Patterns::from_bytes(&bytes).map_err(|error| error.to_string())?;
                    options.evaluator = Arc::new(weights);
                }
                "--probcut" => {
                    let text = fs::read_to_string(value).map_err(|error| error.to_string())?;
                    options.probcut = Arc::new(text.parse().map_err(|error| format!("{error}"))?);
                }
                _ => {
                    let number = value.parse().map_err(|_| format!("{value} is not a number"))?;
                    options.values.insert(option, number);
                }
            }
        }
        Ok(options)
    }

    fn value(&self, name: &str, default: f64) -> f64 {
        self.values.get(name).copied().unwrap_or(default)
    }

    fn integer(&self, name: &str, default: u32) -> u32 {
        self.value(name, f64::from(default)) as u32
    }

    fn engine(&self, threads: usize, cpu: bool) -> Engine<Patterns> {
        let config = EngineConfig {
            table_bytes: (self.integer("--hash", 128) as usize) << 20,
            threads,
            techniques: self.techniques,
            ..EngineConfig::default()
        };
        let clock: Arc<dyn Clock> = if cpu {
            Arc::new(CpuClock)
        } else {
            SystemClock::shared()
        };
        Engine::judging_by(
            Arc::clone(&self.evaluator),
            Arc::clone(&self.probcut),
            config,
            clock,
        )
        .expect("memory for the table")
    }

    /// The openings of the file, every 7th so that they differ, with some more plies of greedy and random moves.
    fn openings(&self) -> Vec<Position> {
        let text = fs::read_to_string(&self.file).expect("a readable file");
        let count = self.integer("--count", 50) as usize;
        let plies = self.integer("--plies", 0);
        let mut random = SplitMix64::new(1);
        let mut player = self.engine(1, true);
        text.lines()
            .step_by(7)
            .skip(self.integer("--skip", 0) as usize)
            .filter_map(|line| {
                let mut game = Game::new();
                for pair in line.split_whitespace().next()?.as_bytes().chunks(2) {
                    game.place(std::str::from_utf8(pair).ok()?.parse().ok()?).ok()?;
                }
                let mut position = *game.position();
                for _ in 0..plies {
                    let moves = position.legal_moves();
                    let best = player
                        .search(&Request::new(position).depth(3), &StopToken::new(), &mut |_| {})
                        .best_move()?;
                    let any = moves[random.below(moves.len())];
                    position
                        .play(if random.below(5) == 0 { any } else { best })
                        .ok()?;
                }
                (!position.board().must_pass() && !position.is_game_over()).then_some(position)
            })
            .take(count)
            .collect()
    }
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

fn reach(options: &Options) {
    let mut engine = options.engine(1, true);
    let time = Duration::from_secs_f64(options.value("--seconds", 3.0));
    let mut depths = Vec::new();
    let (mut nodes, mut seconds) = (0, 0.0);
    for position in options.openings() {
        engine.clear();
        let request = Request {
            confidence: options.integer("--confidence", 73) as u8,
            ..Request::default().time(time)
        };
        let mut depth = 0;
        let outcome = engine.search(&request.at(position), &StopToken::new(), &mut |progress| {
            depth = depth.max(progress.stage.depth);
        });
        nodes += outcome.nodes;
        seconds += outcome.elapsed.as_secs_f64();
        depths.push(f64::from(depth));
    }
    let mean = depths.iter().sum::<f64>() / depths.len() as f64;
    println!(
        "{} positions: median depth {}, mean {mean:.2}, {:.2} M nodes/s",
        depths.len(),
        median(&mut depths),
        nodes as f64 / seconds / 1e6
    );
}

fn nodes(options: &Options) {
    let mut engine = options.engine(1, true);
    let (mut nodes, mut seconds, mut sum) = (0, 0.0, 0.0);
    for position in options.openings() {
        engine.clear();
        let request = Request {
            confidence: options.integer("--confidence", 73) as u8,
            ..Request::default().depth(options.integer("--depth", 12))
        };
        let outcome = engine.search(&request.at(position), &StopToken::new(), &mut |_| {});
        nodes += outcome.nodes;
        seconds += outcome.elapsed.as_secs_f64();
        sum += outcome.best().value.discs();
    }
    println!(
        "{nodes} nodes, {seconds:.2} s, {:.2} M nodes/s, values {sum:.2}",
        nodes as f64 / seconds / 1e6
    );
}

fn honesty(options: &Options) {
    let depth = options.integer("--depth", 8);
    let mut engine = options.engine(1, true);
    let positions = options.openings();
    let mut full = Vec::new();
    for (level, selectivity) in Selectivity::LEVELS.iter().enumerate().rev() {
        let (mut nodes, mut seconds) = (0, 0.0);
        let mut errors = Vec::new();
        let mut moves = 0;
        for (index, position) in positions.iter().enumerate() {
            engine.clear();
            let request = Request {
                confidence: selectivity.confidence,
                ..Request::default().depth(depth)
            };
            let outcome = engine.search(&request.at(*position), &StopToken::new(), &mut |_| {});
            nodes += outcome.nodes;
            seconds += outcome.elapsed.as_secs_f64();
            let value = outcome.best().value.discs();
            if level == Selectivity::LEVELS.len() - 1 {
                full.push((value, outcome.best_move(), 0_u64));
            }
            errors.push(value - full[index].0);
            moves += usize::from(outcome.best_move() == full[index].1);
        }
        if level == Selectivity::LEVELS.len() - 1 {
            for entry in &mut full {
                entry.2 = nodes;
            }
        }
        let count = errors.len() as f64;
        let within = |limit: f64| {
            100.0 * errors.iter().filter(|error| error.abs() <= limit + 1e-9).count() as f64 / count
        };
        let mean: f64 = errors.iter().sum::<f64>() / count;
        let absolute: f64 = errors.iter().map(|error| error.abs()).sum::<f64>() / count;
        println!(
            "depth {depth} confidence {:3} %: equal {:5.1} %, within ½ disc {:5.1} %, 1 disc {:5.1} %, 2 discs {:5.1} %, \
             same move {:5.1} %, mean error {mean:+.2}, mean distance {absolute:.2}, nodes {nodes} ({:.1} %), {seconds:.1} s",
            selectivity.confidence,
            within(0.0),
            within(0.5),
            within(1.0),
            within(2.0),
            100.0 * moves as f64 / count,
            100.0 * nodes as f64 / full[0].2 as f64,
        );
    }
}

/// Reads `board side; move:score; …`, one a line.
fn parse_obf(line: &str) -> Option<(Position, BTreeMap<Square, i32>)> {
    let mut fields = line.split(';');
    let head = fields.next()?.trim();
    let mut setup = Setup {
        black: Bitboard::EMPTY,
        white: Bitboard::EMPTY,
        side: if head.get(64..)?.trim().starts_with('O') {
            Color::White
        } else {
            Color::Black
        },
    };
    for (cell, square) in head.bytes().zip(Square::ALL) {
        match cell {
            b'X' => setup.black = setup.black.with(square),
            b'O' => setup.white = setup.white.with(square),
            _ => {}
        }
    }
    let scores = fields
        .filter_map(|field| {
            let (square, score) = field.trim().split_once(':')?;
            Some((square.parse().ok()?, score.parse().ok()?))
        })
        .collect();
    Some((setup.build().ok()?, scores))
}

fn accuracy(options: &Options) {
    let text = fs::read_to_string(&options.file).expect("a readable file");
    let depth = options.integer("--depth", 12);
    let mut engine = options.engine(1, true);
    let (mut count, mut best, mut nodes) = (0_u32, 0_u32, 0_u64);
    let (mut error, mut bias, mut loss, mut seconds) = (0.0, 0.0, 0.0, 0.0);
    for (position, scores) in text
        .lines()
        .filter_map(parse_obf)
        .take(options.integer("--count", 100) as usize)
    {
        engine.clear();
        let request = Request {
            limits: Limits {
                depth: Some(depth),
                ..Limits::default()
            },
            confidence: options.integer("--confidence", 73) as u8,
            ..Request::default()
        };
        let outcome = engine.search(&request.at(position), &StopToken::new(), &mut |_| {});
        let top = scores.values().copied().max().expect("scores");
        let played = outcome
            .best_move()
            .and_then(Move::square)
            .and_then(|square| scores.get(&square))
            .copied()
            .expect("a score");
        count += 1;
        best += u32::from(played == top);
        loss += f64::from(top - played);
        let difference = outcome.best().value.discs() - f64::from(top);
        error += difference.abs();
        bias += difference;
        nodes += outcome.nodes;
        seconds += outcome.elapsed.as_secs_f64();
    }
    let n = f64::from(count);
    println!(
        "depth {depth}: {count} positions, best moves {:.1} %, mean loss {:.2}, mean absolute error {:.2}, bias {:+.2}, {} nodes a position, {seconds:.1} s",
        100.0 * f64::from(best) / n,
        loss / n,
        error / n,
        bias / n,
        nodes / u64::from(count.max(1)),
    );
}

/// Solves positions with exact scores within a time, and counts the solved ones by empties.
fn exact(options: &Options) {
    let text = fs::read_to_string(&options.file).expect("a readable file");
    let time = Duration::from_secs_f64(options.value("--seconds", 3.0));
    let mut engine = options.engine(1, true);
    let mut by_empties: BTreeMap<u32, (u32, u32, Vec<f64>)> = BTreeMap::new();
    for (position, scores) in text.lines().filter_map(parse_obf) {
        engine.clear();
        let request = Request {
            goal: Goal::Exact,
            ..Request::default().time(time)
        };
        let outcome = engine.search(&request.at(position), &StopToken::new(), &mut |_| {});
        let (solved, wrong, seconds) = by_empties.entry(position.board().empties().count()).or_default();
        seconds.push(outcome.elapsed.as_secs_f64());
        if outcome.best().verdict == Verdict::Exact {
            *solved += 1;
            let found = outcome.best().value.units() / Score::PER_DISC;
            *wrong += u32::from(scores.values().max().is_some_and(|&top| top != found));
        }
    }
    for (empties, (solved, wrong, mut seconds)) in by_empties {
        println!(
            "{empties} empties: {solved} of {} solved, {wrong} wrong, median {:.2} s",
            seconds.len(),
            median(&mut seconds)
        );
    }
}

fn threads(options: &Options) {
    let depth = options.integer("--depth", 14);
    let threads = options.integer("--threads", 2) as usize;
    let mut engines = [options.engine(1, false), options.engine(threads, false)];
    let mut ratios = Vec::new();
    let mut extra = Vec::new();
    for position in options.openings() {
        let mut seconds = [0.0; 2];
        let mut nodes = [0; 2];
        for _ in 0..3 {
            for (i, engine) in engines.iter_mut().enumerate() {
                engine.clear();
                let outcome = engine.search(
                    &Request::new(position).depth(depth),
                    &StopToken::new(),
                    &mut |_| {},
                );
                seconds[i] += outcome.elapsed.as_secs_f64();
                nodes[i] += outcome.nodes;
            }
        }
        println!(
            "{:.3} s, {:.3} s with {threads} threads, {:.2} times the nodes",
            seconds[0],
            seconds[1],
            nodes[1] as f64 / nodes[0] as f64
        );
        ratios.push(seconds[0] / seconds[1]);
        extra.push(nodes[1] as f64 / nodes[0] as f64);
    }
    println!(
        "median speed-up {:.2}, median factor of nodes {:.2}",
        median(&mut ratios),
        median(&mut extra)
    );
}

/// Compares what it costs to value one move, those within a window of the best, and all.
fn window(options: &Options) {
    let mut engine = options.engine(1, true);
    let within = (options.value("--within", 6.0) * f64::from(Score::PER_DISC)) as i32;
    let depth = options.integer("--depth", 14);
    let mut nodes = [0; 3];
    let (mut valued, mut legal, mut missed, mut too_high) = (0, 0, 0, 0);
    let mut distances = Vec::new();
    for position in options.openings() {
        let request = Request::new(position).depth(depth);
        let requests = [
            request.clone(),
            request.clone().within(within),
            request.lines(usize::MAX),
        ];
        let outcomes = requests.map(|request| {
            engine.clear();
            engine.search(&request, &StopToken::new(), &mut |_| {})
        });
        for (sum, outcome) in nodes.iter_mut().zip(&outcomes) {
            *sum += outcome.nodes;
        }
        let [_, some, all] = &outcomes;
        valued += some.lines.len();
        legal += all.lines.len();
        for line in &all.lines {
            let other = some.lines.iter().find(|other| other.best() == line.best());
            if let Some(other) = other {
                distances.push((other.value.discs() - line.value.discs()).abs());
            } else {
                missed += usize::from(line.value.units() + within > all.best().value.units());
                too_high += usize::from(some.rest.is_none_or(|rest| line.value > rest));
            }
        }
    }
    println!(
        "depth {depth}: {valued} of {legal} moves valued; nodes {nodes:?}, {:.2} and {:.2} times those of one move; values differ by \
         {:.2} discs in the mean; {missed} valued within the window by the full search are left out, {too_high} above the bound",
        nodes[1] as f64 / nodes[0] as f64,
        nodes[2] as f64 / nodes[0] as f64,
        distances.iter().sum::<f64>() / distances.len() as f64,
    );
}

/// Stops searches at random moments and measures how long they take to end, on the wall.
fn stops(options: &Options) {
    let mut engine = options.engine(1, false);
    let mut random = SplitMix64::new(3);
    let positions = options.openings();
    let mut delays: Vec<f64> = Vec::new();
    for round in 0..options.integer("--count", 1000) as usize {
        let mut position = positions[round % positions.len()];
        // All phases: some plies of random play first.
        for _ in 0..random.below(40) {
            let moves = position.legal_moves();
            let Some(&mv) = moves.get(random.below(moves.len().max(1))) else {
                break;
            };
            position.play(mv).expect("legal");
        }
        let stop = StopToken::new();
        let wait = Duration::from_micros(random.below(30_000) as u64);
        let (answered, stopped) = std::thread::scope(|scope| {
            let watcher = scope.spawn(|| {
                std::thread::sleep(wait);
                let now = Instant::now();
                stop.stop();
                now
            });
            let outcome = engine.search(&Request::new(position), &stop, &mut |_| {});
            let answered = Instant::now();
            assert!(outcome.best_move().is_some() || position.is_game_over());
            (answered, watcher.join().expect("the watcher"))
        });
        delays.push(answered.saturating_duration_since(stopped).as_secs_f64() * 1e3);
    }
    let median = median(&mut delays);
    println!(
        "{} stops: median {median:.3} ms, worst {:.3} ms",
        delays.len(),
        delays[delays.len() - 1]
    );
}

fn main() {
    let options = Options::parse().unwrap_or_else(|error| {
        eprintln!("midgame: {error}");
        process::exit(2);
    });
    match options.mode.as_str() {
        "reach" => reach(&options),
        "nodes" => nodes(&options),
        "honesty" => honesty(&options),
        "accuracy" => accuracy(&options),
        "stops" => stops(&options),
        "exact" => exact(&options),
        "threads" => threads(&options),
        "window" => window(&options),
        other => eprintln!("midgame: no mode {other}"),
    }
}
