//! Comments between the moves of a record: GGF has one line of moves, and `CO` anywhere on it.

use super::{NodeId, Tree, sgf};
use crate::{
    Format, GameRecord, Warning,
    bracket::{self, Escapes, Token},
    ggf,
};
use outflank_othello::Move;

/// Returns the tree of a record in brackets, if it says more than `record` can hold.
pub(crate) fn of_group(
    text: &str,
    format: Format,
    record: &GameRecord,
    warnings: &[Warning],
) -> Option<Tree> {
    let more = |warning: &Warning| matches!(warning, Warning::Variations(_) | Warning::Ignored(_));
    match format {
        Format::Sgf if warnings.iter().any(more) => Some(sgf::parse(text).ok()?.value),
        Format::Ggf => of_ggf(text, record),
        _ => None,
    }
}

/// Returns the tree of a GGF record that has comments behind its moves.
fn of_ggf(text: &str, record: &GameRecord) -> Option<Tree> {
    let tokens = bracket::lex(text, Escapes::Brackets).ok()?;
    // Every move as it stands there, a pass or not, and what is said behind it.
    let mut moves: Vec<(bool, String)> = Vec::new();
    for token in tokens {
        let Token::Property { key, value, .. } = token else {
            continue;
        };
        match (key.as_str(), moves.last_mut()) {
            ("B" | "W", _) => {
                moves.push((value.trim().to_ascii_lowercase().starts_with("pa"), String::new()));
            }
            ("CO", Some((_, comment))) => {
                comment.push_str(if comment.is_empty() { "" } else { "\n" });
                comment.push_str(&value);
            }
            _ => {}
        }
    }
    if moves.iter().all(|(_, comment)| comment.is_empty()) {
        return None;
    }
    let mut whole = record.clone();
    whole.tags.retain(|(key, value)| {
        let is_behind_a_move = moves
            .iter()
            .any(|(_, comment)| comment.split('\n').any(|line| line == value) || comment == value);
        key != "CO" || !is_behind_a_move
    });
    let mut tree = Tree::from_record(&whole);
    let mut written = moves.into_iter().peekable();
    for id in tree.main_line() {
        let is_pass = tree.mv(id) == Some(Move::Pass);
        // A pass that only the rules imply is not there.
        if let Some((_, comment)) = written.next_if(|(pass, _)| *pass == is_pass) {
            tree.annotate(id, |node| node.comment = comment).ok()?;
        }
    }
    Some(tree)
}

/// Returns the main line of a tree as GGF, with the comments of its moves, and the number of nodes left out.
pub fn write_ggf(tree: &Tree) -> (String, usize) {
    let record = tree.record();
    let moves: Vec<NodeId> = tree
        .main_line()
        .into_iter()
        .filter(|&id| tree.mv(id).is_some())
        .collect();
    let skipped = moves.len().saturating_sub(record.game.moves().len());
    let comments: Vec<&str> = moves
        .iter()
        .skip(skipped)
        .map(|&id| tree.node(id).map_or("", |node| node.comment.as_str()))
        .collect();
    (ggf::write_commented(&record, &comments), tree.variations())
}
