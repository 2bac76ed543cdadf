//! A running program: its lines in and out with deadlines, and its certain end.
//!
//! The program leads a process group of its own; ending it kills the whole group, so that nothing it has started is
//! left behind. Should this process itself be killed, the end of its input tells the program so; a program that does not
//! heed that is killed by a guard, a shell that waits for the same end.

use crate::player::Failure;
#[cfg(unix)]
use std::os::unix::process::CommandExt as _;
use std::{
    io::{self, BufRead as _, BufReader, Read, Write as _},
    process::{Child, ChildStdin, Command, Stdio},
    sync::{
        Arc, Mutex,
        mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel},
    },
    thread,
    time::{Duration, Instant},
};

/// Bytes of a line beyond which it is cut in two.
const MAX_LINE: u64 = 1 << 16;
/// Lines that may wait to be read; a program that writes more has to wait.
const MAX_WAITING: usize = 1 << 10;
/// Bytes of standard error that are kept for the record.
const MAX_STDERR: usize = 2_000;
/// Lines of standard error that are shown, and bytes of each.
const LAST_WORDS: (usize, usize) = (4, 200);
/// Time a program has to end by itself when asked to.
const GOODBYE: Duration = Duration::from_millis(500);

/// A child process that is spoken to in lines.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    /// Ends the program where nobody is left to do it; `None` where there is no shell.
    guard: Option<Child>,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    /// The end of what it wrote to standard error.
    stderr: Arc<Mutex<Vec<u8>>>,
    /// Closed when standard error has been read to its end.
    stderr_read: Receiver<()>,
}

impl Process {
    /// Starts a program.
    pub(super) fn start(command: &[String]) -> Result<Self, Failure> {
        let fail = |error: &io::Error| Failure::Start {
            command: command.join(" "),
            message: error.to_string(),
        };
        let program = command
            .first()
            .ok_or_else(|| fail(&io::Error::other("no command")))?;
        let mut builder = Command::new(program);
        builder
            .args(&command[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        #[cfg(unix)]
        builder.process_group(0);
        let mut child = builder.spawn().map_err(|error| fail(&error))?;
        let guard = guard(child.id());
        let (sender, lines) = sync_channel(MAX_WAITING);
        let stderr = Arc::new(Mutex::new(Vec::new()));
        let (read, stderr_read) = sync_channel::<()>(0);
        if let Some(output) = child.stdout.take() {
            thread::spawn(move || read_lines(output, &sender));
        }
        if let Some(output) = child.stderr.take() {
            let kept = Arc::clone(&stderr);
            thread::spawn(move || {
                keep_tail(output, &kept);
                drop(read);
            });
        }
        let stdin = child.stdin.take();
        Ok(Self {
            child,
            guard,
            stdin,
            lines,
            stderr,
            stderr_read,
        })
    }

    /// Sends a line.
    pub(super) fn send(&mut self, line: &str, line_end: &str) -> Result<(), Failure> {
        let sent = match &mut self.stdin {
            Some(stdin) => stdin
                .write_all(format!("{line}{line_end}").as_bytes())
                .and_then(|()| stdin.flush()),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        };
        sent.map_err(|_| self.how_it_ended())
    }

    /// Waits for a line until `deadline`; `Ok(None)` if none came.
    pub(super) fn receive(&mut self, deadline: Instant) -> Result<Option<String>, Failure> {
        let patience = deadline.saturating_duration_since(Instant::now());
        match self.lines.recv_timeout(patience) {
            Ok(line) => Ok(Some(line)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(self.how_it_ended()),
        }
    }

    /// Returns the last lines that the program wrote to standard error, on one line.
    pub(super) fn last_words(&self) -> String {
        let tail = self.stderr.lock().map(|tail| tail.clone()).unwrap_or_default();
        let text = String::from_utf8_lossy(&tail);
        let (lines, bytes) = LAST_WORDS;
        let mut last: Vec<String> = text
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .rev()
            .take(lines)
            .map(|line| shortened(line, bytes))
            .collect();
        last.reverse();
        last.join(" / ")
    }

    /// Says how the program ended, after its pipes have closed.
    fn how_it_ended(&mut self) -> Failure {
        // The pipe closes a moment before the process is gone.
        let status = self.wait_for_end(GOODBYE);
        // Nothing is ever sent: the wait ends when the reader is done, or with patience.
        let _closed = self.stderr_read.recv_timeout(GOODBYE);
        Failure::Exited {
            how: status.unwrap_or_else(|| "it closed its output".to_owned()),
            last_words: self.last_words(),
        }
    }

    fn wait_for_end(&mut self, patience: Duration) -> Option<String> {
        let deadline = Instant::now() + patience;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status.to_string()),
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(2)),
                Ok(None) | Err(_) => return None,
            }
        }
    }

    /// Closes the program's input, gives it a moment to end, and kills what is left of its group.
    pub(super) fn end(&mut self, politely: bool) {
        self.stdin = None;
        if politely {
            // What it still writes must not keep it from ending.
            let deadline = Instant::now() + GOODBYE;
            while Instant::now() < deadline && matches!(self.receive(deadline), Ok(Some(_))) {}
            self.wait_for_end(GOODBYE);
        }
        // First of all the guard: once the program is gone, its number may be given to another.
        if let Some(mut guard) = self.guard.take() {
            drop(guard.kill());
            drop(guard.wait());
        }
        self.kill_group();
        // Only the leader may be left if there are no groups here; both errors mean that it is gone already.
        drop(self.child.kill());
        drop(self.child.wait());
    }

    #[cfg(unix)]
    fn kill_group(&self) {
        use rustix::process::{Pid, Signal, kill_process_group};
        if let Some(group) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw) {
            // An error means that nobody is left in the group.
            let _gone = kill_process_group(group, Signal::KILL);
        }
    }

    #[cfg(not(unix))]
    fn kill_group(&self) {}
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end(false);
    }
}

/// Starts what kills this group a second after its own input has ended, which is when this process is gone.
#[cfg(unix)]
fn guard(group: u32) -> Option<Child> {
    let script = "read -r _; sleep 1; kill -s KILL -- \"-$1\"";
    Command::new("sh")
        .args(["-c", script, "sh", &group.to_string()])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .ok()
}

/// There is no group to be killed.
#[cfg(not(unix))]
const fn guard(_group: u32) -> Option<Child> {
    None
}

fn read_lines(output: impl Read, sender: &SyncSender<String>) {
    let mut reader = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        match reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        if line.last() == Some(&b'\n') {
            line.pop();
        }
        let line = String::from_utf8_lossy(&line).trim_end_matches('\r').to_owned();
        if sender.send(line).is_err() {
            return;
        }
    }
}

fn keep_tail(mut output: impl Read, kept: &Mutex<Vec<u8>>) {
    let mut buffer = [0; 1024];
    while let Ok(read @ 1..) = output.read(&mut buffer) {
        let Ok(mut tail) = kept.lock() else { return };
        tail.extend_from_slice(&buffer[..read]);
        let surplus = tail.len().saturating_sub(MAX_STDERR);
        tail.drain(..surplus);
    }
}

fn shortened(line: &str, bytes: usize) -> String {
    if line.len() <= bytes {
        return line.to_owned();
    }
    let end = (0..=bytes)
        .rev()
        .find(|&at| line.is_char_boundary(at))
        .unwrap_or(0);
    format!("{}…", &line[..end])
}
