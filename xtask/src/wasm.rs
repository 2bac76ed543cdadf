//! `cargo xtask wasm`: the pure layers and the page's module build for WebAssembly.
//!
//! Where the toolchain has the target `wasm32-unknown-unknown`, it is used as it is.
//! Where it has not and cannot fetch it, Debian's web toolchain does: its packages are unpacked into a folder of the
//! user's cache (nothing is installed), and the standard library is compiled from the source that is one of them.
//! Continuous integration always takes the second way, since a target that happens to be installed would hide a step
//! that is missing on other machines.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};

use crate::cargo::{cargo, host_platform, rustc};
use crate::tidy::pure_crates;

/// The target.
const TARGET: &str = "wasm32-unknown-unknown";

/// Pure crates that WebAssembly has no use for: long jobs are files and threads.
const EXCEPTED: &[&str] = &["jobs"];

/// Debian's packages that are asked for; what they depend on is found out.
const PACKAGES: &[&str] = &["rustc-web", "rust-web-src"];

/// Dependencies to take whether or not the machine has them, by the start of the name: they must match each other.
const TOGETHER: &[&str] = &["rustc-web", "rust-web-src", "libstd-rust-web-", "libllvm"];

/// Dependencies that are there wherever Rust programs can be linked.
const LINKING: &[&str] = &["gcc", "binutils", "libc-dev", "libc6", "libc6-dev"];

/// Where the compiler comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// The toolchain's own target where there is one, else the packages.
    Any,
    /// The packages.
    Packages,
}

/// Builds the pure crates; reports whether that went well.
pub(crate) fn run(root: &Path, source: Source) -> Result<bool> {
    let names = crates(root).into_iter().chain(["wasm"]);
    build(root, source, "wasm", names)
}

/// Builds the module of the page with this profile, and returns where it is.
pub(crate) fn module(root: &Path, source: Source, profile: &str) -> Result<PathBuf> {
    if !build(root, source, profile, ["wasm"])? {
        bail!("the module cannot be built");
    }
    Ok(root.join(format!("target/{TARGET}/{profile}/outflank_wasm.wasm")))
}

fn build<'a>(
    root: &Path,
    source: Source,
    profile: &str,
    names: impl IntoIterator<Item = &'a str>,
) -> Result<bool> {
    let mut command = cargo();
    command
        .current_dir(root)
        .args(["build", "--locked", "--profile", profile, "--target", TARGET]);
    for name in names {
        command.args(["--package", &format!("outflank-{name}")]);
    }
    if source == Source::Packages || !has_target()? {
        let folder = toolchain(root)?;
        eprintln!("xtask: the compiler comes from {}", folder.display());
        command
            .arg("-Zbuild-std=std,panic_abort")
            .env("RUSTC", folder.join("rustc"))
            .env("RUSTC_BOOTSTRAP", "1")
            .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker()?);
    }
    Ok(command.status().context("cannot start `cargo build`")?.success())
}

/// Returns the folders under `crates/` that must build.
fn crates(root: &Path) -> Vec<&'static str> {
    pure_crates()
        .filter(|name| !EXCEPTED.contains(name) && root.join("crates").join(name).is_dir())
        .collect()
}

/// Reports whether the toolchain has the target's standard library.
fn has_target() -> Result<bool> {
    let folder = ask_rustc(&["--print", "target-libdir", "--target", TARGET])?;
    Ok(Path::new(&folder).is_dir())
}

/// Returns the linker for WebAssembly that comes with the toolchain.
fn linker() -> Result<PathBuf> {
    let sysroot = PathBuf::from(ask_rustc(&["--print", "sysroot"])?);
    let bin = sysroot.join("lib/rustlib").join(host_platform()?).join("bin");
    Ok(bin.join("rust-lld"))
}

