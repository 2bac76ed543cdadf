//! How many threads one search starts.

use std::{num::NonZeroUsize, thread};

/// Returns how many threads a search starts of those that are wanted: at least one, and none beyond the processors that
/// this program may use.
///
/// More would take turns on the same processors, each with a memory of its own, and search what nobody needs meanwhile.
/// All that are wanted where the system does not tell.
pub fn threads_at_work(wanted: usize) -> usize {
    let processors = thread::available_parallelism().map_or(usize::MAX, NonZeroUsize::get);
    wanted.clamp(1, processors)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_at_least_and_no_more_than_wanted_or_processors() {
        assert_eq!([threads_at_work(0), threads_at_work(1)], [1, 1]);
        let processors = thread::available_parallelism().expect("the system tells").get();
        assert_eq!(threads_at_work(usize::MAX), processors);
        assert_eq!(threads_at_work(2), processors.min(2));
    }
}
