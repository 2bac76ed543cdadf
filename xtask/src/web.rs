//! `cargo xtask web`: the page, which is written in TypeScript and committed as a bundle.
//!
//! The bundle says which sources it was made of; whether these are the ones beside it is checked here in Rust, so that
//! nobody needs Node to find out that it is too old.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::cargo::{Selection, build};
use crate::wasm;

/// The oldest Node that builds and tests the page.
const NODE: (u32, u32) = (20, 19);

/// What the bundle is made of, folders with a slash at the end; `web/scripts/bundle.mjs` has the same list.
const SOURCES: &[&str] = &[
    "index.html",
    "package-lock.json",
    "package.json",
    "public/",
    "scripts/",
    "src/",
    "tsconfig.json",
    "vite.config.mjs",
];

/// Runs a sub-command; reports whether it went well.
pub(crate) fn run(root: &Path, command: &str) -> Result<bool> {
    match command {
        "build" => npm(root, "build"),
        "check" => npm(root, "check"),
        "browser" => browser(root, Selection::Needed),
        "site" => site(root, wasm::Source::Any, "site").map(|()| true),
        other => bail!("no command `web {other}`: build, check, site, browser"),
    }
}

/// Checks the page as far as this machine can: everything in continuous integration, elsewhere what needs no browser and
/// no WebAssembly, and nothing where there is no Node.
pub(crate) fn check(root: &Path, ci: bool, selection: Selection) -> Result<bool> {
    if !ci && !has_node() {
        eprintln!(
            "xtask: the page is not checked: there is no Node {}.{} or later",
            NODE.0, NODE.1
        );
        return Ok(true);
    }
    if !npm(root, "check")? {
        return Ok(false);
    }
    if !ci {
        eprintln!(
            "xtask: the browser tests are left out; `cargo xtask web browser` runs them, and CI=true adds them"
        );
        return Ok(true);
    }
    if std::env::var_os("OUTFLANK_BROWSER").is_some_and(|browser| browser == "none") {
        eprintln!("xtask: the browser tests are left out: there is no browser");
        return Ok(true);
    }
    // The step before has compiled all but the last crate with this profile; that of people takes minutes more.
    site(root, wasm::Source::Packages, "wasm")?;
    browser(root, selection)
}

/// Runs the page in Chromium with both of its engines: the server of the dev build, and the folder that `site` wrote.
fn browser(root: &Path, selection: Selection) -> Result<bool> {
    if !root.join("target/site/index.html").exists() {
        bail!("target/site is missing: run `cargo xtask web site` first");
    }
    if build(root, selection, &["--package", "outflank-cli"])?.is_none() {
        return Ok(false);
    }
    npm(root, "test:browser")
}

fn has_node() -> bool {
    let output = Command::new("node").arg("--version").output();
    output.is_ok_and(|output| is_recent(&String::from_utf8_lossy(&output.stdout)))
}

/// Reports whether what `node --version` prints, as `v20.19.1`, is recent enough.
fn is_recent(version: &str) -> bool {
    let mut parts = version
        .trim()
        .trim_start_matches('v')
        .split('.')
        .map_while(|part| part.parse().ok());
    parts
        .next()
        .zip(parts.next())
        .is_some_and(|found: (u32, u32)| found >= NODE)
}

/// Runs a script of the page's package with Node, after its packages are there.
fn npm(root: &Path, script: &str) -> Result<bool> {
    let run = |arguments: &[&str]| {
        let status = Command::new("npm")
            .current_dir(root.join("web"))
            .args(arguments)
            .status();
        status
            .context("cannot start npm: the page is built with Node 20.19 or later")
            .map(|status| status.success())
    };
    let fresh = !root.join("web/node_modules").is_dir();
    Ok((!fresh || run(&["ci"])?) && run(&["run", script])?)
}

