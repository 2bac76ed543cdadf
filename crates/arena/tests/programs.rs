//! Programs that misbehave lose their games, with the right reason, and leave no process behind.
#![cfg(unix)]

#[path = "common/support.rs"]
mod support;

use outflank_arena::{End, GameRules, History, MatchError, MatchReport, RunEnd, report};
use outflank_othello::Position;
use outflank_protocol::TimeControl;
use std::time::Duration;
use support::{bot, check_nobody_left, new_mark, play};

fn opening(moves: &str) -> History<Position> {
    let mut history = History::new(Position::start());
    for mv in moves.split_whitespace() {
        history.play(mv.parse().expect("a move")).expect("legal");
    }
    history
}

/// Plays two games of the misbehaving bot against `random` (the bot is the first player); a mark in its arguments finds
/// its processes.
fn meet(way: &str, mark: &str, rules: GameRules) -> Result<MatchReport, MatchError> {
    let spec = format!("external: sh '{}' {way} {mark}", bot("bot.sh").display());
    play([&spec, "random"], opening("f5 d6"), 2, rules)
}

fn rules() -> GameRules {
    GameRules {
        patience: Duration::from_millis(300),
        ..GameRules::default()
    }
}

#[track_caller]
fn check(way: &str, rules: GameRules, end: End, details: &[&str]) {
    let mark = new_mark(way);
    let report = meet(way, &mark, rules).expect("the match survives");
    assert_eq!(report.games.len(), 2);
    for game in &report.games {
        assert_eq!(game.end, end, "{way}: {game:?}");
        // The bot lost: it is player 0.
        assert_eq!(game.margin_for(0), -64, "{way}: {game:?}");
        for detail in details {
            assert!(
                game.detail.contains(detail),
                "{way}: {detail:?} is not in {:?}",
                game.detail
            );
        }
        game.replay::<Position>()
            .expect("what was played can be replayed");
    }
    let count = report.standing.player(0);
    assert_eq!(count.forfeits, if end.is_forfeit() { 2 } else { 0 }, "{way}");
    assert_eq!(
        report.standing.player(1).forfeits + report.standing.player(1).errors,
        0,
        "{way}"
    );
    check_nobody_left(&mark);
}

#[test]
fn a_program_that_hangs_is_given_up_with_its_children() {
    check("hang", rules(), End::NoAnswer, &["no answer within 300ms"]);
}

#[test]
fn a_program_that_exits_has_its_last_words_recorded() {
    check("exit", rules(), End::Exited, &["exit status: 3", "out of luck"]);
}

#[test]
fn garbage_is_no_answer() {
    check(
        "garbage",
        rules(),
        End::Dialogue,
        &["no answer: \"the answer is 42\""],
    );
    check(
        "nonsense",
        rules(),
        End::Dialogue,
        &["no answer: \"what a lovely board\""],
    );
    check(
        "refuse",
        rules(),
        End::Dialogue,
        &["refused \"genmove", "cannot think today"],
    );
}

#[test]
fn three_illegal_moves_lose() {
    check("illegal", rules(), End::Illegal, &["[\"a1\", \"a1\", \"a1\"]"]);
    check("words", rules(), End::Illegal, &["[\"moo\", \"moo\", \"moo\"]"]);
    // A pass with moves at hand is illegal too; this program also does not end when asked to.
    check("deaf", rules(), End::Illegal, &["[\"pass\", \"pass\", \"pass\"]"]);
}

#[test]
fn a_move_after_the_flag_loses_on_time() {
    let rules = GameRules {
        control: TimeControl::PerMove(Duration::from_millis(200)),
        margin: Some(Duration::from_millis(50)),
        ..rules()
    };
    check("late", rules, End::Time, &["s after the flag"]);
    let rules = GameRules {
        control: TimeControl::Clock {
            main: Duration::from_millis(300),
            increment: Duration::ZERO,
        },
        ..rules
    };
    check("late", rules, End::Time, &["s after the flag"]);
    // No answer long after the flag is another matter.
    check("hang", rules, End::NoAnswer, &["no answer within"]);
}

#[test]
fn a_program_may_resign_and_may_be_missing() {
    check("resign", rules(), End::Resigned, &["gave up"]);
    let report = play(
        ["random", "external: /no/such/program"],
        opening("f5 d6"),
        2,
        rules(),
    )
    .expect("the match survives");
    assert!(
        report
            .games
            .iter()
            .all(|game| game.end == End::NotStarted && game.margin_for(0) == 64)
    );
    assert!(
        report.games[0]
            .detail
            .contains("cannot start \"/no/such/program\""),
        "{:?}",
        report.games[0]
    );
}

/// Debian's `grhino` package, if it is installed: an honest program.
#[test]
fn gtp_rhino_plays_whole_games() {
    let program = "/usr/games/gtp-rhino";
    if !std::path::Path::new(program).exists() {
        eprintln!("skipped: {program} is not installed (apt-get install grhino)");
        return;
    }
    let spec = format!("external: {program} -l 1 -b 0");
    let report = play([&spec, "random"], opening("f5 d6 c3"), 4, GameRules::default()).expect("played");
    for game in &report.games {
        assert_eq!((game.end, game.illegal), (End::Board, [0, 0]), "{game:?}");
    }
    assert!(report.standing.tally(0).wins >= 3);
}

#[test]
fn a_protocol_that_cannot_start_there_refuses_and_nobody_loses() {
    let mut start = Position::start();
    start.play("f5".parse().expect("a move")).expect("legal");
    let spec = format!("external: sh '{}' illegal", bot("bot.sh").display());
    let error = play([&spec, "random"], History::new(start), 2, rules()).expect_err("GTP has no such start");
    assert!(matches!(error, MatchError::Refused { .. }), "{error:?}");
    assert!(
        error
            .to_string()
            .contains("no way to start from another position"),
        "{error}"
    );
}

#[test]
fn a_match_of_nothing_but_forfeits_ends_early() {
    let mark = new_mark("exit");
    let spec = format!("external: sh '{}' exit {mark}", bot("bot.sh").display());
    let report = play([&spec, "random"], opening("f5 d6"), 100, rules()).expect("the match survives");
    assert_eq!((report.end, report.games.len()), (RunEnd::Forfeited, 4));
    assert!(report.standing.is_forfeited_throughout());
    let reasons = report::reasons(&report.games);
    assert_eq!((reasons.len(), reasons[0].player, reasons[0].games), (1, 0, 4));
    assert!(reasons[0].detail.contains("out of luck"), "{reasons:?}");
    check_nobody_left(&mark);
}
