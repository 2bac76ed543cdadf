//! Othello on an 8×8 array, one cell at a time: slow, and written to be obviously right.
//!
//! Nothing here shares code with the bitboards: it is the oracle that every fast routine is tested against, and the
//! baseline of the speed comparisons.

use crate::{Bitboard, Board, Color, Position, Square};

/// A board as eight rows of eight cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NaiveBoard {
    /// `cells[row][column]`; `None` is an empty square.
    pub cells: [[Option<Color>; 8]; 8],
    /// The color to move.
    pub side: Color,
}

/// The eight directions as steps of column and row.
const DIRECTIONS: [(i32, i32); 8] = [
    (1, 0),
    (1, 1),
    (0, 1),
    (-1, 1),
    (-1, 0),
    (-1, -1),
    (0, -1),
    (1, -1),
];

impl NaiveBoard {
    /// Returns the standard start position.
    pub fn start() -> Self {
        let mut cells = [[None; 8]; 8];
        cells[3][3] = Some(Color::White);
        cells[3][4] = Some(Color::Black);
        cells[4][3] = Some(Color::Black);
        cells[4][4] = Some(Color::White);
        Self {
            cells,
            side: Color::Black,
        }
    }

    /// Returns the same position on an array.
    pub fn from_position(position: &Position) -> Self {
        let mut cells = [[None; 8]; 8];
        for square in Square::ALL {
            cells[square.row()][square.column()] = position.disc_at(square);
        }
        Self {
            cells,
            side: position.side(),
        }
    }

    /// Returns whether a cell is on the board and holds a disc of this color.
    fn holds(&self, column: i32, row: i32, color: Color) -> bool {
        let on_board = (0..8).contains(&column) && (0..8).contains(&row);
        on_board && self.cells[row as usize][column as usize] == Some(color)
    }

    /// Returns the squares of the discs that a disc of the side to move on `square` would flip.
    pub fn flips(&self, square: Square) -> Vec<Square> {
        let mut flips = Vec::new();
        if self.cells[square.row()][square.column()].is_some() {
            return flips;
        }
        for (dx, dy) in DIRECTIONS {
            let mut run = Vec::new();
            let (mut column, mut row) = (square.column() as i32 + dx, square.row() as i32 + dy);
            while self.holds(column, row, !self.side) {
                run.push(Square::from_index_wrapping((row * 8 + column) as usize));
                column += dx;
                row += dy;
            }
            if self.holds(column, row, self.side) {
                flips.extend(run);
            }
        }
        flips
    }

    /// Returns the squares where the side to move may place a disc.
    pub fn legal_moves(&self) -> Vec<Square> {
        Square::ALL
            .into_iter()
            .filter(|&square| !self.flips(square).is_empty())
            .collect()
    }

    /// Places a disc of the side to move on `square`, flips, and gives the turn to the other side.
    pub fn place(&mut self, square: Square) {
        for flipped in self.flips(square) {
            self.cells[flipped.row()][flipped.column()] = Some(self.side);
        }
        self.cells[square.row()][square.column()] = Some(self.side);
        self.side = !self.side;
    }

    /// Gives the turn to the other side.
    pub fn pass(&mut self) {
        self.side = !self.side;
    }

    /// Returns whether neither side can place a disc.
    pub fn is_game_over(&self) -> bool {
        let mut other = self.clone();
        other.pass();
        self.legal_moves().is_empty() && other.legal_moves().is_empty()
    }

    /// Returns the number of discs of one color.
    pub fn count(&self, color: Color) -> i32 {
        self.cells
            .iter()
            .flatten()
            .filter(|&&cell| cell == Some(color))
            .count() as i32
    }

    /// Returns the margin for the side to move if the game ended here, the empties going to the winner.
    pub fn final_discs(&self) -> i32 {
        let (own, other) = (self.count(self.side), self.count(!self.side));
        match own.cmp(&other) {
            std::cmp::Ordering::Greater => 64 - 2 * other,
            std::cmp::Ordering::Less => 2 * own - 64,
            std::cmp::Ordering::Equal => 0,
        }
    }

    /// Returns the number of move sequences of `depth` plies; passes are plies, games that end earlier count one.
    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let moves = self.legal_moves();
        if moves.is_empty() {
            let mut passed = self.clone();
            passed.pass();
            return if passed.legal_moves().is_empty() {
                0
            } else {
                passed.perft(depth - 1)
            };
        }
        let mut leaves = 0;
        for square in moves {
            let mut next = self.clone();
            next.place(square);
            leaves += next.perft(depth - 1);
        }
        leaves
    }

    /// Returns the exact value for the side to move by plain minimax without any pruning.
    pub fn minimax(&self) -> i32 {
        let moves = self.legal_moves();
        if moves.is_empty() {
            let mut passed = self.clone();
            passed.pass();
            return if passed.legal_moves().is_empty() {
                self.final_discs()
            } else {
                -passed.minimax()
            };
        }
        let value = |square| {
            let mut next = self.clone();
            next.place(square);
            -next.minimax()
        };
        moves.into_iter().map(value).max().expect("there is a move")
    }

    /// Returns the same position on bitboards.
    pub fn to_board(&self) -> Board {
        let set = |color| -> Bitboard {
            Square::ALL
                .into_iter()
                .filter(|s| self.cells[s.row()][s.column()] == Some(color))
                .collect()
        };
        Board::new(set(self.side), set(!self.side)).expect("a cell holds one disc at most")
    }
}