fn ask_rustc(args: &[&str]) -> Result<String> {
    let output = rustc().args(args).output().context("cannot start rustc")?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Returns the folder with the unpacked packages and a compiler `rustc` in it; fetches them at the first call.
fn toolchain(root: &Path) -> Result<PathBuf> {
    let cache = cache_folder(root);
    // A newer language version asks for newer packages.
    let manifest = fs::read_to_string(root.join("Cargo.toml")).context("cannot read Cargo.toml")?;
    let version = rust_version(&manifest).context("Cargo.toml names no rust-version")?;
    let folder = cache.join(format!("rust-web-{version}"));
    if folder.join("rustc").exists() {
        return Ok(folder);
    }
    if !has_program("apt-get") || !has_program("dpkg") {
        bail!(
            "the toolchain lacks the target {TARGET} and this is no Debian system: run `rustup target add {TARGET}`"
        );
    }
    // Complete or not there at all: another run may do the same at this moment.
    let work = cache.join(format!("rust-web.{}", std::process::id()));
    let result = unpack(&work).and_then(|()| {
        write_compiler(&work.join("root"), &folder)?;
        match fs::rename(work.join("root"), &folder) {
            Err(_) if folder.join("rustc").exists() => Ok(()),
            other => other.with_context(|| format!("cannot make {}", folder.display())),
        }
    });
    // What is left are archives; whether they go or stay changes nothing.
    let _removed = fs::remove_dir_all(&work);
    result.map(|()| folder)
}

/// Returns the folder for what can be fetched again.
fn cache_folder(root: &Path) -> PathBuf {
    let from = |name: &str| {
        std::env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    from("XDG_CACHE_HOME")
        .or_else(|| from("HOME").map(|home| home.join(".cache")))
        .map_or_else(|| root.join("target"), |cache| cache.join("outflank"))
}

/// Returns the language version that the workspace asks for.
fn rust_version(manifest: &str) -> Option<&str> {
    let line = manifest
        .lines()
        .find_map(|line| line.strip_prefix("rust-version"))?;
    line.split('"').nth(1)
}

fn has_program(name: &str) -> bool {
    let status = Command::new(name)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    status.is_ok_and(|status| status.success())
}

/// Downloads the packages and unpacks them into `work/root`.
fn unpack(work: &Path) -> Result<()> {
    let archives = work.join("archives");
    for folder in ["lists/partial", "archives/partial", "root"] {
        let folder = work.join(folder);
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    // One source that does not answer must not stop the others; what matters is whether the packages are found.
    let _updated = apt(work, "apt-get")
        .args(["--quiet", "--quiet", "update"])
        .status();
    let mut ask = apt(work, "apt-cache");
    ask.args([
        "depends",
        "--recurse",
        "--no-recommends",
        "--no-suggests",
        "--no-conflicts",
        "--no-breaks",
    ]);
    ask.args(["--no-replaces", "--no-enhances"]).args(PACKAGES);
    let output = ask.output().context("cannot start apt-cache")?;
    if !output.status.success() {
        bail!(
            "apt knows no package {}: are its sources complete?",
            PACKAGES.join(" or ")
        );
    }
    let names = needed(&String::from_utf8_lossy(&output.stdout), is_installed);
    eprintln!("xtask: fetching {}", names.join(", "));
    let mut fetch = apt(work, "apt-get");
    fetch
        .current_dir(&archives)
        .args(["--quiet", "download"])
        .args(&names);
    let status = fetch
        .stdout(Stdio::null())
        .status()
        .context("cannot start apt-get")?;
    if !status.success() {
        bail!("apt-get cannot download {}", names.join(", "));
    }
    for entry in fs::read_dir(&archives).context("cannot list the archives")? {
        let path = entry.context("cannot list the archives")?.path();
        if path.extension().is_some_and(|ending| ending == "deb") {
            let status = Command::new("dpkg")
                .arg("--extract")
                .arg(&path)
                .arg(work.join("root"))
                .status();
            if !status.context("cannot start dpkg")?.success() {
                bail!("dpkg cannot unpack {}", path.display());
            }
        }
    }
    Ok(())
}

/// Returns a command of apt with lists and archives of its own, so that it needs no rights and trusts no stale list.
fn apt(work: &Path, program: &str) -> Command {
    let mut command = Command::new(program);
    for (name, folder) in [
        ("Dir::State::lists", "lists"),
        ("Dir::Cache::archives", "archives"),
    ] {
        command
            .arg("-o")
            .arg(format!("{name}={}", work.join(folder).display()));
    }
    for option in [
        "Dir::Cache::pkgcache=",
        "Dir::Cache::srcpkgcache=",
        "Debug::NoLocking=1",
        "APT::Sandbox::User=root",
    ] {
        command.args(["-o", option]);
    }
    command
}

/// Picks the packages to download from what `apt-cache depends --recurse` prints.
fn needed(depends: &str, is_installed: impl Fn(&str) -> bool) -> Vec<String> {
    let names = depends
        .lines()
        .filter(|line| !line.starts_with([' ', '<']) && !line.is_empty());
    let mut names: Vec<String> = names
        .filter(|name| {
            TOGETHER.iter().any(|start| name.starts_with(start))
                || !LINKING.contains(name) && !is_installed(name)
        })
        .map(str::to_owned)
        .collect();
    names.sort();
    names.dedup();
    names
}

fn is_installed(name: &str) -> bool {
    let output = Command::new("dpkg-query")
        .args(["--show", "--showformat=${db:Status-Status}", name])
        .output();
    output.is_ok_and(|output| output.stdout.starts_with(b"installed"))
}

/// Writes a `rustc` that finds its libraries in the folder, and drops the parts of the source that no build reads.
fn write_compiler(root: &Path, folder: &Path) -> Result<()> {
    for source in subfolders(&root.join("usr/src")) {
        for part in ["compiler", "src", "debian"] {
            let part = source.join(part);
            if part.is_dir() {
                fs::remove_dir_all(&part).with_context(|| format!("cannot remove {}", part.display()))?;
            }
        }
    }
    let mut libraries = Vec::new();
    for parent in ["usr/lib", "lib"] {
        for found in subfolders(&root.join(parent)) {
            let name = found
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            if name.contains("-linux-") {
                libraries.push(folder.join(parent).join(name).display().to_string());
            }
        }
    }
    let script = format!(
        "#!/bin/sh\nLD_LIBRARY_PATH='{}' exec '{}' \"$@\"\n",
        libraries.join(":"),
        folder.join("usr/bin/rustc").display()
    );
    let path = root.join("rustc");
    fs::write(&path, script).with_context(|| format!("cannot write {}", path.display()))?;
    make_executable(&path)
}

fn subfolders(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.is_dir())
        .collect()
}

#[cfg(unix)]
fn make_executable(path: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
        .with_context(|| format!("cannot make {} executable", path.display()))
}

#[cfg(not(unix))]
fn make_executable(path: &Path) -> Result<()> {
    bail!("{} needs a Debian system", path.display());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_that_belong_together_are_always_taken_and_others_where_they_lack() {
        let depends = "rustc-web\n  Depends: gcc\n |Depends: <libc-dev>\ngcc\nlibllvm22\n<libc-dev>\nlibz3-4\nlibc6\n\
                       libstd-rust-web-dev\nzlib1g\nlibllvm22\n";
        let found = needed(depends, |name| name == "zlib1g" || name == "rustc-web");
        assert_eq!(
            found,
            ["libllvm22", "libstd-rust-web-dev", "libz3-4", "rustc-web"]
        );
    }

    #[test]
    fn the_version_is_read_from_the_manifest() {
        assert_eq!(
            rust_version("[workspace.package]\nrust-version = \"1.95\"\n"),
            Some("1.95")
        );
        assert_eq!(rust_version("edition = \"2024\"\n"), None);
    }

    #[test]
    fn every_pure_crate_but_the_jobs_is_built() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let found = crates(&root);
        assert!(
            found.contains(&"game") && found.contains(&"othello-engine") && found.contains(&"gomoku-engine")
        );
        assert!(!found.contains(&"jobs") && !found.contains(&"arena"));
    }
}
