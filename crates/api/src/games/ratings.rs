//! Ratings of the players of a collection by maximum likelihood, from the games between them.

use super::{GamesFilter, failed};
use crate::{error::Error, wire::hundredths};
use outflank_arena::stats::{Results, ratings as rate};
use outflank_games::{NameKind, Store, stats};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The most players who are rated together: the work grows with the third power of their number.
const MOST_PLAYERS: usize = 1500;

const fn usual_games() -> u64 {
    50
}

/// Asks for ratings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RatingsRequest {
    /// Which games count.
    #[serde(default)]
    pub filter: GamesFilter,
    /// The least number of games of a player against other players who have as many.
    #[serde(default = "usual_games")]
    pub min_games: u64,
}

/// A player and the rating.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RatedPlayer {
    /// The rank, from 1.
    pub rank: usize,
    /// The name.
    pub name: String,
    /// Elo points above the average of the players who are rated.
    pub elo: f64,
    /// Half the width of the interval in which it lies with a probability of 95 %.
    pub plus_minus: f64,
    /// Games against the others.
    pub games: u64,
    /// Points in percent.
    pub score: f64,
    /// The first year.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_year: Option<u16>,
    /// The last year.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_year: Option<u16>,
}

/// Rates the players of a collection, best first.
///
/// # Errors
///
/// Returns why the request cannot be answered.
pub fn ratings<S: Store>(request: &RatingsRequest, store: &S) -> Result<Vec<RatedPlayer>, Error> {
    let matcher = request.filter.matcher(store)?;
    let pairings = stats::pairings(store, &matcher, request.min_games.max(1)).map_err(failed)?;
    let n_players = pairings.players.len();
    if n_players > MOST_PLAYERS {
        return Err(Error::Value {
            name: "min-games",
            reason: format!(
                "{n_players} players have as many; at most {MOST_PLAYERS} are rated together: ask for more games"
            ),
        });
    }
    let mut results = Results::new(n_players);
    for (&(first, second), &(points, games)) in &pairings.pairs {
        results.add(first, second, points, games.into());
    }
    let rated = rate(&results, 0.95).map_err(failed)?;
    let names = store.names(NameKind::Players).map_err(failed)?;
    let mut players: Vec<RatedPlayer> = pairings
        .players
        .iter()
        .zip(rated)
        .map(|(player, rating)| {
            let total = player.total();
            RatedPlayer {
                rank: 0,
                name: names.text(player.name).to_owned(),
                elo: hundredths(rating.elo),
                plus_minus: hundredths(rating.plus_minus),
                games: total.games,
                score: hundredths(100.0 * total.score().unwrap_or(0.5)),
                first_year: total.years.map(|years| years.0),
                last_year: total.years.map(|years| years.1),
            }
        })
        .collect();
    players.sort_by(|a, b| b.elo.total_cmp(&a.elo).then_with(|| a.name.cmp(&b.name)));
    for (rank, player) in (1..).zip(&mut players) {
        player.rank = rank;
    }
    Ok(players)
}
