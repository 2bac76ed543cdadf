//! Games at the table, with a clock that is set by hand and searches that say what the test wants.

use super::*;
use crate::play::Purpose;
use outflank_game::SplitMix64;
use outflank_gomoku_engine::{Outcome, Progress};
use outflank_search::{GameClock, Level, Stage};

const PERSON_BLACK: [Seat; 2] = [Seat::Person, Seat::Engine];
const PERSON_WHITE: [Seat; 2] = [Seat::Engine, Seat::Person];
const PERSONS: [Seat; 2] = [Seat::Person; 2];
const ENGINES: [Seat; 2] = [Seat::Engine; 2];
const T0: Duration = Duration::ZERO;

fn options(seats: [Seat; 2]) -> Options {
    Options {
        seats,
        level: Level::new(4).expect("a level"),
        move_time: None,
        clock: None,
    }
}

fn session(seats: [Seat; 2], rule: Rule) -> Session {
    Session::new(options(seats), rule, 15, T0).expect("a size")
}

fn at(text: &str) -> Point {
    text.parse().expect("a point")
}

fn place(session: &mut Session, points: &str) {
    for point in points.split_whitespace() {
        session.place(at(point), T0).expect(point);
    }
}

fn text(session: &Session) -> String {
    let names: Vec<String> = session.moves().iter().map(Point::to_string).collect();
    names.join(" ")
}

const DEEP: Verdict = Verdict::Estimate {
    depth: 9,
    confidence: 95,
};
const SHALLOW: Verdict = Verdict::Estimate {
    depth: 2,
    confidence: 95,
};

fn outcome(points: &[&str], score: i32, verdict: Verdict) -> Outcome {
    Outcome {
        lines: points
            .iter()
            .map(|point| Line::searched(vec![at(point)], Value::Estimate(score), verdict))
            .collect(),
        rest: None,
        nodes: 10,
        elapsed: T0,
        complete: true,
    }
}

/// Lets the engine make this move.
#[track_caller]
fn reply(session: &mut Session, point: &str) {
    let search = session.wanted(T0).expect("the engine has to move");
    assert_eq!(search.purpose, Purpose::Move);
    let played = session.found(&search, &outcome(&[point], 50, DEEP), T0);
    assert_eq!(played.expect("played").moves, [at(point)]);
}

#[test]
fn people_and_the_engine_move_in_turn() {
    let mut session = session(PERSON_BLACK, Rule::Freestyle);
    assert_eq!(session.turn(), Turn::Choose(Color::Black));
    assert_eq!(session.wanted(T0), None);
    place(&mut session, "h8");
    assert_eq!(session.turn(), Turn::Think(Color::White));
    assert_eq!(session.place(at("h9"), T0), Err(PlayError::EnginesTurn));
    reply(&mut session, "i9");
    assert_eq!(text(&session), "h8 i9");
    let occupied = session.place(at("h8"), T0).expect_err("occupied");
    assert_eq!(occupied.to_string(), "h8 is occupied: choose an empty point");
    // What the engine thought is known for black: White's 50 are Black's −50.
    let (after, known) = session.last_known().expect("searched");
    assert_eq!((after, known.value), (1, Value::Estimate(-50)));
    assert!(known.chance() < 50.0);
}

#[test]
fn the_reason_why_a_point_is_forbidden_is_told_and_nothing_played() {
    let mut session = session(PERSONS, Rule::Renju);
    place(&mut session, "h9 a1 h10 c1 i8 e1 j8 g1");
    let refused = session.place(at("h8"), T0).expect_err("forbidden");
    assert_eq!(
        refused.to_string(),
        "h8 is forbidden for black: a double three; choose another point"
    );
    assert_eq!(session.moves().len(), 8);
    place(&mut session, "a15 h8");
    assert_eq!(text(&session), "h9 a1 h10 c1 i8 e1 j8 g1 a15 h8", "White may");
}

#[test]
fn five_ends_the_game_and_undo_goes_on() {
    let mut session = session(PERSONS, Rule::Freestyle);
    place(&mut session, "h8 a1 i8 a3 j8 a5 k8 a7 l8");
    assert_eq!(session.turn(), Turn::Over);
    let row: Vec<String> = session
        .board()
        .winning_stones()
        .iter()
        .map(|point| point.to_string())
        .collect();
    assert_eq!(row, ["h8", "i8", "j8", "k8", "l8"]);
    assert_eq!(session.place(at("a9"), T0), Err(PlayError::Over));
    assert_eq!(session.engine_moves(), Err(PlayError::Over));
    assert!(!session.ask_hint(3));
    assert_eq!(session.undo(T0), Ok(1));
    assert_eq!(session.turn(), Turn::Choose(Color::Black));
    assert!(session.board().winning_stones().is_empty());
    assert_eq!(session.redo(T0), Ok(1));
    assert_eq!(session.tags().last(), Some(&("RE", "B+".to_owned())));
}

