//! The laboratory's players of Gomoku.

use super::{
    mcts::simulations,
    player::{Budget, Player, PlayerError, parse_budget, parse_method},
    search::best_move,
};
use crate::gomoku::{NearStones, Shapes};
use outflank_game::{GameState as _, SplitMix64};
use outflank_gomoku::{Board, Point, Rule, Tables};
use outflank_search::StopToken;
use outflank_textbook::{
    Method, Settings, Ties,
    mcts::{Config, Mcts, Uniform},
};
use std::sync::Arc;

/// Lines between a new stone and its nearest neighbor, if a player does not say otherwise.
const REACH: u8 = 2;

/// Returns the player of Gomoku that `text` describes: `random`, `shapes`, `shapes/4`, `shapes:reach=1/0.5s/mtdf+table`,
/// `mcts/800n`.
///
/// # Errors
///
/// Returns which part of the text is wrong.
pub fn gomoku_player(text: &str, seed: u64) -> Result<Box<dyn Player<Board>>, PlayerError> {
    let parts: Vec<&str> = text.split('/').collect();
    let shape = |message| PlayerError::Shape(text.to_owned(), message);
    let (name, limit, method) = match parts[..] {
        [name] => (name, None, None),
        [name, limit] => (name, Some(limit), None),
        [name, limit, method] => (name, Some(limit), Some(method)),
        _ => return Err(shape("a player has three parts at most")),
    };
    let (name, reach) = match name.split_once(":reach=") {
        None => (name, REACH),
        Some((name, reach)) => {
            let reach = reach.parse().ok().filter(|reach| (1..=4).contains(reach));
            (name, reach.ok_or_else(|| shape("reach is 1 to 4 lines"))?)
        }
    };
    let limit = limit.map(parse_budget).transpose()?;
    match (name, limit, method) {
        ("random", None, None) => Ok(Box::new(RandomPlayer(SplitMix64::new(seed)))),
        ("random", ..) => Err(shape("random takes no limit")),
        ("mcts", Some(budget), None) => Ok(Box::new(TreePlayer::new(reach, budget, seed))),
        ("mcts", ..) => Err(shape(
            "mcts needs simulations (800n) or seconds (1s), and takes no method",
        )),
        ("shapes", limit, method) => {
            let (method, order) = parse_method(method.unwrap_or("alpha-beta"))?;
            if matches!(method, Method::ProbCut(..)) {
                return Err(shape("the cuts of probcut are fitted for Othello only"));
            }
            Ok(Box::new(ShapePlayer {
                near: Near::new(reach),
                budget: limit.unwrap_or(Budget::Depth(1)),
                settings: Settings {
                    method,
                    order,
                    ties: Ties::First,
                },
                random: SplitMix64::new(seed),
                stop: StopToken::new(),
            }))
        }
        _ => Err(PlayerError::GomokuName(name.to_owned())),
    }
}

/// Turns boards into the game with near moves, whose lines are weighed by [`Shapes`].
struct Near {
    reach: u8,
    tables: Option<(Rule, Arc<Tables>)>,
}

impl Near {
    const fn new(reach: u8) -> Self {
        Self { reach, tables: None }
    }

    /// Returns the same position with near moves only; `None` if it is over.
    fn game(&mut self, board: &Board) -> Option<NearStones> {
        let rule = board.rule();
        let tables = match &self.tables {
            Some((known, tables)) if *known == rule => tables,
            _ => &self.tables.insert((rule, Shapes::tables(rule))).1,
        };
        let stones = board.history();
        let board = Board::from_stones(Arc::clone(tables), board.size(), &stones, board.side()).ok()?;
        Some(NearStones::new(board, self.reach))
    }
}

/// Any empty point.
struct RandomPlayer(SplitMix64);

impl Player<Board> for RandomPlayer {
    fn new_game(&mut self, seed: u64) {
        self.0 = SplitMix64::new(seed);
    }

