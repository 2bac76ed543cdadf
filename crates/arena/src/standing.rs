//! The score of a competition: everything that is counted while games come in.

use crate::{
    player::Claim,
    record::{End, PlayedGame},
    schedule::Schedule,
    stats::{Rating, RatingError, Results, Tally, ratings},
};

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
    const fn add(&mut self, margin: i32) {
        match margin {
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
    /// Results with black.
    pub black: Wdl,
    /// Results with white.
    pub white: Wdl,
    /// Games lost away from the board: flag, illegal moves, a program that failed.
    pub forfeits: u64,
    /// Illegal answers, and failures of a program.
    pub errors: u64,
    /// Games played to the end that brought less than the player had said was proven.
    pub false_claims: u64,
}

impl PlayerCount {
    /// Returns the number of games.
    pub const fn games(&self) -> u64 {
        self.black.games() + self.white.games()
    }
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
    /// Games that ended away from the board.
    forfeits: usize,
}

/// Games after which a match in which nothing but forfeits happened is not worth going on with.
const ENOUGH_FORFEITS: usize = 4;

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
            forfeits: 0,
        }
    }

    /// Counts the next game of the schedule.
    pub fn add(&mut self, game: &PlayedGame) {
        let appointment = self.schedule.appointment(self.games);
        debug_assert_eq!((game.game, game.players), (self.games, appointment.players));
        self.games += 1;
        let (first, second) = self.schedule.pairings()[appointment.pairing];
        let margin = game.margin_for(first);
        let tally = &mut self.tallies[appointment.pairing];
        tally.add_game(margin);
        match self.open_pair.take() {
            Some(earlier) => tally.add_pair(earlier, margin),
            None => self.open_pair = Some(margin),
        }
        self.results
            .add(first, second, 0.5 + 0.5 * f64::from(margin.signum()), 1.0);
        self.forfeits += usize::from(game.end.is_forfeit());
        for (color, &player) in game.players.iter().enumerate() {
            let count = &mut self.players[player];
            let margin = game.margin_for(player);
            match color {
                0 => count.black.add(margin),
                _ => count.white.add(margin),
            }
            let lost_away = game.end.is_forfeit() && margin < 0;
            count.forfeits += u64::from(lost_away);
            count.errors += u64::from(game.illegal[color]);
            // A late move and illegal moves are not failures of a program.
            count.errors += u64::from(lost_away && !matches!(game.end, End::Time | End::Illegal));
            let got = match margin {
                1.. => Claim::Win,
                0 => Claim::Draw,
                _ => Claim::Loss,
            };
            let claimed = game.claims[color];
            count.false_claims +=
                u64::from(!game.end.is_forfeit() && claimed.is_some_and(|claim| claim > got));
        }
    }

    /// Returns whether the match shows nothing but that programs fail: every game of some player was lost away from the
    /// board, or every game ended so.
    pub fn is_forfeited_throughout(&self) -> bool {
        let all_lost = |count: &PlayerCount| count.games() > 0 && count.forfeits == count.games();
        self.games > 0 && (self.forfeits == self.games || self.players.iter().any(all_lost))
    }

    /// Returns whether a match is forfeited throughout and long enough to be sure that it will go on so.
    pub fn is_hopeless(&self) -> bool {
        let all_lost =
            |count: &PlayerCount| count.games() >= ENOUGH_FORFEITS as u64 && count.forfeits == count.games();
        (self.games >= ENOUGH_FORFEITS && self.forfeits == self.games) || self.players.iter().any(all_lost)
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
