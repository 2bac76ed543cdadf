//! The commands of Gomoku, as a user calls them.

use assert_cmd::Command;
use std::{
    io::{BufRead as _, BufReader, Write as _},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Stdio},
    time::{Duration, Instant},
};

fn outflank(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("outflank").expect("the binary is built");
    command.args(args);
    command
}

fn text(command: &mut Command) -> String {
    let output = command.output().expect("the program runs");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn a_win_is_solved_and_verified() {
    // Three blacks in a row, both ends open, Black to move.
    let line = text(&mut outflank(&[
        "solve",
        "--game",
        "gomoku",
        "h8h10i8i10j8a1",
        "--json",
    ]));
    let value: serde_json::Value = serde_json::from_str(&line).expect("JSON");
    assert_eq!(value["kind"], "vcf");
    assert_eq!(value["verified"], true);
    let none = text(&mut outflank(&[
        "solve",
        "--game=gomoku",
        "h8h9",
        "--vcf",
        "--json",
    ]));
    assert!(none.contains("\"kind\":\"none\""), "{none}");
}

#[test]
fn positions_are_shown_and_analyzed() {
    let shown = text(&mut outflank(&[
        "show", "--game", "gomoku", "--rule", "renju", "h8i9", "--json",
    ]));
    assert!(shown.contains("\"history\":\"h8i9\"") && shown.contains("\"rule\":\"renju\""));
    let analyzed = text(&mut outflank(&[
        "analyze", "--game", "gomoku", "h8i9j10", "--depth", "2", "--top", "2", "--json",
    ]));
    let value: serde_json::Value = serde_json::from_str(&analyzed).expect("JSON");
    assert_eq!(value["lines"].as_array().map(Vec::len), Some(2));
    for bad in [
        &["show", "--game", "gomoku", "h8h8"][..],
        &["solve", "--game", "gomoku", "z99"],
    ] {
        assert_eq!(
            outflank(bad).output().expect("the program runs").status.code(),
            Some(2)
        );
    }
}

#[test]
fn the_brain_answers_and_ends() {
    let script = "START 15\r\nINFO timeout_turn 100\r\nBOARD\r\n7,7,2\r\nDONE\r\nTURN 0,0\r\nABOUT\r\nHELLO\r\nEND\r\n";
    let start = Instant::now();
    let said = text(outflank(&["gomocup"]).write_stdin(script));
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines[0], "OK");
    assert!(start.elapsed().as_secs() < 30);
    assert!(!lines.iter().any(|line| line.starts_with("ERROR")), "{said}");
}

#[test]
fn swap2_with_a_stone_in_row_1_is_answered() {
    for (stones, n_answers) in [("7,7\n8,8\n6,1\n", 1), ("1,1\n0,1\n2,1\n7,1\n8,1\n", 1), ("", 3)] {
        let said = text(
            outflank(&["gomocup", "--no-book"])
                .write_stdin(format!("START 15\nSWAP2BOARD\n{stones}DONE\nEND\n")),
        );
        let (ok, answer) = said.trim_end().split_once('\n').expect("two lines");
        let points = answer.split(' ').filter(|point| point.contains(',')).count();
        assert!(
            ok == "OK" && (answer == "SWAP" || points == n_answers),
            "{stones:?}: {said}"
        );
    }
}

#[test]
fn matches_are_played_to_the_end() {
    let report = text(&mut outflank(&[
        "match",
        "--game",
        "gomoku",
        "nodes 200",
        "nodes 200",
        "--games",
        "2",
        "--json",
    ]));
    let last: serde_json::Value = serde_json::from_str(report.lines().last().expect("a line")).expect("JSON");
    assert_eq!(last["summary"]["games"], 2);
    assert_eq!(last["summary"]["forfeits"], serde_json::json!([0, 0]));
}

/// A brain behind pipes.
struct Brain {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
}

impl Brain {
    fn start(program: &Path, args: &[&str]) -> Self {
        let mut child = std::process::Command::new(program)
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let stdin = child.stdin.take();
        let stdout = BufReader::new(child.stdout.take().expect("piped"));
        Self { child, stdin, stdout }
    }

