"""Rules, features and values of many positions at once, as numpy arrays.

Boards are an array of ``uint64`` of the shape ``(N, 2)``: column 0 the discs of the player to move, column 1 those of the
opponent, bit 0 is a1, bit 1 is b1. A contiguous array is borrowed without a copy, another layout is copied once, another
type is refused. Every function takes ``threads``, lets other Python threads run meanwhile, can be interrupted, and names
the first bad row. Values never depend on the number of threads.

>>> import numpy as np
>>> boards = from_positions(["f5d6c3", "f5f6"])
>>> legal(boards)
array([    275417399296, 9024791508418560], dtype=uint64)
>>> play(boards, np.array([19, 44])).shape
(2, 2)
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from os import PathLike, fspath
from typing import Any, Literal, NamedTuple, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._core import Job, Position
from ._engine import PositionLike, _limits, evaluator, finish
from ._types import Color, Kind

Boards = NDArray[np.uint64]

FEATURES = (
    "discs", "opponent_discs", "mobility", "opponent_mobility", "potential_mobility", "opponent_potential_mobility",
    "frontier", "opponent_frontier", "stable", "opponent_stable", "corners", "opponent_corners", "x_squares",
    "opponent_x_squares", "c_squares", "opponent_c_squares", "empties", "odd_regions",
)  # fmt: skip
"""The names of the features, in order: of the player to move, and of the opponent."""


def _boards(boards: Boards) -> Boards:
    if not isinstance(boards, np.ndarray) or boards.dtype != np.uint64:
        kind = boards.dtype if isinstance(boards, np.ndarray) else type(boards).__name__
        raise TypeError(f"boards are an array of uint64, not {kind}: from_positions makes one")
    if boards.ndim != 2 or boards.shape[1] != 2:
        raise ValueError(f"boards are of the shape (N, 2), not {boards.shape}")
    return np.ascontiguousarray(boards)


def _threads(threads: int) -> int:
    if threads < 1:
        raise ValueError(f"{threads} threads: at least 1")
    return threads


def _moves(moves: ArrayLike) -> NDArray[np.uint8]:
    array = np.asarray(moves)
    if array.ndim != 1:
        raise ValueError(f"moves are of the shape (N,), not {array.shape}")
    if array.dtype == np.uint8:
        return np.ascontiguousarray(array)
    if array.dtype.kind not in "iu" and array.size:
        raise TypeError(f"moves are whole numbers, 0 (a1) to 63 (h8) and 64 (pass), not {array.dtype}")
    bad = np.flatnonzero((array < 0) | (array > 64))
    if bad.size:
        raise ValueError(f"row {bad[0]}: {array[bad[0]]} is no move: squares are 0 (a1) to 63 (h8), a pass is 64")
    return array.astype(np.uint8)


def from_positions(positions: Iterable[PositionLike]) -> Boards:
    """The boards of positions, games or texts. Arrays are the fast road: this takes a microsecond each."""
    found = [
        position if isinstance(position, Position)
        else Position(position) if isinstance(position, str)
        else position.position
        for position in positions
    ]  # fmt: skip
    boards = np.empty((len(found), 2), np.uint64)
    boards[:, 0] = [position.player for position in found]
    boards[:, 1] = [position.opponent for position in found]
    return boards


def to_positions(boards: Boards, side: Color = Color.BLACK) -> list[Position]:
    """The positions of boards, with ``side`` to move."""
    return [
        Position.from_bitboards(player, opponent, side) for player, opponent in _boards(boards).tolist()
    ]


def legal(boards: Boards, *, threads: int = 1) -> NDArray[np.uint64]:
    """The squares on which the player to move may place a disc, as bits; a pass is none: ``(N,)``."""
    return _core.legal(_boards(boards), _threads(threads))


def legal_counts(boards: Boards, *, threads: int = 1) -> NDArray[np.uint8]:
    """The number of legal moves, a pass not counted: ``(N,)``."""
    return np.bitwise_count(legal(boards, threads=threads))


def legal_mask(boards: Boards, *, threads: int = 1) -> NDArray[np.bool_]:
    """Whether each move is legal: ``(N, 65)``, the last column is the pass."""
    return _core.legal_mask(_boards(boards), _threads(threads))


@overload
def play(
    boards: Boards, moves: ArrayLike, *, errors: Literal["raise"] = "raise", threads: int = 1
) -> Boards: ...
@overload
def play(
    boards: Boards, moves: ArrayLike, *, errors: Literal["keep"], threads: int = 1
) -> tuple[Boards, NDArray[np.bool_]]: ...
def play(
    boards: Boards, moves: ArrayLike, *, errors: Literal["raise", "keep"] = "raise", threads: int = 1
) -> Boards | tuple[Boards, NDArray[np.bool_]]:
    """The boards after a move each, seen by the other player.

    With ``errors="keep"`` a board whose move is not legal stays as it is, and a second array says which were played.
    """
    if errors not in ("raise", "keep"):
        raise ValueError(f"errors is 'raise' or 'keep', not {errors!r}")
    played, ok = _core.play(_boards(boards), _moves(moves), errors == "keep", _threads(threads))
    return played if ok is None else (played, ok)


class Children(NamedTuple):
    """Boards after moves: from which row, and by which move."""

    boards: Boards
    parent: NDArray[np.int64]
    move: NDArray[np.uint8]


def children(boards: Boards, *, threads: int = 1) -> Children:
    """Every board after every legal move; after a pass where nothing else is legal."""
    return Children(*_core.children(_boards(boards), _threads(threads)))


def is_over(boards: Boards, *, threads: int = 1) -> NDArray[np.bool_]:
    """Whether neither side can move: ``(N,)``."""
    return _core.is_over(_boards(boards), _threads(threads))


def final_scores(boards: Boards, *, threads: int = 1) -> NDArray[np.int8]:
    """The margin for the player to move if the game ended here, the empties counted for the winner: ``(N,)``."""
    return _core.final_scores(_boards(boards), _threads(threads))


def empties(boards: Boards, *, threads: int = 1) -> NDArray[np.uint8]:
    """The number of empty squares: ``(N,)``."""
    return _core.empties(_boards(boards), _threads(threads))


def features(boards: Boards, *, threads: int = 1) -> NDArray[np.void]:
    """What players talk about, a field of ``uint8`` for each of :data:`FEATURES`: ``(N,)``."""
    table = _core.features(_boards(boards), _threads(threads))
    return table.view([(name, np.uint8) for name in FEATURES]).reshape(len(table))


def symmetries(boards: Boards, *, threads: int = 1) -> NDArray[np.uint64]:
    """The eight images of each board: ``(N, 8, 2)``, the board itself first."""
    return _core.symmetries(_boards(boards), _threads(threads))


def canonical(boards: Boards, *, threads: int = 1) -> tuple[Boards, NDArray[np.uint8]]:
    """The smallest image of each board, and the number of the symmetry that leads to it."""
    return _core.canonical(_boards(boards), _threads(threads))


def _square_images() -> NDArray[np.uint8]:
    """Where each symmetry takes each move: ``(8, 65)``."""
    boards = np.zeros((64, 2), np.uint64)
    boards[:, 0] = np.uint64(1) << np.arange(64, dtype=np.uint64)
    images = np.full((8, 65), 64, np.uint8)
    images[:, :64] = np.bitwise_count(_core.symmetries(boards, 1)[:, :, 0] - np.uint64(1)).T
    return images


_IMAGES = _square_images()


def map_moves(moves: ArrayLike, symmetry: ArrayLike) -> NDArray[np.uint8]:
    """Where symmetries take moves; the one that leads back to a board is ``inverse_symmetry`` of its own."""
    images: NDArray[np.uint8] = _IMAGES[np.asarray(symmetry), _moves(moves)]
    return images


def inverse_symmetry(symmetry: ArrayLike) -> NDArray[np.uint8]:
    """The numbers of the symmetries that undo these."""
    inverse: NDArray[np.uint8] = np.array([0, 1, 2, 5, 4, 3, 6, 7], np.uint8)[np.asarray(symmetry)]
    return inverse


class Unique(NamedTuple):
    """Distinct boards in the order in which they occur first."""

    boards: Boards
    first: NDArray[np.int64]
    """The first row of each."""
    inverse: NDArray[np.int64]
    """For each row the number of its board."""
    counts: NDArray[np.int64]
    """How often each occurs."""


def unique(boards: Boards, *, symmetric: bool = True, threads: int = 1) -> Unique:
    """The distinct boards; with ``symmetric`` all images of a board count as one, and the smallest stands for them."""
    return Unique(*_core.unique(_boards(boards), symmetric, _threads(threads)))


def to_planes(boards: Boards, *, dtype: Any = np.uint8, threads: int = 1) -> NDArray[Any]:
    """Two planes for each board, the mover's discs first: ``(N, 2, 8, 8)``, a1 in the corner ``[0, 0]``, b1 ``[0, 1]``."""
    planes = _core.to_planes(_boards(boards), _threads(threads))
    return planes if np.dtype(dtype) == np.uint8 else planes.astype(dtype)


