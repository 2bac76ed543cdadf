//! Openings: the positions from which the games of a match start.

pub use crate::game::OpeningError;

use crate::{game::MatchGame, history::History};
use outflank_game::SplitMix64;
use std::collections::BTreeSet;

/// Random games tried per opening that is wanted before the conditions count as impossible.
const TRIES: usize = 2_000;

/// Reads openings that begin in `start`, in any notation of the game.
///
/// Othello takes all that [`outflank_records::paste_bytes`] knows: an XOT list, transcripts, GGF, boards.
/// Gomoku takes moves, tournament files with offsets from the center, SGF, and one psq file or drawn board.
///
/// ```
/// use outflank_arena::openings;
/// use outflank_gomoku::{Board, Rule};
/// use outflank_othello::Position;
/// let games = openings::from_bytes(&Position::start(), b"% two lines\nf5d6c3\n\nF5F6\n")?;
/// assert_eq!(games.iter().map(|game| game.moves_text()).collect::<Vec<_>>(), ["f5 d6 c3", "f5 f6"]);
/// let error = openings::from_bytes(&Position::start(), b"f5d6\nf5a1").unwrap_err();
/// assert_eq!(error.to_string(), "line 2, column 3: ply 2, a1: a1 flips nothing");
/// let games = openings::from_bytes(&Board::new(Rule::Freestyle, 15)?, b"0,0, 1,0, 1,3\nh8i9")?;
/// assert_eq!(games.iter().map(|game| game.moves_text()).collect::<Vec<_>>(), ["h8 i8 i11", "h8 i9"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Returns the first line that is neither game nor position, or at which the game is over.
pub fn from_bytes<G: MatchGame>(start: &G, bytes: &[u8]) -> Result<Vec<History<G>>, OpeningError> {
    start.read_openings(bytes)
}

/// Returns all positions after `plies` moves from `start`, one of each kind up to symmetry, each with moves that lead to
/// it; games that are over by then are left out.
///
/// # Errors
///
/// Returns [`OpeningError::TooManyPlies`] beyond [`MatchGame::MAX_ALL_PLIES`].
pub fn all_positions<G: MatchGame>(start: &G, plies: u32) -> Result<Vec<History<G>>, OpeningError> {
    let most = G::MAX_ALL_PLIES;
    if plies > most {
        return Err(OpeningError::TooManyPlies { plies, most });
    }
    let mut games = vec![History::new(start.clone())];
    for _ in 0..plies {
        let mut seen = Seen::default();
        let mut next = Vec::new();
        for game in &games {
            for mv in game.position().legal_moves() {
                let mut child = game.clone();
                child.play(mv).expect("a legal move");
                if seen.insert(child.position()) {
                    next.push(child);
                }
            }
        }
        games = next;
    }
    games.retain(|game| game.margin().is_none());
    Ok(games)
}

/// Positions up to symmetry.
#[derive(Default)]
struct Seen(BTreeSet<u64>);

impl Seen {
    /// Notes a position; returns whether it is new.
    fn insert<G: MatchGame>(&mut self, position: &G) -> bool {
        // 64 bits are enough to tell some thousands of positions apart.
        self.0.insert(position.canonical().0.key())
    }
}

/// Returns `count` different openings of `plies` random moves whose value is within ±`within`: discs in Othello, percent
/// of the chance to win from even in Gomoku.
///
/// The judge is a short search; no two openings are alike up to symmetry.
///
/// # Errors
///
/// Returns [`OpeningError::TooFew`] if there do not seem to be that many.
pub fn random_balanced<G: MatchGame>(
    start: &G,
    count: usize,
    plies: u32,
    within: u32,
    seed: u64,
) -> Result<Vec<History<G>>, OpeningError> {
    let mut random = SplitMix64::new(seed);
    let mut judge = G::judge();
    let mut seen = Seen::default();
    let mut games = Vec::new();
    let mut tries = 0;
    while games.len() < count {
        tries += 1;
        if tries > TRIES.saturating_mul(count) {
            return Err(OpeningError::TooFew {
                found: games.len(),
                wanted: count,
                plies,
                within,
                unit: G::UNIT.unwrap_or("percent"),
            });
        }
        let Some(game) = random_game(start, plies, &mut random) else {
            continue;
        };
        if judge(game.position()).abs() <= f64::from(within) && seen.insert(game.position()) {
            games.push(game);
        }
    }
    Ok(games)
}

/// A game of `plies` random moves, passes not counted, that is not over.
fn random_game<G: MatchGame>(start: &G, plies: u32, random: &mut SplitMix64) -> Option<History<G>> {
    let mut game = History::new(start.clone());
    let mut placed = 0;
    while placed < plies {
        let moves = game.position().opening_moves();
        let mv = *moves.get(random.below(moves.len()))?;
        game.play(mv).expect("a legal move");
        placed += u32::from(!game.position().is_pass(mv));
    }
    game.margin().is_none().then_some(game)
}

