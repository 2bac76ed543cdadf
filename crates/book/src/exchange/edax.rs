//! Books of Edax (`book.dat`): read, written, and checked by the rules by which Edax takes them.
//!
//! | bytes | content (little-endian) |
//! | --- | --- |
//! | 8 | `XADEKOOB` |
//! | 2 | u8 version (4), u8 release |
//! | 8 | date: i16 year, u8 month, day, hour, minute, second, 0 |
//! | 24 | i32 level, empty squares down to which the book goes, two errors, verbosity, number of positions |
//! | 42 + 2 n | a position: u64 player, opponent (a1 is bit 0); u32 wins, draws, losses, lines; i16 value, lower, upper; u8 n, level; n links and a leaf, each i8 score, u8 move (64 is a pass, 65 none) |

// Source: the layout of the file, [EDAX26].

use super::{ExchangeError, Report};
use crate::{
    Book, Derived, Fact, Kind, Move, Slot, Worked, Worth,
    derive::From,
    fact::{UNITS, to_discs},
    file::Cursor,
    place::Place,
};
use outflank_othello::{Bitboard, Board, Square};
use std::collections::{BTreeMap, BTreeSet};

const MAGIC: &[u8; 8] = b"XADEKOOB";
const VERSION: u8 = 4;
const RELEASE: u8 = 6;
const PASS: u8 = 64;
const NO_MOVE: u8 = 65;
/// The four squares that no game ever leaves empty.
const CENTER: Bitboard = Bitboard::new(0x0000_0018_1800_0000);

/// Returns whether a file that begins with `head` is a book of Edax.
pub fn is_edax(head: &[u8]) -> bool {
    head.starts_with(MAGIC)
}

/// How a book is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    /// What the facts name as their source.
    pub source: String,
    /// Depth of the values; that of the level that each position names, if left out.
    pub depth: Option<u32>,
}

/// How a book is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Export {
    /// The level that stands at every position; the depth that is most frequent in the book if left out.
    pub level: Option<u8>,
}

/// A move with its score, as in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Link {
    score: i8,
    to: u8,
}

impl Link {
    const NONE: Self = Self {
        score: 0,
        to: NO_MOVE,
    };

    fn square(self) -> Option<Square> {
        Square::from_index(usize::from(self.to))
    }
}

/// A position as in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Record {
    player: u64,
    opponent: u64,
    lines: u32,
    value: i16,
    lower: i16,
    upper: i16,
    level: u8,
    links: Vec<Link>,
    leaf: Link,
}

impl Record {
    fn board(&self) -> Option<Board> {
        Board::new(Bitboard::new(self.player), Bitboard::new(self.opponent))
    }

    fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.player.to_le_bytes());
        out.extend(self.opponent.to_le_bytes());
        // Wins, draws and losses of the lines are counted anew by Edax.
        for number in [0, 0, 0, self.lines] {
            out.extend(number.to_le_bytes());
        }
        for value in [self.value, self.lower, self.upper] {
            out.extend(value.to_le_bytes());
        }
        out.extend([self.links.len() as u8, self.level]);
        for link in self.links.iter().chain([&self.leaf]) {
            out.extend([link.score as u8, link.to]);
        }
    }

    fn read(rest: &mut Cursor<'_>) -> Option<Self> {
        let (player, opponent) = (rest.u64()?, rest.u64()?);
        rest.take(12)?;
        let lines = rest.u32()?;
        let (value, lower, upper) = (rest.i16()?, rest.i16()?, rest.i16()?);
        let (links, level) = (rest.u8()?, rest.u8()?);
        let mut link = || {
            Some(Link {
                score: rest.u8()? as i8,
                to: rest.u8()?,
            })
        };
        let links = (0..links).map(|_| link()).collect::<Option<Vec<_>>>()?;
        Some(Self {
            player,
            opponent,
            lines,
            value,
            lower,
            upper,
            level,
            links,
            leaf: link()?,
        })
    }
}

/// What stands at the beginning of a file.
struct Head {
    level: i32,
    count: i32,
}

