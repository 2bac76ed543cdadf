//! Games in an order, a page at a time.

use crate::{Facts, GameRef, Matcher, QueryError, Store, store::games_through};
use outflank_othello::Position;
use std::cmp::Reverse;

/// The order of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Latest games first; those without a date last.
    #[default]
    Latest,
    /// Earliest games first; those without a date first.
    Earliest,
    /// Greatest margins first, whoever won.
    Margin,
    /// As they came.
    Number,
}

/// A part of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listed {
    /// How many games there are.
    pub total: usize,
    /// The games of the part.
    pub games: Vec<GameRef>,
}

/// Lists the games that a filter accepts, and that go through a position if there is one: `limit` of them after the first
/// `skip`.
///
/// # Errors
///
/// A part of the collection cannot be had, or is damaged.
pub fn list<S: Store>(
    store: &S,
    position: Option<&Position>,
    matcher: &Matcher,
    order: Order,
    skip: usize,
    limit: usize,
) -> Result<Listed, QueryError<S::Error>> {
    let segments = store.segments()?;
    let mut found: Vec<(GameRef, &Facts)> = Vec::new();
    if let Some(position) = position {
        for hit in games_through(store, position.board())? {
            let facts = &segments[hit.game.segment as usize].facts[hit.game.number as usize];
            found.push((hit.game, facts));
        }
    } else {
        for (segment, games) in (0..).zip(segments) {
            let numbered = (0..).zip(&games.facts);
            found.extend(numbered.map(|(number, facts)| (GameRef { segment, number }, facts)));
        }
    }
    found.retain(|(_, facts)| matcher.accepts(facts));
    let date = |facts: &Facts| (facts.year, facts.month, facts.day);
    match order {
        Order::Latest => found.sort_unstable_by_key(|(_, facts)| (Reverse(date(facts)), facts.id)),
        Order::Earliest => found.sort_unstable_by_key(|(_, facts)| (date(facts), facts.id)),
        Order::Margin => found.sort_unstable_by_key(|(_, facts)| {
            let margin = facts.result.map_or(-1, |discs| discs.get().abs());
            (Reverse(margin), facts.id)
        }),
        Order::Number => found.sort_unstable_by_key(|(_, facts)| facts.id),
    }
    Ok(Listed {
        total: found.len(),
        games: found
            .into_iter()
            .skip(skip)
            .take(limit)
            .map(|(game, _)| game)
            .collect(),
    })
}
