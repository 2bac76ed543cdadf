//! Puzzles against a search that knows nothing of the solver, and the file of them against its text.

use super::*;
use crate::review::{Judge, ReviewOptions, review};
use outflank_othello::Game;
use outflank_search::{Clock, Level, ManualClock, StopToken};
use std::{num::NonZeroUsize, path::Path, sync::Arc};

/// A game between two random players, of which there is much to be said.
fn random_game(seed: u64) -> Game {
    let mut random = outflank_game::SplitMix64::new(seed);
    let mut game = Game::new();
    while !game.position().is_game_over() {
        let moves = game.position().legal_moves();
        game.play(moves[random.below(moves.len())]).expect("legal");
    }
    game
}

fn clock() -> Arc<dyn Clock> {
    Arc::new(ManualClock::default())
}

fn criteria() -> Criteria {
    Criteria {
        max_empties: 10,
        min_empties: 5,
        ..Criteria::default()
    }
}

fn made() -> Vec<Puzzle> {
    let stop = StopToken::new();
    let mut maker = Maker::new(&Judge::default(), &clock(), &stop).expect("an engine");
    (0..30)
        .flat_map(|seed| maker.from_game(&random_game(seed), "test 2001", &criteria()))
        .collect()
}

#[test]
fn made_puzzles_are_what_is_asked_for() {
    let puzzles = made();
    assert!(puzzles.len() >= 10, "{}", puzzles.len());
    for puzzle in &puzzles {
        assert!(check(puzzle, 4).is_ok(), "{puzzle}");
        assert!(puzzle.moves.len() >= 3 && puzzle.value().abs() <= 40, "{puzzle}");
        assert!(puzzle.gap() >= 4 || puzzle.decides(), "{puzzle}");
        assert!((5..=10).contains(&puzzle.empties()), "{puzzle}");
        assert!(puzzle.line[0].only && puzzle.difficulty.look != 1, "{puzzle}");
        // The slow search values every move the same.
        let board = puzzle.position.board();
        if puzzle.empties() <= 8 {
            for known in &puzzle.moves {
                let child = board.play_unchecked(known.square, board.flips(known.square));
                assert_eq!(known.value.get(), -textbook_value(child).get(), "{puzzle}");
            }
        }
        // The line is best play: each move keeps the value, and those that are said to have no equal have none.
        let (mut position, mut sign) = (puzzle.position, 1);
        for step in &puzzle.line {
            let values: Vec<i32> = position
                .legal_moves()
                .iter()
                .map(|&mv| {
                    let mut next = position;
                    next.play(mv).expect("legal");
                    -textbook_value(next.board()).get()
                })
                .collect();
            let best = values.iter().max().copied();
            assert_eq!(best, Some(sign * puzzle.value()), "{puzzle}");
            if step.only {
                assert_eq!(
                    values.iter().filter(|value| Some(**value) == best).count(),
                    1,
                    "{puzzle}"
                );
            }
            position.play(step.mv).expect("legal");
            sign = -sign;
        }
    }
}

#[test]
fn false_puzzles_are_found_out() {
    let puzzle = made().remove(0);
    let mut other = puzzle.clone();
    other.moves[0].value = outflank_othello::Discs::saturating(puzzle.value() + 2);
    assert!(matches!(check(&other, 4), Err(Fault::Value { .. })));
    // The second best move is said to be worse than it is.
    let mut other = puzzle.clone();
    for known in &mut other.moves[1..] {
        known.value = outflank_othello::Discs::saturating(known.value.get() - 2);
    }
    assert!(matches!(check(&other, 4), Err(Fault::Second { .. })));
    assert!(matches!(check(&puzzle, puzzle.gap() + 2), Err(Fault::Gap { .. })) || puzzle.decides());
}

