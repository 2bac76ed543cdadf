"""Games and positions as columns of numpy: out of files in any notation, and into ``.npz`` and parquet and back.

>>> import tempfile, pathlib
>>> path = pathlib.Path(tempfile.mkdtemp(), "games.txt")
>>> _ = path.write_text("f5d6c3d3c4\\nf5f6\\n")
>>> games = read_games(path)
>>> games.moves.shape, games.n_moves
((2, 60), array([5, 2], dtype=uint8))
>>> positions = games.positions()
>>> len(positions), len(games.positions(empties=59, unique=True))
(7, 1)

Numpy alone is needed; parquet and Arrow need ``pip install outflank[arrow]``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from . import _core, batch
from ._errors import ParseError

NO_VALUE = batch.NO_VALUE
"""In a column of values: not known."""

Paths = str | PathLike[str] | Iterable[str | PathLike[str]]

SAMPLE = np.dtype([("player", "<u8"), ("opponent", "<u8"), ("value", "i1")])
"""A record of the files that the program's ``train`` commands read and write: 17 bytes."""


def _check(name: str, wanted: object) -> None:
    """A file with other columns is no table of ours."""
    if wanted:
        raise ValueError(f"{name}: columns are missing: {wanted}")


class _Table:
    """Columns of one length, with a way into files and back."""

    def _columns(self) -> dict[str, NDArray[Any]]:
        # The classes below are data classes whose fields are arrays.
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]

    def __len__(self) -> int:
        return len(next(iter(self._columns().values())))

    def __getitem__(self, rows: Any) -> Self:
        """The rows of a slice, a mask or an array of numbers."""
        if isinstance(rows, (int, np.integer)):
            raise TypeError("rows are a slice, a mask or an array; take a row's cells from the columns")
        return type(self)(**{name: column[rows] for name, column in self._columns().items()})

    def save(self, path: str | PathLike[str]) -> None:
        """Write an ``.npz`` file, or by its name a ``.parquet`` one."""
        target = Path(path)
        if target.suffix == ".parquet":
            from pyarrow import parquet

            parquet.write_table(self.to_arrow(), target, compression="zstd")
        elif target.suffix == ".npz":
            np.savez_compressed(target, allow_pickle=False, **self._columns())
        else:
            raise ValueError(f"{target}: the name ends in .npz or .parquet")

    @classmethod
    def load(cls, path: str | PathLike[str]) -> Self:
        """Read what :meth:`save` has written; of parquet, whatever else is in the file stays there."""
        source = Path(path)
        names = [field.name for field in fields(cls)]  # type: ignore[arg-type]
        if source.suffix == ".parquet":
            from pyarrow import parquet

            return cls.from_arrow(parquet.read_table(source))
        with np.load(source, allow_pickle=False) as found:
            _check(str(source), [name for name in names if name not in found])
            return cls(**{name: found[name] for name in names})

    def to_arrow(self) -> Any:
        """A table of Arrow; numbers share memory, and rows of several are lists of a fixed size."""
        import pyarrow

        columns = {}
        for name, column in self._columns().items():
            if column.ndim == 1:
                columns[name] = pyarrow.array(column)
            elif name in ("boards", "start"):
                # As jobs of `outflank.cluster` read and write them.
                before = "" if name == "boards" else "start_"
                columns[f"{before}player"] = pyarrow.array(np.ascontiguousarray(column[:, 0]))
                columns[f"{before}opponent"] = pyarrow.array(np.ascontiguousarray(column[:, 1]))
            else:
                flat = pyarrow.array(np.ascontiguousarray(column).reshape(-1))
                columns[name] = pyarrow.FixedSizeListArray.from_arrays(flat, column.shape[1])
        return pyarrow.table(columns)

    @classmethod
    def from_arrow(cls, table: Any) -> Self:
        """The table out of one of Arrow."""
        columns: dict[str, NDArray[Any]] = {}
        missing = []
        for field in fields(cls):  # type: ignore[arg-type]
            name = field.name
            pair = {"boards": ("player", "opponent"), "start": ("start_player", "start_opponent")}.get(name, (name,))
            if any(part not in table.column_names for part in pair):
                missing.append(name)
                continue
            if len(pair) == 2:
                halves = [table.column(part).to_numpy().astype(np.uint64) for part in pair]
                columns[name] = np.ascontiguousarray(np.stack(halves, axis=1))
                continue
            found = table.column(name).combine_chunks()
            if hasattr(found, "chunks"):
                found = found.chunk(0) if found.num_chunks else found
            if str(found.type).startswith("fixed_size_list"):
                width = found.type.list_size
                columns[name] = found.flatten().to_numpy(zero_copy_only=False).reshape(-1, width)
            elif str(found.type) in ("string", "large_string"):
                columns[name] = np.array(found.to_pylist(), dtype=np.str_)
            else:
                columns[name] = found.to_numpy(zero_copy_only=False)
        _check("the table", missing)
        return cls(**columns)


