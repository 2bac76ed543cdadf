//! The laws that every [`GameState`] must satisfy, checked along random games.
//!
//! A game's own tests call [`check`] with a start state and a seed; the first broken law comes back by name, so that
//! a mutation test can ask *which* law it broke.

use crate::GameState;
use std::fmt;

/// A law of the suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Law {
    /// The generated moves are exactly those that `is_legal` accepts, without duplicates.
    MovesAreLegal,
    /// A state has an outcome if and only if it has no legal move.
    OutcomeEndsTheGame,
    /// A move changes the player to move.
    PlayersAlternate,
    /// Playing a move and taking it back restores everything, keys included.
    UndoRestores,
    /// A copy equals its original, and playing in the copy leaves the original alone.
    CopiesAgree,
    /// The incremental key equals the recomputed key.
    KeyIsIncremental,
    /// The inverse of a symmetry takes the state and every move back, and distinct moves have distinct images.
    SymmetryIsBijection,
    /// A symmetry maps the legal moves onto the legal moves of the image.
    SymmetryMapsMoves,
    /// Playing commutes with every symmetry.
    SymmetryMapsPlay,
    /// A symmetry keeps the outcome and the player to move.
    SymmetryMapsOutcome,
    /// All images of a state have the same canonical form, reached by the symmetry that is reported.
    CanonicalIsUnique,
    /// A move carried to the canonical form, played there and carried back gives the move and state of the original.
    CanonicalCarriesMoves,
}

/// A law that did not hold, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The law.
    pub law: Law,
    /// The state and move at which it broke, in `Debug` form.
    pub place: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "law {:?} broken at {}", self.law, self.place)
    }
}

impl std::error::Error for Violation {}

/// How far [`check`] went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// States visited.
    pub states: u64,
    /// Passes played.
    pub passes: u64,
    /// Games that reached an outcome.
    pub finished: u64,
}

/// Plays `n_games` random games of at most `max_plies` plies from `start` and checks every law at every state.
///
/// The random choices depend on `seed` alone.
///
/// # Errors
///
/// Returns the first [`Violation`].
///
/// # Examples
///
/// ```
/// use outflank_game::{ToyGame, conformance};
/// let game = ToyGame::new("((3 5) (2 (9 1)))".parse().expect("well formed"));
/// let coverage = conformance::check(&game, 10, 100, 1).expect("a toy game obeys the laws");
/// assert_eq!(coverage.finished, 10);
/// ```
pub fn check<G: GameState>(
    start: &G,
    n_games: u32,
    max_plies: u32,
    seed: u64,
) -> Result<Coverage, Violation> {
    let mut coverage = Coverage::default();
    let mut random = seed.wrapping_mul(2).wrapping_add(1);
    for _ in 0..n_games {
        let mut game = start.clone();
        for _ in 0..=max_plies {
            coverage.states += 1;
            check_state(&game)?;
            let moves = game.legal_moves();
            if moves.is_empty() {
                coverage.finished += 1;
                break;
            }
            random = random
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            let mv = moves[((random >> 33) as usize) % moves.len()];
            coverage.passes += u64::from(game.is_pass(mv));
            drop(game.play(mv));
        }
    }
    Ok(coverage)
}

/// Checks every law at one state.
///
/// # Errors
///
/// Returns the first [`Violation`].
pub fn check_state<G: GameState>(game: &G) -> Result<(), Violation> {
    let ensure = |holds: bool, law: Law, what: &dyn fmt::Debug| {
        if holds {
            Ok(())
        } else {
            Err(Violation {
                law,
                place: format!("{game:?}, {what:?}"),
            })
        }
    };
    let moves = game.legal_moves();
    check_moves(game, &moves, &ensure)?;
    check_play(game, &moves, &ensure)?;
    for symmetry in game.symmetries() {
        check_symmetry(game, &moves, symmetry, &ensure)?;
    }
    check_canonical(game, &moves, &ensure)
}

type Ensure<'a> = &'a dyn Fn(bool, Law, &dyn fmt::Debug) -> Result<(), Violation>;

fn check_moves<G: GameState>(game: &G, moves: &[G::Move], ensure: Ensure<'_>) -> Result<(), Violation> {
    let mut sorted = moves.to_vec();
    sorted.sort_unstable();
    let mut legal: Vec<_> = game
        .all_moves()
        .into_iter()
        .filter(|&mv| game.is_legal(mv))
        .collect();
    legal.sort_unstable();
    ensure(sorted == legal, Law::MovesAreLegal, &(&sorted, &legal))?;
    ensure(
        sorted.windows(2).all(|pair| pair[0] != pair[1]),
        Law::MovesAreLegal,
        &sorted,
    )?;
    ensure(
        moves.is_empty() == game.outcome().is_some(),
        Law::OutcomeEndsTheGame,
        &game.outcome(),
    )
}

