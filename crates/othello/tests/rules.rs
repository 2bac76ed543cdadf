//! The bitboards against the naive array, and the laws of every game.

use outflank_game::conformance;
use outflank_othello::{Bitboard, Board, Color, Move, Position, Square, kernels, naive::NaiveBoard};

/// A small deterministic generator for test positions.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

#[test]
fn othello_obeys_the_laws() {
    let coverage = conformance::check(&Position::start(), 60, 200, 1).unwrap();
    assert_eq!(coverage.finished, 60);
    assert!(coverage.passes > 5, "{coverage:?}");
}

#[test]
fn random_games_match_the_naive_board() {
    let mut random = Random(1);
    let mut passes = 0;
    for _ in 0..2000 {
        let mut position = Position::start();
        let mut naive = NaiveBoard::start();
        loop {
            assert_eq!(naive.to_board(), position.board());
            let squares: Bitboard = naive.legal_moves().into_iter().collect();
            assert_eq!(squares, position.board().legal_moves());
            assert_eq!(naive.is_game_over(), position.is_game_over());
            assert_eq!(naive.final_discs(), position.board().final_discs().get());
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[random.next() as usize % moves.len()];
            match mv {
                Move::Place(square) => {
                    let flips: Bitboard = naive.flips(square).into_iter().collect();
                    assert_eq!(flips, position.board().flips(square));
                    naive.place(square);
                }
                Move::Pass => {
                    passes += 1;
                    naive.pass();
                }
            }
            position.play(mv).unwrap();
        }
    }
    assert!(passes > 300);
}

#[test]
fn kernels_agree_on_arbitrary_boards() {
    let mut random = Random(2);
    for round in 0..100_000 {
        // Dense, sparse and one-sided boards, reachable or not.
        let (a, b, c) = (random.next(), random.next(), random.next());
        let occupied = [a, a | b, a & b, a | b | c][round % 4];
        let player = occupied & random.next();
        let opponent = occupied & !player;
        assert_eq!(
            kernels::legal_moves(player, opponent),
            kernels::portable::legal_moves(player, opponent)
        );
        #[cfg(target_feature = "sse4.1")]
        assert_eq!(
            kernels::pairs::legal_moves(player, opponent),
            kernels::portable::legal_moves(player, opponent)
        );
        let board = Board::new(Bitboard::new(player), Bitboard::new(opponent)).unwrap();
        let mut legal = Bitboard::EMPTY;
        for square in board.empties() {
            let flips = kernels::flips(square.index(), player, opponent);
            assert_eq!(
                flips,
                kernels::portable::flips(square.index(), player, opponent),
                "{board:?} {square}"
            );
            #[cfg(target_feature = "sse4.1")]
            assert_eq!(
                flips,
                kernels::pairs::flips(square.index(), player, opponent),
                "{board:?} {square}"
            );
            if flips != 0 {
                legal = legal.with(square);
            }
        }
        assert_eq!(legal, board.legal_moves());
        if round % 20 == 0 {
            let naive = NaiveBoard::from_position(&Position::new(board, Color::Black));
            for square in board.empties() {
                assert_eq!(
                    naive.flips(square).into_iter().collect::<Bitboard>(),
                    board.flips(square)
                );
            }
        }
    }
}

#[test]
fn start_position_text_round_trips() {
    let start = Position::start();
    assert_eq!(
        start.to_string(),
        "---------------------------OX------XO--------------------------- X"
    );
    assert_eq!(start.to_string().parse(), Ok(start));
    assert_eq!(
        start.legal_moves(),
        [Square::D3, Square::C4, Square::F5, Square::E6].map(Move::Place)
    );
}
