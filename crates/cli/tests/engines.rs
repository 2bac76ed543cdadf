//! The engine as other programs see it: whole games through pipes, commands while it thinks, and its end.

use outflank_arena::{Access, Competition, End, Form, GameRules, Registry, Store, openings};
use outflank_game::SplitMix64;
use outflank_othello::{Game, Move, Position, Square};
use outflank_search::StopToken;
use std::{
    io::{BufRead as _, BufReader, Write as _},
    num::NonZeroUsize,
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{Receiver, channel},
    thread,
    time::{Duration, Instant},
};

const BIN: &str = env!("CARGO_BIN_EXE_outflank");
/// What a busy machine may take for anything here; the promise for a quiet one is a tenth of a second.
const PATIENCE: Duration = Duration::from_mins(2);

/// A running engine.
struct Program {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Program {
    fn start(arguments: &str) -> Self {
        let mut child = Command::new(BIN)
            .args(arguments.split(' '))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let stdout = child.stdout.take().expect("piped");
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        let stdin = child.stdin.take();
        Self { child, stdin, lines }
    }

    fn say(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().expect("still open");
        writeln!(stdin, "{line}").expect("the program listens");
    }

    /// Returns the next line that begins with one of `starts`, and drops those before it.
    #[track_caller]
    fn hear(&mut self, starts: &[&str]) -> String {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let line = self
                .lines
                .recv_timeout(deadline.saturating_duration_since(Instant::now()))
                .unwrap_or_else(|_| panic!("nothing like {starts:?} was heard"));
            if starts.iter().any(|start| line.starts_with(start)) {
                return line;
            }
        }
    }

    /// Closes the input and returns how long the program takes to end.
    fn end(mut self) -> Duration {
        let start = Instant::now();
        self.stdin = None;
        while self.child.try_wait().expect("a child").is_none() {
            assert!(start.elapsed() < PATIENCE, "the program does not end");
            thread::sleep(Duration::from_millis(1));
        }
        start.elapsed()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _gone = self.child.kill();
        let _gone = self.child.wait();
    }
}

/// 20 games of `player` against random moves, both colors.
fn games(player: &str) -> Vec<Vec<String>> {
    let registry = Registry::with_access(Access::ALL);
    let competition = Competition {
        players: [player, "random"]
            .iter()
            .map(|text| registry.parse(text).expect("valid"))
            .collect(),
        form: Form::RoundRobin,
        games: 20,
        openings: openings::all_positions(&Position::start(), 4).expect("60"),
        rules: GameRules::default(),
        sprt: None,
        seed: 3,
    };
    let report = competition
        .run(
            &Store::Temporary,
            NonZeroUsize::MIN,
            &StopToken::new(),
            &|| 0.0,
            &mut |_| {},
        )
        .expect("played");
    report
        .games
        .iter()
        .map(|game| {
            assert_eq!(
                (game.end, game.illegal),
                (End::Board, [0, 0]),
                "{player}: {}",
                game.detail
            );
            game.moves.iter().map(|played| played.mv.clone()).collect()
        })
        .collect()
}

#[test]
fn the_same_moves_over_every_protocol_as_in_process() {
    let in_process = games("depth 3 --hash 1");
    let passes = in_process.iter().flatten().filter(|mv| *mv == "pass").count();
    assert!(passes > 0, "these games are to contain passes");
    for kind in ["gtp", "nboard", "ugi"] {
        assert_eq!(
            games(&format!("{kind}: '{BIN}' {kind} --depth 3 --hash 1")),
            in_process,
            "{kind}"
        );
    }
}

/// Plays 20 games against random moves, the engine being black in every other one; `answer` asks the engine for its
/// move, knowing the game so far.
fn play(mut answer: impl FnMut(usize, &Game) -> Move) {
    let mut random = SplitMix64::new(5);
    for number in 0..20 {
        let mut game = Game::new();
        let engine_side = number % 2;
        while game.result().is_none() {
            let moves = game.position().legal_moves();
            let mv = if game.position().side() as usize == engine_side {
                answer(number, &game)
            } else {
                moves[random.below(moves.len())]
            };
            game.play(mv)
                .unwrap_or_else(|error| panic!("game {number}: {error}"));
        }
    }
}