    fn gomocup() -> Self {
        // Without a book, so that it thinks.
        Self::start(
            Path::new(env!("CARGO_BIN_EXE_outflank")),
            &["gomocup", "--no-book"],
        )
    }

    fn say(&mut self, lines: &str) {
        let stdin = self.stdin.as_mut().expect("open");
        stdin.write_all(lines.as_bytes()).expect("the program listens");
        stdin.flush().expect("the program listens");
    }

    fn hear(&mut self) -> String {
        let mut line = String::new();
        self.stdout.read_line(&mut line).expect("the program speaks");
        line.trim_end().to_owned()
    }

    /// Returns how long the program takes to end.
    fn end(mut self) -> Duration {
        let start = Instant::now();
        while self.child.try_wait().expect("a child").is_none() {
            assert!(start.elapsed().as_secs() < 20, "the program does not end");
            std::thread::sleep(Duration::from_millis(5));
        }
        start.elapsed()
    }
}

/// Far less than the thinking time, and far more than the milliseconds that an answer takes where nothing else runs.
const PROMPT: Duration = Duration::from_secs(10);

/// A position in which the engine thinks as long as it is let.
const LONG: &str =
    "START 15\nINFO timeout_turn 600000\nINFO timeout_match 0\nBOARD\n7,7,2\n8,8,1\n6,9,2\nDONE\n";

#[test]
fn a_brain_that_thinks_ends_when_its_input_ends() {
    for last in ["END\n", ""] {
        let mut brain = Brain::gomocup();
        brain.say(LONG);
        assert_eq!(brain.hear(), "OK");
        std::thread::sleep(Duration::from_millis(200));
        brain.say(last);
        drop(brain.stdin.take());
        let took = brain.end();
        assert!(took < PROMPT, "{last:?}: {took:?}");
    }
}

#[test]
fn commands_while_thinking_are_heard() {
    let mut brain = Brain::gomocup();
    brain.say(LONG);
    assert_eq!(brain.hear(), "OK");
    std::thread::sleep(Duration::from_millis(100));
    // Kept: the turn and ABOUT. At once: INFO (an unknown rule is refused) and the stop.
    brain.say("INFO rule 77\r\nINFO rule 0\r\nTURN 0,0\r\nABOUT\r\n");
    assert!(brain.hear().starts_with("ERROR unsupported rule 77"));
    let start = Instant::now();
    brain.say("YXSTOP\r\n");
    let mv = brain.hear();
    assert!(mv.contains(',') && start.elapsed() < PROMPT, "{mv}");
    std::thread::sleep(Duration::from_millis(100));
    brain.say("STOP\r\n");
    assert!(brain.hear().contains(','), "the turn that came early is answered");
    assert!(brain.hear().starts_with("name=\"Outflank\""));
    brain.say("END\r\n");
    assert!(brain.end() < PROMPT);
}

#[test]
fn a_file_called_pbrain_speaks_the_protocol_without_arguments() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let program = folder.path().join("pbrain-outflank.exe");
    let own = env!("CARGO_BIN_EXE_outflank");
    if std::fs::hard_link(own, &program).is_err() {
        std::fs::copy(own, &program).expect("a copy");
    }
    let mut brain = Brain::start(&program, &[]);
    // Lines may end in CR alone, too.
    brain.say("START 20\rINFO timeout_turn 100\rBEGIN\r\n");
    assert_eq!(brain.hear(), "OK");
    assert_eq!(brain.hear(), "10,10");
    brain.say("END\n");
    assert!(brain.end() < PROMPT);
}

