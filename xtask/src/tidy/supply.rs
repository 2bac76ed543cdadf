//! What the project takes in and gives out: licenses, and no C code in the pure layers.

use std::collections::BTreeSet;

use super::file::Problem;
use super::graph::{Graph, Kind, Package};
use super::layers::{HIGHEST_PURE, crate_of, layer_of};

/// The license of every package of this workspace.
const OUR_LICENSE: &str = "MIT OR Apache-2.0";

/// Licenses that dependencies may have, alone or as one of several to choose from.
const PERMISSIVE: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Programs of tests under another license, which nothing that is given out contains.
const TEST_TOOLS: &[&str] = &["cbindgen"];

/// The uses of a package by which a build needs it, tests aside.
const NOT_TESTS: &[Kind] = &[Kind::Normal, Kind::Build];

/// Files that a newcomer or a lawyer looks for.
const REQUIRED_FILES: &[&str] = &[
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "REFERENCES.md",
    "docs/json.md",
];

/// Packages that compile C, C++ or assembler.
const C_BUILDERS: &[&str] = &["bindgen", "cc", "cmake", "nasm-rs", "pkg-config", "vcpkg"];

/// Packages whose name or `links` key looks like C but which are Rust throughout.
const PURE_RUST: &[&str] = &[
    "js-sys",
    "linux-raw-sys",
    "prettyplease",
    "rayon-core",
    "wasm-bindgen-shared",
    "web-sys",
    "windows-sys",
];

/// Lists the required files that do not exist.
pub(crate) fn missing_files(exists: impl Fn(&str) -> bool) -> Vec<Problem> {
    let missing = REQUIRED_FILES.iter().filter(|path| !exists(path));
    missing
        .map(|path| Problem::new(path, 0, "the project must have this file"))
        .collect()
}

/// Checks our license fields, and that every dependency can be used under a permissive license.
pub(crate) fn licenses(graph: &Graph) -> Vec<Problem> {
    let members = graph.packages.iter().filter(|package| package.is_member);
    let given_out: BTreeSet<&str> = members
        .flat_map(|member| graph.needed(member, NOT_TESTS))
        .map(|package| package.name.as_str())
        .collect();
    let mut problems = Vec::new();
    for package in &graph.packages {
        let name = package.name.as_str();
        if TEST_TOOLS.contains(&name) && !given_out.contains(name) {
            continue;
        }
        let license = package.license.as_deref();
        if package.is_member {
            if license != Some(OUR_LICENSE) {
                let manifest = format!("{}/Cargo.toml", package.folder);
                problems.push(Problem::new(&manifest, 0, "write `license.workspace = true`"));
            }
        } else if !license.is_some_and(is_permissive) {
            let message =
                format!("dependency {name} has license {license:?}, which is not known as permissive");
            problems.push(Problem::new("Cargo.lock", 0, message));
        }
    }
    problems
}

/// Reports whether an SPDX expression offers a choice that is permissive in all its parts.
///
/// Old manifests write `/` for `OR`.
/// Parentheses are taken off, which may only refuse too much: `A AND (B OR C)` is read as `A AND B` or `C`; for `C` to
/// slip through it would have to be permissive, so `A` is looked at on its own.
fn is_permissive(expression: &str) -> bool {
    let plain: String = expression.chars().filter(|&c| c != '(' && c != ')').collect();
    let known = |term: &str| PERMISSIVE.contains(&term.trim());
    let terms_of = |choice: &str| choice.split(" AND ").all(known);
    if expression.contains('(') {
        return plain.replace('/', " OR ").split(" OR ").all(terms_of);
    }
    plain.replace('/', " OR ").split(" OR ").any(terms_of)
}

