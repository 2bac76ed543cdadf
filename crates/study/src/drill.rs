//! Repetition: which cards are due, and what a person has made of them.
//!
//! A card is a puzzle or a position of a repertoire. Every answer is one line; what is known of a card is what its lines
//! say, so that two devices are joined by putting their lines together. A right answer puts the card off to the next of
//! [`INTERVALS`], a wrong one to tomorrow. Days are numbers that the caller brings.

mod card;
mod openings;

pub use card::{Card, Judged};
pub use openings::{Scope, from_book};

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Days to the next time, after one right answer, two in a row, and so on.
pub const INTERVALS: [i64; 5] = [1, 3, 7, 21, 60];

/// What an answer was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Grade {
    /// Right at the first try.
    Right,
    /// Wrong, or given up.
    Wrong,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Review {
    /// The card.
    pub card: String,
    /// The day, counted from 1970-01-01.
    pub day: i64,
    /// What it was.
    pub grade: Grade,
    /// How long it took.
    pub seconds: f64,
}

impl Review {
    /// Returns the line of a file.
    pub fn to_line(&self) -> String {
        // Names are text and numbers finite: nothing here can fail.
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }
}

/// What is known of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// Right answers in a row that came when the card was due.
    pub streak: usize,
    /// The day from which on it is due.
    pub due: i64,
    /// Answers.
    pub reviews: usize,
    /// Wrong ones.
    pub wrong: usize,
}

/// What is known of all cards.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    cards: BTreeMap<String, Known>,
}

/// A line that is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} is no answer: {reason}")]
pub struct BadLine {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub reason: String,
}

/// Reads the answers of a file.
///
/// A last line without its end is what is left of a write that was cut off; it is left out.
///
/// # Errors
///
/// Returns the first line that is no answer.
pub fn read(text: &str) -> Result<Vec<Review>, BadLine> {
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    whole
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(at, line)| {
            serde_json::from_str(line).map_err(|error| BadLine {
                line: at + 1,
                reason: error.to_string(),
            })
        })
        .collect()
}

impl State {
    /// Returns what answers say, in the order of their days; of the same day in the order in which they stand.
    pub fn replay(mut reviews: Vec<Review>) -> Self {
        reviews.sort_by_key(|review| review.day);
        let mut state = Self::default();
        for review in &reviews {
            state.add(review);
        }
        state
    }

    /// Takes an answer in.
    pub fn add(&mut self, review: &Review) {
        let known = self.cards.entry(review.card.clone()).or_insert(Known {
            streak: 0,
            due: review.day,
            reviews: 0,
            wrong: 0,
        });
        known.reviews += 1;
        match review.grade {
            Grade::Wrong => {
                known.wrong += 1;
                known.streak = 0;
                known.due = review.day + INTERVALS[0];
            }
            // Practice before it is due shows nothing.
            Grade::Right if review.day < known.due => {}
            Grade::Right => {
                let step = known.streak.min(INTERVALS.len() - 1);
                known.due = review.day + INTERVALS[step];
                known.streak += 1;
            }
        }
    }

    /// Returns what is known of a card; nothing if it is new.
    pub fn card(&self, card: &str) -> Option<Known> {
        self.cards.get(card).copied()
    }

    /// Returns which of `cards` come today, by their places: those that are due, the longest first, then at most `new`
    /// that are new, in their order.
    pub fn due(&self, cards: &[String], day: i64, new: usize) -> Vec<usize> {
        let known = |at: &usize| cards.get(*at).and_then(|card| self.card(card));
        let mut due: Vec<(i64, usize)> = (0..cards.len())
            .filter_map(|at| Some((known(&at)?.due, at)))
            .filter(|(due, _)| *due <= day)
            .collect();
        due.sort_unstable();
        let fresh = (0..cards.len()).filter(|at| known(at).is_none()).take(new);
        due.into_iter().map(|(_, at)| at).chain(fresh).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_game::SplitMix64;

    fn review(card: &str, day: i64, grade: Grade) -> Review {
        Review {
            card: card.to_owned(),
            day,
            grade,
            seconds: 1.5,
        }
    }

    #[test]
    fn right_answers_climb_the_ladder_and_a_wrong_one_falls_off() {
        let mut state = State::default();
        let mut day = 100;
        for days in [1, 3, 7, 21, 60, 60] {
            state.add(&review("a", day, Grade::Right));
            let due = state.card("a").expect("known").due;
            assert_eq!(due, day + days);
            day = due;
        }
        state.add(&review("a", day, Grade::Wrong));
        assert_eq!(state.card("a").expect("known").due, day + 1);
        state.add(&review("a", day + 1, Grade::Right));
        state.add(&review("a", day + 2, Grade::Right));
        assert_eq!(
            state.card("a").map(|known| (known.due, known.wrong)),
            Some((day + 5, 1))
        );
        // Practice ahead of time changes nothing.
        state.add(&review("a", day + 3, Grade::Right));
        assert_eq!(state.card("a").map(|known| known.due), Some(day + 5));
    }

    #[test]
    fn due_cards_come_before_new_ones() {
        let mut state = State::default();
        state.add(&review("late", 10, Grade::Wrong));
        state.add(&review("later", 5, Grade::Wrong));
        state.add(&review("known", 20, Grade::Right));
        let cards = ["new 1", "late", "known", "later", "new 2"].map(str::to_owned);
        assert_eq!(state.due(&cards, 20, 1), [3, 1, 0]);
        assert_eq!(state.due(&cards, 21, 9), [3, 1, 2, 0, 4]);
        assert_eq!(state.due(&cards, 0, 0), [0_usize; 0]);
    }

    #[test]
    fn two_devices_are_joined_by_putting_their_lines_together() {
        let mut random = SplitMix64::new(3);
        for _ in 0..200 {
            let mut reviews: Vec<Review> = (0..30)
                .map(|day| {
                    let grade = if random.below(3) == 0 {
                        Grade::Wrong
                    } else {
                        Grade::Right
                    };
                    review(["a", "b"][random.below(2)], day, grade)
                })
                .collect();
            let alone = State::replay(reviews.clone());
            // Each device has some of the lines.
            let (one, other): (Vec<_>, Vec<_>) = reviews.drain(..).partition(|_| random.below(2) == 0);
            assert_eq!(State::replay([other, one].concat()), alone);
        }
    }

    #[test]
    fn lines_come_back_and_a_cut_one_is_left_out() {
        let lines = [review("a", 3, Grade::Right), review("b", 4, Grade::Wrong)];
        let text: String = lines.iter().map(Review::to_line).collect();
        assert!(
            text.starts_with(r#"{"card":"a","day":3,"grade":"right","seconds":1.5}"#),
            "{text}"
        );
        assert_eq!(read(&text), Ok(lines.to_vec()));
        assert_eq!(read(&text[..text.len() - 4]), Ok(lines[..1].to_vec()));
        assert_eq!(read(""), Ok(Vec::new()));
        let error = read("\n{\"card\":1}\n").expect_err("no card");
        assert_eq!(error.line, 2);
    }
}
