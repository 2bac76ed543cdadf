//! The tree: nodes in one vector, children next to each other.

use super::{Child, Config, Reward, Rollout, Selection, Update, rollout::for_first};
use crate::SplitMix64;
use outflank_game::{Game, Player};

/// A state, by the move that led to it.
#[derive(Clone, Copy, Debug)]
struct Node<M> {
    /// The move from the parent; `None` at the root.
    mv: Option<M>,
    /// Who made that move.
    mover: Player,
    visits: u32,
    /// Sum of rewards.
    total: f64,
    /// Index of the first child; the others follow it.
    first_child: u32,
    /// Number of children; 0 until the node is expanded, and for ever at the end of a game.
    n_children: u32,
}

/// A search tree with the state at its root.
#[derive(Debug)]
pub(super) struct Tree<G: Game> {
    root: G,
    nodes: Vec<Node<G::Move>>,
}

/// A way from the root to a leaf, and the state there.
#[derive(Debug)]
pub(super) struct Descent<G> {
    game: G,
    path: Vec<usize>,
}

impl<G: Game> Descent<G> {
    /// Plays on to the end; returns the first player's margin.
    pub(super) fn play_out<P: Rollout<G>>(&mut self, policy: &P, random: &mut SplitMix64) -> i32 {
        match self.game.outcome() {
            Some(outcome) => for_first(self.game.player(), outcome.margin),
            None => policy.play_out(&mut self.game, random),
        }
    }
}

impl<G: Game> Tree<G> {
    /// Plies below the old root at which the new root is looked for: a move each, and passes.
    const REUSE_PLIES: u32 = 4;

    /// Returns the tree that consists of its root.
    pub(super) fn new(root: &G) -> Self {
        let node = Node {
            mv: None,
            mover: !root.player(),
            visits: 0,
            total: 0.0,
            first_child: 0,
            n_children: 0,
        };
        Self {
            root: root.clone(),
            nodes: vec![node],
        }
    }

    pub(super) const fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns whether the game is over at the root.
    pub(super) fn is_over(&self) -> bool {
        self.nodes[0].n_children == 0 && self.root.outcome().is_some()
    }

    pub(super) fn root_visits(&self) -> u32 {
        self.nodes[0].visits
    }

    /// Returns the root's children in generated order, with rewards for the player to move there.
    pub(super) fn root_children(&self) -> impl Iterator<Item = Child<G::Move>> {
        // Under both updates a child of the root counts the reward of the player to move at the root.
        self.children(0).filter_map(|at| {
            let node = &self.nodes[at];
            Some(Child {
                mv: node.mv?,
                visits: u64::from(node.visits),
                mean: if node.visits == 0 {
                    0.0
                } else {
                    node.total / f64::from(node.visits)
                },
            })
        })
    }

    /// Returns the line of the most visited children.
    pub(super) fn line(&self) -> Vec<G::Move> {
        let mut line = Vec::new();
        let mut at = 0;
        while let Some(next) = self
            .children(at)
            .rev()
            .max_by_key(|&child| self.nodes[child].visits)
        {
            if self.nodes[next].visits == 0 {
                break;
            }
            line.extend(self.nodes[next].mv);
            at = next;
        }
        line
    }

    fn children(&self, at: usize) -> std::ops::Range<usize> {
        let node = &self.nodes[at];
        let first = node.first_child as usize;
        first..first + node.n_children as usize
    }

    /// Selects a leaf and expands it where that is due; every node of the path counts a visit at once.
    ///
    /// Until [`Tree::update`] adds the reward, that visit looks like a loss.
    pub(super) fn descend(
        &mut self,
        config: &Config,
        epsilon: &mut f64,
        random: &mut SplitMix64,
    ) -> Descent<G> {
        let mut game = self.root.clone();
        let mut path = vec![0];
        let mut at = 0;
        loop {
            if self.nodes[at].n_children == 0 {
                let due = at == 0 || self.nodes[at].visits + 1 >= config.expand_at;
                if !due || self.nodes.len() >= config.max_tree_nodes || !self.expand(at, &game) {
                    break;
                }
            }
            at = self.select(at, config, epsilon, random);
            path.push(at);
            if let Some(mv) = self.nodes[at].mv {
                drop(game.play(mv));
            }
            if self.nodes[at].visits == 0 {
                break;
            }
        }
        for &at in &path {
            self.nodes[at].visits += 1;
        }
        Descent { game, path }
    }

