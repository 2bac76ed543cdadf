//! The statistics as data.

use super::*;

#[test]
fn the_tables_in_the_program_round_trip_and_are_plausible() {
    for table in [ProbCutTable::hand_made(), ProbCutTable::embedded()] {
        check(&table);
    }
}

fn check(table: &ProbCutTable) {
    assert_eq!(table.to_string().parse(), Ok(table.clone()));
    for empties in 1..=60 {
        for depth in MIN_DEPTH..=60 {
            for prediction in [
                table.search(depth, empties),
                table.static_evaluation(depth, empties),
            ] {
                assert!(
                    prediction.depth < depth.min(empties).max(1),
                    "{depth} {empties} {prediction:?}"
                );
                assert!(prediction.sigma > 0);
            }
        }
    }
}

#[test]
fn shallow_searches_keep_the_parity() {
    for deep in 3..=60 {
        assert_eq!(shallow_depth(deep) % 2, deep % 2);
        assert!(shallow_depth(deep) < deep);
        assert!(shallow_depth_to_end(deep) < deep && shallow_depth_to_end(deep) <= 8);
    }
}

#[test]
fn wrong_tables_say_where() {
    let text = ProbCutTable::hand_made().to_string();
    for (from, to, expected) in [
        ("end-static", "finish", "line 32: \"finish\" is not a part"),
        (
            "middle ",
            "middle 1/2 ",
            "line 1: \"1/2\" is not depth/mean/sigma",
        ),
        ("middle ", "middle 99/0/1 ", "\"99/0/1\" is not depth/mean/sigma"),
        (
            "middle ",
            "middle 1/0/1 ",
            "the table has 616 cells of part middle, not 615",
        ),
    ] {
        let error = text.replacen(from, to, 1).parse::<ProbCutTable>().unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
    assert!("".parse::<ProbCutTable>().is_err());
}

#[test]
fn levels_of_selectivity_rise() {
    for pair in Selectivity::LEVELS.windows(2) {
        assert!(pair[0].confidence < pair[1].confidence && pair[0].margin < pair[1].margin);
    }
    assert_eq!(Selectivity::at_least(0), Selectivity::LEVELS[0]);
    assert_eq!(Selectivity::at_least(74), Selectivity::LEVELS[1]);
    assert_eq!(Selectivity::at_least(100), Selectivity::NONE);
}
