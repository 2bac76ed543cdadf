//! The network: what the sum of pattern weights cannot say, because it depends on several patterns at once.
//!
//! Every configuration of six kinds of pattern has a row of 16 small numbers. The rows of the patterns around a corner
//! are added up, numbers below zero and above a limit are cut off, and the four corners are added. The 16 sums and a
//! few counts of the board go through one small hidden layer, whose output is added to the sum of pattern weights. The
//! rows are shared by all stages of the game, everything else has its own numbers for every four empties. All corners
//! are treated alike and mirror images share rows, so the value is the same for all images of a board.
//!
//! Integers throughout, and sums whose order does not matter: the same value on every processor. The loops run over
//! arrays of fixed length, which the compiler turns into vector instructions where there are any.

// Source: embeddings that are summed and go through small layers, after [NASU18]; own layout and training.

use super::{
    PatternState,
    kernels::{PairOfWeights, layer},
    layout::{CLASSES, FEATURES, FULL, LAYOUT, TABLE_SIZE, each_place, mirror_images, packed_parameters},
};
use outflank_othello::{Bitboard, Board, Square};
use std::sync::LazyLock;

/// Numbers in a row.
pub const WIDTH: usize = 16;
/// Units of the hidden layer.
pub const HIDDEN: usize = 32;
/// Counts of the board that go into the hidden layer beside the sums: see [`counts`].
pub const COUNTS: usize = 6;
/// Inputs of the hidden layer.
pub const INPUTS: usize = WIDTH + COUNTS;
/// Pairs of inputs, as the kernels take them.
pub(super) const PAIRS: usize = INPUTS.div_ceil(2);
/// Sets of the numbers that are not shared by all stages: one for every four empties, 0–3 to 56–60.
pub const STAGES: usize = 15;
/// Upper limit of a corner's sums, in their own unit.
pub const LIMIT: i16 = 127;

/// The network adds or takes off at most this much, in 1/128 disc: so a sum of pattern weights that is farther from a
/// bound decides alone.
pub const MOST: i32 = 10 << 7;

/// Binary places of the numbers in a network; see [`StageWeights`].
pub mod scale {
    /// A row's numbers and a corner's sums: 64 is 1.
    pub const ROW: u32 = 6;
    /// Weights of the hidden layer for one unit of its inputs.
    pub const HIDDEN: u32 = 14;
    /// Places taken off the hidden layer's sums before they are multiplied again.
    pub const HIDDEN_SHIFT: u32 = 4;
    /// Sums of the output, in discs.
    pub const OUTPUT: u32 = 18;
}

/// Where the patterns of a class stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The network does not look at it.
    Unused,
    /// Around one corner, the image of this one.
    Corner(Square),
    /// Between two corners, the images of these.
    Between(Square, Square),
}

/// Where the patterns of each class stand.
pub(super) const PLACES: [Place; CLASSES] = [
    Place::Corner(Square::A1),
    Place::Between(Square::A1, Square::H1),
    Place::Unused,
    Place::Unused,
    Place::Between(Square::A1, Square::H8),
    Place::Corner(Square::A8),
    Place::Corner(Square::A8),
    Place::Corner(Square::A8),
    Place::Corner(Square::A8),
    Place::Between(Square::A1, Square::H1),
    Place::Corner(Square::A1),
    Place::Unused,
];

/// Features around one corner.
const AROUND: usize = 6;
/// Features between one corner and another.
const BETWEEN: usize = 5;

/// The features whose rows are added up at one corner.
#[derive(Clone, Copy)]
struct Corner {
    /// Features around it: table and number.
    around: [(usize, usize); AROUND],
    /// Features between it and another: table, number, and 0 where it is the near corner, 1 where it is the far one.
    between: [(usize, usize, usize); BETWEEN],
}

pub(super) const fn corner_number(square: Square) -> usize {
    match square {
        Square::A1 => 0,
        Square::H1 => 1,
        Square::A8 => 2,
        Square::H8 => 3,
        _ => panic!("not a corner"),
    }
}

/// What is added up at each corner.
const WIRING: [Corner; 4] = wire();

