//! `outflank games`: import, questions, export and back, damage, and errors that help.
#![cfg(feature = "database")]

use outflank_testkit::{Ran, empty_folder, run};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

const BIN: &str = env!("CARGO_BIN_EXE_outflank");

fn folder(name: &str) -> PathBuf {
    empty_folder(env!("CARGO_TARGET_TMPDIR"), name)
}

fn outflank(folder: &Path, args: &[&str], input: &str) -> Ran {
    run(
        Command::new(BIN).arg("games").args(args).current_dir(folder),
        input.as_bytes(),
    )
}

/// Runs what must work, and returns what it prints.
#[track_caller]
fn ok(folder: &Path, args: &[&str]) -> String {
    let ran = outflank(folder, args, "");
    assert_eq!(ran.code, 0, "{args:?}: {ran:?}");
    ran.out
}

const GAMES: &str = "\
(;GM[Othello]PC[Open]DT[1996.11.30]PB[Ada Stone]PW[Bob Hill]RE[+4:r]TY[8]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]B[F5]W[D6]B[C3]W[D3]B[C4];)
(;GM[Othello]PC[Open]DT[2001]PB[BOB HILL]PW[\u{c9}va]RE[-10.00]TY[8]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]B[F5]W[F6]B[E6]W[F4];)
(;GM[Othello]PC[Cup]DT[2003]PB[Eva Moon]PW[Ada Stone]RE[0.00]RB[1500]TY[8]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]B[D3]W[C5]B[F6]W[F5];)
(;GM[Othello]PB[Bad]PW[Game]TY[8]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]B[A1];)
";

/// Makes a database of the games above.
fn database(name: &str) -> PathBuf {
    let folder = folder(name);
    fs::write(folder.join("a.ggf"), GAMES).expect("written");
    let ran = outflank(&folder, &["import", "g.db", "a.ggf"], "");
    assert_eq!(ran.code, 2, "one game is bad: {ran:?}");
    assert!(ran.err.contains("a.ggf: line 4, game 4: "), "{}", ran.err);
    assert!(ran.out.contains("3 games added from 1 new"), "{}", ran.out);
    folder
}

#[test]
fn an_import_does_only_what_is_new() {
    let folder = database("games-import");
    let again = ok(&folder, &["import", "g.db", "a.ggf"]);
    assert!(
        again.contains("0 games added from 0 new and 0 changed sources, 1 sources as before"),
        "{again}"
    );
    fs::write(folder.join("a.ggf"), GAMES.lines().next().expect("a line")).expect("written");
    let ran = outflank(&folder, &["import", "g.db", "a.ggf"], "");
    assert!(
        ran.err.contains("take the place of those of another file"),
        "{}",
        ran.err
    );
    assert!(
        ran.out
            .contains("3 games of former contents are gone\n1 games in the collection"),
        "{}",
        ran.out
    );
    let ran = outflank(
        &folder,
        &["import", "g.db", "-", "--as", "typed", "--json"],
        "f5d6c3\nf5d6\n",
    );
    assert!(
        ran.out.lines().last().expect("a summary").contains("\"games\":2"),
        "{}",
        ran.out
    );
    let ran = outflank(
        &folder,
        &["import", "g.db", "--remove", "typed", "--remove", "nothing"],
        "",
    );
    assert!(
        ran.err.contains("nothing: there is no such source") && ran.out.contains("1 games in the"),
        "{ran:?}"
    );
    assert_eq!(ok(&folder, &["check", "g.db"]), "everything is right\n");
}

#[test]
fn positions_lists_and_totals_are_shown() {
    let folder = database("games-asked");
    let text = ok(&folder, &["position", "g.db", "--examples", "1"]);
    assert!(text.starts_with("3 games, black to move\n"), "{text}");
    assert!(
        text.lines()
            .any(|line| line.starts_with("f5   100.0%         3 ")),
        "{text}"
    );
    let text = ok(
        &folder,
        &["position", "g.db", "f5", "--years", "2001..", "--json"],
    );
    assert!(
        text.contains("\"move\":\"d6\"") && text.contains("\"move\":\"f6\""),
        "{text}"
    );
    let text = ok(
        &folder,
        &[
            "position", "g.db", "f5d6c3d3", "--player", "ada", "--color", "black",
        ],
    );
    assert!(text.contains("c4 "), "{text}");
    let text = ok(&folder, &["list", "g.db", "--order", "earliest"]);
    let years: Vec<usize> = ["1996.11.30", "2001", "2003"]
        .iter()
        .filter_map(|year| text.find(year))
        .collect();
    assert!(years.len() == 3 && years.is_sorted(), "{text}");
    assert!(ok(&folder, &["list", "g.db", "--result", "draw"]).ends_with("1 of 1 games\n"));
    assert!(ok(&folder, &["list", "g.db", "--player", "eva"]).ends_with("2 of 2 games\n"));
    assert!(
        ok(
            &folder,
            &["list", "g.db", "--result", "-10..-10", "--player", "=bob hill"]
        )
        .ends_with("1 of 1 games\n")
    );
    for by in ["player", "year", "event", "source", "opening"] {
        let text = ok(&folder, &["stats", "g.db", "--by", by]);
        assert!(
            text.lines().count() >= 2 && text.lines().all(|line| line.chars().count() <= 80),
            "{text}"
        );
    }
    assert!(ok(&folder, &["stats", "g.db", "--by", "player", "--limit", "1"]).contains("Ada Stone"));
    let text = ok(&folder, &["ratings", "g.db", "--min-games", "1"]);
    assert!(text.contains("Ada Stone") && text.lines().count() == 6, "{text}");
    let text = ok(&folder, &["names", "g.db", "bob"]);
    assert!(text.contains("BOB HILL (also Bob Hill)"), "{text}");
    assert!(ok(&folder, &["duplicates", "g.db"]).contains("0 groups"));
}