def from_planes(planes: NDArray[Any]) -> Boards:
    """The boards of planes as :func:`to_planes` makes them."""
    if planes.ndim != 4 or planes.shape[1:] != (2, 8, 8):
        raise ValueError(f"planes are of the shape (N, 2, 8, 8), not {planes.shape}")
    bits = np.packbits(planes.reshape(-1, 2, 64) != 0, axis=2, bitorder="little")
    return np.ascontiguousarray(bits).view("<u8").reshape(-1, 2).astype(np.uint64)


def to_cells(boards: Boards, *, threads: int = 1) -> NDArray[np.int8]:
    """One cell for each square: 1 the mover's disc, -1 the opponent's, 0 none: ``(N, 8, 8)``."""
    planes = _core.to_planes(_boards(boards), _threads(threads)).view(np.int8)
    cells: NDArray[np.int8] = planes[:, 0] - planes[:, 1]
    return cells


def evaluate(
    boards: Boards, *, weights: str | PathLike[str] | None = None, threads: int = 1
) -> NDArray[np.float32]:
    """The learned estimate in discs for the player to move, without a search: ``(N,)``."""
    judge = evaluator(None if weights is None else fspath(weights))
    return _core.evaluate(_boards(boards), judge, _threads(threads))


def random_positions(n: int, empties: int, seed: int, *, threads: int = 1) -> Boards:
    """Boards with so many empty squares, each reached from the start by random moves."""
    return _core.random_positions(n, empties, seed, _threads(threads))