const fn wire() -> [Corner; 4] {
    let mut wiring = [Corner {
        around: [(0, 0); AROUND],
        between: [(0, 0, 0); BETWEEN],
    }; 4];
    let (mut n_around, mut n_between) = ([0; 4], [0; 4]);
    let mut feature = 0;
    while feature < FEATURES {
        let symmetry = LAYOUT.symmetry[feature];
        // Tables 0 and 2 hold the rows around corners, tables 0 and 1 those between them.
        let table = LAYOUT.table[feature] as usize;
        match PLACES[LAYOUT.class[feature] as usize] {
            Place::Unused => {}
            Place::Corner(corner) => {
                let corner = corner_number(symmetry.square(corner));
                wiring[corner].around[n_around[corner]] = (table / 2, feature);
                n_around[corner] += 1;
            }
            Place::Between(near, far) => {
                let ends = [
                    corner_number(symmetry.square(near)),
                    corner_number(symmetry.square(far)),
                ];
                let mut end = 0;
                while end < 2 {
                    let corner = ends[end];
                    wiring[corner].between[n_between[corner]] = (table, feature, end);
                    n_between[corner] += 1;
                    end += 1;
                }
            }
        }
        feature += 1;
    }
    wiring
}

/// Returns the rows of every full number, seen from the near and from the far corner, and the number of rows.
///
/// Where a pattern stands around one corner, mirrored configurations share a row and there is no far corner; the row
/// of an unused configuration is `u32::MAX`.
pub fn rows() -> (&'static [[u32; 2]], usize) {
    static ROWS: LazyLock<(Vec<[u32; 2]>, usize)> = LazyLock::new(number_rows);
    (&ROWS.0, ROWS.1)
}

fn number_rows() -> (Vec<[u32; 2]>, usize) {
    let packed = packed_parameters();
    let mut rows = vec![[u32::MAX; 2]; FULL];
    let mut next = 0;
    for (class, place) in PLACES.into_iter().enumerate() {
        let (first, end) = (LAYOUT.first[class] as usize, LAYOUT.first[class + 1] as usize);
        match place {
            Place::Unused => {}
            Place::Corner(_) => {
                // Parameters of a class are numbered without gaps.
                let least = packed[first];
                for (rows, parameter) in rows[first..end].iter_mut().zip(&packed[first..end]) {
                    rows[0] = next + parameter - least;
                }
                let last = packed[first..end]
                    .iter()
                    .max()
                    .expect("a class has configurations");
                next += last - least + 1;
            }
            Place::Between(..) => {
                for ((number, image), rows) in (0..).zip(mirror_images(class)).zip(&mut rows[first..end]) {
                    *rows = [next + number, next + image];
                }
                next += (end - first) as u32;
            }
        }
    }
    (rows, next as usize)
}

/// Returns the corners that a feature's near and far row are added to; `None` where the network does not look at it.
pub fn corners(feature: usize) -> (Option<usize>, Option<usize>) {
    let at = |square| corner_number(LAYOUT.symmetry[feature].square(square));
    match PLACES[usize::from(LAYOUT.class[feature])] {
        Place::Unused => (None, None),
        Place::Corner(corner) => (Some(at(corner)), None),
        Place::Between(near, far) => (Some(at(near)), Some(at(far))),
    }
}

/// Returns the counts of a board: both sides' moves and empty neighbors of their discs, whether the number of empties
/// is odd, and the player's discs.
#[inline]
pub fn counts(board: Board) -> [i16; COUNTS] {
    counts_with(board, super::mobility(board))
}

/// As [`counts`], where both sides' moves are counted already.
#[inline]
fn counts_with(board: Board, mobility: [u32; 2]) -> [i16; COUNTS] {
    let empties = board.empties();
    let frontier = |discs: Bitboard| (neighbors(discs) & empties.bits()).count_ones() as i16;
    [
        mobility[0] as i16,
        mobility[1] as i16,
        frontier(board.player()),
        frontier(board.opponent()),
        (empties.count() & 1) as i16,
        board.player().count() as i16,
    ]
}

/// Returns the squares next to these, and these.
#[inline]
const fn neighbors(squares: Bitboard) -> u64 {
    const NOT_A: u64 = 0xFEFE_FEFE_FEFE_FEFE;
    const NOT_H: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let squares = squares.bits();
    let row = squares | (squares & NOT_H) << 1 | (squares & NOT_A) >> 1;
    row | row << 8 | row >> 8
}

/// Returns the number of the stage of a position.
#[inline]
pub const fn stage(empties: u32) -> usize {
    if empties / 4 < STAGES as u32 - 1 {
        (empties / 4) as usize
    } else {
        STAGES - 1
    }
}

