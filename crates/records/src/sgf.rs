//! SGF, the Smart Game Format, for game 2 (Othello).
//!
//! Two dialects of coordinates are about and can be told apart by the second character: letter and digit (`B[f5]`,
//! Edax) and two letters as in Go (`B[cd]` is c4, Quarry). Passes are `[]`, `[tt]`, `[PA]` or `[pass]`. Of variations
//! the first is read and the number of moves in the others reported; [`tree::sgf`](crate::tree::sgf) reads all of them.

use crate::{
    Failed, GameRecord, MoveNote, Parsed, Problem, ReadError, Warning,
    bracket::{self, Escapes, Token},
    ggf, stated,
    text::{excerpt, fold},
};
use outflank_othello::{Bitboard, Color, Game, Move, ParseSquareError, Position, Square};
use std::fmt::Write;

/// Tags of SGF and what GGF calls them.
pub(crate) const KEYS: [(&str, &str); 8] = [
    ("PB", "PB"),
    ("PW", "PW"),
    ("BR", "RB"),
    ("WR", "RW"),
    ("PC", "PC"),
    ("DT", "DT"),
    ("TM", "TI"),
    ("GC", "CO"),
];

/// Parses one game, `(;…)`.
///
/// # Errors
///
/// Returns the first thing that is not SGF or not a legal move.
///
/// # Examples
///
/// ```
/// use outflank_records::sgf;
/// let quarry = "(;GM[2]FF[4]CA[UTF-8]AP[Quarry:0.2.0]SZ[8]RE[W+59];B[cd];W[ec])";
/// let record = sgf::parse(quarry)?.value;
/// assert_eq!(record.game.transcript(), "c4e3");
/// assert_eq!(record.tag("RE"), Some("-59"));
/// let error = sgf::parse(&quarry.replace("ec", "ed")).unwrap_err();
/// assert_eq!(error.to_string(), "ply 2, e4: e4 is occupied");
/// let edax = "(;FF[4]GM[2]PB[a\\]b]SZ[8]AB[e4][d5]AW[d4][e5]PL[B]B[f5];W[d6];B[c3];)";
/// let record = sgf::parse(edax)?.value;
/// assert_eq!(record.game.transcript(), "f5d6c3");
/// assert_eq!(record.tag("PB"), Some("a]b"));
/// assert_eq!(sgf::parse(&sgf::write(&record))?.value, record);
/// # Ok::<(), outflank_records::ReadError>(())
/// ```
pub fn parse(text: &str) -> Result<Parsed<GameRecord>, ReadError> {
    read(text).map_err(|failed| failed.error)
}

/// Reads a game; of one that is damaged what stands before the damage.
pub(crate) fn read(text: &str) -> Result<Parsed<GameRecord>, Failed> {
    let tokens = bracket::lex(text, Escapes::All)?;
    if tokens.first() != Some(&Token::Open) {
        let expected = "one game, (;…)";
        let found = excerpt(text, 12);
        return Err(ReadError::new(0, Problem::Expected { expected, found }).into());
    }
    let Some(end) = tokens.iter().position(|token| *token == Token::Close) else {
        return Err(ReadError::new(0, Problem::Unclosed('(')).into());
    };
    let mut reader = Reader::default();
    for token in &tokens[..end] {
        if let Token::Property { key, value, offset } = token
            && let Err(error) = reader.property(key, value)
        {
            return Err(Failed::new(error.moved(*offset), reader.record));
        }
    }
    let is_move =
        |token: &&Token| matches!(token, Token::Property { key, .. } if matches!(key.as_str(), "B" | "W"));
    let n_variations = tokens[end..].iter().filter(is_move).count();
    if n_variations > 0 {
        reader.warnings.push(Warning::Variations(n_variations));
    }
    Ok(reader.finish()?)
}

#[derive(Default)]
struct Reader {
    record: GameRecord,
    warnings: Vec<Warning>,
    black: Bitboard,
    white: Bitboard,
    has_setup: bool,
    side: Option<Color>,
    has_game: bool,
    /// The setup is complete and moves have begun.
    is_started: bool,
}

impl Reader {
    fn property(&mut self, key: &str, value: &str) -> Result<(), ReadError> {
        let fail = |problem| Err(ReadError::new(0, problem));
        match key {
            "GM" if value.trim() == "2" => self.has_game = true,
            "GM" => return fail(Problem::OtherGame(excerpt(value, 20))),
            "SZ" if matches!(value.trim(), "8" | "8:8") => {}
            "SZ" => return fail(Problem::BoardSize(excerpt(value, 20))),
            "FF" | "CA" | "AP" | "ST" => {}
            "AB" | "AW" | "AE" | "PL" if self.is_started => {
                let expected = "no setup after the first move";
                let found = format!("{key}[{}]", excerpt(value, 12));
                return fail(Problem::Expected { expected, found });
            }
            "AB" | "AW" | "AE" => self.add(key, value)?,
            "PL" => {
                let side = crate::board::side_word(value.trim());
                if side.is_none() {
                    return fail(Problem::Side(excerpt(value, 12)));
                }
                self.side = side;
            }
            "B" => self.mv(Color::Black, value)?,
            "W" => self.mv(Color::White, value)?,
            "RE" => self.record.add_tag("RE", result_to_ggf(value)),
            _ if !self.is_started => {
                let known = KEYS.iter().find(|(sgf, _)| *sgf == key);
                self.record.add_tag(known.map_or(key, |(_, ggf)| ggf), value);
            }
            _ => {
                let warning = Warning::Ignored(key.to_owned());
                if !self.warnings.contains(&warning) {
                    self.warnings.push(warning);
                }
            }
        }
        Ok(())
    }

