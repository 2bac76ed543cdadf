//! Dialogues, line by line.

use super::*;
use crate::{Action, Session};
use outflank_game::SplitMix64;
use outflank_gomoku::{Board, Color, Point, Rule};
use outflank_gomoku_engine::{OpeningTable, Outcome, Progress, Value};
use outflank_search::{Limits, Line, ManualClock, Request, Stage, Verdict};
use std::{sync::Arc, time::Duration};

/// A session, and the search that it waits for.
struct Brain {
    session: Session<GomocupEngine>,
    running: Option<Request<Board>>,
    said: Vec<String>,
}

fn brain() -> Brain {
    let engine = GomocupEngine::new("name=\"Outflank\"");
    Brain {
        session: Session::new(engine, Arc::new(ManualClock::default())),
        running: None,
        said: Vec::new(),
    }
}

/// A search that found these moves, with this chance to win.
fn found(moves: &[Point], value: i32) -> Outcome {
    Outcome {
        lines: vec![Line::searched(
            moves.to_vec(),
            Value::Estimate(value),
            Verdict::Estimate {
                depth: 3,
                confidence: 100,
            },
        )],
        rest: None,
        nodes: 7,
        elapsed: Duration::ZERO,
        complete: true,
    }
}

impl Brain {
    fn perform(&mut self, actions: Vec<Action<Board>>) {
        for action in actions {
            match action {
                Action::Write(text) => self.said.push(text),
                Action::Search(request) => {
                    assert!(self.running.is_none(), "two searches at a time");
                    self.running = Some(*request);
                }
                Action::Stop => self.said.push("(stop)".to_owned()),
                Action::Forget => self.said.push("(forget)".to_owned()),
                Action::Configure(setting) => {
                    assert!(self.running.is_none(), "{setting:?} while a search runs");
                    self.said.push(format!("({setting:?})"));
                }
                Action::Quit => self.said.push("(quit)".to_owned()),
                Action::Suggest(_) => panic!("there is nothing to suggest"),
            }
        }
    }

    /// Feeds a line; a search that it begins goes on.
    fn feed(&mut self, line: &str) -> Vec<String> {
        let actions = self.session.line(line);
        self.perform(actions);
        std::mem::take(&mut self.said)
    }

    /// Ends the search that runs.
    fn thought(&mut self, outcome: &Outcome) -> Vec<String> {
        assert!(self.running.take().is_some(), "no search runs");
        let actions = self.session.finished(outcome);
        self.perform(actions);
        std::mem::take(&mut self.said)
    }

    /// Feeds a line that begins a search, and returns what is searched.
    fn ask(&mut self, line: &str) -> Request<Board> {
        let said = self.feed(line);
        assert!(said.is_empty(), "{line}: {said:?}");
        self.running
            .clone()
            .unwrap_or_else(|| panic!("{line}: no search"))
    }
}

fn point(x: u8, y: u8) -> Point {
    Point::new(x, y).expect("on a board")
}

/// Feeds lines and returns what was said; searches find the first empty point.
fn talk(brain: &mut Brain, lines: &[&str]) -> Vec<String> {
    let mut said = Vec::new();
    for line in lines {
        said.extend(brain.feed(line));
        while let Some(request) = &brain.running {
            let first = request.position.empties().first().expect("an empty point");
            said.extend(brain.thought(&found(&[first], 1)));
        }
    }
    said
}

#[test]
fn a_game_is_answered_line_by_line() {
    let said = talk(
        &mut brain(),
        &[
            "START 15\r\n",
            "INFO timeout_turn 1000",
            "INFO max_memory 350000000",
            "INFO folder C:\\x y",
            "INFO thread_num 0",
            "INFO thread_num 2",
            "INFO thread_num 1000000000000",
            "BEGIN",
            "TURN 7,7",
            "TAKEBACK 7,7",
            "RESTART",
            "ABOUT",
            "",
            "END",
        ],
    );
    let expected = [
        "OK",
        "(MostBytes(350000000))",
        "(Threads(2))",
        "(Threads(256))",
        "0,0",
        "1,0",
        "OK",
        "OK",
        "name=\"Outflank\"",
        "(quit)",
    ];
    assert_eq!(said, expected);
}

