//! What is done and said at one node of a tree.

use super::TreeError;
use crate::MoveNote;
use outflank_othello::{Bitboard, Color, Move, Position, Square};
use std::collections::{BTreeMap, BTreeSet};

/// What happens at a node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Action {
    /// Nothing: the root, or a node of comments.
    #[default]
    None,
    /// A move, or a pass.
    Move {
        /// Who makes it.
        color: Color,
        /// The move.
        mv: Move,
    },
    /// Discs are put down or taken away.
    Setup(SetupChange),
}

/// Discs that are put down or taken away outside of play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SetupChange {
    /// Squares that get a black disc.
    pub black: Bitboard,
    /// Squares that get a white disc.
    pub white: Bitboard,
    /// Squares that become empty.
    pub empty: Bitboard,
    /// Who is to move, if that is said.
    pub side: Option<Color>,
}

impl Action {
    /// Returns the move, if it is one.
    pub const fn mv(&self) -> Option<Move> {
        match self {
            Self::Move { mv, .. } => Some(*mv),
            Self::None | Self::Setup(_) => None,
        }
    }

    /// Returns the position after this one.
    ///
    /// # Errors
    ///
    /// Says why that cannot be.
    pub fn after(&self, mut position: Position) -> Result<Position, TreeError> {
        match self {
            Self::None => {}
            Self::Move { color, mv } => {
                let expected = position.side();
                if *color != expected {
                    let found = *color;
                    return Err(TreeError::WrongColor { expected, found });
                }
                position.play(*mv)?;
            }
            Self::Setup(change) => {
                let mut setup = position.to_setup();
                let touched = change.black | change.white | change.empty;
                if change.black.intersects(change.white)
                    || change.empty.intersects(change.black | change.white)
                {
                    return Err(TreeError::Overlap);
                }
                setup.black = setup.black & !touched | change.black;
                setup.white = setup.white & !touched | change.white;
                setup.side = change.side.unwrap_or(setup.side);
                position = setup.build().map_err(|_| TreeError::Overlap)?;
            }
        }
        Ok(position)
    }
}

/// How a move is judged with a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// `!!`
    VeryGood,
    /// `!`
    Good,
    /// `!?`
    Interesting,
    /// `?!`
    Dubious,
    /// `?`
    Bad,
    /// `??`
    VeryBad,
}

impl Sign {
    /// Every sign, the best first.
    pub const ALL: [Self; 6] = [
        Self::VeryGood,
        Self::Good,
        Self::Interesting,
        Self::Dubious,
        Self::Bad,
        Self::VeryBad,
    ];

    /// Returns how it is written.
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::VeryGood => "!!",
            Self::Good => "!",
            Self::Interesting => "!?",
            Self::Dubious => "?!",
            Self::Bad => "?",
            Self::VeryBad => "??",
        }
    }
}

/// A sign on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shape {
    /// A circle.
    Circle,
    /// A square.
    Square,
    /// A triangle.
    Triangle,
    /// A cross.
    Cross,
}

/// What a value is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Worth {
    /// Somebody says so.
    Claimed,
    /// Proven.
    Exact,
    /// Only who wins is proven.
    WinLossDraw,
    /// At least as good, for black.
    AtLeast,
    /// At most as good, for black.
    AtMost,
    /// An estimate.
    Estimate {
        /// Discs looked ahead.
        depth: u32,
        /// Confidence in percent.
        confidence: u8,
    },
    /// From an opening book.
    Book,
}

/// The value of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeValue {
    /// In hundredths of a disc, for black.
    pub hundredths: i32,
    /// What it is worth.
    pub worth: Worth,
}

impl NodeValue {
    /// Returns a value in discs for `color`; `None` if it is no number that a value can have.
    pub fn new(discs: f64, color: Color, worth: Worth) -> Option<Self> {
        let hundredths = (discs * 100.0).round();
        let signed = if color == Color::Black {
            hundredths
        } else {
            -hundredths
        };
        (signed.abs() <= 1e8).then_some(Self {
            hundredths: signed as i32,
            worth,
        })
    }

    /// Returns a value that a record states, in discs for `color`.
    pub fn claimed(discs: f64, color: Color) -> Option<Self> {
        Self::new(discs, color, Worth::Claimed)
    }

    /// Returns the value in discs for `color`.
    pub fn discs(self, color: Color) -> f64 {
        let discs = f64::from(self.hundredths) / 100.0;
        if color == Color::Black { discs } else { 0.0 - discs }
    }
}

/// A property that nothing here understands, as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// The key.
    pub key: String,
    /// The values, with their escapes.
    pub values: Vec<String>,
}

/// What is done and said at one node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    /// What happens.
    pub action: Action,
    /// A name; empty if there is none.
    pub name: String,
    /// A comment; empty if there is none.
    pub comment: String,
    /// What the move is worth, as a sign.
    pub sign: Option<Sign>,
    /// Signs on squares.
    pub marks: BTreeSet<(Shape, Square)>,
    /// Texts on squares.
    pub labels: BTreeMap<Square, String>,
    /// The value of the position.
    pub value: Option<NodeValue>,
    /// Time spent on the move, in thousandths of a second.
    pub time_ms: Option<u64>,
    /// All other properties, in their order.
    pub other: Vec<Property>,
}

impl Node {
    /// Returns what a record says about the move, which `color` made.
    pub(super) fn note(&self, color: Color) -> MoveNote {
        let eval = self.value.map(|value| format!("{:.2}", value.discs(color)));
        let time = self.time_ms.map(seconds_text);
        MoveNote {
            eval: eval.unwrap_or_default(),
            time: time.unwrap_or_default(),
        }
    }
}

/// Returns a time in seconds as text, without needless zeros.
pub(super) fn seconds_text(ms: u64) -> String {
    let text = format!("{}.{:03}", ms / 1000, ms % 1000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Returns a time in thousandths of a second, if it is one.
pub(super) fn milliseconds(seconds: f64) -> Option<u64> {
    let ms = (seconds * 1000.0).round();
    (0.0..=1e12).contains(&ms).then_some(ms as u64)
}
