//! The tables of a rule set, and the weights that a caller may attach to them.

use crate::{
    Color, Rule,
    class::{COMBOS, Class, Combo},
    shape::{Shape, ShapeTable},
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

/// Where the number of the class in a packed combination starts; see [`PackedTable`].
const CLASS_SHIFT: u32 = 12;

/// The classes in the order of their numbers in packed combinations: the *sharp* ones, which alone matter to a search
/// for fours, have the high bit. The last number is that of an occupied point.
const NUMBERED: [Class; 16] = [
    Class::Quiet,
    Class::Two,
    Class::Three,
    Class::DoubleTwo,
    Class::ThreePlus,
    Class::OpenThree,
    Class::OpenThreePlus,
    Class::DoubleThree,
    Class::Forbidden,
    Class::Doubtful,
    Class::Four,
    Class::FourPlus,
    Class::FourThree,
    Class::OpenFour,
    Class::Five,
    Class::Quiet,
];

/// The number of each class; the inverse of [`NUMBERED`].
const NUMBERS: [u8; 15] = {
    let mut numbers = [0; 15];
    let mut number = 15;
    while number > 0 {
        number -= 1;
        numbers[NUMBERED[number] as usize] = number as u8;
    }
    numbers
};

/// The packed combination of both colors' halves of an occupied point.
pub(crate) const OCCUPIED: u32 = 0xF000_F000;

/// The combination of four shapes packed four bits each, in any order, with the number of its class in the highest
/// four bits.
///
/// A board keeps these per point, so that neither placing a stone nor taking it back looks the class up.
pub(crate) type PackedTable = [u16; 1 << 16];

static PLAIN: LazyLock<Box<PackedTable>> = LazyLock::new(|| packed_table(Rule::Freestyle, Color::Black));
static RESTRICTED: LazyLock<Box<PackedTable>> = LazyLock::new(|| packed_table(Rule::Renju, Color::Black));

/// Returns the combinations and classes of `rule` for `color`; only Renju's Black has classes of his own.
fn packed(rule: Rule, color: Color) -> &'static PackedTable {
    if rule == Rule::Renju && color == Color::Black {
        &RESTRICTED
    } else {
        &PLAIN
    }
}

fn packed_table(rule: Rule, color: Color) -> Box<PackedTable> {
    let mut table = COMBOS.ids.clone();
    let classes: Vec<u16> = Combo::all()
        .map(|combo| number_of(Class::of(combo.shapes(), rule, color)) as u16)
        .collect();
    for combo in table.iter_mut() {
        *combo |= classes[usize::from(*combo)] << CLASS_SHIFT;
    }
    table
}

/// Returns the combination of a packed one.
#[inline(always)]
pub(crate) const fn combo_of(packed: u16) -> usize {
    packed as usize & ((1 << CLASS_SHIFT) - 1)
}

/// Returns the number of the class of a packed combination.
#[inline(always)]
pub(crate) const fn number_in(packed: u16) -> usize {
    (packed >> CLASS_SHIFT) as usize
}

/// Returns the class of a packed combination.
#[inline(always)]
pub(crate) const fn class_of(packed: u16) -> Class {
    NUMBERED[number_in(packed)]
}

/// Returns the number that stands for `class` in a packed combination.
#[inline(always)]
pub(crate) const fn number_of(class: Class) -> usize {
    NUMBERS[class as usize] as usize
}

/// Where the shapes of both colors along the first direction go in the word of a point, by their byte in the
/// [`ShapeTable`]; see [`crate::Board`].
///
/// Black's shape comes into the lowest four bits, White's 16 bits higher, and 48 bits higher a mark if either can make a
/// class sharp.
pub(crate) type WordTable = [u64; 256];

static WORDS: [WordTable; 2] = [words(false), words(true)];

const fn words(renju: bool) -> WordTable {
    let mut words = [0; 256];
    let mut pair = 0;
    while pair < 256 {
        let (black, white) = (pair & 15, pair >> 4);
        let mark = is_sharp(black, renju) || is_sharp(white, false);
        words[pair] = black as u64 | (white as u64) << 16 | (mark as u64) << 48;
        pair += 1;
    }
    words
}

/// Returns whether a shape alone or with others can make a sharp class: a four, and in Renju what Black may not make.
const fn is_sharp(shape: usize, renju: bool) -> bool {
    let forbids = shape == Shape::Overline as usize
        || shape == Shape::OpenThree as usize
        || shape == Shape::OpenThree2 as usize;
    shape >= Shape::Four as usize || renju && forbids
}

/// Everything a board looks up for one rule set: read-only and shared.
pub struct Tables {
    pub(crate) rule: Rule,
    pub(crate) shapes: &'static ShapeTable,
    pub(crate) words: &'static WordTable,
    /// Per color.
    pub(crate) packed: [&'static PackedTable; 2],
    /// The caller's two weights per color and combination; the first in the low 32 bits, added up without carrying
    /// between them in the end. Padded to a power of two.
    pub(crate) weights: [Box<[i64; 4096]>; 2],
}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tables")
            .field("rule", &self.rule)
            .finish_non_exhaustive()
    }
}

impl Tables {
    /// Builds the tables of `rule` with a pair of weights for every color and combination.
    ///
    /// A board adds up the weights of all its empty points; see [`crate::Board::weight_sums`].
    /// The unit of the weights is the caller's; 400 points must not overflow an `i32`.
    pub fn with_weights(rule: Rule, weights: impl Fn(Color, Combo) -> [i32; 2]) -> Arc<Self> {
        let weights = Color::BOTH.map(|color| {
            let mut table: Box<[i64; 4096]> = vec![0i64; 4096]
                .into_boxed_slice()
                .try_into()
                .expect("the length is 4096");
            for combo in Combo::all() {
                let [first, second] = weights(color, combo);
                table[combo.idx()] = i64::from(first) + (i64::from(second) << 32);
            }
            table
        });
        Arc::new(Self {
            rule,
            shapes: shape_table(rule),
            words: &WORDS[usize::from(rule == Rule::Renju)],
            packed: Color::BOTH.map(|color| packed(rule, color)),
            weights,
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
