//! The table of a match as text, and its summary as JSON.

use outflank_arena::{
    MatchReport, RunEnd, Standing, Wdl,
    stats::{Decision, Estimate, Sprt, Tally},
};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Confidence of every interval.
const CONFIDENCE: f64 = 0.95;

/// Returns the table: for two players the match, for more the ratings and every pairing.
pub(super) fn table(names: &[String], standing: &Standing, sprt: Option<&Sprt>, llr: Option<f64>) -> String {
    let mut text = String::new();
    let width = names
        .iter()
        .map(|name| name.chars().count())
        .max()
        .unwrap_or(0)
        .clamp(6, 40);
    if names.len() > 2 {
        ratings(&mut text, names, standing, width);
    }
    for (pairing, &(first, second)) in standing.schedule().pairings().iter().enumerate() {
        let tally = standing.tally(pairing);
        if names.len() == 2 {
            two(&mut text, names, standing, width, tally);
        } else {
            let estimate = tally.elo(CONFIDENCE);
            writeln!(
                text,
                "{:>width$} – {:<width$}  {}  {}",
                cut(&names[first], width),
                cut(&names[second], width),
                score(tally),
                interval(&estimate)
            )
            .expect("a string takes every text");
        }
    }
    if let (Some(sprt), Some(llr)) = (sprt, llr) {
        let ((elo0, elo1), (lower, upper)) = (sprt.hypotheses(), sprt.bounds());
        let state = match standing.schedule().pairings().len() {
            1 => sprt.decision(&standing.tally(0).pairs),
            _ => Decision::Continue,
        };
        let state = match state {
            Decision::Continue => "not decided".to_owned(),
            Decision::AcceptH0 => format!("{elo0} Elo or less accepted"),
            Decision::AcceptH1 => format!("{elo1} Elo or more accepted"),
        };
        writeln!(
            text,
            "SPRT {elo0} / {elo1} Elo: log-likelihood ratio {llr:.2} ({lower:.2} … {upper:.2}), {state}"
        )
        .expect("a string takes every text");
    }
    text
}

/// The two players of a match, by color, and what their games prove.
fn two(text: &mut String, names: &[String], standing: &Standing, width: usize, tally: &Tally) {
    let mut line = |line: String| {
        text.push_str(&line);
        text.push('\n');
    };
    line(format!(
        "{:<width$}   as black (+ = −)    as white (+ = −)   forfeits  errors",
        "player"
    ));
    for (player, name) in names.iter().enumerate() {
        let count = standing.player(player);
        line(format!(
            "{:<width$}   {}   {}   {:>8}  {:>6}",
            cut(name, width),
            wdl(&count.black),
            wdl(&count.white),
            count.forfeits,
            count.errors
        ));
    }
    let error = tally
        .discs_error()
        .map_or_else(String::new, |error| format!(" ± {:.2}", 1.96 * error));
    line(format!(
        "{} games, for the first player: {}, discs {}{error} a game",
        standing.games(),
        score(tally),
        signed(tally.mean_discs())
    ));
    let [a, b, c, d, e] = tally.pairs.0;
    line(format!("Pairs by points 0, ½, 1, 1½, 2: {a} {b} {c} {d} {e}"));
    line(format!(
        "Elo {}, superiority {:.1} %",
        interval(&tally.elo(CONFIDENCE)),
        100.0 * tally.los()
    ));
}

/// All players, best first.
fn ratings(text: &mut String, names: &[String], standing: &Standing, width: usize) {
    let Ok(ratings) = standing.ratings() else {
        return;
    };
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by(|&a, &b| ratings[b].elo.total_cmp(&ratings[a].elo));
    writeln!(
        text,
        "{:<width$}      Elo   ±95 %   games    points   forfeits  errors",
        "player"
    )
    .expect("a string takes every text");
    for player in order {
        let (rating, count) = (ratings[player], standing.player(player));
        let games = count.black.games() + count.white.games();
        let points: f64 = (0..names.len())
            .filter(|&other| other != player)
            .map(|other| standing.results().points(player, other))
            .sum();
        writeln!(
            text,
            "{:<width$} {:>8}  {:>6.1}  {games:>6}  {points:>8.1}  {:>9}  {:>6}",
            cut(&names[player], width),
            signed(rating.elo),
            rating.plus_minus,
            count.forfeits,
            count.errors
        )
        .expect("a string takes every text");
    }
}

