//! How a roll-out plays.

use outflank_game::{GameState, Player, SplitMix64};

/// A roll-out policy: how a game is played on from a leaf, and where that stops.
pub trait Rollout<G: GameState> {
    /// Returns the index of the move to play; `moves` are the legal ones, never empty.
    fn choose(&self, game: &G, moves: &[G::Move], random: &mut SplitMix64) -> usize;

    /// Returns an estimated final margin for the player to move if the roll-out should stop here.
    ///
    /// `plies` counts the moves since the leaf. The default never stops early.
    fn judge(&self, game: &G, plies: u32) -> Option<i32> {
        let _ = (game, plies);
        None
    }

    /// Plays `game` on and returns the margin for the first player.
    ///
    /// A policy that knows a faster way to do the same may override this.
    fn play_out(&self, game: &mut G, random: &mut SplitMix64) -> i32 {
        let mut moves = Vec::new();
        let mut plies = 0;
        loop {
            moves.clear();
            game.collect_legal_moves(&mut moves);
            let margin = match game.outcome().filter(|_| moves.is_empty()) {
                Some(outcome) => Some(outcome.margin),
                None => self.judge(game, plies),
            };
            if let Some(margin) = margin {
                return for_first(game.player(), margin);
            }
            let at = if moves.len() == 1 {
                0
            } else {
                self.choose(game, &moves, random)
            };
            drop(game.play(moves[at.min(moves.len() - 1)]));
            plies += 1;
        }
    }
}

/// Turns a value for `player` into one for the first player, or back.
pub(super) const fn for_first(player: Player, value: i32) -> i32 {
    match player {
        Player::First => value,
        Player::Second => -value,
    }
}

/// Every legal move with the same probability.
#[derive(Clone, Copy, Debug, Default)]
pub struct Uniform;

impl<G: GameState> Rollout<G> for Uniform {
    fn choose(&self, _game: &G, moves: &[G::Move], random: &mut SplitMix64) -> usize {
        random.below(moves.len())
    }
}
