//! A review as notes in the record of its game.

use super::{Mark, Review};
use outflank_records::{GameRecord, MoveNote};
use std::fmt::Write as _;

/// Returns the game with the value of every move, and the marks in a comment.
pub fn annotated(record: &GameRecord, found: &Review) -> GameRecord {
    let mut annotated = record.clone();
    annotated.notes.resize(found.moves.len(), MoveNote::default());
    let mut comment = String::from("reviewed by Outflank:");
    for (note, reviewed) in annotated.notes.iter_mut().zip(&found.moves) {
        note.eval = format!("{:.2}", reviewed.value.discs);
        if reviewed.mark() != Mark::Good {
            write!(
                comment,
                " {}. {}{} ({} {:.1} better)",
                reviewed.number,
                reviewed.mv,
                reviewed.mark().symbol(),
                reviewed.best,
                reviewed.loss
            )
            .expect("a string takes every text");
        }
    }
    annotated.add_tag("CO", comment);
    annotated
}
