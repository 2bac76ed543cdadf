//! The pattern evaluation against the naive one, and its files against damage.

use super::{
    PatternState, Patterns, WeightsError,
    layout::{
        CLASS_LIST, CLASSES, FEATURES, FULL, LAYOUT, PACKED, PARAMETERS, each_place, full_number,
        mirror_images, packed_parameters,
    },
    naive::Naive,
    weights::{KNOTS, Weights, knot_share},
};
use crate::{Evaluator, Score};
use outflank_othello::{Bitboard, Board, Square, Symmetry};
use proptest::prelude::*;

/// A fixed generator, so that every run sees the same numbers.
fn xorshift(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

fn random_weights(seed: u64) -> Weights {
    let mut state = seed | 1;
    let mut next = || (xorshift(&mut state) % 401) as i16 - 200;
    let mut weights = Weights::zero();
    for weight in weights.knots_mut().iter_mut().flatten() {
        *weight = next();
    }
    weights.bias_mut().fill_with(&mut next);
    weights.light_mut().fill_with(&mut next);
    weights.light_bias_mut().fill_with(next);
    weights
}

/// Plays random moves and calls `visit` on every board with the move that follows.
fn random_game(seed: u64, mut visit: impl FnMut(Board, Option<(Square, Bitboard)>)) {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut board = Board::start();
    loop {
        let moves: Vec<Square> = board.legal_moves().into_iter().collect();
        if moves.is_empty() {
            visit(board, None);
            if board.is_game_over() {
                return;
            }
            board = board.passed();
            continue;
        }
        let square = moves[(xorshift(&mut state) % moves.len() as u64) as usize];
        let flips = board.flips(square);
        visit(board, Some((square, flips)));
        board = board.play_unchecked(square, flips);
    }
}

#[test]
fn numberings_agree() {
    let packed = packed_parameters();
    assert_eq!(packed.len(), FULL);
    assert_eq!(packed.iter().max(), Some(&(PACKED as u32 - 1)));
    assert_eq!(LAYOUT.first[CLASSES] as usize, FULL);
    let mut places = Vec::new();
    each_place(|full, table, index| {
        assert_eq!(full, places.len());
        places.push((table, index));
    });
    assert_eq!(places.len(), FULL);
    for feature in 0..FEATURES {
        let class = usize::from(LAYOUT.class[feature]);
        for full in LAYOUT.first[class]..LAYOUT.first[class + 1] {
            let (table, index) = places[full as usize];
            assert_eq!(table, usize::from(LAYOUT.table[feature]));
            assert_eq!(full_number(feature, index), full as usize);
        }
    }
}

#[test]
fn mirror_images_have_the_digits_of_mirrored_squares() {
    for (class, entry) in CLASS_LIST.iter().enumerate() {
        let (squares, images) = (entry.squares, mirror_images(class));
        assert_eq!(images.len(), 3_usize.pow(squares.len() as u32));
        // The only symmetries that move squares of a class within it.
        let mirror = Symmetry::ALL.into_iter().find(|symmetry| {
            squares
                .iter()
                .all(|&square| squares.contains(&symmetry.square(square)))
                && squares.iter().any(|&square| symmetry.square(square) != square)
        });
        let mirror = mirror.expect("a symmetry");
        for (number, &image) in images.iter().enumerate() {
            let digit = |number: usize, square| {
                let place = squares.iter().position(|&other| other == square);
                number / 3_usize.pow(place.expect("a square of the class") as u32) % 3
            };
            for &square in squares {
                assert_eq!(
                    digit(number, square),
                    digit(image as usize, mirror.square(square))
                );
            }
        }
    }
}

#[test]
fn the_classes_have_46_different_images() {
    let mut masks: Vec<u64> = (0..FEATURES)
        .map(|feature| {
            (0..64).fold(0, |mask, square| {
                mask | u64::from(LAYOUT.once[square][feature] != 0) << square
            })
        })
        .collect();
    masks.sort_unstable();
    masks.dedup();
    assert_eq!(masks.len(), FEATURES);
}

#[test]
fn incremental_equals_recomputed_equals_naive() {
    let weights = random_weights(7);
    let patterns = Patterns::new(&weights);
    let naive = Naive::new(weights);
    for seed in 0..60 {
        let mut kept = patterns.state(Board::start());
        random_game(seed, |board, next| {
            assert_eq!(kept, PatternState::of(board), "{board:?}");
            assert_eq!(
                patterns.evaluate(board, &kept),
                naive.evaluate(board),
                "{board:?}"
            );
            kept = match next {
                Some((square, flips)) => patterns.after_move(&kept, board, square, flips),
                None => patterns.after_pass(&kept),
            };
        });
    }
}

#[test]
fn all_symmetries_have_the_same_value() {
    let patterns = Patterns::new(&random_weights(3));
    for seed in 0..40 {
        random_game(seed, |board, _| {
            for symmetry in Symmetry::ALL {
                let image = board.transformed(symmetry);
                assert_eq!(
                    patterns.value(image),
                    patterns.value(board),
                    "{board:?} {symmetry:?}"
                );
                assert_eq!(
                    patterns.ordering_score(image),
                    patterns.ordering_score(board),
                    "{board:?} {symmetry:?}"
                );
            }
        });
    }
}

/// Sum of the embedded evaluation over the positions of [`the_embedded_values_are_the_same_everywhere`], one half
/// multiplied by their numbers: whatever the processor, a build gives this number.
const SUM: i64 = 2_071_250_069_136;

#[test]
fn the_embedded_values_are_the_same_everywhere() {
    let weights = Patterns::embedded_weights();
    let (patterns, naive) = (Patterns::new(&weights), Naive::new(weights));
    let (mut number, mut sum) = (0_i64, 0_i64);
    for seed in 1.. {
        random_game(seed, |board, _| {
            let value = patterns.value(board);
            for symmetry in Symmetry::ALL {
                assert_eq!(
                    patterns.value(board.transformed(symmetry)),
                    value,
                    "{board:?} {symmetry:?}"
                );
            }
            if number % 20 == 0 {
                assert_eq!(naive.evaluate(board), value, "{board:?}");
            }
            number += 1;
            sum += i64::from(value.units()) * (1 + number % 2 * number);
        });
        if number >= 100_000 {
            break;
        }
    }
    assert_eq!(
        sum, SUM,
        "other weights? Else this build evaluates in another way"
    );
}

#[test]
fn an_explanation_adds_up() {
    let patterns = Patterns::new(&random_weights(5));
    random_game(1, |board, _| {
        let explanation = patterns.explain(board);
        let sum: i32 = explanation.parts.iter().map(|part| part.units).sum();
        assert_eq!(Score::estimate(sum), explanation.value);
        assert_eq!(explanation.value, patterns.value(board));
        for part in explanation.parts.iter().filter(|part| !part.squares.is_empty()) {
            let held = part.squares.iter().map(|&square| {
                match (board.player().contains(square), board.opponent().contains(square)) {
                    (true, _) => 'X',
                    (_, true) => 'O',
                    _ => '-',
                }
            });
            assert_eq!(held.collect::<String>(), part.configuration, "{}", part.name);
        }
    });
}

#[test]
fn knots_are_interpolated() {
    assert_eq!(knot_share(&KNOTS, 0), (0, 0));
    assert_eq!(knot_share(&KNOTS, 8), (0, 0));
    assert_eq!(knot_share(&KNOTS, 12), (0, 512));
    assert_eq!(knot_share(&KNOTS, 16), (1, 0));
    assert_eq!(knot_share(&KNOTS, 112), (KNOTS.len() - 2, 1024));
    assert_eq!(knot_share(&KNOTS, 128), (KNOTS.len() - 2, 1024));
}

#[test]
fn files_round_trip() {
    let mut weights = random_weights(11);
    weights.set_section(*b"TEST", vec![1, 2, 3]);
    let file = weights.encode();
    assert_eq!(Weights::decode(&file), Ok(weights.clone()));
    assert_eq!(Weights::stated_checksum(&file), Some(weights.checksum()));
    assert_eq!(Weights::stated_checksum(&file[..23]), None);
    assert_eq!(weights.section(*b"TEST"), Some(&[1, 2, 3][..]));
    assert_ne!(weights.checksum(), random_weights(12).checksum());
}

#[test]
fn damage_is_reported_not_loaded() {
    let file = Weights::zero().encode();
    assert_eq!(Weights::decode(b"not weights"), Err(WeightsError::Magic));
    assert!(matches!(
        Weights::decode(&file[..file.len() - 1]),
        Err(WeightsError::Length { .. })
    ));
    for at in (0..32).chain((32..file.len()).step_by(151)) {
        let mut damaged = file.clone();
        damaged[at] ^= 0x10;
        // The four reserved bytes are not looked at.
        assert_eq!(
            Weights::decode(&damaged).is_ok(),
            (28..32).contains(&at),
            "byte {at}"
        );
    }
}

#[test]
fn the_embedded_weights_are_sound() {
    let weights = Patterns::embedded_weights();
    assert_eq!(Patterns::embedded_checksum(), weights.checksum());
    assert_eq!(weights.knots().len(), KNOTS.len());
    assert!(weights.knots().iter().all(|knot| knot.len() == PARAMETERS));
    assert!(super::EMBEDDED.len() <= 8 << 20);
}

proptest! {
    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), header in any::<bool>()) {
        let mut file = if header { Weights::zero().encode()[..32].to_vec() } else { Vec::new() };
        file.extend(bytes);
        let _ignored = Weights::decode(&file);
    }

    #[test]
    fn any_board_has_a_value(player in any::<u64>(), opponent in any::<u64>()) {
        thread_local!(static PATTERNS: Patterns = Patterns::new(&random_weights(9)));
        let board = Board::new_unchecked(Bitboard::new(player & !opponent), Bitboard::new(opponent));
        PATTERNS.with(|patterns| {
            prop_assert!(patterns.value(board).units().abs() <= 63 * 128);
            prop_assert!(patterns.ordering_score(board).units().abs() <= 63 * 128);
            Ok(())
        })?;
    }
}

#[test]
fn many_boards_have_the_values_of_each() {
    let patterns = Patterns::shared();
    let mut random = 7;
    let mut boards = Vec::new();
    for _ in 0..20 {
        let mut board = Board::start();
        while !board.is_game_over() {
            // In no order of empties.
            boards.insert(xorshift(&mut random) as usize % (boards.len() + 1), board);
            let moves: Vec<Square> = board.legal_moves().into_iter().collect();
            board = if moves.is_empty() {
                board.passed()
            } else {
                let square = moves[xorshift(&mut random) as usize % moves.len()];
                board.play_unchecked(square, board.flips(square))
            };
        }
    }
    for n in [0, 1, boards.len()] {
        let mut values = vec![Score::ZERO; n];
        patterns.values(&boards[..n], &mut values);
        let each: Vec<Score> = boards[..n].iter().map(|&board| patterns.value(board)).collect();
        assert_eq!(values, each);
    }
}
