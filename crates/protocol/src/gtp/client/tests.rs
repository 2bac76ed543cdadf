//! Conversations of the client with a program that answers from a table.

use super::*;
use outflank_othello::Square;
use std::time::Duration;

/// Sends what the client wants to say, answers each line by `program`, and returns the lines sent and the event.
fn talk(
    client: &mut GtpClient,
    game: &Game,
    mut program: impl FnMut(&str) -> String,
) -> (Vec<String>, Result<ClientEvent, ClientError>) {
    let mut sent = Vec::new();
    while let Some(line) = client.next_line() {
        let answer = program(&line);
        sent.push(line);
        for line in answer.split('\n') {
            match client.feed(line, game) {
                Ok(None) => {}
                Ok(Some(event)) => return (sent, Ok(event)),
                Err(error) => return (sent, Err(error)),
            }
        }
    }
    panic!("the client waits for nothing after {sent:?}");
}

fn polite(line: &str) -> String {
    match line {
        "name" => "= Polite\n".to_owned(),
        "list_commands" => "= play\ngenmove\nboardsize\ntime_settings\ntime_left\n".to_owned(),
        "genmove b" => "= c3\n".to_owned(),
        "genmove w" => "= D6\n".to_owned(),
        _ => "=\n".to_owned(),
    }
}

fn started(client: &mut GtpClient, game: &Game, control: TimeControl) -> Vec<String> {
    client.new_game(game, &control).expect("the usual start");
    let (sent, event) = talk(client, game, polite);
    assert_eq!(event, Ok(ClientEvent::Ready));
    sent
}

#[test]
fn a_game_is_set_up_and_only_new_moves_are_sent() {
    let mut client = GtpClient::new();
    let mut game = Game::new();
    let control = TimeControl::Clock {
        main: Duration::from_mins(1),
        increment: Duration::from_secs(1),
    };
    let sent = started(&mut client, &game, control);
    assert_eq!(
        sent,
        [
            "name",
            "list_commands",
            "boardsize 8",
            "clear_board",
            "time_settings 60 0 0"
        ]
    );
    assert_eq!(client.name(), Some("Polite"));
    game.place(Square::F5).expect("legal");
    let clock = TurnClock {
        control,
        black: Some(Duration::from_millis(59_900)),
        white: Some(Duration::from_mins(1)),
    };
    client.go(&game, &clock).expect("the usual start");
    let (sent, event) = talk(&mut client, &game, polite);
    assert_eq!(
        sent,
        ["play b f5", "time_left b 59 0", "time_left w 60 0", "genmove w"]
    );
    let Ok(ClientEvent::Move(answer)) = event else {
        panic!("{event:?}")
    };
    assert_eq!(
        (answer.text.as_str(), answer.mv),
        ("D6", Some(Move::Place(Square::D6)))
    );
    game.place(Square::D6).expect("legal");
    client.go(&game, &TurnClock::default()).expect("the usual start");
    let (sent, _) = talk(&mut client, &game, polite);
    assert_eq!(sent, ["genmove b"]);
    let sent = started(&mut client, &Game::new(), TimeControl::Unlimited);
    assert_eq!(sent, ["clear_board", "time_settings 0 1 0"]);
}

#[test]
fn an_illegal_move_makes_the_next_request_start_afresh() {
    let mut client = GtpClient::new();
    let game = Game::new();
    started(&mut client, &game, TimeControl::Unlimited);
    client.go(&game, &TurnClock::default()).expect("the usual start");
    let (_, event) = talk(&mut client, &game, |_| "= a1\n".to_owned());
    assert!(matches!(event, Ok(ClientEvent::Move(answer)) if answer.mv == Some(Move::Place(Square::A1))));
    client.go(&game, &TurnClock::default()).expect("the usual start");
    let (sent, event) = talk(&mut client, &game, |_| "= moo\n".to_owned());
    assert_eq!(sent, ["clear_board", "genmove b"]);
    assert!(matches!(event, Ok(ClientEvent::Move(answer)) if answer.mv.is_none() && answer.text == "moo"));
}

#[test]
fn refusals_count_where_they_matter() {
    let mut client = GtpClient::new();
    let game = Game::new();
    client
        .new_game(&game, &TimeControl::Unlimited)
        .expect("the usual start");
    let (_, event) = talk(&mut client, &game, |line| match line {
        "clear_board" => "? cannot\n".to_owned(),
        _ => "? unknown command\n".to_owned(),
    });
    let refused = ClientError::Refused {
        command: "clear_board".to_owned(),
        message: "cannot".to_owned(),
    };
    assert_eq!(event, Err(refused));

    // The game of Ega#67: white must pass after 43 moves. A program that has counted the pass itself refuses it.
    let mut game = Game::new();
    let moves = "f5d6c3d3c4f4f6f3e3b4c5c6e6e2e7d2f1d7a3a4b3g6a5a2a1f2g5f7b2c2b5e1b1g1c1h4g3b6d1h2h1g2h3";
    for at in (0..moves.len()).step_by(2) {
        game.place(moves[at..at + 2].parse().expect("a square"))
            .expect("legal");
    }
    game.play(Move::Pass).expect("white must pass");
    let mut client = GtpClient::new();
    client
        .new_game(&game, &TimeControl::Unlimited)
        .expect("the usual start");
    let (sent, event) = talk(&mut client, &game, |line| match line {
        "play w pass" => "? illegal move\n".to_owned(),
        _ => "=\n".to_owned(),
    });
    assert_eq!(event, Ok(ClientEvent::Ready));
    assert_eq!(sent.last().map(String::as_str), Some("play w pass"));
}