    fn choose(&mut self, board: &Board) -> Option<Point> {
        let moves = board.legal_moves();
        moves.get(self.0.below(moves.len())).copied()
    }
}

/// A textbook method over the evaluation of shapes.
struct ShapePlayer {
    near: Near,
    budget: Budget,
    settings: Settings,
    random: SplitMix64,
    stop: StopToken,
}

impl Player<Board> for ShapePlayer {
    fn new_game(&mut self, seed: u64) {
        self.random = SplitMix64::new(seed);
    }

    fn stopped_by(&mut self, stop: &StopToken) {
        self.stop = stop.clone();
    }

    fn choose(&mut self, board: &Board) -> Option<Point> {
        let game = self.near.game(board)?;
        best_move(
            self.settings,
            self.budget,
            &game,
            &Shapes,
            &mut self.random,
            &self.stop,
        )
    }
}

/// Monte-Carlo tree search with uniform roll-outs.
struct TreePlayer {
    near: Near,
    budget: Budget,
    mcts: Mcts<NearStones, Uniform>,
    stop: StopToken,
}

impl TreePlayer {
    fn new(reach: u8, budget: Budget, seed: u64) -> Self {
        Self {
            near: Near::new(reach),
            budget,
            mcts: tree(seed),
            stop: StopToken::new(),
        }
    }
}

fn tree(seed: u64) -> Mcts<NearStones, Uniform> {
    let config = Config {
        seed,
        ..Config::default()
    };
    Mcts::new(config, Uniform)
}

impl Player<Board> for TreePlayer {
    fn new_game(&mut self, seed: u64) {
        self.mcts = tree(seed);
    }

    fn stopped_by(&mut self, stop: &StopToken) {
        self.stop = stop.clone();
    }

    fn choose(&mut self, board: &Board) -> Option<Point> {
        let game = self.near.game(board)?;
        self.mcts
            .search(&game, &simulations(self.budget, &self.stop))
            .best
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(moves: &str) -> Board {
        let mut board = Board::new(Rule::Freestyle, 15).expect("a size");
        for mv in moves.split_whitespace() {
            board.play(mv.parse().expect("a point")).expect("empty");
        }
        board
    }

    #[test]
    fn players_of_gomoku_see_what_their_depth_allows() {
        for (text, moves, expected) in [
            ("shapes", "h8 h9 i8 i9 j8 j9 k8 a1", ["g8", "l8"]),
            ("shapes/2", "h8 g8 i8 i9 j8 j9 k8", ["l8", "l8"]),
            ("shapes:reach=1/2/pvs+table", "h8 g8 i8 i9 j8 j9 k8", ["l8", "l8"]),
            ("shapes/20000n", "h8 h9 i8 i9 j8 j9 k8 a1", ["g8", "l8"]),
            ("mcts/400n", "h8 h9 i8 i9 j8 j9 k8 a1", ["g8", "l8"]),
        ] {
            let mut player = gomoku_player(text, 1).expect(text);
            player.new_game(7);
            let mv = player.choose(&board(moves)).expect("a move").to_string();
            assert!(expected.contains(&mv.as_str()), "{text}: {mv}");
        }
        let mut random = gomoku_player("random", 1).expect("random");
        assert!(random.choose(&board("")).is_some());
        let over = board("a1 a2 b1 b2 c1 c2 d1 d2 e1");
        assert_eq!(gomoku_player("shapes", 1).expect("shapes").choose(&over), None);
    }

    #[test]
    fn mistakes_are_named() {
        for (text, part) in [
            ("phase/4", "no player of Gomoku \"phase\""),
            ("mcts", "mcts needs simulations"),
            ("random/3", "random takes no limit"),
            ("shapes:reach=9", "reach is 1 to 4"),
            ("shapes/x", "\"x\" is no limit"),
            ("shapes/3/clever", "no method \"clever\""),
            ("shapes/3/probcut+table", "fitted for Othello only"),
            ("shapes/1/2/3", "three parts"),
        ] {
            let error = gomoku_player(text, 0).err().expect(text).to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
