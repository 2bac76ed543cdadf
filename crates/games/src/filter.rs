//! Which games count.

use crate::{Facts, Flags, NameKind, NameSet, Store};
use outflank_othello::Color;
use std::ops::RangeInclusive;

/// Which games count; the default takes all but duplicates.
///
/// Names are understood as [`crate::Names::find`] does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// One of the players.
    pub player: Option<String>,
    /// The color of that player; without a player it means nothing.
    pub color: Option<Color>,
    /// The other player.
    pub opponent: Option<String>,
    /// The event.
    pub event: Option<String>,
    /// The source.
    pub source: Option<String>,
    /// The years; games without a year are then left out.
    pub years: Option<RangeInclusive<u16>>,
    /// The margin of the player, or without one of black. A game of which only the winner is known counts if all
    /// margins that it may have had are in the range.
    pub result: Option<RangeInclusive<i32>>,
    /// The least number of discs on the board at the end.
    pub min_discs: u8,
    /// Only games that were played to the end.
    pub finished: bool,
    /// Only games with an opening by lot, or only others.
    pub xot: Option<bool>,
    /// Count games that stand elsewhere in the collection, too.
    pub duplicates: bool,
}

/// A filter made ready for a collection.
#[derive(Clone, Debug)]
pub struct Matcher {
    filter: Filter,
    player: Option<NameSet>,
    opponent: Option<NameSet>,
    event: Option<NameSet>,
    source: Option<NameSet>,
}

impl Matcher {
    /// Looks up the names of a filter.
    ///
    /// # Errors
    ///
    /// The names cannot be had.
    pub fn new<S: Store>(filter: &Filter, store: &S) -> Result<Self, S::Error> {
        let find = |kind, text: &Option<String>| -> Result<Option<NameSet>, S::Error> {
            text.as_ref()
                .map(|text| Ok(store.names(kind)?.find(text)))
                .transpose()
        };
        Ok(Self {
            player: find(NameKind::Players, &filter.player)?,
            opponent: find(NameKind::Players, &filter.opponent)?,
            event: find(NameKind::Events, &filter.event)?,
            source: find(NameKind::Sources, &filter.source)?,
            filter: filter.clone(),
        })
    }

    /// Returns the part of the filter that names nothing in the collection: what was asked for, and its kind.
    pub fn unknown(&self) -> Option<(NameKind, &str)> {
        let filter = &self.filter;
        let asked = [
            (NameKind::Players, &filter.player, &self.player),
            (NameKind::Players, &filter.opponent, &self.opponent),
            (NameKind::Events, &filter.event, &self.event),
            (NameKind::Sources, &filter.source, &self.source),
        ];
        asked.into_iter().find_map(|(kind, text, found)| {
            let is_unknown = found.as_ref().is_some_and(NameSet::is_empty);
            text.as_deref().filter(|_| is_unknown).map(|text| (kind, text))
        })
    }

    /// Returns the side of the player whom the filter is about; `None` if it is about nobody or the game is not his.
    ///
    /// Where both players are meant, it is black.
    #[inline]
    pub fn side(&self, facts: &Facts) -> Option<Color> {
        let is_meant = |side: Color| {
            let (player, opponent) = match side {
                Color::Black => (facts.black, facts.white),
                Color::White => (facts.white, facts.black),
            };
            self.player.as_ref().is_none_or(|set| set.contains(player))
                && self.opponent.as_ref().is_none_or(|set| set.contains(opponent))
                && (self.player.is_none() || self.filter.color.is_none_or(|color| color == side))
        };
        [Color::Black, Color::White]
            .into_iter()
            .find(|&side| is_meant(side))
    }

    /// Returns whether a game counts.
    #[inline]
    pub fn accepts(&self, facts: &Facts) -> bool {
        let filter = &self.filter;
        let Some(side) = self.side(facts) else {
            return false;
        };
        let is_in = |set: &Option<NameSet>, number: u32| set.as_ref().is_none_or(|set| set.contains(number));
        (filter.duplicates || !facts.flags.has(Flags::DUPLICATE))
            && is_in(&self.event, facts.event)
            && is_in(&self.source, facts.source)
            && (filter.years.as_ref()).is_none_or(|years| facts.year != 0 && years.contains(&facts.year))
            && facts.discs >= filter.min_discs
            && (!filter.finished || facts.flags.has(Flags::FINISHED))
            && filter.xot.is_none_or(|xot| facts.flags.has(Flags::XOT) == xot)
            && filter
                .result
                .as_ref()
                .is_none_or(|range| self.has_result(facts, side, range))
    }

    /// Returns whether the result is in the range for one of the players who are meant.
    fn has_result(&self, facts: &Facts, side: Color, range: &RangeInclusive<i32>) -> bool {
        let (low, high) = facts.result_range();
        let is_in = |side: Color| match side {
            Color::Black => range.contains(&low) && range.contains(&high),
            Color::White => range.contains(&-high) && range.contains(&-low),
        };
        if self.player.is_none() {
            // Without a player it is black's margin, whichever side the opponent has.
            return is_in(Color::Black);
        }
        is_in(side)
    }
}