#[test]
fn bad_input_is_refused_and_the_game_goes_on() {
    let said = talk(
        &mut brain(),
        &[
            "TURN 1,1",
            "START 4",
            "START 21",
            "start 15",
            "TURN 15,1",
            "TURN x",
            "TURN 3,3",
            "TURN 3,3",
            "TURN 0,0",
            "HELLO you",
        ],
    );
    assert!(said[0].starts_with("ERROR") && said[1].starts_with("ERROR") && said[2].starts_with("ERROR"));
    assert_eq!(said[3], "OK");
    assert!(said[4].starts_with("ERROR") && said[5].starts_with("ERROR"));
    assert_eq!(said[6], "0,0");
    assert!(
        said[7].starts_with("ERROR") && said[8].starts_with("ERROR"),
        "{said:?}"
    );
    assert_eq!(said[9], "UNKNOWN HELLO you");
}

#[test]
fn a_board_may_come_in_any_order_and_with_odd_counts() {
    for lines in [
        vec!["BOARD", "7,7,2", "DONE"],
        vec!["BOARD", "7,7,1", "8,8,2", "DONE"],
        vec!["BOARD", "8,8,2", "7,7,1", "6,6,1", "5,5,1", "DONE"],
        vec!["BOARD", "DONE"],
    ] {
        let mut brain = brain();
        let said = talk(&mut brain, &["START 15"]);
        assert_eq!(said, ["OK"]);
        let said = talk(&mut brain, &lines);
        assert_eq!(said.last().map(String::as_str), Some("0,0"), "{lines:?}");
        assert_eq!(said.len(), 1 + usize::from(lines.len() == 6), "{said:?}");
    }
    let won = ["BOARD", "0,0,1", "1,0,1", "2,0,1", "3,0,1", "4,0,1", "DONE"];
    for lines in [
        vec!["BOARD", "7,7,3", "DONE"],
        vec!["BOARD", "7,7,1", "7,7,2", "DONE"],
        won.to_vec(),
    ] {
        let mut brain = brain();
        talk(&mut brain, &["START 15"]);
        let said = talk(&mut brain, &lines);
        assert!(said.len() == 1 && said[0].starts_with("ERROR"), "{said:?}");
    }
}

#[test]
fn a_full_board_is_refused_and_odd_counts_get_a_message() {
    let mut brain = brain();
    talk(&mut brain, &["START 5"]);
    let mut lines = vec!["BOARD".to_owned()];
    for i in 0..25 {
        // Pairs in a row, shifted from row to row: no five.
        let owner = 1 + (i % 5 / 2 + i / 5) % 2;
        lines.push(format!("{},{},{owner}", i % 5, i / 5));
    }
    lines.push("DONE".to_owned());
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let said = talk(&mut brain, &lines);
    assert!(said.len() == 1 && said[0].starts_with("ERROR"), "{said:?}");
    let said = talk(&mut brain, &["BOARD", "1,1,1", "2,2,1", "DONE"]);
    assert!(said[0].starts_with("MESSAGE 2 own stones and 0"), "{said:?}");
    assert_eq!(said[1], "0,0");
}

#[test]
fn every_number_of_info_leaves_time_for_a_move() {
    for value in ["-9223372036854775808", "9223372036854775807", "-1", "0", "1"] {
        for key in [
            "timeout_turn",
            "timeout_match",
            "time_left",
            "max_memory",
            "max_node",
            "hash_size",
        ] {
            let mut brain = brain();
            talk(&mut brain, &["START 15", &format!("INFO {key} {value}")]);
            let limits = brain.ask("BEGIN").limits;
            assert!(limits.time.is_some_and(|time| time >= Duration::from_millis(1)));
            assert!(limits.nodes != Some(0) && limits.depth != Some(0));
        }
    }
}

#[test]
fn an_unknown_rule_is_refused_at_once_and_nothing_else_is_played() {
    let said = talk(
        &mut brain(),
        &["START 15", "INFO rule 3", "BEGIN", "INFO rule 9", "BEGIN"],
    );
    assert_eq!(said[0], "OK");
    assert!(said[1].starts_with("ERROR") && said[2].starts_with("ERROR"));
    assert_eq!(said[3], "0,0");
}

