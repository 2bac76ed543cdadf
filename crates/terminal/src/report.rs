//! What happens if the program itself is at fault: a report in a file, and one line that says where it is.

use std::{
    backtrace::Backtrace,
    fmt::Write as _,
    fs,
    panic::{self, PanicHookInfo},
    path::{Path, PathBuf},
    process, thread,
};

/// Sees to it that a panic, in whatever thread, leaves one line that says where a report was written and what to do
/// with it.
pub fn on_panic() {
    panic::set_hook(Box::new(|info| {
        let text = report(info);
        let line = match write(&std::env::temp_dir(), &text) {
            Ok(path) => format!(
                "this is a fault of Outflank. A report was written to {}; please look through it and send it to {}/issues. \
                 What was finished before is kept.",
                path.display(),
                env!("CARGO_PKG_REPOSITORY")
            ),
            Err(error) => format!(
                "this is a fault of Outflank, and no report could be written ({error}). Please send this to {}/issues: {}",
                env!("CARGO_PKG_REPOSITORY"),
                text.lines().take(3).collect::<Vec<_>>().join("; ")
            ),
        };
        crate::output::complain(&line);
    }));
}

/// Returns what is known: the version, the arguments, the place and the way to it.
fn report(info: &PanicHookInfo<'_>) -> String {
    let mut text = format!("outflank {}: {info}\n", env!("CARGO_PKG_VERSION"));
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "arguments: {arguments:?}");
    let _ = writeln!(
        text,
        "thread: {}",
        thread::current().name().unwrap_or("without a name")
    );
    let _ = writeln!(text, "{} {}", std::env::consts::OS, std::env::consts::ARCH);
    let _ = writeln!(text, "\n{}", Backtrace::force_capture());
    text
}

/// Writes the report to a file of its own, and returns its name.
fn write(folder: &Path, text: &str) -> std::io::Result<PathBuf> {
    for number in 1.. {
        let path = folder.join(format!("outflank-report-{}-{number}.txt", process::id()));
        match fs::File::create_new(&path) {
            Ok(mut file) => {
                std::io::Write::write_all(&mut file, text.as_bytes())?;
                return Ok(path);
            }
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists && number < 100 => {}
            Err(error) => return Err(error),
        }
    }
    unreachable!("the loop ends at a hundred")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_report_has_a_file_of_its_own() {
        let folder = std::env::temp_dir().join(format!("outflank-test-{}", process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let paths = ["one", "two"].map(|text| write(&folder, text).expect("written"));
        assert_ne!(paths[0], paths[1]);
        assert_eq!(fs::read_to_string(&paths[1]).expect("there"), "two");
        assert!(write(Path::new("/nonexist"), "three").is_err());
        fs::remove_dir_all(&folder).expect("ours");
    }
}
