//! Trees of variations as study uses them: a review as a tree, and a tree as a repertoire.
//!
//! The tree itself, and its text, is that of [`outflank_records::tree`].

pub use outflank_records::tree::*;

use crate::{
    names,
    review::{Mark, Review, ReviewedMove, Value},
};
use outflank_othello::{Color, Position};
use outflank_records::GameRecord;
use outflank_search::{Origin, Verdict};

/// Returns a value of a review as a tree has it; `color` made the move.
fn node_value(value: Value, color: Color) -> Option<NodeValue> {
    let worth = match (value.verdict, color) {
        _ if value.origin == Origin::Book => Worth::Book,
        (Verdict::Exact, _) => Worth::Exact,
        (Verdict::WinLossDraw, _) => Worth::WinLossDraw,
        (Verdict::AtLeast, Color::Black) | (Verdict::AtMost, Color::White) => Worth::AtLeast,
        (Verdict::AtMost, Color::Black) | (Verdict::AtLeast, Color::White) => Worth::AtMost,
        (Verdict::Estimate { depth, confidence }, _) => Worth::Estimate { depth, confidence },
        (Verdict::Aborted, _) => return None,
    };
    NodeValue::new(value.discs, color, worth)
}

/// Returns the sign of a mark; a good move has none.
const fn sign(mark: Mark) -> Option<Sign> {
    match mark {
        Mark::Good => None,
        Mark::Dubious => Some(Sign::Dubious),
        Mark::Mistake => Some(Sign::Bad),
        Mark::Blunder => Some(Sign::VeryBad),
    }
}

/// Returns what is said about a move that has lost something.
fn remark(reviewed: &ReviewedMove) -> String {
    let about = if reviewed.exact { "" } else { "about " };
    format!(
        "{about}{:.1} discs lost against {}, which is worth {:+.1}",
        reviewed.loss,
        reviewed.best,
        reviewed.best_value.discs + 0.0
    )
}

/// Returns a reviewed game as a tree: every move with its value and its sign, every better move as a variation, the
/// opening as a name.
pub fn of_review(record: &GameRecord, found: &Review) -> Tree {
    let mut tree = Tree::from_record(&GameRecord {
        game: found.game.clone(),
        ..record.clone()
    });
    let line = tree.main_line();
    let mut parent = NodeId::ROOT;
    for (reviewed, &id) in found.moves.iter().zip(&line) {
        let color = reviewed.color;
        let opening = tree.position(id).and_then(names::of_position);
        // The node was there when the line was asked for.
        let _known = tree.annotate(id, |node| {
            node.value = node_value(reviewed.value, color);
            node.sign = sign(reviewed.mark());
            if reviewed.loss > 0.0 {
                node.comment = remark(reviewed);
            }
            if let Some(opening) = opening {
                node.name = opening.to_string();
            }
        });
        if reviewed.best != reviewed.mv
            && let Ok(best) = tree.play(parent, reviewed.best)
        {
            let _known = tree.annotate(best, |node| node.value = node_value(reviewed.best_value, color));
        }
        parent = id;
    }
    tree
}

/// A position of a repertoire, in which its owner is to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prepared {
    /// The position.
    pub position: Position,
    /// The moves that lead to it.
    pub line: String,
    /// The moves that the repertoire has there, the main one first.
    pub answers: Vec<outflank_othello::Square>,
    /// What the tree says about the main answer; empty if nothing.
    pub comment: String,
}

