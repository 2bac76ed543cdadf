//! GGF, the Generic Game Format of the server GGS.
//!
//! `(;GM[Othello]PB[a]PW[b]TI[15:00]BO[8 -------- … *]B[d3//0.01]W[c5/2.3/10.5];)`. A move is a square or `pa`, an
//! evaluation in discs from the mover's view and a time, both optional. A line may start with the number of games on
//! it. Tags that are not understood are kept; implied passes are played; a wrong color or a wrong move is an error.
//! `TY[8]` is implied: the reader drops it, the writer puts it where no other type is given, since some readers need it.

use crate::{
    Failed, GameRecord, MoveNote, Parsed, Problem, ReadError, Warning, board,
    bracket::{self, Escapes, Token},
    stated,
    text::{Scanner, excerpt, fold},
    transcript,
};
use outflank_othello::{Color, Game, Move, ParseSquareError, Position};
use std::fmt::Write;

/// Parses one game, `(;…;)`.
///
/// # Errors
///
/// Returns the first thing that is not GGF or not a legal move.
///
/// # Examples
///
/// ```
/// use outflank_records::ggf;
/// let text = "(;GM[Othello]PB[Ada]PW[Bob]TI[15:00//02:00]TY[8]RE[?]BO[8 -------- -------- -------- \
///             ---O*--- ---*O--- -------- -------- -------- *]B[f5/1.5/2.25]W[d6//10];)";
/// let record = ggf::parse(text)?.value;
/// assert_eq!(record.game.transcript(), "f5d6");
/// assert_eq!(record.tag("PW"), Some("Bob"));
/// assert_eq!(record.notes[0].eval_discs(), Some(1.5));
/// assert_eq!(record.notes[1].seconds(), Some(10.0));
/// assert_eq!(ggf::parse(&ggf::write(&record))?.value, record);
/// let error = ggf::parse(&text.replace("d6", "d1")).unwrap_err();
/// assert_eq!(error.to_string(), "ply 2, d1: d1 flips nothing");
/// # Ok::<(), outflank_records::ReadError>(())
/// ```
pub fn parse(text: &str) -> Result<Parsed<GameRecord>, ReadError> {
    read(text).map_err(|failed| failed.error)
}

/// Reads a game; of one that is damaged what stands before the damage.
pub(crate) fn read(text: &str) -> Result<Parsed<GameRecord>, Failed> {
    let tokens = bracket::lex(text, Escapes::Brackets)?;
    let shape: Vec<&Token> = tokens
        .iter()
        .filter(|token| !matches!(token, Token::Property { .. } | Token::Node))
        .collect();
    match shape.as_slice() {
        [Token::Open, Token::Close] if tokens.first() == Some(&Token::Open) => {}
        [Token::Open] => return Err(ReadError::new(0, Problem::Unclosed('(')).into()),
        _ => {
            let found = excerpt(text, 12);
            let expected = "one game, (;…;)";
            return Err(ReadError::new(0, Problem::Expected { expected, found }).into());
        }
    }
    let mut reader = Reader::default();
    for token in &tokens {
        if let Token::Property { key, value, offset } = token
            && let Err(error) = reader.property(key, value, *offset)
        {
            return Err(Failed::new(error, reader.record));
        }
    }
    Ok(reader.finish()?)
}

#[derive(Default)]
struct Reader {
    record: GameRecord,
    warnings: Vec<Warning>,
    has_game: bool,
    has_board: bool,
    n_moves: usize,
}

impl Reader {
    fn property(&mut self, key: &str, value: &str, offset: usize) -> Result<(), ReadError> {
        match key {
            "GM" => {
                if !value.trim().eq_ignore_ascii_case("othello")
                    && !value.trim().eq_ignore_ascii_case("reversi")
                {
                    return Err(ReadError::new(offset, Problem::OtherGame(excerpt(value, 20))));
                }
                self.has_game = true;
            }
            "BO" => {
                if self.has_board || self.n_moves > 0 {
                    let expected = "one board, before the moves";
                    let found = excerpt(value, 12);
                    return Err(ReadError::new(offset, Problem::Expected { expected, found }));
                }
                let position = self.board(value).map_err(|error| error.moved(offset))?;
                self.record.game = Game::from_position(position);
                self.has_board = true;
            }
            "B" => self.mv(Color::Black, value, offset)?,
            "W" => self.mv(Color::White, value, offset)?,
            _ if is_usual_type(key, value) && self.record.tag(key).is_none() => {}
            _ => {
                check_tag(key, value).map_err(|problem| ReadError::new(offset, problem))?;
                if matches!(key, "TI" | "TB" | "TW") {
                    self.warnings.extend(odd_time(value));
                }
                self.record.tags.push((key.to_owned(), value.to_owned()));
            }
        }
        Ok(())
    }

