//! A game as the contents of a file, in the format that the file's name asks for.

use crate::{
    GameRecord, ScoredPosition, ggf, obf, sgf,
    transcript::{self, Passes},
    wthor::{WriteWthorError, WthorWriter},
};
use std::path::Path;

/// Why a game cannot be written to a file of this name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WriteNamedError {
    /// No format has this ending.
    #[error("the name must end in .ggf, .sgf, .txt (moves), .obf (the position) or .wtb (WTHOR)")]
    Ending,
    /// The format has no place for the game.
    #[error(transparent)]
    Wthor(#[from] WriteWthorError),
}

/// Returns a game as the contents of a file whose name is `name`.
///
/// # Errors
///
/// Returns an error if no format has this ending, or the format has no place for the game.
///
/// ```
/// use outflank_records::{GameRecord, transcript, write_named};
/// let record = GameRecord::new(transcript::parse("f5d6")?.value);
/// assert_eq!(write_named(&record, "game.TXT".as_ref())?, b"f5d6\n");
/// assert!(write_named(&record, "game.pdf".as_ref()).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_named(record: &GameRecord, name: &Path) -> Result<Vec<u8>, WriteNamedError> {
    let ending = name
        .extension()
        .map(|ending| ending.to_string_lossy().to_lowercase());
    let mut text = match ending.as_deref() {
        Some("ggf") => ggf::write(record),
        Some("sgf") => sgf::write(record),
        Some("txt") => transcript::write_whole(&record.game, Passes::Omit),
        Some("obf") => obf::write(&ScoredPosition::new(*record.game.position())),
        Some("wtb") => {
            let mut writer = WthorWriter::default();
            writer.add(record)?;
            let mut bytes = Vec::new();
            writer.finish(&mut bytes).expect("memory takes every byte");
            return Ok(bytes);
        }
        _ => return Err(WriteNamedError::Ending),
    };
    text.push('\n');
    Ok(text.into_bytes())
}
