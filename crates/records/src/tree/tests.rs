//! Trees against their text: what is written is read as the same, by random trees and by files of other programs.

use super::*;
use crate::{GameRecord, ggf};
use outflank_game::SplitMix64;
use outflank_othello::{Bitboard, Square};

fn parse(text: &str) -> Tree {
    sgf::parse(text).expect("a tree").value
}

/// Returns a random text with everything that has to be escaped.
fn text(random: &mut SplitMix64) -> String {
    let signs = ['a', ']', '\\', ':', '\n', ' ', ';', '(', ')', '[', 'é', '石', '-'];
    let length = 1 + random.below(8);
    (0..length).map(|_| signs[random.below(signs.len())]).collect()
}

fn square(random: &mut SplitMix64) -> Square {
    Square::ALL[random.below(64)]
}

/// Says something at random.
fn annotate(node: &mut Node, random: &mut SplitMix64) {
    if random.below(3) == 0 {
        node.comment = text(random);
    }
    if random.below(8) == 0 {
        node.name = text(random);
    }
    if random.below(4) == 0 {
        node.sign = Some(Sign::ALL[random.below(6)]);
    }
    for _ in 0..random.below(3) {
        let shapes = [Shape::Circle, Shape::Square, Shape::Triangle, Shape::Cross];
        node.marks.insert((shapes[random.below(4)], square(random)));
        node.labels.insert(square(random), text(random));
    }
    if random.below(3) == 0 {
        let worths = [
            Worth::Claimed,
            Worth::Exact,
            Worth::WinLossDraw,
            Worth::AtLeast,
            Worth::AtMost,
            Worth::Book,
            Worth::Estimate {
                depth: random.below(61) as u32,
                confidence: random.below(101) as u8,
            },
        ];
        node.value = Some(NodeValue {
            hundredths: random.below(12_801) as i32 - 6400,
            worth: worths[random.below(7)],
        });
    }
    if random.below(4) == 0 {
        node.time_ms = Some(random.below(100_000) as u64);
    }
    for _ in 0..random.below(3) {
        let keys = ["XY", "GB", "BL", "ZZ1", "PB", "DT"];
        let key = keys[random.below(6)].to_owned();
        let n_values = 1 + random.below(3);
        let values = (0..n_values).map(|_| text(random).replace('\\', "\\\\").replace(']', "\\]"));
        let values = values.collect();
        node.other.push(Property { key, values });
    }
}

/// Returns a random tree: moves, passes, setups, empty nodes, on lines of every length.
fn random_tree(random: &mut SplitMix64) -> Tree {
    let mut tree = Tree::new();
    if random.below(4) == 0 {
        // Some position of a game, or nonsense that is no overlap.
        let (black, white) = (random.next_u64(), random.next_u64());
        let setup = outflank_othello::Setup {
            black: Bitboard::new(black & !white),
            white: Bitboard::new(white & random.next_u64()),
            side: Color::White,
        };
        if let Ok(position) = setup.build() {
            tree = Tree::from_position(position);
        }
    }
    annotate(tree.root_mut(), random);
    let mut ids = vec![NodeId::ROOT];
    for _ in 0..random.below(40) {
        // Mostly on from the last node, so that lines become long.
        let parent = if random.below(4) == 0 {
            ids[random.below(ids.len())]
        } else {
            ids[ids.len() - 1]
        };
        let position = *tree.position(parent).expect("it is there");
        let moves = position.legal_moves();
        let mut node = Node::default();
        match random.below(12) {
            0 => {
                let set = |random: &mut SplitMix64| Bitboard::from_square(square(random));
                let (black, white) = (set(random), set(random));
                node.action = Action::Setup(SetupChange {
                    black,
                    white: white & !black,
                    empty: Bitboard::EMPTY,
                    side: [None, Some(Color::Black), Some(Color::White)][random.below(3)],
                });
            }
            1 => {}
            _ if moves.is_empty() => {}
            _ => {
                node.action = Action::Move {
                    color: position.side(),
                    mv: moves[random.below(moves.len())],
                };
            }
        }
        annotate(&mut node, random);
        ids.push(tree.add(parent, node).expect("legal"));
    }
    tree
}

