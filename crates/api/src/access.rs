//! Where positions and games come from, and what a front-end lets a request reach.

use crate::error::Error;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use outflank_records::{
    BadItem, Content, Format, GameRecord, Item, PasteError, Problem, gomoku, paste, read_items,
    wthor::{self, NameFile, NameKind},
};
use outflank_study::names::{self, Found};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{
    fmt,
    io::{self, BufRead as _, BufReader, Cursor, Read},
    path::Path,
};

/// Opens a file by its name.
pub type Open<'a> = &'a dyn Fn(&str) -> io::Result<Box<dyn Read>>;

/// Lists the files in the folder of a file, by names that an [`Open`] takes.
pub type List<'a> = &'a dyn Fn(&str) -> Vec<String>;

/// What a front-end lets requests reach beside their own text.
#[derive(Clone, Copy, Default)]
pub struct Capabilities<'a> {
    /// Opens the files that requests name; without it they are refused.
    pub open: Option<Open<'a>>,
    /// Lists what lies beside such a file: the names of players and tournaments of WTHOR have files of their own.
    pub list: Option<List<'a>>,
    /// Whether requests may start programs.
    pub programs: bool,
}

impl Capabilities<'_> {
    /// None: for whoever takes requests from strangers.
    pub const NONE: Capabilities<'static> = Capabilities {
        open: None,
        list: None,
        programs: false,
    };
}

impl fmt::Debug for Capabilities<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Capabilities")
            .field("open", &self.open.is_some())
            .field("list", &self.list.is_some())
            .field("programs", &self.programs)
            .finish()
    }
}

/// Positions or games: as text in any notation, as the bytes of a file in any format, or the name of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Input {
    /// Notation of any kind.
    Text(String),
    /// Bytes of a file, such as one of WTHOR, in base64 with its usual letters.
    Base64(String),
    /// The name of a file; refused where no file may be opened.
    Path(String),
}

impl Input {
    /// Opens what is named.
    ///
    /// # Errors
    ///
    /// It is a file, and no file may be opened here, or there is none; or it is no base64.
    pub fn open<'a>(&'a self, capabilities: &Capabilities<'a>) -> Result<Source<'a>, Error> {
        match (self, capabilities.open) {
            (Self::Text(text), _) => Ok(Source::Text(text)),
            (Self::Base64(text), _) => Ok(Source::Reader(Box::new(Cursor::new(bytes_of(text)?)))),
            (Self::Path(path), None) => Err(Error::PathRefused(path.clone())),
            (Self::Path(path), Some(open)) => match open(path) {
                Ok(bytes) => Ok(Source::file(path, bytes, capabilities)),
                Err(reason) => Err(Error::Open {
                    path: path.clone(),
                    reason,
                }),
            },
        }
    }
}

/// Returns the bytes that a text in base64 stands for.
pub(crate) fn bytes_of(text: &str) -> Result<Vec<u8>, Error> {
    STANDARD
        .decode(text.trim())
        .map_err(|error| Error::Input(format!("no base64: {error}")))
}

/// The names of the players and the tournaments of WTHOR games, where there are any.
#[derive(Clone, Debug, Default)]
pub struct WthorNames {
    /// The players.
    pub players: Option<NameFile>,
    /// The tournaments.
    pub tournaments: Option<NameFile>,
}

impl WthorNames {
    /// Reads the names among `files`: the first `.jou` and the first `.trn` file that can be read.
    pub fn among<F: AsRef<Path> + Ord, R: Read>(
        mut files: Vec<F>,
        open: impl Fn(&F) -> io::Result<R>,
    ) -> Self {
        let mut names = Self::default();
        files.sort();
        for file in files {
            let extension = file.as_ref().extension().unwrap_or_default();
            let (slot, kind) = if extension.eq_ignore_ascii_case("jou") {
                (&mut names.players, NameKind::Players)
            } else if extension.eq_ignore_ascii_case("trn") {
                (&mut names.tournaments, NameKind::Tournaments)
            } else {
                continue;
            };
            if slot.is_none() {
                let bytes = open(&file).ok();
                *slot = bytes.and_then(|bytes| NameFile::read(BufReader::new(bytes), kind).ok());
            }
        }
        names
    }
}

/// Text, or bytes that somebody has opened.
pub enum Source<'a> {
    /// One text, whose parts belong together.
    Text(&'a str),
    /// Bytes, as many as there are.
    Reader(Box<dyn Read + 'a>),
    /// Those of a file, beside which there may be the names for its games.
    File {
        /// The bytes.
        bytes: Box<dyn Read + 'a>,
        /// Reads the names; asked for games of WTHOR.
        names: Box<dyn FnOnce() -> WthorNames + 'a>,
    },
}

impl fmt::Debug for Source<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Text(_) => "Text",
            Self::Reader(_) => "Reader",
            Self::File { .. } => "File",
        })
    }
}

