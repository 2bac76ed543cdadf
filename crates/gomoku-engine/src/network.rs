//! The network: what shapes of several points mean together.
//!
//! Every empty point near the stones adds a vector that depends on what either side would make there, the two embeddings
//! of its combinations added and cut off at 0 and 1. The sum over the points goes through two small layers to a value.
//! All numbers are integers, so that every processor gets the same value; the fixed width of the vectors lets the
//! compiler use whatever vectors it has. The weights come from games of the engine against itself (docs/gomoku.md).
//!
//! Sources: \[NASU18\] (a sum of embeddings, and small layers of integers after it); \[RAPFI26\] (features of points for this
//! game).

use crate::eval::{N_THREATS, threat_index};
use outflank_gomoku::{Board, Color, Combo, N_COMBOS, Rule};

/// Numbers of a point's vector.
pub const WIDTH: usize = 32;
/// Neurons of the two layers.
pub const HIDDEN: [usize; 2] = [32, 16];
/// What stands for 1 in a neuron.
const ONE: i32 = 127;
/// log₂ of what weights of the layers are multiplied with, and of what they are in the last.
const SHIFT: u32 = 12;
const LAST_SHIFT: u32 = 10;
/// The distance to the nearest stone up to which points count.
pub const REACH: u32 = 2;
/// What a file of weights begins with.
const MAGIC: &[u8; 8] = b"gomonet1";

type Vector = [i16; WIDTH];

/// Why weights of a network cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetworkError {
    /// Not such a file, or one of another version.
    #[error("not the weights of a network of this version: take the file that belongs to the program")]
    Form,
    /// The file ends too early or goes on too long.
    #[error("the weights of the network are damaged: take the file again")]
    Length,
    /// A sum of theirs can leave 32 bits.
    #[error("the weights of the network are too large: fit them at a lower rate")]
    Range,
}

/// The weights of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    /// Embeddings of a combination of the side to move and of the other side.
    points: [Vec<Vector>; 2],
    /// What every point has beside them, by rule set.
    rules: [Vector; 4],
    first: Layer<WIDTH, { HIDDEN[0] }>,
    /// What the first layer gets by threats and by rule set, in units of 1 / (127 · 64).
    threats: Vec<[i16; HIDDEN[0]]>,
    first_rules: [[i16; HIDDEN[0]]; 4],
    second: Layer<{ HIDDEN[0] }, { HIDDEN[1] }>,
    second_bias: [i32; HIDDEN[1]],
    last: [i16; HIDDEN[1]],
    /// From the sum of the points, from the threats and by rule set straight to the value.
    direct: Vector,
    direct_threats: Vec<i16>,
    direct_rules: [i16; 4],
}

/// Weights by output and input.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Layer<const FROM: usize, const TO: usize>([[i16; FROM]; TO]);

impl<const FROM: usize, const TO: usize> Layer<FROM, TO> {
    /// Returns the neurons of the layer, cut off at 0 and 1; `biases` are in units of 1 / (127 · 64).
    #[inline]
    fn apply(&self, inputs: &[i16; FROM], biases: &[i32; TO]) -> [i16; TO] {
        let mut outputs = [0; TO];
        for i in 0..TO {
            let sum = dot(&self.0[i], inputs) + (biases[i] << (SHIFT - 6));
            outputs[i] = (sum >> SHIFT).clamp(0, ONE) as i16;
        }
        outputs
    }
}

#[inline(always)]
fn dot<const N: usize>(a: &[i16; N], b: &[i16; N]) -> i32 {
    let mut sum = 0;
    for i in 0..N {
        sum += i32::from(a[i]) * i32::from(b[i]);
    }
    sum
}

