//! `cargo xtask tidy`: the house rules that neither the compiler nor clippy checks.
//!
//! Each rule is a pure function from text (or from the package graph) to a list of [`Problem`]s, with tests that show
//! it failing; this module only finds the files and prints what the rules found.
//! [`source`] looks at one Rust file, [`text`], [`spelling`] and [`phrases`] at any text
//! file, [`citations`] at references, [`layers`] and
//! [`supply`] at the package graph that [`graph`] reads from `cargo metadata`, [`manifests`] at what no code uses,
//! [`vocabulary`] at second homes of a concept.

mod citations;
pub(crate) mod file;
pub(crate) mod graph;
mod layers;
mod lexer;
mod manifests;
mod phrases;
mod source;
mod spelling;
mod supply;
pub(crate) mod text;
mod vocabulary;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use crate::web;
use file::{Problem, TextFile, has_extension};
use graph::Graph;

pub(crate) use layers::pure_crates;

/// Applies all rules to the workspace at `root`, prints what is wrong, and reports whether all is well.
pub(crate) fn run(root: &Path) -> Result<bool> {
    let files = read_text_files(root)?;
    let graph = Graph::load(root)?;
    let problems = problems(root, &files, &graph);
    for problem in &problems {
        eprintln!("tidy: {problem}");
    }
    let stale = web::stale_bundle(root)?;
    if let Some(problem) = &stale {
        eprintln!("tidy: {problem}");
    }
    eprintln!(
        "tidy: {} files, {} packages, {} problems",
        files.len(),
        graph.packages.len(),
        problems.len() + usize::from(stale.is_some())
    );
    Ok(problems.is_empty() && stale.is_none())
}

/// Returns all problems, sorted by place.
fn problems(root: &Path, files: &[TextFile], graph: &Graph) -> Vec<Problem> {
    let mut all = Vec::new();
    let text_of = |path: &str| {
        files
            .iter()
            .find(|file| file.path == path)
            .map_or("", |file| &file.text)
    };
    let references = text_of("REFERENCES.md");
    let keys = citations::defined_keys(references, &mut all);
    for file in files {
        all.extend(text::check(file));
        all.extend(citations::check(file, &keys));
        all.extend(spelling::check(file));
        all.extend(phrases::check(file));
        all.extend(text::broken_links(file, |target| root.join(target).exists()));
        if has_extension(&file.path, "rs") {
            all.extend(source::check(file));
        }
    }
    let present: BTreeSet<&str> = files.iter().map(|file| file.path.as_str()).collect();
    all.extend(supply::missing_files(|path| {
        present.contains(path) || root.join(path).exists()
    }));
    all.extend(manifests::check(files));
    all.extend(vocabulary::check(files));
    all.extend(supply::licenses(graph));
    all.extend(supply::c_dependencies(graph));
    all.extend(layers::check(graph));
    all.extend(layers::code_map(graph, text_of("ARCHITECTURE.md")));
    all.sort();
    all.dedup();
    all
}

/// Folders that hold nothing written by hand.
const SKIPPED_FOLDERS: &[&str] = &[
    "target",
    ".git",
    "node_modules",
    "page",
    // Copied into the site of the documentation.
    "program",
    "shared",
    "out",
    "corpus",
    "corpus-out",
    "artifacts",
];

/// Endings of the files that the rules look at.
const TEXT_ENDINGS: &[&str] = &[
    "rs", "toml", "md", "sh", "py", "js", "mjs", "ts", "tsx", "html", "css", "yml", "yaml",
];

fn read_text_files(root: &Path) -> Result<Vec<TextFile>> {
    let mut files = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).with_context(|| format!("cannot list {}", folder.display()))?;
        for entry in entries {
            let entry = entry.with_context(|| format!("cannot list {}", folder.display()))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            // A link is neither followed nor checked: its target belongs to somebody else.
            let kind = entry
                .file_type()
                .with_context(|| format!("cannot look at {}", entry.path().display()))?;
            if kind.is_dir() && !SKIPPED_FOLDERS.contains(&name.as_str()) {
                folders.push(entry.path());
            } else if kind.is_file() && is_text_file(&entry.path()) {
                files.push(read_text_file(root, &entry.path())?);
            }
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

fn is_text_file(path: &Path) -> bool {
    let in_ci = path
        .parent()
        .and_then(Path::file_name)
        .is_some_and(|name| name == ".ci");
    in_ci
        || TEXT_ENDINGS
            .iter()
            .any(|ending| path.extension().is_some_and(|found| found == *ending))
}

fn read_text_file(root: &Path, path: &Path) -> Result<TextFile> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {} as text", path.display()))?;
    let relative: PathBuf = path.strip_prefix(root).unwrap_or(path).to_path_buf();
    let parts: Vec<_> = relative.iter().map(|part| part.to_string_lossy()).collect();
    Ok(TextFile {
        path: parts.join("/"),
        text,
    })
}
