//! Dialogues, line by line.

use super::*;
use outflank_gomoku::{Board, Color, Point, Rule};
use std::time::Duration;

fn brain() -> GomocupBrain {
    GomocupBrain::new("name=\"Outflank\"")
}

fn point(x: u8, y: u8) -> Point {
    Point::new(x, y).expect("on a board")
}

/// Feeds lines and returns what was said; thinking is answered with the first empty point.
fn talk(brain: &mut GomocupBrain, lines: &[&str]) -> Vec<String> {
    let mut said = Vec::new();
    let mut pending: Vec<Reaction> = Vec::new();
    for line in lines {
        pending.extend(brain.feed(line));
        while !pending.is_empty() {
            match pending.remove(0) {
                Reaction::Say(text) => said.push(text),
                Reaction::Think(thinking) => {
                    let first = thinking
                        .request
                        .position
                        .empties()
                        .first()
                        .expect("an empty point");
                    pending.extend(brain.thought(&[first], true));
                }
                Reaction::Quit => said.push("(quit)".to_owned()),
                Reaction::Stop => said.push("(stop)".to_owned()),
                Reaction::Forget => said.push("(forget)".to_owned()),
                Reaction::Memory(bytes) => said.push(format!("(memory {bytes})")),
                Reaction::Threads(threads) => said.push(format!("(threads {threads})")),
            }
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
        "(memory 350000000)",
        "(threads 2)",
        "(threads 256)",
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
            let reactions = brain.feed("BEGIN");
            let [Reaction::Think(thinking)] = &reactions[..] else {
                panic!("{key} {value}: {reactions:?}")
            };
            let limits = thinking.request.limits;
            assert!(limits.time.is_some_and(|time| time >= Duration::from_millis(1)));
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
fn commands_while_thinking_are_kept_and_end_acts_at_once() {
    let mut brain = brain();
    talk(&mut brain, &["START 15"]);
    let reactions = brain.feed("BEGIN");
    assert!(matches!(reactions[..], [Reaction::Think(_)]));
    assert!(brain.is_thinking());
    assert_eq!(brain.feed("INFO time_left -5"), []);
    assert_eq!(brain.feed("TURN 7,7"), []);
    assert_eq!(brain.feed("YXSTOP"), [Reaction::Stop]);
    let reactions = brain.thought(&[point(3, 3)], true);
    assert_eq!(reactions[0], Reaction::Say("3,3".to_owned()));
    let Reaction::Think(thinking) = &reactions[1] else {
        panic!("{reactions:?}")
    };
    assert_eq!(thinking.request.position.get(point(7, 7)), Some(Color::White));
    let clock = thinking.request.limits.clock.expect("the time that is left");
    assert_eq!(clock.remaining, Duration::ZERO, "a negative time is none");
    assert_eq!(brain.feed("END"), [Reaction::Stop, Reaction::Quit]);
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
        assert_eq!(brain.feed(line), []);
    }
    let reactions = brain.feed("DONE");
    let [Reaction::Think(thinking)] = &reactions[..] else {
        panic!("{reactions:?}")
    };
    assert_eq!(
        (thinking.wish, thinking.request.position.side()),
        (Wish::Swap2, Color::White)
    );
    assert_eq!(
        brain.thought(&[point(5, 5)], false),
        [Reaction::Say("SWAP".to_owned())]
    );
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

/// Returns the stones that a request to think is about, Black's first.
fn stones(reactions: &[Reaction]) -> (Wish, String) {
    let [Reaction::Think(thinking)] = reactions else {
        panic!("{reactions:?}")
    };
    let of = |color| {
        let mut points: Vec<String> = thinking
            .request
            .position
            .history()
            .iter()
            .filter(|(_, stone)| *stone == color)
            .map(|(point, _)| format!("{},{}", point.x(), point.y()))
            .collect();
        points.sort();
        points.join(" ")
    };
    assert_eq!(thinking.request.position.side(), Color::White);
    (
        thinking.wish,
        format!("{} / {}", of(Color::Black), of(Color::White)),
    )
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
            assert_eq!(brain.feed(line), [], "{lines:?}");
        }
        let found = stones(&brain.feed("DONE"));
        assert_eq!(found, (Wish::Swap2, expected.to_owned()), "{lines:?}");
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
    let found = stones(&brain.feed("yxswap2step2"));
    assert_eq!(found, (Wish::Swap2, "6,1 7,7 / 8,1".to_owned()));
    // The brain takes Black: the next stone is White's, and then it is to move as Black.
    assert_eq!(
        brain.thought(&[point(5, 5)], false),
        [Reaction::Say("SWAP".to_owned())]
    );
    let reactions = brain.feed("TURN 1,1");
    let [Reaction::Think(thinking)] = &reactions[..] else {
        panic!("{reactions:?}")
    };
    assert_eq!(thinking.request.position.side(), Color::Black);
    assert_eq!(thinking.request.position.get(point(1, 1)), Some(Color::White));
    assert_eq!(thinking.request.position.get(point(6, 1)), Some(Color::Black));
}

#[test]
fn the_answer_to_nbest_is_played_only_if_a_turn_follows() {
    let mut brain = brain();
    talk(&mut brain, &["START 15", "YXBOARD", "7,7,2", "DONE"]);
    for _ in 0..2 {
        let reactions = brain.feed("YXNBEST 3");
        let [Reaction::Think(thinking)] = &reactions[..] else {
            panic!("{reactions:?}")
        };
        assert_eq!(
            (thinking.wish, thinking.request.position.n_stones()),
            (Wish::NBest(3), 1)
        );
        assert_eq!(
            brain.thought(&[point(6, 6)], true),
            [Reaction::Say("6,6".to_owned())]
        );
    }
    assert!(matches!(&talk(&mut brain, &["TURN 6,6"])[..], [said] if said.starts_with("ERROR")));
    let reactions = brain.feed("TURN 8,8");
    let [Reaction::Think(thinking)] = &reactions[..] else {
        panic!("{reactions:?}")
    };
    assert_eq!(thinking.request.position.n_stones(), 3);
    assert_eq!(thinking.request.position.get(point(6, 6)), Some(Color::White));
    brain.thought(&[point(0, 0)], true);
    // Taken back, it was never there.
    brain.feed("YXNBEST 1");
    brain.thought(&[point(1, 0)], true);
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
