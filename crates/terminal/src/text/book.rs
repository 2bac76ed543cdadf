//! What opening books say, in words.

use crate::output::grouped;
use outflank_api::book::{
    BookPosition, BookStats, CheckObject, ExchangeObject, LearnedObject, UmigameObject,
};
use std::fmt::Write as _;

fn signed(value: Option<f64>) -> String {
    value.map_or_else(|| "?".to_owned(), |value| format!("{value:+.2}"))
}

/// Returns what a book says about a position, as a table of its moves.
pub fn position(shown: &BookPosition) -> String {
    if !shown.known {
        return "not in the book".to_owned();
    }
    let mut text = format!(
        "value {}, grade {}, {} lines",
        signed(shown.value),
        shown.grade.as_deref().unwrap_or("?"),
        grouped(u64::from(shown.lines)),
    );
    if let Some([low, high]) = shown.range {
        let _ = write!(text, ", likely {low:+.2} to {high:+.2}");
    }
    if let Some([low, high]) = shown.proved.filter(|proved| *proved != [-64, 64]) {
        let _ = write!(text, ", proved {low:+} to {high:+}");
    }
    text.push_str("\nmove   value   loss  grade  risk  depth      games   mean  said by");
    for mv in &shown.moves {
        let depth = match (mv.from.as_str(), mv.depth, mv.kind.as_deref()) {
            ("next", ..) => "next".to_owned(),
            ("end", ..) => "end".to_owned(),
            (_, Some(depth), _) => depth.to_string(),
            (_, None, kind) => kind.unwrap_or("-").to_owned(),
        };
        let mean = mv
            .mean
            .map_or_else(|| "-".to_owned(), |mean| format!("{mean:+.1}"));
        let _ = write!(
            text,
            "\n{:4} {:>7} {:>6} {:>6} {:>5.1} {:>6} {:>10} {:>6}  {}",
            mv.mv,
            signed(mv.value),
            mv.loss
                .map_or_else(|| "?".to_owned(), |loss| format!("{loss:.2}")),
            mv.grade.as_deref().unwrap_or("?"),
            mv.risk,
            depth,
            grouped(u64::from(mv.games)),
            mean,
            mv.source.as_deref().unwrap_or("-"),
        );
    }
    if let Some(rest) = shown.rest {
        let _ = write!(text, "\nall others at most {rest:+.2}");
    }
    text
}

/// Returns what is in a book.
pub fn stats(stats: &BookStats) -> String {
    let counts = |counts: Vec<(String, usize)>| {
        let texts = counts
            .into_iter()
            .map(|(name, n)| format!("{name}: {}", grouped(n as u64)));
        texts.collect::<Vec<_>>().join(", ")
    };
    let by_name = |map: &std::collections::BTreeMap<String, usize>| {
        counts(map.iter().map(|(name, &n)| (name.clone(), n)).collect())
    };
    let by_discs = stats.by_discs.iter().map(|(discs, &n)| (discs.to_string(), n));
    let settings = stats
        .settings
        .iter()
        .map(|(name, value)| format!("{name} {value}"));
    format!(
        "{} positions, {} moves, {} of them with games (at most {}), round {}\nstart position {}\n{} bytes, {} packed\n\
         digest {}\nby discs  {}\nby grade  {}\nby worth  {}\nby source {}\nsettings  {}",
        grouped(stats.positions as u64),
        grouped(stats.moves as u64),
        grouped(stats.counted as u64),
        grouped(u64::from(stats.games)),
        stats.round,
        signed(stats.root),
        grouped(stats.bytes[0] as u64),
        grouped(stats.bytes[1] as u64),
        stats.digest,
        counts(by_discs.collect()),
        by_name(&stats.by_grade),
        by_name(&stats.by_worth),
        by_name(&stats.by_source),
        settings.collect::<Vec<_>>().join(", "),
    )
}

/// Returns how much there is to know of an opening.
pub fn umigame(found: &UmigameObject) -> String {
    format!(
        "black must know {} lines ({} positions), white {} lines ({} positions)",
        grouped(found.black),
        grouped(found.black_positions),
        grouped(found.white),
        grouped(found.white_positions)
    )
}

/// Returns what became of a book of another program.
pub fn exchange(object: &ExchangeObject) -> String {
    let mut text = format!("{}: {} positions", object.format, grouped(object.positions));
    for (number, what) in [
        (object.new, "new facts"),
        (object.better, "better"),
        (object.worse, "worse or the same"),
        (object.passes, "passes"),
        (object.ended, "finished games left out"),
        (object.left_out, "values left out"),
        (object.made_leaves, "links made leaves"),
        (object.without_moves, "positions left out that have no move"),
        (object.refused, "refused"),
    ] {
        if number > 0 {
            let _ = write!(text, ", {} {what}", grouped(number));
        }
    }
    for problem in &object.problems {
        let _ = write!(text, "\n  {problem}");
    }
    text
}

/// Returns what a book learned.
pub fn learned(object: &LearnedObject) -> String {
    let mut text = format!(
        "{} positions, {} before; {} evaluated in {} rounds, {:.1} s",
        grouped(object.after as u64),
        grouped(object.before as u64),
        grouped(object.evaluated as u64),
        object.rounds,
        object.seconds
    );
    if object.changed > 0 {
        let _ = write!(text, "; {} best moves changed", grouped(object.changed as u64));
    }
    let [before, after] = object.root;
    if before != after {
        let _ = write!(text, "; start position {} -> {}", signed(before), signed(after));
    }
    if !object.complete {
        text.push_str("; stopped, go on with --resume");
    }
    text
}

/// Returns what was found wrong with a book.
pub fn checked(object: &CheckObject) -> String {
    let mut text = format!("{} positions", grouped(object.positions));
    if object.solved > 0 {
        let _ = write!(
            text,
            ", {} proved values solved again",
            grouped(object.solved as u64)
        );
    }
    if object.problems.is_empty() {
        text.push_str(": all right");
    }
    for problem in &object.problems {
        let _ = write!(text, "\n{problem}");
    }
    text
}
