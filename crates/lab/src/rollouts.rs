//! The roll-out policies of source document C, and two of the improvements it names.
//!
//! Passes are handled: a side without a move hands the turn over, and the roll-out ends when neither has one. The
//! document's own loop asks for "the best square" until a square comes, and never ends in such a position.

use crate::evaluation::{Evaluation, SQUARE_WEIGHTS};
use outflank_game::{Player, SplitMix64};
use outflank_othello::{Bitboard, Board, Discs, Move, Position, Square};
use outflank_textbook::mcts::Rollout;

/// How a roll-out plays.
#[derive(Clone, Debug)]
pub enum Policy {
    /// Every legal square alike.
    Uniform,
    /// Always the best square by the table; the first of equals, so that every roll-out from a position is the same.
    BestSquare,
    /// A square with a probability that grows with its table value.
    WeightedSquares,
    /// Corners if there are any, then anything but X squares next to empty corners, at random.
    Corners,
    /// Uniform for some plies, then the estimate of an evaluation.
    Truncated {
        /// Random moves before the estimate.
        plies: u32,
        /// The evaluation.
        evaluation: Evaluation,
        /// Units of the evaluation in one disc.
        per_disc: i32,
    },
}

/// Probability weights by square: the table shifted to be positive, so that an X square still has a chance.
const CHANCES: [u32; 64] = {
    let mut chances = [0; 64];
    let mut i = 0;
    while i < 64 {
        chances[i] = (SQUARE_WEIGHTS[i] + 55) as u32;
        i += 1;
    }
    chances
};

impl Policy {
    /// The names that [`Policy::by_name`] knows.
    pub const NAMES: [&'static str; 6] = [
        "uniform",
        "best-square",
        "weighted",
        "corners",
        "truncated",
        "learned",
    ];

    /// Returns the policy with this name.
    pub fn by_name(name: &str) -> Option<Self> {
        Some(match name {
            "uniform" => Self::Uniform,
            "best-square" => Self::BestSquare,
            "weighted" => Self::WeightedSquares,
            "corners" => Self::Corners,
            "truncated" => Self::Truncated {
                plies: 4,
                evaluation: Evaluation::HandMade,
                per_disc: 128,
            },
            // Document C's outlook: a learned evaluation in the place of most of the roll-out.
            "learned" => Self::Truncated {
                plies: 2,
                evaluation: Evaluation::by_name("learned")?,
                per_disc: 128,
            },
            _ => return None,
        })
    }

    /// Returns the square to play out of `moves`, which is not empty.
    fn pick(&self, board: Board, moves: Bitboard, random: &mut SplitMix64) -> Square {
        match self {
            Self::Uniform | Self::Truncated { .. } => nth(moves, random.below(moves.count() as usize)),
            Self::BestSquare => {
                let weight = |square: Square| SQUARE_WEIGHTS[square.index()];
                // `max_by_key` would give the last of equals.
                moves.into_iter().rev_max(weight)
            }
            Self::WeightedSquares => {
                let total: u32 = moves.into_iter().map(|square| CHANCES[square.index()]).sum();
                let mut left = random.below(total as usize) as u32;
                for square in moves {
                    let chance = CHANCES[square.index()];
                    if left < chance {
                        return square;
                    }
                    left -= chance;
                }
                nth(moves, 0)
            }
            Self::Corners => {
                let corners = moves & Bitboard::CORNERS;
                let open_corners = board.empties() & Bitboard::CORNERS;
                let calm = moves - (open_corners.neighbors() & Bitboard::X_SQUARES);
                let preferred = [corners, calm, moves].into_iter().find(|set| !set.is_empty());
                let set = preferred.unwrap_or(moves);
                nth(set, random.below(set.count() as usize))
            }
        }
    }
}

/// Choosing the first of the greatest.
trait RevMax: Iterator<Item = Square> + Sized {
    fn rev_max(self, key: impl Fn(Square) -> i32) -> Square {
        self.fold(None, |best: Option<(i32, Square)>, square| match best {
            Some(found) if found.0 >= key(square) => Some(found),
            _ => Some((key(square), square)),
        })
        .map_or(Square::A1, |(_, square)| square)
    }
}

impl<I: Iterator<Item = Square>> RevMax for I {}

/// Returns the `n`-th square of the set, counted from 0.
fn nth(set: Bitboard, n: usize) -> Square {
    let mut bits = set.bits();
    for _ in 0..n {
        bits &= bits - 1;
    }
    Square::from_index_wrapping(bits.trailing_zeros() as usize)
}

