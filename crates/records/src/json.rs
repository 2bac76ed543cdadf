//! JSON of Othello Quest (games of a player) and Botzone (the state of a bot's game).

use crate::{Format, GameRecord, MoveNote, Parsed, Problem, ReadError, text::excerpt};
use outflank_othello::{Move, Square};
use serde_json::Value;

/// A game, or why it could not be read.
pub type GameRead = Result<Parsed<GameRecord>, ReadError>;

/// Reads all games in a JSON text: one for Botzone, any number for Othello Quest.
///
/// The first player of Othello Quest is black; times become seconds. Botzone's `x` is the column and `y` the row, both
/// from 0, and −1 for both is a pass, or in the first request the sign that the bot is black.
///
/// # Errors
///
/// Returns an error if the text is not JSON or holds no game; a bad game is an error among the games.
///
/// # Examples
///
/// ```
/// use outflank_records::{Format, json};
/// let quest = r#"{"name":"player","args":[{"gtype":"reversi1","players":[{"id":"a","name":"Ada","oldR":1500.5},
///     {"id":"b","name":"Bob"}],"position":{"moves":[{"t":1,"m":"e6"},{"t":218,"m":"f6"}]},"tcb":60000,
///     "created":"2024-12-24T00:00:00.000Z","finished":false}]}"#;
/// let (format, games) = json::parse(quest)?;
/// assert_eq!(format, Format::OthelloQuest);
/// let record = &games[0].as_ref().expect("a good game").value;
/// assert_eq!(record.game.transcript(), "e6f6");
/// assert_eq!(record.notes[1].seconds(), Some(0.218));
/// assert_eq!(record.tag("PB"), Some("Ada"));
/// let botzone = r#"{"requests":[{"x":-1,"y":-1},{"x":2,"y":2}],"responses":[{"x":2,"y":3}]}"#;
/// let (_, games) = json::parse(botzone)?;
/// assert_eq!(games[0].as_ref().expect("a good game").value.game.transcript(), "c4c3");
/// # Ok::<(), outflank_records::ReadError>(())
/// ```
pub fn parse(text: &str) -> Result<(Format, Vec<GameRead>), ReadError> {
    let value: Value = serde_json::from_str(text).map_err(|error| {
        let line_start: usize = text
            .split_inclusive('\n')
            .take(error.line().saturating_sub(1))
            .map(str::len)
            .sum();
        let offset = (line_start + error.column().saturating_sub(1)).min(text.len());
        ReadError::new(offset, Problem::Json(error.to_string()))
    })?;
    if value.get("requests").is_some() {
        return Ok((Format::Botzone, vec![botzone(&value)]));
    }
    let mut games = Vec::new();
    collect_quest(&value, &mut games);
    if games.is_empty() {
        return Err(ReadError::new(0, Problem::Unrecognized));
    }
    Ok((Format::OthelloQuest, games.into_iter().map(quest).collect()))
}

/// Finds the objects that are games: those with moves in a position.
fn collect_quest<'a>(value: &'a Value, games: &mut Vec<&'a Value>) {
    if value.pointer("/position/moves").is_some() {
        games.push(value);
    } else if let Some(list) = value.as_array().or_else(|| value.get("args")?.as_array()) {
        for value in list {
            collect_quest(value, games);
        }
    }
}

fn quest(value: &Value) -> GameRead {
    let mut record = GameRecord::default();
    for (player, name, rating) in [(0, "PB", "RB"), (1, "PW", "RW")] {
        let player = &value["players"][player];
        record.add_tag(name, text(&player["name"]));
        record.add_tag(rating, text(&player["oldR"]));
    }
    record.add_tag("PC", "Othello Quest");
    record.add_tag("DT", text(&value["created"]));
    if let Some(ms) = value["tcb"].as_f64() {
        record.add_tag("TI", (ms / 1000.0).to_string());
    }
    let moves = value
        .pointer("/position/moves")
        .and_then(Value::as_array)
        .ok_or_else(|| ReadError::new(0, Problem::Missing("the list of moves")))?;
    for mv in moves {
        let name = mv["m"].as_str().unwrap_or_default();
        let ply = record.game.moves().len() + 1;
        let mv_read = match name {
            "" | "-" => Ok(Move::Pass),
            name => name.parse(),
        };
        let parsed = mv_read.map_err(|error| ReadError {
            ply: Some(ply),
            ..ReadError::new(0, error.into())
        })?;
        let time = mv["t"]
            .as_f64()
            .map_or_else(String::new, |ms| (ms / 1000.0).to_string());
        let note = MoveNote {
            eval: String::new(),
            time,
        };
        play(&mut record, parsed, note)?;
    }
    Ok(Parsed {
        value: record,
        warnings: Vec::new(),
    })
}

fn botzone(value: &Value) -> GameRead {
    let mut record = GameRecord::default();
    let list = |key: &str| value[key].as_array().map_or(&[][..], Vec::as_slice);
    let (requests, responses) = (list("requests"), list("responses"));
    for (i, request) in requests.iter().enumerate() {
        let starts = i == 0 && point(request) == Some((-1, -1));
        let turn = [(!starts).then_some(request), responses.get(i)];
        for mv in turn.into_iter().flatten() {
            let ply = record.game.moves().len() + 1;
            let parsed = match point(mv) {
                Some((-1, -1)) => Some(Move::Pass),
                Some((x, y)) => usize::try_from(x)
                    .ok()
                    .zip(usize::try_from(y).ok())
                    .and_then(|(x, y)| Square::from_coordinates(x, y))
                    .map(Move::Place),
                None => None,
            };
            let parsed = parsed.ok_or_else(|| ReadError {
                ply: Some(ply),
                ..ReadError::new(0, Problem::NotAMove(excerpt(&mv.to_string(), 40)))
            })?;
            play(&mut record, parsed, MoveNote::default())?;
        }
    }
    Ok(Parsed {
        value: record,
        warnings: Vec::new(),
    })
}

fn point(value: &Value) -> Option<(i64, i64)> {
    Some((value.get("x")?.as_i64()?, value.get("y")?.as_i64()?))
}

/// Plays a move after the pass that the rules imply.
fn play(record: &mut GameRecord, mv: Move, note: MoveNote) -> Result<(), ReadError> {
    if mv != Move::Pass {
        let side = record.game.position().side();
        record.imply_pass(!side);
    }
    let ply = record.game.moves().len() + 1;
    record.play(mv, note).map_err(|error| ReadError {
        offset: 0,
        ply: Some(ply),
        square: mv.square(),
        problem: error.reason.into(),
    })
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => String::new(),
    }
}
