//! What an experiment hands back: tables, plots, lines of JSON, and a sentence that says what was found.

use outflank_draw::Plot;
use serde_json::{Map, Value};
use std::fmt::Write as _;

/// A table cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Words.
    Text(String),
    /// A count.
    Count(u64),
    /// A whole number with its sign, where it matters.
    Integer(i64),
    /// A figure with so many decimals.
    Number(f64, usize),
    /// Nothing measured.
    Nothing,
}

impl Cell {
    /// Returns what people read: counts with thin groups of three, `–` for nothing.
    pub fn shown(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Count(count) => grouped(*count),
            Self::Integer(integer) => integer.to_string(),
            Self::Number(number, decimals) => rounded(*number, *decimals),
            Self::Nothing => "–".to_owned(),
        }
    }

    /// Returns what programs read.
    fn plain(&self) -> String {
        match self {
            Self::Count(count) => count.to_string(),
            Self::Nothing => String::new(),
            other => other.shown(),
        }
    }

    fn json(&self) -> Value {
        match self {
            Self::Text(text) => Value::from(text.clone()),
            Self::Count(count) => Value::from(*count),
            Self::Integer(integer) => Value::from(*integer),
            Self::Number(..) => self.plain().parse::<f64>().map_or(Value::Null, Value::from),
            Self::Nothing => Value::Null,
        }
    }
}

/// Returns a number with so many decimals, never `-0`.
fn rounded(number: f64, decimals: usize) -> String {
    let text = format!("{number:.decimals$}");
    if text.trim_start_matches(['-', '0', '.']).is_empty() {
        text.trim_start_matches('-').to_owned()
    } else {
        text
    }
}

/// Returns a count with a comma between groups of three digits.
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<u64> for Cell {
    fn from(count: u64) -> Self {
        Self::Count(count)
    }
}

impl From<u32> for Cell {
    fn from(count: u32) -> Self {
        Self::Count(u64::from(count))
    }
}

impl From<usize> for Cell {
    fn from(count: usize) -> Self {
        Self::Count(count as u64)
    }
}

/// A table with a title.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// What it shows.
    pub title: String,
    /// Heads of the columns.
    pub columns: Vec<String>,
    /// The rows, each as long as `columns`.
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    /// Returns a table without rows.
    pub fn new(title: &str, columns: &[&str]) -> Self {
        Self {
            title: title.to_owned(),
            columns: columns.iter().map(|&column| column.to_owned()).collect(),
            rows: Vec::new(),
        }
    }

    /// Appends a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        let mut cells: Vec<_> = cells.into_iter().collect();
        cells.resize(self.columns.len(), Cell::Nothing);
        self.rows.push(cells);
    }

    /// Returns the table for a terminal: columns aligned, numbers to the right.
    pub fn to_text(&self) -> String {
        let shown: Vec<Vec<String>> = self
            .rows
            .iter()
            .map(|row| row.iter().map(Cell::shown).collect())
            .collect();
        let width = |column: usize| {
            let cells = shown.iter().map(|row| row[column].chars().count());
            cells
                .chain([self.columns[column].chars().count()])
                .max()
                .unwrap_or(0)
        };
        let widths: Vec<_> = (0..self.columns.len()).map(width).collect();
        let is_text = |column: usize| self.rows.iter().any(|row| matches!(row[column], Cell::Text(_)));
        let mut text = format!("{}\n", self.title);
        let mut line = |cells: &[String]| {
            let mut out = String::new();
            for (column, cell) in cells.iter().enumerate() {
                let pad = " ".repeat(widths[column] - cell.chars().count());
                let gap = if column == 0 { "" } else { "  " };
                let (before, after) = if is_text(column) {
                    ("", pad.as_str())
                } else {
                    (pad.as_str(), "")
                };
                // Writing to a string cannot fail.
                let _ = write!(out, "{gap}{before}{cell}{after}");
            }
            text.push_str(out.trim_end());
            text.push('\n');
        };
        line(&self.columns);
        for row in &shown {
            line(row);
        }
        text
    }

    /// Returns the table in Markdown.
    pub fn to_markdown(&self) -> String {
        let mut text = format!("**{}**\n\n| {} |\n|", self.title, self.columns.join(" | "));
        for column in 0..self.columns.len() {
            let is_text = self.rows.iter().any(|row| matches!(row[column], Cell::Text(_)));
            text.push_str(if is_text { " --- |" } else { " ---: |" });
        }
        text.push('\n');
        for row in &self.rows {
            let cells: Vec<_> = row.iter().map(|cell| cell.shown().replace('|', "\\|")).collect();
            let _ = writeln!(text, "| {} |", cells.join(" | "));
        }
        text
    }

    /// Returns the table as comma-separated values with a line of heads.
    pub fn to_csv(&self) -> String {
        let quoted = |text: &str| {
            if text.contains([',', '"', '\n']) {
                format!("\"{}\"", text.replace('"', "\"\""))
            } else {
                text.to_owned()
            }
        };
        let mut text = self
            .columns
            .iter()
            .map(|column| quoted(column))
            .collect::<Vec<_>>()
            .join(",");
        text.push('\n');
        for row in &self.rows {
            let cells: Vec<_> = row.iter().map(|cell| quoted(&cell.plain())).collect();
            text.push_str(&cells.join(","));
            text.push('\n');
        }
        text
    }

    /// Returns one JSON object per row, the heads as names.
    pub fn to_json(&self) -> Vec<Value> {
        let object = |row: &Vec<Cell>| {
            let pairs = self.columns.iter().cloned().zip(row.iter().map(Cell::json));
            Value::Object(pairs.collect::<Map<_, _>>())
        };
        self.rows.iter().map(object).collect()
    }
}

