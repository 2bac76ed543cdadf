//! Games at the table, with a clock that is set by hand and searches that say what the test wants.

use super::*;
use crate::play::Search;
use outflank_game::SplitMix64;
use outflank_othello_engine::{Outcome, Progress};
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

fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// What a search of `position` says: its first legal moves, worth `discs` and less.
fn outcome(position: &Position, discs: i32, lines: usize, verdict: Verdict) -> Outcome {
    Outcome {
        rest: None,
        lines: position
            .legal_moves()
            .into_iter()
            .take(lines.max(1))
            .enumerate()
            .map(|(rank, mv)| {
                let value = Score::saturating((discs - rank as i32) * Score::PER_DISC);
                Line::searched(vec![mv], value, verdict)
            })
            .collect(),
        nodes: 10,
        elapsed: T0,
        complete: true,
    }
}

const DEEP: Verdict = Verdict::Estimate {
    depth: 9,
    confidence: 73,
};
const SHALLOW: Verdict = Verdict::Estimate {
    depth: 3,
    confidence: 73,
};

/// Lets the engine make its move.
#[track_caller]
fn reply(session: &mut Session, now: Duration) -> Move {
    let search = session.wanted(now).expect("the engine has to move");
    assert_eq!(search.purpose, Purpose::Move);
    let outcome = outcome(&search.request.position, 2, 1, DEEP);
    let played = session.found(&search, &outcome, now).expect("a move was played");
    played.moves[0]
}

fn moves_of(text: &str) -> GameRecord {
    let parsed = outflank_records::transcript::parse(text).expect("a transcript");
    GameRecord::new(parsed.value)
}

/// White must pass after the 43rd move (report 1 of docs/play.md).
const WHITE_MUST_PASS: &str =
    "f5d6c3d3c4f4f6f3e3b4c5c6e6e2e7d2f1d7a3a4b3g6a5a2a1f2g5f7b2c2b5e1b1g1c1h4g3b6d1h2h1g2h3";

#[test]
fn moves_are_checked_and_turns_alternate() {
    let mut session = Session::new(options(PERSON_BLACK), T0);
    assert_eq!(session.turn(), Turn::Choose(Color::Black));
    assert_eq!(session.wanted(T0), None);
    let illegal = session.place(Square::A1, T0).expect_err("flips nothing");
    assert_eq!(illegal.to_string(), "a1 flips nothing");
    assert_eq!(session.pass(T0), Err(PlayError::MayNotPass(Color::Black)));
    session.place(Square::F5, T0).expect("legal");
    assert_eq!(session.turn(), Turn::Think(Color::White));
    assert_eq!(session.place(Square::D6, T0), Err(PlayError::EnginesTurn));
    assert_eq!(session.pass(T0), Err(PlayError::EnginesTurn));
    let search = session.wanted(T0).expect("a move is wanted");
    assert_eq!(search.request.limits.level, Level::new(4).ok());
    reply(&mut session, T0);
    assert_eq!(session.turn(), Turn::Choose(Color::Black));
    assert_eq!(session.game().moves().len(), 2);
}

#[test]
fn a_pass_is_noticed_and_confirmed() {
    for seats in [PERSON_BLACK, PERSON_WHITE, PERSONS, ENGINES] {
        let mut session = Session::new(options(seats), T0);
        session.load(moves_of(WHITE_MUST_PASS), T0);
        assert_eq!(session.turn(), Turn::Pass(Color::White));
        assert_eq!(session.wanted(T0), None, "there is nothing to think about");
        assert!(!session.ask_hint(3), "nor to advise");
        assert_eq!(session.engine_moves(), Err(PlayError::MustPass(Color::White)));
        assert_eq!(
            session.place(Square::A7, T0),
            Err(PlayError::MustPass(Color::White))
        );
        session.pass(T0).expect("the pass is forced");
        assert_eq!(session.game().moves().last(), Some(&Move::Pass));
        assert_eq!(session.game().position().legal_moves().len(), 12);
        assert_eq!(session.game().position().side(), Color::Black);
    }
}

