//! JSON: games of Othello Quest and Botzone, what this program prints, and lists of moves.

use crate::{
    Content, Failed, Format, GameRecord, MoveNote, MoveScore, Parsed, Problem, ReadError, ScoredPosition,
    Warning, board, fen, text::excerpt, transcript,
};
use outflank_othello::{Discs, Game, Move, Position, Square};
use serde_json::Value;

/// A game or position, or why it could not be read.
pub type ContentRead = Result<Parsed<Content>, ReadError>;

/// Reads everything in a JSON text: one game for Botzone, any number for Othello Quest, what `--json` prints (`show`,
/// `analyze`, `solve`, `review`, the games of `match`), and lists of moves or transcripts.
///
/// The first player of Othello Quest is black; times become seconds. Botzone's `x` is the column and `y` the row, both
/// from 0, and −1 for both is a pass, or in the first request the sign that the bot is black. Lines of our own output
/// that hold no position, such as the moves of a review, give nothing: the summary behind them has the game.
///
/// # Errors
///
/// Returns an error if the text is not JSON or nothing that is known; a bad game is an error among the games.
///
/// # Examples
///
/// ```
/// use outflank_records::{Content, Format, json};
/// let game = |text: &str| match json::parse(text) {
///     Ok((format, mut read)) => match read.remove(0).map(|parsed| parsed.value) {
///         Ok(Content::Game(record)) => Ok((format, record)),
///         other => Err(format!("{other:?}")),
///     },
///     Err(error) => Err(error.to_string()),
/// };
/// let quest = r#"{"name":"player","args":[{"gtype":"reversi1","players":[{"id":"a","name":"Ada","oldR":1500.5},
///     {"id":"b","name":"Bob"}],"position":{"moves":[{"t":1,"m":"e6"},{"t":218,"m":"f6"}]},"tcb":60000,
///     "created":"2024-12-24T00:00:00.000Z","finished":false}]}"#;
/// let (format, record) = game(quest)?;
/// assert_eq!(format, Format::OthelloQuest);
/// assert_eq!(record.game.transcript(), "e6f6");
/// assert_eq!(record.notes[1].seconds(), Some(0.218));
/// assert_eq!(record.tag("PB"), Some("Ada"));
/// let botzone = r#"{"requests":[{"x":-1,"y":-1},{"x":2,"y":2}],"responses":[{"x":2,"y":3}]}"#;
/// assert_eq!(game(botzone)?.1.game.transcript(), "c4c3");
/// assert_eq!(game(r#"["f5", "d6", "c3"]"#)?.1.game.transcript(), "f5d6c3");
/// # Ok::<(), String>(())
/// ```
pub fn parse(text: &str) -> Result<(Format, Vec<ContentRead>), ReadError> {
    let (format, read) = read(text)?;
    let without_part = |read: Read| read.map_err(|failed| failed.error);
    Ok((format, read.into_iter().map(without_part).collect()))
}

/// What was read, or the game up to the trouble.
pub(crate) type Read = Result<Parsed<Content>, Failed>;

pub(crate) fn read(text: &str) -> Result<(Format, Vec<Read>), ReadError> {
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
        return Ok((Format::Botzone, vec![botzone(&value).map(into_content)]));
    }
    let mut games = Vec::new();
    collect_quest(&value, &mut games);
    if !games.is_empty() {
        let games = games.into_iter().map(|game| quest(game).map(into_content));
        return Ok((Format::OthelloQuest, games.collect()));
    }
    if let Some(list) = value.as_array() {
        return Ok((Format::Json, self::list(list)?));
    }
    object(&value).map(|read| (Format::Json, read.into_iter().collect()))
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

fn quest(value: &Value) -> Result<Parsed<GameRecord>, Failed> {
    if let Some(game) = value["gtype"].as_str()
        && !game.starts_with("reversi")
        && !game.starts_with("othello")
    {
        return Err(ReadError::new(0, Problem::OtherGame(excerpt(game, 20))).into());
    }
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
        let time = mv["t"]
            .as_f64()
            .map_or_else(String::new, |ms| (ms / 1000.0).to_string());
        let note = MoveNote {
            eval: String::new(),
            time,
        };
        let name = mv["m"].as_str().unwrap_or_default();
        let name = if matches!(name, "" | "-") { "pass" } else { name };
        if let Err(error) = play_name(&mut record, name, note) {
            return Err(Failed::new(error, record));
        }
    }
    Ok(certain(record))
}

fn botzone(value: &Value) -> Result<Parsed<GameRecord>, Failed> {
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
            });
            let played = parsed.and_then(|parsed| play(&mut record, parsed, MoveNote::default()));
            if let Err(error) = played {
                return Err(Failed::new(error, record));
            }
        }
    }
    Ok(certain(record))
}

