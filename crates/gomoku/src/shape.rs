//! What one stone would make of one line: the shape, and the tables that give it at once.
//!
//! A shape is defined by counting: put a stone on the center of a line, then ask in how many ways one more stone of
//! the same color leads to the next better shape.
//!
//! ```text
//! five      a winning row through the center
//! four      one point makes five;         open four   two or more do
//! three     a point makes a four;         open three  a point makes an open four
//! two       a point makes a three;        open two    a point makes an open three
//! one       a point makes a two;          open one    a point makes an open two
//! ```
//!
//! A winning row that holds the center lies within 4 points of it, and whether it is *exactly* five (or blocked, in
//! Caro) shows within 5. So a window of 4 or 5 points on either side decides the shape, and one table look-up gives
//! it for both colors: [`ShapeTable`].
//! The naive board ([`crate::naive`]) follows the same definition on whole lines, without windows or tables.
//! Source: the counting definition is the one of \[RAPFI26\] (idea only).

use crate::{Color, Rule};

/// The shape that a stone on one point makes in one line, worst to best.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Shape {
    /// No five can ever hold this stone in this line.
    #[default]
    Dead = 0,
    /// Six or more in a row where that does not win.
    Overline = 1,
    /// Some point makes a [`Shape::Two`].
    One = 2,
    /// Some point makes an open two.
    OpenOne = 3,
    /// Some point makes a [`Shape::Three`].
    Two = 4,
    /// One or two points make an open three.
    OpenTwo = 5,
    /// Three points make an open three.
    OpenTwo3 = 6,
    /// Four or more points make an open three.
    OpenTwo4 = 7,
    /// Some point makes a four.
    Three = 8,
    /// One point makes an open four.
    OpenThree = 9,
    /// Two or more points make an open four.
    OpenThree2 = 10,
    /// One point makes five.
    Four = 11,
    /// Two fours in one line, forbidden for Black in Renju.
    DoubleFour = 12,
    /// Two or more points make five.
    OpenFour = 13,
    /// A winning row.
    Five = 14,
}

impl Shape {
    /// All shapes, in order of their numbers.
    pub const ALL: [Self; 15] = [
        Self::Dead,
        Self::Overline,
        Self::One,
        Self::OpenOne,
        Self::Two,
        Self::OpenTwo,
        Self::OpenTwo3,
        Self::OpenTwo4,
        Self::Three,
        Self::OpenThree,
        Self::OpenThree2,
        Self::Four,
        Self::DoubleFour,
        Self::OpenFour,
        Self::Five,
    ];

    /// Returns the shape with number `number & 15`.
    #[inline]
    pub const fn from_bits(number: u32) -> Self {
        let number = (number & 15) as usize;
        if number < Self::ALL.len() {
            Self::ALL[number]
        } else {
            Self::Dead
        }
    }

    /// Returns whether this is an open three.
    #[inline]
    pub const fn is_open_three(self) -> bool {
        matches!(self, Self::OpenThree | Self::OpenThree2)
    }

    /// Returns whether this is an open two.
    #[inline]
    pub const fn is_open_two(self) -> bool {
        matches!(self, Self::OpenTwo | Self::OpenTwo3 | Self::OpenTwo4)
    }

    /// Decides the shape from the number of ways to each better one.
    ///
    /// `fives_apart` is the distance between the outermost two points that make five, and matters only where
    /// `double_four_counts` (Black in Renju): there two fives that are not the two ends of a straight four are a
    /// double-four.
    pub(crate) fn from_ways(ways: &Ways, double_four_counts: bool) -> Self {
        if ways.five >= 2 {
            let straight = ways.five == 2 && ways.fives_apart == 5;
            return if double_four_counts && !straight {
                Self::DoubleFour
            } else {
                Self::OpenFour
            };
        }
        match ways {
            Ways { five: 1, .. } => Self::Four,
            Ways { open_four: 2.., .. } => Self::OpenThree2,
            Ways { open_four: 1, .. } => Self::OpenThree,
            Ways { four: 1.., .. } => Self::Three,
            Ways { open_three: 4.., .. } => Self::OpenTwo4,
            Ways { open_three: 3, .. } => Self::OpenTwo3,
            Ways { open_three: 1.., .. } => Self::OpenTwo,
            Ways { three: 1.., .. } => Self::Two,
            Ways { open_two: 1.., .. } => Self::OpenOne,
            Ways { two: 1.., .. } => Self::One,
            _ => Self::Dead,
        }
    }
}

/// In how many ways one more stone leads to each shape.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ways {
    pub(crate) five: u32,
    pub(crate) fives_apart: u32,
    pub(crate) open_four: u32,
    pub(crate) four: u32,
    pub(crate) open_three: u32,
    pub(crate) three: u32,
    pub(crate) open_two: u32,
    pub(crate) two: u32,
}

impl Ways {
    /// Counts one more way, which leads to `shape`.
    pub(crate) fn count(&mut self, shape: Shape) {
        match shape {
            Shape::Five => self.five += 1,
            Shape::OpenFour => self.open_four += 1,
            Shape::Four => self.four += 1,
            Shape::OpenThree | Shape::OpenThree2 => self.open_three += 1,
            Shape::Three => self.three += 1,
            Shape::OpenTwo | Shape::OpenTwo3 | Shape::OpenTwo4 => self.open_two += 1,
            Shape::Two => self.two += 1,
            _ => {}
        }
    }
}

