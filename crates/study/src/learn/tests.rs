//! Learning: the same book however often it is interrupted, by however many threads, in whatever order games come.

use super::*;
use outflank_book::{Count, UNITS, pack};
use outflank_eval::HandMade;
use outflank_othello::{Game, Symmetry};
use outflank_othello_engine::tuning::ProbCutTable;
use outflank_search::SystemClock;
use std::collections::BTreeMap;

fn how() -> How {
    How {
        depth: 2,
        window: 3 * UNITS,
        exact: 8,
        nodes: None,
        megabytes: 1,
    }
}

fn expand(positions: usize) -> Task {
    Task::Expand {
        growth: Growth {
            loss: 3 * UNITS,
            total: 6 * UNITS,
            until: 20,
            ..Growth::default()
        },
        every: Some(6),
        positions,
    }
}

/// Works on the book at `path` until it is done, or `most` positions are evaluated.
fn learn(path: &Path, task: &Task, threads: usize, resume: bool, most: usize) -> Result<Learned, LearnError> {
    let (evaluator, probcut) = (Arc::new(HandMade), Arc::new(ProbCutTable::hand_made()));
    let (clock, stop) = (SystemClock::shared(), StopToken::new());
    let learner = Learner {
        path,
        judge: (&evaluator, &probcut),
        how: how(),
        source: "test",
        threads,
        resume,
        clock: &clock,
        stop: &stop,
    };
    let mut left = most;
    learner.learn(task, &mut |event| {
        if let LearnEvent::Position { line, .. } = event {
            assert!(line.starts_with("{\"board\":"), "{line}");
            left = left.saturating_sub(1);
            if left == 0 {
                stop.stop();
            }
        }
    })
}

fn new_book(folder: &Path, name: &str) -> PathBuf {
    let path = folder.join(name);
    let mut book = Book::new();
    how().note(&mut book.settings);
    save(&path, &Worked::new(book)).expect("a new file");
    path
}

#[test]
fn interruptions_and_threads_make_no_difference() {
    let folder = tempfile::tempdir().expect("a folder");
    let quiet = new_book(folder.path(), "quiet.ofb");
    let learned = learn(&quiet, &expand(600), 1, false, usize::MAX).expect("it learns");
    assert!(learned.complete && learned.after == 600, "{learned:?}");
    let undisturbed = fs::read(&quiet).expect("a book");

    let threads = new_book(folder.path(), "threads.ofb");
    learn(&threads, &expand(600), 3, false, usize::MAX).expect("it learns");
    assert!(fs::read(&threads).expect("a book") == undisturbed, "threads");

    let stopped = new_book(folder.path(), "stopped.ofb");
    let (mut runs, mut evaluated) = (0, 0);
    loop {
        let learned = learn(&stopped, &expand(600), 2, runs > 0, 37).expect("it learns");
        runs += 1;
        evaluated += learned.evaluated;
        if learned.complete {
            break;
        }
        // What is unfinished is not lost by mistake.
        assert!(matches!(
            learn(&stopped, &expand(600), 1, false, 1),
            Err(LearnError::Interrupted(_))
        ));
    }
    assert!(runs > 10, "{runs}");
    assert_eq!(evaluated, 600, "nothing was evaluated twice");
    assert!(
        fs::read(&stopped).expect("a book") == undisturbed,
        "interruptions"
    );
    assert!(!log_path(&stopped).exists());
    let file = outflank_book::BookFile::open(undisturbed).expect("a book");
    assert_eq!(file.check().expect("whole"), Vec::<String>::new());
}

#[test]
fn a_log_that_was_added_is_no_obstacle() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = new_book(folder.path(), "book.ofb");
    let log = log_path(&path);
    let boards = |moves: &str| {
        let game: Game = moves.parse().expect("a game");
        let boards = game
            .positions()
            .iter()
            .map(outflank_othello::Position::board)
            .collect();
        Task::Add(boards)
    };
    let (first, second) = (boards("f5d6c3d3c4"), boards("f5f6e6f4"));
    assert!(!learn(&path, &first, 1, false, 2).expect("it learns").complete);
    let unfinished = fs::read(&log).expect("a log");
    let other = learn(&path, &second, 1, true, usize::MAX);
    assert!(matches!(other, Err(LearnError::Log(LogError::OtherJob { .. }))));
    assert!(
        learn(&path, &first, 1, true, usize::MAX)
            .expect("it learns")
            .complete
    );
    // As if the process had died between saving the book and removing the log: with nothing left to do, and with more.
    fs::write(&log, &unfinished).expect("written");
    assert!(
        learn(&path, &first, 1, true, usize::MAX)
            .expect("nothing is left")
            .complete
    );
    assert!(!log.exists());
    fs::write(&log, unfinished).expect("written");
    let learned = learn(&path, &second, 1, false, usize::MAX).expect("the log is done with");
    assert!(learned.complete && learned.after == 9, "{learned:?}");
    assert!(!log.exists());
}