    fn board(&mut self, value: &str) -> Result<Position, ReadError> {
        let mut scanner = Scanner::new(value);
        board::size(&mut scanner)?;
        let scan = board::scan(&mut scanner)?;
        self.warnings.extend(scan.warnings);
        scanner.skip_space();
        if scanner.peek().is_some() {
            let expected = "the end of the board";
            let found = excerpt(scanner.rest(), 12);
            return Err(ReadError::new(
                scanner.offset(),
                Problem::Expected { expected, found },
            ));
        }
        Ok(scan.position)
    }

    fn mv(&mut self, color: Color, value: &str, offset: usize) -> Result<(), ReadError> {
        self.n_moves += 1;
        let mut parts = value.splitn(3, '/');
        let name = parts.next().unwrap_or_default();
        let note = MoveNote {
            eval: parts.next().unwrap_or_default().trim().to_owned(),
            time: parts.next().unwrap_or_default().trim().to_owned(),
        };
        self.warnings.extend(odd_time(&note.time));
        let fail = |record: &GameRecord, problem| ReadError {
            offset,
            ply: Some(record.game.moves().len() + 1),
            square: None,
            problem,
        };
        let mv = self
            .name(name)
            .map_err(|error| fail(&self.record, error.into()))?;
        play(&mut self.record, &mut self.warnings, color, mv, note).map_err(|error| error.moved(offset))
    }

    /// Reads the name of a move; letters and digits behind a square are ignored with a warning.
    fn name(&mut self, name: &str) -> Result<Move, ParseSquareError> {
        let name: String = name.chars().map(fold).collect();
        let name = name.trim();
        let error = match name.parse() {
            Ok(mv) => return Ok(mv),
            Err(error) => error,
        };
        let (Some(start), Some(ignored)) = (name.get(..2), name.get(2..)) else {
            return Err(error);
        };
        if !ignored.chars().all(char::is_alphanumeric) {
            return Err(error);
        }
        let mv = start.parse().map_err(|_| error)?;
        self.warnings.push(Warning::MoveSuffix {
            mv: start.to_owned(),
            ignored: ignored.to_owned(),
        });
        Ok(mv)
    }

    fn finish(mut self) -> Result<Parsed<GameRecord>, ReadError> {
        if !self.has_game && !self.has_board {
            return Err(ReadError::new(0, Problem::Missing("the tag GM[Othello]")));
        }
        if !self.has_game {
            self.warnings.push(Warning::MissingTag("GM"));
        }
        if !self.has_board {
            self.warnings.push(Warning::MissingTag("BO"));
        }
        let komi = ["KB", "KW", "KM"].map(|key| self.record.tag(key).is_some());
        if komi[0] != komi[1] || komi[0] && !komi[2] {
            let given: Vec<&str> = ["KB", "KW", "KM"]
                .into_iter()
                .zip(komi)
                .filter_map(|(key, is_given)| is_given.then_some(key))
                .collect();
            self.warnings.push(Warning::Komi(given.join(" ")));
        }
        self.warnings.extend(stated::check(&self.record));
        Ok(Parsed {
            value: self.record,
            warnings: self.warnings,
        })
    }
}

/// Plays a move of a color, after the pass that the rules imply; offsets in errors are 0.
pub(crate) fn play(
    record: &mut GameRecord,
    warnings: &mut Vec<Warning>,
    color: Color,
    mv: Move,
    note: MoveNote,
) -> Result<(), ReadError> {
    let fail = |record: &GameRecord, problem| ReadError {
        offset: 0,
        ply: Some(record.game.moves().len() + 1),
        square: mv.square(),
        problem,
    };
    if mv == Move::Pass && record.game.position().is_game_over() {
        if !warnings.contains(&Warning::PassAfterEnd) {
            warnings.push(Warning::PassAfterEnd);
        }
        return Ok(());
    }
    record.imply_pass(color);
    let expected = record.game.position().side();
    if expected != color && !record.game.position().is_game_over() {
        return Err(fail(
            record,
            Problem::WrongColor {
                expected,
                found: color,
            },
        ));
    }
    record.play(mv, note).map_err(|error| {
        let problem = transcript::why_illegal(&record.game, mv, error.reason);
        fail(record, problem)
    })
}

/// The type of every game that is written: Othello on 8×8 squares.
const USUAL_TYPE: &str = "8";
/// What helps a game of other rules.
const MOVES_ONLY: &str = "give the moves alone to have them judged as plain Othello";
/// What a game with komi is called.
const KOMI_GAME: &str = "a komi game, whose result is shifted,";

