//! The learned evaluator: the sum of one weight per board pattern, all sets of weights from one file.
//!
//! 46 features (instances of 12 pattern classes, see [`layout`]) each have a configuration, an empty square being 0, a disc
//! of the player +1 and of the opponent −1, read as a number in balanced base 3. Seen from the other side the number
//! changes its sign, so one table serves both colors, a pass negates the indices, and a move costs a few vector
//! additions. Weights of mirrored configurations are shared; between the empties at which they were fitted (knots)
//! they are interpolated, two neighboring numbers of empties sharing one set, so that a search touches about half a
//! megabyte.
//!
//! Tried and measured on this project's machine: see `docs/training.md`, "Cost of an evaluation".
//! Sources: pattern evaluation after \[BURO97\]; pattern shapes after Edax, as public descriptions give them.

mod explain;
mod file;
mod kernels;
pub mod layout;
mod light;
pub mod naive;
pub mod network;
mod weights;

pub use explain::{Contribution, Explanation};
pub use file::{WeightsError, fnv1a};
pub use light::LIGHT_FEATURES;
pub use network::NetworkWeights;
pub use weights::{KNOTS, Weights, knot_share};

use crate::{Evaluator, Score};
use layout::{FEATURES, LANES, LAYOUT, TABLE_SIZE};
use light::Light;
use network::Network;
use outflank_othello::{Bitboard, Board, Square};
use std::{
    fmt,
    ops::Range,
    sync::{Arc, OnceLock},
};

/// The weights that belong to this version of Outflank, as `train fit` wrote them.
static EMBEDDED: &[u8] = include_bytes!("../weights/default.weights");

/// Number of weight sets in memory: one for every two numbers of empties, 0–1 to 60–61.
pub const SETS: usize = 31;

/// One table of configurations; `u16` indices cannot leave it.
type Table = Box<[i16; TABLE_SIZE]>;

/// The weights of one or two numbers of empties, laid out for look-up.
struct Set {
    /// Per table of [`layout`]: weights in units of 1/128 disc, by index.
    tables: [Table; 4],
    /// Weights of `[own mobility][opponent's mobility]`, both clamped to 31.
    mobility: Box<[i16; 1024]>,
}

/// The learned pattern evaluator; see the [module](self) for the model.
///
/// Decoding takes some 25 ms, and up to 27 MB in the end, since the weights of a number of empties are laid out when they
/// are first needed: make one and share it (`Arc<Patterns>` is an [`Evaluator`] too), or take the one that all of a program
/// have, [`Patterns::shared`].
///
/// # Examples
///
/// ```
/// use outflank_eval::{Evaluator, Patterns};
/// use outflank_othello::Board;
/// let patterns = Patterns::embedded();
/// let start = Board::start();
/// let value = patterns.evaluate(start, &patterns.state(start));
/// let explanation = patterns.explain(start);
/// assert_eq!(explanation.value, value);
/// assert_eq!(explanation.parts.len(), 49, "46 features, mobility, a constant and the network");
/// ```
pub struct Patterns {
    /// Laid out when first needed, from `weights`: a third of a millisecond each.
    sets: [OnceLock<Set>; SETS],
    /// All but the network, which is laid out at once.
    weights: Weights,
    /// Constant by empties, units of 1/128 disc.
    bias: [i32; 65],
    light: Light,
    network: Option<Network>,
    fingerprint: u64,
}

/// What [`Patterns`] keeps per ply: the index of every feature from the side of the player to move.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(align(32))]
pub struct PatternState([u16; LANES]);

impl fmt::Debug for PatternState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.0[..FEATURES]).finish()
    }
}

impl PatternState {
    /// Returns the indices of an empty board.
    const EMPTY: Self = Self(LAYOUT.origin);

    /// Returns the state of `board`, disc by disc.
    #[inline]
    pub fn of(board: Board) -> Self {
        let mut state = Self::EMPTY;
        for square in board.player() {
            state.add(&LAYOUT.once[square.index()]);
        }
        for square in board.opponent() {
            state.subtract(&LAYOUT.once[square.index()]);
        }
        state
    }

    /// Returns the index of every feature.
    #[inline]
    pub fn indices(&self) -> &[u16; LANES] {
        &self.0
    }

