//! Ordering where much lies below each move: by a search of up to three moves with an evaluation at its leaves.

use super::{last::final_score, worker::Worker};
use crate::{
    ordering::{CAPACITY, Candidate, Candidates, odd_quadrants, weighted_mobility},
    table::NO_MOVE,
};
use outflank_eval::Evaluator;
use outflank_othello::{Bitboard, Board, Square, kernels::legal_moves};

/// Fewest empties at which the selective search is asked for a hint.
const GUIDE_FROM: u32 = 15;
/// Moves that the evaluation finds this much worse than the best need no exact estimate, in 1/128 disc.
const MARGIN: i32 = 8 * 128;
/// Beyond every estimate, in 1/128 disc.
const ESTIMATE_MAX: i32 = 65 * 128;

impl<E: Evaluator> Worker<E> {
    /// Scores the moves by what they leave the opponent and by what the evaluation thinks, searched a little where a
    /// cut-off is expected.
    ///
    /// Leaves some without a score if the search was stopped.
    pub(super) fn score_upper<const N: usize>(
        &mut self,
        list: &mut Candidates<N>,
        (player, opponent): (u64, u64),
        hints: [u8; 2],
        empties: u32,
        cut_node: bool,
    ) {
        let weights = self.shared.weights;
        let tier = if empties < weights.whole_from {
            weights.upper
        } else {
            weights.top
        };
        let odd = odd_quadrants(!(player | opponent));
        let mut best = -ESTIMATE_MAX;
        // Where every move must be refuted their order hardly matters.
        let searches = weights
            .search_from
            .iter()
            .filter(|&&from| cut_node && empties >= from);
        let depth = searches.count() as u32;
        let board = Board::new_unchecked(Bitboard::new(player), Bitboard::new(opponent));
        let state = (tier.evaluation != 0 && empties - 1 - depth >= weights.full_from)
            .then(|| self.shared.evaluator.state(board));
        list.score_rest(|candidate| {
            let mut score = tier.cheap(candidate, (player, opponent), odd);
            if tier.evaluation != 0 {
                let bound = ESTIMATE_MAX.min(MARGIN - best);
                let next = self.state_after(state.as_ref(), board, candidate);
                let estimate = self.estimate(
                    candidate.after(player, opponent),
                    next.as_ref(),
                    (-ESTIMATE_MAX, bound),
                    depth,
                );
                if self.stopped {
                    return None;
                }
                best = best.max(-estimate);
                score -= estimate * tier.evaluation / 128;
            }
            if candidate.square == hints[0] {
                score += 1 << 24;
            } else if candidate.square == hints[1] {
                score += 1 << 23;
            }
            Some(score)
        });
    }

    /// Asks the selective search for a hint where the table has none.
    #[inline]
    pub(super) fn add_guide(&self, hints: &mut [u8; 2], (player, opponent): (u64, u64), empties: u32) {
        if hints[0] == NO_MOVE
            && empties >= GUIDE_FROM
            && let Some(guide) = &self.shared.guide
        {
            let board = Board::new_unchecked(Bitboard::new(player), Bitboard::new(opponent));
            hints[0] = guide.best(board).map_or(NO_MOVE, |square| square as u8);
        }
    }

    /// Returns the evaluator's state after a move, if there is one before it.
    #[inline(always)]
    fn state_after(&self, state: Option<&E::State>, board: Board, candidate: &Candidate) -> Option<E::State> {
        let square = Square::from_index_wrapping(usize::from(candidate.square));
        let flips = Bitboard::new(candidate.flips);
        state.map(|state| self.shared.evaluator.after_move(state, board, square, flips))
    }

    /// Returns the evaluation after `depth` more moves, in 1/128 disc for the owner of `player`.
    ///
    /// With the evaluator's `state` the leaves get its whole estimate as far as it matters, or where few empties are left
    /// the rough one; without only what is good enough to sort moves.
    fn estimate(
        &mut self,
        (player, opponent): (u64, u64),
        state: Option<&E::State>,
        (mut alpha, beta): (i32, i32),
        depth: u32,
    ) -> i32 {
        let board = Board::new_unchecked(Bitboard::new(player), Bitboard::new(opponent));
        if depth == 0 {
            let evaluator = &self.shared.evaluator;
            return match state {
                Some(state) if board.empties().count() >= self.shared.weights.whole_from => {
                    evaluator.evaluate_within(board, state, alpha, beta)
                }
                Some(state) => evaluator.rough(board, state),
                None => evaluator.ordering_score(board),
            }
            .units();
        }
        if self.enter() {
            return 0;
        }
        let moves = legal_moves(player, opponent);
        if moves == 0 {
            if legal_moves(opponent, player) == 0 {
                return final_score(player, opponent) * 128;
            }
            let passed = state.map(|state| self.shared.evaluator.after_pass(state));
            return -self.estimate((opponent, player), passed.as_ref(), (-beta, -alpha), depth);
        }
        let mut list = Candidates::<CAPACITY>::new();
        if !list.add_moves((player, opponent), moves) {
            return 64 * 128;
        }
        if depth > 1 {
            list.score_rest(|candidate| {
                let (next, other) = candidate.after(player, opponent);
                Some(-weighted_mobility(next, other))
            });
        }
        let mut best = -ESTIMATE_MAX;
        while let Some(candidate) = list.take_best() {
            let next = self.state_after(state, board, &candidate);
            let after = candidate.after(player, opponent);
            best = best.max(-self.estimate(after, next.as_ref(), (-beta, -alpha), depth - 1));
            if self.stopped {
                return 0;
            }
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        best
    }
}
