//! What is inside a release: its packages, their licenses, the checksums of its files.

use crate::tidy::graph::{Graph, Kind, Package};
use anyhow::{Context as _, Result};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// The version of the workspace, which this program shares.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");
/// What a release gives out, by package.
const GIVEN_OUT: &[&str] = &["outflank-cli", "outflank-c", "outflank-wasm", "outflank-python"];

/// Returns the packages that a release contains, sorted; what only tests need, or only the building, is not inside.
pub(crate) fn packages(graph: &Graph) -> Vec<&Package> {
    let given_out = graph
        .packages
        .iter()
        .filter(|package| GIVEN_OUT.contains(&package.name.as_str()));
    let mut found: BTreeMap<(&str, &str), &Package> = BTreeMap::new();
    for package in given_out {
        for inside in graph
            .needed(package, &[Kind::Normal])
            .into_iter()
            .chain([package])
        {
            found.insert((&inside.name, &inside.version), inside);
        }
    }
    found.into_values().collect()
}

/// Returns the bill of materials in the form of `CycloneDX` 1.5.
pub(crate) fn bill_of_materials(packages: &[&Package]) -> String {
    let component = |package: &&Package| {
        let (name, version) = (&package.name, &package.version);
        let mut component = json!({
            "type": "library",
            "name": name,
            "version": version,
            "purl": format!("pkg:cargo/{name}@{version}"),
        });
        if let Some(license) = &package.license {
            component["licenses"] = json!([{ "expression": license.replace('/', " OR ") }]);
        }
        component
    };
    let components: Vec<Value> = packages.iter().map(component).collect();
    let bill = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": { "type": "application", "name": "outflank", "version": VERSION } },
        "components": components,
    });
    format!("{bill:#}\n")
}

/// Returns the license texts of all packages of others that are inside, each text once.
pub(crate) fn licenses(packages: &[&Package]) -> Result<String> {
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in packages.iter().filter(|package| !package.is_member) {
        let license = package.license.as_deref().unwrap_or_default();
        let name = format!("{} {} ({license})", package.name, package.version);
        let folder = package.manifest.parent().context("a package without a folder")?;
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
        let manifest = fs::read_to_string(root.join("Cargo.toml")).unwrap();
        assert!(manifest.contains(&format!("\nversion = \"{VERSION}\"\n")));
        let citation = fs::read_to_string(root.join("CITATION.cff")).unwrap();
        assert!(
            citation.contains(&format!("\nversion: {VERSION}\n")),
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
