//! Names of openings, found through transpositions and symmetries, and openings found by their names.
//!
//! The table is one of positions, whatever moves stand in it: a position has its name however it came about, mirrored or
//! turned. Facts collected from several lists of openings; English names where there is one, Japanese names for most.

use crate::romaji::romanize;
use outflank_othello::{Bitboard, Board, Color, Game, Position, Setup, Square};
use std::{collections::BTreeMap, fmt, sync::OnceLock};

/// One line an opening: moves or a board, English name, Japanese name, separated by tabs.
const TABLE: &str = include_str!("../data/opening_names.tsv");

/// The name of an opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpeningName {
    /// The English name, if there is one.
    pub english: Option<&'static str>,
    /// The Japanese name, if there is one.
    pub japanese: Option<&'static str>,
    /// The Japanese name in Latin letters, if it is not written in them anyway.
    pub romanized: Option<&'static str>,
}

impl OpeningName {
    /// Returns the name in Latin letters: the English one, else the Japanese one.
    pub fn best(&self) -> &'static str {
        self.english
            .or(self.romanized)
            .or(self.japanese)
            .unwrap_or_default()
    }
}

/// The name in Latin letters, and the Japanese one behind it where that is written in others: `Tiger (虎定石)`.
impl fmt::Display for OpeningName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.best())?;
        match self.japanese.filter(|name| !name.is_ascii()) {
            Some(japanese) => write!(f, " ({japanese})"),
            None => Ok(()),
        }
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

/// A line of the table.
#[derive(Debug)]
struct Entry {
    /// The moves, or the position alone.
    game: Game,
    english: Option<&'static str>,
    japanese: Option<&'static str>,
    romanized: Option<String>,
}

impl Entry {
    fn name(&'static self) -> OpeningName {
        OpeningName {
            english: self.english,
            japanese: self.japanese,
            romanized: self.romanized.as_deref(),
        }
    }

    /// Returns all names in Latin letters: where several stand side by side, each of them.
    fn names(&self) -> impl Iterator<Item = &str> {
        [self.english, self.romanized.as_deref(), self.japanese]
            .into_iter()
            .flatten()
            .filter(|name| name.chars().all(|c| c < '\u{3000}'))
            .flat_map(|name| name.split('/'))
    }
}

fn entries() -> &'static [Entry] {
    static PARSED: OnceLock<Vec<Entry>> = OnceLock::new();
    PARSED.get_or_init(|| TABLE.lines().filter_map(entry).collect())
}

fn table() -> &'static BTreeMap<Board, &'static Entry> {
    static SORTED: OnceLock<BTreeMap<Board, &Entry>> = OnceLock::new();
    SORTED.get_or_init(|| {
        // The canonical board of the side to move is the key.
        let key = |entry: &Entry| entry.game.position().board().canonical().0;
        entries().iter().map(|entry| (key(entry), entry)).collect()
    })
}

/// Reads a line of the table.
fn entry(line: &'static str) -> Option<Entry> {
    let mut fields = line.split('\t');
    let place = fields.next().filter(|_| !line.starts_with('#'))?;
    let game = match place.len() {
        64 => Game::from_position(board(place)?),
        _ => place.parse().ok()?,
    };
    let mut name = || fields.next().filter(|text| !text.is_empty());
    let (english, japanese) = (name(), name());
    Some(Entry {
        game,
        english,
        japanese,
        romanized: japanese.filter(|name| !name.is_ascii()).map(romanize),
    })
}

/// Reads a board of the table.
fn board(text: &str) -> Option<Position> {
    let set = |symbol: char| {
        text.chars()
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
    Setup { black, white, side }.build().ok()
}

/// What is called by a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// One opening: its name, and the game up to it.
    One(OpeningName, Game),
    /// Several, in the order of the table.
    Several(Vec<OpeningName>),
}

/// Words that are left out of a name when people speak of it.
const KINDS: [&str; 5] = ["opening", "joseki", "variation", "定石", "line"];

