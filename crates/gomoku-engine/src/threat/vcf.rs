//! Winning by fours alone.
//!
//! ```text
//! win(depth):  five at once                          -> yes
//!              depth 0, or two fives of the defender -> no
//!              one five of the defender              -> only that point, if it makes a four
//!              an open four                          -> yes
//!              for each four: the answer is forced; win(depth - 1)?
//! ```

use super::{
    cache::{Cache, Mode},
    points::{is_allowed, makes_four, parries},
    search::{Answer, Finding, ThreatSearch},
};
use crate::{budget::Budget, order};
use outflank_gomoku::{Board, Class, Color, Point, Rule};

/// One look for a win by fours.
#[derive(Debug)]
struct Look {
    attacker: Color,
    /// Positions left for this look, beside the budget of the whole search.
    nodes_left: u64,
}

impl ThreatSearch {
    /// Looks for a win by at most `max_fours` fours for `attacker`, who is to move (whatever the side of `board`).
    ///
    /// Unlimited depth is `u32::MAX`. With deepening the win found has the fewest fours.
    pub fn vcf(&mut self, board: &mut Board, attacker: Color, max_fours: u32, budget: &mut Budget) -> Answer {
        self.vcf_within(board, attacker, max_fours, u64::MAX, budget)
    }

    /// Like [`ThreatSearch::vcf`] with at most `nodes` positions.
    pub fn vcf_within(
        &mut self,
        board: &mut Board,
        attacker: Color,
        max_fours: u32,
        nodes: u64,
        budget: &mut Budget,
    ) -> Answer {
        let mut depth = if self.settings.deepening {
            1.min(max_fours)
        } else {
            max_fours
        };
        let mut look = Look {
            attacker,
            nodes_left: nodes,
        };
        loop {
            self.line.clear();
            match self.fours(board, depth, &mut look, budget) {
                Finding::Win => {
                    let line = self.line.iter().rev().copied().collect();
                    return Answer::Win { line, depth };
                }
                Finding::Abort => return Answer::Unknown,
                Finding::Fail { cut: false } => return Answer::NoWin { exhausted: true },
                Finding::Fail { cut: true } if depth >= max_fours => {
                    return Answer::NoWin { exhausted: false };
                }
                Finding::Fail { cut: true } => depth += 1,
            }
        }
    }

    /// Returns only whether `attacker` to move wins by fours, leaving the line in `self.line`; no deepening.
    pub(crate) fn has_vcf(
        &mut self,
        board: &mut Board,
        attacker: Color,
        max_fours: u32,
        budget: &mut Budget,
    ) -> Finding {
        self.line.clear();
        if board.count_of(attacker, Class::Five) == 0 && !has_four_move(board, attacker) {
            return Finding::Fail { cut: false };
        }
        let mut look = Look {
            attacker,
            nodes_left: self.settings.vcf_nodes,
        };
        self.fours(board, max_fours, &mut look, budget)
    }

    /// The same for at most `nodes` positions and any number of fours.
    pub(crate) fn has_vcf_within(
        &mut self,
        board: &mut Board,
        attacker: Color,
        nodes: u64,
        budget: &mut Budget,
    ) -> Finding {
        self.line.clear();
        let mut look = Look {
            attacker,
            nodes_left: nodes,
        };
        self.fours(board, u32::MAX, &mut look, budget)
    }