/// Returns the positions in which `side` has an answer in the tree, each once up to symmetry, in the order in which the
/// tree has them.
///
/// Where lines meet again by other moves, their answers are joined.
pub fn repertoire(tree: &Tree, side: Color) -> Vec<Prepared> {
    let mut found: Vec<Prepared> = Vec::new();
    for id in tree.nodes() {
        let Some(position) = tree.position(id).filter(|position| position.side() == side) else {
            continue;
        };
        let moves = tree
            .children(id)
            .iter()
            .filter_map(|&id| Some((id, tree.mv(id)?.square()?)));
        let moves: Vec<_> = moves.collect();
        let Some(&(main, _)) = moves.first() else { continue };
        let (key, turn) = position.board().canonical();
        let known = found
            .iter_mut()
            .find(|known| known.position.board().canonical().0 == key);
        if let Some(known) = known {
            // The squares of this picture in that of the one that is there.
            let back = known.position.board().canonical().1.inverse();
            for (_, square) in moves {
                let square = back.square(turn.square(square));
                if !known.answers.contains(&square) {
                    known.answers.push(square);
                }
            }
            continue;
        }
        found.push(Prepared {
            position: *position,
            line: tree.game(id).transcript(),
            answers: moves.into_iter().map(|(_, square)| square).collect(),
            comment: tree
                .node(main)
                .map(|node| node.comment.clone())
                .unwrap_or_default(),
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::{ReviewOptions, review};
    use outflank_records::transcript;
    use outflank_search::{Clock, Level, ManualClock, StopToken};
    use std::{num::NonZeroUsize, sync::Arc};

    #[test]
    fn a_review_is_a_tree_with_the_better_moves_as_variations() {
        let game = transcript::parse("f5d6c3d3c4f4f6f3e6e7").expect("moves").value;
        let options = ReviewOptions {
            level: Level::new(2).expect("a level"),
            workers: NonZeroUsize::MIN,
            budget: None,
        };
        let clock: Arc<dyn Clock> = Arc::new(ManualClock::default());
        let found = review(&game, &options, &clock, &StopToken::new(), &mut |_, _| {}).expect("an engine");
        let record = GameRecord::new(game.clone());
        let tree = of_review(&record, &found);
        assert_eq!(tree.record().game, game);
        let better = found.moves.iter().filter(|reviewed| reviewed.best != reviewed.mv);
        assert_eq!(tree.variations(), better.count());
        for (reviewed, &id) in found.moves.iter().zip(&tree.main_line()) {
            let node = tree.node(id).expect("a move");
            let value = node.value.expect("a value").discs(reviewed.color);
            assert!(
                (value - reviewed.value.discs).abs() < 0.006,
                "{}",
                reviewed.number
            );
            assert_eq!(node.sign.is_some(), reviewed.mark() != Mark::Good);
        }
        let names: Vec<&str> = tree
            .main_line()
            .iter()
            .filter_map(|&id| tree.node(id))
            .map(|node| node.name.as_str())
            .collect();
        assert_eq!(names[4], "Tiger (虎定石)");
        assert_eq!(
            sgf::parse(&sgf::write(&tree)).map(|parsed| parsed.value),
            Ok(tree)
        );
    }

    #[test]
    fn a_repertoire_joins_lines_that_meet() {
        let text = "(;GM[2];B[f5](;W[d6];B[c3](;W[d3];B[c4])(;W[f4];B[f6]))(;W[f6];B[e6]))";
        let tree = sgf::parse(text).expect("a tree").value;
        let black = repertoire(&tree, Color::Black);
        let lines: Vec<&str> = black.iter().map(|prepared| prepared.line.as_str()).collect();
        assert_eq!(lines, ["", "f5d6", "f5d6c3d3", "f5d6c3f4", "f5f6"]);
        let white = repertoire(&tree, Color::White);
        assert_eq!(white[0].answers.len(), 2);
        assert_eq!(white.len(), 2);
        // The same opening in another direction is the same.
        let turned = sgf::parse("(;GM[2](;B[f5];W[d6];B[c3])(;B[d3];W[c5];B[d6]))")
            .expect("a tree")
            .value;
        let black = repertoire(&turned, Color::Black);
        assert_eq!(black.len(), 2);
        assert_eq!(black[0].answers.len(), 2);
        assert_eq!(black[1].answers.len(), 2, "the third move is another one");
    }
}
