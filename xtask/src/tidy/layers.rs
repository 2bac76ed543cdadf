//! The layer table: which crate may know which.
//!
//! This is the table of ARCHITECTURE.md in machine-readable form.
//! A dependency must point to a strictly lower layer; a dev-dependency must not point to a higher one.

use super::file::Problem;
use super::graph::{Graph, Kind, Package};

/// Folder under `crates/` and its layer; crates that do not exist yet are listed too.
pub(crate) const LAYERS: &[(&str, u8)] = &[
    ("game", 0),
    ("jobs", 0),
    ("draw", 0),
    ("testkit", 0),
    ("othello", 1),
    ("gomoku", 1),
    ("search", 2),
    ("eval", 2),
    ("records", 2),
    ("book", 2),
    ("textbook", 3),
    ("games", 3),
    ("othello-engine", 3),
    ("gomoku-engine", 3),
    ("protocol", 4),
    ("train", 4),
    ("database", 4),
    ("study", 5),
    ("arena", 5),
    ("lab", 5),
    ("api", 6),
    ("outflank", 7),
    ("c", 7),
    ("mcp", 7),
    ("server", 7),
    ("python", 7),
    ("wasm", 7),
    ("terminal", 8),
    ("cli", 9),
];

/// Crates that only dev-dependencies may lead to.
pub(crate) const TEST_ONLY: &[&str] = &["testkit"];

/// The lowest layer whose crates may print, read arguments and open sockets.
pub(crate) const FRONT_END: u8 = 7;

/// The highest layer that must stay free of files, clocks and C code.
pub(crate) const HIGHEST_PURE: u8 = 3;

/// Returns the layer of the crate in folder `name` under `crates/`.
pub(crate) fn layer_of(name: &str) -> Option<u8> {
    LAYERS
        .iter()
        .find(|&&(folder, _)| folder == name)
        .map(|&(_, layer)| layer)
}

/// Iterates over the folders of the crates that must stay free of files, clocks and C code.
pub(crate) fn pure_crates() -> impl Iterator<Item = &'static str> {
    let pure = LAYERS
        .iter()
        .filter(|&&(folder, layer)| layer <= HIGHEST_PURE && !TEST_ONLY.contains(&folder));
    pure.map(|&(folder, _)| folder)
}

/// Returns the folder under `crates/` that `path` lies in.
pub(crate) fn crate_of(path: &str) -> Option<&str> {
    path.strip_prefix("crates/")?.split('/').next()
}

/// Checks that each crate is in the table, has its proper name, and depends on lower layers only.
pub(crate) fn check(graph: &Graph) -> Vec<Problem> {
    let mut problems = Vec::new();
    for package in graph.packages.iter().filter(|package| package.is_member) {
        let manifest = format!("{}/Cargo.toml", package.folder);
        let Some(folder) = crate_of(&package.folder) else {
            check_tool(graph, package, &manifest, &mut problems);
            continue;
        };
        let expected = if folder == "outflank" {
            folder.to_owned()
        } else {
            format!("outflank-{folder}")
        };
        if package.name != expected {
            problems.push(Problem::new(
                &manifest,
                0,
                format!("the package must be called {expected:?}"),
            ));
        }
        let Some(layer) = layer_of(folder) else {
            let advice = "add it to LAYERS in xtask/src/tidy/layers.rs and to ARCHITECTURE.md";
            problems.push(Problem::new(
                &manifest,
                0,
                format!("crate {folder:?} has no layer; {advice}"),
            ));
            continue;
        };
        problems.extend(arrows(graph, package, &manifest, layer));
    }
    problems
}

/// Checks the dependencies of one crate.
fn arrows(graph: &Graph, package: &Package, manifest: &str, layer: u8) -> Vec<Problem> {
    let mut problems = Vec::new();
    for dependency in &package.dependencies {
        let target = &graph.packages[dependency.index];
        if !target.is_member {
            continue;
        }
        let Some(below) = crate_of(&target.folder).and_then(layer_of) else {
            problems.push(Problem::new(
                manifest,
                0,
                format!("must not depend on {}", target.name),
            ));
            continue;
        };
        let is_for_tests = crate_of(&target.folder).is_some_and(|folder| TEST_ONLY.contains(&folder));
        let (allowed, rule) = match dependency.kind {
            Kind::Normal | Kind::Build if is_for_tests => (false, "only a dev-dependency may go to it"),
            Kind::Dev => (below <= layer, "a dev-dependency may not go to a higher layer"),
            Kind::Normal | Kind::Build => (below < layer, "a dependency must go to a lower layer"),
        };
        if !allowed {
            let message = format!(
                "layer {layer} depends on {} of layer {below}: {rule}",
                target.name
            );
            problems.push(Problem::new(manifest, 0, message));
        }
    }
    problems
}