/// GTP: another command right after each request for a move waits for it, and is answered with its own number.
#[test]
fn gtp_plays_whole_games() {
    let mut program = Program::start("gtp --depth 3 --hash 1");
    let (mut current, mut sent, mut id) = (usize::MAX, 0, 0);
    play(|number, game| {
        if number != current {
            (current, sent) = (number, 0);
            program.say("clear_board");
            program.hear(&["="]);
        }
        let side = |at: usize| ["b", "w"][at % 2];
        for (at, mv) in game.moves().iter().enumerate().skip(sent) {
            program.say(&format!("play {} {mv}", side(at)));
            program.hear(&["="]);
        }
        id += 2;
        program.say(&format!("{id} genmove {}", side(game.moves().len())));
        program.say(&format!("{} gogui-rules_side_to_move", id + 1));
        let line = program.hear(&["=", "?"]);
        let answer = line
            .strip_prefix(&format!("={id} "))
            .expect("the move comes first");
        let line = program.hear(&["=", "?"]);
        assert!(line.starts_with(&format!("={} ", id + 1)), "{line}");
        sent = game.moves().len() + 1;
        answer.parse().expect("a move")
    });
    program.say("quit");
    program.hear(&["="]);
    program.end();
}

/// NBoard: a ping ends each hint and is answered; a line that means nothing does not disturb the move.
#[test]
fn nboard_plays_whole_games() {
    let mut program = Program::start("nboard --hash 1");
    program.say("nboard 2");
    program.hear(&["set myname"]);
    program.say("set depth 3");
    let mut ping = 0;
    play(|_, game| {
        let record = outflank_records::GameRecord::new(game.clone());
        program.say(&format!("set game {}", outflank_records::ggf::write(&record)));
        program.say("hint 2");
        ping += 1;
        program.say(&format!("ping {ping}"));
        program.hear(&["search "]);
        let line = program.hear(&["pong "]);
        assert_eq!(line, format!("pong {ping}"));
        program.say("go");
        program.say("what is this");
        let line = program.hear(&["=== "]);
        let name = line["=== ".len()..].split('/').next().expect("a move");
        name.parse().expect("a move")
    });
    program.say("quit");
    program.end();
}

/// UGI: questions while the engine thinks are answered, before the move or after it.
#[test]
fn ugi_plays_whole_games() {
    let mut program = Program::start("ugi --hash 1");
    program.say("ugi");
    program.hear(&["ugiok"]);
    play(|_, game| {
        let moves: Vec<String> = game.moves().iter().map(ToString::to_string).collect();
        program.say(&format!("position startpos moves {}", moves.join(" ")));
        program.say("go depth 3");
        program.say("isready");
        program.say("query p1turn");
        let mut wanted = vec!["readyok", "response ", "bestmove "];
        let mut answer = None;
        while !wanted.is_empty() {
            let line = program.hear(&wanted);
            wanted.retain(|start| !line.starts_with(start));
            if let Some(turn) = line.strip_prefix("response ") {
                assert_eq!(
                    turn,
                    (game.position().side() == outflank_othello::Color::Black).to_string()
                );
            }
            answer = line.strip_prefix("bestmove ").map(str::to_owned).or(answer);
        }
        answer.expect("a move").parse().expect("a move")
    });
    program.say("quit");
    program.end();
}

#[test]
fn cassio_plays_whole_games() {
    let mut program = Program::start("cassio --hash 1");
    program.say("ENGINE-PROTOCOL init");
    program.hear(&["ready."]);
    play(|_, game| {
        let board: String = game.position().to_string().split_whitespace().collect();
        program.say(&format!(
            "ENGINE-PROTOCOL midgame-search {board} -64.00 64.00 3 73"
        ));
        program.say("");
        let line = program.hear(&[&board[..64]]);
        program.hear(&["ready."]);
        let (_, rest) = line.split_once("move ").expect("a move");
        rest.split(',').next().expect("a move").parse().expect("a move")
    });
    program.say("ENGINE-PROTOCOL quit");
    program.hear(&["bye bye."]);
    program.end();
}

