//! Opening books of Othello: what they say about a position, what is in them, and other programs' books.

use crate::{
    error::Error,
    wire::{Opening, board_and_side, hundredths},
};
use outflank_book::{
    Book, Derived, Expected, Fact, From, Grade, Look, Move, Slot, UNITS, View, Worked, Worth,
    exchange::{
        Report,
        edax::{self, is_edax},
        egaroucid::{self, is_egaroucid},
        json,
    },
    is_book, is_packed, umigame,
};
use outflank_othello::{Board, Game, Position, Square};
use outflank_records::{Content, obf};
use outflank_study::{learn, names};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a book says about a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BookPosition {
    /// 64 characters, a1 first.
    pub board: String,
    /// `X` or `O`, to move.
    pub side: String,
    /// Whether the book has the position.
    pub known: bool,
    /// The value of the best move in discs, for the side to move; after a pass for the other one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// What the value will hardly fall below, and hardly exceed, in discs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<[f64; 2]>,
    /// What is proved of the value, in discs; −64 and 64 if nothing is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proved: Option<[i32; 2]>,
    /// How far the value can be trusted: A is proved, F a shallow search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grade: Option<String>,
    /// Lines from here to where the book ends.
    #[serde(default)]
    pub lines: u32,
    /// No move that has no value is worth more than this, in discs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rest: Option<f64>,
    /// The moves that the book has, best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<BookMove>,
    /// The name of the opening.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening: Option<Opening>,
}

/// What a book says about a move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BookMove {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// What it is worth in discs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// What it gives away in discs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss: Option<f64>,
    /// How far its value can be trusted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grade: Option<String>,
    /// How far its value may still move, in discs.
    pub risk: f64,
    /// Where its value comes from: `fact`, `next` (the position behind it), `end`, or `nothing`.
    pub from: String,
    /// What was said about the move itself: `estimate`, `to-end`, `claimed`, `manual` or `exact`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// How far the search looked that said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Who said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Games in which it was played.
    #[serde(default)]
    pub games: u32,
    /// Their mean result for who made it, in discs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean: Option<f64>,
}

/// Returns units in discs with two decimals.
fn discs(units: impl Into<i32>) -> f64 {
    hundredths(f64::from(units.into()) / f64::from(UNITS))
}

impl BookMove {
    fn new(book: &dyn Look, view: &View, mv: &Move) -> Self {
        let games = mv.count.games;
        Self {
            mv: mv.square.to_string(),
            value: mv.units().map(discs),
            loss: view.loss(mv).map(discs),
            grade: mv.derived.grade.map(|grade| grade.to_string()),
            risk: discs(mv.derived.risk()),
            from: match mv.from {
                From::Fact => "fact",
                From::Next => "next",
                From::End => "end",
                From::Nothing => "nothing",
            }
            .to_owned(),
            kind: mv.fact.map(|fact| fact.worth.kind().name().to_owned()),
            depth: mv.fact.map(|fact| fact.worth.depth()).filter(|&depth| depth > 0),
            source: mv.fact.map(|fact| book.source_name(fact.source).to_owned()),
            games,
            mean: (games > 0).then(|| discs(mv.count.mean)),
        }
    }
}

/// Returns what `book` says about the position at the end of `game`.
///
/// # Errors
///
/// The book cannot be read.
pub fn show(book: &dyn Look, game: &Game) -> Result<BookPosition, Error> {
    let position = game.position();
    let (board, side) = board_and_side(position);
    let view = View::of(book, position.board()).map_err(|error| Error::Input(error.to_string()))?;
    let mut shown = BookPosition {
        board,
        side,
        known: view.is_some(),
        value: None,
        range: None,
        proved: None,
        grade: None,
        lines: 0,
        rest: None,
        moves: Vec::new(),
        opening: names::of_game(game).map(Into::into),
    };
    if let Some(view) = view {
        let derived = &view.derived;
        shown.value = derived.value.map(discs);
        shown.range = derived.value.map(|_| [discs(derived.low), discs(derived.high)]);
        shown.proved = Some([i32::from(derived.proved_low), i32::from(derived.proved_high)]);
        shown.grade = derived.grade.map(|grade| grade.to_string());
        shown.lines = derived.lines;
        shown.rest = view.entry.rest().map(|rest| discs(rest.value));
        let known = view
            .moves
            .iter()
            .filter(|mv| mv.from != From::Nothing || mv.count.games > 0);
        shown.moves = known.map(|mv| BookMove::new(book, &view, mv)).collect();
    }
    Ok(shown)
}

