//! Work in a thread of its own, which never touches the interpreter, so that Python can be interrupted meanwhile.

use outflank_search::StopToken;
use pyo3::{exceptions::PyRuntimeError, prelude::*};
use std::{
    any::Any,
    collections::VecDeque,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// Makes an object of Python's out of something that a thread has found.
pub(crate) type Make = Box<dyn FnOnce(Python<'_>) -> PyResult<Py<PyAny>> + Send>;

/// Where a thread leaves its news.
#[derive(Default)]
pub(crate) struct Post {
    state: Mutex<State>,
    wake: Condvar,
}

#[derive(Default)]
struct State {
    news: VecDeque<Make>,
    /// What the work came to, or its panic, once it is done.
    result: Option<Result<Make, Box<dyn Any + Send>>>,
    is_done: bool,
}

impl Post {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds news.
    pub(crate) fn tell(&self, make: Make) {
        self.lock().news.push_back(make);
        self.wake.notify_all();
    }

    /// Waits until there is something to take, or the work is done, at most for this time.
    fn wait(&self, time: Duration) {
        let until = Instant::now() + time;
        let mut state = self.lock();
        while state.news.is_empty() && !state.is_done {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            state = self
                .wake
                .wait_timeout(state, left)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
    }
}

/// Work that runs: a search, or many.
#[pyclass(frozen, module = "outflank._core")]
pub(crate) struct Job {
    stop: StopToken,
    post: Arc<Post>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Job {
    /// Starts `work`.
    pub(crate) fn start(work: impl FnOnce(&StopToken, &Post) -> Make + Send + 'static) -> Self {
        let (stop, post) = (StopToken::new(), Arc::new(Post::default()));
        let thread = {
            let (stop, post) = (stop.clone(), Arc::clone(&post));
            thread::spawn(move || {
                let result = catch_unwind(AssertUnwindSafe(|| work(&stop, &post)));
                let mut state = post.lock();
                state.result = Some(result);
                state.is_done = true;
                drop(state);
                post.wake.notify_all();
            })
        };
        Self {
            stop,
            post,
            thread: Mutex::new(Some(thread)),
        }
    }

    fn join(&self) {
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        // The thread catches its own panics.
        let _ended = thread.map(JoinHandle::join);
    }
}

#[pymethods]
impl Job {
    /// Waits for news, `seconds` at the longest, and returns what there is; nothing if there is none.
    fn wait(&self, py: Python<'_>, seconds: f64) -> PyResult<Vec<Py<PyAny>>> {
        let time = Duration::try_from_secs_f64(seconds.max(0.0)).unwrap_or(Duration::MAX);
        let time = time.min(Duration::from_hours(1));
        py.detach(|| self.post.wait(time));
        let news: Vec<Make> = self.post.lock().news.drain(..).collect();
        news.into_iter().map(|make| make(py)).collect()
    }

    /// Whether the work is done, or has stopped.
    #[getter]
    fn done(&self) -> bool {
        self.post.lock().is_done
    }

    /// Asks the work to end soon.
    fn stop(&self) {
        self.stop.stop();
    }

    /// Waits for the end of the work, and returns what it came to; once.
    fn result(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        py.detach(|| self.join());
        let result = self.post.lock().result.take();
        match result {
            Some(Ok(make)) => make(py),
            Some(Err(panic)) => resume_unwind(panic),
            None => Err(PyRuntimeError::new_err("the result was taken already")),
        }
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        self.stop.stop();
        self.join();
    }
}
