//! Totals by player, year, event, source and opening, and the names that there are.

use super::{Fared, GamesFilter, failed, unanswered};
use crate::error::Error;
use outflank_games::{NameKind, Store, Tally, stats};
use outflank_study::names;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What totals are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TotalsBy {
    /// Players, from their view.
    Player,
    /// Years, from black's view.
    Year,
    /// Events, from black's view.
    Event,
    /// Sources, from black's view.
    Source,
    /// Openings, the last named position of each game, from black's view.
    Opening,
}

/// The games of a player, a year, an event, a source or an opening.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TotalsObject {
    /// What they have in common; empty for games without any.
    pub name: String,
    /// How they went: for the player, or else for black.
    #[serde(flatten)]
    pub fared: Fared,
    /// With black, for players.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub black: Option<Fared>,
    /// With white, for players.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub white: Option<Fared>,
}

impl TotalsObject {
    fn new(name: impl Into<String>, tally: &Tally) -> Self {
        Self {
            name: name.into(),
            fared: Fared::from(tally),
            black: None,
            white: None,
        }
    }
}

/// Returns totals, those of most games first; years in order.
///
/// # Errors
///
/// Returns why the request cannot be answered.
pub fn totals<S: Store>(by: TotalsBy, filter: &GamesFilter, store: &S) -> Result<Vec<TotalsObject>, Error> {
    let matcher = filter.matcher(store)?;
    let named = |kind| -> Result<Vec<TotalsObject>, Error> {
        let names = store.names(kind).map_err(failed)?;
        let groups = stats::by_name(store, &matcher, kind).map_err(failed)?;
        Ok(groups
            .iter()
            .map(|group| TotalsObject::new(names.text(group.key), &group.total))
            .collect())
    };
    match by {
        TotalsBy::Player => {
            let names = store.names(NameKind::Players).map_err(failed)?;
            let players = stats::by_player(store, &matcher, None).map_err(failed)?;
            let of = |player: &stats::PlayerStats| TotalsObject {
                black: Some(Fared::from(&player.black)),
                white: Some(Fared::from(&player.white)),
                ..TotalsObject::new(names.text(player.name), &player.total())
            };
            Ok(players.iter().map(of).collect())
        }
        TotalsBy::Year => {
            let years = stats::by_year(store, &matcher).map_err(failed)?;
            let name = |year: u32| {
                if year == 0 {
                    String::new()
                } else {
                    year.to_string()
                }
            };
            Ok(years
                .iter()
                .map(|group| TotalsObject::new(name(group.key), &group.total))
                .collect())
        }
        TotalsBy::Event => named(NameKind::Events),
        TotalsBy::Source => named(NameKind::Sources),
        TotalsBy::Opening => {
            let (boards, openings): (Vec<_>, Vec<_>) = names::all().unzip();
            let (groups, rest) = stats::by_position(store, &matcher, &boards).map_err(unanswered)?;
            // Several positions may have one name.
            let mut totals: BTreeMap<String, Tally> = BTreeMap::new();
            for group in groups {
                let name = openings[group.key as usize].best().to_owned();
                *totals.entry(name).or_default() += group.total;
            }
            if rest.games > 0 {
                *totals.entry(String::new()).or_default() += rest;
            }
            let mut totals: Vec<TotalsObject> = totals
                .iter()
                .map(|(name, total)| TotalsObject::new(name.as_str(), total))
                .collect();
            totals.sort_by(|a, b| {
                b.fared
                    .games
                    .cmp(&a.fared.games)
                    .then_with(|| a.name.cmp(&b.name))
            });
            Ok(totals)
        }
    }
}

/// Kinds of names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum NamesOf {
    /// Of players.
    #[default]
    Players,
    /// Of events.
    Events,
}

/// A name and its spellings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NameObject {
    /// The spelling that is used most.
    pub name: String,
    /// Other spellings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spellings: Vec<String>,
    /// Games under any of them.
    pub games: u64,
    /// The first year.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_year: Option<u16>,
    /// The last year.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_year: Option<u16>,
}

/// Returns the names that a text means, or all, in order.
///
/// # Errors
///
/// Returns why the request cannot be answered.
pub fn names_of<S: Store>(of: NamesOf, text: Option<&str>, store: &S) -> Result<Vec<NameObject>, Error> {
    let kind = match of {
        NamesOf::Players => NameKind::Players,
        NamesOf::Events => NameKind::Events,
    };
    let names = store.names(kind).map_err(failed)?;
    let found = text.map(|text| names.find(text));
    let mut people: BTreeMap<u32, (BTreeMap<u32, u64>, Tally)> = BTreeMap::new();
    for facts in store
        .segments()
        .map_err(failed)?
        .iter()
        .flat_map(|segment| &segment.facts)
    {
        let own = match of {
            NamesOf::Players => [facts.black, facts.white],
            NamesOf::Events => [facts.event, 0],
        };
        for name in own.into_iter().filter(|&name| name != 0) {
            if found.as_ref().is_none_or(|found| found.contains(name)) {
                let (spellings, tally) = people.entry(names.person(name)).or_default();
                *spellings.entry(name).or_default() += 1;
                tally.add(facts, outflank_othello::Color::Black);
            }
        }
    }
    let of_person = |(spellings, tally): (BTreeMap<u32, u64>, Tally)| {
        let mut spellings: Vec<(u64, &str)> = spellings
            .into_iter()
            .map(|(name, count)| (count, names.text(name)))
            .collect();
        spellings.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(b.1)));
        let mut spellings = spellings.into_iter().map(|(_, text)| text.to_owned());
        NameObject {
            name: spellings.next().unwrap_or_default(),
            spellings: spellings.collect(),
            games: tally.games,
            first_year: tally.years.map(|years| years.0),
            last_year: tally.years.map(|years| years.1),
        }
    };
    let mut objects: Vec<NameObject> = people.into_values().map(of_person).collect();
    objects.sort_by_cached_key(|object| (outflank_games::folded(&object.name), object.name.clone()));
    Ok(objects)
}