/// Which openings a match has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Those of a text in any notation of the game.
    Listed(Vec<u8>),
    /// All positions after so many plies.
    AllPlies(u32),
    /// Random ones; what is not said is what suits the game.
    Random {
        /// How many.
        count: usize,
        /// How long.
        plies: Option<u32>,
        /// How far from even at most.
        within: Option<u32>,
    },
}

impl Choice {
    /// Returns the openings, in an order that `seed` decides if they are shuffled.
    ///
    /// # Errors
    ///
    /// Returns why there are none.
    pub fn games<G: MatchGame>(
        &self,
        start: &G,
        shuffled: bool,
        seed: u64,
    ) -> Result<Vec<History<G>>, OpeningError> {
        let mut games = match self {
            Self::Listed(bytes) => from_bytes(start, bytes)?,
            Self::AllPlies(plies) => all_positions(start, *plies)?,
            Self::Random { count, plies, within } => {
                let usual = G::RANDOM_OPENINGS;
                let (plies, within) = (plies.unwrap_or(usual.0), within.unwrap_or(usual.1));
                random_balanced(start, *count, plies, within, seed)?
            }
        };
        if shuffled {
            shuffle(&mut games, seed);
        }
        Ok(games)
    }
}

/// Puts openings into a random order that depends on nothing but `seed`.
pub fn shuffle<G: MatchGame>(games: &mut [History<G>], seed: u64) {
    let mut random = SplitMix64::new(seed);
    for end in (1..games.len()).rev() {
        games.swap(end, random.below(end + 1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::players::simple::simple_value;
    use outflank_gomoku::{Board as GomokuBoard, Rule};
    use outflank_othello::{Board, Position};

    const JUDGE_DEPTH: u32 = 6;

    fn othello(plies: u32) -> Vec<History<Position>> {
        all_positions(&Position::start(), plies).expect("few")
    }

    #[test]
    fn all_positions_are_as_many_as_published() {
        // SOURCES.md: unique positions up to symmetry after n moves.
        for (plies, count) in [(0, 1), (1, 1), (2, 3), (3, 14), (4, 60), (5, 322), (6, 1773)] {
            let games = othello(plies);
            assert_eq!(games.len(), count);
            assert!(games.iter().all(|game| game.moves().len() == plies as usize));
        }
        assert_eq!(
            all_positions(&Position::start(), 8)
                .expect_err("too many")
                .to_string(),
            "all positions after 8 plies are too many to list; at most 7 plies"
        );
        // No symmetry of a board of 15×15 points maps the 8 + 7 + … + 1 points of one of its triangles to each other.
        let board = GomokuBoard::new(Rule::Freestyle, 15).expect("a size");
        assert_eq!(all_positions(&board, 1).expect("few").len(), 36);
    }

    #[test]
    fn random_openings_are_balanced_different_and_reproducible() {
        let games = random_balanced(&Position::start(), 20, 10, 3, 7).expect("there are many");
        assert_eq!(
            games,
            random_balanced(&Position::start(), 20, 10, 3, 7).expect("there are many")
        );
        assert_ne!(
            games,
            random_balanced(&Position::start(), 20, 10, 3, 8).expect("there are many")
        );
        let boards: BTreeSet<Board> = games
            .iter()
            .map(|game| game.position().board().canonical().0)
            .collect();
        assert_eq!(boards.len(), 20);
        for game in &games {
            assert!(simple_value(game.position(), JUDGE_DEPTH).abs() <= 3.0);
        }
        assert!(matches!(
            random_balanced(&Position::start(), 5, 1, 64, 7),
            Err(OpeningError::TooFew { found: 1, .. })
        ));
    }

    #[test]
    fn positions_are_openings_too_and_wrong_lines_are_named() {
        let board = "-".repeat(26) + "-OX-----XO-" + &"-".repeat(27) + " O\n";
        assert_eq!(
            from_bytes(&Position::start(), board.as_bytes())
                .expect("a board")
                .len(),
            1
        );
        let finished = "X".repeat(64) + " O\n";
        for (text, message) in [
            ("", "there is no position or game here"),
            (
                finished.as_str(),
                "line 1: the game is over at the end of this opening",
            ),
        ] {
            assert_eq!(
                from_bytes(&Position::start(), text.as_bytes())
                    .expect_err(text)
                    .to_string(),
                message
            );
        }
        assert!(
            matches!(from_bytes(&Position::start(), b"f5d6\nf5i9"), Err(OpeningError::Bad(bad)) if bad.line == 2)
        );
    }

    #[test]
    fn shuffling_keeps_every_opening() {
        let mut games = othello(4);
        let before = games.clone();
        shuffle(&mut games, 3);
        assert_ne!(games, before);
        let sorted =
            |games: &[History<Position>]| games.iter().map(History::moves_text).collect::<BTreeSet<_>>();
        assert_eq!(sorted(&games), sorted(&before));
    }
}
