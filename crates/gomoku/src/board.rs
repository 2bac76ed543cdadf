//! The board: stones, the shapes of every line through every point, and what has been decided.
//!
//! Four arrays hold the lines (rows, columns, two diagonals), each line one word of two bits a point. Playing a stone
//! changes one entry in four words; for the few points on either side the window is cut out of the word, looked up in
//! [`Tables`], and where the shape changed, the class of the point, the sets of points by class and the sums of the
//! caller's weights follow. Taking a stone back restores what two logs recorded.
//! Occupied points are left alone (stones go in the reverse order in which they came), and so is everything behind a
//! stone of either color: nothing beyond them can change.
//! The oracle is [`crate::NaiveBoard`].

mod forbidden;
mod game;
mod setup;
mod update;

use crate::{
    Class, Color, Combo, Point, PointSet, Rule, Shape,
    point::{MAX_SIZE, MIN_SIZE, N_POINTS},
    tables::{Tables, class_of, combo_of, number_of},
    zobrist,
};
use std::{fmt, sync::Arc};

pub use forbidden::Foul;
pub use setup::SetupError;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// This color made a winning row.
    Five(Color),
    /// Black played a forbidden point and lost.
    Forbidden,
    /// No empty point is left.
    Full,
}

impl End {
    /// Returns the color that won, or `None` for a draw.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::Five(color) => Some(color),
            Self::Forbidden => Some(Color::White),
            Self::Full => None,
        }
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Five(color) => write!(f, "{color} has five in a row"),
            Self::Forbidden => f.write_str("black played a forbidden point, white wins"),
            Self::Full => f.write_str("no empty point is left, a draw"),
        }
    }
}

/// Why a move cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// The point is not on the board.
    #[error("{point} is outside the {size}x{size} board")]
    Outside {
        /// The point.
        point: Point,
        /// Edge of the board in points.
        size: u8,
    },
    /// A stone is there already.
    #[error("{0} is occupied: choose an empty point")]
    Occupied(Point),
    /// The game has ended.
    #[error("the game is over ({0}): take a move back or start a new game")]
    Over(End),
}

/// The words of all lines, 64 a direction.
type Lines = [u64; 256];

/// What is known about a point, in one word: Black's four shapes in the lowest 16 bits, White's in the next, four bits
/// a direction; the index of the point, so that a log of such words tells where they belong; and in the highest 16 bits
/// a mark for each direction whose shapes can make a class sharp (see [`crate::tables::WordTable`]).
type Word = u64;

/// Where the index of the point starts in a word.
const IDX_SHIFT: u32 = 32;
/// The least word with a mark.
const LEAST_MARK: Word = 1 << 48;
/// Everything in a word that belongs to the first direction.
const WHOLE: Word = 0x000F_0000_000F_000F;

/// Returns the half of a pair that is `color`'s: Black's is the low one.
#[inline(always)]
const fn half(pair: u32, color: Color) -> u16 {
    (pair >> (16 * color.idx())) as u16
}

/// The empty points where a color makes one class.
///
/// The size is a power of two: then the place of a kind is one shift of its number.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Kind {
    points: PointSet,
    count: u16,
}

impl Kind {
    const EMPTY: Self = Self {
        points: PointSet::EMPTY,
        count: 0,
    };
}

/// The combination of a point that a stone changed, for taking it back.
#[derive(Clone, Copy, Debug, Default)]
struct Touch {
    idx: u32,
    combos: u32,
}

/// What taking back one stone restores at once.
#[derive(Clone, Copy, Debug)]
struct Frame {
    point: Point,
    color: Color,
    /// Whether only what a search for fours needs was kept up to date.
    for_fours: bool,
    /// Entries of the two logs before the stone came.
    n_words: u32,
    n_touches: u32,
    sums: [i64; 2],
    end: Option<End>,
}

/// A position of Gomoku under one rule set, with everything about its lines kept up to date.
///
/// # Examples
///
/// ```
/// use outflank_gomoku::{Board, Class, Color, Rule};
/// let mut board = Board::new(Rule::Freestyle, 15)?;
/// for text in ["h8", "h9", "i8", "i9", "j8", "j9"] {
///     board.play(text.parse()?)?;
/// }
/// assert_eq!(board.class("g8".parse()?, Color::Black), Class::OpenFour);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Board {
    tables: Arc<Tables>,
    size: u8,
    side: Color,
    end: Option<End>,
    n_empty: u16,
    key: u64,
    /// Rows, columns, rising and falling diagonals; two bits a point, 5 points of wall before the first.
    lines: Lines,
    words: [Word; 512],
    /// Per point: the combination of each color's shapes, with its class; Black's in the low half.
    combos: [u32; 512],
    /// Empty points by color and number of the class: 16 kinds of Black, then 16 of White.
    kinds: [Kind; 32],
    stones: [PointSet; 2],
    empties: PointSet,
    /// Weights of all empty points, per color, two sums each.
    sums: [i64; 2],
    /// The words that the stones on the board changed, `n_words` of them; kept longer than that, so that writing one
    /// never has to ask for room.
    old_words: Vec<Word>,
    n_words: usize,
    /// The combinations that they changed, as above.
    touches: Vec<Touch>,
    n_touches: usize,
    frames: Vec<Frame>,
}

