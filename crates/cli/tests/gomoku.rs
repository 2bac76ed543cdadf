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
    for command in ["show", "analyze", "solve", "play", "match", "bench", "book"] {
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
