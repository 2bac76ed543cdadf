//! The collected problems: forced wins to find, and claimed wins that are none.

#![allow(
    clippy::print_stdout,
    reason = "times and lines are for whoever runs the test with --nocapture"
)]

use outflank_game::{GameState as _, SplitMix64};
use outflank_gomoku::{Board, Color, Point, Rule, Symmetry, Tables};
use outflank_gomoku_engine::{Answer, Budget, ThreatSearch, ThreatSettings, verify};
use std::time::Instant;

const GAMES: &str = include_str!("../../../data/gomoku/vct_quintet_games.tsv");
const BOARDS: &str = include_str!("../../../data/gomoku/vcf_vct.jsonl");
const FALSE_PROOFS: &str = include_str!("../../../data/gomoku/false_vct_proofs.tsv");

fn point(text: &str) -> Point {
    text.trim().parse().unwrap_or_else(|error| panic!("{error}"))
}

struct Problem {
    name: String,
    board: Board,
    attacker: Color,
    attacks: u32,
}

fn game_problems() -> Vec<Problem> {
    let mut problems = Vec::new();
    for line in GAMES.lines().skip(1).filter(|line| !line.trim().is_empty()) {
        let fields: Vec<&str> = line.split('\t').collect();
        let attacker = if fields[1] == "black" {
            Color::Black
        } else {
            Color::White
        };
        let mut board = Board::new(Rule::Renju, 15).expect("size");
        for mv in fields[4].split(',') {
            board.play(point(mv)).expect("legal");
        }
        problems.push(Problem {
            name: fields[0].to_owned(),
            board,
            attacker,
            attacks: fields[2].parse().expect("number"),
        });
    }
    problems
}

fn board_problems(wanted: &str) -> Vec<(Problem, serde_json::Value)> {
    let mut problems = Vec::new();
    for line in BOARDS.lines().filter(|line| !line.trim().is_empty()) {
        let value: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let mut stones = Vec::new();
        for (i, row) in value["rows_from_15_to_1"]
            .as_array()
            .expect("rows")
            .iter()
            .enumerate()
        {
            for (x, cell) in row.as_str().expect("row").bytes().enumerate() {
                let point = Point::new(x as u8, 14 - i as u8).expect("on board");
                match cell {
                    b'o' => stones.push((point, Color::Black)),
                    b'x' => stones.push((point, Color::White)),
                    _ => {}
                }
            }
        }
        for case in value["cases"].as_array().expect("cases") {
            if !case["mode"].as_str().expect("mode").starts_with(wanted) {
                continue;
            }
            let attacker = if case["attacker"] == "Black" {
                Color::Black
            } else {
                Color::White
            };
            let board = Board::from_stones(Tables::new(Rule::Renju), 15, &stones, attacker).expect("valid");
            let attacks = case["limit"].as_str().expect("limit").parse().unwrap_or(u32::MAX);
            let name = format!("{} {} {}", value["name"], case["mode"], case["limit"]);
            problems.push((
                Problem {
                    name,
                    board,
                    attacker,
                    attacks,
                },
                case.clone(),
            ));
        }
    }
    problems
}

/// Solves a problem and proves it; returns the seconds for the search and the proof, and its size.
fn solve_and_prove(problem: &Problem, max_threats: Option<u32>) -> Option<(f64, f64, usize, u64)> {
    let start = Instant::now();
    let mut search = ThreatSearch::new(ThreatSettings {
        cache_bits: 20,
        ..ThreatSettings::default()
    });
    let mut board = problem.board.clone();
    let mut budget = Budget::nodes_only(3_000_000);
    let answer = match max_threats {
        Some(max_threats) => search.vct(&mut board, problem.attacker, max_threats, &mut budget),
        None => search.vct_by_proof_numbers(&mut board, problem.attacker, &mut budget),
    };
    let searched = start.elapsed().as_secs_f64();
    let Answer::Win { line, depth } = answer else {
        println!(
            "{}: {answer:?} after {} nodes, {searched:.3} s",
            problem.name,
            budget.nodes()
        );
        return None;
    };
    let proof = search.prove(
        &mut board,
        problem.attacker,
        depth,
        200_000,
        &mut Budget::nodes_only(2_000_000),
    );
    let Some(proof) = proof else {
        println!(
            "{}: no proof for {line:?} after {} nodes, {searched:.3} s",
            problem.name,
            budget.nodes()
        );
        return None;
    };
    if let Err(flaw) = verify(&board, problem.attacker, &proof, &mut Budget::unlimited()) {
        panic!("{}: {flaw}\n{board}", problem.name);
    }
    println!(
        "{}: {line:?} depth {depth}, {} nodes, {searched:.3} s, proof of {} moves ({} plies) in {:.3} s",
        problem.name,
        budget.nodes(),
        proof.n_moves(),
        proof.longest(),
        start.elapsed().as_secs_f64() - searched
    );
    Some((
        searched,
        start.elapsed().as_secs_f64(),
        proof.n_moves(),
        budget.nodes(),
    ))
}