fn check_play<G: GameState>(game: &G, moves: &[G::Move], ensure: Ensure<'_>) -> Result<(), Violation> {
    ensure(
        game.key() == game.recomputed_key(),
        Law::KeyIsIncremental,
        &game.key(),
    )?;
    let (copy, key) = (game.clone(), game.key());
    ensure(copy == *game && copy.key() == key, Law::CopiesAgree, &copy)?;
    for &mv in moves {
        let mut played = game.clone();
        let undo = played.play(mv);
        let untouched = copy == *game && copy.key() == key && game.key() == key;
        ensure(untouched && game.legal_moves() == moves, Law::CopiesAgree, &mv)?;
        ensure(played.player() == !game.player(), Law::PlayersAlternate, &mv)?;
        ensure(
            played.key() == played.recomputed_key(),
            Law::KeyIsIncremental,
            &mv,
        )?;
        played.undo(mv, undo);
        let restored = played == *game && played.key() == game.key() && played.player() == game.player();
        ensure(restored && played.legal_moves() == moves, Law::UndoRestores, &mv)?;
    }
    Ok(())
}

fn check_symmetry<G: GameState>(
    game: &G,
    moves: &[G::Move],
    symmetry: G::Symmetry,
    ensure: Ensure<'_>,
) -> Result<(), Violation> {
    let image = game.transformed(symmetry);
    let inverse = game.inverse(symmetry);
    ensure(
        image.transformed(inverse) == *game,
        Law::SymmetryIsBijection,
        &symmetry,
    )?;
    let mut images = Vec::new();
    for mv in game.all_moves() {
        let there = game.transform_move(mv, symmetry);
        ensure(
            image.transform_move(there, inverse) == mv,
            Law::SymmetryIsBijection,
            &(symmetry, mv),
        )?;
        images.push(there);
    }
    let n_images = images.len();
    images.sort_unstable();
    images.dedup();
    ensure(images.len() == n_images, Law::SymmetryIsBijection, &symmetry)?;

    let mut mapped: Vec<_> = moves
        .iter()
        .map(|&mv| game.transform_move(mv, symmetry))
        .collect();
    mapped.sort_unstable();
    let mut there = image.legal_moves();
    there.sort_unstable();
    ensure(mapped == there, Law::SymmetryMapsMoves, &symmetry)?;
    let same_end = image.outcome() == game.outcome() && image.player() == game.player();
    ensure(same_end, Law::SymmetryMapsOutcome, &symmetry)?;
    ensure(
        image.key() == image.recomputed_key(),
        Law::KeyIsIncremental,
        &symmetry,
    )?;
    for &mv in moves {
        let mut played = game.clone();
        drop(played.play(mv));
        let mut image_played = image.clone();
        drop(image_played.play(game.transform_move(mv, symmetry)));
        ensure(
            played.transformed(symmetry) == image_played,
            Law::SymmetryMapsPlay,
            &(symmetry, mv),
        )?;
    }
    Ok(())
}

fn check_canonical<G: GameState>(game: &G, moves: &[G::Move], ensure: Ensure<'_>) -> Result<(), Violation> {
    let (canonical, to_canonical) = game.canonical();
    ensure(
        game.transformed(to_canonical) == canonical,
        Law::CanonicalIsUnique,
        &to_canonical,
    )?;
    for symmetry in game.symmetries() {
        ensure(
            game.transformed(symmetry).canonical().0 == canonical,
            Law::CanonicalIsUnique,
            &symmetry,
        )?;
    }
    let back = game.inverse(to_canonical);
    for &mv in moves {
        let there = game.transform_move(mv, to_canonical);
        let returned = canonical.transform_move(there, back);
        let mut played = game.clone();
        drop(played.play(mv));
        let mut canonical_played = canonical.clone();
        drop(canonical_played.play(there));
        let carried = returned == mv && canonical_played.transformed(back) == played;
        ensure(carried, Law::CanonicalCarriesMoves, &mv)?;
    }
    Ok(())
}

/// Returns every law of the suite, for tests that must break each one.
pub fn laws() -> [Law; 12] {
    use Law::*;
    [
        MovesAreLegal,
        OutcomeEndsTheGame,
        PlayersAlternate,
        UndoRestores,
        CopiesAgree,
        KeyIsIncremental,
        SymmetryIsBijection,
        SymmetryMapsMoves,
        SymmetryMapsPlay,
        SymmetryMapsOutcome,
        CanonicalIsUnique,
        CanonicalCarriesMoves,
    ]
}
