//! `cargo xtask release`: what a release consists of, in `target/dist`, each part tried in an empty folder.
//!
//! Archives are the same bytes again for the same commit, compiler and processor level: entries are sorted and dated by the
//! commit, and paths of this machine are not in the programs.

mod archive;
mod inventory;
mod trial;

use crate::cargo::{build_release, cargo, level_flags};
use crate::python;
use crate::tidy::graph::{Graph, Package};
use anyhow::{Context as _, Result, bail, ensure};
use archive::Archive;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// Processor levels that programs are built for, lowest first.
const LEVELS: &[&str] = &["x86-64-v2", "x86-64-v3", "x86-64-v4"];
/// The parts of a release, in the order in which they are made.
const PARTS: &[&str] = &["inventory", "binary", "c", "page", "python", "sdist", "crates"];
/// What checks licenses and where dependencies come from.
const DENY: &str = "cargo-deny@0.20.2";
/// The pages that go with the program, beside those in [`FOLDERS`].
const PAGES: &[&str] = &[
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "README.md",
    "REFERENCES.md",
    "SECURITY.md",
    "fuzz/README.md",
    "python/README.md",
];
/// The folders that go with the program: what the pages for the first hour work with.
const FOLDERS: &[&str] = &["data", "docs", "examples"];
/// Most bytes of the archive of the program, with one build and with several.
const MOST_ARCHIVE: [u64; 2] = [15_000_000, 35_000_000];

/// What every part needs to know.
struct Release<'a> {
    root: &'a Path,
    /// Where everything goes.
    folder: PathBuf,
    version: &'static str,
    /// What is inside.
    packages: Vec<&'a Package>,
    /// When the commit was made, in seconds since 1970.
    date: u64,
}

