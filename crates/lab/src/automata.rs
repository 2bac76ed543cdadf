//! Line automata: patterns on a line as regular expressions, all counted in one pass by one table.
//!
//! A line is a string over `-` (empty), `X` (own) and `O` (other), with `#` at both ends for the border. A
//! [`Pattern`] is a regular expression over these four symbols; a line has as many matches as it has positions at
//! which some match ends. The way from expressions to a table is the classic one, and each step can be looked at:
//!
//! | step | module | result |
//! | --- | --- | --- |
//! | parse | [`Regex`] | a syntax tree |
//! | Thompson's construction | [`Nfa`] | states with silent moves, an accepting state per pattern |
//! | subset construction | [`Dfa`] | one state at a time; each says which patterns end here |
//! | minimization | [`Dfa::minimized`] | the smallest such table |
//!
//! The naive matcher ([`Regex::count_naive`]) walks the syntax tree with backtracking and shares nothing with the
//! automata: it is their oracle on every string of lengths 3 to 8, and the loop version that experiments time.

mod dfa;
mod nfa;
mod regex;

pub use dfa::{Dfa, Graphviz};
pub use nfa::Nfa;
pub use regex::{ParseRegexError, Regex};

use crate::lines::Symbol;

/// A feature of a line: a name, an expression and a weight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// Short name, for tables and drawings.
    pub name: &'static str,
    /// The expression, from the side of `X`.
    pub regex: &'static str,
    /// What a match is worth to `X`, in 1/100 disc; guessed, then kept if matches showed it better than without.
    pub weight: i32,
    /// What it means.
    pub meaning: &'static str,
}

/// The patterns of source document A, and what its text implies.
pub const PATTERNS: [Pattern; 7] = [
    Pattern {
        name: "closed",
        regex: "[O#]X+[O#]",
        weight: 15,
        meaning: "own run closed on both sides: nothing can flip it along this line as it stands",
    },
    Pattern {
        name: "flippable",
        regex: "OX+-|-X+O",
        weight: -30,
        meaning: "own run that a disc on the empty end would flip",
    },
    Pattern {
        name: "pressed",
        regex: "-X+-O|O-X+-",
        weight: -20,
        meaning: "own run, open at both ends, with the opponent one empty square away",
    },
    Pattern {
        name: "anchored",
        regex: "#X+-|-X+#",
        weight: 30,
        meaning: "own run that reaches the border and has room to grow",
    },
    Pattern {
        name: "full-anchored",
        regex: "#X+O|OX+#",
        weight: 20,
        meaning: "own run between the border and the opponent",
    },
    Pattern {
        name: "hole",
        regex: "X-X",
        weight: 10,
        meaning: "an empty square between own discs",
    },
    Pattern {
        name: "frontier",
        regex: "-X|X-",
        weight: -10,
        meaning: "an own disc next to an empty square",
    },
];

/// Returns the line with the border at both ends.
pub fn bordered(symbols: &[Symbol]) -> Vec<Symbol> {
    let mut text = Vec::with_capacity(symbols.len() + 2);
    text.push(Symbol::Border);
    text.extend_from_slice(symbols);
    text.push(Symbol::Border);
    text
}

/// Compiles several expressions into one minimal automaton; output bit `i` belongs to expression `i`.
///
/// # Errors
///
/// Returns the first expression that does not parse or matches the empty string, or says that there are too many.
pub fn compile(regexes: &[Regex]) -> Result<Dfa, CompileError> {
    if regexes.len() > 32 {
        return Err(CompileError::TooMany(regexes.len()));
    }
    if let Some(at) = regexes.iter().position(Regex::matches_empty) {
        return Err(CompileError::MatchesEmpty(at));
    }
    Ok(Dfa::from_nfa(&Nfa::from_regexes(regexes)).minimized())
}

/// Why expressions cannot be compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CompileError {
    /// There are more expressions than output bits.
    #[error("{0} patterns, but one automaton counts at most 32")]
    TooMany(usize),
    /// An expression matches the empty string, so that it would match everywhere.
    #[error("pattern {0} matches the empty string; write + where it says * or ?")]
    MatchesEmpty(usize),
}

/// Returns [`PATTERNS`] for both players: expression `2i` is pattern `i` for `X`, `2i + 1` the same for `O`; and the
/// weights for `X`.
pub fn standard_patterns() -> (Vec<Regex>, Vec<i32>) {
    let mut regexes = Vec::new();
    let mut weights = Vec::new();
    for pattern in &PATTERNS {
        let own: Regex = pattern.regex.parse().expect("the tests parse every pattern");
        regexes.push(own.clone());
        regexes.push(own.swapped());
        weights.extend([pattern.weight, -pattern.weight]);
    }
    (regexes, weights)
}

#[cfg(test)]
mod tests;
