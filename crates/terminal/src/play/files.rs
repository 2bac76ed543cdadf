//! Loading a game in any notation, and saving it in the one that the file's ending names.

use crate::{
    input::{self, Source},
    output,
};
use anyhow::{Context as _, bail};
use outflank_api::review::record;
use outflank_jobs::write_atomic;
use outflank_records::{Format, GameRecord, write_named};
use std::{
    path::Path,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
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

/// Loads number `number`, from 1, of a file, or of notation that is given itself.
pub(super) fn load(what: &str, number: usize) -> anyhow::Result<Loaded> {
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
        record: record(item),
    })
}

/// Refuses a name of a file in which no game can be written.
pub(super) fn check_name(path: &str) -> anyhow::Result<()> {
    let empty = GameRecord::new(outflank_othello::Game::new());
    write_named(&empty, Path::new(path))
        .map(drop)
        .with_context(|| path.to_owned())
}

/// Writes a game to a file, which appears only when it is complete.
///
/// # Errors
///
/// Says why not; a file that was there is then unchanged.
pub(super) fn save(record: &GameRecord, path: &str) -> anyhow::Result<()> {
    let bytes = write_named(record, Path::new(path)).with_context(|| path.to_owned())?;
    Ok(write_atomic(path, &bytes)?)
}

/// The game as it would have to be saved if this were the end, shared with whoever brings the end about.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept(Arc<Mutex<Option<State>>>);

/// A game with moves that are in no file.
#[derive(Debug)]
struct State {
    record: GameRecord,
    /// The file that was named for it, if one was.
    path: Option<String>,
}

impl Kept {
    /// Takes note of a game that would be lost, and of the file that was named for it.
    pub(super) fn put(&self, record: GameRecord, path: Option<String>) {
        *self.lock() = Some(State { record, path });
    }

    /// Takes note that nothing would be lost.
    pub(super) fn clear(&self) {
        *self.lock() = None;
    }

    fn lock(&self) -> MutexGuard<'_, Option<State>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Saves what would be lost where a file was named for it, once; returns where to.
    ///
    /// # Errors
    ///
    /// Says why it cannot be saved.
    pub(super) fn save(&self) -> anyhow::Result<Option<String>> {
        let state = self.lock().take_if(|state| state.path.is_some());
        match state {
            Some(State {
                record,
                path: Some(path),
            }) => save(&record, &path).map(|()| Some(path)),
            _ => Ok(None),
        }
    }

    /// Saves what would be lost, in a new file if none was named for it.
    fn rescue(&self) {
        let Some(State { record, path }) = self.lock().take() else {
            return;
        };
        let path = path.unwrap_or_else(|| {
            let name = format!("outflank-game-{}.ggf", std::process::id());
            std::env::temp_dir().join(name).display().to_string()
        });
        match save(&record, &path) {
            Ok(()) => output::complain(&format!("the game was saved to {path}")),
            Err(error) => output::complain(&format!(
                "the game could not be saved: {}",
                output::reasons(&error)
            )),
        }
    }
}

/// Saves the game if it is dropped by a panic, or by an error of the engine.
#[derive(Debug)]
pub(super) struct Rescue(Option<Kept>);

impl Rescue {
    /// Stands by.
    pub(super) const fn new(kept: Kept) -> Self {
        Self(Some(kept))
    }

    /// All is well: nothing has to be rescued.
    pub(super) fn stand_down(mut self) {
        self.0 = None;
    }
}

impl Drop for Rescue {
    fn drop(&mut self) {
        if let Some(kept) = &self.0 {
            kept.rescue();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_records::transcript;

    #[test]
    fn a_game_is_rescued_from_a_panic_and_only_then() {
        let record = GameRecord::new(transcript::parse("f5d6").expect("moves").value);
        let path = std::env::temp_dir().join(format!("outflank-rescue-{}.txt", std::process::id()));
        let name = path.display().to_string();
        let kept = Kept::default();
        kept.put(record, Some(name));
        Rescue::new(kept.clone()).stand_down();
        assert!(!path.exists());
        let table = kept.clone();
        let panicked = std::panic::catch_unwind(move || {
            let _rescue = Rescue::new(table);
            assert_eq!(1, 2, "on purpose");
        });
        assert!(panicked.is_err());
        assert_eq!(std::fs::read_to_string(&path).expect("saved").trim(), "f5d6");
        std::fs::remove_file(&path).expect("ours");
        assert!(kept.save().is_ok_and(|saved| saved.is_none()), "it is saved once");
    }
}