/// What is in a book.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct BookStats {
    /// Positions.
    pub positions: usize,
    /// Moves about which something is known.
    pub moves: usize,
    /// Moves with counted games.
    pub counted: usize,
    /// The most games in which a move was played.
    pub games: u32,
    /// Rounds of learning.
    pub round: u64,
    /// What tells the facts from those of another book.
    pub digest: String,
    /// The value of the start position in discs.
    pub root: Option<f64>,
    /// Bytes of the book's file, and when packed.
    pub bytes: [usize; 2],
    /// Positions by the number of discs.
    pub by_discs: BTreeMap<u32, usize>,
    /// Positions by grade.
    pub by_grade: BTreeMap<String, usize>,
    /// Facts by kind and depth, such as `estimate 18`.
    pub by_worth: BTreeMap<String, usize>,
    /// Facts by source.
    pub by_source: BTreeMap<String, usize>,
    /// What the book was made with.
    pub settings: BTreeMap<String, String>,
}

/// Counts what is in a book.
pub fn stats(book: &Worked) -> BookStats {
    let mut stats = BookStats {
        positions: book.book().len(),
        moves: 0,
        counted: 0,
        games: 0,
        round: book.book().round,
        digest: book.book().digest().to_string(),
        root: book
            .derived(Board::start().canonical().0)
            .and_then(|derived| derived.value)
            .map(discs),
        bytes: [
            book.write(Vec::new()).map_or(0, |bytes| bytes.len()),
            outflank_book::pack(book.book()).len(),
        ],
        by_discs: BTreeMap::new(),
        by_grade: BTreeMap::new(),
        by_worth: BTreeMap::new(),
        by_source: BTreeMap::new(),
        settings: book.book().settings.clone(),
    };
    for (key, entry, derived) in book.iter() {
        *stats.by_discs.entry(key.occupied().count()).or_default() += 1;
        let grade = derived.grade.map_or("none".to_owned(), |grade| grade.to_string());
        *stats.by_grade.entry(grade).or_default() += 1;
        stats.moves += entry.moves().len();
        for known in entry.moves().iter().filter(|known| known.count.games > 0) {
            stats.counted += 1;
            stats.games = stats.games.max(known.count.games);
        }
        for (_, fact) in entry.facts() {
            let worth = format!("{} {}", fact.worth.kind().name(), fact.worth.depth());
            *stats.by_worth.entry(worth).or_default() += 1;
            let source = book.book().source_name(fact.source).to_owned();
            *stats.by_source.entry(source).or_default() += 1;
        }
    }
    stats
}

/// How much there is to know of an opening.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UmigameObject {
    /// 64 characters, a1 first.
    pub board: String,
    /// `X` or `O`, to move.
    pub side: String,
    /// Lines that black must know.
    pub black: u64,
    /// Lines that white must know.
    pub white: u64,
    /// Different positions with black to move in these lines.
    pub black_positions: u64,
    /// Different positions with white to move in these lines.
    pub white_positions: u64,
}

/// Returns how much there is to know from a position on, if the book has it.
pub fn count_lines(book: &Worked, position: &Position, expected: Expected) -> Option<UmigameObject> {
    let found = umigame(book, position.board(), position.side(), expected)?;
    let (board, side) = board_and_side(position);
    Some(UmigameObject {
        board,
        side,
        black: found.black,
        white: found.white,
        black_positions: found.black_positions,
        white_positions: found.white_positions,
    })
}

/// What became of a book on its way in or out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ExchangeObject {
    /// The format.
    pub format: String,
    /// Positions read or written.
    pub positions: u64,
    /// Facts where there was none.
    pub new: u64,
    /// Facts that are worth more than those before.
    pub better: u64,
    /// Facts that are worth less, or were there already.
    pub worse: u64,
    /// Positions in which a pass is the only move: left out on the way in, made on the way out.
    pub passes: u64,
    /// Positions left out because the game is over.
    pub ended: u64,
    /// Values for which the format has no room.
    pub left_out: u64,
    /// Links that were turned into the leaf that the format demands.
    pub made_leaves: u64,
    /// Positions that the format cannot have, as nothing but their value is known.
    pub without_moves: u64,
    /// Records that could not be used.
    pub refused: u64,
    /// Why, for the first of them.
    pub problems: Vec<String>,
}

