//! What the tests of several crates need: data from outside the repository, folders of their own, programs to run.
//!
//! Nothing here is part of a library or a program: only dev-dependencies lead to this crate.

use std::{
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

/// The environment variable that names the folder of data outside the repository.
pub const DATA: &str = "OUTFLANK_DATA";

/// Returns the path of a file or folder of data outside the repository, or `None` after one line that says so.
///
/// The folder is the one that the environment variable `OUTFLANK_DATA` names, or `shared/data` beside the repository.
pub fn data_path(name: &str) -> Option<PathBuf> {
    let beside = || repository("").with_file_name("shared").join("data");
    let folder = std::env::var_os(DATA).map_or_else(beside, PathBuf::from);
    find(&folder, name).map_err(|why| skipped(&why)).ok()
}

fn find(folder: &Path, name: &str) -> Result<PathBuf, String> {
    let path = folder.join(name);
    if path.exists() {
        return Ok(path);
    }
    let folder = folder.display();
    Err(format!(
        "no {name} in {folder}: set {DATA} to the folder of the data (docs/training.md says where to get them)"
    ))
}

/// Returns the bytes of a file of data outside the repository, or `None` after one line that says so.
///
/// # Panics
///
/// Panics if the file is there and cannot be read.
pub fn data(name: &str) -> Option<Vec<u8>> {
    let path = data_path(name)?;
    Some(fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

/// Says that the running test does less than it could.
///
/// Written past the test runner, which keeps what `eprintln!` says of a test that passes to itself.
pub fn skipped(why: &str) {
    let name = std::thread::current().name().unwrap_or("a test").to_owned();
    // A closed standard error is nobody's fault.
    let _written = writeln!(std::io::stderr(), "{name}: skipped: {why}");
}

/// Returns the path of a file of the repository.
pub fn repository(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2);
    root.expect("the package lies two folders deep").join(name)
}

/// Returns the processor time that `work` takes in this thread, so that what else the machine does hardly counts.
///
/// Where the system does not tell, it is the time on the wall.
pub fn cpu_time(work: impl FnOnce()) -> Duration {
    let (wall, start) = (Instant::now(), thread_time());
    work();
    match (start, thread_time()) {
        (Some(start), Some(end)) => end.saturating_sub(start),
        _ => wall.elapsed(),
    }
}

#[cfg(unix)]
fn thread_time() -> Option<Duration> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    let seconds = u64::try_from(time.tv_sec).ok()?;
    Some(Duration::new(seconds, u32::try_from(time.tv_nsec).ok()?))
}

#[cfg(not(unix))]
fn thread_time() -> Option<Duration> {
    None
}

/// Returns a new, empty folder `name` under `parent`, which is `env!("CARGO_TARGET_TMPDIR")` in integration tests.
///
/// # Panics
///
/// Panics if the folder cannot be made.
pub fn empty_folder(parent: &str, name: &str) -> PathBuf {
    let folder = Path::new(parent).join(name);
    // Left over from an earlier run, or not there at all.
    drop(fs::remove_dir_all(&folder));
    fs::create_dir_all(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    folder
}

/// What a program did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ran {
    /// Its exit code.
    pub code: i32,
    /// Its standard output.
    pub out: String,
    /// Its standard error.
    pub err: String,
}

/// Runs a program to its end, with `input` as its standard input.
///
/// # Panics
///
/// Panics if the program cannot start, ends by a signal, or writes what is no UTF-8.
#[track_caller]
pub fn run(command: &mut Command, input: &[u8]) -> Ran {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut pipe = child.stdin.take().expect("the input is a pipe");
    let output = std::thread::scope(|scope| {
        // A program that ends before it has read everything is right to do so.
        scope.spawn(move || drop(pipe.write_all(input)));
        child.wait_with_output().expect("the program can be waited for")
    });
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
    Ran {
        code: output.status.code().expect("no signal ended the program"),
        out: text(output.stdout),
        err: text(output.stderr),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_repository_are_found() {
        assert!(repository("Cargo.toml").exists() && repository("data/README.md").exists());
    }

    #[test]
    fn data_that_is_not_there_is_named_with_what_helps() {
        assert_eq!(
            find(&repository("data"), "README.md"),
            Ok(repository("data/README.md"))
        );
        let why = find(&repository("data"), "gone.bin").expect_err("there is no such file");
        assert!(
            why.starts_with("no gone.bin in ") && why.contains("OUTFLANK_DATA"),
            "{why}"
        );
    }

    #[test]
    fn folders_are_empty_each_time() {
        let parent = std::env::temp_dir().join(format!("outflank-testkit-{}", std::process::id()));
        let parent = parent.to_str().expect("UTF-8");
        let folder = empty_folder(parent, "é a");
        fs::write(folder.join("file"), "x").expect("writable");
        assert_eq!(
            fs::read_dir(empty_folder(parent, "é a")).expect("there").count(),
            0
        );
        fs::remove_dir_all(parent).expect("it is ours");
    }

    #[test]
    #[cfg(unix)]
    fn waiting_costs_no_processor_time() {
        let waited = cpu_time(|| std::thread::sleep(Duration::from_millis(200)));
        assert!(waited < Duration::from_millis(100), "{waited:?}");
    }

    #[test]
    #[cfg(unix)]
    fn programs_get_their_input_and_give_all_they_write() {
        let ran = run(
            Command::new("sh").args(["-c", "cat; echo err >&2; exit 3"]),
            b"in",
        );
        assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (3, "in", "err\n"));
        // More input than a pipe holds, to a program that does not read it.
        let ran = run(Command::new("sh").args(["-c", "exit 0"]), &vec![b'x'; 1 << 20]);
        assert_eq!(ran.code, 0);
    }
}
