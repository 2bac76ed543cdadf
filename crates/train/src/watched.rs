//! An evaluator that keeps some of the positions it is asked about: those that searches stand on.

use crate::source::Random;
use outflank_eval::{Evaluator, Score};
use outflank_othello::{Bitboard, Board, Square};
use rand::RngExt;
use std::{
    ops::RangeInclusive,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

/// How far from the bound of the question an estimate may be, in 1/128 disc: farther ones decide nothing.
const NEAR: i32 = 8 * 128;

/// Positions drawn by lot from those that come by, each with the same chance.
#[derive(Debug)]
pub(crate) struct Draw {
    random: Random,
    empties: RangeInclusive<u32>,
    most: usize,
    seen: usize,
    kept: Vec<Board>,
}

impl Draw {
    /// Returns a draw of at most `most` positions with these numbers of empties.
    pub(crate) const fn new(most: usize, empties: RangeInclusive<u32>, random: Random) -> Self {
        Self {
            random,
            empties,
            most,
            seen: 0,
            kept: Vec::new(),
        }
    }

    fn offer(&mut self, board: Board) {
        if !self.empties.contains(&board.empties().count()) {
            return;
        }
        self.seen += 1;
        if self.kept.len() < self.most {
            self.kept.push(board);
        } else {
            let place = self.random.random_range(0..self.seen);
            if let Some(kept) = self.kept.get_mut(place) {
                *kept = board;
            }
        }
    }
}

/// An evaluator that says what another says and keeps some of the positions whose estimates were close to the bound
/// that was asked about.
#[derive(Clone, Debug)]
pub(crate) struct Watched<E> {
    evaluator: E,
    /// Whether there is a draw: the searches that keep nothing, which are most, take no lock.
    watching: Arc<AtomicBool>,
    draw: Arc<Mutex<Option<Draw>>>,
}

impl<E> Watched<E> {
    /// Returns a watched evaluator that keeps nothing yet.
    pub(crate) fn new(evaluator: E) -> Self {
        Self {
            evaluator,
            watching: Arc::default(),
            draw: Arc::default(),
        }
    }

    /// From now on keeps positions, as `draw` says.
    pub(crate) fn watch(&self, draw: Draw) {
        *self.draw() = Some(draw);
        self.watching.store(true, Ordering::Relaxed);
    }

    /// Returns what was kept, and keeps nothing from now on.
    pub(crate) fn take(&self) -> Vec<Board> {
        self.watching.store(false, Ordering::Relaxed);
        self.draw().take().map_or_else(Vec::new, |draw| draw.kept)
    }

    fn draw(&self) -> MutexGuard<'_, Option<Draw>> {
        self.draw.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<E: Evaluator> Evaluator for Watched<E> {
    type State = E::State;

    fn state(&self, board: Board) -> Self::State {
        self.evaluator.state(board)
    }

    fn after_move(&self, state: &Self::State, board: Board, square: Square, flips: Bitboard) -> Self::State {
        self.evaluator.after_move(state, board, square, flips)
    }

    fn after_pass(&self, state: &Self::State) -> Self::State {
        self.evaluator.after_pass(state)
    }

    fn evaluate(&self, board: Board, state: &Self::State) -> Score {
        self.evaluator.evaluate(board, state)
    }

    fn rough(&self, board: Board, state: &Self::State) -> Score {
        self.evaluator.rough(board, state)
    }

    fn evaluate_within(&self, board: Board, state: &Self::State, alpha: i32, beta: i32) -> Score {
        let value = self.evaluator.evaluate_within(board, state, alpha, beta);
        let units = value.units();
        if self.watching.load(Ordering::Relaxed) && units >= alpha - NEAR && units <= beta + NEAR {
            self.draw().iter_mut().for_each(|draw| draw.offer(board));
        }
        value
    }

    fn ordering_score(&self, board: Board) -> Score {
        self.evaluator.ordering_score(board)
    }

    fn fingerprint(&self) -> u64 {
        self.evaluator.fingerprint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        label::{LabelConfig, Labeler},
        source::random_board,
    };
    use outflank_eval::HandMade;
    use rand::SeedableRng;

    fn draw(most: usize, empties: RangeInclusive<u32>, seed: u64) -> Draw {
        Draw::new(most, empties, Random::seed_from_u64(seed))
    }

    #[test]
    fn every_position_has_the_same_chance() {
        let boards: Vec<Board> = (0..40).map(|seed| random_board(seed, 20)).collect();
        let mut times = [0_u32; 40];
        for seed in 0..4_000 {
            let mut draw = draw(5, 0..=60, seed);
            for &board in &boards {
                draw.offer(board);
            }
            assert_eq!(draw.kept.len(), 5);
            for kept in draw.kept {
                let place = boards.iter().position(|&board| board == kept);
                times[place.expect("one of them")] += 1;
            }
        }
        // 500 expected, with a standard deviation of 21.
        assert!(times.iter().all(|n| (400..600).contains(n)), "{times:?}");
    }

    #[test]
    fn a_search_is_the_same_and_gives_positions_of_its_leaves() {
        let board = random_board(7, 24);
        let visited = |seed| {
            let mut labeler = Labeler::new(HandMade, LabelConfig::default());
            let boards = labeler.visited(board, 8, draw(50, 16..=18, seed));
            (boards, labeler.nodes())
        };
        let (boards, nodes) = visited(1);
        assert_eq!(boards.len(), 50);
        for leaf in &boards {
            assert!((16..=18).contains(&leaf.empties().count()), "{leaf:?}");
            let before = leaf.player() | leaf.opponent();
            assert_eq!(
                before & board.empties(),
                before - (board.player() | board.opponent()),
                "{leaf:?}"
            );
        }
        assert_eq!(visited(1), (boards.clone(), nodes), "the lot decides alone");
        let (others, again) = visited(2);
        assert_eq!(again, nodes, "what is kept does not change the search");
        assert_ne!(others, boards);

        let mut labeler = Labeler::new(HandMade, LabelConfig::default());
        labeler.principal_leaf(board, 8);
        assert_eq!(labeler.nodes(), nodes, "nor that anything is kept");
    }
}
