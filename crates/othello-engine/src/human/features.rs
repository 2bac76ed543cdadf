//! What people see of a move.

use super::policy::Openings;
use crate::full_width::FullWidth;
use outflank_eval::Evaluator;
use outflank_othello::{Bitboard, Board, Square};

/// Numbers that describe a move.
pub const FEATURES: usize = 44;

/// How many discs ahead the losses of a move are looked at.
pub const LOOK_DEPTHS: [u32; 3] = [1, 2, 4];

/// A legal move as the policy sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The move.
    pub square: Square,
    /// Discs that it loses against the best move, at each of [`LOOK_DEPTHS`].
    pub losses: [f32; LOOK_DEPTHS.len()],
    /// Its value for the player in discs, at the last of the depths.
    pub value: f32,
    /// What the weights are multiplied with.
    pub features: [f32; FEATURES],
}

impl Candidate {
    /// Returns the discs that the move loses, at the last of [`LOOK_DEPTHS`].
    pub const fn loss(&self) -> f32 {
        self.losses[LOOK_DEPTHS.len() - 1]
    }
}

/// Returns the legal moves of a board with what people see of them, by square.
///
/// A game that came to the board after it as `left_out`, and was counted in `openings`, is left out of account: who
/// learns from a game must not find it there.
pub fn candidates<E: Evaluator>(
    board: Board,
    search: &mut FullWidth<E>,
    openings: &Openings,
    left_out: Option<Board>,
) -> Vec<Candidate> {
    let values: Vec<[f32; LOOK_DEPTHS.len()]> = board
        .legal_moves()
        .into_iter()
        .map(|square| {
            let child = board.play_unchecked(square, board.flips(square));
            LOOK_DEPTHS.map(|depth| -search.value(child, depth - 1).discs() as f32)
        })
        .collect();
    described(board, &values, openings, left_out)
}

/// As [`candidates`], with the values of the legal moves, by square, at each of [`LOOK_DEPTHS`], in discs.
pub fn described(
    board: Board,
    values: &[[f32; LOOK_DEPTHS.len()]],
    openings: &Openings,
    left_out: Option<Board>,
) -> Vec<Candidate> {
    let moves = board.legal_moves();
    let best: [f32; LOOK_DEPTHS.len()] = std::array::from_fn(|depth| {
        values
            .iter()
            .map(|values| values[depth])
            .fold(f32::NEG_INFINITY, f32::max)
    });
    let most = moves.into_iter().map(|square| board.flips(square).count()).max();
    let most = most.unwrap_or_default();
    moves
        .into_iter()
        .zip(values)
        .map(|(square, values)| {
            let losses = std::array::from_fn(|depth| best[depth] - values[depth]);
            let mut features = [0.0; FEATURES];
            describe(&mut features, board, square, most, (openings, left_out));
            describe_losses(&mut features, &losses, best[2], values[2]);
            Candidate {
                square,
                losses,
                value: values[2],
                features,
            }
        })
        .collect()
}

/// Features 0 to 12: what the move loses.
fn describe_losses(features: &mut [f32; FEATURES], losses: &[f32; 3], best: f32, value: f32) {
    for (depth, &loss) in losses.iter().enumerate() {
        features[3 * depth] = loss.min(12.0) / 4.0;
        features[3 * depth + 1] = loss.min(30.0).sqrt() / 2.0;
        features[3 * depth + 2] = f32::from(u8::from(loss == 0.0));
    }
    // Only a second look shows what is wrong with it.
    features[9] = (losses[2] - losses[0]).clamp(0.0, 12.0) / 4.0;
    features[10] = (losses[0] - losses[2]).clamp(0.0, 12.0) / 4.0;
    // It throws a won or drawn game away.
    features[11] = f32::from(u8::from(best > 0.5 && value < -0.5));
    features[12] = losses[2].min(6.0) / 2.0 * (1.0 - (best.abs() / 20.0).min(1.0));
}

/// Features 13 and on: what the move looks like.
fn describe(
    features: &mut [f32; FEATURES],
    board: Board,
    square: Square,
    most_flips: u32,
    (openings, left_out): (&Openings, Option<Board>),
) {
    let flag = |condition: bool| f32::from(u8::from(condition));
    let flips = board.flips(square);
    let child = board.play_unchecked(square, flips);
    let placed = Bitboard::from_square(square);
    let (empties, after) = (board.empties(), child.empties());
    // The ten kinds of squares up to symmetry.
    features[13 + kind(square)] = 1.0;
    features[23] = flips.count() as f32 / 4.0;
    features[24] = (flips.count() as f32).ln();
    features[25] = flag(flips.count() == most_flips);
    let own = child.passed().legal_moves();
    let other = child.legal_moves();
    features[26] = own.count() as f32 / 4.0;
    features[27] = other.count() as f32 / 4.0;
    features[28] = flag(other.is_empty());
    features[29] = (other & Bitboard::CORNERS).count() as f32;
    features[30] = (own & Bitboard::CORNERS).count() as f32;
    features[31] = flag(
        other.intersects(Bitboard::CORNERS) && !board.passed().legal_moves().intersects(Bitboard::CORNERS),
    );
    // X and C squares beside an empty corner, and beside a taken one.
    let corner_nearby = Bitboard::CORNERS & placed.neighbors();
    let open = !corner_nearby.is_empty() && corner_nearby.intersects(empties);
    features[32] = flag(open && Bitboard::X_SQUARES.contains(square));
    features[33] = flag(open && Bitboard::C_SQUARES.contains(square));
    // Discs that the move lays open.
    let touched = flips | placed;
    features[34] = (touched & after.neighbors()).count() as f32 / 4.0;
    features[35] = flag((touched & after.neighbors()).is_empty());
    features[36] = (flips & Bitboard::EDGES).count() as f32 / 2.0;
    features[37] = (placed.neighbors() & after).count() as f32 / 4.0;
    features[38] = flag(!(placed.neighbors() & after & !other).is_empty());
    // Whose last move it is in this region of empty squares.
    let region = region(empties, square);
    features[39] = flag(region.count() % 2 == 1);
    features[40] = flag(region.count() == 1);
    features[41] = flag(region.count() == 2);
    // How often people have come there; how sure that is.
    if let Some(share) = openings.share(board, child, left_out) {
        features[42] = share.ln() / 2.0;
        features[43] = flag(share < 0.02);
    }
}

