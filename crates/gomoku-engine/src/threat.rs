//! Forced wins: by fours alone ([`search::ThreatSearch::vcf`]) and by fours and threats ([`search::ThreatSearch::vct`]).
//!
//! A *four* leaves the other side one answer (or none). A *threat* is any move after which a pass would lose to fours
//! alone. Depth counts the threats in a line; a four and its forced answer cost nothing (switchable).
//!
//! Soundness, point by point:
//! - What the defender may answer to a threat is not a list of patterns. Take one line of fours that wins if the
//!   defender passes. An answer changes that line only if it takes one of its points (stones, blocks and fives), or
//!   makes a four of its own at once, or together with a forced block; every such point is read off the board while
//!   the line is replayed ([`defenses::defenses`]). Anything else loses to the same line.
//! - The cache stores "no win within `d` threats" under stones, attacker and mode, and answers only queries up to
//!   `d`. A search that ran out of nodes anywhere below stores nothing.
//! - Every win can be written out as a [`crate::Proof`], which a verifier replays on the naive board against every
//!   answer.
//!
//! Sources: the two-step definition of a threat and the memory of dead ends follow \[QUINTET26\]; threats that counter-fours
//! refute are from \[FIGRID26\].

mod cache;
pub(crate) mod defenses;
mod numbers;
pub(crate) mod points;
pub(crate) mod proof_number;
pub(crate) mod search;
pub(crate) mod vcf;
pub(crate) mod vct;
