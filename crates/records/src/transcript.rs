//! Games as plain moves: `f5D6C3…`, with or without spaces, numbers and passes.
//!
//! Read are squares in either case, separated or not; move numbers (`1.`, `2)`, or bare where they fit); passes as
//! `pa`, `ps`, `pas`, `pass`, `p`, `--`, `@@@@`, or a square written twice where nothing else is possible; passes that
//! the rules imply; the signs of Logistello (`+d3-c3`) and colors in front of moves (`⚫f5`, `B: f5`, `Black f5`), which
//! must agree with the side to move; moves of xboard (`P@f5`), also with rows numbered from the other side; quotation
//! marks and brackets of lists; and a result at the end (`37-27`, `1-0`, `*`).
//! Comments in braces or brackets, behind `;`, and marks such as `$1` or `!?` are left out. Text behind the moves is ignored with a warning, if it contains nothing that looks like a move.
//! A wrong move is never skipped: it is an error that names ply, square and reason.

use crate::{
    Failed, GameRecord, Parsed, Problem, ReadError, Warning, comments,
    looks::{color_sign, has_square, starts_with_move},
    text::{Scanner, excerpt},
};
use outflank_othello::{Color, Game, GameError, IllegalMove, Move, ParseSquareError, Position, Square};

/// Which passes a transcript shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Passes {
    /// None; readers imply them. A pass at the very end is lost.
    #[default]
    Omit,
    /// All, as `pa`.
    Write,
}

/// Parses moves from the start position.
///
/// # Errors
///
/// Returns the first thing that is not a legal move, with ply, square and reason.
///
/// # Examples
///
/// ```
/// use outflank_records::transcript;
/// let game = transcript::parse("1. f5 D6 2. C3d3 c4")?.value;
/// assert_eq!(game.transcript(), "f5d6c3d3c4");
/// let error = transcript::parse("f5d6c3f5").unwrap_err();
/// assert_eq!(error.to_string(), "ply 4, f5: f5 is occupied");
/// let error = transcript::parse("f5d6i9").unwrap_err();
/// assert_eq!(error.to_string(), "ply 3: \"i9\": column i is off the board");
/// # Ok::<(), outflank_records::ReadError>(())
/// ```
pub fn parse(text: &str) -> Result<Parsed<Game>, ReadError> {
    parse_from(Position::start(), text)
}

/// Parses moves from any position.
///
/// # Errors
///
/// As [`parse`].
pub fn parse_from(start: Position, text: &str) -> Result<Parsed<Game>, ReadError> {
    read(Game::from_position(start), text).map_err(|failed| failed.error)
}

/// Reads moves that go on from the last position of a game.
pub(crate) fn read(game: Game, text: &str) -> Result<Parsed<Game>, Failed> {
    let n_before = game.moves().len();
    let mut warnings = Vec::new();
    let body = comments::blank_loose(text, &mut warnings);
    let mut reader = Reader::new(game, &body);
    let mut read = reader.run();
    if read.is_ok() && reader.n_tokens == 0 && n_before == 0 {
        let offset = text.len() - text.trim_start().len();
        read = Err(ReadError::new(offset, Problem::NoMoves));
    }
    let game = reader.game;
    warnings.append(&mut reader.warnings);
    match read {
        Ok(()) => Ok(Parsed {
            value: game,
            warnings,
        }),
        Err(error) => Err(Failed::new(error, GameRecord::new(game))),
    }
}

/// Returns the moves in one lower-case word.
///
/// ```
/// use outflank_records::transcript::{self, Passes};
/// let text = "f5f4e3f6d3c3c4c5d6f3e6c6";
/// let mut game = transcript::parse(text)?.value;
/// assert_eq!(transcript::write(&game, Passes::Omit), text);
/// let with_pass = transcript::parse(&format!("{text} pass"));
/// assert!(with_pass.is_err_and(|error| error.ply == Some(13)));
/// # Ok::<(), outflank_records::ReadError>(())
/// ```
pub fn write(game: &Game, passes: Passes) -> String {
    let word = |mv: &Move| match (mv, passes) {
        (Move::Place(square), _) => square.to_string(),
        (Move::Pass, Passes::Write) => "pa".to_owned(),
        (Move::Pass, Passes::Omit) => String::new(),
    };
    game.moves().iter().map(word).collect()
}

