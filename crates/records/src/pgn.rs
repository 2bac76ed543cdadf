//! PGN as PlayOK and its predecessor write it: tags, numbered moves, `--` for a pass, disc counts as the result.
//!
//! `[Black "x"] [White "y"] [Result "37-27"] 1. f5 d6 2. c3 d3 … 29. a6 -- 30. a8 -- 31. g8 g7 37-27`

use crate::{
    Failed, GameRecord, Parsed, Problem, ReadError, Stated, Warning, board, comments, fen,
    text::{Scanner, excerpt},
    transcript,
};
use outflank_othello::{Color, Discs, Position};

/// Tags of PGN and what GGF calls them.
const KEYS: [(&str, &str); 9] = [
    ("BLACK", "PB"),
    ("WHITE", "PW"),
    ("BLACKELO", "RB"),
    ("WHITEELO", "RW"),
    ("EVENT", "EV"),
    ("SITE", "PC"),
    ("DATE", "DT"),
    ("TIMECONTROL", "TI"),
    ("RESULT", "RESULT"),
];

/// Writes one game; what PGN has no tag for is left out.
///
/// The result is stated as PlayOK does, in discs of both sides; `*` stands for one that is not known.
///
/// ```
/// use outflank_records::pgn;
/// let text = "[Black \"x\"]\n[White \"y\"]\n[Result \"37-27\"]\n\n1. f5 d6 2. c3 37-27\n";
/// assert_eq!(pgn::write(&pgn::parse(text)?.value), text);
/// # Ok::<(), outflank_records::ReadError>(())
/// ```
pub fn write(record: &GameRecord) -> String {
    let mut text = String::new();
    let mut add = |key: &str, value: &str| {
        let value = value
            .replace('\\', "\\\\")
            .replace('"', "\\\"")
            .replace(['\n', '\r'], " ");
        text.extend(["[", key, " \"", &value, "\"]\n"]);
    };
    for (key, tag) in WRITTEN {
        if let Some(value) = record.tag(tag) {
            add(key, value);
        }
    }
    let stated = record.tag("RE").and_then(Stated::parse);
    let discs = stated
        .and_then(|stated| stated.discs(&record.game))
        .filter(|discs| discs % 2 == 0);
    let result = match (discs, stated.map(|stated| stated.winner)) {
        (Some(discs), _) => format!("{}-{}", 32 + discs / 2, 32 - discs / 2),
        (None, Some(Some(Color::Black))) => "1-0".to_owned(),
        (None, Some(Some(Color::White))) => "0-1".to_owned(),
        (None, Some(None)) => "1/2-1/2".to_owned(),
        (None, None) => "*".to_owned(),
    };
    add("Result", &result);
    if *record.game.start() != Position::start() {
        add("FEN", &board::write(record.game.start()));
    }
    text.push('\n');
    let mut width = 0;
    for (i, mv) in record.game.moves().iter().enumerate() {
        let name = mv
            .square()
            .map_or_else(|| "--".to_owned(), |square| square.to_string());
        let word = if i % 2 == 0 {
            format!("{}. {name}", i / 2 + 1)
        } else {
            name
        };
        width += word.len() + 1;
        text.push_str(&word);
        // Lines of a width that every reader takes.
        text.push(if width > 70 { '\n' } else { ' ' });
        width = if width > 70 { 0 } else { width };
    }
    text.push_str(&result);
    text.push('\n');
    text
}

/// Tags of PGN as they are written, and what GGF calls them.
const WRITTEN: [(&str, &str); 8] = [
    ("Event", "EV"),
    ("Site", "PC"),
    ("Date", "DT"),
    ("Black", "PB"),
    ("White", "PW"),
    ("BlackElo", "RB"),
    ("WhiteElo", "RW"),
    ("TimeControl", "TI"),
];

/// Parses one game.
///
/// # Errors
///
/// Returns the first thing that is neither tag nor legal move.
///
/// # Examples
///
/// ```
/// use outflank_records::pgn;
/// let text = "[Black \"x\"]\n[White \"y\"]\n[BlackElo \"1159\"]\n\n1. f5 d6 {as ever} 2. c3 d3 3. c4 *";
/// let record = pgn::parse(text)?.value;
/// assert_eq!(record.game.transcript(), "f5d6c3d3c4");
/// assert_eq!((record.tag("PB"), record.tag("RB")), (Some("x"), Some("1159")));
/// let error = pgn::parse(&text.replace("d3", "d2")).unwrap_err();
/// assert_eq!(error.to_string(), "ply 4, d2: d2 flips nothing");
/// # Ok::<(), outflank_records::ReadError>(())
/// ```
pub fn parse(text: &str) -> Result<Parsed<GameRecord>, ReadError> {
    read(text).map_err(|failed| failed.error)
}

