//! The engine in a thread of its own, so that whoever talks to people or programs goes on listening.

use crate::engine::DefaultEvaluator;
use anyhow::bail;
use outflank_othello::{Move, Position};
use outflank_othello_engine::{Engine, Outcome, Progress, Request};
use outflank_search::StopToken;
use std::{
    sync::mpsc::{Receiver, Sender, channel},
    thread::{self, JoinHandle},
};

/// What the engine's thread tells.
#[derive(Debug)]
pub(crate) enum News {
    /// How the running search is getting on.
    Progress(Progress),
    /// What it has found; the next one can begin.
    Finished(Outcome),
    /// It has failed, and the thread is gone.
    Failed,
}

/// What the engine's thread is told.
enum Job {
    Search(Box<Request>, StopToken),
    Suggest(Position, Vec<Move>),
    Forget,
}

/// The handle of the engine's thread; a search that still runs is stopped when it is dropped.
#[derive(Debug)]
pub(crate) struct Thinker {
    jobs: Option<Sender<Job>>,
    stop: StopToken,
    thread: Option<JoinHandle<()>>,
}

impl Thinker {
    /// Starts the thread, which calls `tell` with its news.
    pub(crate) fn start(engine: Engine<DefaultEvaluator>, tell: impl Fn(News) + Send + 'static) -> Self {
        let (jobs, work) = channel();
        Self {
            jobs: Some(jobs),
            stop: StopToken::new(),
            thread: Some(thread::spawn(move || think(engine, &work, tell))),
        }
    }

    fn send(&self, job: Job) -> anyhow::Result<()> {
        match self.jobs.as_ref().map(|jobs| jobs.send(job)) {
            Some(Ok(())) => Ok(()),
            _ => bail!(FAILURE),
        }
    }

    /// Starts a search, after the one that runs.
    pub(crate) fn search(&mut self, request: Request) -> anyhow::Result<()> {
        self.stop = StopToken::new();
        self.send(Job::Search(Box::new(request), self.stop.clone()))
    }

    /// Asks the running search to end; its outcome comes soon.
    pub(crate) fn stop(&self) {
        self.stop.stop();
    }

    /// Tells the engine what somebody else thinks best.
    pub(crate) fn suggest(&self, position: Position, line: Vec<Move>) -> anyhow::Result<()> {
        self.send(Job::Suggest(position, line))
    }

    /// Lets the engine forget what it has learned.
    pub(crate) fn forget(&self) -> anyhow::Result<()> {
        self.send(Job::Forget)
    }

    /// Ends the thread, and says if it has failed.
    pub(crate) fn end(mut self) -> anyhow::Result<()> {
        if self.join() { Ok(()) } else { bail!(FAILURE) }
    }

    fn join(&mut self) -> bool {
        self.stop.stop();
        self.jobs = None;
        self.thread.take().is_none_or(|thread| thread.join().is_ok())
    }
}

impl Drop for Thinker {
    fn drop(&mut self) {
        self.join();
    }
}

/// What is said if the engine's thread has panicked.
const FAILURE: &str = "the search has failed; please report this with the commands that led to it";

/// Tells of a panic when it is dropped by one.
struct Bell<F: Fn(News)>(F);

impl<F: Fn(News)> Drop for Bell<F> {
    fn drop(&mut self) {
        if thread::panicking() {
            (self.0)(News::Failed);
        }
    }
}

/// Searches, one job after the other.
fn think(mut engine: Engine<DefaultEvaluator>, work: &Receiver<Job>, tell: impl Fn(News)) {
    let bell = Bell(tell);
    for job in work {
        match job {
            Job::Forget => engine.clear(),
            Job::Suggest(position, line) => engine.suggest(&position, &line),
            Job::Search(request, stop) => {
                let outcome = engine.search(&request, &stop, &mut |news| {
                    (bell.0)(News::Progress(news.clone()));
                });
                (bell.0)(News::Finished(outcome));
            }
        }
    }
}
