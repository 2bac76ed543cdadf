//! Part of a tree by itself, between cutting and pasting.

use super::{Node, NodeId, Tree, TreeError};

/// A node and all that follow it, out of any tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Every node, before its children, with the place of its parent; the first has none.
    nodes: Vec<(Node, usize)>,
}

impl Branch {
    /// Returns the number of nodes.
    pub const fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the first node, from which all others follow.
    pub fn first(&self) -> Option<&Node> {
        self.nodes.first().map(|(node, _)| node)
    }

    /// Returns whether there is no node; a branch that was cut or copied has at least one.
    pub const fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }
}

impl Tree {
    /// Returns a copy of a node and all that follow it.
    ///
    /// # Errors
    ///
    /// There is no such node, or it is the root.
    pub fn copy(&self, id: NodeId) -> Result<Branch, TreeError> {
        self.index(id)?;
        let below = self.below(id);
        let place = |id: Option<NodeId>| below.iter().position(|&other| Some(other) == id).unwrap_or(0);
        let nodes = below
            .iter()
            .filter_map(|&id| Some((self.node(id)?.clone(), place(self.parent(id)))))
            .collect();
        Ok(Branch { nodes })
    }

    /// Removes a node and all that follow it, and returns them.
    ///
    /// # Errors
    ///
    /// There is no such node, or it is the root.
    pub fn cut(&mut self, id: NodeId) -> Result<Branch, TreeError> {
        let branch = self.copy(id)?;
        self.remove(id)?;
        Ok(branch)
    }

    /// Adds a branch below `parent`, and returns its first node.
    ///
    /// Where a move is there already, what follows in the branch goes below it, and its own node stays as it is. The
    /// whole branch is legal there, or the tree is not changed.
    ///
    /// # Errors
    ///
    /// There is no such parent, or a move of the branch is not legal there.
    pub fn paste(&mut self, parent: NodeId, branch: &Branch) -> Result<NodeId, TreeError> {
        self.require(parent)?;
        let before = self.slots.len();
        let mut places: Vec<NodeId> = Vec::with_capacity(branch.nodes.len());
        for (at, (node, above)) in branch.nodes.iter().enumerate() {
            let above = if at == 0 { parent } else { places[*above] };
            let same =
                |&&id: &&NodeId| id.0 < before && self.mv(id).is_some() && self.mv(id) == node.action.mv();
            let known = self.children(above).iter().find(same).copied();
            match known.map_or_else(|| self.add(above, node.clone()), Ok) {
                Ok(id) => places.push(id),
                Err(error) => {
                    // What was added so far stands at the end of the arena, and behind its older siblings.
                    for slot in self.slots.iter_mut().take(before).flatten() {
                        slot.children.retain(|id| id.0 < before);
                    }
                    self.slots.truncate(before);
                    return Err(error);
                }
            }
        }
        places.first().copied().ok_or(TreeError::NoNode)
    }
}