/// Makes the parts and for the levels in `wanted`, or all where none is named.
pub(crate) fn run(root: &Path, wanted: &[String]) -> Result<ExitCode> {
    if let Some(unknown) = wanted
        .iter()
        .find(|name| !PARTS.contains(&name.as_str()) && !LEVELS.contains(&name.as_str()))
    {
        bail!(
            "unknown part {unknown:?}; the parts are {}, the levels {}",
            PARTS.join(", "),
            LEVELS.join(", ")
        );
    }
    let named = |names: &[&'static str]| -> Vec<&'static str> {
        let some: Vec<&str> = names
            .iter()
            .copied()
            .filter(|name| wanted.iter().any(|word| word == name))
            .collect();
        if some.is_empty() { names.to_vec() } else { some }
    };
    let levels = named(LEVELS);
    ensure!(
        crate::isa::can_run(levels[0]),
        "this processor cannot run programs for {}, so that a release could not be tried",
        levels[0]
    );
    let graph = Graph::load(root)?;
    let release = Release {
        root,
        folder: root.join("target/dist"),
        version: inventory::VERSION,
        packages: inventory::packages(&graph),
        date: commit_date(root)?,
    };
    fs::create_dir_all(&release.folder).context("cannot make target/dist")?;
    for part in named(PARTS) {
        eprintln!("xtask: release {part} ...");
        match part {
            "inventory" => release.inventory()?,
            "binary" => release.binary(&levels)?,
            "c" => release.c(levels[0])?,
            "page" => release.page()?,
            "python" => release.wheel()?,
            "sdist" => release.sdist()?,
            _ => release.crates()?,
        }
    }
    inventory::write_checksums(&release.folder)?;
    println!(
        "{}: {} of Outflank {}, tried",
        release.folder.display(),
        named(PARTS).join(", "),
        release.version
    );
    Ok(ExitCode::SUCCESS)
}

/// Returns when the newest commit was made.
fn commit_date(root: &Path) -> Result<u64> {
    let output = Command::new("git")
        .current_dir(root)
        .args(["log", "-1", "--format=%ct"])
        .output()
        .context("cannot start git")?;
    let text = String::from_utf8_lossy(&output.stdout);
    text.trim()
        .parse()
        .context("git names no date of the newest commit")
}

/// Fails if `command` does.
fn succeed(command: &mut Command) -> Result<()> {
    let status = command
        .status()
        .with_context(|| format!("cannot start {command:?}"))?;
    ensure!(status.success(), "{command:?} failed");
    Ok(())
}

/// Returns what `command` prints, if it succeeds.
fn output_of(command: &mut Command) -> Result<Vec<u8>> {
    let output = command
        .output()
        .with_context(|| format!("cannot start {command:?}"))?;
    ensure!(
        output.status.success(),
        "{command:?} failed: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(output.stdout)
}

impl Release<'_> {
    /// Returns an archive of this release, with what lawyers look for.
    fn archive(&self, name: &str) -> Result<Archive> {
        let mut archive = Archive::new(name, self.date);
        for file in ["LICENSE-APACHE", "LICENSE-MIT", "CITATION.cff"] {
            archive.add_file(file, &self.root.join(file))?;
        }
        archive.add(
            "THIRD-PARTY-LICENSES.txt",
            inventory::licenses(&self.packages)?.into_bytes(),
            false,
        );
        Ok(archive)
    }

    /// The bill of materials, of what may be given out.
    fn inventory(&self) -> Result<()> {
        self.check_licenses()?;
        let path = self.folder.join(format!("outflank-{}.cdx.json", self.version));
        fs::write(&path, inventory::bill_of_materials(&self.packages))
            .with_context(|| path.display().to_string())
    }

    /// What is inside has permissive licenses and comes from crates.io, as `deny.toml` wants it.
    fn check_licenses(&self) -> Result<()> {
        let tools = self.root.join("target/tools");
        succeed(
            cargo()
                .args(["install", "--quiet", "--locked", DENY, "--root"])
                .arg(&tools),
        )?;
        succeed(
            Command::new(tools.join("bin/cargo-deny"))
                .current_dir(self.root)
                .args(["check", "bans", "licenses", "sources"]),
        )
    }

    /// The program with its manual pages and completions: the build for the lowest of `levels`, and beside it those for
    /// higher ones, as which it goes on where the processor can run them. Tried is the highest that runs here.
    fn binary(&self, levels: &[&str]) -> Result<()> {
        let name = match levels {
            [level] => level,
            _ => "x86-64",
        };
        let mut archive = self.archive(&format!("outflank-{}-{name}-linux", self.version))?;
        let build = |level| -> Result<PathBuf> {
            Ok(build_release(self.root, level, "outflank-cli")?.join("outflank"))
        };
        let program = build(levels[0])?;
        archive.add("bin/outflank", fs::read(&program).context("the program")?, true);
        for level in &levels[1..] {
            let content = fs::read(build(level)?).context("the program")?;
            archive.add(&format!("libexec/outflank/{level}/outflank"), content, true);
        }
        for page in PAGES {
            archive.add_file(page, &self.root.join(page))?;
        }
        for folder in FOLDERS {
            archive.add_folder(folder, &self.root.join(folder))?;
        }
        for (shell, path) in [
            ("bash", "share/bash-completion/completions/outflank"),
            ("zsh", "share/zsh/site-functions/_outflank"),
            ("fish", "share/fish/vendor_completions.d/outflank.fish"),
        ] {
            archive.add(
                path,
                output_of(Command::new(&program).args(["completions", shell]))?,
                false,
            );
        }
        let pages = self.root.join("target/levels/manual");
        succeed(Command::new(&program).arg("manual").arg(&pages))?;
        for entry in fs::read_dir(&pages).context("the manual pages")? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            archive.add_file(&format!("share/man/man1/{name}"), &entry.path())?;
        }
        let path = archive.write(&self.folder)?;
        let bytes = fs::metadata(&path)?.len();
        let most = MOST_ARCHIVE[usize::from(levels.len() > 1)];
        ensure!(
            bytes <= most,
            "{} has {bytes} bytes, at most {most}",
            path.display()
        );
        let best = levels.iter().rev().find(|level| crate::isa::can_run(level));
        trial::program(&path, best.context("a build that runs here")?)
    }

    /// The library for programs in C.
    fn c(&self, level: &str) -> Result<()> {
        let library = build_release(self.root, level, "outflank-c")?.join("liboutflank_c.so");
        let mut archive = self.archive(&format!("outflank-c-{}-{level}-linux", self.version))?;
        archive.add(
            "lib/liboutflank_c.so",
            fs::read(&library).context("the library")?,
            true,
        );
        let source = self.root.join("crates/c");
        archive.add_file("include/outflank.h", &source.join("include/outflank.h"))?;
        archive.add_file("examples/analyze.c", &source.join("examples/analyze.c"))?;
        trial::library(&archive.write(&self.folder)?)
    }

    /// The page with the engine inside, for any file server.
    fn page(&self) -> Result<()> {
        ensure!(crate::web::run(self.root, "site")?, "the page was not built");
        let mut archive = self.archive(&format!("outflank-page-{}", self.version))?;
        archive.add_folder("page", &self.root.join("target/site"))?;
        trial::page(&archive.write(&self.folder)?)
    }

    /// The wheel of the Python package, for the lowest level, since pip knows none.
    fn wheel(&self) -> Result<()> {
        let tools = self.packagers()?;
        succeed(
            Command::new(tools.join("maturin"))
                .current_dir(self.root.join("python"))
                .args(["build", "--release", "--strip", "--out"])
                .arg(&self.folder)
                .env("CARGO_ENCODED_RUSTFLAGS", level_flags(self.root, LEVELS[0])?),
        )?;
        self.try_package(&tools, ".whl")
    }

    /// The sources of the Python package.
    fn sdist(&self) -> Result<()> {
        let tools = self.packagers()?;
        succeed(
            Command::new(tools.join("maturin"))
                .current_dir(self.root.join("python"))
                .args(["sdist", "--out"])
                .arg(&self.folder),
        )?;
        self.try_package(&tools, ".tar.gz")
    }

    /// Returns the folder of the programs that make and check packages of Python.
    fn packagers(&self) -> Result<PathBuf> {
        python::environment(
            self.root,
            "release",
            &["maturin==1.16.0".as_ref(), "twine==7.0.0".as_ref()],
        )
    }

    fn try_package(&self, tools: &Path, ending: &str) -> Result<()> {
        let start = format!("outflank-{}", self.version);
        let package = fs::read_dir(&self.folder)?
            .filter_map(Result::ok)
            .map(|entry| entry.path())
            .find(|path| {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                name.strip_prefix(&start)
                    .is_some_and(|rest| rest == ending || (rest.starts_with("-cp") && rest.ends_with(ending)))
            })
            .with_context(|| format!("maturin made no {ending}"))?;
        succeed(
            Command::new(tools.join("twine"))
                .args(["check", "--strict"])
                .arg(&package),
        )?;
        trial::package(&package, &self.root.join("README.md"))
    }

    /// The crates, as `cargo publish` would send them.
    fn crates(&self) -> Result<()> {
        succeed(
            cargo()
                .current_dir(self.root)
                .args(["publish", "--dry-run", "--workspace", "--locked"]),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::{
        file::{TextFile, has_extension},
        text::broken_links,
    };

    /// Adds the paths of the pages below `folder`.
    fn add_pages(root: &Path, folder: &str, pages: &mut Vec<String>) {
        for entry in fs::read_dir(root.join(folder)).unwrap() {
            let entry = entry.unwrap();
            let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
            if entry.file_type().unwrap().is_dir() {
                add_pages(root, &path, pages);
            } else if has_extension(&path, "md") {
                pages.push(path);
            }
        }
    }

    #[test]
    fn pages_that_go_with_the_program_name_no_page_that_does_not() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let mut pages: Vec<String> = PAGES.iter().map(|&page| page.to_owned()).collect();
        for folder in FOLDERS {
            add_pages(root, folder, &mut pages);
        }
        let broken: Vec<String> = pages
            .iter()
            .flat_map(|path| {
                let text = fs::read_to_string(root.join(path)).unwrap();
                let file = TextFile {
                    path: path.clone(),
                    text,
                };
                broken_links(&file, |target| {
                    !has_extension(target, "md") || pages.iter().any(|page| page == target)
                })
            })
            .map(|problem| format!("{}: {}", problem.path, problem.message))
            .collect();
        assert_eq!(broken, [""; 0]);
    }
}
