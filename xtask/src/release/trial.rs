//! Each part of a release, used as a stranger would: in an empty folder, with an empty environment.

use super::{archive::unpack, output_of, succeed};
use anyhow::{Context as _, Result, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder that is empty, and gone in the end.
struct Empty(PathBuf);

impl Empty {
    fn new(name: &str) -> Result<Self> {
        let folder = std::env::temp_dir().join(format!("outflank release {name} {}", std::process::id()));
        fs::create_dir(&folder).with_context(|| folder.display().to_string())?;
        Ok(Self(folder))
    }

    /// Returns a command that runs there, with nothing in its environment but where programs are.
    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(&self.0)
            .env_clear()
            .env("PATH", "/usr/local/bin:/usr/bin:/bin");
        command
    }
}

impl Drop for Empty {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.0) {
            eprintln!("xtask: {}: {error}", self.0.display());
        }
    }
}

/// The program solves the positions beside it, has its book, and names its version and `best`, the highest level that
/// this processor runs.
pub(crate) fn program(archive: &Path, best: &str) -> Result<()> {
    let empty = Empty::new("program")?;
    let folder = unpack(archive, &empty.0)?;
    let program = folder.join("bin/outflank");
    let mut solve = empty.command(&program);
    solve.current_dir(&folder).args(["solve", "data/fforum-1-19.obf"]);
    let found = output_of(&mut solve)?;
    ensure!(
        String::from_utf8_lossy(&found).contains("19 of 19 known values right"),
        "{} solves wrongly",
        archive.display()
    );
    let found = output_of(empty.command(&program).args(["show", "tiger"]))?;
    ensure!(
        String::from_utf8_lossy(&found).contains("Tiger"),
        "no openings in {}",
        archive.display()
    );
    let found = output_of(empty.command(&program).arg("--version"))?;
    let found = String::from_utf8_lossy(&found);
    ensure!(
        found.starts_with("outflank ") && found.trim_end().ends_with(best),
        "{} names neither its version nor {best}: {found}",
        archive.display()
    );
    for file in [
        "share/man/man1/outflank.1",
        "share/man/man1/outflank-solve.1",
        "THIRD-PARTY-LICENSES.txt",
    ] {
        ensure!(folder.join(file).is_file(), "{} lacks {file}", archive.display());
    }
    Ok(())
}

/// A program in C is compiled with what is in the archive, and gets an answer.
pub(crate) fn library(archive: &Path) -> Result<()> {
    let empty = Empty::new("c")?;
    let folder = unpack(archive, &empty.0)?;
    let program = empty.0.join("analyze");
    let mut compile = empty.command(Path::new("cc"));
    compile
        .arg("-o")
        .arg(&program)
        .arg(folder.join("examples/analyze.c"));
    compile
        .arg("-I")
        .arg(folder.join("include"))
        .arg("-L")
        .arg(folder.join("lib"))
        .arg("-loutflank_c");
    succeed(&mut compile)?;
    let found = output_of(empty.command(&program).env("LD_LIBRARY_PATH", folder.join("lib")))?;
    let found = String::from_utf8_lossy(&found);
    ensure!(
        found.contains("\"complete\":true"),
        "{} answers {found}",
        archive.display()
    );
    Ok(())
}

/// Every file that the page names is there.
pub(crate) fn page(archive: &Path) -> Result<()> {
    let empty = Empty::new("page")?;
    let folder = unpack(archive, &empty.0)?.join("page");
    let read = |name: &str| -> Result<serde_json::Value> {
        let text = fs::read_to_string(folder.join(name))
            .with_context(|| format!("{name} in {}", archive.display()))?;
        serde_json::from_str(&text).with_context(|| name.to_owned())
    };
    let bundle = read("bundle.json")?;
    for name in bundle["files"]
        .as_object()
        .context("bundle.json names files")?
        .keys()
    {
        ensure!(folder.join(name).is_file(), "{} lacks {name}", archive.display());
    }
    let engine = read("engine/engine.json")?;
    let module = engine["module"].as_str().context("engine.json names a module")?;
    let bytes = fs::read(folder.join(module)).with_context(|| module.to_owned())?;
    ensure!(bytes.starts_with(b"\0asm"), "{module} is no WebAssembly");
    Ok(())
}

/// A new environment of Python installs the package and runs the lines of the README.
pub(crate) fn package(package: &Path, readme: &Path) -> Result<()> {
    let empty = Empty::new("python")?;
    let tools = empty.0.join("environment");
    succeed(Command::new("python3").args(["-m", "venv"]).arg(&tools))?;
    let python = tools.join("bin/python");
    // Rust and the index of packages are where this machine's environment says.
    succeed(
        Command::new(&python)
            .current_dir(&empty.0)
            .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"])
            .arg(package),
    )?;
    let readme = fs::read_to_string(readme).context("README.md")?;
    let lines = readme
        .split("```python\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next());
    let lines = lines.context("the README has no lines in Python")?;
    let found = output_of(empty.command(&python).args(["-P", "-c", lines]))?;
    ensure!(
        String::from_utf8_lossy(&found).contains("+18 (exact)"),
        "{} answers wrongly",
        package.display()
    );
    Ok(())
}