#[test]
fn commands_while_thinking_are_kept_and_some_act_at_once() {
    let mut brain = brain();
    talk(&mut brain, &["START 15"]);
    brain.ask("BEGIN");
    assert_eq!(brain.feed("INFO time_left -5"), [""; 0]);
    // The engine cannot be changed while it thinks.
    assert_eq!(brain.feed("INFO thread_num 2"), [""; 0]);
    assert_eq!(brain.feed("TURN 7,7"), [""; 0]);
    assert_eq!(brain.feed("YXSTOP"), ["(stop)"]);
    let said = brain.thought(&found(&[point(3, 3)], 0));
    // The stop came after the turn, and is about it too.
    assert_eq!(said, ["(Threads(2))", "3,3", "(stop)"]);
    let request = brain.running.clone().expect("a search");
    assert_eq!(request.position.get(point(7, 7)), Some(Color::White));
    let left = request.limits.clock.expect("a clock").remaining;
    assert_eq!(left, Duration::ZERO, "a negative time has fallen");
    assert_eq!(brain.feed("END"), [""; 0]);
    assert_eq!(brain.thought(&found(&[point(4, 4)], 0)), ["4,4", "(quit)"]);
    assert_eq!(brain.feed("ABOUT"), [""; 0]);
}

#[test]
fn what_is_pondered_is_the_expected_answer_and_delays_nothing() {
    let clock = Arc::new(ManualClock::default());
    let mut brain = Brain {
        session: Session::new(GomocupEngine::new("").pondering(true), clock.clone()),
        running: None,
        said: Vec::new(),
    };
    talk(&mut brain, &["START 15", "INFO timeout_turn 1000"]);
    brain.ask("BEGIN");
    assert_eq!(brain.thought(&found(&[point(7, 7), point(7, 8)], 0)), ["7,7"]);
    let pondered = brain.running.clone().expect("a search");
    assert_eq!(
        [point(7, 7), point(7, 8)].map(|point| pondered.position.get(point)),
        [Some(Color::Black), Some(Color::White)]
    );
    assert_eq!(pondered.limits, Limits::default());
    // What is told about the time does not end it; the turn does, and its time begins when it comes.
    assert_eq!(brain.feed("INFO time_left 9000"), [""; 0]);
    clock.advance(Duration::from_secs(20));
    assert_eq!(brain.feed("TURN 8,8"), ["(stop)"]);
    clock.advance(Duration::from_millis(5));
    assert_eq!(brain.thought(&found(&[point(0, 0)], 0)), [""; 0]);
    let request = brain.running.clone().expect("a search");
    assert_eq!(
        [point(7, 7), point(8, 8), point(0, 0)].map(|point| request.position.get(point)),
        [Some(Color::Black), Some(Color::White), None]
    );
    assert_eq!(request.limits.time, Some(Duration::from_millis(995)));
    // Without an expected answer it is about all of them; every command ends it.
    assert_eq!(brain.thought(&found(&[point(9, 9)], 0)), ["9,9"]);
    let pondered = brain.running.clone().expect("a search");
    assert_eq!(
        (pondered.position.n_stones(), pondered.position.side()),
        (3, Color::White)
    );
    assert_eq!(brain.feed("YXHASHCLEAR"), ["(stop)"]);
    assert_eq!(brain.thought(&found(&[point(0, 0)], 0)), ["(forget)"]);
    assert!(brain.running.is_none());
    talk(&mut brain, &["YXBOARD", "7,7,1", "DONE"]);
    brain.ask("TURN 8,8");
    assert_eq!(brain.thought(&found(&[point(9, 9)], 0)), ["9,9"]);
    assert_eq!(brain.feed("INFO pondering 0"), ["(stop)"]);
    assert_eq!(brain.thought(&found(&[point(0, 0)], 0)), [""; 0]);
    brain.ask("TURN 8,9");
    assert_eq!(brain.thought(&found(&[point(9, 10)], 0)), ["9,10"]);
    assert!(brain.running.is_none(), "no longer");
    assert_eq!(brain.feed("END"), ["(quit)"]);
}