#[test]
fn wins_by_fours_are_found_and_proved() {
    for (problem, case) in board_problems("VCF") {
        let mut search = ThreatSearch::default();
        let mut board = problem.board.clone();
        let start = Instant::now();
        let mut budget = Budget::nodes_only(5_000_000);
        let answer = search.vcf(&mut board, problem.attacker, problem.attacks, &mut budget);
        println!(
            "{}: {} nodes, {:.4} s",
            problem.name,
            budget.nodes(),
            start.elapsed().as_secs_f64()
        );
        if case["result"] == "none" {
            assert!(
                matches!(answer, Answer::NoWin { .. }),
                "{}: {answer:?}",
                problem.name
            );
            continue;
        }
        let Answer::Win { line, .. } = answer else {
            panic!("{}: {answer:?}", problem.name)
        };
        println!("  {line:?}");
        let proof = search
            .prove(&mut board, problem.attacker, 0, 1000, &mut Budget::unlimited())
            .expect("a proof");
        verify(&board, problem.attacker, &proof, &mut Budget::unlimited())
            .unwrap_or_else(|flaw| panic!("{}: {flaw}", problem.name));
    }
}

#[test]
fn wins_by_threats_are_found_and_proved() {
    for (problem, case) in board_problems("VCTDFS") {
        if case["result"] != "none" {
            assert!(solve_and_prove(&problem, Some(12)).is_some(), "{}", problem.name);
        }
    }
    for problem in game_problems().iter().filter(|problem| problem.attacks <= 5) {
        assert!(solve_and_prove(problem, Some(12)).is_some(), "{}", problem.name);
    }
}

#[test]
fn a_win_is_proved_from_a_move_that_begins_it_and_turned() {
    for problem in game_problems().iter().filter(|problem| problem.attacks <= 5) {
        let mut search = ThreatSearch::default();
        let mut board = problem.board.clone();
        let found = search.vct(&mut board, problem.attacker, 12, &mut Budget::nodes_only(100_000));
        let Answer::Win { line, .. } = found else {
            panic!("{}: {found:?}", problem.name)
        };
        let mut prove = |mv: Point| {
            let mut budget = Budget::nodes_only(100_000);
            search.prove_move(&mut board, problem.attacker, mv, 20_000, &mut budget)
        };
        let proof = prove(line[0]).unwrap_or_else(|| panic!("{}: no proof", problem.name));
        assert_eq!(proof.mv, line[0]);
        assert_eq!(prove(point("o15")), None, "{}: no threat", problem.name);
        for symmetry in Symmetry::ALL {
            let (turned, proof) = (
                problem.board.transformed(symmetry),
                proof.transformed(symmetry, 15),
            );
            verify(&turned, problem.attacker, &proof, &mut Budget::unlimited())
                .unwrap_or_else(|flaw| panic!("{}: {flaw}", problem.name));
        }
        // Turned one way and the board another, it proves nothing.
        let other = proof.transformed(Symmetry::ALL[1], 15);
        assert!(verify(&problem.board, problem.attacker, &other, &mut Budget::unlimited()).is_err());
    }
}

