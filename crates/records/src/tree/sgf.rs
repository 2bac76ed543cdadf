//! Trees as SGF FF\[4\], game 2: read in both dialects of coordinates, written with letter and digit.
//!
//! | property | meaning |
//! | --- | --- |
//! | `B`, `W` | moves; `[]`, `[tt]`, `[PA]` and `[pass]` are passes |
//! | `AB`, `AW`, `AE`, `PL` | setup, at any node |
//! | `C`, `N` | comment, name |
//! | `BM`, `DO`, `IT`, `TE` | the signs `?` and `??`, `?!`, `!?`, `!` and `!!` |
//! | `CR`, `SQ`, `TR`, `MA`, `LB` | signs and texts on squares |
//! | `V` | value in discs for black |
//! | `KV` | what the value is worth, our own: `exact`, `win-loss-draw`, `at-least`, `at-most`, `book`, `estimate DEPTH CONFIDENCE` |
//! | `TS` | seconds spent on the move, our own |
//!
//! Everything else is kept as it was written, and so is one of these whose value is not understood.

mod write;

pub use write::write;

use super::{Action, Node, NodeId, NodeValue, Property, SetupChange, Shape, Sign, Tree, TreeError, Worth};
use crate::{
    Parsed, Problem, ReadError, Warning, bracket,
    sgf::{KEYS, result_to_ggf, result_to_sgf, square},
    text::{excerpt, fold},
};
use outflank_othello::{Bitboard, Color, Move, Position, Square};

/// A piece of a tree.
#[derive(Debug)]
enum Token {
    Open(usize),
    Close(usize),
    Node(usize),
    Property(Raw),
}

/// A property as it is written.
#[derive(Debug)]
struct Raw {
    offset: usize,
    key: String,
    values: Vec<String>,
}

impl Raw {
    /// Returns the key as this version of SGF has it: older ones have small letters for people to read.
    fn known(&self) -> String {
        known(&self.key)
    }
}

fn known(key: &str) -> String {
    if key.contains(|c: char| c.is_ascii_uppercase()) {
        key.chars().filter(|c| !c.is_ascii_lowercase()).collect()
    } else {
        key.to_ascii_uppercase()
    }
}

/// Splits a text into its pieces.
fn lex(text: &str) -> Result<Vec<Token>, ReadError> {
    let mut tokens = Vec::new();
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '(' => tokens.push(Token::Open(at)),
            ')' => tokens.push(Token::Close(at)),
            ';' => tokens.push(Token::Node(at)),
            '[' => {
                let Some(Token::Property(raw)) = tokens.last_mut() else {
                    return Err(expected(at, "a property", text));
                };
                let (mut value, mut closed) = (String::new(), false);
                while let Some((_, c)) = chars.next() {
                    match c {
                        ']' => {
                            closed = true;
                            break;
                        }
                        '\\' => {
                            value.push(c);
                            value.extend(chars.next().map(|(_, next)| next));
                        }
                        c => value.push(c),
                    }
                }
                if !closed {
                    return Err(ReadError::new(at, Problem::Unclosed('[')));
                }
                raw.values.push(value);
            }
            c if c.is_ascii_alphabetic() => {
                let mut key = String::from(c);
                while let Some((_, next)) = chars.next_if(|(_, next)| next.is_ascii_alphanumeric()) {
                    key.push(next);
                }
                while chars.next_if(|(_, next)| next.is_whitespace()).is_some() {}
                if chars.peek().is_none_or(|(_, next)| *next != '[') {
                    return Err(expected(at, "[ and a value", text));
                }
                tokens.push(Token::Property(Raw {
                    offset: at,
                    key,
                    values: Vec::new(),
                }));
            }
            c if c.is_whitespace() || c == '\u{feff}' => {}
            _ => return Err(expected(at, "a property", text)),
        }
    }
    Ok(tokens)
}

fn expected(offset: usize, expected: &'static str, text: &str) -> ReadError {
    let found = excerpt(text.get(offset..).unwrap_or_default(), 12);
    ReadError::new(offset, Problem::Expected { expected, found })
}