/// Writes the page with the engine in WebAssembly to `target/site`: a folder that any file server can serve.
fn site(root: &Path, compiler: wasm::Source, profile: &str) -> Result<()> {
    let module = wasm::module(root, compiler, profile)?;
    let bytes = fs::read(&module).with_context(|| module.display().to_string())?;
    let bytes = without_names(&bytes).context("this is no WebAssembly module")?;
    let site = root.join("target/site");
    if site.exists() {
        fs::remove_dir_all(&site).with_context(|| site.display().to_string())?;
    }
    let dist = root.join("crates/server/page");
    for file in files(&dist, "")? {
        copy(&dist.join(&file), &site.join(&file))?;
    }
    // Its name changes with its content, so that it can be kept for ever.
    let name = format!("engine/outflank-{:016x}.wasm", hash(&[&bytes]));
    let engine = site.join(&name);
    fs::create_dir_all(site.join("engine")).context("cannot make target/site/engine")?;
    fs::write(&engine, &bytes).with_context(|| engine.display().to_string())?;
    let about = format!("{{\"module\": \"{name}\"}}\n");
    fs::write(site.join("engine/engine.json"), about).context("cannot write engine.json")?;
    println!(
        "{}: the page with the engine inside ({} bytes); serve it with any file server",
        site.display(),
        bytes.len()
    );
    Ok(())
}

/// Returns a module without its custom sections: names of functions and tools, which nobody but a debugger reads.
fn without_names(module: &[u8]) -> Option<Vec<u8>> {
    let mut kept = module
        .get(..8)
        .filter(|head| head.starts_with(b"\0asm"))?
        .to_vec();
    let mut at = kept.len();
    while at < module.len() {
        let (length, digits) = leb128(&module[at + 1..])?;
        let end = at + 1 + digits + length;
        let section = module.get(at..end)?;
        if section[0] != 0 {
            kept.extend_from_slice(section);
        }
        at = end;
    }
    Some(kept)
}

/// Reads a number of seven bits a byte, the lowest first; returns how many bytes it has, too.
fn leb128(bytes: &[u8]) -> Option<(usize, usize)> {
    let mut number = 0;
    for (place, &byte) in bytes.iter().enumerate().take(5) {
        number |= usize::from(byte & 0x7f) << (7 * place);
        if byte & 0x80 == 0 {
            return Some((number, place + 1));
        }
    }
    None
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    }
    fs::copy(from, to).with_context(|| from.display().to_string())?;
    Ok(())
}

/// Returns the names of the files below a folder, with `/` between their parts.
fn files(folder: &Path, before: &str) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let entry = entry.with_context(|| folder.display().to_string())?;
        let name = format!("{before}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            names.extend(files(&entry.path(), &format!("{name}/"))?);
        } else {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

/// Returns the FNV-1a hash of bytes in pieces.
fn hash(pieces: &[&[u8]]) -> u64 {
    let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    pieces
        .iter()
        .flat_map(|piece| piece.iter())
        .fold(0xcbf2_9ce4_8422_2325, step)
}

/// Returns what is wrong with the committed bundle, if anything is.
pub(crate) fn stale_bundle(root: &Path) -> Result<Option<String>> {
    let web = root.join("web");
    if !web.join("package.json").exists() {
        return Ok(None);
    }
    let bundle = fs::read_to_string(root.join("crates/server/page/bundle.json"))
        .context("cannot read crates/server/page/bundle.json")?;
    let mut names: Vec<String> = Vec::new();
    for source in SOURCES {
        match source.strip_suffix('/') {
            Some(folder) => names.extend(files(&web.join(folder), source)?),
            None => names.push((*source).to_owned()),
        }
    }
    names.sort();
    let mut content = Vec::new();
    for name in &names {
        let path: PathBuf = web.join(name);
        let bytes = fs::read(&path).with_context(|| path.display().to_string())?;
        content.extend(name.as_bytes());
        content.push(0);
        // Whatever ends a line here.
        content.extend(bytes.into_iter().filter(|&byte| byte != b'\r'));
        content.push(0);
    }
    let sources = format!("{:016x}", hash(&[&content]));
    if bundle.contains(&format!("\"sources\": \"{sources}\"")) {
        return Ok(None);
    }
    Ok(Some(
        "crates/server/page was made of other sources than those beside it: run `cargo xtask web build`"
            .to_owned(),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_node_are_compared() {
        for (version, enough) in [
            ("v20.19.0\n", true),
            ("v22.1.4", true),
            ("v20.18.9", false),
            ("v9.30.1", false),
            ("", false),
        ] {
            assert_eq!(is_recent(version), enough, "{version}");
        }
    }

    #[test]
    fn the_hash_is_the_published_one() {
        assert_eq!(hash(&[b""]), 0xcbf2_9ce4_8422_2325);
        assert_eq!(hash(&[b"foo", b"bar"]), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn the_committed_bundle_is_made_of_its_sources() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"))
            .parent()
            .expect("the workspace");
        assert_eq!(stale_bundle(root).expect("the bundle"), None);
    }
}