#[cfg(target_os = "linux")]
#[test]
fn the_memory_limit_of_the_manager_is_kept() {
    let mut brain = Brain::gomocup();
    let limit = 90_000_000;
    brain.say(&format!(
        "START 15\nINFO rule 4\nINFO max_memory {limit}\nINFO timeout_turn 400\nBOARD\n7,7,2\n8,8,1\n6,9,2\nDONE\n"
    ));
    assert_eq!(brain.hear(), "OK");
    assert!(brain.hear().contains(','));
    let status = std::fs::read_to_string(format!("/proc/{}/status", brain.child.id())).expect("a process");
    let peak = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .and_then(|text| text.trim().trim_end_matches("kB").trim().parse::<u64>().ok())
        .expect("a size")
        * 1024;
    assert!(peak < limit, "{peak} bytes");
    brain.say("END\n");
    brain.end();
}

#[test]
fn yixin_extensions_are_answered() {
    let mut brain = Brain::gomocup();
    brain.say(
        "START 15\nINFO rule 4\nINFO max_node 3000\nINFO show_detail 1\nINFO caution_factor 2\nINFO thread_num 2\n\
         YXBOARD\n7,7,1\n8,7,1\n7,8,1\n7,6,2\n0,0,2\n0,14,2\nDONE\nYXSHOWFORBID\nYXNBEST 3\n",
    );
    assert_eq!(brain.hear(), "OK");
    assert!(brain.hear().starts_with("FORBID "));
    let mut messages = Vec::new();
    let mv = loop {
        let line = brain.hear();
        if !line.starts_with("MESSAGE") {
            break line;
        }
        messages.push(line);
    };
    assert!(mv.contains(',') && messages.len() >= 3, "{mv} {messages:?}");
    brain.say("START 15\nYXBALANCETWO\nEND\n");
    drop(brain.stdin.take());
    assert!(brain.end() < Duration::from_secs(5));
}

#[test]
fn a_game_is_played_line_by_line() {
    let said = text(
        outflank(&["play", "--game", "gomoku", "--time", "0.05"])
            .write_stdin("h8\nh8\nz9\nhint\nundo\nmoves\n"),
    );
    assert!(said.contains("h8 is occupied"), "{said}");
    assert!(said.contains("is not a point"), "{said}");
    let over = text(
        outflank(&["play", "--game", "gomoku", "--color", "both", "h8a1i8b1j8c1k8d1"]).write_stdin("l8\n"),
    );
    assert!(over.ends_with("the game is over, result: black\n"), "{over}");
    let forbidden = text(
        outflank(&[
            "play",
            "--game",
            "gomoku",
            "--rule",
            "renju",
            "--color",
            "both",
            "h7a1i7a3h8a5g8a7j8a9",
        ])
        .write_stdin("o15\n"),
    );
    assert!(forbidden.contains('O'), "{forbidden}");
}

#[test]
fn people_play_against_levels_that_err_and_save_what_was_played() {
    let play = |level: &str, seed: &str| {
        let args = [
            "play", "--game", "gomoku", "--size", "9", "--color", "none", "--level", level, "--seed", seed,
        ];
        text(&mut outflank(&args))
    };
    let first = play("beginner", "5");
    assert!(first.contains("the game is over, result: "), "{first}");
    assert!(
        first.starts_with("the engine plays itself, human-2 (beginner)\n"),
        "{first}"
    );
    assert_eq!(
        first,
        play("human-2", "5"),
        "a name and a number are the same level"
    );
    assert_ne!(first, play("human-2", "6"));
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("game.psq").display().to_string();
    let args = ["play", "--game", "gomoku", "--color", "both", "--save", &path];
    let said = text(outflank(&args).write_stdin("h8\ni9\nhint 2\nundo\nredo\nredo\ngraph\nmoves\npass\n"));
    for part in [
        "hint ",
        "1 move taken back",
        "1 move played again",
        "nothing to play again",
        "moves: h8 i9",
    ] {
        assert!(said.contains(part), "{part:?} is missing:\n{said}");
    }
    assert!(
        said.contains("? nobody passes in Gomoku") && said.ends_with(&format!("saved to {path}\n")),
        "{said}"
    );
    let saved = std::fs::read_to_string(&path).expect("saved");
    assert_eq!(saved, "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,7,0\n-1\n");
    let load = [
        "play", "--game", "gomoku", "--color", "both", "--load", &path, "--save", &path,
    ];
    text(outflank(&load).write_stdin("j10\n"));
    assert!(std::fs::read_to_string(&path).expect("saved").contains("10,6,0"));
    let bad = outflank(&["play", "--game", "gomoku", "--save", "game.ggf"])
        .output()
        .expect("it runs");
    assert_eq!(bad.status.code(), Some(2), "{bad:?}");
}