#[test]
fn spellings_are_joined_from_a_file() {
    let folder = database("games-aliases");
    fs::write(folder.join("aliases.tsv"), "# spellings\nEva Moon\t\u{c9}va\n").expect("written");
    assert!(ok(&folder, &["names", "g.db", "--aliases", "aliases.tsv"]).starts_with("1 spellings"));
    assert!(ok(&folder, &["names", "g.db", "moon"]).contains("also"));
    fs::write(folder.join("aliases.tsv"), "nonsense\n").expect("written");
    let ran = outflank(&folder, &["names", "g.db", "--aliases", "aliases.tsv"], "");
    assert!(
        ran.code == 2 && ran.err.contains("aliases.tsv: line 1"),
        "{ran:?}"
    );
}

#[test]
fn what_is_exported_can_be_imported() {
    let folder = database("games-export");
    let all = |database: &str| {
        let text = ok(&folder, &["list", database, "--order", "earliest", "--json"]);
        let games = text
            .lines()
            .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("an object"));
        games.collect::<Vec<_>>()
    };
    let whole = all("g.db");
    for (format, file, fields) in [
        (
            "ggf",
            "x.ggf",
            &[
                "black", "white", "event", "date", "margin", "winner", "end", "moves",
            ][..],
        ),
        (
            "sgf",
            "x.sgf",
            &["black", "white", "event", "date", "margin", "winner", "moves"],
        ),
        (
            "json",
            "x.jsonl",
            &[
                "black", "white", "event", "date", "margin", "winner", "end", "moves",
            ],
        ),
        (
            "pgn",
            "x.pgn",
            &["black", "white", "event", "date", "margin", "winner", "moves"],
        ),
        (
            "wthor",
            "x.wtb",
            &["black", "white", "event", "margin", "winner", "moves"],
        ),
        ("transcript", "x.txt", &["moves"]),
    ] {
        let order = ["--order", "earliest"];
        let args = [&["export", "g.db", "--to", format, "--out", file][..], &order].concat();
        ok(&folder, &args);
        let database = format!("{format}.db");
        ok(&folder, &["import", &database, file]);
        let mut back = all(&database);
        back.sort_by_key(|game| game["number"].as_u64());
        assert_eq!(back.len(), whole.len(), "{format}");
        for (game, back) in whole.iter().zip(&back) {
            for field in fields {
                assert_eq!(game[field], back[field], "{format}: {field}");
            }
        }
    }
    let ran = outflank(&folder, &["export", "g.db", "--to", "wthor"], "");
    assert!(ran.code == 2 && ran.err.contains("--out"), "{ran:?}");
}

#[test]
fn errors_say_what_helps() {
    let folder = database("games-errors");
    fs::write(folder.join("text.db"), "f5d6\n").expect("written");
    for (args, expected) in [
        (
            &["list", "none.db"][..],
            "none.db: there is no such database; `games import` makes one",
        ),
        (&["list", "text.db"], "text.db: not a database"),
        (&["import", "text.db", "a.ggf"], "text.db: not a database"),
        (&["import", "new.db", "none.ggf"], "none.ggf"),
        (&["import", "new.db", "-"], "--as"),
        (
            &["list", "g.db", "--player", "nobody"],
            "player: \"nobody\" is the name of none",
        ),
        (&["names", "g.db", "nobody"], "\"nobody\" is the name of none"),
        (&["position", "g.db", "f5a1"], "a1 flips nothing"),
        (&["list", "g.db", "--years", "x"], "years are 1996"),
        (
            &["names", "none.db", "--aliases", "a.ggf"],
            "there is no such database",
        ),
    ] {
        let ran = outflank(&folder, args, "");
        assert!(ran.code == 2 && ran.err.contains(expected), "{args:?}: {ran:?}");
    }
    assert!(!folder.join("new.db").exists() && !folder.join("none.db").exists());
    assert_eq!(fs::read(folder.join("text.db")).expect("there"), b"f5d6\n");
}
