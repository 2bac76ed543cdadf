//! Who plays whom, with which opening and which color.

/// The form of a competition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Everyone against everyone; with two players, a match.
    RoundRobin,
    /// The first player against each of the others.
    Gauntlet,
}

/// All games of a competition, numbered from 0.
///
/// The games of an opening stand together, and among them the two games of a pair: same players, same opening, colors
/// changed. So any even beginning of a match consists of whole pairs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    pairings: Vec<(usize, usize)>,
    /// Pairs of games that each pairing plays.
    rounds: usize,
    openings: usize,
}

/// One game of a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Appointment {
    /// Number of the pairing.
    pub pairing: usize,
    /// Numbers of the players, black first.
    pub players: [usize; 2],
    /// Number of the opening.
    pub opening: usize,
    /// Number of the pair, over all pairings.
    pub pair: usize,
    /// Whether it is the second game of its pair.
    pub second: bool,
}

impl Schedule {
    /// Returns the schedule in which each pairing plays `games` games (rounded up to an even number), the openings taken
    /// in order and again from the first when they run out.
    pub fn new(form: Form, players: usize, games: usize, openings: usize) -> Self {
        let pairings = match form {
            Form::RoundRobin => (0..players)
                .flat_map(|first| (first + 1..players).map(move |second| (first, second)))
                .collect(),
            Form::Gauntlet => (1..players).map(|second| (0, second)).collect(),
        };
        Self {
            pairings,
            rounds: games.div_ceil(2),
            openings: openings.max(1),
        }
    }

    /// Returns the number of games.
    pub fn games(&self) -> usize {
        2 * self.rounds * self.pairings.len()
    }

    /// Returns the pairings: the numbers of both players.
    pub fn pairings(&self) -> &[(usize, usize)] {
        &self.pairings
    }

    /// Returns how often the list of openings is begun; more than once means that openings come again.
    pub fn passes_through_openings(&self) -> usize {
        self.rounds.div_ceil(self.openings)
    }

    /// Returns what game `number` is; it must be below [`Schedule::games`].
    pub fn appointment(&self, number: usize) -> Appointment {
        let pair = number / 2;
        let (round, pairing) = (pair / self.pairings.len(), pair % self.pairings.len());
        let (first, other) = self.pairings[pairing];
        let second = number % 2 == 1;
        Appointment {
            pairing,
            players: if second { [other, first] } else { [first, other] },
            opening: round % self.openings,
            pair,
            second,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pairing_meets_with_both_colors_in_every_opening() {
        for (form, players, pairings) in [
            (Form::RoundRobin, 2, 1),
            (Form::RoundRobin, 5, 10),
            (Form::Gauntlet, 4, 3),
        ] {
            let schedule = Schedule::new(form, players, 7, 4);
            assert_eq!(
                (schedule.pairings().len(), schedule.games()),
                (pairings, 8 * pairings)
            );
            let mut seen = std::collections::BTreeSet::new();
            for number in 0..schedule.games() {
                let game = schedule.appointment(number);
                assert!(seen.insert((game.players, game.opening)), "{game:?} twice");
                let twin = schedule.appointment(number ^ 1);
                assert_eq!(
                    (twin.players[1], twin.opening, twin.pair),
                    (game.players[0], game.opening, game.pair)
                );
            }
        }
    }

    #[test]
    fn openings_come_again_when_they_run_out() {
        let schedule = Schedule::new(Form::RoundRobin, 2, 10, 2);
        assert_eq!(schedule.passes_through_openings(), 3);
        assert_eq!(schedule.appointment(4).opening, 0);
        assert_eq!(schedule.appointment(7).opening, 1);
    }
}
