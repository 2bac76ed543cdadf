//! The functions that a program in C calls.
//!
//! The messages are those of [`outflank_api::messages`], one JSON object each, as a page sends them; `docs/json.md` describes
//! the calls.

#![expect(unsafe_code, reason = "a program in C has pointers")]

use outflank_api::messages::{Code, Refusal, Responder};
use outflank_search::{StopToken, SystemClock};
use std::{
    ffi::{CString, c_char, c_void},
    panic::{AssertUnwindSafe, catch_unwind},
    slice,
    sync::{Mutex, MutexGuard, PoisonError, TryLockError},
};

/// Engines with their memory. Any thread may use them, one call at a time.
#[derive(Debug)]
pub struct Outflank {
    table_bytes: u64,
    responder: Mutex<Responder>,
    /// Stops the call that runs, if one does.
    running: Mutex<Option<StopToken>>,
}

impl Outflank {
    fn running(&self) -> MutexGuard<'_, Option<StopToken>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn new(table_bytes: u64) -> Self {
        Self {
            table_bytes,
            responder: Mutex::new(responder(table_bytes)),
            running: Mutex::default(),
        }
    }

    /// Answers a message; returns `false` where another call runs.
    fn call(&self, text: &str, emit: &mut dyn FnMut(&str)) -> bool {
        let mut engines = match self.responder.try_lock() {
            Ok(engines) => engines,
            Err(TryLockError::Poisoned(engines)) => engines.into_inner(),
            Err(TryLockError::WouldBlock) => return false,
        };
        let stop = StopToken::new();
        *self.running() = Some(stop.clone());
        let answered = catch_unwind(AssertUnwindSafe(|| {
            engines.answer(text, &stop, &mut |answer| emit(&answer.to_string()));
        }));
        *self.running() = None;
        if answered.is_err() {
            // Half of a search may be in the tables.
            *engines = responder(self.table_bytes);
            let refusal = Refusal::new(None, Code::EngineFailed, "the engine has failed and begins anew");
            emit(&refusal.to_json().to_string());
        }
        true
    }
}

fn responder(table_bytes: u64) -> Responder {
    Responder::new("c", SystemClock::shared(), table_bytes)
}

/// Hears an answer: its bytes, which end with a zero that `length` does not count and are gone when it returns, and the
/// `context` that was given to the call.
pub type OutflankOnAnswer = unsafe extern "C" fn(context: *mut c_void, answer: *const c_char, length: usize);

/// Returns the version of the library; the text lives as long as the program.
#[unsafe(no_mangle)]
pub extern "C" fn outflank_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// Makes engines with tables of so many bytes, which are reserved when a search needs them. Never returns NULL.
#[unsafe(no_mangle)]
pub extern "C" fn outflank_new(table_bytes: u64) -> *mut Outflank {
    Box::into_raw(Box::new(Outflank::new(table_bytes)))
}

/// Answers one message of `length` bytes in UTF-8 before it returns: `on_answer` hears every answer as soon as it is there.
/// Returns `false` and answers nothing where another call runs with these engines.
///
/// # Safety
///
/// `engine` comes from [`outflank_new`] and was not freed; `text` has `length` bytes; `on_answer` can be called with `context`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_call(
    engine: *const Outflank,
    text: *const c_char,
    length: usize,
    on_answer: OutflankOnAnswer,
    context: *mut c_void,
) -> bool {
    // SAFETY: the caller says that it is alive; it is shared only, whoever else uses it.
    let engine = unsafe { &*engine };
    // SAFETY: the caller says that there are so many bytes.
    let bytes = unsafe { slice::from_raw_parts(text.cast::<u8>(), length) };
    engine.call(&String::from_utf8_lossy(bytes), &mut |answer| {
        // JSON escapes a zero.
        let Ok(answer) = CString::new(answer) else { return };
        // SAFETY: the caller says that it can be called so; the bytes live until it returns.
        unsafe { on_answer(context, answer.as_ptr(), answer.as_bytes().len()) };
    })
}

/// Ends the call that runs, if one does: it answers with what it has found. Any thread may ask, also `on_answer`.
///
/// # Safety
///
/// `engine` comes from [`outflank_new`] and was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_stop(engine: *const Outflank) {
    // SAFETY: the caller says that it is alive; it is shared only, whoever else uses it.
    let engine = unsafe { &*engine };
    if let Some(stop) = &*engine.running() {
        stop.stop();
    }
}

/// Gives engines back with their memory; NULL is nothing to do.
///
/// # Safety
///
/// `engine` comes from [`outflank_new`], was not freed, and no call uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn outflank_free(engine: *mut Outflank) {
    if !engine.is_null() {
        // SAFETY: the caller says that it was made so, and that nobody uses it.
        drop(unsafe { Box::from_raw(engine) });
    }
}
