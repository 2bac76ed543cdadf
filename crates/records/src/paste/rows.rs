//! Boards drawn over several lines, with or without labels, as people copy them from programs and servers.

use super::{Chunk, Line};
use crate::{board, diagram, text::fold};
use outflank_othello::Color;

/// A drawn board on the way to 64 squares.
#[derive(Debug)]
pub(super) struct Rows {
    /// The lines with labels blanked out, so that columns stay where they are.
    chunk: Chunk,
    /// The same lines as they are.
    raw: Chunk,
    n_squares: usize,
    /// The side to move, if a line before or after the rows says it.
    side: Option<Color>,
    /// The side stood behind the rows: nothing more can follow.
    is_complete: bool,
    /// Squares hold numbers of moves.
    is_diagram: bool,
    /// Lines that are rows.
    n_lines: usize,
    /// The moves that led to the board, where a line behind it says them.
    moves: String,
}

/// What drawn rows are.
pub(super) enum Drawn {
    /// A board, as text without labels, and the moves that led to it, if they are there.
    Board(Chunk, String),
    /// A diagram of move numbers, as it is.
    Diagram(Chunk),
    /// No rows: text like any other.
    Text(Chunk),
}

impl Rows {
    /// Returns a board that starts with this line, if it looks like a row, a column header or a side to move.
    pub(super) fn start(line: &Line) -> Option<Self> {
        let mut rows = Self {
            chunk: Chunk {
                line: line.number,
                text: String::new(),
                latin1: line.latin1,
            },
            raw: Chunk::new(line),
            n_squares: 0,
            side: None,
            is_complete: false,
            is_diagram: false,
            n_lines: 0,
            moves: String::new(),
        };
        if diagram::is_row(&line.text, 0) {
            rows.is_diagram = true;
            rows.n_squares = 8;
            rows.n_lines = 1;
        } else if let Some((text, n)) = row(&line.text) {
            rows.n_lines = 1;
            rows.n_squares = n;
            rows.chunk.text = text;
        } else if !is_header(&line.text) {
            rows.side = Some(announced_side(&line.text)?);
        }
        Some(rows)
    }

    /// Takes in a line if it belongs to the board.
    pub(super) fn feed(&mut self, line: &Line) -> bool {
        // A drawing is small: what goes on and on is none.
        if self.raw.text.len() > 4000 {
            return false;
        }
        if self.is_complete {
            return self.caption(line);
        }
        if self.n_squares < 64 {
            // Rows that were read as a board until now may have been the first of a diagram.
            let index = self.n_lines;
            if self.is_diagram && diagram::is_plain_row(&line.text, index)
                || diagram::is_row(&line.text, index)
            {
                self.is_diagram = true;
                self.n_lines += 1;
                self.n_squares = 8 * self.n_lines;
                self.add(line, "");
                return true;
            }
            if let Some((text, n)) = row(&line.text) {
                self.n_lines += 1;
                self.n_squares += n;
                self.add(line, &text);
                return true;
            }
            if is_header(&line.text) && self.n_squares == 0 {
                self.add(line, "");
                return true;
            }
            return false;
        }
        if is_header(&line.text) {
            self.add(line, "");
            return true;
        }
        let blank = line.text.trim().trim_start_matches('|').trim().is_empty();
        let side = announced_side(&line.text).or_else(|| board::side_word(line.text.trim()));
        if let Some(side) = side {
            self.side = Some(side);
            self.is_complete = true;
            self.add(line, "");
            return true;
        }
        if line.text.starts_with("game over: ") {
            self.is_complete = true;
            self.add(line, "");
            return true;
        }
        // A server leaves an empty line between the board and the side.
        if blank && line.text.contains('|') {
            self.add(line, "");
            return true;
        }
        false
    }

    /// Takes in what `outflank show` writes below a board.
    fn caption(&mut self, line: &Line) -> bool {
        let Some((name, text)) = line.text.split_once(": ") else {
            return false;
        };
        if name == "moves" {
            text.clone_into(&mut self.moves);
        }
        let is_caption = matches!(name, "moves" | "opening" | "scores");
        if is_caption {
            self.add(line, "");
        }
        is_caption
    }

