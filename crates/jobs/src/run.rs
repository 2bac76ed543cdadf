//! Running a job: worker threads, progress events, and a log that is always ready to be resumed.

use std::any::Any;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use thiserror::Error;

use crate::{LogError, Progress, Recovery, ResultLog};

/// What a running job tells its caller.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event<'a> {
    /// The work begins, perhaps with items that an earlier process has done.
    Started {
        /// What the log held.
        recovery: Recovery,
        /// Where the job stands.
        progress: Progress,
    },
    /// An item is done and in the log.
    ItemDone {
        /// The item, counted from 0.
        item: usize,
        /// Its result.
        result: &'a str,
        /// Where the job stands.
        progress: Progress,
    },
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All items of the shard are done.
    Complete,
    /// A stop was asked for; run again to go on.
    Stopped,
}

/// Why a run failed; the log can be resumed all the same.
#[derive(Debug, Error)]
pub enum RunError {
    /// A result could not be written.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The work on an item panicked: a bug in the worker.
    #[error("the work on item {item} panicked: {message}")]
    Panicked {
        /// The item, counted from 0.
        item: usize,
        /// What the panic said.
        message: String,
    },
}

/// How a job is run; see [the crate's example](crate).
#[derive(Clone)]
pub struct Runner<'a> {
    /// Number of worker threads; one worker works on the calling thread, without any threads.
    pub workers: NonZeroUsize,
    /// Asked before each item whether the run is to end early; never, if left alone.
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// Where time comes from: seconds since any fixed moment, never less than an earlier answer.
    pub clock: &'a dyn Fn() -> f64,
    /// Seconds after which the log is put safely on the disk; a power failure loses no more work than that.
    pub sync_seconds: f64,
}

impl std::fmt::Debug for Runner<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            workers,
            stop: _,
            clock: _,
            sync_seconds,
        } = self;
        let mut fields = f.debug_struct("Runner");
        fields
            .field("workers", workers)
            .field("sync_seconds", sync_seconds);
        fields.finish_non_exhaustive()
    }
}

/// What a worker sends back.
type Finished = (usize, Result<Option<String>, String>);

impl<'a> Runner<'a> {
    /// Returns a runner with one worker that puts the log on the disk every 5 seconds.
    pub fn new(clock: &'a dyn Fn() -> f64) -> Self {
        Self {
            workers: NonZeroUsize::MIN,
            stop: &|| false,
            clock,
            sync_seconds: 5.0,
        }
    }

