//! How far a job is, and when it will be done.

use std::fmt;

/// How far a job is; `Display` writes the line that a person wants to see.
///
/// # Examples
/// ```
/// use outflank_jobs::Progress;
///
/// // 40 items were done by an earlier process, 60 are done now, 20 of them in the last 10 seconds.
/// let progress = Progress { resumed: 40, done: 60, total: 100, elapsed: 10.0 };
/// assert_eq!(progress.rate(), Some(2.0));
/// assert_eq!(progress.seconds_left(), Some(20.0));
/// assert_eq!(progress.to_string(), "60/100 (60.0 %), 2.0 a second, 20 s left");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Items that were done before this process started.
    pub resumed: usize,
    /// Items that are done, the resumed ones included.
    pub done: usize,
    /// Items that belong to this job's shard.
    pub total: usize,
    /// Seconds since this process started to work.
    pub elapsed: f64,
}

impl Progress {
    /// Returns the items finished per second by this process; `None` before anything can be said.
    pub fn rate(&self) -> Option<f64> {
        let finished = self.done.saturating_sub(self.resumed);
        (finished > 0 && self.elapsed > 0.0).then(|| finished as f64 / self.elapsed)
    }

    /// Returns the seconds that the rest takes at the present rate; `None` before anything can be said.
    pub fn seconds_left(&self) -> Option<f64> {
        let left = self.total.saturating_sub(self.done);
        if left == 0 {
            return Some(0.0);
        }
        self.rate().map(|rate| left as f64 / rate)
    }
}

/// Returns a count with a blank between groups of three digits.
///
/// # Examples
/// ```
/// use outflank_jobs::grouped;
/// assert_eq!([0, 12, 1234, 1_234_567].map(grouped), ["0", "12", "1 234", "1 234 567"]);
/// ```
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A job without items is done.
        let percent = if self.total == 0 {
            100.0
        } else {
            100.0 * self.done as f64 / self.total as f64
        };
        write!(f, "{}/{} ({percent:.1} %)", self.done, self.total)?;
        if let Some(rate) = self.rate() {
            // Slow work is better told the other way round.
            if rate >= 1.0 {
                write!(f, ", {rate:.1} a second")?;
            } else {
                write!(f, ", {} each", Seconds(1.0 / rate))?;
            }
        }
        match self.seconds_left() {
            Some(seconds) if seconds > 0.0 => write!(f, ", {} left", Seconds(seconds)),
            _ => Ok(()),
        }
    }
}

/// A length of time, written with two figures or so.
struct Seconds(f64);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0;
        match seconds {
            ..9.95 => write!(f, "{seconds:.1} s"),
            ..119.5 => write!(f, "{seconds:.0} s"),
            ..7_170.0 => write!(f, "{:.0} min", seconds / 60.0),
            ..172_800.0 => write!(f, "{:.1} h", seconds / 3600.0),
            _ => write!(f, "{:.1} days", seconds / 86_400.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_told_in_fitting_units() {
        let check = |done, elapsed, expected: &str| {
            let progress = Progress {
                resumed: 0,
                done,
                total: 1000,
                elapsed,
            };
            assert_eq!(progress.to_string(), expected);
        };
        check(0, 5.0, "0/1000 (0.0 %)");
        check(1000, 5.0, "1000/1000 (100.0 %), 200.0 a second");
        check(500, 5.0, "500/1000 (50.0 %), 100.0 a second, 5.0 s left");
        check(10, 12.0, "10/1000 (1.0 %), 1.2 s each, 20 min left");
        check(10, 1000.0, "10/1000 (1.0 %), 100 s each, 27.5 h left");
        check(1, 3600.0, "1/1000 (0.1 %), 60 min each, 41.6 days left");
        let empty = Progress {
            resumed: 0,
            done: 0,
            total: 0,
            elapsed: 0.0,
        };
        assert_eq!(empty.to_string(), "0/0 (100.0 %)");
    }

    #[test]
    fn nothing_is_said_before_something_is_known() {
        let start = Progress {
            resumed: 5,
            done: 5,
            total: 10,
            elapsed: 3.0,
        };
        assert_eq!((start.rate(), start.seconds_left()), (None, None));
        let at_once = Progress {
            done: 6,
            elapsed: 0.0,
            ..start
        };
        assert_eq!((at_once.rate(), at_once.seconds_left()), (None, None));
    }

    #[test]
    fn a_finished_job_has_no_time_left() {
        let end = Progress {
            resumed: 10,
            done: 10,
            total: 10,
            elapsed: 0.0,
        };
        assert_eq!(end.seconds_left(), Some(0.0));
    }
}