impl PartialEq for Board {
    /// Two boards are equal if nothing that can still happen tells them apart: the way to the position is ignored.
    fn eq(&self, other: &Self) -> bool {
        self.rule() == other.rule()
            && self.size == other.size
            && self.side == other.side
            && self.end == other.end
            && self.stones == other.stones
    }
}

impl Eq for Board {}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} {}x{}, {} to move, {:?}",
            self.rule(),
            self.size,
            self.size,
            self.side,
            self.end
        )?;
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Board {
    /// Draws the board with the highest row on top: `X` black, `O` white.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for y in (0..self.size).rev() {
            write!(f, "{:>2}", y + 1)?;
            for x in 0..self.size {
                let stone = Point::new(x, y).and_then(|point| self.get(point));
                f.write_str(match stone {
                    Some(Color::Black) => " X",
                    Some(Color::White) => " O",
                    None => " .",
                })?;
            }
            writeln!(f)?;
        }
        f.write_str("  ")?;
        (0..self.size).try_for_each(|x| write!(f, " {}", char::from(b'a' + x)))
    }
}

impl Board {
    /// Returns an empty board of `size`×`size` points, Black to move.
    ///
    /// # Errors
    ///
    /// [`SetupError::Size`] unless the size is 5 to 20.
    pub fn new(rule: Rule, size: u8) -> Result<Self, SetupError> {
        Self::with_tables(Tables::new(rule), size)
    }

    /// Returns an empty board that uses (and shares) `tables`.
    ///
    /// # Errors
    ///
    /// [`SetupError::Size`] unless the size is 5 to 20.
    pub fn with_tables(tables: Arc<Tables>, size: u8) -> Result<Self, SetupError> {
        if !(MIN_SIZE..=MAX_SIZE).contains(&size) {
            return Err(SetupError::Size {
                size: u32::from(size),
            });
        }
        let mut board = Self {
            size,
            side: Color::Black,
            end: None,
            n_empty: u16::from(size) * u16::from(size),
            key: zobrist::start(tables.rule, size),
            lines: [u64::MAX; 256],
            words: [0; 512],
            combos: [0; 512],
            kinds: [Kind::EMPTY; 32],
            stones: [PointSet::EMPTY; 2],
            empties: PointSet::board(size),
            sums: [0; 2],
            old_words: Vec::new(),
            n_words: 0,
            touches: Vec::new(),
            n_touches: 0,
            frames: Vec::with_capacity(N_POINTS),
            tables,
        };
        board.rebuild_lines();
        Ok(board)
    }

    /// Returns the rule set.
    #[inline]
    pub fn rule(&self) -> Rule {
        self.tables.rule
    }

    /// Returns the edge of the board in points.
    #[inline]
    pub fn size(&self) -> u8 {
        self.size
    }

    /// Returns the color to move.
    #[inline]
    pub fn side(&self) -> Color {
        self.side
    }

    /// Returns how the game ended, or `None` while it goes on.
    #[inline]
    pub fn end(&self) -> Option<End> {
        self.end
    }

    /// Returns the stones of the rows by which the last stone has won, in the order of their indices; nothing while the
    /// game goes on or where it has ended otherwise.
    ///
    /// A row of more than five is whole where that wins.
    pub fn winning_stones(&self) -> PointSet {
        let mut stones = PointSet::EMPTY;
        let (Some(End::Five(winner)), Some((last, _))) = (self.end, self.last_move()) else {
            return stones;
        };
        // The shapes of an occupied point are those of the moment when its stone came.
        for ((dx, dy), shape) in crate::naive::DIRECTIONS
            .into_iter()
            .zip(self.shapes(last, winner))
        {
            if shape != Shape::Five {
                continue;
            }
            stones.insert(last);
            for sign in [1, -1] {
                let ahead = |k| last.offset(sign * k * dx, sign * k * dy, self.size);
                (1..)
                    .map_while(ahead)
                    .take_while(|&point| self.get(point) == Some(winner))
                    .for_each(|point| stones.insert(point));
            }
        }
        stones
    }

    /// Returns the number of empty points.
    #[inline]
    pub fn n_empty(&self) -> usize {
        usize::from(self.n_empty)
    }

    /// Returns the number of stones.
    #[inline]
    pub fn n_stones(&self) -> usize {
        usize::from(self.size) * usize::from(self.size) - self.n_empty()
    }

