//! Which positions occur in games, how often, and how the games went on.

use outflank_book::{Count, Place, UNITS, distinct_move, distinct_moves};
use outflank_othello::{Board, Color, Game, Square};

/// One move of one game, in the orientation of the position's key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Played {
    key: Board,
    square: Square,
    /// The result for who made it, in discs; 127 if the game was not finished.
    discs: i8,
}

const UNFINISHED: i8 = 127;

/// The moves of many games.
#[derive(Clone, Debug, Default)]
pub struct GameCounts {
    played: Vec<Played>,
    games: u64,
    /// Plies that are counted.
    until: u32,
}

/// A position of games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// Its key.
    pub key: Board,
    /// Games in which it occurred.
    pub games: u32,
    /// What was played, by square.
    pub moves: Vec<(Square, Count)>,
}

impl GameCounts {
    /// Returns counts of positions with at most `until` discs.
    pub const fn until(until: u32) -> Self {
        Self {
            played: Vec::new(),
            games: 0,
            until,
        }
    }

    /// Returns the number of games.
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// Counts the moves of a game.
    pub fn add(&mut self, game: &Game) {
        self.games += 1;
        let discs = game
            .result()
            .map(|_| game.position().final_discs(Color::Black).get());
        for (position, mv) in game.positions().iter().zip(game.moves()) {
            if position.board().occupied().count() > self.until {
                break;
            }
            let (Some((key, symmetry)), Some(square)) = (Place::key(position.board()), mv.square()) else {
                continue;
            };
            let sign = if position.side() == Color::Black { 1 } else { -1 };
            self.played.push(Played {
                key,
                square: symmetry.square(square),
                discs: discs.map_or(UNFINISHED, |discs| (sign * discs) as i8),
            });
        }
    }

    /// Returns the positions that occurred in at least `least` games, most frequent first, equals by key.
    pub fn frequent(mut self, least: u32) -> Vec<Counted> {
        self.played.sort_unstable();
        let mut all: Vec<Counted> = Vec::new();
        for same in self.played.chunk_by(|a, b| a.key == b.key) {
            if same.len() < least.max(1) as usize {
                continue;
            }
            let key = same[0].key;
            let distinct = distinct_moves(key);
            let mut moves: Vec<(Square, Count)> = Vec::new();
            for square in distinct {
                let images: Vec<&Played> = same
                    .iter()
                    .filter(|played| distinct_move(key, played.square) == square)
                    .collect();
                if images.is_empty() {
                    continue;
                }
                let finished = images.iter().filter(|played| played.discs != UNFINISHED);
                let (n, sum) = finished.fold((0_i64, 0_i64), |(n, sum), played| {
                    (n + 1, sum + i64::from(played.discs))
                });
                let count = Count {
                    games: images.len() as u32,
                    mean: if n == 0 {
                        0
                    } else {
                        (sum * i64::from(UNITS) / n) as i16
                    },
                };
                moves.push((square, count));
            }
            all.push(Counted {
                key,
                games: same.len() as u32,
                moves,
            });
        }
        all.sort_by_key(|counted| (std::cmp::Reverse(counted.games), counted.key));
        all
    }
}
