//! The sessions that were let in, by the words that only their pages know, and those whose connection was lost: they are
//! kept for a while, so that a page goes on with its tables and games.

use crate::session::Lanes;
use std::{
    collections::BTreeMap,
    sync::Arc,
    time::{Duration, Instant},
};
use tokio::sync::Notify;

/// Time for which a session without a connection is kept.
pub(crate) const KEPT: Duration = Duration::from_mins(2);

/// A session.
struct Entry {
    lanes: Lanes,
    /// Since when it has no connection.
    lost: Option<Instant>,
    /// Tells its connection that another one has taken it over.
    taken: Arc<Notify>,
}

/// The sessions by their words.
pub(crate) struct Known {
    entries: BTreeMap<String, Entry>,
    /// Most that are kept without a connection.
    most_lost: usize,
}

impl Known {
    pub(crate) const fn new(most_lost: usize) -> Self {
        Self {
            entries: BTreeMap::new(),
            most_lost,
        }
    }

    /// Notes a session; returns what is told when another connection takes it over.
    pub(crate) fn insert(&mut self, word: &str, lanes: Lanes) -> Arc<Notify> {
        let taken = Arc::<Notify>::default();
        let entry = Entry {
            lanes,
            lost: None,
            taken: Arc::clone(&taken),
        };
        self.entries.insert(word.to_owned(), entry);
        taken
    }

    /// Takes a session over: its old connection, if there still is one, ends. `None` if there is no such session.
    pub(crate) fn resume(&mut self, word: &str, now: Instant) -> Option<(Lanes, Arc<Notify>)> {
        self.forget_lost(now);
        let entry = self.entries.get_mut(word)?;
        let taken = Arc::<Notify>::default();
        std::mem::replace(&mut entry.taken, Arc::clone(&taken)).notify_one();
        entry.lost = None;
        Some((entry.lanes.clone(), taken))
    }

    /// Returns whether the session still belongs to the connection that got `taken`.
    pub(crate) fn belongs_to(&self, word: &str, taken: &Arc<Notify>) -> bool {
        self.entries
            .get(word)
            .is_some_and(|entry| Arc::ptr_eq(&entry.taken, taken))
    }

    /// Notes that the connection of a session was lost.
    pub(crate) fn lose(&mut self, word: &str, now: Instant) {
        if let Some(entry) = self.entries.get_mut(word) {
            entry.lost = Some(now);
        }
        let lost = |(word, entry): (&String, &Entry)| Some((entry.lost?, word.clone()));
        let mut all: Vec<_> = self.entries.iter().filter_map(lost).collect();
        all.sort();
        for (_, word) in &all[..all.len().saturating_sub(self.most_lost)] {
            self.entries.remove(word);
        }
    }

    /// Forgets a session that has ended.
    pub(crate) fn remove(&mut self, word: &str) {
        self.entries.remove(word);
    }

    /// Forgets the sessions that were lost too long ago.
    pub(crate) fn forget_lost(&mut self, now: Instant) {
        self.entries.retain(|_, entry| {
            entry
                .lost
                .is_none_or(|lost| now.saturating_duration_since(lost) < KEPT)
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_api::games::own::Collections;
    use outflank_search::SystemClock;

    fn lanes() -> Lanes {
        Lanes::new(&SystemClock::shared(), 1 << 16, Collections::default())
    }

    #[test]
    fn sessions_are_kept_for_a_while_and_not_too_many() {
        let (mut known, now) = (Known::new(2), Instant::now());
        let second = Duration::from_secs(1);
        for (number, word) in ["a", "b", "c", "d"].into_iter().enumerate() {
            known.insert(word, lanes());
            known.lose(word, now + second * number as u32);
        }
        // The two that were lost last.
        assert!(known.resume("a", now + second * 9).is_none());
        assert!(known.resume("b", now + second * 9).is_none());
        assert!(known.resume("c", now + second * 9).is_some());
        assert!(known.resume("", now).is_none() && known.resume("x", now).is_none());
        assert!(known.resume("d", now + second * 3 + KEPT).is_none());
        // It has a connection again: no time takes it away.
        assert!(known.resume("c", now + KEPT * 9).is_some());
        known.remove("c");
        assert!(known.resume("c", now).is_none());
    }

    #[test]
    fn a_session_belongs_to_the_last_connection() {
        let mut known = Known::new(2);
        let first = known.insert("a", lanes());
        assert!(known.belongs_to("a", &first));
        let (_, second) = known.resume("a", Instant::now()).expect("it is known");
        assert!(known.belongs_to("a", &second) && !known.belongs_to("a", &first));
    }
}
