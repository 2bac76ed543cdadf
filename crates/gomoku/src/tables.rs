//! The tables of a rule set, and the weights that a caller may attach to them.

use crate::{
    Color, Rule,
    class::{COMBOS, Class, Combo},
    shape::ShapeTable,
};
use std::{
    fmt,
    sync::{Arc, LazyLock},
};

static FREESTYLE: LazyLock<ShapeTable> = LazyLock::new(|| ShapeTable::new(Rule::Freestyle));
static STANDARD: LazyLock<ShapeTable> = LazyLock::new(|| ShapeTable::new(Rule::Standard));
static RENJU: LazyLock<ShapeTable> = LazyLock::new(|| ShapeTable::new(Rule::Renju));
static CARO: LazyLock<ShapeTable> = LazyLock::new(|| ShapeTable::new(Rule::Caro));

/// Returns the shapes of `rule`: read-only, built on first use (2 to 60 ms).
pub(crate) fn shape_table(rule: Rule) -> &'static ShapeTable {
    match rule {
        Rule::Freestyle => &FREESTYLE,
        Rule::Standard => &STANDARD,
        Rule::Renju => &RENJU,
        Rule::Caro => &CARO,
    }
}

/// What a combination is worth for one colour: its class, and the weights of the caller.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Worth {
    /// The caller's two weights, the first in the low 32 bits, added up without carrying between them in the end.
    pub(crate) weights: i64,
    pub(crate) class: Class,
}

/// Everything a board looks up for one rule set: read-only and shared.
pub struct Tables {
    pub(crate) rule: Rule,
    pub(crate) shapes: &'static ShapeTable,
    pub(crate) ids: &'static [u16; 1 << 16],
    /// Per colour and combination; padded to a power of two.
    pub(crate) worth: [Box<[Worth; 4096]>; 2],
}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tables")
            .field("rule", &self.rule)
            .finish_non_exhaustive()
    }
}

impl Tables {
    /// Builds the tables of `rule` with a pair of weights for every colour and combination.
    ///
    /// A board adds up the weights of all its empty points; see [`crate::Board::weight_sums`].
    /// The unit of the weights is the caller's; 400 points must not overflow an `i32`.
    pub fn with_weights(rule: Rule, weights: impl Fn(Color, Combo) -> [i32; 2]) -> Arc<Self> {
        let worth = Color::BOTH.map(|color| {
            let mut table: Box<[Worth; 4096]> = vec![Worth::default(); 4096]
                .into_boxed_slice()
                .try_into()
                .expect("the length is 4096");
            for combo in Combo::all() {
                let [first, second] = weights(color, combo);
                table[combo.idx()] = Worth {
                    weights: i64::from(first) + (i64::from(second) << 32),
                    class: Class::of(combo.shapes(), rule, color),
                };
            }
            table
        });
        Arc::new(Self {
            rule,
            shapes: shape_table(rule),
            ids: &COMBOS.ids,
            worth,
        })
    }

    /// Builds the tables of `rule` without weights.
    pub fn new(rule: Rule) -> Arc<Self> {
        Self::with_weights(rule, |_, _| [0, 0])
    }

    /// Returns the rule set.
    pub fn rule(&self) -> Rule {
        self.rule
    }
}