/// Parses one tree, `(;…)`.
///
/// # Errors
///
/// Returns the first thing that is not SGF or not a legal move.
///
/// ```
/// use outflank_records::tree::{NodeId, sgf};
/// let text = "(;GM[2]FF[4]SZ[8]XY[kept \\] whole];B[f5](;W[d6]C[good])(;W[f6];B[e6]))";
/// let tree = sgf::parse(text)?.value;
/// assert_eq!(tree.movetext(), "f5d6(f6e6)");
/// assert_eq!(sgf::parse(&sgf::write(&tree))?.value, tree);
/// assert_eq!(tree.root().other[0].values, ["kept \\] whole"]);
/// # Ok::<(), outflank_records::ReadError>(())
/// ```
pub fn parse(text: &str) -> Result<Parsed<Tree>, ReadError> {
    let tokens = lex(text)?;
    let mut reader = Reader {
        tree: Tree::new(),
        warnings: Vec::new(),
        first_color: tokens.iter().find_map(|token| match token {
            Token::Property(raw) => color_of(&raw.known()),
            _ => None,
        }),
        at: None,
    };
    // The nodes that open variations go on from.
    let mut open: Vec<Option<NodeId>> = Vec::new();
    let mut pieces = tokens.into_iter().peekable();
    while let Some(token) = pieces.next() {
        match token {
            Token::Open(offset) if open.is_empty() && reader.at.is_some() => {
                return Err(expected(offset, "one tree, (;…)", text));
            }
            Token::Open(_) => open.push(reader.at),
            Token::Close(offset) => match open.pop() {
                Some(at) if !open.is_empty() => reader.at = at,
                Some(_) => {}
                None => return Err(expected(offset, "one tree, (;…)", text)),
            },
            Token::Node(offset) | Token::Property(Raw { offset, .. }) if open.is_empty() => {
                return Err(expected(offset, "one tree, (;…)", text));
            }
            Token::Node(offset) => {
                let mut properties = Vec::new();
                while let Some(Token::Property(raw)) =
                    pieces.next_if(|token| matches!(token, Token::Property(_)))
                {
                    properties.push(raw);
                }
                reader.node(properties).map_err(|error| match error.offset {
                    0 => error.moved(offset),
                    _ => error,
                })?;
            }
            Token::Property(Raw { offset, .. }) => return Err(expected(offset, "a node, ;", text)),
        }
    }
    if !open.is_empty() {
        return Err(ReadError::new(0, Problem::Unclosed('(')));
    }
    if reader.at.is_none() {
        return Err(expected(0, "one tree, (;…)", text));
    }
    Ok(Parsed {
        value: reader.tree,
        warnings: reader.warnings,
    })
}

/// Returns the trees of a collection one by one, each with its offset in the text.
pub fn parse_all(text: &str) -> Vec<(usize, Result<Parsed<Tree>, ReadError>)> {
    let groups = bracket::groups(text).found.into_iter();
    groups
        .map(|(offset, group)| (offset, parse(group).map_err(|error| error.moved(offset))))
        .collect()
}

fn color_of(key: &str) -> Option<Color> {
    match key {
        "B" => Some(Color::Black),
        "W" => Some(Color::White),
        _ => None,
    }
}

/// A tree on the way.
struct Reader {
    tree: Tree,
    warnings: Vec<Warning>,
    /// Whose move comes first.
    first_color: Option<Color>,
    /// The last node; none before the root.
    at: Option<NodeId>,
}