/// Reads a game; of one that is damaged what stands before the damage.
pub(crate) fn read(text: &str) -> Result<Parsed<GameRecord>, Failed> {
    let mut scanner = Scanner::new(text);
    let mut record = GameRecord::default();
    let mut warnings = Vec::new();
    let mut start = Position::start();
    scanner.skip_space();
    while scanner.peek() == Some('[') {
        let at = scanner.offset();
        let (key, value) = tag(&mut scanner)?;
        if key == "FEN" {
            let read = if value.contains('/') {
                fen::parse(&value)
            } else {
                board::parse(&value)
            };
            let parsed = read.map_err(|error| ReadError { offset: at, ..error })?;
            start = parsed.value;
            warnings.extend(parsed.warnings);
        } else {
            let known = KEYS.iter().find(|(pgn, _)| *pgn == key);
            // `?`, `-` and `????.??.??` stand for what is not known.
            if value.contains(|c| !matches!(c, '?' | '-' | '.')) {
                record.add_tag(known.map_or(key.as_str(), |(_, ggf)| ggf), value);
            }
        }
        scanner.skip_space();
    }
    let at = scanner.offset();
    let body = comments::blank(scanner.rest(), &mut warnings).map_err(|error| error.moved(at))?;
    if body.trim().trim_end_matches('*').is_empty() {
        record.game = outflank_othello::Game::from_position(start);
    } else {
        match transcript::read(outflank_othello::Game::from_position(start), &body) {
            Ok(parsed) => {
                record.game = parsed.value;
                warnings.extend(parsed.warnings);
            }
            Err(failed) => {
                record.game = failed.legal.game;
                return Err(Failed::new(failed.error.moved(at), record));
            }
        }
    }
    for warning in settle_result(&mut record, &body) {
        if !warnings.contains(&warning) {
            warnings.push(warning);
        }
    }
    Ok(Parsed {
        value: record,
        warnings,
    })
}

/// Puts the result of the tag, or else of the end of the moves, where every format has it: black's margin in discs.
///
/// Who won without by how much is kept as it is, unless the end of the game says it.
fn settle_result(record: &mut GameRecord, body: &str) -> Vec<Warning> {
    let tag = record.tag("RESULT").unwrap_or_default().to_owned();
    let last = body.split_whitespace().next_back().unwrap_or_default();
    let stated = [tag.as_str(), last]
        .into_iter()
        .filter(|text| text.contains('-'))
        .find_map(|text| Some((text, Stated::parse(text)?)));
    let Some((text, stated)) = stated else {
        // The sign for a game that goes on is no result.
        record.tags.retain(|(key, value)| key != "RESULT" || value != "*");
        return Vec::new();
    };
    let of_game = record
        .game
        .result()
        .filter(|result| result.winner == stated.winner);
    let discs = match stated.margin {
        Some(_) => stated.discs(&record.game),
        None => of_game.map(|result| result.discs.get()),
    };
    let mut warnings: Vec<Warning> = transcript::check_result(&record.game, text).into_iter().collect();
    if let Some(discs) = discs {
        record.tags.retain(|(key, _)| key != "RESULT");
        record.add_tag("RE", Discs::saturating(discs).to_string());
    } else if stated.margin.is_some() {
        warnings.push(Warning::OddResult(excerpt(text, 20)));
    }
    warnings
}

/// Reads `[Key "value"]`.
fn tag(scanner: &mut Scanner<'_>) -> Result<(String, String), ReadError> {
    let at = scanner.offset();
    let whole = scanner.rest();
    let fail = || {
        let expected = "a tag, [Key \"value\"]";
        let found = excerpt(whole.lines().next().unwrap_or_default(), 20);
        ReadError::new(at, Problem::Expected { expected, found })
    };
    scanner.bump();
    scanner.skip_space();
    let key = scanner.take_while(|c| c.is_ascii_alphanumeric());
    scanner.skip_space();
    if key.is_empty() || scanner.bump() != Some('"') {
        return Err(fail());
    }
    // The value is taken as it is, not in folded form: it may be a name.
    let mut value = String::new();
    let mut escaped = false;
    loop {
        let c = scanner.rest().chars().next().ok_or_else(fail)?;
        scanner.bump();
        match c {
            c @ ('"' | '\\') if escaped => value.push(c),
            '"' => break,
            '\\' => {
                escaped = true;
                continue;
            }
            c => {
                if escaped {
                    value.push('\\');
                }
                value.push(c);
            }
        }
        escaped = false;
    }
    scanner.skip_space();
    if scanner.bump() != Some(']') {
        return Err(fail());
    }
    Ok((key.to_ascii_uppercase(), value))
}
