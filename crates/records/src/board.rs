//! Boards of 64 squares and a side to move, in every dialect.
//!
//! Black is `X x B b * ●`, white `O o W w ○`, empty `-`, `.` or `·`; programs that write digits mean black by 0 and white by
//! 1, which is read with a warning. Beside letters 0 and O would be confused: where black is X and there is no O, a 0 is
//! taken for one, with a warning; else digits beside letters are refused.
//! White space and line breaks may divide the squares into equal groups, and `[8 … *]` may surround them.
//! The side to move follows as a disc of its color or as a word; where it is missing, the parity of the empties
//! decides (even: black), unless only the other side can move, and a warning says so.

use crate::{Parsed, Problem, ReadError, Warning, text::Scanner};
use outflank_othello::{Bitboard, Color, Position, Setup, Square};
use std::fmt::Write;

/// A sign on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cell {
    Empty,
    Letter(Color),
    Digit(Color),
}

impl Cell {
    pub(crate) const fn color(self) -> Option<Color> {
        match self {
            Self::Empty => None,
            Self::Letter(color) | Self::Digit(color) => Some(color),
        }
    }
}

/// Returns what a character means on a board.
pub(crate) const fn cell(c: char) -> Option<Cell> {
    match c {
        'X' | 'x' | 'B' | 'b' | '*' | '●' | '⚫' => Some(Cell::Letter(Color::Black)),
        'O' | 'o' | 'W' | 'w' | '○' | '⚪' => Some(Cell::Letter(Color::White)),
        '0' => Some(Cell::Digit(Color::Black)),
        '1' => Some(Cell::Digit(Color::White)),
        '-' | '.' | '·' => Some(Cell::Empty),
        _ => None,
    }
}

/// Returns the color that a word names.
pub(crate) fn side_word(word: &str) -> Option<Color> {
    match word.to_ascii_lowercase().as_str() {
        "black" => Some(Color::Black),
        "white" => Some(Color::White),
        _ => {
            let mut chars = word.chars();
            match (chars.next().and_then(cell), chars.next()) {
                (Some(Cell::Letter(color)), None) => Some(color),
                _ => None,
            }
        }
    }
}

/// A board and what stands behind it.
pub(crate) struct Scan {
    pub(crate) position: Position,
    pub(crate) warnings: Vec<Warning>,
}

/// Reads 64 squares and, if it is there, the side to move; `scanner` is then behind them.
pub(crate) fn scan(scanner: &mut Scanner<'_>) -> Result<Scan, ReadError> {
    scanner.skip_space();
    let start = *scanner;
    let bracket = scanner.peek() == Some('[');
    if bracket {
        scanner.bump();
        size(scanner)?;
    }
    let mut warnings = Vec::new();
    let (mut setup, side) = squares(scanner, &start)?;
    let uses = |wanted: Cell| setup.cells.contains(&wanted);
    let [black, white] = [Color::Black, Color::White].map(Cell::Letter).map(uses);
    let [zeros, ones] = [Color::Black, Color::White].map(Cell::Digit).map(uses);
    let letters = black || white;
    let digits = !letters && (zeros || ones);
    if ones && letters || zeros && white {
        return Err(ReadError::new(start.offset(), Problem::MixedDialects));
    }
    if digits {
        warnings.push(Warning::Digits);
    }
    let mut is_zero_letter = letters && zeros;
    if is_zero_letter {
        for cell in setup
            .cells
            .iter_mut()
            .filter(|cell| **cell == Cell::Digit(Color::Black))
        {
            *cell = Cell::Letter(Color::White);
        }
    }
    let side = match side {
        Some(Cell::Digit(Color::Black)) if letters => {
            is_zero_letter = true;
            Some(Color::White)
        }
        Some(cell) => cell.color(),
        None => scan_side(scanner, digits, is_zero_letter),
    };
    if is_zero_letter {
        warnings.push(Warning::Zero);
    }
    if bracket {
        scanner.skip_space();
        if scanner.peek() != Some(']') {
            let at = scanner.offset();
            let found = scanner.take_while(|c| c != ']' && !c.is_whitespace());
            let problem = match scanner.peek() {
                None if found.is_empty() => Problem::Unclosed('['),
                _ if side.is_none() => Problem::Side(found),
                _ => Problem::Expected { expected: "]", found },
            };
            return Err(ReadError::new(at, problem));
        }
        scanner.bump();
    }
    let (position, warning) = setup.position(side);
    warnings.extend(warning);
    Ok(Scan { position, warnings })
}

