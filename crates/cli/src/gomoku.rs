//! What only the second game has: its opening tables, `outflank gomocup`, its reviews, and its positions on the command
//! line.

mod book;
mod brain;
mod input;
mod review;

use std::{ffi::OsString, path::Path};

pub(crate) use book::{BuildArgs, QueryArgs, build, query, show};
pub(crate) use brain::{Args as GomocupArgs, run as gomocup};
pub(crate) use input::{SIZE, board, boards, record};
pub(crate) use review::review;

/// Returns whether the program was started as a tournament manager starts it: its file is called `pbrain-…`, and nothing
/// else is said.
pub(crate) fn is_brain(arguments: &[OsString]) -> bool {
    let [program] = arguments else { return false };
    let stem = Path::new(program).file_stem().and_then(|stem| stem.to_str());
    stem.is_some_and(|stem| stem.to_ascii_lowercase().starts_with("pbrain"))
}

#[cfg(test)]
mod tests {
    use super::is_brain;

    #[test]
    fn a_brain_is_told_by_its_name() {
        let of = |words: &[&str]| is_brain(&words.iter().map(Into::into).collect::<Vec<_>>());
        assert!(of(&["/x/pbrain-outflank"]) && of(&["PBRAIN-Outflank.exe"]));
        assert!(!of(&["outflank"]) && !of(&["pbrain-outflank", "show"]) && !of(&[]));
    }
}
