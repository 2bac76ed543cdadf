//! A game with its variations, as front-ends show it.

use crate::{
    access::{Capabilities, Input},
    error::Error,
    review::record,
    wire::{Kind, board_and_side},
};
use outflank_othello::Color;
use outflank_records::Item;
use outflank_study::tree::{Action, Node, NodeId, NodeValue, Shape, Tree, Worth, sgf};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Asks for games with their variations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TreeRequest {
    /// Games.
    pub input: Input,
}

/// A game with its variations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TreeObject {
    /// Line of the source, from 1.
    pub line: usize,
    /// What the record says of the game: keys as in GGF, and values.
    pub tags: Vec<(String, String)>,
    /// The nodes, each after the one that it follows, the main line first; the first is the start.
    pub nodes: Vec<TreeNode>,
    /// The whole of it as SGF.
    pub sgf: String,
}

/// A node of a tree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TreeNode {
    /// The place of the node before it in `nodes`; none at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<usize>,
    /// The move; none at the start, at a setup and at a mere comment.
    #[serde(rename = "move", default, skip_serializing_if = "Option::is_none")]
    pub mv: Option<String>,
    /// `X` or `O`, who made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// 64 characters, a1 first: the position after it.
    pub board: String,
    /// `X` or `O`, to move.
    pub side: String,
    /// A name, such as that of an opening.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// A comment.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// `!!`, `!`, `!?`, `?!`, `?` or `??`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sign: Option<String>,
    /// Squares with a circle, square, triangle or cross.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub marks: BTreeMap<String, Vec<String>>,
    /// Squares with a text.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: BTreeMap<String, String>,
    /// The value of the position for black, in discs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// What the value is worth; none if the record only claims it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    /// Seconds spent on the move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Places of other nodes with the same position.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub transpositions: Vec<usize>,
}

/// Returns what a value is worth; none if somebody only says so.
const fn kind(value: NodeValue) -> Option<Kind> {
    match value.worth {
        Worth::Claimed => None,
        Worth::Exact => Some(Kind::Exact),
        Worth::WinLossDraw => Some(Kind::Wld),
        Worth::AtLeast | Worth::AtMost => Some(Kind::Bounds),
        Worth::Estimate { .. } => Some(Kind::Estimate),
        Worth::Book => Some(Kind::Book),
    }
}

impl TreeObject {
    /// Returns the tree of an item; one without variations where its notation has none.
    pub fn new(item: &Item) -> Self {
        let of_record;
        let tree = if let Some(tree) = &item.tree {
            tree
        } else {
            of_record = Tree::from_record(&record(item.clone()));
            &of_record
        };
        let ids = tree.nodes();
        let places: BTreeMap<NodeId, usize> = ids.iter().enumerate().map(|(at, &id)| (id, at)).collect();
        let mut same: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (at, &id) in ids.iter().enumerate().filter(|(_, id)| tree.mv(**id).is_some()) {
            if let Some(position) = tree.position(id) {
                same.entry(position.to_string()).or_default().push(at);
            }
        }
        let nodes = ids.iter().enumerate().filter_map(|(at, &id)| {
            let parent = tree.parent(id).and_then(|id| places.get(&id).copied());
            let others = same.get(&tree.position(id)?.to_string());
            let others = others.into_iter().flatten().copied();
            let others = others
                .filter(|&other| other != at && tree.mv(id).is_some())
                .collect();
            Some(TreeNode::new(tree, id, tree.node(id)?, parent, others))
        });
        Self {
            line: item.line,
            tags: tree.record().tags,
            nodes: nodes.collect(),
            sgf: sgf::write(tree),
        }
    }
}

impl TreeNode {
    fn new(tree: &Tree, id: NodeId, node: &Node, parent: Option<usize>, transpositions: Vec<usize>) -> Self {
        let (board, side) = tree.position(id).map(board_and_side).unwrap_or_default();
        let mut marks: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (shape, square) in &node.marks {
            let name = match shape {
                Shape::Circle => "circle",
                Shape::Square => "square",
                Shape::Triangle => "triangle",
                Shape::Cross => "cross",
            };
            marks.entry(name.to_owned()).or_default().push(square.to_string());
        }
        let (mv, by) = match &node.action {
            Action::Move { color, mv } => (Some(mv.to_string()), Some(color.symbol().to_string())),
            Action::None | Action::Setup(_) => (None, None),
        };
        Self {
            parent,
            mv,
            by,
            board,
            side,
            name: node.name.clone(),
            comment: node.comment.clone(),
            sign: node.sign.map(|sign| sign.symbol().to_owned()),
            marks,
            labels: node
                .labels
                .iter()
                .map(|(square, text)| (square.to_string(), text.clone()))
                .collect(),
            value: node.value.map(|value| value.discs(Color::Black)),
            kind: node.value.and_then(kind),
            seconds: node.time_ms.map(|ms| ms as f64 / 1000.0),
            transpositions,
        }
    }
}

/// Hands out every game of the input with its variations.
///
/// # Errors
///
/// Returns why the request cannot be answered.
pub fn tree(
    request: &TreeRequest,
    capabilities: &Capabilities<'_>,
    on_event: &mut dyn FnMut(TreeObject),
) -> Result<(), Error> {
    request.input.open(capabilities)?.try_othello(&mut |item| {
        on_event(TreeObject::new(&item));
        Ok(())
    })
}
