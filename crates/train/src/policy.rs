//! What people choose, from their games.
//!
//! Games are *judged* first, a long job: the values of all moves at every turn, a few discs ahead. Then the weights of
//! a [`Policy`] are fitted to the moves that were made, by maximum likelihood. How skilled somebody was is told by the
//! mean loss of the side's *other* moves in the same game, so that a move says nothing about its own skill.

mod measure;
mod report;

pub use measure::{Measured, measure};
pub use report::{Band, Baseline, Comparison, Report, report};

use crate::{sample::Split, source::Record};
use outflank_eval::Evaluator;
use outflank_game::SplitMix64;
use outflank_jobs::{Event, Fingerprint, Outcome, ResultLog, RunError, Runner};
use outflank_othello::Board;
use outflank_othello_engine::{
    human::{Candidate, FEATURES, LOOK_DEPTHS, Openings, Policy, described, mixed, terms},
    tuning::FullWidth,
};

/// Plies of the opening whose positions are counted.
const OPENING_PLIES: usize = 24;
/// Least number of other moves of a side that tell its skill.
const LEAST_MOVES: usize = 12;
/// Digits of a value in a log.
const DIGITS: &[u8; 16] = b"0123456789abcdef";
/// One turn in so many is fitted to: those of one game resemble each other.
const ONE_IN: usize = 3;

/// A game to learn from.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    /// Its positions.
    pub record: Record,
    /// Moves at its beginning that were drawn by lot, as XOT openings are.
    pub drawn: usize,
}

/// The values of all moves at one turn of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// The position.
    pub board: Board,
    /// Whether the side that moved first in the game is to move.
    pub first: bool,
    /// Number of the move that was made, among the legal moves by square.
    pub played: usize,
    /// Value of each legal move in discs, at each of [`LOOK_DEPTHS`].
    pub values: Vec<[f32; LOOK_DEPTHS.len()]>,
}

impl Turn {
    /// Returns the discs that the move lost, at the greatest depth.
    pub fn loss(&self) -> f32 {
        let deepest = |values: &[f32; LOOK_DEPTHS.len()]| values[LOOK_DEPTHS.len() - 1];
        let best = self.values.iter().map(deepest).fold(f32::NEG_INFINITY, f32::max);
        best - deepest(&self.values[self.played])
    }

    /// Returns the position after the move that was made.
    fn next(&self) -> Option<Board> {
        let square = self.board.legal_moves().into_iter().nth(self.played)?;
        Some(self.board.play_unchecked(square, self.board.flips(square)))
    }
}

/// Returns the turns of a game that people decided, without values.
///
/// The last move is left out: a record holds positions.
fn turns(game: &PlayedGame) -> Vec<Turn> {
    let boards = &game.record.boards;
    let pairs = boards
        .iter()
        .zip(boards.iter().skip(1))
        .zip(&game.record.same_side);
    let turns = pairs.filter_map(|((&board, &next), &first)| {
        let played = board.legal_moves().into_iter().position(|square| {
            let child = board.play_unchecked(square, board.flips(square));
            child == next || child.passed() == next
        })?;
        Some(Turn {
            board,
            first,
            played,
            values: Vec::new(),
        })
    });
    turns.skip(game.drawn).collect()
}

/// Returns the values of the moves at every turn of a game as text: a number of 1/128 disc for each move and depth.
fn judge<E: Evaluator>(game: &PlayedGame, search: &mut FullWidth<E>) -> String {
    let mut text = String::new();
    for turn in turns(game) {
        for square in turn.board.legal_moves() {
            let child = turn.board.play_unchecked(square, turn.board.flips(square));
            for depth in LOOK_DEPTHS {
                let value = -search.value(child, depth - 1).units();
                let number = (value as i16).cast_unsigned();
                text.extend([12, 8, 4, 0].map(|shift| char::from(DIGITS[usize::from(number >> shift & 15)])));
            }
        }
    }
    text
}

