//! Games and positions out of files as columns, for `outflank.data`.

use crate::{batch::NO_VALUE, book::must_be_there, errors};
use numpy::{IntoPyArray as _, PyArrayMethods as _};
use outflank_api::WthorNames;
use outflank_games::{Entry, Found, NameFiles, read};
use outflank_othello::{Color, Discs};
use outflank_records::{Content, read_items};
use pyo3::{IntoPyObjectExt as _, prelude::*};
use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::BufReader,
    path::{Path, PathBuf},
};

/// Most discs that are placed in a game.
const PLACED: usize = 60;
/// No move.
const NO_MOVE: u8 = 255;
/// Items between two looks for signals.
const BLOCK: usize = 1 << 12;

/// Reads the names of players and tournaments that lie beside a file of WTHOR.
pub(crate) fn names_beside(path: &Path) -> WthorNames {
    let is_wthor = path
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("wtb"));
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let (true, Ok(entries)) = (is_wthor, fs::read_dir(folder)) else {
        return WthorNames::default();
    };
    let files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    WthorNames::among(files, |file| File::open(file))
}

/// Returns the names as games are read with them.
pub(crate) const fn files(names: &WthorNames) -> NameFiles<'_> {
    NameFiles {
        players: names.players.as_ref(),
        tournaments: names.tournaments.as_ref(),
    }
}

/// Texts by number, each once.
#[derive(Default)]
struct Texts {
    texts: Vec<String>,
    numbers: BTreeMap<String, i32>,
}

impl Texts {
    fn number(&mut self, text: String) -> i32 {
        if let Some(&number) = self.numbers.get(&text) {
            return number;
        }
        let number = self.texts.len() as i32;
        self.texts.push(text.clone());
        self.numbers.insert(text, number);
        number
    }
}

/// The columns of games.
#[derive(Default)]
struct Columns {
    moves: Vec<[u8; PLACED]>,
    n_moves: Vec<u8>,
    result: Vec<i8>,
    theoretical: Vec<i8>,
    theoretical_empties: Vec<u8>,
    year: Vec<u16>,
    black: Vec<i32>,
    white: Vec<i32>,
    event: Vec<i32>,
    start: Vec<[u64; 2]>,
    start_side: Vec<u8>,
    texts: Texts,
}

impl Columns {
    fn push(&mut self, entry: Entry) {
        let mut moves = [NO_MOVE; PLACED];
        let squares = &entry.moves.squares;
        for (cell, square) in moves.iter_mut().zip(squares) {
            *cell = square.index() as u8;
        }
        self.moves.push(moves);
        self.n_moves.push(squares.len().min(PLACED) as u8);
        let discs = |discs: Option<Discs>| discs.map_or(NO_VALUE, |discs| discs.get() as i8);
        self.result.push(discs(entry.result));
        self.theoretical
            .push(discs(entry.theoretical.map(|known| known.0)));
        self.theoretical_empties
            .push(entry.theoretical.map_or(0, |known| known.1));
        self.year.push(entry.date.year);
        let start = entry.moves.start();
        let board = start.board();
        self.start.push([board.player().bits(), board.opponent().bits()]);
        self.start_side.push(u8::from(start.side() == Color::White));
        self.black.push(self.texts.number(entry.black));
        self.white.push(self.texts.number(entry.white));
        self.event.push(self.texts.number(entry.event));
    }

    fn into_python(self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        let n = self.moves.len();
        Ok(vec![
            self.moves
                .into_flattened()
                .into_pyarray(py)
                .reshape([n, PLACED])?
                .into_py_any(py)?,
            self.n_moves.into_pyarray(py).into_py_any(py)?,
            self.result.into_pyarray(py).into_py_any(py)?,
            self.theoretical.into_pyarray(py).into_py_any(py)?,
            self.theoretical_empties.into_pyarray(py).into_py_any(py)?,
            self.year.into_pyarray(py).into_py_any(py)?,
            self.black.into_pyarray(py).into_py_any(py)?,
            self.white.into_pyarray(py).into_py_any(py)?,
            self.event.into_pyarray(py).into_py_any(py)?,
            self.start
                .into_flattened()
                .into_pyarray(py)
                .reshape([n, 2])?
                .into_py_any(py)?,
            self.start_side.into_pyarray(py).into_py_any(py)?,
            self.texts.texts.into_py_any(py)?,
        ])
    }
}

/// Reads the games of files in any notation: columns as `outflank.data.Games` has them, names by number, the names; and
/// what could not be read, as the file's number and a text.
#[pyfunction]
#[expect(clippy::type_complexity, reason = "two lists, which Python unpacks")]
#[expect(
    clippy::redundant_closure_for_method_calls,
    reason = "the method by its name is not general enough for the compiler"
)]
pub(crate) fn read_games(
    py: Python<'_>,
    paths: Vec<PathBuf>,
) -> PyResult<(Vec<Py<PyAny>>, Vec<(usize, String)>)> {
    let (mut columns, mut bad) = (Columns::default(), Vec::new());
    for (number, path) in paths.iter().enumerate() {
        must_be_there(path)?;
        let input = BufReader::new(File::open(path)?);
        let mut interrupted = Ok(());
        py.detach(|| {
            let names = names_beside(path);
            let mut seen = 0_usize;
            read(input, files(&names), &mut |found| {
                match found {
                    Found::Game(entry) => columns.push(*entry),
                    Found::Bad(game) => bad.push((number, game.to_string())),
                    Found::Position => {}
                }
                seen += 1;
                if seen.is_multiple_of(BLOCK) {
                    interrupted = Python::attach(|py| py.check_signals());
                }
                interrupted.is_ok()
            });
        });
        interrupted?;
    }
    Ok((columns.into_python(py)?, bad))
}

/// Reads the positions of a file in any notation with the values that it gives: boards, who moves, the value of the board
/// and of every move; and the errors of what could not be read.
#[pyfunction]
#[expect(clippy::type_complexity, reason = "two lists, which Python unpacks")]
pub(crate) fn read_positions(py: Python<'_>, path: PathBuf) -> PyResult<(Vec<Py<PyAny>>, Vec<Py<PyAny>>)> {
    must_be_there(&path)?;
    let (mut boards, mut side, mut value, mut values) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut bad = Vec::new();
    let mut items = read_items(BufReader::new(File::open(&path)?)).enumerate();
    while let Some((number, item)) = py.detach(|| items.next()) {
        if number.is_multiple_of(BLOCK) {
            py.check_signals()?;
        }
        match item {
            Err(error) => bad.push(errors::bad_item(py, &error).into_value(py).into_any()),
            Ok(item) => {
                let Content::Position(scored) = &item.content else {
                    continue;
                };
                let board = scored.position.board();
                boards.push([board.player().bits(), board.opponent().bits()]);
                side.push(u8::from(scored.position.side() == Color::White));
                value.push(scored.expected().map_or(NO_VALUE, |discs| discs.get() as i8));
                let mut row = [NO_VALUE; 64];
                for score in &scored.scores {
                    if let Some(square) = score.mv.square() {
                        row[square.index()] = score.discs.get() as i8;
                    }
                }
                values.push(row);
            }
        }
    }
    let n = boards.len();
    let columns = vec![
        boards
            .into_flattened()
            .into_pyarray(py)
            .reshape([n, 2])?
            .into_py_any(py)?,
        side.into_pyarray(py).into_py_any(py)?,
        value.into_pyarray(py).into_py_any(py)?,
        values
            .into_flattened()
            .into_pyarray(py)
            .reshape([n, 64])?
            .into_py_any(py)?,
    ];
    Ok((columns, bad))
}
