//! A game read from a hand-written tree, so that searches can be tested without any rules.
//!
//! A tree is written with parentheses: `((3 5) (2 9))` is a root with two moves, each leading to a node with two
//! moves, whose leaves carry the value for the *first* player.
//! The players move in turn from the root; move `0` leads to the leftmost child.
//! A leaf may sit at any level, so trees can be as lopsided as a test needs.

use crate::{Evaluate, GameState, Outcome, Player};
use std::{fmt, str::FromStr, sync::Arc};

/// One node of a [`ToyTree`].
#[derive(Clone, Debug, PartialEq, Eq)]
struct Node {
    /// Value for the first player: the outcome at a leaf, the static estimate elsewhere.
    value: i32,
    /// Indices of the children, leftmost first; empty at a leaf.
    children: Vec<usize>,
    /// Index of the parent; the root is its own.
    parent: usize,
    /// Which child of its parent this node is.
    child_idx: usize,
}

/// A finite game tree with values for the first player at its leaves.
///
/// # Examples
///
/// ```
/// use outflank_game::ToyTree;
/// let tree: ToyTree = "((3 5) (2 9))".parse()?;
/// assert_eq!(tree.n_nodes(), 7);
/// assert_eq!(tree.to_string(), "((3 5) (2 9))");
/// # Ok::<(), outflank_game::toy::ParseToyTreeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToyTree {
    nodes: Vec<Node>,
}

/// Why a text is not a [`ToyTree`]; says at which byte.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("byte {offset}: {reason}")]
pub struct ParseToyTreeError {
    /// Offset of the offending byte in the text.
    pub offset: usize,
    /// What is wrong there.
    pub reason: &'static str,
}

impl ToyTree {
    /// Deepest nesting that the parser accepts, so that no text can exhaust the stack of a recursive search.
    pub const MAX_DEPTH: usize = 200;

    /// Returns the number of nodes, root and leaves included.
    pub fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    fn write_node(&self, f: &mut fmt::Formatter<'_>, idx: usize) -> fmt::Result {
        let node = &self.nodes[idx];
        if node.children.is_empty() {
            return write!(f, "{}", node.value);
        }
        f.write_str("(")?;
        if node.value != 0 {
            write!(f, "={} ", node.value)?;
        }
        for (i, &child) in node.children.iter().enumerate() {
            if i > 0 {
                f.write_str(" ")?;
            }
            self.write_node(f, child)?;
        }
        f.write_str(")")
    }
}

impl fmt::Display for ToyTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_node(f, 0)
    }
}

impl FromStr for ToyTree {
    type Err = ParseToyTreeError;

    /// Parses `(child child …)` with integers as leaves; `(=7 child …)` gives the inner node the static value 7.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let bytes = text.as_bytes();
        let fail = |offset, reason| Err(ParseToyTreeError { offset, reason });
        let mut nodes: Vec<Node> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        let mut at = 0;
        while at < bytes.len() {
            let start = at;
            let is_number = |b: u8| b == b'-' || b == b'+' || b.is_ascii_digit();
            match bytes[at] {
                b if b.is_ascii_whitespace() || b == b',' => at += 1,
                b')' => {
                    let Some(idx) = open.pop() else {
                        return fail(at, "no parenthesis is open here");
                    };
                    if nodes[idx].children.is_empty() {
                        return fail(at, "a node needs at least one child");
                    }
                    at += 1;
                }
                b if b == b'(' || b == b'=' || is_number(b) => {
                    let end = |from: usize| {
                        bytes[from..]
                            .iter()
                            .position(|&b| !is_number(b))
                            .map_or(bytes.len(), |n| from + n)
                    };
                    let number = |from: usize| {
                        text[from..end(from)]
                            .parse::<i32>()
                            .ok()
                            .filter(|value| value.abs() < 1_000_000)
                            .ok_or(ParseToyTreeError {
                                offset: from,
                                reason: "not an integer below a million",
                            })
                    };
                    if b == b'=' {
                        let Some(&idx) = open.last() else {
                            return fail(at, "a value needs an open node");
                        };
                        nodes[idx].value = number(at + 1)?;
                        at = end(at + 1);
                        continue;
                    }
                    if open.is_empty() && !nodes.is_empty() {
                        return fail(at, "the tree has already ended");
                    }
                    let idx = nodes.len();
                    let parent = open.last().copied().unwrap_or(0);
                    let child_idx = if idx == 0 { 0 } else { nodes[parent].children.len() };
                    let mut node = Node {
                        value: 0,
                        children: Vec::new(),
                        parent,
                        child_idx,
                    };
                    if b == b'(' {
                        if open.len() >= Self::MAX_DEPTH {
                            return fail(at, "the tree is nested too deeply");
                        }
                        open.push(idx);
                        at += 1;
                    } else {
                        node.value = number(start)?;
                        at = end(start);
                    }
                    nodes.push(node);
                    if idx > 0 {
                        nodes[parent].children.push(idx);
                    }
                }
                _ => return fail(at, "expected a parenthesis or an integer"),
            }
        }
        if !open.is_empty() {
            return fail(bytes.len(), "a parenthesis is still open");
        }
        if nodes.is_empty() {
            return fail(0, "the text holds no tree");
        }
        Ok(Self { nodes })
    }
}