#[test]
fn limits_are_what_the_manager_says() {
    let mut brain = brain();
    talk(
        &mut brain,
        &[
            "START 15",
            "INFO timeout_turn 5000",
            "INFO timeout_match 120000",
            "INFO max_depth 9",
            "INFO max_node 1000",
            "YXBLOCK",
            "7,7",
            "DONE",
            "INFO move_overhead 40",
        ],
    );
    let request = brain.ask("BEGIN");
    let seconds = Duration::from_secs;
    assert_eq!(request.limits.time, Some(seconds(5)));
    let clock = request.limits.clock.expect("a clock");
    assert_eq!((clock.remaining, clock.increment), (seconds(120), Duration::ZERO));
    assert_eq!(
        (request.limits.depth, request.limits.nodes),
        (Some(9), Some(1000))
    );
    assert_eq!((request.lines, request.excluded), (1, vec![point(7, 7)]));
    assert_eq!(request.reserve, Duration::from_millis(40));
    brain.thought(&found(&[point(0, 0)], 0));
    brain.feed("INFO time_left 2147483647");
    brain.feed("INFO timeout_match 0");
    assert_eq!(brain.ask("TURN 1,1").limits.clock, None);
}

#[test]
fn iterations_are_reported_where_they_are_wanted() {
    let news = Progress {
        rank: 0,
        line: found(&[point(7, 7), point(8, 8)], 12).lines.remove(0),
        stage: Stage::full_width(4),
        nodes: 99,
        elapsed: Duration::ZERO,
    };
    for (verbose, line, reported) in [
        (false, "BEGIN", false),
        (true, "BEGIN", true),
        (false, "YXNBEST 1", false),
        (false, "YXNBEST 3", true),
        (false, "YXBALANCETWO", false),
    ] {
        let mut brain = brain();
        let engine = GomocupEngine::new("x").verbose(verbose);
        brain.session = Session::new(engine, Arc::new(ManualClock::default()));
        talk(&mut brain, &["START 15"]);
        brain.ask(line);
        let actions = brain.session.progress(&news);
        brain.perform(actions);
        let message = "MESSAGE depth 4 value 12 nodes 99 pv h8 i9";
        assert_eq!(brain.said.iter().any(|said| said == message), reported, "{line}");
    }
}

#[test]
fn an_even_opening_of_the_table_is_proposed() {
    let text = "freestyle O 5,5,5,5 0,0X 1,1O 2,3X > 1,2=-49\nfreestyle O 5,5,5,5 0,0X 1,1O 2,4X > 1,2=51\n\
                renju O 0,5,0,5 0,0X 1,1O 2,5X > 1,2=0\nfreestyle X 5,5,5,5 0,0X 1,1O > 1,2=0\n";
    let table = Arc::new(OpeningTable::read(text).expect("a table"));
    let mut brain = brain();
    brain.session = Session::new(
        GomocupEngine::new("").with_openings(table, 1),
        Arc::new(ManualClock::default()),
    );
    talk(&mut brain, &["START 15"]);
    assert_eq!(talk(&mut brain, &["SWAP2BOARD", "DONE"]), ["6,5 7,6 8,8"]);
    talk(&mut brain, &["INFO rule 4", "START 20"]);
    assert_eq!(talk(&mut brain, &["SWAP2BOARD", "DONE"]), ["0,0 1,1 2,5"]);
    talk(&mut brain, &["INFO rule 1", "START 15"]);
    assert_eq!(
        talk(&mut brain, &["SWAP2BOARD", "DONE"]),
        ["0,12 0,13 1,12"],
        "none is known"
    );
}

#[test]
fn the_most_even_moves_are_found_and_not_played() {
    let mut brain = brain();
    talk(&mut brain, &["START 15"]);
    assert_eq!(brain.ask("YXBALANCETWO").lines, 60);
    let mut outcome = found(&[point(7, 7), point(8, 8), point(9, 9)], 300);
    let even = found(&[point(0, 0), point(1, 1), point(2, 2)], -20);
    outcome.lines.extend(even.lines);
    assert_eq!(brain.thought(&outcome), ["0,0 1,1"]);
    assert_eq!(brain.ask("YXBALANCEONE").position.n_stones(), 0);
    assert_eq!(brain.thought(&outcome), ["0,0"]);
}

