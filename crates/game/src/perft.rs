//! Counting move sequences, the classic test of a move generator.
//!
//! Only here does a pass count as a ply: that is the convention of every published Othello table.

use crate::GameState;

/// Returns the number of move sequences of exactly `depth` plies from `game`, passes counted as plies.
///
/// A sequence that ends earlier because the game is over counts as one, as in the published tables.
///
/// # Examples
///
/// ```
/// use outflank_game::{ToyGame, ToyTree, perft::perft};
/// let tree: ToyTree = "((3 5) (2 (9 1)))".parse().expect("the tree is well formed");
/// let mut game = ToyGame::new(tree);
/// assert_eq!([0, 1, 2, 3, 4].map(|depth| perft(&mut game, depth)), [1, 2, 4, 5, 5]);
/// ```
pub fn perft<G: GameState>(game: &mut G, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = game.legal_moves();
    if moves.is_empty() {
        return 1;
    }
    let mut leaves = 0;
    for mv in moves {
        let undo = game.play(mv);
        leaves += perft(game, depth - 1);
        game.undo(mv, undo);
    }
    leaves
}
