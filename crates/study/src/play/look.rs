//! What is known of the moves of one position, to judge the one that was made.

/// The best move and the values after it and after the one that was made, with moves of type `M` and values of type `K`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look<M, K> {
    /// The best move.
    pub(super) best: Option<M>,
    /// The value after the move that was made, and after the best one, for black.
    pub(super) after: [Option<K>; 2],
}

impl<M: PartialEq, K: Copy> Look<M, K> {
    /// Nothing is known.
    pub(super) const fn new() -> Self {
        Self {
            best: None,
            after: [None; 2],
        }
    }

    /// Forgets what is known of the move that was made, because another one was made.
    pub(super) const fn forget_move(&mut self) {
        self.after[0] = None;
    }

    /// Takes note of the best move.
    pub(super) fn prefer(&mut self, best: Option<M>) {
        if self.best != best {
            *self = Self {
                best,
                after: [self.after[0], None],
            };
        }
    }
}
