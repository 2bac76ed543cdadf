//! Positions: a board with colors, immutable.

use crate::{errors, game::Game, moves, moves::MoveLike, picture};
use numpy::{IntoPyArray as _, PyArray3, PyArrayMethods as _};
use outflank_api::convert::{self, Notation};
use outflank_othello::{Bitboard, Color, Move, Position as Rules, Setup, Symmetry};
use outflank_records::{Content, Format, Item, ScoredPosition, fen, paste};
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::{PyTuple, PyType},
};

/// A position of Othello: the discs, and who is to move. Immutable.
///
/// >>> from outflank import Position
/// >>> Position().legal_moves
/// (d3, c4, f5, e6)
#[pyclass(frozen, eq, hash, module = "outflank", name = "Position")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Position(pub(crate) Rules);

/// A position as Python may give it: a `Position`, a `Game` (its last position), or any notation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PositionLike(pub(crate) Rules);

impl<'py> FromPyObject<'_, 'py> for PositionLike {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(position) = object.cast::<Position>() {
            return Ok(Self(position.get().0));
        }
        if let Ok(game) = object.cast::<Game>() {
            return Ok(Self(*game.get().lock().game.position()));
        }
        match object.extract::<String>() {
            Ok(text) => Position::read(object.py(), &text).map(|position| Self(position.0)),
            Err(_) => Err(PyTypeError::new_err(
                "a position is a Position, a Game or a text in any notation",
            )),
        }
    }
}

impl Position {
    fn read(py: Python<'_>, text: &str) -> PyResult<Self> {
        let pasted = paste(text).map_err(|error| errors::unreadable(py, &error))?;
        if let Some(bad) = pasted.bad.first() {
            return Err(errors::bad_item(py, bad));
        }
        match &pasted.items[..] {
            [item] => Ok(Self(*item.position())),
            items => Err(errors::raise(
                py,
                "ParseError",
                (
                    format!("{} positions or games where one is expected", items.len()),
                    items.get(1).map_or(1, |item| item.line),
                    1,
                    "",
                    "outflank.parse reads several",
                ),
            )),
        }
    }

    /// Returns the position in a notation.
    pub(crate) fn write(item: &Item, fmt: &str) -> PyResult<String> {
        let notation = match fmt {
            "board" => Notation::Board,
            "obf" => Notation::Obf,
            "transcript" => Notation::Transcript,
            "transcript-pa" => Notation::TranscriptPa,
            "ggf" => Notation::Ggf,
            "sgf" => Notation::Sgf,
            "fen" => return Ok(fen::write(item.position(), fen::Dialect::Ugi)),
            _ => {
                return Err(PyValueError::new_err(format!(
                    "{fmt:?} is no notation: board, obf, fen, transcript, transcript-pa, ggf or sgf"
                )));
            }
        };
        convert::write(item, notation).map_err(|_| {
            PyValueError::new_err("a position has no moves to write: board, obf, fen, ggf or sgf")
        })
    }

    fn item(self) -> Item {
        Item {
            line: 1,
            format: Format::Board,
            content: Content::Position(ScoredPosition::new(self.0)),
            tree: None,
            warnings: Vec::new(),
        }
    }
}

#[pymethods]
#[expect(
    clippy::wrong_self_convention,
    reason = "methods that Python calls take what is in the object by reference"
)]
impl Position {
    /// The start; with a text in any notation the position it shows, of a game the last one.
    #[new]
    #[pyo3(signature = (text = None))]
    fn new(py: Python<'_>, text: Option<&str>) -> PyResult<Self> {
        text.map_or_else(|| Ok(Self(Rules::start())), |text| Self::read(py, text))
    }

    /// The position with these discs, seen from the player to move, whose color is `side`.
    #[classmethod]
    #[pyo3(signature = (player, opponent, side = 0))]
    fn from_bitboards(
        _class: &Bound<'_, PyType>,
        py: Python<'_>,
        player: u64,
        opponent: u64,
        side: u8,
    ) -> PyResult<Self> {
        let side = moves::color(side)?;
        let (player, opponent) = (Bitboard::new(player), Bitboard::new(opponent));
        let (black, white) = if side == Color::Black {
            (player, opponent)
        } else {
            (opponent, player)
        };
        let position = Setup { black, white, side }.build();
        position
            .map(Self)
            .map_err(|error| errors::raise(py, "SetupError", (error.to_string(),)))
    }