#[test]
fn xboard_plays_whole_games() {
    let mut program = Program::start("xboard --hash 1");
    for line in ["xboard", "protover 2"] {
        program.say(line);
    }
    program.hear(&["feature done=1"]);
    let mut current = usize::MAX;
    let mut sent = 0;
    let text = |mv: Move| {
        mv.square()
            .map_or_else(|| "@@@@".to_owned(), |square| format!("P@{square}"))
    };
    play(|number, game| {
        if number != current {
            (current, sent) = (number, 0);
            for line in ["new", "variant reversi", "sd 3", "ping 1"] {
                program.say(line);
            }
            program.hear(&["pong 1"]);
            if game.moves().is_empty() {
                program.say("go");
            }
        }
        for &mv in &game.moves()[sent..] {
            program.say(&text(mv));
        }
        // Said while the engine thinks, and answered after the move.
        program.say("ping 2");
        let line = program.hear(&["move "]);
        program.hear(&["pong 2"]);
        sent = game.moves().len() + 1;
        line["move ".len()..]
            .trim_start_matches("P@")
            .parse()
            .expect("a move")
    });
    program.say("quit");
    program.end();
}

#[test]
fn botzone_plays_whole_games() {
    for simple in [false, true] {
        let mut current = usize::MAX;
        let mut program = None;
        let mut random_passes = 0;
        play(|number, game| {
            let pair = |mv: Option<&Move>| match mv {
                Some(Move::Place(square)) => (square.column() as i64, square.row() as i64),
                _ => (-1, -1),
            };
            let (x, y) = pair(game.moves().last());
            random_passes += usize::from(game.moves().last() == Some(&Move::Pass));
            let fresh = number != current;
            current = number;
            if fresh {
                program = Some(Program::start("botzone --keep-running --depth 3 --hash 1"));
            }
            let program = program.as_mut().expect("started");
            match (simple, fresh) {
                (true, true) => program.say(&format!("1\n{x} {y}")),
                (true, false) => program.say(&format!("{x} {y}")),
                (false, true) => {
                    program.say(&format!(r#"{{"requests":[{{"x":{x},"y":{y}}}],"responses":[]}}"#));
                }
                (false, false) => program.say(&format!(r#"{{"x":{x},"y":{y}}}"#)),
            }
            // An empty line while the engine thinks means nothing.
            program.say("");
            let line = program.hear(&["{", "-", "0", "1", "2", "3", "4", "5", "6", "7"]);
            program.hear(&[">>>BOTZONE_REQUEST_KEEP_RUNNING<<<"]);
            let numbers: Vec<i64> = if simple {
                line.split(' ')
                    .map(|text| text.parse().expect("a number"))
                    .collect()
            } else {
                let value: serde_json::Value = serde_json::from_str(&line).expect("JSON");
                ["x", "y"]
                    .iter()
                    .map(|name| value["response"][name].as_i64().expect("a number"))
                    .collect()
            };
            match numbers[..] {
                [-1, -1] => Move::Pass,
                [x, y] => Square::from_coordinates(x as usize, y as usize)
                    .expect("on the board")
                    .into(),
                _ => panic!("{line}"),
            }
        });
        assert!(random_passes > 0, "these games are to contain passes");
    }
}

/// Commands while the engine thinks about something it cannot finish.
#[test]
fn a_thinking_engine_hears_everything() {
    let mut took = Vec::new();
    let mut timed = |name: &str, start: Instant| {
        took.push(format!("{name} {:.0} ms", start.elapsed().as_secs_f64() * 1e3));
    };

    let mut ugi = Program::start("ugi --hash 1");
    ugi.say("position startpos");
    ugi.say("go infinite");
    ugi.hear(&["info depth 5"]);
    let start = Instant::now();
    ugi.say("isready");
    ugi.hear(&["readyok"]);
    timed("isready", start);
    let start = Instant::now();
    ugi.say("stop");
    ugi.hear(&["bestmove"]);
    timed("stop", start);

    let mut nboard = Program::start("nboard --hash 1");
    for line in ["nboard 2", "set depth 60", "hint 1"] {
        nboard.say(line);
    }
    nboard.hear(&["search"]);
    let start = Instant::now();
    nboard.say("ping 7");
    nboard.hear(&["pong 7"]);
    timed("ping", start);
    nboard.say("go");
    nboard.hear(&["status Thinking"]);
    let start = Instant::now();
    nboard.say("quit");
    nboard.end();
    timed("quit", start);

    let mut gtp = Program::start("gtp --level 60 --hash 1");
    gtp.say("version");
    gtp.hear(&["= "]);
    gtp.say("genmove b");
    gtp.say("name");
    thread::sleep(Duration::from_millis(100));
    let start = Instant::now();
    drop(gtp.stdin.take());
    assert!(gtp.hear(&["= "]).len() == 4, "a move");
    assert_eq!(gtp.hear(&["= "]), "= Outflank");
    gtp.end();
    timed("end of input", start);

    let mut cassio = Program::start("cassio --hash 1");
    cassio.say(&format!(
        "ENGINE-PROTOCOL midgame-search {}OX------XO{}X -64 64 50 100",
        "-".repeat(27),
        "-".repeat(27)
    ));
    cassio.say("");
    cassio.hear(&["ok."]);
    let start = Instant::now();
    cassio.say("ENGINE-PROTOCOL stop");
    cassio.hear(&["ready."]);
    timed("Cassio's stop", start);

    let mut xboard = Program::start("xboard --hash 1 --depth 50");
    for line in ["new", "ping 1"] {
        xboard.say(line);
    }
    xboard.hear(&["pong 1"]);
    xboard.say("go");
    thread::sleep(Duration::from_millis(100));
    let start = Instant::now();
    xboard.say("?");
    xboard.hear(&["move P@"]);
    timed("move now", start);
    let start = Instant::now();
    xboard.say("ping 2");
    xboard.hear(&["pong 2"]);
    timed("xboard's ping", start);
    eprintln!("{}", took.join(", "));
}

/// The end of the input while the engine thinks about something it cannot finish, in every protocol.
#[test]
fn the_end_of_input_is_heard_while_thinking() {
    let board = format!("{}OX------XO{}X", "-".repeat(27), "-".repeat(27));
    let cassio = format!("ENGINE-PROTOCOL midgame-search {board} -64 64 50 100");
    let botzone = r#"{"requests":[{"x":-1,"y":-1}],"responses":[]}"#;
    let mut took = Vec::new();
    for (command, lines, answer) in [
        ("gtp --level 60", vec!["genmove b"], "= "),
        ("nboard", vec!["nboard 2", "set depth 60", "go"], "=== "),
        ("nboard", vec!["nboard 2", "set depth 60", "hint 2"], "status"),
        (
            "nboard",
            vec!["nboard 2", "set depth 60", "analyze"],
            "analysis 0",
        ),
        ("nboard", vec!["nboard 2", "set depth 60", "learn"], "learned"),
        ("ugi", vec!["position startpos", "go infinite"], "bestmove "),
        ("cassio", vec![cassio.as_str()], "ready."),
        ("xboard --depth 50", vec!["new", "go"], "move P@"),
        ("botzone --keep-running --depth 50", vec![botzone], "{"),
    ] {
        let mut program = Program::start(&format!("{command} --hash 1"));
        for line in lines {
            program.say(line);
        }
        // Time to start and to begin to think.
        thread::sleep(Duration::from_millis(500));
        let start = Instant::now();
        drop(program.stdin.take());
        // An infinite search of UGI that nobody stops has no answer to give.
        if command != "ugi" {
            program.hear(&[answer]);
        }
        program.end();
        let milliseconds = start.elapsed().as_secs_f64() * 1e3;
        took.push(format!(
            "{} {milliseconds:.0} ms",
            command.split(' ').next().expect("a name")
        ));
    }
    eprintln!("the end of input: {}", took.join(", "));
}

/// The moves of report 19 (docs/play.md): white to move has seven empties, and draws by b7.
const DRAWN: &str = "c4c3d3e3d2b4b3c5f3c2a5d1f4e2f1e1f5g1f6g4b6e6g6g3c6g5h5d6f7e7d8e8f8h7h6h4f2a6d7b5a4a3b1g2b2a1c1a2h1g7a7a8h8";

fn set_game(transcript: &str) -> String {
    let game = outflank_records::transcript::parse(transcript)
        .expect("moves")
        .value;
    format!(
        "set game {}",
        outflank_records::ggf::write(&outflank_records::GameRecord::new(game))
    )
}

/// What `contempt` and `learn` of NBoard do: a proven draw is worth what the GUI says, and a game that was learned is
/// remembered.
#[test]
fn contempt_and_learn_have_an_effect() {
    let mut program = Program::start("nboard --hash 1");
    for line in ["nboard 2", "set depth 10", &set_game(DRAWN)] {
        program.say(line);
    }
    for (contempt, value) in [("0", " +0.00 "), ("50", " -0.50 "), ("-100", " +1.00 ")] {
        program.say(&format!("set contempt {contempt}"));
        program.say("hint 1");
        let line = program.hear(&["search b7"]);
        assert!(
            line.contains(value) && line.ends_with("100%"),
            "{contempt}: {line}"
        );
        program.hear(&["status"]);
        program.say("go");
        let line = program.hear(&["==="]);
        assert!(
            line.starts_with(&format!("=== B7/{}/", value.trim())),
            "{contempt}: {line}"
        );
    }
    program.end();
    let nodes = |learn: bool| -> u64 {
        let mut program = Program::start("nboard --hash 8");
        for line in ["nboard 2", "set depth 9", &set_game("f5d6c3d3c4f4c5b3c2")] {
            program.say(line);
        }
        if learn {
            program.say("learn");
            program.hear(&["learned"]);
        }
        program.say("go");
        let stats = program.hear(&["nodestats"]);
        program.hear(&["==="]);
        program.end();
        stats.split(' ').nth(1).expect("nodes").parse().expect("a number")
    };
    let (new, learned) = (nodes(false), nodes(true));
    assert!(learned * 2 < new, "{learned} nodes after learning, {new} without");
}

/// Cassio's `feed-hash` has an effect: another order of moves, and so other nodes, at the same value.
#[test]
fn feed_hash_has_an_effect() {
    let answer = |line: &str| -> (u64, String) {
        let mut program = Program::start("cassio --hash 8");
        let board = format!("{}OX------XO{}X", "-".repeat(27), "-".repeat(27));
        if !line.is_empty() {
            program.say(&format!("ENGINE-PROTOCOL feed-hash {board} -64 64 10 73 {line}"));
            program.hear(&["ready."]);
        }
        program.say(&format!("ENGINE-PROTOCOL midgame-search {board} -64 64 9 100"));
        let line = program.hear(&["------"]);
        program.end();
        let nodes = line
            .split("node ")
            .nth(1)
            .and_then(|text| text.split(',').next())
            .expect("nodes");
        let value = line
            .split("<= v")
            .next()
            .and_then(|text| text.split("%, ").nth(1))
            .expect("a value");
        (nodes.parse().expect("a number"), value.to_owned())
    };
    let plain = answer("");
    let fed = ["f5d6c3d3c4", "f5f4e3", "f5f6e6"].map(answer);
    assert!(fed.iter().any(|other| other.0 != plain.0), "{plain:?} {fed:?}");
    assert!(
        fed.iter().all(|other| other.1 == plain.1),
        "full-width values do not change: {plain:?} {fed:?}"
    );
}

/// Writes `input` to a program and returns what it says until it ends.
fn answers(arguments: &str, input: &str) -> String {
    let mut child = Command::new(BIN)
        .args(arguments.split(' '))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("piped");
    stdin.write_all(input.as_bytes()).expect("the program listens");
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{arguments}: {}", output.status);
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn the_first_line_may_have_a_byte_order_mark_and_any_end() {
    for (protocol, lines, answer) in [
        ("gtp", ["NAME", "quit"], "= Outflank\n\n=\n\n"),
        ("nboard", ["Ping 3", "quit"], "pong 3\n"),
        ("ugi", ["IsReady", "quit"], "readyok\n"),
        (
            "cassio",
            ["ENGINE-PROTOCOL init", "ENGINE-PROTOCOL quit"],
            "ready.\nbye bye.\n",
        ),
        ("xboard", ["Ping 3", "quit"], "pong 3\n"),
        (
            "botzone --depth 1",
            [r#"{"requests":[{"x":0,"y":0}]}"#, ""],
            "{\"debug\":\"move 1 \\\"a1\\\": a1 flips nothing\",\"response\":{\"x\":-1,\"y\":-1}}\n",
        ),
        ("gomocup", ["Start 15", "End"], "OK\n"),
    ] {
        for end in ["\n", "\r\n", "\r"] {
            let hash = if protocol == "gomocup" { "" } else { " --hash 1" };
            let input = format!("\u{feff}{}{end}{}{end}", lines[0], lines[1]);
            assert_eq!(
                answers(&format!("{protocol}{hash}"), &input),
                answer,
                "{protocol} {end:?}"
            );
        }
    }
}