fn point(value: &Value) -> Option<(i64, i64)> {
    Some((value.get("x")?.as_i64()?, value.get("y")?.as_i64()?))
}

/// Reads a list: of moves, of transcripts, of lists of moves, or of objects.
fn list(list: &[Value]) -> Result<Vec<Read>, ReadError> {
    let words: Option<Vec<&str>> = list.iter().map(Value::as_str).collect();
    if let Some(words) = words.filter(|words| !words.is_empty()) {
        let are_moves = words.iter().all(|word| word.trim().parse::<Move>().is_ok());
        let texts = if are_moves {
            vec![words.join(" ")]
        } else {
            words.into_iter().map(str::to_owned).collect()
        };
        return Ok(texts.iter().map(|text| moves(Position::start(), text)).collect());
    }
    let mut read = Vec::new();
    for value in list {
        match value {
            Value::Array(inner) => read.extend(self::list(inner)?),
            Value::Object(_) => read.extend(object(value)?),
            _ => return Err(ReadError::new(0, Problem::Unrecognized)),
        }
    }
    if read.is_empty() {
        return Err(ReadError::new(0, Problem::Unrecognized));
    }
    Ok(read)
}

/// Reads an object of our own; `None` if it is one that holds neither position nor game.
fn object(value: &Value) -> Result<Option<Read>, ReadError> {
    if value.get("history").is_some() {
        return Err(ReadError::new(0, Problem::OtherGame("Gomoku".to_owned())));
    }
    let string = |key: &str| value.get(key).and_then(Value::as_str);
    // The games of a match say what they are games of.
    if let Some(rules) = string("rules").filter(|rules| *rules != "othello") {
        let name = rules.split(' ').next().unwrap_or_default();
        let capital: String = name.chars().take(1).flat_map(char::to_uppercase).collect();
        let rest: String = name.chars().skip(1).take(20).collect();
        return Err(ReadError::new(0, Problem::OtherGame(capital + &rest)));
    }
    if let Some(summary) = value.get("summary") {
        return Ok(summary["transcript"].as_str().map(|text| reviewed(summary, text)));
    }
    if let Some(board) = string("board") {
        return Ok(Some(of_board(value, board, string("side").unwrap_or_default())));
    }
    if let Some(text) = string("fen").or_else(|| string("position")) {
        let read = if text.contains('/') {
            fen::parse(text)
        } else {
            board::parse(text)
        };
        return Ok(Some(read.map(position).map_err(Failed::from)));
    }
    if value.get("moves").is_some() || string("transcript").is_some() {
        return Ok(Some(of_moves(value)));
    }
    // A move of a review, and depths on the way of an analysis.
    let is_of_ours =
        ["number", "mark"].iter().all(|key| value.get(key).is_some()) || value.get("stage").is_some();
    if is_of_ours {
        return Ok(None);
    }
    Err(ReadError::new(0, Problem::Unrecognized))
}

fn position(parsed: Parsed<Position>) -> Parsed<Content> {
    Parsed {
        value: Content::Position(ScoredPosition::new(parsed.value)),
        warnings: parsed.warnings,
    }
}

/// Reads moves as text.
fn moves(start: Position, text: &str) -> Read {
    let parsed = transcript::read(Game::from_position(start), text).map_err(|mut failed| {
        // A place within a string is no place in the text.
        failed.error.offset = 0;
        failed
    })?;
    Ok(Parsed {
        value: Content::Game(GameRecord::new(parsed.value)),
        warnings: parsed.warnings,
    })
}

/// Returns where a game starts: on the board under `start`, else as usual.
fn start(value: &Value) -> Result<Position, ReadError> {
    match value.get("start").and_then(Value::as_str) {
        Some(text) => board::parse(text)
            .map(|parsed| parsed.value)
            .map_err(|error| ReadError::new(0, error.problem)),
        None => Ok(Position::start()),
    }
}

/// The game of a review's summary.
fn reviewed(summary: &Value, text: &str) -> Read {
    let mut read = moves(start(summary)?, text)?;
    if let Content::Game(record) = &mut read.value {
        for (player, tag) in [("black", "PB"), ("white", "PW")] {
            record.add_tag(tag, self::text(&summary[player]["name"]));
        }
    }
    Ok(read)
}

