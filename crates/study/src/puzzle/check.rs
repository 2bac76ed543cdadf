//! Whether a puzzle is one, by the search of the textbooks: alpha-beta without a table, down to the last move.

use super::Puzzle;
use outflank_othello::{Board, Discs, Square};

/// What is wrong with a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// The best move is not worth what the puzzle says.
    #[error("{square} is not worth {claimed:+}, but {found:+} or beyond")]
    Value {
        /// The move.
        square: Square,
        /// What the puzzle says.
        claimed: i32,
        /// What the search says.
        found: i32,
    },
    /// Another move is better than the second best is said to be.
    #[error("{square} is worth {found:+} at least, and the second best move should be worth {second:+}")]
    Second {
        /// The move.
        square: Square,
        /// What the second best move is said to be worth.
        second: i32,
        /// What the search says.
        found: i32,
    },
    /// The second best move is too good, and the result is the same.
    #[error("the second best move loses {gap} discs only, and the result is the same")]
    Gap {
        /// The discs that it loses.
        gap: i32,
    },
}

/// Confirms that the best move is worth what is said, that no other is worth more than the second best is said to be, and
/// that this is `min_gap` discs less, or another result. Returns the positions that were searched.
///
/// # Errors
///
/// Returns what is wrong.
pub fn check(puzzle: &Puzzle, min_gap: i32) -> Result<u64, Fault> {
    let board = puzzle.position.board();
    let (best, value, second) = (puzzle.best(), puzzle.value(), puzzle.value() - puzzle.gap());
    if puzzle.gap() < min_gap && !puzzle.decides() || puzzle.gap() <= 0 {
        return Err(Fault::Gap { gap: puzzle.gap() });
    }
    let mut nodes = 0;
    let child = |square| board.play_unchecked(square, board.flips(square));
    let found = -search(child(best), -(value + 1), -(value - 1), &mut nodes);
    if found != value {
        let (square, claimed) = (best, value);
        return Err(Fault::Value {
            square,
            claimed,
            found,
        });
    }
    for square in board.legal_moves() {
        if square == best {
            continue;
        }
        // Is it more than the second best?
        let found = -search(child(square), -(second + 1), -second, &mut nodes);
        if found > second {
            return Err(Fault::Second {
                square,
                second,
                found,
            });
        }
    }
    Ok(nodes)
}

/// Returns the exact value of a board for the player to move, by a search without any help.
pub fn textbook_value(board: Board) -> Discs {
    Discs::saturating(search(board, -65, 65, &mut 0))
}

/// Fail-soft alpha-beta; the moves that leave the opponent the fewest answers come first.
fn search(board: Board, mut alpha: i32, beta: i32, nodes: &mut u64) -> i32 {
    *nodes += 1;
    let legal = board.legal_moves();
    if legal.is_empty() {
        let passed = board.passed();
        return if passed.legal_moves().is_empty() {
            board.final_discs().get()
        } else {
            -search(passed, -beta, -alpha, nodes)
        };
    }
    let mut children = [(0, board); 32];
    let mut n_children = 0;
    for square in legal {
        let child = board.play_unchecked(square, board.flips(square));
        children[n_children] = (child.mobility(), child);
        n_children += 1;
    }
    let children = &mut children[..n_children];
    // With a few squares left sorting costs more than it saves.
    if board.empties().count() > 5 {
        children.sort_unstable_by_key(|(answers, _)| *answers);
    }
    let mut best = -65;
    for (_, child) in children {
        let value = -search(*child, -beta, -alpha, nodes);
        if value > best {
            best = value;
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
    }
    best
}
