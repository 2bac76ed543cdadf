//! An engine for each game, kept between calls; calls and answers are those of `api`, as JSON.

use crate::{
    errors,
    evaluator::Evaluator,
    jobs::{Job, Make, Post},
};
use outflank_api::{Call, Capabilities, Engines as Kept, Error, Event};
use outflank_search::{StopToken, SystemClock};
use pyo3::{
    IntoPyObjectExt as _,
    exceptions::{PyMemoryError, PyValueError},
    prelude::*,
};
use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicBool, Ordering},
};

/// Engines with their memory, for one call at a time.
#[pyclass(frozen, module = "outflank._core")]
pub(crate) struct Engines {
    kept: Arc<Mutex<Kept>>,
    busy: Arc<AtomicBool>,
}

/// Says that the engines are free again when it is dropped, by a panic too.
struct Busy(Arc<AtomicBool>);

impl Busy {
    fn take(flag: &Arc<AtomicBool>) -> Option<Self> {
        flag.compare_exchange(false, true, Ordering::AcqRel, Ordering::Acquire)
            .ok()
            .map(|_| Self(Arc::clone(flag)))
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

fn busy_error(py: Python<'_>) -> PyErr {
    let message = "the engine is searching: wait for the end, stop that search, or make another engine";
    errors::raise(py, "SearchBusyError", (message,))
}

fn error_of(error: &Error) -> PyErr {
    match error {
        // An engine lacks nothing but memory, or a thread.
        Error::Engine(reason) => PyMemoryError::new_err(reason.clone()),
        _ => PyValueError::new_err(error.to_string()),
    }
}

#[pymethods]
impl Engines {
    /// Engines with tables of `table_bytes`, which judge by `evaluator` if there is one.
    #[new]
    #[pyo3(signature = (table_bytes, threads, evaluator = None))]
    fn new(table_bytes: u64, threads: usize, evaluator: Option<&Evaluator>) -> Self {
        let kept = Kept::kept(SystemClock::shared(), table_bytes)
            .with_threads(threads)
            .with_patterns(evaluator.map(|evaluator| Arc::clone(&evaluator.0)));
        Self {
            kept: Arc::new(Mutex::new(kept)),
            busy: Arc::new(AtomicBool::new(false)),
        }
    }

    /// Starts a call, an object of `api::Call`; the news of the job are its events, as JSON.
    fn start(&self, py: Python<'_>, call: &str) -> PyResult<Job> {
        let call: Call = serde_json::from_str(call)
            .map_err(|error| PyValueError::new_err(format!("no call that is known: {error}")))?;
        let busy = Busy::take(&self.busy).ok_or_else(|| busy_error(py))?;
        let kept = Arc::clone(&self.kept);
        Ok(Job::start(move |stop, post| {
            let _busy = busy;
            let mut engines = kept.lock().unwrap_or_else(PoisonError::into_inner);
            answer(&mut engines, &call, stop, post)
        }))
    }

    /// Forgets everything that was learned.
    fn clear(&self, py: Python<'_>) -> PyResult<()> {
        let _busy = Busy::take(&self.busy).ok_or_else(|| busy_error(py))?;
        py.detach(|| {
            self.kept.lock().unwrap_or_else(PoisonError::into_inner).forget();
        });
        Ok(())
    }

    /// Gives the memory back; the next call makes a new engine.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let _busy = Busy::take(&self.busy).ok_or_else(|| busy_error(py))?;
        py.detach(|| {
            self.kept
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .forget_all();
        });
        Ok(())
    }
}

/// Does what is asked, in the job's thread.
fn answer(engines: &mut Kept, call: &Call, stop: &StopToken, post: &Post) -> Make {
    let mut tell = |event: Event| {
        let text = serde_json::to_string(&event);
        post.tell(Box::new(move |py| match text {
            Ok(text) => text.into_py_any(py),
            Err(error) => Err(PyValueError::new_err(error.to_string())),
        }));
    };
    let done = engines.run(call, &Capabilities::NONE, stop, &mut tell);
    Box::new(move |py| match done {
        Ok(()) => Ok(py.None()),
        Err(error) => Err(error_of(&error)),
    })
}