KINDS = tuple(Kind)
"""What the numbers in a column ``kind`` mean."""

NO_MOVE = 255
"""In a column of moves: none."""

NO_VALUE = -128
"""In a column of values: none."""

Progress = Callable[[int, int], object]
"""Hears how many of how many are done, at most ten times a second, in the caller's thread."""


def _run(job: Job, progress: Progress | None, total: int) -> Any:
    def tell(done: int) -> None:
        if progress is not None:
            progress(done, total)

    result = finish(job, tell)
    if progress is not None:
        progress(total, total)
    return result


class SolveBatch(NamedTuple):
    """What is proven of each board, for the player to move."""

    value: NDArray[np.int8]
    """Discs; with the goal ``wld`` -2, 0 or 2; -128 if the time was over."""
    kind: NDArray[np.uint8]
    """Places in :data:`KINDS`."""
    best: NDArray[np.uint8]
    """A best move; 255 if the game is over."""
    values: NDArray[np.int8]
    """``(N, 64)``: with the goal ``all-moves`` the value of every legal move, else -128."""
    nodes: NDArray[np.uint64]
    seconds: NDArray[np.float32]


def solve(
    boards: Boards,
    goal: Literal["exact", "all-moves", "wld"] = "exact",
    *,
    threads: int = 1,
    hash_mb: int = 64,
    time: float | None = None,
    progress: Progress | None = None,
) -> SolveBatch:
    """Solve boards, spread over ``threads``, ``hash_mb`` for all of them; ``time`` is for each board.

    >>> solve(from_positions(["--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X"])).value
    array([18], dtype=int8)
    """
    array = _boards(boards)
    job = _core.solve(array, goal, _threads(threads), hash_mb << 20, time, evaluator())
    return SolveBatch(*_run(job, progress, len(array)))