#[test]
fn files_come_back_and_damage_is_named() {
    let puzzles = made();
    let text = write(&puzzles);
    assert_eq!(read(&text), Ok(puzzles.clone()));
    let line = puzzles[0].to_string();
    let fields: Vec<&str> = line.split('\t').collect();
    for (field, bad) in [
        (0, "XXXX X"),
        (1, "a1+4"),
        (1, ""),
        (2, "a1a1"),
        (3, "1,2,3"),
        (3, "101,2,3,4"),
        (3, "1,2,3,5"),
        (4, "chess"),
    ] {
        let mut fields = fields.clone();
        fields[field] = bad;
        let error = read(&fields.join("\t")).expect_err(bad);
        assert_eq!(error.line, 1, "{bad}");
    }
    assert!(read("# nothing\n\n").is_ok_and(|read| read.is_empty()));
}

#[test]
fn a_killed_job_ends_in_the_same_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let games: Vec<Origin> = (0..12)
        .map(|seed| Origin {
            game: random_game(seed),
            source: format!("game {seed}"),
        })
        .collect();
    let wanted = |workers| Wanted {
        games: &games,
        count: 4,
        criteria: criteria(),
        seed: 7,
        workers: NonZeroUsize::new(workers).expect("one at least"),
    };
    let run = |path: &Path, workers, resume, stop_after: Option<usize>| {
        let stop = StopToken::new();
        make_to_file(
            &wanted(workers),
            &Judge::default(),
            (path, resume),
            (&clock(), &stop),
            &mut |progress| {
                if Some(progress.games) == stop_after {
                    stop.stop();
                }
            },
        )
    };
    let whole = folder.path().join("whole.tsv");
    let puzzles = run(&whole, 1, false, None).expect("made");
    assert_eq!(puzzles.len(), 4);
    let expected = std::fs::read(&whole).expect("written");
    let again = folder.path().join("again.tsv");
    assert!(matches!(run(&again, 1, false, Some(1)), Err(MakeError::Stopped)));
    assert!(matches!(
        run(&again, 1, false, None),
        Err(MakeError::Interrupted(_))
    ));
    assert_eq!(run(&again, 2, true, None).expect("made"), puzzles);
    assert_eq!(std::fs::read(&again).expect("written"), expected);
    assert!(!folder.path().join("again.tsv.log").exists());
    // No two look alike.
    let mut selection = Selection::new(9);
    assert!(selection.add(puzzles[0].clone()) && !selection.add(puzzles[0].clone()));
}

#[test]
fn own_mistakes_become_puzzles() {
    let game = random_game(3);
    let options = ReviewOptions {
        level: Level::new(8).expect("a level"),
        workers: NonZeroUsize::MIN,
        budget: None,
    };
    let stop = StopToken::new();
    let found = review(&game, &options, &clock(), &stop, &mut |_, _| {}).expect("an engine");
    let mut maker = Maker::new(&Judge::default(), &clock(), &stop).expect("an engine");
    let criteria = Criteria {
        obvious: true,
        max_empties: 14,
        min_empties: 4,
        ..Criteria::default()
    };
    let puzzles = maker.from_review(&found, "mine", &criteria);
    assert!(puzzles.len() >= 2, "{}", puzzles.len());
    for puzzle in puzzles {
        let positions = game.positions();
        let at = positions
            .iter()
            .position(|position| *position == puzzle.position)
            .expect("of the game");
        let played = game.moves()[at].square().expect("a move");
        assert!(puzzle.loss(played).is_some_and(|loss| loss > 0), "{puzzle}");
    }
}

#[test]
fn all_puzzles_inside_the_program_are_right() {
    let puzzles = read(SHIPPED).expect("puzzles");
    assert_eq!((puzzles.len(), shipped().len()), (500, 500));
    let mut ids: Vec<String> = puzzles.iter().map(Puzzle::id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), puzzles.len());
    let mut selection = Selection::new(500);
    assert!(
        puzzles.iter().all(|puzzle| selection.add(puzzle.clone())),
        "two look alike"
    );
    for puzzle in &puzzles {
        assert!(check(puzzle, 4).is_ok(), "{puzzle}");
    }
}
