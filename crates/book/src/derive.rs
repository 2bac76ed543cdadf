//! What follows from the facts: the value of each position from those that can be reached from it.
//!
//! A placed disc is never taken away, so that positions with more discs come first and no recursion is needed.

use crate::{
    Book, Count, Entry, Fact, Kind, Worth,
    fact::{MOST, UNITS, to_discs},
    place::{Place, distinct_moves},
};
use outflank_othello::{Board, Square};
use std::fmt;

/// How far the values of a position can be trusted: the worst of the moves within a disc of the best one, and of what
/// follows them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Grade {
    /// Proved.
    A = 1,
    /// Said to be solved, set by hand, or searched to the end with a confidence of 99 % or more.
    B,
    /// Searched to the end with less confidence.
    C,
    /// Searched at least 24 discs ahead.
    D,
    /// Searched at least 16 discs ahead.
    E,
    /// Less.
    F,
}

impl Grade {
    pub(crate) const ALL: [Self; 6] = [Self::A, Self::B, Self::C, Self::D, Self::E, Self::F];

    /// Returns the grade of a single fact.
    pub const fn of(worth: Worth) -> Self {
        match (worth.kind(), worth.depth()) {
            (Kind::Exact, _) => Self::A,
            (Kind::Claimed | Kind::Manual, _) => Self::B,
            (Kind::ToEnd, _) if worth.confidence() >= 99 => Self::B,
            (Kind::ToEnd, _) => Self::C,
            (Kind::Estimate, 24..) => Self::D,
            (Kind::Estimate, 16..) => Self::E,
            (Kind::Estimate, _) => Self::F,
        }
    }
}

impl fmt::Display for Grade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::A => "A",
            Self::B => "B",
            Self::C => "C",
            Self::D => "D",
            Self::E => "E",
            Self::F => "F",
        })
    }
}

/// What follows about a position, for its player to move. Values are in units, proved ones in discs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Derived {
    /// The value of the best move; `None` if nothing is known but how often moves were played.
    pub value: Option<i16>,
    /// What the value will hardly fall below when more is known.
    pub low: i16,
    /// What it will hardly exceed.
    pub high: i16,
    /// What is proved to be reached at least.
    pub proved_low: i8,
    /// What is proved not to be exceeded.
    pub proved_high: i8,
    /// How far the value can be trusted.
    pub grade: Option<Grade>,
    /// Lines of moves from here to where the book ends.
    pub lines: u32,
}

impl Derived {
    const UNKNOWN: Self = Self {
        value: None,
        low: -MOST as i16,
        high: MOST as i16,
        proved_low: -64,
        proved_high: 64,
        grade: None,
        lines: 0,
    };

    /// Returns how far the value may still move, in units.
    pub const fn risk(&self) -> i32 {
        self.high as i32 - self.low as i32
    }

    /// Returns whether the value is proved.
    pub const fn is_proved(&self) -> bool {
        self.proved_low == self.proved_high
    }

    /// Returns the same for the other player.
    const fn negated(self) -> Self {
        Self {
            value: match self.value {
                Some(value) => Some(-value),
                None => None,
            },
            low: -self.high,
            high: -self.low,
            proved_low: -self.proved_high,
            proved_high: -self.proved_low,
            grade: self.grade,
            lines: self.lines,
        }
    }
}

/// Where the value of a move comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum From {
    /// A fact about the move.
    Fact,
    /// The position that it leads to.
    Next,
    /// The game is over after it.
    End,
    /// Nothing is known.
    Nothing,
}

/// A legal move of a position as the book sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// Where the disc is placed.
    pub square: Square,
    /// What follows about the move, for whoever makes it.
    pub derived: Derived,
    /// Where its value comes from.
    pub from: From,
    /// Whether the position that it leads to, perhaps after a pass, is in the book.
    pub leads_on: bool,
    /// What is said about the move itself.
    pub fact: Option<Fact>,
    /// How often it was played.
    pub count: Count,
}

impl Move {
    /// Returns the value in units.
    pub fn units(&self) -> Option<i32> {
        self.derived.value.map(i32::from)
    }
}

