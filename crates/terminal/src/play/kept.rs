//! Games that survive an end that comes from outside: what would be lost is kept up to date, and saved.

use crate::output;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A game that was loaded.
#[derive(Debug)]
pub(super) struct Loaded<R> {
    /// The game.
    pub(super) record: R,
    /// The notation it was in, in words.
    pub(super) format: String,
    /// What was doubtful about it.
    pub(super) warnings: Vec<String>,
}

/// A game that can be written to a file.
pub(super) trait Saved: Send + 'static {
    /// How the name of a file ends that nobody has named.
    const ENDING: &'static str;

    /// Writes the game to a file, which appears only when it is complete.
    ///
    /// # Errors
    ///
    /// Says why not; a file that was there is then unchanged.
    fn save(&self, path: &str) -> anyhow::Result<()>;

    /// Refuses a name of a file in which no game can be written.
    fn check_name(path: &str) -> anyhow::Result<()>;
}

/// The game as it would have to be saved if this were the end, shared with whoever brings the end about.
#[derive(Debug)]
pub(super) struct Kept<R>(Arc<Mutex<Option<State<R>>>>);

impl<R> Clone for Kept<R> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<R> Default for Kept<R> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

/// A game with moves that are in no file.
#[derive(Debug)]
struct State<R> {
    record: R,
    /// The file that was named for it, if one was.
    path: Option<String>,
}

impl<R: Saved> Kept<R> {
    /// Takes note of a game that would be lost, and of the file that was named for it.
    pub(super) fn put(&self, record: R, path: Option<String>) {
        *self.lock() = Some(State { record, path });
    }

    /// Takes note that nothing would be lost.
    pub(super) fn clear(&self) {
        *self.lock() = None;
    }

    fn lock(&self) -> MutexGuard<'_, Option<State<R>>> {
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
            }) => record.save(&path).map(|()| Some(path)),
            _ => Ok(None),
        }
    }

    /// Saves what would be lost, in a new file if none was named for it.
    fn rescue(&self) {
        let Some(State { record, path }) = self.lock().take() else {
            return;
        };
        let path = path.unwrap_or_else(|| {
            let name = format!("outflank-game-{}.{}", std::process::id(), R::ENDING);
            std::env::temp_dir().join(name).display().to_string()
        });
        match record.save(&path) {
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
pub(super) struct Rescue<R: Saved>(Option<Kept<R>>);

impl<R: Saved> Rescue<R> {
    /// Stands by.
    pub(super) const fn new(kept: Kept<R>) -> Self {
        Self(Some(kept))
    }

    /// All is well: nothing has to be rescued.
    pub(super) fn stand_down(mut self) {
        self.0 = None;
    }
}

impl<R: Saved> Drop for Rescue<R> {
    fn drop(&mut self) {
        if let Some(kept) = &self.0 {
            kept.rescue();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_records::{GameRecord, transcript};

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