impl ExchangeObject {
    fn new(format: &str, report: &Report) -> Self {
        Self {
            format: format.to_owned(),
            positions: report.positions,
            new: report.new,
            better: report.better,
            worse: report.worse,
            passes: report.passes,
            ended: report.ended,
            left_out: report.left_out,
            made_leaves: report.made_leaves,
            without_moves: report.without_moves,
            refused: report.refused,
            problems: report.problems.iter().map(ToString::to_string).collect(),
        }
    }
}

/// Adds what a file says to `book`: a book of Edax or Egaroucid, one of ours in any form, or positions with scores in any
/// notation. `name` becomes the source of facts that have none; `depth` the depth of those that a book of Edax has.
///
/// # Errors
///
/// It is none of these.
pub fn import(
    bytes: &[u8],
    book: &mut Book,
    name: &str,
    depth: Option<u32>,
) -> Result<ExchangeObject, Error> {
    let fail = |error: &dyn std::fmt::Display| Error::Input(error.to_string());
    if is_edax(bytes) {
        let import = edax::Import {
            source: name.to_owned(),
            depth,
        };
        let report = edax::read(bytes, book, &import).map_err(|error| fail(&error))?;
        return Ok(ExchangeObject::new("edax", &report));
    }
    if is_egaroucid(bytes) {
        let report = egaroucid::read(bytes, book, name).map_err(|error| fail(&error))?;
        return Ok(ExchangeObject::new("egaroucid", &report));
    }
    if is_book(bytes) || is_packed(bytes) {
        let other = Book::from_bytes(bytes).map_err(|error| fail(&error))?;
        let union = book.union(&other).map_err(|error| fail(&error))?;
        return Ok(ExchangeObject {
            format: "outflank".to_owned(),
            positions: other.len() as u64,
            new: union.new as u64,
            better: union.better as u64,
            worse: (union.worse + union.same) as u64,
            ..ExchangeObject::default()
        });
    }
    if bytes.starts_with(b"{\"book\"") {
        let text = std::str::from_utf8(bytes).map_err(|error| fail(&error))?;
        let report = json::read(text, book).map_err(|error| fail(&error))?;
        return Ok(ExchangeObject::new("json", &report));
    }
    import_positions(bytes, book, name)
}

/// Adds positions whose moves have scores.
fn import_positions(bytes: &[u8], book: &mut Book, name: &str) -> Result<ExchangeObject, Error> {
    let mut object = ExchangeObject {
        format: "positions".to_owned(),
        ..ExchangeObject::default()
    };
    let fail = |error: outflank_book::BookError| Error::Input(error.to_string());
    let source = book.source(name).map_err(fail)?;
    let mut failed = Ok(());
    crate::Source::Reader(Box::new(bytes)).each_othello(&mut |item| {
        let scored = match item {
            Ok(item) => match item.content {
                Content::Position(scored) => scored,
                Content::Game(_) => {
                    object.refused += 1;
                    object
                        .problems
                        .push(format!("line {}: a game has no scores", item.line));
                    return true;
                }
            },
            Err(bad) => {
                object.refused += 1;
                object.problems.push(bad.to_string());
                return true;
            }
        };
        let board = scored.position.board();
        let worth = Worth::new(outflank_book::Kind::Claimed, board.empties().count(), 0);
        let mut facts: Vec<(Slot, i32)> = Vec::new();
        for score in &scored.scores {
            facts.extend(
                score
                    .mv
                    .square()
                    .map(|square| (Slot::Move(square), score.discs.get())),
            );
        }
        if facts.is_empty() {
            facts.extend(scored.best.map(|best| (Slot::Position, best.get())));
        }
        if board.legal_moves().is_empty() {
            object.passes += 1;
            return true;
        }
        object.positions += 1;
        for (slot, discs) in facts {
            match book.add(board, slot, Fact::new(discs * UNITS, worth, source)) {
                Ok(outflank_book::Added::New) => object.new += 1,
                Ok(outflank_book::Added::Better) => object.better += 1,
                Ok(_) => object.worse += 1,
                Err(error) => {
                    failed = Err(fail(error));
                    return false;
                }
            }
        }
        true
    });
    failed?;
    if object.positions == 0 && object.refused == 0 {
        return Err(Error::Input("there is no book and no position in it".to_owned()));
    }
    object.problems.truncate(20);
    Ok(object)
}

