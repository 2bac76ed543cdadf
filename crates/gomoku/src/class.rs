//! What one stone would make of all four lines together: the class of a point for one color.

use crate::{Color, Rule, shape::Shape};
use std::sync::LazyLock;

/// The combined worth of a point for one color, worst to best.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Class {
    /// Nothing worth a name.
    #[default]
    Quiet = 0,
    /// Forbidden for sure: overline or double-four without a five (Black in Renju only).
    Forbidden = 1,
    /// Two or more open threes: forbidden unless the recursive rule excuses it (Black in Renju only).
    Doubtful = 2,
    /// An open two.
    Two = 3,
    /// A three that is not open.
    Three = 4,
    /// Two open twos.
    DoubleTwo = 5,
    /// A three that is not open, with an open two or another such three.
    ThreePlus = 6,
    /// An open three.
    OpenThree = 7,
    /// An open three with an open two or a three.
    OpenThreePlus = 8,
    /// Two open threes, where that is allowed.
    DoubleThree = 9,
    /// A four.
    Four = 10,
    /// A four with an open two or a three.
    FourPlus = 11,
    /// A four with an open three.
    FourThree = 12,
    /// An open four, or two fours.
    OpenFour = 13,
    /// Five.
    Five = 14,
}

impl Class {
    /// All classes, in order of their numbers.
    pub const ALL: [Self; 15] = [
        Self::Quiet,
        Self::Forbidden,
        Self::Doubtful,
        Self::Two,
        Self::Three,
        Self::DoubleTwo,
        Self::ThreePlus,
        Self::OpenThree,
        Self::OpenThreePlus,
        Self::DoubleThree,
        Self::Four,
        Self::FourPlus,
        Self::FourThree,
        Self::OpenFour,
        Self::Five,
    ];

    /// Combines the shapes of the four lines.
    pub fn of(shapes: [Shape; 4], rule: Rule, color: Color) -> Self {
        let count = |holds: &dyn Fn(Shape) -> bool| shapes.iter().filter(|&&shape| holds(shape)).count();
        let fives = count(&|shape| shape == Shape::Five);
        let open_fours = count(&|shape| shape == Shape::OpenFour);
        let fours = count(&|shape| shape == Shape::Four);
        let open_threes = count(&Shape::is_open_three);
        let threes = count(&|shape| shape == Shape::Three);
        let open_twos = count(&Shape::is_open_two);
        let restricted = rule == Rule::Renju && color == Color::Black;
        let lesser = threes + open_twos;
        if fives > 0 {
            Self::Five
        } else if restricted
            && (count(&|shape| matches!(shape, Shape::Overline | Shape::DoubleFour)) > 0
                || open_fours + fours >= 2)
        {
            Self::Forbidden
        } else if restricted && open_threes >= 2 {
            Self::Doubtful
        } else if open_fours > 0 || fours >= 2 {
            Self::OpenFour
        } else if fours == 1 {
            match (open_threes, lesser) {
                (1.., _) => Self::FourThree,
                (0, 1..) => Self::FourPlus,
                _ => Self::Four,
            }
        } else if open_threes >= 2 {
            Self::DoubleThree
        } else if open_threes == 1 {
            if lesser > 0 {
                Self::OpenThreePlus
            } else {
                Self::OpenThree
            }
        } else if threes > 0 {
            if lesser >= 2 { Self::ThreePlus } else { Self::Three }
        } else {
            match open_twos {
                0 => Self::Quiet,
                1 => Self::Two,
                _ => Self::DoubleTwo,
            }
        }
    }

    /// Returns whether a stone of this class makes a four or better (for an allowed point).
    #[inline]
    pub fn is_four_or_better(self) -> bool {
        self >= Self::Four
    }
}

/// Number of unordered combinations of four shapes.
pub const N_COMBOS: usize = 3060;

/// The four shapes of a point without their directions: an index below [`N_COMBOS`].
///
/// Weights of an evaluation and scores of a move ordering are tables over it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Combo(pub(crate) u16);

impl Combo {
    /// Returns the combination of four shapes, whatever their order.
    pub fn of(mut shapes: [Shape; 4]) -> Self {
        shapes.sort_unstable();
        let code = shapes
            .iter()
            .enumerate()
            .fold(0, |code, (i, &shape)| code | (shape as usize) << (4 * i));
        Self(COMBOS.ids[code])
    }

    /// Returns the index, below [`N_COMBOS`].
    #[inline]
    pub const fn idx(self) -> usize {
        self.0 as usize
    }

    /// Returns the four shapes, worst first.
    pub fn shapes(self) -> [Shape; 4] {
        COMBOS.shapes[self.idx()]
    }

    /// Iterates over all combinations.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..N_COMBOS as u16).map(Self)
    }
}

/// Numbering of the combinations.
pub(crate) struct Combos {
    /// Combination of four shapes packed four bits each, in any order.
    pub(crate) ids: Box<[u16; 1 << 16]>,
    shapes: Vec<[Shape; 4]>,
}

/// The numbering: read-only, built on first use.
pub(crate) static COMBOS: LazyLock<Combos> = LazyLock::new(|| {
    let mut ids: Box<[u16; 1 << 16]> = vec![0u16; 1 << 16]
        .into_boxed_slice()
        .try_into()
        .expect("the length is 2 to the 16th");
    let mut shapes = Vec::with_capacity(N_COMBOS);
    for code in 0..1u32 << 16 {
        let mut nibbles = [0, 4, 8, 12].map(|shift| code >> shift & 15);
        if nibbles.contains(&15) {
            continue;
        }
        nibbles.sort_unstable();
        let sorted = nibbles
            .iter()
            .enumerate()
            .fold(0, |sorted, (i, nibble)| sorted | nibble << (4 * i));
        if sorted == code {
            ids[code as usize] = shapes.len() as u16;
            shapes.push(nibbles.map(Shape::from_bits));
        }
    }
    for code in 0..1usize << 16 {
        let mut nibbles = [0, 4, 8, 12].map(|shift| code >> shift & 15);
        nibbles.sort_unstable();
        let sorted = nibbles
            .iter()
            .enumerate()
            .fold(0, |sorted, (i, nibble)| sorted | nibble << (4 * i));
        ids[code] = ids[sorted];
    }
    Combos { ids, shapes }
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations_are_numbered_without_gaps() {
        assert_eq!(COMBOS.shapes.len(), N_COMBOS);
        for combo in Combo::all() {
            assert_eq!(Combo::of(combo.shapes()), combo);
        }
    }

    #[test]
    fn classes_follow_the_rule_set() {
        use Shape::*;
        let of = |shapes, rule, color| Class::of(shapes, rule, color);
        let double_three = [OpenThree, Dead, OpenThree2, Two];
        assert_eq!(
            of(double_three, Rule::Freestyle, Color::Black),
            Class::DoubleThree
        );
        assert_eq!(of(double_three, Rule::Renju, Color::Black), Class::Doubtful);
        assert_eq!(of(double_three, Rule::Renju, Color::White), Class::DoubleThree);
        assert_eq!(
            of([Four, Four, Dead, Dead], Rule::Renju, Color::Black),
            Class::Forbidden
        );
        assert_eq!(
            of([Four, Four, Five, Overline], Rule::Renju, Color::Black),
            Class::Five
        );
        assert_eq!(
            of([Overline, OpenThree, Dead, Dead], Rule::Standard, Color::Black),
            Class::OpenThree
        );
        assert_eq!(
            of([Four, OpenThree, Dead, Dead], Rule::Renju, Color::Black),
            Class::FourThree
        );
    }
}
