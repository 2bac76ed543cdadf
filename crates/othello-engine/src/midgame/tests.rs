//! The midgame search against textbook alpha-beta.

use super::{balance::Balance, *};
use outflank_eval::HandMade;
use outflank_game::{Evaluate, Outcome, SplitMix64};
use outflank_othello::{Position, Symmetry};
use outflank_search::{Driven, Plan, Stage, StopToken, TimePlan, drive};
use outflank_textbook::{Method, Settings, search};

/// The hand-made evaluator as the textbook searches want it.
struct Textbook;

impl Evaluate<Position> for Textbook {
    fn evaluate(&self, position: &Position) -> i32 {
        HandMade.evaluate(position.board(), &()).units()
    }

    fn outcome_value(&self, outcome: Outcome) -> i32 {
        outcome.margin * Score::PER_DISC
    }
}

fn engine(techniques: MidgameTechniques, threads: usize) -> MidgameSearch<HandMade> {
    MidgameSearch::new(
        Arc::new(HandMade),
        Arc::new(ProbCutTable::hand_made()),
        techniques,
        8 << 20,
        threads,
    )
    .expect("8 MiB")
}

/// Returns the driven outcome of deepening to `depth` with `confidence`.
fn deepen(
    search: &mut MidgameSearch<HandMade>,
    board: Board,
    depth: u32,
    confidence: u8,
    lines: usize,
) -> Driven<Move> {
    deepen_until(&StopToken::new(), search, board, depth, confidence, lines)
}

fn deepen_until(
    stop: &StopToken,
    search: &mut MidgameSearch<HandMade>,
    board: Board,
    depth: u32,
    confidence: u8,
    lines: usize,
) -> Driven<Move> {
    search.set_root(board);
    let stages: Vec<_> = (1..=depth)
        .map(|depth| Stage {
            depth,
            confidence,
            to_end: depth >= board.empties().count(),
        })
        .collect();
    let plan = Plan {
        stages: &stages,
        lines,
        within: None,
        root_moves: search.root_moves().len(),
        range: (-8192, 8192),
        aspiration: Some((384, 129)),
        drop: 256,
        time: None::<TimePlan>,
        interleave: false,
    };
    let control = Control::stopped_by(stop);
    drive(search, &plan, &control, &mut |_| {})
}

/// Positions of all phases from random games; `after_pass` picks those that follow a pass.
fn positions(seed: u64, count: usize, after_pass: bool) -> Vec<Position> {
    let mut random = SplitMix64::new(seed);
    let mut found = Vec::new();
    while found.len() < count {
        let mut position = Position::start();
        let stop_at = random.below(58);
        for ply in 0.. {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[random.below(moves.len())];
            position.play(mv).expect("legal");
            let wanted = if after_pass {
                mv == Move::Pass
            } else {
                ply == stop_at
            };
            if wanted && !position.is_game_over() {
                found.push(position);
                break;
            }
        }
    }
    found
}

/// The worth of a position whose next disc is the last, to an engine with [`MidgameTechniques::BALANCE`].
struct BeforeTheLast;

impl Evaluate<Position> for BeforeTheLast {
    fn evaluate(&self, position: &Position) -> i32 {
        if position.board().must_pass() {
            let mut passed = *position;
            passed.play(Move::Pass).expect("a pass is the only move");
            return -self.evaluate(&passed);
        }
        let after = position.legal_moves().into_iter().map(|mv| {
            let mut child = *position;
            child.play(mv).expect("legal");
            -match outflank_game::GameState::outcome(&child) {
                Some(outcome) => Textbook.outcome_value(outcome),
                None => Textbook.evaluate(&child),
            }
        });
        let best = after.max().expect("there are moves");
        Balance::around(Textbook.evaluate(position)).of(best)
    }

    fn outcome_value(&self, outcome: Outcome) -> i32 {
        Textbook.outcome_value(outcome)
    }
}

