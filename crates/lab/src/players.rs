//! The players of the documents, by a short text that says everything about them.
//!
//! | text | player |
//! | --- | --- |
//! | `random` | any legal move |
//! | `greedy` | flips the most discs |
//! | `divergence`, `squares+divergence`, `squares+mobility+divergence` | one ply, with document B's divergence of the move |
//! | EVALUATION | one ply by an evaluation: `squares`, `e-improved`, `automata`, … |
//! | EVALUATION`/`LIMIT | alpha-beta with it: `phase/4` to depth 4, `phase/0.5s` for half a second, `phase/5000n` for nodes |
//! | EVALUATION`/`LIMIT`/`METHOD | another method: `phase/3s/mtdf+table+reorder`, `e/4/minimax` |
//! | `abstract-rule/`DEPTH | alpha-beta by abstract states with document A's pruning rule |
//! | `mcts/1s`, `mcts/800n` | Monte-Carlo tree search, with options `mcts:policy=weighted:c=1.4:threads=2/1s` |
//!
//! Gomoku has `random`, `shapes` (one stone ahead), `shapes/`LIMIT and `shapes/`LIMIT`/`METHOD; moves lie within two lines
//! of a stone, or as many as `shapes:reach=1/4` says. `mcts/800n` is Monte-Carlo tree search there too.
//!
//! Equal moves are chosen among at random, from the seed. LIMIT may also be `3s` for iterative deepening under a
//! clock, with moves ordered by evaluation if the method ends in `+order`.

mod gomoku;
mod mcts;
mod player;
mod search;

use crate::{
    abstract_search::{AbstractSearch, PruningRule},
    abstract_states::embedded_statistics,
    evaluation::{Evaluation, Linear},
    probcut,
};
use outflank_game::GameState;
use outflank_game::SplitMix64;
use outflank_othello::{Move, Position, Square};

pub use gomoku::gomoku_player;
pub use mcts::MctsOptions;
pub use player::{Budget, Player, PlayerError, method_names, methods, parse_budget, parse_method};

/// Returns the player that `text` describes.
///
/// # Errors
///
/// Returns which part of the text is wrong and what is known there.
///
/// ```
/// use outflank_lab::players::player;
/// use outflank_othello::Position;
/// let mut random = player("random", 1)?;
/// assert!(random.choose(&Position::start()).is_some());
/// assert!(player("phase/4/no-such-method", 1).is_err());
/// # Ok::<(), outflank_lab::players::PlayerError>(())
/// ```
pub fn player(text: &str, seed: u64) -> Result<Box<dyn Player>, PlayerError> {
    let mut parts = text.split('/');
    let name = parts.next().unwrap_or_default();
    let limit = parts.next();
    let method = parts.next();
    if parts.next().is_some() {
        return Err(PlayerError::Shape(
            text.to_owned(),
            "a player has three parts at most",
        ));
    }
    if name == "mcts" || name.starts_with("mcts:") {
        let Some(limit) = limit else {
            return Err(PlayerError::Shape(
                text.to_owned(),
                "mcts needs simulations (800n) or seconds (1s)",
            ));
        };
        let options = MctsOptions::parse(name)?;
        return Ok(Box::new(mcts::MctsPlayer::new(
            options,
            parse_budget(limit)?,
            seed,
        )));
    }
    if name == "abstract-rule" {
        let (Some(Budget::Depth(depth)), None) = (limit.map(parse_budget).transpose()?, method) else {
            return Err(PlayerError::Shape(
                text.to_owned(),
                "abstract-rule needs a depth (4) and takes no method",
            ));
        };
        return Ok(Box::new(RulePlayer { depth }));
    }
    if let Some(one_ply) = OnePly::by_name(name, seed)
        && (limit.is_none() || !matches!(one_ply.judge, Judge::Evaluation(_)))
    {
        if limit.is_some() {
            return Err(PlayerError::Shape(
                text.to_owned(),
                "this player looks one ply ahead and takes no limit",
            ));
        }
        return Ok(Box::new(one_ply));
    }
    let evaluation = Evaluation::by_name(name).ok_or_else(|| PlayerError::Name(name.to_owned()))?;
    let budget = parse_budget(limit.unwrap_or("1"))?;
    let (method, order) = parse_method(method.unwrap_or("alpha-beta"))?;
    let method = probcut::fitted(method, &evaluation);
    Ok(Box::new(search::SearchPlayer::new(
        evaluation, budget, method, order, seed,
    )))
}