#[test]
fn undo_takes_the_answer_back_too_and_redo_brings_both() {
    let mut session = session(PERSON_BLACK, Rule::Freestyle);
    place(&mut session, "h8");
    reply(&mut session, "i9");
    place(&mut session, "g7");
    reply(&mut session, "i7");
    assert_eq!(session.undo(T0), Ok(2));
    assert_eq!((text(&session).as_str(), session.moves_ahead()), ("h8 i9", 2));
    assert_eq!(session.redo(T0), Ok(2));
    assert_eq!(session.redo(T0), Err(PlayError::NothingToRedo));
    assert_eq!(session.undo(T0), Ok(2));
    assert_eq!(session.undo(T0), Ok(2));
    assert_eq!(session.undo(T0), Err(PlayError::NothingToUndo));
    // The same move keeps the rest, another one begins another game.
    place(&mut session, "h8");
    assert_eq!(session.moves_ahead(), 3);
    assert_eq!(session.undo(T0), Ok(1));
    place(&mut session, "f6");
    assert_eq!(session.moves_ahead(), 0);
    let mut white = self::session(PERSON_WHITE, Rule::Freestyle);
    reply(&mut white, "h8");
    assert_eq!(
        white.undo(T0),
        Err(PlayError::NothingToUndo),
        "White has not chosen yet"
    );
    assert_eq!(text(&white), "h8");
}

#[test]
fn the_engine_waits_while_an_earlier_position_is_looked_at() {
    let mut session = session(PERSON_BLACK, Rule::Freestyle);
    place(&mut session, "h8");
    reply(&mut session, "i9");
    place(&mut session, "g7");
    reply(&mut session, "i7");
    session.go_to(1, T0).expect("there");
    assert_eq!(session.turn(), Turn::Paused(Color::White));
    assert_eq!(session.wanted(T0), None);
    assert_eq!(session.recorded_moves().len(), 4, "nothing of it is lost");
    assert_eq!(session.place(at("a1"), T0), Err(PlayError::Paused));
    let missing = session.go_to(5, T0).expect_err("shorter");
    assert_eq!(missing.to_string(), "there is no move 5: the game has 4");
    session.engine_moves().expect("it may");
    assert_eq!(session.turn(), Turn::Think(Color::White));
    reply(&mut session, "a1");
    assert_eq!((text(&session).as_str(), session.moves_ahead()), ("h8 a1", 0));
}

#[test]
fn a_hint_is_for_its_position_and_comes_as_it_is_searched() {
    let mut session = session(PERSONS, Rule::Freestyle);
    place(&mut session, "h8 i9");
    assert!(session.ask_hint(3));
    let search = session.wanted(T0).expect("a hint");
    assert_eq!(search.purpose, Purpose::Hint { lines: 3 });
    assert!(!search.request.may_use_book && search.request.lines == 3);
    assert!(
        search
            .request
            .limits
            .level
            .is_some_and(|level| level.number() >= 16)
    );
    let news = |point: &str, rank: usize| Progress {
        rank,
        line: Line::searched(vec![at(point)], Value::Estimate(10), SHALLOW),
        stage: Stage {
            depth: 2,
            confidence: 95,
            to_end: false,
        },
        nodes: 1,
        elapsed: T0,
    };
    session.news(&search, &news("g7", 0));
    session.news(&search, &news("j10", 0));
    session.news(&search, &news("g7", 1));
    let shown = |session: &Session| -> Vec<Point> {
        let lines = session.hint().map(Hint::lines).unwrap_or_default();
        lines.iter().map(|line| line.moves[0]).collect()
    };
    assert_eq!(shown(&session), [at("j10"), at("g7")]);
    assert_eq!(
        session.found(&search, &outcome(&["i7", "g7", "g9"], 30, DEEP), T0),
        None
    );
    assert_eq!(shown(&session), [at("i7"), at("g7"), at("g9")]);
    assert_eq!(session.wanted(T0), None);
    place(&mut session, "i7");
    assert!(session.hint().is_none());
    assert!(!session.asks(&search));
}

#[test]
fn an_answer_to_a_question_that_nobody_asks_any_more_plays_nothing() {
    let mut session = session(PERSON_BLACK, Rule::Freestyle);
    place(&mut session, "h8");
    let search = session.wanted(T0).expect("the engine's move");
    session.undo(T0).expect("one move");
    assert_eq!(session.found(&search, &outcome(&["i9"], 5, DEEP), T0), None);
    assert_eq!(text(&session), "");
}

#[test]
fn levels_and_times_are_what_is_asked_of_the_engine() {
    let mut session = session(ENGINES, Rule::Freestyle);
    let limits = |session: &Session| session.wanted(T0).expect("a move").request.limits;
    assert_eq!(limits(&session).level, Level::new(4).ok());
    session.set_move_time(Some(Duration::from_secs(2)));
    assert_eq!(
        (limits(&session).level, limits(&session).time),
        (None, Some(Duration::from_secs(2)))
    );
    assert_eq!(session.strength(), "2 s a move");
    let casual = Level::human(3).expect("a level");
    session.set_level(casual);
    assert_eq!(
        (limits(&session).level, limits(&session).time),
        (Some(casual), None)
    );
    assert_eq!(session.strength(), "human-3 (casual)");
    assert_eq!(session.tags()[1], ("PW", "Outflank human-3 (casual)".to_owned()));
}

