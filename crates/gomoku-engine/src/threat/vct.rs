//! Winning by fours and threats.
//!
//! ```text
//! attack(depth):  a win by fours                        -> yes
//!                 the defender has a five               -> only that point, at no cost, as a four or a threat
//!                 for each threat (cost 1) or four (cost 0): does every answer lose?
//! threat:         line = the attacker's win by fours if the defender passes; none -> no threat
//!                 for each answer in defenses(line): attack(depth - 1)
//! ```

use super::{
    cache::{Cache, Mode},
    defenses::defenses,
    points::{is_allowed, killers, makes_four, parries},
    search::{Answer, Finding, ThreatSearch},
    vcf::collect_fours,
};
use crate::{budget::Budget, order};
use outflank_gomoku::{Board, Class, Color, Point, PointSet};

/// Most moves tried at one node of the attacker.
pub(super) const MAX_ATTACKS: usize = 64;

/// One move of the attacker and what it costs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Attack {
    pub(super) mv: Point,
    pub(super) cost: u32,
}

impl ThreatSearch {
    /// Looks for a win by fours and at most `max_threats` threats for `attacker`, who is to move.
    ///
    /// With deepening the win found needs the fewest threats in its longest line.
    pub fn vct(
        &mut self,
        board: &mut Board,
        attacker: Color,
        max_threats: u32,
        budget: &mut Budget,
    ) -> Answer {
        let mut depth = if self.settings.deepening { 0 } else { max_threats };
        loop {
            let (verdict, best) = self.attack(board, attacker, depth, budget);
            match (verdict, best) {
                (Finding::Win, Some(best)) => {
                    let line = self.expected_line(board, attacker, depth, best, budget);
                    return Answer::Win { line, depth };
                }
                (Finding::Win, None) | (Finding::Abort, _) => return Answer::Unknown,
                (Finding::Fail { cut: false }, _) => return Answer::NoWin { exhausted: true },
                (Finding::Fail { cut: true }, _) if depth >= max_threats => {
                    return Answer::NoWin { exhausted: false };
                }
                (Finding::Fail { cut: true }, _) => depth += 1,
            }
        }
    }

    /// Searches a node with the attacker to move; returns the winning move with a win.
    pub(crate) fn attack(
        &mut self,
        board: &mut Board,
        attacker: Color,
        depth: u32,
        budget: &mut Budget,
    ) -> (Finding, Option<Point>) {
        if !budget.spend() {
            return (Finding::Abort, None);
        }
        let fours = if self.settings.free_fours { u32::MAX } else { depth };
        let by_fours = self.has_vcf(board, attacker, fours, budget);
        if by_fours == Finding::Win {
            return (Finding::Win, self.line.last().copied());
        }
        if budget.is_exhausted() {
            return (Finding::Abort, None);
        }
        let key = Cache::key(board.stones_key(), attacker, Mode::Vct);
        let known = self.cache.probe(key);
        if let Some(known) = known {
            if known.wins_at(depth)
                && let Some(best) = known.best()
                && board.is_empty(best)
            {
                return (Finding::Win, Some(best));
            }
            if known.fails_at(depth) {
                return (
                    Finding::Fail {
                        cut: !known.fails_at_any_depth(),
                    },
                    None,
                );
            }
        }
        let mut attacks = [Attack::default(); MAX_ATTACKS];
        let (n_attacks, mut cut) = self.collect_attacks(board, attacker, depth, &mut attacks);
        if let Some(best) = known.and_then(|known| known.best())
            && let Some(at) = attacks[..n_attacks].iter().position(|attack| attack.mv == best)
        {
            attacks[..=at].rotate_right(1);
        }
        // A look that ran out of nodes proves nothing: the node is then not stored.
        let mut unsure = by_fours == Finding::Abort;
        for &Attack { mv, cost } in &attacks[..n_attacks] {
            match self.try_attack(board, attacker, mv, depth - cost, budget) {
                Finding::Win => {
                    self.cache.store_win(key, depth, mv);
                    return (Finding::Win, Some(mv));
                }
                Finding::Abort if budget.is_exhausted() => return (Finding::Abort, None),
                Finding::Abort => unsure = true,
                Finding::Fail { cut: here } => cut |= here,
            }
        }
        if unsure {
            return (Finding::Abort, None);
        }
        self.cache.store_fail(key, depth, !cut);
        (Finding::Fail { cut }, None)
    }

