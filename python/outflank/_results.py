"""What engines and readers answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ._core import Game, Position
from ._errors import ParseError
from ._types import Color, Kind, Move


@dataclass(frozen=True, slots=True)
class Value:
    """What a position or a move is worth, in discs for the player to move, and what that is worth.

    >>> str(Value(18, Kind.EXACT)), str(Value(1.97, Kind.ESTIMATE, 12, 73))
    ('+18 (exact)', '≈+1.97 (depth 12, 73 %)')
    """

    discs: float
    kind: Kind
    depth: int = 0
    confidence: int | None = None

    @property
    def is_exact(self) -> bool:
        """Whether it is proven."""
        return self.kind is Kind.EXACT

    def for_color(self, side: Color, color: Color) -> Value:
        """The same value seen by ``color``, where ``side`` was to move."""
        discs = self.discs if side == color else -self.discs
        return Value(discs, self.kind, self.depth, self.confidence)

    def __float__(self) -> float:
        return float(self.discs)

    def __str__(self) -> str:
        if self.kind is Kind.ESTIMATE:
            worth = f"depth {self.depth}" if self.confidence is None else f"depth {self.depth}, {self.confidence} %"
            return f"≈{self.discs:+.2f} ({worth})"
        number = f"{int(self.discs):+d}" if self.discs == int(self.discs) else f"{self.discs:+.2f}"
        return f"{number} ({self.kind})"


@dataclass(frozen=True, slots=True)
class Line:
    """A move with its value and the play that is expected to follow, the move first."""

    value: Value
    pv: tuple[Move, ...]

    @property
    def move(self) -> Move | None:
        """The move; ``None`` if the game is over."""
        return self.pv[0] if self.pv else None

    @classmethod
    def _of(cls, found: Mapping[str, Any]) -> Line:
        value = Value(found["value"], Kind(found["kind"]), found["depth"], found.get("confidence"))
        return cls(value, tuple(Move(text) for text in found["pv"]))


@dataclass(frozen=True, slots=True)
class Info:
    """News from a running search: a stage was finished for one line; ``rank`` 1 is the best move's."""

    rank: int
    depth: int
    confidence: int | None
    value: Value
    pv: tuple[Move, ...]
    nodes: int
    seconds: float

    @classmethod
    def _of(cls, found: Mapping[str, Any]) -> Info:
        line = Line._of(found)
        value = line.value
        return cls(
            found["rank"], value.depth, value.confidence, value, line.pv, found["nodes"], found["seconds"]
        )


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a search found: the lines asked for, best first."""

    lines: tuple[Line, ...]
    nodes: int
    seconds: float
    complete: bool
    """Whether the search did all that was asked, rather than meeting a limit or being stopped."""
    opening: str | None = None

    @property
    def best(self) -> Line:
        """The best line."""
        return self.lines[0]

    @property
    def move(self) -> Move | None:
        """The move to play; ``None`` if the game is over."""
        return self.best.move

    @property
    def value(self) -> Value:
        """What the position is worth."""
        return self.best.value

    @classmethod
    def _of(cls, found: Mapping[str, Any]) -> Outcome:
        opening = found.get("opening") or {}
        name = opening.get("english") or opening.get("romanized") or opening.get("japanese")
        lines = tuple(Line._of(line) for line in found["lines"]) or (Line._of(found),)
        return cls(lines, found["nodes"], found["seconds"], found["complete"], name)


@dataclass(frozen=True, slots=True)
class Solved:
    """The exact value of a position, its best moves, and with ``goal="all-moves"`` the value of every move."""

    value: Value
    best: tuple[Move, ...]
    pv: tuple[Move, ...]
    values: Mapping[Move, int]
    nodes: int
    seconds: float

    @property
    def move(self) -> Move | None:
        """A best move; ``None`` if the game is over."""
        return self.best[0] if self.best else None

    @property
    def lines(self) -> tuple[Line, ...]:
        """The moves whose values are known, best first; a picture takes them as it takes a search's."""
        values: Mapping[Move, float] = self.values or dict.fromkeys(self.best, self.value.discs)
        ordered = sorted(values.items(), key=lambda known: -known[1])
        return tuple(
            Line(Value(discs, self.value.kind, self.value.depth), (move,)) for move, discs in ordered
        )

    @classmethod
    def _of(cls, found: Mapping[str, Any]) -> Solved:
        value = Value(found.get("value", 0), Kind(found["kind"]), found["empties"], None)
        moves = {Move(move): discs for move, discs in found.get("values", {}).items()}
        best, pv = (tuple(Move(text) for text in found[key]) for key in ("best", "pv"))
        return cls(value, best, pv, moves, found["nodes"], found.get("seconds", 0.0))


