//! Matches between any two players of any game, with honest statistics.
//!
//! | part | what it does |
//! | --- | --- |
//! | [`MatchGame`] | what a match needs of a game: Othello, Gomoku, or any other |
//! | [`Registry`] | turns one line of text into a player: an engine, a simple player, another program |
//! | [`openings`] | positions to start from: lists, all positions after some plies, random balanced ones |
//! | [`GameRules`] | clocks, patience, adjudication: what the referee goes by |
//! | [`Competition`] | plays a schedule, several games at a time; can be killed and resumed |
//! | [`Standing`], [`stats`] | wins, pairs, Elo with an interval, sequential test, ratings |
//! | [`report`] | the table of a match for people, and its summary for programs |
//!
//! ```
//! use outflank_arena::{Competition, Form, GameRules, Registry, Store, openings};
//! use outflank_othello::Position;
//! use outflank_search::StopToken;
//! use std::num::NonZeroUsize;
//! let registry = Registry::<Position>::standard();
//! let competition = Competition {
//!     players: vec![registry.parse("depth 2")?, registry.parse("random")?],
//!     form: Form::RoundRobin,
//!     games: 20,
//!     openings: openings::all_positions(&Position::start(), 4)?,
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
mod game;
mod gomoku;
mod history;
pub mod openings;
mod othello;
mod player;
mod players;
mod record;
mod referee;
pub mod report;
mod schedule;
mod standing;
pub mod stats;

pub use competition::{Competition, MatchError, MatchEvent, MatchReport, RunEnd, Store};
pub use game::MatchGame;
pub use history::{History, IllegalMove};
pub use player::{Choice, Claim, Failure, Player, Reply, Setup, Turn};
pub use players::{
    book::{BookOptions, OpenBook, OthelloPlayer, WithBook},
    engine::{Effort, EnginePlayer, Scale},
    external::{External, ExternalPlayer},
    registry::{Access, Maker, PlayerSpec, Registry, SpecError},
    simple::{Greedy, PlainSearch, RandomMover},
    standard::add_engines,
    talk::{GomocupTalk, Said, Talk},
};
pub use record::{End, PlayedGame, PlayedMove, RecordError, Thinking};
pub use referee::{GameRules, MAX_ILLEGAL, scaled_margin};
pub use schedule::{Appointment, Form, Schedule};
pub use standing::{PlayerCount, Standing, Wdl};
