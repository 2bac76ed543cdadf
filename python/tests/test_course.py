"""The course's platform, written from its description: a board, a referee, and games."""

from __future__ import annotations

import copy
import random
import time
import warnings
from collections.abc import Iterator

import oracle
import pytest

from outflank.course import AIPlayer, position_of


class Board:
    """The platform's board: cells behind an index, legal moves, moves that are not checked, a winner."""

    def __init__(self) -> None:
        self._board = [["."] * 8 for _ in range(8)]
        self._board[3][4] = self._board[4][3] = "X"
        self._board[3][3] = self._board[4][4] = "O"

    def __getitem__(self, row: int) -> list[str]:
        return self._board[row]

    def cells(self, color: str) -> oracle.Cells:
        """The oracle's board."""
        return {
            (column, row): "X" if self._board[row][column] == color else "O"
            for column, row in oracle.SQUARES
            if self._board[row][column] != "."
        }

    def get_legal_actions(self, color: str) -> Iterator[str]:
        """The squares on which a color may place a disc."""
        return (f"{'ABCDEFGH'[column]}{row + 1}" for column, row in oracle.placements(self.cells(color)))

    def _move(self, action: str, color: str) -> None:
        column, row = "ABCDEFGH".index(action[0]), int(action[1]) - 1
        for x, y in oracle.flips(self.cells(color), (column, row)):
            self._board[y][x] = color
        self._board[row][column] = color

    def get_winner(self) -> tuple[int, int]:
        """0 for Black, 1 for White, 2 for a draw; and the difference."""
        black, white = (sum(row.count(color) for row in self._board) for color in "XO")
        return (0 if black > white else 1 if white > black else 2), abs(black - white)


class RandomPlayer:
    def __init__(self, color: str, seed: int) -> None:
        self.color, self._random = color, random.Random(seed)

    def get_move(self, board: Board) -> str | None:
        moves = list(board.get_legal_actions(self.color))
        return self._random.choice(moves) if moves else None


def referee(black: AIPlayer | RandomPlayer, white: AIPlayer | RandomPlayer) -> tuple[int, int, float]:
    """A game by the platform's rules; an illegal move, a changed board or more than a minute is an error."""
    board, longest, passes = Board(), 0.0, 0
    black.color, white.color = "X", "O"
    turn = 0
    while passes < 2:
        player, color = ((black, "X"), (white, "O"))[turn % 2]
        turn += 1
        legal = list(board.get_legal_actions(color))
        shown = copy.deepcopy(board)
        before = copy.deepcopy(shown._board)
        begin = time.monotonic()
        action = player.get_move(shown)
        longest = max(longest, time.monotonic() - begin)
        assert shown._board == before, "the board was changed"
        assert longest < 60
        if not legal:
            assert action is None
            passes += 1
            continue
        assert action in legal, f"{action} is illegal"
        passes = 0
        board._move(action, color)
    winner, difference = board.get_winner()
    return winner, difference, longest


def test_two_hundred_games_without_an_illegal_move() -> None:
    won = 0
    players = {name: AIPlayer("X", name) for name in ("level 1", "random", "lab: mcts:policy=weighted/30n", "level 3")}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for number in range(200):
            mine = list(players.values())[number % len(players)]
            other = RandomPlayer("O", number)
            if number % 2:
                won += referee(mine, other)[0] == 0
            else:
                won += referee(other, mine)[0] == 1
    assert won > 120


def test_boards_are_read_by_index_whatever_is_empty() -> None:
    board = Board()
    position = position_of(board, "O")
    assert (position.black, position.white) == oracle.words(board.cells("X")) and position.side == 1
    plain: list[list[object]] = [list(row) for row in board._board]
    for empty in (".", "-", "_", " ", 0, None):
        assert position_of([[empty if cell == "." else cell for cell in row] for row in plain], "X").black == position.black

    class Hidden:
        _board = board._board

    assert position_of(Hidden(), "X").black == position.black
    with pytest.raises(ValueError, match=r"board\[0\]\[0\]"):
        position_of([["?"] * 8] * 8, "X")


def test_the_platform_has_the_last_word() -> None:
    class Strict(Board):
        def get_legal_actions(self, color: str) -> Iterator[str]:
            return iter(["A1"])

    player = AIPlayer("X", "random")
    with pytest.warns(UserWarning, match="not among"):
        assert player.get_move(Strict()) == "A1"
    player.check = False
    assert player.get_move(Strict()) != "A1"
    player.color = "?"
    with pytest.raises(ValueError, match="color"):
        player.get_move(Board())
    full = Board()
    full._board = [["X"] * 8 for _ in range(8)]
    player.color, player.check = "O", True
    assert player.get_move(full) is None
    for wrong in ("nobody", "level 99", "exec: rm"):
        with pytest.raises(ValueError):
            AIPlayer("X", wrong)
