//! Totals by player, year, event and opening, and results between players.

use crate::{GameRef, Matcher, NameKind, QueryError, Store, Tally, store::games_through};
use outflank_othello::{Board, Color};
use std::collections::BTreeMap;

/// How a player did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlayerStats {
    /// Number of the name that is given most often, see [`Store::names`].
    pub name: u32,
    /// With black.
    pub black: Tally,
    /// With white.
    pub white: Tally,
}

impl PlayerStats {
    /// Returns the sum of both colors.
    pub fn total(&self) -> Tally {
        let mut total = self.black;
        total += self.white;
        total
    }
}

/// Games that have something in common, seen from black.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// What they have in common: a year, the number of a name, or the place of a position.
    pub key: u32,
    /// The games.
    pub total: Tally,
}

/// Counts spellings, and says which one is used most; of equals the first in order.
#[derive(Debug, Default)]
struct Spellings(BTreeMap<u32, u64>);

impl Spellings {
    fn count(&mut self, name: u32) {
        *self.0.entry(name).or_default() += 1;
    }

    fn best<'a>(&self, text: impl Fn(u32) -> &'a str) -> u32 {
        let most = self
            .0
            .iter()
            .max_by(|a, b| a.1.cmp(b.1).then_with(|| text(*b.0).cmp(text(*a.0))));
        most.map_or(0, |(&name, _)| name)
    }
}

/// Returns how each player did, most games first. If the filter is about a player, the others are left out.
///
/// # Errors
///
/// A part of the collection cannot be had.
pub fn by_player<S: Store>(
    store: &S,
    matcher: &Matcher,
    only: Option<&crate::NameSet>,
) -> Result<Vec<PlayerStats>, S::Error> {
    let names = store.names(NameKind::Players)?;
    let mut players: BTreeMap<u32, (PlayerStats, Spellings)> = BTreeMap::new();
    for facts in store.segments()?.iter().flat_map(|segment| &segment.facts) {
        if !matcher.accepts(facts) {
            continue;
        }
        for (name, side) in [(facts.black, Color::Black), (facts.white, Color::White)] {
            if name == 0 || only.is_some_and(|only| !only.contains(name)) {
                continue;
            }
            let (stats, spellings) = players.entry(names.person(name)).or_default();
            let tally = if side == Color::Black {
                &mut stats.black
            } else {
                &mut stats.white
            };
            tally.add(facts, side);
            spellings.count(name);
        }
    }
    let mut stats: Vec<PlayerStats> = players
        .into_values()
        .map(|(stats, spellings)| PlayerStats {
            name: spellings.best(|name| names.text(name)),
            ..stats
        })
        .collect();
    stats.sort_by(|a, b| {
        let order = b.total().games.cmp(&a.total().games);
        order.then_with(|| names.text(a.name).cmp(names.text(b.name)))
    });
    Ok(stats)
}

/// Returns the games of each year, in order; 0 stands for games without a year.
///
/// # Errors
///
/// A part of the collection cannot be had.
pub fn by_year<S: Store>(store: &S, matcher: &Matcher) -> Result<Vec<Group>, S::Error> {
    let mut years: BTreeMap<u32, Tally> = BTreeMap::new();
    for facts in store.segments()?.iter().flat_map(|segment| &segment.facts) {
        if matcher.accepts(facts) {
            years
                .entry(u32::from(facts.year))
                .or_default()
                .add(facts, Color::Black);
        }
    }
    Ok(years
        .into_iter()
        .map(|(key, total)| Group { key, total })
        .collect())
}

/// Returns the games of each event, or source, most games first; 0 stands for games without one.
///
/// # Errors
///
/// A part of the collection cannot be had.
pub fn by_name<S: Store>(store: &S, matcher: &Matcher, kind: NameKind) -> Result<Vec<Group>, S::Error> {
    let names = store.names(kind)?;
    let mut groups: BTreeMap<u32, (Tally, Spellings)> = BTreeMap::new();
    for facts in store.segments()?.iter().flat_map(|segment| &segment.facts) {
        if matcher.accepts(facts) {
            let name = if kind == NameKind::Events {
                facts.event
            } else {
                facts.source
            };
            let (tally, spellings) = groups.entry(names.person(name)).or_default();
            tally.add(facts, Color::Black);
            spellings.count(name);
        }
    }
    let mut groups: Vec<Group> = groups
        .into_values()
        .map(|(total, spellings)| Group {
            key: spellings.best(|name| names.text(name)),
            total,
        })
        .collect();
    groups.sort_by(|a, b| {
        let order = b.total.games.cmp(&a.total.games);
        order.then_with(|| names.text(a.key).cmp(names.text(b.key)))
    });
    Ok(groups)
}

