//! Multi-ProbCut: before a node is searched to its depth, a shallow search asks whether it is worth it.
//!
//! Values of a shallow and a deep search of the same state go together: deep ≈ slope × shallow + offset, with a spread
//! that can be measured. If a shallow search lies so far outside the window that the deep one would leave it too, with
//! the wanted confidence, the node ends there. The value is then no longer minimax's, only probably so.
//!
//! The search around it is [`Pvs`]; its null-window nodes are cut, those on the expected line are not.
//!
//! Source: [BURO97].

use super::{
    common::{Algorithm, Core, Question},
    pvs::Pvs,
};
use outflank_game::{Evaluate, GameState};

/// How the value of one depth is foretold by a shallower one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cut {
    /// Depth of the shallow search, in placed stones; 0 if this depth is not cut.
    pub shallow: u32,
    /// Thousandths of the shallow value in the deep one.
    pub slope: i32,
    /// What is added to that, in the evaluator's unit.
    pub offset: i32,
    /// Standard deviation of the deep value from what was foretold, in the evaluator's unit.
    pub spread: i32,
}

/// The cuts of all depths, and how certain one must be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cuts {
    /// Hundredths of a spread by which a foretold value must lie outside the window.
    pub width: i32,
    /// The cuts of depths [`Cuts::FIRST_DEPTH`], and one more, and so on.
    pub by_depth: [Cut; Self::N],
}

impl Cuts {
    /// The least depth that can be cut.
    pub const FIRST_DEPTH: u32 = 3;
    /// Depths that can be cut.
    pub const N: usize = 10;

    /// Returns the cut of nodes with this depth left.
    pub fn at(&self, depth: u32) -> Option<Cut> {
        let at = depth.checked_sub(Self::FIRST_DEPTH)? as usize;
        let cut = *self.by_depth.get(at)?;
        (cut.shallow > 0 && cut.shallow < depth && cut.slope > 0).then_some(cut)
    }

    /// Returns the shallow value from which on the deep one lies beyond `bound`: above it for `side` = 1, below for −1.
    pub(super) fn shallow_value(&self, cut: Cut, bound: i32, side: i64) -> i32 {
        let margin = i64::from(self.width) * i64::from(cut.spread) / 100;
        let wanted = i64::from(bound) + side * margin - i64::from(cut.offset);
        // Rounded away from the window.
        let slope = i64::from(cut.slope);
        let value = side * (side * wanted * 1000).div_euclid(slope) + side;
        let most = i64::from(super::INFINITE) - 1;
        i32::try_from(value.clamp(-most, most)).unwrap_or(0)
    }
}

impl<G: GameState> Pvs<G> {
    /// Asks a shallow search whether the deep one would leave its null window; returns the side on which it would.
    pub(super) fn cut<E: Evaluate<G>>(
        &mut self,
        core: &mut Core<'_, G, E>,
        game: &mut G,
        Question { depth, alpha, beta }: Question,
    ) -> Option<i32> {
        let cuts = self.cuts?;
        let cut = cuts.at(depth).filter(|_| beta == alpha + 1)?;
        let mut unused = Vec::new();
        let high = cuts.shallow_value(cut, beta, 1);
        if self.value(core, game, cut.shallow, high - 1, high, &mut unused) >= high {
            return Some(beta);
        }
        let low = cuts.shallow_value(cut, alpha, -1);
        if !core.aborted && self.value(core, game, cut.shallow, low, low + 1, &mut unused) <= low {
            return Some(alpha);
        }
        None
    }
}
