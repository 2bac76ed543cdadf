//! `cargo xtask python`: the Python package is built as a wheel of the `dev` profile, checked by types and stubs, and tested.
//!
//! Everything is in a virtual environment under `target/python`; the wheel is built in the workspace's own target folder.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

/// Runs all checks of the package; reports whether they passed.
pub(crate) fn run(root: &Path) -> Result<bool> {
    let tools = environment(root)?;
    let wheels = root.join("target/python/wheels");
    if wheels.exists() {
        fs::remove_dir_all(&wheels).with_context(|| format!("cannot empty {}", wheels.display()))?;
    }
    let package = root.join("python");
    let python = tools.join("python");
    let mut build = Command::new(tools.join("maturin"));
    build
        .args([
            "build",
            "--quiet",
            "--profile",
            "dev",
            "--locked",
            "--interpreter",
        ])
        .arg(&python)
        .arg("--out")
        .arg(&wheels)
        .current_dir(&package);
    if !passes(&mut build)? {
        return Ok(false);
    }
    let mut install = Command::new(&python);
    install
        .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"])
        .args(["--force-reinstall", "--no-deps"])
        .args(files(&wheels)?);
    // The stubs are compared with what was built, outside of the sources, which have no compiled part.
    let mut stubs = Command::new(&python);
    stubs
        .args(["-m", "mypy.stubtest", "outflank._core"])
        .current_dir(&wheels);
    let mut types = Command::new(tools.join("mypy"));
    types.current_dir(&package);
    let mut tests = Command::new(tools.join("pytest"));
    tests
        .args(["--pyargs", "outflank", "tests", "-p", "no:cacheprovider"])
        .current_dir(&package);
    for mut command in [install, types, stubs, tests] {
        if !passes(&mut command)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Makes the virtual environment, or brings it up to date; returns the folder of its programs.
fn environment(root: &Path) -> Result<PathBuf> {
    let folder = root.join("target/python/environment");
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
        .args([
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "-r",
        ])
        .arg(root.join("python/requirements-dev.txt"));
    if !passes(&mut install)? {
        bail!("pip cannot install what python/requirements-dev.txt lists");
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

/// Returns the files of a folder.
fn files(folder: &Path) -> Result<Vec<OsString>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    entries.map(|entry| Ok(entry?.path().into_os_string())).collect()
}
