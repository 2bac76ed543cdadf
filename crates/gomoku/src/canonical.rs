//! Shapes of stones, the same wherever they lie and however they are turned.
//!
//! The shape of a position is its stones relative to their bounding box, in the one of the eight orientations that
//! sorts first, together with the distances of the box from the four edges. A distance counts only up to
//! [`EDGE`] points: farther away the edge makes no difference to an opening, nearer it does, so that a shape pushed
//! against an edge is another shape.

use crate::{Board, Color, Point, Rule, Symmetry};
use std::{fmt, str::FromStr};

/// Distance from an edge, in points, from which on the edge no longer matters.
pub const EDGE: u8 = 5;

/// A shape: what an opening table is looked up by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShapeKey {
    rule: Rule,
    /// Columns and rows of the bounding box.
    extent: (u8, u8),
    /// Free columns and rows left, right, below and above the box, at most [`EDGE`].
    edges: [u8; 4],
    /// Offsets from the lowest corner of the box, and colors.
    stones: Vec<(u8, u8, Color)>,
    side: Color,
}

/// How the canonical shape lies on a board: takes offsets in the shape to points and back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    symmetry: Symmetry,
    /// Lowest corner of the box after the symmetry.
    corner: (i32, i32),
    size: u8,
}

impl Frame {
    /// Returns the point at `offset` (columns, rows) from the corner of the shape, or `None` outside the board.
    pub fn point(&self, offset: (i32, i32)) -> Option<Point> {
        let size = i32::from(self.size);
        let turned = (self.corner.0 + offset.0, self.corner.1 + offset.1);
        if !(0..size).contains(&turned.0) || !(0..size).contains(&turned.1) {
            return None;
        }
        let (x, y) = self.symmetry.inverse().apply_xy(turned, size);
        Point::new(x as u8, y as u8)
    }

    /// Returns the offset of `point` from the corner of the shape.
    pub fn offset(&self, point: Point) -> (i32, i32) {
        let (x, y) = self
            .symmetry
            .apply_xy((i32::from(point.x()), i32::from(point.y())), i32::from(self.size));
        (x - self.corner.0, y - self.corner.1)
    }
}

impl ShapeKey {
    /// Returns the rule set.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// Returns the number of stones.
    pub fn n_stones(&self) -> usize {
        self.stones.len()
    }

    /// Returns the side to move.
    pub fn side(&self) -> Color {
        self.side
    }

    /// Returns a position of this shape on a board of `size` points, as near to the middle as the shape may lie; `None` if
    /// it does not fit.
    pub fn placed_on(&self, size: u8) -> Option<Vec<(Point, Color)>> {
        let corner = |extent: u8, low: u8, high: u8| {
            let free = size.checked_sub(extent)?;
            let at = match (low < EDGE, high < EDGE) {
                (true, _) => low,
                (false, true) => free.checked_sub(high)?,
                (false, false) => free / 2,
            };
            // The other distance must be the shape's, too.
            (at.min(EDGE) == low && free.checked_sub(at)?.min(EDGE) == high).then_some(at)
        };
        let [left, right, below, above] = self.edges;
        let x = corner(self.extent.0, left, right)?;
        let y = corner(self.extent.1, below, above)?;
        self.stones
            .iter()
            .map(|&(dx, dy, color)| Some((Point::new(x + dx, y + dy)?, color)))
            .collect()
    }
}

/// Returns the shape of the stones of `board`, and how it lies there; `None` without stones.
///
/// Where the shape is symmetric several frames are equally good: the first in the order of [`Symmetry::ALL`] is taken.
pub fn shape_of(board: &Board) -> Option<(ShapeKey, Frame)> {
    let (key, frames) = frames_of(board)?;
    Some((key, *frames.first()?))
}

/// Returns the shape of the stones of `board`, and every way in which it lies there; `None` without stones.
///
/// A shape without a symmetry of its own lies in one way.
pub fn frames_of(board: &Board) -> Option<(ShapeKey, Vec<Frame>)> {
    let mut found: Option<(ShapeKey, Vec<Frame>)> = None;
    for (key, frame) in Symmetry::ALL
        .into_iter()
        .filter_map(|symmetry| turned_shape(board, symmetry))
    {
        match &mut found {
            Some((least, frames)) if key == *least => frames.push(frame),
            Some((least, _)) if key > *least => {}
            _ => found = Some((key, vec![frame])),
        }
    }
    found
}

fn turned_shape(board: &Board, symmetry: Symmetry) -> Option<(ShapeKey, Frame)> {
    let size = i32::from(board.size());
    let mut stones = Vec::new();
    for color in Color::BOTH {
        for point in board.stones(color) {
            let (x, y) = symmetry.apply_xy((i32::from(point.x()), i32::from(point.y())), size);
            stones.push((x, y, color));
        }
    }
    let left = stones.iter().map(|stone| stone.0).min()?;
    let right = stones.iter().map(|stone| stone.0).max()?;
    let low = stones.iter().map(|stone| stone.1).min()?;
    let high = stones.iter().map(|stone| stone.1).max()?;
    let edges = [left, size - 1 - right, low, size - 1 - high].map(|free| free.min(i32::from(EDGE)) as u8);
    let mut offsets: Vec<(u8, u8, Color)> = stones
        .into_iter()
        .map(|(x, y, color)| ((x - left) as u8, (y - low) as u8, color))
        .collect();
    offsets.sort_unstable();
    let key = ShapeKey {
        rule: board.rule(),
        extent: ((right - left + 1) as u8, (high - low + 1) as u8),
        edges,
        stones: offsets,
        side: board.side(),
    };
    Some((
        key,
        Frame {
            symmetry,
            corner: (left, low),
            size: board.size(),
        },
    ))
}