impl Reader {
    /// Adds a node.
    fn node(&mut self, properties: Vec<Raw>) -> Result<(), ReadError> {
        let is_root = self.at.is_none();
        let mut node = Node::default();
        let mut change = SetupChange::default();
        let (mut has_setup, mut has_discs, mut has_game) = (false, false, false);
        let mut mv = None;
        for raw in properties {
            let fail = |problem| Err(ReadError::new(raw.offset, problem));
            let known = raw.known();
            let value = raw
                .values
                .first()
                .map(|value| unescape(value))
                .unwrap_or_default();
            match known.as_str() {
                "GM" if is_root && value.trim() == "2" => has_game = true,
                "GM" if is_root => return fail(Problem::OtherGame(excerpt(&value, 20))),
                "SZ" if is_root && matches!(value.trim(), "8" | "8:8") => {}
                "SZ" if is_root => return fail(Problem::BoardSize(excerpt(&value, 20))),
                "FF" | "CA" | "AP" if is_root => {}
                "AB" | "AW" | "AE" => {
                    let squares = squares(&raw.values).map_err(|error| error.moved(raw.offset))?;
                    let set = match known.as_str() {
                        "AB" => &mut change.black,
                        "AW" => &mut change.white,
                        _ => &mut change.empty,
                    };
                    *set |= squares;
                    (has_setup, has_discs) = (true, true);
                }
                "PL" => {
                    change.side = crate::board::side_word(value.trim());
                    if change.side.is_none() {
                        return fail(Problem::Side(excerpt(&value, 12)));
                    }
                    has_setup = true;
                }
                "B" | "W" if mv.is_some() || raw.values.len() > 1 => {
                    let expected = "one move at a node";
                    let found = format!("{}[{}]", raw.key, excerpt(&value, 12));
                    return fail(Problem::Expected { expected, found });
                }
                "B" | "W" => mv = Some((color_of(&known), value, raw.offset)),
                _ => say(&mut node, &known, raw),
            }
        }
        if is_root {
            if !has_game {
                return Err(ReadError::new(0, Problem::Missing("the tag GM[2]")));
            }
            self.root(change, has_discs)?;
            if mv.is_none() {
                *self.tree.root_mut() = node;
                return Ok(());
            }
        } else if has_setup {
            node.action = Action::Setup(change);
        }
        let Some((Some(color), name, offset)) = mv else {
            let parent = self.at.unwrap_or(NodeId::ROOT);
            let added = self
                .tree
                .add(parent, node)
                .map_err(|error| self.wrong(&error, None, 0))?;
            self.at = Some(added);
            return Ok(());
        };
        if is_root {
            // What is said beside the first move is said of the game.
            *self.tree.root_mut() = std::mem::take(&mut node);
        } else if has_setup {
            // Where discs are put down and a move is made at once, the one comes before the other.
            let setup = Node {
                action: Action::Setup(change),
                ..Node::default()
            };
            let parent = self.at.unwrap_or(NodeId::ROOT);
            self.at = Some(
                self.tree
                    .add(parent, setup)
                    .map_err(|error| self.wrong(&error, None, offset))?,
            );
        }
        self.mv(color, &name, offset, node)
    }

    /// Builds the start position.
    fn root(&mut self, change: SetupChange, has_discs: bool) -> Result<(), ReadError> {
        let mut setup = Position::start().to_setup();
        if has_discs {
            (setup.black, setup.white) = (change.black & !change.empty, change.white & !change.empty);
        }
        setup.side = match (change.side, has_discs, self.first_color) {
            (Some(side), ..) => side,
            (None, true, Some(color)) => color,
            (None, true, None) => {
                self.warnings.push(Warning::SideAssumed {
                    side: Color::Black,
                    reason: "who moves first",
                });
                Color::Black
            }
            (None, false, _) => setup.side,
        };
        let position = setup.build().map_err(|_| ReadError::new(0, Problem::Overlap))?;
        self.tree = Tree::from_position(position);
        self.at = Some(NodeId::ROOT);
        Ok(())
    }

    /// Adds a move, after the pass that the rules imply.
    fn mv(&mut self, color: Color, name: &str, offset: usize, mut node: Node) -> Result<(), ReadError> {
        let mut parent = self.at.unwrap_or(NodeId::ROOT);
        let name: String = name.chars().map(fold).collect();
        let mv = match name.trim().to_ascii_lowercase().as_str() {
            "" | "tt" | "pa" | "pass" | "ps" | "--" => Move::Pass,
            name => Move::Place(square(name).map_err(|error| ReadError {
                ply: Some(self.ply(parent)),
                ..ReadError::new(offset, error.into())
            })?),
        };
        let node_move = Some(mv);
        let position = self
            .tree
            .position(parent)
            .copied()
            .unwrap_or_else(Position::start);
        if mv == Move::Pass && position.is_game_over() {
            if !self.warnings.contains(&Warning::PassAfterEnd) {
                self.warnings.push(Warning::PassAfterEnd);
            }
            // Its comment stays.
        } else {
            if position.side() != color && position.board().must_pass() {
                parent = self
                    .tree
                    .play(parent, Move::Pass)
                    .map_err(|error| self.wrong(&error, node_move, offset))?;
            }
            node.action = Action::Move { color, mv };
        }
        self.at = Some(parent);
        let added = self
            .tree
            .add(parent, node)
            .map_err(|error| self.wrong(&error, node_move, offset))?;
        self.at = Some(added);
        Ok(())
    }

