//! The tree, grown by several threads at once without locks.
//!
//! A node's children are made once, by the thread that comes first; from then on only counters change. A thread counts
//! its visit when it has chosen a leaf and adds the reward after the roll-out: until then the visit looks like a loss,
//! which sends other threads elsewhere.

use super::{Child, Config, Reward, Rollout, Selection, Update, rollout::for_first};
use outflank_game::{GameState, Player, SplitMix64};
use std::sync::{
    OnceLock,
    atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed},
};

/// A state, by the move that led to it; a cache line each, so that threads at different nodes do not wait for each other.
#[derive(Debug)]
#[repr(align(64))]
struct Node<M> {
    /// The move from the parent; `None` at the root.
    mv: Option<M>,
    /// Who made that move.
    mover: Player,
    visits: AtomicU32,
    /// Sum of rewards in 1/[`UNIT`].
    total: AtomicU64,
    /// Set when the node is expanded; empty at the end of a game.
    children: OnceLock<Box<[Self]>>,
}

/// A reward of 1 in the sums of nodes: exact sums of up to 2^32 rewards, whatever the order of threads.
const UNIT: f64 = (1_u64 << 32) as f64;

impl<M> Node<M> {
    const fn new(mv: Option<M>, mover: Player) -> Self {
        Self {
            mv,
            mover,
            visits: AtomicU32::new(0),
            total: AtomicU64::new(0),
            children: OnceLock::new(),
        }
    }

    fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    /// Returns the mean reward; 0 without visits.
    fn mean(&self) -> f64 {
        match self.visits() {
            0 => 0.0,
            visits => self.total.load(Relaxed) as f64 / (UNIT * f64::from(visits)),
        }
    }

    /// Returns the children; none before the node is expanded.
    fn children(&self) -> &[Self] {
        self.children.get().map_or(&[], |children| children)
    }

    fn count(&self) -> usize {
        1 + self.children().iter().map(Self::count).sum::<usize>()
    }
}

/// A search tree with the state at its root.
#[derive(Debug)]
pub(super) struct Tree<G: GameState> {
    root: G,
    top: Node<G::Move>,
    len: AtomicUsize,
}

/// A way from the root to a leaf, and the state there.
#[derive(Debug)]
pub(super) struct Descent<'t, G: GameState> {
    game: G,
    path: Vec<&'t Node<G::Move>>,
}

impl<G: GameState> Tree<G> {
    /// Plies below the old root at which the new root is looked for: a move each, and passes.
    const REUSE_PLIES: u32 = 4;

    /// Returns the tree that consists of its root.
    pub(super) fn new(root: &G) -> Self {
        Self {
            root: root.clone(),
            top: Node::new(None, !root.player()),
            len: AtomicUsize::new(1),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.len.load(Relaxed)
    }

    /// Returns whether the game is over at the root.
    pub(super) fn is_over(&self) -> bool {
        self.top.children().is_empty() && self.root.outcome().is_some()
    }

    pub(super) fn root_visits(&self) -> u32 {
        self.top.visits()
    }

    /// Returns the root's children in generated order, with rewards for the player to move there.
    pub(super) fn root_children(&self) -> impl Iterator<Item = Child<G::Move>> {
        // Under both updates a child of the root counts the reward of the player to move at the root.
        self.top.children().iter().filter_map(|node| {
            Some(Child {
                mv: node.mv?,
                visits: u64::from(node.visits()),
                mean: node.mean(),
            })
        })
    }

    /// Returns the line of the most visited children.
    pub(super) fn line(&self) -> Vec<G::Move> {
        let mut line = Vec::new();
        let mut at = &self.top;
        while let Some(next) = at.children().iter().rev().max_by_key(|child| child.visits()) {
            if next.visits() == 0 {
                break;
            }
            line.extend(next.mv);
            at = next;
        }
        line
    }

    /// Selects a leaf and expands it where that is due; every node of the path counts the visit at once.
    pub(super) fn descend(
        &self,
        config: &Config,
        epsilon: &mut f64,
        random: &mut SplitMix64,
    ) -> Descent<'_, G> {
        let mut game = self.root.clone();
        let mut at = &self.top;
        let mut path = vec![at];
        loop {
            if at.children().is_empty() {
                let due = path.len() == 1 || at.visits() + 1 >= config.expand_at;
                if !due || self.len() >= config.max_tree_nodes || !self.expand(at, &game) {
                    break;
                }
            }
            at = select(at, config, epsilon, random);
            path.push(at);
            if let Some(mv) = at.mv {
                drop(game.play(mv));
            }
            if at.visits() == 0 {
                break;
            }
        }
        for node in &path {
            node.visits.fetch_add(1, Relaxed);
        }
        Descent { game, path }
    }

