//! Taking positions out of a book without losing what they say about the moves that led to them.

use crate::{Book, BookError, Fact, From, Kind, Slot, Worked, Worth, place::Place};
use outflank_othello::Board;
use std::collections::BTreeSet;

/// Returns the book with the positions in `keep` alone. A move that led to another one keeps its value, from the source
/// `pruned`.
///
/// # Errors
///
/// The book has too many sources.
pub fn prune(book: &Worked, keep: &BTreeSet<Board>) -> Result<Book, BookError> {
    let mut pruned = book.book().clone();
    pruned.retain(|key| keep.contains(&key));
    for &key in keep {
        for mv in book.moves(key) {
            let after = key.play_unchecked(mv.square, key.flips(mv.square));
            let Place::Node { key: next, .. } = Place::of(after) else {
                continue;
            };
            let (From::Next, Some(units), false) = (mv.from, mv.units(), keep.contains(&next)) else {
                continue;
            };
            let source = pruned.source("pruned")?;
            let worth = if mv.derived.is_proved() {
                Worth::EXACT
            } else {
                worth_of(book, next)
            };
            pruned.replace(key, Slot::Move(mv.square), Fact::new(units, worth, source))?;
        }
    }
    Ok(pruned)
}

/// Returns what the value of the move to `key` is worth: that of the fact at the end of the best line, and the way to it.
fn worth_of(book: &Worked, mut key: Board) -> Worth {
    for plies in 1.. {
        let moves = book.moves(key);
        let best = moves
            .iter()
            .filter(|mv| mv.derived.value.is_some())
            .max_by_key(|mv| (mv.derived.value, std::cmp::Reverse(mv.square)));
        let own = book.book().get(key).and_then(crate::Entry::own);
        let fact = match best {
            Some(mv) if mv.from == From::Next => {
                let after = key.play_unchecked(mv.square, key.flips(mv.square));
                if let Place::Node { key: next, .. } = Place::of(after) {
                    key = next;
                    continue;
                }
                own
            }
            Some(mv) => mv.fact,
            None => own,
        };
        return fact.map_or(Worth::new(Kind::Estimate, 0, 0), |fact| {
            // One proved line proves nothing about the others.
            let kind = fact.worth.kind().min(Kind::Manual);
            Worth::new(kind, fact.worth.depth() + plies, fact.worth.confidence())
        });
    }
    Worth::new(Kind::Estimate, 0, 0)
}