    fn fours(&mut self, board: &mut Board, depth: u32, look: &mut Look, budget: &mut Budget) -> Finding {
        let (attacker, defender) = (look.attacker, !look.attacker);
        if let Some(five) = board.points_of(attacker, Class::Five).first() {
            self.line.push(five);
            return Finding::Win;
        }
        let only = match board.count_of(defender, Class::Five) {
            0 => None,
            1 => board.points_of(defender, Class::Five).first(),
            _ => return Finding::Fail { cut: false },
        };
        if let Some(point) = only {
            if !makes_four(board, point, attacker) || !is_allowed(board, point, attacker) {
                return Finding::Fail { cut: false };
            }
        } else if !has_four_move(board, attacker) {
            return Finding::Fail { cut: false };
        }
        if depth == 0 {
            return Finding::Fail { cut: true };
        }
        if look.nodes_left == 0 || !budget.spend() {
            return Finding::Abort;
        }
        look.nodes_left -= 1;
        if only.is_none()
            && board.rule() != Rule::Caro
            && let Some(point) = board.points_of(attacker, Class::OpenFour).first()
        {
            self.line.push(point);
            return Finding::Win;
        }
        let key = Cache::key(board.stones_key(), attacker, Mode::Vcf);
        let known = self.cache.probe(key);
        if let Some(known) = known
            && known.fails_at(depth)
        {
            return Finding::Fail {
                cut: !known.fails_at_any_depth(),
            };
        }
        let mut moves = [Point::default(); 64];
        let n_moves = match only {
            Some(point) => {
                moves[0] = point;
                1
            }
            None => collect_fours(board, attacker, &mut moves),
        };
        if let Some(best) = known.and_then(|known| known.best())
            && let Some(at) = moves[..n_moves].iter().position(|&mv| mv == best)
        {
            moves[..=at].rotate_right(1);
        }
        let mut cut = false;
        for &mv in &moves[..n_moves] {
            match self.four(board, mv, depth, look, budget) {
                Finding::Win => {
                    self.cache.store_win(key, depth, mv);
                    return Finding::Win;
                }
                Finding::Abort => return Finding::Abort,
                Finding::Fail { cut: here } => cut |= here,
            }
        }
        self.cache.store_fail(key, depth, !cut);
        Finding::Fail { cut }
    }

    /// Plays the four `mv` and its forced answer.
    fn four(
        &mut self,
        board: &mut Board,
        mv: Point,
        depth: u32,
        look: &mut Look,
        budget: &mut Budget,
    ) -> Finding {
        let (attacker, defender) = (look.attacker, !look.attacker);
        board.place_for_fours(mv, attacker);
        let has_five = board.count_of(attacker, Class::Five) > 0;
        let parries = parries(board, attacker);
        let verdict = match parries.first() {
            _ if !has_five => Finding::Fail { cut: false },
            None => Finding::Win,
            Some(answer) if !is_allowed(board, answer, defender) => Finding::Win,
            // Only in Caro: several answers to one four. Left to the search for threats.
            Some(_) if parries.len() > 1 => Finding::Fail { cut: false },
            Some(answer) => {
                board.place_for_fours(answer, defender);
                let verdict = self.fours(board, depth - 1, look, budget);
                board.unplace();
                if verdict == Finding::Win {
                    self.line.push(answer);
                }
                verdict
            }
        };
        board.unplace();
        if verdict == Finding::Win {
            self.line.push(mv);
        }
        verdict
    }
}

/// Returns whether `attacker` has a point that makes a four (perhaps a forbidden one).
#[inline]
pub(crate) fn has_four_move(board: &Board, attacker: Color) -> bool {
    let count = |class| board.count_of(attacker, class);
    let doubtful = board.rule() == Rule::Renju && attacker == Color::Black && count(Class::Doubtful) > 0;
    count(Class::Four) + count(Class::FourPlus) + count(Class::FourThree) + count(Class::OpenFour) > 0
        || doubtful
}

/// Collects the fours of `attacker`, most promising first; at most 64.
pub(super) fn collect_fours(board: &Board, attacker: Color, moves: &mut [Point; 64]) -> usize {
    let mut ranked = [0; 64];
    let mut n = 0;
    let mut add = |point: Point| {
        if n < ranked.len() {
            ranked[n] = order::rank(order::heat(board, point, attacker), point, 0);
            n += 1;
        }
    };
    for class in [Class::FourThree, Class::FourPlus, Class::Four, Class::OpenFour] {
        if board.count_of(attacker, class) > 0 {
            board.points_of(attacker, class).iter().for_each(&mut add);
        }
    }
    if board.rule() == Rule::Renju && attacker == Color::Black {
        let doubtful = board.points_of(attacker, Class::Doubtful).iter();
        doubtful
            .filter(|&point| makes_four(board, point, attacker) && !board.is_forbidden(point))
            .for_each(&mut add);
    }
    ranked[..n].sort_unstable();
    for (mv, &rank) in moves.iter_mut().zip(&ranked[..n]) {
        (*mv, _) = order::ranked(rank);
    }
    n
}
