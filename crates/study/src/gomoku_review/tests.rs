//! Reviews against the referee of proofs, which knows nothing but stones and rows, and against games whose faults are known.

use super::*;
use outflank_game::{GameState as _, SplitMix64};
use outflank_gomoku::{Rule, Symmetry, notation::parse_moves};
use outflank_gomoku_engine::{Budget, verify};
use outflank_records::gomoku;
use outflank_search::ManualClock;

/// Problems with the moves that lead to them: a name, who wins, in how many attacks, and the moves.
const PROBLEMS: &str = include_str!("../../../../data/gomoku/vct_quintet_games.tsv");

fn options(level: u32, workers: usize) -> ReviewOptions {
    ReviewOptions {
        level: Some(Level::new(level).expect("a level")),
        time: None,
        workers: NonZeroUsize::new(workers).expect("one at least"),
    }
}

fn reviewed(course: &Course, options: &ReviewOptions) -> Review {
    let clock: Arc<dyn Clock> = Arc::new(ManualClock::default());
    let mut heard = Vec::new();
    let review = review(course, options, &clock, &StopToken::new(), &mut |done, of| {
        heard.push((done, of));
    })
    .expect("memory");
    let n = course.moves.len();
    assert_eq!(heard, (1..=n).map(|done| (done, n)).collect::<Vec<_>>());
    assert!(review.complete);
    assert_eq!((review.moves.len(), review.chances.len()), (n, n + 1));
    check_claims(course, &review);
    review
}

/// Replays every proof against every answer, and checks what must be true of any review.
fn check_claims(course: &Course, review: &Review) {
    let positions = course.positions();
    for (at, reviewed) in review.moves.iter().enumerate() {
        let holds = |board: &Board, color: Color, win: &ForcedWin| {
            assert_eq!(board.side(), color, "{reviewed:?}");
            verify(board, color, &win.proof, &mut Budget::unlimited())
                .unwrap_or_else(|flaw| panic!("{flaw}: {reviewed:?}\n{board}"));
            assert!(win.stones() >= 1 && !win.line().is_empty());
        };
        if let Some(win) = &reviewed.missed {
            holds(&positions[at], reviewed.color, win);
            assert!(!matches!(reviewed.value, Value::Win(_)), "{reviewed:?}");
        }
        if let Some(win) = &reviewed.allowed {
            holds(&positions[at + 1], !reviewed.color, win);
            assert!(!matches!(reviewed.best_value, Value::Loss(_)), "{reviewed:?}");
            assert_ne!(reviewed.best, reviewed.mv);
        }
        let loss = reviewed.loss();
        assert!((0.0..=100.0).contains(&loss), "{reviewed:?}");
        assert!(loss == 0.0 || reviewed.best != reviewed.mv, "{reviewed:?}");
        assert!(positions[at].is_empty(reviewed.best), "{reviewed:?}");
        assert_eq!(reviewed.end, positions[at + 1].end());
    }
    assert!(review.chances.iter().all(|chance| (0.0..=100.0).contains(chance)));
}

fn game(rule: Rule, size: u8, moves: &str) -> Course {
    let record = gomoku::read(moves).expect("moves").value;
    let course = course(&record, rule, size).expect("a game");
    assert_eq!(course.stopped, None);
    course
}

/// Returns the game that goes on with `moves` from a problem in which `color` wins.
fn problem(name: &str, moves: &str) -> Course {
    let line = PROBLEMS
        .lines()
        .find(|line| line.starts_with(name))
        .expect("there");
    let before = line.split('\t').nth(4).expect("moves").replace(',', " ");
    let before = parse_moves(&before.to_lowercase()).expect("moves");
    let mut start = Board::new(Rule::Renju, 15).expect("a size");
    for mv in before {
        start.play(mv).expect("legal");
    }
    Course {
        start,
        moves: parse_moves(moves).expect("moves"),
        stopped: None,
    }
}

/// Returns whether two chances are the same.
fn is(chance: f64, expected: f64) -> bool {
    (chance - expected).abs() < 1e-9
}

fn point(text: &str) -> Point {
    text.parse().expect("a point")
}

