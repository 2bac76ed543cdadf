//! The subset construction, minimization, the run over a line, and drawings.

use super::nfa::Nfa;
use crate::lines::Symbol;
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

/// A deterministic automaton that says after every symbol which patterns end there (a Moore machine).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dfa {
    /// `next[state][symbol]`.
    next: Vec<[u16; 4]>,
    /// Patterns that end on entering the state, as bits.
    output: Vec<u32>,
    start: u16,
}

impl Dfa {
    /// Returns the automaton whose states are the sets of states that `nfa` can be in.
    pub fn from_nfa(nfa: &Nfa) -> Self {
        let start = nfa.start();
        let mut numbers: BTreeMap<BTreeSet<usize>, u16> = BTreeMap::from([(start.clone(), 0)]);
        let mut sets = vec![start];
        let mut dfa = Self {
            next: Vec::new(),
            output: Vec::new(),
            start: 0,
        };
        let mut at = 0;
        while at < sets.len() {
            let mut row = [0; 4];
            for symbol in Symbol::ALL {
                let set = nfa.after(&sets[at], symbol);
                row[symbol as usize] = *numbers.entry(set).or_insert_with_key(|set| {
                    sets.push(set.clone());
                    (sets.len() - 1) as u16
                });
            }
            dfa.next.push(row);
            dfa.output.push(nfa.output(&sets[at]));
            at += 1;
        }
        dfa
    }

    /// Returns the smallest automaton with the same outputs on every string, by refining a partition of the states
    /// until no block can be told apart any further (Moore's algorithm).
    #[must_use]
    pub fn minimized(&self) -> Self {
        let mut block: Vec<u16> = number_by(self.output.iter());
        loop {
            let signature = |state: usize| (block[state], self.next[state].map(|next| block[next as usize]));
            let refined: Vec<u16> = number_by((0..self.n_states()).map(signature));
            if refined == block {
                break;
            }
            block = refined;
        }
        let n_blocks = block.iter().max().map_or(0, |&last| usize::from(last) + 1);
        let mut small = Self {
            next: vec![[0; 4]; n_blocks],
            output: vec![0; n_blocks],
            start: block[self.start as usize],
        };
        for (state, &number) in block.iter().enumerate() {
            small.next[number as usize] = self.next[state].map(|next| block[next as usize]);
            small.output[number as usize] = self.output[state];
        }
        small
    }

    /// Returns the number of states.
    pub fn n_states(&self) -> usize {
        self.next.len()
    }

    /// Returns how often each of the first `n_patterns` patterns matches, in one pass over `text`.
    pub fn counts(&self, text: &[Symbol], n_patterns: usize) -> Vec<u32> {
        let mut counts = vec![0; n_patterns];
        let mut state = self.start;
        for &symbol in text {
            state = self.next[state as usize][symbol as usize];
            let mut bits = self.output[state as usize];
            while bits != 0 {
                counts[bits.trailing_zeros() as usize] += 1;
                bits &= bits - 1;
            }
        }
        counts
    }

    /// Returns, per state, the sum of `weights` over the patterns that end there.
    pub fn state_values(&self, weights: &[i32]) -> Vec<i32> {
        let value = |&bits: &u32| {
            let ends = |i: &usize| bits >> *i & 1 != 0;
            (0..weights.len()).filter(ends).map(|i| weights[i]).sum()
        };
        self.output.iter().map(value).collect()
    }

    /// Returns the sum of `values` (from [`Dfa::state_values`]) over the states entered on `text`.
    #[inline]
    pub fn run(&self, values: &[i32], text: impl IntoIterator<Item = Symbol>) -> i32 {
        let mut state = self.start;
        let mut sum = 0;
        for symbol in text {
            state = self.next[state as usize][symbol as usize];
            sum += values[state as usize];
        }
        sum
    }

    /// Returns a drawing for Graphviz; `names` belong to the patterns.
    pub const fn graphviz<'a>(&'a self, names: &'a [String]) -> Graphviz<'a> {
        Graphviz { dfa: self, names }
    }
}

/// Numbers items so that equal items get equal numbers, in order of first appearance.
fn number_by<T: Ord>(items: impl Iterator<Item = T>) -> Vec<u16> {
    let mut numbers = BTreeMap::new();
    items
        .map(|item| {
            let n = numbers.len() as u16;
            *numbers.entry(item).or_insert(n)
        })
        .collect()
}

/// Displays a [`Dfa`] in the language of Graphviz: `dot -Tsvg` draws it.
#[derive(Clone, Copy, Debug)]
pub struct Graphviz<'a> {
    dfa: &'a Dfa,
    names: &'a [String],
}

impl fmt::Display for Graphviz<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "digraph automaton {{\n  rankdir=LR;\n  node [shape=circle];")?;
        writeln!(f, "  start [shape=point];\n  start -> s{};", self.dfa.start)?;
        for (state, &bits) in self.dfa.output.iter().enumerate() {
            if bits != 0 {
                let names: Vec<_> = (0..32)
                    .filter(|i| bits >> i & 1 != 0)
                    .map(|i| self.names.get(i).map_or("?", String::as_str))
                    .collect();
                writeln!(
                    f,
                    "  s{state} [shape=doublecircle, label=\"{state}\\n{}\"];",
                    names.join("\\n")
                )?;
            } else {
                writeln!(f, "  s{state} [label=\"{state}\"];")?;
            }
        }
        for (state, row) in self.dfa.next.iter().enumerate() {
            let mut edges: BTreeMap<u16, String> = BTreeMap::new();
            for symbol in Symbol::ALL {
                edges
                    .entry(row[symbol as usize])
                    .or_default()
                    .push(symbol.to_char());
            }
            for (next, label) in edges {
                writeln!(f, "  s{state} -> s{next} [label=\"{label}\"];")?;
            }
        }
        f.write_str("}\n")
    }
}