    /// Collects the moves to try, most promising first; also returns whether the depth left any out.
    pub(super) fn collect_attacks(
        &self,
        board: &Board,
        attacker: Color,
        depth: u32,
        attacks: &mut [Attack; MAX_ATTACKS],
    ) -> (usize, bool) {
        let defender = !attacker;
        let four_cost = u32::from(!self.settings.free_fours);
        match board.count_of(defender, Class::Five) {
            0 => {}
            1 => {
                let only = board.points_of(defender, Class::Five).first().unwrap_or_default();
                attacks[0] = Attack { mv: only, cost: 0 };
                return (usize::from(is_allowed(board, only, attacker)), false);
            }
            _ => return (0, false),
        }
        if depth == 0 {
            return (0, true);
        }
        let mut n = 0;
        let mut ranked = [0; MAX_ATTACKS];
        let mut add = |mv: Point, cost: u32, bonus: i32| {
            if n < MAX_ATTACKS {
                let promise = order::heat(board, mv, attacker) + order::heat(board, mv, defender) / 4 + bonus;
                ranked[n] = order::rank(promise, mv, cost as u8);
                n += 1;
            }
        };
        for class in [Class::DoubleThree, Class::OpenThreePlus, Class::OpenThree] {
            board
                .points_of(attacker, class)
                .iter()
                .for_each(|mv| add(mv, 1, 60));
        }
        let mut fours = [Point::default(); 64];
        let n_fours = collect_fours(board, attacker, &mut fours);
        for &mv in &fours[..n_fours] {
            let class = board.class(mv, attacker);
            add(mv, four_cost, if class == Class::Four { -60 } else { 0 });
        }
        for mv in board.points_of(attacker, Class::Doubtful) {
            if !makes_four(board, mv, attacker) && !board.is_forbidden(mv) {
                add(mv, 1, 60);
            }
        }
        if self.settings.hidden_threats {
            for class in [Class::ThreePlus, Class::DoubleTwo, Class::Three, Class::Two] {
                board
                    .points_of(attacker, class)
                    .iter()
                    .for_each(|mv| add(mv, 1, 0));
            }
        }
        ranked[..n].sort_unstable();
        for (attack, &rank) in attacks.iter_mut().zip(&ranked[..n]) {
            let (mv, cost) = order::ranked(rank);
            *attack = Attack {
                mv,
                cost: u32::from(cost),
            };
        }
        (n, false)
    }

    /// Plays `mv` and asks whether every answer loses; `depth` is what is left after it.
    fn try_attack(
        &mut self,
        board: &mut Board,
        attacker: Color,
        mv: Point,
        depth: u32,
        budget: &mut Budget,
    ) -> Finding {
        board.place(mv, attacker);
        let verdict = match self.answers(board, attacker, budget) {
            Answers::Lost => Finding::Win,
            Answers::Refuted => Finding::Fail { cut: false },
            Answers::Unknown => Finding::Abort,
            Answers::Choice { points, .. } => self.try_answers(board, attacker, points, depth, budget),
        };
        board.unplace();
        verdict
    }

    fn try_answers(
        &mut self,
        board: &mut Board,
        attacker: Color,
        points: PointSet,
        depth: u32,
        budget: &mut Budget,
    ) -> Finding {
        let defender = !attacker;
        let mut scored: Vec<(i32, Point)> = points
            .iter()
            .map(|point| {
                (
                    -order::heat(board, point, defender) - order::heat(board, point, attacker),
                    point,
                )
            })
            .collect();
        scored.sort_unstable();
        let mut unsure = false;
        for (_, answer) in scored {
            if !is_allowed(board, answer, defender) {
                continue;
            }
            board.place(answer, defender);
            let (verdict, _) = self.attack(board, attacker, depth, budget);
            board.unplace();
            match verdict {
                Finding::Win => {}
                Finding::Fail { cut } => return Finding::Fail { cut },
                Finding::Abort if budget.is_exhausted() => return Finding::Abort,
                Finding::Abort => unsure = true,
            }
        }
        if unsure { Finding::Abort } else { Finding::Win }
    }

    /// Finds out what the defender can do after the attacker's last move; the line of the threat is in `self.line`.
    pub(crate) fn answers(&mut self, board: &mut Board, attacker: Color, budget: &mut Budget) -> Answers {
        let defender = !attacker;
        if board.count_of(defender, Class::Five) > 0 {
            return Answers::Refuted;
        }
        if let Some(five) = board.points_of(attacker, Class::Five).first() {
            let lost = !parries(board, attacker)
                .iter()
                .any(|parry| is_allowed(board, parry, defender));
            return if lost {
                Answers::Lost
            } else {
                Answers::Choice {
                    points: killers(board, attacker, five),
                    line: vec![five],
                }
            };
        }
        match self.has_vcf(board, attacker, u32::MAX, budget) {
            Finding::Win => {
                let line: Vec<Point> = self.line.iter().rev().copied().collect();
                Answers::Choice {
                    points: defenses(board, attacker, &line),
                    line,
                }
            }
            Finding::Fail { .. } => Answers::Refuted,
            Finding::Abort => Answers::Unknown,
        }
    }

    /// Follows the winning moves against the hottest answers.
    fn expected_line(
        &mut self,
        board: &mut Board,
        attacker: Color,
        depth: u32,
        best: Point,
        budget: &mut Budget,
    ) -> Vec<Point> {
        let mut line = Vec::new();
        let mut next = Some((best, depth));
        while let Some((mv, depth)) = next.take() {
            line.push(mv);
            board.place(mv, attacker);
            if let Answers::Choice { points, .. } = self.answers(board, attacker, budget)
                && let Some(answer) = points
                    .iter()
                    .filter(|&point| is_allowed(board, point, !attacker))
                    .max_by_key(|&point| {
                        order::heat(board, point, !attacker) + order::heat(board, point, attacker)
                    })
            {
                line.push(answer);
                board.place(answer, !attacker);
                if let (Finding::Win, Some(best)) = self.attack(board, attacker, depth, budget) {
                    next = Some((best, depth));
                }
            }
        }
        for _ in &line {
            board.unplace();
        }
        line
    }
}

/// What the defender can do after a move of the attacker.
#[derive(Clone, Debug)]
pub(crate) enum Answers {
    /// Nothing: five follows.
    Lost,
    /// The move is no threat, or the defender has five.
    Refuted,
    /// Too few nodes to know.
    Unknown,
    /// Only these points may help.
    Choice {
        points: PointSet,
        /// What wins against every other answer, the attacker first.
        line: Vec<Point>,
    },
}
