//! Where the parts of a collection come from.

use crate::{Facts, Moves, Names, Slice, canonical, entry::Entry};
use outflank_othello::{Board, Color, Square};
use std::error::Error;

/// Games that are indexed together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Segment {
    /// What is known of each game, in the order of their numbers.
    pub facts: Vec<Facts>,
    /// Bits of the fingerprints in its index.
    pub bits: u32,
    /// Fingerprints that several positions share, each with its number of discs; sorted.
    pub collisions: Vec<(u8, u64)>,
}

/// A game of a collection: its segment and its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameRef {
    /// Number of the segment, from 0.
    pub segment: u32,
    /// Number of the game in it, from 0.
    pub number: u32,
}

/// Kinds of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NameKind {
    /// Of people and programs that play.
    Players,
    /// Of tournaments and servers.
    Events,
    /// Of the files that games were read from.
    Sources,
}

/// A collection of games, in parts: facts of all games, slices of the index, single games.
pub trait Store {
    /// Why a part cannot be had.
    type Error: Error + 'static;

    /// Returns the segments.
    ///
    /// # Errors
    ///
    /// They cannot be had.
    fn segments(&self) -> Result<&[Segment], Self::Error>;

    /// Hands all entries with a fingerprint to `take`, in order, in one or more slices that may hold others as well.
    ///
    /// # Errors
    ///
    /// They cannot be had.
    fn entries(
        &self,
        segment: usize,
        discs: usize,
        fingerprint: u64,
        take: &mut dyn FnMut(Slice<'_>),
    ) -> Result<(), Self::Error>;

    /// Returns the moves of a game.
    ///
    /// # Errors
    ///
    /// They cannot be had.
    fn moves(&self, game: GameRef) -> Result<Moves, Self::Error>;

    /// Returns the tags of a game that have no place among the facts, keys and values as GGF has them.
    ///
    /// # Errors
    ///
    /// They cannot be had.
    fn tags(&self, game: GameRef) -> Result<Vec<(String, String)>, Self::Error>;

    /// Returns the number of a game in its source, from 1.
    ///
    /// # Errors
    ///
    /// It cannot be had.
    fn number(&self, game: GameRef) -> Result<u32, Self::Error>;

    /// Returns the names of a kind.
    ///
    /// # Errors
    ///
    /// They cannot be had.
    fn names(&self, kind: NameKind) -> Result<&Names, Self::Error>;

    /// Returns the facts of a game.
    ///
    /// # Errors
    ///
    /// They cannot be had.
    fn facts(&self, game: GameRef) -> Result<Option<&Facts>, Self::Error> {
        let segment = self.segments()?.get(game.segment as usize);
        Ok(segment.and_then(|segment| segment.facts.get(game.number as usize)))
    }

    /// Returns everything about a game, `None` if there is no such game.
    ///
    /// # Errors
    ///
    /// It cannot be had.
    fn entry(&self, game: GameRef) -> Result<Option<Entry>, Self::Error> {
        let Some(facts) = self.facts(game)?.copied() else {
            return Ok(None);
        };
        let players = self.names(NameKind::Players)?;
        let (black, white) = (players.text(facts.black), players.text(facts.white));
        let event = self.names(NameKind::Events)?.text(facts.event);
        Ok(Some(Entry {
            number: self.number(game)?,
            tags: self.tags(game)?,
            ..Entry::of_facts(&facts, self.moves(game)?, [black, white, event])
        }))
    }
}

/// Why a query cannot be answered.
#[derive(Debug, thiserror::Error)]
pub enum QueryError<E: Error + 'static> {
    /// A part of the collection cannot be had.
    #[error(transparent)]
    Store(#[from] E),
    /// The index and the games do not belong together.
    #[error(
        "the index names game {number} of segment {segment}, which is not there: the collection is damaged"
    )]
    Damaged {
        /// Number of the segment.
        segment: u32,
        /// Number of the game.
        number: u32,
    },
}

/// A game that goes through a position: what it plays there, on the smallest image, and who.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hit {
    pub(crate) game: GameRef,
    pub(crate) mv: Option<Square>,
    pub(crate) side: Color,
}

/// Returns all games that go through a position, which is the one after a pass where the player to move has to pass.
pub(crate) fn games_through<S: Store>(store: &S, board: Board) -> Result<Vec<Hit>, QueryError<S::Error>> {
    let board = if board.must_pass() { board.passed() } else { board };
    let wanted = canonical(board);
    let discs = board.occupied().count() as usize;
    let is_there = |game: GameRef| -> Result<bool, S::Error> {
        let moves = store.moves(game)?;
        let step = moves
            .replay()
            .find(|step| step.board.occupied().count() as usize >= discs);
        Ok(step.is_some_and(|step| canonical(step.board).board == wanted.board))
    };
    let mut hits = Vec::new();
    for (number, segment) in store.segments()?.iter().enumerate() {
        let fingerprint = wanted.fingerprint(segment.bits);
        let first = hits.len();
        store.entries(number, discs, fingerprint, &mut |slice| {
            hits.extend(slice.find(fingerprint).map(|at| {
                let entry = slice.entry(at);
                Hit {
                    game: GameRef {
                        segment: number as u32,
                        number: entry.game,
                    },
                    mv: entry.mv,
                    side: entry.side,
                }
            }));
        })?;
        if let Some(hit) = hits[first..]
            .iter()
            .find(|hit| hit.game.number as usize >= segment.facts.len())
        {
            return Err(QueryError::Damaged {
                segment: hit.game.segment,
                number: hit.game.number,
            });
        }
        if segment
            .collisions
            .binary_search(&(discs as u8, fingerprint))
            .is_ok()
        {
            let shared = hits.split_off(first);
            for hit in shared {
                if is_there(hit.game)? {
                    hits.push(hit);
                }
            }
        } else if let Some(hit) = hits.get(first)
            && !is_there(hit.game)?
        {
            hits.truncate(first);
        }
    }
    Ok(hits)
}