/// Judges every legal move of `key` that is not an image of another, by square; `next` finds the positions they lead to.
pub(crate) fn moves<E>(
    key: Board,
    entry: &Entry,
    mut next: impl FnMut(Board) -> Result<Option<Derived>, E>,
) -> Result<Vec<Move>, E> {
    let mut moves = Vec::with_capacity(12);
    for square in distinct_moves(key) {
        let after = key.play_unchecked(square, key.flips(square));
        let known = entry.known(square);
        let fact = known.and_then(|known| known.fact);
        let (mut derived, mut from, mut leads_on) = (Derived::UNKNOWN, From::Nothing, false);
        match Place::of(after) {
            Place::End(discs) => {
                let value = (-discs * UNITS) as i16;
                derived = proved(value);
                from = From::End;
            }
            Place::Node { key, passed, .. } => {
                if let Some(found) = next(key)? {
                    leads_on = true;
                    derived = if passed { found } else { found.negated() };
                    if derived.value.is_some() {
                        from = From::Next;
                    }
                }
            }
        }
        if let Some(fact) = fact.map(|fact| limited(fact, entry.rest))
            && from != From::End
        {
            let counts = fact.worth.is_exact()
                || !derived.is_proved() && (fact.worth.kind() == Kind::Manual || from == From::Nothing);
            let limits = (derived.proved_low, derived.proved_high);
            if counts {
                derived = of_fact(fact);
                from = From::Fact;
                if !fact.worth.is_exact() {
                    (derived.proved_low, derived.proved_high) = limits;
                    clamp(&mut derived);
                }
            }
        }
        moves.push(Move {
            square,
            derived,
            from,
            leads_on,
            fact,
            count: known.map_or(Count::default(), |known| known.count),
        });
    }
    Ok(moves)
}

/// Returns whether a limit of the other moves holds for a move with this fact: a later and better search did not list it.
fn is_limited(fact: Option<Fact>, rest: Fact) -> bool {
    fact.is_none_or(|fact| rest.worth > fact.worth)
}

/// Returns the fact about a move within the limit of the others.
fn limited(fact: Fact, rest: Option<Fact>) -> Fact {
    match rest {
        Some(rest) if is_limited(Some(fact), rest) => Fact {
            value: fact.value.min(rest.value),
            ..fact
        },
        _ => fact,
    }
}

/// Returns what follows from a proved value.
fn proved(value: i16) -> Derived {
    let discs = (i32::from(value) / UNITS) as i8;
    Derived {
        value: Some(value),
        low: value,
        high: value,
        proved_low: discs,
        proved_high: discs,
        grade: Some(Grade::A),
        lines: 1,
    }
}

/// Returns what follows from a fact alone.
fn of_fact(fact: Fact) -> Derived {
    if fact.worth.is_exact() {
        return proved((to_discs(fact.units()) * UNITS) as i16);
    }
    let margin = fact.worth.margin();
    Derived {
        value: Some(fact.value),
        low: (fact.units() - margin).max(-MOST) as i16,
        high: (fact.units() + margin).min(MOST) as i16,
        grade: Some(Grade::of(fact.worth)),
        lines: 1,
        ..Derived::UNKNOWN
    }
}

/// Keeps every value within what is proved.
fn clamp(derived: &mut Derived) {
    let (least, most) = (
        (i32::from(derived.proved_low) * UNITS) as i16,
        (i32::from(derived.proved_high) * UNITS) as i16,
    );
    // Books that contradict each other can prove nonsense; a value that nobody has said would not make it better.
    if least <= most {
        derived.value = derived.value.map(|value| value.clamp(least, most));
        derived.low = derived.low.clamp(least, most);
        derived.high = derived.high.clamp(least, most);
    }
}