    fn add(&mut self, line: &Line, text: &str) {
        self.raw.push(line);
        self.chunk.text.push('\n');
        self.chunk.text.push_str(text);
        self.chunk.latin1 |= line.latin1;
    }

    /// Returns what the lines are.
    pub(super) fn finish(mut self) -> Drawn {
        if self.n_squares == 0 {
            return Drawn::Text(self.raw);
        }
        if self.is_diagram {
            return Drawn::Diagram(self.raw);
        }
        if let (Some(side), 64) = (self.side, self.n_squares) {
            // Behind the squares; a side that stands there already is repeated at most.
            let has_side = self
                .chunk
                .text
                .split_whitespace()
                .next_back()
                .is_some_and(|word| {
                    word.chars().count() == 1
                        && self.chunk.text.chars().filter(|c| !c.is_whitespace()).count() == 65
                });
            if !has_side {
                self.chunk.text.push(' ');
                self.chunk.text.push(side.symbol());
            }
        }
        Drawn::Board(self.chunk, self.moves)
    }
}

/// Returns a row of a drawn board with its labels blanked out, and the number of its squares.
fn row(text: &str) -> Option<(String, usize)> {
    // Frames, marks, and what stands between squares.
    let mut chars: Vec<char> = text
        .chars()
        .map(fold)
        .map(|c| {
            if matches!(c, '|' | ',' | '(' | ')') {
                ' '
            } else {
                c
            }
        })
        .collect();
    let places: Vec<usize> = (0..chars.len()).filter(|&i| !chars[i].is_whitespace()).collect();
    let cells = |places: &[usize]| places.iter().all(|&i| board::cell(chars[i]).is_some());
    let label = |i: usize| ('1'..='8').contains(&chars[i]);
    let n = places.len();
    let is_apart = |i: usize| i > 0 && chars[i - 1].is_whitespace();
    let (labels, squares): (Vec<usize>, usize) = match n {
        8 | 16 | 32 if cells(&places) => (Vec::new(), n),
        9 if label(places[0]) && cells(&places[1..]) => (vec![places[0]], 8),
        9 if label(places[8]) && cells(&places[..8]) => (vec![places[8]], 8),
        9 if cells(&places) && is_apart(places[8]) && board::cell(chars[places[8]])?.color().is_some() => {
            (Vec::new(), 8)
        }
        10 if label(places[0]) && chars[places[0]] == chars[places[9]] && cells(&places[1..9]) => {
            (vec![places[0], places[9]], 8)
        }
        _ => return None,
    };
    for i in labels {
        chars[i] = ' ';
    }
    Some((chars.into_iter().collect(), squares))
}

/// Returns whether a line holds the letters of the columns and nothing else.
fn is_header(text: &str) -> bool {
    let letters: String = text
        .chars()
        .map(fold)
        .filter(|c| !c.is_whitespace() && *c != '|')
        .collect();
    letters.eq_ignore_ascii_case("abcdefgh")
}

/// Returns the side of a line such as `X to move`, `|O to move` or `Board, black to play:`.
fn announced_side(text: &str) -> Option<Color> {
    let folded: String = text.chars().map(fold).collect();
    // What is counted behind it does not matter.
    let says = folded.find(" to move");
    let first = match says.map(|at| folded.split_at(at + " to move".len())) {
        Some((first, rest)) if rest.starts_with(", ") || rest.starts_with(" must pass;") => first,
        _ => &folded,
    };
    let words: Vec<&str> = first
        .split(|c: char| !c.is_alphanumeric() && !matches!(c, '*' | '●' | '○'))
        .filter(|word| !word.is_empty())
        .collect();
    let says_move = words.windows(2).any(|pair| {
        pair[0].eq_ignore_ascii_case("to")
            && ["move", "play"].contains(&pair[1].to_ascii_lowercase().as_str())
    });
    if !says_move || words.len() > 6 || first.trim().chars().count() > 40 {
        return None;
    }
    let mut sides = words.iter().filter_map(|word| board::side_word(word));
    match (sides.next(), sides.next()) {
        (Some(side), None) => Some(side),
        _ => None,
    }
}