@dataclass(frozen=True, slots=True)
class ReviewedMove:
    """A move of a game, judged: values for the player who made it, and what the move lost, in discs."""

    number: int
    color: Color
    move: Move
    value: float
    kind: Kind
    best: Move
    best_value: float
    best_kind: Kind
    loss: float
    exact: bool
    forced: bool
    mark: str
    """``?!``, ``?``, ``??``, or nothing."""


@dataclass(frozen=True, slots=True)
class Totals:
    """What one player's moves lost, altogether and in the opening, the midgame and the endgame."""

    moves: int
    loss: float
    by_phase: tuple[float, float, float]
    marks: tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Review:
    """Every move of a game judged."""

    game: Game
    moves: tuple[ReviewedMove, ...]
    black: Totals
    white: Totals
    values: tuple[float, ...]
    """Black's value before each move, and at the end."""
    nodes: int
    complete: bool

    @classmethod
    def _of(cls, game: Game, moves: list[Mapping[str, Any]], summary: Mapping[str, Any]) -> Review:
        def judged(found: Mapping[str, Any]) -> ReviewedMove:
            color = Color.BLACK if found["side"] == "X" else Color.WHITE
            return ReviewedMove(
                found["number"],
                color,
                Move(found["move"]),
                found["value"],
                Kind(found["kind"]),
                Move(found["best"]),
                found["best_value"],
                Kind(found["best_kind"]),
                found["loss"],
                found["exact"],
                found["forced"],
                found["mark"],
            )

        def totals(found: Mapping[str, Any]) -> Totals:
            opening, midgame, endgame = found["by_phase"]
            first, second, third = found["marks"]
            return Totals(found["moves"], found["loss"], (opening, midgame, endgame), (first, second, third))

        return cls(
            game,
            tuple(judged(move) for move in moves),
            totals(summary["black"]),
            totals(summary["white"]),
            tuple(summary["values"]),
            summary["nodes"],
            summary["complete"],
        )


@dataclass(frozen=True, slots=True)
class Item:
    """Something that was read: a position, or a game with the position at its end."""

    line: int
    """Line on which it starts, from 1; of WTHOR the number of the record."""
    format: str
    position: Position
    game: Game | None
    value: int | None
    """The value that the source gives, in discs for the player to move."""
    scores: Mapping[Move, int]
    """The values that the source gives to moves."""
    comment: str
    warnings: tuple[str, ...]
    """What was doubtful."""

    @classmethod
    def _of(cls, found: tuple[Any, ...]) -> Item:
        line, notation, position, game, value, scores, comment, warnings = found
        return cls(line, notation, position, game, value, scores, comment, tuple(warnings))


@dataclass(frozen=True, slots=True)
class Parsed:
    """Everything that was found in a text."""

    items: tuple[Item, ...]
    bad: tuple[ParseError, ...] = field(default=())

    @property
    def positions(self) -> list[Position]:
        """The positions; of each game the last one."""
        return [item.position for item in self.items]

    @property
    def games(self) -> list[Game]:
        """The games."""
        return [item.game for item in self.items if item.game is not None]

    @property
    def warnings(self) -> list[str]:
        """What was doubtful, with the line."""
        return [f"line {item.line}: {text}" for item in self.items for text in item.warnings]

    def __iter__(self) -> Iterator[Item]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)