/// Returns the opening, or the openings, of this name in English or Japanese, whatever the case, accents, blanks and
/// hyphens.
///
/// The whole name is looked for first, then the name without a word such as "opening", then its beginning, then any part
/// of it.
///
/// ```
/// use outflank_study::names::{Found, find};
/// let Some(Found::One(name, game)) = find("tiger") else { panic!("there is one") };
/// assert_eq!((name.japanese, game.transcript().as_str()), (Some("虎定石"), "f5d6c3d3c4"));
/// assert_eq!(find("tora joseki"), find("TIGER"));
/// assert_eq!(find("no such opening"), None);
/// ```
pub fn find(text: &str) -> Option<Found> {
    let wanted = fold(&romanize(text.trim()));
    if wanted.chars().filter(char::is_ascii_alphabetic).count() < 2 {
        return None;
    }
    let short = |name: &str| {
        let name = fold(name);
        KINDS
            .iter()
            .find_map(|kind| name.strip_suffix(kind))
            .unwrap_or(&name)
            .to_owned()
    };
    let short_wanted = short(text);
    let tests: [&dyn Fn(&str) -> bool; 4] = [
        &|name| fold(name) == wanted,
        &|name| short(name) == wanted || !short_wanted.is_empty() && fold(name) == short_wanted,
        &|name| wanted.len() >= 3 && fold(name).starts_with(&wanted),
        &|name| wanted.len() >= 3 && fold(name).contains(&wanted),
    ];
    tests.iter().find_map(|test| {
        let called: Vec<&Entry> = entries().iter().filter(|entry| entry.names().any(test)).collect();
        match called.as_slice() {
            [] => None,
            [one] => Some(Found::One(one.name(), one.game.clone())),
            several => Some(Found::Several(several.iter().map(|entry| entry.name()).collect())),
        }
    })
}

/// Returns the openings that a text may mean, each with the game up to it: first those of exactly this name, then those
/// with a name that begins so, those with a word that does, and those that have it anywhere; the shorter game first.
///
/// Names are compared as in [`find`], Japanese ones also as they are written, so that a part of a word is enough.
///
/// ```
/// use outflank_study::names::search;
/// assert_eq!(search("tiger")[0].0.english, Some("Tiger"));
/// let found = search("虎");
/// assert!(found.iter().any(|(name, _)| name.english == Some("Tiger")));
/// assert!(found.len() > 1 && search("").is_empty());
/// ```
pub fn search(text: &str) -> Vec<(OpeningName, Game)> {
    let text = text.trim();
    let wanted = fold(&romanize(text));
    if wanted.is_empty() {
        return Vec::new();
    }
    let written = text.to_lowercase();
    let rank = |entry: &Entry| {
        let of_name = |name: &str| {
            let folded = fold(name);
            let begins = |word: &str| fold(word).starts_with(&wanted);
            match () {
                () if folded == wanted => Some(0),
                () if folded.starts_with(&wanted) => Some(1),
                () if name.split([' ', '-']).any(begins) => Some(2),
                () if folded.contains(&wanted) => Some(3),
                () => None,
            }
        };
        let in_japanese = |name: &str| {
            let name = name.to_lowercase();
            match () {
                () if name == written => Some(0),
                () if name.starts_with(&written) => Some(1),
                () if name.contains(&written) => Some(3),
                () => None,
            }
        };
        let latin = entry.names().filter_map(of_name).min();
        let japanese = entry.japanese.and_then(in_japanese);
        latin.into_iter().chain(japanese).min()
    };
    let mut found: Vec<(usize, &Entry)> = entries()
        .iter()
        .filter_map(|entry| Some((rank(entry)?, entry)))
        .collect();
    found.sort_by_key(|(rank, entry)| (*rank, entry.game.moves().len()));
    found
        .into_iter()
        .map(|(_, entry)| (entry.name(), entry.game.clone()))
        .collect()
}

