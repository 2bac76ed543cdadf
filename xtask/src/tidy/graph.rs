//! The package graph, as `cargo metadata` tells it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use crate::cargo::{cargo, host_platform};

/// What a dependency is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// By the library or the binaries.
    Normal,
    /// By the build script.
    Build,
    /// By tests, examples and benchmarks only.
    Dev,
}

/// One arrow of the graph.
#[derive(Clone, Debug)]
pub(crate) struct Dependency {
    /// Place of the target in [`Graph::packages`].
    pub(crate) index: usize,
    /// What it is used for; a package used in two ways has two arrows.
    pub(crate) kind: Kind,
}

/// One package.
#[derive(Clone, Debug)]
pub(crate) struct Package {
    /// Name in its manifest.
    pub(crate) name: String,
    /// Version in its manifest.
    pub(crate) version: String,
    /// Where its manifest is on this machine.
    pub(crate) manifest: PathBuf,
    /// Folder from the workspace's root, with forward slashes; empty for a package from elsewhere.
    pub(crate) folder: String,
    /// Whether it belongs to this workspace.
    pub(crate) is_member: bool,
    /// SPDX expression of its license.
    pub(crate) license: Option<String>,
    /// The native library it says it links to.
    pub(crate) links: Option<String>,
    /// What it depends on.
    pub(crate) dependencies: Vec<Dependency>,
}

/// All packages that a build of the workspace uses on this platform.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    /// The packages, members and foreign ones.
    pub(crate) packages: Vec<Package>,
}

impl Graph {
    /// Asks cargo for the graph of the workspace at `root`.
    ///
    /// It is filtered by this machine's platform, because cargo would otherwise download packages that only other
    /// platforms need.
    pub(crate) fn load(root: &Path) -> Result<Self> {
        let host = host_platform()?;
        let output = cargo()
            .current_dir(root)
            .args([
                "metadata",
                "--format-version",
                "1",
                "--locked",
                "--filter-platform",
                &host,
            ])
            .stderr(Stdio::inherit())
            .output()
            .context("cannot start `cargo metadata`")?;
        if !output.status.success() {
            bail!("`cargo metadata --locked` failed; is Cargo.lock up to date (run `cargo check`)?");
        }
        let text = String::from_utf8(output.stdout).context("`cargo metadata` printed no UTF-8")?;
        Self::parse(&text)
    }

    /// Reads the output of `cargo metadata --format-version 1`.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        let value: Value = serde_json::from_str(text).context("`cargo metadata` printed no JSON")?;
        let root = value["workspace_root"]
            .as_str()
            .context("metadata without workspace_root")?;
        let members: Vec<&str> = array(&value["workspace_members"])?
            .iter()
            .filter_map(Value::as_str)
            .collect();
        let mut packages = Vec::new();
        let mut index = BTreeMap::new();
        for package in array(&value["packages"])? {
            let id = package["id"].as_str().context("package without id")?;
            index.insert(id, packages.len());
            packages.push(parse_package(package, root, members.contains(&id))?);
        }
        for node in array(&value["resolve"]["nodes"])? {
            let from = find(&index, &node["id"])?;
            for dependency in array(&node["deps"])? {
                let to = find(&index, &dependency["pkg"])?;
                for kind in array(&dependency["dep_kinds"])? {
                    let kind = match kind["kind"].as_str() {
                        None => Kind::Normal,
                        Some("build") => Kind::Build,
                        Some("dev") => Kind::Dev,
                        Some(other) => bail!("unknown kind of dependency {other:?} in cargo metadata"),
                    };
                    packages[from].dependencies.push(Dependency { index: to, kind });
                }
            }
        }
        Ok(Self { packages })
    }

    /// Returns all packages that `package` needs in one of these ways, through any number of steps.
    pub(crate) fn needed<'a>(&'a self, package: &'a Package, kinds: &[Kind]) -> Vec<&'a Package> {
        let mut seen = BTreeSet::new();
        let mut open = vec![package];
        while let Some(next) = open.pop() {
            for dependency in next
                .dependencies
                .iter()
                .filter(|dependency| kinds.contains(&dependency.kind))
            {
                if seen.insert(dependency.index) {
                    open.push(&self.packages[dependency.index]);
                }
            }
        }
        seen.into_iter().map(|index| &self.packages[index]).collect()
    }
}