/// Returns a whole game as text that can be read again: its moves in one word, a pass at the end as `pa` whatever
/// `passes` says; in front of them the start position, if it is not the usual one or there are no moves.
///
/// ```
/// use outflank_othello::Game;
/// use outflank_records::transcript::{self, Passes};
/// let text = "---------------------------XO------OX--------------------------- X e3f3";
/// let game: Game = text.parse()?;
/// assert_eq!(transcript::write_whole(&game, Passes::Omit), text);
/// # Ok::<(), outflank_othello::ParseGameError>(())
/// ```
pub fn write_whole(game: &Game, passes: Passes) -> String {
    let mut text = write(game, passes);
    if passes == Passes::Omit && game.moves().last() == Some(&Move::Pass) {
        text.push_str("pa");
    }
    if *game.start() == Position::start() && !text.is_empty() {
        return text;
    }
    format!("{} {text}", game.start()).trim_end().to_owned()
}

struct Reader<'a> {
    scanner: Scanner<'a>,
    game: Game,
    warnings: Vec<Warning>,
    /// Moves and passes read.
    n_tokens: usize,
    /// Moves are written as xboard does, `P@f5`.
    xboard: bool,
    /// Rows are numbered from the other side.
    mirrored: bool,
    /// What stands before each move.
    marks: Marks,
}

/// What stands before each move and says whose it is, as the first one shows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Marks {
    /// Nothing that would mean something else elsewhere.
    None,
    /// A plus or a minus, as Logistello does.
    Signs,
    /// A letter and a space: `B f5 W d6`.
    Letters,
}

impl<'a> Reader<'a> {
    fn new(game: Game, text: &'a str) -> Self {
        let mut scanner = Scanner::new(text);
        scanner.skip_space();
        let next = |n| scanner.peek_nth(n).unwrap_or(' ');
        let marks = if next(0) == '+' && is_letter(next(1)) {
            Marks::Signs
        } else if color_letter(next(0)).is_some() && next(1).is_whitespace() {
            Marks::Letters
        } else {
            Marks::None
        };
        Self {
            scanner,
            game,
            warnings: Vec::new(),
            n_tokens: 0,
            xboard: false,
            mirrored: false,
            marks,
        }
    }

    fn error(&self, offset: usize, problem: Problem) -> ReadError {
        ReadError {
            offset,
            ply: Some(self.game.moves().len() + 1),
            square: None,
            problem,
        }
    }

    /// Reads moves as the server IOS wrote them: a sign for the color, the digit of the column, that of the row.
    fn run_ios(&mut self) -> Result<(), ReadError> {
        self.marks = Marks::Signs;
        loop {
            self.scanner.skip_space();
            let at = self.scanner.offset();
            let digits = [1, 2].map(|n| self.scanner.peek_nth(n).and_then(|c| c.to_digit(10)));
            let (Some(sign @ ('+' | '-')), [Some(column), Some(row)]) = (self.scanner.peek(), digits) else {
                return if self.scanner.peek().is_some() {
                    self.tail(at, true)
                } else {
                    Ok(())
                };
            };
            self.sign(at, sign)?;
            let (column, row) = (column as usize, row as usize);
            let square = Square::from_coordinates(column.wrapping_sub(1), row.wrapping_sub(1));
            let square =
                square.ok_or_else(|| self.error(at, Problem::NotAMove(format!("{sign}{column}{row}"))))?;
            self.scanner.skip(3);
            self.place(at, square)?;
        }
    }

