//! What follows from random books, the order of drop-out and the umigame numbers, against a book that is worked out by plain
//! recursion on an array of cells.

use super::random_books::{endgame, grow};
use outflank_book::{
    Book, Entry, Expected, Fact, Grade, Growth, Kind, Slot, UNITS, Worked, Worth, exits, to_discs, umigame,
};
use outflank_game::SplitMix64;
use outflank_othello::{Board, Color, Position, Square, Symmetry, naive::NaiveBoard};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// What the plain book says about a position.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Said {
    value: Option<i32>,
    low: i32,
    high: i32,
    proved: (i32, i32),
    grade: Option<Grade>,
    lines: u64,
}

/// The plain book: positions by board, nothing else remembered.
struct Plain<'a>(BTreeMap<Board, &'a Entry>);

/// Where a move leads: to the end, or to whoever moves next.
enum After {
    End(i32),
    Same(Board),
    Other(Board),
}

fn after(key: Board, square: Square) -> After {
    let mut board = NaiveBoard::from_position(&Position::new(key, Color::Black));
    board.place(square);
    if board.is_game_over() {
        // The player who placed the disc is black.
        let discs = board.final_discs();
        return After::End(if board.side == Color::Black { discs } else { -discs });
    }
    if board.legal_moves().is_empty() {
        board.pass();
        After::Same(board.to_board().canonical().0)
    } else {
        After::Other(board.to_board().canonical().0)
    }
}

/// Legal moves, of images only the first.
fn moves(key: Board) -> Vec<Square> {
    let board = NaiveBoard::from_position(&Position::new(key, Color::Black));
    let mut moves = board.legal_moves();
    moves.sort();
    let all = moves.clone();
    moves.retain(|&square| {
        !Symmetry::ALL.iter().any(|s| {
            key.transformed(*s) == key && s.square(square) < square && all.contains(&s.square(square))
        })
    });
    moves
}

fn exact(value: i32) -> Said {
    Said {
        value: Some(value),
        low: value,
        high: value,
        proved: (value / UNITS, value / UNITS),
        grade: Some(Grade::A),
        lines: 1,
    }
}

fn unknown() -> Said {
    Said {
        value: None,
        low: -8192,
        high: 8192,
        proved: (-64, 64),
        grade: None,
        lines: 0,
    }
}

fn said(fact: Fact) -> Said {
    if fact.worth.kind() == Kind::Exact {
        return exact(to_discs(fact.units()) * UNITS);
    }
    let margin = fact.worth.margin();
    Said {
        value: Some(fact.units()),
        low: (fact.units() - margin).max(-8192),
        high: (fact.units() + margin).min(8192),
        proved: (-64, 64),
        grade: Some(Grade::of(fact.worth)),
        lines: 1,
    }
}

fn within(mut said: Said) -> Said {
    let (low, high) = (said.proved.0 * UNITS, said.proved.1 * UNITS);
    if low <= high {
        said.value = said.value.map(|value| value.clamp(low, high));
        said.low = said.low.clamp(low, high);
        said.high = said.high.clamp(low, high);
    }
    said
}

