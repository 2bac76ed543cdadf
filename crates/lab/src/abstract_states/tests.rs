//! Statistics against a recount, symmetry, and the file.

use super::*;
use crate::sample::random_positions;
use outflank_game::SplitMix64;
use outflank_othello::Symmetry;

/// Plays `n` games at random.
fn random_games(n: usize) -> Vec<Game> {
    let mut random = SplitMix64::new(21);
    (0..n)
        .map(|_| {
            let mut game = Game::new();
            while !game.position().is_game_over() {
                let moves = game.position().legal_moves();
                game.play(moves[random.below(moves.len())]).unwrap();
            }
            game
        })
        .collect()
}

#[test]
fn all_images_share_a_state() {
    for position in random_positions(300, 0..60, 8) {
        let state = AbstractState::of(position.board());
        assert!(state.code() < AbstractState::N);
        for symmetry in Symmetry::ALL {
            assert_eq!(AbstractState::of(position.board().transformed(symmetry)), state);
        }
    }
}

#[test]
fn statistics_equal_a_recount() {
    let games = random_games(60);
    let mut statistics = Statistics::default();
    for game in &games {
        statistics.add_game(game);
    }
    // The slow way: a list of margins for every state, nothing summed on the way.
    let mut margins: Vec<(u32, i32)> = Vec::new();
    for game in &games {
        for position in game.positions().into_iter().filter(|p| !p.is_game_over()) {
            let margin = game.position().final_discs(position.side()).get();
            margins.push((AbstractState::of(position.board()).code(), margin));
        }
    }
    let total: u64 = statistics.iter().map(|(_, record)| record.count).sum();
    assert_eq!(total as usize, margins.len());
    assert!(statistics.len() > 100);
    for (state, record) in statistics.iter() {
        let own: Vec<f64> = margins
            .iter()
            .filter(|(code, _)| *code == state.code())
            .map(|&(_, m)| f64::from(m))
            .collect();
        let n = own.len() as f64;
        let mean = own.iter().sum::<f64>() / n;
        let spread = (own.iter().map(|m| (m - mean).powi(2)).sum::<f64>() / n).sqrt();
        let won = own
            .iter()
            .map(|&m| {
                if m > 0.0 {
                    1.0
                } else if m < 0.0 {
                    0.0
                } else {
                    0.5
                }
            })
            .sum::<f64>();
        assert_eq!(record.count as usize, own.len());
        assert!((record.mean() - mean).abs() < 1e-9 && (record.spread() - spread).abs() < 1e-6);
        assert!((record.win_rate() - won / n).abs() < 1e-9);
    }
}

#[test]
fn the_file_round_trips_and_bad_files_say_where() {
    let mut statistics = Statistics::default();
    for game in random_games(10) {
        statistics.add_game(&game);
    }
    let mut file = Vec::new();
    statistics.write(&mut file).unwrap();
    assert_eq!(Statistics::read(file.as_slice()).unwrap(), statistics);
    let error = |text: &str| Statistics::read(text.as_bytes()).unwrap_err().to_string();
    assert!(error("something else\n").starts_with("line 1: expected \"outflank-abstract 1\""));
    assert!(error(&format!("{HEADER}\n5 1 1 0 12\n")).starts_with("line 2"));
    assert!(error(&format!("{HEADER}\n5 1 1 0 12 144\n99999999 1 1 0 12 144\n")).starts_with("line 3"));
    assert!(error(&format!("{HEADER}\n5 -1 1 0 12 144\n")).starts_with("line 2"));
}

#[test]
fn the_statistics_in_the_program_are_sound() {
    let statistics = embedded_statistics();
    assert_eq!(statistics.len(), 800);
    let positions: u64 = statistics.iter().map(|(_, record)| record.count).sum();
    assert_eq!(positions, 363_451);
    let mut file = Vec::new();
    statistics.write(&mut file).unwrap();
    assert_eq!(file, include_bytes!("embedded.txt"));
}

#[test]
fn the_statistics_in_the_program_are_those_of_the_experiment() {
    let options = crate::experiments::abstraction::Options::of_size(crate::experiments::Size::Full, 1);
    let games = crate::experiments::abstraction::self_play(options.games, options.seed, &mut |_, _, _| ());
    let mut statistics = Statistics::default();
    for game in &games.unwrap() {
        statistics.add_game(game);
    }
    assert_eq!(&statistics, embedded_statistics());
}
