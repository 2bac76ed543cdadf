//! Each rule for Rust files, shown failing on a bad example and passing on a good one.

use super::*;

const LIBRARY: &str = "crates/othello/src/board.rs";

const NONE: [usize; 0] = [];

type Rule = fn(&Source<'_>) -> Vec<Problem>;

/// Returns the lines on which `rule` finds a problem.
fn lines_of(rule: Rule, path: &str, text: &str) -> Vec<usize> {
    let file = TextFile {
        path: path.to_owned(),
        text: text.to_owned(),
    };
    rule(&Source::new(&file))
        .iter()
        .map(|problem| problem.line)
        .collect()
}

#[test]
fn modules_say_what_they_are_for() {
    assert_eq!(lines_of(module_doc, LIBRARY, "//! Boards.\n"), NONE);
    assert_eq!(lines_of(module_doc, LIBRARY, "use std::fmt;\n"), [1]);
    assert_eq!(lines_of(module_doc, LIBRARY, "\n//! Boards.\n"), [1]);
    assert_eq!(lines_of(module_doc, LIBRARY, "//!\n//! Boards.\n"), [1]);
    assert_eq!(lines_of(module_doc, LIBRARY, ""), [1]);
    assert_eq!(
        lines_of(
            module_doc,
            "fuzz/fuzz_targets/obf.rs",
            "#![no_main]\n//! A law.\n"
        ),
        NONE
    );
}

#[test]
fn long_files_fail_but_tests_do_not_count() {
    let lines = "let a = 1;\n".repeat(700);
    assert_eq!(lines_of(size, LIBRARY, &lines), NONE);
    let tests = format!("{lines}#[cfg(test)]\nmod tests {{\n{lines}}}\n");
    assert_eq!(lines_of(size, LIBRARY, &tests), NONE);
    let longer = format!("{tests}// one more\n");
    assert_eq!(lines_of(size, LIBRARY, &longer), [0]);
    assert_eq!(lines_of(size, "crates/othello/tests/rules.rs", &longer), NONE);
    assert_eq!(lines_of(size, "crates/othello/src/board/tests.rs", &longer), NONE);
}

#[test]
fn unsafe_has_its_places() {
    let text = "//! x\nfn f() { unsafe { g() } }\n// unsafe\n";
    assert_eq!(lines_of(unsafe_place, LIBRARY, text), [2]);
    assert_eq!(
        lines_of(unsafe_place, "crates/othello/src/kernels/avx2.rs", text),
        NONE
    );
    assert_eq!(lines_of(unsafe_place, "crates/search/src/table.rs", text), NONE);
    assert_eq!(lines_of(unsafe_place, "crates/othello/src/stable.rs", text), [2]);
}

#[test]
fn unsafe_is_explained() {
    let good = "// SAFETY: in range.\nlet a = unsafe { f() };\n\n// SAFETY: both\n// are in range.\n#[inline]\nunsafe impl Send for T {}\n";
    assert_eq!(lines_of(safety_comment, LIBRARY, good), NONE);
    assert_eq!(
        lines_of(safety_comment, LIBRARY, "let a = unsafe { f() };\n"),
        [1]
    );
    assert_eq!(
        lines_of(
            safety_comment,
            LIBRARY,
            "// SAFETY: x\nlet b = 1;\nlet a = unsafe { f() };\n"
        ),
        [3]
    );
    assert_eq!(
        lines_of(
            safety_comment,
            LIBRARY,
            "// SAFETY: x\n\nunsafe impl Send for T {}\n"
        ),
        [3]
    );
    assert_eq!(
        lines_of(
            safety_comment,
            LIBRARY,
            "// SAFETY: x\nlet a =\n    unsafe { f() };\n"
        ),
        NONE
    );
    // The obligation of an unsafe function stands in its documentation, which clippy checks.
    assert_eq!(
        lines_of(
            safety_comment,
            LIBRARY,
            "pub unsafe fn f() {}\n#[expect(unsafe_code)]\n"
        ),
        NONE
    );
}

#[test]
fn mutable_globals_fail() {
    assert_eq!(
        lines_of(static_mut, LIBRARY, "static A: u8 = 0;\nstatic mut B: u8 = 0;\n"),
        [2]
    );
    assert_eq!(
        lines_of(
            static_mut,
            LIBRARY,
            "fn f(x: &'static mut u8, y: &'static str) {}\n"
        ),
        NONE
    );
}

#[test]
fn libraries_do_not_print() {
    let text = "fn f() {\n    println!(\"a\");\n    // println!\n    eprint!(\"\");\n    let a = std::env::args();\n    std::io::stdout();\n}\n";
    assert_eq!(lines_of(printing, LIBRARY, text), [2, 4, 5, 6]);
    assert_eq!(lines_of(printing, "crates/lab/src/lib.rs", text), [2, 4, 5, 6]);
    assert_eq!(lines_of(printing, "crates/cli/src/main.rs", text), NONE);
    assert_eq!(lines_of(printing, "xtask/src/main.rs", text), NONE);
    assert_eq!(lines_of(printing, "crates/lab/tests/all.rs", text), NONE);
    let piped = "command.stdin(Stdio::piped())\n    .stdout(Stdio::piped());\n";
    assert_eq!(lines_of(printing, "crates/arena/src/process.rs", piped), NONE);
    let in_test = format!("#[cfg(test)]\nmod tests {{\n{text}}}\n");
    assert_eq!(lines_of(printing, LIBRARY, &in_test), NONE);
}

#[test]
fn low_layers_are_pure() {
    let text = "use std::fs;\nuse std::{fs::File, io};\nlet f = File::open(p);\nlet t = Instant::now();\nuse std::net::Ipv4Addr;\n";
    assert_eq!(lines_of(purity, LIBRARY, text), [1, 2, 3, 4, 5]);
    assert_eq!(lines_of(purity, "crates/jobs/src/log.rs", text), [4, 5]);
    assert_eq!(lines_of(purity, "crates/search/src/clock.rs", text), [1, 2, 3, 5]);
    assert_eq!(lines_of(purity, "crates/train/src/lib.rs", text), NONE);
    assert_eq!(
        lines_of(
            purity,
            "crates/eval/src/net.rs",
            "use crate::net::Layer;\nlet process = 1;\n"
        ),
        NONE
    );
    assert_eq!(lines_of(purity, "crates/eval/tests/weights.rs", text), NONE);
}

#[test]
fn unfinished_work_names_its_issue() {
    let marker = WORK_MARKERS[0];
    assert_eq!(
        lines_of(work_markers, LIBRARY, &format!("// {marker}: later\n")),
        [1]
    );
    assert_eq!(
        lines_of(work_markers, LIBRARY, &format!("// {marker}(#12): later\n")),
        NONE
    );
    assert_eq!(
        lines_of(work_markers, LIBRARY, &format!("let s = \"{marker}\";\n")),
        NONE
    );
}