/// The whole of an experiment's result.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Name of the experiment, as on the command line.
    pub name: String,
    /// The tables.
    pub tables: Vec<Table>,
    /// The plots.
    pub plots: Vec<Plot>,
    /// What was found, in a sentence or two.
    pub finding: String,
    /// Lines for `--json` in place of the tables' rows, where a fixed form is promised.
    pub json: Vec<Value>,
    /// Files to write beside the tables: name and content.
    pub files: Vec<(String, String)>,
    /// What theory forbids and nevertheless happened; any of them is an error.
    pub violations: Vec<String>,
}

impl Report {
    /// Returns an empty report.
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            ..Self::default()
        }
    }

    /// Returns the report for a terminal.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for table in &self.tables {
            text.push_str(&table.to_text());
            text.push('\n');
        }
        text.push_str(&self.finding);
        text.push('\n');
        for violation in &self.violations {
            let _ = writeln!(text, "ERROR: {violation}");
        }
        text
    }

    /// Returns the report in Markdown; plots are named as files `NAME-0.svg`, … beside it.
    pub fn to_markdown(&self) -> String {
        let mut text = format!("## {}\n\n{}\n\n", self.name, self.finding);
        for table in &self.tables {
            text.push_str(&table.to_markdown());
            text.push('\n');
        }
        for (i, plot) in self.plots.iter().enumerate() {
            let _ = writeln!(text, "![{}]({})\n", plot.title, self.plot_name(i));
        }
        for violation in &self.violations {
            let _ = writeln!(text, "**ERROR**: {violation}\n");
        }
        text
    }

    /// Returns the file name of plot `i`.
    pub fn plot_name(&self, i: usize) -> String {
        format!("{}-{i}.svg", self.name)
    }

    /// Returns the lines for `--json`: the promised form, or every table's rows; a summary last.
    pub fn to_json(&self) -> Vec<Value> {
        if !self.json.is_empty() {
            return self.json.clone();
        }
        let mut lines: Vec<_> = self.tables.iter().flat_map(Table::to_json).collect();
        lines.push(serde_json::json!({"summary": {"experiment": self.name, "finding": self.finding}}));
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Table {
        let mut table = Table::new("A table", &["name", "nodes", "share"]);
        table.row([
            Cell::from("a, \"b\""),
            Cell::from(1_234_567_u64),
            Cell::Number(-0.001, 1),
        ]);
        table.row([Cell::from("x|y"), Cell::Nothing]);
        table
    }

    #[test]
    fn tables_in_every_form() {
        let table = sample();
        assert_eq!(
            table.to_text(),
            "A table\nname        nodes  share\na, \"b\"  1,234,567    0.0\nx|y             –      –\n"
        );
        assert_eq!(
            table.to_csv(),
            "name,nodes,share\n\"a, \"\"b\"\"\",1234567,0.0\nx|y,,\n"
        );
        assert!(
            table.to_markdown().contains("| --- | ---: | ---: |\n") && table.to_markdown().contains("x\\|y")
        );
        assert_eq!(
            table.to_json()[0].to_string(),
            r#"{"name":"a, \"b\"","nodes":1234567,"share":0.0}"#
        );
    }

    #[test]
    fn reports_end_with_their_finding() {
        let mut report = Report::new("sample");
        report.tables.push(sample());
        report.finding = "Nothing was found.".to_owned();
        report.violations.push("two values differ".to_owned());
        assert!(
            report
                .to_text()
                .ends_with("Nothing was found.\nERROR: two values differ\n")
        );
        assert_eq!(report.to_json().len(), 3);
        assert_eq!(
            [0, 999, 1000, 1_000_000].map(grouped),
            ["0", "999", "1,000", "1,000,000"]
        );
    }
}