/// Reads what [`judge`] wrote; `None` if it does not belong to this game.
fn judged(game: &PlayedGame, text: &str) -> Option<Vec<Turn>> {
    let mut numbers = text
        .as_bytes()
        .chunks(4)
        .map(|digits| u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
    let mut number = || Some(f32::from(numbers.next()??.cast_signed()) / 128.0);
    let mut turns = turns(game);
    for turn in &mut turns {
        for _ in 0..turn.board.mobility() {
            let mut values = [0.0; LOOK_DEPTHS.len()];
            for value in &mut values {
                *value = number()?;
            }
            turn.values.push(values);
        }
    }
    number().is_none().then_some(turns)
}

/// Returns what a log of judged games must agree about.
pub fn fingerprint<E: Evaluator>(games: &[PlayedGame], evaluator: &E) -> Fingerprint {
    let mut all = Fingerprint::default()
        .with(b"judge 1")
        .with(format!("{LOOK_DEPTHS:?}").as_bytes())
        .with(&evaluator.fingerprint().to_le_bytes());
    for game in games {
        let last = game.record.boards.last().copied().unwrap_or_else(Board::start);
        all = all
            .with(&last.player().bits().to_le_bytes())
            .with(&last.opponent().bits().to_le_bytes());
    }
    all
}

/// Chooses `count` of the games by lot, in the order of `games`.
pub fn choose(mut games: Vec<PlayedGame>, count: usize, seed: u64) -> Vec<PlayedGame> {
    let mut random = SplitMix64::new(seed);
    while games.len() > count {
        let at = random.below(games.len());
        games.swap_remove(at);
    }
    games
}

/// Judges the games that `log` does not hold yet.
///
/// # Errors
///
/// Returns why the log cannot be written.
pub fn judge_all<E: Evaluator + Clone>(
    games: &[PlayedGame],
    evaluator: &E,
    (log, runner): (&mut ResultLog, &Runner<'_>),
    on_event: &mut dyn FnMut(&Event<'_>),
) -> Result<Outcome, RunError> {
    runner.run(
        log,
        || FullWidth::new(evaluator.clone()),
        |search, item| Some(judge(&games[item], search)),
        on_event,
    )
}

/// A turn of a game, as the fit sees it.
#[derive(Clone, Debug)]
pub struct Example {
    /// The position.
    pub board: Board,
    /// The moves.
    pub candidates: Vec<Candidate>,
    /// Which of them was chosen.
    pub played: usize,
    /// Mean loss of the side's other moves in the game, in discs.
    pub skill: f32,
    /// Number of the game.
    pub game: usize,
    /// Part of the data.
    pub split: Split,
}

/// Returns the statistics of the openings of games that may be learned from and began freely.
pub fn openings(games: &[PlayedGame]) -> Openings {
    let free = games
        .iter()
        .filter(|game| game.record.split == Split::Train && game.drawn == 0);
    Openings::count(free.flat_map(|game| game.record.boards.iter().take(OPENING_PLIES).copied()))
}

/// Returns the examples of judged games, whose results are in the order of the games.
///
/// # Errors
///
/// Returns the number of the first game that a result does not belong to.
pub fn examples(
    games: &[PlayedGame],
    results: &[String],
    openings: &Openings,
) -> Result<Vec<Example>, usize> {
    let mut examples = Vec::new();
    for (number, (game, result)) in games.iter().zip(results).enumerate() {
        let turns = judged(game, result).ok_or(number)?;
        // Games that are in the statistics are left out of what they see of them.
        let counted = game.record.split == Split::Train && game.drawn == 0;
        for side in [true, false] {
            let own: Vec<&Turn> = turns.iter().filter(|turn| turn.first == side).collect();
            let total: f32 = own.iter().map(|turn| turn.loss()).sum();
            if own.len() <= LEAST_MOVES {
                continue;
            }
            for (at, turn) in own.iter().enumerate() {
                // No choice, nothing to learn.
                if turn.values.len() < 2 || (at + number) % ONE_IN != 0 {
                    continue;
                }
                let left_out = turn.next().filter(|_| counted);
                examples.push(Example {
                    board: turn.board,
                    candidates: described(turn.board, &turn.values, openings, left_out),
                    played: turn.played,
                    skill: (total - turn.loss()) / (own.len() - 1) as f32,
                    game: number,
                    split: game.record.split,
                });
            }
        }
    }
    Ok(examples)
}

/// Returns the mean of what moves have, and half of its 95 % interval, from the sum and the number of moves of each game:
/// games are what varies independently.
fn mean_by_games(games: &[(f64, f64)]) -> (f64, f64) {
    let moves = games.iter().map(|game| game.1).sum::<f64>().max(1.0);
    let mean = games.iter().map(|game| game.0).sum::<f64>() / moves;
    let variance: f64 = games
        .iter()
        .map(|(sum, moves)| (sum - mean * moves).powi(2))
        .sum();
    (mean, 1.96 * variance.sqrt() / moves)
}

/// How a policy is fitted.
#[derive(Clone, Copy, Debug)]
pub struct PolicyConfig {
    /// Passes over the examples.
    pub epochs: usize,
    /// Size of a step at first; it falls to a hundredth.
    pub rate: f32,
    /// Pull of the weights towards zero.
    pub ridge: f32,
    /// Seed of the order of the examples.
    pub seed: u64,
}

impl Default for PolicyConfig {
    fn default() -> Self {
        Self {
            epochs: 12,
            rate: 0.02,
            ridge: 1e-5,
            seed: 1,
        }
    }
}

/// Examples of a step.
const BATCH: usize = 256;

/// Fits a policy to the examples of the training part; `on_epoch` hears its mean surprise (nats a move).
///
/// Steps follow Adam \[KINGMA15\].
pub fn fit(
    examples: &[Example],
    openings: Openings,
    config: &PolicyConfig,
    on_epoch: &mut dyn FnMut(usize, f64),
) -> Policy {
    let mut order: Vec<usize> = (0..examples.len())
        .filter(|&at| examples[at].split == Split::Train)
        .collect();
    let mut random = SplitMix64::new(config.seed);
    let mut weights = vec![0.0_f32; Policy::WEIGHTS];
    let (mut mean, mut square) = (weights.clone(), weights.clone());
    let steps = (config.epochs * order.len().div_ceil(BATCH)).max(1);
    let mut step = 0;
    for epoch in 0..config.epochs {
        for at in (1..order.len()).rev() {
            order.swap(at, random.below(at + 1));
        }
        let mut surprise = 0.0;
        for batch in order.chunks(BATCH) {
            let mut gradient = vec![0.0_f32; Policy::WEIGHTS];
            for &at in batch {
                surprise += add_gradient(&examples[at], &weights, &mut gradient);
            }
            step += 1;
            let rate = config.rate * 0.01_f32.powf(step as f32 / steps as f32);
            let (first, second) = (1.0 - 0.9_f32.powi(step), 1.0 - 0.999_f32.powi(step));
            for (((weight, slope), mean), square) in
                weights.iter_mut().zip(&gradient).zip(&mut mean).zip(&mut square)
            {
                let slope = slope / batch.len() as f32 + config.ridge * *weight;
                *mean += 0.1 * (slope - *mean);
                *square += 0.001 * (slope * slope - *square);
                *weight -= rate * (*mean / first) / ((*square / second).sqrt() + 1e-8);
            }
        }
        on_epoch(epoch + 1, surprise / order.len().max(1) as f64);
    }
    Policy::new(weights, openings)
}

/// Adds the gradient of the surprise at an example; returns the surprise.
fn add_gradient(example: &Example, weights: &[f32], gradient: &mut [f32]) -> f64 {
    let factors = terms(example.board.empties().count(), example.skill);
    let here = mixed(weights, &factors);
    let logit =
        |candidate: &Candidate| -> f32 { candidate.features.iter().zip(&here).map(|(x, w)| x * w).sum() };
    let logits: Vec<f32> = example.candidates.iter().map(logit).collect();
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let powers: Vec<f32> = logits.iter().map(|logit| (logit - most).exp()).collect();
    let sum: f32 = powers.iter().sum();
    let mut slope = [0.0_f32; FEATURES];
    for (at, (candidate, power)) in example.candidates.iter().zip(&powers).enumerate() {
        let by = power / sum - f32::from(u8::from(at == example.played));
        slope
            .iter_mut()
            .zip(&candidate.features)
            .for_each(|(slope, x)| *slope += by * x);
    }
    for (factor, part) in factors.iter().zip(gradient.chunks_exact_mut(FEATURES)) {
        if *factor != 0.0 {
            part.iter_mut()
                .zip(&slope)
                .for_each(|(sum, slope)| *sum += factor * slope);
        }
    }
    -f64::from((powers[example.played] / sum).max(1e-30).ln())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::read_list;
    use outflank_eval::HandMade;

    /// Games of a player who always turns as many discs as possible, the first such square, and of one who turns few.
    fn games() -> Vec<PlayedGame> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.csv");
        let mut text = String::new();
        let mut random = SplitMix64::new(5);
        for _ in 0..40 {
            let mut game = outflank_othello::Game::new();
            while !game.position().is_game_over() {
                let board = game.position().board();
                let mut moves = game.position().legal_moves();
                if game.moves().len() < 6 {
                    moves = vec![moves[random.below(moves.len())]];
                }
                let flips =
                    |mv: &outflank_othello::Move| mv.square().map_or(0, |square| board.flips(square).count());
                moves.sort_by_key(|mv| std::cmp::Reverse(flips(mv)));
                game.play(moves[0]).expect("it is legal");
            }
            text.push_str(
                &game
                    .moves()
                    .iter()
                    .filter_map(|mv| mv.square())
                    .map(|mv| mv.to_string())
                    .collect::<String>(),
            );
            text.push('\n');
        }
        std::fs::write(&path, text).expect("a file");
        let records = read_list(&path).expect("they are legal");
        records
            .into_iter()
            .map(|record| PlayedGame { record, drawn: 6 })
            .collect()
    }

    #[test]
    fn judged_games_are_read_as_they_were_written() {
        let mut search = FullWidth::new(HandMade);
        for game in games().iter().take(3) {
            let text = judge(game, &mut search);
            let turns = judged(game, &text).expect("it belongs to the game");
            assert_eq!(turns.len(), game.record.boards.len() - 7);
            for turn in &turns {
                let all = outflank_othello_engine::human::candidates(
                    turn.board,
                    &mut search,
                    &Openings::default(),
                    None,
                );
                let losses: Vec<f32> = all.iter().map(|candidate| candidate.losses[2]).collect();
                assert!((turn.loss() - losses[turn.played]).abs() < 1e-6);
            }
            assert_eq!(judged(game, &text[4..]), None);
            assert_eq!(judged(game, &format!("{text}0000")), None);
            assert_eq!(judged(game, &text.replace(char::is_numeric, "x")), None);
        }
    }

    #[test]
    fn the_fit_finds_what_the_players_look_at() {
        let games = games();
        let mut search = FullWidth::new(HandMade);
        let results: Vec<String> = games.iter().map(|game| judge(game, &mut search)).collect();
        let examples = examples(&games, &results, &Openings::default()).expect("they belong together");
        let config = PolicyConfig {
            epochs: 60,
            ..PolicyConfig::default()
        };
        let mut surprises = Vec::new();
        let policy = fit(&examples, Openings::default(), &config, &mut |_, surprise| {
            surprises.push(surprise);
        });
        assert!(surprises[59] < 0.5 * surprises[0], "{surprises:?}");
        let most = examples.iter().filter(|example| {
            let chances = policy.probabilities(example.board, example.skill, &example.candidates);
            let best = (0..chances.len()).max_by(|&a, &b| chances[a].total_cmp(&chances[b]));
            let flips = |at: usize| example.board.flips(example.candidates[at].square).count();
            best.is_some_and(|best| flips(best) == flips(example.played))
        });
        let most = most.count();
        assert!(10 * most > 9 * examples.len(), "{most} of {}", examples.len());
        // The same examples give the same weights.
        let again = fit(&examples, Openings::default(), &config, &mut |_, _| {});
        assert_eq!(policy, again);
    }

    #[test]
    fn a_move_says_nothing_about_its_own_skill() {
        let games = games();
        let mut search = FullWidth::new(HandMade);
        let results = [judge(&games[0], &mut search)];
        let examples = examples(&games[..1], &results, &Openings::default()).expect("they belong together");
        let turns = judged(&games[0], &results[0]).expect("it belongs to the game");
        for example in &examples {
            let turn = turns
                .iter()
                .find(|turn| turn.board == example.board)
                .expect("it is a turn");
            let others: Vec<f32> = turns
                .iter()
                .filter(|other| other.first == turn.first && other.board != turn.board)
                .map(Turn::loss)
                .collect();
            let mean = others.iter().sum::<f32>() / others.len() as f32;
            assert!((example.skill - mean).abs() < 1e-4);
        }
        assert!(!examples.is_empty());
    }
}
