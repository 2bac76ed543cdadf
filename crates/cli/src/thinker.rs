//! An engine in a thread of its own, so that whoever talks to people or programs goes on listening.

use crate::engine::DefaultEvaluator;
use anyhow::bail;
use outflank_search::{Engine, MoveOf, OutcomeOf, ProgressOf, Request, StopToken};
use std::{
    fmt,
    sync::mpsc::{Receiver, Sender, channel},
    thread::{self, JoinHandle},
};

/// The engine of most commands.
type Othello = outflank_othello_engine::Engine<DefaultEvaluator>;

/// What the engine's thread tells.
pub(crate) enum News<E: Engine = Othello> {
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

/// What the engine's thread is told.
enum Job<E: Engine> {
    Search(Box<Request<E::Game>>, StopToken),
    Suggest(E::Game, Vec<MoveOf<E>>),
    Forget,
}

/// The handle of the engine's thread; a search that still runs is stopped when it is dropped.
pub(crate) struct Thinker<E: Engine = Othello> {
    jobs: Option<Sender<Job<E>>>,
    stop: StopToken,
    thread: Option<JoinHandle<()>>,
}

impl<E: Engine> fmt::Debug for Thinker<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Thinker")
            .field("stop", &self.stop)
            .finish_non_exhaustive()
    }
}

impl<E: Engine + 'static> Thinker<E> {
    /// Starts the thread, which calls `tell` with its news.
    pub(crate) fn start(engine: E, tell: impl Fn(News<E>) + Send + 'static) -> Self {
        let (jobs, work) = channel();
        Self {
            jobs: Some(jobs),
            stop: StopToken::new(),
            thread: Some(thread::spawn(move || think(engine, &work, tell))),
        }
    }

    fn send(&self, job: Job<E>) -> anyhow::Result<()> {
        match self.jobs.as_ref().map(|jobs| jobs.send(job)) {
            Some(Ok(())) => Ok(()),
            _ => bail!(FAILURE),
        }
    }

    /// Starts a search, after the one that runs.
    pub(crate) fn search(&mut self, request: Request<E::Game>) -> anyhow::Result<()> {
        self.stop = StopToken::new();
        self.send(Job::Search(Box::new(request), self.stop.clone()))
    }

    /// Asks the running search to end; its outcome comes soon.
    pub(crate) fn stop(&self) {
        self.stop.stop();
    }

    /// Tells the engine what somebody else thinks best.
    pub(crate) fn suggest(&self, position: E::Game, line: Vec<MoveOf<E>>) -> anyhow::Result<()> {
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
}

impl<E: Engine> Thinker<E> {
    fn join(&mut self) -> bool {
        self.stop.stop();
        self.jobs = None;
        self.thread.take().is_none_or(|thread| thread.join().is_ok())
    }
}

impl<E: Engine> Drop for Thinker<E> {
    fn drop(&mut self) {
        self.join();
    }
}

/// What is said if the engine's thread has panicked.
const FAILURE: &str = "the search has failed; please report this with the commands that led to it";

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