#[test]
fn forbidden_points_are_refused_with_their_reason() {
    for (moves, point, reason) in [
        ("h9a1h10c1i8e1j8g1", "h8", "a double three"),
        ("e8a1f8c1g8a3h5o1h6o3h7o5", "h8", "a double four"),
        ("e8a1f8c1g8a3i8o1j8o3", "h8", "an overline, six or more in a row"),
    ] {
        let args = [
            "play", "--game", "gomoku", "--rule", "renju", "--color", "both", moves,
        ];
        let said = text(outflank(&args).write_stdin(format!("{point}\nmoves\n")));
        assert!(
            said.contains(&format!(
                "? {point} is forbidden for black: {reason}; choose another point"
            )),
            "{said}"
        );
        assert!(said.contains("forbidden for black (!): "), "{said}");
    }
}

#[test]
fn levels_are_listed_and_play_matches() {
    let listed = text(&mut outflank(&["levels", "--game", "gomoku"]));
    assert!(
        listed.contains("human-3  casual") && listed.contains("141"),
        "{listed}"
    );
    let lines = text(&mut outflank(&["--game", "gomoku", "levels", "--json"]));
    let objects: Vec<serde_json::Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(objects.len(), 68);
    assert_eq!(
        (&objects[0]["human"], &objects[0]["name"]),
        (&1.into(), &"first game".into())
    );
    assert_eq!(
        (&objects[8]["level"], &objects[8]["nodes"]),
        (&1.into(), &141.into())
    );
    let play = |seed: &str| {
        let weak = format!("level human-1 --seed {seed}");
        let args = [
            "match",
            "--game",
            "gomoku",
            &weak,
            "level human-6",
            "--games",
            "4",
            "--json",
        ];
        text(&mut outflank(&args))
    };
    let moves = |report: &str| -> Vec<String> {
        let games = report.lines().filter_map(|line| {
            let object: serde_json::Value = serde_json::from_str(line).ok()?;
            let moves = object["moves"].as_array()?.iter();
            Some(moves.map(|mv| mv["move"].to_string()).collect())
        });
        games.collect()
    };
    let (one, two) = (moves(&play("1")), moves(&play("2")));
    assert_eq!(one.len(), 4);
    assert_eq!(one, moves(&play("1")));
    assert_ne!(one, two);
}

#[test]
fn a_book_is_built_resumed_and_asked() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("openings.txt");
    let path = path.to_str().expect("UTF-8");
    let build = |more: &[&str]| {
        let args = [
            "book", "--game", "gomoku", "build", path, "--stones", "2", "--nodes", "300", "--top", "2",
        ];
        outflank(&[&args[..], more].concat())
    };
    let first = text(&mut build(&["--json"]));
    let last: serde_json::Value = serde_json::from_str(first.lines().last().expect("a line")).expect("JSON");
    assert_eq!(last["summary"]["searched"], last["summary"]["shapes"]);
    let whole = std::fs::read_to_string(path).expect("a file");
    // A build that was killed: the file lacks some shapes.
    let part: Vec<&str> = whole.lines().step_by(2).collect();
    std::fs::write(path, part.join("\n")).expect("written");
    assert_eq!(
        build(&[]).output().expect("runs").status.code(),
        Some(2),
        "not without --resume"
    );
    let other = build(&["--resume", "--seed", "9"]).output().expect("runs");
    assert_eq!(other.status.code(), Some(2), "not with other options");
    text(&mut build(&["--resume"]));
    assert_eq!(std::fs::read_to_string(path).expect("a file"), whole);
    let ask = |moves: &str| {
        let said = text(&mut outflank(&[
            "book", "--game", "gomoku", "query", moves, "--book", path, "--json",
        ]));
        serde_json::from_str::<serde_json::Value>(&said).expect("JSON")
    };
    let (here, there) = (ask("h8i8"), ask("g9g10"));
    assert_eq!(here["known"], true);
    assert_eq!(
        here["replies"].as_array().map(Vec::len),
        there["replies"].as_array().map(Vec::len)
    );
    assert_eq!(ask("b8c8")["known"], false);
    let shown = text(&mut outflank(&[
        "book", "--game", "gomoku", "show", path, "--stones", "1",
    ]));
    assert!(
        shown.contains("freestyle, 1 stones: 1") && shown.contains("freestyle O 5,5,5,5 0,0X > "),
        "{shown}"
    );
}

