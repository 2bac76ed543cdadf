//! The score of a competition: everything that is counted while games come in.

use crate::{
    record::{End, PlayedGame},
    schedule::Schedule,
    stats::{Rating, RatingError, Results, Tally, ratings},
};
use outflank_othello::Color;

/// Wins, draws and losses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wdl {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Wdl {
    const fn add(&mut self, discs: i32) {
        match discs {
            1.. => self.wins += 1,
            0 => self.draws += 1,
            _ => self.losses += 1,
        }
    }

    /// Returns the number of games.
    pub const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }
}

/// What is counted of each player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlayerCount {
    /// Results with the black discs.
    pub black: Wdl,
    /// Results with the white discs.
    pub white: Wdl,
    /// Games lost away from the board: flag, illegal moves, a program that failed.
    pub forfeits: u64,
    /// Illegal answers, and failures of a program.
    pub errors: u64,
}

/// The score of a competition, over an unbroken beginning of its schedule.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    schedule: Schedule,
    games: usize,
    /// One tally per pairing, from its first player's view.
    tallies: Vec<Tally>,
    players: Vec<PlayerCount>,
    results: Results,
    /// First player's margin in the first game of the pair that is not complete.
    open_pair: Option<i32>,
}

impl Standing {
    /// Returns the score before the first game.
    pub fn new(schedule: Schedule, players: usize) -> Self {
        Self {
            tallies: vec![Tally::default(); schedule.pairings().len()],
            players: vec![PlayerCount::default(); players],
            results: Results::new(players),
            schedule,
            games: 0,
            open_pair: None,
        }
    }

    /// Counts the next game of the schedule.
    pub fn add(&mut self, game: &PlayedGame) {
        let appointment = self.schedule.appointment(self.games);
        debug_assert_eq!((game.game, game.players), (self.games, appointment.players));
        self.games += 1;
        let (first, second) = self.schedule.pairings()[appointment.pairing];
        let margin = game.discs_for(first);
        let tally = &mut self.tallies[appointment.pairing];
        tally.add_game(margin);
        match self.open_pair.take() {
            Some(earlier) => tally.add_pair(earlier, margin),
            None => self.open_pair = Some(margin),
        }
        self.results
            .add(first, second, 0.5 + 0.5 * f64::from(margin.signum()), 1.0);
        for (color, player) in [(Color::Black, game.players[0]), (Color::White, game.players[1])] {
            let count = &mut self.players[player];
            let margin = game.discs_for(player);
            match color {
                Color::Black => count.black.add(margin),
                Color::White => count.white.add(margin),
            }
            let lost_away = game.end.is_forfeit() && margin < 0;
            count.forfeits += u64::from(lost_away);
            count.errors += u64::from(game.illegal[color as usize]);
            // A late move and illegal moves are not failures of a program.
            count.errors += u64::from(lost_away && !matches!(game.end, End::Time | End::Illegal));
        }
    }

    /// Returns the number of games counted.
    pub const fn games(&self) -> usize {
        self.games
    }

    /// Returns whether all pairs are complete.
    pub const fn is_even(&self) -> bool {
        self.open_pair.is_none()
    }

    /// Returns the schedule that is being played.
    pub const fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// Returns the tally of a pairing from its first player's view.
    pub fn tally(&self, pairing: usize) -> &Tally {
        &self.tallies[pairing]
    }

    /// Returns what was counted of a player.
    pub fn player(&self, player: usize) -> &PlayerCount {
        &self.players[player]
    }

    /// Returns the points and games between all players.
    pub const fn results(&self) -> &Results {
        &self.results
    }

    /// Returns the ratings of all players with 95 % intervals.
    ///
    /// # Errors
    ///
    /// As [`ratings`].
    pub fn ratings(&self) -> Result<Vec<Rating>, RatingError> {
        ratings(&self.results, 0.95)
    }
}
