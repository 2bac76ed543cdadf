//! The same questions answered by looking at every game, with the rules on an array: slow, and written to be obviously
//! right.
//!
//! Nothing here uses the index, bitboards or numbered names: it is the oracle of the queries of any [`crate::Store`].

use crate::{Entry, Filter, Flags, Tally, folded, identity};
use outflank_othello::{Color, Position, Square, naive::NaiveBoard};
use std::collections::{BTreeMap, BTreeSet};

/// A game and the source that it is from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// The name of the source.
    pub source: String,
    /// The game; its flags say whether it is a duplicate.
    pub entry: Entry,
}

/// Where a game stands: its source, and its number there.
pub type Place = (String, u32);

/// What [`Scan::explore`] finds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explored {
    /// Games that go through the position, for the player to move.
    pub total: Tally,
    /// Games that end there.
    pub ended: Tally,
    /// The moves: all squares that are the same move, and how it fared.
    pub moves: BTreeMap<BTreeSet<Square>, Played>,
}

/// How a move fared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Played {
    /// The games, for the player who moves.
    pub total: Tally,
    /// The games, best known first.
    pub games: Vec<Place>,
}

/// A column and a row.
type Cell = (usize, usize);

/// A way to look at a board.
type View = Box<dyn Fn(Cell) -> Cell>;

/// The discs of the side to move and of the other side.
type Discs = (BTreeSet<Square>, BTreeSet<Square>);

/// The eight ways to look at a board.
fn views() -> Vec<View> {
    let mut views: Vec<View> = Vec::new();
    for turned in [false, true] {
        for mirrored in [false, true] {
            for flipped in [false, true] {
                views.push(Box::new(move |(column, row)| {
                    let (column, row) = if turned { (row, column) } else { (column, row) };
                    let column = if mirrored { 7 - column } else { column };
                    (column, if flipped { 7 - row } else { row })
                }));
            }
        }
    }
    views
}

/// Returns where a view shows a square.
fn seen(view: &View, square: Square) -> Square {
    let (column, row) = view((square.column(), square.row()));
    Square::from_coordinates(column, row).expect("on the board")
}

/// Returns the discs of a board from the side to move.
fn discs(board: &NaiveBoard) -> Discs {
    let of = |own: bool| {
        let is_meant = |square: &Square| {
            board.cells[square.row()][square.column()].is_some_and(|color| (color == board.side) == own)
        };
        Square::ALL.into_iter().filter(is_meant).collect()
    };
    (of(true), of(false))
}

/// Discs as two words, so that many fit into memory.
fn packed((own, other): &Discs) -> (u64, u64) {
    let word = |squares: &BTreeSet<Square>| squares.iter().map(|square| 1 << square.index()).sum();
    (word(own), word(other))
}

/// Passes if the side to move has no move and the other side has one.
fn settle(board: &mut NaiveBoard) {
    if board.legal_moves().is_empty() && !board.is_game_over() {
        board.pass();
    }
}

/// Returns the positions of a game without those with a pass, and what was played there.
pub fn positions(entry: &Entry) -> Vec<(NaiveBoard, Option<Square>)> {
    let mut board = NaiveBoard::from_position(&entry.moves.start());
    let mut positions = Vec::new();
    for &square in &entry.moves.squares {
        settle(&mut board);
        positions.push((board.clone(), Some(square)));
        board.place(square);
    }
    settle(&mut board);
    positions.push((board, None));
    positions
}

fn names(text: &str, name: &str) -> bool {
    if name.is_empty() {
        return false;
    }
    if let Some(exact) = text.trim().strip_prefix('=') {
        return identity(exact) == identity(name);
    }
    let (text, name) = (folded(text), folded(name));
    !text.is_empty()
        && text
            .split(' ')
            .all(|word| name.split(' ').any(|own| own.starts_with(word)))
}

