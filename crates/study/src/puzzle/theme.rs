//! What a puzzle is about, found by what its best move does.

use outflank_othello::{Bitboard, Board, Square};
use std::fmt;

/// What a puzzle is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Theme {
    /// Only one move wins.
    Win,
    /// Only one move draws.
    Draw,
    /// It takes a corner.
    Corner,
    /// It goes to an X-square beside an empty corner.
    XSquare,
    /// It goes to a C-square beside an empty corner.
    CSquare,
    /// It gives the opponent a corner.
    Sacrifice,
    /// The opponent has to pass.
    Pass,
    /// The opponent has one answer only.
    Squeeze,
    /// It turns discs only that have no empty square beside them.
    Quiet,
    /// It leaves an even number of squares in every region.
    Parity,
    /// The opponent cannot play in a region.
    Access,
}

impl Theme {
    /// Every theme.
    pub const ALL: [Self; 11] = [
        Self::Win,
        Self::Draw,
        Self::Corner,
        Self::XSquare,
        Self::CSquare,
        Self::Sacrifice,
        Self::Pass,
        Self::Squeeze,
        Self::Quiet,
        Self::Parity,
        Self::Access,
    ];

    /// Returns its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Win => "win",
            Self::Draw => "draw",
            Self::Corner => "corner",
            Self::XSquare => "x-square",
            Self::CSquare => "c-square",
            Self::Sacrifice => "sacrifice",
            Self::Pass => "pass",
            Self::Squeeze => "squeeze",
            Self::Quiet => "quiet",
            Self::Parity => "parity",
            Self::Access => "access",
        }
    }

    /// Returns the theme of this name.
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|theme| theme.name() == name)
    }

    /// Returns what the best move of `board` is about; the values are its and the second best move's.
    pub fn found(board: Board, best: Square, value: i32, second: i32) -> Vec<Self> {
        let flips = board.flips(best);
        let after = board.play_unchecked(best, flips);
        let answers = after.legal_moves();
        let beside_corner =
            !(Bitboard::from_square(best).neighbors() & Bitboard::CORNERS & board.empties()).is_empty();
        let corners = |board: Board| board.legal_moves() & Bitboard::CORNERS;
        let gives = !(corners(after) & !corners(board.passed())).is_empty();
        // Regions that the opponent could play in now, and cannot after the move.
        let closed = after.regions().into_iter().any(|region| {
            !region.intersects(answers)
                && region.intersects(board.passed().legal_moves())
                && region.count() > 1
        });
        let holds = |theme: &Self| match theme {
            Self::Win => value > 0 && second <= 0,
            Self::Draw => value == 0 && second < 0,
            Self::Corner => Bitboard::CORNERS.contains(best),
            Self::XSquare => Bitboard::X_SQUARES.contains(best) && beside_corner,
            Self::CSquare => Bitboard::C_SQUARES.contains(best) && beside_corner,
            Self::Sacrifice => gives,
            Self::Pass => answers.is_empty() && !after.is_game_over(),
            Self::Squeeze => answers.count() == 1,
            Self::Quiet => !flips.intersects(after.empties().neighbors()),
            Self::Parity => after.odd_regions().is_empty(),
            Self::Access => closed && !answers.is_empty(),
        };
        Self::ALL.into_iter().filter(holds).collect()
    }
}

impl fmt::Display for Theme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
