//! The levels that err as people do, through the engine's own door.

use outflank_othello::{Game, Move};
use outflank_othello_engine::{Engine, EngineConfig, Request};
use outflank_search::{Level, StopToken, Verdict};

fn engine(seed: u64) -> Engine<outflank_eval::Patterns> {
    let config = EngineConfig {
        table_bytes: 1 << 20,
        seed,
        ..EngineConfig::default()
    };
    Engine::with(config).expect("1 MB and one thread")
}

/// Plays a game of a level against itself.
fn game(engine: &mut Engine<outflank_eval::Patterns>, level: Level) -> Game {
    let mut game = Game::new();
    while !game.position().is_game_over() {
        let position = *game.position();
        let request = Request::new(position).level(level);
        let outcome = engine.search(&request, &StopToken::new(), &mut |_| {});
        let mv = outcome.best_move().expect("the game is not over");
        assert_eq!(mv == Move::Pass, position.board().must_pass());
        let exact = outcome.best().verdict == Verdict::Exact;
        assert_eq!(exact, position.board().empties().count() <= 4, "{position:?}");
        assert!(outcome.complete && outcome.nodes > 0);
        game.play(mv).expect("it is legal");
    }
    game
}

#[test]
fn the_same_seed_plays_the_same_games_and_no_game_twice() {
    for level in Level::humans().step_by(3) {
        let (mut one, mut other) = (engine(7), engine(7));
        let first = game(&mut one, level).transcript();
        assert_eq!(first, game(&mut other, level).transcript(), "{level}");
        one.clear();
        assert_ne!(first, game(&mut one, level).transcript(), "{level}");
        assert_ne!(first, game(&mut engine(8), level).transcript(), "{level}");
    }
}

#[test]
fn the_value_is_that_of_the_move() {
    let mut engine = engine(1);
    for seed in 0..3 {
        let mut game = Game::new();
        while game.position().board().empties().count() > 4 {
            let moves = game.position().legal_moves();
            let Some(&mv) = moves.get(seed % moves.len().max(1)) else {
                break;
            };
            game.play(mv).expect("it is legal");
        }
        let request = Request::new(*game.position()).level(Level::human(8).expect("there are eight"));
        let chosen = engine.search(&request, &StopToken::new(), &mut |_| {});
        let Some(mv) = chosen.best_move().filter(|_| !game.position().is_game_over()) else {
            continue;
        };
        let mut after = game.clone();
        after.play(mv).expect("it is legal");
        let solved = engine.search(
            &Request::new(*after.position()).exact(),
            &StopToken::new(),
            &mut |_| {},
        );
        let sign = if after.position().side() == game.position().side() {
            1.0
        } else {
            -1.0
        };
        assert!((chosen.best().value.discs() - sign * solved.best().value.discs()).abs() < 1e-9);
    }
}
