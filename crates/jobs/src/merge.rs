//! Joining the logs of all shards of a job.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::{Job, LogError, ResultLog};

/// Reads the logs of all shards of one job and returns all results in the order of the items.
///
/// The logs may be split in any way, and overlap, as long as together they hold every item.
///
/// # Examples
/// ```
/// use outflank_jobs::{Fingerprint, Job, ResultLog, merge};
///
/// let folder = tempfile::tempdir()?;
/// let job = |shard: &str| -> Result<Job, Box<dyn std::error::Error>> {
///     let fingerprint = Fingerprint::default().with(b"letters");
///     Ok(Job { title: "letters".to_owned(), fingerprint, items: 3, shard: shard.parse()? })
/// };
/// let (one, two) = (folder.path().join("1.log"), folder.path().join("2.log"));
/// let mut log = ResultLog::create(&one, job("1/2")?)?;
/// log.append(0, "a")?;
/// log.append(2, "c")?;
/// ResultLog::create(&two, job("2/2")?)?.append(1, "b")?;
///
/// assert_eq!(merge(&[one, two])?, ["a", "b", "c"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn merge(paths: &[impl AsRef<Path>]) -> Result<Vec<String>, MergeError> {
    let mut first: Option<(PathBuf, Job)> = None;
    let mut results: BTreeMap<usize, String> = BTreeMap::new();
    for path in paths {
        let path = path.as_ref();
        let mut log = ResultLog::read(path)?;
        let job = log.job().clone();
        let (first_path, first_job) = first.get_or_insert_with(|| (path.to_path_buf(), job.clone()));
        if (job.fingerprint, job.items) != (first_job.fingerprint, first_job.items) {
            return Err(MergeError::OtherJob {
                path: path.to_path_buf(),
                first: first_path.clone(),
            });
        }
        for item in job.shard.items(job.items) {
            let Some(result) = log.result(item)? else { continue };
            match results.get(&item) {
                Some(known) if *known != result => {
                    return Err(MergeError::Conflict {
                        path: path.to_path_buf(),
                        item,
                    });
                }
                Some(_) => {}
                None => drop(results.insert(item, result)),
            }
        }
    }
    let total = first.map_or(0, |(_, job)| job.items);
    match (0..total).find(|item| !results.contains_key(item)) {
        Some(item) => Err(MergeError::Missing {
            item,
            missing: total - results.len(),
            total,
        }),
        None => Ok(results.into_values().collect()),
    }
}

/// Why logs cannot be joined.
#[derive(Debug, Error)]
pub enum MergeError {
    /// A log cannot be read.
    #[error(transparent)]
    Log(#[from] LogError),
    /// Two logs belong to different jobs.
    #[error("{} and {} belong to different jobs", first.display(), path.display())]
    OtherJob {
        /// The log that differs.
        path: PathBuf,
        /// The first log.
        first: PathBuf,
    },
    /// Two logs hold different results for an item.
    #[error("{}: item {item} has another result in an earlier log", path.display())]
    Conflict {
        /// The later log.
        path: PathBuf,
        /// The item, counted from 0.
        item: usize,
    },
    /// Not all items are done.
    #[error(
        "{missing} of {total} items are missing, the first is item {item}; resume the unfinished shards first"
    )]
    Missing {
        /// The first missing item, counted from 0.
        item: usize,
        /// How many are missing.
        missing: usize,
        /// How many there should be.
        total: usize,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Fingerprint;

    fn log(folder: &Path, name: &str, shard: &str, job: &str) -> (PathBuf, ResultLog) {
        let path = folder.join(name);
        let fingerprint = Fingerprint::default().with(job.as_bytes());
        let job = Job {
            title: job.to_owned(),
            fingerprint,
            items: 4,
            shard: shard.parse().unwrap(),
        };
        let log = ResultLog::create(&path, job).unwrap();
        (path, log)
    }

    #[test]
    fn nothing_joins_to_nothing() {
        assert_eq!(merge(&[] as &[&Path]).unwrap(), Vec::<String>::new());
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let (one, mut log_one) = log(folder.path(), "1", "1/2", "a");
        let (whole, mut log_whole) = log(folder.path(), "whole", "1/1", "a");
        let (other, _log) = log(folder.path(), "other", "2/2", "b");
        log_one.append(0, "x").unwrap();
        log_whole.append(1, "y").unwrap();
        let error = merge(&[&one, &whole]).unwrap_err().to_string();
        assert!(
            error.starts_with("2 of 4 items are missing, the first is item 2;"),
            "{error}"
        );
        assert!(matches!(merge(&[&one, &other]), Err(MergeError::OtherJob { .. })));
        log_whole.append(0, "z").unwrap();
        assert!(matches!(
            merge(&[&one, &whole]),
            Err(MergeError::Conflict { item: 0, .. })
        ));
        assert!(matches!(
            merge(&[folder.path().join("absent")]),
            Err(MergeError::Log(_))
        ));
    }

    #[test]
    fn overlapping_logs_join() {
        let folder = tempfile::tempdir().unwrap();
        let (one, mut log_one) = log(folder.path(), "1", "1/2", "a");
        let (whole, mut log_whole) = log(folder.path(), "whole", "1/1", "a");
        log_one.append(2, "2").unwrap();
        log_one.append(0, "0").unwrap();
        for item in [3, 2, 1] {
            log_whole.append(item, &item.to_string()).unwrap();
        }
        assert_eq!(merge(&[one, whole]).unwrap(), ["0", "1", "2", "3"]);
    }
}