@dataclass(frozen=True, slots=True, eq=False)
class Positions(_Table):
    """Positions of games as columns; a value is in discs for the player to move, :data:`NO_VALUE` where it is not known."""

    boards: batch.Boards
    """``(N, 2)``: the discs of the player to move, and those of the opponent."""
    side: NDArray[np.uint8]
    """Who moves: 0 Black, 1 White."""
    value: NDArray[np.int8]
    """The result of the game."""
    move: NDArray[np.uint8]
    """The square that was played."""
    game: NDArray[np.int64]
    """The row of the game."""

    @property
    def empties(self) -> NDArray[np.uint8]:
        """The number of empty squares."""
        return batch.empties(self.boards)

    def unique(self) -> Self:
        """The first of all positions that are images of each other."""
        return self[batch.unique(self.boards).first]


@dataclass(frozen=True, slots=True, eq=False)
class Scored(_Table):
    """Positions with the values that their source gives, in discs for the player to move, as columns."""

    boards: batch.Boards
    """``(N, 2)``: the discs of the player to move, and those of the opponent."""
    side: NDArray[np.uint8]
    """Who moves: 0 Black, 1 White."""
    value: NDArray[np.int8]
    """What the position is worth; :data:`NO_VALUE` where it is not known."""
    values: NDArray[np.int8]
    """``(N, 64)``: what each move is worth; :data:`NO_VALUE` where it is not known or not legal."""


@dataclass(frozen=True, slots=True, eq=False)
class Games(_Table):
    """Games as columns."""

    moves: NDArray[np.uint8]
    """``(N, 60)``: squares in the order of play, filled up with 255; passes are left out."""
    n_moves: NDArray[np.uint8]
    result: NDArray[np.int8]
    """Black's margin, the empty squares counted for the winner; :data:`NO_VALUE` where it is not known."""
    theoretical: NDArray[np.int8]
    """Black's margin with perfect play from :attr:`theoretical_empties` on, where the source gives it."""
    theoretical_empties: NDArray[np.uint8]
    year: NDArray[np.uint16]
    """0 where it is not known."""
    black: NDArray[np.str_]
    white: NDArray[np.str_]
    event: NDArray[np.str_]
    start: batch.Boards
    """``(N, 2)``: the board before the first move."""
    start_side: NDArray[np.uint8]
    """Who moves first: 0 Black, 1 White."""

    @classmethod
    def of_moves(cls, moves: NDArray[np.uint8], result: NDArray[np.int8] | None = None) -> Games:
        """Games from the usual start, such as those of :func:`outflank.batch.self_play`: ``Games.of_moves(*played)``."""
        n = len(moves)
        start = np.repeat(batch.from_positions([_core.Position()]), n, axis=0)
        known = np.full(n, NO_VALUE, np.int8) if result is None else result
        nobody, zero = np.full(n, "", np.str_), np.zeros(n, np.uint8)
        n_moves = (moves != batch.NO_MOVE).sum(axis=1).astype(np.uint8)
        return cls(
            moves, n_moves, known, np.full(n, NO_VALUE, np.int8), zero, np.zeros(n, np.uint16), nobody, nobody, nobody,
            start, zero.copy(),
        )  # fmt: skip

    def positions(self, *, empties: int | tuple[int, int] | None = None, unique: bool = False) -> Positions:
        """The positions before each disc: with ``empties`` only those with so many, or from so many to so many.

        With ``unique`` the first of all that are images of each other stands for them. The value is the game's result.
        """
        replayed = batch.replay(self.moves, (self.start, self.start_side))
        game = np.repeat(np.arange(len(self)), np.diff(replayed.offsets))
        result = self.result[game].astype(np.int16)
        known = result != NO_VALUE
        value = np.where(known & (replayed.side == 1), -result, result).astype(np.int8)
        found = Positions(replayed.boards, replayed.side, value, replayed.move, game)
        if empties is not None:
            least, most = (empties, empties) if isinstance(empties, int) else empties
            found = found[(found.empties >= least) & (found.empties <= most)]
        return found.unique() if unique else found


