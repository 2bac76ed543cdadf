//! Time as GTP speaks of it, and what is left of it when nobody says.

use crate::TimeControl;
use outflank_search::{GameClock, Limits};
use std::time::Duration;

/// The time settings of a game, and the clocks of both players, the first player's first.
#[derive(Clone, Debug, Default)]
pub(super) struct GtpClock {
    control: TimeControl,
    /// Canadian overtime: this much for this many moves after the main time.
    overtime: Option<(Duration, u32)>,
    /// Time left, and moves to make in it (0: all).
    left: [Option<(Duration, u32)>; 2],
}

impl GtpClock {
    /// Returns whether there is a limit at all.
    pub(super) fn is_limited(&self) -> bool {
        self.control != TimeControl::Unlimited
    }

    /// Sets both clocks to the beginning of a game.
    pub(super) fn restart(&mut self) {
        self.left = match self.control {
            TimeControl::Clock { main, .. } => [Some((main, 0)); 2],
            TimeControl::PerMove(_) | TimeControl::Unlimited => [None; 2],
        };
    }

    /// `time_settings MAIN BYO_TIME BYO_STONES`, in the dialects that are in use: `0 1 0` and `0 0 0` set no limit; a
    /// byo-yomi for 0 stones is time added to every move (after a main time) or the time of a move (without one).
    pub(super) fn settings(&mut self, arguments: &[&str]) -> Result<(), String> {
        let numbers: Option<Vec<f64>> = arguments.iter().map(|text| text.parse().ok()).collect();
        let Some([main, byo, stones]) = numbers.as_deref() else {
            return Err("expected three numbers".to_owned());
        };
        if [main, byo, stones]
            .iter()
            .any(|number| !(0.0..1e9).contains(*number))
        {
            return Err("expected numbers that are not negative".to_owned());
        }
        let [main, byo] = [*main, *byo].map(Duration::from_secs_f64);
        let stones = *stones as u32;
        self.overtime = None;
        self.control = match (main.is_zero(), byo.is_zero(), stones) {
            (true, true, _) => TimeControl::Unlimited,
            (true, false, 0) if byo <= Duration::from_secs(1) => TimeControl::Unlimited,
            (true, false, stones) => TimeControl::PerMove(byo / stones.max(1)),
            (false, _, 0) => TimeControl::Clock { main, increment: byo },
            (false, _, _) => {
                self.overtime = Some((byo, stones)).filter(|_| !byo.is_zero());
                TimeControl::Clock {
                    main,
                    increment: Duration::ZERO,
                }
            }
        };
        self.restart();
        Ok(())
    }

    /// `time_left`: what the clock of `player` shows, and the moves to make in it.
    pub(super) fn set_left(&mut self, player: usize, seconds: &str, stones: &str) -> Result<(), String> {
        let (Ok(seconds), Ok(stones)) = (seconds.parse::<f64>(), stones.parse::<u32>()) else {
            return Err("expected numbers".to_owned());
        };
        if !seconds.is_finite() {
            return Err("expected a finite time".to_owned());
        }
        // A clock below zero has fallen already: what remains is to move at once.
        let left = Duration::from_secs_f64(seconds.clamp(0.0, 1e9));
        self.left[player] = Some((left, stones));
        Ok(())
    }

    /// Takes a move of ours off the clock: controllers that keep one need not say how it goes.
    pub(super) fn moved(&mut self, player: usize, spent: Duration) {
        let TimeControl::Clock { increment, .. } = self.control else {
            return;
        };
        match &mut self.left[player] {
            // The main time, which may run into the overtime.
            Some((left, 0)) => *left = left.saturating_sub(spent) + increment,
            // A period of overtime that has moves left; the next one begins full.
            Some((left, stones @ 2..)) => {
                *left = left.saturating_sub(spent);
                *stones -= 1;
            }
            Some((left, stones)) => (*left, *stones) = self.overtime.unwrap_or_default(),
            None => {}
        }
    }

    /// Narrows the limits of a search for `player` to the time there is.
    pub(super) fn limit(&self, player: usize, limits: &mut Limits) {
        let increment = match self.control {
            TimeControl::Unlimited => return,
            TimeControl::PerMove(time) => {
                limits.time = Some(time);
                return;
            }
            TimeControl::Clock { increment, .. } => increment,
        };
        match self.left[player] {
            // In overtime: the rest of the period, shared by its moves.
            Some((left, stones @ 1..)) => limits.time = Some(left / stones),
            Some((left, _)) => match self.overtime {
                Some((period, stones)) if left < period => limits.time = Some(period / stones.max(1)),
                _ => {
                    limits.clock = Some(GameClock {
                        remaining: left,
                        increment,
                    });
                }
            },
            None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(clock: &GtpClock) -> Limits {
        let mut limits = Limits::default();
        clock.limit(0, &mut limits);
        limits
    }

    const fn seconds(n: u64) -> Duration {
        Duration::from_secs(n)
    }

    #[test]
    fn our_own_moves_are_counted_down_until_the_controller_says_otherwise() {
        let mut clock = GtpClock::default();
        clock.settings(&["10", "0", "0"]).expect("numbers");
        clock.moved(0, seconds(4));
        assert_eq!(
            limits(&clock).clock.map(|clock| clock.remaining),
            Some(seconds(6))
        );
        clock.set_left(0, "7", "0").expect("numbers");
        clock.moved(0, seconds(1));
        clock.moved(1, seconds(5));
        assert_eq!(
            limits(&clock).clock.map(|clock| clock.remaining),
            Some(seconds(6))
        );
        clock.moved(0, seconds(9));
        assert_eq!(
            limits(&clock).clock.map(|clock| clock.remaining),
            Some(Duration::ZERO)
        );
        clock.restart();
        assert_eq!(
            limits(&clock).clock.map(|clock| clock.remaining),
            Some(seconds(10))
        );
    }

    #[test]
    fn increments_are_added_and_overtime_follows_the_main_time() {
        let mut clock = GtpClock::default();
        clock.settings(&["10", "2", "0"]).expect("numbers");
        clock.moved(0, seconds(5));
        let left = limits(&clock).clock.expect("a clock");
        assert_eq!((left.remaining, left.increment), (seconds(7), seconds(2)));

        clock.settings(&["10", "6", "3"]).expect("numbers");
        clock.moved(0, seconds(5));
        // Less than a period is left: from now on each of its moves has a third.
        assert_eq!(limits(&clock).time, Some(seconds(2)));
        clock.set_left(0, "6", "3").expect("numbers");
        clock.moved(0, seconds(4));
        assert_eq!(limits(&clock).time, Some(seconds(1)));
        clock.moved(0, seconds(1));
        assert_eq!(limits(&clock).time, Some(seconds(1)));
        clock.moved(0, seconds(1));
        assert_eq!(limits(&clock).time, Some(seconds(2)), "a new period");
        assert!(clock.settings(&["x", "1", "1"]).is_err() && clock.set_left(0, "inf", "0").is_err());
    }
}
