//! How well a policy foretells what people choose, beside simple guesses.

use super::{Example, mean_by_games};
use crate::sample::Split;
use outflank_eval::Patterns;
use outflank_othello::{Color, Position};
use outflank_othello_engine::{
    Engine, Request,
    human::{Candidate, Openings, Policy},
};
use outflank_search::StopToken;
use std::{collections::BTreeMap, fmt};

/// Bands of skill, by equal shares of the examples.
const BANDS: usize = 5;
/// Discs ahead of the deepest baseline.
const DEEP: u32 = 8;

/// A simple guess at what people choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Baseline {
    /// Every move is as likely.
    Uniform,
    /// As often as in other games where ten came to the position, else every move alike.
    Frequency,
    /// The values of a search of so many discs, at the temperature that suits the band best.
    Depth(u32),
}

impl fmt::Display for Baseline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Uniform => f.write_str("uniform"),
            Self::Frequency => f.write_str("frequency"),
            Self::Depth(depth) => write!(f, "depth {depth}"),
        }
    }
}

/// How a policy compares with a baseline, in nats a move.
#[derive(Clone, Copy, Debug)]
pub struct Comparison {
    /// The baseline.
    pub baseline: Baseline,
    /// Its mean surprise (cross-entropy).
    pub surprise: f64,
    /// By how much the policy is less surprised.
    pub gain: f64,
    /// Half of the 95 % interval of that, by games.
    pub half: f64,
}

/// What holds for the people of one band.
#[derive(Clone, Debug)]
pub struct Band {
    /// Moves.
    pub moves: usize,
    /// Mean loss of the sides' other moves, in discs: the skill.
    pub skill: f64,
    /// Mean loss of the moves, and what the policy expects.
    pub loss: [f64; 2],
    /// Shares of moves that were the policy's first choice, and among its first three.
    pub right: [f64; 2],
    /// Mean surprise (cross-entropy) of the policy, in nats a move.
    pub surprise: f64,
    /// The baselines.
    pub baselines: Vec<Comparison>,
}

/// How well a policy foretells games that it was not fitted to.
#[derive(Clone, Debug)]
pub struct Report {
    /// The bands, the most skilled first.
    pub bands: Vec<Band>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let heads = ["moves", "skill", "loss", "expected", "first", "three", "policy"];
        write!(
            f,
            "{:>6} {:>6} {:>6} {:>8} {:>6} {:>6} {:>6}",
            heads[0], heads[1], heads[2], heads[3], heads[4], heads[5], heads[6]
        )?;
        for comparison in self.bands.iter().take(1).flat_map(|band| &band.baselines) {
            write!(f, " {:>21}", comparison.baseline.to_string())?;
        }
        for band in &self.bands {
            write!(
                f,
                "\n{:>6} {:>6.2} {:>6.2} {:>8.2} {:>5.1}% {:>5.1}% {:>6.3}",
                band.moves,
                band.skill,
                band.loss[0],
                band.loss[1],
                100.0 * band.right[0],
                100.0 * band.right[1],
                band.surprise
            )?;
            for Comparison {
                surprise, gain, half, ..
            } in &band.baselines
            {
                write!(f, " {surprise:>6.3} {gain:>+6.3} ± {half:.3}")?;
            }
        }
        Ok(())
    }
}

/// Compares a policy with the baselines on the examples of the test part, at most `most` of them.
///
/// # Panics
///
/// Panics if there is no memory for a small engine.
pub fn report(examples: &[Example], policy: &Policy, most: usize) -> Report {
    let mut tested: Vec<&Example> = examples
        .iter()
        .filter(|example| example.split == Split::Test)
        .collect();
    let step = tested.len().div_ceil(most.max(1)).max(1);
    tested = tested.into_iter().step_by(step).collect();
    tested.sort_by(|a, b| a.skill.total_cmp(&b.skill));
    let size = tested.len().div_ceil(BANDS).max(1);
    let config = outflank_othello_engine::EngineConfig {
        table_bytes: 1 << 22,
        ..outflank_othello_engine::EngineConfig::default()
    };
    let mut engine = Engine::with(config).expect("4 MB and no thread");
    Report {
        bands: tested
            .chunks(size)
            .map(|band| of_band(band, policy, &mut engine))
            .collect(),
    }
}

