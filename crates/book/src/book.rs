//! A book in memory: a set of facts to which others can be added.

use crate::{
    Count, Fact, Slot, SourceId,
    place::{Place, distinct_move, is_key},
};
use outflank_othello::{Board, Square};
use std::collections::BTreeMap;

/// What is known about a legal move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// Where the disc is placed, in the orientation of the position's key.
    pub square: Square,
    /// What it is worth, if anybody has said so.
    pub fact: Option<Fact>,
    /// How often it was played.
    pub count: Count,
}

/// What is known about a position, beyond what follows from others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// Moves, by square.
    pub(crate) moves: Vec<Known>,
    /// What no other move exceeds.
    pub(crate) rest: Option<Fact>,
    /// A value without a move.
    pub(crate) own: Option<Fact>,
}

impl Entry {
    /// Returns the moves about which something is known, by square.
    pub fn moves(&self) -> &[Known] {
        &self.moves
    }

    /// Returns what no other move exceeds.
    pub const fn rest(&self) -> Option<Fact> {
        self.rest
    }

    /// Returns the position's value where no move was named with it.
    pub const fn own(&self) -> Option<Fact> {
        self.own
    }

    /// Returns the fact in `slot`.
    pub fn fact(&self, slot: Slot) -> Option<Fact> {
        match slot {
            Slot::Move(square) => self.known(square)?.fact,
            Slot::Rest => self.rest,
            Slot::Position => self.own,
        }
    }

    /// Returns every fact with its slot.
    pub fn facts(&self) -> impl Iterator<Item = (Slot, Fact)> {
        let moves = self
            .moves
            .iter()
            .filter_map(|known| Some((Slot::Move(known.square), known.fact?)));
        let rest = self.rest.map(|fact| (Slot::Rest, fact));
        let own = self.own.map(|fact| (Slot::Position, fact));
        moves.chain(rest).chain(own)
    }

    /// Returns whether games are counted here.
    pub fn has_counts(&self) -> bool {
        self.moves.iter().any(|known| known.count.games > 0)
    }

    pub(crate) fn known(&self, square: Square) -> Option<&Known> {
        let place = self.moves.binary_search_by_key(&square, |known| known.square);
        place.ok().map(|place| &self.moves[place])
    }

    fn known_mut(&mut self, square: Square) -> &mut Known {
        let place = match self.moves.binary_search_by_key(&square, |known| known.square) {
            Ok(place) => place,
            Err(place) => {
                let unknown = Known {
                    square,
                    fact: None,
                    count: Count::default(),
                };
                self.moves.insert(place, unknown);
                place
            }
        };
        &mut self.moves[place]
    }

    fn slot_mut(&mut self, slot: Slot) -> &mut Option<Fact> {
        match slot {
            Slot::Move(square) => &mut self.known_mut(square).fact,
            Slot::Rest => &mut self.rest,
            Slot::Position => &mut self.own,
        }
    }
}

/// What became of a fact that was added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Added {
    /// Nothing was known in its slot.
    New,
    /// It was worth more than the one before.
    Better,
    /// It was there already.
    Same,
    /// The one before is worth more.
    Worse,
}

/// Why something cannot be added to a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BookError {
    /// The player to move must pass, or the game is over.
    #[error("a position in which no disc can be placed is not kept in a book; add the one after the pass")]
    NoMoves,
    /// No disc can be placed there.
    #[error("{0} is no legal move here")]
    Illegal(Square),
    /// The table of sources is full.
    #[error("a book has at most {MOST_SOURCES} sources; merge fewer books")]
    Sources,
}

/// Sources that a book can have.
pub const MOST_SOURCES: usize = 255;

