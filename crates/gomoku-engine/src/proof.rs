//! Proofs of forced wins, and the referee that checks them.
//!
//! A [`Proof`] is a tree: the attacker's move, the answers that needed an own reply, and the line of fours that beats
//! every other answer. [`verify`] replays it on the naive board, which knows nothing but stones and rows: after every
//! move of the attacker it tries *every* legal answer on the board. A position that was checked is not checked again.

use crate::{
    budget::Budget,
    threat::{
        points::{is_allowed, killers},
        proof_number::ANY_THREATS,
        search::{Answer, Finding, ThreatSearch},
        vct::Answers,
    },
};
use outflank_gomoku::{Board, Class, Color, NaiveBoard, Point, PointSet, Rule, Symmetry, naive::DIRECTIONS};
use std::collections::BTreeSet;

/// A winning move with what follows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The attacker's move.
    pub mv: Point,
    /// The answers that change the threat, each with the attacker's next move.
    pub replies: Vec<(Point, Proof)>,
    /// The attacker's line against every other answer: his fours and the forced blocks between them.
    ///
    /// Empty if `mv` itself makes five.
    pub line: Vec<Point>,
    /// Most stones that `line` takes until five, from the attacker's next move on.
    pub line_plies: usize,
}

/// Why a proof does not hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// A move cannot be played.
    #[error("after {path:?}: {point} cannot be played")]
    Illegal {
        /// Moves from the start of the proof.
        path: Vec<Point>,
        /// The move.
        point: Point,
    },
    /// The defender makes five.
    #[error("after {path:?}: {point} makes five for the defender")]
    Five {
        /// Moves from the start of the proof.
        path: Vec<Point>,
        /// Where.
        point: Point,
    },
    /// The budget ran out before the end.
    #[error("the check was not finished")]
    Unfinished,
    /// The line against other answers does not win.
    #[error("after {path:?}: {point} refutes the threat")]
    Refuted {
        /// Moves from the start of the proof.
        path: Vec<Point>,
        /// The answer.
        point: Point,
    },
}

impl Proof {
    /// Returns the number of moves in the tree, threat lines not counted.
    pub fn n_moves(&self) -> usize {
        1 + self
            .replies
            .iter()
            .map(|(_, proof)| 1 + proof.n_moves())
            .sum::<usize>()
    }

    /// Returns the most stones that can be placed until five, the winning stone included.
    pub fn longest(&self) -> usize {
        let by_line = if self.line.is_empty() {
            1
        } else {
            2 + self.line_plies
        };
        self.replies
            .iter()
            .map(|(_, proof)| 2 + proof.longest())
            .max()
            .unwrap_or(1)
            .max(by_line)
    }

    /// Returns the line in which each answer delays the end the most.
    pub fn main_line(&self) -> Vec<Point> {
        let mut line = vec![self.mv];
        let mut at = self;
        while let Some((answer, next)) = at.replies.iter().max_by_key(|(_, next)| next.longest()) {
            line.extend([*answer, next.mv]);
            at = next;
        }
        line
    }

    /// Returns what a `line` of fours, with the forced blocks between them, is as a proof for `attacker`, who is to move on
    /// `board`; `None` if a point of it is taken. Only [`verify`] says whether it holds.
    pub fn of_fours(board: &Board, attacker: Color, line: &[Point]) -> Option<Self> {
        let points: PointSet = line.iter().copied().collect();
        let is_free = points.len() == line.len() && points.without(&board.empties()).is_empty();
        (is_free && !line.is_empty()).then(|| proof_of_fours(&mut board.clone(), attacker, line))
    }

    /// Returns the proof for the image of the position on a board of `size`×`size` points.
    #[must_use]
    pub fn transformed(&self, symmetry: Symmetry, size: u8) -> Self {
        let image = |point: &Point| symmetry.apply(*point, size);
        Self {
            mv: image(&self.mv),
            replies: self
                .replies
                .iter()
                .map(|(answer, next)| (image(answer), next.transformed(symmetry, size)))
                .collect(),
            line: self.line.iter().map(image).collect(),
            line_plies: self.line_plies,
        }
    }
}

impl ThreatSearch {
    /// Looks for a win of `attacker`, who is to move, that begins with `mv`, and writes it out as a proof of at most
    /// `max_moves` moves; `None` if none is found within the limits.
    ///
    /// Only a move after which a pass would lose to fours can begin such a win: one that wins without a threat gives
    /// `None`, too.
    pub fn prove_move(
        &mut self,
        board: &mut Board,
        attacker: Color,
        mv: Point,
        max_moves: usize,
        budget: &mut Budget,
    ) -> Option<Proof> {
        if !board.is_empty(mv) || !is_allowed(board, mv, attacker) {
            return None;
        }
        if board.class(mv, attacker) == Class::Five {
            return Some(five(mv));
        }
        let mut left = max_moves.checked_sub(1)?;
        board.place(mv, attacker);
        let proof = self.prove_answers(board, attacker, mv, ANY_THREATS, &mut left, budget);
        board.unplace();
        proof
    }