/// Checks the value of every depth up to `max_depth` against textbook alpha-beta, the best move's value included.
fn check_against_textbook(positions: &[Position], max_depth: u32, techniques: MidgameTechniques) {
    let mut search_engine = engine(techniques, 1);
    for position in positions {
        for depth in 1..=max_depth {
            let settings = Settings::new(Method::AlphaBeta);
            // At the root every move has a search of its own.
            let to_the_end = depth >= position.board().empties().count();
            let expected = if depth > 1 && !to_the_end && techniques.has(MidgameTechniques::BALANCE) {
                search(&settings, position, &BeforeTheLast, depth - 1).value
            } else {
                search(&settings, position, &Textbook, depth).value
            };
            search_engine.clear();
            let (board, sign) = if position.board().must_pass() {
                (position.board().passed(), -1)
            } else {
                (position.board(), 1)
            };
            let driven = deepen(&mut search_engine, board, depth, 100, 1);
            assert!(driven.complete);
            assert_eq!(
                sign * driven.lines[0].value,
                expected,
                "depth {depth} {position:?} {techniques:?}"
            );
        }
    }
}

#[test]
fn full_width_values_equal_textbook_alpha_beta() {
    check_against_textbook(&positions(1, 60, false), 5, MidgameTechniques::ALL);
    check_against_textbook(&positions(2, 20, true), 5, MidgameTechniques::ALL);
}

#[test]
fn no_technique_changes_full_width_values() {
    let positions = positions(3, 8, false);
    for (_, technique) in MidgameTechniques::named() {
        check_against_textbook(&positions, 4, MidgameTechniques::ALL.without(technique));
    }
    check_against_textbook(&positions, 4, MidgameTechniques::NONE);
}

/// 700 positions of all phases and 300 just after passes.
fn thousand() -> Vec<Position> {
    let mut all = positions(11, 700, false);
    all.extend(positions(12, 300, true));
    all
}

#[test]
#[ignore = "long: 1,000 positions at depths 1 to 6, about a minute"]
fn a_thousand_positions_equal_textbook_alpha_beta_to_depth_6() {
    check_against_textbook(&thousand(), 6, MidgameTechniques::ALL);
}

#[test]
#[ignore = "long: 100 of the thousand positions at depths 1 to 8, about two minutes"]
fn one_in_ten_of_a_thousand_positions_equals_textbook_alpha_beta_to_depth_8() {
    let sample: Vec<_> = thousand().into_iter().step_by(10).collect();
    check_against_textbook(&sample, 8, MidgameTechniques::ALL);
}

#[test]
#[ignore = "very long: 1,000 positions at depths 1 to 8, about half an hour"]
fn a_thousand_positions_equal_textbook_alpha_beta_to_depth_8() {
    check_against_textbook(&thousand(), 8, MidgameTechniques::ALL);
}

#[test]
#[ignore = "long: the eight images of 1,000 positions at depths 4 and 7, about two minutes"]
fn the_images_of_a_thousand_positions_have_the_same_value() {
    let mut search = engine(MidgameTechniques::ALL, 1);
    for position in thousand() {
        let board = position.board();
        for depth in 1..=8 {
            let values = Symmetry::ALL.map(|symmetry| {
                let image = board.transformed(symmetry);
                if image.must_pass() {
                    return 0;
                }
                search.clear();
                deepen(&mut search, image, depth, 100, 1).lines[0].value
            });
            assert!(
                values.iter().all(|&value| value == values[0]),
                "{values:?} {position:?}"
            );
        }
    }
}

#[test]
fn symmetric_images_have_the_same_value() {
    for position in positions(4, 10, false) {
        let value = |symmetry| {
            let board = position.board().transformed(symmetry);
            if board.must_pass() {
                return 0;
            }
            deepen(&mut engine(MidgameTechniques::ALL, 1), board, 6, 100, 1).lines[0].value
        };
        let own = value(Symmetry::IDENTITY);
        for symmetry in Symmetry::ALL {
            assert_eq!(value(symmetry), own, "{symmetry:?} {position:?}");
        }
    }
}

