//! Positions from stones in any order.

use super::{Board, End};
use crate::{Color, NaiveBoard, Point, tables::Tables};
use std::sync::Arc;

/// Why stones do not make a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// The board has no such size.
    #[error("a board of {size}x{size} points is not supported: the edge must be 5 to 20")]
    Size {
        /// Edge asked for, in points.
        size: u32,
    },
    /// A stone lies outside the board.
    #[error("stone {nth} at {point} is outside the {size}x{size} board")]
    Outside {
        /// Which stone, from 1.
        nth: usize,
        /// Where it should lie.
        point: Point,
        /// Edge of the board in points.
        size: u8,
    },
    /// Two stones lie on one point.
    #[error("stone {nth} at {point} lies on another stone")]
    Occupied {
        /// Which stone, from 1.
        nth: usize,
        /// Where it should lie.
        point: Point,
    },
}

impl Board {
    /// Returns the position with `stones` on it and `side` to move; any number of either color is accepted.
    ///
    /// The game is over if a color has a winning row (the opponent of `side` where both have one) or no point is
    /// empty.
    ///
    /// # Errors
    ///
    /// [`SetupError`] for a size that is not supported, a stone outside or two stones on one point.
    pub fn from_stones(
        tables: Arc<Tables>,
        size: u8,
        stones: &[(Point, Color)],
        side: Color,
    ) -> Result<Self, SetupError> {
        let mut board = Self::with_tables(tables, size)?;
        let mut naive = NaiveBoard::new(board.rule(), size);
        for (i, &(point, color)) in stones.iter().enumerate() {
            if !point.is_on(size) {
                return Err(SetupError::Outside {
                    nth: i + 1,
                    point,
                    size,
                });
            }
            if !board.is_empty(point) {
                return Err(SetupError::Occupied { nth: i + 1, point });
            }
            board.place(point, color);
            naive.set(point, Some(color));
        }
        board.side = side;
        board.end = if naive.has_five(!side) {
            Some(End::Five(!side))
        } else if naive.has_five(side) {
            Some(End::Five(side))
        } else {
            (board.n_empty == 0).then_some(End::Full)
        };
        Ok(board)
    }
}
