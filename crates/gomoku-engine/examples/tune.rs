//! Fits the evaluation to games: `tune GAMES WEIGHTS [epochs]`.
//!
//! Every quiet position of a game (no five, no open four for either side, no win by fours for the side to move) is a
//! sample with the result of the game as its label. Logistic regression by stochastic gradient descent with per-weight rates (Adagrad), pulled
//! towards the hand-made guess; each player's strength is fitted along as an offset, so that a strong engine's
//! victory in a bad position teaches less. Games of one in ten are kept apart for validation.

#![allow(clippy::print_stdout, reason = "a program for the terminal")]

use outflank_game::SplitMix64;
use outflank_gomoku::{Board, Color, Combo, N_COMBOS, Point, Rule};
use outflank_gomoku_engine::{
    Answer, Budget, ThreatSearch, ThreatSettings,
    eval::{N_THREATS, Weights, threat_index},
};
use std::collections::BTreeMap;

/// Weights are in units of 1/500 of the logarithm of the odds.
const UNIT: f64 = 500.0;

/// One position: counts of combinations, the threat index, the players, and whether the side to move won.
struct Sample {
    features: Vec<(u16, i8)>,
    threat: u16,
    players: [u16; 2],
    won: f64,
    /// How much it counts: positions near the end say more.
    trust: f64,
    validation: bool,
}

fn moves(text: &str) -> Vec<Point> {
    let mut starts: Vec<usize> = text
        .char_indices()
        .filter(|(_, c)| c.is_ascii_alphabetic())
        .map(|(i, _)| i)
        .collect();
    starts.push(text.len());
    starts
        .windows(2)
        .filter_map(|pair| text[pair[0]..pair[1]].parse().ok())
        .collect()
}

/// Appends the samples of one game; a line holds file, size, opening, result, players, moves.
fn add_game(
    line: &str,
    nth: usize,
    names: &mut BTreeMap<String, u16>,
    threats: &mut ThreatSearch,
    to: &mut Vec<Sample>,
) {
    let fields: Vec<&str> = line.split('\t').collect();
    let (Some(players), Some(text)) = (fields.get(4), fields.get(5)) else {
        return;
    };
    let mut players = players.split('|').map(|name| {
        let fresh = names.len() as u16;
        *names.entry(name.to_owned()).or_insert(fresh)
    });
    let (Some(black), Some(white)) = (players.next(), players.next()) else {
        return;
    };
    drop(players);
    let moves = moves(text);
    let Ok(mut board) = Board::new(Rule::Freestyle, 15) else {
        return;
    };
    if !moves.iter().all(|&mv| board.play(mv).is_ok()) {
        return;
    }
    // Only games that ended on the board have a sure result.
    let Some(winner) = board.end().map(outflank_gomoku::End::winner) else {
        return;
    };
    let Ok(mut board) = Board::new(Rule::Freestyle, 15) else {
        return;
    };
    for (i, &mv) in moves.iter().enumerate() {
        let side = board.side();
        let quiet = Color::BOTH.into_iter().all(|color| {
            use outflank_gomoku::Class;
            board.count_of(color, Class::Five) + board.count_of(color, Class::OpenFour) == 0
        });
        if i >= 6 && quiet {
            let mut budget = Budget::unlimited();
            let answer = threats.vcf_within(&mut board, side, u32::MAX, 300, &mut budget);
            if !matches!(answer, Answer::Win { .. }) {
                let won = winner.map_or(0.5, |winner| f64::from(u8::from(winner == side)));
                let pair = if side == Color::Black {
                    [black, white]
                } else {
                    [white, black]
                };
                let trust = 0.25 + 0.75 * 0.97f64.powi((moves.len() - i) as i32);
                to.push(sample(&board, side, pair, (won, trust), nth.is_multiple_of(10)));
            }
        }
        if board.play(mv).is_err() {
            return;
        }
    }
}