/// Reads the `8` of `[8 …]`.
pub(crate) fn size(scanner: &mut Scanner<'_>) -> Result<(), ReadError> {
    scanner.skip_space();
    let at = scanner.offset();
    let size = scanner.take_while(|c| c.is_ascii_digit());
    if size == "8" && scanner.peek().is_some_and(|c| !c.is_alphanumeric()) {
        Ok(())
    } else {
        Err(ReadError::new(at, Problem::BoardSize(size)))
    }
}

/// 64 signs.
pub(crate) struct Cells {
    cells: Vec<Cell>,
}

impl Cells {
    /// Returns the position with this side to move; without one, the side is chosen and a warning comes back.
    fn position(&self, side: Option<Color>) -> (Position, Option<Warning>) {
        let set = |color: Color| -> Bitboard {
            let here = |square: &Square| self.cells[square.index()].color() == Some(color);
            Square::ALL.into_iter().filter(here).collect()
        };
        let (black, white) = (set(Color::Black), set(Color::White));
        let build = |side| {
            Setup { black, white, side }
                .build()
                .expect("a sign is one disc at most")
        };
        if let Some(side) = side {
            return (build(side), None);
        }
        let even = (black.count() + white.count()).is_multiple_of(2);
        let parity = if even { Color::Black } else { Color::White };
        let position = build(parity);
        if position.board().must_pass() {
            let reason = "the only one that can move";
            let side = !parity;
            return (build(side), Some(Warning::SideAssumed { side, reason }));
        }
        let reason = "from the parity of the empty squares";
        (position, Some(Warning::SideAssumed { side: parity, reason }))
    }
}

/// Reads the squares, and the side if it follows without a space.
fn squares(scanner: &mut Scanner<'_>, start: &Scanner<'_>) -> Result<(Cells, Option<Cell>), ReadError> {
    let mut cells: Vec<Cell> = Vec::with_capacity(64);
    // Lengths of the first group of squares and of the current one: equal groups, or the count is wrong.
    let (mut first_group, mut group) = (None, 0);
    let count = |n| Err(ReadError::new(start.offset(), Problem::SquareCount(n)));
    while cells.len() < 64 {
        let at = scanner.offset();
        match scanner.peek() {
            Some(c) if c.is_whitespace() => {
                if group > 0 && *first_group.get_or_insert(group) != group {
                    return count(cells.len());
                }
                group = 0;
                scanner.bump();
            }
            Some(c) => match cell(c) {
                Some(cell) => {
                    cells.push(cell);
                    group += 1;
                    scanner.bump();
                }
                None if matches!(c, ';' | ']' | '%') => return count(cells.len()),
                None => {
                    return Err(ReadError {
                        offset: at,
                        ply: None,
                        square: Square::from_index(cells.len()),
                        problem: Problem::BoardCharacter(c),
                    });
                }
            },
            None => return count(cells.len()),
        }
    }
    if group < first_group.unwrap_or(group) {
        return count(64 - group);
    }
    // Signs that follow without a space: one may be the side to move, more are squares too many.
    let glued = scanner
        .rest()
        .chars()
        .map(crate::text::fold)
        .map_while(cell)
        .count();
    let ends = |c: char| c.is_whitespace() || matches!(c, ';' | ']' | '%' | ',');
    match glued {
        0 if scanner.peek().is_some_and(|c| !ends(c)) => {
            let at = scanner.offset();
            let side = scanner.take_while(|c| !ends(c));
            Err(ReadError::new(at, Problem::Side(crate::text::excerpt(&side, 20))))
        }
        0 => Ok((Cells { cells }, None)),
        1 => {
            let side = scanner.bump().and_then(cell);
            let mut behind = *scanner;
            behind.skip_space();
            let word = behind.take_while(|c| !c.is_whitespace() && c != ';' && c != ']');
            if side == Some(Cell::Empty) || side_word(&word).is_some() {
                return count(65);
            }
            Ok((Cells { cells }, side))
        }
        n => count(64 + n),
    }
}