def _paths(paths: Paths) -> list[str]:
    return [fspath(paths)] if isinstance(paths, (str, PathLike)) else [fspath(path) for path in paths]


def read_games(paths: Paths, *, errors: str = "raise") -> Games:
    """The games of one file or several, in any notation; names of players lie beside files of WTHOR.

    A game that cannot be read is a :class:`~outflank.ParseError`; with ``errors="skip"`` it is left out. Positions without
    a game are left out.
    """
    if errors not in ("raise", "skip"):
        raise ValueError(f"errors is 'raise' or 'skip', not {errors!r}")
    files = _paths(paths)
    columns, bad = _core.read_games(files)
    if bad and errors == "raise":
        number, text = bad[0]
        raise ParseError(f"{files[number]}: {text}", remedy='errors="skip" leaves such games out')
    (moves, n_moves, result, theoretical, theoretical_empties, year, black, white, event, start, side, texts) = columns
    names = np.array(texts or [""], dtype=np.str_)
    return Games(
        moves, n_moves, result, theoretical, theoretical_empties, year, names[black], names[white], names[event],
        start, side,
    )  # fmt: skip


def read_positions(path: str | PathLike[str], *, errors: str = "raise") -> Scored:
    """The positions of a file in any notation with their values, such as OBF; games are left out."""
    if errors not in ("raise", "skip"):
        raise ValueError(f"errors is 'raise' or 'skip', not {errors!r}")
    (boards, side, value, values), bad = _core.read_positions(fspath(path))
    if bad and errors == "raise":
        raise bad[0]
    return Scored(boards, side, value, values)


def read_samples(path: str | PathLike[str]) -> tuple[batch.Boards, NDArray[np.int8]]:
    """Boards and exact values of a file of records as the program's ``train`` commands write them (:data:`SAMPLE`)."""
    size = Path(path).stat().st_size
    if size % SAMPLE.itemsize:
        raise ValueError(f"{path}: {size} bytes are no whole number of records of {SAMPLE.itemsize}")
    found = np.fromfile(path, SAMPLE)
    boards = np.stack([found["player"], found["opponent"]], axis=1).astype(np.uint64)
    # Names the first row that is no board.
    batch.empties(boards)
    return boards, found["value"].astype(np.int8)


def write_samples(path: str | PathLike[str], boards: batch.Boards, values: NDArray[Any]) -> None:
    """Write boards and their exact values as :func:`read_samples` reads them."""
    batch.empties(boards)
    if values.shape != (len(boards),) or ((values < -64) | (values > 64)).any():
        raise ValueError("a value of -64 to 64 for each board")
    records = np.zeros(len(boards), SAMPLE)
    records["player"], records["opponent"], records["value"] = boards[:, 0], boards[:, 1], values
    records.tofile(path)