/// Checks a member outside `crates/`: the chores must build without the engine, so that a broken crate cannot stop them.
fn check_tool(graph: &Graph, package: &Package, manifest: &str, problems: &mut Vec<Problem>) {
    if package.name != "xtask" {
        return;
    }
    for dependency in &package.dependencies {
        let target = &graph.packages[dependency.index];
        if target.is_member {
            let message = format!(
                "xtask must not depend on {}: chores run when the crates do not build",
                target.name
            );
            problems.push(Problem::new(manifest, 0, message));
        }
    }
}

/// Checks that the code map in ARCHITECTURE.md has a heading for each crate, and none for crates that are gone.
pub(crate) fn code_map(graph: &Graph, text: &str) -> Vec<Problem> {
    let mut problems = Vec::new();
    let members = || graph.packages.iter().filter(|package| package.is_member);
    for package in members() {
        let heading = format!("### `{}`", package.folder);
        if !text.lines().any(|line| line == heading) {
            problems.push(Problem::new(
                "ARCHITECTURE.md",
                0,
                format!("the code map lacks the heading {heading:?}"),
            ));
        }
    }
    for (i, line) in text.lines().enumerate() {
        let folder = line.strip_prefix("### `").and_then(|rest| rest.strip_suffix('`'));
        let folder = folder.filter(|folder| crate_of(folder).is_some());
        if let Some(folder) = folder.filter(|folder| members().all(|package| package.folder != *folder)) {
            problems.push(Problem::new(
                "ARCHITECTURE.md",
                i + 1,
                format!("there is no crate in {folder}"),
            ));
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::super::graph::tests::{graph, member};
    use super::*;

    fn messages(graph: &Graph) -> Vec<String> {
        check(graph)
            .into_iter()
            .map(|problem| problem.to_string())
            .collect()
    }

    #[test]
    fn arrows_down_pass() {
        let graph = graph(&[
            member("crates/game", "outflank-game", &[]),
            member(
                "crates/othello",
                "outflank-othello",
                &[("outflank-game", Kind::Normal)],
            ),
            member("crates/jobs", "outflank-jobs", &[("outflank-game", Kind::Dev)]),
        ]);
        assert_eq!(messages(&graph), Vec::<String>::new());
    }

    #[test]
    fn arrows_up_or_sideways_fail() {
        let graph = graph(&[
            member(
                "crates/othello",
                "outflank-othello",
                &[("outflank-search", Kind::Dev)],
            ),
            member(
                "crates/search",
                "outflank-search",
                &[("outflank-eval", Kind::Normal)],
            ),
            member("crates/eval", "outflank-eval", &[]),
        ]);
        let found = messages(&graph);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(
            found[0].starts_with("crates/othello/Cargo.toml: layer 1 depends on outflank-search of layer 2")
        );
        assert!(
            found[1].starts_with("crates/search/Cargo.toml: layer 2 depends on outflank-eval of layer 2")
        );
    }

    #[test]
    fn only_tests_use_the_test_kit() {
        let graph = graph(&[
            member("crates/testkit", "outflank-testkit", &[]),
            member("crates/eval", "outflank-eval", &[("outflank-testkit", Kind::Dev)]),
            member(
                "crates/records",
                "outflank-records",
                &[("outflank-testkit", Kind::Normal)],
            ),
        ]);
        let found = messages(&graph);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(
            found[0].contains("crates/records") && found[0].ends_with("only a dev-dependency may go to it")
        );
    }

    #[test]
    fn unknown_and_misnamed_crates_fail() {
        let graph = graph(&[
            member("crates/misc", "outflank-misc", &[]),
            member("crates/game", "game", &[]),
        ]);
        let found = messages(&graph);
        assert!(found[0].contains("crate \"misc\" has no layer"), "{found:?}");
        assert!(found[1].contains("must be called \"outflank-game\""), "{found:?}");
    }

    #[test]
    fn the_code_map_is_complete_and_true() {
        let graph = graph(&[
            member("crates/game", "outflank-game", &[]),
            member("xtask", "xtask", &[]),
        ]);
        let good = "# Architecture\n### `crates/game`\n### `xtask`\n### `fuzz`\n";
        assert_eq!(code_map(&graph, good), []);
        let found = code_map(&graph, "### `crates/game`\n### `crates/gone`\n");
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].message.contains("xtask") && found[1].line == 2);
    }

    #[test]
    fn chores_stand_alone() {
        let graph = graph(&[
            member("crates/game", "outflank-game", &[]),
            member("xtask", "xtask", &[("outflank-game", Kind::Normal)]),
        ]);
        assert_eq!(messages(&graph).len(), 1);
    }
}