fn cut(name: &str, width: usize) -> String {
    if name.chars().count() <= width {
        return name.to_owned();
    }
    name.chars().take(width - 1).chain(['…']).collect()
}

fn wdl(wdl: &Wdl) -> String {
    format!("{:>5} {:>5} {:>5} ", wdl.wins, wdl.draws, wdl.losses)
}

fn score(tally: &Tally) -> String {
    format!(
        "+{} ={} −{} ({:.1} %)",
        tally.wins,
        tally.draws,
        tally.losses,
        100.0 * tally.score()
    )
}

/// A number with its sign and one or two decimals; never `-0`.
fn signed(value: f64) -> String {
    if value.is_infinite() {
        return if value > 0.0 { "+∞" } else { "−∞" }.to_owned();
    }
    let text = format!("{value:+.1}");
    match text.as_str() {
        "-0.0" | "+0.0" => "0.0".to_owned(),
        _ => text.replace('-', "−"),
    }
}

fn interval(estimate: &Estimate) -> String {
    format!(
        "{} [{}, {}]",
        signed(estimate.elo),
        signed(estimate.low),
        signed(estimate.high)
    )
}

/// A number with `digits` decimals, `null` if it is infinite.
fn rounded(value: f64, digits: i32) -> Value {
    let scale = 10f64.powi(digits);
    if value.is_finite() {
        json!((value * scale).round() / scale + 0.0)
    } else {
        Value::Null
    }
}

fn tally_json(tally: &Tally) -> Value {
    let estimate = tally.elo(CONFIDENCE);
    json!({
        "games": tally.games(),
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "discs": rounded(tally.mean_discs(), 2),
        "pairs": tally.pairs.0,
        "elo": rounded(estimate.elo, 2),
        "elo_low": rounded(estimate.low, 2),
        "elo_high": rounded(estimate.high, 2),
        "los": rounded(tally.los(), 4),
    })
}

/// Returns the last line of the JSON output.
pub(super) fn summary(names: &[String], report: &MatchReport, sprt: Option<&Sprt>) -> Value {
    let standing = &report.standing;
    let mut summary = if names.len() == 2 {
        tally_json(standing.tally(0))
    } else {
        let ratings = standing.ratings().unwrap_or_default();
        let players: Vec<Value> = ratings
            .iter()
            .zip(names)
            .map(|(rating, name)| {
                json!({"player": name, "elo": rounded(rating.elo, 2), "plus_minus": rounded(rating.plus_minus, 2)})
            })
            .collect();
        let pairings: Vec<Value> = standing
            .schedule()
            .pairings()
            .iter()
            .enumerate()
            .map(|(pairing, &(first, second))| {
                let mut value = tally_json(standing.tally(pairing));
                value["players"] = json!([names[first], names[second]]);
                value
            })
            .collect();
        json!({"games": standing.games(), "ratings": players, "pairings": pairings})
    };
    let counts = |count: fn(&outflank_arena::PlayerCount) -> u64| -> Vec<u64> {
        (0..names.len())
            .map(|player| count(standing.player(player)))
            .collect()
    };
    summary["players"] = json!(names);
    summary["forfeits"] = json!(counts(|count| count.forfeits));
    summary["errors"] = json!(counts(|count| count.errors));
    summary["complete"] = json!(report.end != RunEnd::Stopped);
    if let Some(sprt) = sprt {
        let pairs = &standing.tally(0).pairs;
        let (elo0, elo1) = sprt.hypotheses();
        summary["sprt"] = json!({
            "elo0": elo0,
            "elo1": elo1,
            "llr": rounded(sprt.llr(pairs), 4),
            "bounds": [rounded(sprt.bounds().0, 4), rounded(sprt.bounds().1, 4)],
            "decision": match sprt.decision(pairs) {
                Decision::Continue => "none",
                Decision::AcceptH0 => "elo0",
                Decision::AcceptH1 => "elo1",
            },
        });
    }
    json!({"summary": summary})
}