/// Reads a file as far as it can be read; what is wrong with its end is in the report.
fn parse(bytes: &[u8], report: &mut Report) -> Result<(Head, Vec<Record>), ExchangeError> {
    const EDAX: &str = "Edax";
    let mut rest = Cursor(bytes);
    let not_one = || ExchangeError::NotOne(EDAX);
    if rest.take(8).is_none_or(|magic| magic != MAGIC) {
        return Err(not_one());
    }
    let version = rest.u8().ok_or_else(not_one)?;
    if version != VERSION {
        return Err(ExchangeError::Version {
            program: EDAX,
            version,
            known: VERSION,
        });
    }
    rest.take(9).ok_or_else(not_one)?;
    let mut number = || rest.u32().map(|number| number as i32).ok_or_else(not_one);
    let level = number()?;
    for _ in 0..4 {
        number()?;
    }
    let count = number()?;
    let mut records = Vec::new();
    while !rest.0.is_empty() {
        let before = rest.0.len();
        let Some(record) = Record::read(&mut rest) else {
            report.refuse(
                records.len() as u64,
                format!("cut short: only {before} bytes are left"),
            );
            break;
        };
        records.push(record);
    }
    Ok((Head { level, count }, records))
}

/// Adds what a book of Edax says to `book`; records that cannot be used are in the report.
///
/// # Errors
///
/// It is no such book.
pub fn read(bytes: &[u8], book: &mut Book, import: &Import) -> Result<Report, ExchangeError> {
    let mut report = Report::default();
    let (_, records) = parse(bytes, &mut report)?;
    let source = book.source(&import.source)?;
    let keys = records
        .iter()
        .filter_map(|record| Some(Place::key(record.board()?)?.0));
    let present: BTreeSet<Board> = keys.collect();
    for (number, record) in records.iter().enumerate() {
        let number = number as u64;
        let Some(board) = record.board() else {
            report.refuse(number, "the discs of the two sides overlap");
            continue;
        };
        if !CENTER.is_subset(board.occupied()) {
            report.refuse(number, "the center is not occupied: no game leads there");
            continue;
        }
        match Place::of(board) {
            Place::End(_) => report.ended += 1,
            Place::Node { passed: true, .. } => report.passes += 1,
            Place::Node { .. } => {
                read_record(
                    record,
                    board,
                    number,
                    &present,
                    &mut report,
                    &mut |slot, units, worth, report| {
                        report.add(book, board, slot, Fact::new(units, worth, source))
                    },
                    import,
                )?;
                book.add_position(board)?;
                report.positions += 1;
            }
        }
    }
    Ok(report)
}

type AddFact<'a> = &'a mut dyn FnMut(Slot, i32, Worth, &mut Report) -> Result<(), crate::BookError>;

fn read_record(
    record: &Record,
    board: Board,
    number: u64,
    present: &BTreeSet<Board>,
    report: &mut Report,
    add: AddFact<'_>,
    import: &Import,
) -> Result<(), ExchangeError> {
    let solved = record.lower == record.upper;
    let depth = import.depth.unwrap_or(u32::from(record.level));
    let kind = if solved { Kind::Claimed } else { Kind::Estimate };
    let worth = Worth::new(kind, depth, 0);
    let mut known = 0;
    let links = record.links.iter().map(|link| (link, false));
    for (link, is_leaf) in links.chain([(&record.leaf, true)]) {
        if is_leaf && link.to == NO_MOVE {
            continue;
        }
        let square = link.square().filter(|&square| !board.flips(square).is_empty());
        let Some(square) = square else {
            report.refuse(number, format!("move {} is not legal", link.to));
            continue;
        };
        if link.score.unsigned_abs() > 64 {
            report.refuse(number, format!("{square} has the score {}", link.score));
            continue;
        }
        known += 1;
        let after = board.play_unchecked(square, board.flips(square));
        let leads_on = match Place::of(after) {
            Place::Node { key, .. } => present.contains(&key),
            Place::End(_) => true,
        };
        if is_leaf || !leads_on {
            add(Slot::Move(square), i32::from(link.score) * UNITS, worth, report)?;
        }
    }
    if known == 0 {
        if record.value.unsigned_abs() > 64 {
            report.refuse(number, format!("its value is {}", record.value));
        } else {
            add(Slot::Position, i32::from(record.value) * UNITS, worth, report)?;
        }
    }
    Ok(())
}

