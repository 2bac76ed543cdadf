//! A tree as the text of SGF.

use super::SHAPES;
use crate::{
    bracket,
    tree::{Action, Node, NodeId, Property, SetupChange, Sign, Tree, Worth, node},
};
use outflank_othello::{Bitboard, Color};
use std::fmt::Write as _;

fn worth_text(worth: Worth) -> String {
    match worth {
        Worth::Claimed => String::new(),
        Worth::Exact => "exact".to_owned(),
        Worth::WinLossDraw => "win-loss-draw".to_owned(),
        Worth::AtLeast => "at-least".to_owned(),
        Worth::AtMost => "at-most".to_owned(),
        Worth::Book => "book".to_owned(),
        Worth::Estimate { depth, confidence } => format!("estimate {depth} {confidence}"),
    }
}

/// Returns a tree as SGF: nodes on one line, every variation on its own.
pub fn write(tree: &Tree) -> String {
    enum Step {
        Node(NodeId),
        Text(&'static str),
    }
    let mut text = String::from("(");
    let mut open = vec![Step::Text(")"), Step::Node(NodeId::ROOT)];
    while let Some(step) = open.pop() {
        let id = match step {
            Step::Text(sign) => {
                text.push_str(sign);
                continue;
            }
            Step::Node(id) => id,
        };
        text.push(';');
        if let (NodeId::ROOT, Some(position)) = (id, tree.position(id)) {
            text.push_str("FF[4]GM[2]CA[UTF-8]AP[Outflank]SZ[8]");
            let setup = position.to_setup();
            let change = SetupChange {
                black: setup.black,
                white: setup.white,
                empty: Bitboard::EMPTY,
                side: Some(setup.side),
            };
            write_setup(&mut text, &change);
            if (setup.black | setup.white).is_empty() {
                text.push_str("AE[a1]");
            }
        }
        if let Some(node) = tree.node(id) {
            write_node(&mut text, node);
        }
        match tree.children(id) {
            [only] => open.push(Step::Node(*only)),
            children => {
                for &child in children.iter().rev() {
                    open.extend([Step::Text(")"), Step::Node(child), Step::Text("\n(")]);
                }
            }
        }
    }
    text
}

fn write_setup(text: &mut String, change: &SetupChange) {
    for (key, set) in [("AB", change.black), ("AW", change.white), ("AE", change.empty)] {
        if !set.is_empty() {
            text.push_str(key);
        }
        for square in set {
            put(text, format_args!("[{square}]"));
        }
    }
    if let Some(side) = change.side {
        put(text, format_args!("PL[{}]", letter(side)));
    }
}

const fn letter(color: Color) -> char {
    match color {
        Color::Black => 'B',
        Color::White => 'W',
    }
}

fn put(text: &mut String, what: std::fmt::Arguments<'_>) {
    text.write_fmt(what).expect("a string takes every text");
}

fn write_node(text: &mut String, node: &Node) {
    match &node.action {
        Action::None => {}
        Action::Move { color, mv } => put(text, format_args!("{}[{mv}]", letter(*color))),
        Action::Setup(change) => write_setup(text, change),
    }
    for (key, value) in [("N", &node.name), ("C", &node.comment)] {
        if !value.is_empty() {
            put(text, format_args!("{key}[{}]", bracket::escape(value)));
        }
    }
    text.push_str(match node.sign {
        None => "",
        Some(Sign::VeryGood) => "TE[2]",
        Some(Sign::Good) => "TE[1]",
        Some(Sign::Interesting) => "IT[]",
        Some(Sign::Dubious) => "DO[]",
        Some(Sign::Bad) => "BM[1]",
        Some(Sign::VeryBad) => "BM[2]",
    });
    for (shape, key) in SHAPES {
        let mut squares = node.marks.iter().filter(|(other, _)| *other == shape).peekable();
        if squares.peek().is_some() {
            text.push_str(key);
        }
        for (_, square) in squares {
            put(text, format_args!("[{square}]"));
        }
    }
    if !node.labels.is_empty() {
        text.push_str("LB");
    }
    for (square, label) in &node.labels {
        put(text, format_args!("[{square}:{}]", bracket::escape(label)));
    }
    if let Some(value) = node.value {
        let sign = if value.hundredths < 0 { "-" } else { "" };
        let hundredths = value.hundredths.unsigned_abs();
        put(
            text,
            format_args!("V[{sign}{}.{:02}]", hundredths / 100, hundredths % 100),
        );
        if value.worth != Worth::Claimed {
            put(text, format_args!("KV[{}]", worth_text(value.worth)));
        }
    }
    if let Some(ms) = node.time_ms {
        put(text, format_args!("TS[{}]", node::seconds_text(ms)));
    }
    for Property { key, values } in &node.other {
        text.push_str(key);
        for value in values {
            put(text, format_args!("[{value}]"));
        }
    }
}