#[test]
fn renju_extensions_answer() {
    let mut brain = brain();
    let said = talk(
        &mut brain,
        &[
            "INFO rule 4",
            "START 15",
            "YXBOARD",
            "7,7,1",
            "8,7,1",
            "7,8,1",
            "7,6,2",
            "0,0,2",
            "0,14,2",
            "DONE",
            "YXSHOWFORBID",
            "YXHASHCLEAR",
            "YXBLOCK",
            "0,0",
            "DONE",
        ],
    );
    assert_eq!(said[0], "OK");
    assert!(
        said[1].starts_with("FORBID ") && said[1].ends_with('.'),
        "{said:?}"
    );
    assert_eq!(said[2], "(forget)");
}

#[test]
fn swap2_answers_every_stage() {
    let mut brain = brain();
    talk(&mut brain, &["START 15"]);
    let said = talk(&mut brain, &["SWAP2BOARD", "DONE"]);
    assert_eq!(said[0].split_whitespace().count(), 3);
    let stones = ["SWAP2BOARD", "0,12", "0,13", "1,12", "DONE"];
    for line in &stones[..4] {
        assert_eq!(brain.feed(line), [""; 0]);
    }
    let request = brain.ask("DONE");
    assert_eq!((request.lines, request.position.side()), (1, Color::White));
    assert_eq!(brain.thought(&found(&[point(5, 5)], -1)), ["SWAP"]);
}

#[test]
fn a_client_and_a_brain_understand_each_other() {
    let mut board = Board::new(Rule::Standard, 15).expect("size");
    let (mut client, mut brain) = (GomocupClient::new(), brain());
    client.new_game(&board, Duration::from_secs(1), None);
    for n_moves in 0..6 {
        client.go(&board, None);
        let mut lines = Vec::new();
        while let Some(line) = client.next_line() {
            lines.push(line);
        }
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let events: Vec<_> = talk(&mut brain, &lines)
            .iter()
            .map(|line| client.feed(line))
            .collect();
        let Some(GomocupEvent::Move(mv)) = events.last() else {
            panic!("{events:?}")
        };
        assert_eq!(events.contains(&GomocupEvent::Ready), n_moves == 0);
        board.play(*mv).expect("a legal move");
    }
    assert_eq!(
        client.feed("MESSAGE depth 3"),
        GomocupEvent::Chatter("MESSAGE depth 3".to_owned())
    );
    assert!(matches!(client.feed("ERROR no"), GomocupEvent::Refused(_)));
}

/// Returns the stones that a search is about, Black's first.
fn stones(request: &Request<Board>) -> String {
    let of = |color| {
        let mut points: Vec<String> = request
            .position
            .history()
            .iter()
            .filter(|(_, stone)| *stone == color)
            .map(|(point, _)| format!("{},{}", point.x(), point.y()))
            .collect();
        points.sort();
        points.join(" ")
    };
    assert_eq!(request.position.side(), Color::White);
    format!("{} / {}", of(Color::Black), of(Color::White))
}

#[test]
fn lists_of_swap2_have_stones_in_every_row() {
    // P1: a line that ends in `,1` may be a point in row 1.
    for (lines, expected) in [
        (vec!["7,7", "8,8", "6,1"], "6,1 7,7 / 8,8"),
        (vec!["1,1", "1,0", "0,1"], "0,1 1,1 / 1,0"),
        (vec!["7,7", "8,1", "9,2", "1,1", "2,1"], "2,1 7,7 9,2 / 1,1 8,1"),
        // With owners, in any order: the side that has one stone more is Black.
        (vec!["7,7,1", "8,1,1", "1,1,2"], "7,7 8,1 / 1,1"),
        (vec!["1,1,2", "7,7,1", "8,1,2"], "1,1 8,1 / 7,7"),
        // Owners that fit no such position do not count.
        (vec!["7,7,1", "8,1,1", "1,1,1"], "1,1 7,7 / 8,1"),
    ] {
        let mut brain = brain();
        talk(&mut brain, &["START 15", "SWAP2BOARD"]);
        for line in &lines {
            assert_eq!(brain.feed(line), [""; 0], "{lines:?}");
        }
        assert_eq!(stones(&brain.ask("DONE")), expected, "{lines:?}");
        assert_eq!(brain.thought(&found(&[point(0, 14)], 1)), ["0,14"], "{lines:?}");
    }
}

