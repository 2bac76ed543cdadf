//! A player with a policy, at eight levels.

use super::{
    features::{Candidate, LOOK_DEPTHS, candidates},
    policy::{Policy, softmax},
};
use crate::full_width::FullWidth;
use outflank_eval::Evaluator;
use outflank_game::SplitMix64;
use outflank_othello::{Board, Game, Move};
use outflank_search::Level;
use std::sync::{Arc, OnceLock};

/// How a level departs from what the policy says of people.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Manner {
    /// Mean loss a move of the people that it plays like, in discs.
    pub skill: f32,
    /// How much less likely a move becomes with each disc that it loses, beyond what people see.
    pub care: f64,
    /// Share of moves that only look at how many discs they turn.
    pub greed: f64,
}

impl Manner {
    /// Returns what level `human-{level}` does; levels beyond the ends do as the last one.
    pub fn of(level: u32) -> Self {
        grade(level).manner
    }
}

/// Returns the mean loss of a move, in discs, that level `human-{level}` promises.
pub fn promised_loss(level: u32) -> f64 {
    grade(level).promised
}

/// A level.
struct Grade {
    /// Mean loss of a move in discs, measured by searches of 10 discs.
    promised: f64,
    manner: Manner,
}

/// The levels, the weakest first.
const GRADES: [Grade; Level::HUMANS as usize] = [
    Grade::new(11.0, (9.0, 0.0, 0.95)),
    Grade::new(6.5, (9.0, 0.0, 0.0)),
    Grade::new(4.5, (5.8, 0.0, 0.0)),
    Grade::new(3.3, (3.7, 0.0, 0.0)),
    Grade::new(2.5, (2.3, 0.0, 0.0)),
    Grade::new(1.9, (1.1, 0.0, 0.0)),
    Grade::new(1.4, (1.0, 0.12, 0.0)),
    Grade::new(0.9, (1.0, 0.65, 0.0)),
];

impl Grade {
    const fn new(promised: f64, (skill, care, greed): (f32, f64, f64)) -> Self {
        let manner = Manner { skill, care, greed };
        Self { promised, manner }
    }
}

/// Returns a level by its number.
fn grade(level: u32) -> &'static Grade {
    &GRADES[(level.max(1) as usize - 1).min(GRADES.len() - 1)]
}

/// How much more likely a disc more makes a move to who only looks at discs.
const EAGERNESS: f64 = 0.4;
/// Empty squares from which on people choose as they do; with more, in the first eight moves, more freely, so that not every
/// game begins alike.
const OPENING: u32 = 52;
/// What preferences are multiplied with there.
const FREEDOM: f64 = 0.6;

/// Plays as people do.
#[derive(Debug)]
pub struct HumanPlayer<E: Evaluator> {
    search: FullWidth<E>,
    policy: Arc<Policy>,
    random: SplitMix64,
}

impl<E: Evaluator> HumanPlayer<E> {
    /// How many discs ahead it looks.
    pub const LOOK: u32 = LOOK_DEPTHS[LOOK_DEPTHS.len() - 1];

    /// Returns a player that looks ahead with `evaluator`; the same seed makes the same choices.
    pub fn new(evaluator: E, seed: u64) -> Self {
        static POLICY: OnceLock<Arc<Policy>> = OnceLock::new();
        let policy = POLICY.get_or_init(|| Arc::new(Policy::embedded()));
        Self::with_policy(evaluator, Arc::clone(policy), seed)
    }

    /// As [`HumanPlayer::new`], with another policy than the one inside the program.
    pub fn with_policy(evaluator: E, policy: Arc<Policy>, seed: u64) -> Self {
        Self {
            search: FullWidth::new(evaluator),
            policy,
            random: SplitMix64::new(seed),
        }
    }

    /// Returns the positions that were looked at so far.
    pub const fn nodes(&self) -> u64 {
        self.search.nodes()
    }