/// Reads the side to move behind a space, as a disc or a word, with or without `to move`.
///
/// A 0 is a side only where the board has them: black among digits, white among letters. Else it is a score.
fn scan_side(scanner: &mut Scanner<'_>, digits: bool, is_zero_letter: bool) -> Option<Color> {
    let mut ahead = *scanner;
    ahead.skip_space();
    let word = ahead.take_while(|c| !c.is_whitespace() && !matches!(c, ';' | ']' | ',' | '%'));
    let side = match (side_word(&word), word.as_str()) {
        (Some(side), _) => side,
        (None, "0") if is_zero_letter => Color::White,
        (None, "0") if digits => Color::Black,
        (None, "1") if digits => Color::White,
        _ => return None,
    };
    *scanner = ahead;
    for expected in ["to", "move"] {
        ahead.skip_space();
        let word = ahead.take_while(|c| c.is_ascii_alphabetic());
        if word.eq_ignore_ascii_case(expected) || (expected == "move" && word.eq_ignore_ascii_case("play")) {
            if expected == "move" {
                *scanner = ahead;
            }
        } else {
            break;
        }
    }
    Some(side)
}

/// Parses a text that is a board and nothing else.
///
/// # Errors
///
/// Returns where the text is not a board, or goes on behind it.
///
/// # Examples
///
/// ```
/// use outflank_othello::{Color, Position};
/// use outflank_records::board;
/// let text = "[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]";
/// assert_eq!(board::parse(text)?.value, Position::start());
/// let no_side = board::parse("...........................OX......XO...........................")?;
/// assert_eq!(no_side.value.side(), Color::Black);
/// assert_eq!(
///     no_side.warnings[0].to_string(),
///     "no side to move given: black assumed, from the parity of the empty squares"
/// );
/// let short = board::parse("---------------------------OX------XO-------------------------- X").unwrap_err();
/// assert_eq!(short.to_string(), "a board has 64 squares, found 63");
/// # Ok::<(), outflank_records::ReadError>(())
/// ```
pub fn parse(text: &str) -> Result<Parsed<Position>, ReadError> {
    let mut scanner = Scanner::new(text);
    let scan = scan(&mut scanner)?;
    scanner.skip_space();
    if scanner.peek().is_some() {
        return Err(ReadError::new(
            scanner.offset(),
            Problem::Expected {
                expected: "the end of the board",
                found: crate::text::excerpt(scanner.rest(), 20),
            },
        ));
    }
    Ok(Parsed {
        value: scan.position,
        warnings: scan.warnings,
    })
}

/// Returns the board on one line: 64 signs, a space and the side to move.
pub fn write(position: &Position) -> String {
    position.to_string()
}

/// Returns the board as a drawing that can be read back: column letters, eight rows with their numbers, and who is to
/// move.
///
/// ```
/// use outflank_othello::Position;
/// use outflank_records::{board, paste};
/// let drawing = board::draw(&Position::start());
/// assert!(drawing.starts_with("  a b c d e f g h\n1 - - - - - - - - 1\n"));
/// assert!(drawing.ends_with("\nX to move\n"));
/// assert_eq!(paste(&drawing)?.items[0].position(), &Position::start());
/// # Ok::<(), outflank_records::PasteError>(())
/// ```
pub fn draw(position: &Position) -> String {
    let mut drawing = String::from("  a b c d e f g h\n");
    for row in 0..8 {
        let number = row + 1;
        let signs: Vec<String> = (0..8)
            .map(|column| {
                let square = Square::from_index_wrapping(row * 8 + column);
                position.disc_at(square).map_or('-', Color::symbol).to_string()
            })
            .collect();
        writeln!(drawing, "{number} {} {number}", signs.join(" ")).expect("a string takes every text");
    }
    writeln!(drawing, "{} to move", position.side().symbol()).expect("a string takes every text");
    drawing
}