/// Sorts games by the last of some positions that they go through, most games first, and returns what is left over.
///
/// The positions are numbered as they come; two that are the same up to symmetry are one.
///
/// # Errors
///
/// A part of the collection cannot be had, or is damaged.
pub fn by_position<S: Store>(
    store: &S,
    matcher: &Matcher,
    boards: &[Board],
) -> Result<(Vec<Group>, Tally), QueryError<S::Error>> {
    let segments = store.segments()?;
    let mut last: Vec<Vec<u32>> = segments
        .iter()
        .map(|segment| vec![u32::MAX; segment.facts.len()])
        .collect();
    // Later positions take games away from earlier ones.
    let mut order: Vec<usize> = (0..boards.len()).collect();
    order.sort_by_key(|&at| (boards[at].occupied().count(), at));
    for at in order {
        for hit in games_through(store, boards[at])? {
            let GameRef { segment, number } = hit.game;
            last[segment as usize][number as usize] = at as u32;
        }
    }
    let mut totals = vec![Tally::default(); boards.len()];
    let mut rest = Tally::default();
    for (segment, last) in segments.iter().zip(&last) {
        for (facts, &at) in segment.facts.iter().zip(last) {
            if matcher.accepts(facts) {
                totals
                    .get_mut(at as usize)
                    .unwrap_or(&mut rest)
                    .add(facts, Color::Black);
            }
        }
    }
    let mut groups: Vec<Group> = (0..)
        .zip(totals)
        .filter(|(_, total)| total.games > 0)
        .map(|(key, total)| Group { key, total })
        .collect();
    groups.sort_by_key(|group| (std::cmp::Reverse(group.total.games), group.key));
    Ok((groups, rest))
}

/// The points between players who have enough games.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pairings {
    /// The players: their names' numbers, most games first.
    pub players: Vec<PlayerStats>,
    /// For each pair of different players, by their places, the first smaller: points of the first, and games.
    pub pairs: BTreeMap<(usize, usize), (f64, u32)>,
}

/// Returns the results between players, each of whom has at least `min_games` of them against the others.
///
/// Only games whose winner is known count.
///
/// # Errors
///
/// A part of the collection cannot be had.
pub fn pairings<S: Store>(store: &S, matcher: &Matcher, min_games: u64) -> Result<Pairings, S::Error> {
    let names = store.names(NameKind::Players)?;
    let mut games = Vec::new();
    for facts in store.segments()?.iter().flat_map(|segment| &segment.facts) {
        let players = [names.person(facts.black), names.person(facts.white)];
        let are_known = facts.black != 0 && facts.white != 0 && players[0] != players[1];
        if are_known && facts.flags.winner().is_some() && matcher.accepts(facts) {
            games.push((players, facts));
        }
    }
    // Whoever drops out takes games away from others.
    loop {
        let mut counts: BTreeMap<u32, u64> = BTreeMap::new();
        for (players, _) in &games {
            for player in players {
                *counts.entry(*player).or_default() += 1;
            }
        }
        let n = games.len();
        games.retain(|(players, _)| players.iter().all(|player| counts[player] >= min_games));
        if games.len() == n {
            break;
        }
    }
    let mut stats: BTreeMap<u32, (PlayerStats, Spellings)> = BTreeMap::new();
    for (players, facts) in &games {
        let sides = [(facts.black, Color::Black), (facts.white, Color::White)];
        for (&person, (name, side)) in players.iter().zip(sides) {
            let (stats, spellings) = stats.entry(person).or_default();
            let tally = if side == Color::Black {
                &mut stats.black
            } else {
                &mut stats.white
            };
            tally.add(facts, side);
            spellings.count(name);
        }
    }
    let mut players: Vec<(u32, PlayerStats)> = stats
        .into_iter()
        .map(|(person, (stats, spellings))| {
            let name = spellings.best(|name| names.text(name));
            (person, PlayerStats { name, ..stats })
        })
        .collect();
    players.sort_by(|(_, a), (_, b)| {
        let order = b.total().games.cmp(&a.total().games);
        order.then_with(|| names.text(a.name).cmp(names.text(b.name)))
    });
    let places: BTreeMap<u32, usize> = (0..).zip(&players).map(|(at, player)| (player.0, at)).collect();
    let mut pairs: BTreeMap<(usize, usize), (f64, u32)> = BTreeMap::new();
    for (players, facts) in &games {
        let (black, white) = (places[&players[0]], places[&players[1]]);
        let points = match facts.flags.winner() {
            Some(Some(Color::Black)) => 1.0,
            Some(Some(Color::White)) => 0.0,
            _ => 0.5,
        };
        let (pair, points) = if black < white {
            ((black, white), points)
        } else {
            ((white, black), 1.0 - points)
        };
        let sum = pairs.entry(pair).or_default();
        sum.0 += points;
        sum.1 += 1;
    }
    Ok(Pairings {
        players: players.into_iter().map(|(_, stats)| stats).collect(),
        pairs,
    })
}
