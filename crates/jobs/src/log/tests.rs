//! The log against every way a file can be cut short, changed or mistaken.

use std::fs;

use proptest::prelude::*;

use super::*;

fn job(items: usize) -> Job {
    let fingerprint = Fingerprint::default().with(b"job");
    Job {
        title: "a job".to_owned(),
        fingerprint,
        items,
        shard: Shard::WHOLE,
    }
}

/// The result of an item: lines of different length, with some letters of two bytes.
fn result(item: usize) -> String {
    format!("{{\"item\":{item},\"text\":\"{}\"}}", "é".repeat(item % 4))
}

/// Does what is left to do, in order.
fn finish(log: &mut ResultLog) {
    let pending: Vec<usize> = log.pending().collect();
    for item in pending {
        log.append(item, &result(item)).unwrap();
    }
}

#[test]
fn a_log_cut_anywhere_resumes_to_the_same_result() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("job.log");
    let mut log = ResultLog::create(&path, job(12)).unwrap();
    finish(&mut log);
    let results = log.results().unwrap();
    drop(log);
    let whole = fs::read(&path).unwrap();

    let mut torn = 0;
    for length in 0..=whole.len() {
        fs::write(&path, &whole[..length]).unwrap();
        let mut log = ResultLog::resume(&path, job(12)).unwrap();
        let Recovery {
            done,
            truncated_bytes,
            ignored_lines,
        } = log.recovery();
        let lines = whole[..length].split(|&b| b == b'\n').count() - 1;
        assert_eq!(
            (done, ignored_lines),
            (lines.saturating_sub(1), 0),
            "cut at {length}"
        );
        torn += usize::from(truncated_bytes > 0);
        finish(&mut log);
        assert_eq!(log.results().unwrap(), results, "cut at {length}");
        drop(log);
        assert_eq!(fs::read(&path).unwrap(), whole, "cut at {length}");
    }
    assert!(torn > whole.len() / 2, "most cuts tear a line");
}

#[test]
fn a_damaged_line_is_done_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("job.log");
    let mut log = ResultLog::create(&path, job(6)).unwrap();
    finish(&mut log);
    let results = log.results().unwrap();
    drop(log);
    let whole = fs::read(&path).unwrap();
    let header = whole.iter().position(|&b| b == b'\n').unwrap() + 1;

    for at in header..whole.len() {
        let mut changed = whole.clone();
        changed[at] ^= 1;
        fs::write(&path, &changed).unwrap();
        let mut log = ResultLog::resume(&path, job(6)).unwrap();
        assert!(!log.is_complete(), "byte {at} was changed");
        finish(&mut log);
        drop(log);
        let mut log = ResultLog::resume(&path, job(6)).unwrap();
        assert_eq!(log.results().unwrap(), results, "byte {at} was changed");
    }
}

#[test]
fn a_changed_first_line_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("job.log");
    drop(ResultLog::create(&path, job(6)).unwrap());
    let whole = fs::read(&path).unwrap();
    for at in 0..whole.len() - 1 {
        let mut changed = whole.clone();
        changed[at] ^= 1;
        fs::write(&path, &changed).unwrap();
        let error = ResultLog::resume(&path, job(6)).unwrap_err();
        assert!(
            matches!(error, LogError::NotALog { .. } | LogError::Version { .. }),
            "byte {at}: {error}"
        );
        assert_eq!(fs::read(&path).unwrap(), changed, "a refused file is left alone");
    }
}

#[test]
fn other_files_are_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.txt");
    for text in [
        "buy milk\n",
        "buy milk",
        "o",
        "outflank-jo",
        "outflank-jobs is a crate",
        "outflank-jobs is a crate\n",
        &"x".repeat(100_000),
    ] {
        fs::write(&path, text).unwrap();
        let opened = ResultLog::resume(&path, job(6));
        if "outflank-jobs 1 ".starts_with(text) {
            // This is what a process leaves that dies while it writes its first line.
            assert!(opened.is_ok(), "{text}");
            continue;
        }
        let error = opened.unwrap_err();
        assert!(matches!(error, LogError::NotALog { .. }), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    let error = ResultLog::resume(folder.path(), job(6)).unwrap_err().to_string();
    assert!(error.starts_with("cannot open "), "{error}");
}

#[test]
fn only_the_same_job_may_resume() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("job.log");
    drop(ResultLog::create(&path, job(6)).unwrap());
    let check = |other: Job, expected: &str| {
        let error = ResultLog::resume(&path, other).unwrap_err().to_string();
        let expected = format!("belongs to another job ({expected}); it was started as: a job");
        assert!(error.contains(&expected), "{error}");
    };
    check(Job { items: 7, ..job(6) }, "6 items, not 7");
    check(
        Job {
            shard: Shard::new(1, 2).unwrap(),
            ..job(6)
        },
        "shard 1/1, not 1/2",
    );
    check(
        Job {
            fingerprint: Fingerprint::default(),
            ..job(6)
        },
        "other input or options",
    );
    let renamed = Job {
        title: "another title".to_owned(),
        ..job(6)
    };
    assert!(ResultLog::resume(&path, renamed).is_ok(), "a title is only shown");
}

