//! A collection in memory.

use crate::{
    Entry, FINGERPRINT_BITS, Facts, Found, GameRef, Index, Moves, NameFiles, NameKind, Names, Segment, Slice,
    Store, build, duplicates, read,
};
use std::{convert::Infallible, io::BufRead};

/// Games in memory, with their index.
#[derive(Clone, Debug)]
pub struct Collection {
    segments: Vec<Segment>,
    indexes: Vec<Index<'static>>,
    /// Moves, number in the source, and tags of the games of each segment.
    games: Vec<Vec<(Moves, u32, Tags)>>,
    players: Names,
    events: Names,
    sources: Names,
}

type Tags = Vec<(String, String)>;

/// Collects games for a [`Collection`].
#[derive(Clone, Debug)]
pub struct Builder {
    facts: Vec<Facts>,
    games: Vec<(Moves, u32, Tags)>,
    players: Names,
    events: Names,
    sources: Names,
    bits: u32,
    segment_games: usize,
}

impl Default for Builder {
    fn default() -> Self {
        Self {
            facts: Vec::new(),
            games: Vec::new(),
            players: Names::default(),
            events: Names::default(),
            sources: Names::default(),
            bits: FINGERPRINT_BITS,
            segment_games: 1 << 20,
        }
    }
}

impl Builder {
    /// Sets the size of the fingerprints and the number of games that are indexed together.
    ///
    /// The answers do not depend on them.
    #[must_use]
    pub const fn with_segments(mut self, bits: u32, games: usize) -> Self {
        self.bits = bits;
        self.segment_games = games;
        self
    }

    /// Adds a game of a source.
    pub fn add(&mut self, source: &str, entry: Entry) {
        let mut facts = entry.facts();
        facts.id = self.facts.len() as u32 + 1;
        facts.black = self.players.intern(&entry.black);
        facts.white = self.players.intern(&entry.white);
        facts.event = self.events.intern(&entry.event);
        facts.source = self.sources.intern(source);
        self.facts.push(facts);
        self.games.push((entry.moves, entry.number, entry.tags));
    }

    /// Adds all games of a source in any notation, and returns how many could not be read.
    pub fn read(&mut self, source: &str, input: impl BufRead, names: NameFiles<'_>) -> usize {
        let mut bad = 0;
        read(input, names, &mut |found| {
            match found {
                Found::Game(entry) => self.add(source, *entry),
                Found::Bad(_) => bad += 1,
                Found::Position => {}
            }
            true
        });
        bad
    }

    /// Returns the number of games.
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Returns whether there are no games.
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// Takes all games of a source out, and returns how many there were; the others keep their order.
    pub fn remove(&mut self, source: &str) -> usize {
        let before = self.games.len();
        let stays = |facts: &Facts| self.sources.text(facts.source) != source;
        let mut kept = self.facts.iter().map(stays);
        self.games.retain(|_| kept.next().unwrap_or(true));
        self.facts.retain(stays);
        for (id, facts) in (1..).zip(&mut self.facts) {
            facts.id = id;
        }
        before - self.games.len()
    }

    /// Marks duplicates and makes the index.
    pub fn build(mut self) -> Collection {
        let (facts, sources, players) = (&self.facts, &self.sources, &self.players);
        let candidates: Vec<duplicates::Candidate<'_>> = facts
            .iter()
            .zip(&self.games)
            .map(|(facts, (moves, number, _))| duplicates::Candidate {
                moves,
                players: [players.person(facts.black), players.person(facts.white)],
                facts,
                source: sources.text(facts.source),
                number: *number,
            })
            .collect();
        let flags = duplicates::flags(&candidates);
        for (facts, is_duplicate) in self.facts.iter_mut().zip(flags) {
            facts.flags = facts.flags.with(crate::Flags::DUPLICATE, is_duplicate);
        }
        let mut collection = Collection {
            segments: Vec::new(),
            indexes: Vec::new(),
            games: Vec::new(),
            players: self.players,
            events: self.events,
            sources: self.sources,
        };
        let (mut facts, mut games) = (self.facts.into_iter(), self.games.into_iter());
        loop {
            let facts: Vec<Facts> = facts.by_ref().take(self.segment_games).collect();
            if facts.is_empty() {
                return collection;
            }
            let games: Vec<(Moves, u32, Tags)> = games.by_ref().take(facts.len()).collect();
            let moves: Vec<Moves> = games.iter().map(|game| game.0.clone()).collect();
            let index = build(&moves, self.bits).expect("entries come from games, which are legal");
            collection.segments.push(Segment {
                facts,
                bits: index.bits(),
                collisions: index.collisions().to_vec(),
            });
            collection.indexes.push(index);
            collection.games.push(games);
        }
    }
}

