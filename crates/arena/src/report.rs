//! The table of a match as text, its remarks, and its summary as JSON.

use crate::{
    competition::{MatchReport, RunEnd},
    game::MatchGame,
    record::{End, PlayedGame, Thinking},
    standing::{PlayerCount, Standing, Wdl},
    stats::{Decision, Estimate, Sprt, Tally},
};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Confidence of every interval.
const CONFIDENCE: f64 = 0.95;
/// Characters of the longest name in a table.
const WIDEST: usize = 40;
/// How many times as long as the other a player may think before the result says so.
const EVEN_TIME: f64 = 1.5;
/// Mean seconds of a move below which nothing is said about time: the clock of the system counts little else there.
const LEAST_SECONDS: f64 = 0.001;

/// Returns the table: for two players the match, for more the ratings and every pairing.
pub fn table<G: MatchGame>(
    names: &[String],
    standing: &Standing,
    sprt: Option<&Sprt>,
    llr: Option<f64>,
) -> String {
    let mut text = String::new();
    let names = &shortened(names, WIDEST);
    let width = names
        .iter()
        .map(|name| name.chars().count())
        .max()
        .unwrap_or(0)
        .max(6);
    if names.len() > 2 {
        ratings(&mut text, names, standing, width);
    }
    for (pairing, &(first, second)) in standing.schedule().pairings().iter().enumerate() {
        let tally = standing.tally(pairing);
        if names.len() == 2 {
            two::<G>(&mut text, names, standing, width, tally);
        } else {
            let estimate = tally.elo(CONFIDENCE);
            writeln!(
                text,
                "{:>width$} – {:<width$}  {}  {}",
                names[first],
                names[second],
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
fn two<G: MatchGame>(text: &mut String, names: &[String], standing: &Standing, width: usize, tally: &Tally) {
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
            name,
            wdl(&count.black),
            wdl(&count.white),
            count.forfeits,
            count.errors
        ));
    }
    let margin = G::UNIT.map_or_else(String::new, |unit| {
        let error = tally
            .margin_error()
            .map_or_else(String::new, |error| format!(" ± {:.2}", 1.96 * error));
        format!(", {unit} {}{error} a game", signed(tally.mean_margin()))
    });
    line(format!(
        "{} games, for the first player: {}{margin}",
        standing.games(),
        score(tally),
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
            names[player],
            signed(rating.elo),
            rating.plus_minus,
            count.forfeits,
            count.errors
        )
        .expect("a string takes every text");
    }
}

/// Returns the names cut to at most `width` characters, from the middle, since players often differ at the end; where
/// two would look the same, they are numbered.
fn shortened(names: &[String], width: usize) -> Vec<String> {
    let cut = |name: &String, width: usize| {
        let chars: Vec<char> = name.chars().collect();
        if chars.len() <= width {
            return name.clone();
        }
        let head = (width - 1) / 3;
        let tail = chars.len() - (width - 1 - head);
        chars[..head].iter().chain(&['…']).chain(&chars[tail..]).collect()
    };
    let short: Vec<String> = names.iter().map(|name| cut(name, width)).collect();
    let is_double = |at: usize| {
        short
            .iter()
            .enumerate()
            .any(|(i, name)| i != at && *name == short[at])
    };
    (0..names.len())
        .map(|at| {
            if !is_double(at) {
                return short[at].clone();
            }
            let number = format!("({}) ", at + 1);
            let left = width.saturating_sub(number.chars().count());
            number + &cut(&names[at], left)
        })
        .collect()
}

/// Why a player lost games away from the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The player.
    pub player: usize,
    /// How the games ended.
    pub end: End,
    /// How many they are.
    pub games: usize,
    /// The first of them, from 0.
    pub first: usize,
    /// What was said about that one.
    pub detail: String,
}

/// Returns why games were lost away from the board: one reason for each player and kind of end, in the order of the games.
pub fn reasons(games: &[PlayedGame]) -> Vec<Reason> {
    let mut reasons: Vec<Reason> = Vec::new();
    for game in games.iter().filter(|game| game.end.is_forfeit()) {
        let Some(player) = game
            .players
            .into_iter()
            .find(|&player| game.margin_for(player) < 0)
        else {
            continue;
        };
        let known = reasons
            .iter_mut()
            .find(|reason| (reason.player, reason.end) == (player, game.end));
        match known {
            Some(reason) => reason.games += 1,
            None => reasons.push(Reason {
                player,
                end: game.end,
                games: 1,
                first: game.game,
                detail: game.detail.clone(),
            }),
        }
    }
    reasons
}

/// Returns the slowest and the fastest player and how many times as long the one thought, if it is more than 1.5 times.
pub fn uneven_time(thinking: &[Thinking]) -> Option<(usize, usize, f64)> {
    let means = || thinking.iter().map(Thinking::mean).enumerate();
    if thinking.iter().any(|thinking| thinking.moves == 0) {
        return None;
    }
    let (slow, longest) = means().max_by(|a, b| a.1.total_cmp(&b.1))?;
    let (fast, shortest) = means().min_by(|a, b| a.1.total_cmp(&b.1))?;
    let ratio = longest / shortest.max(1e-6);
    (longest >= LEAST_SECONDS && ratio > EVEN_TIME).then_some((slow, fast, ratio))
}

