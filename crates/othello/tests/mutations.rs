//! Every law of the conformance suite fails on a deliberate mutation of Othello: a check that cannot fail is no check.

use outflank_game::{
    GameState, Outcome, Player,
    conformance::{Law, check, laws},
};
use outflank_othello::{Bitboard, Move, Position, Square, Symmetry};
use std::{cell::Cell, rc::Rc};

/// One deliberate fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// Pass is offered beside real moves.
    PassBesideMoves,
    /// A finished game has no outcome.
    NoOutcome,
    /// The turn stays with the player who moved.
    TurnStays,
    /// Undo forgets the flipped discs.
    UndoForgetsFlips,
    /// Copies share a counter that is part of equality.
    SharedCopy,
    /// The key forgets the side to move.
    KeyForgetsTurn,
    /// The inverse of a symmetry is the symmetry itself, also for the two quarter turns.
    InverseIsSelf,
    /// Symmetries move the board but not the legal moves that are listed.
    MovesStayInPlace,
    /// Corner moves flip one disc less.
    CornerFlipsLess,
    /// The margin counts a1 for nobody.
    MarginWithoutA1,
    /// The canonical form is the position itself.
    NotCanonical,
    /// Moves are carried to the canonical form by the wrong symmetry.
    WrongCarrier,
}

/// Othello with a fault.
#[derive(Clone, Debug)]
struct Mutant {
    position: Position,
    fault: Fault,
    shared: Rc<Cell<u32>>,
    /// True in images under a symmetry other than the identity.
    image: bool,
}

impl PartialEq for Mutant {
    fn eq(&self, other: &Self) -> bool {
        self.position == other.position
    }
}

impl Mutant {
    fn new(position: Position, fault: Fault) -> Self {
        Self {
            position,
            fault,
            shared: Rc::new(Cell::new(0)),
            image: false,
        }
    }

    fn with(&self, position: Position) -> Self {
        Self {
            position,
            ..self.clone()
        }
    }
}

impl GameState for Mutant {
    type Move = Move;
    type Undo = Bitboard;
    type Symmetry = Symmetry;

    fn player(&self) -> Player {
        GameState::player(&self.position)
    }

    fn collect_legal_moves(&self, moves: &mut Vec<Move>) {
        self.position.collect_legal_moves(moves);
        if self.fault == Fault::PassBesideMoves && !moves.is_empty() && !moves.contains(&Move::Pass) {
            moves.push(Move::Pass);
        }
        if self.fault == Fault::MovesStayInPlace && self.image {
            moves.pop();
        }
    }

    fn all_moves(&self) -> Vec<Move> {
        self.position.all_moves()
    }

    fn is_legal(&self, mv: Move) -> bool {
        if self.fault == Fault::MovesStayInPlace {
            return self.legal_moves().contains(&mv);
        }
        self.position.is_legal(mv)
    }

    fn is_pass(&self, mv: Move) -> bool {
        self.position.is_pass(mv)
    }

    fn play(&mut self, mv: Move) -> Bitboard {
        self.shared.set(self.shared.get() + 1);
        let before = self.position;
        let flips = GameState::play(&mut self.position, mv);
        if self.fault == Fault::TurnStays {
            self.position = Position::new(self.position.board().passed(), before.side());
        }
        if self.fault == Fault::CornerFlipsLess && mv == Move::Place(Square::A1) {
            let less = flips - flips.first().map_or(Bitboard::EMPTY, Bitboard::from);
            self.position = Position::new(before.board().play_unchecked(Square::A1, less), !before.side());
            return less;
        }
        flips
    }

    fn undo(&mut self, mv: Move, flips: Bitboard) {
        if self.fault == Fault::TurnStays {
            self.position = Position::new(self.position.board().passed(), !self.position.side());
        }
        let flips = if self.fault == Fault::UndoForgetsFlips {
            Bitboard::EMPTY
        } else {
            flips
        };
        self.position.undo(mv, flips);
    }

    fn outcome(&self) -> Option<Outcome> {
        let outcome = self.position.outcome();
        match self.fault {
            Fault::NoOutcome => None,
            Fault::MarginWithoutA1 => {
                let a1 = i32::from(self.position.board().player().contains(Square::A1));
                outcome.map(|outcome| Outcome {
                    margin: outcome.margin - a1,
                })
            }
            _ => outcome,
        }
    }

    fn key(&self) -> u64 {
        match self.fault {
            Fault::KeyForgetsTurn if self.position.side() == outflank_othello::Color::White => {
                self.position.key() ^ 1
            }
            Fault::SharedCopy => self.position.key() ^ u64::from(self.shared.get()),
            _ => self.position.key(),
        }
    }

    fn recomputed_key(&self) -> u64 {
        if self.fault == Fault::SharedCopy {
            self.key()
        } else {
            self.position.recomputed_key()
        }
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        self.position.symmetries()
    }

    fn inverse(&self, symmetry: Symmetry) -> Symmetry {
        if self.fault == Fault::InverseIsSelf {
            symmetry
        } else {
            symmetry.inverse()
        }
    }

    fn transformed(&self, symmetry: Symmetry) -> Self {
        let image = self.image ^ (symmetry != Symmetry::IDENTITY);
        Self {
            image,
            ..self.with(self.position.transformed(symmetry))
        }
    }

    fn transform_move(&self, mv: Move, symmetry: Symmetry) -> Move {
        symmetry.apply_move(mv)
    }

    fn canonical(&self) -> (Self, Symmetry) {
        let (canonical, symmetry) = self.position.canonical();
        match self.fault {
            Fault::NotCanonical => (self.clone(), Symmetry::IDENTITY),
            // The right symmetry, but a form whose own moves lead elsewhere.
            Fault::WrongCarrier => {
                let broken = Self {
                    fault: Fault::CornerFlipsLess,
                    ..self.with(canonical)
                };
                (broken, symmetry)
            }
            _ => (self.with(canonical), symmetry),
        }
    }
}

#[test]
fn every_law_fails_on_its_mutation() {
    let mutations = [
        (Fault::PassBesideMoves, Law::MovesAreLegal),
        (Fault::NoOutcome, Law::OutcomeEndsTheGame),
        (Fault::TurnStays, Law::PlayersAlternate),
        (Fault::UndoForgetsFlips, Law::UndoRestores),
        (Fault::SharedCopy, Law::CopiesAgree),
        (Fault::KeyForgetsTurn, Law::KeyIsIncremental),
        (Fault::InverseIsSelf, Law::SymmetryIsBijection),
        (Fault::MovesStayInPlace, Law::SymmetryMapsMoves),
        (Fault::CornerFlipsLess, Law::SymmetryMapsPlay),
        (Fault::MarginWithoutA1, Law::SymmetryMapsOutcome),
        (Fault::NotCanonical, Law::CanonicalIsUnique),
        (Fault::WrongCarrier, Law::CanonicalCarriesMoves),
    ];
    for (fault, law) in mutations {
        let start = Mutant::new(Position::start(), fault);
        let violation = check(&start, 300, 100, 3).expect_err(&format!("{fault:?} goes unnoticed"));
        assert_eq!(violation.law, law, "{fault:?}: {violation}");
    }
    let broken: Vec<Law> = mutations.iter().map(|&(_, law)| law).collect();
    assert_eq!(broken, laws(), "each law has its mutation");
}