/// A position in a [`ToyTree`], as a game.
///
/// # Examples
///
/// ```
/// use outflank_game::{GameState, Outcome, ToyGame};
/// let mut game = ToyGame::new("(1 (2 3))".parse()?);
/// game.play(1);
/// game.play(0);
/// assert_eq!(game.outcome(), Some(Outcome { margin: 2 }));
/// # Ok::<(), outflank_game::toy::ParseToyTreeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToyGame {
    tree: Arc<ToyTree>,
    node: usize,
    player: Player,
    key: u64,
}

impl ToyGame {
    /// Returns the game at the root of `tree`, with the first player to move.
    pub fn new(tree: ToyTree) -> Self {
        Self {
            tree: Arc::new(tree),
            node: 0,
            player: Player::First,
            key: 0,
        }
    }

    fn here(&self) -> &Node {
        &self.tree.nodes[self.node]
    }

    fn relative(&self, value: i32) -> i32 {
        if self.player == Player::First {
            value
        } else {
            -value
        }
    }

    /// Returns the share of the key that choosing child `child_idx` at level `level` contributes.
    fn key_part(level: u64, child_idx: usize) -> u64 {
        let mut x = (level << 32 | (child_idx as u64 + 1)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        x ^= x >> 29;
        x.wrapping_mul(0xBF58_476D_1CE4_E5B9)
    }

    fn level(&self) -> u64 {
        let (mut level, mut idx) = (0, self.node);
        while idx != 0 {
            idx = self.tree.nodes[idx].parent;
            level += 1;
        }
        level
    }
}

impl GameState for ToyGame {
    type Move = usize;
    type Undo = ();
    type Symmetry = ();

    fn player(&self) -> Player {
        self.player
    }

    fn collect_legal_moves(&self, moves: &mut Vec<usize>) {
        moves.extend(0..self.here().children.len());
    }

    fn all_moves(&self) -> Vec<usize> {
        let widest = self
            .tree
            .nodes
            .iter()
            .map(|node| node.children.len())
            .max()
            .unwrap_or(0);
        (0..=widest).collect()
    }

    fn is_legal(&self, mv: usize) -> bool {
        self.here().children.get(mv).is_some()
    }

    fn is_pass(&self, _mv: usize) -> bool {
        false
    }

    fn play(&mut self, mv: usize) {
        self.key ^= Self::key_part(self.level(), mv);
        self.node = self.here().children[mv];
        self.player = !self.player;
    }

    fn undo(&mut self, mv: usize, (): ()) {
        self.node = self.here().parent;
        self.player = !self.player;
        self.key ^= Self::key_part(self.level(), mv);
    }

    fn outcome(&self) -> Option<Outcome> {
        let node = self.here();
        node.children.is_empty().then(|| Outcome {
            margin: self.relative(node.value),
        })
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn recomputed_key(&self) -> u64 {
        let (mut key, mut level, mut idx) = (0, self.level(), self.node);
        while idx != 0 {
            level -= 1;
            key ^= Self::key_part(level, self.tree.nodes[idx].child_idx);
            idx = self.tree.nodes[idx].parent;
        }
        key
    }

    fn symmetries(&self) -> Vec<()> {
        vec![()]
    }

    fn inverse(&self, (): ()) {}

    fn transformed(&self, (): ()) -> Self {
        self.clone()
    }

    fn transform_move(&self, mv: usize, (): ()) -> usize {
        mv
    }

    fn canonical(&self) -> (Self, ()) {
        (self.clone(), ())
    }
}

/// Evaluates a [`ToyGame`] by the static value written at its node (0 where none is written).
#[derive(Clone, Copy, Debug, Default)]
pub struct ToyValue;

impl Evaluate<ToyGame> for ToyValue {
    fn evaluate(&self, game: &ToyGame) -> i32 {
        game.relative(game.here().value)
    }
}
