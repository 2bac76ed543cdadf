//! Dialogues of the Model Context Protocol with `outflank mcp`.
#![cfg(feature = "mcp")]

use serde_json::{Value, json};
use std::{
    io::{BufRead as _, BufReader, Write as _},
    process::{Child, ChildStdout, Command, Stdio},
};

const BIN: &str = env!("CARGO_BIN_EXE_outflank");

struct Dialogue {
    child: Child,
    lines: BufReader<ChildStdout>,
}

impl Dialogue {
    fn begin() -> Self {
        let mut child = Command::new(BIN)
            .args(["mcp", "--hash", "4"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let lines = BufReader::new(child.stdout.take().expect("piped"));
        let mut dialogue = Self { child, lines };
        let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"}});
        let answer = dialogue.ask(1, "initialize", &hello);
        assert_eq!(answer["result"]["serverInfo"]["name"], "outflank", "{answer}");
        assert!(answer["result"]["capabilities"]["tools"].is_object());
        dialogue.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        dialogue
    }

    fn say(&mut self, message: &Value) {
        let stdin = self.child.stdin.as_mut().expect("piped");
        writeln!(stdin, "{message}").expect("it listens");
    }

    fn hear(&mut self) -> Value {
        let mut line = String::new();
        self.lines.read_line(&mut line).expect("text");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    fn ask(&mut self, id: u64, method: &str, params: &Value) -> Value {
        self.say(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        let answer = self.hear();
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    /// Calls a tool; returns whether that was an error, and the text.
    fn call(&mut self, id: u64, tool: &str, arguments: &Value) -> (bool, String) {
        let answer = self.ask(id, "tools/call", &json!({"name": tool, "arguments": arguments}));
        let result = &answer["result"];
        let text = result["content"][0]["text"]
            .as_str()
            .unwrap_or_else(|| panic!("{answer}"));
        (result["isError"] == true, text.to_owned())
    }
}

fn first(text: &str) -> Value {
    serde_json::from_str(text.lines().next().unwrap_or_default()).expect("JSON")
}

#[test]
fn tools_are_listed_and_called() {
    let mut dialogue = Dialogue::begin();
    let listed = dialogue.ask(2, "tools/list", &json!({}));
    let tools = listed["result"]["tools"].as_array().expect("tools").clone();
    let names: Vec<&str> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
    assert_eq!(names, ["analyze", "solve", "review", "convert", "opening"]);
    assert!(tools.iter().all(|tool| tool["inputSchema"]["type"] == "object"));
    let (_, text) = dialogue.call(
        3,
        "analyze",
        &json!({"position": "f5d6c3", "depth": 5, "lines": 2}),
    );
    assert_eq!(
        (
            first(&text)["depth"].as_u64(),
            first(&text)["lines"][1]["kind"].as_str()
        ),
        (Some(5), Some("estimate"))
    );
    let ffo = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";
    let (_, text) = dialogue.call(4, "solve", &json!({"positions": ffo}));
    assert_eq!(first(&text)["value"], 18);
    let (_, text) = dialogue.call(5, "review", &json!({"game": "f5d6c3", "level": 1}));
    assert_eq!(text.lines().count(), 4, "{text}");
    let (_, text) = dialogue.call(6, "convert", &json!({"text": "f5d6", "to": "sgf"}));
    assert!(text.contains("B[f5]"), "{text}");
    let (_, text) = dialogue.call(7, "opening", &json!({"game": "f5d6c3d3c4"}));
    assert_eq!(first(&text)["opening"]["english"], "Tiger");
    let (_, text) = dialogue.call(8, "opening", &json!({"search": "Tiger"}));
    assert_eq!(first(&text)["game"], "f5d6c3d3c4");
    // The end of the input is the end of the program.
    drop(dialogue.child.stdin.take());
    assert!(dialogue.child.wait().expect("it ends").success());
}

#[test]
fn what_is_wrong_is_said_and_the_dialogue_goes_on() {
    let mut dialogue = Dialogue::begin();
    for (tool, arguments, word) in [
        ("analyze", json!({"position": "f5g7"}), "g7"),
        ("analyze", json!({}), "position"),
        (
            "analyze",
            json!({"position": "f5", "path": "/etc/passwd"}),
            "path",
        ),
        ("analyze", json!({"position": "f5", "level": 60}), "level 60"),
        ("convert", json!({"text": "f5", "to": "exe"}), "exe"),
        ("solve", json!({"positions": "f5\n".repeat(300)}), "300 lines"),
        (
            "convert",
            json!({"text": "f5 ".repeat(400_000), "to": "ggf"}),
            "1 MiB",
        ),
    ] {
        let (is_error, text) = dialogue.call(2, tool, &arguments);
        assert!(is_error && text.contains(word), "{tool} {arguments:.80}: {text}");
    }
    let unknown = dialogue.ask(
        3,
        "tools/call",
        &json!({"name": "exec", "arguments": {"command": "sh"}}),
    );
    assert!(
        unknown["error"]["message"]
            .as_str()
            .is_some_and(|text| text.contains("exec")),
        "{unknown}"
    );
    let unknown = dialogue.ask(4, "files/read", &json!({"path": "/etc/passwd"}));
    assert!(unknown["error"].is_object(), "{unknown}");
    // What is no JSON, and a line that is far too long, are passed over.
    writeln!(dialogue.child.stdin.as_mut().expect("piped"), "nonsense").expect("it listens");
    let long = json!({"jsonrpc": "2.0", "id": 5, "method": "tools/call",
        "params": {"name": "convert", "arguments": {"text": "f5 ".repeat(4 << 20), "to": "ggf"}}});
    dialogue.say(&long);
    let (is_error, _) = dialogue.call(6, "opening", &json!({"game": "f5d6"}));
    assert!(!is_error);
}

#[test]
fn a_call_that_is_canceled_frees_the_engine() {
    let mut dialogue = Dialogue::begin();
    let endless = json!({"name": "analyze", "arguments": {"position": "f5d6", "seconds": 60}});
    dialogue.say(&json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": endless}));
    let cancel = json!({"requestId": 2, "reason": "enough"});
    dialogue.say(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancel}));
    let asked = json!({"name": "analyze", "arguments": {"position": "f5", "depth": 3}});
    dialogue.say(&json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": asked}));
    // A call that was canceled need not be answered.
    let answer = loop {
        let answer = dialogue.hear();
        if answer["id"] == 3 {
            break answer;
        }
    };
    assert_eq!(
        first(answer["result"]["content"][0]["text"].as_str().expect("text"))["depth"],
        3
    );
    // Nobody waits for a search whose asker has gone.
    dialogue.say(&json!({"jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": endless}));
    drop(dialogue.child.stdin.take());
    let began = std::time::Instant::now();
    assert!(dialogue.child.wait().expect("it ends").success());
    assert!(began.elapsed().as_secs() < 30);
}
