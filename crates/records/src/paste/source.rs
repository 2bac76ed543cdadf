//! Where items come from: lines of text, or the records of a WTHOR file; the first bytes decide.

use super::lines::{Line, Lines};
use crate::{
    Problem,
    wthor::{self, WthorGame, WthorReader},
};
use std::io::{self, BufRead, Chain, Cursor, Read};

/// The bytes that were looked at, and the rest.
type Input<R> = Chain<Cursor<Vec<u8>>, R>;

/// A source of lines or games.
#[derive(Debug)]
pub(super) enum Source<R> {
    /// Nothing was read yet.
    New(R),
    Text(Lines<Input<R>>),
    Wthor(Box<WthorReader<Input<R>>>),
    /// Nothing more comes.
    Done,
}

/// What a source gives.
pub(super) enum Found {
    Line(Line),
    Game(Box<WthorGame>),
    /// The number of the line or record, and what is wrong with it.
    Bad(usize, Problem),
}

impl<R> Source<R> {
    pub(super) const fn new(input: R) -> Self {
        Self::New(input)
    }
}

impl<R: BufRead> Source<R> {
    pub(super) fn next(&mut self) -> Option<Found> {
        if matches!(self, Self::New(_))
            && let Self::New(input) = std::mem::replace(self, Self::Done)
            && let Err(problem) = self.begin(input)
        {
            return Some(Found::Bad(1, problem));
        }
        match self {
            Self::New(_) | Self::Done => None,
            Self::Text(lines) => Some(match lines.next()? {
                Ok(line) => Found::Line(line),
                Err((number, problem)) => Found::Bad(number, problem),
            }),
            Self::Wthor(games) => Some(match games.next()? {
                Ok(game) => Found::Game(Box::new(game)),
                Err(error) => Found::Bad(error.record().max(1), Problem::Wthor(error)),
            }),
        }
    }

    /// Looks at the first bytes: no text begins with a control character, but WTHOR does with its century.
    fn begin(&mut self, mut input: R) -> Result<(), Problem> {
        let first = loop {
            match input.fill_buf() {
                Ok(bytes) => break bytes.first().copied(),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Problem::Io(error.to_string())),
            }
        };
        let mut head = Vec::new();
        if first.is_some_and(|byte| byte < b'\t' || (0x0E..0x1B).contains(&byte)) {
            let limit = (wthor::HEADER_BYTES + wthor::GAME_BYTES) as u64;
            let read = (&mut input).take(limit).read_to_end(&mut head);
            read.map_err(|error| Problem::Io(error.to_string()))?;
        }
        match wthor::sniff(&head) {
            Some(wthor::FileKind::Games) => {
                let reader = WthorReader::new(Cursor::new(head).chain(input)).map_err(Problem::Wthor)?;
                *self = Self::Wthor(Box::new(reader));
            }
            Some(wthor::FileKind::Names) => return Err(Problem::WthorNames),
            None => *self = Self::Text(Lines::new(Cursor::new(head).chain(input))),
        }
        Ok(())
    }
}
