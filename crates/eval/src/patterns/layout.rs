//! Where the patterns lie on the board, how their configurations are numbered, and which share a weight.
//!
//! Three numberings, all derived from the list of classes:
//!
//! | numbering | what it counts | size |
//! | --- | --- | --- |
//! | full | every configuration of every class, class after class; configuration 0 of a class has the opponent everywhere | [`FULL`] |
//! | index | what the search keeps: a `u16` into one of four tables of 65,536 weights | per table |
//! | packed parameter | what is fitted and stored: mirrored configurations once, then the mobility pairs | [`PARAMETERS`] |

use outflank_othello::{Square, Square::*, Symmetry};
use std::sync::LazyLock;

/// Number of pattern classes.
pub const CLASSES: usize = 12;
/// Number of features: the images of the classes under the symmetries of the board.
pub const FEATURES: usize = 46;
/// Features rounded up to whole vector registers.
pub const LANES: usize = 48;
/// Weights in one table; `u16` indices cannot leave it.
pub const TABLE_SIZE: usize = 1 << 16;
/// Number of configurations of all classes.
pub const FULL: usize = 226_314;
/// Number of distinct pattern weights per knot, mirrored configurations counted once.
pub const PACKED: usize = 114_363;
/// Largest mobility that has a weight of its own.
pub const MAX_MOBILITY: u32 = 23;
/// Number of mobility pairs.
pub const MOBILITY_PAIRS: usize = (MAX_MOBILITY as usize + 1) * (MAX_MOBILITY as usize + 1);
/// Number of weights per knot: patterns, then mobility pairs.
pub const PARAMETERS: usize = PACKED + MOBILITY_PAIRS;

/// First feature of each table, and the number of features: features are in the order of their tables.
pub(crate) const TABLE_LANES: [usize; 5] = [0, 34, 38, 42, 46];

/// A pattern class: the squares of one instance.
#[derive(Clone, Copy, Debug)]
pub struct Class {
    /// Name, as explanations and reports show it.
    pub name: &'static str,
    /// The squares; the first has the place value 1, the next 3, and so on.
    pub squares: &'static [Square],
    /// Which of the four tables holds its weights.
    table: u8,
}

/// The classes. Tables 1–3 hold one class of ten squares each, table 0 the rest.
pub const CLASS_LIST: [Class; CLASSES] = [
    Class {
        name: "corner 3x3",
        squares: &[A1, B1, A2, B2, C1, A3, C2, B3, C3],
        table: 0,
    },
    Class {
        name: "row 2",
        squares: &[A2, B2, C2, D2, E2, F2, G2, H2],
        table: 0,
    },
    Class {
        name: "row 3",
        squares: &[A3, B3, C3, D3, E3, F3, G3, H3],
        table: 0,
    },
    Class {
        name: "row 4",
        squares: &[A4, B4, C4, D4, E4, F4, G4, H4],
        table: 0,
    },
    Class {
        name: "diagonal 8",
        squares: &[A1, B2, C3, D4, E5, F6, G7, H8],
        table: 0,
    },
    Class {
        name: "diagonal 7",
        squares: &[A2, B3, C4, D5, E6, F7, G8],
        table: 0,
    },
    Class {
        name: "diagonal 6",
        squares: &[A3, B4, C5, D6, E7, F8],
        table: 0,
    },
    Class {
        name: "diagonal 5",
        squares: &[A4, B5, C6, D7, E8],
        table: 0,
    },
    Class {
        name: "diagonal 4",
        squares: &[A5, B6, C7, D8],
        table: 0,
    },
    Class {
        name: "edge with X squares",
        squares: &[A1, B1, C1, D1, E1, F1, G1, H1, B2, G2],
        table: 1,
    },
    Class {
        name: "edge angle",
        squares: &[A5, A4, A3, A2, A1, B2, B1, C1, D1, E1],
        table: 2,
    },
    Class {
        name: "edge block",
        squares: &[A1, C1, D1, E1, F1, H1, C2, D2, E2, F2],
        table: 3,
    },
];

/// The images of the classes and their numbering, computed at compile time.
#[derive(Debug)]
pub struct Layout {
    /// Class of each feature.
    pub class: [u8; FEATURES],
    /// Symmetry that takes the class's squares to the feature's.
    pub symmetry: [Symmetry; FEATURES],
    /// Table of each feature.
    pub table: [u8; FEATURES],
    /// First full number of each class, and the total.
    pub first: [u32; CLASSES + 1],
    /// Index of each feature on an empty board.
    pub origin: [u16; LANES],
    /// Twice `origin`: `twice_origin − index` is the index seen from the other side.
    pub twice_origin: [u16; LANES],
    /// Per square, what a disc of the player adds to each index.
    pub once: [[u16; LANES]; 64],
    /// Twice `once`: what a disc adds that changes hands.
    pub twice: [[u16; LANES]; 64],
}

/// The layout of the 46 features.
pub static LAYOUT: Layout = compute();

const fn configurations(class: usize) -> u32 {
    3_u32.pow(CLASS_LIST[class].squares.len() as u32)
}

const fn first_numbers() -> [u32; CLASSES + 1] {
    let mut first = [0; CLASSES + 1];
    let mut class = 0;
    while class < CLASSES {
        first[class + 1] = first[class] + configurations(class);
        class += 1;
    }
    first
}

/// Returns the index of the empty configuration of a class: in the middle of its part of table 0, or 0 where the
/// class has a table to itself and negative numbers wrap around.
const fn class_origin(class: usize) -> u16 {
    if CLASS_LIST[class].table == 0 {
        (first_numbers()[class] + configurations(class) / 2) as u16
    } else {
        0
    }
}

