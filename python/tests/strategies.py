"""Random games and boards for the tests."""

from __future__ import annotations

import random

import numpy as np
import oracle
from hypothesis import strategies as st

import outflank
from outflank.batch import Boards


@st.composite
def games(draw: st.DrawFn, least: int = 0, most: int = 70) -> list[oracle.Square | None]:
    """The moves of a random game, passes included."""
    cells, moves = oracle.START, []
    chance = random.Random(draw(st.integers(0, 2**32)))
    for _ in range(draw(st.integers(least, most))):
        choices = oracle.moves(cells)
        if not choices:
            break
        moves.append(chance.choice(choices))
        cells = oracle.play(cells, moves[-1])
    return moves


def cells_of(moves: list[oracle.Square | None]) -> oracle.Cells:
    """The board after these moves."""
    cells = oracle.START
    for move in moves:
        cells = oracle.play(cells, move)
    return cells


@st.composite
def boards(draw: st.DrawFn) -> tuple[int, int]:
    """Any two disjoint sets of discs, reached by a game or not."""
    if draw(st.booleans()):
        return oracle.words(cells_of(draw(games())))
    chance = random.Random(draw(st.integers(0, 2**32)))
    occupied = chance.getrandbits(64) | (chance.getrandbits(64) if chance.random() < 0.5 else 0)
    player = occupied & chance.getrandbits(64)
    return player, occupied & ~player


def game(moves: list[oracle.Square | None]) -> outflank.Game:
    """The package's game."""
    played = outflank.Game()
    for move in moves:
        played.play(oracle.number(move))
    return played


def rows(found: list[tuple[int, int]]) -> Boards:
    """An array of boards."""
    return np.array(found, np.uint64).reshape(-1, 2)