/// A text that is no shape.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is no shape: expected RULE SIDE LEFT,RIGHT,BELOW,ABOVE and stones such as 0,0X")]
pub struct ParseShapeError {
    /// The offending text.
    pub text: String,
}

impl fmt::Display for ShapeKey {
    /// Writes `freestyle O 5,5,5,5 0,0X`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |color: Color| if color == Color::Black { 'X' } else { 'O' };
        let [left, right, below, above] = self.edges;
        write!(
            f,
            "{} {} {left},{right},{below},{above}",
            self.rule,
            letter(self.side)
        )?;
        self.stones
            .iter()
            .try_for_each(|&(x, y, color)| write!(f, " {x},{y}{}", letter(color)))
    }
}

impl FromStr for ShapeKey {
    type Err = ParseShapeError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fail = || ParseShapeError {
            text: text.chars().take(60).collect(),
        };
        let color = |letter: &str| match letter {
            "X" => Some(Color::Black),
            "O" => Some(Color::White),
            _ => None,
        };
        let mut words = text.split_whitespace();
        let rule = words.next().and_then(|word| word.parse().ok()).ok_or_else(fail)?;
        let side = words.next().and_then(color).ok_or_else(fail)?;
        let edges: Vec<u8> = words
            .next()
            .ok_or_else(fail)?
            .split(',')
            .filter_map(|word| word.parse().ok())
            .collect();
        let edges = <[u8; 4]>::try_from(edges).map_err(|_| fail())?;
        let mut stones = Vec::new();
        for word in words {
            let at = word
                .len()
                .checked_sub(1)
                .filter(|&at| word.is_char_boundary(at))
                .ok_or_else(fail)?;
            let (point, letter) = word.split_at(at);
            let (x, y) = point.split_once(',').ok_or_else(fail)?;
            let parse = |word: &str| word.parse::<u8>().ok().filter(|&value| value < crate::MAX_SIZE);
            let stone = parse(x).zip(parse(y)).zip(color(letter)).ok_or_else(fail)?;
            stones.push((stone.0.0, stone.0.1, stone.1));
        }
        stones.sort_unstable();
        let extent = (
            stones.iter().map(|stone| stone.0).max().ok_or_else(fail)? + 1,
            stones.iter().map(|stone| stone.1).max().ok_or_else(fail)? + 1,
        );
        Ok(Self {
            rule,
            extent,
            edges,
            stones,
            side,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(stones: &[(i32, i32)], size: u8) -> Board {
        let mut board = Board::new(Rule::Freestyle, size).expect("size");
        for &(x, y) in stones {
            board
                .play(Point::new(x as u8, y as u8).expect("on board"))
                .expect("legal");
        }
        board
    }

    #[test]
    fn turned_and_shifted_shapes_are_one_shape() {
        let stones = [(7, 7), (8, 8), (9, 7), (7, 9)];
        let (key, frame) = shape_of(&board(&stones, 20)).expect("stones");
        for symmetry in Symmetry::ALL {
            for shift in [(0, 0), (1, -1), (3, 2), (-2, 3)] {
                let moved = stones.map(|(x, y)| symmetry.apply_xy((x + shift.0, y + shift.1), 20));
                let (other, other_frame) = shape_of(&board(&moved, 20)).expect("stones");
                assert_eq!(key, other);
                // The same offset is the image of the same point.
                let reply = Point::new(9, 9).expect("on board");
                let there = other_frame.point(frame.offset(reply)).expect("on board");
                let (x, y) = symmetry.apply_xy((9 + shift.0, 9 + shift.1), 20);
                assert_eq!((i32::from(there.x()), i32::from(there.y())), (x, y));
            }
        }
        assert_eq!(key.to_string().parse(), Ok(key));
    }

    #[test]
    fn a_shape_is_placed_where_it_belongs() {
        for corner in [(0, 0), (1, 4), (5, 5), (6, 8), (9, 2), (11, 12)] {
            let stones = [(0, 0), (1, 1), (2, 0)].map(|(x, y)| (x + corner.0, y + corner.1));
            let (key, _) = shape_of(&board(&stones, 15)).expect("stones");
            let placed = key.placed_on(15).expect("it fits");
            let again = Board::from_stones(crate::Tables::new(Rule::Freestyle), 15, &placed, key.side());
            assert_eq!(shape_of(&again.expect("a position")).expect("stones").0, key);
            assert!(key.placed_on(20).is_some(), "{key}");
            assert_eq!(key.placed_on(5), None, "no edge is so near");
        }
    }

    #[test]
    fn a_shape_against_the_edge_is_another_shape() {
        let stones = [(7, 7), (8, 8), (9, 7)];
        let (key, _) = shape_of(&board(&stones, 15)).expect("stones");
        let pushed = stones.map(|(x, y)| (x - 3, y));
        assert_ne!(shape_of(&board(&pushed, 15)).expect("stones").0, key);
        for text in [
            "",
            "freestyle",
            "freestyle X 1,2,3 0,0X",
            "freestyle X 5,5,5,5 0,0é",
            "go X 5,5,5,5 0,0X",
        ] {
            assert!(text.parse::<ShapeKey>().is_err(), "{text}");
        }
    }
}
