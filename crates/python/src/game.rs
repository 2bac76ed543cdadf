//! Games: a start, the moves played, and those that were taken back.

use crate::{
    errors, moves,
    moves::MoveLike,
    picture,
    position::{Position, PositionLike},
};
use outflank_api::show::at_ply;
use outflank_othello::{Color, Game as Rules, Move};
use outflank_records::{Content, Format, GameRecord, Item, paste};
use outflank_study::names;
use pyo3::{
    exceptions::{PyIndexError, PyValueError},
    prelude::*,
    types::{PyDict, PyTuple, PyType},
};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What a `Game` holds.
#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    pub(crate) game: Rules,
    /// Moves that were taken back, the last one first.
    undone: Vec<Move>,
    /// What a record says beside the moves, by GGF's keys.
    tags: Vec<(String, String)>,
}

/// A game of Othello: a start position and moves, passes included. Mutable.
///
/// >>> from outflank import Game
/// >>> game = Game("f5d6c3")
/// >>> game.play("d3").position.side
/// <Color.BLACK: 0>
/// >>> game.to_text()
/// 'f5d6c3d3'
#[pyclass(frozen, module = "outflank", name = "Game")]
#[derive(Debug)]
pub(crate) struct Game(Mutex<State>);

impl Game {
    /// Returns a game with the tags of its record.
    pub(crate) fn of_item(item: &Item) -> Self {
        let tags = match &item.content {
            Content::Game(record) => record.tags.clone(),
            Content::Position(_) => Vec::new(),
        };
        Self(Mutex::new(State {
            game: item.game(),
            undone: Vec::new(),
            tags,
        }))
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn record(&self) -> Item {
        let state = self.lock();
        let mut record = GameRecord::new(state.game.clone());
        record.tags.clone_from(&state.tags);
        Item {
            line: 1,
            format: Format::Transcript,
            content: Content::Game(record),
            tree: None,
            warnings: Vec::new(),
        }
    }

    fn at(&self, ply: Option<usize>) -> PyResult<Rules> {
        at_ply(self.lock().game.clone(), ply).map_err(PyIndexError::new_err)
    }
}

/// What a pickled game consists of: its text, and its tags.
type Pickled = (String, Vec<(String, String)>);

#[pymethods]
impl Game {
    /// A game in any notation, or an empty one, from `start` if that is given.
    #[new]
    #[pyo3(signature = (text = None, *, start = None))]
    fn new(py: Python<'_>, text: Option<&str>, start: Option<PositionLike>) -> PyResult<Self> {
        let Some(text) = text else {
            let game = start.map_or_else(Rules::new, |start| Rules::from_position(start.0));
            return Ok(Self(Mutex::new(State {
                game,
                ..State::default()
            })));
        };
        if start.is_some() {
            return Err(PyValueError::new_err(
                "a text has its own start: give one of the two",
            ));
        }
        let pasted = paste(text).map_err(|error| errors::unreadable(py, &error))?;
        match (&pasted.items[..], pasted.bad.first()) {
            (_, Some(bad)) => Err(errors::bad_item(py, bad)),
            ([item], None) => Ok(Self::of_item(item)),
            (items, None) => {
                let message = format!("{} games where one is expected", items.len());
                let args = (message, items[1].line, 1, "", "outflank.parse reads several");
                Err(errors::raise(py, "ParseError", args))
            }
        }
    }

    /// The same as `Game(text)`.
    #[classmethod]
    fn parse(_class: &Bound<'_, PyType>, py: Python<'_>, text: &str) -> PyResult<Self> {
        Self::new(py, Some(text), None)
    }

    /// Plays a move; a pass that the rules imply before it may be left out. Returns the game.
    #[pyo3(name = "play")]
    fn played(slf: Bound<'_, Self>, mv: MoveLike) -> PyResult<Bound<'_, Self>> {
        let mut state = slf.get().lock();
        let played = match mv.0 {
            Move::Place(square) => state.game.place(square),
            Move::Pass => state.game.play(Move::Pass),
        };
        if let Err(error) = played {
            let position = *state.game.position();
            drop(state);
            return Err(errors::illegal_in_game(slf.py(), position, error));
        }
        state.undone.clear();
        drop(state);
        Ok(slf)
    }

    /// Takes the last move back and returns it, or `None` at the start.
    fn undo(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let mut state = self.lock();
        let undone = state.game.undo();
        state.undone.extend(undone);
        drop(state);
        undone.map(|mv| moves::to_python(py, mv)).transpose()
    }

    /// Plays the move again that was taken back last, and returns it, or `None` if there is none.
    fn redo(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let mut state = self.lock();
        let Some(mv) = state.undone.pop() else {
            return Ok(None);
        };
        let played = state.game.play(mv);
        let position = *state.game.position();
        drop(state);
        played.map_err(|error| errors::illegal_in_game(py, position, error))?;
        Ok(Some(moves::to_python(py, mv)?))
    }

    /// The moves, passes included.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let moves = self.lock().game.moves().to_vec();
        PyTuple::new(py, moves::all_to_python(py, &moves)?)
    }

