//! The cache changes nothing: wins by fours with it and without it, at every depth, turned and with colors exchanged.

#![allow(
    clippy::print_stdout,
    reason = "counts are for whoever runs the test with --nocapture"
)]

use outflank_game::SplitMix64;
use outflank_gomoku::{Board, Color, Point, Rule, Symmetry, Tables};
use outflank_gomoku_engine::{Answer, Budget, ThreatSearch, ThreatSettings, verify};

/// Returns stones that lie close together and hold no five.
fn midgame(rule: Rule, random: &mut SplitMix64) -> Vec<(Point, Color)> {
    let mut board = Board::new(rule, 15).expect("size");
    let mut at = Point::new(7, 7).expect("center");
    let n_moves = 12 + random.below(40);
    for _ in 0..n_moves {
        let dx = random.below(7) as i32 - 3;
        let dy = random.below(7) as i32 - 3;
        at = at.offset(dx, dy, 15).unwrap_or(at);
        if random.below(6) == 0 {
            at = Point::new(3 + random.below(9) as u8, 3 + random.below(9) as u8).expect("on board");
        }
        if board.play(at).is_ok() && board.end().is_some() {
            board.undo_move();
        }
    }
    board.history()
}

fn outcome(answer: &Answer) -> Option<u32> {
    match answer {
        Answer::Win { depth, .. } => Some(*depth),
        Answer::NoWin { .. } => None,
        Answer::Unknown => panic!("the budget has no end"),
    }
}

fn compare(n_positions: usize, seed: u64) {
    let settings = |cache| ThreatSettings {
        cache,
        deepening: false,
        cache_bits: 16,
        ..ThreatSettings::default()
    };
    let mut with_cache = ThreatSearch::new(settings(true));
    let mut without = ThreatSearch::new(settings(false));
    let mut random = SplitMix64::new(seed);
    let (mut wins, mut deep) = (0, 0);
    for i in 0..n_positions {
        let rule = Rule::ALL[i % 4];
        let stones = midgame(rule, &mut random);
        let attacker = Color::BOTH[random.below(2)];
        let symmetry = Symmetry::ALL[random.below(8)];
        let swapped = rule != Rule::Renju && random.below(2) == 0;
        let image: Vec<(Point, Color)> = stones
            .iter()
            .map(|&(point, color)| (symmetry.apply(point, 15), if swapped { !color } else { color }))
            .collect();
        let tables = Tables::new(rule);
        let mut board = Board::from_stones(tables.clone(), 15, &stones, attacker).expect("valid");
        let other = if swapped { !attacker } else { attacker };
        let mut turned = Board::from_stones(tables, 15, &image, other).expect("valid");
        let mut last = None;
        for depth in 0..=12 {
            let mut budget = Budget::unlimited();
            let plain = outcome(&without.vcf(&mut board, attacker, depth, &mut budget));
            let cached = outcome(&with_cache.vcf(&mut board, attacker, depth, &mut budget));
            let image = outcome(&with_cache.vcf(&mut turned, other, depth, &mut budget));
            assert_eq!(plain, cached, "{rule} depth {depth} {attacker}\n{board}");
            assert_eq!(
                plain, image,
                "{rule} depth {depth} {symmetry:?} {swapped}\n{board}"
            );
            assert!(
                plain.is_some() || last.is_none(),
                "a win must not vanish with depth\n{board}"
            );
            if plain.is_some() && last.is_none() {
                wins += 1;
                deep += usize::from(depth > 3);
                let proof = with_cache
                    .prove(&mut board, attacker, 0, 10_000, &mut budget)
                    .expect("a proof");
                verify(&board, attacker, &proof, &mut Budget::unlimited())
                    .unwrap_or_else(|flaw| panic!("{flaw}\n{board}"));
            }
            last = plain;
        }
    }
    println!("{n_positions} positions, {wins} wins, {deep} of them deeper than 3 fours");
    assert!(wins > n_positions / 20);
}

#[test]
fn the_cache_changes_no_win_by_fours() {
    compare(160, 1);
}

#[test]
#[ignore = "100,000 positions: minutes"]
fn the_cache_changes_no_win_by_fours_on_100_000_positions() {
    compare(100_000, 2);
}

/// Every win by threats found in random positions survives the referee.
fn prove_threats(n_positions: usize, seed: u64) {
    let mut search = ThreatSearch::new(ThreatSettings {
        cache_bits: 16,
        ..ThreatSettings::default()
    });
    let mut random = SplitMix64::new(seed);
    let mut wins = [0; 2];
    for i in 0..n_positions {
        let rule = Rule::ALL[i % 4];
        let stones = midgame(rule, &mut random);
        let attacker = Color::BOTH[random.below(2)];
        let mut board = Board::from_stones(Tables::new(rule), 15, &stones, attacker).expect("valid");
        for by_numbers in [false, true] {
            let mut budget = Budget::nodes_only(2_000);
            let answer = if by_numbers {
                search.vct_by_proof_numbers(&mut board, attacker, &mut budget)
            } else {
                search.vct(&mut board, attacker, 2, &mut budget)
            };
            if let Answer::Win { depth, .. } = answer
                && let Some(proof) =
                    search.prove(&mut board, attacker, depth, 500, &mut Budget::nodes_only(20_000))
            {
                wins[usize::from(by_numbers)] += 1;
                verify(&board, attacker, &proof, &mut Budget::unlimited())
                    .unwrap_or_else(|flaw| panic!("{rule} {attacker} {flaw}\n{board}"));
            }
        }
    }
    println!("{n_positions} positions, {wins:?} wins by threats verified");
    assert!(wins.iter().all(|&n| n > n_positions / 20));
}

#[test]
fn every_win_by_threats_survives_the_referee() {
    prove_threats(16, 3);
}

#[test]
#[ignore = "20,000 positions: minutes"]
fn every_win_by_threats_survives_the_referee_on_20_000_positions() {
    prove_threats(20_000, 4);
}
