//! No dead dependencies: what a manifest names, some code uses.

use std::collections::BTreeSet;

use super::file::{Problem, TextFile, has_extension};
use super::lexer::{self, words};

/// Checks all manifests of the workspace.
pub(crate) fn check(files: &[TextFile]) -> Vec<Problem> {
    let manifests = || files.iter().filter(|file| is_manifest(&file.path));
    let mut problems = Vec::new();
    let mut used = BTreeSet::new();
    for manifest in manifests().filter(|file| file.path != ROOT) {
        let folder = manifest.path.trim_end_matches("Cargo.toml");
        let code = identifiers(files, folder);
        for (line, name) in dependencies(&manifest.text) {
            used.insert(name.to_owned());
            if !code.contains(name.replace('-', "_").as_str()) {
                let message = format!("no code of the package uses {name}: drop the dependency");
                problems.push(Problem::new(&manifest.path, line, message));
            }
        }
    }
    for root in manifests().filter(|file| file.path == ROOT) {
        for (line, name) in dependencies(&root.text) {
            // Our own crates are listed for whoever comes to need them.
            if !name.starts_with("outflank") && !used.contains(name) {
                let message = format!("no package uses {name}: drop the dependency");
                problems.push(Problem::new(&root.path, line, message));
            }
        }
    }
    problems
}

/// The manifest of the workspace.
const ROOT: &str = "Cargo.toml";

fn is_manifest(path: &str) -> bool {
    path == ROOT || path.ends_with("/Cargo.toml")
}

/// Iterates over the dependencies of every kind that a manifest names, with their lines from 1.
fn dependencies(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_inside = false;
    text.lines().enumerate().filter_map(move |(i, line)| {
        if let Some(section) = line.strip_prefix('[') {
            is_inside = section.trim_end().ends_with("dependencies]");
            return None;
        }
        let end = line
            .find([' ', '.', '='])
            .filter(|&end| end > 0 && !line.starts_with('#'))?;
        is_inside.then(|| (i + 1, &line[..end]))
    })
}

/// Returns the identifiers in the Rust files of a folder.
fn identifiers<'a>(files: &'a [TextFile], folder: &str) -> BTreeSet<String> {
    let sources = files
        .iter()
        .filter(|file| file.path.starts_with(folder) && has_extension(&file.path, "rs"));
    let lines = sources.flat_map(|file: &'a TextFile| lexer::split(&file.text));
    lines
        .flat_map(|line| {
            words(&line.code)
                .map(|(_, word)| word.to_owned())
                .collect::<Vec<_>>()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> TextFile {
        TextFile {
            path: path.to_owned(),
            text: text.to_owned(),
        }
    }

    #[test]
    fn dead_dependencies_fail() {
        let files = [
            file(
                "Cargo.toml",
                "[workspace.dependencies]\nserde-x = \"1\"\ngone = \"2\"\n",
            ),
            file(
                "crates/a/Cargo.toml",
                "[package]\nname = \"a\"\n[dependencies]\nserde-x.workspace = true\n\n[dev-dependencies]\nb = \"1\"\n",
            ),
            file("crates/a/src/lib.rs", "// b::c\nuse serde_x::A;\n"),
        ];
        let found: Vec<String> = check(&files).iter().map(ToString::to_string).collect();
        assert_eq!(
            found,
            [
                "crates/a/Cargo.toml:7: no code of the package uses b: drop the dependency",
                "Cargo.toml:3: no package uses gone: drop the dependency"
            ]
        );
    }

    #[test]
    fn sections_for_one_platform_count() {
        let text = "[target.'cfg(unix)'.dependencies]\nrustix = { version = \"1\" }\n# note\n[lints]\nworkspace = true\n";
        assert_eq!(dependencies(text).collect::<Vec<_>>(), [(2, "rustix")]);
    }
}