    /// The position before the first move.
    #[getter]
    fn start(&self) -> Position {
        Position(*self.lock().game.start())
    }

    /// The position after the last move.
    #[getter]
    fn position(&self) -> Position {
        Position(*self.lock().game.position())
    }

    /// The positions before each move, and the last one.
    fn positions(&self) -> Vec<Position> {
        self.lock().game.positions().into_iter().map(Position).collect()
    }

    /// The position after `ply` moves, passes counted.
    fn at_ply(&self, ply: usize) -> PyResult<Position> {
        Ok(Position(*self.at(Some(ply))?.position()))
    }

    /// Black's margin if the game is over, the empties counted for the winner; else `None`.
    #[getter]
    fn result(&self) -> Option<i32> {
        self.lock().game.result().map(|result| result.discs.get())
    }

    /// Whether neither side can move.
    #[getter]
    fn is_over(&self) -> bool {
        self.lock().game.position().is_game_over()
    }

    /// The name of the opening, if it has one.
    #[getter]
    fn opening(&self) -> Option<&'static str> {
        names::of_game(&self.lock().game).map(|opening| opening.name.best())
    }

    /// What the record says beside the moves, by GGF's keys: `PB` and `PW` the players, `RE` the result, `DT` the date.
    #[getter]
    fn tags<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let tags = PyDict::new(py);
        // The first of several counts.
        for (key, value) in self.lock().tags.iter().rev() {
            tags.set_item(key, value)?;
        }
        Ok(tags)
    }

    /// The game in a notation: `transcript`, `transcript-pa`, `ggf`, `sgf`; its last position as `board`, `obf`, `fen`.
    #[pyo3(signature = (fmt = "transcript"))]
    fn to_text(&self, fmt: &str) -> PyResult<String> {
        Position::write(&self.record(), fmt)
    }

    /// A picture of the position after `ply` moves, or the last one, with the numbers of the moves if wanted.
    #[pyo3(signature = (ply = None, *, numbers = false, values = None, arrows = Vec::new(), marks = Vec::new(), size = 320, caption = None))]
    #[expect(
        clippy::too_many_arguments,
        reason = "keywords of a function that Python calls"
    )]
    fn svg(
        &self,
        ply: Option<usize>,
        numbers: bool,
        values: Option<&Bound<'_, PyAny>>,
        arrows: Vec<String>,
        marks: Vec<String>,
        size: u32,
        caption: Option<String>,
    ) -> PyResult<String> {
        let mut look = picture::look(values, arrows, marks, caption)?;
        look.numbers = numbers;
        picture::draw(&self.at(ply)?, &look, size)
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        self.svg(None, false, None, Vec::new(), Vec::new(), 320, None)
    }

    fn __len__(&self) -> usize {
        self.lock().game.moves().len()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let mine = self.lock().game.clone();
        other
            .cast::<Self>()
            .is_ok_and(|other| other.get().lock().game == mine)
    }

    fn __copy__(&self) -> Self {
        Self(Mutex::new(self.lock().clone()))
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.__copy__()
    }

    fn __str__(&self) -> String {
        self.lock().game.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Game({:?})", self.__str__())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Pickled)> {
        let restore = py.get_type::<Self>().getattr("_restore")?;
        Ok((restore, (self.__str__(), self.lock().tags.clone())))
    }

    /// A game out of moves as `str` writes them and tags: how a pickled one comes back.
    #[classmethod]
    fn _restore(_class: &Bound<'_, PyType>, text: &str, tags: Vec<(String, String)>) -> PyResult<Self> {
        let game: Rules = text
            .parse()
            .map_err(|error: outflank_othello::ParseGameError| PyValueError::new_err(error.to_string()))?;
        Ok(Self(Mutex::new(State {
            game,
            undone: Vec::new(),
            tags,
        })))
    }

    /// Whose turn it is.
    #[getter]
    fn side(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let side: Color = self.lock().game.position().side();
        moves::color_to_python(py, side)
    }
}
