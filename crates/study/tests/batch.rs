//! Batches: order, threads, time limits, comparison with the source, kills.

use outflank_eval::HandMade;
use outflank_game::SplitMix64;
use outflank_jobs::{Event, Job, Outcome, ResultLog, Runner, Shard};
use outflank_othello::{Board, Color, Discs, Position};
use outflank_othello_engine::Request;
use outflank_othello_engine::{SolverGoal, tuning::ProbCutTable};
use outflank_search::{StopToken, SystemClock};
use outflank_study::batch::{
    Answer, BatchOptions, Question, SelfPlay, Sheet, SheetError, Spread, Summary, Target, csv_header,
    play_all, search_all, solve_all, solve_logged, solve_to_file,
};
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

const OPTIONS: BatchOptions = BatchOptions {
    goal: SolverGoal::Exact,
    threads: 1,
    table_bytes: 1 << 20,
    time: None,
};

fn questions(seed: u64, count: usize, empties: u32) -> Vec<Question> {
    let mut random = SplitMix64::new(seed);
    let mut questions = Vec::new();
    while questions.len() < count {
        let mut board = Board::start();
        while board.empties().count() > empties && !board.is_game_over() {
            let moves = board.legal_moves();
            board = match moves.into_iter().nth(random.below(moves.count() as usize)) {
                Some(square) => board.play_unchecked(square, board.flips(square)),
                None => board.passed(),
            };
        }
        questions.push(Question {
            id: format!("no {}", questions.len()),
            position: Position::new(board, Color::White),
            expected: None,
            scores: Vec::new(),
        });
    }
    questions
}

fn solve(questions: &[Question], options: BatchOptions) -> Vec<Answer> {
    let mut answers = Vec::new();
    let clock = SystemClock::shared();
    solve_all(
        (&Arc::new(HandMade), &Arc::new(ProbCutTable::hand_made())),
        questions,
        options,
        &clock,
        &StopToken::new(),
        &mut |index, answer| {
            assert_eq!(index, answers.len());
            answers.push(answer);
        },
    )
    .expect("a solver");
    answers
}

fn without_seconds(mut answers: Vec<Answer>) -> Vec<Answer> {
    for answer in &mut answers {
        answer.seconds = None;
    }
    answers
}

#[test]
fn answers_do_not_depend_on_the_number_of_threads() {
    let questions = questions(1, 60, 10);
    let one = without_seconds(solve(&questions, OPTIONS));
    let three = BatchOptions {
        threads: 3,
        table_bytes: 3 << 20,
        ..OPTIONS
    };
    assert_eq!(one.len(), 60);
    assert_eq!(without_seconds(solve(&questions, three)), one);
    // Fewer positions than threads: one search with all of them; the values are the same.
    let few = solve(&questions[..2], three);
    assert_eq!(few[0].value, one[0].value);
    assert_eq!(few[1].value, one[1].value);
}

#[test]
fn lines_round_trip() {
    let mut questions = questions(2, 5, 8);
    questions[0].id = "a, \"b\"".to_owned();
    questions[1].expected = Some(Discs::ZERO);
    let all = BatchOptions {
        goal: SolverGoal::AllMoves,
        ..OPTIONS
    };
    let columns = csv_header().split(',').count();
    for answer in solve(&questions, all) {
        assert_eq!(
            Answer::from_json(&answer.to_json()).expect("our own line"),
            answer
        );
        if !answer.id.contains(',') {
            assert_eq!(answer.to_csv().split(',').count(), columns);
        }
        let best = answer.values.values().max().copied();
        assert!(best.is_none() || best == answer.value, "{answer:?}");
    }
}

#[test]
fn wrong_claims_are_found() {
    let mut questions = questions(3, 4, 8);
    let values: Vec<i32> = solve(&questions, OPTIONS)
        .iter()
        .filter_map(|answer| answer.value)
        .collect();
    for (index, question) in questions.iter_mut().enumerate() {
        let wrong = if index == 2 { 2 } else { 0 };
        question.expected = Discs::new((values[index] - wrong).max(-64));
    }
    let mut summary = Summary::default();
    for answer in solve(&questions, OPTIONS) {
        summary.add(&answer);
    }
    assert_eq!((summary.positions, summary.ok, summary.wrong), (4, 3, 1));
}

#[test]
fn time_limits_abort_a_position_and_no_other() {
    let mut hard = questions(4, 1, 34);
    hard.extend(questions(5, 3, 6));
    let hurried = BatchOptions {
        time: Some(Duration::from_millis(200)),
        ..OPTIONS
    };
    let answers = solve(&hard, hurried);
    let kinds: Vec<&str> = answers.iter().map(|answer| answer.kind.as_str()).collect();
    assert_eq!(kinds, ["aborted", "exact", "exact", "exact"]);
    assert_eq!(answers[0].value, None);
}