    // Loops over lane numbers, not zipped iterators: those are calls in builds without link-time optimization, and cost
    // six times as much.
    #[inline(always)]
    #[expect(clippy::needless_range_loop, reason = "see above")]
    fn add(&mut self, step: &[u16; LANES]) {
        for lane in 0..LANES {
            self.0[lane] = self.0[lane].wrapping_add(step[lane]);
        }
    }

    #[inline(always)]
    #[expect(clippy::needless_range_loop, reason = "see above")]
    fn subtract(&mut self, step: &[u16; LANES]) {
        for lane in 0..LANES {
            self.0[lane] = self.0[lane].wrapping_sub(step[lane]);
        }
    }

    /// Returns the state seen from the other side: every index mirrored in that of the empty board.
    #[inline(always)]
    #[must_use]
    pub fn passed(&self) -> Self {
        let mut state = Self(LAYOUT.twice_origin);
        state.subtract(&self.0);
        state
    }

    /// Returns the state after the player to move places a disc on `square` that flips `flips`.
    #[inline(always)]
    #[must_use]
    pub fn after_move(&self, square: Square, flips: Bitboard) -> Self {
        let mut state = self.passed();
        state.subtract(&LAYOUT.once[square.index()]);
        for flip in flips {
            state.subtract(&LAYOUT.twice[flip.index()]);
        }
        state
    }
}

impl Patterns {
    /// Returns the evaluator with the weights inside the program.
    pub fn embedded() -> Self {
        Self::laid_out(Self::embedded_weights(), Self::embedded_checksum())
    }

    /// Returns the evaluator with the weights inside the program that everybody shares; the first call decodes them.
    pub fn shared() -> Arc<Self> {
        static SHARED: OnceLock<Arc<Patterns>> = OnceLock::new();
        Arc::clone(SHARED.get_or_init(|| Arc::new(Self::embedded())))
    }

    /// Returns the weights inside the program.
    pub fn embedded_weights() -> Weights {
        Weights::decode_checked(EMBEDDED).expect("a test decodes the embedded weights")
    }

    /// Returns the checksum of the weights that are part of the program, at no cost: as their file states it.
    pub fn embedded_checksum() -> u64 {
        Weights::stated_checksum(EMBEDDED).expect("a test decodes the embedded weights")
    }

    /// Returns the evaluator with these weights.
    pub fn new(weights: &Weights) -> Self {
        Self::laid_out(weights.clone(), weights.checksum())
    }

    /// Returns the evaluator with the weights of a file's content.
    ///
    /// # Errors
    ///
    /// Returns what is wrong with the content, and where.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, WeightsError> {
        let weights = Weights::decode(bytes)?;
        // Decoding has compared it with the content.
        let checksum = Weights::stated_checksum(bytes).expect("it was decoded");
        Ok(Self::laid_out(weights, checksum))
    }

    fn laid_out(mut weights: Weights, fingerprint: u64) -> Self {
        let network = weights.network().map(Network::new);
        weights.set_network(None);
        Self {
            sets: [const { OnceLock::new() }; SETS],
            bias: std::array::from_fn(|empties| i32::from(weights.bias()[empties])),
            light: Light::new(&weights),
            network,
            fingerprint,
            weights,
        }
    }

    /// Returns the weights for a number of empties.
    #[inline]
    fn set(&self, empties: usize) -> &Set {
        let number = (empties / 2).min(SETS - 1);
        match self.sets[number].get() {
            Some(set) => set,
            None => self.lay_out(number),
        }
    }

    #[cold]
    #[inline(never)]
    fn lay_out(&self, number: usize) -> &Set {
        self.sets[number].get_or_init(|| Set::new(&self.weights, number))
    }

    /// Returns the estimate of `board` without a kept state.
    pub fn value(&self, board: Board) -> Score {
        self.evaluate(board, &PatternState::of(board))
    }

    /// Writes the estimates of many boards, those that [`Patterns::value`] gives.
    ///
    /// Boards with as many empties come together, since they share weights: with very many boards in any order that takes
    /// half the time.
    ///
    /// # Panics
    ///
    /// There are not as many places as boards.
    pub fn values(&self, boards: &[Board], out: &mut [Score]) {
        assert_eq!(boards.len(), out.len(), "a place for each board");
        for (row, board) in by_empties(boards) {
            out[row as usize] = self.value(board);
        }
    }

    /// Returns the sum of pattern weights, in 1/128 disc.
    #[inline]
    fn linear(&self, board: Board, state: &PatternState, mobility: [u32; 2]) -> i32 {
        let empties = board.empties().count() as usize;
        let set = self.set(empties);
        let mut sum = self.bias[empties];
        let sum_of = |table: usize, lanes: Range<usize>| -> i32 {
            let weight = |&index: &u16| i32::from(set.tables[table][usize::from(index)]);
            state.0[lanes].iter().map(weight).sum()
        };
        for table in 0..4 {
            sum += sum_of(table, layout::TABLE_LANES[table]..layout::TABLE_LANES[table + 1]);
        }
        let [own, other] = mobility;
        sum += i32::from(set.mobility[(own.min(31) << 5 | other.min(31)) as usize]);
        sum
    }
}