impl Network {
    /// Returns the value of `board` for `side` to move, in units of 1/500 of the logarithm of the odds.
    pub fn evaluate(&self, board: &Board, side: Color) -> i32 {
        let rule = rule_index(board.rule());
        let sums = self.sum(board, side, rule);
        let threats = threat_index(board, side);
        let of_threats = self.threats[threats].iter().zip(&self.first_rules[rule]);
        let mut biases = [0; HIDDEN[0]];
        for (bias, (&of_threats, &of_rule)) in biases.iter_mut().zip(of_threats) {
            *bias = i32::from(of_threats) + i32::from(of_rule);
        }
        let hidden = self.first.apply(&sums, &biases);
        let hidden = self.second.apply(&hidden, &self.second_bias);
        let fine = dot(&self.last, &hidden) + dot(&self.direct, &sums);
        (fine >> LAST_SHIFT) + i32::from(self.direct_threats[threats]) + i32::from(self.direct_rules[rule])
    }

    /// Adds up the vectors of the empty points near the stones.
    #[inline]
    fn sum(&self, board: &Board, side: Color, rule: usize) -> Vector {
        let stones = board.stones(Color::Black).union(board.stones(Color::White));
        let near = stones.spread(REACH).intersection(&board.empties());
        let common = &self.rules[rule];
        let [own, other] = &self.points;
        let mut sum = [0i16; WIDTH];
        for point in near {
            let own = &own[board.combo(point, side).idx()];
            let other = &other[board.combo(point, !side).idx()];
            for i in 0..WIDTH {
                // Beyond 258 full points the sum stays where it is: in whatever order they come, since none takes away.
                sum[i] = sum[i].saturating_add((own[i] + other[i] + common[i]).clamp(0, ONE as i16));
            }
        }
        sum
    }

    /// Reads weights as `examples/fit` writes them.
    ///
    /// # Errors
    ///
    /// [`NetworkError`] if they are not such weights.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        let mut reader = Reader(bytes.strip_prefix(MAGIC).ok_or(NetworkError::Form)?);
        let reader = &mut reader;
        let points = [reader.points()?, reader.points()?];
        let network = Self {
            points,
            rules: reader.rows()?,
            first: Layer(reader.rows()?),
            threats: reader.rows::<{ HIDDEN[0] }, N_THREATS>()?.to_vec(),
            first_rules: reader.rows()?,
            second: Layer(reader.rows()?),
            second_bias: reader.row::<{ HIDDEN[1] }>()?.map(i32::from),
            last: reader.row()?,
            direct: reader.row()?,
            direct_threats: reader.row::<N_THREATS>()?.to_vec(),
            direct_rules: reader.row()?,
        };
        if !reader.0.is_empty() {
            Err(NetworkError::Length)
        } else if network.is_in_range() {
            Ok(network)
        } else {
            Err(NetworkError::Range)
        }
    }

    /// Returns whether no sum can leave 32 bits, whatever the position.
    fn is_in_range(&self) -> bool {
        let most = |weights: &[i16], input: i16| -> i64 {
            let sum: i64 = weights
                .iter()
                .map(|&weight| i64::from(weight.unsigned_abs()))
                .sum();
            sum * i64::from(input)
        };
        // Two biases of 16 bits, shifted, and the last layer are added to a sum.
        let bias = 2 << (15 + SHIFT - 6);
        let last = most(&self.last, ONE as i16);
        let firsts = self.first.0.iter().map(|weights| most(weights, i16::MAX) + bias);
        firsts
            .chain([most(&self.direct, i16::MAX) + last])
            .all(|sum| sum <= i64::from(i32::MAX))
    }
}

fn rule_index(rule: Rule) -> usize {
    match rule {
        Rule::Freestyle => 0,
        Rule::Standard => 1,
        Rule::Renju => 2,
        Rule::Caro => 3,
    }
}