#[test]
fn sizes_come_in_every_notation_and_rectangles_are_refused_by_name() {
    for (line, answer) in [
        ("START 15 15", "OK"),
        ("START 20 20", "OK"),
        ("start 15,15", "OK"),
        ("START 15x15", "OK"),
        ("START  19 ", "OK"),
        ("RECTSTART 15,15", "OK"),
        (
            "START 15 20",
            "ERROR START 15 20: rectangular boards are not supported, only square ones",
        ),
        (
            "RECTSTART 20,15",
            "ERROR RECTSTART 20,15: rectangular boards are not supported, only square ones",
        ),
        (
            "START 4",
            "ERROR unsupported size \"4\": the board must be 5 to 20",
        ),
        (
            "START 99999999999999999999 99999999999999999999",
            "ERROR unsupported size \"99999999999999999999 99999999999999999999\": the board must be 5 to 20",
        ),
        ("START", "ERROR START needs a size, such as START 15; got \"\""),
        (
            "RECTSTART x",
            "ERROR RECTSTART needs a size, such as RECTSTART 15; got \"x\"",
        ),
        (
            "START 15 15 15",
            "ERROR START needs a size, such as START 15; got \"15 15 15\"",
        ),
        (
            "START -15",
            "ERROR START needs a size, such as START 15; got \"-15\"",
        ),
    ] {
        let mut brain = brain();
        assert_eq!(talk(&mut brain, &[line]), [answer], "{line}");
        // Whatever was refused, the next board is played on.
        assert_eq!(talk(&mut brain, &["START 15", "BEGIN"]), ["OK", "0,0"], "{line}");
    }
}

#[test]
fn swap2_by_steps_is_about_the_board_that_is_there() {
    let mut brain = brain();
    let said = talk(
        &mut brain,
        &["START 15 15", "yxswap2step2", "yxswap2step1", "yxboard", "DONE"],
    );
    assert_eq!(
        said,
        [
            "OK",
            "ERROR YXSWAP2STEP2 with 0 stones on the board: expected 3",
            "0,12 0,13 1,12"
        ]
    );
    let said = talk(
        &mut brain,
        &["yxboard", "7,7,1", "8,1,2", "6,1,1", "done", "yxswap2step3"],
    );
    assert_eq!(
        said,
        ["ERROR YXSWAP2STEP3 with 3 stones on the board: expected 5"]
    );
    assert_eq!(stones(&brain.ask("yxswap2step2")), "6,1 7,7 / 8,1");
    // The brain takes Black: the next stone is White's, and then it is to move as Black.
    assert_eq!(brain.thought(&found(&[point(5, 5)], -1)), ["SWAP"]);
    let board = brain.ask("TURN 1,1").position;
    assert_eq!(board.side(), Color::Black);
    assert_eq!(board.get(point(1, 1)), Some(Color::White));
    assert_eq!(board.get(point(6, 1)), Some(Color::Black));
}

#[test]
fn the_answer_to_nbest_is_played_only_if_a_turn_follows() {
    let mut brain = brain();
    talk(&mut brain, &["START 15", "YXBOARD", "7,7,2", "DONE"]);
    for _ in 0..2 {
        let request = brain.ask("YXNBEST 3");
        assert_eq!((request.lines, request.position.n_stones()), (3, 1));
        assert_eq!(brain.thought(&found(&[point(6, 6)], 1)), ["6,6"]);
    }
    assert!(matches!(&talk(&mut brain, &["TURN 6,6"])[..], [said] if said.starts_with("ERROR")));
    let board = brain.ask("TURN 8,8").position;
    assert_eq!(board.n_stones(), 3);
    assert_eq!(board.get(point(6, 6)), Some(Color::White));
    brain.thought(&found(&[point(0, 0)], 1));
    // Taken back, it was never there.
    brain.ask("YXNBEST 1");
    brain.thought(&found(&[point(1, 0)], 1));
    assert_eq!(talk(&mut brain, &["TAKEBACK 1,0", "TAKEBACK 1,0"])[0], "OK");
}