impl Plain<'_> {
    fn of_move(&self, key: Board, square: Square) -> Said {
        let rest = self.0[&key].rest();
        let fact = self.0[&key].fact(Slot::Move(square)).map(|mut fact| {
            if let Some(rest) = rest
                && rest.worth > fact.worth
            {
                fact.value = fact.value.min(rest.value);
            }
            fact
        });
        let next = match after(key, square) {
            After::End(discs) => return exact(discs * UNITS),
            After::Same(next) => self.position(next),
            After::Other(next) => self.position(next).map(|said| Said {
                value: said.value.map(|value| -value),
                low: -said.high,
                high: -said.low,
                proved: (-said.proved.1, -said.proved.0),
                ..said
            }),
        };
        let next = next.unwrap_or_else(unknown);
        let is_proved = next.proved.0 == next.proved.1;
        match fact {
            Some(fact) if fact.worth.is_exact() => said(fact),
            Some(fact) if !is_proved && (fact.worth.kind() == Kind::Manual || next.value.is_none()) => {
                within(Said {
                    proved: next.proved,
                    ..said(fact)
                })
            }
            _ => next,
        }
    }

    fn position(&self, key: Board) -> Option<Said> {
        let entry = self.0.get(&key)?;
        let moves: Vec<(Square, Said)> = moves(key)
            .into_iter()
            .map(|square| (square, self.of_move(key, square)))
            .collect();
        let proved_low = moves.iter().map(|(_, said)| said.proved.0).max().expect("a move");
        let limit = |square, high: i32| match entry.rest() {
            Some(rest)
                if rest.worth.is_exact()
                    && entry
                        .fact(Slot::Move(square))
                        .is_none_or(|fact| fact.worth < rest.worth) =>
            {
                high.min(rest.units().div_euclid(UNITS))
            }
            _ => high,
        };
        let proved_high = moves
            .iter()
            .map(|&(square, said)| limit(square, said.proved.1))
            .max()
            .expect("a move");
        let valued: Vec<Said> = moves
            .iter()
            .map(|(_, said)| *said)
            .filter(|said| said.value.is_some())
            .collect();
        let lines = valued.iter().map(|said| said.lines).sum::<u64>();
        let own = entry.own();
        let all = match own {
            Some(own) if own.worth.is_exact() => Said {
                lines: lines.max(1),
                ..said(own)
            },
            Some(own)
                if valued.is_empty() || own.worth.kind() == Kind::Manual && proved_low < proved_high =>
            {
                Said {
                    lines: lines.max(1),
                    proved: (proved_low, proved_high),
                    ..said(own)
                }
            }
            _ if valued.is_empty() => {
                return Some(Said {
                    proved: (proved_low, proved_high),
                    ..unknown()
                });
            }
            _ => {
                let best = valued.iter().filter_map(|said| said.value).max().expect("some");
                let rest = entry
                    .rest()
                    .map_or(-8192, |rest| (rest.units() + rest.worth.margin()).min(8192));
                Said {
                    value: Some(best),
                    low: valued.iter().map(|said| said.low).max().expect("some"),
                    high: valued.iter().map(|said| said.high).max().expect("some").max(rest),
                    proved: (proved_low, proved_high),
                    grade: valued
                        .iter()
                        .filter(|said| said.value >= Some(best - UNITS))
                        .filter_map(|said| said.grade)
                        .max(),
                    lines,
                }
            }
        };
        Some(within(all))
    }

    /// The definition of the umigame number; the lines of whoever is to move come first.
    fn lines(&self, key: Board, budget: i32, until: u32) -> (u64, u64) {
        let here = self.position(key).and_then(|said| said.value);
        let Some(best) = here.filter(|_| key.occupied().count() < until) else {
            return (1, 1);
        };
        let mut all = Vec::new();
        for square in moves(key) {
            let Some(value) = self.of_move(key, square).value else {
                continue;
            };
            let loss = (to_discs(best) - to_discs(value)).max(0);
            if loss <= budget {
                all.push(match after(key, square) {
                    After::End(_) => (1, 1),
                    After::Same(next) => self.lines(next, budget - loss, until),
                    After::Other(next) => {
                        let (own, other) = self.lines(next, budget - loss, until);
                        (other, own)
                    }
                });
            }
        }
        if all.is_empty() {
            return (1, 1);
        }
        (
            all.iter().map(|lines| lines.0).min().expect("some"),
            all.iter().map(|lines| lines.1).sum(),
        )
    }
}

/// The order of drop-out by the algorithm of Dijkstra: the cheapest open position is closed, one after the other.
fn by_dijkstra(book: &Worked, plain: &Plain<'_>, root: Board, growth: &Growth) -> Vec<(u64, Board)> {
    let mut open = vec![(0_u64, root)];
    let (mut closed, mut out): (BTreeMap<Board, u64>, BTreeMap<Board, u64>) = Default::default();
    while let Some(place) = (0..open.len()).min_by_key(|&place| open[place]) {
        let (cost, key) = open.swap_remove(place);
        if closed.contains_key(&key) {
            continue;
        }
        closed.insert(key, cost);
        let Some(best) = book.derived(key).and_then(|derived| derived.value) else {
            continue;
        };
        for square in moves(key) {
            let Some(value) = plain.of_move(key, square).value else {
                continue;
            };
            let loss = (i32::from(best) - value).max(0);
            if loss > growth.loss {
                continue;
            }
            let cost = cost + 128_000 + u64::from(growth.per_disc) * loss as u64;
            if let After::Same(next) | After::Other(next) = after(key, square) {
                if book.derived(next).is_some() {
                    open.push((cost, next));
                } else if next.occupied().count() <= growth.until {
                    let known = out.entry(next).or_insert(cost);
                    *known = cost.min(*known);
                }
            }
        }
    }
    let mut order: Vec<(u64, Board)> = out.into_iter().map(|(next, cost)| (cost, next)).collect();
    order.sort();
    order
}