#[test]
fn ten_thousand_random_trees_come_back_as_they_were() {
    let mut random = SplitMix64::new(16);
    let (mut nodes, mut variations) = (0, 0);
    for number in 0..10_000 {
        let tree = random_tree(&mut random);
        let written = sgf::write(&tree);
        let read = sgf::parse(&written).unwrap_or_else(|error| panic!("{number}: {error}\n{written}"));
        assert_eq!(read.value, tree, "{number}\n{written}");
        assert_eq!(sgf::write(&read.value), written, "{number}");
        nodes += tree.len();
        variations += tree.variations();
    }
    assert!(nodes > 100_000 && variations > 10_000, "{nodes} {variations}");
}

#[test]
fn operations_keep_every_position_right() {
    let mut random = SplitMix64::new(5);
    for _ in 0..500 {
        let mut tree = random_tree(&mut random);
        for _ in 0..20 {
            let ids = tree.nodes();
            let id = ids[random.below(ids.len())];
            let other = ids[random.below(ids.len())];
            let before = tree.clone();
            match random.below(5) {
                0 => drop(tree.promote(id)),
                1 => {
                    tree.make_main(id).expect("it is there");
                    assert!(id == NodeId::ROOT || tree.main_line().contains(&id));
                }
                2 => drop(tree.reorder(id, random.below(4))),
                3 => {
                    // What is cut and pasted where it was is there again, behind its siblings.
                    let Some(parent) = tree.parent(id) else { continue };
                    let branch = tree.cut(id).expect("not the root");
                    let len = tree.len();
                    assert_eq!(len + branch.len(), before.len());
                    let same = tree.children(parent).iter().any(|&id| {
                        tree.mv(id).is_some()
                            && tree.mv(id) == branch.first().and_then(|node| node.action.mv())
                    });
                    let pasted = tree.paste(parent, &branch).expect("it was legal");
                    if !same {
                        assert_eq!(tree.len(), before.len());
                        assert_eq!(tree.children(parent).last(), Some(&pasted));
                    }
                }
                _ => {
                    if let Ok(branch) = tree.copy(id)
                        && tree.paste(other, &branch).is_err()
                    {
                        assert_eq!(tree, before, "a branch that does not fit changes nothing");
                    }
                }
            }
            for id in tree.nodes() {
                let node = tree.node(id).expect("it is there");
                let Some(parent) = tree.parent(id) else { continue };
                let before = *tree.position(parent).expect("it is there");
                assert_eq!(node.action.after(before).ok().as_ref(), tree.position(id));
                assert!(tree.children(parent).contains(&id));
            }
        }
    }
}

#[test]
fn files_of_other_programs_are_read() {
    // Two letters for a square, an implied pass left out, rectangles, several values, old keys, unknown ones.
    let text = "(;GaMe[2]FF[3]SZ[8]ST[2]PB[A\\]da]KM[0] ;Black[fe]C[a\\\\b]CR[a1:b2][c4](;W[fd]LB[a1:x][b1:y\\:z]TE[2])(;W[df]BM[2]XX[1][2]))";
    let tree = parse(text);
    assert_eq!(tree.movetext(), "f5f4(d6)");
    let f5 = tree.children(NodeId::ROOT)[0];
    let node = tree.node(f5).expect("it is there");
    assert_eq!((node.comment.as_str(), node.marks.len()), ("a\\b", 5));
    let [f4, d6] = tree.children(f5) else {
        panic!("two")
    };
    let labels = &tree.node(*f4).expect("it is there").labels;
    assert_eq!(labels.values().collect::<Vec<_>>(), ["x", "y:z"]);
    assert_eq!(tree.node(*f4).and_then(|node| node.sign), Some(Sign::VeryGood));
    let other = &tree.node(*d6).expect("it is there").other;
    assert_eq!((other[0].key.as_str(), other[0].values.len()), ("XX", 2));
    let record = tree.record();
    assert_eq!(record.tag("PB"), Some("A]da"));
    assert_eq!(parse(&sgf::write(&tree)), tree);
    // What is not understood stays as it was written, in its place among its kind.
    for kept in [
        "V[soon]",
        "BM[7]",
        "CR[z9]",
        "TS[-1]",
        "KV[exact]",
        "LB[a1]",
        "MN[3]",
    ] {
        let tree = parse(&format!("(;GM[2];B[f5]{kept})"));
        assert!(sgf::write(&tree).contains(kept), "{kept}");
        assert_eq!(parse(&sgf::write(&tree)), tree);
    }
    // A setup in the midst of a line, and a collection.
    let tree = parse("(;GM[2];B[f5];AE[f5]PL[W]AW[e5];W[f4])");
    assert_eq!(tree.game(tree.end()).moves().len(), 1);
    assert_eq!(
        sgf::parse_all("(;GM[2];B[f5]) (;GM[2];B[d3](;W[c3])(;W[e3]))").len(),
        2
    );
}