#[test]
fn a_new_log_overwrites_nothing_and_a_used_one_is_not_shared() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("job.log");
    let log = ResultLog::create(&path, job(6)).unwrap();
    assert!(matches!(
        ResultLog::create(&path, job(6)),
        Err(LogError::Exists { .. })
    ));
    assert!(matches!(
        ResultLog::resume(&path, job(6)),
        Err(LogError::InUse { .. })
    ));
    assert_eq!(ResultLog::read(&path).unwrap().job(), &job(6));
    drop(log);
    assert!(ResultLog::resume(&path, job(6)).is_ok());
}

#[test]
fn what_cannot_be_kept_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let two_of_three = Job {
        shard: Shard::new(2, 3).unwrap(),
        ..job(6)
    };
    let mut log = ResultLog::create(folder.path().join("job.log"), two_of_three).unwrap();
    assert!(matches!(
        log.append(1, "a\nb"),
        Err(LogError::LineBreak { item: 1 })
    ));
    assert!(matches!(
        log.append(0, "a"),
        Err(LogError::NotOurItem { item: 0, .. })
    ));
    assert!(matches!(
        log.append(7, "a"),
        Err(LogError::NotOurItem { item: 7, .. })
    ));
    log.append(4, "first").unwrap();
    log.append(4, "second").unwrap();
    assert_eq!(log.results().unwrap(), ["first"]);
    assert_eq!(log.result(1).unwrap(), None);
}

#[test]
fn a_line_that_changes_under_us_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("job.log");
    let mut log = ResultLog::create(&path, job(6)).unwrap();
    log.append(0, "abc").unwrap();
    let text = fs::read_to_string(&path).unwrap().replace("abc", "abd");
    fs::write(&path, text).unwrap();
    assert!(matches!(log.result(0), Err(LogError::Changed { item: 0, .. })));
}

#[test]
fn results_are_written_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let mut log = ResultLog::create(folder.path().join("job.log"), job(3)).unwrap();
    for item in [2, 0, 1] {
        log.append(item, &item.to_string()).unwrap();
    }
    let out = folder.path().join("out.txt");
    log.write_results(&out).unwrap();
    assert_eq!(fs::read_to_string(out).unwrap(), "0\n1\n2\n");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Any results in any order, with the process ending now and then: all of it comes back.
    #[test]
    fn what_goes_in_comes_out(
        results in prop::collection::vec("[^\n]{0,30}", 1..12),
        order in any::<prop::sample::Index>(),
        reopen in prop::collection::vec(any::<bool>(), 12),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("job.log");
        let mut log = ResultLog::create(&path, job(results.len())).unwrap();
        let start = order.index(results.len());
        for (step, reopen) in (0..results.len()).zip(reopen) {
            let item = (start + step) % results.len();
            log.append(item, &results[item]).unwrap();
            if reopen {
                drop(log);
                log = ResultLog::resume(&path, job(results.len())).unwrap();
                prop_assert_eq!(log.recovery(), Recovery { done: step + 1, ..Recovery::default() });
            }
        }
        prop_assert!(log.is_complete());
        prop_assert_eq!(log.results().unwrap(), results);
    }

    /// No bytes make reading fail in any way but with an error.
    #[test]
    fn no_file_panics(bytes in prop::collection::vec(any::<u8>(), 0..200), is_ours in any::<bool>()) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("job.log");
        let mut text = if is_ours { format::header(&job(5)).into_bytes() } else { Vec::new() };
        text.extend(bytes);
        fs::write(&path, text).unwrap();
        drop(ResultLog::read(&path));
        if let Ok(mut log) = ResultLog::resume(&path, job(5)) {
            prop_assert!(log.results().is_ok());
        }
    }
}
