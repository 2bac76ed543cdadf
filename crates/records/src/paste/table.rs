//! Tables with a heading, as spreadsheets and data sets have them: one game or position a row, or one move a row.

use super::{Chunk, board_line};
use crate::{
    Content, Failed, Format, GameRecord, Parsed, Problem, ReadError,
    looks::{has_square, n_squares},
    text::{excerpt, fold},
    transcript,
};
use outflank_othello::Game;
use std::ops::Range;

/// Names of columns that hold moves.
const MOVES: [&str; 16] = [
    "moves",
    "move",
    "square",
    "san",
    "transcript",
    "game_moves",
    "move_list",
    "movelist",
    "kifu",
    "sequence",
    "game_record",
    "record",
    "movetext",
    "棋譜",
    "着手",
    "棋谱",
];
/// Names of columns that hold a board.
const BOARD: [&str; 3] = ["board", "position", "board_state"];
/// Names of columns that hold the side to move.
const SIDE: [&str; 4] = ["side", "turn", "to_move", "side_to_move"];
/// Names of columns that hold players and dates, and what GGF calls them.
const TAGS: [(&str, &str); 9] = [
    ("black", "PB"),
    ("black_player", "PB"),
    ("player_black", "PB"),
    ("black_name", "PB"),
    ("white", "PW"),
    ("white_player", "PW"),
    ("player_white", "PW"),
    ("white_name", "PW"),
    ("date", "DT"),
];

/// What a table has where.
#[derive(Clone, Debug)]
pub(super) struct Table {
    separator: char,
    /// The column of the moves.
    moves: Option<usize>,
    /// The column of the boards.
    board: Option<usize>,
    side: Option<usize>,
    tags: Vec<(usize, &'static str)>,
    /// The rows of a game of which each row is one move, and the game.
    open: Option<(Chunk, Game)>,
}

/// Something that a table gives: where it stands, and what it is.
pub(super) type Found = (Chunk, usize, Format, Result<Parsed<Content>, Failed>);

/// Returns the places of the fields of a line, without quotation marks.
fn fields(line: &str, separator: char) -> Vec<Range<usize>> {
    let mut fields = Vec::new();
    let (mut start, mut in_quotes) = (0, false);
    let ends = line
        .char_indices()
        .filter(|&(_, c)| {
            in_quotes ^= c == '"';
            c == separator && !in_quotes
        })
        .collect::<Vec<_>>();
    for (end, length) in ends
        .into_iter()
        .map(|(at, c)| (at, c.len_utf8()))
        .chain([(line.len(), 0)])
    {
        let field = &line[start..end];
        let trimmed = field.trim_matches(|c: char| c.is_whitespace() || c == '"');
        let lead = field.len()
            - field
                .trim_start_matches(|c: char| c.is_whitespace() || c == '"')
                .len();
        let from = (start + lead).min(end);
        fields.push(from..from + trimmed.len());
        start = end + length;
    }
    fields
}

fn separator(line: &str) -> char {
    [',', '\t', ';', '|']
        .into_iter()
        .find(|&c| line.contains(c))
        .unwrap_or(',')
}

impl Table {
    /// Returns a table that starts with this line, if the line is a heading that names moves or boards.
    pub(super) fn start(line: &str) -> Option<Self> {
        if line.len() > 2000 || has_square(line) {
            return None;
        }
        let separator = separator(line);
        let names: Vec<String> = fields(line, separator)
            .into_iter()
            .map(|field| {
                let name: String = line[field].chars().map(fold).collect();
                name.to_lowercase().replace([' ', '-'], "_")
            })
            .collect();
        let find = |known: &[&str]| names.iter().position(|name| known.contains(&name.as_str()));
        let (moves, board) = (find(&MOVES), find(&BOARD));
        moves.or(board)?;
        let mut tags: Vec<(usize, &str)> = Vec::new();
        for (i, name) in names.iter().enumerate() {
            let tag = TAGS.iter().find(|(known, _)| known == name).map(|(_, tag)| *tag);
            tags.extend(
                tag.filter(|tag| tags.iter().all(|(_, other)| other != tag))
                    .map(|tag| (i, tag)),
            );
        }
        Some(Self {
            separator,
            moves,
            board,
            side: find(&SIDE),
            tags,
            open: None,
        })
    }