#[test]
fn positions_are_added_and_verified() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = new_book(folder.path(), "book.ofb");
    let game: Game = "f5d6c3d3c4".parse().expect("a game");
    let boards: Vec<Board> = game
        .positions()
        .iter()
        .map(outflank_othello::Position::board)
        .collect();
    let learned = learn(&path, &Task::Add(boards.clone()), 1, false, usize::MAX).expect("it learns");
    assert_eq!((learned.evaluated, learned.after), (6, 6));
    let again = learn(&path, &Task::Add(boards), 1, false, usize::MAX).expect("it learns");
    assert_eq!((again.evaluated, again.rounds), (0, 0));
    let verify = Task::Verify {
        growth: Growth {
            loss: i32::MAX,
            total: i32::MAX,
            until: 64,
            ..Growth::default()
        },
        below: Worth::new(outflank_book::Kind::Estimate, 9, 0),
        empties: 64,
        stale: false,
        limit: 4,
    };
    let verified = learn(&path, &verify, 1, false, usize::MAX).expect("it learns");
    assert_eq!((verified.evaluated, verified.after), (4, 6));
}

#[test]
fn an_evaluation_says_something_of_every_move() {
    let (evaluator, probcut) = (Arc::new(HandMade), Arc::new(ProbCutTable::hand_made()));
    let config = EngineConfig {
        table_bytes: 1 << 20,
        ..EngineConfig::default()
    };
    let mut engine = Engine::judging_by(evaluator, probcut, config, SystemClock::shared()).expect("memory");
    let game: Game = "f5d6c3d3c4f4c5b3c2".parse().expect("a game");
    let key = game.position().board().canonical().0;
    let facts = evaluate(&mut engine, key, &how(), &StopToken::new()).expect("not stopped");
    let best = facts
        .iter()
        .filter(|(slot, ..)| *slot != Slot::Rest)
        .map(|fact| fact.1)
        .max();
    let best = best.expect("a move");
    let mut listed = 0;
    for (slot, units, worth) in &facts {
        match slot {
            Slot::Move(square) => {
                assert!(key.legal_moves().contains(*square));
                assert!(best - units <= 3 * UNITS);
                listed += 1;
            }
            Slot::Rest => assert!(best - units >= 3 * UNITS),
            Slot::Position => panic!("every value has a move"),
        }
        // An even number of empty squares is left beyond the horizon.
        assert_eq!((key.empties().count() - worth.depth()) % 2, 0);
    }
    let has_rest = facts.iter().any(|(slot, ..)| *slot == Slot::Rest);
    assert_eq!(listed == key.legal_moves().count(), !has_rest);
}

/// The counting, one game and one position at a time.
#[test]
fn counts_of_games_are_those_of_a_plain_count() {
    let mut random = 5_u64;
    let mut below = |n: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (random >> 33) as usize % n
    };
    let mut games = Vec::new();
    for number in 0..300 {
        let mut game = Game::new();
        let plies = if number % 3 == 0 { 12 } else { 60 };
        while game.moves().len() < plies && !game.position().is_game_over() {
            let legal = game.position().legal_moves();
            // Few choices, so that games have positions in common.
            let mv = legal[below(legal.len().min(2))];
            game.play(mv).expect("legal");
        }
        games.push(game);
    }
    let mut counts = GameCounts::until(14);
    let mut plain: BTreeMap<Board, BTreeMap<Board, Vec<Option<i32>>>> = BTreeMap::new();
    for game in &games {
        counts.add(game);
        for (before, after) in game.positions().iter().zip(&game.positions()[1..]) {
            if before.board().occupied().count() <= 14 && !before.board().must_pass() {
                let result = game
                    .result()
                    .map(|_| game.position().final_discs(before.side()).get());
                let key = before.board().canonical().0;
                // Images of a move lead to images of a position.
                let next = after.board().canonical().0;
                plain
                    .entry(key)
                    .or_default()
                    .entry(next)
                    .or_default()
                    .push(result);
            }
        }
    }
    let frequent = counts.frequent(3);
    let total = |moves: &BTreeMap<Board, Vec<Option<i32>>>| moves.values().map(Vec::len).sum::<usize>();
    assert_eq!(
        frequent.len(),
        plain.values().filter(|moves| total(moves) >= 3).count()
    );
    assert!(frequent.is_sorted_by_key(|counted| std::cmp::Reverse(counted.games)));
    for counted in &frequent {
        let moves = &plain[&counted.key];
        assert_eq!(counted.games as usize, total(moves));
        for (square, count) in &counted.moves {
            let next = counted.key.play((*square).into()).expect("legal").canonical().0;
            let results = &moves[&next];
            assert_eq!(count.games as usize, results.len());
            let known: Vec<i32> = results.iter().flatten().copied().collect();
            let mean = known.iter().sum::<i32>() * UNITS / known.len().max(1) as i32;
            assert_eq!(i32::from(count.mean), mean);
        }
    }
    // In another orientation everything is the same.
    let mut turned = GameCounts::until(14);
    for game in &games {
        let mut other = Game::new();
        for mv in game.moves() {
            other.play(Symmetry::OF_START[2].apply_move(*mv)).expect("legal");
        }
        turned.add(&other);
    }
    assert_eq!(turned.frequent(3), frequent);
}

#[test]
fn counts_go_into_a_book_and_its_packed_form() {
    let mut book = Book::new();
    let count = Count { games: 7, mean: -3 };
    book.add_count(Board::start(), outflank_othello::Square::F5, count)
        .expect("legal");
    let again = Book::from_bytes(&pack(&book)).expect("a book");
    assert_eq!(again.digest(), book.digest());
}