#[test]
fn undo_takes_back_the_answer_as_well() {
    let mut session = Session::new(options(PERSON_BLACK), T0);
    assert_eq!(session.undo(T0), Err(PlayError::NothingToUndo));
    assert_eq!(session.redo(T0), Err(PlayError::NothingToRedo));
    session.place(Square::F5, T0).expect("legal");
    let answer = reply(&mut session, T0);
    assert_eq!(session.undo(T0), Ok(2));
    assert!(session.game().moves().is_empty());
    assert_eq!(
        (session.turn(), session.moves_ahead()),
        (Turn::Choose(Color::Black), 2)
    );
    assert_eq!(session.redo(T0), Ok(2));
    assert_eq!(session.game().moves(), [Square::F5.into(), answer]);
    // While the engine thinks, undo takes back one's own move, and the search is not asked for any more.
    let mv = session.game().position().legal_moves()[0]
        .square()
        .expect("a square");
    session.place(mv, T0).expect("legal");
    let search = session.wanted(T0).expect("a move is wanted");
    assert_eq!(session.undo(T0), Ok(1));
    assert!(!session.asks(&search));
    let late = outcome(&search.request.position, 2, 1, DEEP);
    assert_eq!(session.found(&search, &late, T0), None);
    assert_eq!(session.game().moves().len(), 2);
    assert_eq!(session.turn(), Turn::Choose(Color::Black));
}

#[test]
fn undo_stops_where_a_person_chose_and_not_at_a_pass() {
    let mut session = Session::new(options(PERSON_WHITE), T0);
    // White's only move so far was the engine's turn: nothing to take back.
    reply(&mut session, T0);
    assert_eq!(session.undo(T0), Err(PlayError::NothingToUndo));
    session.load(moves_of(WHITE_MUST_PASS), T0);
    session.pass(T0).expect("forced");
    reply(&mut session, T0);
    // Past black's move, the pass, and the black move before it.
    assert_eq!(session.undo(T0), Ok(4));
    assert_eq!(session.turn(), Turn::Choose(Color::White));
    assert_eq!(session.redo(T0), Ok(4));
    // Two persons, or none: one move at a time.
    for seats in [PERSONS, ENGINES] {
        let mut session = Session::new(options(seats), T0);
        session.load(moves_of("f5d6c3"), T0);
        assert_eq!(session.undo(T0), Ok(1));
        assert_eq!(session.undo(T0), Ok(1));
        assert_eq!(session.redo(T0), Ok(1));
        assert_eq!(session.game().transcript(), "f5d6");
    }
}

#[test]
fn another_move_forgets_what_was_taken_back_and_the_same_move_does_not() {
    let mut session = Session::new(options(PERSONS), T0);
    session.load(moves_of("f5d6c3d3"), T0);
    for _ in 0..3 {
        session.undo(T0).expect("there are moves");
    }
    session.place(Square::D6, T0).expect("legal");
    assert_eq!(session.moves_ahead(), 2, "the same move as before");
    session.place(Square::C4, T0).expect("legal");
    assert_eq!(session.moves_ahead(), 0);
    assert_eq!(session.redo(T0), Err(PlayError::NothingToRedo));
    assert_eq!(session.game().transcript(), "f5d6c4");
    assert_eq!(session.values().len(), 4);
}

#[test]
fn a_level_takes_the_place_of_a_time_and_people_err_whatever_the_time() {
    let mut session = Session::new(options(ENGINES), T0);
    let limits = |session: &Session| session.wanted(T0).expect("a move").request.limits;
    session.set_move_time(Some(secs(2)));
    assert_eq!(
        (limits(&session).level, limits(&session).time),
        (None, Some(secs(2)))
    );
    assert_eq!(session.strength(), "2 s a move");
    session.set_level(Level::new(9).expect("a level"));
    assert_eq!(
        (limits(&session).level, limits(&session).time),
        (Level::new(9).ok(), None)
    );
    // As `play --level human-3 --time 2` asks: a beginner with two seconds is a beginner.
    let casual = Level::human(3).expect("a level");
    session.set_level(casual);
    session.set_move_time(Some(secs(2)));
    assert_eq!(
        (limits(&session).level, limits(&session).time),
        (Some(casual), None)
    );
    assert_eq!(session.strength(), "human-3 (casual)");
}

