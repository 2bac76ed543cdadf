//! The explorer: which moves were played from a position, and how they fared.

use crate::{Facts, GameRef, Matcher, QueryError, Store, Tally, canonical, store::games_through};
use outflank_othello::{Position, Square};

/// What a collection says about a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Explored {
    /// The position; where its player had to pass, the one after that.
    pub position: Position,
    /// Whether there was a pass.
    pub passed: bool,
    /// All games that go through it, for the player to move.
    pub total: Tally,
    /// The games that end there.
    pub ended: Tally,
    /// The moves, most played first.
    pub moves: Vec<MoveStats>,
}

/// How a move fared.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveStats {
    /// The move.
    pub square: Square,
    /// Other squares that are the same move, as the position is symmetric.
    pub same: Vec<Square>,
    /// The games, for the player who moves.
    pub total: Tally,
    /// Games of players who have the most games in the collection, best known first.
    pub examples: Vec<GameRef>,
}

/// Finds what was played from a position, with up to `n_examples` games for each move.
///
/// A game counts if the same discs stood on the board up to symmetry, seen from the player to move.
///
/// # Errors
///
/// A part of the collection cannot be had, or is damaged.
pub fn explore<S: Store>(
    store: &S,
    position: &Position,
    matcher: &Matcher,
    n_examples: usize,
) -> Result<Explored, QueryError<S::Error>> {
    let passed = position.board().must_pass();
    let position = if passed {
        Position::new(position.board().passed(), !position.side())
    } else {
        *position
    };
    let segments = store.segments()?;
    let (mut totals, mut ended) = ([Tally::default(); 64], Tally::default());
    let mut found: [Vec<(GameRef, &Facts)>; 64] = [const { Vec::new() }; 64];
    for hit in games_through(store, position.board())? {
        let facts = &segments[hit.game.segment as usize].facts[hit.game.number as usize];
        if !matcher.accepts(facts) {
            continue;
        }
        match hit.mv {
            Some(square) => {
                totals[square.index()].add(facts, hit.side);
                if n_examples > 0 {
                    found[square.index()].push((hit.game, facts));
                }
            }
            None => ended.add(facts, hit.side),
        }
    }
    let games_of = if n_examples > 0 {
        games_of_players(segments.iter().flat_map(|segment| &segment.facts))
    } else {
        Vec::new()
    };
    let image = canonical(position.board());
    let mut moves: Vec<MoveStats> = Vec::new();
    let mut total = ended;
    for (square, games) in Square::ALL.into_iter().zip(found) {
        let tally = totals[square.index()];
        if tally.games == 0 {
            continue;
        }
        total += tally;
        let mut squares = image.originals(square);
        // Where all four first moves are one, people write f5.
        let preferred = squares.iter().position(|&square| square == Square::F5);
        moves.push(MoveStats {
            square: squares.remove(preferred.filter(|_| position == Position::start()).unwrap_or(0)),
            same: squares,
            total: tally,
            examples: best_known(games, &games_of, n_examples),
        });
    }
    moves.sort_by_key(|mv| (std::cmp::Reverse(mv.total.games), mv.square));
    Ok(Explored {
        position,
        passed,
        total,
        ended,
        moves,
    })
}

/// Counts the games of each player.
fn games_of_players<'a>(games: impl Iterator<Item = &'a Facts>) -> Vec<u32> {
    let mut counts: Vec<u32> = Vec::new();
    for facts in games {
        for player in [facts.black, facts.white] {
            let at = player as usize;
            if at >= counts.len() {
                counts.resize(at + 1, 0);
            }
            counts[at] += u32::from(player != 0);
        }
    }
    counts
}

/// Returns the games whose less active player has the most games; of equals the latest ones.
fn best_known(mut games: Vec<(GameRef, &Facts)>, games_of: &[u32], n: usize) -> Vec<GameRef> {
    let known = |facts: &Facts| {
        let of = |player: u32| games_of.get(player as usize).copied().unwrap_or(0);
        of(facts.black).min(of(facts.white))
    };
    let rank = |&(game, facts): &(GameRef, &Facts)| {
        let date = (facts.year, facts.month, facts.day);
        (std::cmp::Reverse((known(facts), date)), facts.id, game)
    };
    if games.len() > n && n > 0 {
        games.select_nth_unstable_by_key(n - 1, rank);
    }
    games.truncate(n);
    games.sort_by_key(rank);
    games.into_iter().map(|(game, _)| game).collect()
}
