//! The Monte-Carlo search on games whose values are known.

use super::*;
use crate::{Method, Settings, best_moves};
use outflank_game::{ToyGame, toy::ToyValue};
use outflank_othello::{Move, Position};
use outflank_search::{Clock as _, ManualClock, StopToken};
use std::{sync::Arc, time::Duration};

/// A random tree with distinct leaves, so that the best move is unique and worth finding.
fn random_tree(random: &mut SplitMix64, height: u32) -> String {
    if height == 0 {
        return (random.below(201) as i32 - 100).to_string();
    }
    let children: Vec<_> = (0..2 + random.below(2))
        .map(|_| random_tree(random, height - 1))
        .collect();
    format!("({})", children.join(" "))
}

/// Returns how many of 40 random trees get minimax's move.
fn n_right(config: Config) -> usize {
    let mut random = SplitMix64::new(11);
    (0..40)
        .filter(|round| {
            let game = ToyGame::new(random_tree(&mut random, 2 + round % 3).parse().unwrap());
            let optimal = best_moves(&Settings::new(Method::Minimax), &game, &ToyValue, 9);
            let found = Mcts::new(config, Uniform).search(&game, &Control::of_nodes(10_000));
            optimal.contains(&found.best.unwrap())
        })
        .count()
}

const TOY: Config = Config {
    selection: Selection::Ucb1 { c: 0.7 },
    expand_at: 1,
    reward: Reward::Margin,
    scale: 100,
    update: Update::Corrected,
    threads: 1,
    max_tree_nodes: 1 << 20,
    reuse: true,
    seed: 3,
};

#[test]
fn converges_to_minimax_and_the_one_sided_update_does_not() {
    let right = n_right(TOY);
    assert!(right >= 38, "{right} of 40");
    let greedy = Selection::EpsilonGreedy {
        c: 0.7,
        epsilon: 0.3,
        decay: 0.999,
    };
    let right = n_right(Config {
        selection: greedy,
        expand_at: 2,
        ..TOY
    });
    assert!(right >= 38, "{right} of 40 with epsilon-greedy selection");
    let as_written = n_right(Config {
        update: Update::AsWritten,
        ..TOY
    });
    assert!(as_written < 32, "{as_written} of 40 as written");
}

#[test]
fn one_thread_repeats_a_search_and_several_lose_no_visit() {
    for threads in [1, 3] {
        let config = Config {
            threads,
            seed: 9,
            ..Config::default()
        };
        let search = || {
            let mut mcts = Mcts::new(config, Uniform);
            mcts.search(&Position::start(), &Control::of_nodes(500))
        };
        let (a, b) = (search(), search());
        assert!(threads > 1 || a == b);
        assert_eq!(a.simulations, 500);
        assert_eq!(a.children.iter().map(|child| child.visits).sum::<u64>(), 500);
        assert!(a.children.iter().all(|child| (0.0..=1.0).contains(&child.mean)));
    }
}

#[test]
fn several_threads_converge_too() {
    let right = n_right(Config { threads: 3, ..TOY });
    assert!(right >= 38, "{right} of 40 with three threads");
}

#[test]
fn the_tree_is_kept_between_moves() {
    let mut mcts = Mcts::new(Config::default(), Uniform);
    let mut position = Position::start();
    let first = mcts.search(&position, &Control::of_nodes(2000));
    for &mv in first.line.iter().take(2) {
        position.play(mv).unwrap();
    }
    let second = mcts.search(&position, &Control::of_nodes(10));
    assert!(second.reused > 50, "{}", second.reused);
    let visits: u64 = second.children.iter().map(|child| child.visits).sum();
    assert!(visits >= second.reused, "{second:?}");
    mcts.reset();
    assert_eq!(mcts.search(&position, &Control::of_nodes(10)).reused, 0);
}

#[test]
fn whole_games_end_with_passes_on_the_way() {
    let mut passes = 0;
    for seed in 0..20 {
        let mut players = [1, 3].map(|expand_at| {
            Mcts::new(
                Config {
                    expand_at,
                    seed,
                    ..Config::default()
                },
                Uniform,
            )
        });
        let mut position = Position::start();
        let mut ply = 0;
        while !position.is_game_over() {
            let report = players[ply % 2].search(&position, &Control::of_nodes(15));
            let mv = report.best.expect("the game goes on");
            passes += u32::from(mv == Move::Pass);
            position.play(mv).expect("the search returns legal moves");
            ply += 1;
        }
        assert_eq!(players[0].search(&position, &Control::of_nodes(15)).best, None);
    }
    assert!(passes > 0);
}

#[test]
fn limits_and_stop_end_the_search() {
    /// Moves its clock on by a millisecond at every choice.
    struct Slow(ManualClock);
    impl Rollout<Position> for Slow {
        fn choose(&self, _: &Position, moves: &[Move], random: &mut SplitMix64) -> usize {
            self.0.advance(Duration::from_millis(1));
            random.below(moves.len())
        }
    }
    let clock = ManualClock::default();
    let mut mcts = Mcts::new(Config::default(), Slow(clock.clone()));
    let control = Control::new(
        StopToken::new(),
        Arc::new(clock.clone()),
        Some(Duration::from_secs(2)),
        None,
    );
    let report = mcts.search(&Position::start(), &control);
    assert!(report.simulations >= 30);
    assert!(clock.now() < Duration::from_millis(2000 + 8 * 60));

    let stop = StopToken::new();
    stop.stop();
    let report = mcts.search(&Position::start(), &Control::stopped_by(&stop));
    assert_eq!(report.simulations, 1);
    let report = mcts.search(&Position::start(), &Control::of_nodes(0));
    assert!(report.simulations == 0 && report.best.is_some());
    let tiny = Config {
        max_tree_nodes: 3,
        ..Config::default()
    };
    let report = Mcts::new(tiny, Uniform).search(&Position::start(), &Control::of_nodes(10_000));
    assert_eq!((report.tree_nodes, report.simulations), (5, 10_000));
}