/// Lists the C code behind the crates of the pure layers, through any number of steps.
pub(crate) fn c_dependencies(graph: &Graph) -> Vec<Problem> {
    let mut problems = Vec::new();
    for package in graph.packages.iter().filter(|package| package.is_member) {
        let layer = crate_of(&package.folder).and_then(layer_of);
        if layer.is_none_or(|layer| layer > HIGHEST_PURE) {
            continue;
        }
        for found in graph.needed(package, NOT_TESTS) {
            if let Some(sign) = sign_of_c(found) {
                let manifest = format!("{}/Cargo.toml", package.folder);
                let message = format!(
                    "depends on {} ({sign}): layers 0 to 3 must be pure Rust",
                    found.name
                );
                problems.push(Problem::new(&manifest, 0, message));
            }
        }
    }
    problems
}

/// Says why a package looks like C code, if it does.
fn sign_of_c(package: &Package) -> Option<String> {
    if package.is_member || PURE_RUST.contains(&package.name.as_str()) {
        return None;
    }
    if C_BUILDERS.contains(&package.name.as_str()) {
        return Some("it builds C code".to_owned());
    }
    if let Some(library) = &package.links {
        return Some(format!("it links to {library}"));
    }
    package
        .name
        .ends_with("-sys")
        .then(|| "it is a binding to a C library".to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::graph::tests::{foreign, graph, member};
    use super::*;

    #[test]
    fn missing_files_are_named() {
        let found = missing_files(|path| path != "LICENSE-MIT");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].path, "LICENSE-MIT");
    }

    #[test]
    fn choices_of_licenses_are_understood() {
        for good in [
            "MIT",
            "MIT OR Apache-2.0",
            "MIT/Apache-2.0",
            "GPL-3.0 OR MIT",
            "(MIT OR Apache-2.0) AND Unicode-3.0",
        ] {
            assert!(is_permissive(good), "{good}");
        }
        for bad in [
            "GPL-3.0-or-later",
            "MIT AND GPL-3.0",
            "",
            "GPL-3.0 AND (MIT OR ISC)",
            "LGPL-2.1 OR MPL-2.0",
        ] {
            assert!(!is_permissive(bad), "{bad}");
        }
    }

    #[test]
    fn licenses_are_checked_on_both_sides() {
        let mut ours = member("crates/game", "outflank-game", &[]);
        ours.0.license = None;
        let mut theirs = foreign("stockfish", &[]);
        theirs.0.license = Some("GPL-3.0".to_owned());
        let found = licenses(&graph(&[ours, theirs, foreign("fine", &[])]));
        assert_eq!(found.len(), 2, "{found:?}");
    }

    #[test]
    fn c_code_is_found_at_any_distance() {
        let graph = graph(&[
            member("crates/eval", "outflank-eval", &[("zstd", Kind::Normal)]),
            foreign("zstd", &[("zstd-sys", Kind::Normal)]),
            foreign("zstd-sys", &[("cc", Kind::Build)]),
            foreign("cc", &[]),
        ]);
        let found = c_dependencies(&graph);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(
            found[0]
                .message
                .contains("zstd-sys (it is a binding to a C library)")
        );
    }

    #[test]
    fn a_links_key_is_a_sign_of_c() {
        let mut linked = foreign("deflate", &[]);
        linked.0.links = Some("z".to_owned());
        let graph = graph(&[
            member("crates/records", "outflank-records", &[("deflate", Kind::Normal)]),
            linked,
        ]);
        assert!(c_dependencies(&graph)[0].message.contains("links to z"));
    }

    #[test]
    fn tests_and_higher_layers_may_use_c() {
        let graph = graph(&[
            member("crates/eval", "outflank-eval", &[("cc", Kind::Dev)]),
            member("crates/train", "outflank-train", &[("cc", Kind::Normal)]),
            member("crates/game", "outflank-game", &[("linux-raw-sys", Kind::Normal)]),
            foreign("cc", &[]),
            foreign("linux-raw-sys", &[]),
        ]);
        assert_eq!(c_dependencies(&graph), []);
    }
}