    /// Chooses among the moves of a board that has some, except those `excluded` if others are left.
    ///
    /// # Panics
    ///
    /// Panics if the board has no move.
    pub fn choose(&mut self, board: Board, manner: &Manner, excluded: &[Move]) -> Candidate {
        let mut all = candidates(board, &mut self.search, self.policy.openings(), None);
        let allowed = |candidate: &Candidate| !excluded.contains(&Move::Place(candidate.square));
        if all.iter().any(allowed) {
            all.retain(allowed);
        }
        let chances = self.chances(board, manner, &all);
        let mut drawn = self.random.unit();
        let mut at = 0;
        while at + 1 < chances.len() && drawn >= chances[at] {
            drawn -= chances[at];
            at += 1;
        }
        all.swap_remove(at)
    }

    /// Plays a game against itself.
    ///
    /// # Panics
    ///
    /// Never: a candidate is a legal move.
    pub fn play(&mut self, manner: &Manner) -> Game {
        let mut game = Game::new();
        while !game.position().is_game_over() {
            let board = game.position().board();
            let mv = if board.must_pass() {
                Move::Pass
            } else {
                self.choose(board, manner, &[]).square.into()
            };
            game.play(mv).expect("a candidate is a legal move");
        }
        game
    }

    /// Returns how likely each of the candidates is to be chosen.
    fn chances(&self, board: Board, manner: &Manner, all: &[Candidate]) -> Vec<f64> {
        let people = self.policy.probabilities(board, manner.skill, all);
        let firmness = if board.empties().count() > OPENING {
            FREEDOM
        } else {
            1.0
        };
        let careful: Vec<f64> = people
            .iter()
            .zip(all)
            .map(|(chance, candidate)| {
                let care = manner.care * f64::from(candidate.loss());
                firmness * (chance.max(1e-12).ln() - care)
            })
            .collect();
        let greedy: Vec<f64> = all
            .iter()
            .map(|candidate| EAGERNESS * f64::from(board.flips(candidate.square).count()))
            .collect();
        softmax(&careful)
            .into_iter()
            .zip(softmax(&greedy))
            .map(|(careful, greedy)| careful + manner.greed * (greedy - careful))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_eval::HandMade;
    use outflank_othello::Square;

    fn game(level: u32, seed: u64) -> Game {
        HumanPlayer::new(HandMade, seed).play(&Manner::of(level))
    }

    #[test]
    fn a_seed_makes_a_game_and_another_seed_another_one() {
        for level in 1..=8 {
            assert_eq!(game(level, 1).transcript(), game(level, 1).transcript());
            assert_ne!(game(level, 1).transcript(), game(level, 2).transcript());
        }
    }

    #[test]
    fn excluded_moves_are_not_chosen_where_others_are_left() {
        let board = Board::start();
        let mut player = HumanPlayer::new(HandMade, 3);
        let but_one: Vec<Move> = board.legal_moves().into_iter().skip(1).map(Move::Place).collect();
        let first = board.legal_moves().first();
        let all: Vec<Move> = board.legal_moves().into_iter().map(Move::Place).collect();
        for _ in 0..20 {
            let chosen = player.choose(board, &Manner::of(3), &but_one);
            assert_eq!(Some(chosen.square), first);
            let chosen: Square = player.choose(board, &Manner::of(3), &all).square;
            assert!(board.legal_moves().contains(chosen));
        }
    }

    const DRAWS: usize = 4000;

    #[test]
    fn moves_are_drawn_as_often_as_they_are_likely() {
        let mut game = Game::new();
        for square in ["f5", "d6", "c3", "d3"] {
            game.play(square.parse().expect("a move")).expect("it is legal");
        }
        let (board, manner) = (game.position().board(), Manner::of(4));
        let mut player = HumanPlayer::new(HandMade, 5);
        let all = candidates(board, &mut player.search, player.policy.openings(), None);
        let chances = player.chances(board, &manner, &all);
        let mut drawn = vec![0; all.len()];
        for _ in 0..DRAWS {
            let chosen = player.choose(board, &manner, &[]);
            drawn[all
                .iter()
                .position(|one| one.square == chosen.square)
                .expect("a candidate")] += 1;
        }
        for (chance, count) in chances.iter().zip(drawn) {
            let expected = chance * DRAWS as f64;
            // Five standard deviations.
            assert!(
                (f64::from(count) - expected).abs() < 5.0 * expected.max(1.0).sqrt(),
                "{chance} {count}"
            );
        }
    }
}
