//! Othello board files: a position a line, with the scores of its moves.
//!
//! `board side; A2:+38; C7:+36; % comment`: scores are final margins in whole discs for the side to move.
//! A field without a move (`+4;`) is the score of the position, a pass is `PS`, and the field `--:-127;` that some
//! generators append means nothing and is skipped. A scored move that is not legal is an error.

use crate::{
    Format, MoveScore, Parsed, Problem, ReadError, ScoredPosition, Warning, board,
    text::{Scanner, excerpt},
};
use outflank_othello::{Discs, Move};
use std::fmt::Write;

/// Parses one line.
///
/// # Errors
///
/// Returns where the line is not a board, or a field not the score of a legal move.
///
/// # Examples
///
/// ```
/// use outflank_records::obf;
/// let line = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X; A2:+38; C7:+36; % FFO 40";
/// let scored = obf::parse(line)?.value;
/// assert_eq!(scored.expected().map(|discs| discs.get()), Some(38));
/// assert_eq!(scored.best_moves(), ["a2".parse()?]);
/// assert_eq!(obf::write(&scored), line);
/// let wrong = obf::parse(&line.replace("C7", "D4")).unwrap_err();
/// assert_eq!(wrong.to_string(), "d4: d4 is occupied");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn parse(line: &str) -> Result<Parsed<ScoredPosition>, ReadError> {
    let mut scanner = Scanner::new(line);
    let scan = board::scan(&mut scanner)?;
    let mut parsed = Parsed {
        value: ScoredPosition::new(scan.position),
        warnings: scan.warnings,
    };
    fields(&mut scanner, &mut parsed)?;
    Ok(parsed)
}

/// Reads what stands behind a board up to the end of the text; returns the format that this makes it.
pub(crate) fn fields(
    scanner: &mut Scanner<'_>,
    parsed: &mut Parsed<ScoredPosition>,
) -> Result<Format, ReadError> {
    scanner.skip_space();
    let mut format = Format::Board;
    // A number without a semicolon before it, as in lists of solved positions.
    let mut bare = scanner.peek().is_some_and(|c| c != ';' && c != '%');
    if let Some(comment) = scanner.rest().split_once('%').map(|(_, comment)| comment) {
        parsed.value.comment = one_line(comment);
        format = Format::Obf;
    }
    while let Some(c) = scanner.peek() {
        let at = scanner.offset();
        match c {
            '%' => break,
            ';' => {
                format = Format::Obf;
                scanner.bump();
            }
            _ if c.is_whitespace() => scanner.skip_space(),
            _ => {
                let text = scanner.take_while(|c| c != ';' && c != '%');
                let text = text.trim();
                let is_number = text
                    .chars()
                    .all(|c| c.is_ascii_digit() || matches!(c, '+' | '-' | '.'));
                let first = std::mem::take(&mut bare);
                if first && !is_number {
                    parsed.warnings.push(Warning::TrailingText(excerpt(text, 60)));
                    continue;
                }
                if first {
                    parsed.warnings.push(Warning::BareScore(text.to_owned()));
                }
                format = Format::Obf;
                field(at, text, parsed)?;
            }
        }
    }
    Ok(format)
}

/// Reads one field, without its semicolon.
fn field(offset: usize, text: &str, parsed: &mut Parsed<ScoredPosition>) -> Result<(), ReadError> {
    let fail = |problem: Problem| Err(ReadError::new(offset, problem));
    let Some((name, number)) = text.split_once(':') else {
        if !text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-')) {
            parsed.warnings.push(Warning::Ignored(excerpt(text, 60)));
            return Ok(());
        }
        let discs = score(offset, text)?;
        if parsed.value.best.replace(discs).is_some() {
            return fail(Problem::ScoredTwice);
        }
        return Ok(());
    };
    let (name, number) = (name.trim(), number.trim());
    if name == "--" && number == "-127" {
        return Ok(());
    }
    let mv: Move = match name.parse() {
        Ok(mv) => mv,
        // A square or a pass is short; anything longer is a field of some other kind.
        Err(error) if name.chars().count() <= 2 => return fail(error.into()),
        Err(_) => {
            parsed.warnings.push(Warning::Ignored(excerpt(text, 60)));
            return Ok(());
        }
    };
    let place = |problem| ReadError {
        offset,
        ply: None,
        square: mv.square(),
        problem,
    };
    let discs = score(offset, number).map_err(|error| place(error.problem))?;
    if let Err(reason) = parsed.value.position.board().play(mv) {
        return Err(place(reason.into()));
    }
    if parsed.value.scores.iter().any(|score| score.mv == mv) {
        return Err(place(Problem::ScoredTwice));
    }
    parsed.value.scores.push(MoveScore { mv, discs });
    Ok(())
}

fn score(offset: usize, text: &str) -> Result<Discs, ReadError> {
    text.parse()
        .ok()
        .and_then(Discs::new)
        .ok_or_else(|| ReadError::new(offset, Problem::Score(excerpt(text, 20))))
}

/// Returns the line of a position: board, side, scores in their order, comment.
pub fn write(scored: &ScoredPosition) -> String {
    let mut line = format!("{};", scored.position);
    for score in &scored.scores {
        let name = match score.mv {
            Move::Place(square) => square.to_string().to_ascii_uppercase(),
            Move::Pass => "PS".to_owned(),
        };
        write!(line, " {name}:{:+};", score.discs.get()).expect("a string takes every text");
    }
    if let Some(best) = scored.best {
        write!(line, " {:+};", best.get()).expect("a string takes every text");
    }
    let comment = one_line(&scored.comment);
    if !comment.is_empty() {
        write!(line, " % {comment}").expect("a string takes every text");
    }
    line
}

/// Returns the words of a text, one space between them.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
