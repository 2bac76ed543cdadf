"""The textbook searches, with an evaluation of the laboratory or **your own function**.

>>> from outflank import Position
>>> def corners(position: Position) -> int:
...     mine, theirs = position.player, position.opponent
...     return ((mine & CORNERS).bit_count() - (theirs & CORNERS).bit_count()) * 100
>>> report = search("f5d6c3d3c4", corners, method="alpha-beta+table", depth=4)
>>> report.complete, report.nodes == search("f5d6c3d3c4", corners, depth=4, method="alpha-beta+table").nodes
(True, True)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from . import _core
from ._core import Position
from ._engine import PositionLike, finish
from ._types import Move

CORNERS = 0x8100000000000081
"""The four corners."""

Evaluation = Callable[[Position], float] | Callable[[int, int], float]
"""A position, or with ``bitboards=True`` the two sets of discs, in; how good it is for the player to move, out."""


@dataclass(frozen=True, slots=True)
class Report:
    """What a search found, and what it cost; the value is in the evaluation's unit, floats times 1000."""

    value: int
    best: Move | None
    line: tuple[Move, ...]
    depth: int
    complete: bool
    nodes: int
    evaluations: int
    probes: int
    hits: int
    cutoffs: int


def methods() -> list[str]:
    """The methods by name; each also with ``+order``, for moves ordered by evaluation."""
    return _core.lab_methods()


def search(
    position: PositionLike,
    evaluate: str | Evaluation = "squares",
    *,
    method: str = "alpha-beta+table",
    depth: int = 4,
    ties_seed: int | None = None,
    bitboards: bool = False,
) -> Report:
    """Search to ``depth`` discs by a textbook method.

    ``evaluate`` is the name of an evaluation of the laboratory (``squares``, ``phase``, ``e``, …) or a function. What it
    raises stops the search and comes out here; what is no number, or not finite, is an error. Whole numbers count as they
    are, floats a thousandfold, rounded. ``ties_seed`` draws among equal moves in place of taking the first.
    """
    if not 0 <= depth <= 60:
        raise ValueError(f"a depth of {depth}: 0 to 60")
    found: Any
    if isinstance(evaluate, str):
        job = _core.lab_search_named(position, evaluate, method, depth, ties_seed)
        found = finish(job, lambda _news: None)
    else:
        found = _core.lab_search(position, evaluate, method, depth, ties_seed, bitboards)
    value, best, line, reached, complete, counters = found
    return Report(value, best, tuple(line), reached, complete, *counters)


def evaluate(position: PositionLike, evaluation: str = "squares") -> int:
    """The value of an evaluation of the laboratory, for the player to move."""
    return _core.lab_evaluate(position, evaluation)
