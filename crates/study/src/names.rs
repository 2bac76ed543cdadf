//! Names of openings, found through transpositions and symmetries.
//!
//! The table holds positions, not move lists: a position has its name however it came about, mirrored or turned.
//! Facts collected from several lists of openings; English names where there is one, Japanese names for most.

use outflank_othello::{Bitboard, Board, Color, Game, Position, Setup, Square};
use std::{collections::BTreeMap, sync::OnceLock};

/// One line a position: board, English name, Japanese name, separated by tabs.
const TABLE: &str = include_str!("../data/opening_names.tsv");

/// The name of an opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpeningName {
    /// The English name, if there is one.
    pub english: Option<&'static str>,
    /// The Japanese name, if there is one.
    pub japanese: Option<&'static str>,
}

impl OpeningName {
    /// Returns the English name, else the Japanese one.
    pub fn best(&self) -> &'static str {
        self.english.or(self.japanese).unwrap_or_default()
    }
}

/// The last named position of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The name.
    pub name: OpeningName,
    /// Moves played when the named position stood on the board.
    pub moves: usize,
}

fn table() -> &'static BTreeMap<Board, OpeningName> {
    static PARSED: OnceLock<BTreeMap<Board, OpeningName>> = OnceLock::new();
    PARSED.get_or_init(|| TABLE.lines().filter_map(entry).collect())
}

/// Reads a line of the table; the canonical board of the side to move is the key.
fn entry(line: &'static str) -> Option<(Board, OpeningName)> {
    let mut fields = line.split('\t');
    let board = fields.next().filter(|board| board.len() == 64)?;
    let name = |text: Option<&'static str>| text.filter(|text| !text.is_empty());
    let set = |symbol: char| {
        board
            .chars()
            .zip(Square::ALL)
            .filter(|(c, _)| *c == symbol)
            .fold(Bitboard::EMPTY, |set, (_, square)| set.with(square))
    };
    let (black, white) = (set('X'), set('O'));
    // No pass comes that early: the number of discs tells whose turn it is.
    let side = if (black.count() + white.count()).is_multiple_of(2) {
        Color::Black
    } else {
        Color::White
    };
    let position = Setup { black, white, side }.build().ok()?;
    let names = OpeningName {
        english: name(fields.next()),
        japanese: name(fields.next()),
    };
    Some((position.board().canonical().0, names))
}

/// Returns the name of a position, if it has one.
pub fn of_position(position: &Position) -> Option<OpeningName> {
    table().get(&position.board().canonical().0).copied()
}

/// Returns the last named position of a game.
///
/// ```
/// use outflank_othello::Game;
/// use outflank_study::names;
/// let mut game = Game::new();
/// for square in ["c4", "e3", "f6", "e6", "f5", "c5", "f4"] {
///     game.place(square.parse()?)?;
/// }
/// // The same moves as f5 d6 c3 …, seen in another of the four directions.
/// let opening = names::of_game(&game).expect("a known opening");
/// assert!(!opening.name.best().is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn of_game(game: &Game) -> Option<Opening> {
    let positions = game.positions();
    positions
        .iter()
        .enumerate()
        .rev()
        .find_map(|(moves, position)| of_position(position).map(|name| Opening { name, moves }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_othello::Symmetry;

    fn game(moves: &str) -> Game {
        let mut game = Game::new();
        for at in (0..moves.len()).step_by(2) {
            game.place(moves[at..at + 2].parse().expect("a square"))
                .expect("legal");
        }
        game
    }

    #[test]
    fn the_whole_table_is_read() {
        let lines = TABLE.lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!((table().len(), lines), (363, 363));
    }

    #[test]
    fn names_survive_transpositions_and_symmetries() {
        let tiger = game("f5d6c3d3c4");
        let name = of_game(&tiger).expect("named");
        assert_eq!((name.name.english, name.moves), (Some("Tiger"), 5));
        // Another order of the same moves.
        assert_eq!(of_game(&game("f5d6c4d3c3")), Some(name));
        for symmetry in Symmetry::ALL {
            let turned = Position::new(tiger.position().board().transformed(symmetry), Color::White);
            assert_eq!(of_position(&turned), Some(name.name));
        }
        // What follows keeps the name of the last known position.
        assert!(of_game(&game("f5d6c3d3c4f4f6f3e3b4")).expect("named").moves >= 5);
        assert_eq!(of_game(&Game::new()), None);
    }
}