    /// Returns the number of the next move after a node, from 1.
    fn ply(&self, id: NodeId) -> usize {
        let moves = self.tree.path(id).into_iter();
        moves.filter(|&id| self.tree.mv(id).is_some()).count() + 1
    }

    fn wrong(&self, error: &TreeError, mv: Option<Move>, offset: usize) -> ReadError {
        let ply = Some(self.ply(self.at.unwrap_or(NodeId::ROOT)));
        let (problem, square) = match error {
            TreeError::Illegal(error) => (Problem::Illegal(*error), mv.and_then(Move::square)),
            TreeError::WrongColor { expected, found } => {
                let (expected, found) = (*expected, *found);
                (Problem::WrongColor { expected, found }, None)
            }
            _ => (Problem::Overlap, None),
        };
        ReadError {
            ply,
            square,
            ..ReadError::new(offset, problem)
        }
    }
}

/// Says at a node what a property says; keeps it as it is where it is not understood.
fn say(node: &mut Node, known: &str, raw: Raw) {
    let is_said = {
        let text = |raw: &Raw| raw.values.first().map(|value| unescape(value));
        let one = (raw.values.len() == 1).then(|| text(&raw)).flatten();
        match (known, one) {
            ("C", Some(comment)) if node.comment.is_empty() && !comment.is_empty() => {
                node.comment = comment;
                true
            }
            ("N", Some(name)) if node.name.is_empty() && !name.is_empty() => {
                node.name = name;
                true
            }
            ("BM" | "DO" | "IT" | "TE", Some(value)) if node.sign.is_none() => {
                node.sign = sign(known, value.trim());
                node.sign.is_some()
            }
            ("V", Some(value)) if node.value.is_none() => {
                let worth = Worth::Claimed;
                node.value = fixed(value.trim(), 2)
                    .and_then(|number| i32::try_from(number).ok())
                    .map(|hundredths| NodeValue { hundredths, worth });
                if let Some(value) = &mut node.value
                    && let Some(at) = node.other.iter().position(is_worth)
                    && let Some(worth) = worth_of(&node.other.remove(at))
                {
                    value.worth = worth;
                }
                node.value.is_some()
            }
            // It is written behind the value that it belongs to; others may have turned them round.
            ("KV", Some(value)) => match (worth(value.trim()), &mut node.value) {
                (Some(worth), Some(known)) if known.worth == Worth::Claimed => {
                    known.worth = worth;
                    true
                }
                _ => false,
            },
            ("TS", Some(value)) if node.time_ms.is_none() => {
                node.time_ms = fixed(value.trim(), 3).and_then(|ms| u64::try_from(ms).ok());
                node.time_ms.is_some()
            }
            ("CR" | "SQ" | "TR" | "MA", _) => {
                let shape = SHAPES
                    .iter()
                    .find(|(_, key)| *key == known)
                    .map(|(shape, _)| *shape);
                match (shape, squares(&raw.values)) {
                    (Some(shape), Ok(squares)) if !squares.is_empty() => {
                        node.marks
                            .extend(squares.into_iter().map(|square| (shape, square)));
                        true
                    }
                    _ => false,
                }
            }
            ("LB", _) => {
                let label = |value: &String| {
                    let (at, text) = value.split_once(':')?;
                    let at = square(at).ok()?;
                    (!node.labels.contains_key(&at)).then(|| (at, unescape(text)))
                };
                match raw.values.iter().map(label).collect::<Option<Vec<_>>>() {
                    Some(labels) => {
                        node.labels.extend(labels);
                        true
                    }
                    None => false,
                }
            }
            _ => false,
        }
    };
    if !is_said {
        let Raw { key, values, .. } = raw;
        node.other.push(Property { key, values });
    }
}

/// Returns what a property says that a value is worth.
fn worth_of(property: &Property) -> Option<Worth> {
    match &property.values[..] {
        [value] if known(&property.key) == "KV" => worth(unescape(value).trim()),
        _ => None,
    }
}

