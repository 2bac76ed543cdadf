//! Every answer that might refute a threat.

use super::points::{four_points, is_allowed, parries, row_ends};
use outflank_gomoku::{Board, Class, Color, Point, PointSet, Rule};

/// Returns the points where `defender`, to move, might refute the winning line of fours `line`.
///
/// `line` alternates between the attacker's fours and the forced answers, the attacker first; it wins on `board` if the
/// defender passes. The set is complete: with a defender's stone on any other empty point
/// - every four of the line is still a four with the same answer, because its five is untouched;
/// - the defender has no four in time: one that holds the new stone would be a point where a four can be made, now or
///   after one of the answers, and all of those are in the set.
///
/// Where legality itself may change (Renju's recursive rule, or a win because the answer is forbidden) the set starts
/// from every empty point.
/// In the end the line is replayed against each point of the set, and those that do not break it are left out.
pub(crate) fn defenses(board: &mut Board, attacker: Color, line: &[Point]) -> PointSet {
    let defender = !attacker;
    let empties = board.empties();
    let mut set = four_points(board, defender);
    let mut everything = false;
    let mut n_placed = 0;
    for (i, &point) in line.iter().enumerate() {
        set.insert(point);
        let color = if i % 2 == 0 { attacker } else { defender };
        everything |= board.class(point, color) == Class::Doubtful;
        board.place_for_fours(point, color);
        n_placed += 1;
        if color == attacker {
            let fives = board.points_of(attacker, Class::Five);
            set = set.union(fives);
            if board.rule() == Rule::Caro {
                // A stone beyond the end of a row can take the worth of its five away, now or with a second one.
                for five in fives {
                    set = set.union(&row_ends(board, five, attacker));
                }
            }
            let is_last = i + 1 == line.len();
            everything |=
                is_last && fives.len() < 2 && defender == Color::Black && board.rule() == Rule::Renju;
        } else {
            set = set.union(&four_points(board, defender));
        }
    }
    for _ in 0..n_placed {
        board.unplace();
    }
    let candidates = if everything {
        empties
    } else {
        set.intersection(&empties)
    };
    let mut needed = PointSet::EMPTY;
    for point in candidates {
        board.place_for_fours(point, defender);
        if !survives(board, attacker, line) {
            needed.insert(point);
        }
        board.unplace();
    }
    needed
}

/// Returns whether `line` still wins for `attacker`, to move after the defender's last stone, with every block
/// recomputed.
fn survives(board: &mut Board, attacker: Color, line: &[Point]) -> bool {
    let defender = !attacker;
    let mut n_placed = 0;
    let mut wins = false;
    for &mv in line.iter().step_by(2) {
        if board.class(mv, attacker) == Class::Five {
            wins = true;
            break;
        }
        if !board.is_empty(mv) || !is_allowed(board, mv, attacker) {
            break;
        }
        board.place_for_fours(mv, attacker);
        n_placed += 1;
        if board.count_of(defender, Class::Five) > 0 {
            break;
        }
        if board.count_of(attacker, Class::Five) == 0 {
            break;
        }
        let parries = parries(board, attacker);
        let Some(block) = parries
            .first()
            .filter(|&block| is_allowed(board, block, defender))
        else {
            wins = true;
            break;
        };
        if parries.len() > 1 {
            break;
        }
        board.place_for_fours(block, defender);
        n_placed += 1;
    }
    for _ in 0..n_placed {
        board.unplace();
    }
    wins
}
