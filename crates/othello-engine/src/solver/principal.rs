//! Search with an open window: the principal variation, whose moves are recorded.

use super::{
    last::{NONE, final_score},
    worker::Worker,
};
use crate::{
    ordering::{CAPACITY, Candidates},
    table::{ExactEntry, NO_MOVE, hash},
};
use outflank_eval::Evaluator;
use outflank_othello::{Move, Square, kernels::legal_moves};

/// The best line found, first move first.
pub(super) type Line = Vec<Move>;

/// Fewest empties for which positions of the principal variation go to the shared table.
const SHARE_FROM: u32 = 8;

impl<E: Evaluator> Worker<E> {
    /// Returns the value if it is between `alpha` and `beta`, both even; else a bound beyond the one it passes.
    ///
    /// `line` becomes the best line if the value is above `alpha`.
    pub(super) fn principal(
        &mut self,
        (player, opponent): (u64, u64),
        mut alpha: i32,
        beta: i32,
        line: &mut Line,
    ) -> i32 {
        line.clear();
        if self.enter() {
            return 0;
        }
        let entered = self.nodes;
        let moves = legal_moves(player, opponent);
        if moves == 0 {
            if legal_moves(opponent, player) == 0 {
                return final_score(player, opponent);
            }
            let value = -self.principal((opponent, player), -beta, -alpha, line);
            line.insert(0, Move::Pass);
            return value;
        }
        let mut list = Candidates::<CAPACITY>::new();
        if !list.add_moves((player, opponent), moves) {
            return self.wipe_out((player, opponent), moves, line);
        }
        let empties = (!(player | opponent)).count_ones();
        let sharing = self.techniques().shared_table && empties >= SHARE_FROM;
        let key = hash(player, opponent);
        let mut hints = if sharing {
            let entry = self.shared.table.probe(key, (player, opponent));
            entry.map_or([NO_MOVE; 2], |entry| entry.moves)
        } else {
            [NO_MOVE; 2]
        };
        self.add_guide(&mut hints, (player, opponent), empties);
        self.score_upper(&mut list, (player, opponent), hints, empties, true);
        if self.stopped {
            return 0;
        }
        let (mut best, mut best_square) = (NONE, NO_MOVE);
        let floor = alpha;
        let mut child_line = Line::new();
        while let Some(candidate) = list.take_best() {
            let (next, other) = candidate.after(player, opponent);
            let mut value = NONE;
            let first = best == NONE;
            if !first {
                value = -self.null_window::<true>(next, other, -alpha - 2, true);
            }
            let open = first || value > alpha && value < beta;
            if open && !self.stopped {
                let low = alpha.max(value - 2);
                value = -self.principal((next, other), -beta, -low, &mut child_line);
            }
            if self.stopped {
                return 0;
            }
            if value > best {
                best = value;
                best_square = candidate.square;
                if value > alpha {
                    line.clear();
                    line.push(Move::Place(Square::from_index_wrapping(usize::from(
                        candidate.square,
                    ))));
                    if open {
                        line.append(&mut child_line);
                    }
                }
            }
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        if sharing {
            let nodes = self.nodes - entered;
            self.shared.table.update(key, (player, opponent), |old| {
                let mut entry = old.unwrap_or(ExactEntry::unknown(player, opponent));
                if best > floor {
                    entry = entry.learned(best - 2, best, best_square, nodes);
                }
                if best < beta {
                    entry = entry.learned(best, best, best_square, nodes);
                }
                entry
            });
        }
        best
    }

    /// One of the moves takes the last disc: the value is 64.
    fn wipe_out(&mut self, (player, opponent): (u64, u64), moves: u64, line: &mut Line) -> i32 {
        let square = outflank_othello::Bitboard::new(moves)
            .into_iter()
            .find(|&square| outflank_othello::kernels::flips(square.index(), player, opponent) == opponent);
        if self.enter() {
            return 0;
        }
        line.extend(square.map(Move::Place));
        64
    }
}
