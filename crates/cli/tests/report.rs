//! `outflank report`: one position, everything that is known of it, and what is refused.

use outflank_testkit::{repository, run};
use serde_json::Value;
use std::process::Command;

/// The sixth-last move of a game of the FFO test, with its published score.
const POSITION: &str = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X; H5:+6;";

fn report(args: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_outflank"));
    let ran = run(command.arg("report").args(args), b"");
    (ran.code, ran.out, ran.err)
}

#[test]
fn an_endgame_is_settled_by_every_method() {
    let (code, out, err) = report(&[POSITION, "--expected", "4", "--json"]);
    assert_eq!(code, 0, "{err}");
    let object: Value = serde_json::from_str(&out).expect("JSON");
    for value in [
        &object["analysis"]["value"],
        &object["solved"]["value"],
        &object["checks"][0]["value"],
        &object["checks"][1]["value"],
    ] {
        assert_eq!(value, 6, "{out}");
    }
    assert_eq!(
        (&object["contradiction"], &object["as_expected"]),
        (&false.into(), &false.into())
    );
    assert_eq!(object["program"]["version"], env!("CARGO_PKG_VERSION"));
    let (_, out, _) = report(&[POSITION, "--expected", "6", "--threads", "2"]);
    assert!(out.ends_with("The proven value is the expected one.\n"), "{out}");
}

#[test]
fn a_report_is_about_one_position_and_a_number() {
    let suite = repository("data/fforum-1-19.obf").display().to_string();
    for (args, part) in [
        (
            &[suite.as_str()][..],
            "a report is about one position; there are 19",
        ),
        (&["f5d6", "--expected", "x"], "a number of discs from -64 to 64"),
        (&["f5d6", "--expected", "65"], "a number of discs from -64 to 64"),
        (&["nonsense"], "not a position or game"),
    ] {
        let (code, out, err) = report(args);
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}: {err}");
        assert!(err.contains(part), "{args:?}: {err}");
    }
}
