//! Puzzles as lines of text.
//!
//! Fields are separated by tabs: board and side; moves with their values, the best first; the solution, `!` behind moves
//! without equal; difficulty (percent of wrong choices by beginners, club players and experts, and the discs to look
//! ahead); themes; source.

use super::{BANDS, Difficulty, Puzzle, Step, Theme};
use outflank_othello::{Discs, Move, Position, Square};
use outflank_othello_engine::MoveValue;
use std::fmt::{self, Write as _};

/// What stands before the puzzles of a file.
const HEADING: &str = "# Puzzles: board and side, moves with exact values, solution, difficulty, themes, source; see docs/study.md\n";

/// A line that is no puzzle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct ParsePuzzleError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, and what would be right.
    pub reason: String,
}

/// Returns puzzles as the text of a file.
pub fn write(puzzles: &[Puzzle]) -> String {
    let mut text = HEADING.to_owned();
    for puzzle in puzzles {
        writeln!(text, "{puzzle}").expect("a string takes every text");
    }
    text
}

/// Reads the text of a file; empty lines and those that start with `#` are left out.
///
/// # Errors
///
/// Returns the first line that is no puzzle.
pub fn read(text: &str) -> Result<Vec<Puzzle>, ParsePuzzleError> {
    let lines = text.lines().enumerate();
    lines
        .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
        .map(|(at, line)| parse(line).map_err(|reason| ParsePuzzleError { line: at + 1, reason }))
        .collect()
}

impl fmt::Display for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\t", self.position)?;
        for (at, MoveValue { square, value }) in self.moves.iter().enumerate() {
            write!(f, "{}{square}{:+}", if at > 0 { " " } else { "" }, value.get())?;
        }
        f.write_str("\t")?;
        for Step { mv, only } in &self.line {
            match mv {
                Move::Place(square) => write!(f, "{square}")?,
                Move::Pass => f.write_str("pa")?,
            }
            f.write_str(if *only { "!" } else { "" })?;
        }
        let Difficulty { wrong, look } = self.difficulty;
        write!(f, "\t{},{},{},{look}\t", wrong[0], wrong[1], wrong[2])?;
        for (at, theme) in self.themes.iter().enumerate() {
            write!(f, "{}{theme}", if at > 0 { "," } else { "" })?;
        }
        write!(f, "\t{}", self.source)
    }
}

/// Reads a line.
fn parse(line: &str) -> Result<Puzzle, String> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [position, moves, line, difficulty, themes, source] = fields[..] else {
        return Err(format!(
            "6 fields are expected between tabs, found {}",
            fields.len()
        ));
    };
    let position: Position = position.parse().map_err(|error| format!("{error}"))?;
    let moves = moves
        .split(' ')
        .map(|word| value(word).ok_or_else(|| format!("{word:?} is no move with its value, such as e3+4")))
        .collect::<Result<Vec<_>, _>>()?;
    let mut known = outflank_othello::Bitboard::EMPTY;
    for MoveValue { square, .. } in &moves {
        known = known.with(*square);
    }
    if known != position.board().legal_moves() || known.count() as usize != moves.len() {
        return Err("the moves are not the legal ones, each once".to_owned());
    }
    if !moves.is_sorted_by_key(|known| -known.value.get())
        || moves.len() < 2
        || moves[0].value == moves[1].value
    {
        return Err("one move is the best, and it stands first".to_owned());
    }
    let line = steps(line, &position).ok_or_else(|| format!("{line:?} is no line of legal moves"))?;
    if line.first().and_then(|step| step.mv.square()) != Some(moves[0].square) {
        return Err("the solution does not begin with the best move".to_owned());
    }
    let numbers: Vec<u8> = difficulty
        .split(',')
        .filter_map(|number| number.parse().ok())
        .collect();
    let [beginner, club, expert, look] = numbers[..] else {
        return Err(format!("{difficulty:?} is no difficulty, such as 80,50,20,4"));
    };
    if [beginner, club, expert].iter().any(|percent| *percent > 100) || !matches!(look, 0 | 1 | 2 | 4) {
        return Err(format!(
            "{difficulty:?} is no difficulty: percent, and 0, 1, 2 or 4 discs"
        ));
    }
    let themes = themes
        .split(',')
        .filter(|name| !name.is_empty())
        .map(|name| Theme::of(name).ok_or_else(|| format!("{name:?} is no theme")))
        .collect::<Result<Vec<_>, _>>()?;
    Ok(Puzzle {
        position,
        moves,
        line,
        themes,
        difficulty: Difficulty {
            wrong: [beginner, club, expert] as [u8; BANDS.len()],
            look,
        },
        source: source.to_owned(),
    })
}

/// Reads `e3+4`.
fn value(word: &str) -> Option<MoveValue> {
    let (square, number) = word.split_at_checked(2)?;
    let square: Square = square.parse().ok()?;
    let number: i32 = number.parse().ok().filter(|discs| (-64..=64).contains(discs))?;
    let value = Discs::saturating(number);
    Some(MoveValue { square, value })
}

/// Reads `e3!f2pag7!`.
fn steps(text: &str, start: &Position) -> Option<Vec<Step>> {
    let (mut steps, mut rest, mut position) = (Vec::new(), text, *start);
    while !rest.is_empty() {
        let (name, after) = rest.split_at_checked(2)?;
        let mv = match name {
            "pa" => Move::Pass,
            name => Move::Place(name.parse().ok()?),
        };
        position.play(mv).ok()?;
        rest = after.strip_prefix('!').unwrap_or(after);
        let only = rest.len() < after.len();
        steps.push(Step { mv, only });
    }
    Some(steps)
}