#[test]
#[ignore = "all problems, with times: a minute"]
fn all_problems() {
    for problem in game_problems() {
        solve_and_prove(&problem, None);
    }
}

#[test]
fn proof_numbers_end_in_a_table_too_small_for_them() {
    // Two moves that took each other's place in the table were once visited in turn for ever, without a look at the budget.
    let (finished, wait) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        for cache_bits in 1..=8 {
            for problem in game_problems() {
                let mut search = ThreatSearch::new(ThreatSettings {
                    cache_bits,
                    ..ThreatSettings::default()
                });
                let mut budget = Budget::nodes_only(2_000);
                let mut board = problem.board.clone();
                let answer = search.vct_by_proof_numbers(&mut board, problem.attacker, &mut budget);
                let is_refuted = matches!(answer, Answer::NoWin { .. });
                assert!(!is_refuted, "{} has a win", problem.name);
            }
        }
        finished.send(()).expect("somebody waits");
    });
    let ended = wait.recv_timeout(std::time::Duration::from_mins(2));
    assert!(
        ended.is_ok(),
        "a search goes round and round, or found no win: {ended:?}"
    );
}

/// Positions of random stones close together in which the attacker has no win by threats within the depth.
fn without_a_win(n: usize, max_threats: u32) -> Vec<(Board, Color)> {
    let mut random = SplitMix64::new(9);
    let mut found = Vec::new();
    while found.len() < n {
        let mut board = Board::new(Rule::Freestyle, 15).expect("size");
        let mut at = Point::new(7, 7).expect("center");
        for _ in 0..16 + random.below(16) {
            let (dx, dy) = (random.below(7) as i32 - 3, random.below(7) as i32 - 3);
            at = at.offset(dx, dy, 15).unwrap_or(at);
            if board.play(at).is_ok() && board.end().is_some() {
                board.undo_move();
            }
        }
        let attacker = board.side();
        let mut search = ThreatSearch::default();
        let mut budget = Budget::nodes_only(300_000);
        let answer = search.vct(&mut board, attacker, max_threats, &mut budget);
        if matches!(answer, Answer::NoWin { .. }) && budget.nodes() > 200 {
            found.push((board, attacker));
        }
    }
    found
}

#[test]
#[ignore = "a measurement: what cache, extension and deepening are worth"]
fn effects_of_cache_extension_and_deepening() {
    let default = ThreatSettings {
        cache_bits: 20,
        ..ThreatSettings::default()
    };
    let rows = [
        ("all on", default),
        (
            "no cache",
            ThreatSettings {
                cache: false,
                ..default
            },
        ),
        (
            "no deepening",
            ThreatSettings {
                deepening: false,
                ..default
            },
        ),
        (
            "no extension",
            ThreatSettings {
                free_fours: false,
                ..default
            },
        ),
        (
            "no cache, no extension",
            ThreatSettings {
                cache: false,
                free_fours: false,
                ..default
            },
        ),
        (
            "none of them",
            ThreatSettings {
                cache: false,
                deepening: false,
                free_fours: false,
                ..default
            },
        ),
    ];
    let fours: Vec<(Board, Color)> = board_problems("VCF")
        .into_iter()
        .map(|(problem, _)| (problem.board, problem.attacker))
        .collect();
    let threats: Vec<(Board, Color)> = game_problems()
        .into_iter()
        .filter(|problem| problem.attacks <= 7)
        .map(|problem| (problem.board, problem.attacker))
        .collect();
    let sets = [
        ("wins by fours", fours, 0),
        ("wins by up to 7 attacks", threats, 7),
        ("no win within 3 threats", without_a_win(40, 3), 3),
    ];
    for (set, positions, max_threats) in &sets {
        let found: Vec<(u32, u64)> = rows
            .iter()
            .map(|&(name, settings)| {
                let start = Instant::now();
                let found = effort(positions, *max_threats, settings);
                println!(
                    "{set}, {name}: {} of {} answered, {} nodes, {:.3} s",
                    found.0,
                    positions.len(),
                    found.1,
                    start.elapsed().as_secs_f64()
                );
                found
            })
            .collect();
        let [all_on, no_cache, no_deepening, ..] = found[..] else {
            panic!("six rows")
        };
        // Counts, which are the same on every machine; the page names the rest.
        assert_eq!(all_on.0 as usize, positions.len(), "{set}: all are answered");
        assert!(found.iter().all(|row| row.0 <= all_on.0), "{set}: {found:?}");
        assert!(
            2 * all_on.1 < no_cache.1,
            "{set}: the cache saves half: {found:?}"
        );
        if *set == "wins by up to 7 attacks" {
            assert!(5 * all_on.1 < no_deepening.1, "{set}: deepening pays: {found:?}");
        }
    }
}