/// What a line holds at one point, as two bits.
pub(crate) const EMPTY: u32 = 0;
/// A black stone.
pub(crate) const BLACK: u32 = 1;
/// A white stone.
pub(crate) const WHITE: u32 = 2;
/// Outside the board.
pub(crate) const WALL: u32 = 3;

/// The shape of both colors for every window of a rule set.
///
/// A window is the `radius` points on either side of an empty center, two bits each, nearest the start of the line in
/// the lowest bits, the center left out. An entry holds Black's shape in its low four bits and White's in its high
/// four.
#[derive(Debug)]
pub(crate) struct ShapeTable {
    /// 4 or 5 points on either side.
    pub(crate) radius: u32,
    /// One entry a window; always 4¹⁰ long so that an index can be masked instead of checked.
    pub(crate) entries: Box<[u8; 1 << 20]>,
}

impl ShapeTable {
    /// Builds the table of `rule`; a few milliseconds.
    pub(crate) fn new(rule: Rule) -> Self {
        let radius = if rule == Rule::Freestyle { 4 } else { 5 };
        let n_windows = 1usize << (4 * radius);
        let mut black = Classifier::new(rule, Color::Black, radius);
        // White's rule, seen with the colors exchanged.
        let mut white = Classifier::new(rule, Color::White, radius);
        let mut entries: Box<[u8; 1 << 20]> = vec![0u8; 1 << 20]
            .into_boxed_slice()
            .try_into()
            .expect("the length is 2 to the 20th");
        for window in 0..n_windows {
            let exchanged = exchange_colors(window as u32);
            let own = black.shape(window as u32) as u8;
            let other = white.shape(exchanged) as u8;
            entries[window] = own | other << 4;
        }
        Self { radius, entries }
    }

    /// Returns Black's (low) and White's (high) shape for `window`.
    #[inline]
    pub(crate) fn get(&self, window: u32) -> u8 {
        self.entries[(window & 0xF_FFFF) as usize]
    }
}

/// Swaps black and white stones in a window; walls and empty points stay.
const fn exchange_colors(window: u32) -> u32 {
    (window >> 1 & 0x5555_5555) | (window & 0x5555_5555) << 1
}

/// Computes shapes of one color by the definition, remembering every window.
struct Classifier {
    radius: u32,
    exact: bool,
    renju: bool,
    caro: bool,
    /// Shape plus one, 0 where not computed yet; own stones are [`BLACK`] whatever the color.
    memo: Vec<u8>,
}

impl Classifier {
    fn new(rule: Rule, color: Color, radius: u32) -> Self {
        let exact = rule.needs_exactly_five(color);
        let renju = rule == Rule::Renju && color == Color::Black;
        Self {
            radius,
            exact,
            renju,
            caro: rule == Rule::Caro,
            memo: vec![0; 1 << (4 * radius)],
        }
    }

    /// Returns what stands `offset` points from the center, which itself is an own stone.
    fn at(&self, window: u32, offset: i32) -> u32 {
        let radius = self.radius as i32;
        match offset {
            0 => BLACK,
            -5..0 if offset >= -radius => window >> (2 * (offset + radius)) & 3,
            1..=5 if offset <= radius => window >> (2 * (offset + radius - 1)) & 3,
            _ => WALL,
        }
    }

    fn shape(&mut self, window: u32) -> Shape {
        let known = self.memo[window as usize];
        if known != 0 {
            return Shape::from_bits(u32::from(known) - 1);
        }
        let shape = self.classify(window);
        self.memo[window as usize] = shape as u8 + 1;
        shape
    }

    fn classify(&mut self, window: u32) -> Shape {
        let radius = self.radius as i32;
        let extent = |step: i32, holds: &dyn Fn(u32) -> bool| {
            (1..=radius)
                .take_while(|&k| holds(self.at(window, k * step)))
                .count() as i32
        };
        let own = [
            extent(-1, &|cell| cell == BLACK),
            extent(1, &|cell| cell == BLACK),
        ];
        let run = own[0] + own[1] + 1;
        if self.exact && run >= 6 {
            return Shape::Overline;
        }
        if run >= 5 {
            let ends = [self.at(window, -own[0] - 1), self.at(window, own[1] + 1)];
            if self.caro && ends == [WHITE, WHITE] {
                return Shape::Dead;
            }
            return Shape::Five;
        }
        let free = |cell: u32| cell == BLACK || cell == EMPTY;
        let span = [extent(-1, &free), extent(1, &free)];
        if span[0] + span[1] + 1 < 5 {
            return Shape::Dead;
        }
        let mut ways = Ways::default();
        let mut first_five = None;
        for offset in -span[0]..=span[1] {
            if self.at(window, offset) != EMPTY {
                continue;
            }
            let shift = if offset < 0 {
                2 * (offset + radius)
            } else {
                2 * (offset + radius - 1)
            };
            let shape = self.shape(window | BLACK << shift);
            ways.count(shape);
            if shape == Shape::Five {
                ways.fives_apart = (offset - *first_five.get_or_insert(offset)) as u32;
            }
        }
        Shape::from_ways(&ways, self.renju)
    }
}