    /// Writes a win out as a proof of at most `max_moves` moves; `None` if none is found within the limits.
    ///
    /// `depth` is the depth at which [`ThreatSearch::vct`] (or, with 0, [`ThreatSearch::vcf`]) found the win.
    pub fn prove(
        &mut self,
        board: &mut Board,
        attacker: Color,
        depth: u32,
        max_moves: usize,
        budget: &mut Budget,
    ) -> Option<Proof> {
        let mut left = max_moves;
        self.prove_node(board, attacker, depth, &mut left, budget)
    }

    fn prove_node(
        &mut self,
        board: &mut Board,
        attacker: Color,
        depth: u32,
        left: &mut usize,
        budget: &mut Budget,
    ) -> Option<Proof> {
        *left = left.checked_sub(1)?;
        if self.has_vcf(board, attacker, u32::MAX, budget) == Finding::Win {
            let line: Vec<Point> = self.found_line();
            return Some(proof_of_fours(board, attacker, &line));
        }
        let mv = match self.remembered_win(board, attacker, depth) {
            Some(mv) => mv,
            None if depth == ANY_THREATS => match self.vct_by_proof_numbers(board, attacker, budget) {
                Answer::Win { line, .. } => *line.first()?,
                Answer::NoWin { .. } | Answer::Unknown => return None,
            },
            None => self.attack(board, attacker, depth, budget).1?,
        };
        board.place(mv, attacker);
        let proof = self.prove_answers(board, attacker, mv, depth, left, budget);
        board.unplace();
        proof
    }

    fn prove_answers(
        &mut self,
        board: &mut Board,
        attacker: Color,
        mv: Point,
        depth: u32,
        left: &mut usize,
        budget: &mut Budget,
    ) -> Option<Proof> {
        let (points, line) = match self.answers(board, attacker, budget) {
            Answers::Choice { points, line } => (points, line),
            Answers::Lost => {
                return Some(finish(board, attacker, mv));
            }
            Answers::Refuted | Answers::Unknown => return None,
        };
        let mut replies = Vec::new();
        for answer in points {
            if !is_allowed(board, answer, !attacker) {
                continue;
            }
            board.place(answer, !attacker);
            // One threat more or less: the depth left is not recorded, and deeper finds the same win.
            let reply = self.prove_node(board, attacker, depth, left, budget);
            board.unplace();
            replies.push((answer, reply?));
        }
        let line_plies = if line.len() == 1 && board.count_of(attacker, Class::Five) > 0 {
            1
        } else {
            line.len() + 2
        };
        Some(Proof {
            mv,
            replies,
            line,
            line_plies,
        })
    }
}

/// The proof that makes five with `mv`.
const fn five(mv: Point) -> Proof {
    Proof {
        mv,
        replies: Vec::new(),
        line: Vec::new(),
        line_plies: 0,
    }
}

/// Turns a winning line of fours into a proof.
fn proof_of_fours(board: &mut Board, attacker: Color, line: &[Point]) -> Proof {
    let Some((&mv, rest)) = line.split_first() else {
        return five(Point::default());
    };
    if board.class(mv, attacker) == Class::Five {
        return five(mv);
    }
    board.place(mv, attacker);
    let mut proof = finish(board, attacker, mv);
    if let Some((&answer, rest)) = rest.split_first() {
        board.place(answer, !attacker);
        let next = proof_of_fours(board, attacker, rest);
        board.unplace();
        proof.replies.retain(|(point, _)| *point != answer);
        proof.replies.push((answer, next));
    }
    board.unplace();
    proof
}

/// The proof after the four `mv`, already placed, as far as another five answers.
fn finish(board: &mut Board, attacker: Color, mv: Point) -> Proof {
    let Some(at) = board.points_of(attacker, Class::Five).first() else {
        return five(mv);
    };
    let mut replies = Vec::new();
    for answer in killers(board, attacker, at) {
        board.place(answer, !attacker);
        if let Some(other) = board.points_of(attacker, Class::Five).first() {
            replies.push((answer, five(other)));
        }
        board.unplace();
    }
    Proof {
        mv,
        replies,
        line: vec![at],
        line_plies: 1,
    }
}

/// Checks `proof` for `attacker`, who is to move on `board`, against every answer.
///
/// # Errors
///
/// The first [`Flaw`] found, or [`Flaw::Unfinished`].
pub fn verify(board: &Board, attacker: Color, proof: &Proof, budget: &mut Budget) -> Result<(), Flaw> {
    let mut naive = NaiveBoard::new(board.rule(), board.size());
    for color in Color::BOTH {
        board
            .stones(color)
            .iter()
            .for_each(|point| naive.set(point, Some(color)));
    }
    let mut referee = Referee {
        board: naive,
        size: board.size(),
        attacker,
        path: Vec::new(),
        stones: Color::BOTH.map(|color| *board.stones(color)),
        checked: BTreeSet::new(),
        budget,
    };
    referee.check(proof)
}