#[test]
fn the_game_stands_before_or_after_the_command_and_in_every_help_page() {
    for command in [
        "show", "analyze", "solve", "review", "play", "match", "bench", "book",
    ] {
        let help = text(&mut outflank(&[command, "--help"]));
        assert!(help.contains("--game <GAME>"), "{command}: {help}");
    }
    assert!(text(&mut outflank(&["--help"])).contains("--game <GAME>"));
    let after = text(&mut outflank(&["show", "h8i9", "--game", "gomoku", "--json"]));
    for arguments in [
        &["--game", "gomoku", "show", "h8i9", "--json"][..],
        &["--game=gomoku", "show", "--json", "h8i9"],
        &["show", "--game", "gomoku", "h8", "i9", "--json"],
        &["--game", "gomoku", "show", "--game", "gomoku", "h8i9", "--json"],
    ] {
        assert_eq!(text(&mut outflank(arguments)), after, "{arguments:?}");
    }
    text(&mut outflank(&["--game", "othello", "show", "f5"]));
    text(&mut outflank(&["--game", "gomoku", "solve", "h8a1i8a3j8a5"]));
    text(&mut outflank(&[
        "--game", "gomoku", "match", "nodes 50", "nodes 50", "--games", "2",
    ]));
    for (arguments, complaint) in [
        (&["--game", "gomoku", "gtp"][..], "for Othello only"),
        (
            &["--game", "gomoku", "convert", "--to", "ggf", "f5"],
            "for Othello only",
        ),
        (
            &["--game", "gomoku", "show", "--game", "othello", "f5"],
            "given twice",
        ),
        (&["--game", "chess", "show"], "invalid value"),
        (&["show", "f5", "--rule", "renju"], "add --game gomoku"),
        (
            &["analyze", "--game", "gomoku", "h8", "--exact"],
            "--exact is not there for Gomoku",
        ),
        (&["solve", "f5", "--vcf"], "--vcf is not there for Othello"),
        (
            &["--game", "othello", "book", "query", "h8"],
            "opening tables belong to Gomoku",
        ),
    ] {
        let output = outflank(arguments).output().expect("it runs");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(error.contains(complaint), "{arguments:?}: {error}");
    }
}

fn objects(text: &str) -> Vec<serde_json::Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

#[test]
fn an_analysis_says_what_is_proved_and_threatened() {
    // Three blacks in a row, both ends open: Black wins, and if White were to move, Black would threaten to.
    let won = ["analyze", "--game", "gomoku", "h8h10i8i10j8a1", "--nodes", "2000"];
    let said = text(&mut outflank(&won));
    assert!(said.contains("100.0 %    +M3  "), "{said}");
    assert!(said.contains("proved: black wins within 3 stones: "), "{said}");
    assert!(said.contains("checked against every answer"), "{said}");
    let found = &objects(&text(&mut outflank(&[&won[..], &["--json"]].concat())))[0];
    assert_eq!(
        (&found["kind"], &found["proof"]["stones"]),
        (&"win".into(), &3.into())
    );
    let threatened = ["analyze", "--game", "gomoku", "h8h10i8i10j8", "--nodes", "2000"];
    let said = text(&mut outflank(&threatened));
    assert!(said.contains("black threatens a win within 3 stones: "), "{said}");
    let found = &objects(&text(&mut outflank(&[&threatened[..], &["--json"]].concat())))[0];
    assert_eq!(found["threat"]["line"].as_array().map(Vec::len), Some(3));
    // A quiet position has its value in both units.
    let found = &objects(&text(&mut outflank(&[
        "analyze", "--game", "gomoku", "h8", "--nodes", "500", "--json",
    ])))[0];
    let chance = found["value"].as_f64().expect("a number") / 100.0;
    let units = found["units"].as_f64().expect("a number");
    assert!(
        ((chance / (1.0 - chance)).ln() * 500.0 - units).abs() < 2.0,
        "{found}"
    );
    assert!(found["threat"].is_null() && found["proof"].is_null(), "{found}");
}

