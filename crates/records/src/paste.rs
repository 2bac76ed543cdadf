//! The one entry point for text: recognizes every notation and reads it, item by item.
//!
//! A text is a list of items, usually one a line: boards (also over several lines, with or without labels), OBF lines,
//! transcripts, GGF and SGF records, PGN games, JSON, rows of a table. Blank lines and lines that start with `%`, `#` or
//! `//` separate them. A line of moves that is no game of its own goes on with the line before it, if it can: moves may
//! stand one a line, or be wrapped.
//! What cannot be read is listed with line, column and reason; the rest is read all the same.

use crate::{
    BadItem, Content, Failed, Format, GameRecord, Item, Parsed, PasteError, Pasted, Problem, ReadError,
    ScoredPosition, Warning, board, bracket, diagram, fen, ggf, json,
    looks::{has_square, n_squares, starts_with_move},
    obf, pgn, sgf, stated,
    text::{Scanner, excerpt},
    transcript, tree,
    wthor::NameFile,
};
use outflank_othello::Game;
use std::{collections::VecDeque, io::BufRead};

mod classify;
mod lines;
mod rows;
mod source;
mod table;

use classify::{
    continues_moves, is_board_line, is_bracket_board, is_fen, is_fence, is_json, is_pgn, is_sgf,
    may_be_moves, starts_record,
};
use lines::Line;
use rows::{Drawn, Rows};
use source::{Found, Source};
use table::Table;

/// Longest line, and longest record of several lines, in bytes: more is an error, so that no file exhausts memory.
pub const MAX_RECORD_BYTES: usize = 1 << 20;

/// Reads everything in a text.
///
/// # Errors
///
/// Returns an error only if nothing at all could be read; with some good items, the bad ones are in [`Pasted::bad`].
///
/// # Examples
///
/// ```
/// use outflank_records::{Content, Format, paste};
/// let text = "f5d6c3d3c4\n\
///             --XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12;\n\
///             f5f4g7\n";
/// let pasted = paste(text)?;
/// assert_eq!(pasted.items[0].format, Format::Transcript);
/// assert_eq!(pasted.items[0].game().moves().len(), 5);
/// assert_eq!(pasted.items[1].format, Format::Obf);
/// let Content::Position(scored) = &pasted.items[1].content else { unreachable!() };
/// assert_eq!(scored.expected().map(|discs| discs.get()), Some(18));
/// assert_eq!(pasted.bad[0].to_string(), "line 3, column 5: ply 3, g7: g7 flips nothing");
/// # Ok::<(), outflank_records::PasteError>(())
/// ```
pub fn paste(text: &str) -> Result<Pasted, PasteError> {
    paste_bytes(text.as_bytes())
}

/// Reads everything in a text that may not be UTF-8: lines that are not are read as Latin-1, with a warning.
///
/// # Errors
///
/// As [`paste`].
pub fn paste_bytes(bytes: &[u8]) -> Result<Pasted, PasteError> {
    let mut pasted = Pasted::default();
    for item in read_items(bytes) {
        match item {
            Ok(item) => pasted.items.push(item),
            Err(bad) => pasted.bad.push(bad),
        }
    }
    match (pasted.items.is_empty(), pasted.bad.is_empty()) {
        (false, _) => Ok(pasted),
        (true, true) => Err(PasteError::Empty),
        (true, false) => Err(PasteError::Bad(pasted.bad)),
    }
}

/// Reads items one by one, in memory that does not grow with the input: text in any notation, or the games of a WTHOR
/// file, which are recognized by their header.
///
/// ```
/// use outflank_records::read_items;
/// let file = "f5d6\n\n% a comment\nf5f6e6\n".as_bytes();
/// let lines: Vec<usize> = read_items(file).map(|item| item.map_or(0, |item| item.line)).collect();
/// assert_eq!(lines, [1, 4]);
/// ```
pub fn read_items<R: BufRead>(input: R) -> Items<R> {
    Items {
        source: Source::new(input),
        names: (None, None),
        pending: Pending::None,
        queue: VecDeque::new(),
        remark: String::new(),
        refused: None,
        done: false,
    }
}

/// The items of a text; see [`read_items`].
#[derive(Debug)]
pub struct Items<R> {
    source: Source<R>,
    /// Players and tournaments of WTHOR games.
    names: (Option<NameFile>, Option<NameFile>),
    pending: Pending,
    queue: VecDeque<Result<Item, BadItem>>,
    /// Text of a server in front of a board, for its warning; empty if there is none.
    remark: String,
    /// Why the board that a server sends next is not read, if it is of another game.
    refused: Option<Problem>,
    done: bool,
}

