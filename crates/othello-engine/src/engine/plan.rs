//! The stages that a search goes through.
//!
//! Before the end is in reach: deeper and deeper. Once it is: an estimate some discs short of the end, then to the
//! end with rising confidence, each step telling the next one what to expect, and at last exactly.

use crate::{contract::Request, levels::Strength, probcut::Selectivity};
use outflank_search::{Goal, Stage};

/// How many discs short of the end the estimate before a solve stops.
const PRESEARCH_GAP: u32 = 10;
/// Empties from which on a solve needs no estimate before it.
const SOLVE_AT_ONCE: u32 = 12;

/// Returns the stages of a search from a root with `empties`.
pub(super) fn stages(request: &Request, empties: u32) -> Vec<Stage> {
    let confidence = Selectivity::at_least(request.confidence).confidence;
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

/// Returns the stages that end with a search to the end at confidence `last`.
fn to_end(empties: u32, confidence: u8, last: u8) -> Vec<Stage> {
    let end = |confidence| Stage {
        depth: empties,
        confidence,
        to_end: true,
    };
    // The first stage cannot be stopped: it must cost next to nothing.
    let mut stages = midgame(
        empties.saturating_sub(PRESEARCH_GAP).clamp(1, empties),
        confidence,
    );
    if empties <= SOLVE_AT_ONCE {
        stages.truncate(usize::from(empties > 1));
        stages.push(end(100));
        return stages;
    }
    let steps: &[u8] = match empties {
        ..=18 => &[],
        19..=22 => &[73],
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

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_othello::Position;
    use outflank_search::Level;

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