#[test]
fn a_missed_win_is_shown_with_its_proof() {
    for name in [
        "vct_game_black_l03_1",
        "vct_game_white_l03_1",
        "vct_game_black_l05_1",
    ] {
        let course = problem(name, "o15 o1");
        let review = reviewed(&course, &options(10, 1));
        let first = &review.moves[0];
        let win = first
            .missed
            .as_ref()
            .unwrap_or_else(|| panic!("{name}: {first:?}"));
        assert_eq!(first.best, win.line()[0]);
        assert_eq!(first.best_value, Value::Win(win.stones()));
        let totals = review.totals(first.color);
        assert_eq!((totals.missed, totals.moves), (1, 1));
    }
}

#[test]
fn a_win_that_is_played_by_its_proof_stays_one() {
    let clock: Arc<dyn Clock> = Arc::new(ManualClock::default());
    let start = problem("vct_game_black_l05_1", "").start;
    let found =
        crate::gomoku_win::WinSearch::within(10_000).find(&start, start.side(), &clock, &StopToken::new());
    let moves = found.proof.expect("a win").main_line();
    let course = Course {
        start,
        moves,
        stopped: None,
    };
    // A level at which few of these wins would be found anew.
    let review = reviewed(&course, &options(4, 1));
    let attacker = review.moves[0].color;
    let seen = review
        .moves
        .iter()
        .position(|reviewed| reviewed.color == attacker && matches!(reviewed.best_value, Value::Win(_)));
    let from = seen.expect("a win is seen somewhere");
    for reviewed in &review.moves[from..] {
        assert_eq!(
            (&reviewed.missed, &reviewed.allowed),
            (&None, &None),
            "{reviewed:?}"
        );
        assert!(is(reviewed.loss(), 0.0), "{reviewed:?}");
    }
}

#[test]
fn a_won_game_stays_one_against_answers_that_its_proof_does_not_name() {
    let clock: Arc<dyn Clock> = Arc::new(ManualClock::default());
    let start = problem("vct_game_black_l03_1", "").start;
    let stop = StopToken::new();
    let wins = crate::gomoku_win::WinSearch::within(10_000);
    let proof = wins
        .find(&start, start.side(), &clock, &stop)
        .proof
        .expect("a win");
    let is_named = |answer: &Point| proof.replies.iter().any(|(reply, _)| reply == answer);
    let answer = point("o15");
    assert!(start.is_empty(answer) && !is_named(&answer));
    let course = Course {
        start,
        moves: vec![proof.mv, answer, proof.line[0]],
        stopped: None,
    };
    // At the lowest level the line of fours would hardly be found anew.
    for level in [1, 8] {
        let review = reviewed(&course, &options(level, 1));
        if matches!(review.moves[0].value, Value::Win(_)) {
            assert!(matches!(review.moves[1].value, Value::Loss(_)), "{review:?}");
            assert!(matches!(review.moves[2].value, Value::Win(_)), "{review:?}");
            assert!(is(review.moves[2].loss(), 0.0));
        } else {
            assert_eq!(level, 1);
        }
    }
}

#[test]
fn a_five_that_was_not_stopped_is_a_mistake() {
    for rule in [Rule::Freestyle, Rule::Standard, Rule::Renju, Rule::Caro] {
        let course = game(rule, 15, "h8g8i8g7j8g9k8o1l8");
        let review = reviewed(&course, &options(8, 1));
        let blunder = &review.moves[7];
        let win = blunder
            .allowed
            .as_ref()
            .unwrap_or_else(|| panic!("{rule}: {blunder:?}"));
        assert_eq!((win.stones(), win.line()), (1, vec![point("l8")]), "{rule}");
        assert!(blunder.mark() >= Mark::Mistake, "{rule}: {blunder:?}");
        // In Caro a stone beyond the end takes the worth of the five, too.
        let saves = [point("l8"), point("m8")];
        assert!(
            saves[..if rule == Rule::Caro { 2 } else { 1 }].contains(&blunder.best),
            "{blunder:?}"
        );
        assert_eq!(blunder.value, Value::Loss(2));
        // Black makes five.
        assert_eq!(review.moves[8].value, Value::Win(1));
        assert_eq!(review.end(), Some(End::Five(Color::Black)));
        assert!(is(review.chances[9], 100.0));
        let blocked = game(rule, 15, "h8g8i8g7j8g9k8l8");
        let review = reviewed(&blocked, &options(8, 1));
        let block = &review.moves[7];
        assert_eq!(block.forced, rule != Rule::Caro, "{rule}: {block:?}");
        assert_eq!(
            (block.allowed.is_some(), block.mark()),
            (false, Mark::Good),
            "{rule}: {block:?}"
        );
    }
}