#[test]
fn the_cache_saves_positions_and_changes_no_answer() {
    let default = ThreatSettings::default();
    let bare = ThreatSettings {
        cache: false,
        ..default
    };
    let threats: Vec<(Board, Color)> = game_problems()
        .into_iter()
        .filter(|problem| problem.attacks <= 6)
        .map(|problem| (problem.board, problem.attacker))
        .collect();
    let (with, without) = (effort(&threats, 6, default), effort(&threats, 6, bare));
    assert_eq!(with.0 as usize, threats.len());
    assert_eq!(with.0, without.0);
    assert!(with.1 < without.1, "{with:?} {without:?}");
}

/// Returns how many positions are answered with at most 500,000 nodes each, and the nodes of all.
fn effort(positions: &[(Board, Color)], max_threats: u32, settings: ThreatSettings) -> (u32, u64) {
    let (mut n_answered, mut nodes) = (0, 0);
    for (board, attacker) in positions {
        let mut board = board.clone();
        let mut search = ThreatSearch::new(settings);
        let mut budget = Budget::nodes_only(500_000);
        let answer = if max_threats == 0 {
            search.vcf(&mut board, *attacker, 100, &mut budget)
        } else {
            search.vct(&mut board, *attacker, max_threats, &mut budget)
        };
        n_answered += u32::from(!matches!(answer, Answer::Unknown));
        nodes += budget.nodes();
    }
    (n_answered, nodes)
}

/// After the claimed attack and its counter the threat search must not claim a win, and the search by proof numbers
/// must show that there is none.
#[test]
fn claimed_wins_that_a_counter_four_refutes_are_refuted() {
    for line in FALSE_PROOFS
        .lines()
        .filter(|line| !line.starts_with('#') && !line.starts_with("id"))
    {
        let fields: Vec<&str> = line.split('\t').collect();
        let index = |text: &str| {
            let idx: u8 = text.trim().parse().expect("index");
            Point::new(idx % 15, idx / 15).expect("on board")
        };
        let history: Vec<Point> = fields[1].split(',').map(index).collect();
        let (attack, counter) = (index(fields[2]), index(fields[3]));
        for symmetry in Symmetry::ALL {
            for swapped in [false, true] {
                let color = |i: usize| {
                    if i.is_multiple_of(2) == swapped {
                        Color::White
                    } else {
                        Color::Black
                    }
                };
                let stones: Vec<_> = history
                    .iter()
                    .enumerate()
                    .map(|(i, &mv)| (symmetry.apply(mv, 15), color(i)))
                    .collect();
                let attacker = color(history.len());
                let mut board =
                    Board::from_stones(Tables::new(Rule::Freestyle), 15, &stones, attacker).expect("valid");
                let mut search = ThreatSearch::default();
                let place = format!("{} {symmetry:?} {swapped}", fields[0]);
                board.place(symmetry.apply(attack, 15), attacker);
                board.place(symmetry.apply(counter, 15), !attacker);
                let answer = search.vct(&mut board, attacker, 8, &mut Budget::nodes_only(1_000));
                assert!(
                    !matches!(answer, Answer::Win { .. }),
                    "{place}: {answer:?}\n{board}"
                );
                let mut budget = Budget::nodes_only(100_000);
                let answer = ThreatSearch::default().vct_by_proof_numbers(&mut board, attacker, &mut budget);
                println!("{place}: {answer:?} {} nodes", budget.nodes());
                assert_eq!(answer, Answer::NoWin { exhausted: true }, "{place}\n{board}");
            }
        }
    }
}
