//! The evaluation by line automata: the sum over the 38 lines of what the patterns on each are worth.
//!
//! Four ways that must agree, from the slowest to the fastest: the naive matcher pattern by pattern, an automaton per
//! pattern, one automaton for all in a single pass over each line, and a table with its value of every possible line.

use crate::automata::{Dfa, Regex, bordered, compile, standard_patterns};
use crate::lines::{BoardLine, Symbol, all_lines, symbols_of};
use outflank_othello::{Board, Game};

/// Line automata with weights.
#[derive(Clone, Debug)]
pub struct LineEvaluation {
    regexes: Vec<Regex>,
    weights: Vec<i32>,
    dfa: Dfa,
    /// One automaton per expression, for the comparison with one for all.
    single: Vec<Dfa>,
    state_values: Vec<i32>,
    lines: Vec<BoardLine>,
    /// `tables[len][number]` is the value of the line of that length.
    tables: Vec<Vec<i32>>,
}

impl LineEvaluation {
    /// Returns the evaluation by the patterns of [`crate::automata::PATTERNS`], for both players.
    pub fn standard() -> Self {
        let (regexes, weights) = standard_patterns();
        let compiled =
            |regex: &Regex| compile(std::slice::from_ref(regex)).expect("the tests compile every pattern");
        let single = regexes.iter().map(compiled).collect();
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
            single,
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
        let value = |line: &BoardLine| self.tables[line.len()][line.number(board)];
        self.lines.iter().map(value).sum()
    }

    /// Returns the same by one pass of the automaton over each line.
    pub fn value_by_pass(&self, board: Board) -> i32 {
        let (own, other) = (board.player(), board.opponent());
        let value = |line: &BoardLine| {
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

    /// Returns the same by one pass per pattern: an automaton each, the loop over patterns outside.
    pub fn value_by_single_automata(&self, board: Board) -> i32 {
        let mut sum = 0;
        for line in &self.lines {
            let text = bordered(&line.symbols(board));
            for (dfa, &weight) in self.single.iter().zip(&self.weights) {
                sum += weight * dfa.counts(&text, 1)[0] as i32;
            }
        }
        sum
    }

    /// Returns how often each pattern of [`crate::automata::PATTERNS`] matches for the player to move, less how often
    /// for the other.
    pub fn balance(&self, board: Board) -> Vec<i32> {
        let mut sums = vec![0; self.regexes.len() / 2];
        for line in &self.lines {
            let counts = self
                .dfa
                .counts(&bordered(&line.symbols(board)), self.regexes.len());
            for (sum, pair) in sums.iter_mut().zip(counts.chunks(2)) {
                *sum += pair[0] as i32 - pair[1] as i32;
            }
        }
        sums
    }

    /// Returns the weights, in discs, with which the patterns best explain the final margins of `games` (least squares
    /// over the positions with 5 to 50 empties).
    pub fn fit(&self, games: &[Game]) -> Vec<f64> {
        let n = self.regexes.len() / 2;
        let mut normal = vec![vec![0.0; n + 1]; n];
        for game in games.iter().filter(|game| game.result().is_some()) {
            for position in game.positions() {
                if !(5..=50).contains(&position.board().empties().count()) {
                    continue;
                }
                let margin = f64::from(game.position().final_discs(position.side()).get());
                let counts: Vec<f64> = self
                    .balance(position.board())
                    .into_iter()
                    .map(f64::from)
                    .collect();
                for (row, &own) in normal.iter_mut().zip(&counts) {
                    for (cell, &other) in row.iter_mut().zip(&counts) {
                        *cell += own * other;
                    }
                    row[n] += own * margin;
                }
            }
        }
        solve(normal)
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

/// Solves a system of linear equations given with its right side as the last column, by elimination; rows that say
/// nothing give 0.
fn solve(mut rows: Vec<Vec<f64>>) -> Vec<f64> {
    let n = rows.len();
    for i in 0..n {
        let pivot = (i..n)
            .max_by(|&a, &b| rows[a][i].abs().total_cmp(&rows[b][i].abs()))
            .unwrap_or(i);
        rows.swap(i, pivot);
        if rows[i][i].abs() < 1e-9 {
            continue;
        }
        let pivot = rows[i].clone();
        for (j, row) in rows.iter_mut().enumerate() {
            if j != i {
                let factor = row[i] / pivot[i];
                for (cell, above) in row.iter_mut().zip(&pivot) {
                    *cell -= factor * above;
                }
            }
        }
    }
    (0..n)
        .map(|i| {
            if rows[i][i].abs() < 1e-9 {
                0.0
            } else {
                rows[i][n] / rows[i][i]
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::random_positions;

    #[test]
    fn all_ways_agree() {
        let lines = LineEvaluation::standard();
        for position in random_positions(120, 0..60, 6) {
            let value = lines.value_naive(position.board());
            assert_eq!(lines.value_by_pass(position.board()), value);
            assert_eq!(lines.value_by_single_automata(position.board()), value);
            assert_eq!(lines.value(position.board()), value);
            // Every pattern counts for both sides alike.
            assert_eq!(lines.value(position.board().passed()), -value);
        }
    }

    #[test]
    fn linear_systems_are_solved() {
        let solution = solve(vec![vec![0.0, 2.0, 6.0], vec![4.0, 1.0, 11.0]]);
        assert!((solution[0] - 2.0).abs() < 1e-12 && (solution[1] - 3.0).abs() < 1e-12);
        assert_eq!(solve(vec![vec![0.0, 0.0], vec![0.0, 0.0]][..1].to_vec()), [0.0]);
    }
}
