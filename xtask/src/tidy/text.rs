//! Rules for every text file: clean line ends, and links that lead somewhere.

use super::file::{Problem, TextFile, has_extension};

/// Checks white space at line ends, line breaks and the end of the file.
pub(crate) fn check(file: &TextFile) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (i, line) in file.text.split('\n').enumerate() {
        if line.ends_with('\r') {
            problems.push(Problem::new(&file.path, i + 1, "the line ends in CR LF; use LF"));
        } else if line.ends_with([' ', '\t']) {
            problems.push(Problem::new(
                &file.path,
                i + 1,
                "white space at the end of the line",
            ));
        }
    }
    if !file.text.is_empty() && !file.text.ends_with('\n') {
        let last = file.text.lines().count();
        problems.push(Problem::new(
            &file.path,
            last,
            "the file must end with a line break",
        ));
    }
    problems
}

/// Reports links of a Markdown file to files that do not exist; `exists` is asked for a path from the root.
pub(crate) fn broken_links(file: &TextFile, exists: impl Fn(&str) -> bool) -> Vec<Problem> {
    if !has_extension(&file.path, "md") {
        return Vec::new();
    }
    let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut problems = Vec::new();
    let mut in_code = false;
    for (i, line) in file.text.lines().enumerate() {
        in_code ^= line.trim_start().starts_with("```");
        if in_code {
            continue;
        }
        for part in line.split("](").skip(1) {
            let target = part.split([')', '#', ' ']).next().unwrap_or_default();
            if target.is_empty() || target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            if !exists(&resolve(folder, target)) {
                problems.push(Problem::new(
                    &file.path,
                    i + 1,
                    format!("the link to {target:?} leads nowhere"),
                ));
            }
        }
    }
    problems
}

/// Joins a relative link to the folder of the file that contains it.
fn resolve(folder: &str, target: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> TextFile {
        TextFile {
            path: "docs/a.md".to_owned(),
            text: text.to_owned(),
        }
    }

    #[test]
    fn white_space_at_line_ends_fails() {
        let lines: Vec<usize> = check(&file("a\nb \nc\t\nd\r\ne\n"))
            .iter()
            .map(|problem| problem.line)
            .collect();
        assert_eq!(lines, [2, 3, 4]);
    }

    #[test]
    fn the_last_line_must_end() {
        assert_eq!(check(&file("a\nb")).len(), 1);
        assert_eq!(check(&file("a\nb\n")), []);
        assert_eq!(check(&file("")), []);
    }

    #[test]
    fn links_must_lead_somewhere() {
        let text = "[a](b.md) [c](../README.md#top) [d](https://x.org/y) [e](#here)\n```\nx[0](gone)\n```\n";
        let found = broken_links(&file(text), |path| path == "README.md");
        assert_eq!(
            found,
            [Problem::new("docs/a.md", 1, "the link to \"b.md\" leads nowhere")]
        );
    }
}
