//! Plays two versions of the engine against each other: `duel GAMES N_PAIRS A B`.
//!
//! A version is a list `weights=FILE|guess,network=FILE|none,nodes=N,millis=N,clock=MILLIS,threads=N,vcf=N,vct=N,vet=N`; openings are
//! the first moves of the games in GAMES (games of Gomocup, docs/gomoku.md), each played twice with colors exchanged. After
//! B may come a rule set and a seed.

#![allow(clippy::print_stdout, reason = "a program for the terminal")]

use outflank_game::SplitMix64;
use outflank_gomoku::N_COMBOS;
use outflank_gomoku::{Board, Color, Point, Rule, notation::parse_moves};
use outflank_gomoku_engine::{
    Engine, EngineConfig, Request, Value,
    tuning::{Network, Weights},
};
use outflank_search::{GameClock, Limits, StopToken, SystemClock};
use std::{collections::BTreeSet, time::Duration};

struct Version {
    engine: Engine,
    limits: Limits,
}

fn read_weights(path: &str) -> Weights {
    let bytes = std::fs::read(path).expect("a weights file");
    let words: Vec<i32> = bytes
        .chunks_exact(2)
        .map(|pair| i32::from(i16::from_le_bytes([pair[0], pair[1]])))
        .collect();
    Weights {
        mover: words[..N_COMBOS].to_vec(),
        waiter: words[N_COMBOS..2 * N_COMBOS].to_vec(),
        threats: words[2 * N_COMBOS..].to_vec(),
        network: None,
    }
}

fn version(text: &str) -> Version {
    let mut settings = EngineConfig {
        table_bytes: 32 << 20,
        ..EngineConfig::default()
    };
    let mut weights = Weights::default();
    let mut limits = Limits {
        nodes: Some(20_000),
        ..Limits::default()
    };
    for part in text.split(',').filter(|part| !part.is_empty()) {
        let (name, value) = part.split_once('=').expect("name=value");
        let number = || value.parse::<u64>().expect("a number");
        match name {
            "weights" if value == "guess" => weights = Weights::guess(),
            "weights" => weights = read_weights(value),
            "network" if value == "none" => weights.network = None,
            "network" => {
                let bytes = std::fs::read(value).expect("a file of weights");
                weights.network = Some(Network::from_bytes(&bytes).expect("weights"));
            }
            "nodes" => limits.nodes = Some(number()),
            "millis" => {
                limits.nodes = None;
                limits.time = Some(Duration::from_millis(number()));
            }
            "clock" => {
                limits.nodes = None;
                limits.clock = Some(GameClock {
                    remaining: Duration::from_millis(number()),
                    increment: Duration::ZERO,
                });
            }
            "threads" => settings.threads = number() as usize,
            "vcf" => settings.vcf_nodes = number(),
            "vct" => settings.vct_nodes = number(),
            "vet" => settings.vet_nodes = number(),
            _ => panic!("unknown setting {name}"),
        }
    }
    Version {
        engine: Engine::with_weights(settings, SystemClock::shared(), weights).expect("memory"),
        limits,
    }
}

/// Plays one game; returns the winner.
fn play(
    opening: &[Point],
    rule: Rule,
    versions: &mut [Version; 2],
    a_is_black: bool,
    claims: &mut u32,
) -> Board {
    let mut board = Board::new(rule, 15).expect("size");
    for &mv in opening {
        board.play(mv).expect("legal");
    }
    for version in versions.iter_mut() {
        version.engine.clear();
    }
    let mut claimed: Option<Color> = None;
    let mut limits_of = [versions[0].limits, versions[1].limits];
    while board.end().is_none() {
        let side = board.side();
        let which = usize::from((side == Color::Black) != a_is_black);
        let (engine, limits) = (&mut versions[which].engine, &mut limits_of[which]);
        let request = Request::new(board.clone()).limits(*limits);
        let outcome = engine.search(&request, &StopToken::new(), &mut |_| {});
        if let Some(clock) = &mut limits.clock {
            clock.remaining = clock.remaining.saturating_sub(outcome.elapsed);
        }
        if let Value::Win(_) = outcome.best().value {
            claimed.get_or_insert(side);
        }
        board
            .play(outcome.best_move().expect("a move"))
            .expect("a legal move");
    }
    let winner = board.end().and_then(outflank_gomoku::End::winner);
    *claims += u32::from(claimed.is_some() && claimed != winner);
    board
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&args[1]).expect("a file of games");
    let n_pairs: usize = args[2].parse().expect("a number");
    let rule: Rule = args
        .get(5)
        .map_or(Rule::Freestyle, |rule| rule.parse().expect("a rule set"));
    let mut versions = [version(&args[3]), version(&args[4])];
    let openings: BTreeSet<Vec<Point>> = text
        .lines()
        .filter_map(|line| line.split('\t').nth(5))
        .map(|text| parse_moves(text).expect("moves").into_iter().take(8).collect())
        .collect();
    let openings: Vec<Vec<Point>> = openings.into_iter().collect();
    let mut random = SplitMix64::new(args.get(6).map_or(1, |seed| seed.parse().expect("a seed")));
    let mut points = Vec::new();
    let (mut wins, mut draws, mut losses, mut false_claims) = (0, 0, 0, 0);
    for _ in 0..n_pairs {
        let opening = &openings[random.below(openings.len())];
        let mut pair = 0.0;
        for a_is_black in [true, false] {
            let board = play(opening, rule, &mut versions, a_is_black, &mut false_claims);
            let winner = board.end().and_then(outflank_gomoku::End::winner);
            match winner {
                None => {
                    draws += 1;
                    pair += 0.5;
                }
                Some(winner) if (winner == Color::Black) == a_is_black => {
                    wins += 1;
                    pair += 1.0;
                }
                Some(_) => losses += 1,
            }
        }
        points.push(pair / 2.0);
    }
    let n = points.len() as f64;
    let mean = points.iter().sum::<f64>() / n;
    let variance = points.iter().map(|point| (point - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    println!(
        "+{wins} ={draws} -{losses}: {:.1} % ± {:.1} (95 %), {false_claims} false claims",
        100.0 * mean,
        196.0 * (variance / n).sqrt()
    );
}