#[test]
fn clocks_run_and_go_back_with_the_moves() {
    let clock = GameClock {
        remaining: secs(60),
        increment: secs(2),
    };
    let mut session = Session::new(
        Options {
            clock: Some(clock),
            ..options(PERSON_BLACK)
        },
        secs(100),
    );
    let left = |session: &Session, now| {
        [Color::Black, Color::White]
            .map(|color| session.time_left(color, secs(now)).expect("a clock").as_secs())
    };
    assert_eq!(left(&session, 100), [60, 60]);
    assert_eq!(left(&session, 110), [50, 60]);
    session.place(Square::F5, secs(110)).expect("legal");
    assert_eq!(left(&session, 115), [52, 55]);
    let search = session.wanted(secs(115)).expect("a move is wanted");
    let given = search.request.limits.clock.expect("the engine is told its time");
    assert_eq!((given.remaining, given.increment), (secs(55), secs(2)));
    assert!(session.asks(&search), "the time that passes changes no question");
    reply(&mut session, secs(120));
    assert_eq!(left(&session, 120), [52, 52]);
    session.undo(secs(130)).expect("there are moves");
    assert_eq!(left(&session, 135), [55, 60]);
    session.redo(secs(140)).expect("there are moves");
    assert_eq!(left(&session, 141), [51, 52]);
    // The same move again, by hand, then on.
    session.undo(secs(141)).expect("there are moves");
    session.place(Square::F5, secs(142)).expect("legal");
    session.redo(secs(143)).expect("the answer");
    session.tick(secs(150));
    assert_eq!(session.turn(), Turn::Choose(Color::Black));
    session.tick(secs(1000));
    assert_eq!(session.turn(), Turn::TimeOut(Color::Black));
    assert_eq!(left(&session, 1001)[0], 0);
    assert_eq!(session.place(Square::D3, secs(1001)), Err(PlayError::Over));
    assert_eq!(session.record().tag("RE"), Some("-64.00:t"));
    session.undo(secs(1002)).expect("a fallen flag can be forgiven");
    assert_eq!(session.turn(), Turn::Choose(Color::Black));
}

#[test]
fn a_late_move_of_the_engine_loses_on_time() {
    let clock = GameClock {
        remaining: secs(10),
        increment: T0,
    };
    let mut session = Session::new(
        Options {
            clock: Some(clock),
            ..options(PERSON_WHITE)
        },
        T0,
    );
    let search = session.wanted(T0).expect("a move is wanted");
    let found = outcome(&search.request.position, 0, 1, DEEP);
    assert_eq!(session.found(&search, &found, secs(11)), None);
    assert_eq!(session.turn(), Turn::TimeOut(Color::Black));
    assert_eq!(session.wanted(secs(11)), None);
}

#[test]
fn hints_come_in_parts_and_belong_to_their_position() {
    let mut session = Session::new(options(PERSONS), T0);
    assert!(session.ask_hint(99));
    let search = session.wanted(T0).expect("a hint is wanted");
    assert_eq!(search.purpose, Purpose::Hint { lines: 4 });
    assert_eq!(
        (search.request.lines, search.request.limits.level),
        (4, Level::new(10).ok())
    );
    let found = outcome(&search.request.position, 5, 4, DEEP);
    for rank in [0, 1, 0] {
        let news = Progress {
            rank,
            line: found.lines[rank + usize::from(rank == 0)].clone(),
            stage: Stage::full_width(3),
            nodes: 5,
            elapsed: T0,
        };
        session.news(&search, &news);
    }
    let hint = session.hint().expect("asked for");
    assert!(!hint.is_complete());
    assert_eq!(hint.lines().len(), 1, "a move stands once: {hint:?}");
    session.found(&search, &found, T0);
    let hint = session.hint().expect("asked for");
    assert!(hint.is_complete());
    assert_eq!(hint.lines(), found.lines);
    assert_eq!(session.wanted(T0), None);
    // Asked again, it is there already; asked for fewer, it is searched anew.
    assert!(session.ask_hint(4) && session.hint().is_some_and(Hint::is_complete));
    assert!(session.ask_hint(2) && session.wanted(T0).is_some());
    session.drop_hint();
    assert_eq!(session.wanted(T0), None);
    session.ask_hint(1);
    let search = session.wanted(T0).expect("a hint is wanted");
    session.place(Square::F5, T0).expect("legal");
    assert!(session.hint().is_none() && !session.asks(&search));
    assert_eq!(session.wanted(T0), None);
    session.undo(T0).expect("a move");
    assert!(session.asks(&search), "back again, it is still of use");
}

