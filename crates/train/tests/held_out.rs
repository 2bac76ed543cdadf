//! What the evaluation is examined with stays out of what it is fitted to.

use outflank_eval::Patterns;
use outflank_othello::{Board, Symmetry};
use outflank_testkit::{data_path, repository};
use outflank_train::{
    dataset::Dataset,
    sample::{self, Sample, Source, Split, positions_of, read_exact},
    source::{TRAINING_YEARS, VALIDATION_YEARS, read_wthor, theoretical},
};
use std::{collections::BTreeSet, fs, path::PathBuf};

fn suites() -> Option<Vec<PathBuf>> {
    data_path("suites").map(|folder| vec![folder, repository("data")])
}

fn sample_of(board: Board) -> Sample {
    Sample {
        board,
        value: 0,
        source: Source::Exact,
        split: Split::Train,
    }
}

fn canonical(boards: impl IntoIterator<Item = Board>) -> BTreeSet<Board> {
    boards.into_iter().map(|board| board.canonical().0).collect()
}

#[test]
fn no_image_of_a_suite_position_is_learned_from() {
    let Some(folders) = suites() else { return };
    let boards = positions_of(&folders).expect("every suite is read");
    // FFO, hard-20, hard-25, random-20, last-6, 180 exact positions and 182 puzzles.
    assert!(boards.len() > 2_100, "{} positions", boards.len());
    let images = boards
        .iter()
        .flat_map(|&board| Symmetry::ALL.map(|symmetry| sample_of(board.transformed(symmetry))));
    let data = Dataset::new(images.collect(), &folders).expect("every suite is read");
    assert!(data.samples.is_empty() && data.excluded > 2_000);
}

#[test]
fn the_exact_values_to_learn_from_are_told_from_the_suites() {
    let (Some(folders), Some(exact)) = (suites(), data_path("exact")) else {
        return;
    };
    let suites = canonical(positions_of(&folders).expect("every suite is read"));
    let mut samples = Vec::new();
    for entry in fs::read_dir(exact).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "bin") {
            samples.extend(read_exact(&path).expect("exact values"));
        }
    }
    assert!(samples.len() > 2_000_000);
    let data = Dataset::new(samples, &folders).expect("every suite is read");
    let seen = |sample: &Sample| suites.contains(&sample.board.canonical().0);
    assert!(!data.samples.iter().any(seen), "{} were left out", data.excluded);
}

#[test]
fn the_later_years_of_wthor_are_not_learned_from() {
    let Some(folder) = data_path("wthor") else { return };
    let positions = |years, split| theoretical(&read_wthor(&folder, years, split).expect("WTHOR"));
    let early = positions(TRAINING_YEARS, Some(Split::Train));
    let late = positions(VALIDATION_YEARS, Some(Split::Validation));
    assert!(early.len() > 90_000 && late.len() > 9_000);
    // A position can occur in games of both: to leave those out, a fit names the later ones.
    let later = canonical(late.iter().map(|sample| sample.board));
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("valid.samples");
    sample::write(&path, &late).expect("written");
    let data = Dataset::new(early, &[path]).expect("read");
    let seen = |sample: &Sample| later.contains(&sample.board.canonical().0);
    assert!(data.excluded > 0 && !data.samples.iter().any(seen));
}

#[test]
fn the_page_is_about_the_weights_inside() {
    let page = fs::read_to_string(repository("docs/training.md")).expect("the page");
    let checksum = format!("{:016x}", Patterns::embedded_weights().checksum());
    assert!(
        page.contains(&checksum),
        "docs/training.md does not name {checksum}"
    );
}
