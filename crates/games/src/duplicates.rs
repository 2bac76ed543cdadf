//! Games that are there twice.
//!
//! Two games are alike if their moves are the same, seen from one of the sides from which the start looks the same.
//! They are the same game if the players and the year are the same, too; of players who are not known nothing follows
//! from a few moves, so that only long finished games are taken for the same.
//! Of the same games the first by source and number is the one that counts.

use crate::{Facts, Flags, Moves};
use outflank_othello::{Board, Color, Square, Symmetry};

/// The moves of a game as all games that are alike have them: its start, and the smallest of its images.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    start: Board,
    white: bool,
    squares: Vec<Square>,
}

impl Key {
    /// Returns the key of a game.
    ///
    /// ```
    /// use outflank_games::{Moves, duplicates::Key};
    /// let key = |text| Moves::parse(None, text).map(|moves| Key::of(&moves));
    /// assert_eq!(key("f5d6c3")?, key("d3c5f6")?);
    /// assert_ne!(key("f5d6c3")?, key("f5d6c4")?);
    /// # Ok::<(), outflank_games::MovesError>(())
    /// ```
    pub fn of(moves: &Moves) -> Self {
        let start = moves.start();
        let images = Symmetry::ALL.into_iter().map(|symmetry| Self {
            start: start.board().transformed(symmetry),
            white: start.side() == Color::White,
            squares: moves
                .squares
                .iter()
                .map(|&square| symmetry.square(square))
                .collect(),
        });
        images.min().expect("there are eight symmetries")
    }

    /// Returns a number that is the same for games that are alike, and hardly ever for others.
    ///
    /// Databases keep it: it must never change.
    pub fn hash(&self) -> u64 {
        let mut hash = self.start.player().bits() ^ self.start.opponent().bits().rotate_left(32);
        for square in &self.squares {
            hash = (hash ^ (square.index() as u64 + 1)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            hash ^= hash >> 32;
        }
        hash ^ u64::from(self.white)
    }
}

/// A game that may be there twice.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'a> {
    /// Its moves.
    pub moves: &'a Moves,
    /// What is known of it.
    pub facts: &'a Facts,
    /// The players of black and white, each person by one number; 0 for nobody.
    pub players: [u32; 2],
    /// The name of its source.
    pub source: &'a str,
    /// Its number there.
    pub number: u32,
}

/// Squares that must have been taken in games of nobody, before they are the same game.
const LONG: u8 = 34;

impl Candidate<'_> {
    fn may_be_the_same(&self) -> bool {
        let is_known = self.players.iter().all(|&player| player != 0);
        is_known || (self.facts.flags.has(Flags::FINISHED) && self.facts.discs >= LONG)
    }
}

/// Returns groups of games that are alike, by their places; each in the order of source and number.
pub fn groups(games: &[Candidate<'_>]) -> Vec<Vec<usize>> {
    let mut keys: Vec<(u64, usize)> = games
        .iter()
        .enumerate()
        .map(|(at, game)| (Key::of(game.moves).hash(), at))
        .collect();
    keys.sort_unstable();
    let mut groups = Vec::new();
    for chunk in keys.chunk_by(|a, b| a.0 == b.0).filter(|chunk| chunk.len() > 1) {
        let mut alike: Vec<(Key, usize)> = chunk
            .iter()
            .map(|&(_, at)| (Key::of(games[at].moves), at))
            .collect();
        alike.sort_by(|a, b| {
            let rank = |at: usize| (games[at].source, games[at].number, at);
            a.0.cmp(&b.0).then_with(|| rank(a.1).cmp(&rank(b.1)))
        });
        let same = alike.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1);
        groups.extend(same.map(|group| group.iter().map(|&(_, at)| at).collect::<Vec<_>>()));
    }
    groups
}

/// Returns which games are the same as one before them, by source and number.
pub fn flags(games: &[Candidate<'_>]) -> Vec<bool> {
    let mut flags = vec![false; games.len()];
    for group in groups(games) {
        for (i, &at) in group.iter().enumerate() {
            let game = &games[at];
            let same = |&other: &usize| {
                let other = &games[other];
                (other.players, other.facts.year) == (game.players, game.facts.year)
                    && other.may_be_the_same()
            };
            flags[at] = game.may_be_the_same() && group[..i].iter().any(same);
        }
    }
    flags
}