impl Collection {
    /// Returns the number of games.
    pub fn len(&self) -> usize {
        self.segments.iter().map(|segment| segment.facts.len()).sum()
    }

    /// Returns whether there are no games.
    pub fn is_empty(&self) -> bool {
        self.segments.is_empty()
    }

    /// Takes the index away, so that games can be added and taken out.
    pub fn into_builder(self) -> Builder {
        let facts = self.segments.into_iter().flat_map(|segment| segment.facts);
        Builder {
            facts: facts.collect(),
            games: self.games.into_iter().flatten().collect(),
            players: self.players,
            events: self.events,
            sources: self.sources,
            ..Builder::default()
        }
    }

    fn game(&self, game: GameRef) -> Option<&(Moves, u32, Tags)> {
        self.games.get(game.segment as usize)?.get(game.number as usize)
    }
}

impl Store for Collection {
    type Error = Infallible;

    fn segments(&self) -> Result<&[Segment], Infallible> {
        Ok(&self.segments)
    }

    fn entries(
        &self,
        segment: usize,
        discs: usize,
        _fingerprint: u64,
        take: &mut dyn FnMut(Slice<'_>),
    ) -> Result<(), Infallible> {
        if let Some(index) = self.indexes.get(segment) {
            take(index.slice(discs));
        }
        Ok(())
    }

    fn moves(&self, game: GameRef) -> Result<Moves, Infallible> {
        Ok(self.game(game).map(|game| game.0.clone()).unwrap_or_default())
    }

    fn tags(&self, game: GameRef) -> Result<Tags, Infallible> {
        Ok(self.game(game).map(|game| game.2.clone()).unwrap_or_default())
    }

    fn number(&self, game: GameRef) -> Result<u32, Infallible> {
        Ok(self.game(game).map_or(0, |game| game.1))
    }

    fn names(&self, kind: NameKind) -> Result<&Names, Infallible> {
        Ok(match kind {
            NameKind::Players => &self.players,
            NameKind::Events => &self.events,
            NameKind::Sources => &self.sources,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Filter, Matcher, explore};
    use outflank_othello::Position;

    fn of(sources: &[(&str, &str)]) -> Builder {
        let mut builder = Builder::default();
        for (name, text) in sources {
            builder.read(name, text.as_bytes(), NameFiles::default());
        }
        builder
    }

    #[test]
    fn what_is_taken_out_was_never_there() {
        let (a, b, c) = (
            ("a", "f5d6c3d3c4\nd3c5f6f5e6\n"),
            ("b", "f5d6\nf5f4\nf5d6c3\n"),
            ("c", "f5f6e6f4e3\n"),
        );
        let mut builder = of(&[a, b, c]).build().into_builder();
        assert_eq!(
            (builder.len(), builder.remove("b"), builder.remove("d")),
            (6, 3, 0)
        );
        let (left, fresh) = (builder.build(), of(&[a, c]).build());
        let asked = |store: &Collection| {
            let matcher = Matcher::new(&Filter::default(), store).expect("memory");
            let found = explore(store, &Position::start(), &matcher, 9).expect("memory");
            let ids = store.segments().expect("memory")[0]
                .facts
                .iter()
                .map(|facts| facts.id);
            (found, ids.collect::<Vec<_>>())
        };
        assert_eq!(asked(&left), asked(&fresh));
        assert_eq!(left.indexes, fresh.indexes);
        assert!(of(&[a]).build().into_builder().build().len() == 2 && Builder::default().is_empty());
    }
}
