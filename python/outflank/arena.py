"""Matches between players: the engine's, the laboratory's, and your own.

>>> class First(Player):
...     def choose(self, game, clock):
...         return game.position.legal_moves[0]
>>> report = match(First(), "random", games=4, seed=1)
>>> report.games, report.wins + report.draws + report.losses
(4, 4)
"""

from __future__ import annotations

import html
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from . import _core, batch
from ._core import Game
from ._engine import PositionLike, finish
from ._types import Color, Move, MoveLike


class Player:
    """A player of your own: override :meth:`choose`, and :meth:`new_game` if it remembers anything."""

    name: str = ""

    def new_game(self, game: Game, seed: int) -> None:
        """Hear that a game begins; whatever is left to chance should begin from ``seed``."""

    def choose(self, game: Game, clock: float | None) -> MoveLike:
        """The move to play in ``game``, of which this is a copy; ``clock`` is the time for it in seconds, if there is one."""
        raise NotImplementedError


class Described(Player):
    """A player of the arena or the laboratory: ``level 8``, ``time 1``, ``lab: mcts:policy=weighted/800n``."""

    def __init__(self, text: str, *, programs: bool = False) -> None:
        self.name = text
        self._player = _core.Player(text, 0, programs)

    def new_game(self, game: Game, seed: int) -> None:
        self._player.new_game(seed)

    def choose(self, game: Game, clock: float | None) -> MoveLike:
        number = finish(self._player.choose(game), lambda _news: None)
        if number is None:
            raise RuntimeError("the player has given up")
        return Move(number)


def player(of: Player | str, *, programs: bool = False) -> Player:
    """The player of a description; with ``programs`` it may start one (``exec: …``)."""
    return Described(of, programs=programs) if isinstance(of, str) else of


@dataclass(frozen=True, slots=True)
class Played:
    """A game of a match; ``margin`` is the first player's, a forfeit counts 64."""

    game: Game
    first_is_black: bool
    margin: int
    forfeit: str | None = None
    """Who lost by something else than the rules, and why."""


@dataclass(frozen=True, slots=True)
class MatchReport:
    """What a match says, for the first player; pairs of games with one opening, colors exchanged, count as one sample."""

    players: tuple[str, str]
    wins: int
    draws: int
    losses: int
    elo: float
    low: float
    high: float
    """The interval of the Elo difference."""
    superiority: float
    """How sure it is that the first player is the stronger one, 0 to 1."""
    mean_margin: float
    sprt: tuple[float, tuple[float, float], str | None] | None
    """Of the sequential test the ratio, its bounds, and ``H0`` or ``H1`` if one is accepted."""
    played: tuple[Played, ...] = field(repr=False)

    @property
    def games(self) -> int:
        """How many games were played."""
        return len(self.played)

    def __str__(self) -> str:
        first, second = self.players
        text = (
            f"{first} against {second}: {self.games} games, +{self.wins} ={self.draws} -{self.losses}, "
            f"Elo {self.elo:+.0f} [{self.low:+.0f}, {self.high:+.0f}], {self.mean_margin:+.1f} discs a game"
        )
        if self.sprt is not None:
            ratio, (low, high), accepted = self.sprt
            text += f", LLR {ratio:.2f} [{low:.2f}, {high:.2f}]" + (f": {accepted}" if accepted else "")
        return text

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(str(self))}</p>"


def play_game(
    black: Player, white: Player, *, start: PositionLike | None = None, seed: int = 0, clock: float | None = None
) -> tuple[Game, Color | None, str | None]:
    """A game: who forfeits it, if anybody, and why. What a player raises, an illegal move, and a move that takes longer
    than ``clock`` seconds lose the game; Ctrl-C ends everything."""
    game = Game() if start is None else Game(start=start)
    players = (black, white)
    for number, who in enumerate(players):
        who.new_game(Game(start=game.start), seed * 2 + number)
    while not game.is_over:
        side = game.side
        if game.position.legal_moves == (Move.PASS,):
            game.play(Move.PASS)
            continue
        begin = time.monotonic()
        try:
            chosen = players[side].choose(game.__copy__(), clock)
            taken = time.monotonic() - begin
            if clock is not None and taken > clock:
                return game, side, f"{side.name.lower()} took {taken:.2f} of {clock} seconds"
            game.play(chosen)
        except Exception as error:
            return game, side, f"{side.name.lower()}: {type(error).__name__}: {error}"
    return game, None, None


def match(
    first: Player | str,
    second: Player | str,
    *,
    games: int = 100,
    openings: batch.Boards | Sequence[PositionLike] | None = None,
    random_plies: int = 8,
    seed: int = 0,
    clock: float | None = None,
    sprt: tuple[float, float] | None = None,
    confidence: float = 0.95,
) -> MatchReport:
    """A match in pairs of games: one opening, colors exchanged.

    Openings are positions, or drawn by ``random_plies`` random moves from ``seed``. With ``sprt``, two Elo differences, the
    match ends as soon as the sequential test (5 % errors both ways) accepts one of them.
    """
    if games < 2 or games % 2:
        raise ValueError(f"{games} games: an even number, since each opening is played with both colors")
    one, two = player(first), player(second)
    pairs = games // 2
    starts: list[PositionLike]
    if openings is None:
        side = Color(random_plies % 2)
        starts = list(batch.to_positions(batch.random_positions(pairs, 60 - random_plies, seed), side))
    elif isinstance(openings, Sequence):
        starts = list(openings)
    else:
        starts = list(batch.to_positions(openings))
    if not starts:
        raise ValueError("there is no opening")
    played: list[Played] = []
    margins: list[tuple[int, int]] = []
    statistics = _core.match_statistics(margins, sprt, confidence)
    for pair in range(pairs):
        start = starts[pair % len(starts)]
        found = []
        for first_is_black in (True, False):
            black, white = (one, two) if first_is_black else (two, one)
            game, loser, why = play_game(black, white, start=start, seed=seed + pair, clock=clock)
            black_margin = (game.result or 0) if loser is None else (-64 if loser is Color.BLACK else 64)
            margin = black_margin if first_is_black else -black_margin
            found.append(margin)
            played.append(Played(game, first_is_black, margin, why))
        margins.append((found[0], found[1]))
        statistics = _core.match_statistics(margins, sprt, confidence)
        if statistics[4] is not None and statistics[4][2] is not None:
            break
    (wins, draws, losses), (elo, low, high), superiority, mean, sequential = statistics
    names = (one.name or type(one).__name__, two.name or type(two).__name__)
    return MatchReport(
        names, wins, draws, losses, elo, low, high, superiority, mean, sequential, tuple(played)
    )