#[test]
fn values_are_for_black_and_the_better_one_stays() {
    let mut session = Session::new(options(PERSONS), T0);
    session.load(moves_of("f5d6c3"), T0);
    assert_eq!(session.wanted(T0), None);
    session.fill_values(true);
    for moves in 0..4 {
        let search = session.wanted(T0).expect("values are missing");
        assert_eq!(search.purpose, Purpose::Value { moves });
        let found = outcome(&search.request.position, 3, 1, SHALLOW);
        assert_eq!(session.found(&search, &found, T0), None);
    }
    // Then moves are judged.
    let search = session.wanted(T0).expect("d6 was not the best move");
    assert!(
        matches!(search.purpose, Purpose::Judge { moves: 1, .. }),
        "{search:?}"
    );
    let discs: Vec<f64> = session
        .values()
        .iter()
        .map(|value| value.expect("known").discs)
        .collect();
    assert_eq!(format!("{discs:?}"), "[3.0, -3.0, 3.0, -3.0]");
    // A hint is deeper, and replaces it; a shallower search would not.
    session.ask_hint(1);
    let search = session.wanted(T0).expect("a hint is wanted");
    session.found(&search, &outcome(&search.request.position, 7, 1, DEEP), T0);
    assert_eq!(session.values()[3].map(|value| value.discs as i64), Some(-7));
    let again = Search {
        purpose: Purpose::Value { moves: 3 },
        ..search.clone()
    };
    session.found(&again, &outcome(&search.request.position, 1, 1, SHALLOW), T0);
    assert_eq!(session.values()[3].map(|value| value.discs as i64), Some(-7));
    session.found(
        &again,
        &outcome(&search.request.position, 0, 1, Verdict::Exact),
        T0,
    );
    assert!(
        session.values()[3]
            .is_some_and(|value| value.verdict == Verdict::Exact && value.discs.is_sign_positive())
    );
    // An aborted search says nothing.
    session.found(
        &again,
        &outcome(&search.request.position, 9, 1, Verdict::Aborted),
        T0,
    );
    assert_eq!(session.values()[3].map(|value| value.discs as i64), Some(0));
}

#[test]
fn the_engine_can_move_for_a_person() {
    let mut session = Session::new(options(PERSONS), T0);
    session.engine_moves().expect("a move is to be made");
    assert_eq!(session.turn(), Turn::Think(Color::Black));
    reply(&mut session, T0);
    assert_eq!(session.turn(), Turn::Choose(Color::White));
    session.set_seats(ENGINES);
    assert_eq!(session.turn(), Turn::Think(Color::White));
    session.set_seats(PERSON_WHITE);
    assert_eq!(session.turn(), Turn::Choose(Color::White));
    session.set_level(Level::new(9).expect("a level"));
    session.set_move_time(Some(secs(3)));
    session.engine_moves().expect("a move is to be made");
    let request = session.wanted(T0).expect("a search").request;
    assert_eq!((request.limits.level, request.limits.time), (None, Some(secs(3))));
}

#[test]
fn a_saved_game_says_who_played_what_it_was_worth_and_how_long_it_took() {
    let mut session = Session::new(options(PERSON_BLACK), T0);
    session.place(Square::F5, secs(3)).expect("legal");
    reply(&mut session, secs(4));
    let record = session.record();
    assert_eq!(
        (record.tag("PB"), record.tag("PW"), record.tag("RE")),
        (Some("You"), Some("Outflank level 4"), Some("?"))
    );
    let notes: Vec<_> = record
        .notes
        .iter()
        .map(|note| (note.eval.as_str(), note.time.as_str()))
        .collect();
    // White thought that it stood at +2 after f5: −2 for black, who had played it.
    assert_eq!(notes, [("-2.00", "3.0"), ("", "1.0")]);
    // What was loaded keeps its names.
    let mut loaded = moves_of("f5d6");
    loaded.add_tag("PB", "Tastet");
    loaded.add_tag("DT", "2001");
    session.load(loaded, T0);
    let record = session.record();
    assert_eq!(
        (record.tag("PB"), record.tag("DT")),
        (Some("Tastet"), Some("2001"))
    );
    assert_eq!(record.tags.iter().filter(|(tag, _)| tag == "PB").count(), 1);
    session.restart(T0);
    assert_eq!(session.record().tag("DT"), None);
}

