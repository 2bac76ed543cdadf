//! The automata against the naive matcher on every string.

use super::*;
use crate::lines::symbols_of;

fn text(s: &str) -> Vec<Symbol> {
    s.chars().map(|c| Symbol::from_char(c).unwrap()).collect()
}

/// Holds one automaton for all `regexes` to the naive matcher on all 3^n bordered strings, n = 3…8.
#[track_caller]
fn check_all_strings(regexes: &[Regex]) {
    let nfa = Nfa::from_regexes(regexes);
    let plain = Dfa::from_nfa(&nfa);
    let small = plain.minimized();
    assert!(small.n_states() <= plain.n_states());
    assert_eq!(small.minimized(), small);
    for len in 3..=8 {
        for number in 0..3_usize.pow(len) {
            let text = bordered(&symbols_of(number, len as usize));
            let naive: Vec<_> = regexes.iter().map(|regex| regex.count_naive(&text)).collect();
            assert_eq!(plain.counts(&text, regexes.len()), naive);
            assert_eq!(small.counts(&text, regexes.len()), naive);
        }
    }
}

#[test]
fn automata_equal_the_naive_matcher_on_every_string() {
    let (regexes, weights) = standard_patterns();
    assert_eq!((regexes.len(), weights.len()), (14, 14));
    check_all_strings(&regexes);
    let odd = ["X*O", "(X|O-)+#", ".X?.", "[XO#]-+[X-]|O", "((XO)*-)+", "#.*#"];
    check_all_strings(&odd.map(|regex| regex.parse().unwrap()));
}

#[test]
fn known_counts() {
    let count = |regex: &str, line: &str| {
        let regex: Regex = regex.parse().unwrap();
        let text = bordered(&text(line));
        let dfa = compile(std::slice::from_ref(&regex)).unwrap();
        assert_eq!(dfa.counts(&text, 1)[0], regex.count_naive(&text));
        dfa.counts(&text, 1)[0]
    };
    assert_eq!(count("[O#]X+[O#]", "XXOXO-XX"), 2);
    assert_eq!(count("OX+-|-X+O", "OXX-XO--"), 2);
    assert_eq!(count("X-X", "X-X-X--X"), 2);
    assert_eq!(count("-X|X-", "X-X-X--X"), 6);
}

#[test]
fn texts_round_trip_and_errors_say_where() {
    for regex in [
        "X",
        "[O#]X+[O#]",
        "OX+-|-X+O",
        "(XO|-)*#",
        ".(X?O)+",
        "(X(O|-)#)+",
    ] {
        let parsed: Regex = regex.parse().unwrap();
        let again: Regex = parsed.to_string().parse().unwrap();
        assert_eq!(parsed, again, "{regex}");
        assert_eq!(parsed.swapped().swapped(), parsed);
    }
    for (regex, column) in [
        ("X)", 2),
        ("(X", 3),
        ("*X", 1),
        ("X**", 3),
        ("[X", 3),
        ("[]", 3),
        ("Y", 1),
    ] {
        assert_eq!(regex.parse::<Regex>().unwrap_err().column, column, "{regex}");
    }
    let deep = "(".repeat(10_000);
    assert!(deep.parse::<Regex>().is_err());
    assert_eq!(
        compile(&["X*".parse().unwrap()]),
        Err(CompileError::MatchesEmpty(0))
    );
    assert_eq!(
        compile(&vec!["X".parse().unwrap(); 33]),
        Err(CompileError::TooMany(33))
    );
}

#[test]
fn minimization_finds_the_textbook_size() {
    // "Ends in XO" needs three states, however clumsily it is written.
    let dfa = compile(&["XO|X(O|O)|XO".parse().unwrap()]).unwrap();
    assert_eq!(dfa.n_states(), 3);
    let drawing = dfa.graphviz(&["xo".to_owned()]).to_string();
    assert_eq!(drawing.matches("->").count(), 1 + 2 + 3 + 2);
    assert_eq!(drawing.matches("doublecircle").count(), 1);
}
