//! The clocks of a game, with what they showed after every move, so that they go back when moves are taken back.

use outflank_game::Player;
use outflank_search::GameClock;
use std::time::Duration;

/// Both clocks through a game.
#[derive(Clone, Debug)]
pub(super) struct Clocks {
    setting: Option<GameClock>,
    /// What each player had left before each move; also of moves that were taken back.
    left: Vec<[Duration; 2]>,
    /// What each move took; nothing is known of moves that were loaded.
    spent: Vec<Option<Duration>>,
    /// When the turn began.
    began: Duration,
    out_of_time: Option<Player>,
}

impl Clocks {
    /// Returns clocks that start `now`, after `moves` moves of which nothing is known.
    pub(super) fn new(setting: Option<GameClock>, moves: usize, now: Duration) -> Self {
        let main = setting.map_or(Duration::ZERO, |clock| clock.remaining);
        Self {
            setting,
            left: vec![[main; 2]; moves + 1],
            spent: vec![None; moves],
            began: now,
            out_of_time: None,
        }
    }

    /// Returns whose clock has run out.
    pub(super) const fn out_of_time(&self) -> Option<Player> {
        self.out_of_time
    }

    /// Returns what move `at` took, if that is known.
    pub(super) fn spent(&self, at: usize) -> Option<Duration> {
        self.spent.get(at).copied().flatten()
    }

    /// Returns what `player` has left after `moves` moves, while the clock of `running` runs; `None` without clocks.
    pub(super) fn left(
        &self,
        moves: usize,
        player: Player,
        running: Option<Player>,
        now: Duration,
    ) -> Option<Duration> {
        self.setting?;
        let left = self.left[moves][player as usize];
        Some(if self.out_of_time == Some(player) {
            Duration::ZERO
        } else if running == Some(player) && self.out_of_time.is_none() {
            left.saturating_sub(now.saturating_sub(self.began))
        } else {
            left
        })
    }

    /// Looks whether the clock of `player`, whose turn it is after `moves` moves, has run out.
    pub(super) fn tick(&mut self, moves: usize, player: Player, now: Duration) {
        if self.out_of_time.is_none() && self.left(moves, player, Some(player), now) == Some(Duration::ZERO) {
            self.out_of_time = Some(player);
        }
    }

    /// Stops the clock of `player`, who has made a move after `moves` moves, and starts the other one.
    pub(super) fn moved(&mut self, moves: usize, player: Player, now: Duration) {
        let took = now.saturating_sub(self.began);
        self.left.truncate(moves + 1);
        self.spent.truncate(moves);
        let mut left = self.left[moves];
        if let Some(clock) = self.setting {
            let own = &mut left[player as usize];
            *own = own.saturating_sub(took) + clock.increment;
        }
        self.left.push(left);
        self.spent.push(Some(took));
        self.began = now;
    }

    /// Sets the clocks to what they showed after `moves` moves.
    pub(super) fn jump(&mut self, moves: usize, now: Duration) {
        // Nothing is known of moves that were played again after a clock had been set back.
        let last = self.left.last().copied().unwrap_or_default();
        self.left.resize(self.left.len().max(moves + 1), last);
        self.began = now;
        self.out_of_time = None;
    }
}