/// Lines that belong together.
#[derive(Clone, Debug, Default)]
struct Chunk {
    /// Number of the first line, from 1.
    line: usize,
    /// The lines, with line breaks between them.
    text: String,
    /// Whether a line is not UTF-8.
    latin1: bool,
}

impl Chunk {
    fn new(line: &Line) -> Self {
        Self {
            line: line.number,
            text: line.text.clone(),
            latin1: line.latin1,
        }
    }

    fn push(&mut self, line: &Line) {
        self.text.push('\n');
        self.text.push_str(&line.text);
        self.latin1 |= line.latin1;
    }
}

/// What is not complete yet.
#[derive(Debug)]
enum Pending {
    None,
    /// A drawn board.
    Rows(Rows),
    /// A board in square brackets.
    Bracket(Chunk),
    /// A transcript that further lines may continue.
    Moves(Moves),
    /// GGF or SGF.
    Group(Chunk, bracket::Depth),
    /// PGN, and whether its moves have begun.
    Pgn(Chunk, bool),
    /// JSON.
    Json(Chunk, bracket::JsonDepth),
    /// Rows of a table, whose heading was read.
    Table(Table),
}

/// Lines of moves.
#[derive(Debug)]
struct Moves {
    chunk: Chunk,
    /// The game so far; of one that is damaged what stands before the damage.
    game: Game,
    /// Whether all moves are legal and nothing but moves was found.
    is_whole: bool,
    /// Whether each line was one move.
    is_single: bool,
    /// Whether there are several lines.
    is_joined: bool,
}

impl Moves {
    fn new(line: &Line) -> Self {
        let read = transcript::read(Game::new(), &line.text);
        let (game, is_whole) = match read {
            Ok(parsed) => (parsed.value, is_all_moves(&parsed.warnings)),
            Err(failed) => (failed.legal.game, false),
        };
        Self {
            chunk: Chunk::new(line),
            is_single: is_whole && game.moves().len() == 1,
            game,
            is_whole,
            is_joined: false,
        }
    }

    /// Takes in a line if it goes on with the game; `trimmed` is what is in it.
    fn feed(&mut self, line: &Line, trimmed: &str) -> bool {
        if self.chunk.text.len() > MAX_RECORD_BYTES || !may_be_moves(trimmed) {
            return false;
        }
        let is_numbered = continues_moves(trimmed);
        if !self.is_whole {
            // Numbers say it, whatever the moves are.
            if is_numbered {
                self.chunk.push(line);
            }
            return is_numbered;
        }
        let n_moves = |game: &Game| game.moves().len();
        let before = n_moves(&self.game);
        let (going_on, is_good, is_whole) = match transcript::read(self.game.clone(), trimmed) {
            Ok(parsed) => (parsed.value, true, is_all_moves(&parsed.warnings)),
            Err(failed) => (failed.legal.game, false, false),
        };
        let n_more = n_moves(&going_on) - before;
        let is_result =
            is_good && n_more == 0 && trimmed.starts_with(|c: char| c.is_ascii_digit() || c == '*');
        let (n_alone, is_game) = match transcript::read(Game::new(), trimmed) {
            Ok(parsed) => (n_moves(&parsed.value), true),
            Err(failed) => (n_moves(&failed.legal.game), false),
        };
        let goes_on = if is_game {
            // A game of its own, unless it stands in a list of single moves or of lines that are none, or has the next
            // number, whatever is said behind its moves.
            let is_listed = is_whole && (self.is_single && n_more == 1 || self.is_joined);
            n_more > 0 && (is_listed || is_good && is_numbered)
        } else {
            // A damaged line: it belongs to a list of lines, or to the game with which most of it goes on.
            let in_list = self.is_joined && n_alone == 0 && starts_with_move(Scanner::new(trimmed));
            let mostly = n_more > n_alone && 2 * n_more >= n_squares(trimmed);
            is_numbered || is_result || in_list || mostly || is_whole && n_more > 0
        };
        if goes_on {
            self.is_single &= n_more == 1;
            self.is_joined = true;
            self.game = going_on;
            self.is_whole = is_whole;
            self.chunk.push(line);
        }
        goes_on
    }
}