#[test]
fn clocks_run_out_and_go_back_with_the_moves() {
    let clock = GameClock {
        remaining: Duration::from_secs(10),
        increment: Duration::from_secs(1),
    };
    let options = Options {
        clock: Some(clock),
        ..options(PERSONS)
    };
    let mut session = Session::new(options, Rule::Freestyle, 15, T0).expect("a size");
    let second = Duration::from_secs;
    session.place(at("h8"), second(4)).expect("in time");
    assert_eq!(session.time_left(Color::Black, second(4)), Some(second(7)));
    assert_eq!(session.time_left(Color::White, second(6)), Some(second(8)));
    session.tick(second(20));
    assert_eq!(session.turn(), Turn::TimeOut(Color::White));
    assert_eq!(session.tags().last(), Some(&("RE", "B+T".to_owned())));
    session.undo(second(20)).expect("one move");
    assert_eq!(session.time_left(Color::Black, second(20)), Some(second(10)));
}

#[test]
fn values_are_filled_when_it_is_asked_and_the_deepest_stays() {
    let mut session = session(PERSONS, Rule::Freestyle);
    place(&mut session, "h8 i9 g7");
    assert_eq!(session.wanted(T0), None);
    session.fill_values(true);
    for moves in 0..4 {
        let search = session.wanted(T0).expect("a value");
        assert_eq!(search.purpose, Purpose::Value { moves });
        session.found(&search, &outcome(&["a1"], 100, SHALLOW), T0);
    }
    assert_eq!((session.wanted(T0), session.values_missing()), (None, 0));
    let black: Vec<Value> = session
        .all_values()
        .iter()
        .flatten()
        .map(|known| known.value)
        .collect();
    assert_eq!(black, [100, -100, 100, -100].map(Value::Estimate));
    assert!(session.ask_hint(1));
    let search = session.wanted(T0).expect("a hint");
    session.found(&search, &outcome(&["a1"], -300, DEEP), T0);
    assert_eq!(
        session.last_known().map(|known| known.1.value),
        Some(Value::Estimate(300))
    );
}

#[test]
fn a_game_is_saved_and_loaded_with_stones_that_were_set_up() {
    let mut session = session(PERSONS, Rule::Renju);
    place(&mut session, "h8 i9 g7");
    session.undo(T0).expect("a move");
    let record = session.record();
    assert_eq!(
        (record.moves.len(), record.size, record.rule),
        (2, Some(15), Some(Rule::Renju))
    );
    assert!(record.stones.is_empty() && record.side.is_none());
    let mut set_up = Record {
        size: Some(9),
        stones: vec![(at("e5"), Color::Black), (at("e6"), Color::White)],
        side: Some(Color::White),
        moves: vec![at("d4")],
        ..Record::default()
    };
    session.load(&set_up, T0).expect("it can be played");
    assert_eq!((session.board().size(), session.board().rule()), (9, Rule::Renju));
    assert_eq!(session.turn(), Turn::Choose(Color::Black));
    assert_eq!(session.undo(T0), Ok(1));
    assert_eq!(
        session.undo(T0),
        Err(PlayError::NothingToUndo),
        "set up is not played"
    );
    assert_eq!(session.board().n_stones(), 2);
    session.redo(T0).expect("a move");
    set_up.rule = Some(Rule::Renju);
    assert_eq!(session.record(), set_up);
    let before = session.board().clone();
    set_up.moves.push(at("d4"));
    assert!(session.load(&set_up, T0).is_err());
    assert_eq!(*session.board(), before, "what cannot be played changes nothing");
    session.restart(T0);
    assert_eq!((session.board().size(), session.board().n_stones()), (9, 0));
}

#[test]
fn any_order_of_commands_leaves_a_game_that_can_be_played_again() {
    let mut random = SplitMix64::new(5);
    for seats in [PERSON_BLACK, PERSON_WHITE, PERSONS, ENGINES] {
        let mut session = Session::new(options(seats), Rule::Renju, 7, T0).expect("a size");
        for _ in 0..400 {
            let point = Point::new(random.below(7) as u8, random.below(7) as u8).expect("a point");
            let _is_done = match random.below(8) {
                0 => session.undo(T0).is_ok(),
                1 => session.redo(T0).is_ok(),
                2 => session.go_to(random.below(8), T0).is_ok(),
                3 => session.engine_moves().is_ok(),
                4 if random.below(10) == 0 => {
                    session.restart(T0);
                    true
                }
                _ => session.place(point, T0).is_ok(),
            };
            if let Some(search) = session.wanted(T0)
                && session.board().is_empty(point)
            {
                session.found(&search, &outcome(&[&point.to_string()], 0, SHALLOW), T0);
            }
            let mut board = Board::new(Rule::Renju, 7).expect("a size");
            for mv in session.moves() {
                board.play(*mv).expect("legal");
            }
            assert_eq!(board, *session.board());
            assert_eq!(session.all_values().len(), session.whole().moves().len() + 1);
        }
    }
}
