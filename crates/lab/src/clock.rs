//! The real clocks, for the searches of lower layers, which know only the trait.

use outflank_search::Clock;
use std::time::{Duration, Instant};

/// The time since it was made.
#[derive(Clone, Copy, Debug)]
pub struct WallClock(Instant);

impl WallClock {
    /// Returns a clock that starts now.
    pub fn start() -> Self {
        Self(Instant::now())
    }
}

impl Clock for WallClock {
    fn now(&self) -> Duration {
        self.0.elapsed()
    }
}

/// The processor time of the calling thread since it was made, so that measurements do not depend on what else the
/// machine is doing; wall-clock time where the system does not tell.
///
/// Must be read by the thread that made it.
#[derive(Clone, Copy, Debug)]
pub struct CpuClock {
    start: Duration,
    wall: WallClock,
}

impl CpuClock {
    /// Returns a clock that starts now.
    pub fn start() -> Self {
        Self {
            start: thread_time().unwrap_or_default(),
            wall: WallClock::start(),
        }
    }

    /// Returns the seconds so far.
    pub fn seconds(&self) -> f64 {
        self.now().as_secs_f64()
    }
}

impl Clock for CpuClock {
    fn now(&self) -> Duration {
        thread_time().map_or_else(|| self.wall.now(), |now| now.saturating_sub(self.start))
    }
}

/// Returns the processor time that this thread has used.
#[cfg(unix)]
fn thread_time() -> Option<Duration> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    let seconds = u64::try_from(time.tv_sec).ok()?;
    Some(Duration::new(seconds, u32::try_from(time.tv_nsec).ok()?))
}

/// Other systems do not tell in a way that works everywhere.
#[cfg(not(unix))]
fn thread_time() -> Option<Duration> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processor_time_counts_work_and_not_waiting() {
        // The wall clock first: what passes between the two must not count for the processor alone.
        let (wall, cpu) = (WallClock::start(), CpuClock::start());
        let mut random = outflank_game::SplitMix64::new(1);
        while cpu.now() < Duration::from_millis(5) {
            std::hint::black_box(random.next_u64());
        }
        assert!(wall.now() >= Duration::from_millis(5));
        assert!(cpu.seconds() >= 0.005);
    }
}