    /// Adds the reward of a finished roll-out, whose margin is the first player's, along its path.
    pub(super) fn update(&self, config: &Config, descent: &Descent<'_, G>, margin: i32) {
        let reward_of_first = reward(config, margin);
        let root_player = self.root.player();
        for node in &descent.path {
            let credited = match config.update {
                Update::AsWritten => root_player,
                Update::Corrected => node.mover,
            };
            let reward = match credited {
                Player::First => reward_of_first,
                Player::Second => 1.0 - reward_of_first,
            };
            node.total.fetch_add((reward * UNIT) as u64, Relaxed);
        }
    }

    /// Gives a leaf its children; returns whether there are any.
    fn expand(&self, at: &Node<G::Move>, game: &G) -> bool {
        let children = at.children.get_or_init(|| {
            let mover = game.player();
            let moves = game.legal_moves();
            self.len.fetch_add(moves.len(), Relaxed);
            moves.into_iter().map(|mv| Node::new(Some(mv), mover)).collect()
        });
        !children.is_empty()
    }

    /// Returns the tree below `game` if it is within reach of the root, or a new one.
    pub(super) fn moved_to(self, game: &G) -> Self {
        let Some(path) = self.find(game) else {
            return Self::new(game);
        };
        let mut top = self.top;
        for index in path {
            let children = top.children.into_inner().unwrap_or_default();
            let Some(child) = children.into_iter().nth(index) else {
                return Self::new(game);
            };
            top = child;
        }
        top.mv = None;
        Self {
            root: game.clone(),
            len: AtomicUsize::new(top.count()),
            top,
        }
    }

    /// Returns the way to the node of `game`, a few plies from the root at most, as indices of children.
    fn find(&self, game: &G) -> Option<Vec<usize>> {
        let mut layer = vec![(Vec::new(), &self.top, self.root.clone())];
        for _ in 0..=Self::REUSE_PLIES {
            if let Some((path, ..)) = layer.iter().find(|(.., state)| state == game) {
                return Some(path.clone());
            }
            let mut next = Vec::new();
            for (path, at, state) in layer {
                for (index, child) in at.children().iter().enumerate() {
                    if let Some(mv) = child.mv.filter(|_| child.visits() > 0) {
                        let mut played = state.clone();
                        drop(played.play(mv));
                        let mut longer: Vec<usize> = path.clone();
                        longer.push(index);
                        next.push((longer, child, played));
                    }
                }
            }
            layer = next;
        }
        None
    }
}

impl<G: GameState> Descent<'_, G> {
    /// Plays on to the end; returns the first player's margin.
    pub(super) fn play_out<P: Rollout<G>>(&mut self, policy: &P, random: &mut SplitMix64) -> i32 {
        match self.game.outcome() {
            Some(outcome) => for_first(self.game.player(), outcome.margin),
            None => policy.play_out(&mut self.game, random),
        }
    }
}

/// Returns the child of an expanded node to follow.
fn select<'t, M>(
    at: &'t Node<M>,
    config: &Config,
    epsilon: &mut f64,
    random: &mut SplitMix64,
) -> &'t Node<M> {
    let children = at.children();
    if let [only] = children {
        return only;
    }
    let c = match config.selection {
        Selection::Ucb1 { c } => c,
        Selection::EpsilonGreedy { c, decay, .. } => {
            let explore = random.unit() < *epsilon;
            *epsilon *= decay;
            if explore {
                return &children[random.below(children.len())];
            }
            c
        }
    };
    let n_new = children.iter().filter(|child| child.visits() == 0).count();
    if n_new > 0 {
        let chosen = random.below(n_new);
        // Another thread may have visited one of them meanwhile.
        if let Some(child) = children.iter().filter(|child| child.visits() == 0).nth(chosen) {
            return child;
        }
    }
    let log = f64::from(at.visits().max(1)).ln();
    let mut best = (&children[0], f64::NEG_INFINITY);
    for child in children {
        let score = child.mean() + c * (log / f64::from(child.visits().max(1))).sqrt();
        if score > best.1 {
            best = (child, score);
        }
    }
    best.0
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
