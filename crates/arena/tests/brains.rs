//! Gomoku programs that misbehave lose their games with the right reason, the next game is clean, and no process is left;
//! a program that does not know the rule loses nothing.
#![cfg(unix)]

#[path = "common/support.rs"]
mod support;

use outflank_arena::{End, GameRules, History, MatchError, MatchReport};
use outflank_gomoku::{Board, Rule};
use outflank_protocol::TimeControl;
use std::time::Duration;
use support::{bot, check_nobody_left, new_mark, play};

fn rules() -> GameRules {
    GameRules {
        control: TimeControl::PerMove(Duration::from_millis(300)),
        margin: Some(Duration::from_millis(100)),
        ..GameRules::default()
    }
}

fn opening(moves: &str) -> History<Board> {
    let mut history = History::new(Board::new(Rule::Freestyle, 15).expect("a size"));
    for mv in moves.split_whitespace() {
        history.play(mv.parse().expect("a point")).expect("empty");
    }
    history
}

/// Plays the script against `nodes 50`: two games, the script with black in the first.
fn meet(way: &str, mark: &str, folder: &str, rules: GameRules) -> Result<MatchReport, MatchError> {
    let brain = format!(
        "external: sh '{}' {way} {mark} {folder}",
        bot("brain.sh").display()
    );
    let engine = if way == "good" {
        "random"
    } else {
        "nodes 50 --hash 1"
    };
    play([&brain, engine], opening("h8 i9 j7"), 2, rules)
}

#[track_caller]
fn check(way: &str, end: End, details: &[&str]) {
    let mark = new_mark(way);
    let report = meet(way, &mark, "", rules()).expect("the match survives");
    for game in &report.games {
        assert_eq!((game.end, game.margin_for(0)), (end, -1), "{way}: {game:?}");
        for detail in details {
            assert!(
                game.detail.contains(detail),
                "{way}: {detail:?} is not in {:?}",
                game.detail
            );
        }
        game.replay::<Board>().expect("what was played can be replayed");
    }
    let (bot, other) = (report.standing.player(0), report.standing.player(1));
    assert_eq!((bot.forfeits, other.forfeits, other.errors), (2, 0, 0), "{way}");
    assert!(report.standing.is_forfeited_throughout(), "{way}");
    check_nobody_left(&mark);
}

/// The first process misbehaves: its game is lost, and the next one is played to its end without a fault.
#[track_caller]
fn check_once(way: &str, end: End) {
    let folder = tempfile::tempdir().expect("a folder");
    let mark = new_mark(way);
    let once = folder.path().join("once");
    let report = meet(way, &mark, &once.display().to_string(), rules()).expect("the match survives");
    assert_eq!(report.games[0].end, end, "{way}: {:?}", report.games[0]);
    let second = &report.games[1];
    assert_eq!(
        (second.end, second.illegal),
        (End::Board, [0, 0]),
        "{way}: {second:?}"
    );
    assert!(!second.detail.is_empty(), "the end on the board is named");
    assert!(!report.standing.is_forfeited_throughout(), "{way}");
    check_nobody_left(&mark);
}

#[test]
fn a_proper_program_plays_to_the_end() {
    for way in ["good", "chatty", "twice"] {
        let mark = new_mark(way);
        let report = meet(way, &mark, "", rules()).expect("the match survives");
        for game in &report.games {
            assert_eq!((game.end, game.illegal), (End::Board, [0, 0]), "{way}: {game:?}");
        }
        // Nobody pays for the silence that the referee waits for.
        let thinking = report.thinking[1];
        assert!(
            thinking.moves > 2 && thinking.longest < 0.3,
            "{way}: {thinking:?}"
        );
        check_nobody_left(&mark);
    }
}

#[test]
fn programs_that_crash_or_hang_lose_that_game_only() {
    check(
        "exit",
        End::Exited,
        &["exit status: 3", "its last words: first words / out of luck"],
    );
    check("hang", End::NoAnswer, &["no answer within 1.4s"]);
    check("garbage", End::Dialogue, &["no answer: \"the answer is 42\""]);
    for (way, end) in [
        ("exit", End::Exited),
        ("hang", End::NoAnswer),
        ("garbage", End::Dialogue),
        ("refuse", End::Dialogue),
    ] {
        check_once(way, end);
    }
}

#[test]
fn late_moves_lose_and_are_not_read_in_the_next_game() {
    check("late", End::Time, &["s after the flag (0.100 s allowed)"]);
    let late = meet("late", &new_mark("late"), "", rules()).expect("the match survives");
    assert!(
        late.games.iter().all(|game| game.end == End::Time),
        "no game is lost by an old answer"
    );
}

#[test]
fn moves_that_cannot_be_played_lose() {
    check("occupied", End::Illegal, &["illegal move, the last answers were"]);
    check("outside", End::Dialogue, &["no answer: \"77,3\""]);
    check(
        "refuse",
        End::Dialogue,
        &["refused to play: \"ERROR cannot think today\""],
    );
}

#[test]
fn a_program_that_does_not_know_the_rule_is_refused_not_beaten() {
    for (way, what) in [
        (
            "rule",
            "does not know this rule (freestyle, 15x15 points): \"ERROR Unknown rule\"",
        ),
        ("late-rule", "does not know this rule (freestyle, 15x15 points)"),
        (
            "size",
            "does not know this board (freestyle, 15x15 points): \"ERROR unsupported size\"",
        ),
    ] {
        let mark = new_mark(way);
        let error = meet(way, &mark, "", rules()).expect_err(way);
        assert!(matches!(error, MatchError::Refused { .. }), "{way}: {error:?}");
        assert!(error.to_string().contains(what), "{way}: {error}");
        check_nobody_left(&mark);
    }
    // Without a limit of time a Gomocup program would play at once or for ever.
    let error = meet("good", &new_mark("good"), "", GameRules::default()).expect_err("no time");
    assert!(
        error
            .to_string()
            .contains("needs a limit: give the match --move-time"),
        "{error}"
    );
}

#[test]
fn a_program_may_have_a_time_of_its_own() {
    let mark = new_mark("late");
    let brain = format!(
        "external: --time 2 sh '{}' late {mark}",
        bot("brain.sh").display()
    );
    let report =
        play([&brain, "clock --hash 1"], opening("h8 i9 j7"), 2, rules()).expect("the match survives");
    for game in &report.games {
        assert_eq!(game.end, End::Board, "{game:?}");
    }
    let [slow, fast] = report.thinking[..] else {
        panic!("two players")
    };
    assert!(slow.mean() > 0.4 && fast.longest < 0.5, "{slow:?} {fast:?}");
    check_nobody_left(&mark);
}