fn of_band(examples: &[&Example], policy: &Policy, engine: &mut Engine<Patterns>) -> Band {
    let n = examples.len() as f64;
    let chances: Vec<Vec<f64>> = examples
        .iter()
        .map(|example| policy.probabilities(example.board, example.skill, &example.candidates))
        .collect();
    let surprises: Vec<f64> = examples
        .iter()
        .zip(&chances)
        .map(|(example, chances)| -chances[example.played].max(1e-30).ln())
        .collect();
    let loss = |candidate: &Candidate| f64::from(candidate.loss());
    let expected = examples.iter().zip(&chances).map(|(example, chances)| {
        let losses = example.candidates.iter().map(loss);
        chances
            .iter()
            .zip(losses)
            .map(|(chance, loss)| chance * loss)
            .sum::<f64>()
    });
    let among = |first: usize| {
        let hit = examples.iter().zip(&chances).filter(|(example, chances)| {
            let better = chances.iter().filter(|chance| **chance > chances[example.played]);
            better.count() < first
        });
        hit.count() as f64 / n
    };
    let looked = |depth: usize| -> Vec<Vec<f64>> {
        let values = |example: &&Example| {
            let losses = example
                .candidates
                .iter()
                .map(|candidate| -f64::from(candidate.losses[depth]));
            losses.collect()
        };
        examples.iter().map(values).collect()
    };
    let deep: Vec<Vec<f64>> = examples
        .iter()
        .map(|example| deep_values(example, engine))
        .collect();
    let uniform = examples
        .iter()
        .map(|example| (example.candidates.len() as f64).ln());
    let frequent = examples
        .iter()
        .map(|example| frequency(example, policy.openings()));
    let guesses: [(Baseline, Vec<f64>); 5] = [
        (Baseline::Uniform, uniform.collect()),
        (Baseline::Frequency, frequent.collect()),
        (Baseline::Depth(1), at_best_temperature(examples, &looked(0))),
        (Baseline::Depth(4), at_best_temperature(examples, &looked(2))),
        (Baseline::Depth(DEEP), at_best_temperature(examples, &deep)),
    ];
    Band {
        moves: examples.len(),
        skill: examples
            .iter()
            .map(|example| f64::from(example.skill))
            .sum::<f64>()
            / n,
        loss: [
            examples
                .iter()
                .map(|example| loss(&example.candidates[example.played]))
                .sum::<f64>()
                / n,
            expected.sum::<f64>() / n,
        ],
        right: [among(1), among(3)],
        surprise: surprises.iter().sum::<f64>() / n,
        baselines: guesses
            .into_iter()
            .map(|(baseline, guess)| compare(examples, &surprises, baseline, &guess))
            .collect(),
    }
}

/// Compares surprises with those of a baseline.
fn compare(examples: &[&Example], surprises: &[f64], baseline: Baseline, guess: &[f64]) -> Comparison {
    let n = examples.len() as f64;
    let mut by_game: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
    for ((example, mine), other) in examples.iter().zip(surprises).zip(guess) {
        let game = by_game.entry(example.game).or_default();
        game.0 += other - mine;
        game.1 += 1.0;
    }
    let (gain, half) = mean_by_games(&by_game.into_values().collect::<Vec<_>>());
    Comparison {
        baseline,
        surprise: guess.iter().sum::<f64>() / n,
        gain,
        half,
    }
}

/// Returns the surprise of who knows only how often people chose what.
fn frequency(example: &Example, openings: &Openings) -> f64 {
    let board = example.board;
    let share = |candidate: &Candidate| {
        let child = board.play_unchecked(candidate.square, board.flips(candidate.square));
        openings.share(board, child, None).map(f64::from)
    };
    let shares: Option<Vec<f64>> = example.candidates.iter().map(share).collect();
    let Some(shares) = shares else {
        return (example.candidates.len() as f64).ln();
    };
    let sum: f64 = shares.iter().sum();
    -(shares[example.played] / sum).ln()
}

/// Returns the values of all moves by a deep search, in discs.
fn deep_values(example: &Example, engine: &mut Engine<Patterns>) -> Vec<f64> {
    engine.clear();
    // Which color moves is all the same.
    let position = Position::new(example.board, Color::Black);
    let request = Request::new(position).depth(DEEP).lines(usize::MAX);
    let outcome = engine.search(&request, &StopToken::new(), &mut |_| {});
    let value = |candidate: &Candidate| {
        let mv = candidate.square.into();
        let line = outcome.lines.iter().find(|line| line.moves.first() == Some(&mv));
        line.map_or(-64.0, |line| line.value.discs())
    };
    example.candidates.iter().map(value).collect()
}

/// Returns the surprises of who chooses by these values, at the temperature with the least of them.
fn at_best_temperature(examples: &[&Example], values: &[Vec<f64>]) -> Vec<f64> {
    let surprises = |temperature: f64| -> Vec<f64> {
        let each = examples.iter().zip(values).map(|(example, values)| {
            let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let sum: f64 = values
                .iter()
                .map(|value| ((value - most) / temperature).exp())
                .sum();
            sum.ln() - (values[example.played] - most) / temperature
        });
        each.collect()
    };
    let total = |temperature: f64| surprises(temperature).iter().sum::<f64>();
    let temperatures = (0..40).map(|step| 0.3 * 1.12_f64.powi(step));
    let best = temperatures.min_by(|a, b| total(*a).total_cmp(&total(*b)));
    surprises(best.unwrap_or(1.0))
}