/// Returns the opening of which `text` is the name; what is `bad` about it as notation if it is none.
fn named_opening(text: &str, mut bad: Vec<BadItem>) -> (Vec<Item>, Vec<BadItem>) {
    match names::find(text) {
        Some(Found::One(_, game)) => {
            let item = Item {
                line: 1,
                format: Format::Transcript,
                content: Content::Game(GameRecord::new(game)),
                tree: None,
                warnings: Vec::new(),
            };
            (vec![item], Vec::new())
        }
        Some(Found::Several(names)) => {
            let names: Vec<String> = names.iter().map(ToString::to_string).collect();
            bad.truncate(1);
            for bad in &mut bad {
                bad.error.problem = Problem::Openings(names.join(", "));
            }
            (Vec::new(), bad)
        }
        None => (Vec::new(), bad),
    }
}

impl<'a> Source<'a> {
    /// Returns the source that is the open file `path`.
    pub fn file(path: &'a str, bytes: Box<dyn Read + 'a>, capabilities: &Capabilities<'a>) -> Self {
        let Capabilities { open, list, .. } = *capabilities;
        Self::File {
            bytes,
            names: Box::new(move || match (open, list) {
                (Some(open), Some(list)) => WthorNames::among(list(path), |file| open(file)),
                _ => WthorNames::default(),
            }),
        }
    }

    /// Hands every position and game of Othello to `take`, or why one cannot be read, until that returns `false`.
    ///
    /// What is bad about a text comes after what is good. Memory does not grow with the size of a file.
    pub fn each_othello(self, take: &mut dyn FnMut(Result<Item, BadItem>) -> bool) {
        match self {
            Source::Text(text) => {
                let (items, bad) = match paste(text) {
                    Ok(pasted) => (pasted.items, pasted.bad),
                    Err(PasteError::Bad(bad)) => named_opening(text, bad),
                    Err(PasteError::Empty) => return,
                };
                let bad = bad.into_iter().map(Err);
                let _all = items.into_iter().map(Ok).chain(bad).all(take);
            }
            Source::Reader(bytes) => {
                let _all = read_items(BufReader::new(bytes)).all(take);
            }
            Source::File { bytes, names } => {
                let mut bytes = BufReader::new(bytes);
                // The first bytes of a file all come at once.
                let is_wthor = bytes.fill_buf().is_ok_and(|head| {
                    let head = &head[..head.len().min(wthor::HEADER_BYTES + wthor::GAME_BYTES)];
                    wthor::sniff(head) == Some(wthor::FileKind::Games)
                });
                let names = if is_wthor { names() } else { WthorNames::default() };
                let mut items = read_items(bytes).with_names(names.players, names.tournaments);
                let _all = items.all(take);
            }
        }
    }

    /// Calls `take` with every position and game of Othello, or why one cannot be read, as they come.
    ///
    /// # Errors
    ///
    /// Returns that there is none, or what `take` returns.
    pub fn try_each_othello(
        self,
        take: &mut dyn FnMut(Result<Item, BadItem>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut result = Err(Error::Input(PasteError::Empty.to_string()));
        self.each_othello(&mut |item| {
            result = take(item);
            result.is_ok()
        });
        result
    }

    /// As [`Source::try_each_othello`], where nothing may be bad.
    ///
    /// # Errors
    ///
    /// Returns what is wrong with the first one that cannot be read, that there is none, or what `use_item` returns.
    pub fn try_othello(self, use_item: &mut dyn FnMut(Item) -> Result<(), Error>) -> Result<(), Error> {
        self.try_each_othello(&mut |item| match item {
            Ok(item) => use_item(item),
            Err(bad) => Err(Error::Input(bad.to_string())),
        })
    }

    /// Returns all positions and games of Othello.
    ///
    /// # Errors
    ///
    /// Returns what is wrong with the first one that cannot be read, or that there is none.
    pub fn othello(self) -> Result<Vec<Item>, Error> {
        let mut items = Vec::new();
        self.try_othello(&mut |item| {
            items.push(item);
            Ok(())
        })?;
        Ok(items)
    }

    /// Returns a game of Gomoku, and what is doubtful about it.
    ///
    /// # Errors
    ///
    /// Returns what is wrong with it.
    pub fn gomoku(self) -> Result<(gomoku::Record, Vec<String>), Error> {
        let bytes = match self {
            Source::Text(text) => text.as_bytes().to_vec(),
            Source::Reader(mut reader)
            | Source::File {
                bytes: mut reader, ..
            } => {
                let mut bytes = Vec::new();
                let read = reader.read_to_end(&mut bytes);
                read.map_err(|error| Error::Input(error.to_string()))?;
                bytes
            }
        };
        let parsed = gomoku::read_bytes(&bytes).map_err(|error| Error::Input(error.to_string()))?;
        let warnings = parsed.warnings.iter().map(ToString::to_string).collect();
        Ok((parsed.value, warnings))
    }
}