impl<R: BufRead> Iterator for Items<R> {
    type Item = Result<Item, BadItem>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(item) = self.queue.pop_front() {
                return Some(item);
            }
            if self.done {
                return None;
            }
            match self.source.next() {
                Some(Found::Line(line)) => self.feed(&line),
                Some(Found::Game(game)) => {
                    let record = game.to_game_record(self.names.0.as_ref(), self.names.1.as_ref());
                    let warnings = stated::check(&record);
                    return Some(Ok(Item {
                        line: game.number,
                        format: Format::Wthor,
                        content: Content::Game(record),
                        tree: None,
                        warnings,
                    }));
                }
                Some(Found::Bad(number, problem)) => {
                    self.flush();
                    let format = matches!(problem, Problem::Wthor(_)).then_some(Format::Wthor);
                    self.queue.push_back(Err(BadItem {
                        line: number,
                        column: 1,
                        format,
                        text: String::new(),
                        error: ReadError::new(0, problem),
                        legal: None,
                    }));
                }
                None => {
                    self.flush();
                    self.done = true;
                }
            }
        }
    }
}

impl<R> Items<R> {
    /// Gives the games of a WTHOR file the names of their players and tournaments.
    #[must_use]
    pub fn with_names(self, players: Option<NameFile>, tournaments: Option<NameFile>) -> Self {
        Self {
            names: (players, tournaments),
            ..self
        }
    }

    /// Takes in a line: it continues what is pending or completes it.
    fn feed(&mut self, line: &Line) {
        let trimmed = line.text.trim();
        match &mut self.pending {
            Pending::None => {}
            Pending::Rows(rows) => {
                if rows.feed(line) {
                    return;
                }
            }
            Pending::Bracket(chunk) => {
                chunk.push(line);
                if line.text.contains(']') || chunk.text.len() > 1000 {
                    self.flush();
                }
                return;
            }
            Pending::Moves(moves) => {
                if moves.feed(line, trimmed) {
                    return;
                }
            }
            Pending::Table(table) => {
                if !trimmed.is_empty()
                    && let Some(found) = table.feed(&Chunk::new(line))
                {
                    for (chunk, offset, format, read) in found {
                        self.push(&chunk, offset, format, read);
                    }
                    return;
                }
            }
            Pending::Group(chunk, depth) => {
                if !starts_record(trimmed) {
                    chunk.push(line);
                    depth.feed(&line.text);
                    depth.feed("\n");
                    if depth.is_closed() || chunk.text.len() > MAX_RECORD_BYTES {
                        self.flush();
                    }
                    return;
                }
            }
            Pending::Pgn(chunk, in_moves) => {
                let is_tag = trimmed.starts_with('[');
                let ends = *in_moves && (is_tag || trimmed.is_empty()) || chunk.text.len() > MAX_RECORD_BYTES;
                if !ends {
                    *in_moves |= !is_tag && !trimmed.is_empty();
                    chunk.push(line);
                    return;
                }
            }
            Pending::Json(chunk, depth) => {
                chunk.push(line);
                depth.feed(&line.text);
                if depth.is_closed() || chunk.text.len() > MAX_RECORD_BYTES {
                    self.flush();
                }
                return;
            }
        }
        self.flush();
        self.start(line, trimmed);
    }

    /// Takes in a line while nothing is pending.
    fn start(&mut self, line: &Line, trimmed: &str) {
        if trimmed.is_empty()
            || trimmed.starts_with(['%', '#'])
            || trimmed.starts_with("//")
            || is_fence(trimmed)
        {
            return;
        }
        if let Some(rows) = Rows::start(line) {
            self.pending = Pending::Rows(rows);
        } else if line.text.contains("(;") {
            let mut depth = bracket::Depth::default();
            depth.feed(&line.text);
            depth.feed("\n");
            let closed = depth.is_closed();
            self.pending = Pending::Group(Chunk::new(line), depth);
            if closed {
                self.flush();
            }
        } else if is_json(trimmed) {
            let mut depth = bracket::JsonDepth::default();
            depth.feed(&line.text);
            self.pending = Pending::Json(Chunk::new(line), depth);
            if depth.is_closed() {
                self.flush();
            }
        } else if is_pgn(trimmed) {
            self.pending = Pending::Pgn(Chunk::new(line), !trimmed.ends_with(']'));
        } else if is_bracket_board(trimmed) {
            self.pending = Pending::Bracket(Chunk::new(line));
            if trimmed.contains(']') {
                self.flush();
            }
        } else if is_board_line(trimmed) {
            self.board_line(&Chunk::new(line));
        } else if is_fen(trimmed) {
            let chunk = Chunk::new(line);
            let read = fen::parse(&chunk.text)
                .map_err(Failed::from)
                .map(|parsed| Parsed {
                    value: Content::Position(ScoredPosition::new(parsed.value)),
                    warnings: parsed.warnings,
                });
            self.push_read(&chunk, 0, Format::Fen, read);
        } else if trimmed.starts_with('|') || trimmed == "READY" || trimmed.starts_with("/os:") {
            // The server's lines around a board.
            self.remark = excerpt(trimmed, 60);
            // `/os: update .5 8a K?` names the type of the game.
            let ty = trimmed
                .strip_prefix("/os:")
                .and_then(|rest| rest.split_whitespace().nth(2));
            if let Some(Err(problem)) = ty.map(ggf::check_type) {
                self.refused = Some(problem);
            }
        } else if let Some(table) = Table::start(&line.text) {
            self.pending = Pending::Table(table);
        } else {
            self.pending = Pending::Moves(Moves::new(line));
        }
    }