/// A book in memory.
///
/// The same facts, added in any order, make the same book: of two facts about the same move the one that is worth more is
/// kept, and of two that are worth the same, the one with the greater name of its source, then the greater value.
///
/// # Examples
///
/// ```
/// use outflank_book::{Added, Book, Fact, Kind, Slot, UNITS, Worth};
/// use outflank_othello::{Board, Square};
///
/// let mut book = Book::new();
/// let source = book.source("an example")?;
/// let depth = |depth| Worth::new(Kind::Estimate, depth, 73);
/// let f5 = Slot::Move(Square::F5);
/// assert_eq!(book.add(Board::start(), f5, Fact::new(0, depth(18), source))?, Added::New);
/// assert_eq!(book.add(Board::start(), f5, Fact::new(UNITS, depth(12), source))?, Added::Worse);
/// assert_eq!(book.len(), 1);
/// # Ok::<(), outflank_book::BookError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Book {
    entries: BTreeMap<Board, Entry>,
    /// In the order in which they came.
    sources: Vec<String>,
    /// What the book was made with, by name.
    pub settings: BTreeMap<String, String>,
    /// Rounds of learning that are finished.
    pub round: u64,
}

impl Book {
    /// Returns a book without positions.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the number of positions.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns what is known about the position with this key.
    pub fn get(&self, key: Board) -> Option<&Entry> {
        self.entries.get(&key)
    }

    /// Returns the positions in the order of their keys.
    pub fn iter(&self) -> impl Iterator<Item = (Board, &Entry)> {
        self.entries.iter().map(|(&key, entry)| (key, entry))
    }

    /// Returns the names of the sources, by [`SourceId::index`].
    pub fn sources(&self) -> &[String] {
        &self.sources
    }

    /// Returns the source of this name, which is added if it is new.
    ///
    /// # Errors
    ///
    /// There are too many.
    pub fn source(&mut self, name: &str) -> Result<SourceId, BookError> {
        let place = self.sources.iter().position(|known| known == name);
        let place = place.unwrap_or(self.sources.len());
        if place >= MOST_SOURCES {
            return Err(BookError::Sources);
        }
        if place == self.sources.len() {
            self.sources.push(name.to_owned());
        }
        Ok(SourceId(place as u8))
    }

    /// Returns the name of a source of this book.
    pub fn source_name(&self, source: SourceId) -> &str {
        self.sources.get(source.index()).map_or("", String::as_str)
    }

    /// Returns the position of `board`, in any orientation, made if it is new, and `slot` in its orientation.
    fn place(&mut self, board: Board, slot: Slot) -> Result<(&mut Entry, Slot), BookError> {
        let (key, symmetry) = Place::key(board).ok_or(BookError::NoMoves)?;
        let slot = match slot {
            Slot::Move(square) if board.flips(square).is_empty() => return Err(BookError::Illegal(square)),
            Slot::Move(square) => Slot::Move(distinct_move(key, symmetry.square(square))),
            other => other,
        };
        Ok((self.entries.entry(key).or_default(), slot))
    }

    /// Adds a position of which nothing is known but that it belongs to the book.
    ///
    /// # Errors
    ///
    /// The player to move cannot place a disc.
    pub fn add_position(&mut self, board: Board) -> Result<(), BookError> {
        self.place(board, Slot::Position).map(drop)
    }

    /// Adds a fact about `board`, in any orientation.
    ///
    /// # Errors
    ///
    /// The board or the move is none that a book can have.
    pub fn add(&mut self, board: Board, slot: Slot, fact: Fact) -> Result<Added, BookError> {
        let sources = std::mem::take(&mut self.sources);
        let added = self.place(board, slot).map(|(entry, slot)| {
            let old = entry.slot_mut(slot);
            let added = match *old {
                None => Added::New,
                Some(old) if old == fact => Added::Same,
                Some(old) if weight(&sources, fact) > weight(&sources, old) => Added::Better,
                Some(_) => Added::Worse,
            };
            if matches!(added, Added::New | Added::Better) {
                *old = Some(fact);
            }
            added
        });
        self.sources = sources;
        added
    }

    /// Puts a fact in the place of the one before, whatever that is worth.
    ///
    /// # Errors
    ///
    /// As of [`Book::add`].
    pub fn replace(&mut self, board: Board, slot: Slot, fact: Fact) -> Result<(), BookError> {
        let (entry, slot) = self.place(board, slot)?;
        *entry.slot_mut(slot) = Some(fact);
        Ok(())
    }

    /// Adds how often a move was played.
    ///
    /// # Errors
    ///
    /// As of [`Book::add`].
    pub fn add_count(&mut self, board: Board, square: Square, count: Count) -> Result<(), BookError> {
        let (entry, slot) = self.place(board, Slot::Move(square))?;
        if let Slot::Move(square) = slot {
            let known = entry.known_mut(square);
            known.count = known.count.max(count);
        }
        Ok(())
    }

