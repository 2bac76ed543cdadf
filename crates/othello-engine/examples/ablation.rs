//! What each technique of the endgame solver is worth: nodes and time with it switched off, interleaved.
//!
//! `cargo run --release -p outflank-othello-engine --example ablation -- [--hand-made] EMPTIES:COUNT…`
//!
//! The positions come from `data/exact_18_26_180.obf` and, where that has none, from random play of the file's
//! positions onwards (two of the three most restricting moves, from a fixed seed). Every variant solves a position
//! before the next position is touched, so that a busy machine disturbs all of them alike.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command-line tool")]

use outflank_eval::{Evaluator, HandMade, Patterns};
use outflank_game::SplitMix64;
use outflank_othello::{Bitboard, Board};
use outflank_othello_engine::{
    Engine, EngineConfig, SolverGoal,
    tuning::{ProbCutTable, Techniques},
};
use outflank_search::{Control, ManualClock};
use std::{fs, sync::Arc, time::Instant};

const ALL: Techniques = Techniques::ALL;

/// The variants: a name, and the techniques without the one that is named.
const VARIANTS: [(&str, Techniques); 12] = [
    ("everything on", ALL),
    ("parity", Techniques { parity: false, ..ALL }),
    (
        "mobility",
        Techniques {
            mobility: false,
            ..ALL
        },
    ),
    (
        "corner stability",
        Techniques {
            corner_stability: false,
            ..ALL
        },
    ),
    (
        "evaluation",
        Techniques {
            evaluation: false,
            ..ALL
        },
    ),
    (
        "ordering search",
        Techniques {
            ordering_search: false,
            ..ALL
        },
    ),
    (
        "stability cut-offs",
        Techniques {
            stability: false,
            ..ALL
        },
    ),
    (
        "enhanced cut-offs",
        Techniques {
            enhanced_cutoffs: false,
            ..ALL
        },
    ),
    (
        "private table",
        Techniques {
            private_table: false,
            ..ALL
        },
    ),
    (
        "shared table",
        Techniques {
            shared_table: false,
            ..ALL
        },
    ),
    (
        "search before",
        Techniques {
            presearch: false,
            ..ALL
        },
    ),
    ("hints of that search", Techniques { guide: false, ..ALL }),
];

fn parse(line: &str) -> Option<Board> {
    let cells = line.get(..64)?;
    let set = |disc: u8| {
        let bits = cells.bytes().enumerate().filter(|&(_, cell)| cell == disc);
        Bitboard::new(bits.fold(0, |bits, (index, _)| bits | 1 << index))
    };
    let (black, white) = (set(b'X'), set(b'O'));
    if line[64..].trim_start().starts_with('O') {
        Board::new(white, black)
    } else {
        Board::new(black, white)
    }
}

/// Plays on to `empties` by moves that leave few replies.
fn play_down(mut board: Board, empties: u32, random: &mut SplitMix64) -> Option<Board> {
    while board.empties().count() > empties {
        let mut next: Vec<Board> = board
            .legal_moves()
            .into_iter()
            .map(|square| board.play_unchecked(square, board.flips(square)))
            .collect();
        next.sort_by_key(|child| child.mobility());
        board = match next.len() {
            0 if board.must_pass() => board.passed(),
            0 => return None,
            n => next[random.below(n.min(2))],
        };
    }
    (!board.is_game_over()).then_some(board)
}

fn positions(empties: u32, count: usize) -> Vec<Board> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/exact_18_26_180.obf");
    let text = fs::read_to_string(path).expect("the suite of the project");
    let mut random = SplitMix64::new(u64::from(empties));
    let all: Vec<Board> = text.lines().filter_map(parse).collect();
    let mut found: Vec<Board> = all
        .iter()
        .copied()
        .filter(|board| board.empties().count() == empties)
        .collect();
    let larger = all.iter().filter(|board| board.empties().count() > empties);
    found.extend(larger.filter_map(|&board| play_down(board, empties, &mut random)));
    found.truncate(count);
    found
}

fn table<E: Evaluator + 'static>(
    (evaluator, probcut): (&Arc<E>, &Arc<ProbCutTable>),
    empties: u32,
    count: usize,
) {
    let boards = positions(empties, count);
    let mut engines = VARIANTS.map(|(_, endgame)| {
        let config = EngineConfig {
            endgame,
            ..EngineConfig::default()
        };
        let clock = Arc::new(ManualClock::default());
        Engine::judging_by(Arc::clone(evaluator), Arc::clone(probcut), config, clock)
            .expect("memory for all tables")
    });
    let mut nodes = [0; VARIANTS.len()];
    let mut seconds = [0.0; VARIANTS.len()];
    for &board in &boards {
        let mut value = None;
        for (index, engine) in engines.iter_mut().enumerate() {
            let start = Instant::now();
            let result = engine.solve(board, SolverGoal::Exact, &Control::unlimited());
            seconds[index] += start.elapsed().as_secs_f64();
            nodes[index] += result.nodes;
            assert_eq!(*value.get_or_insert(result.value), result.value, "{board:?}");
        }
    }
    println!(
        "\n{} positions of {empties} empties, without | nodes | ratio | seconds | ratio",
        boards.len()
    );
    println!("--- | ---: | ---: | ---: | ---:");
    for (index, (name, _)) in VARIANTS.iter().enumerate() {
        println!(
            "{name} | {} | {:.3} | {:.2} | {:.3}",
            nodes[index],
            nodes[index] as f64 / nodes[0] as f64,
            seconds[index],
            seconds[index] / seconds[0],
        );
    }
}

fn main() {
    let mut hand_made = false;
    for arg in std::env::args().skip(1) {
        if arg == "--hand-made" {
            hand_made = true;
            continue;
        }
        let Some((empties, count)) = arg
            .split_once(':')
            .and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)))
        else {
            eprintln!("{arg}: expected EMPTIES:COUNT, such as 20:30");
            continue;
        };
        if hand_made {
            table(
                (&Arc::new(HandMade), &Arc::new(ProbCutTable::hand_made())),
                empties,
                count,
            );
        } else {
            table(
                (
                    &Arc::new(Patterns::embedded()),
                    &Arc::new(ProbCutTable::embedded()),
                ),
                empties,
                count,
            );
        }
    }
}
