//! Games made up by a seed, for the tests of queries: few players, many shared positions, all kinds of ends.

use crate::{Entry, Filter, Flags, naive::Game};
use outflank_othello::{Color, Discs, Move, Position, Setup, Square, Symmetry};

/// Numbers that look random (splitmix64).
#[derive(Clone, Debug)]
pub struct Numbers(u64);

impl Numbers {
    /// Returns the numbers of a seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns a number below `limit`, which is not 0.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut x = self.0;
        x = (x ^ x >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((x ^ x >> 31) % limit as u64) as usize
    }

    /// Returns whether something happens that does so once in `n` times.
    pub fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// Returns one of these.
    pub fn one<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}

const PLAYERS: [&str; 9] = [
    "Ada",
    "ADA",
    "Bob Hill",
    "bob hill",
    "Éva",
    "Eva",
    "Zoe Bell",
    "Program 1",
    "",
];
const EVENTS: [&str; 5] = ["World 2001", "Open", "OPEN", "Café Cup", ""];

/// Makes up games from sources of some 20 games each.
pub fn games(seed: u64, n: usize) -> Vec<Game> {
    let mut numbers = Numbers::new(seed);
    let mut games: Vec<Game> = Vec::new();
    for i in 0..n {
        let source = format!("file-{}.ggf", i / 20);
        let number = (i % 20) as u32 + 1;
        let mut entry = match numbers.below(12) {
            0 if i > 0 => numbers.one(&games).entry.clone(),
            _ => entry(&mut numbers),
        };
        entry.number = number;
        games.push(Game { source, entry });
    }
    games
}

fn entry(numbers: &mut Numbers) -> Entry {
    let start = if numbers.once_in(10) {
        other_start()
    } else {
        Position::start()
    };
    let mut game = outflank_othello::Game::from_position(start);
    let length = if numbers.once_in(3) { numbers.below(60) } else { 60 };
    let symmetry = *numbers.one(&Symmetry::OF_START);
    for i in 0..length {
        let moves = game.position().board().legal_moves();
        if game.position().board().must_pass() {
            game.play(Move::Pass).expect("forced");
            continue;
        }
        let squares: Vec<Square> = Square::ALL.into_iter().filter(|&s| moves.contains(s)).collect();
        if squares.is_empty() {
            break;
        }
        // A few moves at first, so that many games share positions.
        let choice = if i < 12 {
            2.min(squares.len())
        } else {
            squares.len()
        };
        game.place(squares[numbers.below(choice)]).expect("legal");
    }
    if *game.start() == Position::start() {
        let mut image = outflank_othello::Game::new();
        for square in game.moves().iter().filter_map(|mv| mv.square()) {
            image
                .place(symmetry.square(square))
                .expect("legal from every side");
        }
        game = image;
    }
    let mut entry = Entry::of_game(&game);
    let black: &&str = numbers.one(&PLAYERS);
    entry.black.push_str(black);
    let white: &&str = numbers.one(&PLAYERS);
    entry.white.push_str(white);
    let event: &&str = numbers.one(&EVENTS);
    entry.event.push_str(event);
    if !numbers.once_in(5) {
        entry.date.year = 1999 + numbers.below(4) as u16;
        entry.date.month = numbers.below(13) as u8;
        entry.date.day = if entry.date.month > 0 {
            numbers.below(29) as u8
        } else {
            0
        };
    }
    if numbers.once_in(2) {
        entry.theoretical = Some((Discs::saturating(numbers.below(33) as i32 * 2 - 32), 24));
    }
    if !entry.flags.has(Flags::FINISHED) {
        let margin = numbers.below(17) as i32 * 2 - 16;
        let winner = match margin {
            0 => None,
            1.. => Some(Color::Black),
            _ => Some(Color::White),
        };
        match numbers.below(3) {
            0 => {}
            1 => entry.flags = entry.flags.with(Flags::EARLY, true).with_winner(Some(winner)),
            _ => {
                entry.result = Some(Discs::saturating(margin));
                entry.flags = entry.flags.with_winner(Some(winner));
            }
        }
        // A tie by which nobody gave up has a margin.
        if entry.flags.winner() == Some(None) {
            entry.result = Some(Discs::ZERO);
            entry.flags = entry.flags.with(Flags::EARLY, false);
        }
    }
    entry.flags = entry.flags.with(Flags::XOT, numbers.once_in(4));
    if numbers.once_in(6) {
        entry
            .tags
            .push(("RB".to_owned(), format!("{}", 1000 + numbers.below(900))));
    }
    entry
}

/// A start that is not symmetric, with white to move.
fn other_start() -> Position {
    let square = |square: Square| 1u64 << square.index();
    let setup = Setup {
        black: outflank_othello::Bitboard::new(square(Square::D4) | square(Square::E5) | square(Square::F5)),
        white: outflank_othello::Bitboard::new(square(Square::D5) | square(Square::E4)),
        side: Color::White,
    };
    setup.build().expect("no discs overlap")
}

/// Makes up a filter.
pub fn filter(numbers: &mut Numbers) -> Filter {
    let mut text = |choices: &[&str], often: usize| {
        (!choices.is_empty() && numbers.once_in(often)).then(|| (*numbers.one(choices)).to_owned())
    };
    let player = text(
        &["ada", "bob", "=Éva", "eva", "zoe b", "=ADA", "nobody", "p 1"],
        3,
    );
    let opponent = text(&["ada", "hill", "=eva", "eva"], 6);
    let event = text(&["open", "world", "cafe", "=Café cup"], 5);
    let source = text(&["file-1.ggf", "file"], 6);
    let first = 1998 + numbers.below(5) as u16;
    let low = numbers.below(129) as i32 - 64;
    Filter {
        player,
        color: [None, None, Some(Color::Black), Some(Color::White)][numbers.below(4)],
        opponent,
        event,
        source,
        years: numbers
            .once_in(4)
            .then(|| first..=first + numbers.below(4) as u16),
        result: match numbers.below(6) {
            0 => Some(1..=64),
            1 => Some(0..=0),
            2 => Some(low..=(low + 40).min(64)),
            _ => None,
        },
        min_discs: if numbers.once_in(4) {
            numbers.below(65) as u8
        } else {
            0
        },
        finished: numbers.once_in(5),
        xot: [None, None, None, Some(true), Some(false)][numbers.below(5)],
        duplicates: numbers.once_in(2),
    }
}

/// Returns a position of one of the games, more often an early one, seen from any side.
pub fn position(numbers: &mut Numbers, games: &[Game]) -> Position {
    let moves = &numbers.one(games).entry.moves;
    let steps: Vec<crate::Step> = moves.replay().collect();
    let limit = if numbers.once_in(3) {
        steps.len()
    } else {
        steps.len().min(14)
    };
    let step = steps[numbers.below(limit)];
    let symmetry = *numbers.one(&Symmetry::ALL);
    Position::new(step.board.transformed(symmetry), step.side)
}
