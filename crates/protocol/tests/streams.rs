//! Random and mutated command streams: no panic, no hang, no lost command, whatever comes, whenever it comes.
//!
//! Each stream is some real commands, some of them broken, fed with searches that end sooner or later. The harness
//! checks the rules of every session (one search at a time, nothing after the end); here the answers are counted.

#[path = "common/support.rs"]
mod support;

use outflank_eval::Score;
use outflank_game::SplitMix64;
use outflank_othello::Position;
use outflank_othello_engine::Request;
use outflank_protocol::{
    BotzoneEngine, CassioEngine, Dialogue, GtpEngine, NBoardEngine, UgiEngine, Urgency, XboardEngine,
};
use std::time::Duration;
use support::Talk;

/// Streams per protocol; `OUTFLANK_STREAMS=100000` for the full number.
fn streams() -> u64 {
    std::env::var("OUTFLANK_STREAMS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(5_000)
}

const GGF: &str = "(;GM[Othello]PB[a]PW[b]RE[?]TI[5:00]TY[8]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- \
                   -------- -------- *]B[F5//2.0]W[D6];)";
const START: &str = "---------------------------OX------XO---------------------------X";

/// Breaks a line: bytes changed, cut, doubled, joined.
fn mutate(line: &str, random: &mut SplitMix64) -> String {
    let mut chars: Vec<char> = line.chars().collect();
    for _ in 0..=random.below(3) {
        let at = random.below(chars.len() + 1);
        match random.below(6) {
            0 if at < chars.len() => {
                chars.remove(at);
            }
            1 => chars.insert(
                at,
                ['9', '-', ' ', 'é', '\t', '\u{0}', '/', '[', '{', '"'][random.below(10)],
            ),
            2 if at < chars.len() => chars[at] = char::from(random.below(256) as u8),
            3 => chars.truncate(at),
            4 => {
                let tail: Vec<char> = chars[at..].to_vec();
                chars.extend(tail);
            }
            _ => {}
        }
        chars.truncate(2000);
    }
    // A session gets lines: the front-end has split them.
    chars.into_iter().filter(|c| *c != '\n').collect()
}

/// Feeds streams, and hands each one's lines and answers to `check`.
fn run<D: Dialogue<Game = Position, Value = Score>>(
    name: u64,
    vocabulary: &[&str],
    new: impl Fn() -> D,
    check: impl Fn(&[String], &str),
) {
    for stream in 0..streams() {
        let mut random = SplitMix64::new(stream.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ name);
        let mut talk = Talk::new(new());
        let mut lines = Vec::new();
        for _ in 0..=random.below(12) {
            let line = vocabulary[random.below(vocabulary.len())];
            let line = match random.below(4) {
                0 => mutate(line, &mut random),
                _ => line.to_owned(),
            };
            if talk.over {
                break;
            }
            match random.below(3) {
                0 => talk.late_line(&line, Duration::from_millis(random.below(500) as u64)),
                _ => talk.line(&line),
            }
            lines.push(line);
            match random.below(6) {
                4 => talk.wait(Duration::from_millis(random.below(2000) as u64)),
                5 => talk.complain("trouble"),
                0 => talk.news(),
                1 => {
                    talk.finish();
                }
                _ => {}
            }
        }
        if !talk.over {
            talk.eof();
        }
        // What was stopped ends soon, and what follows was started after the end of the input: it is stopped as well.
        for _ in 0..200 {
            if talk.over {
                break;
            }
            assert!(
                talk.stopped
                    || lines
                        .iter()
                        .any(|line| line.to_ascii_lowercase().contains("quit")),
                "{lines:?}"
            );
            assert!(talk.finish(), "the session waits for nothing: {lines:?}");
        }
        assert!(talk.over, "no end: {lines:?}");
        // Commands are the same in capitals.
        for line in &mut lines {
            line.make_ascii_lowercase();
        }
        check(&lines, &talk.take());
    }
}

/// Counts the lines of a transcript that begin with `start`.
fn count(transcript: &str, start: &str) -> usize {
    transcript.lines().filter(|line| line.starts_with(start)).count()
}

fn strength() -> Request {
    Request::default().depth(4)
}

#[test]
fn gtp_answers_every_command() {
    let vocabulary = [
        "genmove b",
        "1 genmove w",
        "reg_genmove b",
        "play b f5",
        "play w d6",
        "play w f6",
        "2 undo",
        "clear_board",
        "showboard",
        "quit",
        "time_settings 60 5 3",
        "time_left w 5 2",
        "time_left b -1 0",
        "final_score",
        "boardsize 8",
        "gogui-rules_board",
        "gogui-rules_legal_moves",
        "list_commands",
        "known_command play",
        "# comment",
        "",
        "17",
        "play b pass",
        "play b",
        "komi 5",
        "name",
    ];
    run(
        1,
        &vocabulary,
        || GtpEngine::<Position, Score>::new(strength(), Request::default()),
        |lines, transcript| {
            let asked = lines
                .iter()
                .take(
                    1 + lines
                        .iter()
                        .position(|line| is_gtp_quit(line))
                        .unwrap_or(lines.len()),
                )
                .filter(|line| {
                    let code = line.split('#').next().unwrap_or_default();
                    code.chars().any(|c| !c.is_control() && !c.is_whitespace())
                })
                .count();
            let answered = count(transcript, "> =") + count(transcript, "> ?");
            assert_eq!(answered, asked, "{lines:?}\n{transcript}");
        },
    );
}

/// Whether a line ends a GTP dialogue, read independently of the engine.
fn is_gtp_quit(line: &str) -> bool {
    let code: String = line
        .split('#')
        .next()
        .unwrap_or_default()
        .chars()
        .filter(|c| !c.is_control() || *c == '\t')
        .collect();
    let mut words = code.split_whitespace().peekable();
    words.next_if(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
    words.next() == Some("quit")
}

#[test]
fn nboard_answers_every_ping() {
    let game = format!("set game {GGF}");
    let vocabulary = [
        "nboard 2",
        "set depth 6",
        game.as_str(),
        "move F5",
        "move D6/1.0/2.0",
        "move PA",
        "F5",
        "hint 3",
        "go",
        "ping 1",
        "ping 2",
        "learn",
        "analyze",
        "set contempt 3",
        "quit",
        "unknown words",
        "",
    ];
    run(
        2,
        &vocabulary,
        || NBoardEngine::new(strength()),
        |lines, transcript| {
            let end = lines
                .iter()
                .position(|line| line.split_whitespace().next() == Some("quit"));
            let before = &lines[..end.unwrap_or(lines.len())];
            let asked = |word: &str| {
                before
                    .iter()
                    .filter(|line| line.split_whitespace().next() == Some(word))
                    .count()
            };
            assert_eq!(
                count(transcript, "> pong"),
                asked("ping"),
                "{lines:?}\n{transcript}"
            );
            assert_eq!(count(transcript, "> ==="), asked("go"), "{lines:?}\n{transcript}");
            assert_eq!(
                count(transcript, "> learned"),
                asked("learn"),
                "{lines:?}\n{transcript}"
            );
        },
    );
}

#[test]
fn ugi_answers_every_go() {
    let vocabulary = [
        "ugi",
        "isready",
        "uginewgame",
        "position startpos",
        "position startpos moves f5 d6 c3",
        "position fen 8/8/8/3wb3/3bw3/8/8/8 b moves f5",
        "go depth 3",
        "go infinite",
        "go movetime 10",
        "go p1time 1000 p2time 1000 p1inc 10 p2inc 10",
        "stop",
        "query result",
        "query gameover",
        "quit",
        "setoption name x",
    ];
    run(
        3,
        &vocabulary,
        || UgiEngine::new(strength()),
        |lines, transcript| {
            let end = lines
                .iter()
                .position(|line| line.split_whitespace().next() == Some("quit"));
            let before = &lines[..end.unwrap_or(lines.len())];
            // A search that has not ended yet still answers `isready` when the quit has been read.
            let ready = |lines: &[String]| {
                lines
                    .iter()
                    .filter(|line| line.split_whitespace().next() == Some("isready"))
                    .count()
            };
            let answered = count(transcript, "> readyok");
            assert!(
                ready(before) <= answered && answered <= ready(lines),
                "{lines:?}\n{transcript}"
            );
            // Every search that was started is answered, but for an infinite one that nobody stopped before the end of input.
            let (searches, answers) = (count(transcript, "* search"), count(transcript, "> bestmove"));
            assert!(
                answers <= searches + lines.len() && answers + 1 >= searches,
                "{lines:?}\n{transcript}"
            );
            if !lines.iter().any(|line| line.contains("infinite")) {
                assert!(answers >= searches, "{lines:?}\n{transcript}");
            }
        },
    );
}

#[test]
fn cassio_ends_every_answer_with_ready() {
    let midgame = format!("ENGINE-PROTOCOL midgame-search {START} -64 64 8 73");
    let endgame = format!("ENGINE-PROTOCOL endgame-search {START} -1 1 100");
    let feed = format!("ENGINE-PROTOCOL feed-hash {START} -2 2 8 73 f5d6");
    let vocabulary = [
        "ENGINE-PROTOCOL init",
        "ENGINE-PROTOCOL get-version",
        "ENGINE-PROTOCOL new-position",
        "ENGINE-PROTOCOL empty-hash",
        "ENGINE-PROTOCOL get-search-infos",
        "ENGINE-PROTOCOL stop",
        "ENGINE-PROTOCOL quit",
        midgame.as_str(),
        &endgame,
        &feed,
        "",
        "ENGINE-PROTOCOL",
    ];
    run(4, &vocabulary, CassioEngine::new, |lines, transcript| {
        let stopped = lines.iter().any(|line| line.contains("stop"));
        let end = lines.iter().position(|line| {
            line.trim()
                .strip_prefix("engine-protocol")
                .is_some_and(|rest| rest.split_whitespace().next() == Some("quit"))
        });
        let answers =
            count(transcript, "> ready.") + count(transcript, "> ok.") + count(transcript, "> bye bye.");
        let asked = end.map_or(lines.len(), |end| end + 1);
        // Only `stop` takes commands back; a search that has not ended yet answers on when the quit has been read.
        assert!(
            answers <= lines.len() && (stopped || answers >= asked),
            "{lines:?}\n{transcript}"
        );
    });
}

#[test]
fn xboard_answers_every_ping() {
    let vocabulary = [
        "xboard",
        "protover 2",
        "new",
        "variant reversi",
        "force",
        "go",
        "playother",
        "level 40 5 0",
        "level 0 1:30 2",
        "st 3",
        "sd 4",
        "time 1000",
        "otim 1000",
        "P@f5",
        "P@d6",
        "@@@@",
        "c3c3",
        "?",
        "ping 1",
        "ping 2",
        "hint",
        "analyze",
        "exit",
        ".",
        "undo",
        "remove",
        "setboard 8/8/8/3Pp3/3pP3/8/8/8 w - - 0 1",
        "post",
        "quit",
        "result 1-0 {x}",
        "hello",
    ];
    run(
        5,
        &vocabulary,
        || XboardEngine::new(strength()),
        |lines, transcript| {
            let end = lines
                .iter()
                .position(|line| line.split_whitespace().next() == Some("quit"));
            let before = &lines[..end.unwrap_or(lines.len())];
            let pings = before
                .iter()
                .filter(|line| line.split_whitespace().next() == Some("ping"))
                .count();
            assert_eq!(count(transcript, "> pong"), pings, "{lines:?}\n{transcript}");
        },
    );
}

#[test]
fn botzone_answers_every_turn() {
    let vocabulary = [
        r#"{"requests":[{"x":-1,"y":-1}],"responses":[]}"#,
        r#"{"requests":[{"x":5,"y":4}],"responses":[]}"#,
        r#"{"x":2,"y":2}"#,
        r#"{"request":{"x":3,"y":5}}"#,
        "{}",
        "{",
        "",
    ];
    run(
        6,
        &vocabulary,
        || BotzoneEngine::new(strength(), true),
        |lines, transcript| {
            if lines
                .iter()
                .find(|line| !line.trim().is_empty())
                .is_some_and(|line| line.trim().starts_with('{'))
            {
                let turns = lines.iter().filter(|line| !line.trim().is_empty()).count();
                assert_eq!(
                    count(transcript, "> >>>BOTZONE"),
                    turns,
                    "{lines:?}\n{transcript}"
                );
            }
        },
    );
    let vocabulary = ["1", "-1 -1", "2", "5 4", "3 5", "2 2", "0", "x", ""];
    run(7, &vocabulary, || BotzoneEngine::new(strength(), true), |_, _| {});
}

/// The session itself, over a dialogue that notes what it is told: every line is carried out exactly once, and those
/// that do not jump the queue in the order in which they came.
#[test]
fn sessions_lose_nothing() {
    use outflank_othello_engine::{Outcome, Progress};
    use outflank_protocol::Action;

    struct Notes;

    impl Dialogue for Notes {
        type Game = Position;
        type Value = Score;

        fn urgency(&self, line: &str) -> Urgency {
            match line.as_bytes().first() {
                Some(b'n') => Urgency::Now,
                Some(b'i') => Urgency::Interrupt,
                _ => Urgency::Wait,
            }
        }

        fn execute(&mut self, line: &str, out: &mut Vec<Action>) {
            out.push(Action::Write(line.to_owned()));
            if line.starts_with('s') {
                let request = Request::new(Position::start()).depth(1);
                out.push(Action::Search(Box::new(request)));
            }
        }

        fn progress(&mut self, _news: &Progress, _out: &mut Vec<Action>) {}

        fn finished(&mut self, _outcome: &Outcome, _spent: Duration, _out: &mut Vec<Action>) {}

        fn is_quit(&self, _line: &str) -> bool {
            false
        }
    }

    for seed in 0..streams() {
        let mut random = SplitMix64::new(seed);
        let mut talk = Talk::new(Notes);
        let mut lines = Vec::new();
        for number in 0..12 {
            let line = format!("{}{number}", ['s', 'n', 'i', 'w'][random.below(4)]);
            talk.line(&line);
            lines.push(line);
            if random.below(3) == 0 {
                talk.finish();
            }
        }
        talk.eof();
        while talk.finish() {}
        assert!(talk.over);
        let text = talk.take();
        let carried_out: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("> ")).collect();
        let in_turn = |lines: &[&str]| -> Vec<String> {
            lines
                .iter()
                .filter(|line| !line.starts_with('n'))
                .map(|line| (*line).to_owned())
                .collect()
        };
        let given: Vec<&str> = lines.iter().map(String::as_str).collect();
        assert_eq!(in_turn(&carried_out), in_turn(&given), "{text}");
        let mut sorted = carried_out;
        sorted.sort_unstable();
        let mut expected = given;
        expected.sort_unstable();
        assert_eq!(sorted, expected, "{text}");
    }
}
