//! From one line of text to a player.
//!
//! The first word names a kind of player, the rest are its arguments.
//! Kinds are registered, so that crates which this one must not know (the laboratory, say) can add theirs.
//! Starting programs and opening files are permissions that a registry is given: a text alone can do neither.

use super::{external::ExternalPlayer, words};
use crate::player::{Failure, Player};
use outflank_game::GameState;
use outflank_protocol::{TimeControl, parse_seconds};
use std::{collections::BTreeMap, fmt, sync::Arc, time::Duration};

/// Makes a player, once per worker thread and again after each failure of one.
pub type Maker<G> = Arc<dyn Fn() -> Result<Box<dyn Player<G>>, Failure> + Send + Sync>;

/// Turns the arguments of a kind into a maker, or says what is wrong with them.
type Parser<G> = Arc<dyn Fn(&str) -> Result<Maker<G>, String> + Send + Sync>;

/// A described player.
pub struct PlayerSpec<G: GameState> {
    /// The description, as it was given.
    pub text: String,
    /// Makes the player.
    pub make: Maker<G>,
}

impl<G: GameState> Clone for PlayerSpec<G> {
    fn clone(&self) -> Self {
        Self {
            text: self.text.clone(),
            make: Arc::clone(&self.make),
        }
    }
}

impl<G: GameState> fmt::Debug for PlayerSpec<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PlayerSpec({:?})", self.text)
    }
}

/// Why a line describes no player.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// No such kind.
    #[error("{text:?}: there is no player {kind:?}; known are {known}")]
    Unknown {
        /// The whole description.
        text: String,
        /// Its first word.
        kind: String,
        /// All kinds.
        known: String,
    },
    /// Wrong arguments, or a permission that is missing.
    #[error("{text:?}: {message}")]
    Arguments {
        /// The whole description.
        text: String,
        /// What is wrong.
        message: String,
    },
}

/// What the players of a registry may do outside this program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Access {
    /// Start programs.
    pub programs: bool,
    /// Open files that a description names.
    pub files: bool,
}

impl Access {
    /// Neither.
    pub const NONE: Self = Self {
        programs: false,
        files: false,
    };
    /// Everything: for whoever types the descriptions into this computer.
    pub const ALL: Self = Self {
        programs: true,
        files: true,
    };
}

/// A kind of player.
struct Kind<G: GameState> {
    help: String,
    parse: Parser<G>,
}

/// The known kinds of players of a game.
pub struct Registry<G: GameState> {
    access: Access,
    kinds: BTreeMap<String, Kind<G>>,
}

impl<G: GameState> fmt::Debug for Registry<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.kinds.keys()).finish()
    }
}

impl<G: GameState + 'static> Registry<G> {
    /// Returns a registry without any players.
    pub(crate) const fn empty(access: Access) -> Self {
        Self {
            access,
            kinds: BTreeMap::new(),
        }
    }

    /// Returns what the players may do.
    pub const fn access(&self) -> Access {
        self.access
    }

    /// Adds a kind of player, or replaces it; `help` is one line, `parse` gets the text after the kind.
    pub fn add(
        &mut self,
        kind: &str,
        help: &str,
        parse: impl Fn(&str) -> Result<Maker<G>, String> + Send + Sync + 'static,
    ) {
        self.kinds.insert(
            kind.to_owned(),
            Kind {
                help: help.to_owned(),
                parse: Arc::new(parse),
            },
        );
    }

    /// Adds a kind of player that starts the program whose command its description holds, or refuses to.
    ///
    /// `--time SECONDS` in front of the command gives the program a time of its own; `new` gets the command and the
    /// number after `--depth`, which it may refuse. `example` is a command for messages.
    pub fn add_program(
        &mut self,
        kind: &str,
        protocol: &str,
        example: &str,
        new: impl Fn(Vec<String>, Option<u32>) -> Result<ExternalPlayer<G>, String> + Send + Sync + 'static,
    ) {
        let (allowed, new) = (self.access.programs, Arc::new(new));
        let help = format!("{kind} COMMAND: a program that speaks {protocol}");
        let example = format!("expected a command, as in \"{kind} {example}\"");
        self.add(kind, &help, move |arguments| {
            if !allowed {
                return Err("programs may not be started from here".to_owned());
            }
            let program = Program::parse(arguments, &example)?;
            // Options that the protocol does not have are refused now.
            drop(new(program.command.clone(), program.depth)?);
            let new = Arc::clone(&new);
            Ok(Arc::new(move || {
                let player = new(program.command.clone(), program.depth).map_err(Failure::Internal)?;
                Ok(Box::new(player.with_control(program.control)))
            }))
        });
    }

    /// Returns a line of help per kind.
    pub fn help(&self) -> Vec<&str> {
        self.kinds.values().map(|kind| kind.help.as_str()).collect()
    }

    /// Returns the player that `text` describes.
    ///
    /// # Errors
    ///
    /// Returns what is not understood.
    pub fn parse(&self, text: &str) -> Result<PlayerSpec<G>, SpecError> {
        let text = text.trim();
        // A kind that ends in a colon needs no space behind it.
        let end = text
            .find([' ', '\t', ':'])
            .map_or(text.len(), |at| at + usize::from(text[at..].starts_with(':')));
        let (name, arguments) = text.split_at(end);
        let kind = self.kinds.get(name).ok_or_else(|| SpecError::Unknown {
            text: text.to_owned(),
            kind: name.to_owned(),
            known: self.kinds.keys().cloned().collect::<Vec<_>>().join(", "),
        })?;
        let make = (kind.parse)(arguments.trim()).map_err(|message| SpecError::Arguments {
            text: text.to_owned(),
            message,
        })?;
        Ok(PlayerSpec {
            text: text.to_owned(),
            make,
        })
    }
}

/// The description of a program: its command, and what this program alone is told.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Program {
    command: Vec<String>,
    control: Option<TimeControl>,
    depth: Option<u32>,
}

impl Program {
    fn parse(arguments: &str, example: &str) -> Result<Self, String> {
        let mut words = words::split(arguments)
            .ok_or("a quote is not closed")?
            .into_iter();
        let mut program = Self {
            command: Vec::new(),
            control: None,
            depth: None,
        };
        while let Some(word) = words.next() {
            if !word.starts_with("--") {
                program.command.push(word);
                program.command.extend(words);
                break;
            }
            let value = words.next().ok_or_else(|| format!("{word} needs a value"))?;
            match word.as_str() {
                "--time" => program.control = Some(TimeControl::PerMove(seconds_a_move(&value)?)),
                "--depth" => {
                    let depth = value.parse().ok().filter(|depth| (1..=60).contains(depth));
                    program.depth = Some(
                        depth.ok_or_else(|| format!("--depth {value:?}: expected a depth from 1 to 60"))?,
                    );
                }
                _ => {
                    return Err(format!(
                        "no option {word} for a program: expected --time or --depth, then the command"
                    ));
                }
            }
        }
        if program.command.is_empty() {
            return Err(example.to_owned());
        }
        Ok(program)
    }
}

/// Reads the time of a move: seconds, or minutes and seconds.
pub(super) fn seconds_a_move(text: &str) -> Result<Duration, String> {
    parse_seconds(text)
        .ok()
        .filter(|time| !time.is_zero())
        .ok_or_else(|| "expected seconds a move, as in \"time 0.1\"".to_owned())
}

/// Refuses arguments of a kind that takes none.
pub(super) fn no_arguments(arguments: &str) -> Result<(), String> {
    if arguments.is_empty() {
        Ok(())
    } else {
        Err(format!("takes no arguments, but got {arguments:?}"))
    }
}
