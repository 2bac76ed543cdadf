//! What is inside a release: its packages, their licenses, the checksums of its files.

use crate::cargo::cargo;
use anyhow::{Context as _, Result};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// Returns what cargo knows of the packages that the command line, the C library, the page and the Python package contain.
fn packages(root: &Path) -> Result<Vec<Value>> {
    let output = cargo()
        .current_dir(root)
        .args([
            "metadata",
            "--format-version",
            "1",
            "--locked",
            "--filter-platform",
        ])
        .arg(crate::cargo::host_platform()?)
        .output()
        .context("cannot start `cargo metadata`")?;
    let all: Value = serde_json::from_slice(&output.stdout).context("`cargo metadata` says nothing")?;
    let empty = Vec::new();
    let nodes: BTreeMap<&str, &Value> = all["resolve"]["nodes"]
        .as_array()
        .unwrap_or(&empty)
        .iter()
        .filter_map(|node| Some((node["id"].as_str()?, node)))
        .collect();
    let packages = all["packages"].as_array().unwrap_or(&empty);
    let given_out = ["outflank-cli", "outflank-c", "outflank-wasm", "outflank-python"];
    let mut open: Vec<&str> = packages
        .iter()
        .filter(|package| {
            package["name"]
                .as_str()
                .is_some_and(|name| given_out.contains(&name))
        })
        .filter_map(|package| package["id"].as_str())
        .collect();
    let mut seen: BTreeSet<&str> = open.iter().copied().collect();
    while let Some(id) = open.pop() {
        for dependency in nodes
            .get(id)
            .and_then(|node| node["deps"].as_array())
            .unwrap_or(&empty)
        {
            let kinds = dependency["dep_kinds"].as_array().unwrap_or(&empty);
            // What only tests need, or only the building, is not inside.
            if kinds.iter().any(|kind| kind["kind"].is_null())
                && let Some(id) = dependency["pkg"].as_str()
                && seen.insert(id)
            {
                open.push(id);
            }
        }
    }
    let mut found: Vec<Value> = packages
        .iter()
        .filter(|package| package["id"].as_str().is_some_and(|id| seen.contains(id)))
        .cloned()
        .collect();
    found.sort_by_key(|package| (text(package, "name"), text(package, "version")));
    Ok(found)
}

fn text(package: &Value, field: &str) -> String {
    package[field].as_str().unwrap_or_default().to_owned()
}

/// Returns the version of the workspace.
pub(crate) fn version(root: &Path) -> Result<String> {
    let manifest = fs::read_to_string(root.join("Cargo.toml")).context("Cargo.toml")?;
    let line = manifest
        .lines()
        .find_map(|line| line.strip_prefix("version = \""));
    let version = line.and_then(|rest| rest.strip_suffix('"'));
    version.map(str::to_owned).context("Cargo.toml names no version")
}

/// Returns the bill of materials in the form of `CycloneDX` 1.5.
pub(crate) fn bill_of_materials(root: &Path) -> Result<String> {
    let component = |package: &Value| {
        let (name, version) = (text(package, "name"), text(package, "version"));
        let mut component = json!({
            "type": "library",
            "name": name,
            "version": version,
            "purl": format!("pkg:cargo/{name}@{version}"),
        });
        if let Some(license) = package["license"].as_str() {
            component["licenses"] = json!([{ "expression": license.replace('/', " OR ") }]);
        }
        component
    };
    let components: Vec<Value> = packages(root)?.iter().map(component).collect();
    let bill = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": { "type": "application", "name": "outflank", "version": version(root)? } },
        "components": components,
    });
    Ok(format!("{bill:#}\n"))
}

/// Returns the license texts of all packages of others that are inside, each text once.
pub(crate) fn licenses(root: &Path) -> Result<String> {
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in packages(root)?
        .iter()
        .filter(|package| !package["source"].is_null())
    {
        let name = format!(
            "{} {} ({})",
            text(package, "name"),
            text(package, "version"),
            text(package, "license")
        );
        let manifest = text(package, "manifest_path");
        let folder = Path::new(&manifest)
            .parent()
            .context("a package without a folder")?;
        let mut found = false;
        for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
            let path = entry?.path();
            let file = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .to_uppercase();
            if [
                "LICENSE",
                concat!("LICEN", "CE"),
                "COPYING",
                "UNLICENSE",
                "NOTICE",
            ]
            .iter()
            .any(|start| file.starts_with(start))
                && path.is_file()
            {
                let content = fs::read(&path).with_context(|| path.display().to_string())?;
                let content = String::from_utf8_lossy(&content)
                    .replace('\r', "")
                    .trim()
                    .to_owned();
                texts.entry(content).or_default().push(name.clone());
                found = true;
            }
        }
        if !found {
            let known = "No text of its own: see the license that its name is followed by.".to_owned();
            texts.entry(known).or_default().push(name);
        }
    }
    let mut groups: Vec<(Vec<String>, String)> = texts
        .into_iter()
        .map(|(content, names)| (names, content))
        .collect();
    groups.sort();
    let mut all = "What others wrote and Outflank contains, under these licenses.\n".to_owned();
    for (names, content) in groups {
        let line = "-".repeat(80);
        write!(all, "\n{line}\n{}\n{line}\n\n{content}\n", names.join("\n"))?;
    }
    Ok(all)
}

/// Writes `SHA256SUMS` for all files of a folder.
pub(crate) fn write_checksums(folder: &Path) -> Result<()> {
    let mut lines = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name != "SHA256SUMS" && entry.file_type()?.is_file() {
            let digest = Sha256::digest(fs::read(entry.path())?);
            let mut line = String::new();
            for byte in digest {
                write!(line, "{byte:02x}")?;
            }
            writeln!(line, "  {name}")?;
            lines.push(line);
        }
    }
    lines.sort_by(|one, other| one[66..].cmp(&other[66..]));
    fs::write(folder.join("SHA256SUMS"), lines.concat()).context("cannot write SHA256SUMS")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_citation_names_the_version_of_the_workspace() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let version = version(root).unwrap();
        assert_eq!(version, env!("CARGO_PKG_VERSION"));
        let citation = fs::read_to_string(root.join("CITATION.cff")).unwrap();
        assert!(
            citation.contains(&format!("\nversion: {version}\n")),
            "CITATION.cff names another version"
        );
    }

    #[test]
    fn checksums_are_those_of_every_file() {
        let folder = std::env::temp_dir().join(format!("outflank-checksums-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("b.txt"), "abc").unwrap();
        fs::write(folder.join("a.txt"), "").unwrap();
        for _ in 0..2 {
            write_checksums(&folder).unwrap();
        }
        // The digests of FIPS 180 for the empty text and for `abc`.
        assert_eq!(
            fs::read_to_string(folder.join("SHA256SUMS")).unwrap(),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  a.txt\n\
             ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  b.txt\n"
        );
        fs::remove_dir_all(&folder).unwrap();
    }
}
