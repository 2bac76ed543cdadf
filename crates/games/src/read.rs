//! Games out of files of any kind, with what could not be read.

use crate::{Entry, Flags, canonical};
use outflank_othello::Board;
use outflank_records::{
    BadItem, Content, Item, Problem, read_items,
    wthor::{self, FileKind, NameFile, Wthor, WthorError},
};
use std::{collections::BTreeSet, fmt, io::BufRead};

/// The names of players and tournaments of WTHOR games, where there are any.
#[derive(Clone, Copy, Debug, Default)]
pub struct NameFiles<'a> {
    /// The players.
    pub players: Option<&'a NameFile>,
    /// The tournaments.
    pub tournaments: Option<&'a NameFile>,
}

/// Something in a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// A game.
    Game(Box<Entry>),
    /// A game that cannot be read, or something that is none; it counts among the numbers.
    Bad(BadGame),
    /// A position: no game.
    Position,
}

/// A game that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadGame {
    /// Number of the game in its source, from 1; 0 if something is wrong with the source as a whole.
    pub number: u32,
    /// The line where it stands, from 1; 0 where there are no lines.
    pub line: usize,
    /// Number of the first move that is not legal, from 1.
    pub ply: Option<usize>,
    /// What is wrong.
    pub reason: String,
}

impl fmt::Display for BadGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.number > 0 {
            write!(f, "game {}", self.number)?;
            if self.line > 0 {
                write!(f, " (line {})", self.line)?;
            }
            f.write_str(": ")?;
        }
        f.write_str(&self.reason)
    }
}

/// Openings drawn by lot: the positions that they lead to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct XotOpenings {
    boards: BTreeSet<Board>,
    discs: BTreeSet<u32>,
}

impl XotOpenings {
    /// Reads openings in any notation, as games or positions.
    ///
    /// # Errors
    ///
    /// Returns the first that cannot be read.
    pub fn read(input: impl BufRead) -> Result<Self, Box<BadItem>> {
        let mut openings = Self::default();
        for item in read_items(input) {
            let board = item?.position().board();
            openings.boards.insert(canonical(board).board);
            openings.discs.insert(board.occupied().count());
        }
        Ok(openings)
    }

    /// Returns whether a game goes through one of the openings.
    pub fn has(&self, entry: &Entry) -> bool {
        if self.boards.is_empty() {
            return false;
        }
        let last = self.discs.last().copied().unwrap_or(0);
        let boards = entry.moves.replay().map(|step| step.board);
        boards
            .take_while(|board| board.occupied().count() <= last)
            .filter(|board| self.discs.contains(&board.occupied().count()))
            .any(|board| self.boards.contains(&canonical(board).board))
    }

    /// Returns a number that other openings hardly ever have; 0 for none.
    pub fn digest(&self) -> u64 {
        self.boards.iter().fold(0, |digest: u64, &board| {
            let words = board.player().bits() ^ board.opponent().bits().rotate_left(32);
            (digest ^ words)
                .wrapping_mul(0x9E37_79B9_7F4A_7C15)
                .rotate_left(29)
        })
    }

    /// Returns the number of openings.
    pub fn len(&self) -> usize {
        self.boards.len()
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.boards.is_empty()
    }
}

/// Hands every game of a source to `take`, until that returns `false`; the source is in any notation.
///
/// Memory does not grow with a text; a file of WTHOR is read as a whole.
/// Where all games of such a file have their real score as their theoretical one, nobody has solved them, and they
/// have none.
pub fn read(mut input: impl BufRead, names: NameFiles<'_>, take: &mut dyn FnMut(Found) -> bool) {
    let head = match input.fill_buf() {
        Ok(head) => &head[..head.len().min(wthor::HEADER_BYTES + wthor::GAME_BYTES)],
        Err(error) => {
            take(of_source(error.to_string()));
            return;
        }
    };
    match wthor::sniff(head) {
        Some(FileKind::Games) => read_wthor(input, names, take),
        // They belong to the games of other files.
        Some(FileKind::Names) => {}
        None => read_text(input, take),
    }
}

fn of_source(reason: String) -> Found {
    Found::Bad(BadGame {
        number: 0,
        line: 0,
        ply: None,
        reason,
    })
}

fn read_wthor(mut input: impl BufRead, names: NameFiles<'_>, take: &mut dyn FnMut(Found) -> bool) {
    let mut bytes = Vec::new();
    let read = input.read_to_end(&mut bytes).map_err(|error| error.to_string());
    let file = match read.and_then(|_| Wthor::read(bytes.as_slice()).map_err(|error| error.to_string())) {
        Ok(file) => file,
        Err(reason) => {
            take(of_source(reason));
            return;
        }
    };
    let is_solved = file
        .games
        .iter()
        .any(|game| game.record.real_score != game.record.theoretical_score);
    let name = |file: Option<&'_ NameFile>, index: u16| {
        file.and_then(|file| file.get(index))
            .unwrap_or_default()
            .to_owned()
    };
    let mut problems = file.problems.iter().peekable();
    for game in &file.games {
        while let Some(problem) = problems.next_if(|problem| problem.record() < game.number) {
            if !take(bad_wthor(problem)) {
                return;
            }
        }
        let record = &game.record;
        let names = [
            name(names.players, record.black),
            name(names.players, record.white),
            name(names.tournaments, record.tournament),
        ];
        let mut entry = Entry::of_wthor(game, names.each_ref().map(String::as_str), is_solved);
        entry.number = game.number as u32;
        if !take(Found::Game(Box::new(entry))) {
            return;
        }
    }
    let _all = problems.all(|problem| take(bad_wthor(problem)));
}

fn bad_wthor(problem: &WthorError) -> Found {
    let ply = match problem {
        WthorError::Game { error, .. } => Some(match *error {
            wthor::RecordError::NotASquare { ply, .. }
            | wthor::RecordError::Illegal { ply, .. }
            | wthor::RecordError::Gap { ply, .. } => ply,
        }),
        _ => None,
    };
    let number = match problem {
        WthorError::Game { record, .. } | WthorError::Truncated { record, .. } => *record as u32,
        _ => 0,
    };
    let text = problem.to_string();
    // The number stands in front already.
    let reason = match (number, text.split_once(": ")) {
        (1.., Some((_, reason))) => reason.to_owned(),
        _ => text,
    };
    Found::Bad(BadGame {
        number,
        line: 0,
        ply,
        reason,
    })
}

fn read_text(input: impl BufRead, take: &mut dyn FnMut(Found) -> bool) {
    let mut number = 0;
    for item in read_items(input) {
        let found = match item {
            Ok(Item {
                content: Content::Game(record),
                ..
            }) => {
                number += 1;
                let mut entry = Entry::of_record(&record);
                entry.number = number;
                Found::Game(Box::new(entry))
            }
            Ok(_) => Found::Position,
            Err(bad) => {
                // Trouble with the source is none of a game.
                let is_game = !matches!(bad.error.problem, Problem::Io(_));
                number += u32::from(is_game);
                Found::Bad(BadGame {
                    number: if is_game { number } else { 0 },
                    line: bad.line,
                    ply: bad.error.ply,
                    reason: bad.error.to_string(),
                })
            }
        };
        if !take(found) {
            return;
        }
    }
}

impl Entry {
    /// Marks the game if it goes through one of the openings.
    pub fn mark_xot(&mut self, openings: &XotOpenings) {
        self.flags = self.flags.with(Flags::XOT, openings.has(self));
    }
}

#[cfg(test)]
mod tests;
