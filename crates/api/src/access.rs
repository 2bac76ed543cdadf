//! Where positions and games come from, and what a front-end lets a request reach.

use crate::Error;
use outflank_records::{Item, gomoku, paste, read_items};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{
    fmt,
    io::{self, BufReader, Read},
};

/// Opens a file by its name.
pub type Open<'a> = &'a dyn Fn(&str) -> io::Result<Box<dyn Read>>;

/// What a front-end lets requests reach beside their own text.
#[derive(Clone, Copy, Default)]
pub struct Capabilities<'a> {
    /// Opens the files that requests name; without it they are refused.
    pub open: Option<Open<'a>>,
    /// Whether requests may start programs.
    pub programs: bool,
}

impl Capabilities<'_> {
    /// None: for whoever takes requests from strangers.
    pub const NONE: Capabilities<'static> = Capabilities {
        open: None,
        programs: false,
    };
}

impl fmt::Debug for Capabilities<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Capabilities")
            .field("open", &self.open.is_some())
            .field("programs", &self.programs)
            .finish()
    }
}

/// Positions or games: as text in any notation, or the name of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Input {
    /// Notation of any kind.
    Text(String),
    /// The name of a file; refused where no file may be opened.
    Path(String),
}

impl Input {
    /// Opens what is named.
    ///
    /// # Errors
    ///
    /// It is a file, and no file may be opened here, or there is none.
    pub fn open<'a>(&'a self, capabilities: &Capabilities<'_>) -> Result<Source<'a>, Error> {
        match (self, capabilities.open) {
            (Self::Text(text), _) => Ok(Source::Text(text)),
            (Self::Path(path), None) => Err(Error::PathRefused(path.clone())),
            (Self::Path(path), Some(open)) => match open(path) {
                Ok(reader) => Ok(Source::Reader(reader)),
                Err(reason) => Err(Error::Open {
                    path: path.clone(),
                    reason,
                }),
            },
        }
    }
}

/// Text, or bytes that somebody has opened.
pub enum Source<'a> {
    /// One text, whose parts belong together.
    Text(&'a str),
    /// Bytes, as many as there are.
    Reader(Box<dyn Read + 'a>),
}

impl fmt::Debug for Source<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Text(_) => "Text",
            Self::Reader(_) => "Reader",
        })
    }
}

impl Source<'_> {
    /// Hands every position and game of Othello to `take`, or why one cannot be read, until that returns `false`.
    ///
    /// Memory does not grow with the size of the source.
    pub fn each_othello(self, take: &mut dyn FnMut(Result<Item, String>) -> bool) {
        match self {
            Source::Text(text) => match paste(text) {
                Ok(pasted) => {
                    let bad = pasted.bad.into_iter().map(|bad| Err(bad.to_string()));
                    let mut items = pasted.items.into_iter().map(Ok).chain(bad);
                    let _all = items.all(&mut *take);
                }
                Err(error) => {
                    take(Err(error.to_string()));
                }
            },
            Source::Reader(reader) => {
                let mut items =
                    read_items(BufReader::new(reader)).map(|item| item.map_err(|bad| bad.to_string()));
                let _all = items.all(&mut *take);
            }
        }
    }

    /// Returns all positions and games of Othello.
    ///
    /// # Errors
    ///
    /// Returns what is wrong with the first one that cannot be read.
    pub fn othello(self) -> Result<Vec<Item>, Error> {
        let (mut items, mut wrong) = (Vec::new(), None);
        self.each_othello(&mut |item| match item {
            Ok(item) => {
                items.push(item);
                true
            }
            Err(error) => {
                wrong = Some(error);
                false
            }
        });
        match wrong {
            Some(error) => Err(Error::Input(error)),
            None if items.is_empty() => Err(Error::Input("there is nothing to read".to_owned())),
            None => Ok(items),
        }
    }

    /// Returns a game of Gomoku, and what is doubtful about it.
    ///
    /// # Errors
    ///
    /// Returns what is wrong with it.
    pub fn gomoku(self) -> Result<(gomoku::Record, Vec<String>), Error> {
        let bytes = match self {
            Source::Text(text) => text.as_bytes().to_vec(),
            Source::Reader(mut reader) => {
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