    /// Reads what is pending.
    fn flush(&mut self) {
        match std::mem::replace(&mut self.pending, Pending::None) {
            Pending::None => {}
            Pending::Rows(rows) => match rows.finish() {
                Drawn::Board(chunk, moves) => self.drawn_board(&chunk, &moves),
                Drawn::Diagram(chunk) => {
                    let read = diagram::read(&chunk.text).map(into_content);
                    self.push_read(&chunk, 0, Format::Diagram, read);
                }
                // A column header or a side to move without a board is text like any other.
                Drawn::Text(chunk) => self.moves(&chunk),
            },
            Pending::Bracket(chunk) => self.board_line(&chunk),
            Pending::Moves(moves) => self.moves(&moves.chunk),
            Pending::Table(mut table) => {
                if let Some((chunk, offset, format, read)) = table.finish() {
                    self.push(&chunk, offset, format, read);
                }
            }
            Pending::Group(chunk, _) => self.group(&chunk),
            Pending::Pgn(chunk, _) => {
                let read = pgn::read(&chunk.text).map(into_content);
                self.push_read(&chunk, 0, Format::Pgn, read);
            }
            Pending::Json(chunk, _) => match json::read(&chunk.text) {
                Ok((format, read)) => {
                    for read in read {
                        self.push_read(&chunk, 0, format, read);
                    }
                }
                Err(error) => self.push_read(&chunk, 0, Format::Json, Err(error.into())),
            },
        }
    }

    fn push(&mut self, chunk: &Chunk, offset: usize, format: Format, read: Result<Parsed<Content>, Failed>) {
        let (line, column, text) = place(chunk, offset);
        self.queue.push_back(match read {
            Ok(Parsed { value, mut warnings }) => {
                if chunk.latin1 {
                    warnings.push(Warning::Latin1);
                }
                if !self.remark.is_empty() {
                    warnings.push(Warning::LeadingText(std::mem::take(&mut self.remark)));
                }
                Ok(Item {
                    line,
                    format,
                    content: value,
                    tree: None,
                    warnings,
                })
            }
            Err(Failed { error, legal }) => {
                let nothing = format == Format::Transcript
                    && matches!(error.problem, Problem::NotAMove(_))
                    && error.ply == Some(1)
                    && !has_square(&chunk.text);
                Err(BadItem {
                    line,
                    column,
                    format: (!nothing).then_some(format),
                    text,
                    error: if nothing {
                        ReadError::new(error.offset, Problem::Unrecognized)
                    } else {
                        error
                    },
                    legal: Some(legal).filter(|record| !record.game.moves().is_empty()),
                })
            }
        });
    }

    fn push_read(
        &mut self,
        chunk: &Chunk,
        start: usize,
        format: Format,
        read: Result<Parsed<Content>, Failed>,
    ) {
        let offset = read.as_ref().map_or_else(|failed| failed.error.offset, |_| start);
        self.push(chunk, offset, format, read);
    }

    /// Reads a drawn board; with the moves that lead to it, if they do, it is a game.
    fn drawn_board(&mut self, chunk: &Chunk, moves: &str) {
        let game = transcript::parse(moves).ok().filter(|game| {
            let drawn = board_line(&chunk.text).map(|(_, parsed)| parsed.value);
            matches!(drawn, Ok(Content::Position(scored)) if scored.position == *game.value.position())
        });
        match game {
            Some(parsed) => {
                let read = Ok(into_content(Parsed {
                    value: GameRecord::new(parsed.value),
                    warnings: parsed.warnings,
                }));
                self.push_read(chunk, 0, Format::Transcript, read);
            }
            None => self.board_line(chunk),
        }
    }

    fn board_line(&mut self, chunk: &Chunk) {
        if let Some(problem) = self.refused.take() {
            self.push_read(chunk, 0, Format::Board, Err(ReadError::new(0, problem).into()));
            return;
        }
        let read = board_line(&chunk.text);
        let (format, read) = match read {
            Ok((format, parsed)) => (format, Ok(parsed)),
            Err(error) => (Format::Board, Err(error)),
        };
        let start = chunk.text.len() - chunk.text.trim_start().len();
        self.push_read(chunk, start, format, read);
    }