#[test]
fn one_thread_is_reproducible_to_the_node() {
    for position in positions(5, 6, false) {
        let board = position.board();
        if board.must_pass() {
            continue;
        }
        let mut reused = engine(MidgameTechniques::ALL, 1);
        let mut results = Vec::new();
        for _ in 0..2 {
            reused.clear();
            let driven = deepen(&mut reused, board, 8, 73, 1);
            results.push((driven.lines, reused.nodes()));
        }
        let mut fresh = engine(MidgameTechniques::ALL, 1);
        let driven = deepen(&mut fresh, board, 8, 73, 1);
        results.push((driven.lines, fresh.nodes()));
        assert_eq!(results[0], results[1]);
        assert_eq!(results[0], results[2]);
    }
}

#[test]
fn threads_agree_where_nothing_is_selective() {
    for position in positions(6, 6, false) {
        let board = position.board();
        if board.must_pass() {
            continue;
        }
        let one = deepen(&mut engine(MidgameTechniques::ALL, 1), board, 8, 100, 1);
        let three = deepen(&mut engine(MidgameTechniques::ALL, 3), board, 8, 100, 1);
        assert_eq!(one.lines[0].value, three.lines[0].value, "{position:?}");
    }
}

#[test]
fn values_do_not_depend_on_the_number_of_lines() {
    for confidence in [73, 100] {
        for position in positions(7, 4, false) {
            let board = position.board();
            if board.must_pass() {
                continue;
            }
            let n_moves = board.mobility() as usize;
            let of = |lines| {
                let driven = deepen(
                    &mut engine(MidgameTechniques::ALL, 1),
                    board,
                    7,
                    confidence,
                    lines,
                );
                let mut values: Vec<_> = driven
                    .lines
                    .iter()
                    .map(|line| (line.moves[0], line.value))
                    .collect();
                values.sort_unstable();
                values
            };
            let all = of(n_moves);
            assert_eq!(all.len(), n_moves);
            for lines in 1..n_moves.min(4) {
                assert!(
                    of(lines).iter().all(|line| all.contains(line)),
                    "{lines} lines {position:?}"
                );
            }
        }
    }
}

#[test]
fn lines_can_be_played_and_end_in_their_value() {
    for position in positions(8, 20, false) {
        let board = position.board();
        if board.must_pass() {
            continue;
        }
        let depth = 5;
        let driven = deepen(
            &mut engine(MidgameTechniques::ALL.without(MidgameTechniques::BALANCE), 1),
            board,
            depth,
            100,
            1,
        );
        let line = &driven.lines[0];
        let mut end = board;
        let mut sign = 1;
        let mut placed = 0;
        for &mv in &line.moves {
            end = end.play(mv).expect("legal");
            sign = -sign;
            placed += u32::from(mv != Move::Pass);
        }
        let value = if end.is_game_over() {
            final_value(end)
        } else if placed == depth {
            HandMade.evaluate(end, &()).units()
        } else {
            // The rest of the line was left to the solver.
            continue;
        };
        assert_eq!(sign * value, line.value, "{position:?} {:?}", line.moves);
    }
}

#[test]
fn what_a_stopped_search_leaves_in_memory_is_true() {
    let mut random = SplitMix64::new(5);
    let mut stopped = 0;
    for position in positions(6, 250, false) {
        let board = position.board();
        if board.must_pass() || !(13..=15).contains(&board.empties().count()) {
            continue;
        }
        let empties = board.empties().count();
        let expected = deepen(&mut engine(MidgameTechniques::ALL, 1), board, empties, 100, 1).lines[0].value;
        let mut search = engine(MidgameTechniques::ALL, 1);
        for _ in 0..3 {
            let stop = StopToken::new();
            let pause = std::time::Duration::from_micros(random.below(3000) as u64);
            let driven = std::thread::scope(|scope| {
                scope.spawn(|| {
                    std::thread::sleep(pause);
                    stop.stop();
                });
                deepen_until(&stop, &mut search, board, empties, 100, 1)
            });
            stopped += usize::from(!driven.complete);
        }
        assert_eq!(
            deepen(&mut search, board, empties, 100, 1).lines[0].value,
            expected
        );
    }
    assert!(stopped > 0, "no search was stopped on its way");
}
