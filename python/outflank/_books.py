"""Opening books, and collections of games: what they say about a position."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from os import PathLike, fspath
from typing import Any, Literal, TypedDict, Unpack

from . import _core
from ._core import Game, Position
from ._engine import PositionLike
from ._types import Color, Move


def _game(position: PositionLike | None) -> Game:
    if position is None:
        return Game()
    if isinstance(position, Position):
        return Game(start=position)
    return Game(position) if isinstance(position, str) else position


def _board(found: Mapping[str, Any]) -> Position:
    return Position(f"{found['board']} {found['side']}")


def _name(found: Mapping[str, Any]) -> str | None:
    opening = found.get("opening") or {}
    return opening.get("english") or opening.get("romanized") or opening.get("japanese")


@dataclass(frozen=True, slots=True)
class BookMove:
    """What a book says about a move; numbers are discs, for the player who makes it."""

    move: Move
    value: float | None
    loss: float | None
    """What it loses against the best move."""
    grade: str | None
    """How far the value can be trusted: ``A`` is proved, ``F`` a shallow search."""
    risk: float
    """What the value may be off."""
    origin: Literal["fact", "next", "end", "nothing"]
    """Where the value comes from: the move itself, the positions behind it, the end of the game."""
    kind: str | None
    depth: int | None
    source: str | None
    games: int
    """Games in which it was played."""
    mean: float | None
    """Their mean result."""

    @classmethod
    def _of(cls, found: Mapping[str, Any]) -> BookMove:
        return cls(
            Move(found["move"]), found.get("value"), found.get("loss"), found.get("grade"), found.get("risk", 0.0),
            found["from"], found.get("kind"), found.get("depth"), found.get("source"), found["games"], found.get("mean"),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class BookPosition:
    """What a book says about a position; numbers are discs, for the player to move."""

    position: Position
    value: float | None
    range: tuple[float, float] | None
    """What the value will hardly fall below, and hardly exceed."""
    proved: tuple[int, int]
    """What is proved of the value; -64 and 64 if nothing is."""
    grade: str | None
    lines: int
    """Lines from here to where the book ends."""
    rest: float | None
    """No move without a value is worth more than this."""
    moves: tuple[BookMove, ...]
    """Best first."""
    opening: str | None

    @property
    def best(self) -> BookMove | None:
        """The best move, if the book has any."""
        return self.moves[0] if self.moves else None


class Book:
    """An opening book: the small one inside the package, or that of a file (``.ofb``, ``.ofbz``), which stays in its file.

    >>> book = Book()
    >>> "f5" in book, Position("f5d6c3d3c4").canonical()[0] in book
    (True, True)
    >>> found = book.lookup("f5")
    >>> found.best.loss, len(found.moves)
    (0.0, 3)
    """

    def __init__(self, path: str | PathLike[str] | None = None) -> None:
        self._book = _core.Book(None if path is None else fspath(path))

    def lookup(self, position: PositionLike | None = None) -> BookPosition | None:
        """What the book says about a position, the start if none is given; ``None`` if it does not have it."""
        found = json.loads(self._book.show(_game(position)))
        if not found["known"]:
            return None
        low_high, proved = found.get("range"), found.get("proved", (-64, 64))
        return BookPosition(
            _board(found), found.get("value"), low_high and (low_high[0], low_high[1]), (proved[0], proved[1]),
            found.get("grade"), found["lines"], found.get("rest"),
            tuple(BookMove._of(move) for move in found.get("moves", ())), _name(found),
        )  # fmt: skip

    def stats(self) -> dict[str, Any]:
        """What is in the book: positions by discs, grade and source, and the rest that ``outflank book stats --json`` says."""
        stats: dict[str, Any] = json.loads(self._book.stats())
        return stats

    def __contains__(self, position: PositionLike) -> bool:
        return self.lookup(position) is not None

    def __len__(self) -> int:
        return len(self._book)


class GamesFilter(TypedDict, total=False):
    """Which games count; without anything all but duplicates.

    A name is meant if each word of the text begins one of its words, whatever the accents and capitals; behind ``=`` the
    whole name is wanted. Results are Black's margins, or those of ``player`` if one is named.
    """

    player: str
    color: Literal["black", "white"]
    """Of ``player``."""
    opponent: str
    event: str
    source: str
    first_year: int
    last_year: int
    least_result: int
    greatest_result: int
    min_discs: int
    """Least number of discs at the end."""
    finished: bool
    xot: bool
    """Only games from openings drawn by lot, or with ``False`` only others."""
    duplicates: bool
    """Count games that were met before, too."""


@dataclass(frozen=True, slots=True)
class Fared:
    """How games went for one side."""

    games: int
    """Also those whose result is not known."""
    wins: int
    draws: int
    losses: int
    score: float | None
    """Points in percent, a draw as half of one."""
    score_range: tuple[float, float] | None
    """Limits between which the score lies with a probability of 95 %, if these games are a sample."""
    discs: float | None
    """Mean margin."""
    theoretical: float | None
    """Mean margin with perfect play in the endgame, where it is known."""
    first_year: int | None
    last_year: int | None

    @classmethod
    def _of(cls, found: Mapping[str, Any]) -> Fared:
        limits = found.get("score_range")
        return cls(
            found["games"], found["wins"], found["draws"], found["losses"], found.get("score"),
            limits and (limits[0], limits[1]), found.get("discs"), found.get("theoretical"),
            found.get("first_year"), found.get("last_year"),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class ListedGame:
    """A game of a collection."""

    id: int
    source: str
    number: int
    """In its source, from 1."""
    black: str
    white: str
    event: str
    date: str
    margin: int | None
    """Black's, the empty squares counted for the winner."""
    winner: Color | None
    """``None`` for a draw, and where it is not known."""
    theoretical: int | None
    theoretical_empties: int | None
    discs: int
    """At the end."""
    xot: bool
    duplicate: bool
    opening: str | None
    start: str | None
    """The position before the first move, if it is not the usual one."""
    moves: str
    """Without passes."""

    @property
    def game(self) -> Game:
        """The game."""
        if self.start is None:
            return Game(self.moves)
        game = Game(start=self.start)
        for at in range(0, len(self.moves), 2):
            if game.position.legal_moves == (Move.PASS,):
                game.play(Move.PASS)
            game.play(self.moves[at : at + 2])
        return game

    @classmethod
    def _of(cls, found: Mapping[str, Any]) -> ListedGame:
        winner = {"black": Color.BLACK, "white": Color.WHITE}.get(found.get("winner", ""))
        return cls(
            found["id"], found["source"], found["number"], found["black"], found["white"], found["event"],
            found["date"], found.get("margin"), winner, found.get("theoretical"), found.get("theoretical_empties"),
            found["n_discs"], found.get("xot", False), found.get("duplicate", False), _name(found), found.get("start"),
            found["moves"],
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class ExploredMove:
    """A move and how it fared, for the player who makes it."""

    move: Move
    same: tuple[Move, ...]
    """Other squares that are the same move, as the position is symmetric."""
    share: float
    """Part of the games that go on, in percent."""
    fared: Fared
    examples: tuple[ListedGame, ...]


@dataclass(frozen=True, slots=True)
class Explored:
    """What was played from a position; of two positions that are images of each other, the same is said."""

    position: Position
    """Where there was a pass, the one after it."""
    opening: str | None
    total: Fared
    """All games, for the player to move."""
    ended: int
    """Games that end there."""
    moves: tuple[ExploredMove, ...]
    """Most played first."""


@dataclass(frozen=True, slots=True)
class Listed:
    """Games in an order."""

    total: int
    """How many there are, whether they are all here or not."""
    games: tuple[ListedGame, ...] = field(repr=False)

    def __iter__(self) -> Iterator[ListedGame]:
        return iter(self.games)

    def __len__(self) -> int:
        return len(self.games)


Order = Literal["latest", "earliest", "margin", "number"]


class Games:
    """A collection of games: a database that ``outflank games import`` has made, or files with games in any notation.

    Of files the games are read into memory; those that cannot be read are counted in :attr:`bad`.

    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "games.txt")
    >>> _ = path.write_text("f5d6c3d3c4\\nf5d6c5\\nf5f6\\n")
    >>> games = Games(path)
    >>> [(str(found.move), found.fared.games) for found in games.explore("f5").moves]
    [('d6', 2), ('f6', 1)]
    >>> games.list("f5d6").total
    2
    """

    def __init__(self, *paths: str | PathLike[str]) -> None:
        if not paths:
            raise TypeError("a database, or at least one file of games")
        self._games = _core.Games([fspath(path) for path in paths])

    @property
    def bad(self) -> int:
        """Games of files that cannot be read."""
        return self._games.bad

    def explore(
        self, position: PositionLike | None = None, *, examples: int = 0, **which: Unpack[GamesFilter]
    ) -> Explored:
        """What was played from a position, the start if none is given; with ``examples`` so many games for each move."""
        request = {"position": _text(position), "filter": which, "examples": examples}
        found = json.loads(self._games.explore(json.dumps(request)))
        moves = tuple(
            ExploredMove(
                Move(move["move"]), tuple(map(Move, move.get("same", ()))), move["share"], Fared._of(move),
                tuple(ListedGame._of(game) for game in move.get("examples", ())),
            )
            for move in found["moves"]
        )  # fmt: skip
        return Explored(_board(found), _name(found), Fared._of(found["total"]), found["ended"], moves)

    def list(
        self,
        position: PositionLike | None = None,
        *,
        order: Order = "latest",
        skip: int = 0,
        limit: int | None = None,
        **which: Unpack[GamesFilter],
    ) -> Listed:
        """The games that go through a position, all if none is given: ``limit`` of them after the first ``skip``."""
        through = None if position is None else _text(position)
        request = {"position": through, "filter": which, "order": order, "skip": skip, "limit": limit}
        total, games = json.loads(self._games.list(json.dumps(request)))
        return Listed(total, tuple(ListedGame._of(game) for game in games))

    def __len__(self) -> int:
        return len(self._games)


def _text(position: PositionLike | None) -> str | None:
    if position is None or isinstance(position, str):
        return position
    # The moves of a game name its opening; its position alone does not.
    return position.to_text("transcript") if isinstance(position, Game) and len(position) else str(position)
