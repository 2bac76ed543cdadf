//! The stages that a search goes through.
//!
//! Before the end is in reach: deeper and deeper. Once it is: an estimate some discs short of the end, then to the
//! end with rising confidence, each step telling the next one what to expect, and at last exactly.
//!
//! A search to the end that is cut off has found out nothing. Where positions are limited, there is therefore an
//! estimate before it that is worth something, and where they will hardly suffice, all of them go into that.

use crate::{contract::Request, levels::Strength, probcut::Selectivity};
use outflank_search::{Goal, Stage};

/// How many discs short of the end the estimate before a solve stops.
const PRESEARCH_GAP: u32 = 10;
/// Empties from which on a solve needs no estimate before it.
const SOLVE_AT_ONCE: u32 = 12;
/// Empties from which on the first search to the end is selective.
const SELECTIVE_FROM: u32 = 19;

/// Returns the stages of a search from a root with `empties`.
pub(super) fn stages(request: &Request, empties: u32) -> Vec<Stage> {
    let confidence = Selectivity::at_least(request.confidence).confidence;
    let to_end = |empties, confidence, last| to_end(empties, confidence, last, request.limits.nodes);
    if request.goal != Goal::Best {
        return to_end(empties, confidence, 100);
    }
    let depth = request.limits.depth.map_or(empties, |depth| depth.max(1));
    if let Some(level) = request.limits.level.map(Strength::of) {
        let depth = depth.min(level.depth());
        return if empties <= level.exact_empties().min(depth.max(level.exact_empties())) {
            to_end(empties, confidence, 100)
        } else if empties <= level.selective_empties() {
            to_end(empties, confidence, Selectivity::LEVELS[0].confidence)
        } else {
            midgame(depth.min(empties), confidence)
        };
    }
    if depth >= empties {
        to_end(empties, confidence, 100)
    } else {
        midgame(depth, confidence)
    }
}

/// Returns the stages that deepen to `depth`.
fn midgame(depth: u32, confidence: u8) -> Vec<Stage> {
    (1..=depth)
        .map(|depth| Stage {
            depth,
            confidence,
            to_end: false,
        })
        .collect()
}

/// Returns the stages that end with a search to the end at confidence `last`, in no more than `nodes` positions.
fn to_end(empties: u32, confidence: u8, last: u8, nodes: Option<u64>) -> Vec<Stage> {
    let end = |confidence| Stage {
        depth: empties,
        confidence,
        to_end: true,
    };
    let gap = match nodes {
        None => PRESEARCH_GAP,
        Some(nodes) if nodes < nodes_to_the_end(empties) => 1,
        Some(_) => PRESEARCH_GAP.min(empties / 2),
    };
    // The first stage cannot be stopped: it must cost next to nothing.
    let mut stages = midgame(empties.saturating_sub(gap).clamp(1, empties), confidence);
    if empties <= SOLVE_AT_ONCE && nodes.is_none() {
        stages.truncate(usize::from(empties > 1));
        stages.push(end(100));
        return stages;
    }
    let steps: &[u8] = match empties {
        ..SELECTIVE_FROM => &[],
        SELECTIVE_FROM..=22 => &[87],
        23..=26 => &[73, 95],
        _ => &[73, 87, 95, 99],
    };
    stages.extend(
        steps
            .iter()
            .copied()
            .filter(|&step| step >= confidence && step < last)
            .map(end),
    );
    stages.push(end(last));
    stages
}

/// Returns the number of positions from which on it is worth trying the first search to the end, which takes twice as
/// many for each empty square: some 30,000 in the middle where there are 14, and an eighth where it is selective.
const fn nodes_to_the_end(empties: u32) -> u64 {
    1 << if empties < SELECTIVE_FROM {
        empties
    } else {
        empties - 3
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_othello::Position;
    use outflank_search::Level;

    #[test]
    fn a_limit_of_positions_leaves_an_estimate_before_the_end() {
        for empties in 1..=60 {
            let estimate = |request: Request| {
                let stages = stages(&request, empties);
                let stage = stages.iter().rev().find(|stage| !stage.to_end);
                stage.map_or(0, |stage| stage.depth)
            };
            for request in [
                Request::new(Position::start()),
                Request::new(Position::start()).exact(),
            ] {
                let few = estimate(request.clone().nodes(1));
                assert_eq!(few, (empties - 1).max(1), "{empties} empties");
                let enough = estimate(request.clone().nodes(u64::MAX));
                assert!(
                    enough >= empties / 2 && enough < empties.max(2),
                    "{empties} empties: {enough}"
                );
                assert!(enough >= estimate(request), "{empties} empties");
            }
        }
    }

    #[test]
    fn every_plan_ends_where_it_should() {
        for empties in 1..=60 {
            let request = || Request::new(Position::start());
            let exact = request().exact();
            let last = *stages(&exact, empties).last().expect("not empty");
            assert_eq!((last.depth, last.confidence, last.to_end), (empties, 100, true));
            for depth in 0..=61 {
                let plan = stages(&request().depth(depth), empties);
                let last = *plan.last().expect("not empty");
                assert_eq!(last.depth, depth.clamp(1, empties));
                assert_eq!(last.to_end, depth >= empties || empties == 1);
                assert!(plan.windows(2).all(|pair| {
                    let key = |stage: Stage| (stage.to_end, stage.depth, stage.confidence);
                    key(pair[0]) < key(pair[1])
                }));
            }
            for level in Level::all() {
                let last = *stages(&request().level(level), empties)
                    .last()
                    .expect("not empty");
                let level = Strength::of(level);
                if empties <= level.exact_empties() {
                    assert_eq!((last.to_end, last.confidence), (true, 100));
                } else {
                    assert_eq!(last.to_end, empties <= level.selective_empties());
                }
            }
        }
    }
}
