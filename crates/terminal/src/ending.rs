//! Ends that come from outside: a terminal that goes away, a request to terminate, an interrupt.

use anyhow::Context as _;
use outflank_search::StopToken;
use std::{
    io::{self, IsTerminal as _},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

/// How often to look whether the end was asked for.
const LOOK: Duration = Duration::from_millis(50);
/// How long the program may take to end in good order.
const GRACE: Duration = Duration::from_millis(600);

/// Calls `wake` once the program is asked to end or its terminal is gone; if it still lives a little later, calls
/// `last_words` and ends it. Returns the flag that says so.
///
/// A terminal that is gone is no end of the input for everybody who reads from it, and not every terminal that goes away
/// sends a signal: this is the one place that makes sure of the end.
pub(crate) fn watch(
    wake: impl Fn() + Send + 'static,
    last_words: impl Fn() + Send + 'static,
) -> anyhow::Result<Arc<AtomicBool>> {
    let asked = Arc::new(AtomicBool::new(false));
    #[cfg(unix)]
    for signal in [
        signal_hook::consts::SIGINT,
        signal_hook::consts::SIGTERM,
        signal_hook::consts::SIGHUP,
    ] {
        signal_hook::flag::register(signal, Arc::clone(&asked))?;
    }
    #[cfg(not(unix))]
    {
        let flag = Arc::clone(&asked);
        ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed))?;
    }
    let flag = Arc::clone(&asked);
    // A pipe hangs up, too, when everything has been written to it. (A terminal that is gone does not say that it was one.)
    let at_terminal = io::stdin().is_terminal();
    thread::spawn(move || {
        while !flag.load(Ordering::Relaxed) {
            thread::sleep(LOOK);
            if at_terminal && has_hung_up() {
                flag.store(true, Ordering::Relaxed);
            }
        }
        wake();
        thread::sleep(GRACE);
        last_words();
        #[expect(
            clippy::exit,
            reason = "what should have ended the program in good order hangs"
        )]
        std::process::exit(1);
    });
    Ok(asked)
}

/// Returns a token that the first request to end stops (an interrupt, a request to terminate, a terminal that goes away);
/// another one that comes a moment later ends the program at once.
pub fn stop_on_request() -> anyhow::Result<StopToken> {
    #[cfg(unix)]
    {
        const SIGNALS: [i32; 3] = [
            signal_hook::consts::SIGINT,
            signal_hook::consts::SIGTERM,
            signal_hook::consts::SIGHUP,
        ];
        let asked = Arc::new(AtomicBool::new(false));
        for signal in SIGNALS {
            signal_hook::flag::register(signal, Arc::clone(&asked))?;
        }
        let flag = Arc::clone(&asked);
        thread::spawn(move || {
            while !flag.load(Ordering::Relaxed) {
                thread::sleep(LOOK);
            }
            // Some send the same request to the program and to its group: that is one.
            thread::sleep(GRACE);
            for signal in SIGNALS {
                // Where that fails, the program ends in good order only.
                drop(signal_hook::flag::register_conditional_shutdown(
                    signal,
                    1,
                    Arc::clone(&flag),
                ));
            }
        });
        Ok(asked.into())
    }
    #[cfg(not(unix))]
    stop_on_interrupt()
}

/// Returns a token that an interrupt from the keyboard stops: what is known by then is still shown.
///
/// Only one of these can be had; it is for whoever runs one search after the other.
///
/// # Errors
///
/// Interrupts are watched for already.
pub fn stop_on_interrupt() -> anyhow::Result<StopToken> {
    let stop = StopToken::new();
    let handler = stop.clone();
    ctrlc::set_handler(move || handler.stop()).context("cannot watch for Ctrl-C")?;
    Ok(stop)
}

/// Returns whether nobody is at the other end of standard input.
#[cfg(unix)]
pub(crate) fn has_hung_up() -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let input = io::stdin();
    let mut ready = [PollFd::new(&input, PollFlags::empty())];
    let at_once = Timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    let gone = PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL;
    poll(&mut ready, Some(&at_once)).is_ok() && ready[0].revents().intersects(gone)
}

/// A console that is closed ends its programs itself.
#[cfg(not(unix))]
pub(crate) const fn has_hung_up() -> bool {
    false
}
