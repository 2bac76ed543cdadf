//! Collections of games as tables of at most 80 columns.

use crate::output::grouped;
use outflank_api::games::{
    Alike, Explored, Fared, GameObject, ImportEvent, ImportSummary, NameObject, RatedPlayer, TotalsBy,
    TotalsObject,
};

/// Returns a text cut or filled to a number of columns.
fn fit(text: &str, columns: usize) -> String {
    let n = text.chars().count();
    if n > columns {
        let cut: String = text.chars().take(columns.saturating_sub(1)).collect();
        return cut + "…";
    }
    text.to_owned() + &" ".repeat(columns - n)
}

fn signed(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:+.1}"))
}

/// Part of the games whose result is known, in percent.
fn percent(part: u64, fared: &Fared) -> String {
    let known = fared.wins + fared.draws + fared.losses;
    if known == 0 {
        return "–".to_owned();
    }
    format!("{:.0}", 100.0 * part as f64 / known as f64)
}

/// The score in percent, with half the width of its interval: wide where there are few games.
fn score(fared: &Fared) -> String {
    match (fared.score, fared.score_range) {
        (Some(score), Some([low, high])) => format!("{score:.0} ±{:.0}", (high - low) / 2.0),
        _ => "–".to_owned(),
    }
}

fn years(first: Option<u16>, last: Option<u16>) -> String {
    match (first, last) {
        (Some(first), Some(last)) if first == last => first.to_string(),
        (Some(first), Some(last)) => format!("{first}–{last}"),
        _ => String::new(),
    }
}

/// The columns that results have in every table.
fn results(fared: &Fared) -> String {
    format!(
        "{:>9} {:>5} {:>5} {:>5} {:>8} {:>6} {:>6}",
        grouped(fared.games),
        percent(fared.wins, fared),
        percent(fared.draws, fared),
        percent(fared.losses, fared),
        score(fared),
        signed(fared.discs),
        signed(fared.theoretical),
    )
}

const RESULTS: &str = "    games  won % drawn  lost    score  discs solved";

/// Returns what was played from a position.
pub fn explored(found: &Explored) -> String {
    let side = if found.side == "X" { "black" } else { "white" };
    let mut lines = Vec::new();
    if found.passed {
        lines.push("the player to move has to pass; after that".to_owned());
    }
    let name = found.opening.as_ref().and_then(|opening| {
        opening
            .english
            .as_ref()
            .or(opening.romanized.as_ref())
            .or(opening.japanese.as_ref())
    });
    let name = name.map_or_else(String::new, |name| format!(", {name}"));
    lines.push(format!(
        "{} games, {side} to move{name}",
        grouped(found.total.games)
    ));
    if !found.moves.is_empty() {
        lines.push(format!("move share {RESULTS}  years"));
    }
    for mv in &found.moves {
        let years = years(mv.fared.first_year, mv.fared.last_year);
        lines.push(format!(
            "{:<4} {:>4.1}% {}  {years}",
            mv.mv,
            mv.share,
            results(&mv.fared)
        ));
        lines.extend(
            mv.examples
                .iter()
                .map(|game| format!("     {}", game_line(game, 75))),
        );
    }
    if found.ended > 0 {
        lines.push(format!("{} games end here", grouped(found.ended)));
    }
    if found.total.games > 0 {
        lines.push(format!(
            "results are those of {side}; solved: with a perfect endgame, where it is known"
        ));
    }
    lines.join("\n") + "\n"
}

/// A game on one line.
fn game_line(game: &GameObject, columns: usize) -> String {
    let result = match (game.margin, game.winner.as_deref()) {
        (Some(margin), _) => format!("{}-{}", 32 + margin / 2, 32 - margin / 2),
        (None, Some("black")) => "1-0".to_owned(),
        (None, Some("white")) => "0-1".to_owned(),
        (None, Some(_)) => "½-½".to_owned(),
        (None, None) => "?".to_owned(),
    };
    let mark = if game.duplicate { "*" } else { "" };
    let of = |name: &str| {
        if name.is_empty() {
            "?".to_owned()
        } else {
            name.to_owned()
        }
    };
    let id = format!("{}{mark}", game.id);
    let players = columns.saturating_sub(8 + 11 + 6 + 3);
    let (name, event) = (players / 3, players - 2 * (players / 3));
    let line = format!(
        "{id:>7} {:<10} {} {} {result:>5}  {}",
        game.date,
        fit(&of(&game.black), name),
        fit(&of(&game.white), name),
        fit(&game.event, event),
    );
    line.trim_end().to_owned()
}

/// Returns the heading of a list of games.
pub fn list_heading() -> String {
    let line = format!(
        "{:>7} {:<10} {} {} {:>5}  event",
        "number",
        "date",
        fit("black", 17),
        fit("white", 17),
        "discs"
    );
    line + "\n"
}

/// Returns a game of a list as a line.
pub fn listed(game: &GameObject) -> String {
    game_line(game, 79) + "\n"
}

/// Returns totals as a table.
pub fn totals(by: TotalsBy, totals: &[TotalsObject]) -> String {
    let title = match by {
        TotalsBy::Player => "player",
        TotalsBy::Year => "year",
        TotalsBy::Event => "event",
        TotalsBy::Source => "source",
        TotalsBy::Opening => "opening",
    };
    let mut lines = vec![format!("{} {RESULTS}", fit(title, 26))];
    for total in totals {
        let name = if total.name.is_empty() {
            "(none)"
        } else {
            &total.name
        };
        lines.push(format!("{} {}", fit(name, 26), results(&total.fared)));
    }
    if by != TotalsBy::Player {
        lines.push("results are those of black".to_owned());
    }
    lines.join("\n") + "\n"
}

