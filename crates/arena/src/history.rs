//! A game so far: what referee, players and records share of it.

use outflank_game::{GameState, Player as Side};

/// A game so far: where it began, the moves, and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct History<G: GameState> {
    start: G,
    moves: Vec<G::Move>,
    position: G,
}

/// A move that the rules do not allow.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{mv} is no legal move {place}")]
pub struct IllegalMove {
    /// The move.
    pub mv: String,
    /// When: the number of moves before it.
    pub place: String,
}

impl<G: GameState> History<G> {
    /// Returns the game that begins at `start`, before its first move.
    pub fn new(start: G) -> Self {
        Self {
            position: start.clone(),
            moves: Vec::new(),
            start,
        }
    }

    /// Returns the position before the first move.
    pub const fn start(&self) -> &G {
        &self.start
    }

    /// Returns the moves, passes included.
    pub fn moves(&self) -> &[G::Move] {
        &self.moves
    }

    /// Returns the position after the last move.
    pub const fn position(&self) -> &G {
        &self.position
    }

    /// Plays a move.
    ///
    /// # Errors
    ///
    /// [`IllegalMove`] if the rules do not allow it; nothing is changed then.
    pub fn play(&mut self, mv: G::Move) -> Result<(), IllegalMove> {
        if !self.position.is_legal(mv) {
            return Err(IllegalMove {
                mv: mv.to_string(),
                place: format!("after {} moves", self.moves.len()),
            });
        }
        self.position.play(mv);
        self.moves.push(mv);
        Ok(())
    }

    /// Returns the first player's margin if the game is over.
    pub fn margin(&self) -> Option<i32> {
        let outcome = self.position.outcome()?;
        Some(match self.position.player() {
            Side::First => outcome.margin,
            Side::Second => -outcome.margin,
        })
    }

    /// Returns the moves with a space between each two.
    pub fn moves_text(&self) -> String {
        let moves: Vec<String> = self.moves.iter().map(ToString::to_string).collect();
        moves.join(" ")
    }
}

/// Returns the color of a side as both of our games call it.
pub(crate) const fn color(side: Side) -> &'static str {
    match side {
        Side::First => "black",
        Side::Second => "white",
    }
}

/// Returns 0 for the first player and 1 for the second.
pub(crate) const fn index(side: Side) -> usize {
    match side {
        Side::First => 0,
        Side::Second => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_game::ToyGame;

    #[test]
    fn histories_keep_what_is_legal() {
        let mut history = History::new(ToyGame::new("(1 (2 -3))".parse().expect("a tree")));
        history.play(1).expect("legal");
        let error = history.play(2).expect_err("there are two moves");
        assert_eq!(error.to_string(), "2 is no legal move after 1 moves");
        assert_eq!(history.margin(), None);
        history.play(1).expect("legal");
        // The value is the first player's, who is to move here.
        assert_eq!(
            (history.margin(), history.moves_text().as_str()),
            (Some(-3), "1 1")
        );
    }
}