struct Referee<'a> {
    budget: &'a mut Budget,
    board: NaiveBoard,
    size: u8,
    attacker: Color,
    path: Vec<Point>,
    /// The stones of `board` by color.
    stones: [PointSet; 2],
    /// Positions that the attacker, to move, was seen to win: reached by another order of moves they need no other
    /// check, whatever the proof says there. Whole positions are compared, not hashes.
    checked: BTreeSet<[PointSet; 2]>,
}

impl Referee<'_> {
    fn illegal(&self, point: Point) -> Flaw {
        Flaw::Illegal {
            path: self.path.clone(),
            point,
        }
    }

    fn put(&mut self, point: Point, color: Color) {
        self.board.set(point, Some(color));
        self.stones[color.idx()].insert(point);
        self.path.push(point);
    }

    fn take(&mut self, point: Point) {
        self.board.set(point, None);
        self.stones.iter_mut().for_each(|stones| stones.remove(point));
        self.path.pop();
    }

    fn is_playable(&mut self, point: Point, color: Color) -> bool {
        point.is_on(self.size)
            && self.board.get(point).is_none()
            && !(color == Color::Black && self.board.rule() == Rule::Renju && self.board.is_forbidden(point))
    }

    fn check(&mut self, proof: &Proof) -> Result<(), Flaw> {
        let (attacker, defender) = (self.attacker, !self.attacker);
        self.budget.spend();
        if !self.budget.check() {
            return Err(Flaw::Unfinished);
        }
        if !self.is_playable(proof.mv, attacker) {
            return Err(self.illegal(proof.mv));
        }
        if self.board.makes_five(proof.mv, attacker) || self.checked.contains(&self.stones) {
            return Ok(());
        }
        self.put(proof.mv, attacker);
        for answer in self.board.empties() {
            if self.board.makes_five(answer, defender) {
                return Err(Flaw::Five {
                    path: self.path.clone(),
                    point: answer,
                });
            }
            if !self.is_playable(answer, defender) {
                continue;
            }
            self.put(answer, defender);
            match proof.replies.iter().find(|(point, _)| *point == answer) {
                Some((_, next)) => self.check(next)?,
                None if self.wins_by(&proof.line) => {}
                None => {
                    self.path.pop();
                    return Err(Flaw::Refuted {
                        path: self.path.clone(),
                        point: answer,
                    });
                }
            }
            self.take(answer);
        }
        self.take(proof.mv);
        self.checked.insert(self.stones);
        Ok(())
    }

    /// Replays a line of fours; the defender has just moved and every block is recomputed.
    fn wins_by(&mut self, line: &[Point]) -> bool {
        let (attacker, defender) = (self.attacker, !self.attacker);
        let Some((&mv, rest)) = line.split_first() else {
            return false;
        };
        if !self.is_playable(mv, attacker) {
            return false;
        }
        if self.board.makes_five(mv, attacker) {
            return true;
        }
        let last = self.path.last().copied();
        self.put(mv, attacker);
        // Only the defender's last stone can have made a new four; an older one would have ended the line already.
        let answered = last.is_none_or(|last| self.fives_through(last, defender).is_empty());
        let fives = self.fives_through(mv, attacker);
        let wins = answered
            && !fives.is_empty()
            && self.parries(&fives).into_iter().all(|parry| {
                !self.is_playable(parry, defender) || {
                    self.put(parry, defender);
                    let wins = self.wins_by(rest.get(1..).unwrap_or_default());
                    self.take(parry);
                    wins
                }
            });
        self.take(mv);
        wins
    }

    /// Returns the points where a stone of the defender leaves none of `fives`.
    fn parries(&mut self, fives: &[Point]) -> Vec<Point> {
        let (attacker, defender) = (self.attacker, !self.attacker);
        if self.board.rule() != Rule::Caro {
            // A stone elsewhere changes nothing about a five.
            return if let [five] = fives {
                vec![*five]
            } else {
                Vec::new()
            };
        }
        let mut parries = Vec::new();
        for point in self.board.empties() {
            self.board.set(point, Some(defender));
            let lives =
                |&five: &Point| self.board.get(five).is_none() && self.board.makes_five(five, attacker);
            if !fives.iter().any(lives) {
                parries.push(point);
            }
            self.board.set(point, None);
        }
        parries
    }

    /// Returns where `color` makes five in a row through its stone on `point`.
    fn fives_through(&self, point: Point, color: Color) -> Vec<Point> {
        let mut fives = Vec::new();
        for (dx, dy) in DIRECTIONS {
            for k in (-4..=4).filter(|&k| k != 0) {
                if let Some(next) = point.offset(k * dx, k * dy, self.size)
                    && self.board.get(next).is_none()
                    && self.board.makes_five(next, color)
                    && !fives.contains(&next)
                {
                    fives.push(next);
                }
            }
        }
        fives
    }
}
