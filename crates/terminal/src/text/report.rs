//! A report about a value in Markdown, as one attaches it to a message.

use crate::output::grouped;
use outflank_api::{
    analyze::Analysis,
    report::{ARRAY, Report, SOLVED, TEXTBOOK},
    wire::{Kind, Number},
};
use std::fmt::Write as _;

/// Returns the report; `board` is a drawing of the position, `processor` the name of this machine's, if it has one.
pub fn markdown(report: &Report, board: &str, processor: Option<&str>) -> String {
    let mut text = "# A value of Outflank in doubt\n\n".to_owned();
    let program = &report.program;
    let build = if program.assertions {
        "development"
    } else {
        "release"
    };
    let weights = if program.embedded {
        "inside the program"
    } else {
        "of a file"
    };
    let instructions = match program.instructions.as_slice() {
        [] => "no extension".to_owned(),
        names => names.join(" "),
    };
    let mut item = |name: &str, value: &str| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "* {name}: {value}");
    };
    item(
        "Program",
        &format!(
            "outflank {} ({build} build) for {} {}, {instructions}; kernels {}",
            program.version, program.os, program.arch, program.kernels
        ),
    );
    item("Processor", processor.unwrap_or("not known"));
    item("Weights", &format!("{} ({weights})", program.weights));
    item("Search", &settings(report));
    if let Some(expected) = report.expected {
        item("Expected", &format!("{expected:+} discs for the side to move"));
    }
    let position = &report.position;
    let _ = write!(text, "\n## Position\n\n```text\n{board}\n```\n\n");
    let _ = writeln!(text, "* Board: `{} {}`", position.board, position.side);
    if !position.moves.is_empty() {
        let start = position.start.as_deref();
        let after = start.map_or_else(String::new, |start| format!(" from `{start}`"));
        let _ = writeln!(text, "* Moves{after}: `{}`", position.moves.concat());
    }
    text.push_str("\n## What the program says\n\n");
    let _ = writeln!(text, "* Analysis: {}", answer(&report.analysis));
    let solved = report.solved.as_ref().map_or_else(
        || format!("not tried, for there are more than {SOLVED} empty squares"),
        answer,
    );
    let _ = writeln!(text, "* Solver: {solved}");
    text.push_str("\n## What slower methods say\n\n");
    for check in &report.checks {
        let value = check
            .value
            .map_or_else(|| "not finished".to_owned(), |value| format!("{value:+}"));
        let nodes = check
            .nodes
            .map_or_else(String::new, |nodes| format!(", {} nodes", grouped(nodes)));
        let _ = writeln!(text, "* {}: {value}{nodes}, {:.3} s", check.method, check.seconds);
    }
    if report.checks.is_empty() {
        let _ = writeln!(
            text,
            "None was tried: alpha-beta without help is asked up to {TEXTBOOK} empty squares, minimax up to {ARRAY}."
        );
    }
    let _ = write!(text, "\n{}", conclusion(report));
    text
}

fn settings(report: &Report) -> String {
    let settings = &report.settings;
    let limits = &settings.limits;
    let mut parts: Vec<String> = [
        limits.depth.map(|depth| format!("depth {depth}")),
        limits.level.map(|level| format!("level {level}")),
        limits.nodes.map(|nodes| format!("{} nodes", grouped(nodes))),
        limits.seconds.map(|seconds| format!("{seconds} s")),
    ]
    .into_iter()
    .flatten()
    .collect();
    if parts.is_empty() {
        parts.push("5 s".to_owned());
    }
    parts.push(format!("confidence {} %", settings.confidence));
    parts.push(match settings.threads {
        1 => "1 thread".to_owned(),
        threads => format!("{threads} threads"),
    });
    parts.push(format!("table of {} MB", settings.table_bytes >> 20));
    parts.join(", ")
}

fn answer(analysis: &Analysis) -> String {
    let best = &analysis.best;
    let value = match best.value {
        Number::Whole(discs) => format!("{discs:+}"),
        Number::Decimal(discs) => format!("{discs:+.2}"),
    };
    let worth = match best.kind {
        Kind::Exact => "exact".to_owned(),
        Kind::Wld => "proven".to_owned(),
        Kind::Bounds => "a bound".to_owned(),
        Kind::Aborted => "stopped before there was a value".to_owned(),
        _ => format!(
            "estimate of depth {}, confidence {} %",
            best.depth,
            best.confidence.unwrap_or_default()
        ),
    };
    let limit = if analysis.complete {
        ""
    } else {
        ", ended by its limit"
    };
    format!(
        "{value}, {worth}; {}; {} nodes, {:.3} s{limit}",
        best.pv.join(" "),
        grouped(analysis.nodes),
        analysis.seconds
    )
}

fn conclusion(report: &Report) -> String {
    let proven = if report.contradiction {
        "**The proven values contradict each other: the program is wrong.**"
    } else if report.as_expected == Some(false) {
        "The proven values agree with each other, and the expected value is another one."
    } else if report.as_expected == Some(true) {
        "The proven value is the expected one."
    } else if report.checks.iter().any(|check| check.value.is_some()) {
        "The proven values agree with each other."
    } else {
        "The value is not confirmed by a slower method."
    };
    proven.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_api::{
        report::{ReportRequest, SearchSettings, report},
        wire::LimitsObject,
    };
    use outflank_othello::Game;
    use outflank_othello_engine::Engine;
    use outflank_search::{StopToken, SystemClock};

    #[test]
    fn contradictions_are_said_aloud() {
        let game: Game = "f5d6c3".parse().expect("moves");
        let request = ReportRequest {
            game: &game,
            expected: Some(2.5),
            settings: SearchSettings {
                limits: LimitsObject {
                    depth: Some(2),
                    ..LimitsObject::default()
                },
                confidence: 73,
                threads: 1,
                table_bytes: 1 << 20,
            },
        };
        let mut engine = Engine::new().expect("an engine");
        let mut found =
            report(&request, &mut engine, &SystemClock::shared(), &StopToken::new()).expect("a report");
        let text = markdown(&found, "the board", None);
        for part in [
            "* Expected: +2.5 discs",
            "the board",
            "* Moves: `f5d6c3`",
            "estimate of depth 2",
            "not tried",
            "The value is not confirmed",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        found.contradiction = true;
        assert!(markdown(&found, "", None).contains("**The proven values contradict"));
    }
}
