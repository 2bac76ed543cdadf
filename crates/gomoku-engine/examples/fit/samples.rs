//! Samples for fits: the quiet positions of games of `selfplay`.

use outflank_gomoku::{Board, Class, Color, PointSet, Rule, Tables, notation::parse_moves};
use outflank_gomoku_engine::{
    Answer, Budget, ThreatSearch, ThreatSettings, eval::threat_index, tuning::REACH,
};
use std::{error::Error, fs};

/// Values are in units of 1/500 of the logarithm of the odds.
pub(crate) const UNIT: f64 = 500.0;
/// What the value of a search counts in a label, beside the result of the game.
const SHARE_OF_VALUE: f64 = 0.5;
/// Positions of the search for a win by fours, as many as the main search spends at a node.
const VCF_NODES: u64 = 120;

/// The combinations of an empty point.
#[derive(Clone, Copy)]
pub(crate) struct At {
    /// Of the side to move.
    pub(crate) own: u16,
    /// Of the other side.
    pub(crate) other: u16,
}

/// One position.
pub(crate) struct Sample {
    pub(crate) rule: Rule,
    /// The empty points near the stones, which the network looks at, and the others.
    pub(crate) near: Vec<At>,
    pub(crate) far: Vec<At>,
    pub(crate) threat: u16,
    /// Expected result for the side to move.
    pub(crate) target: f32,
    pub(crate) is_validation: bool,
}

/// Returns the logarithmic loss of a probability `p` where the result is 1 with probability `target`.
pub(crate) fn entropy(target: f64, p: f64) -> f64 {
    let p = p.clamp(1e-6, 1.0 - 1e-6);
    -target * p.ln() - (1.0 - target) * (1.0 - p).ln()
}

pub(crate) fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

fn sample(board: &Board, target: f64, is_validation: bool) -> Sample {
    let side = board.side();
    let stones = board.stones(Color::Black).union(board.stones(Color::White));
    let near = stones.spread(REACH).intersection(&board.empties());
    let combos = |points: PointSet| {
        let at = |point| At {
            own: board.combo(point, side).idx() as u16,
            other: board.combo(point, !side).idx() as u16,
        };
        points.iter().map(at).collect()
    };
    Sample {
        rule: board.rule(),
        near: combos(near),
        far: combos(board.empties().without(&near)),
        threat: threat_index(board, side) as u16,
        target: target as f32,
        is_validation,
    }
}

/// Returns the samples of all games of a file.
pub(crate) fn read(path: &str) -> Result<Vec<Sample>, Box<dyn Error>> {
    let mut threats = ThreatSearch::new(ThreatSettings {
        cache_bits: 14,
        deepening: false,
        ..ThreatSettings::default()
    });
    let tables = Rule::ALL.map(Tables::new);
    let mut samples = Vec::new();
    for (nth, line) in fs::read_to_string(path)?.lines().enumerate() {
        let fields: Vec<&str> = line.split('\t').collect();
        let &[rule, size, n_opening, result, text, values] = &fields[..] else {
            return Err(format!("line {}: not a game of selfplay", nth + 1).into());
        };
        let rule: Rule = rule.parse()?;
        let of_rule = Rule::ALL
            .iter()
            .position(|&other| other == rule)
            .expect("one of them");
        let n_opening: usize = n_opening.parse()?;
        let winner = match result {
            "black" => Some(Color::Black),
            "white" => Some(Color::White),
            _ => None,
        };
        let values: Vec<&str> = values.split(',').collect();
        let last_odd = values.iter().rposition(|value| value.ends_with('?'));
        let mut board = Board::with_tables(tables[of_rule].clone(), size.parse()?)?;
        for (i, mv) in parse_moves(text)?.into_iter().enumerate() {
            let side = board.side();
            let nth_value = i.checked_sub(n_opening).filter(|&nth| nth < values.len());
            let is_quiet = Color::BOTH
                .into_iter()
                .all(|color| board.count_of(color, Class::Five) == 0)
                && board.count_of(side, Class::OpenFour) == 0;
            if let Some(nth_value) = nth_value.filter(|_| is_quiet)
                && let Ok(value) = values[nth_value].trim_end_matches('?').parse::<f64>()
                && value.abs() < 9_000.0
            {
                let answer =
                    threats.vcf_within(&mut board, side, u32::MAX, VCF_NODES, &mut Budget::unlimited());
                if !matches!(answer, Answer::Win { .. }) {
                    let of_value = sigmoid(value / UNIT);
                    let of_game = winner.map_or(0.5, |winner| f64::from(u8::from(winner == side)));
                    let is_sure = last_odd.is_none_or(|odd| nth_value > odd);
                    let share = if is_sure { SHARE_OF_VALUE } else { 1.0 };
                    let target = share * of_value + (1.0 - share) * of_game;
                    samples.push(sample(&board, target, nth.is_multiple_of(10)));
                }
            }
            board.play(mv)?;
        }
    }
    Ok(samples)
}