#[test]
fn a_forbidden_move_loses_what_there_was() {
    let course = game(Rule::Renju, 15, "h9a1h10o1i8a15j8o15h8");
    let review = reviewed(&course, &options(10, 1));
    let last = review.moves.last().expect("a move");
    assert_eq!((last.end, last.value), (Some(End::Forbidden), Value::Loss(1)));
    assert_eq!(last.mark(), Mark::Blunder);
    assert!(is(review.chances[9], 0.0));
    // In free-style the same move is no fault.
    let course = game(Rule::Freestyle, 15, "h9a1h10o1i8a15j8o15h8");
    let review = reviewed(&course, &options(10, 1));
    let last = review.moves.last().expect("a move");
    assert_eq!((last.end, last.mark()), (None, Mark::Good));
}

#[test]
fn in_a_decided_game_nothing_is_lost() {
    let stones = "h8 i8 j8 k8";
    let black = parse_moves(stones)
        .expect("moves")
        .into_iter()
        .map(|at| (at, Color::Black));
    let white = parse_moves("a1 a15 o1 o15")
        .expect("moves")
        .into_iter()
        .map(|at| (at, Color::White));
    let record = gomoku::Record {
        stones: black.chain(white).collect(),
        side: Some(Color::White),
        moves: parse_moves("c3 l8").expect("moves"),
        ..gomoku::Record::default()
    };
    let course = course(&record, Rule::Freestyle, 15).expect("a game");
    let review = reviewed(&course, &options(6, 1));
    let lost = &review.moves[0];
    assert_eq!(
        (lost.loss(), &lost.allowed, lost.forced),
        (0.0, &None, false),
        "{lost:?}"
    );
    assert!(
        is(review.chances[0], 100.0) && is(review.chances[2], 100.0),
        "{:?}",
        review.chances
    );
}

#[test]
fn the_eight_images_of_a_game_have_one_review() {
    let courses = vec![
        problem("vct_game_black_l03_1", "o15 o1"),
        game(Rule::Freestyle, 15, "h8i9i7g9h7j7h9h6g10f11h11"),
        game(Rule::Caro, 9, "e5d5e6e4d6f6c4"),
    ];
    for course in courses {
        let plain = reviewed(&course, &options(5, 1));
        for symmetry in Symmetry::ALL {
            let image = |mv: Point| symmetry.apply(mv, course.start.size());
            let turned = Course {
                start: course.start.transformed(symmetry),
                moves: course.moves.iter().copied().map(image).collect(),
                stopped: None,
            };
            let review = reviewed(&turned, &options(5, 1));
            assert_eq!(review.chances, plain.chances);
            assert_eq!(review.nodes, plain.nodes);
            for (found, expected) in review.moves.iter().zip(&plain.moves) {
                let of = |reviewed: &ReviewedMove| {
                    let stones = |win: &Option<ForcedWin>| win.as_ref().map(ForcedWin::stones);
                    (
                        (reviewed.value, reviewed.best_value, reviewed.forced),
                        (stones(&reviewed.missed), stones(&reviewed.allowed)),
                    )
                };
                assert_eq!(of(found), of(expected));
            }
        }
    }
}

