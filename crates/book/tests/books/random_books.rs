//! Random books for the other tests.

use outflank_book::{Book, Count, Fact, Kind, Slot, Worth};
use outflank_game::SplitMix64;
use outflank_othello::Board;

/// Returns a position with so many empty squares in which a disc can be placed.
pub(crate) fn endgame(random: &mut SplitMix64, least: u32, most: u32) -> Board {
    loop {
        let wanted = least + random.below((most - least + 1) as usize) as u32;
        let mut board = Board::start();
        while board.empties().count() > wanted && !board.is_game_over() {
            board = play_random(board, random);
        }
        if board.empties().count() == wanted && !board.legal_moves().is_empty() {
            return board;
        }
    }
}

/// Returns the board after a random move or the pass.
pub(crate) fn play_random(board: Board, random: &mut SplitMix64) -> Board {
    let moves: Vec<_> = board.legal_moves().into_iter().collect();
    if moves.is_empty() {
        return board.passed();
    }
    let square = moves[random.below(moves.len())];
    board.play_unchecked(square, board.flips(square))
}

/// Returns a random fact.
pub(crate) fn fact(book: &mut Book, random: &mut SplitMix64) -> Fact {
    let source = ["a", "b", "c"][random.below(3)];
    let source = book.source(source).expect("there is room");
    let kinds = [
        Kind::Estimate,
        Kind::Estimate,
        Kind::Estimate,
        Kind::ToEnd,
        Kind::Claimed,
        Kind::Manual,
        Kind::Exact,
    ];
    let kind = kinds[random.below(7)];
    let value = if kind == Kind::Exact {
        (random.below(129) as i32 - 64) * 128
    } else {
        random.below(1600) as i32 - 800
    };
    let confidence = [0, 73, 95, 99][random.below(4)];
    Fact::new(
        value,
        Worth::new(kind, random.below(30) as u32, confidence),
        source,
    )
}

/// Adds random facts about `board` and what can come after it.
pub(crate) fn grow(book: &mut Book, board: Board, random: &mut SplitMix64, depth: u32) {
    let board = if board.legal_moves().is_empty() {
        board.passed()
    } else {
        board
    };
    if board.legal_moves().is_empty() {
        return;
    }
    book.add_position(board).expect("a disc can be placed");
    if random.below(3) == 0 {
        let rest = fact(book, random);
        book.add(board, Slot::Rest, rest).expect("a disc can be placed");
    }
    if random.below(8) == 0 {
        let own = fact(book, random);
        book.add(board, Slot::Position, own)
            .expect("a disc can be placed");
    }
    for square in board.legal_moves() {
        if random.below(3) > 0 {
            let fact = fact(book, random);
            book.add(board, Slot::Move(square), fact).expect("legal");
        }
        if random.below(5) == 0 {
            let count = Count {
                games: random.below(1000) as u32,
                mean: random.below(8000) as i16 - 4000,
            };
            book.add_count(board, square, count).expect("legal");
        }
        if depth > 0 && random.below(5) < 2 {
            let next = board.play_unchecked(square, board.flips(square));
            grow(book, next, random, depth - 1);
        }
    }
}
