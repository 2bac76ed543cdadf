//! The evaluation by line automata: the sum over the 38 lines of what the patterns on each are worth.
//!
//! Three ways that must agree, from the slowest to the fastest: the naive matcher pattern by pattern, one pass of
//! the automaton over each line, and a table with the automaton's value of every possible line.

use crate::automata::{Dfa, Regex, bordered, compile, standard_patterns};
use crate::lines::{Line, Symbol, all_lines, symbols_of};
use outflank_othello::Board;

/// Line automata with weights.
#[derive(Clone, Debug)]
pub struct LineEvaluation {
    regexes: Vec<Regex>,
    weights: Vec<i32>,
    dfa: Dfa,
    state_values: Vec<i32>,
    lines: Vec<Line>,
    /// `tables[len][number]` is the value of the line of that length.
    tables: Vec<Vec<i32>>,
}

impl LineEvaluation {
    /// Returns the evaluation by the patterns of [`crate::automata::PATTERNS`], for both players.
    pub fn standard() -> Self {
        let (regexes, weights) = standard_patterns();
        let dfa = compile(&regexes).expect("the tests compile the standard patterns");
        let state_values = dfa.state_values(&weights);
        let table = |len: usize| {
            let value = |number| dfa.run(&state_values, bordered(&symbols_of(number, len)));
            let n_lines = if len < 3 { 0 } else { 3_usize.pow(len as u32) };
            (0..n_lines).map(value).collect()
        };
        Self {
            tables: (0..=8).map(table).collect(),
            regexes,
            weights,
            state_values,
            lines: all_lines(),
            dfa,
        }
    }

    /// Returns the automaton.
    pub const fn dfa(&self) -> &Dfa {
        &self.dfa
    }

    /// Returns the value for the player to move, in 1/100 disc, by table look-up.
    pub fn value(&self, board: Board) -> i32 {
        let value = |line: &Line| self.tables[line.len()][line.number(board)];
        self.lines.iter().map(value).sum()
    }

    /// Returns the same by one pass of the automaton over each line.
    pub fn value_by_pass(&self, board: Board) -> i32 {
        let (own, other) = (board.player(), board.opponent());
        let value = |line: &Line| {
            let at = |&square| match (own.contains(square), other.contains(square)) {
                (true, _) => Symbol::Own,
                (_, true) => Symbol::Other,
                _ => Symbol::Empty,
            };
            let text = line.squares.iter().map(at);
            let border = std::iter::once(Symbol::Border);
            self.dfa
                .run(&self.state_values, border.clone().chain(text).chain(border))
        };
        self.lines.iter().map(value).sum()
    }

    /// Returns the same by the naive matcher, one pattern after the other.
    pub fn value_naive(&self, board: Board) -> i32 {
        let mut sum = 0;
        for line in &self.lines {
            let text = bordered(&line.symbols(board));
            for (regex, weight) in self.regexes.iter().zip(&self.weights) {
                sum += weight * regex.count_naive(&text) as i32;
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::random_positions;

    #[test]
    fn the_three_ways_agree() {
        let lines = LineEvaluation::standard();
        for position in random_positions(120, 0..60, 6) {
            let value = lines.value_naive(position.board());
            assert_eq!(lines.value_by_pass(position.board()), value);
            assert_eq!(lines.value(position.board()), value);
            // Every pattern counts for both sides alike.
            assert_eq!(lines.value(position.board().passed()), -value);
        }
    }
}
