//! The text of a result log: one line that names the job, then one line per finished item.
//!
//! ```text
//! outflank-jobs 1 JOB ITEMS I/N CHECK TITLE
//! ITEM CHECK RESULT
//! ```
//! `JOB` is the fingerprint of the job, `CHECK` a digest of the rest of the line (and of the job, for an item), so
//! that a line that was torn, changed or copied from another log is not believed.

use crate::Fingerprint;

use super::Job;

/// First word of every log.
const MAGIC: &str = "outflank-jobs";

/// Version of the format; raise it when old programs could misread the file.
const VERSION: &str = "1";

/// How the first line of every log of this version begins.
pub(super) const BEGINNING: &[u8] = b"outflank-jobs 1 ";

/// Longest first line in bytes that is looked at.
pub(super) const MAX_HEADER: u64 = 1 << 16;

/// Why a first line is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum HeaderProblem {
    /// It is the first line of something else, or it was changed.
    NotALog,
    /// It belongs to a later version of the format.
    Version(String),
}

/// Returns the first line, line break included.
pub(super) fn header(job: &Job) -> String {
    let title: String = job
        .title
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    let facts = format!("{} {} {}", job.fingerprint, job.items, job.shard);
    let check = header_check(&facts, &title);
    format!("{MAGIC} {VERSION} {facts} {check} {title}\n")
}

fn header_check(facts: &str, title: &str) -> Fingerprint {
    Fingerprint::default()
        .with(MAGIC.as_bytes())
        .with(facts.as_bytes())
        .with(title.as_bytes())
}

/// Reads the first line, without its line break.
pub(super) fn parse_header(line: &[u8]) -> Result<Job, HeaderProblem> {
    let line = std::str::from_utf8(line).map_err(|_| HeaderProblem::NotALog)?;
    let mut fields = line.splitn(7, ' ');
    let mut next = || fields.next().ok_or(HeaderProblem::NotALog);
    if next()? != MAGIC {
        return Err(HeaderProblem::NotALog);
    }
    let version = next()?;
    if version != VERSION {
        let is_number = !version.is_empty() && version.bytes().all(|b| b.is_ascii_digit());
        return Err(if is_number {
            HeaderProblem::Version(version.to_owned())
        } else {
            HeaderProblem::NotALog
        });
    }
    let (fingerprint, items, shard, check, title) = (next()?, next()?, next()?, next()?, next()?);
    let expected = header_check(&format!("{fingerprint} {items} {shard}"), title);
    let parse = || {
        let fingerprint = fingerprint.parse().ok()?;
        Some(Job {
            title: title.to_owned(),
            fingerprint,
            items: items.parse().ok()?,
            shard: shard.parse().ok()?,
        })
    };
    parse()
        .filter(|_| check.parse() == Ok(expected))
        .ok_or(HeaderProblem::NotALog)
}

/// Returns the line of a finished item, line break included; `payload` must not contain one.
pub(super) fn record(job: Fingerprint, item: usize, payload: &str) -> String {
    format!("{item} {} {payload}\n", record_check(job, item, payload))
}

fn record_check(job: Fingerprint, item: usize, payload: &str) -> Fingerprint {
    job.with(&(item as u64).to_le_bytes()).with(payload.as_bytes())
}

/// Reads the line of a finished item, without its line break; `None` if it cannot be believed.
pub(super) fn parse_record(job: Fingerprint, line: &[u8]) -> Option<(usize, &str)> {
    let line = std::str::from_utf8(line).ok()?;
    let (item, rest) = line.split_once(' ')?;
    let (check, payload) = rest.split_once(' ')?;
    let item = item.parse().ok()?;
    (check.parse() == Ok(record_check(job, item, payload))).then_some((item, payload))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Shard;

    fn job(title: &str, items: usize) -> Job {
        let fingerprint = Fingerprint::default().with(title.as_bytes());
        Job {
            title: title.to_owned(),
            fingerprint,
            items,
            shard: Shard::new(2, 3).expect("2 of 3"),
        }
    }

    #[test]
    fn other_first_lines_are_refused() {
        let good = header(&job("a title", 5));
        for line in [
            "",
            "outflank-jobs",
            "outflank-jobs 1",
            "%PDF-1.7",
            "outflank-jobs 1 0 0 0 0 0",
            &good,
        ] {
            assert_eq!(
                parse_header(line.as_bytes()),
                Err(HeaderProblem::NotALog),
                "{line:?}"
            );
        }
        assert_eq!(
            parse_header(b"outflank-jobs 2 anything"),
            Err(HeaderProblem::Version("2".to_owned()))
        );
    }

    #[test]
    fn titles_stay_on_their_line() {
        let parsed = parse_header(header(&job("one\ntwo", 5)).trim_end().as_bytes()).expect("a header");
        assert_eq!(parsed.title, "one two");
    }

    proptest! {
        #[test]
        fn headers_come_back(title in "[^\\p{Cc}]{0,40}", items in any::<usize>()) {
            let job = job(&title, items);
            let line = header(&job);
            prop_assert_eq!(parse_header(line.strip_suffix('\n').expect("a line").as_bytes()), Ok(job));
        }

        #[test]
        fn records_come_back(payload in "[^\n\r]{0,40}", item in any::<usize>()) {
            let job = Fingerprint::default().with(b"job");
            let line = record(job, item, &payload);
            let line = line.strip_suffix('\n').expect("a line").as_bytes();
            prop_assert_eq!(parse_record(job, line), Some((item, payload.as_str())));
            prop_assert_eq!(parse_record(job.with(b""), line), None, "another job's line");
        }

        #[test]
        fn a_changed_byte_is_noticed(payload in "[a-z]{1,20}", at in any::<prop::sample::Index>(), bit in 0_u8..8) {
            let job = Fingerprint::default();
            let mut line = record(job, 17, &payload).into_bytes();
            line.pop();
            let at = at.index(line.len());
            line[at] ^= 1 << bit;
            prop_assert_eq!(parse_record(job, &line), None);
        }

        #[test]
        fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
            prop_assert!(parse_header(&bytes).is_err());
            prop_assert_eq!(parse_record(Fingerprint::default(), &bytes), None);
        }
    }
}