#[test]
fn an_interrupted_log_goes_on_where_it_was() {
    let questions = questions(6, 40, 9);
    let expected = without_seconds(solve(&questions, OPTIONS));
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("batch.log");
    let job = || Job {
        title: "test".to_owned(),
        fingerprint: OPTIONS.fingerprint(&questions),
        items: questions.len(),
        shard: Shard::WHOLE,
    };
    let mut random = SplitMix64::new(7);
    let mut rounds = 0;
    let lines = loop {
        let mut log = ResultLog::resume(&path, job()).expect("our log");
        let before = log.n_done();
        let start = Instant::now();
        let seconds = move || start.elapsed().as_secs_f64();
        let runner = Runner::new(&seconds);
        let stop = StopToken::new();
        let enough = before + 1 + random.below(12);
        let clock = SystemClock::shared();
        let mut on_event = |event: &Event<'_>| {
            if let Event::ItemDone { progress, .. } = event
                && progress.done >= enough
            {
                stop.stop();
            }
        };
        let outcome = solve_logged(
            (&Arc::new(HandMade), &Arc::new(ProbCutTable::hand_made())),
            &questions,
            OPTIONS,
            (&clock, &stop),
            (&mut log, runner),
            &mut on_event,
        );
        rounds += 1;
        if outcome.expect("no error") == Outcome::Complete {
            break log.results().expect("readable");
        }
    };
    assert!(rounds > 2, "{rounds}");
    let answers = lines
        .iter()
        .map(|line| Answer::from_json(line).expect("our line"))
        .collect();
    assert_eq!(without_seconds(answers), expected);
}

/// A file of CSV with the number of positions below it.
struct Csv;

impl Sheet for Csv {
    fn head(&self) -> Option<String> {
        Some(csv_header().to_owned())
    }

    fn line(&self, answer: Answer) -> String {
        let Some(answer) = without_seconds(vec![answer]).pop() else {
            return String::new();
        };
        answer.to_csv()
    }

    fn foot(&self, summary: &Summary) -> Option<String> {
        Some(summary.positions.to_string())
    }
}

#[test]
fn a_stopped_batch_goes_on_into_its_file() {
    let questions = questions(7, 12, 8);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("answers.csv");
    let run = |resume, most| {
        let stop = StopToken::new();
        let target = Target {
            path: &path,
            resume,
            shard: Shard::WHOLE,
        };
        let mut on_event = |event: &Event<'_>| {
            if let Event::ItemDone { progress, .. } = event
                && progress.done >= most
            {
                stop.stop();
            }
        };
        solve_to_file(
            (&Arc::new(HandMade), &Arc::new(ProbCutTable::hand_made())),
            &questions,
            OPTIONS,
            (&SystemClock::shared(), &stop),
            (target, &Csv),
            &mut on_event,
        )
    };
    assert!(matches!(run(false, 5), Err(SheetError::Stopped)));
    assert!(!path.exists());
    assert!(matches!(run(false, 99), Err(SheetError::Interrupted(log)) if log.exists()));
    assert_eq!(run(true, 99).expect("the rest").positions, 12);
    let text = std::fs::read_to_string(&path).expect("the file");
    let mut expected = vec![csv_header().to_owned()];
    expected.extend(
        solve(&questions, OPTIONS)
            .into_iter()
            .map(|answer| Csv.line(answer)),
    );
    expected.push("12".to_owned());
    assert_eq!(text.lines().collect::<Vec<_>>(), expected);
    assert_eq!(
        folder.path().read_dir().expect("ours").count(),
        1,
        "no log is left"
    );
}

#[test]
fn searches_and_games_do_not_depend_on_the_number_of_threads() {
    let (evaluator, probcut) = (Arc::new(HandMade), Arc::new(ProbCutTable::hand_made()));
    let judge = (&evaluator, &probcut);
    let clock = SystemClock::shared();
    let stop = StopToken::new();
    let positions: Vec<Position> = questions(5, 12, 30)
        .iter()
        .map(|question| question.position)
        .collect();
    let spread = |threads| Spread {
        threads,
        table_bytes: 1 << 16,
    };
    let request = Request::default().depth(5);
    let searched = |threads| {
        let mut found = Vec::new();
        search_all(
            judge,
            &positions,
            &request,
            spread(threads),
            (&clock, &stop),
            &mut |index, outcome| {
                assert_eq!(index, found.len());
                found.push((outcome.lines, outcome.nodes));
            },
        )
        .expect("memory");
        found
    };
    assert_eq!(searched(1).len(), positions.len());
    assert_eq!(searched(1), searched(3));
    let recipe = SelfPlay {
        games: 5,
        seed: 3,
        random_plies: 8,
        request: Request::default().depth(1),
    };
    let played = |threads| {
        let mut games = Vec::new();
        play_all(
            judge,
            &recipe,
            spread(threads),
            (&clock, &stop),
            &mut |_, game| games.push(game),
        )
        .expect("memory");
        games
    };
    let games = played(1);
    assert_eq!(games, played(3));
    assert!(games.iter().all(|game| game.result().is_some()));
    assert!(games[0] != games[1]);
    stop.stop();
    assert!(played(2).is_empty());
}
