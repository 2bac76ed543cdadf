//! How much time to spend: a plan per search, stretched while the best move is unsettled.

use std::time::Duration;

/// A player's clock in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameClock {
    /// Time left for all remaining moves.
    pub remaining: Duration,
    /// Time added after each move.
    pub increment: Duration,
}

/// How long one search should and may last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimePlan {
    /// No new stage begins after this.
    pub target: Duration,
    /// The running stage is given up at this moment.
    pub deadline: Duration,
    /// Whether the target moves with how settled the best move is.
    pub adaptive: bool,
}

impl TimePlan {
    /// Returns the plan that uses `time` for one move and all of it, less `reserve`.
    pub fn per_move(time: Duration, reserve: Duration) -> Self {
        // A quarter of very short times, so that even a millisecond leaves something to search with.
        let budget = time.saturating_sub(reserve.min(time / 4));
        Self {
            target: budget,
            deadline: budget,
            adaptive: false,
        }
    }

    /// Returns the plan for one of about `moves_left` moves that this player still has to find on `clock`, with at least
    /// `reserve` kept back.
    ///
    /// The deadline never exceeds a third of what remains, so that no sequence of moves runs out of time.
    pub fn on_clock(clock: GameClock, moves_left: u32, reserve: Duration) -> Self {
        let reserve = reserve.max(clock.remaining / 50).min(clock.remaining / 2);
        let usable = clock.remaining.saturating_sub(reserve);
        let share = usable / moves_left.max(1) + clock.increment.mul_f64(0.8);
        let deadline = (share * 3)
            .min(usable / 3 + clock.increment.min(usable) / 3)
            .min(usable);
        Self {
            target: share.min(deadline),
            deadline,
            adaptive: true,
        }
    }

    /// Returns whether a new stage may begin after `elapsed`, given how settled the search is.
    pub fn may_continue(&self, elapsed: Duration, settled: Settled) -> bool {
        if !self.adaptive {
            return elapsed < self.target;
        }
        // A stage costs about twice the one before it: beginning beyond half of the target would overrun it.
        elapsed < self.target.mul_f64(0.55 * settled.factor()).min(self.deadline)
    }
}

/// How settled a search is: changes of the best move and drops of its value over the finished stages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settled {
    /// Finished stages since the best move last changed.
    pub stages_since_change: u32,
    /// Whether the last stage's value was clearly worse than the one's before.
    pub dropped: bool,
    /// Whether there is only one legal move.
    pub forced: bool,
}

impl Settled {
    /// Returns the factor by which the target stretches or shrinks.
    fn factor(self) -> f64 {
        if self.forced {
            return 0.05;
        }
        let stability = match self.stages_since_change {
            0 => 1.7,
            1 => 1.2,
            2 | 3 => 1.0,
            4..=6 => 0.8,
            _ => 0.65,
        };
        if self.dropped { stability * 1.4 } else { stability }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RESERVE: Duration = Duration::from_millis(10);

    #[test]
    fn no_sequence_of_moves_exhausts_the_clock() {
        for (main, increment) in [(60_000, 0), (1_000, 100), (100, 0), (10, 0), (0, 0), (5, 1000)] {
            let increment = Duration::from_millis(increment);
            let mut remaining = Duration::from_millis(main);
            for ply in 0..40u32 {
                let plan = TimePlan::on_clock(
                    GameClock { remaining, increment },
                    20u32.saturating_sub(ply),
                    RESERVE,
                );
                assert!(
                    plan.target <= plan.deadline && plan.deadline <= remaining,
                    "{plan:?}"
                );
                // Every move runs to its deadline and a little over.
                remaining = remaining.checked_sub(plan.deadline).expect("inside the clock") + increment;
            }
        }
    }

    #[test]
    fn unsettled_searches_last_longer() {
        let clock = GameClock {
            remaining: Duration::from_mins(1),
            increment: Duration::ZERO,
        };
        let plan = TimePlan::on_clock(clock, 20, RESERVE);
        let settled = Settled {
            stages_since_change: 8,
            ..Settled::default()
        };
        let elapsed = plan.target.mul_f64(0.6);
        assert!(plan.may_continue(elapsed, Settled::default()));
        assert!(!plan.may_continue(elapsed, settled));
        let forced = Settled {
            forced: true,
            ..Settled::default()
        };
        assert!(!plan.may_continue(plan.target.mul_f64(0.1), forced));
    }

    #[test]
    fn a_move_time_is_used_but_not_exceeded() {
        for millis in [0, 1, 3, 100, 3000] {
            let time = Duration::from_millis(millis);
            let plan = TimePlan::per_move(time, RESERVE);
            assert!(plan.deadline <= time);
            assert!(plan.deadline >= time.mul_f64(0.7));
            assert!(time < RESERVE * 4 || plan.deadline + RESERVE == time);
        }
    }
}