impl Rollout<Position> for Policy {
    fn choose(&self, position: &Position, moves: &[Move], random: &mut SplitMix64) -> usize {
        let squares: Bitboard = moves.iter().filter_map(|mv| mv.square()).collect();
        if squares.is_empty() {
            return 0;
        }
        let square = self.pick(position.board(), squares, random);
        moves
            .iter()
            .position(|mv| mv.square() == Some(square))
            .unwrap_or(0)
    }

    fn judge(&self, position: &Position, plies: u32) -> Option<i32> {
        match self {
            Self::Truncated {
                plies: limit,
                evaluation,
                per_disc,
            } if plies >= *limit => Some(estimate(evaluation, *per_disc, position.board())),
            _ => None,
        }
    }

    /// The same as the default, on bare boards.
    fn play_out(&self, position: &mut Position, random: &mut SplitMix64) -> i32 {
        let mut board = position.board();
        let mut side = position.side();
        let mut plies = 0;
        let margin = loop {
            let mut moves = board.legal_moves();
            if moves.is_empty() {
                let passed = board.passed();
                moves = passed.legal_moves();
                if moves.is_empty() {
                    break board.final_discs();
                }
                if let Some(margin) = self.judge(&Position::new(board, side), plies) {
                    break Discs::saturating(margin);
                }
                board = passed;
                side = !side;
                plies += 1;
            }
            if let Self::Truncated {
                plies: limit,
                evaluation,
                per_disc,
            } = self
                && plies >= *limit
            {
                break Discs::saturating(estimate(evaluation, *per_disc, board));
            }
            let square = if moves.count() == 1 {
                nth(moves, 0)
            } else {
                self.pick(board, moves, random)
            };
            board = board.play_unchecked(square, board.flips(square));
            side = !side;
            plies += 1;
        };
        match side.into() {
            Player::First => margin.get(),
            Player::Second => -margin.get(),
        }
    }
}

/// Returns an evaluation in discs, within ±64.
fn estimate(evaluation: &Evaluation, per_disc: i32, board: Board) -> i32 {
    (evaluation.value(board) / per_disc.max(1)).clamp(-64, 64)
}

/// Plays `position` to its end without any policy's help, for tests: returns black's margin.
#[cfg(test)]
fn generic_play_out(policy: &Policy, position: &Position, random: &mut SplitMix64) -> i32 {
    /// Hides the fast `play_out`.
    struct Plain<'a>(&'a Policy);
    impl Rollout<Position> for Plain<'_> {
        fn choose(&self, position: &Position, moves: &[Move], random: &mut SplitMix64) -> usize {
            self.0.choose(position, moves, random)
        }
        fn judge(&self, position: &Position, plies: u32) -> Option<i32> {
            self.0.judge(position, plies)
        }
    }
    Plain(policy).play_out(&mut position.clone(), random)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::random_positions;

    #[test]
    fn bare_boards_play_out_as_positions_do() {
        let policies = Policy::NAMES.map(|name| (name, Policy::by_name(name).unwrap()));
        for (i, position) in random_positions(240, 0..60, 12).into_iter().enumerate() {
            for (name, policy) in &policies {
                let (mut a, mut b) = (SplitMix64::new(i as u64), SplitMix64::new(i as u64));
                let fast = policy.play_out(&mut position.clone(), &mut a);
                assert_eq!(
                    fast,
                    generic_play_out(policy, &position, &mut b),
                    "{name} {position}"
                );
                assert!((-64..=64).contains(&fast));
            }
        }
        assert!(Policy::by_name("no such").is_none());
    }

    #[test]
    fn choices_follow_the_table() {
        let position = Position::start();
        let mut random = SplitMix64::new(1);
        let moves = position.legal_moves();
        for policy in Policy::NAMES.map(|name| Policy::by_name(name).unwrap()) {
            for _ in 0..100 {
                assert!(policy.choose(&position, &moves, &mut random) < moves.len());
            }
        }
        // b1 is empty between a corner and a disc: the corner is worth 100, and is always taken.
        let position: Position = "-OX--------O------X---------------------------------------------X"
            .parse()
            .unwrap();
        let squares: Vec<_> = position.legal_moves();
        assert!(squares.len() > 1, "{squares:?}");
        for name in ["best-square", "corners"] {
            let at = Policy::by_name(name)
                .unwrap()
                .choose(&position, &squares, &mut random);
            assert_eq!(squares[at], Move::Place(Square::A1), "{name}");
        }
    }
}