fn sample(
    board: &Board,
    side: Color,
    players: [u16; 2],
    (won, trust): (f64, f64),
    validation: bool,
) -> Sample {
    let mut counts: BTreeMap<u16, i8> = BTreeMap::new();
    for point in board.empties() {
        *counts.entry(board.combo(point, side).idx() as u16).or_default() += 1;
        *counts
            .entry((N_COMBOS + board.combo(point, !side).idx()) as u16)
            .or_default() -= 1;
    }
    let dead = Combo::default().idx() as u16;
    let features = counts
        .into_iter()
        .filter(|&(feature, count)| count != 0 && feature != dead && feature != N_COMBOS as u16 + dead)
        .collect();
    Sample {
        features,
        threat: threat_index(board, side) as u16,
        players,
        won,
        trust,
        validation,
    }
}

/// The model: all weights in one vector, in logits.
struct Model {
    weights: Vec<f64>,
    prior: Vec<f64>,
    sums: Vec<f64>,
    strength: Vec<f64>,
}

impl Model {
    fn logit(&self, sample: &Sample, with_players: bool) -> f64 {
        let shapes: f64 = sample
            .features
            .iter()
            .map(|&(feature, count)| self.weights[feature as usize] * f64::from(count))
            .sum();
        let players = if with_players {
            self.strength[sample.players[0] as usize] - self.strength[sample.players[1] as usize]
        } else {
            0.0
        };
        shapes + self.weights[2 * N_COMBOS + sample.threat as usize] + players
    }