#[test]
fn whole_games_end() {
    for seed in 0..200 {
        let mut random = SplitMix64::new(seed);
        let mut session = Session::new(options(PERSON_BLACK), T0);
        let mut passes = 0;
        while session.turn() != Turn::Over {
            match session.turn() {
                Turn::Choose(_) => {
                    let moves = session.game().position().legal_moves();
                    let mv = moves[random.below(moves.len())].square().expect("a square");
                    session.place(mv, T0).expect("legal");
                }
                Turn::Pass(_) => {
                    passes += 1;
                    session.pass(T0).expect("forced");
                }
                Turn::Think(_) => {
                    reply(&mut session, T0);
                }
                Turn::Over | Turn::Paused(_) | Turn::TimeOut(_) => unreachable!(),
            }
        }
        let game = session.game().clone();
        assert!(game.result().is_some());
        assert_eq!(
            game.moves().iter().filter(|&&mv| mv == Move::Pass).count(),
            passes
        );
        assert_eq!(session.values().len(), game.moves().len() + 1);
        let undone = session.undo(T0).expect("moves were made");
        assert!(
            matches!(session.turn(), Turn::Choose(Color::Black)),
            "seed {seed}"
        );
        assert_eq!(session.redo(T0), Ok(undone));
        assert_eq!(session.game(), &game);
    }
}

/// Anything in any order: never a panic, and the laws hold.
#[test]
fn random_actions_keep_the_laws() {
    for seed in 0..300 {
        let mut random = SplitMix64::new(seed);
        let clock = (random.below(2) == 0).then_some(GameClock {
            remaining: secs(30),
            increment: secs(1),
        });
        let mut session = Session::new(
            Options {
                clock,
                ..options(PERSON_BLACK)
            },
            T0,
        );
        let mut pending: Vec<Search> = Vec::new();
        let mut now = T0;
        for _ in 0..150 {
            now += Duration::from_millis(random.below(800) as u64);
            let square = Square::from_index_wrapping(random.below(64));
            match random.below(16) {
                0 => drop(session.undo(now)),
                1 => drop(session.redo(now)),
                2 => drop(session.pass(now)),
                3 => drop(session.place(square, now)),
                4 => drop(session.ask_hint(random.below(5))),
                5 => session.drop_hint(),
                6 => session.fill_values(random.below(2) == 0),
                7 => session.set_seats([PERSON_BLACK, PERSON_WHITE, PERSONS, ENGINES][random.below(4)]),
                8 => drop(session.engine_moves()),
                9 if random.below(10) == 0 => session.restart(now),
                10 if random.below(10) == 0 => session.load(moves_of(WHITE_MUST_PASS), now),
                11 => session.tick(now),
                _ => {
                    if let Turn::Choose(_) = session.turn() {
                        let moves = session.game().position().legal_moves();
                        let mv = moves[random.below(moves.len())].square().expect("a square");
                        session.place(mv, now).expect("legal");
                    }
                }
            }
            pending.extend(session.wanted(now));
            if !pending.is_empty() && random.below(2) == 0 {
                let search = pending.swap_remove(random.below(pending.len()));
                let before = session.game().moves().len();
                let found = outcome(&search.request.position, 1, search.request.lines, SHALLOW);
                let played = session.found(&search, &found, now);
                assert_eq!(
                    session.game().moves().len(),
                    before + usize::from(played.is_some())
                );
            }
            let game = session.game();
            assert_eq!(session.values().len(), game.moves().len() + 1);
            assert_eq!(session.record().game, *game);
            assert_eq!(session.time_left(Color::White, now).is_some(), clock.is_some());
            if let Turn::Over = session.turn() {
                assert!(game.result().is_some());
            }
            if let Some(wanted) = session.wanted(now) {
                assert!(session.asks(&wanted));
            }
        }
    }
}
