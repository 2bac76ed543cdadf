//! Monte-Carlo tree search, generic over the game and the roll-out policy.
//!
//! ```text
//! repeat until a limit:
//!     selection:        from the root, follow the child with the best UCB1 score (or, with probability epsilon,
//!                       any child), unvisited children first
//!     expansion:        a leaf on its n-th visit gets its children
//!     simulation:       the policy plays to the end of the game, or to where it trusts an estimate
//!     backpropagation:  every node of the path counts the visit and the reward
//! play the most visited child
//! ```
//! Passes are moves like any other, in the tree and in roll-outs: source document C's own roll-out loop waits for a
//! square that never comes, ours goes on. Several threads grow one tree, whose counters are atomic; a roll-out on its
//! way counts as lost (virtual loss), so that the next thread looks elsewhere. So only one thread gives the same result
//! for the same seed. The tree is kept between moves.
//!
//! ```
//! use outflank_game::{ToyGame, SplitMix64};
//! use outflank_search::Control;
//! use outflank_textbook::mcts::{Config, Mcts, Uniform};
//! let game = ToyGame::new("((3 5) (2 (9 1)))".parse()?);
//! let mut mcts = Mcts::new(Config { scale: 10, ..Config::default() }, Uniform);
//! assert_eq!(mcts.search(&game, &Control::of_nodes(2000)).best, Some(0));
//! # Ok::<(), outflank_game::toy::ParseToyTreeError>(())
//! ```

// Sources: [KOCSIS06] for the search of trees, [AUER02] for UCB1, [CHASLOT08] for threads on one tree.

mod rollout;
mod tree;

pub use rollout::{Rollout, Uniform};

use outflank_game::{GameState, SplitMix64};
use outflank_search::Control;
use tree::Tree;

/// How a child is selected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Selection {
    /// The best mean reward plus `c` × sqrt(ln(visits of the parent) / visits of the child).
    Ucb1 {
        /// Weight of exploration; rewards lie in 0..=1.
        c: f64,
    },
    /// A random child with probability `epsilon`, which shrinks by the factor `decay` at every choice; else UCB1.
    EpsilonGreedy {
        /// Weight of exploration in UCB1.
        c: f64,
        /// Probability at the start of a search; document C: 0.3.
        epsilon: f64,
        /// Factor per choice; document C: 0.999.
        decay: f64,
    },
}

/// What a finished roll-out is worth, 0 (worst) to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reward {
    /// The margin, mapped linearly from ±`Config::scale` (document C).
    Margin,
    /// Win 1, draw ½, loss 0.
    Result,
    /// `result` × the result plus (1 − `result`) × the margin.
    Mixed {
        /// Weight of the result, 0..=1.
        result: f64,
    },
}

/// Whose reward a node counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Update {
    /// The reward of the player to move at the root, in every node: source document C as written. The opponent's
    /// replies are then selected as if the opponent wanted the root player to win.
    AsWritten,
    /// The reward of the player who moved into the node, so that each side selects what is good for itself.
    Corrected,
}

/// The options of a [`Mcts`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Config {
    /// Selection of children.
    pub selection: Selection,
    /// A leaf gets its children on this visit; document C: the second.
    pub expand_at: u32,
    /// Worth of a roll-out.
    pub reward: Reward,
    /// Margin that is worth a reward of 1: 64 in Othello.
    pub scale: i32,
    /// Whose reward a node counts.
    pub update: Update,
    /// Threads at work on the tree; 0 counts as 1.
    pub threads: usize,
    /// Nodes of the tree at most; beyond, leaves stay leaves.
    pub max_tree_nodes: usize,
    /// Whether the part of the tree below the played moves is kept for the next search.
    pub reuse: bool,
    /// Seed of all choices.
    pub seed: u64,
}

impl Default for Config {
    /// UCB1 with C = 0.7, expansion on the second visit, mixed reward, corrected update, one thread.
    fn default() -> Self {
        Self {
            selection: Selection::Ucb1 { c: 0.7 },
            expand_at: 2,
            reward: Reward::Mixed { result: 0.5 },
            scale: 64,
            update: Update::Corrected,
            threads: 1,
            max_tree_nodes: 4_000_000,
            reuse: true,
            seed: 0,
        }
    }
}