    /// Reads a row; returns `None` if it has too few fields to be one.
    pub(super) fn feed(&mut self, row: &Chunk) -> Option<Vec<Found>> {
        let line = row.text.as_str();
        let fields = fields(line, self.separator);
        let moves = match self.moves {
            Some(column) => Some(fields.get(column)?.clone()).filter(|field| !field.is_empty()),
            None => None,
        };
        let Some(field) = moves else {
            let board = fields.get(self.board?)?.clone();
            let side = self
                .side
                .and_then(|side| fields.get(side))
                .map_or("", |field| &line[field.clone()]);
            let text = format!("{} {side}", &line[board.clone()]);
            let read = board_line(&text).map_err(|failed| Failed {
                error: ReadError::new(board.start, failed.error.problem),
                ..failed
            });
            let (format, read) = match read {
                Ok((format, parsed)) => (format, Ok(parsed)),
                Err(failed) => (Format::Board, Err(failed)),
            };
            return Some(vec![(row.clone(), 0, format, read)]);
        };
        let text = &line[field.clone()];
        let mut found = Vec::new();
        let is_single = n_squares(text) <= 1 && text.chars().count() <= 6;
        if is_single
            && let Some((chunk, game)) = &mut self.open
            && let Ok(parsed) = transcript::read(game.clone(), text)
        {
            *game = parsed.value;
            chunk.latin1 |= row.latin1;
            return Some(found);
        }
        found.extend(self.finish());
        let moved = |failed: Failed| failed.moved(field.start);
        match transcript::read(Game::new(), text).map_err(moved) {
            Ok(parsed) if is_single => self.open = Some((row.clone(), parsed.value)),
            Ok(parsed) => {
                let mut record = GameRecord::new(parsed.value);
                for &(column, tag) in &self.tags {
                    let value = fields.get(column).map_or("", |field| &line[field.clone()]);
                    record.add_tag(tag, excerpt(value, 200));
                }
                let value = Content::Game(record);
                let warnings = parsed.warnings;
                found.push((row.clone(), 0, Format::Table, Ok(Parsed { value, warnings })));
            }
            Err(failed) => found.push((row.clone(), failed.error.offset, Format::Table, Err(failed))),
        }
        Some(found)
    }

    /// Returns the game whose moves stand one a row, when it has ended.
    pub(super) fn finish(&mut self) -> Option<Found> {
        let (chunk, game) = self.open.take()?;
        let parsed = Parsed {
            value: Content::Game(GameRecord::new(game)),
            warnings: Vec::new(),
        };
        Some((chunk, 0, Format::Table, Ok(parsed)))
    }
}

/// Reads the one field of a row without a heading that is a game; the others are named in a warning.
pub(super) fn headless(line: &str) -> Option<Parsed<Content>> {
    let separator = separator(line);
    let fields = fields(line, separator);
    if fields.len() < 2 || fields.len() > 100 {
        return None;
    }
    let mut games = fields.into_iter().filter_map(|field| {
        let text = &line[field.clone()];
        let is_game = n_squares(text) >= 1 && text.len() >= 4;
        let parsed = is_game.then(|| transcript::parse(text))?.ok()?;
        (parsed.value.moves().len() >= 2).then_some((field, parsed))
    });
    let (Some((field, mut parsed)), None) = (games.next(), games.next()) else {
        return None;
    };
    let around = [&line[..field.start], &line[field.end..]]
        .map(|text| text.trim_matches(|c: char| c.is_whitespace() || c == separator || c == '"'));
    if !around[0].is_empty() {
        parsed
            .warnings
            .push(crate::Warning::LeadingText(excerpt(around[0], 60)));
    }
    if !around[1].is_empty() {
        parsed
            .warnings
            .push(crate::Warning::TrailingText(excerpt(around[1], 60)));
    }
    Some(Parsed {
        value: Content::Game(GameRecord::new(parsed.value)),
        warnings: parsed.warnings,
    })
}

/// Returns whether an error is one of a text that is no list of moves from its first word on.
pub(super) const fn is_no_move(error: &ReadError) -> bool {
    matches!(
        error.problem,
        Problem::NotAMove(_) | Problem::Number(_) | Problem::HalfMove(_) | Problem::NoMoves
    ) && !matches!(error.ply, Some(2..))
}
