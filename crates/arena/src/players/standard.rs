//! The players of Othello and Gomoku: what they are called, and what their descriptions say.

use super::{
    book::OpenBook,
    engine,
    external::{External, ExternalPlayer},
    registry::{Registry, no_arguments},
    simple::{Greedy, PlainSearch},
};
use outflank_game::GameState;
use outflank_gomoku::Board;
use outflank_othello::Position;
use std::sync::Arc;

/// Returns what makes a program that cannot be told a depth.
fn without_depth<G: GameState>(
    protocol: &'static str,
    new: fn(Vec<String>) -> ExternalPlayer<G>,
) -> impl Fn(Vec<String>, Option<u32>) -> Result<ExternalPlayer<G>, String> {
    move |command, depth| match depth {
        Some(_) => Err(format!(
            "{protocol} has no command for a depth: start the program with its own option"
        )),
        None => Ok(new(command)),
    }
}

/// What the engines of both games are called by.
const LIMITS: [(&str, &str); 5] = [
    (
        "level",
        "level N: the engine at level 1 to 60, or human-1 to human-8",
    ),
    ("depth", "depth N: the engine, N discs or stones ahead"),
    ("nodes", "nodes N: the engine, N positions a move"),
    ("time", "time SECONDS: the engine, so long for each move"),
    (
        "clock",
        "clock: the engine, managing the time that the match gives",
    ),
];

/// Adds the engine of Othello under every limit, or replaces it; `open_book` opens the books that descriptions name.
pub fn add_engines(registry: &mut Registry<Position>, open_book: Option<&OpenBook>) {
    let access = registry.access();
    for (kind, help) in LIMITS {
        let open_book = open_book.cloned();
        registry.add(kind, help, move |arguments| {
            engine::othello(kind, arguments, access, open_book.as_ref())
        });
    }
}

/// Adds the players of Othello.
pub(crate) fn add_othello_players(registry: &mut Registry<Position>) {
    add_engines(registry, None);
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
    for kind in ["external:", "gtp:"] {
        registry.add_program(kind, "GTP", "gtp-rhino -l 3", without_depth("GTP", External::gtp));
    }
    registry.add_program(
        "ugi:",
        "UGI",
        "./ugi-program",
        without_depth("UGI", External::ugi),
    );
    registry.add_program("nboard:", "NBoard", "--depth 8 ./program", |command, depth| {
        Ok(External::nboard(command, depth))
    });
}

/// Adds the players of Gomoku.
pub(crate) fn add_gomoku_players(registry: &mut Registry<Board>) {
    let access = registry.access();
    for (kind, help) in LIMITS {
        registry.add(kind, help, move |arguments| {
            engine::gomoku(kind, arguments, access)
        });
    }
    for kind in ["external:", "gomocup:"] {
        let new = without_depth("the Gomocup protocol", External::gomocup);
        registry.add_program(kind, "the Gomocup protocol", "./pbrain-program", new);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::players::registry::{Access, SpecError};

    #[test]
    fn descriptions_are_read_and_mistakes_named() {
        let registry = Registry::<Position>::with_access(Access::ALL);
        for text in [
            "random",
            " greedy ",
            "plain 3",
            "level 1 --hash 1",
            "level human-3 --seed 5 --hash 1",
            "depth 60",
            "nodes 20000",
            "time 0.1",
            "clock --hash 2",
            "external: sh -c 'cat'",
            "gtp:x",
            "nboard: --depth 8 --time 0.5 'my program' --depth 3",
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
                "\"level 61\": \"61\" is no level: 1 (weakest) to 60 (strongest), or human-1 to human-8",
            ),
            (
                "time 0",
                "\"time 0\": expected seconds a move, as in \"time 0.1\"",
            ),
            (
                "depth 3 --hush 1",
                "\"depth 3 --hush 1\": no option --hush: expected --threads, --hash, --seed, --confidence, --model, --hand-made, --book, --book-random or --book-human",
            ),
            (
                "depth 3 --confidence 50",
                "\"depth 3 --confidence 50\": --confidence \"50\": expected one of 73, 87, 95, 98, 99, 100",
            ),
            (
                "depth 3 --book x.ofb",
                "\"depth 3 --book x.ofb\": no book can be opened from here",
            ),
            (
                "depth 3 --book-random 1",
                "\"depth 3 --book-random 1\": --book-random and --book-human choose from a book: name it with --book FILE",
            ),
            ("clock 5", "\"clock 5\": takes no value, but got \"5\""),
            ("external: 'a", "\"external: 'a\": a quote is not closed"),
            (
                "ugi: --depth 3 x",
                "\"ugi: --depth 3 x\": UGI has no command for a depth: start the program with its own option",
            ),
            (
                "gtp: --threads 3 x",
                "\"gtp: --threads 3 x\": no option --threads for a program: expected --time or --depth, then the command",
            ),
        ] {
            assert_eq!(registry.parse(text).expect_err(text).to_string(), message);
        }
        assert!(matches!(registry.parse(""), Err(SpecError::Unknown { .. })));
    }
}
