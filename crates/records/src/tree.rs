//! A tree of variations: positions that follow from each other by moves, with what is said about them.
//!
//! Nodes lie in an arena and are named by a [`NodeId`], which stays valid until its node is removed. Every node holds the
//! position after its move, so that no illegal move can be in a tree. The first child of a node continues the line that
//! it is in, the others are variations.
//! [`sgf`] reads and writes trees; what it does not know is kept as it was written.

mod branch;
mod comments;
mod node;
pub mod sgf;

pub use branch::Branch;
pub(crate) use comments::of_group;
pub use comments::write_ggf;
pub use node::{Action, Node, NodeValue, Property, SetupChange, Shape, Sign, Worth};

use crate::GameRecord;
use outflank_othello::{Color, Game, IllegalMove, Move, Position};

/// A node of a [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(usize);

impl NodeId {
    /// The root, which every tree has.
    pub const ROOT: Self = Self(0);
}

/// A place in the arena.
#[derive(Clone, Debug)]
struct Slot {
    node: Node,
    parent: Option<NodeId>,
    children: Vec<NodeId>,
    position: Position,
}

/// Why a tree stays as it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TreeError {
    /// There is no such node, or no longer.
    #[error("this node is not in the tree")]
    NoNode,
    /// The rules do not allow the move.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
    /// The other side is to move.
    #[error("a move of {found}, but {expected} is to move")]
    WrongColor {
        /// Who is to move.
        expected: Color,
        /// Whose move it is.
        found: Color,
    },
    /// A setup leaves discs of both colors on one square.
    #[error("discs of both colors on one square")]
    Overlap,
    /// The root cannot be removed, moved or replaced.
    #[error("the root of a tree stays where it is")]
    Root,
}

/// A tree of variations.
///
/// ```
/// use outflank_records::tree::{NodeId, Tree};
/// let mut tree = Tree::new();
/// let f5 = tree.play(NodeId::ROOT, "f5".parse()?)?;
/// let d6 = tree.play(f5, "d6".parse()?)?;
/// let f6 = tree.play(f5, "f6".parse()?)?;
/// assert_eq!(tree.children(f5), [d6, f6]);
/// assert_eq!(tree.play(f5, "d6".parse()?), Ok(d6), "a move that is there is followed");
/// tree.promote(f6)?;
/// assert_eq!(tree.main_line(), [f5, f6]);
/// tree.remove(d6)?;
/// assert_eq!(tree.len(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tree {
    /// A removed node leaves its place empty, so that the others keep their names.
    slots: Vec<Option<Slot>>,
}

impl Default for Tree {
    fn default() -> Self {
        Self::new()
    }
}

/// Two trees are equal if the same is said in the same order; the names of their nodes do not matter.
impl PartialEq for Tree {
    fn eq(&self, other: &Self) -> bool {
        let mut pairs = vec![(NodeId::ROOT, NodeId::ROOT)];
        while let Some((a, b)) = pairs.pop() {
            let (Some(left), Some(right)) = (self.slot(a), other.slot(b)) else {
                return false;
            };
            if left.node != right.node
                || left.position != right.position
                || left.children.len() != right.children.len()
            {
                return false;
            }
            pairs.extend(left.children.iter().copied().zip(right.children.iter().copied()));
        }
        true
    }
}

impl Eq for Tree {}

impl Tree {
    /// Returns a tree of the usual start position alone.
    pub fn new() -> Self {
        Self::from_position(Position::start())
    }

    /// Returns a tree of one position.
    pub fn from_position(position: Position) -> Self {
        let slot = Slot {
            node: Node::default(),
            parent: None,
            children: Vec::new(),
            position,
        };
        Self {
            slots: vec![Some(slot)],
        }
    }

