//! Openings: the positions from which the games of a match start.

use crate::player::simple_value;
use outflank_game::SplitMix64;
use outflank_othello::{Board, Game, Move, Position};
use outflank_records::{BadItem, Item, PasteError, paste_bytes};
use std::collections::BTreeSet;

/// Greatest number of plies of which all positions are listed: 10,649 positions.
pub const MAX_ALL_PLIES: u32 = 7;
/// Random games tried per opening that is wanted before the conditions count as impossible.
const TRIES: usize = 2_000;
/// Discs that the search of [`random_balanced`] looks ahead.
const JUDGE_DEPTH: u32 = 6;

/// Why there are no openings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpeningError {
    /// Nothing in it can be read.
    #[error(transparent)]
    Nothing(#[from] PasteError),
    /// A line is neither game nor position.
    #[error(transparent)]
    Bad(BadItem),
    /// Nothing is left to play.
    #[error("line {0}: the game is over at the end of this opening")]
    Over(usize),
    /// Too many positions.
    #[error("all positions after {0} plies are too many to list; at most {MAX_ALL_PLIES} plies")]
    TooManyPlies(u32),
    /// The conditions are too narrow.
    #[error(
        "found only {found} of {wanted} openings of {plies} plies within ±{discs} discs; ask for fewer or allow more"
    )]
    TooFew {
        /// Openings found.
        found: usize,
        /// Openings wanted.
        wanted: usize,
        /// Their length.
        plies: u32,
        /// Greatest imbalance allowed.
        discs: u32,
    },
}

/// Reads openings in any notation that [`outflank_records::paste_bytes`] knows: an XOT list, transcripts, GGF, boards.
///
/// ```
/// use outflank_arena::openings;
/// let games = openings::from_bytes(b"% two lines\nf5d6c3\n\nF5F6\n")?;
/// assert_eq!(games.iter().map(|game| game.transcript()).collect::<Vec<_>>(), ["f5d6c3", "f5f6"]);
/// let error = openings::from_bytes(b"f5d6\nf5a1").unwrap_err();
/// assert_eq!(error.to_string(), "line 2, column 3: ply 2, a1: a1 flips nothing");
/// # Ok::<(), outflank_arena::openings::OpeningError>(())
/// ```
///
/// # Errors
///
/// Returns the first line that is neither game nor position, or at which the game is over.
pub fn from_bytes(bytes: &[u8]) -> Result<Vec<Game>, OpeningError> {
    let pasted = paste_bytes(bytes)?;
    if let Some(bad) = pasted.bad.into_iter().next() {
        return Err(OpeningError::Bad(bad));
    }
    let games: Vec<Game> = pasted.items.iter().map(Item::game).collect();
    match games.iter().position(|game| game.position().is_game_over()) {
        Some(at) => Err(OpeningError::Over(pasted.items[at].line)),
        None => Ok(games),
    }
}

/// Returns all positions after `plies` discs, one of each kind up to symmetry, each with moves that lead to it.
///
/// # Errors
///
/// Returns [`OpeningError::TooManyPlies`] beyond [`MAX_ALL_PLIES`].
pub fn all_positions(plies: u32) -> Result<Vec<Game>, OpeningError> {
    if plies > MAX_ALL_PLIES {
        return Err(OpeningError::TooManyPlies(plies));
    }
    let mut games = vec![Game::new()];
    for _ in 0..plies {
        let mut seen: BTreeSet<Board> = BTreeSet::new();
        let mut next = Vec::new();
        for game in &games {
            for mv in game.position().moves() {
                let mut child = game.clone();
                child.play(mv).expect("a legal move");
                if seen.insert(child.position().board().canonical().0) {
                    next.push(child);
                }
            }
        }
        games = next;
    }
    Ok(games)
}

