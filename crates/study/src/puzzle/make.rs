//! Puzzles from games: positions with one best move that is not found at first sight.

use super::{BANDS, Difficulty, Puzzle, Step, Theme};
use crate::review::{Judge, Review};
use outflank_eval::Patterns;
use outflank_othello::{Board, Game, Move, Position, Square};
use outflank_othello_engine::{
    Engine, EngineConfig, EngineError, MoveValue, SolverGoal,
    human::{Policy, candidates},
    tuning::FullWidth,
};
use outflank_search::{Clock, Control, StopToken, Verdict};
use std::sync::Arc;

/// Memory of the solver's table in bytes; positions of few empties need little.
const TABLE_BYTES: usize = 8 << 20;

/// What is asked of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Criteria {
    /// Discs that the second best move loses at least, unless it changes the result.
    pub min_gap: i32,
    /// Fewest empty squares.
    pub min_empties: u32,
    /// Most empty squares.
    pub max_empties: u32,
    /// Fewest legal moves.
    pub min_moves: u32,
    /// Greatest margin of the result, whoever wins: beyond it the game is decided.
    pub max_value: i32,
    /// Moves between two puzzles from one game.
    pub apart: u32,
    /// Whether to keep those whose best move looks best to everybody who looks at each move once.
    pub obvious: bool,
}

impl Default for Criteria {
    fn default() -> Self {
        Self {
            min_gap: 4,
            min_empties: 7,
            max_empties: 20,
            min_moves: 3,
            max_value: 40,
            apart: 6,
            obvious: false,
        }
    }
}

/// Makes puzzles.
pub struct Maker {
    engine: Engine<Patterns>,
    search: FullWidth<Arc<Patterns>>,
    policy: Policy,
    control: Control,
}

impl std::fmt::Debug for Maker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Maker").finish_non_exhaustive()
    }
}

impl Maker {
    /// Returns a maker that `stop` stops.
    ///
    /// # Errors
    ///
    /// There is no memory for its table.
    pub fn new(judge: &Judge, clock: &Arc<dyn Clock>, stop: &StopToken) -> Result<Self, EngineError> {
        let config = EngineConfig {
            table_bytes: TABLE_BYTES,
            ..EngineConfig::default()
        };
        let (evaluator, probcut) = (Arc::clone(&judge.evaluator), Arc::clone(&judge.probcut));
        Ok(Self {
            engine: Engine::judging_by(Arc::clone(&evaluator), probcut, config, Arc::clone(clock))?,
            search: FullWidth::new(evaluator),
            policy: Policy::embedded(),
            control: Control::new(stop.clone(), Arc::clone(clock), None, None),
        })
    }

    /// Returns the puzzles in a game, the earlier first; none that were stopped on the way.
    pub fn from_game(&mut self, game: &Game, source: &str, criteria: &Criteria) -> Vec<Puzzle> {
        let mut found: Vec<Puzzle> = Vec::new();
        for position in game.positions() {
            let empties = position.board().empties().count();
            let is_near = found
                .last()
                .is_some_and(|last| last.empties() < empties + criteria.apart);
            if !is_near && let Some(puzzle) = self.from_position(&position, source, criteria) {
                found.push(puzzle);
            }
        }
        found
    }

    /// Returns the puzzles that a person's own mistakes are: positions of a reviewed game in which a move lost as much as
    /// the second best move of a puzzle does.
    pub fn from_review(&mut self, found: &Review, source: &str, criteria: &Criteria) -> Vec<Puzzle> {
        let positions = found.game.positions();
        let missed = found
            .moves
            .iter()
            .zip(&positions)
            .filter(|(reviewed, _)| !reviewed.forced && reviewed.loss >= f64::from(criteria.min_gap));
        missed
            .filter_map(|(_, position)| self.from_position(position, source, criteria))
            .collect()
    }

    /// Returns the puzzle that a position is, if it is one.
    pub fn from_position(
        &mut self,
        position: &Position,
        source: &str,
        criteria: &Criteria,
    ) -> Option<Puzzle> {
        let board = position.board();
        let is_sized = (criteria.min_empties..=criteria.max_empties).contains(&board.empties().count());
        if !is_sized || board.mobility() < criteria.min_moves.max(2) {
            return None;
        }
        let (best, value) = self.best(board)?;
        if value.abs() > criteria.max_value {
            return None;
        }
        let seen = candidates(board, &mut self.search, self.policy.openings(), None);
        let mine = seen
            .iter()
            .position(|candidate| Move::Place(candidate.square) == best)?;
        if !criteria.obvious && seen[mine].losses[0] <= 0.0 {
            return None;
        }
        let moves = self.values(board)?;
        let (first, second) = (moves.first()?, moves.get(1)?);
        let (value, second) = (first.value.get(), second.value.get());
        let is_clear = value - second >= criteria.min_gap || value.signum() != second.signum();
        if value <= second || !is_clear {
            return None;
        }
        let wrong = BANDS.map(|skill| {
            let chances = self.policy.probabilities(board, skill, &seen);
            (100.0 * (1.0 - chances.get(mine).copied().unwrap_or(0.0))).round() as u8
        });
        // The last look at which something else seemed better decides.
        let losses = seen[mine].losses;
        let look = match losses.iter().rposition(|loss| *loss > 0.0) {
            None => 1,
            Some(last) => [2, 4, 0][last],
        };
        Some(Puzzle {
            position: *position,
            line: self.solution(position, first.square)?,
            themes: Theme::found(board, first.square, value, second),
            moves,
            difficulty: Difficulty { wrong, look },
            source: source.to_owned(),
        })
    }

    /// Returns the exact value of a board and a best move; `None` if it was stopped.
    fn best(&mut self, board: Board) -> Option<(Move, i32)> {
        let solved = self.engine.solve(board, SolverGoal::Exact, &self.control);
        let best = solved.pv.first().copied()?;
        (solved.verdict == Verdict::Exact).then(|| (best, solved.value.get()))
    }

    /// Returns the exact values of all moves, the best first, equal ones by square; `None` if it was stopped.
    fn values(&mut self, board: Board) -> Option<Vec<MoveValue>> {
        let solved = self.engine.solve(board, SolverGoal::AllMoves, &self.control);
        let mut moves = solved.moves;
        moves.sort_by_key(|known| (-known.value.get(), known.square));
        (solved.verdict == Verdict::Exact && moves.len() == board.mobility() as usize).then_some(moves)
    }

    /// Returns how the game goes on with best play after the best move, up to the last of the solver's moves that has no
    /// equal and the answer to it.
    fn solution(&mut self, start: &Position, best: Square) -> Option<Vec<Step>> {
        let mut position = *start;
        let mut line = vec![Step {
            mv: Move::Place(best),
            only: true,
        }];
        position.play(Move::Place(best)).ok()?;
        while !position.is_game_over() {
            let board = position.board();
            let (mv, only) = if board.must_pass() {
                (Move::Pass, false)
            } else if position.side() == start.side() {
                let moves = self.values(board)?;
                let only = moves.get(1).is_some_and(|second| second.value < moves[0].value);
                (Move::Place(moves.first()?.square), only)
            } else {
                (self.best(board)?.0, false)
            };
            line.push(Step { mv, only });
            position.play(mv).ok()?;
        }
        let last = line.iter().rposition(|step| step.only).unwrap_or(0);
        // A pass that answers it is part of the point.
        line.truncate((last + 2).min(line.len()));
        Some(line)
    }
}