/// Returns whether a game counts.
pub fn accepts(filter: &Filter, game: &Game) -> bool {
    let entry = &game.entry;
    let matches = |text: &Option<String>, name: &str| text.as_ref().is_none_or(|text| names(text, name));
    let sides = [
        (Color::Black, &entry.black, &entry.white),
        (Color::White, &entry.white, &entry.black),
    ];
    let side = sides.into_iter().find(|(side, player, opponent)| {
        matches(&filter.player, player)
            && matches(&filter.opponent, opponent)
            && (filter.player.is_none() || filter.color.is_none() || filter.color == Some(*side))
    });
    let Some((side, ..)) = side else { return false };
    if entry.flags.has(Flags::DUPLICATE) && !filter.duplicates {
        return false;
    }
    if filter.finished && !entry.flags.has(Flags::FINISHED) {
        return false;
    }
    if entry.discs < filter.min_discs {
        return false;
    }
    if let Some(years) = &filter.years
        && (entry.date.year == 0 || !years.contains(&entry.date.year))
    {
        return false;
    }
    if let Some(xot) = filter.xot
        && entry.flags.has(Flags::XOT) != xot
    {
        return false;
    }
    if let Some(range) = &filter.result {
        let possible: Vec<i32> = match (entry.result, entry.flags.winner()) {
            (Some(discs), _) => vec![discs.get()],
            (None, Some(Some(Color::Black))) => (1..=64).collect(),
            (None, Some(Some(Color::White))) => (-64..=-1).collect(),
            (None, Some(None)) => vec![0],
            (None, None) => (-64..=64).collect(),
        };
        let of_black = filter.player.is_none() || side == Color::Black;
        let margin = |discs: i32| if of_black { discs } else { -discs };
        if !possible.into_iter().all(|discs| range.contains(&margin(discs))) {
            return false;
        }
    }
    matches(&filter.event, &entry.event) && matches(&filter.source, &game.source)
}

fn add(tally: &mut Tally, entry: &Entry, side: Color) {
    let own = |discs: i32| i64::from(if side == Color::Black { discs } else { -discs });
    tally.games += 1;
    if let Some(winner) = entry.flags.winner() {
        match winner {
            None => tally.draws += 1,
            Some(color) if color == side => tally.wins += 1,
            Some(_) => tally.losses += 1,
        }
    }
    if let Some(discs) = entry.result {
        tally.discs += own(discs.get());
        tally.with_discs += 1;
    }
    if let Some((discs, _)) = entry.theoretical {
        tally.theoretical += own(discs.get());
        tally.with_theoretical += 1;
    }
    let year = entry.date.year;
    if year != 0 {
        let (first, last) = tally.years.unwrap_or((year, year));
        tally.years = Some((first.min(year), last.max(year)));
    }
}

/// A position in a game: the discs as words, the side to move, and what it played.
type Stand = ((u64, u64), Color, Option<Square>);

/// Games, each with all its positions.
#[derive(Clone, Debug)]
pub struct Scan {
    games: Vec<(Game, Vec<Stand>)>,
    /// How many games each name has.
    known: BTreeMap<String, u32>,
}

impl Scan {
    /// Replays all games.
    pub fn new(games: Vec<Game>) -> Self {
        let mut known: BTreeMap<String, u32> = BTreeMap::new();
        for game in &games {
            for name in [&game.entry.black, &game.entry.white] {
                *known.entry(name.clone()).or_default() += u32::from(!name.is_empty());
            }
        }
        let replayed = games.into_iter().map(|game| {
            let stand = |(board, mv): (NaiveBoard, _)| (packed(&discs(&board)), board.side, mv);
            let stands = positions(&game.entry).into_iter().map(stand).collect();
            (game, stands)
        });
        Self {
            games: replayed.collect(),
            known,
        }
    }

    /// Returns the games.
    pub fn games(&self) -> impl Iterator<Item = &Game> {
        self.games.iter().map(|(game, _)| game)
    }

    /// Returns how many games a name has.
    pub fn known(&self, name: &str) -> u32 {
        self.known.get(name).copied().unwrap_or(0)
    }

