//! The program in the README is the example, which the compiler has seen.

#[test]
fn the_program_in_the_readme_is_the_example() {
    let readme = include_str!("../../../README.md");
    let example = include_str!("../examples/analyze.rs");
    let program = &example[example.find("use outflank").expect("it begins with its imports")..];
    assert!(
        readme.contains(program),
        "the README lacks this program, as it is in crates/outflank/examples/analyze.rs:\n{program}"
    );
    assert!(program.lines().count() <= 30, "a program of 30 lines");
}