/// Returns the kind of a square up to symmetry, 0 to 9.
fn kind(square: Square) -> usize {
    let fold = |at: usize| at.min(7 - at);
    let (column, row) = (fold(square.column()), fold(square.row()));
    let (low, high) = (column.min(row), column.max(row));
    // The triangle a1 b1 c1 d1 b2 c2 d2 c3 d3 d4.
    match low {
        0 => high,
        1 => 3 + high,
        2 => 5 + high,
        _ => 9,
    }
}

/// Returns the empty squares that hang together with `square`, diagonals included.
fn region(empties: Bitboard, square: Square) -> Bitboard {
    let mut region = Bitboard::from_square(square);
    loop {
        let grown = (region | region.neighbors()) & empties;
        if grown == region {
            return region;
        }
        region = grown;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_eval::HandMade;
    use outflank_game::SplitMix64;
    use outflank_othello::{Position, Symmetry};

    fn random_board(random: &mut SplitMix64, plies: usize) -> Option<Board> {
        let mut position = Position::start();
        for _ in 0..plies {
            let moves = position.legal_moves();
            if moves.is_empty() {
                return None;
            }
            let mv = moves[random.below(moves.len())];
            position.play(mv).expect("it is legal");
        }
        (!position.board().legal_moves().is_empty()).then(|| position.board())
    }

    #[test]
    fn there_are_ten_kinds_of_squares_up_to_symmetry() {
        for square in (0..64).map(Square::from_index_wrapping) {
            for symmetry in Symmetry::ALL {
                assert_eq!(kind(square), kind(symmetry.square(square)), "{square}");
            }
        }
        let kinds: std::collections::BTreeSet<usize> =
            (0..64).map(Square::from_index_wrapping).map(kind).collect();
        assert_eq!(kinds.into_iter().collect::<Vec<_>>(), (0..10).collect::<Vec<_>>());
    }

    #[test]
    fn images_of_a_move_look_alike() {
        let mut search = FullWidth::new(HandMade);
        let mut random = SplitMix64::new(3);
        let openings = Openings::default();
        for ply in 1..58 {
            let Some(board) = random_board(&mut random, ply) else {
                continue;
            };
            let plain = candidates(board, &mut search, &openings, None);
            for symmetry in Symmetry::ALL {
                for image in candidates(board.transformed(symmetry), &mut search, &openings, None) {
                    let square = symmetry.inverse().square(image.square);
                    let of_plain = plain.iter().find(|candidate| candidate.square == square);
                    let of_plain = of_plain.expect("images have the same moves");
                    assert_eq!(
                        (image.losses, image.features),
                        (of_plain.losses, of_plain.features)
                    );
                }
            }
        }
    }

    #[test]
    fn losses_are_those_of_a_plain_search() {
        fn negamax(board: Board, depth: u32) -> f32 {
            let moves = board.legal_moves();
            if moves.is_empty() {
                if board.is_game_over() {
                    return board.final_discs().get() as f32;
                }
                return -negamax(board.passed(), depth);
            }
            if depth == 0 {
                return HandMade.evaluate(board, &()).discs() as f32;
            }
            let children = moves
                .into_iter()
                .map(|square| board.play_unchecked(square, board.flips(square)));
            children
                .map(|child| -negamax(child, depth - 1))
                .fold(f32::NEG_INFINITY, f32::max)
        }
        let mut search = FullWidth::new(HandMade);
        let mut random = SplitMix64::new(8);
        for ply in [4, 20, 40, 52, 55] {
            let Some(board) = random_board(&mut random, ply) else {
                continue;
            };
            for candidate in candidates(board, &mut search, &Openings::default(), None) {
                let child = board.play_unchecked(candidate.square, board.flips(candidate.square));
                for (at, depth) in LOOK_DEPTHS.into_iter().enumerate() {
                    let loss = negamax(board, depth) + negamax(child, depth - 1);
                    let error = (candidate.losses[at] - loss).abs();
                    assert!(error < 1e-6, "{board:?} {} {depth}", candidate.square);
                }
            }
        }
    }
}