/// Returns the depth that is most frequent among the facts; of equally frequent ones the greatest.
pub(super) fn usual_level(book: &Book) -> u8 {
    let mut counts = [0_u64; 64];
    for (_, entry) in book.iter() {
        for (_, fact) in entry.facts() {
            counts[fact.worth.depth().min(60) as usize] += 1;
        }
    }
    let known = (0..64).filter(|&depth| counts[depth] > 0);
    known.max_by_key(|&depth| counts[depth]).unwrap_or(0) as u8
}

/// Returns the positions that a format has room for which wants a move with a value at each.
fn with_moves(book: &Worked) -> BTreeSet<Board> {
    let has_value = |key: Board| book.moves(key).iter().any(|mv| mv.derived.value.is_some());
    book.iter()
        .map(|(key, ..)| key)
        .filter(|&key| has_value(key))
        .collect()
}

/// Writes a book as Edax takes it, with what had to be changed or left out.
///
/// # Errors
///
/// The level is none that fits.
pub fn write(book: &Worked, export: &Export) -> Result<(Vec<u8>, Report), ExchangeError> {
    let level = export.level.unwrap_or_else(|| usual_level(book.book()));
    if level > 60 {
        return Err(ExchangeError::Option("the level of a book of Edax is 0 to 60"));
    }
    let mut report = Report::default();
    let kept = with_moves(book);
    report.without_moves = (book.book().len() - kept.len()) as u64;
    let mut records: BTreeMap<Board, Record> = BTreeMap::new();
    let mut least_empties = 60;
    for &key in &kept {
        let Some(derived) = book.derived(key) else {
            continue;
        };
        let (mut links, mut others, mut passes) = (Vec::new(), Vec::new(), Vec::new());
        for mv in book.moves(key) {
            let Some(units) = mv.units() else { continue };
            let link = Link {
                score: to_discs(units) as i8,
                to: mv.square.index() as u8,
            };
            let after = key.play_unchecked(mv.square, key.flips(mv.square));
            match Place::of(after) {
                Place::Node {
                    key: next, passed, ..
                } if kept.contains(&next) => {
                    if passed {
                        passes.push((after.canonical().0, next));
                    }
                    links.push((units, link));
                }
                _ => others.push((units, mv, link)),
            }
        }
        let leaf = leaf(key, &mut links, &others, &mut report);
        least_empties = least_empties.min(key.empties().count());
        let links: Vec<Link> = links.into_iter().map(|(_, link)| link).collect();
        for (pass, next) in passes {
            if let Some(next) = book.derived(next) {
                let link = Link {
                    score: -value_of(next).0 as i8,
                    to: PASS,
                };
                records.entry(pass).or_insert_with(|| {
                    report.passes += 1;
                    let (value, lower, upper) = value_of(next);
                    record(
                        pass,
                        next,
                        (-value, -upper, -lower),
                        level,
                        vec![link],
                        Link::NONE,
                    )
                });
            }
        }
        report.positions += 1;
        records.insert(key, record(key, derived, value_of(derived), level, links, leaf));
    }
    let mut out = MAGIC.to_vec();
    out.extend([VERSION, RELEASE]);
    // No clock decides about the bytes of a file: the first of January 2000.
    out.extend([0xD0, 0x07, 1, 1, 0, 0, 0, 0]);
    let numbers = [
        i32::from(level),
        least_empties as i32,
        0,
        0,
        0,
        records.len() as i32,
    ];
    out.extend(numbers.into_iter().flat_map(i32::to_le_bytes));
    for record in records.values() {
        record.write(&mut out);
    }
    for problem in check(&out)? {
        report.refuse(problem.record, problem.reason);
    }
    Ok((out, report))
}

/// Returns value, lower and upper in discs.
fn value_of(derived: &Derived) -> (i16, i16, i16) {
    let value = to_discs(derived.value.map_or(0, i32::from)) as i16;
    let lower = to_discs(i32::from(derived.low)) as i16;
    let upper = to_discs(i32::from(derived.high)) as i16;
    (value, lower.min(value), upper.max(value))
}

fn record(
    key: Board,
    derived: &Derived,
    (value, lower, upper): (i16, i16, i16),
    level: u8,
    links: Vec<Link>,
    leaf: Link,
) -> Record {
    Record {
        player: key.player().bits(),
        opponent: key.opponent().bits(),
        lines: derived.lines,
        value,
        lower,
        upper,
        level,
        links,
        leaf,
    }
}