/// Returns the letters and digits of a name, small and without accents, long vowels as short ones.
fn fold(name: &str) -> String {
    let plain = |c: char| match c {
        'à'..='å' | 'ā' => 'a',
        'ç' => 'c',
        'è'..='ë' | 'ē' => 'e',
        'ì'..='ï' | 'ī' => 'i',
        'ñ' => 'n',
        'ò'..='ö' | 'ø' | 'ō' => 'o',
        'ù'..='ü' | 'ū' => 'u',
        c => c,
    };
    let letters: String = name
        .chars()
        .flat_map(char::to_lowercase)
        .map(plain)
        .filter(|c| c.is_alphanumeric())
        .collect();
    letters.replace("ou", "o").replace("oo", "o").replace("uu", "u")
}

/// Iterates over all named positions, each as the smallest image of its board from the side to move.
pub fn all() -> impl Iterator<Item = (Board, OpeningName)> {
    table().iter().map(|(board, entry)| (*board, entry.name()))
}

/// Returns the name of a position, if it has one.
pub fn of_position(position: &Position) -> Option<OpeningName> {
    table()
        .get(&position.board().canonical().0)
        .map(|entry| entry.name())
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
        assert_eq!((entries().len(), table().len(), lines), (363, 363, 363));
    }

    #[test]
    fn every_line_has_a_name_in_latin_letters() {
        for entry in entries() {
            let name = entry.name().best();
            let is_latin = |c: char| c < '\u{250}' || matches!(c, '♯' | '♭');
            assert!(!name.is_empty() && name.chars().all(is_latin), "{name}");
            assert_eq!(
                entry.name().romanized.is_some(),
                entry.japanese.is_some_and(|name| !name.is_ascii())
            );
        }
    }

    #[test]
    fn openings_are_found_by_their_names() {
        let one = |text: &str| match find(text) {
            Some(Found::One(name, game)) => Some((name.best(), game.transcript())),
            _ => None,
        };
        let tiger = one("Tiger");
        assert_eq!(tiger, Some(("Tiger", "f5d6c3d3c4".to_owned())));
        for text in [
            "tiger",
            " TIGER ",
            "Tiger opening",
            "虎定石",
            "tora jōseki",
            "Tora-Joseki",
            "tora jouseki",
        ] {
            assert_eq!(one(text), tiger, "{text}");
        }
        assert_eq!(one("leaders tiger").map(|(name, _)| name), Some("Leader's Tiger"));
        assert_eq!(one("bat"), one("Cambridge"));
        assert_eq!(one("no kung"), one("ノーカン"));
        // Every opening is found by what it is called, unless several are called so.
        for entry in entries() {
            let text = entry.name().best();
            match find(text) {
                Some(Found::One(name, game)) => {
                    assert_eq!(
                        (name, game.position()),
                        (entry.name(), entry.game.position()),
                        "{text}"
                    );
                }
                Some(Found::Several(names)) => assert!(names.contains(&entry.name()), "{text}"),
                None => assert!(text.contains('/'), "{text}"),
            }
        }
        let several = find("rocket or not");
        assert_eq!(several, None);
        assert!(matches!(find("no k"), Some(Found::Several(names)) if names.len() > 1));
        for text in ["", "f5d6", "x", "12", "zz top"] {
            assert_eq!(find(text), None, "{text}");
        }
    }

    #[test]
    fn a_search_finds_what_a_look_at_every_name_finds() {
        for text in [
            "tiger", "TIG", "虎", "定石", "ro", "ō", "no k", "bat", "x", "zzz", "蛇",
        ] {
            let found = search(text);
            for entry in entries() {
                let (wanted, names) = (fold(&romanize(text)), entry.names());
                let has = names.map(fold).any(|name| name.contains(&wanted))
                    || entry.japanese.is_some_and(|name| name.contains(text));
                let is_found = found.iter().any(|(_, game)| *game == entry.game);
                assert_eq!(has, is_found, "{text}: {}", entry.name());
            }
        }
        // Whatever one opening alone is called comes first.
        for entry in entries() {
            let name = entry.name().best();
            if let Some(Found::One(name, _)) = find(name).filter(|_| !name.contains('/')) {
                assert_eq!(search(name.best()).first().map(|found| found.0), Some(name));
            }
        }
        assert_eq!(search("tiger")[0].1.transcript(), "f5d6c3d3c4");
        assert!(search(" ").is_empty() && search("♯").is_empty());
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