    /// Discs of the player to move; bit 0 is a1, bit 1 is b1.
    #[getter]
    fn player(&self) -> u64 {
        self.0.board().player().bits()
    }

    /// Discs of the other player.
    #[getter]
    fn opponent(&self) -> u64 {
        self.0.board().opponent().bits()
    }

    /// Black's discs.
    #[getter]
    fn black(&self) -> u64 {
        self.0.discs(Color::Black).bits()
    }

    /// White's discs.
    #[getter]
    fn white(&self) -> u64 {
        self.0.discs(Color::White).bits()
    }

    /// The color to move.
    #[getter]
    fn side(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        moves::color_to_python(py, self.0.side())
    }

    /// The number of empty squares.
    #[getter]
    fn empties(&self) -> u32 {
        self.0.board().empties().count()
    }

    /// The moves of the player to move: squares, a single pass, or nothing when the game is over.
    #[getter]
    fn legal_moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, moves::all_to_python(py, &self.0.legal_moves())?)
    }

    /// Whether neither side can move.
    #[getter]
    fn is_over(&self) -> bool {
        self.0.is_game_over()
    }

    /// Black's discs minus White's when the game is over, the empties counted for the winner; else `None`.
    #[getter]
    fn result(&self) -> Option<i32> {
        self.0
            .is_game_over()
            .then(|| self.0.final_discs(Color::Black).get())
    }

    /// The position after a move.
    #[pyo3(name = "play")]
    fn played(&self, py: Python<'_>, mv: MoveLike) -> PyResult<Self> {
        let mut next = self.0;
        next.play(mv.0)
            .map_err(|reason| errors::illegal(py, self.0, mv.0, reason, None))?;
        Ok(Self(next))
    }

    /// The discs that a move turns over; 0 if it is not legal, or a pass.
    fn flips(&self, mv: MoveLike) -> u64 {
        match mv.0 {
            Move::Place(square) => self.0.board().flips(square).bits(),
            Move::Pass => 0,
        }
    }

    /// The image under one of the eight symmetries, 0 to 7; 0 changes nothing.
    fn symmetry(&self, n: usize) -> PyResult<Self> {
        let symmetry = Symmetry::ALL
            .get(n)
            .ok_or_else(|| PyValueError::new_err(format!("{n} is no symmetry: 0 to 7")))?;
        Ok(Self(Rules::new(
            self.0.board().transformed(*symmetry),
            self.0.side(),
        )))
    }

    /// The smallest of the eight images, and the number of the symmetry that leads to it.
    fn canonical(&self) -> (Self, usize) {
        let (board, symmetry) = self.0.board().canonical();
        (Self(Rules::new(board, self.0.side())), symmetry.index())
    }

    /// A 64-bit key of discs and side to move.
    fn key(&self) -> u64 {
        self.0.zobrist_key()
    }

    /// The position in a notation: `board`, `obf`, `fen`, `ggf` or `sgf`.
    #[pyo3(signature = (fmt = "board"))]
    fn to_text(&self, fmt: &str) -> PyResult<String> {
        Self::write(&self.item(), fmt)
    }

    /// Two planes of eight rows and columns, the mover's discs and the opponent's.
    fn to_planes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let board = self.0.board();
        let mut planes = vec![0; 128];
        crate::batch::write_planes(board.player().bits(), board.opponent().bits(), &mut planes);
        planes.into_pyarray(py).reshape([2, 8, 8])
    }

    /// A picture as SVG: `values` a search's outcome or moves with values, `arrows` such as `d3-c5`, `marks` such as
    /// `d3=circle`, `caption` a line below the board.
    #[pyo3(signature = (*, values = None, arrows = Vec::new(), marks = Vec::new(), size = 320, caption = None))]
    fn svg(
        &self,
        values: Option<&Bound<'_, PyAny>>,
        arrows: Vec<String>,
        marks: Vec<String>,
        size: u32,
        caption: Option<String>,
    ) -> PyResult<String> {
        let look = picture::look(values, arrows, marks, caption)?;
        picture::draw(&outflank_othello::Game::from_position(self.0), &look, size)
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        self.svg(None, Vec::new(), Vec::new(), 320, None)
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Position({:?})", self.0.to_string())
    }

    fn __reduce__(&self, py: Python<'_>) -> PyResult<(Py<PyAny>, (String,))> {
        Ok((py.get_type::<Self>().into_any().unbind(), (self.0.to_string(),)))
    }
}