    /// Returns the games that go through a position, with how they stand there and the squares that are their move.
    fn through(&self, position: &Position) -> Vec<(&Game, &Stand, BTreeSet<Square>)> {
        let mut wanted = NaiveBoard::from_position(position);
        settle(&mut wanted);
        let wanted = discs(&wanted);
        // Each image of the position, with the view that takes it back.
        let image = |view: View| {
            let from = |squares: &BTreeSet<Square>| {
                Square::ALL
                    .into_iter()
                    .filter(|&square| squares.contains(&seen(&view, square)))
                    .collect()
            };
            (packed(&(from(&wanted.0), from(&wanted.1))), view)
        };
        let images: Vec<((u64, u64), View)> = views().into_iter().map(image).collect();
        let mut found = Vec::new();
        for (game, stands) in &self.games {
            let is_it = |stand: &&Stand| images.iter().any(|image| image.0 == stand.0);
            if let Some(stand) = stands.iter().find(is_it) {
                let views = images.iter().filter(|image| image.0 == stand.0);
                let squares = views.filter_map(|(_, view)| Some(seen(view, stand.2?)));
                found.push((game, stand, squares.collect()));
            }
        }
        found
    }

    /// Answers as [`crate::list()`] does, in the order of the games.
    pub fn list(&self, position: Option<&Position>, filter: &Filter) -> Vec<Place> {
        let games: Vec<&Game> = match position {
            Some(position) => self.through(position).into_iter().map(|found| found.0).collect(),
            None => self.games().collect(),
        };
        let accepted = games.into_iter().filter(|game| accepts(filter, game));
        accepted
            .map(|game| (game.source.clone(), game.entry.number))
            .collect()
    }

    /// Answers as [`crate::explore`] does.
    pub fn explore(&self, position: &Position, filter: &Filter) -> Explored {
        let mut explored = Explored::default();
        let mut found = self.through(position);
        found.retain(|(game, ..)| accepts(filter, game));
        found.sort_by_key(|(game, ..)| {
            let entry = &game.entry;
            std::cmp::Reverse((self.known(&entry.black).min(self.known(&entry.white)), entry.date))
        });
        for (game, (_, side, mv), squares) in found {
            add(&mut explored.total, &game.entry, *side);
            if mv.is_none() {
                add(&mut explored.ended, &game.entry, *side);
                continue;
            }
            let played = explored.moves.entry(squares).or_default();
            add(&mut played.total, &game.entry, *side);
            played.games.push((game.source.clone(), game.entry.number));
        }
        explored
    }
}

/// Returns which games are the same as one before them, by source and number; time grows with the square of the number.
pub fn duplicates(games: &[Game]) -> Vec<bool> {
    let is_long = |entry: &Entry| entry.flags.has(Flags::FINISHED) && entry.discs >= 34;
    let may_be = |entry: &Entry| (!entry.black.is_empty() && !entry.white.is_empty()) || is_long(entry);
    let is_same = |a: &Game, b: &Game| {
        let (a, b) = (&a.entry, &b.entry);
        let people = |entry: &Entry| [identity(&entry.black), identity(&entry.white)];
        let alike = || {
            let side = |entry: &Entry| entry.moves.start().side();
            let squares = |entry: &Entry| entry.moves.squares.clone();
            let start = |entry: &Entry| NaiveBoard::from_position(&entry.moves.start());
            let ((own, other), to) = (discs(&start(a)), discs(&start(b)));
            let is_seen = |view: &View| {
                let image =
                    |squares: &BTreeSet<Square>| squares.iter().map(|&square| seen(view, square)).collect();
                (image(&own), image(&other)) == to
                    && squares(a)
                        .into_iter()
                        .map(|square| seen(view, square))
                        .eq(squares(b))
            };
            side(a) == side(b) && views().iter().any(is_seen)
        };
        a.moves.squares.len() == b.moves.squares.len()
            && a.date.year == b.date.year
            && people(a) == people(b)
            && may_be(a)
            && may_be(b)
            && alike()
    };
    let before = |a: &Game, b: &Game| (&a.source, a.entry.number) < (&b.source, b.entry.number);
    let of = |game: &Game| {
        games
            .iter()
            .any(|other| before(other, game) && is_same(other, game))
    };
    games.iter().map(of).collect()
}
