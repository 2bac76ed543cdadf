//! Thompson's construction: from syntax trees to an automaton with silent moves.

use super::regex::Regex;
use crate::lines::Symbol;
use std::collections::BTreeSet;

/// What leads on from a state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct State {
    /// Symbols (bit `i` is symbol number `i`) and the state they lead to.
    on: Option<(u8, usize)>,
    /// States reached without a symbol.
    silent: Vec<usize>,
    /// The pattern that is complete here.
    accepts: Option<usize>,
}

/// A nondeterministic automaton for several patterns at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nfa {
    states: Vec<State>,
    starts: Vec<usize>,
}

impl Nfa {
    /// Returns the automaton in which pattern `i` leads from its start to a state that accepts `i`.
    pub fn from_regexes(regexes: &[Regex]) -> Self {
        let mut nfa = Self {
            states: Vec::new(),
            starts: Vec::new(),
        };
        for (i, regex) in regexes.iter().enumerate() {
            let (start, end) = nfa.add(regex);
            nfa.starts.push(start);
            nfa.states[end].accepts = Some(i);
        }
        nfa
    }

    /// Returns the number of states.
    pub fn n_states(&self) -> usize {
        self.states.len()
    }

    fn new_state(&mut self) -> usize {
        self.states.push(State::default());
        self.states.len() - 1
    }

    /// Adds the states of an expression; returns its first and last.
    fn add(&mut self, regex: &Regex) -> (usize, usize) {
        match regex {
            Regex::Class(set) => {
                let (start, end) = (self.new_state(), self.new_state());
                self.states[start].on = Some((*set, end));
                (start, end)
            }
            Regex::Concat(parts) => {
                let start = self.new_state();
                let mut end = start;
                for part in parts {
                    let (first, last) = self.add(part);
                    self.states[end].silent.push(first);
                    end = last;
                }
                (start, end)
            }
            Regex::Any(parts) => {
                let (start, end) = (self.new_state(), self.new_state());
                for part in parts {
                    let (first, last) = self.add(part);
                    self.states[start].silent.push(first);
                    self.states[last].silent.push(end);
                }
                (start, end)
            }
            Regex::Star(part) | Regex::Plus(part) | Regex::Optional(part) => {
                let (start, end) = (self.new_state(), self.new_state());
                let (first, last) = self.add(part);
                self.states[start].silent.push(first);
                self.states[last].silent.push(end);
                if !matches!(regex, Regex::Plus(_)) {
                    self.states[start].silent.push(end);
                }
                if !matches!(regex, Regex::Optional(_)) {
                    self.states[last].silent.push(first);
                }
                (start, end)
            }
        }
    }

    /// Returns the set with everything that silent moves reach.
    fn closure(&self, seeds: impl IntoIterator<Item = usize>) -> BTreeSet<usize> {
        let mut open: Vec<_> = seeds.into_iter().collect();
        let mut closed = BTreeSet::new();
        while let Some(state) = open.pop() {
            if closed.insert(state) {
                open.extend(&self.states[state].silent);
            }
        }
        closed
    }

    /// Returns the states before any symbol.
    pub(super) fn start(&self) -> BTreeSet<usize> {
        self.closure(self.starts.iter().copied())
    }

    /// Returns the states after `symbol`: those led to, and the starts again, since a match may begin anywhere.
    pub(super) fn after(&self, states: &BTreeSet<usize>, symbol: Symbol) -> BTreeSet<usize> {
        let led = states.iter().filter_map(|&state| {
            let (set, next) = self.states[state].on?;
            (set >> symbol as u8 & 1 != 0).then_some(next)
        });
        self.closure(led.chain(self.starts.iter().copied()))
    }

    /// Returns the patterns complete in one of these states, as bits.
    pub(super) fn output(&self, states: &BTreeSet<usize>) -> u32 {
        states
            .iter()
            .filter_map(|&state| self.states[state].accepts)
            .fold(0, |bits, pattern| bits | 1 << pattern)
    }
}