/// A position with what is said about its moves, or the game that leads to it.
fn of_board(value: &Value, board: &str, side: &str) -> Read {
    let parsed =
        board::parse(&format!("{board} {side}")).map_err(|error| ReadError::new(0, error.problem))?;
    let mut warnings = parsed.warnings;
    if value.get("moves").is_some_and(Value::is_array) {
        let game = of_moves(value)?;
        let Content::Game(record) = &game.value else {
            return Ok(game);
        };
        if *record.game.position() == parsed.value {
            return Ok(game);
        }
        warnings.push(Warning::Ignored("moves that do not lead to the board".to_owned()));
    }
    let mut scored = ScoredPosition::new(parsed.value);
    scored.comment = text(&value["id"]);
    let mut add = |name: &str, discs: &Value| {
        let mv = name.parse().ok();
        let discs = discs
            .as_f64()
            .filter(|x| x.fract() == 0.0)
            .and_then(|x| Discs::new(x as i32));
        if let (Some(mv), Some(discs)) = (mv, discs)
            && scored.position.board().play(mv).is_ok()
            && scored.scores.iter().all(|score: &MoveScore| score.mv != mv)
        {
            scored.scores.push(MoveScore { mv, discs });
        }
    };
    // What is not proven is no score.
    let is_exact = |value: &Value| value["kind"].as_str() == Some("exact");
    for line in value["lines"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|line| is_exact(line))
    {
        add(line["move"].as_str().unwrap_or_default(), &line["value"]);
    }
    if is_exact(value) {
        for (name, discs) in value["values"].as_object().into_iter().flatten() {
            add(name, discs);
        }
        for name in value["best"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
        {
            add(name, &value["value"]);
        }
    }
    Ok(Parsed {
        value: Content::Position(scored),
        warnings,
    })
}

/// A game: `moves` as text, as a list of names, or as the list of a match with what the players said.
fn of_moves(value: &Value) -> Read {
    let start = start(value)?;
    if let Some(text) = value
        .get("moves")
        .or_else(|| value.get("transcript"))
        .and_then(Value::as_str)
    {
        let mut read = moves(start, text)?;
        if let Content::Game(record) = &mut read.value {
            add_tags(record, value);
        }
        return Ok(read);
    }
    let list = value["moves"]
        .as_array()
        .ok_or_else(|| ReadError::new(0, Problem::Missing("the list of moves")))?;
    let mut record = GameRecord::new(Game::from_position(start));
    add_tags(&mut record, value);
    for mv in list {
        let note = MoveNote {
            eval: text(&mv["value"]),
            time: text(&mv["seconds"]),
        };
        let name = mv.as_str().or_else(|| mv["move"].as_str()).unwrap_or_default();
        if let Err(error) = play_name(&mut record, name, note) {
            return Err(Failed::new(error, record));
        }
    }
    Ok(into_content(certain(record)))
}

/// Adds what an object says of the game beside its moves.
fn add_tags(record: &mut GameRecord, value: &Value) {
    for (key, tag) in [("event", "PC"), ("date", "DT"), ("black", "PB"), ("white", "PW")] {
        record.add_tag(tag, text(&value[key]));
    }
    // The margin was once called `discs`.
    let margin = value["margin"].as_i64().or_else(|| value["discs"].as_i64());
    match (
        margin.and_then(|n| i32::try_from(n).ok()),
        value["end"].as_str(),
        value["winner"].as_str(),
    ) {
        (Some(discs), Some(end), _) => {
            let reason = match end {
                "board" | "adjudicated" => "",
                "resigned" => ":r",
                "time" | "no-answer" => ":t",
                _ => ":l",
            };
            record.add_tag("RE", format!("{}{reason}", Discs::saturating(discs)));
        }
        (None, Some("resigned"), Some("black")) => record.add_tag("RE", "B+R"),
        (None, Some("resigned"), Some("white")) => record.add_tag("RE", "W+R"),
        _ => {}
    }
    if let (Some(discs), Some(empties)) = (
        value["theoretical"].as_i64(),
        value["theoretical_empties"].as_u64(),
    ) {
        let discs = Discs::saturating(i32::try_from(discs).unwrap_or(0));
        record.add_tag("CO", format!("theoretical {discs} at {empties}"));
    }
}

const fn certain(value: GameRecord) -> Parsed<GameRecord> {
    Parsed {
        value,
        warnings: Vec::new(),
    }
}

fn into_content(parsed: Parsed<GameRecord>) -> Parsed<Content> {
    Parsed {
        value: Content::Game(parsed.value),
        warnings: parsed.warnings,
    }
}

/// Plays the move of this name after the pass that the rules imply.
fn play_name(record: &mut GameRecord, name: &str, note: MoveNote) -> Result<(), ReadError> {
    let ply = record.game.moves().len() + 1;
    let mv = name.trim().parse().map_err(|error| ReadError {
        ply: Some(ply),
        ..ReadError::new(0, Problem::Square(error))
    })?;
    play(record, mv, note)
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
        problem: transcript::why_illegal(&record.game, mv, error.reason),
    })
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => String::new(),
    }
}
