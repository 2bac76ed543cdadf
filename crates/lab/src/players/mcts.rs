//! Players that search by Monte Carlo.

use super::player::{Budget, Player, PlayerError};
use crate::rollouts::Policy;
use outflank_othello::{Move, Position};
use outflank_search::{Control, StopToken};
use outflank_textbook::mcts::{Config, Mcts, Reward, Selection, Update};

/// What `mcts:…` may say.
#[derive(Clone, Debug)]
pub struct MctsOptions {
    /// Selection, reward, threads and so on.
    pub config: Config,
    /// Roll-outs.
    pub policy: Policy,
}

impl Default for MctsOptions {
    /// Uniform roll-outs and the default configuration, which the experiment `mcts` chose.
    fn default() -> Self {
        Self {
            config: Config::default(),
            policy: Policy::Uniform,
        }
    }
}

impl MctsOptions {
    /// Reads `mcts:policy=weighted:c=1.4:threads=2`.
    ///
    /// # Errors
    ///
    /// Returns the option that is unknown or has no such value.
    pub fn parse(text: &str) -> Result<Self, PlayerError> {
        let mut options = Self::default();
        let (mut c, mut epsilon, mut decay) = (0.7, None, 0.999);
        for option in text.split(':').skip(1) {
            let bad = || PlayerError::Option(option.to_owned());
            let (name, value) = option.split_once('=').ok_or_else(bad)?;
            let number = || {
                value
                    .parse::<f64>()
                    .ok()
                    .filter(|n| (0.0..=1000.0).contains(n))
                    .ok_or_else(bad)
            };
            match name {
                "policy" => options.policy = Policy::by_name(value).ok_or_else(bad)?,
                "c" => c = number()?,
                "epsilon" => epsilon = Some(number()?),
                "decay" => decay = number()?,
                "expand" => options.config.expand_at = value.parse().map_err(|_| bad())?,
                "threads" => {
                    options.config.threads = value
                        .parse()
                        .ok()
                        .filter(|n| (1..=256).contains(n))
                        .ok_or_else(bad)?;
                }
                "reuse" => {
                    options.config.reuse = pick(value, &[("yes", true), ("no", false)]).ok_or_else(bad)?;
                }
                "update" => {
                    let updates = [("written", Update::AsWritten), ("corrected", Update::Corrected)];
                    options.config.update = pick(value, &updates).ok_or_else(bad)?;
                }
                "reward" => {
                    let rewards = [
                        ("margin", Reward::Margin),
                        ("result", Reward::Result),
                        ("mixed", Reward::Mixed { result: 0.5 }),
                    ];
                    options.config.reward = pick(value, &rewards).ok_or_else(bad)?;
                }
                _ => return Err(bad()),
            }
        }
        options.config.selection = match epsilon {
            None => Selection::Ucb1 { c },
            Some(epsilon) => Selection::EpsilonGreedy { c, epsilon, decay },
        };
        Ok(options)
    }
}

fn pick<T: Copy>(name: &str, known: &[(&str, T)]) -> Option<T> {
    known
        .iter()
        .find(|(known, _)| *known == name)
        .map(|&(_, value)| value)
}

/// Monte-Carlo tree search with a budget.
#[derive(Debug)]
pub(super) struct MctsPlayer {
    mcts: Mcts<Position, Policy>,
    options: MctsOptions,
    budget: Budget,
    stop: StopToken,
}

impl MctsPlayer {
    pub(super) fn new(options: MctsOptions, budget: Budget, seed: u64) -> Self {
        let mut player = Self {
            mcts: Mcts::new(options.config, options.policy.clone()),
            options,
            budget,
            stop: StopToken::new(),
        };
        player.new_game(seed);
        player
    }
}

impl Player for MctsPlayer {
    fn new_game(&mut self, seed: u64) {
        let config = Config {
            seed,
            ..self.options.config
        };
        self.mcts = Mcts::new(config, self.options.policy.clone());
    }

    fn stopped_by(&mut self, stop: &StopToken) {
        self.stop = stop.clone();
    }

    fn choose(&mut self, position: &Position) -> Option<Move> {
        let moves = position.legal_moves();
        if moves.len() < 2 {
            return moves.first().copied();
        }
        self.mcts
            .search(position, &simulations(self.budget, &self.stop))
            .best
    }
}

/// Returns a budget as the control of a tree search that begins now.
pub(super) fn simulations(budget: Budget, stop: &StopToken) -> Control {
    let budget = match budget {
        // A depth makes no sense here; it is read as thousands of simulations.
        Budget::Depth(thousands) => Budget::Nodes(1000 * u64::from(thousands)),
        budget => budget,
    };
    budget.control(stop)
}
