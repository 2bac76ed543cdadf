//! What a level that errs as people do really loses: games against itself, judged by a deeper search.

use super::mean_by_games;
use outflank_eval::{Evaluator, Patterns};
use outflank_othello::{Board, Game, Square, Symmetry};
use outflank_othello_engine::{
    Engine, EngineConfig, EngineError, Request,
    human::{HumanPlayer, Manner},
};
use outflank_search::StopToken;
use std::collections::BTreeSet;

/// Moves that make an opening.
const OPENING: usize = 8;
/// From how many discs on a loss is a blunder.
const BLUNDER: f64 = 8.0;

/// What was measured of a way to play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// Games against itself.
    pub games: usize,
    /// Moves with a choice.
    pub moves: usize,
    /// Mean loss of a move in discs.
    pub loss: f64,
    /// Half of the 95 % interval of that, by games.
    pub half: f64,
    /// Share of moves that lose eight discs or more.
    pub blunders: f64,
    /// Different sequences of the first eight moves, up to symmetry.
    pub openings: usize,
}

/// Lets `player` play games in this `manner` against itself, and values every choice with searches of `depth` discs.
///
/// # Errors
///
/// Returns why there is no engine to judge with.
pub fn measure<E: Evaluator>(
    mut player: HumanPlayer<E>,
    manner: &Manner,
    games: usize,
    depth: u32,
) -> Result<Measured, EngineError> {
    let mut judge = Engine::with(EngineConfig {
        table_bytes: 1 << 22,
        ..EngineConfig::default()
    })?;
    let mut openings = BTreeSet::new();
    let mut of_games = Vec::with_capacity(games);
    let mut blunders = 0;
    for _ in 0..games {
        let game = player.play(manner);
        let places: Vec<Square> = game
            .moves()
            .iter()
            .filter_map(|mv| mv.square())
            .take(OPENING)
            .collect();
        openings.insert(opening(&places));
        judge.clear();
        let losses = losses(&game, &mut judge, depth);
        blunders += losses.iter().filter(|loss| **loss >= BLUNDER).count();
        of_games.push((losses.iter().sum::<f64>(), losses.len() as f64));
    }
    let moves: f64 = of_games.iter().map(|game| game.1).sum();
    let (loss, half) = mean_by_games(&of_games);
    Ok(Measured {
        games,
        moves: moves as usize,
        loss,
        half,
        blunders: blunders as f64 / moves.max(1.0),
        openings: openings.len(),
    })
}

/// Returns the first moves as the least of their images.
fn opening(places: &[Square]) -> Vec<usize> {
    let image = |symmetry: &Symmetry| {
        places
            .iter()
            .map(|&square| symmetry.square(square).index())
            .collect()
    };
    Symmetry::OF_START.iter().map(image).min().unwrap_or_default()
}

/// Returns what each move lost where there was a choice.
fn losses(game: &Game, judge: &mut Engine<Patterns>, depth: u32) -> Vec<f64> {
    let mut value = |board: Board, depth: u32| -> f64 {
        if board.is_game_over() {
            return f64::from(board.final_discs().get());
        }
        let position = outflank_othello::Position::new(board, outflank_othello::Color::Black);
        let request = Request::new(position).depth(depth);
        judge
            .search(&request, &StopToken::new(), &mut |_| {})
            .best()
            .value
            .discs()
    };
    let mut losses = Vec::new();
    for (position, mv) in game.positions().iter().zip(game.moves()) {
        let board = position.board();
        let Some(square) = mv.square().filter(|_| board.mobility() > 1) else {
            continue;
        };
        let child = board.play_unchecked(square, board.flips(square));
        losses.push((value(board, depth) + value(child, depth - 1)).max(0.0));
    }
    losses
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_eval::HandMade;

    #[test]
    fn images_of_an_opening_are_one_opening() {
        let squares = |text: &str| -> Vec<Square> {
            let pairs = text
                .as_bytes()
                .chunks(2)
                .map(|pair| std::str::from_utf8(pair).unwrap_or_default());
            pairs.map(|pair| pair.parse().expect("a square")).collect()
        };
        let first = opening(&squares("f5d6c3d3"));
        for image in ["e6f4c3c4", "c4e3f6e6", "d3c5f6f5"] {
            assert_eq!(opening(&squares(image)), first, "{image}");
        }
        assert_ne!(opening(&squares("f5f6e6f4")), first);
    }

    #[test]
    fn careful_players_lose_less_than_greedy_ones() {
        let loss = |care: f64, greed: f64| {
            let manner = Manner {
                skill: 2.0,
                care,
                greed,
            };
            measure(HumanPlayer::new(HandMade, 1), &manner, 3, 4)
                .expect("4 MB")
                .loss
        };
        assert!(loss(5.0, 0.0) + 1.0 < loss(0.0, 1.0));
    }
}