    fn run(&mut self) -> Result<(), ReadError> {
        if self.scanner.peek() == Some('+') && self.scanner.peek_nth(1).is_some_and(|c| c.is_ascii_digit()) {
            return self.run_ios();
        }
        // Whether the next token is set apart from the last move, so that it may be text.
        let mut apart = true;
        while let Some(c) = self.scanner.peek() {
            let at = self.scanner.offset();
            let next = self.scanner.peek_nth(1);
            match c {
                _ if c.is_whitespace() || matches!(c, ',' | ';' | ':' | '.' | '|' | '/' | '!' | '?') => {
                    self.scanner.bump();
                    apart = true;
                    continue;
                }
                '@' if self.scanner.rest().starts_with("@@@@") => {
                    self.scanner.skip(4);
                    self.pass(at)?;
                }
                '-' if next == Some('-') && self.scanner.peek_nth(2) != Some('-') => {
                    self.scanner.skip(2);
                    self.pass(at)?;
                }
                '+' | '-' if next.is_some_and(is_letter) => {
                    self.scanner.bump();
                    self.sign(at, c)?;
                    apart = true;
                    continue;
                }
                _ if c.is_ascii_digit() => {
                    if self.number(at)? {
                        return Ok(());
                    }
                    apart = true;
                    continue;
                }
                _ if self.mark(at, apart)? => {
                    apart = true;
                    continue;
                }
                'パ' if self.scanner.rest().starts_with("パス") => {
                    self.scanner.skip(2);
                    self.pass(at)?;
                }
                _ if is_letter(c) => {
                    if !self.word(at, apart)? {
                        return self.tail(at, apart);
                    }
                }
                _ => return self.tail(at, apart),
            }
            apart = false;
        }
        Ok(())
    }

    /// Checks a sign before a move against the side to move.
    fn sign(&mut self, at: usize, sign: char) -> Result<(), ReadError> {
        if self.marks != Marks::Signs {
            // Between moves a minus is a hyphen; a plus is nothing known.
            return if sign == '-' {
                Ok(())
            } else {
                Err(self.error(at, Problem::NotAMove(format!("+{}", self.token()))))
            };
        }
        let found = if sign == '+' { Color::Black } else { Color::White };
        self.color(at, found)
    }

    /// Checks a color before a move against the side to move; a pass that is forced may be left out.
    fn color(&self, at: usize, found: Color) -> Result<(), ReadError> {
        let position = self.game.position();
        let expected = position.side();
        if expected == found || position.board().must_pass() {
            return Ok(());
        }
        Err(self.error(at, Problem::WrongColor { expected, found }))
    }

    /// Reads a color in front of a move, as a sign or a word; returns whether there is one.
    fn mark(&mut self, at: usize, apart: bool) -> Result<bool, ReadError> {
        let mut ahead = self.scanner;
        let c = ahead.bump().unwrap_or(' ');
        let sign = color_sign(c);
        let color = if sign.is_some() {
            // What some keyboards put behind a sign.
            ahead.take_while(|c| matches!(c, '\u{FE0E}' | '\u{FE0F}'));
            sign
        } else if apart && is_letter(c) {
            let more = ahead.take_while(is_letter);
            match (more.is_empty(), color_letter(c)) {
                (true, color) if ahead.peek() == Some(':') || self.marks == Marks::Letters => color,
                (true, _) => None,
                (false, _) => match format!("{c}{more}").to_ascii_lowercase().as_str() {
                    "black" => Some(Color::Black),
                    "white" => Some(Color::White),
                    _ => None,
                },
            }
        } else {
            None
        };
        let Some(color) = color else { return Ok(false) };
        if ahead.peek() == Some(':') {
            ahead.bump();
        }
        ahead.skip_space();
        // `white resigned` is no color in front of a move, and `b` alone is half a move.
        if !starts_with_move(ahead) && !ahead.rest().starts_with("--") {
            return Ok(false);
        }
        self.color(at, color)?;
        self.scanner = ahead;
        Ok(true)
    }