/// What is known about one root move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Child<M> {
    /// The move.
    pub mv: M,
    /// Simulations that went through it, all threads together.
    pub visits: u64,
    /// Mean reward for the player to move, 0..=1; 0 without visits.
    pub mean: f64,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct Report<M> {
    /// The most visited root move; `None` if the game is over.
    pub best: Option<M>,
    /// Mean reward of the best move, 0..=1.
    pub value: f64,
    /// The root moves in generated order.
    pub children: Vec<Child<M>>,
    /// The most visited line.
    pub line: Vec<M>,
    /// Simulations of this search, all threads together.
    pub simulations: u64,
    /// Visits of the root that were kept from the search before.
    pub reused: u64,
    /// Nodes in the tree at the end.
    pub tree_nodes: usize,
}

/// Monte-Carlo tree search with its tree, kept from move to move.
#[derive(Debug)]
pub struct Mcts<G: GameState, P> {
    config: Config,
    policy: P,
    tree: Option<Tree<G>>,
    n_searches: u64,
}

impl<G, P> Mcts<G, P>
where
    G: GameState + Sync,
    G::Move: Send + Sync,
    P: Rollout<G> + Sync,
{
    /// Returns a search without a tree yet.
    pub const fn new(config: Config, policy: P) -> Self {
        Self {
            config,
            policy,
            tree: None,
            n_searches: 0,
        }
    }

    /// Forgets the tree, as for a new game; the next search repeats the first one exactly.
    pub fn reset(&mut self) {
        self.tree = None;
        self.n_searches = 0;
    }

    /// Searches `game` until `control` says so, or every line has been played to its end; a node is a simulation here.
    ///
    /// Whatever the time, every thread makes at least one simulation, so that there is a move.
    pub fn search(&mut self, game: &G, control: &Control) -> Report<G::Move> {
        let n_threads = self.config.threads.max(1);
        let tree = match self.tree.take() {
            Some(tree) if self.config.reuse => tree.moved_to(game),
            _ => Tree::new(game),
        };
        let reused = u64::from(tree.root_visits());
        let first_seed =
            SplitMix64::new(self.config.seed ^ self.n_searches.wrapping_mul(0x51_7C_C1)).next_u64();
        self.n_searches += 1;

        let (config, policy) = (&self.config, &self.policy);
        let work = |i: usize| {
            let (total, n) = (control.max_nodes(), n_threads as u64);
            let share = total / n + u64::from((i as u64) < total % n);
            let random = SplitMix64::new(first_seed.wrapping_add(i as u64));
            run(&tree, config, policy, (share, control), random)
        };
        let simulations = if n_threads == 1 {
            work(0)
        } else {
            std::thread::scope(|scope| {
                let work = &work;
                let others: Vec<_> = (1..n_threads).map(|i| scope.spawn(move || work(i))).collect();
                let join = |worker: std::thread::ScopedJoinHandle<'_, u64>| {
                    worker
                        .join()
                        .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
                };
                work(0) + others.into_iter().map(join).sum::<u64>()
            })
        };
        let report = report(&tree, simulations, reused);
        self.tree = Some(tree);
        report
    }
}

fn report<G: GameState>(tree: &Tree<G>, simulations: u64, reused: u64) -> Report<G::Move> {
    let children: Vec<_> = tree.root_children().collect();
    let mut best: Option<Child<G::Move>> = None;
    for child in &children {
        if best.is_none_or(|best| (child.visits, child.mean) > (best.visits, best.mean)) {
            best = Some(*child);
        }
    }
    Report {
        best: best.map(|child| child.mv),
        value: best.map_or(0.0, |child| child.mean),
        line: tree.line(),
        children,
        simulations,
        reused,
        tree_nodes: tree.len(),
    }
}

/// Grows the tree until this thread has made `most` simulations or `control` ends it; returns the number of its
/// simulations.
fn run<G: GameState, P: Rollout<G>>(
    tree: &Tree<G>,
    config: &Config,
    policy: &P,
    (most, control): (u64, &Control),
    mut random: SplitMix64,
) -> u64 {
    let mut epsilon = match config.selection {
        Selection::Ucb1 { .. } => 0.0,
        Selection::EpsilonGreedy { epsilon, .. } => epsilon,
    };
    let mut done = 0;
    while done < most {
        let mut descent = tree.descend(config, &mut epsilon, &mut random);
        let margin = descent.play_out(policy, &mut random);
        tree.update(config, &descent, margin);
        done += 1;
        // The policy may have stopped the search. The clock is asked less often than it would cost.
        let over = control.stop_token().is_stopped() || (done % 8 == 0 && control.must_stop(0));
        if over || tree.is_over() {
            break;
        }
    }
    done
}

#[cfg(test)]
mod tests;
