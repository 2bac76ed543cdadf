//! Players that err as people do.
//!
//! A [`Policy`] says how likely a person of some skill is to choose each move. Its features are what people see
//! (squares, discs turned, mobility, what a look one to four discs ahead shows) and what they know by heart (how often
//! a position occurs in games), its weights are fitted to games. The skill is the mean loss a move, so one policy
//! holds every strength: it says *where* people err, the skill *how much*. \[MCILROY20\]
//! [`HumanPlayer`] plays by it at eight levels.

mod features;
mod player;
mod policy;

pub use features::{Candidate, FEATURES, LOOK_DEPTHS, candidates, described};
pub use player::{HumanPlayer, Manner, promised_loss};
pub use policy::{Openings, Policy, PolicyError, mixed, terms};
