//! Runs with one worker and several, stopped, resumed, failing, and timed by a clock made of numbers.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::*;
use crate::{Fingerprint, Job, Shard};

const N: usize = 50;

/// A log in a folder of its own.
fn new_log(shard: Shard) -> (tempfile::TempDir, ResultLog) {
    let folder = tempfile::tempdir().unwrap();
    let job = Job {
        title: "squares".to_owned(),
        fingerprint: Fingerprint::default(),
        items: N,
        shard,
    };
    let log = ResultLog::create(folder.path().join("job.log"), job).unwrap();
    (folder, log)
}

fn square(item: usize) -> String {
    (item * item).to_string()
}

fn runner(clock: &dyn Fn() -> f64, workers: usize) -> Runner<'_> {
    Runner {
        workers: NonZeroUsize::new(workers).unwrap(),
        ..Runner::new(clock)
    }
}

#[test]
fn any_number_of_workers_gives_the_same_results() {
    let expected: Vec<String> = (0..N).map(square).collect();
    for workers in [1, 2, 3, 8, 100] {
        let (_folder, mut log) = new_log(Shard::WHOLE);
        let clock = || 0.0;
        let mut done = BTreeSet::new();
        let made = AtomicUsize::new(0);
        let outcome = runner(&clock, workers)
            .run(
                &mut log,
                || made.fetch_add(1, Ordering::Relaxed),
                |_, item| Some(square(item)),
                &mut |event| {
                    if let Event::ItemDone { item, result, .. } = event {
                        assert_eq!(*result, square(*item));
                        assert!(done.insert(*item), "item {item} is done once");
                    }
                },
            )
            .unwrap();
        assert_eq!((outcome, done.len()), (Outcome::Complete, N));
        assert_eq!(log.results().unwrap(), expected);
        assert!((1..=workers).contains(&made.into_inner()), "one state per worker");
    }
}

#[test]
fn a_shard_does_its_own_items() {
    let (_folder, mut log) = new_log(Shard::new(3, 7).unwrap());
    let clock = || 0.0;
    runner(&clock, 2)
        .run(&mut log, || (), |(), item| Some(item.to_string()), &mut |_| {})
        .unwrap();
    let items: Vec<String> = (2..N).step_by(7).map(|item| item.to_string()).collect();
    assert_eq!(log.results().unwrap(), items);
}

#[test]
fn a_stopped_run_goes_on_where_it_was() {
    for workers in [1, 3] {
        let (_folder, mut log) = new_log(Shard::WHOLE);
        let clock = || 0.0;
        let mut total_work = 0;
        let work = AtomicUsize::new(0);
        let mut rounds = 0;
        loop {
            rounds += 1;
            let enough = AtomicBool::new(false);
            let is_enough = || enough.load(Ordering::Relaxed);
            let runner = Runner {
                stop: &is_enough,
                ..runner(&clock, workers)
            };
            let mut left = 7;
            let outcome = runner
                .run(
                    &mut log,
                    || (),
                    |(), item| {
                        work.fetch_add(1, Ordering::Relaxed);
                        Some(square(item))
                    },
                    &mut |event| {
                        if matches!(event, Event::ItemDone { .. }) {
                            left -= 1;
                            if left == 0 {
                                enough.store(true, Ordering::Relaxed);
                            }
                        }
                    },
                )
                .unwrap();
            total_work += work.swap(0, Ordering::Relaxed);
            if outcome == Outcome::Complete {
                break;
            }
        }
        assert!(rounds > 1);
        assert_eq!(total_work, N, "no item is done twice");
        assert_eq!(log.results().unwrap(), (0..N).map(square).collect::<Vec<_>>());
    }
}

#[test]
fn an_interrupted_item_is_left_for_later() {
    let (_folder, mut log) = new_log(Shard::WHOLE);
    let clock = || 0.0;
    let skip_one = |(): &mut (), item| (item != 9).then(|| square(item));
    let outcome = runner(&clock, 2)
        .run(&mut log, || (), skip_one, &mut |_| {})
        .unwrap();
    assert_eq!(outcome, Outcome::Stopped);
    assert_eq!(log.pending().collect::<Vec<_>>(), [9]);
}

#[test]
fn a_panic_is_an_error_and_loses_nothing() {
    for workers in [1, 4] {
        let (_folder, mut log) = new_log(Shard::WHOLE);
        let clock = || 0.0;
        let work = |(): &mut (), item| {
            assert!(item != 20, "no twenties");
            Some(square(item))
        };
        let error = runner(&clock, workers)
            .run(&mut log, || (), work, &mut |_| {})
            .unwrap_err();
        assert_eq!(error.to_string(), "the work on item 20 panicked: no twenties");
        assert!(log.n_done() >= 20 - workers);
        let clock = || 0.0;
        let outcome = runner(&clock, workers)
            .run(&mut log, || (), |(), i| Some(square(i)), &mut |_| {})
            .unwrap();
        assert_eq!(outcome, Outcome::Complete);
    }
}

#[test]
fn a_result_of_two_lines_ends_the_run() {
    for workers in [1, 4] {
        let (_folder, mut log) = new_log(Shard::WHOLE);
        let clock = || 0.0;
        let error = runner(&clock, workers).run(&mut log, || (), |(), _| Some("\n".to_owned()), &mut |_| {});
        assert!(matches!(error, Err(RunError::Log(LogError::LineBreak { .. }))));
    }
}

#[test]
fn progress_follows_the_clock() {
    let (_folder, mut log) = new_log(Shard::WHOLE);
    for item in 0..10 {
        log.append(item, &square(item)).unwrap();
    }
    // The clock is read once at the start and once per item: 100, 102, 104, …
    let reading = Cell::new(98.0);
    let clock = || {
        reading.set(reading.get() + 2.0);
        reading.get()
    };
    let mut events = Vec::new();
    runner(&clock, 1)
        .run(
            &mut log,
            || (),
            |(), item| Some(square(item)),
            &mut |event| match event {
                Event::Started { progress, .. } | Event::ItemDone { progress, .. } => events.push(*progress),
            },
        )
        .unwrap();
    assert_eq!(
        events[0],
        Progress {
            resumed: 10,
            done: 10,
            total: N,
            elapsed: 0.0
        }
    );
    assert_eq!(
        events[5],
        Progress {
            resumed: 10,
            done: 15,
            total: N,
            elapsed: 10.0
        }
    );
    assert_eq!(
        (events[5].rate(), events[5].seconds_left()),
        (Some(0.5), Some(70.0))
    );
    assert_eq!(events.len(), 41);
    assert_eq!(events[40].seconds_left(), Some(0.0));
}

#[test]
fn a_complete_job_does_nothing() {
    let (_folder, mut log) = new_log(Shard::WHOLE);
    let clock = || 0.0;
    for item in 0..N {
        log.append(item, "").unwrap();
    }
    let mut events = 0;
    let outcome = runner(&clock, 4)
        .run(
            &mut log,
            || unreachable!("no worker is needed"),
            |(): &mut (), _| None,
            &mut |_| events += 1,
        )
        .unwrap();
    assert_eq!((outcome, events), (Outcome::Complete, 1));
}