    /// Reads a move number or a result; returns whether the result ended the text.
    fn number(&mut self, at: usize) -> Result<bool, ReadError> {
        let start = self.scanner;
        let digits = self.scanner.take_while(|c| c.is_ascii_digit());
        let next = self.scanner.peek();
        let after = self.scanner.peek_nth(1);
        if matches!(next, Some('-' | '/')) && after.is_some_and(|c| c.is_ascii_digit()) {
            self.scanner = start;
            let result = self.scanner.take_while(|c| !c.is_whitespace());
            self.warnings.extend(check_result(&self.game, &result));
            self.end_of_text()?;
            return Ok(true);
        }
        if matches!(next, Some('.' | ')' | ':')) {
            self.scanner.bump();
            return Ok(false);
        }
        let plies = self.game.moves().len() + 1;
        let placed = self.game.moves().iter().filter(|mv| **mv != Move::Pass).count() + 1;
        let fits = |n: usize| n == plies || n == placed || n == plies.div_ceil(2) || n == placed.div_ceil(2);
        if digits.parse().is_ok_and(fits) {
            return Ok(false);
        }
        self.scanner = start;
        if self.n_tokens > 0 && !has_square(self.scanner.rest()) {
            self.end_of_text()?;
            return Ok(true);
        }
        Err(self.error(at, Problem::Number(digits)))
    }

    /// Reads a square or a pass that starts with a letter; returns `false` if it is some other word.
    fn word(&mut self, at: usize, apart: bool) -> Result<bool, ReadError> {
        if self.scanner.peek_nth(1) == Some('@')
            && self.scanner.peek().is_some_and(|c| matches!(c, 'P' | 'p'))
        {
            self.xboard = true;
            self.scanner.skip(2);
        }
        let letter = self.scanner.peek().unwrap_or(' ');
        let digit = self.scanner.peek_nth(1).unwrap_or(' ');
        if digit.is_ascii_digit() && is_letter(letter) {
            let square = format!("{letter}{digit}")
                .parse()
                .map_err(|error: ParseSquareError| self.error(at, error.into()))?;
            self.scanner.skip(2);
            let twice = self
                .scanner
                .peek()
                .is_some_and(|c| c.eq_ignore_ascii_case(&letter))
                && self.scanner.peek_nth(1) == Some(digit);
            if twice && self.is_self_move(square) {
                self.scanner.skip(2);
                self.pass(at)?;
            } else {
                self.place(at, square)?;
            }
            return Ok(true);
        }
        let mut ahead = self.scanner;
        // Longer than any pass and the letter behind it; bounded, so that a flood of passes takes linear time.
        let mut n_left = 8;
        let run = ahead.take_while(|c| {
            n_left -= 1;
            n_left >= 0 && is_letter(c)
        });
        let run = run.to_ascii_lowercase();
        let then_digit = ahead.peek().is_some_and(|c| c.is_ascii_digit());
        for pass in ["pass", "pas", "pa", "ps", "p"] {
            let Some(left) = run.strip_prefix(pass) else {
                continue;
            };
            // What is glued to the pass must be the letter of the next square, or another pass.
            let square_follows = left.len() == 1 && then_digit;
            let pass_follows = left.starts_with("pa") || left.starts_with("ps");
            let alone =
                left.is_empty() && !then_digit && (pass != "p" || self.game.position().board().must_pass());
            if alone || pass != "p" && (square_follows || pass_follows) {
                self.scanner.skip(pass.len());
                self.pass(at)?;
                return Ok(true);
            }
        }
        // `f` is half a move, but the `F` of `F.A.T.` begins a name.
        let is_initial = ahead.peek().is_some_and(|c| c.is_ascii_punctuation());
        let half = run.len() == 1 && ('a'..='h').contains(&letter.to_ascii_lowercase()) && !is_initial;
        if half || !apart {
            let text = self.token();
            return Err(self.error(
                at,
                if half {
                    Problem::HalfMove(text)
                } else {
                    Problem::NotAMove(text)
                },
            ));
        }
        Ok(false)
    }

    /// Returns the text up to the next space.
    fn token(&self) -> String {
        let word: String = self
            .scanner
            .rest()
            .chars()
            .take_while(|c| !c.is_whitespace())
            .collect();
        excerpt(&word, 20)
    }

    /// Returns whether a square written twice means a pass: always in xboard's dialect, else if nothing can be placed.
    fn is_self_move(&self, square: Square) -> bool {
        let board = self.game.position().board();
        self.xboard || board.must_pass() && !board.passed().legal_moves().contains(square)
    }