    /// Returns a game as a tree without variations; tags are kept, and what is said about the moves.
    pub fn from_record(record: &GameRecord) -> Self {
        let mut tree = Self::from_position(*record.game.start());
        sgf::add_tags(tree.root_mut(), &record.tags);
        let mut at = NodeId::ROOT;
        for (ply, &mv) in record.game.moves().iter().enumerate() {
            let Ok(next) = tree.play(at, mv) else { break };
            let color = tree.mover(next);
            if let (Some(note), Some(slot), Some(color)) = (record.notes.get(ply), tree.slot_mut(next), color)
            {
                slot.node.value = note
                    .eval_discs()
                    .and_then(|discs| NodeValue::claimed(discs, color));
                slot.node.time_ms = note.seconds().and_then(node::milliseconds);
            }
            at = next;
        }
        tree
    }

    fn slot(&self, id: NodeId) -> Option<&Slot> {
        self.slots.get(id.0)?.as_ref()
    }

    fn slot_mut(&mut self, id: NodeId) -> Option<&mut Slot> {
        self.slots.get_mut(id.0)?.as_mut()
    }

    fn require(&self, id: NodeId) -> Result<&Slot, TreeError> {
        self.slot(id).ok_or(TreeError::NoNode)
    }

    /// Returns the number of nodes, the root included.
    pub fn len(&self) -> usize {
        self.slots.iter().flatten().count()
    }

    /// Returns whether there is nothing but the root.
    pub fn is_empty(&self) -> bool {
        self.len() == 1
    }

    /// Returns what is said at a node.
    pub fn node(&self, id: NodeId) -> Option<&Node> {
        self.slot(id).map(|slot| &slot.node)
    }

    /// Returns what is said at the root.
    pub fn root(&self) -> &Node {
        self.node(NodeId::ROOT).expect("the root is never removed")
    }

    /// Returns what is said at the root, to be changed; what is done there stays.
    pub fn root_mut(&mut self) -> &mut Node {
        let slot = self.slots.first_mut().and_then(Option::as_mut);
        &mut slot.expect("the root is never removed").node
    }

    /// Changes what is said at a node; its move or setup stays whatever `change` does to it.
    ///
    /// # Errors
    ///
    /// There is no such node.
    pub fn annotate(&mut self, id: NodeId, change: impl FnOnce(&mut Node)) -> Result<(), TreeError> {
        let slot = self.slot_mut(id).ok_or(TreeError::NoNode)?;
        let action = slot.node.action.clone();
        change(&mut slot.node);
        slot.node.action = action;
        Ok(())
    }

    /// Returns the position after the move of a node.
    pub fn position(&self, id: NodeId) -> Option<&Position> {
        self.slot(id).map(|slot| &slot.position)
    }

    /// Returns who made the move of a node, if it has one.
    pub fn mover(&self, id: NodeId) -> Option<Color> {
        match self.node(id)?.action {
            Action::Move { color, .. } => Some(color),
            Action::None | Action::Setup(_) => None,
        }
    }

    /// Returns the move of a node, if it has one.
    pub fn mv(&self, id: NodeId) -> Option<Move> {
        match self.node(id)?.action {
            Action::Move { mv, .. } => Some(mv),
            Action::None | Action::Setup(_) => None,
        }
    }

