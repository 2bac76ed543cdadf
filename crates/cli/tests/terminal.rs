//! `outflank play` on a real (pseudo) terminal: one that goes away, requests to end, and what is pasted.

#![cfg(unix)]

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    fs::{Mode, OFlags, open},
    process::{Pid, Signal, kill_process},
    pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt},
    termios::{Winsize, tcsetwinsize},
};
use std::{
    fs::{self, File},
    io::{Read as _, Write as _},
    path::PathBuf,
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

/// A program at a terminal that the test holds the other end of.
struct Seat {
    terminal: File,
    child: Child,
    seen: String,
}

impl Seat {
    /// Starts `outflank play` with these options, in a session of its own if `session` says so.
    fn play(options: &[&str], size: (u16, u16), session: bool) -> Self {
        let terminal =
            openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).expect("a terminal");
        grantpt(&terminal).expect("granted");
        unlockpt(&terminal).expect("unlocked");
        let name = ptsname(&terminal, Vec::new()).expect("a name");
        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
        let other = File::from(open(name.as_c_str(), flags, Mode::empty()).expect("the other end"));
        let size = Winsize {
            ws_col: size.0,
            ws_row: size.1,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        tcsetwinsize(&other, size).expect("a size");
        let binary = env!("CARGO_BIN_EXE_outflank");
        let mut command = Command::new(if session { "setsid" } else { binary });
        if session {
            command.args(["--ctty", binary]);
        }
        let end = || Stdio::from(other.try_clone().expect("a copy"));
        let child = command
            .args(["play", "--hash", "1"])
            .args(if options.contains(&"--level") {
                &[][..]
            } else {
                &["--level", "1"]
            })
            .args(options)
            .env("TERM", "xterm-256color")
            .env_remove("NO_COLOR")
            .stdin(end())
            .stdout(end())
            .stderr(end())
            .spawn()
            .expect("it starts");
        Self {
            terminal: File::from(terminal),
            child,
            seen: String::new(),
        }
    }

    /// Reads what is shown for at most so long; returns whether there was anything.
    fn look(&mut self, time: Duration) -> bool {
        let mut ready = [PollFd::new(&self.terminal, PollFlags::IN)];
        let time = Timespec::try_from(time).expect("a short time");
        if poll(&mut ready, Some(&time)) != Ok(1) {
            return false;
        }
        let mut bytes = [0; 4096];
        let count = self.terminal.read(&mut bytes).unwrap_or(0);
        self.seen.push_str(&String::from_utf8_lossy(&bytes[..count]));
        count > 0
    }

    /// Waits until this is shown after what was seen before, and forgets it.
    #[track_caller]
    fn wait_for(&mut self, text: &str) {
        let shown = |seen: &str| seen.chars().take(2000).collect::<String>();
        let start = Instant::now();
        while !self.seen.contains(text) {
            self.look(Duration::from_millis(100));
            assert!(
                start.elapsed() < Duration::from_secs(30),
                "{text:?} was not shown: {:?}",
                shown(&self.seen)
            );
        }
        self.seen.clear();
    }

    /// Types, and reads for a while what comes of it: the screen is drawn all the time.
    fn type_keys(&mut self, keys: &str) {
        self.terminal.write_all(keys.as_bytes()).expect("it listens");
        let start = Instant::now();
        while start.elapsed() < Duration::from_millis(250) {
            self.look(Duration::from_millis(50));
        }
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).expect("it lives");
    }

    /// Closes the window.
    fn close(self) -> Child {
        self.child
    }
}

/// Waits for the end, which comes within a second; the rest of the time is for a machine that is busy.
#[track_caller]
fn ends(mut child: Child) -> ExitStatus {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("our child") {
            return status;
        }
        if start.elapsed() > Duration::from_secs(3) {
            child.kill().expect("ours");
            panic!("it is still there after three seconds");
        }
        thread::sleep(Duration::from_millis(10));
    }
}

/// The name of a file that is not there.
fn file(name: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("terminal");
    fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(name);
    let _missing = fs::remove_file(&path);
    path.display().to_string()
}