/// Returns the leaf: the best move that is no link. Where there is none, but not all legal moves are links, one is made.
fn leaf(key: Board, links: &mut Vec<(i32, Link)>, others: &[(i32, Move, Link)], report: &mut Report) -> Link {
    let best = others.iter().max_by_key(|(units, mv, _)| (*units, mv.square));
    if let Some((_, _, link)) = best {
        let lost = others.iter().filter(|(_, mv, _)| mv.from == From::Fact).count();
        report.left_out += lost.saturating_sub(1) as u64;
        return *link;
    }
    let linked: Bitboard = links
        .iter()
        .filter_map(|(_, link)| link.square())
        .fold(Bitboard::EMPTY, Bitboard::with);
    let unlinked = Bitboard::new(key.legal_moves().bits() & !linked.bits());
    let Some(first) = unlinked.first() else {
        return Link::NONE;
    };
    report.made_leaves += 1;
    // A legal move that is the image of a link has its score.
    let distinct = crate::place::distinct_move(key, first);
    if let Some((_, link)) = links.iter().find(|(_, link)| link.square() == Some(distinct)) {
        return Link {
            score: link.score,
            to: first.index() as u8,
        };
    }
    let worst = (0..links.len()).min_by_key(|&place| links[place].0);
    worst.map_or(Link::NONE, |place| links.remove(place).1)
}

/// Returns what Edax would not take, or not without a warning; nothing if it would take everything.
///
/// # Errors
///
/// It is no book of Edax.
pub fn check(bytes: &[u8]) -> Result<Vec<super::Problem>, ExchangeError> {
    let mut report = Report::default();
    let (head, records) = parse(bytes, &mut report)?;
    let boards: BTreeSet<Board> = records.iter().filter_map(Record::board).collect();
    if i64::from(head.count) != records.len() as i64 {
        let reason = format!("the file says {} positions and has {}", head.count, records.len());
        report.refuse(records.len() as u64, reason);
    }
    let mut seen = BTreeSet::new();
    for (number, record) in records.iter().enumerate() {
        if let Err(reason) = acceptable(record, head.level, &boards, &mut seen) {
            report.refuse(number as u64, reason);
        }
    }
    Ok(report.problems)
}

fn acceptable(
    record: &Record,
    level: i32,
    boards: &BTreeSet<Board>,
    seen: &mut BTreeSet<Board>,
) -> Result<(), String> {
    let board = record.board().ok_or("the discs of the two sides overlap")?;
    let demand = |condition: bool, reason: &str| condition.then_some(()).ok_or_else(|| reason.to_owned());
    demand(CENTER.is_subset(board.occupied()), "the center is not occupied")?;
    demand(
        board.canonical().0 == board,
        "it is not the smallest of its images",
    )?;
    demand(seen.insert(board), "the position is there twice")?;
    demand(
        i32::from(record.level) == level,
        "its level is not that of the book",
    )?;
    demand(
        record.lower <= record.value && record.value <= record.upper,
        "its value is not within its limits",
    )?;
    let mut linked = Bitboard::EMPTY;
    let legal = board.legal_moves();
    for link in &record.links {
        let next = if link.to == PASS {
            demand(board.must_pass(), "it passes although there are moves")?;
            demand(record.links.len() == 1, "it has links beside a pass")?;
            board.passed()
        } else {
            let square = link.square().filter(|&square| legal.contains(square));
            let square = square.ok_or_else(|| format!("link {} is not legal", link.to))?;
            demand(!linked.contains(square), "a link is there twice")?;
            linked = linked.with(square);
            board.play_unchecked(square, board.flips(square))
        };
        demand(
            boards.contains(&next.canonical().0),
            "a link leads to no position",
        )?;
    }
    match record.leaf.to {
        NO_MOVE => {
            let all = record.links.len() == legal.count() as usize;
            let passes = matches!(record.links[..], [Link { to: PASS, .. }]);
            demand(
                passes || all && (!legal.is_empty() || board.is_game_over()),
                "it has no leaf although not all legal moves are links",
            )
        }
        PASS => demand(
            board.must_pass() && record.links.is_empty(),
            "its leaf is a pass that is not the only move",
        ),
        to => {
            let square = record.leaf.square().filter(|&square| legal.contains(square));
            let square = square.ok_or_else(|| format!("leaf {to} is not legal"))?;
            demand(!linked.contains(square), "its leaf is a link")
        }
    }
}
