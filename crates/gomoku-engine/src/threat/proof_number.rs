//! Winning by fours and threats, searched by proof numbers: for deep, narrow wins.
//!
//! The same moves as in the depth-limited search, but the tree grows where the proof is nearest: an attacker's node
//! needs one proved child, a defender's node all of them. The proof number of a node is how many leaves must still be
//! proved, the disproof number how many must be disproved; depth-first search with both as thresholds (df-pn).
//! Stones are only added, so that no position repeats and the numbers of a finished node are exact.
//!
//! Sources: \[ALLIS94\] (proof numbers); \[NAGAI02\] (df-pn); \[PAWLEWICZ07\] (thresholds times 1 + ε).

use super::{
    cache::{Cache, Mode},
    numbers::{DISPROVED, INFINITE, PROVED, Pair},
    points::is_allowed,
    search::{Answer, Finding, ThreatSearch},
    vct::{Answers, Attack, MAX_ATTACKS},
};
use crate::budget::Budget;
use outflank_gomoku::{Board, Color, Point};

/// The depth under which wins found by proof numbers are remembered: more than any depth-limited search asks for.
pub(crate) const ANY_THREATS: u32 = 250;

/// Tells a defender's node from the attacker's node with the same stones.
const DEFENDER_SALT: u64 = 0x5851_F42D_4C95_7F2D;

/// A child of a node while the node is worked on.
#[derive(Clone, Copy, Debug)]
struct Child {
    mv: Point,
    key: u64,
    /// What to assume before the first visit, then what the last visit found: the table may lose it to a sibling, and two
    /// children that take each other's place there would be visited in turn for ever.
    known: Pair,
}

/// What the children of a node say about it: an attacker's node has the least proof number of its children and the
/// sum of their disproof numbers, a defender's node the other way round.
struct Survey {
    /// The child with the least number: the one to visit, by its place.
    best: Option<(usize, Pair)>,
    /// The least number among the other children.
    second: u32,
    /// The sum of the other numbers of all children.
    sum: u32,
}

impl Survey {
    /// Returns how far the best child's two numbers, first the one that is least, may grow before the node must look
    /// around again; `summed` is the other number of that child.
    ///
    /// The least number may pass the second child's by a quarter (1 + ε), so that the search does not jump between
    /// two children at every node.
    fn limits(&self, least_limit: u32, sum_limit: u32, summed: u32) -> (u32, u32) {
        let least = least_limit.min(self.second.saturating_add(self.second / 4 + 1));
        let sum = sum_limit.saturating_sub(self.sum).saturating_add(summed);
        (least.min(INFINITE), sum.min(INFINITE))
    }
}

impl ThreatSearch {
    /// Looks at the numbers of all children: `least` of them, `summed` for the sum.
    fn survey(&self, children: &[Child], least: fn(Pair) -> u32, summed: fn(Pair) -> u32) -> Survey {
        let mut survey = Survey {
            best: None,
            second: INFINITE,
            sum: 0,
        };
        for (at, child) in children.iter().enumerate() {
            let pair = self.numbers.get(child.key).unwrap_or(child.known);
            survey.sum = survey.sum.saturating_add(summed(pair)).min(INFINITE);
            match survey.best {
                Some((_, best)) if least(pair) >= least(best) => {
                    survey.second = survey.second.min(least(pair));
                }
                _ => {
                    if let Some((_, best)) = survey.best {
                        survey.second = least(best);
                    }
                    survey.best = Some((at, pair));
                }
            }
        }
        survey
    }

    /// Looks for a win by fours and any number of threats for `attacker`, who is to move.
    pub fn vct_by_proof_numbers(
        &mut self,
        board: &mut Board,
        attacker: Color,
        budget: &mut Budget,
    ) -> Answer {
        self.numbers.prepare();
        let key = Cache::key(board.stones_key(), attacker, Mode::Vct);
        let pair = self.attacker_node(board, attacker, INFINITE, INFINITE, budget);
        if pair == PROVED {
            let best = if self.has_vcf(board, attacker, u32::MAX, budget) == Finding::Win {
                return Answer::Win {
                    line: self.found_line(),
                    depth: ANY_THREATS,
                };
            } else {
                self.cache.probe(key).and_then(|known| known.best())
            };
            return match best {
                Some(best) => Answer::Win {
                    line: vec![best],
                    depth: ANY_THREATS,
                },
                None => Answer::Unknown,
            };
        }
        if pair == DISPROVED {
            Answer::NoWin { exhausted: true }
        } else {
            Answer::Unknown
        }
    }