    /// Adds or removes discs of the setup: one square, or a rectangle `a1:c3`.
    fn add(&mut self, key: &str, value: &str) -> Result<(), ReadError> {
        let point = |text: &str| square(text).map_err(|error| ReadError::new(0, error.into()));
        let (from, to) = value.split_once(':').unwrap_or((value, value));
        let (from, to) = (point(from)?, point(to)?);
        let columns = from.column().min(to.column())..=from.column().max(to.column());
        let rows = from.row().min(to.row())..=from.row().max(to.row());
        for square in Square::ALL {
            if columns.contains(&square.column()) && rows.contains(&square.row()) {
                match key {
                    "AB" => self.black = self.black.with(square),
                    "AW" => self.white = self.white.with(square),
                    _ => {
                        self.black = self.black.without(square);
                        self.white = self.white.without(square);
                    }
                }
            }
        }
        self.has_setup = true;
        Ok(())
    }

    /// Builds the start position; `color` is whose move comes first, if one comes.
    fn start(&mut self, color: Option<Color>) -> Result<(), ReadError> {
        if self.is_started {
            return Ok(());
        }
        self.is_started = true;
        let mut setup = Position::start().to_setup();
        if self.has_setup {
            (setup.black, setup.white) = (self.black, self.white);
        }
        if let Some(side) = self.side {
            setup.side = side;
        } else if self.has_setup {
            setup.side = color.unwrap_or(Color::Black);
            if color.is_none() {
                self.warnings.push(Warning::SideAssumed {
                    side: setup.side,
                    reason: "who moves first",
                });
            }
        }
        let position = setup.build().map_err(|_| ReadError {
            square: (setup.black & setup.white).first(),
            ..ReadError::new(0, Problem::Overlap)
        })?;
        self.record.game = Game::from_position(position);
        Ok(())
    }

    fn mv(&mut self, color: Color, value: &str) -> Result<(), ReadError> {
        self.start(Some(color))?;
        let name: String = value.chars().map(fold).collect();
        let mv = match name.trim().to_ascii_lowercase().as_str() {
            "" | "tt" | "pa" | "pass" | "ps" | "--" => Move::Pass,
            name => Move::Place(square(name).map_err(|error| ReadError {
                ply: Some(self.record.game.moves().len() + 1),
                ..ReadError::new(0, error.into())
            })?),
        };
        ggf::play(
            &mut self.record,
            &mut self.warnings,
            color,
            mv,
            MoveNote::default(),
        )
    }

    fn finish(mut self) -> Result<Parsed<GameRecord>, ReadError> {
        if !self.has_game {
            return Err(ReadError::new(0, Problem::Missing("the tag GM[2]")));
        }
        self.start(None)?;
        self.warnings.extend(stated::check(&self.record));
        Ok(Parsed {
            value: self.record,
            warnings: self.warnings,
        })
    }
}

/// Reads a square of either dialect.
pub(crate) fn square(text: &str) -> Result<Square, ParseSquareError> {
    let text: String = text.trim().chars().map(fold).collect();
    let letters: Vec<char> = text.chars().map(|c| c.to_ascii_lowercase()).collect();
    match letters.as_slice() {
        [column @ 'a'..='h', row @ 'a'..='h'] => Ok(Square::from_coordinates(
            *column as usize - 'a' as usize,
            *row as usize - 'a' as usize,
        )
        .expect("a to h are the eight columns and rows")),
        _ => text.parse(),
    }
}

/// Returns a result from black's view: `B+4` is `+4`, `W+59` is `-59`; others as they are.
pub(crate) fn result_to_ggf(value: &str) -> String {
    let value = value.trim();
    let signed = |prefix: &str| {
        value
            .strip_prefix(prefix)
            .filter(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
    };
    match (signed("B+"), signed("W+"), value) {
        (Some(n), _, _) => format!("+{n}"),
        (_, Some(n), _) => format!("-{n}"),
        (_, _, "Draw" | "draw") => "0".to_owned(),
        _ => value.to_owned(),
    }
}

/// Returns a result as SGF writes it.
pub(crate) fn result_to_sgf(value: &str) -> String {
    let digits = |n: &str| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit());
    match (value.strip_prefix('+'), value.strip_prefix('-')) {
        (Some(n), _) if digits(n) => format!("B+{n}"),
        (_, Some(n)) if digits(n) => format!("W+{n}"),
        _ => value.to_owned(),
    }
}

/// Returns the game on one line, squares as letter and digit, passes as `[pass]`, evaluations and times left out.
pub fn write(record: &GameRecord) -> String {
    let mut text = String::from("(;FF[4]GM[2]CA[UTF-8]AP[Outflank]SZ[8]");
    let start = record.game.start();
    for (key, color) in [("AB", Color::Black), ("AW", Color::White)] {
        let discs = start.discs(color);
        if !discs.is_empty() {
            text.push_str(key);
        }
        for square in discs {
            write!(text, "[{square}]").expect("a string takes every text");
        }
    }
    if start.board().occupied().is_empty() {
        text.push_str("AE[a1]");
    }
    let letter = |color| if color == Color::Black { 'B' } else { 'W' };
    write!(text, "PL[{}]", letter(start.side())).expect("a string takes every text");
    for (key, value) in &record.tags {
        let key = KEYS
            .iter()
            .find(|(_, ggf)| ggf == key)
            .map_or(key.as_str(), |(sgf, _)| sgf);
        let value = if key == "RE" {
            result_to_sgf(value)
        } else {
            value.clone()
        };
        write!(text, "{key}[{}]", bracket::escape(&value)).expect("a string takes every text");
    }
    let mut side = start.side();
    for mv in record.game.moves() {
        write!(text, ";{}[{mv}]", letter(side)).expect("a string takes every text");
        side = !side;
    }
    text.push(')');
    text
}