#[test]
fn what_is_wrong_is_named_with_its_place() {
    for (text, at, message) in [
        (
            "(;GM[2];B[f5](;W[d6])(;W[d3]))",
            23,
            "ply 2, d3: d3 flips nothing",
        ),
        (
            "(;GM[2];B[f5];B[f6])",
            14,
            "ply 2: a move of black, but white is to move",
        ),
        ("(;GM[2];B[z5])", 8, "ply 1: "),
        ("(;GM[1];B[f5])", 2, "a game of \"1\""),
        ("(;GM[2];B[f5]", 0, "'(' is never closed"),
        ("(;GM[2];B[f5", 9, "'[' is never closed"),
        ("(;GM[2]SZ[10])", 7, "board of side"),
        ("(;GM[2])(;GM[2])", 8, "one tree"),
        ("(;GM[2];B[f5]W[d6])", 13, "one move at a node"),
        ("(GM[2];B[f5])", 1, "a node"),
        ("(;GM[2];B)", 8, "[ and a value"),
        ("", 0, "one tree"),
        (")", 0, "one tree"),
    ] {
        let error = sgf::parse(text).expect_err(text);
        assert!(error.to_string().contains(message), "{text}: {error}");
        assert_eq!(error.offset, at, "{text}: {error}");
    }
}

#[test]
fn transpositions_are_shown_and_not_joined() {
    let tree = parse("(;GM[2];B[f5];W[d6](;B[c3];W[d3];B[c4]C[one])(;B[c4];W[d3];B[c3]C[two]))");
    let ends: Vec<NodeId> = tree
        .nodes()
        .into_iter()
        .filter(|&id| tree.children(id).is_empty())
        .collect();
    assert_eq!(tree.transpositions(ends[0]), [ends[1]]);
    assert_eq!(tree.transpositions(ends[1]), [ends[0]]);
    assert_eq!(tree.transpositions(NodeId::ROOT), []);
}

#[test]
fn a_record_becomes_a_tree_and_comes_back() {
    let text = "(;GM[Othello]PB[Ada]PW[Bob]TY[8]RE[+4]CO[well played]BO[8 -------- -------- -------- \
                ---O*--- ---*O--- -------- -------- -------- *]B[f5/1.5/2.25]W[d6//10];)";
    let record = ggf::parse(text).expect("GGF").value;
    let tree = Tree::from_record(&record);
    assert_eq!(tree.main_line().len(), 2);
    let back = tree.record();
    assert_eq!((back.game.clone(), back.tags.clone()), (record.game, record.tags));
    assert_eq!(back.notes[0].eval_discs(), Some(1.5));
    assert_eq!(back.notes[1].seconds(), Some(10.0));
    assert_eq!(parse(&sgf::write(&tree)), tree);
    let empty = GameRecord::default();
    assert_eq!(Tree::from_record(&empty).record(), empty);
}