/// The formats that books are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportFormat {
    /// Edax's `book.dat`.
    Edax,
    /// Egaroucid's `egbk3`.
    Egaroucid,
    /// One position a line, with nothing left out.
    Json,
    /// Positions with the scores of the moves that have one.
    Obf,
}

/// Writes a book for other programs.
///
/// # Errors
///
/// The level is none of the format.
pub fn export(
    book: &Worked,
    format: ExportFormat,
    level: Option<u8>,
) -> Result<(Vec<u8>, ExchangeObject), Error> {
    let all = |name: &str| ExchangeObject {
        format: name.to_owned(),
        positions: book.book().len() as u64,
        ..ExchangeObject::default()
    };
    Ok(match format {
        ExportFormat::Edax => {
            let written = edax::write(book, &edax::Export { level });
            let (bytes, report) = written.map_err(|error| Error::Input(error.to_string()))?;
            (bytes, ExchangeObject::new("edax", &report))
        }
        ExportFormat::Egaroucid => {
            let (bytes, report) = egaroucid::write(book, level);
            (bytes, ExchangeObject::new("egaroucid", &report))
        }
        ExportFormat::Json => (json::write(book.book()).into_bytes(), all("json")),
        ExportFormat::Obf => (to_obf(book).into_bytes(), all("obf")),
    })
}

fn to_obf(book: &Worked) -> String {
    let mut text = String::new();
    for (key, _, derived) in book.iter() {
        let mut scored =
            outflank_records::ScoredPosition::new(Position::new(key, outflank_othello::Color::Black));
        let score = |mv: Move| {
            Some(outflank_records::MoveScore {
                mv: outflank_othello::Move::Place(mv.square),
                discs: outflank_othello::Discs::saturating(outflank_book::to_discs(mv.units()?)),
            })
        };
        scored.scores = book.moves(key).into_iter().filter_map(score).collect();
        scored
            .scores
            .sort_by_key(|score| std::cmp::Reverse(score.discs.get()));
        scored.comment = worth_of(derived);
        text.push_str(&obf::write(&scored));
        text.push('\n');
    }
    text
}

fn worth_of(derived: &Derived) -> String {
    derived
        .grade
        .map_or(String::new(), |grade: Grade| format!("grade {grade}"))
}

/// What a book learned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LearnedObject {
    /// Positions before.
    pub before: usize,
    /// Positions now.
    pub after: usize,
    /// Positions that were evaluated.
    pub evaluated: usize,
    /// Rounds that were finished.
    pub rounds: u64,
    /// Positions that have another best move now.
    pub changed: usize,
    /// The value of the start position before and now, in discs.
    pub root: [Option<f64>; 2],
    /// Whether everything was done.
    pub complete: bool,
    /// Time taken.
    pub seconds: f64,
}

impl LearnedObject {
    /// Returns what was learned in so many seconds.
    pub fn new(learned: &learn::Learned, seconds: f64) -> Self {
        Self {
            before: learned.before,
            after: learned.after,
            evaluated: learned.evaluated,
            rounds: learned.rounds,
            changed: learned.changed,
            root: [learned.root_before.map(discs), learned.root_after.map(discs)],
            complete: learned.complete,
            seconds: hundredths(seconds),
        }
    }
}

/// What was found wrong with a book.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CheckObject {
    /// Positions that were looked at.
    pub positions: u64,
    /// Proved values that were solved again.
    pub solved: usize,
    /// What is wrong.
    pub problems: Vec<String>,
}

/// Takes facts of which our solver says that they are proved, at random, for them to be solved again.
pub fn proved_facts(book: &Book, most: usize, seed: u64) -> Vec<(Board, Square, i32)> {
    let mut all: Vec<(Board, Square, i32)> = Vec::new();
    for (key, entry) in book.iter() {
        for (slot, fact) in entry.facts().filter(|(_, fact)| fact.worth.is_exact()) {
            if let Slot::Move(square) = slot {
                all.push((key, square, fact.units() / UNITS));
            }
        }
    }
    let mut random = outflank_game::SplitMix64::new(seed);
    let mut picked = Vec::new();
    while !all.is_empty() && picked.len() < most {
        picked.push(all.swap_remove(random.below(all.len())));
    }
    picked
}