const fn squares_mask(class: usize, symmetry: Symmetry) -> u64 {
    let mut mask = 0;
    let mut cell = 0;
    while cell < CLASS_LIST[class].squares.len() {
        mask |= 1 << symmetry.square(CLASS_LIST[class].squares[cell]).index();
        cell += 1;
    }
    mask
}

/// Returns the mirror image of every configuration of a class, all counted within the class.
pub(crate) fn mirror_images(class: usize) -> Vec<u32> {
    let (squares, symmetry) = (CLASS_LIST[class].squares, mirror(class));
    let mut images = vec![0];
    for &square in squares {
        let target = symmetry.square(square);
        let place = squares.iter().position(|&square| square == target);
        let value = 3_u32.pow(place.expect("the class is its own mirror image") as u32);
        // Each square triples the configurations of those before it.
        let known = images.len();
        images.extend_from_within(..);
        images.extend_from_within(..known);
        for (digit, part) in (0..).zip(images.chunks_exact_mut(known)) {
            for image in part {
                *image += digit * value;
            }
        }
    }
    images
}

const fn compute() -> Layout {
    let mut layout = Layout {
        class: [0; FEATURES],
        symmetry: [Symmetry::IDENTITY; FEATURES],
        table: [0; FEATURES],
        first: first_numbers(),
        origin: [0; LANES],
        twice_origin: [0; LANES],
        once: [[0; LANES]; 64],
        twice: [[0; LANES]; 64],
    };
    let mut feature = 0;
    let mut class = 0;
    while class < CLASSES {
        let mut masks = [0; 8];
        let mut s = 0;
        while s < 8 {
            let symmetry = Symmetry::ALL[s];
            masks[s] = squares_mask(class, symmetry);
            let mut earlier = 0;
            while masks[earlier] != masks[s] {
                earlier += 1;
            }
            if earlier == s {
                add_feature(&mut layout, feature, class, symmetry);
                feature += 1;
            }
            s += 1;
        }
        class += 1;
    }
    assert!(feature == FEATURES && layout.first[CLASSES] as usize == FULL);
    let mut lane = 0;
    while lane < FEATURES {
        let table = layout.table[lane] as usize;
        assert!(TABLE_LANES[table] <= lane && lane < TABLE_LANES[table + 1]);
        lane += 1;
    }
    layout
}

/// Returns the symmetry that maps a class to itself and moves some of its squares.
fn mirror(class: usize) -> Symmetry {
    let squares = CLASS_LIST[class].squares;
    *Symmetry::ALL
        .iter()
        .find(|symmetry| {
            squares_mask(class, **symmetry) == squares_mask(class, Symmetry::IDENTITY)
                && squares.iter().any(|&square| symmetry.square(square) != square)
        })
        .expect("every class is symmetric")
}

const fn add_feature(layout: &mut Layout, feature: usize, class: usize, symmetry: Symmetry) {
    layout.class[feature] = class as u8;
    layout.symmetry[feature] = symmetry;
    layout.table[feature] = CLASS_LIST[class].table;
    layout.origin[feature] = class_origin(class);
    layout.twice_origin[feature] = layout.origin[feature].wrapping_mul(2);
    let mut cell = 0;
    while cell < CLASS_LIST[class].squares.len() {
        let square = symmetry.square(CLASS_LIST[class].squares[cell]).index();
        layout.once[square][feature] = 3_u16.pow(cell as u32);
        layout.twice[square][feature] = 2 * layout.once[square][feature];
        cell += 1;
    }
}

/// Returns the packed parameter of every full number: mirrored configurations share one, numbered in the order of
/// the smaller of the two.
pub fn packed_parameters() -> &'static [u32] {
    static PACKED_PARAMETERS: LazyLock<Vec<u32>> = LazyLock::new(|| {
        let mut packed = vec![0; FULL];
        let mut next = 0;
        for class in 0..CLASSES {
            let first = LAYOUT.first[class] as usize;
            for (number, image) in (0..).zip(mirror_images(class)) {
                packed[first + number as usize] = if image < number {
                    packed[first + image as usize]
                } else {
                    next += 1;
                    next - 1
                };
            }
        }
        packed
    });
    &PACKED_PARAMETERS
}

/// Calls `visit` with every full number, its table and its index.
#[inline]
pub(crate) fn each_place(mut visit: impl FnMut(usize, usize, u16)) {
    for (class, entry) in CLASS_LIST.iter().enumerate() {
        let first = class_origin(class).wrapping_sub((configurations(class) / 2) as u16);
        let full = LAYOUT.first[class] as usize..LAYOUT.first[class + 1] as usize;
        for (full, number) in full.zip(0..) {
            visit(full, usize::from(entry.table), first.wrapping_add(number));
        }
    }
}

/// Returns the full number of the configuration that `feature` has with this index.
#[inline]
pub fn full_number(feature: usize, index: u16) -> usize {
    let class = usize::from(LAYOUT.class[feature]);
    let offset = index.wrapping_sub(LAYOUT.origin[feature]).cast_signed();
    (LAYOUT.first[class] as i32 + configurations(class) as i32 / 2 + i32::from(offset)) as usize
}

/// Returns the parameter of a mobility pair.
#[inline]
pub fn mobility_parameter(own: u32, other: u32) -> usize {
    PACKED + (own.min(MAX_MOBILITY) * (MAX_MOBILITY + 1) + other.min(MAX_MOBILITY)) as usize
}
