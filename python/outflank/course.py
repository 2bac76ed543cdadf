"""A player for the course's platform: ``from outflank.course import AIPlayer``.

The platform asks ``AIPlayer(color).get_move(board)`` for a square such as ``"D3"``, where ``color`` is ``"X"`` (Black, who
moves first) or ``"O"``, and ``board[row][column]`` is ``"X"``, ``"O"`` or empty. The board is only read. It is meant for
sparring and comparison: the course wants code of your own.
"""

from __future__ import annotations

import time
import warnings
from typing import Any

from ._core import Game, Player, Position
from ._engine import TICK
from ._types import Color, Move

LIMIT = 50.0
"""Seconds after which a player is stopped, whatever it is: the platform allows a minute."""

_EMPTY = frozenset([".", "-", "_", " ", "", "0", "None"])


def _cells(board: Any) -> list[list[Any]]:
    """The 64 cells, read by index only."""
    try:
        return [[board[row][column] for column in range(8)] for row in range(8)]
    except (TypeError, IndexError, KeyError):
        inner = board._board
        return [[inner[row][column] for column in range(8)] for row in range(8)]


def position_of(board: Any, color: str) -> Position:
    """The position of a board of the platform, with ``color`` to move."""
    discs = {"X": 0, "O": 0}
    for row, cells in enumerate(_cells(board)):
        for column, cell in enumerate(cells):
            sign = str(cell)
            if sign.upper() in discs:
                discs[sign.upper()] |= 1 << (8 * row + column)
            elif sign not in _EMPTY:
                raise ValueError(f"board[{row}][{column}] is {cell!r}: 'X', 'O' or empty ('.')")
    other = "O" if color == "X" else "X"
    return Position.from_bitboards(discs[color], discs[other], Color.BLACK if color == "X" else Color.WHITE)


class AIPlayer:
    """A player with the platform's interface.

    ``player`` describes who thinks: ``"lab: mcts:policy=weighted/3s"``, ``"level 8"``, ``"random"``. ``check`` compares
    the answer with the platform's own list of legal moves, and takes one of that list, with a warning, if they disagree.
    """

    def __init__(
        self, color: str, player: str = "lab: mcts:policy=weighted/3s", check: bool = True, seed: int = 0
    ) -> None:
        self.color = color
        """``"X"`` or ``"O"``; the platform may set it."""
        self.check = check
        self._player = Player(player, seed, False)

    def _side(self) -> str:
        color = str(self.color).upper()
        if color not in ("X", "O"):
            raise ValueError(f"color {self.color!r}: 'X' for Black, 'O' for White")
        return color

    def get_move(self, board: Any) -> str | None:
        """The square to play, such as ``"D3"``; ``None`` if there is no legal move."""
        color = self._side()
        position = position_of(board, color)
        legal = [move for move in position.legal_moves if move is not Move.PASS]
        move = self._choose(position) if len(legal) > 1 else legal[0] if legal else None
        answer = None if move is None else str(move).upper()
        allowed = list(board.get_legal_actions(color)) if self.check and hasattr(board, "get_legal_actions") else None
        if allowed is None or (answer in allowed if allowed else answer is None):
            return answer
        warnings.warn(f"{answer} is not among the platform's legal moves {allowed}", stacklevel=2)
        return str(allowed[0]) if allowed else None

    def _choose(self, position: Position) -> Move:
        job = self._player.choose(Game(start=position))
        end = time.monotonic() + LIMIT
        try:
            while not job.done:
                job.wait(TICK)
                if time.monotonic() > end:
                    job.stop()
            number = job.result()
        except BaseException:
            job.stop()
            raise
        return position.legal_moves[0] if number is None else Move(number)
