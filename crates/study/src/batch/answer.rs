//! What is known about a position after solving it, and how it is written.

use super::Question;
use outflank_othello::{Discs, Move};
use outflank_othello_engine::SolveResult;
use outflank_search::Verdict;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The answer to a [`Question`]: one object of `outflank solve --json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Answer {
    /// The question's name.
    pub id: String,
    /// 64 cells, a1 first.
    pub board: String,
    /// `X` or `O`, to move.
    pub side: String,
    /// Empty squares.
    pub empties: u32,
    /// In discs for the side to move; with kind `wld` −2, 0 or 2; absent if aborted.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub value: Option<i32>,
    /// `exact`, `wld`, `bounds` or `aborted`.
    pub kind: String,
    /// The best move, or all of them if all were solved.
    pub best: Vec<String>,
    /// The best line, passes included.
    pub pv: Vec<String>,
    /// The value of every move, if asked for.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub values: BTreeMap<String, i32>,
    /// Positions entered.
    pub nodes: u64,
    /// Time taken.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub seconds: Option<f64>,
    /// What the source says, in discs.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub expected: Option<i32>,
    /// Whether the answer agrees with the source.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub ok: Option<bool>,
}

impl Answer {
    pub(super) fn new(question: &Question, result: &SolveResult, seconds: f64) -> Self {
        let text = question.position.to_string();
        let (board, side) = text.split_once(' ').unwrap_or((&text, ""));
        let mut best: Vec<String> = result.pv.first().map(Move::to_string).into_iter().collect();
        if let Some(first) = result.moves.first().filter(|_| result.verdict == Verdict::Exact) {
            let equal = result.moves.iter().filter(|found| found.value == first.value);
            best = equal.map(|found| found.square.to_string()).collect();
        }
        let values = result.moves.iter();
        Self {
            id: question.id.clone(),
            board: board.to_owned(),
            side: side.to_owned(),
            empties: question.position.board().empties().count(),
            value: (result.verdict != Verdict::Aborted).then(|| result.value.get()),
            kind: kind_name(result.verdict).to_owned(),
            best,
            pv: result.pv.iter().map(Move::to_string).collect(),
            values: values
                .map(|found| (found.square.to_string(), found.value.get()))
                .collect(),
            nodes: result.nodes,
            seconds: Some((seconds * 1e6).round() / 1e6),
            expected: question.expected.map(Discs::get),
            ok: agrees(question, result),
        }
    }

    /// Returns the answer as one line of JSON.
    pub fn to_json(&self) -> String {
        // Strings, integers and finite numbers: nothing here can fail to serialize.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Reads what [`Answer::to_json`] wrote.
    ///
    /// # Errors
    ///
    /// Returns the parser's error for anything else.
    pub fn from_json(line: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(line)
    }

    /// Returns the answer as one line of comma-separated values; see [`csv_header`].
    pub fn to_csv(&self) -> String {
        let number = |value: Option<i32>| value.map_or(String::new(), |value| value.to_string());
        let values: Vec<String> = self
            .values
            .iter()
            .map(|(square, value)| format!("{square}:{value:+}"))
            .collect();
        [
            quoted(&self.id),
            self.board.clone(),
            self.side.clone(),
            self.empties.to_string(),
            number(self.value),
            self.kind.clone(),
            self.best.join(" "),
            self.pv.join(" "),
            values.join(" "),
            self.nodes.to_string(),
            self.seconds.map_or(String::new(), |seconds| seconds.to_string()),
            number(self.expected),
            self.ok.map_or(String::new(), |ok| ok.to_string()),
        ]
        .join(",")
    }
}

/// Returns the line of column names that belongs to [`Answer::to_csv`].
pub const fn csv_header() -> &'static str {
    "id,board,side,empties,value,kind,best,pv,values,nodes,seconds,expected,ok"
}

/// Puts a field into quotes where the format needs them.
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

const fn kind_name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Exact => "exact",
        Verdict::WinLossDraw => "wld",
        Verdict::AtLeast | Verdict::AtMost => "bounds",
        Verdict::Estimate { .. } | Verdict::Aborted => "aborted",
    }
}

/// Returns whether the result agrees with the source; `None` where the source says nothing, or nothing was found.
///
/// One of several best moves is right; every value of a move that both know must be the same.
fn agrees(question: &Question, result: &SolveResult) -> Option<bool> {
    let expected = question.expected?;
    let claimed = |mv: Move| {
        let mut scores = question.scores.iter();
        scores.find(|&&(known, _)| known == mv).map(|&(_, discs)| discs)
    };
    let value = match result.verdict {
        Verdict::Exact => result.value == expected,
        Verdict::WinLossDraw => result.value.get().signum() == expected.get().signum(),
        Verdict::AtLeast => result.value <= expected,
        Verdict::AtMost => result.value >= expected,
        Verdict::Estimate { .. } | Verdict::Aborted => return None,
    };
    let best = result.verdict != Verdict::Exact
        || result
            .pv
            .first()
            .and_then(|&mv| claimed(mv))
            .is_none_or(|discs| discs == expected);
    let moves = result
        .moves
        .iter()
        .all(|found| claimed(found.square.into()).is_none_or(|discs| discs == found.value));
    Some(value && best && moves)
}

/// Totals of a batch: the last line of `outflank solve --json`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Answers.
    pub positions: u64,
    /// Answers that agree with the source.
    pub ok: u64,
    /// Answers that do not.
    pub wrong: u64,
    /// Positions that were stopped before the answer.
    pub aborted: u64,
    /// Positions entered.
    pub nodes: u64,
    /// Sum of the times of the positions.
    pub seconds: f64,
}

impl Summary {
    /// Counts an answer.
    pub fn add(&mut self, answer: &Answer) {
        self.positions += 1;
        self.ok += u64::from(answer.ok == Some(true));
        self.wrong += u64::from(answer.ok == Some(false));
        self.aborted += u64::from(answer.kind == "aborted");
        self.nodes += answer.nodes;
        self.seconds += answer.seconds.unwrap_or(0.0);
    }
}
