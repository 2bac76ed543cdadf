//! Points that make fours and points that stop them, read off the board.

use outflank_gomoku::{Board, Class, Color, Point, PointSet, Rule, Shape, naive::DIRECTIONS};

/// Returns whether `color` may play the empty `point` without losing by it.
#[inline]
pub(crate) fn is_allowed(board: &Board, point: Point, color: Color) -> bool {
    board.rule() != Rule::Renju || color == Color::White || !board.is_forbidden(point)
}

/// Returns whether a stone of `color` on `point` makes a four or five, whatever else it makes.
#[inline]
pub(super) fn makes_four(board: &Board, point: Point, color: Color) -> bool {
    match board.class(point, color) {
        class if class.is_four_or_better() => true,
        Class::Doubtful => board.shapes(point, color).contains(&Shape::Four),
        _ => false,
    }
}

/// Returns the points where `color` makes a four or five; in Renju also the forbidden ones among them.
#[inline]
pub(super) fn four_points(board: &Board, color: Color) -> PointSet {
    let of = |class| board.points_of(color, class);
    let mut set = of(Class::Four)
        .union(of(Class::FourPlus))
        .union(of(Class::FourThree))
        .union(of(Class::OpenFour))
        .union(of(Class::Five));
    if board.rule() == Rule::Renju && color == Color::Black {
        set = set.union(of(Class::Forbidden)).union(of(Class::Doubtful));
    }
    set
}

/// Returns the points where one stone of the defender leaves `attacker`, who has just made a four, without a five.
///
/// In most rule sets that is the one point of the five; two fives cannot be parried. In Caro a stone beyond the end of
/// a row can also take the worth of a five away.
pub(crate) fn parries(board: &Board, attacker: Color) -> PointSet {
    let fives = board.points_of(attacker, Class::Five);
    let n_fives = board.count_of(attacker, Class::Five);
    if board.rule() != Rule::Caro || n_fives == 0 {
        return if n_fives == 1 { *fives } else { PointSet::EMPTY };
    }
    let parried = |point: Point| {
        fives
            .iter()
            .all(|five| is_killed_by(board, five, attacker, point))
    };
    around_fives(board, fives, attacker)
        .iter()
        .filter(|&point| parried(point))
        .collect()
}

/// Returns the points where one stone of the defender takes the five on `five` away.
pub(crate) fn killers(board: &Board, attacker: Color, five: Point) -> PointSet {
    let alone = PointSet::from_iter([five]);
    if board.rule() != Rule::Caro {
        return alone;
    }
    around_fives(board, &alone, attacker)
        .iter()
        .filter(|&point| is_killed_by(board, five, attacker, point))
        .collect()
}

/// Returns whether a stone of the defender on `point` takes the worth of `attacker`'s five on `five` away.
#[inline]
fn is_killed_by(board: &Board, five: Point, attacker: Color, point: Point) -> bool {
    let stays = |(direction, shape): (usize, Shape)| {
        shape == Shape::Five && board.shape_beside(five, attacker, direction, point, !attacker) == Shape::Five
    };
    five == point || !board.shapes(five, attacker).into_iter().enumerate().any(stays)
}

/// Returns the empty points where a stone may take the worth of one of `attacker`'s `fives` away: themselves, and the
/// points just beyond the ends of their rows. A five in two lines at once can only be taken.
fn around_fives(board: &Board, fives: &PointSet, attacker: Color) -> PointSet {
    let mut points = *fives;
    for five in fives {
        let in_lines = board
            .shapes(five, attacker)
            .into_iter()
            .filter(|&shape| shape == Shape::Five);
        if in_lines.count() == 1 {
            points = points.union(&row_ends(board, five, attacker));
        }
    }
    points
}

/// Returns the empty points just beyond the ends of the winning rows that a stone of `attacker` on `five` makes.
pub(super) fn row_ends(board: &Board, five: Point, attacker: Color) -> PointSet {
    let mut ends = PointSet::EMPTY;
    for ((dx, dy), shape) in DIRECTIONS.into_iter().zip(board.shapes(five, attacker)) {
        if shape != Shape::Five {
            continue;
        }
        for sign in [1, -1] {
            let mut row = (1..=5).map_while(|k| five.offset(sign * k * dx, sign * k * dy, board.size()));
            let end = row.find(|&point| board.get(point) != Some(attacker));
            if let Some(end) = end.filter(|&end| board.is_empty(end)) {
                ends.insert(end);
            }
        }
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_game::SplitMix64;

    #[test]
    fn the_parries_of_a_five_equal_those_found_by_placing_stones() {
        let mut random = SplitMix64::new(9);
        let mut n_beyond_the_ends = 0;
        for game in 0..60 {
            let rule = if game % 4 == 0 {
                Rule::Freestyle
            } else {
                Rule::Caro
            };
            let mut board = Board::new(rule, 9 + (game % 7) as u8).expect("size");
            while board.end().is_none() {
                for attacker in Color::BOTH {
                    let fives = *board.points_of(attacker, Class::Five);
                    let parried: PointSet = board
                        .empties()
                        .iter()
                        .filter(|&point| {
                            board.place(point, !attacker);
                            let parried = board.count_of(attacker, Class::Five) == 0;
                            board.unplace();
                            parried && !fives.is_empty()
                        })
                        .collect();
                    assert_eq!(parries(&board, attacker), parried, "{attacker}\n{board}");
                    n_beyond_the_ends += usize::from(!parried.without(&fives).is_empty());
                    for five in fives {
                        let killed: PointSet = board
                            .empties()
                            .iter()
                            .filter(|&point| {
                                board.place(point, !attacker);
                                let stays = board.class(five, attacker) == Class::Five;
                                board.unplace();
                                !stays
                            })
                            .collect();
                        assert_eq!(killers(&board, attacker, five), killed, "{five}\n{board}");
                    }
                }
                // Beside the last stones, so that rows grow.
                let near = board
                    .stones(board.side())
                    .spread(1)
                    .intersection(&board.empties());
                let near = if near.is_empty() { board.empties() } else { near };
                let mv = near.iter().nth(random.below(near.len())).expect("a point");
                board.play(mv).expect("legal");
            }
        }
        assert!(n_beyond_the_ends > 20, "{n_beyond_the_ends}");
    }
}
