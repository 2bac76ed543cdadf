//! The JSON that `outflank … --game gomoku --json` prints, and lists of moves.

use super::{Failure, Parsed, Problem, board_size, moves, sgf};
use crate::text::excerpt;
use outflank_gomoku::notation::{Drawing, side_of};
use serde_json::Value;

pub(super) fn parse(text: &str) -> Result<Parsed, Failure> {
    // Of several objects, one a line, the first that holds a game is taken.
    let mut first_error = None;
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    loop {
        let offset = values.byte_offset();
        match values.next() {
            Some(Ok(value)) => match game(&value) {
                Some(read) => {
                    return read.map_err(|failure| Failure { offset, ..failure });
                }
                None => {
                    first_error.get_or_insert(crate::Problem::Unrecognized);
                }
            },
            Some(Err(error)) => {
                first_error.get_or_insert(crate::Problem::Json(error.to_string()));
                break;
            }
            None => break,
        }
    }
    let problem = first_error.unwrap_or(crate::Problem::Unrecognized);
    Err(Failure::new(0, Problem::Syntax(problem)))
}

/// Reads a game: an object with its moves, or a list of moves; `None` if the value is something else.
fn game(value: &Value) -> Option<Result<Parsed, Failure>> {
    let list = ["history", "moves"]
        .iter()
        .find_map(|key| value.get(key))
        .or_else(|| value.is_array().then_some(value))?;
    let words = match list {
        Value::String(text) => text.clone(),
        Value::Array(list) => {
            let word = |mv: &Value| {
                mv.as_str()
                    .or_else(|| mv.get("move")?.as_str())
                    .map(str::to_owned)
            };
            list.iter().map(word).collect::<Option<Vec<_>>>()?.join(" ")
        }
        _ => return None,
    };
    Some(complete(value, &words))
}

fn complete(value: &Value, words: &str) -> Result<Parsed, Failure> {
    let mut size = None;
    if let Some(stated) = value.get("size") {
        agree(&mut size, size_of(&stated.to_string())?)?;
    }
    // A game of a match: `gomoku`, the rule set and the edge; stones that were set up stand there as a drawing.
    let mut rule = value.get("rule").and_then(Value::as_str);
    if let Some(rules) = value.get("rules").and_then(Value::as_str) {
        let ["gomoku", of_match, stated] = rules.split(' ').collect::<Vec<_>>()[..] else {
            return Err(Failure::new(0, Problem::OtherGame(excerpt(rules, 20))));
        };
        rule = Some(of_match);
        agree(&mut size, size_of(stated)?)?;
    }
    let drawing = value.get("start").and_then(Value::as_str).and_then(Drawing::read);
    if let Some(drawing) = &drawing {
        agree(&mut size, drawing.size)?;
    }
    // Stones that were set up stand there as SGF, since their order is no game.
    let mut parsed = if words.starts_with("(;") {
        sgf::parse_sized(words, size)?
    } else {
        moves::parse(words)?
    };
    let record = &mut parsed.value;
    if let Some(stated) = record.size {
        agree(&mut size, stated)?;
    }
    record.size = size;
    if let Some(rule) = rule {
        record.rule = rule.parse().ok();
    }
    if let Some(drawing) = drawing {
        record.side = (drawing.side != side_of(&drawing.stones)).then_some(drawing.side);
        record.stones = drawing.stones;
    }
    Ok(parsed)
}

fn size_of(text: &str) -> Result<u8, Failure> {
    board_size(text).map_err(|problem| Failure::new(0, problem))
}

/// Takes note of a size that an object states; what it says twice must be the same.
fn agree(size: &mut Option<u8>, stated: u8) -> Result<(), Failure> {
    match size.replace(stated) {
        Some(other) if other != stated => Err(Failure::new(0, Problem::Sizes(other, stated))),
        _ => Ok(()),
    }
}
