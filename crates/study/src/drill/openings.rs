//! A repertoire from a book: one side's moves, against what the other side is likely to play.

use crate::tree::Prepared;
use outflank_book::{FileError, Look, Move as BookMove, UNITS, View, continuation};
use outflank_othello::{Board, Color, Game, Square};
use std::collections::BTreeMap;

/// What belongs to a repertoire.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scope {
    /// Whose moves are learned.
    pub side: Color,
    /// What an answer may lose to count as right, in units of a book.
    pub accepted: i32,
    /// What moves of the other side may lose, in units, where no games say how often they are played.
    pub expected: i32,
    /// The least chance that a game gets to a position.
    pub reach: f64,
    /// Discs on the board from which on nothing is to be known.
    pub until: u32,
}

impl Scope {
    /// Returns the usual scope for a side: answers that lose at most a disc, moves of the other side that lose at most two,
    /// positions that one game in 500 gets to, up to 30 discs.
    pub const fn of(side: Color) -> Self {
        Self {
            side,
            accepted: UNITS,
            expected: 2 * UNITS,
            reach: 1.0 / 500.0,
            until: 30,
        }
    }
}

/// A position that games get to.
struct Reached {
    game: Game,
    chance: f64,
}

/// Returns the positions of a book in which `scope.side` has to know an answer after `start`, each once up to symmetry, the
/// likeliest first.
///
/// One's own moves are the best ones, of equal ones that which was played most; any that loses little is accepted as an
/// answer. The other side plays what people play, or any good move where no games are counted.
///
/// # Errors
///
/// The book cannot be read.
pub fn from_book(book: &dyn Look, start: &Game, scope: &Scope) -> Result<Vec<Prepared>, FileError> {
    // Every move adds a disc, so that positions with as many discs are all there before the first of them is looked at.
    let mut layers: BTreeMap<u32, BTreeMap<Board, Reached>> = BTreeMap::new();
    let add = |layers: &mut BTreeMap<u32, BTreeMap<Board, Reached>>, game: Game, chance: f64| {
        let board = game.position().board();
        let layer = layers.entry(board.occupied().count()).or_default();
        let reached = layer
            .entry(board.canonical().0)
            .or_insert(Reached { game, chance: 0.0 });
        reached.chance += chance;
    };
    add(&mut layers, start.clone(), 1.0);
    let mut found: Vec<(f64, Prepared)> = Vec::new();
    while let Some((discs, layer)) = layers.pop_first() {
        if discs >= scope.until {
            break;
        }
        for (_, Reached { mut game, chance }) in layer {
            if chance < scope.reach {
                continue;
            }
            let forced = game.position().board().must_pass();
            if forced && game.play(outflank_othello::Move::Pass).is_err() {
                continue;
            }
            let board = game.position().board();
            let Some(view) = View::of(book, board)? else {
                continue;
            };
            let own = game.position().side() == scope.side;
            let next = if own {
                let Some(prepared) = prepared(book, &game, &view, scope.accepted) else {
                    continue;
                };
                let main = prepared.answers[0];
                found.push((chance, prepared));
                vec![(main, 1.0)]
            } else {
                expected(&view, scope.expected)
            };
            for (square, share) in next {
                let mut after = game.clone();
                if after.place(usual(board, square)).is_ok() {
                    add(&mut layers, after, chance * share);
                }
            }
        }
    }
    found.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    Ok(found.into_iter().map(|(_, prepared)| prepared).collect())
}

/// Returns the first move of a game as people play it, of its four images; any other move as it is.
fn usual(board: Board, square: Square) -> Square {
    if board == Board::start() {
        Square::F5
    } else {
        square
    }
}

/// Returns what is to be known of a position, if the book has a value for any of its moves.
fn prepared(book: &dyn Look, game: &Game, view: &View, accepted: i32) -> Option<Prepared> {
    let board = game.position().board();
    let least = view.moves.iter().filter_map(|mv| view.loss(mv)).min()?;
    let best = view
        .moves
        .iter()
        .filter(|mv| view.loss(mv) == Some(least))
        .max_by_key(|mv| (mv.count.games, std::cmp::Reverse(mv.square)))?;
    // Images of a move are as right as the one that the book has.
    let others = board.legal_moves().into_iter().filter(|&square| {
        let loss = view.find(square).and_then(|mv| view.loss(mv));
        square != usual(board, best.square) && loss.is_some_and(|loss| loss <= accepted.max(least))
    });
    Some(Prepared {
        position: *game.position(),
        line: game.transcript(),
        answers: std::iter::once(usual(board, best.square)).chain(others).collect(),
        comment: comment(book, board, best),
    })
}