/// Returns whether a tag says that the game is Othello on 8×8 squares, as every game does that is written.
pub(crate) fn is_usual_type(key: &str, value: &str) -> bool {
    (key, value) == ("TY", USUAL_TYPE)
}

/// Refuses a tag that makes another game of it.
pub(crate) fn check_tag(key: &str, value: &str) -> Result<(), Problem> {
    match key {
        "TY" => check_type(value),
        "KM" => check_komi(value),
        _ => Ok(()),
    }
}

/// Refuses a komi, whatever the type of the game says, unless it is none.
fn check_komi(komi: &str) -> Result<(), Problem> {
    match komi.trim().parse::<f64>() {
        Ok(discs) if discs != 0.0 => Err(Problem::Variant {
            name: KOMI_GAME,
            tag: format!("KM[{}]", excerpt(komi, 12)),
            remedy: MOVES_ONLY,
        }),
        _ => Ok(()),
    }
}

/// Refuses the types of games on GGS that are no plain Othello.
///
/// A type is a size with letters around it: `s` synchronized, `b` or `w` a color, `r20` a random start; `k` komi and
/// `a` anti are other games.
pub(crate) fn check_type(ty: &str) -> Result<(), Problem> {
    let ty = ty.trim();
    let is_type = ty.chars().all(|c| c.is_ascii_alphanumeric()) && ty.contains(|c: char| c.is_ascii_digit());
    if !is_type {
        return Ok(());
    }
    let refuse = |name, remedy| {
        let tag = format!("TY[{}]", excerpt(ty, 12));
        Err(Problem::Variant { name, tag, remedy })
    };
    let size = ty.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let size: String = size.chars().take_while(char::is_ascii_digit).collect();
    match size.as_str() {
        "8" if ty.contains(['a', 'A']) => refuse("anti-Othello, where fewer discs win,", MOVES_ONLY),
        "8" if ty.contains(['k', 'K']) => refuse(KOMI_GAME, MOVES_ONLY),
        "8" => Ok(()),
        "88" => refuse("an octagonal board", "there is nothing to be done"),
        size => Err(Problem::BoardSize(size.to_owned())),
    }
}

/// Returns a remark about a time that is negative, in a clock tag or behind a move.
fn odd_time(value: &str) -> Option<Warning> {
    let bytes = value.as_bytes();
    let negative = bytes.windows(2).enumerate().any(|(i, pair)| {
        pair[0] == b'-' && pair[1].is_ascii_digit() && (i == 0 || matches!(bytes[i - 1], b'/' | b',' | b' '))
    });
    negative.then(|| Warning::OddTime(excerpt(value, 20)))
}

/// Returns the game on one line; evaluations and times as they are, passes as `pa`.
pub fn write(record: &GameRecord) -> String {
    write_commented(record, &[])
}

/// Returns the game as [`write()`] does, with these comments behind its moves.
pub(crate) fn write_commented(record: &GameRecord, comments: &[&str]) -> String {
    let mut text = String::from("(;GM[Othello]");
    let mut property = |key: &str, value: &str| {
        let value = bracket::escape(value);
        write!(text, "{key}[{value}]").expect("a string takes every text");
    };
    for (key, value) in &record.tags {
        if GameRecord::is_reserved(key) {
            continue;
        }
        property(key, value);
    }
    if record.tag("TY").is_none() {
        property("TY", USUAL_TYPE);
    }
    let start = record.game.start();
    property("BO", &board_value(start));
    let mut side = start.side();
    let none = MoveNote::default();
    for (i, mv) in record.game.moves().iter().enumerate() {
        let note = record.notes.get(i).unwrap_or(&none);
        let name = mv
            .square()
            .map_or_else(|| "pa".to_owned(), |square| square.to_string());
        let value = match (note.eval.is_empty(), note.time.is_empty()) {
            (true, true) => name,
            (false, true) => format!("{name}/{}", note.eval),
            (_, false) => format!("{name}/{}/{}", note.eval, note.time),
        };
        property(if side == Color::Black { "B" } else { "W" }, &value);
        if let Some(comment) = comments.get(i).filter(|comment| !comment.is_empty()) {
            property("CO", comment);
        }
        side = !side;
    }
    text.push_str(";)");
    text
}

/// Returns `8 -------- … *`, the rows apart.
fn board_value(position: &Position) -> String {
    let signs = position.to_string().replace('X', "*");
    let rows: Vec<&str> = (0..8).filter_map(|row| signs.get(row * 8..row * 8 + 8)).collect();
    format!("8 {} {}", rows.join(" "), &signs[65..])
}