    fn moves(&mut self, chunk: &Chunk) {
        let read = transcript::read(Game::new(), &chunk.text).map(|parsed| Parsed {
            value: Content::Game(GameRecord::new(parsed.value)),
            warnings: parsed.warnings,
        });
        let (format, read) = match read {
            Err(failed) if table::is_no_move(&failed.error) && !chunk.text.contains('\n') => {
                match table::headless(&chunk.text) {
                    Some(parsed) => (Format::Table, Ok(parsed)),
                    None => (Format::Transcript, Err(failed)),
                }
            }
            read => (Format::Transcript, read),
        };
        self.push_read(chunk, 0, format, read);
    }

    fn group(&mut self, chunk: &Chunk) {
        if chunk.text.len() > MAX_RECORD_BYTES {
            let error = ReadError::new(0, Problem::TooLong(MAX_RECORD_BYTES));
            self.push(chunk, 0, Format::Ggf, Err(error.into()));
            return;
        }
        let groups = bracket::groups(&chunk.text);
        let first = self.queue.len();
        for &(offset, text) in &groups.found {
            let (format, read) = if is_sgf(text) {
                (Format::Sgf, sgf::read(text))
            } else {
                (Format::Ggf, ggf::read(text))
            };
            let read = read.map_err(|failed| failed.moved(offset)).map(into_content);
            self.push_read(chunk, offset, format, read);
            if let Some(Ok(item)) = self.queue.back_mut()
                && let Content::Game(record) = &item.content
            {
                item.tree = tree::of_group(text, format, record, &item.warnings).map(Box::new);
            }
        }
        let around: Vec<&str> = groups.between.iter().map(|text| text.trim()).collect();
        if let (Some(before), Some(Ok(item))) = (around.first(), self.queue.get_mut(first)) {
            match before.parse::<usize>() {
                // `1` is one game, `2` a pair of games; other texts are a remark.
                Ok(claimed) if claimed != groups.found.len() => item.warnings.push(Warning::GameCount {
                    claimed,
                    found: groups.found.len(),
                }),
                Err(_) if !before.is_empty() => item.warnings.push(Warning::LeadingText(excerpt(before, 60))),
                _ => {}
            }
        }
        let behind: Vec<&str> = around
            .into_iter()
            .skip(1)
            .filter(|text| !text.is_empty())
            .collect();
        if let (false, Some(Ok(item))) = (behind.is_empty(), self.queue.back_mut()) {
            item.warnings
                .push(Warning::TrailingText(excerpt(&behind.join(" "), 60)));
        }
    }
}

/// Returns whether nothing was found but moves and comments.
fn is_all_moves(warnings: &[Warning]) -> bool {
    warnings
        .iter()
        .all(|warning| matches!(warning, Warning::Comment(_)))
}

/// Returns the line and column of a byte of a chunk, and the start of that line.
fn place(chunk: &Chunk, offset: usize) -> (usize, usize, String) {
    let before = chunk.text.get(..offset).unwrap_or(&chunk.text);
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = chunk.line + before.matches('\n').count();
    let column = before[line_start..].chars().count() + 1;
    let text = chunk.text[line_start..].lines().next().unwrap_or_default();
    (line, column, excerpt(text, 80))
}

fn into_content(parsed: Parsed<GameRecord>) -> Parsed<Content> {
    Parsed {
        value: Content::Game(parsed.value),
        warnings: parsed.warnings,
    }
}

/// Reads a board and what follows it: scores, or moves from there.
fn board_line(text: &str) -> Result<(Format, Parsed<Content>), Failed> {
    let mut scanner = Scanner::new(text);
    let scan = board::scan(&mut scanner)?;
    scanner.skip_space();
    if starts_with_move(scanner) {
        let at = scanner.offset();
        let game = transcript::read(Game::from_position(scan.position), scanner.rest())
            .map_err(|failed| failed.moved(at))?;
        let mut warnings = scan.warnings;
        warnings.extend(game.warnings);
        let value = Content::Game(GameRecord::new(game.value));
        return Ok((Format::Transcript, Parsed { value, warnings }));
    }
    let mut parsed = Parsed {
        value: ScoredPosition::new(scan.position),
        warnings: scan.warnings,
    };
    let format = obf::fields(&mut scanner, &mut parsed)?;
    Ok((
        format,
        Parsed {
            value: Content::Position(parsed.value),
            warnings: parsed.warnings,
        },
    ))
}