/// Returns ratings as a table.
pub fn ratings(players: &[RatedPlayer]) -> String {
    let mut lines = vec!["rank    Elo           games  score %  years      player".to_owned()];
    for player in players {
        lines.push(format!(
            "{:>4} {:>+6.0} ±{:<5.0} {:>8} {:>8.1}  {:<9}  {}",
            player.rank,
            player.elo,
            player.plus_minus,
            grouped(player.games),
            player.score,
            years(player.first_year, player.last_year),
            fit(&player.name, 28).trim_end(),
        ));
    }
    lines.push("Elo points above the average of these players; ± is an interval of 95 %".to_owned());
    lines.join("\n") + "\n"
}

/// Returns groups of games that are alike.
pub fn alike(groups: &[Alike]) -> String {
    let mut lines = Vec::new();
    for group in groups {
        let moves = group.games.first().map_or("", |game| &game.moves);
        lines.push(format!(
            "{} games: {}",
            group.games.len(),
            fit(moves, 60).trim_end()
        ));
        lines.extend(group.games.iter().map(|game| game_line(game, 79)));
    }
    let n_same = groups
        .iter()
        .flat_map(|group| &group.games)
        .filter(|game| game.duplicate)
        .count();
    lines.push(format!(
        "{} groups of games with the same moves\n{n_same} games (*) are the same as another one and count once",
        groups.len()
    ));
    lines.join("\n") + "\n"
}

/// Returns names as a table.
pub fn names(names: &[NameObject]) -> String {
    let mut lines = vec!["  games  years      name".to_owned()];
    for name in names {
        let others = if name.spellings.is_empty() {
            String::new()
        } else {
            format!(" (also {})", name.spellings.join(", "))
        };
        lines.push(format!(
            "{:>7}  {:<9}  {}{others}",
            grouped(name.games),
            years(name.first_year, name.last_year),
            name.name
        ));
    }
    lines.join("\n") + "\n"
}

/// Returns what an import says to people on the way, if anything.
pub fn import_event(event: &ImportEvent) -> Option<String> {
    match event {
        ImportEvent::Bad {
            source,
            number,
            line,
            reason,
            ..
        } => {
            let number = if *number > 0 {
                format!("game {number}: ")
            } else {
                String::new()
            };
            let line = line.map_or_else(String::new, |line| format!("line {line}, "));
            Some(format!("{source}: {line}{number}{reason}; left out"))
        }
        ImportEvent::Source {
            source,
            change,
            games,
            ..
        } if change == "replaced" => Some(format!(
            "{source}: its games take the place of those of another file of this name, {games} games"
        )),
        ImportEvent::Source {
            source,
            games: 0,
            bad: 0,
            positions,
            change,
        } if change == "new" => Some(format!("{source}: no games in it, {positions} positions")),
        _ => None,
    }
}

/// Returns what an import did.
pub fn imported(summary: &ImportSummary) -> String {
    let mut lines = vec![format!(
        "{} games added from {} new and {} changed sources, {} sources as before",
        grouped(summary.games),
        summary.new,
        summary.replaced,
        summary.unchanged,
    )];
    if summary.removed > 0 {
        lines.push(format!(
            "{} games of former contents are gone",
            grouped(summary.removed)
        ));
    }
    if summary.bad > 0 {
        lines.push(format!(
            "{} games could not be read and are left out",
            grouped(summary.bad)
        ));
    }
    lines.push(format!(
        "{} games in the collection, {} of them twice",
        grouped(summary.total),
        grouped(summary.duplicates)
    ));
    if summary.stopped {
        lines.push("cut short: the sources that were complete are kept; the same command goes on".to_owned());
    }
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fared() -> Fared {
        Fared {
            games: 1_234_567,
            wins: 600_000,
            draws: 34_567,
            losses: 600_000,
            score: Some(50.0),
            score_range: Some([49.5, 50.5]),
            discs: Some(-12.34),
            theoretical: Some(-10.0),
            first_year: Some(1977),
            last_year: Some(2014),
        }
    }

    fn game() -> GameObject {
        GameObject {
            id: 115_509,
            source: "WTH_1996.wtb".to_owned(),
            number: 5,
            black: "Tamenori Hideshi and a long name".to_owned(),
            white: String::new(),
            event: "World Championship of a long name".to_owned(),
            date: "1996.11.30".to_owned(),
            margin: Some(-10),
            winner: Some("white".to_owned()),
            end: "board".to_owned(),
            theoretical: None,
            theoretical_empties: None,
            n_discs: 64,
            xot: false,
            duplicate: true,
            opening: None,
            start: None,
            moves: "f5d6".repeat(15),
        }
    }

    #[test]
    fn tables_fit_into_80_columns() {
        let total = TotalsObject {
            name: "A name that is longer than its column".to_owned(),
            fared: fared(),
            black: None,
            white: None,
        };
        let player = RatedPlayer {
            rank: 1000,
            name: "A name that is longer than its column".to_owned(),
            elo: -1234.5,
            plus_minus: 123.4,
            games: 12_345,
            score: 100.0,
            first_year: Some(1977),
            last_year: Some(2014),
        };
        let found = Explored {
            board: String::new(),
            side: "O".to_owned(),
            passed: true,
            opening: None,
            total: fared(),
            ended: 3,
            moves: vec![outflank_api::games::ExploredMove {
                mv: "f5".to_owned(),
                same: Vec::new(),
                share: 100.0,
                fared: fared(),
                examples: vec![game()],
            }],
        };
        let texts = [
            list_heading() + &listed(&game()),
            totals(TotalsBy::Event, &[total]),
            ratings(&[player]),
            explored(&found),
            alike(&[Alike {
                games: vec![game(), game()],
            }]),
        ];
        for line in texts.iter().flat_map(|text| text.lines()) {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
}
