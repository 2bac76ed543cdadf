//! Loading a game of Othello in any notation, and saving it in the one that the file's ending names.

use super::kept::{Loaded, Saved};
use crate::input::{self, Source};
use anyhow::{Context as _, bail};
use outflank_api::review::record;
use outflank_jobs::write_atomic;
use outflank_records::{GameRecord, write_named};
use std::path::Path;

/// Loads number `number`, from 1, of a file, or of notation that is given itself.
pub(super) fn load(what: &str, number: usize) -> anyhow::Result<Loaded<GameRecord>> {
    // No name of a file has several lines.
    let sources = if what.contains('\n') {
        vec![Source::Text(what.to_owned())]
    } else {
        Source::from_args(&[what.to_owned()])?
    };
    let [source @ (Source::Text(_) | Source::File(_))] = sources.as_slice() else {
        bail!("standard input is where you play; name a file");
    };
    let item = input::nth(source, number)?;
    Ok(Loaded {
        format: item.format.to_string(),
        warnings: item.warnings.iter().map(ToString::to_string).collect(),
        record: record(item),
    })
}

impl Saved for GameRecord {
    const ENDING: &'static str = "ggf";

    fn save(&self, path: &str) -> anyhow::Result<()> {
        let bytes = write_named(self, Path::new(path)).with_context(|| path.to_owned())?;
        Ok(write_atomic(path, &bytes)?)
    }

    fn check_name(path: &str) -> anyhow::Result<()> {
        let empty = Self::new(outflank_othello::Game::new());
        write_named(&empty, Path::new(path))
            .map(drop)
            .with_context(|| path.to_owned())
    }
}
