//! Archives that are the same bytes whenever they are made.

use anyhow::{Context as _, Result};
use liblzma::read::XzDecoder;
use liblzma::stream::{Check, Filters, LzmaOptions, Stream};
use liblzma::write::XzEncoder;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// How far back equal bytes are found: from one build of the program to the next, which has the same data.
const WINDOW: u32 = 64 << 20;

/// Files in one folder, and when they are said to have changed.
pub(crate) struct Archive {
    name: String,
    date: u64,
    /// By path: content, and whether it is a program.
    files: BTreeMap<String, (Vec<u8>, bool)>,
}

impl Archive {
    /// Returns an empty archive of a folder of this name.
    pub(crate) fn new(name: &str, date: u64) -> Self {
        let (name, files) = (name.to_owned(), BTreeMap::new());
        Self { name, date, files }
    }

    /// Adds a file.
    pub(crate) fn add(&mut self, path: &str, content: Vec<u8>, is_program: bool) {
        self.files.insert(path.to_owned(), (content, is_program));
    }

    /// Adds a file of this machine.
    pub(crate) fn add_file(&mut self, path: &str, from: &Path) -> Result<()> {
        let content = fs::read(from).with_context(|| from.display().to_string())?;
        self.add(path, content, false);
        Ok(())
    }

    /// Adds a folder of this machine with all that is in it.
    pub(crate) fn add_folder(&mut self, path: &str, from: &Path) -> Result<()> {
        for entry in fs::read_dir(from).with_context(|| from.display().to_string())? {
            let entry = entry?;
            let inside = format!("{path}/{}", entry.file_name().to_string_lossy());
            if entry.file_type()?.is_dir() {
                self.add_folder(&inside, &entry.path())?;
            } else {
                self.add_file(&inside, &entry.path())?;
            }
        }
        Ok(())
    }

    /// Writes `NAME.tar.xz` into `folder`; returns its path.
    pub(crate) fn write(&self, folder: &Path) -> Result<PathBuf> {
        let path = folder.join(format!("{}.tar.xz", self.name));
        fs::write(&path, self.bytes()?).with_context(|| path.display().to_string())?;
        Ok(path)
    }

    fn bytes(&self) -> Result<Vec<u8>> {
        let mut options = LzmaOptions::new_preset(6)?;
        options.dict_size(WINDOW);
        let stream = Stream::new_stream_encoder(Filters::new().lzma2(&options), Check::Crc64)?;
        let mut tar = tar::Builder::new(XzEncoder::new_stream(Vec::new(), stream));
        for (path, (content, is_program)) in &self.files {
            let mut header = tar::Header::new_gnu();
            header.set_size(content.len() as u64);
            header.set_mode(if *is_program { 0o755 } else { 0o644 });
            header.set_mtime(self.date);
            tar.append_data(&mut header, format!("{}/{path}", self.name), content.as_slice())?;
        }
        Ok(tar.into_inner()?.finish()?)
    }
}

/// Unpacks an archive into an empty folder; returns the folder that is in it.
pub(crate) fn unpack(archive: &Path, into: &Path) -> Result<PathBuf> {
    let file = fs::File::open(archive).with_context(|| archive.display().to_string())?;
    tar::Archive::new(XzDecoder::new(file)).unpack(into)?;
    let name = archive.file_name().unwrap_or_default().to_string_lossy();
    Ok(into.join(name.trim_end_matches(".tar.xz")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archives_are_the_same_bytes_in_any_order_and_come_out_as_they_went_in() {
        let mut one = Archive::new("some-1.0", 1_700_000_000);
        one.add("bin/run", b"#!".to_vec(), true);
        one.add("README.md", b"text".to_vec(), false);
        let mut other = Archive::new("some-1.0", 1_700_000_000);
        other.add("README.md", b"text".to_vec(), false);
        other.add("bin/run", b"#!".to_vec(), true);
        assert_eq!(one.bytes().unwrap(), other.bytes().unwrap());
        let folder = std::env::temp_dir().join(format!("outflank-archive-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let inside = unpack(&one.write(&folder).unwrap(), &folder).unwrap();
        assert_eq!(fs::read(inside.join("bin/run")).unwrap(), b"#!");
        assert_eq!(fs::read(inside.join("README.md")).unwrap(), b"text");
        fs::remove_dir_all(&folder).unwrap();
    }
}