fn is_worth(property: &Property) -> bool {
    worth_of(property).is_some()
}

/// Signs on squares and their keys.
const SHAPES: [(Shape, &str); 4] = [
    (Shape::Circle, "CR"),
    (Shape::Square, "SQ"),
    (Shape::Triangle, "TR"),
    (Shape::Cross, "MA"),
];

fn sign(key: &str, value: &str) -> Option<Sign> {
    match (key, value) {
        ("BM", "1" | "") => Some(Sign::Bad),
        ("BM", "2") => Some(Sign::VeryBad),
        ("DO", "") => Some(Sign::Dubious),
        ("IT", "") => Some(Sign::Interesting),
        ("TE", "1" | "") => Some(Sign::Good),
        ("TE", "2") => Some(Sign::VeryGood),
        _ => None,
    }
}

fn worth(text: &str) -> Option<Worth> {
    Some(match text {
        "exact" => Worth::Exact,
        "win-loss-draw" => Worth::WinLossDraw,
        "at-least" => Worth::AtLeast,
        "at-most" => Worth::AtMost,
        "book" => Worth::Book,
        _ => {
            let (depth, confidence) = text.strip_prefix("estimate ")?.split_once(' ')?;
            Worth::Estimate {
                depth: depth.parse().ok()?,
                confidence: confidence.parse().ok()?,
            }
        }
    })
}

/// Reads a number with at most so many decimals as a whole number of the last one.
fn fixed(text: &str, decimals: usize) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let are_digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    if whole.is_empty()
        || whole.len() > 12
        || fraction.len() > decimals
        || !are_digits(whole)
        || !are_digits(fraction)
    {
        return None;
    }
    let number: i64 = format!("{whole}{fraction:0<decimals$}").parse().ok()?;
    Some(if negative { -number } else { number })
}

/// Reads a list of squares and rectangles.
fn squares(values: &[String]) -> Result<Bitboard, ReadError> {
    let point = |text: &str| square(text).map_err(|error| ReadError::new(0, error.into()));
    let mut found = Bitboard::EMPTY;
    for value in values {
        let (from, to) = value.split_once(':').unwrap_or((value, value));
        let (from, to) = (point(from)?, point(to)?);
        let columns = from.column().min(to.column())..=from.column().max(to.column());
        let rows = from.row().min(to.row())..=from.row().max(to.row());
        for square in Square::ALL {
            if columns.contains(&square.column()) && rows.contains(&square.row()) {
                found = found.with(square);
            }
        }
    }
    Ok(found)
}

/// Returns a value without its escapes; an escaped line break vanishes.
fn unescape(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut chars = value.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => text.extend(chars.next().filter(|next| *next != '\n')),
            c => text.push(c),
        }
    }
    text
}

/// Says the tags of a record at the root of a tree.
pub(super) fn add_tags(root: &mut Node, tags: &[(String, String)]) {
    for (key, value) in tags {
        let known = KEYS.iter().find(|(_, ggf)| ggf == key).map(|(sgf, _)| *sgf);
        let value = if key == "RE" {
            result_to_sgf(value)
        } else {
            value.clone()
        };
        let key = known.unwrap_or(key).to_owned();
        // Only letters and digits can be a key.
        if key.starts_with(|c: char| c.is_ascii_alphabetic())
            && key.bytes().all(|b| b.is_ascii_alphanumeric())
        {
            let values = vec![bracket::escape(&value)];
            match key.as_str() {
                "C" if root.comment.is_empty() => root.comment = value,
                _ => root.other.push(Property { key, values }),
            }
        }
    }
}

/// Returns what is said at the root as the tags of a record.
pub(super) fn tags(root: &Node) -> Vec<(String, String)> {
    let mut record = crate::GameRecord::default();
    for Property { key, values } in &root.other {
        let known = KEYS.iter().find(|(sgf, _)| sgf == key).map(|(_, ggf)| *ggf);
        for value in values {
            let value = unescape(value);
            let value = if key == "RE" { result_to_ggf(&value) } else { value };
            record.add_tag(known.unwrap_or(key), value);
        }
    }
    record.add_tag("CO", root.comment.clone());
    record.tags
}
