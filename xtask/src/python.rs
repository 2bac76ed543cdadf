//! `cargo xtask python`: the Python package is built with the `dev` profile, checked by types and stubs, and tested.
//!
//! Tools are in a virtual environment under `target/python`, beside the package as a wheel would install it.

use crate::cargo::{self, Selection};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

/// Runs all checks of the package; reports whether they passed.
pub(crate) fn run(root: &Path, selection: Selection) -> Result<bool> {
    let requirements = root.join("python/requirements-dev.txt");
    let tools = environment(root, "environment", &["-r".as_ref(), requirements.as_os_str()])?;
    let sources = root.join("python");
    let built = root.join("target/python/package");
    let Some(compiled) = cargo::build(root, selection, &["--package", "outflank-python"])? else {
        return Ok(false);
    };
    assemble(&compiled.join("lib_core.so"), &sources.join("outflank"), &built)?;
    let mut types = Command::new(tools.join("mypy"));
    types.current_dir(&sources);
    // The stubs are compared with what was built, outside of the sources, which have no compiled part.
    let mut stubs = Command::new(tools.join("python"));
    stubs
        .args(["-m", "mypy.stubtest", "outflank._core"])
        .current_dir(&built);
    let mut tests = Command::new(tools.join("pytest"));
    tests
        .args(["--pyargs", "outflank", "tests", "-p", "no:cacheprovider"])
        .current_dir(&sources);
    for mut command in [types, stubs, tests] {
        if !passes(command.env("PYTHONPATH", &built))? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Puts the package together in the folder `built`.
fn assemble(compiled: &Path, sources: &Path, built: &Path) -> Result<()> {
    let package = built.join("outflank");
    if built.exists() {
        fs::remove_dir_all(built).with_context(|| format!("cannot empty {}", built.display()))?;
    }
    fs::create_dir_all(&package).with_context(|| format!("cannot make {}", package.display()))?;
    let modules = fs::read_dir(sources).with_context(|| format!("cannot read {}", sources.display()))?;
    for module in modules {
        let module = module?.path();
        if let (true, Some(name)) = (module.is_file(), module.file_name()) {
            copy(&module, &package.join(name))?;
        }
    }
    copy(compiled, &package.join("_core.abi3.so"))
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    let copied = fs::copy(from, to);
    copied.with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))?;
    Ok(())
}

/// Makes the virtual environment `target/python/NAME` with `packages`, as pip takes them, or brings it up to date; returns
/// the folder of its programs.
pub(crate) fn environment(root: &Path, name: &str, packages: &[&OsStr]) -> Result<PathBuf> {
    let folder = root.join("target/python").join(name);
    let tools = folder.join("bin");
    if !tools.join("python").exists() {
        let mut make = Command::new("python3");
        make.args(["-m", "venv", "--clear"]).arg(&folder);
        if !passes(&mut make)? {
            bail!("python3 cannot make a virtual environment: install Python 3.11 or later with venv");
        }
    }
    let mut install = Command::new(tools.join("python"));
    install
        .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"])
        .args(packages);
    if !passes(&mut install)? {
        bail!("pip cannot install {packages:?}");
    }
    Ok(tools)
}

fn passes(command: &mut Command) -> Result<bool> {
    let program = command.get_program().to_os_string();
    let status = command
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .status()
        .with_context(|| format!("cannot start {}", program.display()))?;
    Ok(status.success())
}
