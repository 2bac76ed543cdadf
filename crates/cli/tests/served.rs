//! How `serve` begins and ends.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    process::{Child, ChildStdout, Command, Stdio},
};

const BIN: &str = env!("CARGO_BIN_EXE_outflank");

fn start(arguments: &[&str]) -> (Child, BufReader<ChildStdout>) {
    let mut child = Command::new(BIN)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let lines = BufReader::new(child.stdout.take().expect("piped"));
    (child, lines)
}

#[cfg(unix)]
#[test]
fn a_server_ends_when_it_is_told_to() {
    for signal in [rustix::process::Signal::TERM, rustix::process::Signal::INT] {
        let (mut child, mut lines) = start(&["serve", "--port", "0", "--hash", "1"]);
        let mut line = String::new();
        lines.read_line(&mut line).expect("a link");
        let address = line
            .split_once("http://")
            .and_then(|(_, link)| link.split('/').next())
            .expect("a link");
        // A connection that says nothing, and a page.
        let _silent = TcpStream::connect(address).expect("a connection");
        let mut page = TcpStream::connect(address).expect("a connection");
        write!(
            page,
            "GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"
        )
        .expect("asked");
        let mut answer = String::new();
        page.read_to_string(&mut answer).expect("an answer");
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer:.100}");
        let began = std::time::Instant::now();
        let pid = rustix::process::Pid::from_child(&child);
        rustix::process::kill_process(pid, signal).expect("it lives");
        let status = child.wait().expect("it ends");
        eprintln!("{signal:?}: {status} after {:?}", began.elapsed());
        assert!(began.elapsed().as_secs() < 5, "a second on a quiet computer");
        assert!(status.code().is_some(), "it ends by itself: {status}");
    }
}

#[cfg(feature = "database")]
#[test]
fn a_file_that_is_no_database_is_refused_before_the_server_starts() {
    for name in ["no-such-file.db", "Cargo.toml"] {
        let mut child = Command::new(BIN)
            .args(["serve", "--port", "0", "--games", name])
            .stderr(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .expect("the program starts");
        let mut said = String::new();
        let mut stderr = child.stderr.take().expect("piped");
        stderr.read_to_string(&mut said).expect("text");
        assert_eq!(child.wait().expect("it ends").code(), Some(2), "{said}");
        assert!(said.contains(name), "{said}");
    }
}