/// Black's four is not blocked, and he makes five.
const UNBLOCKED: &str = "h8g8i8g7j8g9k8o1l8";

#[test]
fn a_game_is_reviewed_in_80_columns() {
    let said = text(&mut outflank(&[
        "review",
        "--game",
        "gomoku",
        UNBLOCKED,
        "--level",
        "6",
        "--threads",
        "2",
    ]));
    for part in [
        "Game 1\nfreestyle, 15x15, 9 moves\nResult: black has five in a row\n",
        "  8 O o1   ?",
        "did not stop the five with 1 stone: l8",
        "black ",
        "white ",
        "?! from 10 points lost, ? from 20, ?? from 40",
        "Black's chance after each move:\n 100 ",
    ] {
        assert!(said.contains(part), "{part:?} is missing in\n{said}");
    }
    assert!(said.lines().all(|line| line.chars().count() <= 80), "{said}");
    // The same from standard input, by one thread, with the game named before.
    let again = text(
        outflank(&[
            "--game",
            "gomoku",
            "review",
            "-",
            "--level",
            "6",
            "--threads",
            "1",
        ])
        .write_stdin(UNBLOCKED),
    );
    assert_eq!(again, said);
}

#[test]
fn a_review_is_read_from_every_notation_and_written_as_json() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("written");
        path.display().to_string()
    };
    // Rows of psq count from the top, of SGF too.
    let psq = write(
        "game.psq",
        "Piskvorky 15x15, 11:11, 0\n8,8,0\n7,8,0\n9,8,0\n7,9,0\n10,8,0\n7,7,0\n11,8,0\n15,15,0\n12,8,0\n-1\n",
    );
    let sgf = write(
        "game.sgf",
        "(;GM[4]FF[4]SZ[15];B[hh];W[gh];B[ih];W[gi];B[jh];W[gg];B[kh];W[oo];B[lh])",
    );
    let spaced = "1. h8 g8 2. i8 g7 3. j8 g9 4. k8 o1 5. l8";
    let picture = folder.path().join("graph.svg").display().to_string();
    let base = ["review", "--game", "gomoku", "--level", "4", "--json"];
    let plain = text(&mut outflank(
        &[&base[..], &[UNBLOCKED, "--svg", &picture]].concat(),
    ));
    for other in [&psq, &sgf, spaced] {
        assert_eq!(
            text(&mut outflank(&[&base[..], &[other]].concat())),
            plain,
            "{other}"
        );
    }
    let shown = std::fs::read_to_string(&picture).expect("a graph");
    assert!(
        shown.starts_with("<svg ") && shown.contains("chance to win in percent"),
        "{shown}"
    );
    let lines = objects(&plain);
    let (summary, moves) = lines.split_last().expect("a summary");
    let summary = &summary["summary"];
    assert_eq!((moves.len(), &summary["history"]), (9, &UNBLOCKED.into()));
    assert_eq!(
        (&summary["result"], &summary["complete"]),
        (&"black".into(), &true.into())
    );
    assert_eq!(summary["chances"].as_array().map(Vec::len), Some(10));
    let mut lost = [0.0, 0.0];
    for (at, object) in moves.iter().enumerate() {
        assert_eq!(object["number"], at + 1);
        let number = |name: &str| object[name].as_f64().expect("a number");
        let loss = number("loss");
        assert!(
            (number("before") - number("after") - loss).abs() < 0.02 || loss == 0.0,
            "{object}"
        );
        let mark = match loss {
            loss if loss >= 40.0 => "??",
            loss if loss >= 20.0 => "?",
            loss if loss >= 10.0 => "?!",
            _ => "",
        };
        assert_eq!(object["mark"], mark, "{object}");
        lost[usize::from(object["side"] == "O")] += loss;
    }
    assert_eq!(
        moves[7]["allowed"],
        serde_json::json!({"stones": 1, "line": ["l8"], "proof_moves": 1})
    );
    for (player, lost) in ["black", "white"].iter().zip(lost) {
        let of = &summary[player];
        let total = of["mean_loss"].as_f64().expect("a number") * of["moves"].as_f64().expect("a number");
        assert!((total - lost).abs() < 0.2, "{player}: {total} and {lost}");
    }
    assert_eq!(summary["white"]["allowed"].as_u64(), Some(1));
    // Renju's forbidden point, on a board of another size.
    let forbidden = text(&mut outflank(&[
        "review",
        "--game",
        "gomoku",
        "--rule",
        "renju",
        "--size",
        "17",
        "--level",
        "4",
        "--json",
        "h9a1h10o1i8a15j8o15h8",
    ]));
    let lines = objects(&forbidden);
    assert_eq!(
        (&lines[8]["forbidden"], &lines[8]["after_kind"]),
        (&true.into(), &"loss".into())
    );
    assert_eq!(
        (&lines[9]["summary"]["result"], &lines[9]["summary"]["size"]),
        (&"white".into(), &17.into())
    );
}

