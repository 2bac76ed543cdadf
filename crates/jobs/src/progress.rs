//! How far a job is, and when it will be done.

/// Where time comes from: seconds since any fixed moment.
///
/// The crate reads no clock of its own, so that tests are exact and the code runs where there is no clock.
/// Every function that returns seconds is a clock; a program passes `|| start.elapsed().as_secs_f64()`.
pub trait Clock {
    /// Returns the seconds since a fixed moment; never less than an earlier answer.
    fn seconds(&self) -> f64;
}

impl<F: Fn() -> f64> Clock for F {
    fn seconds(&self) -> f64 {
        self()
    }
}

/// How far a job is.
///
/// # Examples
/// ```
/// use outflank_jobs::Progress;
///
/// // 40 items were done by an earlier process, 60 are done now, 20 of them in the last 10 seconds.
/// let progress = Progress { resumed: 40, done: 60, total: 100, elapsed: 10.0 };
/// assert_eq!(progress.rate(), Some(2.0));
/// assert_eq!(progress.seconds_left(), Some(20.0));
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

#[cfg(test)]
mod tests {
    use super::*;

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