    fn learn(&mut self, sample: &Sample, rate: f64) {
        let error = (sample.won - sigmoid(self.logit(sample, true))) * sample.trust;
        let mut step = |at: usize, gradient: f64| {
            self.sums[at] += gradient * gradient;
            self.weights[at] += rate * gradient / (self.sums[at] + 1.0).sqrt();
        };
        for &(feature, count) in &sample.features {
            step(feature as usize, error * f64::from(count));
        }
        step(2 * N_COMBOS + sample.threat as usize, error);
        self.strength[sample.players[0] as usize] += 0.002 * error;
        self.strength[sample.players[1] as usize] -= 0.002 * error;
    }
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// Fits one weight per shape and side instead of one per combination, and makes the result the start and the prior.
fn tie(model: &mut Model, samples: &[Sample]) {
    let mut shapes = [[0.0f64; 15]; 2];
    let mut sums = [[1.0f64; 15]; 2];
    let of = |feature: u16| {
        let side = usize::from(usize::from(feature) >= N_COMBOS);
        let idx = usize::from(feature) - side * N_COMBOS;
        (side, Combo::all().nth(idx).expect("in range").shapes())
    };
    let all: Vec<(usize, [outflank_gomoku::Shape; 4])> = (0..2 * N_COMBOS as u16).map(of).collect();
    let mut threats = vec![0.0f64; N_THREATS];
    for epoch in 0..4 {
        for sample in samples.iter().filter(|sample| !sample.validation) {
            let mut counts = [[0.0f64; 15]; 2];
            for &(feature, count) in &sample.features {
                let (side, list) = all[feature as usize];
                for shape in list {
                    counts[side][shape as usize] += f64::from(count);
                }
            }
            let players =
                model.strength[sample.players[0] as usize] - model.strength[sample.players[1] as usize];
            let mut logit = threats[sample.threat as usize] + players;
            for side in 0..2 {
                for shape in 1..15 {
                    logit += counts[side][shape] * shapes[side][shape];
                }
            }
            let error = (sample.won - sigmoid(logit)) * sample.trust;
            let rate = 0.05 / f64::from(1 + epoch);
            for side in 0..2 {
                for shape in 1..15 {
                    let gradient = error * counts[side][shape];
                    sums[side][shape] += gradient * gradient;
                    shapes[side][shape] += rate * gradient / sums[side][shape].sqrt();
                }
            }
            threats[sample.threat as usize] += 0.01 * error;
            model.strength[sample.players[0] as usize] += 0.002 * error;
            model.strength[sample.players[1] as usize] -= 0.002 * error;
        }
    }
    for (feature, (side, list)) in all.iter().enumerate() {
        model.weights[feature] = list.iter().map(|&shape| shapes[*side][shape as usize]).sum();
    }
    model.weights[2 * N_COMBOS..].copy_from_slice(&threats);
    model.prior.clone_from(&model.weights);
    for side in shapes {
        println!("{:?}", side.map(|weight| (weight * UNIT).round()));
    }
}

/// Mean of the logarithmic loss.
fn loss(model: &Model, samples: &[Sample], validation: bool, with_players: bool) -> f64 {
    let (mut sum, mut n) = (0.0, 0.0);
    for sample in samples.iter().filter(|sample| sample.validation == validation) {
        let p = sigmoid(model.logit(sample, with_players)).clamp(1e-6, 1.0 - 1e-6);
        sum -= sample.trust * (sample.won * p.ln() + (1.0 - sample.won) * (1.0 - p).ln());
        n += sample.trust;
    }
    sum / n
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().collect();
    let [_, games, out, rest @ ..] = &args[..] else {
        return Err("usage: tune GAMES WEIGHTS [epochs]".into());
    };
    let n_epochs: usize = rest.first().map_or(Ok(12), |text| text.parse())?;
    let (mut samples, mut names) = (Vec::new(), BTreeMap::new());
    let mut threats = ThreatSearch::new(ThreatSettings {
        cache_bits: 16,
        ..ThreatSettings::default()
    });
    let text = std::fs::read_to_string(games)?;
    for (nth, line) in text.lines().enumerate() {
        add_game(line, nth, &mut names, &mut threats, &mut samples);
    }
    println!("{} samples, {} players", samples.len(), names.len());

    let guess = Weights::guess();
    let all = guess.mover.iter().chain(&guess.waiter).chain(&guess.threats);
    let prior: Vec<f64> = all.map(|&word| f64::from(word) / 800.0).collect();
    let n = prior.len();
    let mut model = Model {
        weights: prior.clone(),
        prior,
        sums: vec![0.0; n],
        strength: vec![0.0; names.len()],
    };
    println!("guess: loss {:.4}", loss(&model, &samples, true, false));
    tie(&mut model, &samples);
    println!(
        "fifteen shapes a side: validation {:.4}",
        loss(&model, &samples, true, true)
    );
    let mut order: Vec<usize> = (0..samples.len()).filter(|&i| !samples[i].validation).collect();
    let mut random = SplitMix64::new(1);
    let (mut best, mut kept) = (f64::INFINITY, model.weights.clone());
    for epoch in 0..n_epochs {
        for i in (1..order.len()).rev() {
            order.swap(i, random.below(i + 1));
        }
        let rate = 0.01 / (1.0 + epoch as f64 / 3.0);
        for &i in &order {
            model.learn(&samples[i], rate);
        }
        for (weight, prior) in model.weights.iter_mut().zip(&model.prior) {
            *weight += (prior - *weight) * 0.05;
        }
        let validation = loss(&model, &samples, true, true);
        println!(
            "epoch {epoch}: training {:.4}, validation {validation:.4} (without players {:.4})",
            loss(&model, &samples, false, true),
            loss(&model, &samples, true, false),
        );
        if validation < best {
            best = validation;
            kept.clone_from(&model.weights);
        }
    }
    let words: Vec<i32> = kept.iter().map(|weight| (weight * UNIT).round() as i32).collect();
    let weights = Weights {
        mover: words[..N_COMBOS].to_vec(),
        waiter: words[N_COMBOS..2 * N_COMBOS].to_vec(),
        threats: words[2 * N_COMBOS..2 * N_COMBOS + N_THREATS].to_vec(),
    };
    std::fs::write(out, weights.to_bytes())?;
    let mut rated: Vec<_> = names
        .iter()
        .map(|(name, &i)| (model.strength[i as usize], name))
        .collect();
    rated.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (strength, name) in rated.iter().take(5) {
        println!("{name}: {strength:.2}");
    }
    Ok(())
}