/// Returns a page of what players, evaluations and methods are called.
pub fn overview() -> String {
    format!(
        "Players\n  random, greedy, divergence, CONCEPTS+divergence\n  EVALUATION              one ply\n  EVALUATION/LIMIT        \
         alpha-beta\n  EVALUATION/LIMIT/METHOD any method, +order at its end to order moves by evaluation\n  \
         abstract-rule/DEPTH     alpha-beta by abstract states, with their pruning rule\n  \
         mcts[:OPTION=VALUE…]/LIMIT\nLimits\n  4 (depth), 5000n (nodes, simulations), 0.5s (seconds)\nEvaluations\n  {}\n  \
         and sums of discs, squares, kinds of squares, mobility, frontier, parity, stability, abstract joined by +, *3 behind one to weigh it\nMethods\n  {}",
        Evaluation::NAMES.join("\n  "),
        method_names().join("\n  ")
    )
}

/// What a one-ply player looks at.
#[derive(Clone, Debug)]
enum Judge {
    Nothing,
    /// Discs flipped by the move.
    Flips,
    /// The evaluation of the position after the move, for the opponent.
    Evaluation(Box<Evaluation>),
    /// Concepts of the position after the move, less so much per unit of the move's divergence.
    Divergence(Linear, i32),
}

/// A player that looks at each of its moves and no further.
#[derive(Clone, Debug)]
struct OnePly {
    judge: Judge,
    random: SplitMix64,
}

impl OnePly {
    /// Worth of one empty neighbor of a flipped disc, in the unit of the square weights; chosen by matches.
    const PER_DIVERGENCE: i32 = 1;

    fn by_name(name: &str, seed: u64) -> Option<Self> {
        let judge = match name {
            "random" => Judge::Nothing,
            "greedy" => Judge::Flips,
            "divergence" => Judge::Divergence(Linear::default(), Self::PER_DIVERGENCE),
            _ => match name.rsplit_once("+divergence") {
                Some((concepts, weight)) => {
                    let weight = match weight.strip_prefix('*') {
                        Some(weight) => weight.parse().ok().filter(|n: &i32| n.abs() <= 1000)?,
                        None if weight.is_empty() => Self::PER_DIVERGENCE,
                        None => return None,
                    };
                    Judge::Divergence(Linear::by_names(concepts)?, weight)
                }
                None => Judge::Evaluation(Box::new(Evaluation::by_name(name)?)),
            },
        };
        Some(Self {
            judge,
            random: SplitMix64::new(seed),
        })
    }

    fn value(&self, position: &Position, square: Square) -> i64 {
        let board = position.board();
        let flips = board.flips(square);
        let next = board.play_unchecked(square, flips);
        match &self.judge {
            Judge::Nothing => 0,
            Judge::Flips => i64::from(flips.count()),
            Judge::Evaluation(evaluation) => {
                let after = Position::new(next, !position.side());
                let value = match after.outcome() {
                    Some(outcome) => outflank_game::Evaluate::outcome_value(&**evaluation, outcome),
                    None => evaluation.value(next),
                };
                -i64::from(value)
            }
            Judge::Divergence(linear, weight) => {
                -i64::from(linear.value(next)) - i64::from(*weight) * i64::from(board.divergence(square))
            }
        }
    }
}

impl Player for OnePly {
    fn new_game(&mut self, seed: u64) {
        self.random = SplitMix64::new(seed);
    }

    fn choose(&mut self, position: &Position) -> Option<Move> {
        let moves = position.legal_moves();
        let worth = |mv: &Move| mv.square().map_or(0, |square| self.value(position, square));
        let judged: Vec<_> = moves.iter().map(|mv| (worth(mv), *mv)).collect();
        let top = judged.iter().map(|&(value, _)| value).max()?;
        let best: Vec<_> = judged.into_iter().filter(|&(value, _)| value == top).collect();
        Some(best[self.random.below(best.len())].1)
    }
}

/// A player by abstract states who cuts branches by them too.
#[derive(Clone, Debug)]
struct RulePlayer {
    depth: u32,
}

impl Player for RulePlayer {
    fn new_game(&mut self, _: u64) {}

    fn choose(&mut self, position: &Position) -> Option<Move> {
        AbstractSearch::new(embedded_statistics(), Some(PruningRule::default()))
            .search(position, self.depth)
            .best
    }
}

#[cfg(test)]
mod tests;