/// The numbers of one stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StageWeights {
    /// What every corner's sums begin with, [`scale::ROW`].
    pub start: [i16; WIDTH],
    /// Weights of the hidden layer by input: with `q` the input's unit, `weight · q` has [`scale::HIDDEN`] places.
    pub hidden: [[i16; HIDDEN]; INPUTS],
    /// Constants of the hidden layer, [`scale::HIDDEN`].
    pub hidden_bias: [i32; HIDDEN],
    /// Weights of the output by hidden unit, [`scale::OUTPUT`] less the places of a hidden unit.
    pub output: [i16; HIDDEN],
    /// Weights of the output by input, [`scale::OUTPUT`] for the input's unit.
    pub direct: [i32; INPUTS],
    /// Constant of the output, [`scale::OUTPUT`].
    pub output_bias: i32,
}

impl StageWeights {
    /// Returns numbers that add nothing.
    pub const ZERO: Self = Self {
        start: [0; WIDTH],
        hidden: [[0; HIDDEN]; INPUTS],
        hidden_bias: [0; HIDDEN],
        output: [0; HIDDEN],
        direct: [0; INPUTS],
        output_bias: 0,
    };
}

/// A network as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkWeights {
    /// The rows, numbered as by [`rows`].
    pub rows: Vec<[i8; WIDTH]>,
    /// By [`stage`].
    pub stages: Vec<StageWeights>,
}

/// Rows of the patterns between two corners: as the near and as the far corner sees it.
#[derive(Clone, Copy)]
#[repr(align(32))]
struct Pair([[i8; WIDTH]; 2]);

/// One table of rows; `u16` indices cannot leave it.
type Rows<T> = Box<[T; TABLE_SIZE]>;

/// The numbers of one stage, laid out for the kernels.
#[repr(align(64))]
struct Stage {
    hidden: [PairOfWeights; PAIRS],
    hidden_bias: [i32; HIDDEN],
    output: [i16; HIDDEN],
    direct: [i32; 2 * PAIRS],
    output_bias: i32,
    start: [i16; WIDTH],
}

impl Stage {
    fn new(weights: &StageWeights) -> Self {
        let weight = |input: usize, unit: usize| weights.hidden.get(input).map_or(0, |weights| weights[unit]);
        Self {
            hidden: std::array::from_fn(|pair| std::array::from_fn(|n| weight(2 * pair + n % 2, n / 2))),
            hidden_bias: weights.hidden_bias,
            output: weights.output,
            direct: std::array::from_fn(|input| weights.direct.get(input).copied().unwrap_or(0)),
            output_bias: weights.output_bias,
            start: weights.start,
        }
    }

    /// Returns what the hidden layer and the output make of `inputs`, in 1/128 disc, up to ±[`MOST`].
    #[inline]
    fn output(&self, inputs: &[i16; 2 * PAIRS]) -> i32 {
        let mut sum = self.output_bias;
        // A zip would be a call of its own, where the parts of a crate are optimized each for itself.
        #[expect(clippy::needless_range_loop, reason = "see above")]
        for input in 0..2 * PAIRS {
            sum += i32::from(inputs[input]) * self.direct[input];
        }
        sum += layer(inputs, &self.hidden, &self.hidden_bias, &self.output);
        // 7 binary places are 1/128 disc.
        (sum >> (scale::OUTPUT - 7)).clamp(-MOST, MOST)
    }
}

/// A network laid out for look-up.
pub(super) struct Network {
    /// Patterns around a corner, tables 0 and 2 of [`super::layout`].
    around: [Rows<[i8; WIDTH]>; 2],
    /// Patterns between corners, tables 0 and 1.
    between: [Rows<Pair>; 2],
    stages: Vec<Stage>,
}

#[expect(
    clippy::unnecessary_box_returns,
    reason = "the table is too large for the stack"
)]
fn table_of<T: Copy>(empty: T) -> Rows<T> {
    match vec![empty; TABLE_SIZE].into_boxed_slice().try_into() {
        Ok(table) => table,
        Err(_) => unreachable!("the length is the array's"),
    }
}

impl Network {
    pub(super) fn new(weights: &NetworkWeights) -> Self {
        let mut around = [table_of([0; WIDTH]), table_of([0; WIDTH])];
        let mut between = [table_of(Pair([[0; WIDTH]; 2])), table_of(Pair([[0; WIDTH]; 2]))];
        let (rows, _) = rows();
        each_place(|full, table, index| {
            let [near, far] = rows[full];
            if near == u32::MAX {
                return;
            }
            let row = weights.rows[near as usize];
            if far == u32::MAX {
                around[table / 2][usize::from(index)] = row;
            } else {
                between[table][usize::from(index)] = Pair([row, weights.rows[far as usize]]);
            }
        });
        Self {
            around,
            between,
            stages: weights.stages.iter().map(Stage::new).collect(),
        }
    }