    /// Adds the reward of a finished roll-out, whose margin is the first player's, along its path.
    pub(super) fn update(&mut self, config: &Config, descent: &Descent<G>, margin: i32) {
        let reward_of_first = reward(config, margin);
        let root_player = self.root.player();
        for &at in &descent.path {
            let node = &mut self.nodes[at];
            let credited = match config.update {
                Update::AsWritten => root_player,
                Update::Corrected => node.mover,
            };
            node.total += match credited {
                Player::First => reward_of_first,
                Player::Second => 1.0 - reward_of_first,
            };
        }
    }

    /// Gives a leaf its children; returns whether there are any.
    fn expand(&mut self, at: usize, game: &G) -> bool {
        let moves = game.legal_moves();
        self.nodes[at].first_child = self.nodes.len() as u32;
        self.nodes[at].n_children = moves.len() as u32;
        let mover = game.player();
        self.nodes.extend(moves.into_iter().map(|mv| Node {
            mv: Some(mv),
            mover,
            visits: 0,
            total: 0.0,
            first_child: 0,
            n_children: 0,
        }));
        self.nodes[at].n_children > 0
    }

    /// Returns the child of an expanded node to follow.
    fn select(&self, at: usize, config: &Config, epsilon: &mut f64, random: &mut SplitMix64) -> usize {
        let children = self.children(at);
        if children.len() == 1 {
            return children.start;
        }
        let c = match config.selection {
            Selection::Ucb1 { c } => c,
            Selection::EpsilonGreedy { c, decay, .. } => {
                let explore = random.unit() < *epsilon;
                *epsilon *= decay;
                if explore {
                    return children.start + random.below(children.len());
                }
                c
            }
        };
        let n_new = children
            .clone()
            .filter(|&child| self.nodes[child].visits == 0)
            .count();
        if n_new > 0 {
            let mut skip = random.below(n_new);
            for child in children.clone() {
                if self.nodes[child].visits == 0 {
                    if skip == 0 {
                        return child;
                    }
                    skip -= 1;
                }
            }
        }
        let log = f64::from(self.nodes[at].visits.max(1)).ln();
        let score = |child: usize| {
            let visits = f64::from(self.nodes[child].visits);
            self.nodes[child].total / visits + c * (log / visits).sqrt()
        };
        let mut best = (children.start, f64::NEG_INFINITY);
        for child in children {
            let score = score(child);
            if score > best.1 {
                best = (child, score);
            }
        }
        best.0
    }

    /// Returns the tree below `game` if it is within reach of the root, or a new one.
    pub(super) fn moved_to(self, game: &G) -> Self {
        match self.find(game) {
            Some(0) => self,
            Some(at) => self.subtree(at, game),
            None => Self::new(game),
        }
    }

    /// Returns the node of `game`, a few plies from the root at most.
    fn find(&self, game: &G) -> Option<usize> {
        let mut layer = vec![(0, self.root.clone())];
        for _ in 0..=Self::REUSE_PLIES {
            if let Some((at, _)) = layer.iter().find(|(_, state)| state == game) {
                return Some(*at);
            }
            let mut next = Vec::new();
            for (at, state) in layer {
                for child in self.children(at).filter(|&child| self.nodes[child].visits > 0) {
                    if let Some(mv) = self.nodes[child].mv {
                        let mut played = state.clone();
                        drop(played.play(mv));
                        next.push((child, played));
                    }
                }
            }
            layer = next;
        }
        None
    }

    /// Returns a copy of the tree below `top`, whose state is `game`.
    fn subtree(&self, top: usize, game: &G) -> Self {
        let mut nodes = vec![self.nodes[top]];
        nodes[0].mv = None;
        let mut at = 0;
        // Breadth first: a node's children are appended when its turn comes, and get their final indices there.
        while at < nodes.len() {
            let node = nodes[at];
            let first = node.first_child as usize;
            if node.n_children > 0 {
                nodes[at].first_child = nodes.len() as u32;
                nodes.extend_from_slice(&self.nodes[first..first + node.n_children as usize]);
            }
            at += 1;
        }
        Self {
            root: game.clone(),
            nodes,
        }
    }
}

/// Returns the first player's reward for a margin, 0..=1.
fn reward(config: &Config, margin: i32) -> f64 {
    let by_result = f64::from(margin.signum()).midpoint(1.0);
    let scale = f64::from(config.scale.max(1));
    let by_margin = (f64::from(margin) / scale).clamp(-1.0, 1.0).midpoint(1.0);
    match config.reward {
        Reward::Margin => by_margin,
        Reward::Result => by_result,
        Reward::Mixed { result } => result * by_result + (1.0 - result) * by_margin,
    }
}
