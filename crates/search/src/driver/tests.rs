//! The driver over a made-up search whose answers are known.

use super::*;
use crate::{ManualClock, StopToken};
use std::{sync::Arc, time::Duration};

/// Four root moves whose values move towards their true values with depth; each stage costs time and nodes.
struct Made {
    clock: ManualClock,
    cost: Duration,
    nodes: u64,
    true_values: [i32; 4],
    /// A value from which on nothing can change.
    decided: i32,
}

impl RootSearch for Made {
    type Move = usize;

    fn search_root(&mut self, request: &RootRequest<'_, usize>, control: &Control) -> RootAnswer<usize> {
        self.clock.advance(self.cost);
        self.nodes += 100;
        if control.must_stop(self.nodes) {
            return RootAnswer {
                moves: Vec::new(),
                value: 0,
                complete: false,
            };
        }
        let noise = 40 / request.stage.depth as i32;
        let (best, value) = (0..4)
            .filter(|mv| !request.excluded.contains(mv))
            .map(|mv| (mv, self.true_values[mv] + noise * (mv as i32 % 2 * 2 - 1)))
            .max_by_key(|(_, value)| *value)
            .expect("a move is left");
        RootAnswer {
            moves: vec![best],
            value: value.clamp(request.alpha, request.beta),
            complete: true,
        }
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }

    fn is_decided(&self, value: i32) -> bool {
        value >= self.decided
    }
}

fn run(lines: usize, interleave: bool, time: Option<TimePlan>, nodes: Option<u64>) -> (Driven<usize>, usize) {
    run_until(i32::MAX, lines, None, interleave, time, nodes)
}

fn run_until(
    decided: i32,
    lines: usize,
    within: Option<i32>,
    interleave: bool,
    time: Option<TimePlan>,
    nodes: Option<u64>,
) -> (Driven<usize>, usize) {
    let clock = ManualClock::default();
    let mut search = Made {
        clock: clock.clone(),
        cost: Duration::from_millis(10),
        nodes: 0,
        true_values: [5, 20, -15, 10],
        decided,
    };
    let stages: Vec<_> = (1..=20).map(Stage::full_width).collect();
    let plan = Plan {
        stages: &stages,
        lines,
        within,
        root_moves: 4,
        range: (-64, 64),
        aspiration: Some((3, 1)),
        drop: 5,
        time,
        interleave,
    };
    let control = Control::new(
        StopToken::new(),
        Arc::new(clock),
        time.map(|time| time.deadline),
        nodes,
    );
    let mut events = 0;
    let driven = drive(&mut search, &plan, &control, &mut |_| events += 1);
    (driven, events)
}

#[test]
fn lines_come_best_first_and_do_not_depend_on_their_number() {
    for interleave in [false, true] {
        let (all, events) = run(9, interleave, None, None);
        assert!(all.complete && events >= 80);
        let values: Vec<_> = all.lines.iter().map(|line| (line.moves[0], line.value)).collect();
        assert_eq!(values, [(1, 22), (3, 12), (0, 3), (2, -17)]);
        for lines in 1..4 {
            assert_eq!(run(lines, interleave, None, None).0.lines, all.lines[..lines]);
        }
    }
}

#[test]
fn moves_below_the_window_get_one_bound() {
    for interleave in [false, true] {
        let all = run(9, interleave, None, None).0.lines;
        for within in 0..70 {
            let (driven, _) = run_until(i32::MAX, 9, Some(within), interleave, None, None);
            let floor = all[0].value - within;
            let wanted: Vec<_> = all.iter().filter(|line| line.value >= floor).cloned().collect();
            assert_eq!(driven.lines, wanted, "{within}");
            assert!(driven.complete && driven.stage == Some(Stage::full_width(20)));
            match all.get(wanted.len()) {
                Some(best) => assert!(
                    driven
                        .rest
                        .is_some_and(|rest| (best.value..floor).contains(&rest))
                ),
                None => assert_eq!(driven.rest, None),
            }
        }
        assert_eq!(run(2, interleave, None, None).0.rest, None);
    }
}

#[test]
fn there_is_always_a_move() {
    for time in [0, 1, 50, 100] {
        let plan = TimePlan::per_move(Duration::from_millis(time), Duration::ZERO);
        let (driven, _) = run(2, true, Some(plan), None);
        assert!(!driven.complete);
        assert_eq!(driven.lines[0].moves[0], 1);
    }
    assert_eq!(run(1, false, None, Some(101)).0.lines[0].moves[0], 1);
    // A limit of nodes holds even where it leaves no line.
    assert!(run(1, false, None, Some(100)).0.lines.is_empty());
    assert_eq!(run(1, false, None, Some(250)).0.stage, Some(Stage::full_width(2)));
}

#[test]
fn no_move_appears_twice_when_lines_change_places() {
    for nodes in (100..4000).step_by(50) {
        let (driven, _) = run(4, true, None, Some(nodes));
        let mut moves: Vec<_> = driven.lines.iter().map(|line| line.moves[0]).collect();
        moves.sort_unstable();
        moves.dedup();
        assert_eq!(moves.len(), driven.lines.len(), "{nodes} nodes");
    }
}

#[test]
fn a_single_line_ends_when_it_is_decided() {
    for interleave in [false, true] {
        // The value comes down to 22 from above: 60 at the first stage.
        let (driven, events) = run_until(22, 1, None, interleave, None, None);
        assert!(driven.complete && events == 1);
        assert_eq!(driven.stage, Some(Stage::full_width(1)));
        let (driven, _) = run_until(22, 2, None, interleave, None, None);
        assert_eq!(driven.stage, Some(Stage::full_width(20)));
    }
}