/// Returns `count` different openings of `plies` random moves whose value is within ±`discs` discs.
///
/// The value is that of a search six discs ahead with the hand-made evaluator; no two are alike up to symmetry.
///
/// # Errors
///
/// Returns [`OpeningError::TooFew`] if there do not seem to be that many.
pub fn random_balanced(count: usize, plies: u32, discs: u32, seed: u64) -> Result<Vec<Game>, OpeningError> {
    let mut random = SplitMix64::new(seed);
    let mut seen: BTreeSet<Board> = BTreeSet::new();
    let mut games = Vec::new();
    let mut tries = 0;
    while games.len() < count {
        tries += 1;
        if tries > TRIES.saturating_mul(count) {
            return Err(OpeningError::TooFew {
                found: games.len(),
                wanted: count,
                plies,
                discs,
            });
        }
        let Some(game) = random_game(plies, &mut random) else {
            continue;
        };
        let board = game.position().board().canonical().0;
        if !seen.contains(&board) && value(game.position()).abs() <= f64::from(discs) {
            seen.insert(board);
            games.push(game);
        }
    }
    Ok(games)
}

fn value(position: &Position) -> f64 {
    simple_value(position, JUDGE_DEPTH)
}

/// A game of random moves with `plies` discs placed and at least one more possible.
fn random_game(plies: u32, random: &mut SplitMix64) -> Option<Game> {
    let mut game = Game::new();
    let mut placed = 0;
    while placed < plies {
        let moves = game.position().moves();
        let mv = *moves.get(random.below(moves.len()))?;
        game.play(mv).expect("a legal move");
        placed += u32::from(mv != Move::Pass);
    }
    (!game.position().is_game_over()).then_some(game)
}

/// Puts openings into a random order that depends on nothing but `seed`.
pub fn shuffle(games: &mut [Game], seed: u64) {
    let mut random = SplitMix64::new(seed);
    for end in (1..games.len()).rev() {
        games.swap(end, random.below(end + 1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_positions_are_as_many_as_published() {
        // SOURCES.md: unique positions up to symmetry after n moves.
        for (plies, count) in [(0, 1), (1, 1), (2, 3), (3, 14), (4, 60), (5, 322), (6, 1773)] {
            let games = all_positions(plies).expect("few");
            assert_eq!(games.len(), count);
            assert!(games.iter().all(|game| game.moves().len() == plies as usize));
        }
        assert!(matches!(all_positions(8), Err(OpeningError::TooManyPlies(8))));
    }

    #[test]
    fn random_openings_are_balanced_different_and_reproducible() {
        let games = random_balanced(20, 10, 3, 7).expect("there are many");
        assert_eq!(games, random_balanced(20, 10, 3, 7).expect("there are many"));
        assert_ne!(games, random_balanced(20, 10, 3, 8).expect("there are many"));
        let boards: BTreeSet<Board> = games
            .iter()
            .map(|game| game.position().board().canonical().0)
            .collect();
        assert_eq!(boards.len(), 20);
        for game in &games {
            assert!(value(game.position()).abs() <= 3.0);
        }
        assert!(matches!(
            random_balanced(5, 1, 64, 7),
            Err(OpeningError::TooFew { found: 1, .. })
        ));
    }

    #[test]
    fn positions_are_openings_too_and_wrong_lines_are_named() {
        let board = "-".repeat(26) + "-OX-----XO-" + &"-".repeat(27) + " O\n";
        assert_eq!(from_bytes(board.as_bytes()).expect("a board").len(), 1);
        let finished = "X".repeat(64) + " O\n";
        for (text, message) in [
            ("", "there is no position or game here"),
            (
                finished.as_str(),
                "line 1: the game is over at the end of this opening",
            ),
        ] {
            assert_eq!(from_bytes(text.as_bytes()).expect_err(text).to_string(), message);
        }
        assert!(matches!(from_bytes(b"f5d6\nf5i9"), Err(OpeningError::Bad(bad)) if bad.line == 2));
    }

    #[test]
    fn shuffling_keeps_every_opening() {
        let mut games = all_positions(4).expect("few");
        let before = games.clone();
        shuffle(&mut games, 3);
        assert_ne!(games, before);
        let sorted = |games: &[Game]| games.iter().map(Game::transcript).collect::<BTreeSet<_>>();
        assert_eq!(sorted(&games), sorted(&before));
    }
}