/// Returns what is in a file, once it is as expected or a busy machine has had its time for that.
fn saved(path: &str, is_expected: impl Fn(&str) -> bool) -> String {
    let until = Instant::now() + Duration::from_mins(1);
    loop {
        let text = fs::read_to_string(path).unwrap_or_default().trim().to_owned();
        if is_expected(&text) || Instant::now() > until {
            return text;
        }
        thread::sleep(Duration::from_millis(20));
    }
}

#[track_caller]
fn holds(path: &str, parts: &[&str]) {
    let text = saved(path, |text| parts.iter().all(|part| text.contains(part)));
    for part in parts {
        assert!(text.contains(part), "{part:?} is missing in {text}");
    }
}

const SIZE: (u16, u16) = (80, 24);

#[test]
fn closing_the_terminal_ends_and_saves_the_game() {
    for (name, options, session) in [
        ("closed.ggf", &[][..], false),
        ("closed-session.ggf", &[], true),
        ("closed-plain.ggf", &["--plain"], false),
        ("closed-plain-session.ggf", &["--plain"], true),
        // Nobody needs to be there: the engine plays itself, and has much to do.
        ("closed-engines.ggf", &["--color", "none", "--level", "60"], false),
    ] {
        if session && Command::new("setsid").arg("--version").output().is_err() {
            eprintln!(
                "skipped: setsid (util-linux) is not there, so that no terminal can be the one that controls"
            );
            continue;
        }
        let path = file(name);
        let mut options = options.to_vec();
        options.extend(["--save", &path]);
        let mut seat = Seat::play(&options, SIZE, session);
        if options.contains(&"none") {
            seat.wait_for("thinking");
        } else {
            seat.wait_for("black");
            seat.type_keys("f5\r");
        }
        let start = Instant::now();
        assert_eq!(ends(seat.close()).code(), Some(1), "{name}: cut short");
        assert!(
            start.elapsed() < Duration::from_secs(2),
            "{name}: {:?}",
            start.elapsed()
        );
        if !options.contains(&"none") {
            holds(&path, &["B[f5"]);
        }
    }
}

#[test]
fn a_game_of_gomoku_is_saved_and_the_terminal_put_back_too() {
    for plain in [false, true] {
        let path = file(&format!("gomoku-{plain}.sgf"));
        let mut options = vec!["--game", "gomoku", "--rule", "renju", "--save", &path];
        options.extend(plain.then_some("--plain"));
        let mut seat = Seat::play(&options, SIZE, false);
        seat.wait_for("black");
        seat.type_keys("h8\r");
        assert_eq!(ends(seat.close()).code(), Some(1), "cut short");
        holds(&path, &["RU[renju]", "B[hh]"]);
    }
    let mut seat = Seat::play(&["--game", "gomoku", "--size", "20"], SIZE, false);
    // Words are drawn one by one.
    seat.wait_for("26.");
    seat.type_keys("\x03");
    let start = Instant::now();
    while seat.look(Duration::from_millis(300)) && start.elapsed() < Duration::from_secs(2) {}
    assert!(seat.seen.contains("\x1b[?1049l"), "{}", seat.seen);
    assert!(ends(seat.close()).success());
}

#[test]
fn requests_to_end_are_heeded_and_the_terminal_put_back() {
    for (name, signal) in [
        ("hangup.sgf", Signal::HUP),
        ("term.sgf", Signal::TERM),
        ("int.sgf", Signal::INT),
    ] {
        for plain in [false, true] {
            let path = file(&format!("{plain}-{name}"));
            let mut options = vec!["--save", &path];
            options.extend(plain.then_some("--plain"));
            let mut seat = Seat::play(&options, SIZE, false);
            seat.wait_for("black");
            seat.type_keys("f5\r");
            seat.signal(signal);
            let start = Instant::now();
            let mut left = String::new();
            while seat.look(Duration::from_millis(300)) && start.elapsed() < Duration::from_secs(2) {
                left.push_str(&std::mem::take(&mut seat.seen));
            }
            assert_eq!(ends(seat.close()).code(), Some(1), "{name}: cut short");
            holds(&path, &["B[f5]"]);
            let back = if plain { "\x1b[?2004l" } else { "\x1b[?1049l" };
            assert!(left.contains(back), "{name}: {left:?}");
        }
    }
}