impl Set {
    fn new(weights: &Weights, set: usize) -> Self {
        let (patterns, pairs) = weights.expanded(set);
        let mut tables: [Table; 4] = std::array::from_fn(|_| zeroed_table());
        layout::each_place(|full, table, index| tables[table][usize::from(index)] = patterns[full]);
        let mobility = pairs.try_into().expect("there are 1024 pairs");
        Self { tables, mobility }
    }
}

/// Returns the boards with their numbers, those with fewer empties first: copies, since whoever goes through them in this
/// order would wait for each of them where it lies.
fn by_empties(boards: &[Board]) -> Vec<(u32, Board)> {
    let empties = |board: &Board| board.empties().count() as usize;
    let mut next = [0; 66];
    for board in boards {
        next[empties(board) + 1] += 1;
    }
    for empties in 1..next.len() {
        next[empties] += next[empties - 1];
    }
    let mut sorted = vec![(0, Board::start()); boards.len()];
    for (row, &board) in (0..).zip(boards) {
        let place = &mut next[empties(&board)];
        sorted[*place] = (row, board);
        *place += 1;
    }
    sorted
}

/// Returns the number of moves of the player to move and of the opponent.
#[inline(always)]
fn mobility(board: Board) -> [u32; 2] {
    [board.mobility(), board.passed().mobility()]
}

fn zeroed_table() -> Table {
    vec![0; TABLE_SIZE]
        .into_boxed_slice()
        .try_into()
        .expect("the length is the array's")
}

impl Evaluator for Patterns {
    type State = PatternState;

    fn state(&self, board: Board) -> PatternState {
        PatternState::of(board)
    }

    #[inline(always)]
    fn after_move(
        &self,
        state: &PatternState,
        _board: Board,
        square: Square,
        flips: Bitboard,
    ) -> PatternState {
        state.after_move(square, flips)
    }

    #[inline(always)]
    fn after_pass(&self, state: &PatternState) -> PatternState {
        state.passed()
    }

    #[inline]
    fn evaluate(&self, board: Board, state: &PatternState) -> Score {
        let mobility = mobility(board);
        let sum = self.linear(board, state, mobility);
        match &self.network {
            Some(network) => Score::estimate(sum + network.value(board, state, mobility)),
            None => Score::estimate(sum),
        }
    }

    #[inline]
    fn evaluate_within(&self, board: Board, state: &PatternState, alpha: i32, beta: i32) -> Score {
        let mobility = mobility(board);
        let sum = self.linear(board, state, mobility);
        let Some(network) = &self.network else {
            return Score::estimate(sum);
        };
        let (least, most) = (
            Score::estimate(sum - network::MOST),
            Score::estimate(sum + network::MOST),
        );
        if least.units() >= beta {
            least
        } else if most.units() <= alpha {
            most
        } else {
            Score::estimate(sum + network.value(board, state, mobility))
        }
    }

    #[inline]
    fn rough(&self, board: Board, state: &PatternState) -> Score {
        Score::estimate(self.linear(board, state, mobility(board)))
    }

    #[inline]
    fn ordering_score(&self, board: Board) -> Score {
        self.light.evaluate(board)
    }

    fn fingerprint(&self) -> u64 {
        self.fingerprint
    }
}

impl fmt::Debug for Patterns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Patterns({:016x})", self.fingerprint)
    }
}

#[cfg(test)]
mod tests;
