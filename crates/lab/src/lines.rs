//! The 38 lines of the board (rows, columns and diagonals of three squares or more), and their base-3 numbers.
//!
//! A line's number reads its squares as ternary digits, the first square lowest: 0 empty, 1 own, 2 other. There are
//! two ways to get it: square by square (slow, obvious), and by cutting the line's bits out of the two bitboards and
//! translating each through a table of 256 numbers, which is what source document B gains its factor with.

use outflank_othello::{Bitboard, Board, Square};

/// What a square of a line holds, or that the line has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Symbol {
    /// No disc: `-`.
    Empty = 0,
    /// A disc of the player in question: `X`.
    Own = 1,
    /// A disc of the other player: `O`.
    Other = 2,
    /// Beyond either end: `#`.
    Border = 3,
}

impl Symbol {
    /// All symbols by number.
    pub const ALL: [Self; 4] = [Self::Empty, Self::Own, Self::Other, Self::Border];

    /// Returns the character: `-`, `X`, `O` or `#`.
    pub const fn to_char(self) -> char {
        match self {
            Self::Empty => '-',
            Self::Own => 'X',
            Self::Other => 'O',
            Self::Border => '#',
        }
    }

    /// Returns the symbol of a character, if it is one.
    pub const fn from_char(c: char) -> Option<Self> {
        match c {
            '-' => Some(Self::Empty),
            'X' => Some(Self::Own),
            'O' => Some(Self::Other),
            '#' => Some(Self::Border),
            _ => None,
        }
    }
}

/// Number of lines of three squares or more.
pub const N_LINES: usize = 38;

/// How the squares of a line lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Row,
    Column,
    Diagonal,
}

/// One line of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardLine {
    /// Its squares, from left to right (columns: from top to bottom).
    pub squares: Vec<Square>,
    kind: Kind,
    mask: u64,
    /// Rows: index of the first square; columns and diagonals: the column of the first square.
    shift: usize,
}

/// Returns all lines: 8 rows, 8 columns, 11 falling and 11 rising diagonals.
pub fn all_lines() -> Vec<BoardLine> {
    let walk = |column: i32, row: i32, (dx, dy): (i32, i32)| -> Vec<Square> {
        let at = |step: i32| {
            let (column, row) = (column + dx * step, row + dy * step);
            let on_board = (0..8).contains(&column) && (0..8).contains(&row);
            on_board.then(|| Square::from_index_wrapping((row * 8 + column) as usize))
        };
        (0..8).map_while(at).collect()
    };
    let mut lines = Vec::with_capacity(N_LINES);
    for i in 0..8 {
        lines.push((Kind::Row, walk(0, i, (1, 0))));
        lines.push((Kind::Column, walk(i, 0, (0, 1))));
    }
    for i in 0..6 {
        lines.push((Kind::Diagonal, walk(i, 0, (1, 1))));
        lines.push((Kind::Diagonal, walk(i, 7, (1, -1))));
    }
    for i in 1..6 {
        lines.push((Kind::Diagonal, walk(0, i, (1, 1))));
        lines.push((Kind::Diagonal, walk(0, 7 - i, (1, -1))));
    }
    lines
        .into_iter()
        .map(|(kind, squares)| BoardLine {
            mask: squares.iter().copied().collect::<Bitboard>().bits(),
            shift: match kind {
                Kind::Row => squares[0].index(),
                Kind::Column | Kind::Diagonal => squares[0].column(),
            },
            kind,
            squares,
        })
        .collect()
}

/// `TERNARY[bits]` is the number whose ternary digits are the bits of the index, the lowest bit first.
const TERNARY: [u16; 256] = {
    let mut table = [0; 256];
    let mut bits = 1;
    while bits < 256 {
        table[bits] = 3 * table[bits / 2] + (bits % 2) as u16;
        bits += 1;
    }
    table
};

impl BoardLine {
    /// Returns the number of squares, 3 to 8.
    pub fn len(&self) -> usize {
        self.squares.len()
    }

    /// Returns whether the line has no squares, which no line of the board is.
    pub fn is_empty(&self) -> bool {
        self.squares.is_empty()
    }

    /// Returns what the squares hold, from the side of the player to move.
    pub fn symbols(&self, board: Board) -> Vec<Symbol> {
        let at = |&square: &Square| match (board.player().contains(square), board.opponent().contains(square))
        {
            (true, _) => Symbol::Own,
            (_, true) => Symbol::Other,
            _ => Symbol::Empty,
        };
        self.squares.iter().map(at).collect()
    }

    /// Returns the base-3 number, square by square.
    pub fn number_by_squares(&self, board: Board) -> usize {
        self.squares.iter().rev().fold(0, |number, &square| {
            let digit = usize::from(board.player().contains(square))
                + 2 * usize::from(board.opponent().contains(square));
            3 * number + digit
        })
    }

    /// Returns the base-3 number by bits.
    #[inline]
    pub fn number(&self, board: Board) -> usize {
        let own = self.extract(board.player().bits());
        let other = self.extract(board.opponent().bits());
        usize::from(TERNARY[own]) + 2 * usize::from(TERNARY[other])
    }

    /// Returns the line's bits next to each other, the first square lowest.
    #[inline]
    fn extract(&self, bits: u64) -> usize {
        let cut = match self.kind {
            Kind::Row => bits >> self.shift & 0xFF,
            // The product moves row r from bit 8r to bit 56 + r.
            Kind::Column => {
                (bits >> self.shift & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56
            }
            // A diagonal has one square per column: adding up the rows leaves the columns.
            Kind::Diagonal => (bits & self.mask).wrapping_mul(0x0101_0101_0101_0101) >> 56 >> self.shift,
        };
        cut as usize
    }
}

/// Returns the symbols of the line of `len` squares with this number.
pub fn symbols_of(mut number: usize, len: usize) -> Vec<Symbol> {
    let digit = |_| {
        let symbol = Symbol::ALL[number % 3];
        number /= 3;
        symbol
    };
    (0..len).map(digit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::random_positions;

    #[test]
    fn lines_cover_every_square_in_every_direction() {
        let lines = all_lines();
        assert_eq!(lines.len(), N_LINES);
        let n_squares: usize = lines.iter().map(BoardLine::len).sum();
        // Two full directions, and two that miss the diagonals of one and two squares in each corner pair.
        assert_eq!(n_squares, 64 + 64 + (64 - 6) * 2);
        assert!(
            lines
                .iter()
                .all(|line| (3..=8).contains(&line.len()) && !line.is_empty())
        );
    }

    #[test]
    fn numbers_by_bits_equal_numbers_by_squares() {
        let lines = all_lines();
        for position in random_positions(300, 0..60, 1) {
            for line in &lines {
                let number = line.number(position.board());
                assert_eq!(number, line.number_by_squares(position.board()), "{line:?}");
                assert_eq!(symbols_of(number, line.len()), line.symbols(position.board()));
            }
        }
    }
}