/// What is left of a file of weights.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], NetworkError> {
        let (taken, rest) = self.0.split_first_chunk().ok_or(NetworkError::Length)?;
        self.0 = rest;
        Ok(*taken)
    }

    fn row<const N: usize>(&mut self) -> Result<[i16; N], NetworkError> {
        let mut row = [0; N];
        for word in &mut row {
            *word = i16::from_le_bytes(self.take()?);
        }
        Ok(row)
    }

    fn rows<const N: usize, const ROWS: usize>(&mut self) -> Result<[[i16; N]; ROWS], NetworkError> {
        let mut rows = [[0; N]; ROWS];
        for row in &mut rows {
            *row = self.row()?;
        }
        Ok(rows)
    }

    /// Reads the embeddings of one side: a vector a shape, which combinations have a correction, and the corrections.
    fn points(&mut self) -> Result<Vec<Vector>, NetworkError> {
        let shapes: [Vector; 15] = self.rows()?;
        let corrected: [u8; N_COMBOS.div_ceil(8)] = self.take()?;
        Combo::all()
            .map(|combo| {
                let mut vector = [0i16; WIDTH];
                for shape in combo.shapes() {
                    let of_shape = &shapes[shape as usize];
                    vector
                        .iter_mut()
                        .zip(of_shape)
                        .for_each(|(sum, &part)| *sum = sum.saturating_add(part));
                }
                if corrected[combo.idx() / 8] >> (combo.idx() % 8) & 1 != 0 {
                    let correction: [u8; WIDTH] = self.take()?;
                    for (sum, part) in vector.iter_mut().zip(correction) {
                        *sum = sum.saturating_add(i16::from(part.cast_signed()));
                    }
                }
                Ok(vector.map(|number| number.clamp(-2 * ONE as i16, 2 * ONE as i16)))
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Weights;
    use outflank_game::SplitMix64;
    use outflank_gomoku::{Point, Symmetry, Tables};
    use std::sync::Arc;

    fn network() -> Network {
        Weights::default().network.expect("the network inside is whole")
    }

    /// Calls `check` with positions of games in which moves near the stones are chosen at random.
    fn for_positions(n_games: usize, check: &mut dyn FnMut(&Board)) {
        let mut random = SplitMix64::new(9);
        for game in 0..n_games {
            let rule = Rule::ALL[game % 4];
            let mut board = Board::new(rule, [15, 20, 9][game % 3]).expect("a size");
            let center = board.size() / 2;
            board
                .play(Point::new(center, center).expect("on the board"))
                .expect("legal");
            while board.end().is_none() && board.n_stones() < 100 {
                let stones = board.stones(Color::Black).union(board.stones(Color::White));
                let near = stones.spread(REACH).intersection(&board.empties());
                let mv = near.iter().nth(random.below(near.len())).expect("a point");
                board.play(mv).expect("legal");
                check(&board);
            }
        }
    }

    /// The same network, one number after the other.
    fn evaluate_plainly(network: &Network, board: &Board, side: Color) -> i32 {
        let rule = Rule::ALL
            .iter()
            .position(|&rule| rule == board.rule())
            .expect("a rule");
        let stones: Vec<Point> = Color::BOTH
            .into_iter()
            .flat_map(|color| board.stones(color).iter())
            .collect();
        let is_near = |point: Point| {
            stones
                .iter()
                .any(|stone| stone.x().abs_diff(point.x()) <= 2 && stone.y().abs_diff(point.y()) <= 2)
        };
        let mut sums = [0i64; WIDTH];
        for point in board.empties().iter().filter(|&point| is_near(point)) {
            for (i, sum) in sums.iter_mut().enumerate() {
                let own = network.points[0][board.combo(point, side).idx()][i];
                let other = network.points[1][board.combo(point, !side).idx()][i];
                *sum += i64::from(own + other + network.rules[rule][i]).clamp(0, 127);
            }
        }
        let sums = sums.map(|sum| sum.min(32_767));
        let threats = threat_index(board, side);
        let layer = |weights: &[i16], inputs: &[i64], bias: i64| {
            let sum: i64 = weights
                .iter()
                .zip(inputs)
                .map(|(&weight, input)| i64::from(weight) * input)
                .sum();
            ((sum + 64 * bias) >> 12).clamp(0, 127)
        };
        let first: Vec<i64> = (0..HIDDEN[0])
            .map(|i| {
                let bias = i64::from(network.threats[threats][i]) + i64::from(network.first_rules[rule][i]);
                layer(&network.first.0[i], &sums, bias)
            })
            .collect();
        let second: Vec<i64> = (0..HIDDEN[1])
            .map(|i| layer(&network.second.0[i], &first, i64::from(network.second_bias[i])))
            .collect();
        let all = network
            .last
            .iter()
            .zip(&second)
            .chain(network.direct.iter().zip(&sums));
        let fine: i64 = all.map(|(&weight, input)| i64::from(weight) * input).sum();
        let direct = i64::from(network.direct_threats[threats]) + i64::from(network.direct_rules[rule]);
        ((fine >> 10) + direct) as i32
    }

    #[test]
    fn values_are_those_of_a_plain_computation() {
        let network = network();
        let mut n = 0;
        for_positions(60, &mut |board| {
            for side in Color::BOTH {
                assert_eq!(
                    network.evaluate(board, side),
                    evaluate_plainly(&network, board, side),
                    "{board}"
                );
                n += 1;
            }
        });
        assert!(n > 3_000, "{n} positions");
    }

    /// `cargo xtask isa` runs this on every level of the processor: the values are the same on all.
    #[test]
    fn values_depend_on_no_processor() {
        let network = network();
        let mut sum = 0u64;
        for_positions(12, &mut |board| {
            let value = network.evaluate(board, board.side());
            sum = sum.rotate_left(5) ^ value as u64;
        });
        assert_eq!(sum, 12_105_113_977_972_813_142);
    }

    #[test]
    fn images_and_exchanged_colors_have_the_same_value() {
        let network = network();
        let tables = Rule::ALL.map(Tables::new);
        for_positions(24, &mut |board| {
            let rule = Rule::ALL
                .iter()
                .position(|&rule| rule == board.rule())
                .expect("a rule");
            let image = |symmetry: Symmetry, exchange: bool| {
                let stones: Vec<(Point, Color)> = Color::BOTH
                    .into_iter()
                    .flat_map(|color| board.stones(color).iter().map(move |point| (point, color)))
                    .map(|(point, color)| {
                        let color = if exchange { !color } else { color };
                        (symmetry.apply(point, board.size()), color)
                    })
                    .collect();
                Board::from_stones(Arc::clone(&tables[rule]), board.size(), &stones, board.side())
                    .expect("a position")
            };
            let side = board.side();
            let value = network.evaluate(board, side);
            for symmetry in Symmetry::ALL {
                assert_eq!(
                    network.evaluate(&image(symmetry, false), side),
                    value,
                    "{symmetry:?}\n{board}"
                );
                // In Renju the colors have rules of their own.
                if board.rule() != Rule::Renju {
                    assert_eq!(
                        network.evaluate(&image(symmetry, true), !side),
                        value,
                        "{symmetry:?}\n{board}"
                    );
                }
            }
        });
    }

    #[test]
    fn damaged_weights_are_refused_by_name() {
        let whole = include_bytes!("network.bin");
        assert!(Network::from_bytes(whole).is_ok());
        assert_eq!(
            Network::from_bytes(&whole[..whole.len() - 1]),
            Err(NetworkError::Length)
        );
        assert_eq!(
            Network::from_bytes(&[whole, &[0][..]].concat()),
            Err(NetworkError::Length)
        );
        assert_eq!(Network::from_bytes(b"gomonet2"), Err(NetworkError::Form));
        assert_eq!(Network::from_bytes(b""), Err(NetworkError::Form));
        let mut large = network();
        large.direct = [i16::MAX; WIDTH];
        assert!(network().is_in_range() && !large.is_in_range());
    }
}
