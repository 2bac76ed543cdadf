//! Matches between any two players, with honest statistics.
//!
//! | part | what it does |
//! | --- | --- |
//! | [`Registry`] | turns one line of text into a player: an engine, a simple player, another program |
//! | [`openings`] | positions to start from: lists, all positions after some plies, random balanced ones |
//! | [`GameRules`] | clocks, patience, adjudication: what the referee goes by |
//! | [`Competition`] | plays a schedule, several games at a time; can be killed and resumed |
//! | [`Standing`], [`stats`] | wins, pairs, Elo with an interval, sequential test, ratings |
//!
//! ```
//! use outflank_arena::{Competition, Form, GameRules, Registry, Store, openings};
//! use outflank_search::StopToken;
//! use std::num::NonZeroUsize;
//! let registry = Registry::standard();
//! let competition = Competition {
//!     players: vec![registry.parse("depth 2")?, registry.parse("random")?],
//!     form: Form::RoundRobin,
//!     games: 20,
//!     openings: openings::all_positions(4)?,
//!     rules: GameRules::default(),
//!     sprt: None,
//!     seed: 1,
//! };
//! let no_time = || 0.0; // only for progress
//! let report = competition.run(&Store::Temporary, NonZeroUsize::MIN, &StopToken::new(), &no_time, &mut |_| {})?;
//! let tally = report.standing.tally(0);
//! assert_eq!(tally.games(), 20);
//! assert!(tally.elo(0.95).low > 0.0, "the search is the stronger player");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod adjudicate;
mod competition;
pub mod openings;
mod player;
mod record;
mod referee;
mod schedule;
mod standing;
pub mod stats;

pub use competition::{Competition, MatchError, MatchEvent, MatchReport, RunEnd, Store};
pub use player::{
    EnginePlayer, External, ExternalPlayer, Failure, Greedy, Maker, PlainSearch, Player, PlayerSpec,
    RandomMover, Registry, Reply, SpecError,
};
pub use record::{End, PlayedGame, PlayedMove, RecordError};
pub use referee::{GameRules, MAX_ILLEGAL};
pub use schedule::{Appointment, Form, Schedule};
pub use standing::{PlayerCount, Standing, Wdl};