#[test]
fn what_cannot_be_reviewed_is_named_and_the_rest_is_judged() {
    let review = |more: &[&str]| {
        let output = outflank(&[&["review", "--game", "gomoku", "--level", "2"], more].concat())
            .output()
            .expect("it runs");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    for (more, complaint) in [
        (&["h8z99"][..], "z99"),
        (&[""], "no moves"),
        (&["/nothing/here.psq"], "no such file"),
        (&["h8h8", "--book", "x"], "--book is not there for Gomoku"),
        (&["h8", "--budget", "3"], "--budget is not there for Gomoku"),
        (&["h8", "--tree", "x.sgf"], "--tree is not there for Gomoku"),
        (&["p16"], "p16 is outside the 15x15 board"),
    ] {
        let (code, _, error) = review(more);
        assert_eq!(code, Some(2), "{more:?}: {error}");
        assert!(
            error.contains(complaint) && !error.contains("panicked"),
            "{more:?}: {error}"
        );
    }
    // The record goes on after five in a row.
    let (code, said, error) = review(&[&[UNBLOCKED, "m8n8"].concat()]);
    assert_eq!(code, Some(2));
    assert!(
        error.contains("move 10") && error.contains("the game is over"),
        "{error}"
    );
    assert!(
        said.contains("what is no legal move") && said.contains("9 moves"),
        "{said}"
    );
    let (code, _, error) = review(&["h8h8", "--json"]);
    assert!(code == Some(2) && error.contains("h8 is occupied"), "{error}");
    let othello = outflank(&["review", "f5", "--time", "1"])
        .output()
        .expect("it runs");
    let error = String::from_utf8_lossy(&othello.stderr).into_owned();
    assert!(error.contains("--time is not there for Othello"), "{error}");
}

/// Ctrl-C keeps what was judged, with exit code 1.
#[cfg(unix)]
#[test]
fn a_review_that_was_interrupted_keeps_what_was_judged() {
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_outflank"))
        .args(["review", "--game", "gomoku", UNBLOCKED, "--level", "30", "--json"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    std::thread::sleep(Duration::from_millis(1500));
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).expect("it lives");
    let mut said = String::new();
    let mut stdout = child.stdout.take().expect("piped");
    std::io::Read::read_to_string(&mut stdout, &mut said).expect("text");
    assert_eq!(child.wait().expect("ours").code(), Some(1), "{said}");
    let lines = objects(&said);
    let summary = &lines.last().expect("a summary")["summary"];
    assert_eq!(summary["complete"], false);
    assert!(lines.len() < 10, "{said}");
}
