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
    let fours = four_points(board, defender);
    let mut set = fours;
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
        let seen = match line {
            [mv] if !fours.contains(point) => survives_unplayed(board, attacker, *mv, point),
            _ => None,
        };
        let survives = seen.unwrap_or_else(|| {
            board.place_for_fours(point, defender);
            let survives = survives(board, attacker, line);
            board.unplace();
            survives
        });
        if !survives {
            needed.insert(point);
        }
    }
    needed
}

/// Returns whether `mv`, a line of its own, still wins for `attacker` after a stone of the defender on `point`, where it
/// makes no four; `None` if only playing it out can tell.
///
/// Most lines are one move to an open four, and whether it stays one is read off the line that both points share.
fn survives_unplayed(board: &Board, attacker: Color, mv: Point, point: Point) -> Option<bool> {
    let has_five = |color| board.count_of(color, Class::Five) > 0;
    if board.rule() == Rule::Caro || has_five(attacker) || has_five(!attacker) {
        return None;
    }
    if point == mv {
        return Some(false);
    }
    let along = |direction| board.shape_beside(mv, attacker, direction, point, !attacker);
    match Class::of([along(0), along(1), along(2), along(3)], board.rule(), attacker) {
        Class::OpenFour => Some(true),
        Class::Doubtful => None,
        // In Renju the answer to a single four may be forbidden.
        Class::Four | Class::FourPlus | Class::FourThree if board.rule() == Rule::Renju => None,
        _ => Some(false),
    }
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
        if board.rule() != Rule::Caro && board.class(mv, attacker) == Class::OpenFour {
            // Two fives follow, and cannot be parried.
            let fives = board.points_of(defender, Class::Five);
            wins = fives.without(&PointSet::from_iter([mv])).is_empty();
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

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_game::SplitMix64;

    #[test]
    fn what_is_seen_without_a_stone_is_what_playing_it_out_shows() {
        let mut random = SplitMix64::new(4);
        let mut seen = [0; 2];
        for game in 0..60 {
            let mut board = Board::new(Rule::ALL[game % 4], 9 + (game % 7) as u8).expect("size");
            while board.end().is_none() {
                let attacker = Color::BOTH[random.below(2)];
                let fours = four_points(&board, !attacker);
                let mvs = four_points(&board, attacker).iter().take(4);
                for mv in mvs
                    .filter(|&mv| is_allowed(&board, mv, attacker))
                    .collect::<Vec<_>>()
                {
                    for point in board.empties().without(&fours) {
                        let Some(survives_unplayed) = survives_unplayed(&board, attacker, mv, point) else {
                            continue;
                        };
                        board.place_for_fours(point, !attacker);
                        let played = survives(&mut board, attacker, &[mv]);
                        board.unplace();
                        assert_eq!(survives_unplayed, played, "{mv} {point}\n{board}");
                        seen[usize::from(played)] += 1;
                    }
                }
                let near = board
                    .stones(board.side())
                    .spread(1)
                    .intersection(&board.empties());
                let near = if near.is_empty() { board.empties() } else { near };
                let mv = near.iter().nth(random.below(near.len())).expect("a point");
                board.play(mv).expect("legal");
            }
        }
        assert!(seen.iter().all(|&n| n > 1_000), "{seen:?}");
    }
}
