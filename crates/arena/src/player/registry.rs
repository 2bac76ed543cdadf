//! From one line of text to a player.
//!
//! The first word names a kind of player, the rest are its arguments.
//! Kinds are registered, so that crates which this one must not know (the laboratory, say) can add theirs.

use super::{
    Failure, Greedy, PlainSearch, Player, RandomMover, engine,
    external::{External, ExternalPlayer},
    words,
};
use std::{collections::BTreeMap, fmt, sync::Arc};

/// Makes a player, once per worker thread and again after each failure of one.
pub type Maker = Arc<dyn Fn() -> Result<Box<dyn Player>, Failure> + Send + Sync>;

/// Turns the arguments of a kind into a maker, or says what is wrong with them.
type Parser = Arc<dyn Fn(&str) -> Result<Maker, String> + Send + Sync>;

/// A described player.
#[derive(Clone)]
pub struct PlayerSpec {
    /// The description, as it was given.
    pub text: String,
    /// Makes the player.
    pub make: Maker,
}

impl fmt::Debug for PlayerSpec {
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
    /// Wrong arguments.
    #[error("{text:?}: {message}")]
    Arguments {
        /// The whole description.
        text: String,
        /// What is wrong.
        message: String,
    },
}

/// The known kinds of players.
#[derive(Clone, Default)]
pub struct Registry(BTreeMap<String, (String, Parser)>);

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.keys()).finish()
    }
}

impl Registry {
    /// Returns the kinds of this crate: the engine under any limit (`level N`, `depth N`, `nodes N`, `time SECONDS`,
    /// `clock`), `random`, `greedy`, `plain N`, and programs
    /// (`external: COMMAND` for GTP, `nboard: COMMAND`, `ugi: COMMAND`).
    ///
    /// The engine takes the options `--threads N`, `--hash MB`, `--confidence PERCENT`, `--weights FILE` and `--hand-made`.
    ///
    /// ```
    /// use outflank_arena::Registry;
    /// let registry = Registry::standard();
    /// assert_eq!(registry.parse("level 4 --hash 1")?.text, "level 4 --hash 1");
    /// let error = registry.parse("clever").unwrap_err().to_string();
    /// assert!(error.starts_with("\"clever\": there is no player \"clever\"; known are "));
    /// # Ok::<(), outflank_arena::SpecError>(())
    /// ```
    pub fn standard() -> Self {
        let mut registry = Self::default();
        for (kind, help) in [
            ("level", "level N: the engine at level 1 to 60"),
            ("depth", "depth N: the engine, N discs ahead"),
            ("nodes", "nodes N: the engine, N positions a move"),
            ("time", "time SECONDS: the engine, so long for each move"),
            (
                "clock",
                "clock: the engine, managing the time that the match gives",
            ),
        ] {
            registry.add(kind, help, move |arguments| engine::maker(kind, arguments));
        }
        registry.add("random", "random: any legal move", |arguments| {
            no_arguments(arguments)?;
            Ok(Arc::new(|| Ok(Box::new(RandomMover::new()))))
        });
        registry.add("greedy", "greedy: as many flips as possible", |arguments| {
            no_arguments(arguments)?;
            Ok(Arc::new(|| Ok(Box::new(Greedy::new()))))
        });
        registry.add(
            "plain",
            "plain N: textbook search, N discs ahead, hand-made evaluator",
            |arguments| {
                let depth: u32 = arguments
                    .parse()
                    .ok()
                    .filter(|depth| (1..=60).contains(depth))
                    .ok_or("expected a depth from 1 to 60, as in \"plain 4\"")?;
                Ok(Arc::new(move || Ok(Box::new(PlainSearch::new(depth)))))
            },
        );
        for (kind, protocol, new) in [
            (
                "external:",
                "GTP",
                External::gtp as fn(Vec<String>) -> ExternalPlayer,
            ),
            ("gtp:", "GTP", External::gtp),
            ("nboard:", "NBoard", External::nboard),
            ("ugi:", "UGI", External::ugi),
        ] {
            registry.add(
                kind,
                &format!("{kind} COMMAND: a program that speaks {protocol}"),
                move |arguments| {
                    let command = words::split(arguments).ok_or("a quote is not closed")?;
                    if command.is_empty() {
                        return Err("expected a command, as in \"external: gtp-rhino -l 3\"".to_owned());
                    }
                    Ok(Arc::new(move || Ok(Box::new(new(command.clone())))))
                },
            );
        }
        registry
    }

    /// Adds a kind of player, or replaces it; `help` is one line, `parse` gets the text after the kind.
    pub fn add(
        &mut self,
        kind: &str,
        help: &str,
        parse: impl Fn(&str) -> Result<Maker, String> + Send + Sync + 'static,
    ) {
        self.0.insert(kind.to_owned(), (help.to_owned(), Arc::new(parse)));
    }

    /// Returns a line of help per kind.
    pub fn help(&self) -> Vec<&str> {
        self.0.values().map(|(help, _)| help.as_str()).collect()
    }

    /// Returns the player that `text` describes.
    ///
    /// # Errors
    ///
    /// Returns what is not understood.
    pub fn parse(&self, text: &str) -> Result<PlayerSpec, SpecError> {
        let text = text.trim();
        // A kind that ends in a colon needs no space behind it.
        let end = text
            .find([' ', '\t', ':'])
            .map_or(text.len(), |at| at + usize::from(text[at..].starts_with(':')));
        let (kind, arguments) = text.split_at(end);
        let (_, parse) = self.0.get(kind).ok_or_else(|| SpecError::Unknown {
            text: text.to_owned(),
            kind: kind.to_owned(),
            known: self.0.keys().cloned().collect::<Vec<_>>().join(", "),
        })?;
        let make = parse(arguments.trim()).map_err(|message| SpecError::Arguments {
            text: text.to_owned(),
            message,
        })?;
        Ok(PlayerSpec {
            text: text.to_owned(),
            make,
        })
    }
}

fn no_arguments(arguments: &str) -> Result<(), String> {
    if arguments.is_empty() {
        Ok(())
    } else {
        Err(format!("takes no arguments, but got {arguments:?}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_are_read_and_mistakes_named() {
        let registry = Registry::standard();
        for text in [
            "random",
            " greedy ",
            "plain 3",
            "level 1 --hash 1",
            "depth 60",
            "nodes 20000",
            "time 0.1",
            "clock --hash 2",
            "external: sh -c 'cat'",
            "gtp:x",
        ] {
            assert_eq!(registry.parse(text).expect(text).text, text.trim());
        }
        for (text, message) in [
            ("random 3", "\"random 3\": takes no arguments, but got \"3\""),
            (
                "plain x",
                "\"plain x\": expected a depth from 1 to 60, as in \"plain 4\"",
            ),
            (
                "external:",
                "\"external:\": expected a command, as in \"external: gtp-rhino -l 3\"",
            ),
            (
                "level 61",
                "\"level 61\": expected a level from 1 to 60, as in \"level 8\"",
            ),
            (
                "time 0",
                "\"time 0\": expected seconds a move, as in \"time 0.1\"",
            ),
            (
                "depth 3 --hush 1",
                "\"depth 3 --hush 1\": no option --hush: expected --threads, --hash, --confidence, --weights or --hand-made",
            ),
            ("clock 5", "\"clock 5\": takes no value, but got \"5\""),
            ("external: 'a", "\"external: 'a\": a quote is not closed"),
        ] {
            assert_eq!(registry.parse(text).expect_err(text).to_string(), message);
        }
        assert!(matches!(registry.parse(""), Err(SpecError::Unknown { .. })));
    }
}