/// Returns what the book says about a move.
fn comment(book: &dyn Look, board: Board, mv: &BookMove) -> String {
    let Some(units) = mv.units() else {
        return String::new();
    };
    let discs = f64::from(units) / f64::from(UNITS) + 0.0;
    let worth = if mv.derived.is_proved() {
        ", proved".to_owned()
    } else {
        let depth = continuation(book, board, mv).map(|line| line.depth);
        depth.map_or_else(String::new, |depth| format!(", depth {depth}"))
    };
    format!("{discs:+.1}{worth}")
}

/// Returns the moves that the other side may play, and how likely each is.
fn expected(view: &View, most: i32) -> Vec<(Square, f64)> {
    let games: u64 = view.moves.iter().map(|mv| u64::from(mv.count.games)).sum();
    if games > 0 {
        let played = view.moves.iter().filter(|mv| mv.count.games > 0);
        return played
            .map(|mv| (mv.square, f64::from(mv.count.games) / games as f64))
            .collect();
    }
    let good = view
        .moves
        .iter()
        .filter(|mv| view.loss(mv).is_some_and(|loss| loss <= most));
    let good: Vec<Square> = good.map(|mv| mv.square).collect();
    let share = 1.0 / good.len().max(1) as f64;
    good.into_iter().map(|square| (square, share)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use outflank_book::{Book, Count, Fact, Kind, Slot, Worked, Worth};
    use outflank_records::transcript;

    fn game(moves: &str) -> Game {
        let parsed = transcript::parse(moves);
        parsed.map_or_else(|_| Game::new(), |parsed| parsed.value)
    }

    /// After f5, d6 is best and f6 loses a disc, f4 five; black has an answer to each of the two.
    fn book(games: [u32; 3]) -> Worked {
        let mut book = Book::new();
        let source = book.source("test").expect("room");
        let worth = Worth::new(Kind::Estimate, 10, 73);
        let mut add = |moves: &str, square: Square, units: i32| {
            let board = game(moves).position().board();
            let fact = Fact::new(units, worth, source);
            book.add(board, Slot::Move(square), fact).expect("legal");
        };
        add("f5d6", Square::C3, UNITS);
        add("f5d6", Square::C4, UNITS / 2);
        add("f5d6", Square::C5, -3 * UNITS);
        add("f5f6", Square::E6, 2 * UNITS);
        add("f5", Square::F4, -6 * UNITS);
        for (square, games) in [Square::D6, Square::F6, Square::F4].into_iter().zip(games) {
            let count = Count { games, mean: 0 };
            let board = game("f5").position().board();
            if games > 0 {
                book.add_count(board, square, count).expect("legal");
            }
        }
        book.add_position(Board::start()).expect("moves");
        Worked::new(book)
    }

    fn lines(book: &Worked, scope: &Scope) -> Vec<String> {
        let found = from_book(book, &Game::new(), scope).expect("memory");
        let line = |prepared: &Prepared| {
            let answers: Vec<String> = prepared.answers.iter().map(ToString::to_string).collect();
            format!("{}: {} ({})", prepared.line, answers.join(" "), prepared.comment)
        };
        found.iter().map(line).collect()
    }

    #[test]
    fn a_repertoire_has_own_answers_to_what_the_others_play() {
        let black = Scope::of(Color::Black);
        // Any first move is right: they are images of each other. What loses too much is not expected.
        let found = lines(&book([0, 0, 0]), &black);
        assert_eq!(
            found[1..],
            ["f5d6: c3 c4 (+1.0, depth 10)", "f5f6: e6 (+2.0, depth 10)"]
        );
        assert_eq!(found[0], ": f5 d3 c4 e6 (+1.0, depth 12)");
        // People play f6 more often; what is rare is left out.
        let played = lines(&book([20, 1000, 0]), &Scope { reach: 0.01, ..black });
        assert_eq!(
            played[1..],
            ["f5f6: e6 (+2.0, depth 10)", "f5d6: c3 c4 (+1.0, depth 10)"]
        );
        let played = lines(&book([1, 1000, 0]), &Scope { reach: 0.01, ..black });
        assert_eq!(played[1..], ["f5f6: e6 (+2.0, depth 10)"]);
        // Stricter about answers, and with an end.
        let strict = Scope {
            accepted: 0,
            until: 6,
            ..black
        };
        assert_eq!(lines(&book([0, 0, 0]), &strict).len(), 1);
        let strict = Scope { accepted: 0, ..black };
        assert_eq!(lines(&book([0, 0, 0]), &strict)[1], "f5d6: c3 (+1.0, depth 10)");
        let white = lines(&book([0, 0, 0]), &Scope::of(Color::White));
        assert_eq!(white, ["f5: d6 f6 (-1.0, depth 11)"]);
    }
}