#[test]
fn nonsense_is_reported_and_banners_are_not() {
    let mut client = GtpClient::new();
    let game = Game::new();
    assert_eq!(client.feed("Welcome to Program 1.0", &game), Ok(None));
    started(&mut client, &game, TimeControl::Unlimited);
    client.go(&game, &TurnClock::default()).expect("the usual start");
    assert_eq!(client.stray_line(), None);
    client.next_line();
    assert_eq!(client.feed("thinking…", &game), Ok(None));
    assert_eq!(client.stray_line(), Some("thinking…"));
    let error = (0..200).find_map(|_| client.feed("blah", &game).err());
    assert_eq!(error, Some(ClientError::Garbage("thinking…".to_owned())));
}

#[test]
fn odd_framing_is_understood() {
    let mut client = GtpClient::new();
    let game = Game::new();
    started(&mut client, &game, TimeControl::PerMove(Duration::from_secs(3)));
    for (answer, resigned, text) in [
        ("=7 f5\n", false, "f5"),
        ("=\nf5\n", false, "f5"),
        ("= ReSign\r\n\r", true, ""),
    ] {
        client.go(&game, &TurnClock::default()).expect("the usual start");
        let (_, event) = talk(&mut client, &game, |line| {
            if line.starts_with("genmove") {
                answer.to_owned()
            } else {
                "=\n".to_owned()
            }
        });
        match event {
            Ok(ClientEvent::Resigned) => assert!(resigned),
            Ok(ClientEvent::Move(found)) => assert_eq!((found.text.as_str(), resigned), (text, false)),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn other_starts_are_refused_and_quit_interrupts() {
    let mut client = GtpClient::new();
    let game = Game::from_position(
        "-".repeat(63)
            .chars()
            .chain("X X".chars())
            .collect::<String>()
            .parse()
            .expect("a position"),
    );
    assert_eq!(
        client.new_game(&game, &TimeControl::Unlimited),
        Err(ClientError::StartPosition)
    );
    let mut client = GtpClient::new();
    client
        .new_game(&Game::new(), &TimeControl::Unlimited)
        .expect("the usual start");
    assert_eq!(client.next_line().as_deref(), Some("name"));
    assert_eq!(client.next_line(), None);
    client.quit();
    assert_eq!(client.next_line().as_deref(), Some("quit"));
}

#[test]
fn a_time_that_whole_seconds_cannot_say_is_refused() {
    let per_move = |millis| TimeControl::PerMove(Duration::from_millis(millis));
    let clock = |millis, increment| TimeControl::Clock {
        main: Duration::from_millis(millis),
        increment: Duration::from_millis(increment),
    };
    for (control, settings) in [
        (per_move(1000), "time_settings 0 1 1"),
        (per_move(90_000), "time_settings 0 90 1"),
        (clock(1000, 0), "time_settings 1 0 0"),
        // The program is told less than it has, never more.
        (clock(59_900, 500), "time_settings 59 0 0"),
        (TimeControl::Unlimited, "time_settings 0 1 0"),
    ] {
        let sent = started(&mut GtpClient::new(), &Game::new(), control);
        assert_eq!(sent.last().map(String::as_str), Some(settings));
    }
    for (control, what) in [
        (per_move(100), "0.1 s a move"),
        (per_move(1500), "1.5 s a move"),
        (per_move(0), "0 s a move"),
        (clock(900, 100), "0.9 s for a game"),
    ] {
        let refusal = ClientError::Time(what.to_owned());
        assert!(refusal.is_unsupported());
        let mut client = GtpClient::new();
        client.new_game(&Game::new(), &control).expect("not asked yet");
        let (sent, event) = talk(&mut client, &Game::new(), polite);
        assert_eq!(event, Err(refusal.clone()));
        assert_eq!(sent, ["name", "list_commands"]);
        assert_eq!(client.new_game(&Game::new(), &control), Err(refusal));
        // A program that hears of no time has a limit of its own.
        let mut client = GtpClient::new();
        client.new_game(&Game::new(), &control).expect("not asked yet");
        let (sent, event) = talk(&mut client, &Game::new(), |line| match line {
            "list_commands" => "= play\ngenmove\n".to_owned(),
            _ => "=\n".to_owned(),
        });
        assert_eq!(event, Ok(ClientEvent::Ready));
        assert_eq!(sent, ["name", "list_commands", "clear_board"]);
    }
    assert!(!ClientError::NoMove.is_unsupported());
}
