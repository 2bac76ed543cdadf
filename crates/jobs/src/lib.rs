//! Long bulk work that survives being stopped: the one mechanism behind every long command of this project.
//!
//! A job is a list of items, known by their index, and a function that turns an item into one line of text.
//! The lines go to a [`ResultLog`] as they are finished.
//! Kill the process at any moment, start it again, and the log tells which items are done; the final result is the
//! same as if nothing had happened.
//! A [`Shard`] is one part of a job that several machines share; [`merge`](fn@merge) joins their logs.
//! [`write_atomic`] and [`AtomicFile`] write a file completely or not at all.
//!
//! The crate knows nothing about games, and nothing about time: progress is reckoned from a clock that the caller
//! brings, any function that returns seconds.
//!
//! ```
//! use outflank_jobs::{Event, Fingerprint, Job, ResultLog, Runner, Shard};
//!
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("squares.log");
//! let items = [3_u64, 5, 8];
//! let job = Job {
//!     title: "square three numbers".to_owned(),
//!     fingerprint: Fingerprint::default().with(b"square").with(b"3 5 8"),
//!     items: items.len(),
//!     shard: Shard::WHOLE,
//! };
//!
//! // The first process gets the second item done, then dies.
//! let mut log = ResultLog::create(&path, job.clone())?;
//! log.append(1, "25")?;
//! drop(log);
//!
//! // The next one does the rest.
//! let mut log = ResultLog::resume(&path, job)?;
//! let mut worked = Vec::new();
//! let clock = || 0.0; // seconds
//! Runner::new(&clock).run(
//!     &mut log,
//!     || (), // a worker needs no state here; it could own an engine
//!     |(), item| Some((items[item] * items[item]).to_string()),
//!     &mut |event| {
//!         if let Event::ItemDone { item, .. } = event {
//!             worked.push(*item);
//!         }
//!     },
//! )?;
//! assert_eq!(worked, [0, 2]);
//! assert_eq!(log.results()?, ["9", "25", "64"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod atomic;
mod fingerprint;
mod log;
mod merge;
mod progress;
mod run;
mod shard;

pub use atomic::{AtomicFile, FileError, write_atomic};
pub use fingerprint::{Fingerprint, InvalidFingerprint};
pub use log::{Job, LogError, Recovery, ResultLog};
pub use merge::{MergeError, merge};
pub use progress::{Progress, grouped};
pub use run::{Event, Outcome, RunError, Runner};
pub use shard::{Shard, ShardError};
