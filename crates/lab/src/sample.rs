//! Seeded positions and openings for experiments and tests.

use outflank_game::SplitMix64;
use outflank_othello::Position;
use std::ops::Range;

/// Returns the position after `plies` random moves, or `None` if the game is over by then.
pub fn random_position(plies: usize, random: &mut SplitMix64) -> Option<Position> {
    let mut position = Position::start();
    for _ in 0..plies {
        let moves = position.legal_moves();
        let mv = *moves.get(random.below(moves.len()))?;
        position.play(mv).expect("generated moves are legal");
    }
    (!position.is_game_over()).then_some(position)
}

/// Returns `n` positions that are not over, each after a random number of random moves within `plies`.
///
/// The plies go round the range, so that every phase has its share.
pub fn random_positions(n: usize, plies: Range<usize>, seed: u64) -> Vec<Position> {
    let mut random = SplitMix64::new(seed);
    let mut positions = Vec::with_capacity(n);
    let n_plies = plies.len().max(1);
    while positions.len() < n {
        let at = plies.start + positions.len() % n_plies;
        // Late positions may not exist for every random game: another game will have one.
        if let Some(position) = random_position(at, &mut random) {
            positions.push(position);
        }
    }
    positions
}

/// Returns `n` different openings of `plies` random moves, for matches in which both sides play each.
pub fn openings(n: usize, plies: usize, seed: u64) -> Vec<Position> {
    let mut openings: Vec<Position> = Vec::with_capacity(n);
    let mut random = SplitMix64::new(seed);
    let mut n_tries = 0;
    while openings.len() < n {
        n_tries += 1;
        if let Some(position) = random_position(plies, &mut random)
            && (n_tries > 20 * n || !openings.contains(&position))
        {
            openings.push(position);
        }
    }
    openings
}
