//! An engine in a thread of its own, so that whoever talks to people or programs goes on listening.
//!
//! Only where there are threads: this is not built for WebAssembly.

use outflank_search::{Engine, MoveOf, OutcomeOf, ProgressOf, Request, StopToken};
use std::{
    fmt,
    panic::resume_unwind,
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

/// An engine that is being made in a thread of its own, so that a book in front of it answers at once.
#[derive(Debug)]
pub struct Soon<E> {
    making: Option<JoinHandle<E>>,
    engine: Option<E>,
    /// From what it is to begin its choices, where it was told before it was there.
    seed: Option<u64>,
}

impl<E: Engine + 'static> Soon<E> {
    /// Starts to make an engine.
    pub fn start(make: impl FnOnce() -> E + Send + 'static) -> Self {
        Self {
            making: Some(thread::spawn(make)),
            engine: None,
            seed: None,
        }
    }

    /// Waits for the engine; a panic in its making is passed on.
    fn engine(&mut self) -> &mut E {
        if let Some(making) = self.making.take() {
            let mut engine = making.join().unwrap_or_else(|reason| resume_unwind(reason));
            if let Some(seed) = self.seed.take() {
                engine.reseed(seed);
            }
            self.engine = Some(engine);
        }
        self.engine
            .as_mut()
            .expect("it was made, or nobody has it after a panic")
    }
}

impl<E: Engine + 'static> Engine for Soon<E> {
    type Game = E::Game;
    type Value = E::Value;

    fn search(
        &mut self,
        request: &Request<Self::Game>,
        stop: &StopToken,
        on_progress: &mut dyn FnMut(&ProgressOf<Self>),
    ) -> OutcomeOf<Self> {
        self.engine().search(request, stop, on_progress)
    }

    fn clear(&mut self) {
        // One that is being made has learned nothing yet.
        if let Some(engine) = &mut self.engine {
            engine.clear();
        }
    }

    fn reseed(&mut self, seed: u64) {
        match &mut self.engine {
            Some(engine) => engine.reseed(seed),
            None => self.seed = Some(seed),
        }
    }

    fn suggest(&mut self, position: &Self::Game, line: &[MoveOf<Self>]) {
        self.engine().suggest(position, line);
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

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_othello_engine::{Engine as Othello, EngineConfig};
    use outflank_search::Level;

    #[test]
    fn an_engine_that_comes_later_is_the_same_engine() {
        let config = EngineConfig {
            table_bytes: 1 << 20,
            ..EngineConfig::default()
        };
        let make = move || Othello::with(config).expect("memory");
        let mut at_once = make();
        let mut soon = Soon::start(make);
        // A level that draws its moves: the seed arrives although the engine does not listen yet.
        soon.clear();
        soon.reseed(7);
        at_once.reseed(7);
        let request = Request::default().level(Level::human(1).expect("human-1"));
        for _ in 0..10 {
            let of = |engine: &mut dyn Engine<Game = _, Value = _>| {
                engine
                    .search(&request, &StopToken::new(), &mut |_| {})
                    .best_move()
            };
            assert_eq!(of(&mut soon), of(&mut at_once));
        }
    }

    #[test]
    fn a_panic_in_the_making_is_passed_on() {
        let mut soon: Soon<Othello<outflank_eval::Patterns>> = Soon::start(|| panic!("no memory"));
        let search = std::panic::AssertUnwindSafe(|| {
            soon.search(&Request::default().depth(1), &StopToken::new(), &mut |_| {})
        });
        assert!(std::panic::catch_unwind(search).is_err());
    }
}