    /// Returns the node before this one.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.slot(id)?.parent
    }

    /// Returns the nodes that follow, the main one first.
    pub fn children(&self, id: NodeId) -> &[NodeId] {
        self.slot(id).map_or(&[], |slot| &slot.children)
    }

    /// Returns the nodes from the first after the root to this one.
    pub fn path(&self, id: NodeId) -> Vec<NodeId> {
        let mut path = Vec::new();
        let mut at = id;
        while let Some(parent) = self.parent(at) {
            path.push(at);
            at = parent;
        }
        path.reverse();
        path
    }

    /// Returns the nodes of the main line, without the root.
    pub fn main_line(&self) -> Vec<NodeId> {
        let mut line = Vec::new();
        let mut at = NodeId::ROOT;
        while let Some(&next) = self.children(at).first() {
            line.push(next);
            at = next;
        }
        line
    }

    /// Returns all nodes, every one before its children, the main line first.
    pub fn nodes(&self) -> Vec<NodeId> {
        self.below(NodeId::ROOT)
    }

    /// Returns a node and all that follow it, every one before its children, the main line first.
    fn below(&self, id: NodeId) -> Vec<NodeId> {
        let (mut found, mut open) = (Vec::new(), vec![id]);
        while let Some(at) = open.pop() {
            found.push(at);
            open.extend(self.children(at).iter().rev());
        }
        found
    }

    /// Returns the moves up to a node; a setup on the way begins the game anew.
    pub fn game(&self, id: NodeId) -> Game {
        let start = self.slots.first().and_then(Option::as_ref);
        let mut game = Game::from_position(start.map_or_else(Position::start, |slot| slot.position));
        for at in self.path(id) {
            match (self.mv(at), self.position(at)) {
                (Some(mv), _) => {
                    // Every move was checked when it came into the tree.
                    let _legal = game.play(mv);
                }
                (None, Some(position)) if position != game.position() => {
                    game = Game::from_position(*position);
                }
                (None, _) => {}
            }
        }
        game
    }

    /// Returns the last node of the main line.
    pub fn end(&self) -> NodeId {
        self.main_line().last().copied().unwrap_or(NodeId::ROOT)
    }

    /// Returns the number of nodes outside the main line.
    pub fn variations(&self) -> usize {
        self.len() - 1 - self.main_line().len()
    }

    /// Follows a move, which is added behind the other children if it is not there yet.
    ///
    /// # Errors
    ///
    /// There is no such node, or the move is not legal there; a pass that the rules imply has to be played.
    pub fn play(&mut self, parent: NodeId, mv: Move) -> Result<NodeId, TreeError> {
        let color = self.require(parent)?.position.side();
        let known = self.children(parent).iter().find(|&&id| self.mv(id) == Some(mv));
        if let Some(&known) = known {
            return Ok(known);
        }
        self.add(
            parent,
            Node {
                action: Action::Move { color, mv },
                ..Node::default()
            },
        )
    }

    /// Adds a node behind the other children of `parent`.
    ///
    /// # Errors
    ///
    /// There is no such parent, or what is done at the node is not possible there.
    pub fn add(&mut self, parent: NodeId, mut node: Node) -> Result<NodeId, TreeError> {
        if node.action == Action::Setup(SetupChange::default()) {
            node.action = Action::None;
        }
        let position = node.action.after(self.require(parent)?.position)?;
        let id = NodeId(self.slots.len());
        self.slots.push(Some(Slot {
            node,
            parent: Some(parent),
            children: Vec::new(),
            position,
        }));
        if let Some(slot) = self.slot_mut(parent) {
            slot.children.push(id);
        }
        Ok(id)
    }

    /// Moves a node before the one that stands in front of it among the children of its parent.
    ///
    /// # Errors
    ///
    /// There is no such node, or it is the root.
    pub fn promote(&mut self, id: NodeId) -> Result<(), TreeError> {
        let at = self.index(id)?.1;
        self.reorder(id, at.saturating_sub(1))
    }

    /// Makes the line to a node the main one.
    ///
    /// # Errors
    ///
    /// There is no such node.
    pub fn make_main(&mut self, id: NodeId) -> Result<(), TreeError> {
        self.require(id)?;
        self.path(id).into_iter().try_for_each(|id| self.reorder(id, 0))
    }

    /// Moves a node to a place among the children of its parent, the last one if there are fewer.
    ///
    /// # Errors
    ///
    /// There is no such node, or it is the root.
    pub fn reorder(&mut self, id: NodeId, to: usize) -> Result<(), TreeError> {
        let (parent, at) = self.index(id)?;
        if let Some(slot) = self.slot_mut(parent) {
            slot.children.remove(at);
            let to = to.min(slot.children.len());
            slot.children.insert(to, id);
        }
        Ok(())
    }

    /// Returns the parent of a node, and its place among the children.
    fn index(&self, id: NodeId) -> Result<(NodeId, usize), TreeError> {
        let parent = self.require(id)?.parent.ok_or(TreeError::Root)?;
        let at = self.children(parent).iter().position(|&child| child == id);
        Ok((parent, at.ok_or(TreeError::NoNode)?))
    }

    /// Removes a node and all that follow it.
    ///
    /// # Errors
    ///
    /// There is no such node, or it is the root.
    pub fn remove(&mut self, id: NodeId) -> Result<(), TreeError> {
        let (parent, at) = self.index(id)?;
        let gone = self.below(id);
        if let Some(slot) = self.slot_mut(parent) {
            slot.children.remove(at);
        }
        for id in gone {
            self.slots[id.0] = None;
        }
        Ok(())
    }

    /// Returns the other nodes with the position of this one, in the order of [`Tree::nodes`]: transpositions.
    ///
    /// They are shown, not joined: what is said at one is not said at the other.
    pub fn transpositions(&self, id: NodeId) -> Vec<NodeId> {
        let Some(position) = self.position(id) else {
            return Vec::new();
        };
        // A node that changes nothing, and those beside it on one line, are no transpositions.
        let line = self.path(id);
        self.nodes()
            .into_iter()
            .filter(|&other| other != id && self.position(other) == Some(position))
            .filter(|&other| self.mv(other).is_some() && !line.contains(&other))
            .collect()
    }

    /// Returns the main line as a record: the first setup and the moves behind it, with tags and values.
    pub fn record(&self) -> GameRecord {
        let line = self.main_line();
        let mut record = GameRecord::new(self.game(self.end()));
        record.tags = sgf::tags(self.root());
        let moves: Vec<_> = line.iter().filter(|id| self.mv(**id).is_some()).collect();
        // After a setup in the midst of a line the game is what follows it.
        let skipped = moves.len() - record.game.moves().len().min(moves.len());
        for (ply, &&id) in moves.iter().skip(skipped).enumerate() {
            let (Some(node), Some(color)) = (self.node(id), self.mover(id)) else {
                continue;
            };
            let note = node.note(color);
            if note != crate::MoveNote::default() {
                record.notes.resize(ply, crate::MoveNote::default());
                record.notes.push(note);
            }
        }
        record
    }

    /// Returns the moves of the tree in one word, variations in parentheses behind the move that they replace:
    /// `f5d6c3(c4d3)d3`. What follows a setup below the root is left out.
    pub fn movetext(&self) -> String {
        enum Step {
            /// What follows a node.
            After(NodeId),
            /// A variation, from its first move.
            Variation(NodeId),
            Text(&'static str),
        }
        let written = |id: NodeId| {
            let mv = self.mv(id);
            mv.map_or_else(String::new, |mv| {
                mv.square()
                    .map_or_else(|| "pa".to_owned(), |square| square.to_string())
            })
        };
        let mut text = String::new();
        let mut open = vec![Step::After(NodeId::ROOT)];
        while let Some(step) = open.pop() {
            let id = match step {
                Step::Text(sign) => {
                    text.push_str(sign);
                    continue;
                }
                Step::Variation(id) => {
                    text.push_str(&written(id));
                    id
                }
                Step::After(id) => id,
            };
            let is_setup = |id: &&NodeId| {
                self.node(**id)
                    .is_some_and(|node| matches!(node.action, Action::Setup(_)))
            };
            let mut children = self.children(id).iter().filter(|id| !is_setup(id));
            let Some(&main) = children.next() else { continue };
            text.push_str(&written(main));
            open.push(Step::After(main));
            for &id in children.rev() {
                open.extend([Step::Text(")"), Step::Variation(id), Step::Text("(")]);
            }
        }
        text
    }
}

#[cfg(test)]
mod tests;
