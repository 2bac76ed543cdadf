//! Developer chores, run as `cargo xtask COMMAND`; they need nothing but the Rust toolchain.
//!
//! `cargo xtask check` is what continuous integration runs and what the README calls the test command.
//! Each of its steps is a command of its own, so that a failed step can be repeated alone.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command-line tool reports on the terminal"
)]

mod bench;
mod cargo;
mod check;
mod full;
mod isa;
mod python;
mod release;
mod tidy;
mod wasm;
mod web;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result};

const HELP: &str = "\
Developer chores of Outflank. Usage: cargo xtask COMMAND

  check    all of the following in this order, stopping at the first failure (what .ci/run runs)
  check --full
           also what takes four hours: levels of processors, long tests, the site, Ray, endurance (OUTFLANK_FUZZ names
           built fuzz targets), faults, the release; goes on where docs/full-check.md says that it was, and writes
           it; `check --full STEP ...` runs some steps, whatever the page says
  fmt      cargo fmt --check
  tidy     the house rules that no other tool checks (CONTRIBUTING.md lists them)
  clippy   cargo clippy --workspace --all-targets -- -D warnings
  doc      cargo doc --workspace --no-deps, warnings are errors
  wasm     layers 0 to 3 for WebAssembly (part of check where CI=true)
  bench    the node signature is the one that the newest `Bench:` line of the history names
  python   the Python package, with Python 3.11 or later: types, stubs, tests (part of check where CI=true)
  test     cargo test --workspace --tests, and --doc
  web      the page, with Node: types, lint, tests, the same bundle; where CI=true also in Chromium. Its parts:
           `web build` (Node: TypeScript to crates/server/page), `web check` (Node), `web browser` (Node, Chromium, web site),
           `web site` (Rust: the page with the engine in WebAssembly, to target/site)
  isa      the tests of the kernels and the node signature on each x86-64 level; `isa LEVEL ...` for some of them
  release  what a release consists of, to target/dist, each part tried in an empty folder; `release PART ...` for some of
           them, with levels of x86-64: inventory, binary, c, page, python, sdist, crates (an hour on two cores)
  help     this text
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match dispatch(&args) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::from(1)
        }
    }
}

fn dispatch(args: &[String]) -> Result<ExitCode> {
    let root = workspace_root()?;
    match args {
        [] => {
            print!("{HELP}");
            Ok(ExitCode::from(2))
        }
        [command, levels @ ..] if command == "isa" => isa::run(&root, levels),
        [command, wanted @ ..] if command == "release" => release::run(&root, wanted),
        [command, how, steps @ ..] if command == "check" && how == "--full" => full::run(&root, steps),
        [command, what] if command == "web" => {
            let passed = web::run(&root, what)?;
            Ok(ExitCode::from(u8::from(!passed)))
        }
        [command] => match command.as_str() {
            "help" | "-h" | "--help" => {
                print!("{HELP}");
                Ok(ExitCode::SUCCESS)
            }
            "check" => check::run_all(&root),
            name => {
                if let Some(step) = check::Step::from_name(name) {
                    return check::run(&root, &[step]);
                }
                eprintln!("xtask: unknown command {name:?}; `cargo xtask help` lists the commands");
                Ok(ExitCode::from(2))
            }
        },
        [_, extra, ..] => {
            eprintln!("xtask: unexpected argument {extra:?}; commands take none");
            Ok(ExitCode::from(2))
        }
    }
}

/// Returns the folder that holds the workspace's Cargo.toml: the parent of this package's folder.
fn workspace_root() -> Result<PathBuf> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = package
        .parent()
        .context("the xtask package has no parent folder")?;
    root.canonicalize()
        .with_context(|| format!("cannot find the workspace folder {}", root.display()))
}