/// A file that was named by `save` during the game gets the moves after it, too, if the end comes from outside.
#[test]
fn a_saved_game_is_saved_again() {
    let path = file("later.ggf");
    let mut seat = Seat::play(&["--color", "both"], SIZE, false);
    seat.wait_for("two people");
    seat.type_keys("f5");
    seat.type_keys(&format!(":save {path}"));
    seat.type_keys("\r");
    holds(&path, &["B[f5"]);
    seat.type_keys("d6");
    seat.signal(Signal::TERM);
    ends(seat.close());
    holds(&path, &["B[f5", "W[d6"]);
}

/// Ten lines with everything in them that would do harm as keys: n, y, q, u, w, +.
const TEN_LINES: &str =
    "1. f5 d6\r2. c3 d3\r3. c4 f4\r4. f6 f3\r5. e3 b4\r6. c5 c6\r7. e6 e2\r8. e7 d2\r9. f1 d7\r10. a3 a4\r";
const TEN_LINES_MOVES: &str = "f5d6c3d3c4f4f6f3e3b4c5c6e6e2e7d2f1d7a3a4";

#[test]
fn a_pasted_game_is_one_text_and_loads_after_enter() {
    // Pasted onto the board, where a load was asked for, on the line of commands, and by a terminal without marks.
    for (name, before, pasted) in [
        ("board", "", format!("\x1b[200~{TEN_LINES}\x1b[201~")),
        ("load", "o", format!("\x1b[200~{TEN_LINES}\x1b[201~")),
        ("command", ":", format!("\x1b[200~load {TEN_LINES}\x1b[201~")),
        ("unmarked", "", TEN_LINES.to_owned()),
        (
            "harm",
            "",
            format!("\x1b[200~nyquw+ and then\r\n{TEN_LINES_MOVES}\x1b[201~"),
        ),
    ] {
        let path = file(&format!("pasted-{name}.txt"));
        let mut seat = Seat::play(&["--color", "both"], SIZE, false);
        seat.wait_for("two people");
        seat.type_keys("f5");
        seat.type_keys(before);
        seat.type_keys(&pasted);
        // Nothing has happened to the game.
        seat.type_keys("\x15");
        seat.type_keys("\x1b");
        thread::sleep(Duration::from_millis(100));
        seat.type_keys(&format!(":save {path}\r"));
        assert_eq!(saved(&path, |text| text == "f5"), "f5", "{name}");
        if name == "harm" {
            continue;
        }
        seat.type_keys(before);
        seat.type_keys(&pasted);
        seat.type_keys("\r");
        seat.type_keys(&format!(":save! {path}\r"));
        assert_eq!(
            saved(&path, |text| text == TEN_LINES_MOVES),
            TEN_LINES_MOVES,
            "{name}"
        );
        seat.type_keys("q");
        assert!(ends(seat.close()).success(), "{name}");
    }
}

#[test]
fn a_game_that_is_pasted_line_by_line_is_one_text() {
    let path = file("pasted-plain.txt");
    let mut seat = Seat::play(&["--plain", "--color", "both"], SIZE, false);
    seat.wait_for("\x1b[?2004h");
    seat.type_keys("f5\r");
    seat.type_keys(&format!("\x1b[200~{TEN_LINES}\x1b[201~\r"));
    assert!(seat.seen.contains("the game before it: f5"), "{}", seat.seen);
    seat.type_keys(&format!("save {path}\r"));
    assert_eq!(saved(&path, |text| text == TEN_LINES_MOVES), TEN_LINES_MOVES);
    seat.type_keys("quit\r");
    assert!(ends(seat.close()).success());
}

#[test]
fn the_board_grows_with_the_terminal() {
    for (size, rule) in [
        ((80, 24), "┌───┬"),
        ((120, 40), "┌───────┬"),
        ((300, 90), "┌─────────────────┬"),
    ] {
        let mut seat = Seat::play(&[], size, false);
        seat.wait_for(rule);
        seat.signal(Signal::TERM);
        ends(seat.close());
    }
}
