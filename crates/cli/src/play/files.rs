//! Loading a game in any notation, and saving it in the one that the file's ending names.

use crate::input::{self, Source};
use anyhow::{Context as _, bail};
use outflank_jobs::write_atomic;
use outflank_records::{
    Content, Format, GameRecord, ScoredPosition, ggf, obf, sgf,
    transcript::{self, Passes},
    wthor,
};
use std::{
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

/// A game that was loaded.
#[derive(Debug)]
pub(super) struct Loaded {
    /// The game.
    pub(super) record: GameRecord,
    /// The notation it was in.
    pub(super) format: Format,
    /// What was doubtful about it.
    pub(super) warnings: Vec<String>,
}

/// Loads the first game or position of a file, or of notation that is given itself.
pub(super) fn load(what: &str) -> anyhow::Result<Loaded> {
    load_nth(what, 1)
}

/// Loads number `number`, from 1, of a file, or of notation.
pub(super) fn load_nth(what: &str, number: usize) -> anyhow::Result<Loaded> {
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
        format: item.format,
        warnings: item.warnings.iter().map(ToString::to_string).collect(),
        record: match item.content {
            Content::Game(record) => record,
            Content::Position(scored) => {
                GameRecord::new(outflank_othello::Game::from_position(scored.position))
            }
        },
    })
}

/// The endings of files that can be written, for messages.
pub(super) const ENDINGS: &str = ".ggf, .sgf, .txt (moves), .obf (the position) or .wtb (WTHOR)";

/// Refuses a name of a file in which no game can be written.
pub(super) fn check_name(path: &str) -> anyhow::Result<()> {
    contents(&GameRecord::new(outflank_othello::Game::new()), Path::new(path))
        .map(drop)
        .with_context(|| path.to_owned())
}

/// Returns a game as the contents of a file whose name is `path`.
fn contents(record: &GameRecord, path: &Path) -> anyhow::Result<Vec<u8>> {
    let ending = path
        .extension()
        .map(|ending| ending.to_string_lossy().to_lowercase());
    let mut text = match ending.as_deref() {
        Some("ggf") => ggf::write(record),
        Some("sgf") => sgf::write(record),
        Some("txt") => transcript::write_whole(&record.game, Passes::Omit),
        Some("obf") => obf::write(&ScoredPosition::new(*record.game.position())),
        Some("wtb") => {
            let mut writer = wthor::WthorWriter::default();
            writer.add(record)?;
            let mut bytes = Vec::new();
            writer.finish(&mut bytes)?;
            return Ok(bytes);
        }
        _ => bail!("the name must end in {ENDINGS}"),
    };
    text.push('\n');
    Ok(text.into_bytes())
}

/// Writes a game to a file, which appears only when it is complete.
///
/// # Errors
///
/// Says why not; a file that was there is then unchanged.
pub(super) fn save(record: &GameRecord, path: &str) -> anyhow::Result<()> {
    let bytes = contents(record, Path::new(path)).with_context(|| path.to_owned())?;
    Ok(write_atomic(path, &bytes)?)
}

/// The game as it would have to be saved if this were the end, shared with whoever brings the end about.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept(Arc<Mutex<Option<(String, GameRecord)>>>);

impl Kept {
    /// Takes note of what would be lost, if anything would.
    pub(super) fn put(&self, game: Option<(String, GameRecord)>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = game;
    }

    /// Saves what would be lost, once; returns where to.
    ///
    /// # Errors
    ///
    /// Says why it cannot be saved.
    pub(super) fn save(&self) -> anyhow::Result<Option<String>> {
        let game = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        match game {
            Some((path, record)) => save(&record, &path).map(|()| Some(path)),
            None => Ok(None),
        }
    }
}