    fn place(&mut self, at: usize, square: Square) -> Result<(), ReadError> {
        let flipped = Square::from_index_wrapping((7 - square.row()) * 8 + square.column());
        let moves = self.game.position().board().legal_moves();
        if self.xboard && self.n_tokens == 0 && !moves.contains(square) && moves.contains(flipped) {
            self.mirrored = true;
            self.warnings.push(Warning::MirroredRows);
        }
        let square = if self.mirrored { flipped } else { square };
        self.game
            .place(square)
            .map_err(|error| illegal(at, &self.game, error))?;
        self.n_tokens += 1;
        Ok(())
    }

    fn pass(&mut self, at: usize) -> Result<(), ReadError> {
        self.n_tokens += 1;
        if self.game.position().is_game_over() {
            if !self.warnings.contains(&Warning::PassAfterEnd) {
                self.warnings.push(Warning::PassAfterEnd);
            }
            return Ok(());
        }
        self.game
            .play(Move::Pass)
            .map_err(|error| illegal(at, &self.game, error))
    }

    /// Takes the rest of the text as no part of the game.
    fn tail(&mut self, at: usize, apart: bool) -> Result<(), ReadError> {
        if self.n_tokens == 0 || !apart || has_square(self.scanner.rest()) {
            return Err(self.error(at, Problem::NotAMove(self.token())));
        }
        self.end_of_text()
    }

    /// Notes what is left as ignored, unless it holds something like a move.
    fn end_of_text(&mut self) -> Result<(), ReadError> {
        self.scanner.skip_space();
        let rest = self.scanner.rest();
        if has_square(rest) {
            return Err(self.error(self.scanner.offset(), Problem::NotAMove(self.token())));
        }
        if !rest.is_empty() && rest.trim() != "*" {
            self.warnings.push(Warning::TrailingText(excerpt(rest, 60)));
        }
        Ok(())
    }
}

/// Compares a result such as `37-27` with the end of the game, if it is over.
pub(crate) fn check_result(game: &Game, stated: &str) -> Option<Warning> {
    let result = game.result()?;
    let count = |color| game.position().discs(color).count() as i32;
    let (black, white) = (count(Color::Black), count(Color::White));
    let with_empties = (32 + result.discs.get() / 2, 32 - result.discs.get() / 2);
    let (a, b) = stated.split_once('-')?;
    let (a, b): (i32, i32) = (a.trim().parse().ok()?, b.trim().parse().ok()?);
    let agrees = if a <= 1 && b <= 1 {
        // Only who won.
        (a - b).signum() == result.raw_difference.signum() || (a, b) == (black, white)
    } else {
        (a, b) == (black, white) || (a, b) == with_empties
    };
    (!agrees).then(|| Warning::ResultDiffers {
        stated: stated.to_owned(),
        replayed: format!("{black}-{white}"),
    })
}

fn illegal(offset: usize, game: &Game, error: GameError) -> ReadError {
    ReadError {
        offset,
        ply: Some(error.number),
        square: error.mv.square(),
        problem: why_illegal(game, error.mv, error.reason),
    }
}

/// Returns why a move is not legal, with a hint if it is the first and belongs to a start with the colors exchanged.
pub(crate) fn why_illegal(game: &Game, mv: Move, reason: IllegalMove) -> Problem {
    let exchanged = |square: &Square| matches!(*square, Square::E3 | Square::F4 | Square::C5 | Square::D6);
    let is_first = game.moves().is_empty() && *game.start() == Position::start();
    match mv.square().filter(exchanged) {
        Some(_) if is_first => Problem::ExchangedStart(reason),
        _ => reason.into(),
    }
}

/// Returns the color that a letter in front of a move names.
const fn color_letter(c: char) -> Option<Color> {
    match c {
        'B' | 'b' | 'X' | 'x' => Some(Color::Black),
        'W' | 'w' | 'O' | 'o' => Some(Color::White),
        _ => None,
    }
}

const fn is_letter(c: char) -> bool {
    c.is_ascii_alphabetic()
}