    fn attacker_node(
        &mut self,
        board: &mut Board,
        attacker: Color,
        proof_limit: u32,
        disproof_limit: u32,
        budget: &mut Budget,
    ) -> Pair {
        let key = Cache::key(board.stones_key(), attacker, Mode::Vct);
        let mut last = Pair {
            proof: 1,
            disproof: 1,
        };
        if !budget.spend() {
            return last;
        }
        if self.numbers.get(key).is_none() {
            match self.has_vcf(board, attacker, u32::MAX, budget) {
                Finding::Win => {
                    self.numbers.put(key, PROVED);
                    return PROVED;
                }
                Finding::Abort if budget.is_exhausted() => return last,
                Finding::Abort | Finding::Fail { .. } => {}
            }
        }
        let mut attacks = [Attack::default(); MAX_ATTACKS];
        let (n_attacks, _) = self.collect_attacks(board, attacker, ANY_THREATS, &mut attacks);
        let mut children: Vec<Child> = attacks[..n_attacks]
            .iter()
            .map(|&Attack { mv, cost }| {
                let known = Pair {
                    proof: 1 + cost + u32::from(cost > 0 && is_hidden(board, mv, attacker)) * 4,
                    disproof: 1,
                };
                Child {
                    mv,
                    key: Cache::key(board.stones_key_with(mv, attacker), attacker, Mode::Vct) ^ DEFENDER_SALT,
                    known,
                }
            })
            .collect();
        loop {
            let survey = self.survey(&children, Pair::proof, Pair::disproof);
            let Some((at, pair)) = survey.best else {
                self.numbers.put(key, DISPROVED);
                return DISPROVED;
            };
            let child = &mut children[at];
            last = if pair.proof == 0 {
                PROVED
            } else {
                Pair {
                    proof: pair.proof,
                    disproof: survey.sum,
                }
            };
            if last.proof >= INFINITE {
                last = DISPROVED;
            }
            if last == PROVED {
                self.cache.store_win(key, ANY_THREATS, child.mv);
            }
            if last.proof >= proof_limit
                || last.disproof >= disproof_limit
                || last == PROVED
                || budget.is_exhausted()
            {
                break;
            }
            let (child_proof, child_disproof) = survey.limits(proof_limit, disproof_limit, pair.disproof);
            board.place(child.mv, attacker);
            let pair = self.defender_node(board, attacker, child_proof, child_disproof, budget);
            board.unplace();
            if budget.is_exhausted() && pair != PROVED {
                break;
            }
            child.known = pair;
            self.numbers.put(child.key, pair);
        }
        self.numbers.put(key, last);
        last
    }

    fn defender_node(
        &mut self,
        board: &mut Board,
        attacker: Color,
        proof_limit: u32,
        disproof_limit: u32,
        budget: &mut Budget,
    ) -> Pair {
        let defender = !attacker;
        let points = match self.answers(board, attacker, budget) {
            Answers::Lost => return PROVED,
            Answers::Refuted => return DISPROVED,
            // Too hard a threat to see through: worth no more than a long proof.
            Answers::Unknown => {
                return Pair {
                    proof: INFINITE - 1,
                    disproof: 1,
                };
            }
            Answers::Choice { points, .. } => points,
        };
        let mut children: Vec<Child> = points
            .iter()
            .filter(|&mv| is_allowed(board, mv, defender))
            .map(|mv| Child {
                mv,
                key: Cache::key(board.stones_key_with(mv, defender), attacker, Mode::Vct),
                known: Pair {
                    proof: 1,
                    disproof: 1,
                },
            })
            .collect();
        loop {
            let survey = self.survey(&children, Pair::disproof, Pair::proof);
            let Some((at, pair)) = survey.best else {
                return PROVED;
            };
            let child = &mut children[at];
            let mut here = Pair {
                proof: survey.sum,
                disproof: pair.disproof,
            };
            if here.proof == 0 {
                here = PROVED;
            } else if pair.disproof == 0 {
                here = DISPROVED;
            }
            if here.proof >= proof_limit
                || here.disproof >= disproof_limit
                || here == DISPROVED
                || budget.is_exhausted()
            {
                return here;
            }
            let (child_disproof, child_proof) = survey.limits(disproof_limit, proof_limit, pair.proof);
            board.place(child.mv, defender);
            let pair = self.attacker_node(board, attacker, child_proof, child_disproof, budget);
            board.unplace();
            if budget.is_exhausted() && pair != PROVED {
                return here;
            }
            child.known = pair;
        }
    }
}

/// Returns whether a move makes neither a four nor an open three.
fn is_hidden(board: &Board, mv: Point, attacker: Color) -> bool {
    board.class(mv, attacker) < outflank_gomoku::Class::OpenThree
}
