"""Gomoku: boards, searches, and forced wins with proofs.

>>> board = Board("h8i9h9i10h10i11")
>>> Engine(hash_mb=1).forced_win(board).line
('h7', 'h6', 'h11')
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from ._core import Engines, Job
from ._engine import Closing, _limits, _without_none, finish
from ._types import Color, Kind

Rule = Literal["freestyle", "standard", "caro", "renju"]
"""Which rows of five win; ``renju`` forbids Black some points."""


def _ask(engines: Engines, tell: Callable[[dict[str, Any]], object], **call: Any) -> None:
    job: Job = engines.start(json.dumps({"game": "gomoku", **call}))
    finish(job, lambda text: tell(json.loads(text)))


@dataclass(frozen=True)
class Board:
    """A board and the stones put on it in turn, Black first; immutable.

    ``text`` is the moves, such as ``h8i9``, or another notation that the engine reads.
    """

    text: str = ""
    size: int = 15
    rule: Rule = "freestyle"

    def __post_init__(self) -> None:
        # What is no board is an error at once; the moves in one word are the board's name from here on.
        object.__setattr__(self, "text", self._facts["history"])

    @property
    def _input(self) -> dict[str, Any]:
        return {"input": {"text": self.text}, "rules": {"size": self.size, "rule": self.rule}}

    @cached_property
    def _facts(self) -> dict[str, Any]:
        found: list[dict[str, Any]] = []
        _ask(Engines(1 << 20, 1), found.append, call="show", **self._input)
        return found[0]

    @property
    def moves(self) -> tuple[str, ...]:
        """The points that were played."""
        points: list[str] = []
        for sign in self.text:
            if sign.isalpha():
                points.append(sign)
            else:
                points[-1] += sign
        return tuple(points)

    @property
    def side(self) -> Color:
        """Whose turn it is."""
        return Color.BLACK if self._facts["side"] == "X" else Color.WHITE

    @property
    def is_over(self) -> bool:
        """Whether somebody has won, or the board is full."""
        return bool(self._facts["over"])

    @property
    def result(self) -> str | None:
        """How the game ended, or ``None``."""
        result: str | None = self._facts["result"]
        return result

    @property
    def forbidden(self) -> tuple[str, ...]:
        """The empty points that the rule forbids the player to move."""
        return tuple(self._facts["forbidden"])

    @property
    def fives(self) -> tuple[str, ...]:
        """The points that win at once."""
        return tuple(self._facts["fives"])

    def play(self, point: str) -> Board:
        """The board after a stone; :class:`ValueError` says why there can be none."""
        if self.is_over:
            raise ValueError(f"the game is over: {self.result}")
        return Board(self.text + point.strip().lower(), self.size, self.rule)

    def svg(self, *, marks: Iterable[str] = (), arrows: Iterable[str] = (), numbers: bool = False, size: int = 400) -> str:
        """A picture; ``marks`` such as ``h8=circle``, ``arrows`` such as ``h8-i9``."""
        found: list[dict[str, Any]] = []
        look = {"marks": list(marks), "arrows": list(arrows), "numbers": numbers}
        _ask(Engines(1 << 20, 1), found.append, call="picture", **self._input, **look)
        picture: str = found[0]["svg"]
        return picture.replace("<svg ", f'<svg width="{size}" ', 1)

    def _repr_svg_(self) -> str:
        return self.svg()


@dataclass(frozen=True, slots=True)
class Line:
    """A move, how likely it wins in percent, what that is worth, and the play that is expected to follow."""

    percent: float
    kind: Kind
    """``win`` and ``loss`` are forced; else an estimate."""
    depth: int
    stones: int | None
    """In how many stones a forced win or loss is on the board."""
    pv: tuple[str, ...]

    @property
    def move(self) -> str | None:
        """The move; ``None`` if the game is over."""
        return self.pv[0] if self.pv else None

    @classmethod
    def _of(cls, found: dict[str, Any]) -> Line:
        return cls(
            found["value"], Kind(found["kind"]), found["depth"], found.get("stones"), tuple(found["pv"])
        )


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a search found: the lines asked for, best first."""

    lines: tuple[Line, ...]
    nodes: int
    seconds: float
    complete: bool

    @property
    def best(self) -> Line:
        """The best line."""
        return self.lines[0]

    @property
    def move(self) -> str | None:
        """The move to play."""
        return self.best.move


@dataclass(frozen=True, slots=True)
class ForcedWin:
    """Whether the player to move can win by continuous fours (``vcf``) or threats (``vct``)."""

    kind: Literal["vcf", "vct", "none", "unknown"]
    """``none``: proven that there is no such win; ``unknown``: the limits were reached."""
    line: tuple[str, ...]
    verified: bool
    """Whether every defense was played through again, by the rules alone."""
    proof_moves: int
    nodes: int
    seconds: float

    @property
    def found(self) -> bool:
        """Whether there is a win."""
        return self.kind in ("vcf", "vct")


class Engine(Closing):
    """A Gomoku engine with its memory, for one search at a time."""

    def __init__(self, *, hash_mb: int = 64) -> None:
        if hash_mb < 1:
            raise ValueError(f"a table of {hash_mb} MB: at least 1")
        self._engines = Engines(hash_mb << 20, 1)
        self._is_closed = False

    def _ask(self, tell: Callable[[dict[str, Any]], object], **call: Any) -> None:
        if self._is_closed:
            raise ValueError("the engine is closed")
        _ask(self._engines, tell, **call)

    def search(
        self,
        board: Board,
        *,
        depth: int | None = None,
        time: float | None = None,
        nodes: int | None = None,
        level: int | None = None,
        lines: int = 1,
        progress: Callable[[Line], object] | None = None,
    ) -> Outcome:
        """Search, five seconds if no limit is given; ``progress`` hears of every stage."""
        outcomes: list[Outcome] = []

        def tell(event: dict[str, Any]) -> None:
            if "progress" in event:
                if progress is not None:
                    progress(Line._of(event["progress"]))
                return
            found = tuple(Line._of(line) for line in event["lines"]) or (Line._of(event),)
            outcomes.append(Outcome(found, event["nodes"], event["seconds"], event["complete"]))

        limits = _limits(depth=depth, time=time, nodes=nodes, level=level)
        self._ask(
            tell, call="analyze", limits=limits, lines=lines, progress=progress is not None, **board._input
        )
        return outcomes[0]

    def forced_win(
        self,
        board: Board,
        *,
        fours: bool = False,
        depth: int | None = None,
        time: float | None = None,
        nodes: int | None = None,
    ) -> ForcedWin:
        """Look for a forced win, with ``fours`` by continuous fours only."""
        wins: list[ForcedWin] = []

        def tell(event: dict[str, Any]) -> None:
            wins.append(
                ForcedWin(
                    event["kind"],
                    tuple(event["line"]),
                    event["verified"],
                    event["proof_moves"],
                    event["nodes"],
                    event["seconds"],
                )
            )

        self._ask(
            tell,
            call="solve",
            fours=fours,
            **_without_none(depth=depth, seconds=time, nodes=nodes),
            **board._input,
        )
        return wins[0]

    def close(self) -> None:
        """Give the memory back; the engine cannot be used afterwards."""
        if not self._is_closed:
            self._engines.close()
            self._is_closed = True
