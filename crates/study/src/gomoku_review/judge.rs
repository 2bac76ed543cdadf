//! What the looks at the positions of a game say about its moves.

use super::{
    ForcedWin, Review, ReviewedMove, chance,
    look::{Look, Other, is_forced, stones},
};
use outflank_gomoku::{Board, Color, Point};
use outflank_gomoku_engine::{Budget, Proof, Value, verify};

/// What is known of a position of the game, with what the moves before it say.
struct Settled {
    /// For the side to move.
    value: Value,
    /// A best move; `None` where the game is over.
    best: Option<Point>,
    /// The checked proof of a win of the side to move.
    proof: Option<Proof>,
    /// The checked proof of a win that begins with the move that was made.
    kept: Option<Proof>,
}

/// Takes the looks at the positions of a game in their order, and judges its moves.
pub(super) struct Judge<'a> {
    positions: &'a [Board],
    made: &'a [Point],
    settled: Vec<Settled>,
    moves: Vec<ReviewedMove>,
    nodes: u64,
}

impl<'a> Judge<'a> {
    pub(super) const fn new(positions: &'a [Board], made: &'a [Point]) -> Self {
        Self {
            positions,
            made,
            settled: Vec::new(),
            moves: Vec::new(),
            nodes: 0,
        }
    }

    /// Returns how many positions were looked at.
    pub(super) fn n_settled(&self) -> usize {
        self.settled.len()
    }

    /// Returns how many moves were judged.
    pub(super) fn n_judged(&self) -> usize {
        self.moves.len()
    }

    /// Takes the look at the next position.
    ///
    /// A win that was proved stays one while the winner plays by its proof, also where a look at a later position, with the
    /// same effort, would not find it.
    pub(super) fn settle(&mut self, look: Look) {
        self.nodes += look.nodes;
        let at = self.settled.len();
        let made = self.made.get(at).copied();
        let mut now = Settled {
            value: look.value,
            best: look.best,
            proof: look.proof,
            kept: look.kept,
        };
        if let Some(before) = self.settled.last()
            && now.proof.is_none()
            && self.positions[at].end().is_none()
        {
            now.value = match (&before.kept, before.value) {
                (Some(kept), _) => Value::Loss(stones(kept).saturating_sub(1)),
                // What the search proved of the move that it would have made.
                (None, Value::Win(left)) if before.best == Some(self.made[at - 1]) => {
                    Value::Loss(left.saturating_sub(1))
                }
                _ => now.value,
            };
        }
        if now.proof.is_none()
            && self.positions[at].end().is_none()
            && let Some(carried) = self.carried(at)
        {
            now.value = Value::Win(stones(&carried));
            now.best = Some(carried.mv);
            now.proof = Some(carried);
        }
        if let Some(proof) = now.proof.as_ref().filter(|proof| Some(proof.mv) == made) {
            now.kept = Some(proof.clone());
        }
        self.settled.push(now);
    }

    /// Returns what is left of the proof of two moves before, if the winner has played by it: what stands in it against the
    /// answer, else its line of fours against all answers that it does not name.
    fn carried(&self, at: usize) -> Option<Proof> {
        let kept = self.settled.get(at.checked_sub(2)?)?.kept.as_ref()?;
        let answer = self.made[at - 1];
        if let Some((_, next)) = kept.replies.iter().find(|(reply, _)| *reply == answer) {
            return Some(next.clone());
        }
        let board = &self.positions[at];
        let proof = Proof::of_fours(board, board.side(), &kept.line)?;
        let holds = verify(board, board.side(), &proof, &mut Budget::unlimited());
        holds.is_ok().then_some(proof)
    }

    /// Returns the move that should be looked at beside the one that was made, if any should; the move itself where only
    /// others are of interest.
    pub(super) fn question(&self, at: usize) -> Option<Point> {
        let (now, next) = (&self.settled[at], &self.settled[at + 1]);
        let (made, best) = (self.made[at], now.best?);
        if is_forced(&self.positions[at], made) || matches!(now.value, Value::Win(_) | Value::Loss(_)) {
            return None;
        }
        match next.value {
            // The move wins, and the search had not seen it.
            Value::Loss(_) => None,
            Value::Win(_) => Some(best),
            Value::Estimate(_) => (best != made).then_some(best),
        }
    }

    /// Judges the next move; `other` is what came of the question about it.
    pub(super) fn judge(&mut self, other: Option<Other>, nodes: u64) {
        self.nodes += nodes;
        let at = self.moves.len();
        let (now, next) = (&self.settled[at], &self.settled[at + 1]);
        let (board, mv) = (&self.positions[at], self.made[at]);
        let forced = is_forced(board, mv);
        let value = match (now.value, next.value.before()) {
            // Every move of a lost position loses, also where a look at the next one does not see it.
            (Value::Loss(stones), Value::Estimate(_)) => Value::Loss(stones),
            (_, value) => value,
        };
        let known = match (now.value, now.best) {
            (Value::Win(_), Some(mv)) => Some(Other { mv, value: now.value }),
            _ => other,
        };
        let wins = matches!(value, Value::Win(_));
        let better = known.filter(|known| !forced && !wins && chance(known.value) > chance(value));
        // Among moves that lose none is better, even if it lasts longer.
        let saves = better.is_some_and(|better| !matches!(better.value, Value::Loss(_)));
        let missed = now.proof.clone().filter(|_| !wins && !forced);
        let allowed = next.proof.clone().filter(|_| saves);
        self.moves.push(ReviewedMove {
            number: at + 1,
            color: board.side(),
            mv,
            value,
            best: better.map_or(mv, |better| better.mv),
            best_value: better.map_or(value, |better| better.value),
            forced,
            missed: missed.map(|proof| ForcedWin { proof }),
            allowed: allowed.map(|proof| ForcedWin { proof }),
            end: self.positions[at + 1].end(),
        });
    }

    /// Returns the review.
    pub(super) fn finish(self, start: Board) -> Review {
        let known = self.moves.len() + 1;
        let chances = self.positions.iter().zip(&self.settled).take(known);
        let black = |(board, settled): (&Board, &Settled)| {
            let chance = chance(settled.value);
            match board.side() {
                Color::Black => chance,
                Color::White => 100.0 - chance,
            }
        };
        Review {
            start,
            complete: self.moves.len() == self.made.len(),
            chances: chances.map(black).collect(),
            moves: self.moves,
            nodes: self.nodes,
        }
    }
}