    /// Returns what the network adds to the sum of pattern weights, in 1/128 disc.
    #[inline]
    pub(super) fn value(&self, board: Board, state: &PatternState, mobility: [u32; 2]) -> i32 {
        let stage = &self.stages[stage(board.empties().count())];
        let indices = state.indices();
        let mut inputs = [0; 2 * PAIRS];
        for corner in &WIRING {
            let mut sums = stage.start;
            for &(table, feature) in &corner.around {
                add(&mut sums, &self.around[table][usize::from(indices[feature])]);
            }
            for &(table, feature, end) in &corner.between {
                add(
                    &mut sums,
                    &self.between[table][usize::from(indices[feature])].0[end],
                );
            }
            for place in 0..WIDTH {
                inputs[place] += sums[place].clamp(0, LIMIT);
            }
        }
        for (place, count) in (WIDTH..).zip(counts_with(board, mobility)) {
            inputs[place] = count;
        }
        stage.output(&inputs)
    }
}

#[inline(always)]
fn add(sums: &mut [i16; WIDTH], row: &[i8; WIDTH]) {
    for place in 0..WIDTH {
        sums[place] += i16::from(row[place]);
    }
}

/// Bytes of a stored stage.
const STAGE_BYTES: usize = 2 * (WIDTH + INPUTS * HIDDEN + HIDDEN) + 4 * (HIDDEN + INPUTS + 1);

impl NetworkWeights {
    /// Returns the network as a section of a weight file: sizes, then the first number of every row, the second of
    /// every row and so on, then the stages.
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut bytes = (self.rows.len() as u32).to_le_bytes().to_vec();
        bytes.extend([WIDTH as u8, HIDDEN as u8, COUNTS as u8, STAGES as u8]);
        for place in 0..WIDTH {
            bytes.extend(self.rows.iter().map(|row| row[place].cast_unsigned()));
        }
        for stage in &self.stages {
            let short = stage
                .start
                .iter()
                .chain(stage.hidden.as_flattened())
                .chain(&stage.output);
            bytes.extend(short.flat_map(|number| number.to_le_bytes()));
            let long = stage
                .hidden_bias
                .iter()
                .chain(&stage.direct)
                .chain([&stage.output_bias]);
            bytes.extend(long.flat_map(|number| number.to_le_bytes()));
        }
        bytes
    }

    /// Reads what [`NetworkWeights::encode`] wrote; `None` if the sizes are not this program's.
    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let (count, rest) = bytes.split_first_chunk::<4>()?;
        let (sizes, rest) = rest.split_first_chunk::<4>()?;
        let count = u32::from_le_bytes(*count) as usize;
        let expected = [WIDTH as u8, HIDDEN as u8, COUNTS as u8, STAGES as u8];
        if *sizes != expected || count != rows().1 || rest.len() != WIDTH * count + STAGES * STAGE_BYTES {
            return None;
        }
        let (numbers, stages) = rest.split_at(WIDTH * count);
        let mut network = Self {
            rows: vec![[0; WIDTH]; count],
            stages: Vec::with_capacity(STAGES),
        };
        for (place, numbers) in numbers.chunks_exact(count).enumerate() {
            for (row, number) in network.rows.iter_mut().zip(numbers) {
                row[place] = number.cast_signed();
            }
        }
        for bytes in stages.chunks_exact(STAGE_BYTES) {
            let (short, long) = bytes.split_at(STAGE_BYTES - 4 * (HIDDEN + INPUTS + 1));
            let mut short = short
                .chunks_exact(2)
                .map(|two| i16::from_le_bytes([two[0], two[1]]));
            let mut long = long
                .chunks_exact(4)
                .map(|four| i32::from_le_bytes([four[0], four[1], four[2], four[3]]));
            let mut stage = StageWeights::ZERO;
            let shorts = stage
                .start
                .iter_mut()
                .chain(stage.hidden.as_flattened_mut())
                .chain(&mut stage.output);
            shorts.zip(&mut short).for_each(|(place, number)| *place = number);
            let longs = stage
                .hidden_bias
                .iter_mut()
                .chain(&mut stage.direct)
                .chain([&mut stage.output_bias]);
            longs.zip(&mut long).for_each(|(place, number)| *place = number);
            network.stages.push(stage);
        }
        Some(network)
    }
}

#[cfg(test)]
mod tests;