fn check(seed: u64) {
    let mut random = SplitMix64::new(seed);
    let root = endgame(&mut random, 8, 14);
    let mut book = Book::new();
    grow(&mut book, root, &mut random, 4);
    let worked = Worked::new(book.clone());
    let plain = Plain(book.iter().collect());
    for (key, _, derived) in worked.iter() {
        let said = plain.position(key).expect("it is there");
        let fast = Said {
            value: derived.value.map(i32::from),
            low: i32::from(derived.low),
            high: i32::from(derived.high),
            proved: (i32::from(derived.proved_low), i32::from(derived.proved_high)),
            grade: derived.grade,
            lines: u64::from(derived.lines),
        };
        assert_eq!(fast, said, "seed {seed}, {key:?}");
    }
    let root = root.canonical().0;
    let growth = Growth {
        loss: 1000,
        total: i32::MAX,
        until: 60,
        ..Growth::default()
    };
    let order: Vec<_> = exits(&worked, (root, Color::Black), &growth)
        .iter()
        .map(|exit| (exit.cost, exit.next))
        .collect();
    assert_eq!(order, by_dijkstra(&worked, &plain, root, &growth), "seed {seed}");
    for loss in [0, 3] {
        let expected = Expected { loss, until: 60 };
        let fast = umigame(&worked, root, Color::Black, expected).expect("it is there");
        let slow = plain.lines(root, loss as i32, 60);
        assert_eq!((fast.black, fast.white), slow, "seed {seed}");
        let turned = umigame(&worked, root, Color::White, expected).expect("it is there");
        assert_eq!((turned.white, turned.black), slow, "seed {seed}");
        assert!(fast.black_positions <= worked.book().len() as u64);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn random_books_follow_from_their_facts(seed in any::<u64>()) {
        check(seed);
    }
}

/// The whole proof: `cargo test -p outflank-book --test books two_thousand -- --ignored`.
#[test]
#[ignore = "2,000 books take a minute"]
fn two_thousand_random_books_follow_from_their_facts() {
    for seed in 0..2000 {
        check(seed);
    }
}

#[test]
fn what_is_proved_is_true() {
    for seed in 0..20 {
        let mut random = SplitMix64::new(seed);
        let root = endgame(&mut random, 6, 7);
        let mut book = Book::new();
        let source = book.source("solver").expect("room");
        let mut known = BTreeMap::new();
        let mut open = vec![root];
        while let Some(board) = open.pop() {
            let value =
                |board: Board| NaiveBoard::from_position(&Position::new(board, Color::Black)).minimax();
            if board.legal_moves().is_empty() {
                continue;
            }
            known.insert(board.canonical().0, value(board));
            book.add_position(board).expect("a move");
            for square in board.legal_moves() {
                let next = board.play_unchecked(square, board.flips(square));
                match random.below(4) {
                    0 => {
                        let fact = Fact::new(-value(next) * UNITS, Worth::EXACT, source);
                        book.add(board, Slot::Move(square), fact).expect("legal");
                    }
                    1 | 2 => open.push(if next.must_pass() { next.passed() } else { next }),
                    _ => {}
                }
            }
        }
        let worked = Worked::new(book);
        for (key, _, derived) in worked.iter() {
            let value = known[&key];
            assert!(i32::from(derived.proved_low) <= value, "seed {seed}");
            assert!(i32::from(derived.proved_high) >= value, "seed {seed}");
        }
    }
}