class SearchBatch(NamedTuple):
    """What a search found of each board, for the player to move."""

    move: NDArray[np.uint8]
    """255 if the game is over."""
    value: NDArray[np.float32]
    """Discs."""
    kind: NDArray[np.uint8]
    """Places in :data:`KINDS`."""
    depth: NDArray[np.uint8]
    """Of an estimate; else 0."""
    nodes: NDArray[np.uint64]
    pv: NDArray[np.uint8]
    """``(N, 60)``: the line, filled up with 255."""
    moves: NDArray[np.uint8]
    """``(N, lines)``: the best moves, best first, filled up with 255."""
    values: NDArray[np.float32]
    """``(N, lines)``: their values in discs, filled up with NaN."""


def search(
    boards: Boards,
    *,
    depth: int | None = None,
    time: float | None = None,
    nodes: int | None = None,
    level: int | str | None = None,
    goal: Literal["best", "exact", "wld"] = "best",
    lines: int = 1,
    weights: str | PathLike[str] | None = None,
    threads: int = 1,
    hash_mb: int = 16,
    progress: Progress | None = None,
) -> SearchBatch:
    """Search boards, each with an empty memory; every thread has ``hash_mb``. For the limits see ``Engine.analysis``.

    ``lines`` is the number of moves to value; ``weights`` is a file of weights that judge in place of the package's.
    """
    if not 1 <= lines <= 64:
        raise ValueError(f"{lines} lines: 1 to 64")
    array = _boards(boards)
    limits = _limits(depth=depth, time=time, nodes=nodes, level=level)
    if not limits and goal == "best":
        raise ValueError("a search needs a limit: depth, time, nodes or level")
    text = json.dumps(limits)
    judge = evaluator(None if weights is None else fspath(weights))
    job = _core.search(array, text, goal, lines, _threads(threads), hash_mb << 20, judge)
    return SearchBatch(*_run(job, progress, len(array)))


class SelfPlay(NamedTuple):
    """Games: squares in the order of play, filled up with 255, passes left out; and Black's margins."""

    moves: NDArray[np.uint8]
    result: NDArray[np.int8]


def self_play(
    games: int,
    seed: int,
    *,
    random_plies: int = 8,
    level: int | str | None = None,
    depth: int | None = None,
    nodes: int | None = None,
    threads: int = 1,
    hash_mb: int = 16,
    progress: Progress | None = None,
) -> SelfPlay:
    """Games of the engine against itself after random moves; a game depends on ``seed`` and its number alone."""
    limits = _limits(depth=depth, time=None, nodes=nodes, level=level)
    if not limits:
        raise ValueError("a search needs a limit: depth, nodes or level")
    text = json.dumps(limits)
    job = _core.self_play(games, seed, random_plies, text, _threads(threads), hash_mb << 20, evaluator())
    return SelfPlay(*_run(job, progress, games))


class Replay(NamedTuple):
    """Games played again, a row for each disc: the board before it, and what happened."""

    boards: Boards
    offsets: NDArray[np.int64]
    """Where each game begins, and where the last one ends: ``(N + 1,)``."""
    move: NDArray[np.uint8]
    side: NDArray[np.uint8]
    """The color that moves."""
    passed: NDArray[np.bool_]
    """Whether the other side has just passed."""


def replay(moves: ArrayLike, starts: tuple[Boards, NDArray[np.uint8]] | None = None) -> Replay:
    """Play games again: ``(N, 60)`` squares, filled up with 255, passes left out.

    ``starts`` are the boards before the games and who moves there (0 Black, 1 White), if they are not the usual ones.
    """
    array = np.asarray(moves)
    if array.ndim != 2 or array.dtype != np.uint8:
        raise TypeError(f"games are an array of uint8 of the shape (N, 60), not {array.dtype} {array.shape}")
    if starts is not None:
        boards, sides = starts
        starts = _boards(boards), np.ascontiguousarray(sides, np.uint8)
    return Replay(*_core.replay(np.ascontiguousarray(array), starts))