#[test]
fn unknown_commands_and_forgotten_ends_of_lists_cost_nothing_more() {
    let mut brain = brain();
    let said = talk(
        &mut brain,
        &[
            "START 15",
            "yxsetdatabase x",
            "7,7,1",
            "8,8",
            "DONE",
            "yxshowinfo",
            "DONE",
            "DONE",
            "BOARD",
            "7,7,2",
            "INFO timeout_turn 100",
            "",
            "START 15",
            "BEGIN",
            "YXBOARD",
            "7,7,3",
            "DONE",
            "yxblock",
            "1;1",
            "done",
            "yxdatabase",
            "hello",
            "yxstop",
            "ABOUT",
        ],
    );
    assert_eq!(
        said,
        [
            "OK",
            "UNKNOWN yxsetdatabase x",
            "UNKNOWN yxshowinfo",
            "UNKNOWN DONE: no list was begun",
            "ERROR BOARD was not ended by DONE",
            "OK",
            "0,0",
            "ERROR stone \"7,7,3\": walls (owner 3) are not supported",
            "ERROR \"1;1\" is not x,y or x,y,owner",
            "UNKNOWN yxdatabase",
            "UNKNOWN hello",
            "name=\"Outflank\"",
        ]
    );
}

#[test]
fn whatever_comes_and_whenever_nothing_is_lost() {
    let vocabulary = [
        "START 15",
        "START 6 6",
        "START 15 16",
        "RESTART",
        "BEGIN",
        "TURN 1,1",
        "TURN 2,1",
        "BOARD",
        "YXBOARD",
        "SWAP2BOARD",
        "YXBLOCK",
        "1,1,1",
        "1,2",
        "3,1,2",
        "DONE",
        "TAKEBACK 1,1",
        "PLAY 4,4",
        "INFO rule 1",
        "INFO rule 7",
        "INFO time_left 100",
        "INFO thread_num 2",
        "INFO pondering 1",
        "INFO pondering 0",
        "INFO max_memory 1000",
        "YXNBEST 2",
        "YXBALANCETWO",
        "YXSWAP2STEP1",
        "YXSWAP2STEP2",
        "YXSHOWFORBID",
        "YXHASHCLEAR",
        "YXSTOP",
        "yxwhat",
        "\u{0}é,",
        "",
        "ABOUT",
    ];
    for seed in 0..3_000 {
        let mut random = SplitMix64::new(seed);
        let mut brain = brain();
        let mut lines = vec!["START 15"];
        lines.extend((0..random.below(14)).map(|_| vocabulary[random.below(vocabulary.len())]));
        lines.push("DONE");
        lines.push("ABOUT");
        let mut said = Vec::new();
        for line in &lines {
            said.extend(brain.feed(line));
            if random.below(3) > 0 && brain.running.is_some() {
                let first = brain
                    .running
                    .as_ref()
                    .and_then(|request| request.position.empties().first());
                said.extend(brain.thought(&found(&[first.expect("an empty point")], 0)));
            }
        }
        let actions = brain.session.input_ended();
        brain.perform(actions);
        while let Some(request) = &brain.running {
            let first = request.position.empties().first().expect("an empty point");
            said.extend(brain.thought(&found(&[first], 0)));
        }
        said.append(&mut brain.said);
        let count = |text: &str| said.iter().filter(|line| line.as_str() == text).count();
        let asked = lines.iter().filter(|line| **line == "ABOUT").count();
        assert_eq!(count("name=\"Outflank\""), asked, "{lines:?}: {said:?}");
        assert_eq!(count("(quit)"), 1, "{lines:?}: {said:?}");
        assert_eq!(
            said.last().map(String::as_str),
            Some("(quit)"),
            "{lines:?}: {said:?}"
        );
    }
}
