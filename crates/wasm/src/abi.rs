//! The functions that a page calls, and the two that it gives.
//!
//! Text goes in and out as UTF-8 in the module's memory. A page writes a message where [`alloc`] says, calls [`call`], and
//! returns the memory with [`free`]; `emit` gets the place and length of every answer while the call runs. `now` returns
//! milliseconds, and infinity when the running call is to end. One thread: a call ends before the next one begins.
//! Only WebAssembly exports them by these names: elsewhere a `free` would take the place of the C library's.

#![expect(unsafe_code, reason = "memory is shared with a page that knows no Rust")]

use outflank_api::messages::Responder;
use outflank_search::{Clock, StopToken};
use std::{cell::RefCell, slice, sync::Arc, time::Duration};

#[cfg(target_arch = "wasm32")]
#[link(wasm_import_module = "env")]
unsafe extern "C" {
    fn emit(text: *const u8, length: usize);
    safe fn now() -> f64;
}

#[cfg(not(target_arch = "wasm32"))]
const fn now() -> f64 {
    0.0
}

#[cfg(not(target_arch = "wasm32"))]
thread_local! {
    /// What was sent where there is no page.
    static SENT: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

thread_local! {
    static RESPONDER: RefCell<Option<Responder>> = const { RefCell::new(None) };
}

/// The page's clock; when it says infinity, time stands still here.
struct PageClock;

impl Clock for PageClock {
    fn now(&self) -> Duration {
        Duration::try_from_secs_f64(now() / 1e3).unwrap_or(Duration::ZERO)
    }
}

/// Returns room for `length` bytes.
#[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
pub extern "C" fn alloc(length: usize) -> *mut u8 {
    Box::into_raw(vec![0_u8; length].into_boxed_slice()).cast()
}

/// Takes room back.
///
/// # Safety
///
/// `text` and `length` are those of one [`alloc`], which has not been returned yet.
#[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
pub unsafe extern "C" fn free(text: *mut u8, length: usize) {
    let room = std::ptr::slice_from_raw_parts_mut(text, length);
    // SAFETY: the caller says that `alloc` made it with this length, and that it is returned once.
    drop(unsafe { Box::from_raw(room) });
}

/// Makes the engines anew, with tables of `table_bytes`; returns 0.
#[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
pub extern "C" fn new(table_bytes: f64) -> u32 {
    #[cfg(target_arch = "wasm32")]
    std::panic::set_hook(Box::new(|panic| {
        let text =
            serde_json::json!({"id": null, "error": {"code": "engine-failed", "message": panic.to_string()}});
        send(&text.to_string());
    }));
    RESPONDER.set(Some(Responder::new(
        "wasm",
        Arc::new(PageClock),
        table_bytes as u64,
    )));
    0
}

/// Answers a message.
///
/// # Safety
///
/// `text` points to `length` bytes that stay as they are during the call.
#[cfg_attr(target_arch = "wasm32", unsafe(no_mangle))]
pub unsafe extern "C" fn call(text: *const u8, length: usize) {
    // SAFETY: the caller says so.
    let bytes = unsafe { slice::from_raw_parts(text, length) };
    let text = String::from_utf8_lossy(bytes);
    let stop = StopToken::asking(|| now() == f64::INFINITY);
    RESPONDER.with_borrow_mut(|responder| {
        let responder =
            responder.get_or_insert_with(|| Responder::new("wasm", Arc::new(PageClock), 32 << 20));
        responder.answer(&text, &stop, &mut |answer| send(&answer.to_string()));
    });
}

#[cfg(target_arch = "wasm32")]
fn send(text: &str) {
    // SAFETY: the page reads these bytes during the call and keeps no pointer.
    unsafe { emit(text.as_ptr(), text.len()) };
}

#[cfg(not(target_arch = "wasm32"))]
fn send(text: &str) {
    SENT.with_borrow_mut(|sent| sent.push(text.to_owned()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_goes_in_and_its_answers_come_out() {
        assert_eq!(new(f64::from(1 << 20)), 0);
        for (text, parts) in [
            (r#"{"id":1,"call":"hello"}"#, 2),
            (r#"{"id":2,"call":"names","input":{"text":"f5d6"}}"#, 2),
            ("\u{fffd}", 1),
            ("", 1),
        ] {
            let room = alloc(text.len());
            // SAFETY: `alloc` made room for as many bytes, which nobody else knows.
            unsafe { room.copy_from_nonoverlapping(text.as_ptr(), text.len()) };
            // SAFETY: the bytes were just written.
            unsafe { call(room, text.len()) };
            // SAFETY: the room is returned once, with the length that was asked for.
            unsafe { free(room, text.len()) };
            let sent = SENT.take();
            assert_eq!(sent.len(), parts, "{sent:?}");
            assert!(
                sent.iter()
                    .all(|answer| serde_json::from_str::<serde_json::Value>(answer).is_ok())
            );
        }
    }
}
