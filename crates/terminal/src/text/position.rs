//! A position of Othello and the game that led to it, drawn and in words.

use super::{
    board::{board, status},
    value::opening_of,
};
use outflank_othello::Game;
use outflank_records::MoveScore;

/// Returns the board after the last move, who is to move, what the record says of moves, and the game.
pub fn describe(game: &Game, scores: &[MoveScore], color: bool) -> String {
    let position = game.position();
    let mut lines = vec![
        board(position, game.moves().last().copied(), color),
        status(position),
    ];
    if !scores.is_empty() {
        let scores: Vec<_> = scores
            .iter()
            .map(|score| format!("{} {}", score.mv, score.discs))
            .collect();
        lines.push(format!("scores: {}", scores.join(", ")));
    }
    if !game.moves().is_empty() {
        lines.push(format!("moves: {}", game.transcript()));
    }
    lines.extend(opening_of(game).map(|opening| format!("opening: {opening}")));
    lines.join("\n")
}