/// Returns what the table does not say: measured time, reasons of forfeits, proofs that were none.
pub fn remarks(names: &[String], report: &MatchReport) -> String {
    let mut text = String::new();
    let mut line = |line: String| {
        text.push_str(&line);
        text.push('\n');
    };
    let times: Vec<String> = names
        .iter()
        .zip(&report.thinking)
        .map(|(name, thinking)| {
            format!(
                "{} ({name}, longest {})",
                seconds(thinking.mean()),
                seconds(thinking.longest)
            )
        })
        .collect();
    line(format!("Seconds a move: {}", times.join(", ")));
    if report.thinking.iter().any(|thinking| thinking.book > 0) {
        let share = |thinking: &Thinking| 100.0 * thinking.book as f64 / thinking.moves.max(1) as f64;
        let shares = names.iter().zip(&report.thinking);
        let shares: Vec<String> = shares
            .map(|(name, thinking)| format!("{:.1} % ({name})", share(thinking)))
            .collect();
        line(format!("Moves from an opening book: {}", shares.join(", ")));
    }
    if let Some((slow, fast, ratio)) = uneven_time(&report.thinking) {
        let times = if ratio < 100.0 {
            format!("{ratio:.1}")
        } else {
            "over 100".to_owned()
        };
        line(format!(
            "Warning: {} thought {times} times as long as {}; unless that is meant, give both the same time",
            names[slow], names[fast]
        ));
    }
    for (player, name) in names.iter().enumerate() {
        match report.standing.player(player).false_claims {
            0 => {}
            n => line(format!(
                "Warning: in {n} games {name} got less than it had said was proven"
            )),
        }
    }
    for reason in reasons(&report.games) {
        line(format!(
            "{} lost {} away from the board ({}): game {}, {}",
            names[reason.player],
            if reason.games == 1 {
                "1 game".to_owned()
            } else {
                format!("{} games", reason.games)
            },
            reason.end.name(),
            reason.first + 1,
            reason.detail
        ));
    }
    text
}

/// Seconds with as many digits as count.
fn seconds(value: f64) -> String {
    match value {
        0.1.. => format!("{value:.2}"),
        0.001.. => format!("{value:.3}"),
        _ => "under 0.001".to_owned(),
    }
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

fn tally_json<G: MatchGame>(tally: &Tally) -> Value {
    let estimate = tally.elo(CONFIDENCE);
    let mut value = json!({
        "games": tally.games(),
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "pairs": tally.pairs.0,
        "elo": rounded(estimate.elo, 2),
        "elo_low": rounded(estimate.low, 2),
        "elo_high": rounded(estimate.high, 2),
        "los": rounded(tally.los(), 4),
    });
    if let Some(unit) = G::UNIT {
        value[unit] = rounded(tally.mean_margin(), 2);
    }
    value
}

/// Returns the last line of the JSON output.
pub fn summary<G: MatchGame>(names: &[String], report: &MatchReport, sprt: Option<&Sprt>) -> Value {
    let standing = &report.standing;
    let mut summary = if names.len() == 2 {
        tally_json::<G>(standing.tally(0))
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
                let mut value = tally_json::<G>(standing.tally(pairing));
                value["players"] = json!([names[first], names[second]]);
                value
            })
            .collect();
        json!({"games": standing.games(), "ratings": players, "pairings": pairings})
    };
    let counts = |count: fn(&PlayerCount) -> u64| -> Vec<u64> {
        (0..names.len())
            .map(|player| count(standing.player(player)))
            .collect()
    };
    summary["players"] = json!(names);
    summary["forfeits"] = json!(counts(|count| count.forfeits));
    summary["errors"] = json!(counts(|count| count.errors));
    summary["false_claims"] = json!(counts(|count| count.false_claims));
    summary["complete"] = json!(!matches!(report.end, RunEnd::Stopped | RunEnd::Forfeited));
    let means = report.thinking.iter().map(Thinking::mean);
    summary["seconds_a_move"] = means.map(|mean| rounded(mean, 6)).collect();
    if report.thinking.iter().any(|thinking| thinking.book > 0) {
        summary["book_moves"] = report.thinking.iter().map(|thinking| thinking.book).collect();
    }
    summary["uneven_time"] = json!(uneven_time(&report.thinking).is_some());
    summary["reasons"] = reasons(&report.games)
        .into_iter()
        .map(|reason| {
            json!({"player": names[reason.player], "end": reason.end.name(), "games": reason.games,
                "first": reason.first, "detail": reason.detail})
        })
        .collect();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_differ_only_at_the_end_stay_apart() {
        let long = |end: &str| format!("external: /usr/local/games/outflank gtp --threads 2 --hash 64 {end}");
        let names = [long("--level 3"), long("--level 4"), "random".to_owned()];
        let short = shortened(&names, 40);
        assert_eq!(short[0], "external: /us…eads 2 --hash 64 --level 3");
        assert!(short.iter().all(|name| name.chars().count() <= 40) && short[0] != short[1]);
        assert_eq!(short[2], "random");
        // Where both ends are the same, numbers tell them apart.
        let middle = |level: u32| {
            format!("external: /usr/local/games/outflank gtp --level {level} --threads 2 --hash 64 --x")
        };
        let short = shortened(&[middle(3), middle(4)], 40);
        assert!(
            short[0].starts_with("(1) ") && short[1].starts_with("(2) "),
            "{short:?}"
        );
        assert!(short.iter().all(|name| name.chars().count() <= 40));
    }

    #[test]
    fn uneven_time_is_noticed_where_it_can_be_measured() {
        let of = |moves: u64, seconds: f64| Thinking {
            moves,
            seconds,
            longest: seconds,
            book: 0,
        };
        assert_eq!(uneven_time(&[of(10, 1.0), of(10, 1.4)]), None);
        let (slow, fast, ratio) = uneven_time(&[of(10, 1.0), of(20, 4.0)]).expect("twice as long");
        assert_eq!((slow, fast), (1, 0));
        assert!((ratio - 2.0).abs() < 1e-9);
        assert_eq!(uneven_time(&[of(10, 1e-4), of(10, 1e-3)]), None);
        assert_eq!(uneven_time(&[of(0, 0.0), of(10, 1.0)]), None);
    }
}