    /// Does all items that `log` does not hold yet, and appends each result as soon as it is there.
    ///
    /// Each worker makes its own state with `new_worker` (an engine, say) and turns items into lines with `work`.
    /// `work` returns `None` if it was interrupted by whoever stops the run; the item is then left for the next run.
    /// With several workers, results arrive in any order; [`ResultLog::results`] returns them in item order.
    /// Items are handed out in order, one at a time, so that a slow item holds nobody up.
    /// Events are sent on the calling thread.
    pub fn run<W>(
        &self,
        log: &mut ResultLog,
        new_worker: impl Fn() -> W + Sync,
        work: impl Fn(&mut W, usize) -> Option<String> + Sync,
        on_event: &mut dyn FnMut(&Event<'_>),
    ) -> Result<Outcome, RunError> {
        let pending: Vec<usize> = log.pending().collect();
        let mut collector = Collector::new(self, log, on_event);
        if pending.is_empty() {
            return Ok(Outcome::Complete);
        }
        let done = if self.workers.get() == 1 {
            self.run_here(&pending, &new_worker, &work, &mut collector)
        } else {
            self.run_threads(&pending, &new_worker, &work, &mut collector)
        };
        // What is finished is kept, however the run ended; the first failure is the one to report.
        let synced = collector.log.sync();
        done?;
        synced?;
        Ok(if collector.log.is_complete() {
            Outcome::Complete
        } else {
            Outcome::Stopped
        })
    }

    fn run_here<W>(
        &self,
        pending: &[usize],
        new_worker: &impl Fn() -> W,
        work: &impl Fn(&mut W, usize) -> Option<String>,
        collector: &mut Collector<'_>,
    ) -> Result<(), RunError> {
        let mut worker = None;
        for &item in pending {
            if (self.stop)() {
                break;
            }
            collector.take(guarded(&mut worker, new_worker, work, item))?;
        }
        Ok(())
    }

    fn run_threads<W>(
        &self,
        pending: &[usize],
        new_worker: &(impl Fn() -> W + Sync),
        work: &(impl Fn(&mut W, usize) -> Option<String> + Sync),
        collector: &mut Collector<'_>,
    ) -> Result<(), RunError> {
        let queue = Mutex::new(pending.iter().copied());
        let next = || queue.lock().ok()?.next();
        let workers = self.workers.get().min(pending.len());
        thread::scope(|scope| {
            let (sender, receiver) = sync_channel::<Finished>(2 * workers);
            for _ in 0..workers {
                let (sender, stop) = (sender.clone(), self.stop);
                scope.spawn(move || work_through(&sender, stop, next, new_worker, work));
            }
            drop(sender);
            // On failure the receiver is dropped, and every worker ends with its present item.
            receiver
                .into_iter()
                .try_for_each(|finished| collector.take(finished))
        })
    }
}

/// The life of a worker thread: items until there are no more, or nobody wants the results.
fn work_through<W>(
    sender: &SyncSender<Finished>,
    stop: &(dyn Fn() -> bool + Sync),
    next: impl Fn() -> Option<usize>,
    new_worker: &impl Fn() -> W,
    work: &impl Fn(&mut W, usize) -> Option<String>,
) {
    let mut worker = None;
    while !stop() {
        let Some(item) = next() else { return };
        if sender.send(guarded(&mut worker, new_worker, work, item)).is_err() {
            return;
        }
    }
}

/// Does one item, and turns a panic into a message.
fn guarded<W>(
    worker: &mut Option<W>,
    new_worker: &impl Fn() -> W,
    work: &impl Fn(&mut W, usize) -> Option<String>,
    item: usize,
) -> Finished {
    // After a panic the worker is not used again, so a half-changed state cannot be seen.
    let attempt = AssertUnwindSafe(|| work(worker.get_or_insert_with(new_worker), item));
    (
        item,
        catch_unwind(attempt).map_err(|panic| panic_message(&*panic)),
    )
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no message".to_owned())
}

/// Takes results in: into the log, and out as events.
struct Collector<'a> {
    log: &'a mut ResultLog,
    on_event: &'a mut dyn FnMut(&Event<'_>),
    clock: &'a dyn Fn() -> f64,
    sync_seconds: f64,
    /// Clock reading at the start.
    start: f64,
    /// Clock reading when the log was last put on the disk.
    synced: f64,
    /// Items done before the start.
    resumed: usize,
    /// Items of the shard.
    total: usize,
}

impl<'a> Collector<'a> {
    fn new(runner: &Runner<'a>, log: &'a mut ResultLog, on_event: &'a mut dyn FnMut(&Event<'_>)) -> Self {
        let start = (runner.clock)();
        let (resumed, total) = (log.n_done(), log.job().shard.len(log.job().items));
        let (clock, sync_seconds) = (runner.clock, runner.sync_seconds);
        let this = Self {
            log,
            on_event,
            clock,
            sync_seconds,
            start,
            synced: start,
            resumed,
            total,
        };
        let (recovery, progress) = (this.log.recovery(), this.progress(start));
        (this.on_event)(&Event::Started { recovery, progress });
        this
    }

    fn progress(&self, now: f64) -> Progress {
        let (resumed, done, total) = (self.resumed, self.log.n_done(), self.total);
        Progress {
            resumed,
            done,
            total,
            elapsed: now - self.start,
        }
    }

    fn take(&mut self, (item, finished): Finished) -> Result<(), RunError> {
        let result = match finished {
            Ok(Some(result)) => result,
            Ok(None) => return Ok(()),
            Err(message) => return Err(RunError::Panicked { item, message }),
        };
        self.log.append(item, &result)?;
        let now = (self.clock)();
        if now - self.synced >= self.sync_seconds {
            self.log.sync()?;
            self.synced = now;
        }
        let progress = self.progress(now);
        (self.on_event)(&Event::ItemDone {
            item,
            result: &result,
            progress,
        });
        Ok(())
    }
}

#[cfg(test)]
mod tests;
