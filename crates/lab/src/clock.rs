//! The clock of measurements: processor time, for the searches of lower layers, which know only the trait.

use outflank_search::{Clock, SystemClock};
use std::time::Duration;

/// The processor time of the calling thread since it was made, so that measurements do not depend on what else the
/// machine is doing; wall-clock time where the system does not tell.
///
/// Must be read by the thread that made it.
#[derive(Clone, Copy, Debug)]
pub struct CpuClock {
    start: Duration,
    wall: SystemClock,
}

impl CpuClock {
    /// Returns a clock that starts now.
    pub fn start() -> Self {
        Self {
            start: thread_time().unwrap_or_default(),
            wall: SystemClock::new(),
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
        let (wall, cpu) = (SystemClock::new(), CpuClock::start());
        let mut random = outflank_game::SplitMix64::new(1);
        while cpu.now() < Duration::from_millis(5) {
            std::hint::black_box(random.next_u64());
        }
        assert!(wall.now() >= Duration::from_millis(5));
        assert!(cpu.seconds() >= 0.005);
    }
}
