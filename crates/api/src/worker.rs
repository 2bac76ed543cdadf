//! An engine in a thread of its own, so that whoever talks to people or programs goes on listening.
//!
//! Only where there are threads: this is not built for WebAssembly.

use outflank_search::{Engine, MoveOf, OutcomeOf, ProgressOf, Request, StopToken};
use std::{
    fmt,
    sync::mpsc::{Receiver, Sender, channel},
    thread::{self, JoinHandle},
};

/// What the engine's thread tells.
pub enum News<E: Engine> {
    /// How the running search is getting on.
    Progress(ProgressOf<E>),
    /// What it has found; the next one can begin.
    Finished(OutcomeOf<E>),
    /// It has failed, and the thread is gone.
    Failed,
}

impl<E: Engine> fmt::Debug for News<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Progress(_) => "Progress",
            Self::Finished(_) => "Finished",
            Self::Failed => "Failed",
        })
    }
}

/// The engine's thread has panicked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the search has failed")]
pub struct Failed;

/// What the engine's thread is told.
enum Job<E: Engine> {
    Search(Box<Request<E::Game>>, StopToken),
    Suggest(E::Game, Vec<MoveOf<E>>),
    Forget,
}

/// The handle of the engine's thread; a search that still runs is stopped when it is dropped.
pub struct Worker<E: Engine> {
    jobs: Option<Sender<Job<E>>>,
    stop: StopToken,
    thread: Option<JoinHandle<()>>,
}

impl<E: Engine> fmt::Debug for Worker<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Worker")
            .field("stop", &self.stop)
            .finish_non_exhaustive()
    }
}

impl<E: Engine + 'static> Worker<E> {
    /// Starts the thread, which calls `tell` with its news.
    pub fn start(engine: E, tell: impl Fn(News<E>) + Send + 'static) -> Self {
        let (jobs, work) = channel();
        Self {
            jobs: Some(jobs),
            stop: StopToken::new(),
            thread: Some(thread::spawn(move || think(engine, &work, tell))),
        }
    }

    fn send(&self, job: Job<E>) -> Result<(), Failed> {
        match self.jobs.as_ref().map(|jobs| jobs.send(job)) {
            Some(Ok(())) => Ok(()),
            _ => Err(Failed),
        }
    }

    /// Starts a search, after the one that runs.
    ///
    /// # Errors
    ///
    /// The thread has panicked.
    pub fn search(&mut self, request: Request<E::Game>) -> Result<(), Failed> {
        self.stop = StopToken::new();
        self.send(Job::Search(Box::new(request), self.stop.clone()))
    }

    /// Asks the running search to end; its outcome comes soon.
    pub fn stop(&self) {
        self.stop.stop();
    }

    /// Tells the engine what somebody else thinks best.
    ///
    /// # Errors
    ///
    /// The thread has panicked.
    pub fn suggest(&self, position: E::Game, line: Vec<MoveOf<E>>) -> Result<(), Failed> {
        self.send(Job::Suggest(position, line))
    }

    /// Lets the engine forget what it has learned.
    ///
    /// # Errors
    ///
    /// The thread has panicked.
    pub fn forget(&self) -> Result<(), Failed> {
        self.send(Job::Forget)
    }

    /// Ends the thread.
    ///
    /// # Errors
    ///
    /// The thread has panicked.
    pub fn end(mut self) -> Result<(), Failed> {
        if self.join() { Ok(()) } else { Err(Failed) }
    }
}

impl<E: Engine> Worker<E> {
    fn join(&mut self) -> bool {
        self.stop.stop();
        self.jobs = None;
        self.thread.take().is_none_or(|thread| thread.join().is_ok())
    }
}

impl<E: Engine> Drop for Worker<E> {
    fn drop(&mut self) {
        self.join();
    }
}

/// Tells of a panic when it is dropped by one.
struct Bell<E: Engine, F: Fn(News<E>)>(F, std::marker::PhantomData<E>);

impl<E: Engine, F: Fn(News<E>)> Drop for Bell<E, F> {
    fn drop(&mut self) {
        if thread::panicking() {
            (self.0)(News::Failed);
        }
    }
}

/// Searches, one job after the other.
fn think<E: Engine>(mut engine: E, work: &Receiver<Job<E>>, tell: impl Fn(News<E>)) {
    let bell = Bell(tell, std::marker::PhantomData);
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
