//! Drawing boards as text.

use outflank_othello::{Bitboard, Color, Game, Move, Position, Square};
use std::fmt::Write;

/// Draws the board with its coordinates: `X` black, `O` white, `·` a legal move, `-` another empty square.
///
/// With `color`, discs and moves are set apart by weight and hue; the letters stay, so that nothing depends on
/// seeing colors. `last` is marked by brackets.
pub(crate) fn board(position: &Position, last: Option<Move>, color: bool) -> String {
    let legal = if position.is_game_over() {
        Bitboard::EMPTY
    } else {
        position.board().legal_moves()
    };
    let last = last.and_then(Move::square);
    let mut text = String::from("   a b c d e f g h\n");
    for row in 0..8 {
        write!(text, " {}", row + 1).expect("writing to a string");
        let mut bracket = false;
        for column in 0..8 {
            let square = Square::from_index_wrapping(row * 8 + column);
            let is_last = last == Some(square);
            text.push(match (bracket, is_last) {
                (true, _) => ')',
                (_, true) => '(',
                _ => ' ',
            });
            bracket = is_last;
            let (symbol, style) = match position.disc_at(square) {
                Some(Color::Black) => ('X', "\x1b[1;36m"),
                Some(Color::White) => ('O', "\x1b[1;33m"),
                None if legal.contains(square) => ('·', "\x1b[1m"),
                None => ('-', "\x1b[2m"),
            };
            if color {
                write!(text, "{style}{symbol}\x1b[0m").expect("writing to a string");
            } else {
                text.push(symbol);
            }
        }
        text.push(if bracket { ')' } else { ' ' });
        writeln!(text, "{}", row + 1).expect("writing to a string");
    }
    text.push_str("   a b c d e f g h");
    text
}

/// Says in one line who is to move and how many moves there are, or how the game ended.
pub(crate) fn status(position: &Position) -> String {
    let (black, white) = (
        position.discs(Color::Black).count(),
        position.discs(Color::White).count(),
    );
    let counts = format!("black {black}, white {white}, empty {}", 64 - black - white);
    if let Some(result) = Game::from_position(*position).result() {
        let winner = result
            .winner
            .map_or("a draw".to_owned(), |winner| format!("{winner} wins"));
        let raw = if result.raw_difference == result.discs.get() {
            String::new()
        } else {
            format!(" (on the board {:+})", result.raw_difference)
        };
        return format!("game over: {winner}, {} for black{raw}; {counts}", result.discs);
    }
    let side = position.side();
    match position.board().legal_moves().count() {
        0 => format!("{side} to move must pass; {counts}"),
        1 => format!("{side} to move, 1 legal move; {counts}"),
        n => format!("{side} to move, {n} legal moves; {counts}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_position_is_drawn() {
        let expected = "   a b c d e f g h
 1 - - - - - - - - 1
 2 - - - - - - - - 2
 3 - - - · - - - - 3
 4 - - · O X - - - 4
 5 - - - X O · - - 5
 6 - - - - · - - - 6
 7 - - - - - - - - 7
 8 - - - - - - - - 8
   a b c d e f g h";
        assert_eq!(board(&Position::start(), None, false), expected);
        assert_eq!(
            status(&Position::start()),
            "black to move, 4 legal moves; black 2, white 2, empty 60"
        );
    }

    #[test]
    fn the_last_move_is_in_brackets() {
        let mut position = Position::start();
        position.play(Square::F5.into()).expect("f5 is legal");
        let text = board(&position, Some(Square::F5.into()), false);
        assert!(text.contains(" 5 - - - X X(X)- - 5"), "{text}");
    }

    #[test]
    fn the_end_says_who_wins() {
        let one = Position::new(
            outflank_othello::Board::new(Square::A1.into(), Bitboard::EMPTY).expect("disjoint"),
            Color::White,
        );
        assert_eq!(
            status(&one),
            "game over: white wins, -64 for black (on the board -1); black 0, white 1, empty 63"
        );
    }
}