fn parse_package(package: &Value, root: &str, is_member: bool) -> Result<Package> {
    let text = |key: &str| package[key].as_str().map(str::to_owned);
    let manifest = text("manifest_path").context("package without manifest_path")?;
    let manifest = PathBuf::from(manifest);
    let folder = manifest
        .parent()
        .and_then(|folder| folder.strip_prefix(root).ok());
    let folder = folder.map_or_else(String::new, |path| path.to_string_lossy().replace('\\', "/"));
    Ok(Package {
        name: text("name").context("package without name")?,
        version: text("version").context("package without version")?,
        manifest: manifest.clone(),
        folder: if is_member { folder } else { String::new() },
        is_member,
        license: text("license"),
        links: text("links"),
        dependencies: Vec::new(),
    })
}

fn array(value: &Value) -> Result<&[Value]> {
    value
        .as_array()
        .map(Vec::as_slice)
        .context("cargo metadata lacks a list where one was expected")
}

fn find(index: &BTreeMap<&str, usize>, id: &Value) -> Result<usize> {
    let id = id.as_str().context("cargo metadata: an id is no text")?;
    index
        .get(id)
        .copied()
        .with_context(|| format!("cargo metadata names an unknown package {id:?}"))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A package by folder, name and named dependencies.
    pub(crate) type Sketch<'a> = (Package, &'a [(&'a str, Kind)]);

    /// Sketches a member of the workspace.
    pub(crate) fn member<'a>(folder: &str, name: &str, dependencies: &'a [(&'a str, Kind)]) -> Sketch<'a> {
        let license = Some("MIT OR Apache-2.0".to_owned());
        let (folder, name) = (folder.to_owned(), name.to_owned());
        let package = Package {
            name,
            version: String::new(),
            manifest: PathBuf::new(),
            folder,
            is_member: true,
            license,
            links: None,
            dependencies: Vec::new(),
        };
        (package, dependencies)
    }

    /// Sketches a package from elsewhere.
    pub(crate) fn foreign<'a>(name: &str, dependencies: &'a [(&'a str, Kind)]) -> Sketch<'a> {
        let (package, dependencies) = member("", name, dependencies);
        (
            Package {
                is_member: false,
                ..package
            },
            dependencies,
        )
    }

    /// Joins sketches to a graph; names must be unique.
    pub(crate) fn graph(sketches: &[Sketch<'_>]) -> Graph {
        let place = |name: &str| {
            sketches
                .iter()
                .position(|(package, _)| package.name == name)
                .expect("the sketch names its dependencies")
        };
        let packages = sketches.iter().map(|(package, dependencies)| Package {
            dependencies: dependencies
                .iter()
                .map(|&(name, kind)| Dependency {
                    index: place(name),
                    kind,
                })
                .collect(),
            ..package.clone()
        });
        Graph {
            packages: packages.collect(),
        }
    }

    #[test]
    fn metadata_is_read() {
        let text = r#"{
            "workspace_root": "/w",
            "workspace_members": ["a-id"],
            "packages": [
                {"id": "a-id", "name": "a", "version": "1.0.0", "manifest_path": "/w/crates/a/Cargo.toml", "license": "MIT", "links": null},
                {"id": "z-id", "name": "z", "version": "2.0.0", "manifest_path": "/r/z/Cargo.toml", "license": null, "links": "zlib"}
            ],
            "resolve": {"nodes": [
                {"id": "a-id", "deps": [{"pkg": "z-id", "dep_kinds": [{"kind": null}, {"kind": "dev"}]}]},
                {"id": "z-id", "deps": []}
            ]}
        }"#;
        let graph = Graph::parse(text).expect("the text is well formed");
        let [a, z] = graph.packages.as_slice() else {
            panic!("two packages")
        };
        assert_eq!(
            (a.folder.as_str(), a.is_member, a.license.as_deref()),
            ("crates/a", true, Some("MIT"))
        );
        assert_eq!(
            (z.folder.as_str(), z.is_member, z.links.as_deref()),
            ("", false, Some("zlib"))
        );
        let kinds: Vec<Kind> = a.dependencies.iter().map(|dependency| dependency.kind).collect();
        assert_eq!(kinds, [Kind::Normal, Kind::Dev]);
    }

    #[test]
    fn other_text_is_refused() {
        assert!(Graph::parse("no json").is_err());
        assert!(Graph::parse("{}").is_err());
    }
}