    /// Returns the stones of `color`.
    #[inline]
    pub fn stones(&self, color: Color) -> &PointSet {
        &self.stones[color.idx()]
    }

    /// Returns the empty points.
    #[inline]
    pub fn empties(&self) -> PointSet {
        self.empties
    }

    /// Returns the stone on `point`.
    #[inline]
    pub fn get(&self, point: Point) -> Option<Color> {
        Color::BOTH
            .into_iter()
            .find(|color| self.stones[color.idx()].contains(point))
    }

    /// Returns whether `point` is on the board and holds no stone.
    #[inline]
    pub fn is_empty(&self, point: Point) -> bool {
        self.empties.contains(point)
    }

    /// Returns what a stone of `color` on the empty `point` would make; [`Class::Quiet`] for an occupied point.
    #[inline]
    pub fn class(&self, point: Point, color: Color) -> Class {
        class_of(half(self.combos[point.idx() & 511], color))
    }

    /// Returns the shapes that a stone of `color` on the empty `point` makes along the four directions.
    ///
    /// For an occupied point they are those of the moment when its stone came.
    #[inline]
    pub fn shapes(&self, point: Point, color: Color) -> [Shape; 4] {
        let code = u32::from(half(self.words[point.idx() & 511] as u32, color));
        let along = |direction: u32| Shape::from_bits(code >> (4 * direction));
        [along(0), along(1), along(2), along(3)]
    }

    /// Returns the combination of shapes that a stone of `color` would make on the empty `point`.
    #[inline]
    pub fn combo(&self, point: Point, color: Color) -> Combo {
        Combo(combo_of(half(self.combos[point.idx() & 511], color)) as u16)
    }

    /// Returns the empty points where a stone of `color` makes `class`.
    #[inline]
    pub fn points_of(&self, color: Color, class: Class) -> &PointSet {
        &self.kinds[16 * color.idx() + number_of(class)].points
    }

    /// Returns the number of empty points where a stone of `color` makes `class`.
    #[inline]
    pub fn count_of(&self, color: Color, class: Class) -> usize {
        usize::from(self.kinds[16 * color.idx() + number_of(class)].count)
    }

    /// Returns the two sums of the weights of all empty points for `color`; see [`Tables::with_weights`].
    #[inline]
    pub fn weight_sums(&self, color: Color) -> [i32; 2] {
        let sum = self.sums[color.idx()];
        let first = sum as i32;
        [first, ((sum - i64::from(first)) >> 32) as i32]
    }

    /// Returns the last stone placed, if it was placed by [`Board::play`] or [`Board::place`].
    #[inline]
    pub fn last_move(&self) -> Option<(Point, Color)> {
        self.frames.last().map(|frame| (frame.point, frame.color))
    }

    /// Returns the stones in the order in which they were placed.
    pub fn history(&self) -> Vec<(Point, Color)> {
        self.frames
            .iter()
            .map(|frame| (frame.point, frame.color))
            .collect()
    }

    /// Returns the key of the stones, rule set and size without the side to move.
    #[inline]
    pub fn stones_key(&self) -> u64 {
        self.key
    }

    /// Returns what [`Board::stones_key`] would be with a stone of `color` on the empty `point`.
    #[inline]
    pub fn stones_key_with(&self, point: Point, color: Color) -> u64 {
        self.key ^ zobrist::stone(point, color)
    }

    /// Plays `point` for the side to move.
    ///
    /// In Renju a forbidden point may be played, and loses at once.
    ///
    /// # Errors
    ///
    /// [`PlayError`] if the point is outside or occupied, or the game is over.
    pub fn play(&mut self, point: Point) -> Result<(), PlayError> {
        if let Some(end) = self.end {
            return Err(PlayError::Over(end));
        }
        if !point.is_on(self.size) {
            return Err(PlayError::Outside {
                point,
                size: self.size,
            });
        }
        if !self.is_empty(point) {
            return Err(PlayError::Occupied(point));
        }
        let end = self.end_after(point);
        self.place(point, self.side);
        self.side = !self.side;
        self.end = end;
        Ok(())
    }

    /// Takes back the last move played and returns it, or `None` if there is none.
    pub fn undo_move(&mut self) -> Option<Point> {
        let color = self.frames.last()?.color;
        let point = self.unplace();
        self.side = color;
        point
    }

    /// Lets the other side move without placing a stone: for asking what a side threatens.
    #[inline]
    pub fn pass_turn(&mut self) {
        self.side = !self.side;
    }

    /// Returns how the game would end if the side to move played the empty `point`.
    fn end_after(&mut self, point: Point) -> Option<End> {
        match self.class(point, self.side) {
            Class::Five => Some(End::Five(self.side)),
            Class::Forbidden => Some(End::Forbidden),
            Class::Doubtful if self.is_forbidden(point) => Some(End::Forbidden),
            _ if self.n_empty == 1 => Some(End::Full),
            _ => None,
        }
    }
}