    /// Takes an entry as it is; the sources of its facts must be this book's.
    pub(crate) fn insert(&mut self, key: Board, entry: Entry) {
        debug_assert!(is_key(key));
        self.entries.insert(key, entry);
    }

    /// Adds everything that `other` knows.
    ///
    /// # Errors
    ///
    /// Together the books have too many sources.
    pub fn union(&mut self, other: &Self) -> Result<Union, BookError> {
        let names = other.sources.iter().map(|name| self.source(name));
        let sources = names.collect::<Result<Vec<_>, _>>()?;
        let mut union = Union::default();
        for (key, entry) in other.iter() {
            self.entries.entry(key).or_insert_with(|| {
                union.positions += 1;
                Entry::default()
            });
            for (slot, fact) in entry.facts() {
                let fact = Fact {
                    source: sources[fact.source.index()],
                    ..fact
                };
                if let Some(old) = self.get(key).and_then(|own| own.fact(slot))
                    && old.worth.is_exact()
                    && fact.worth.is_exact()
                    && old.value != fact.value
                    && slot != Slot::Rest
                {
                    union.conflicts.push((key, slot));
                }
                match self.add(key, slot, fact)? {
                    Added::New => union.new += 1,
                    Added::Better => union.better += 1,
                    Added::Same => union.same += 1,
                    Added::Worse => union.worse += 1,
                }
            }
            for known in entry.moves() {
                self.add_count(key, known.square, known.count)?;
            }
        }
        for (name, value) in &other.settings {
            let own = self.settings.entry(name.clone()).or_default();
            if value > own {
                own.clone_from(value);
            }
        }
        self.round = self.round.max(other.round);
        Ok(union)
    }

    /// Takes a position out, in any orientation; returns whether it was there.
    pub fn remove(&mut self, board: Board) -> bool {
        Place::key(board).is_some_and(|(key, _)| self.entries.remove(&key).is_some())
    }

    /// Takes what is known about a move out; returns whether there was anything.
    ///
    /// What no other move exceeds is then no longer known of this one, and goes too.
    pub fn remove_move(&mut self, board: Board, square: Square) -> bool {
        let Some((key, symmetry)) = Place::key(board) else {
            return false;
        };
        let square = distinct_move(key, symmetry.square(square));
        let Some(entry) = self.entries.get_mut(&key) else {
            return false;
        };
        let before = entry.moves.len();
        entry.moves.retain(|known| known.square != square);
        let removed = entry.moves.len() < before;
        if removed {
            entry.rest = None;
        }
        removed
    }

    /// Keeps the positions of which `keep` says so.
    pub fn retain(&mut self, mut keep: impl FnMut(Board) -> bool) {
        self.entries.retain(|&key, _| keep(key));
    }

    /// Returns the sources that are used, by name, and for each of the book's its place among them.
    pub(crate) fn used_sources(&self) -> (Vec<String>, Vec<SourceId>) {
        let mut used = vec![false; self.sources.len()];
        for entry in self.entries.values() {
            for (_, fact) in entry.facts() {
                if let Some(used) = used.get_mut(fact.source.index()) {
                    *used = true;
                }
            }
        }
        let named = self.sources.iter().zip(&used).filter(|(_, used)| **used);
        let mut names: Vec<String> = named.map(|(name, _)| name.clone()).collect();
        names.sort();
        let place = |name: &String| SourceId(names.binary_search(name).unwrap_or(0) as u8);
        let places = self.sources.iter().map(place).collect();
        (names, places)
    }
}

/// What decides between two facts.
fn weight(sources: &[String], fact: Fact) -> impl Ord + '_ {
    (fact.worth, sources.get(fact.source.index()), fact.value)
}

/// What a union brought.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Union {
    /// Positions that were not there before.
    pub positions: usize,
    /// Facts where there was none.
    pub new: usize,
    /// Facts that were worth more.
    pub better: usize,
    /// Facts that were there.
    pub same: usize,
    /// Facts that were worth less.
    pub worse: usize,
    /// Where both books prove values, and not the same.
    pub conflicts: Vec<(Board, Slot)>,
}