/// Returns what follows about a position from its moves.
pub(crate) fn position(entry: &Entry, moves: &[Move]) -> Derived {
    let own = entry.own.map(of_fact);
    let proved_rest = entry.rest.filter(|rest| rest.worth.is_exact());
    let mut all = Derived {
        low: i16::MIN,
        high: i16::MIN,
        proved_high: -64,
        ..Derived::UNKNOWN
    };
    for mv in moves {
        let of = &mv.derived;
        all.proved_low = all.proved_low.max(of.proved_low);
        let limit = match proved_rest {
            Some(rest) if is_limited(mv.fact, rest) => rest.units().div_euclid(UNITS) as i8,
            _ => 64,
        };
        all.proved_high = all.proved_high.max(of.proved_high.min(limit));
        if of.value.is_some() {
            all.value = all.value.max(of.value);
            all.low = all.low.max(of.low);
            all.high = all.high.max(of.high);
            all.lines = all.lines.saturating_add(of.lines);
        }
    }
    let by_hand = entry
        .own
        .is_some_and(|own| own.worth.kind() == Kind::Manual && all.proved_low < all.proved_high);
    match own {
        Some(own) if own.is_proved() || by_hand || all.value.is_none() => {
            let lines = all.lines.max(1);
            let (proved_low, proved_high) = if own.is_proved() {
                (own.proved_low, own.proved_high)
            } else {
                (all.proved_low, all.proved_high)
            };
            all = Derived {
                proved_low,
                proved_high,
                lines,
                ..own
            };
        }
        _ if all.value.is_none() => {
            return Derived {
                proved_low: all.proved_low,
                proved_high: all.proved_high,
                ..Derived::UNKNOWN
            };
        }
        _ => {
            if let Some(rest) = entry.rest {
                let high = (rest.units() + rest.worth.margin()).min(MOST);
                all.high = all.high.max(high as i16);
            }
            let near = |mv: &&Move| {
                mv.derived
                    .value
                    .is_some_and(|value| Some(i32::from(value) + UNITS) >= all.value.map(i32::from))
            };
            all.grade = moves.iter().filter(near).filter_map(|mv| mv.derived.grade).max();
        }
    }
    clamp(&mut all);
    all
}

/// A book in memory with what follows from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worked {
    book: Book,
    /// In the order of the keys.
    keys: Vec<Board>,
    derived: Vec<Derived>,
}

impl Worked {
    /// Works everything out.
    pub fn new(book: Book) -> Self {
        let keys: Vec<Board> = book.iter().map(|(key, _)| key).collect();
        let mut derived = vec![Derived::UNKNOWN; keys.len()];
        let mut layers: [Vec<u32>; 65] = [const { Vec::new() }; 65];
        for (index, key) in keys.iter().enumerate() {
            layers[key.occupied().count() as usize].push(index as u32);
        }
        let entries: Vec<&Entry> = book.iter().map(|(_, entry)| entry).collect();
        for layer in layers.iter().rev() {
            for &index in layer {
                let index = index as usize;
                let next = |key: Board| -> Result<_, std::convert::Infallible> {
                    Ok(keys.binary_search(&key).ok().map(|place| derived[place]))
                };
                let Ok(moves) = moves(keys[index], entries[index], next);
                derived[index] = position(entries[index], &moves);
            }
        }
        Self { book, keys, derived }
    }

    /// Returns the book.
    pub const fn book(&self) -> &Book {
        &self.book
    }

    /// Returns the book, to change it.
    pub fn into_book(self) -> Book {
        self.book
    }

    /// Returns every position with what follows, in the order of the keys.
    pub fn iter(&self) -> impl Iterator<Item = (Board, &Entry, &Derived)> {
        let entries = self.book.iter();
        entries
            .zip(&self.derived)
            .map(|((key, entry), derived)| (key, entry, derived))
    }

    /// Returns what follows about the position with this key.
    pub fn derived(&self, key: Board) -> Option<&Derived> {
        let place = self.keys.binary_search(&key).ok()?;
        self.derived.get(place)
    }

    /// Returns the moves of the position with this key as the book sees them; none if it is not there.
    pub fn moves(&self, key: Board) -> Vec<Move> {
        let Some(entry) = self.book.get(key) else {
            return Vec::new();
        };
        let next = |key| -> Result<_, std::convert::Infallible> { Ok(self.derived(key).copied()) };
        let Ok(moves) = moves(key, entry, next);
        moves
    }
}

/// Returns how much a move gives away, in units.
pub(crate) fn loss(position: &Derived, mv: &Move) -> Option<i32> {
    Some(i32::from(position.value?) - mv.units()?)
}