#[test]
fn random_games_of_all_rules_are_judged_by_what_can_be_proved() {
    for (rule, size, seed) in [
        (Rule::Freestyle, 15, 1),
        (Rule::Standard, 20, 2),
        (Rule::Renju, 15, 3),
        (Rule::Caro, 9, 4),
        (Rule::Renju, 5, 5),
    ] {
        let mut random = SplitMix64::new(seed);
        let mut board = Board::new(rule, size).expect("a size");
        let mut moves = Vec::new();
        while board.end().is_none() && moves.len() < 30 {
            let middle = i32::from(size) / 2;
            let near: Vec<Point> = board
                .empties()
                .iter()
                .filter(|at| {
                    let far = |at: u8| (i32::from(at) - middle).abs() > 3;
                    !far(at.x()) && !far(at.y())
                })
                .collect();
            let Some(&mv) = near.get(random.below(near.len().max(1))) else {
                break;
            };
            board.play(mv).expect("legal");
            moves.push(mv);
        }
        let course = Course {
            start: Board::new(rule, size).expect("a size"),
            moves,
            stopped: None,
        };
        let review = reviewed(&course, &options(4, 2));
        assert_eq!(reviewed(&course, &options(4, 1)), review, "{rule}");
        assert_eq!(review.end(), board.end());
        let lost: f64 = Color::BOTH.map(|color| review.totals(color).loss).iter().sum();
        assert!(lost > 50.0, "random moves cost something: {lost}");
    }
}

#[test]
fn who_stops_it_keeps_what_was_judged() {
    let course = game(Rule::Freestyle, 15, "h8i9i7g9h7j7h9h6g10f11h11");
    let clock: Arc<dyn Clock> = Arc::new(ManualClock::default());
    let stop = StopToken::new();
    let cut = review(&course, &options(3, 1), &clock, &stop, &mut |done, _| {
        if done == 4 {
            stop.stop();
        }
    })
    .expect("memory");
    assert!(!cut.complete);
    let whole = reviewed(&course, &options(3, 1));
    assert_eq!(cut.moves, whole.moves[..4]);
    assert_eq!(cut.chances, whole.chances[..5]);
    let none = review(&course, &options(3, 1), &clock, &stop, &mut |_, _| {}).expect("memory");
    assert_eq!((none.moves.len(), none.complete), (0, false));
    assert!(!text_graph(&none, 80, 11).is_empty());
}

#[test]
fn a_record_is_judged_as_far_as_it_can_be_played() {
    let record = gomoku::read("h8a1i8b1j8c1k8d1l8e1f1").expect("moves").value;
    let course = course(&record, Rule::Freestyle, 15).expect("a game");
    assert_eq!(course.moves.len(), 9);
    let reason = course
        .stopped
        .as_ref()
        .map(ToString::to_string)
        .expect("a reason");
    assert!(
        reason.contains("move 10") && reason.contains("the game is over"),
        "{reason}"
    );
    let review = reviewed(&course, &options(3, 1));
    assert_eq!(review.end(), Some(End::Five(Color::Black)));
}

#[test]
fn graphs_have_a_dot_for_every_position() {
    let course = game(Rule::Renju, 15, "h9a1h10o1i8a15j8o15h8");
    let review = reviewed(&course, &options(3, 1));
    let text = text_graph(&review, 80, 11);
    assert_eq!(text.lines().count(), 11);
    assert!(
        text.starts_with(" 100") && text.lines().all(|line| line.chars().count() <= 80),
        "{text}"
    );
    let dots = text.chars().filter(|&dot| dot == '•' || dot == '?').count();
    assert_eq!(dots, review.chances.len());
    let picture = svg(&review, "A & B");
    assert!(picture.starts_with("<svg ") && picture.contains("<title>A &amp; B</title>"));
    assert!(picture.contains("9. h8??"), "{picture}");
}

#[test]
fn marks_follow_the_stated_thresholds() {
    let judged = |value: i32| ReviewedMove {
        number: 1,
        color: Color::Black,
        mv: point("a1"),
        value: Value::Estimate(value),
        best: point("h8"),
        best_value: Value::Win(3),
        forced: false,
        missed: None,
        allowed: None,
        end: None,
    };
    // Chances of 95, 85, 70 and 50 percent.
    for (value, symbol) in [(1472, ""), (867, "?!"), (424, "?"), (0, "??")] {
        assert_eq!(judged(value).mark().symbol(), symbol, "{value}");
    }
    let forced = ReviewedMove {
        forced: true,
        ..judged(0)
    };
    assert_eq!((forced.loss(), forced.mark()), (0.0, Mark::Good));
    let none = Totals::default();
    assert_eq!((none.mean(), none.accuracy()), (0.0, 100.0));
}
