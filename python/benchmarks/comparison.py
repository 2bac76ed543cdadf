"""Random games to the end: Othello in plain Python, OpenSpiel where it is installed, and this package, on one core.

    python benchmarks/comparison.py

Everybody draws legal moves at random and plays them; figures are games a second. The plain Python is the oracle of the
tests, written to be obviously right; beside it stands one with bits in Python's whole numbers, written for speed.
OpenSpiel (``pip install open_spiel``) has Othello in C++ behind a Python object for each state.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from outflank import Position, batch

sys.path.append(str(Path(__file__).parents[1] / "tests"))
import oracle  # noqa: E402

SECONDS = 3.0
NOT_A, NOT_H, ALL = 0xFEFEFEFEFEFEFEFE, 0x7F7F7F7F7F7F7F7F, 0xFFFFFFFFFFFFFFFF
STEPS = ((1, NOT_A), (9, NOT_A), (8, ALL), (7, NOT_H), (-1, NOT_H), (-9, NOT_H), (-8, ALL), (-7, NOT_A))
"""Directions, and the squares that a step may arrive on."""


def shifted(bits: int, step: int, on: int) -> int:
    """The squares one step further."""
    return (bits << step if step > 0 else bits >> -step) & on


def placements(player: int, opponent: int) -> int:
    """The squares on which the player may place a disc."""
    empty, legal = ~(player | opponent) & ALL, 0
    for step, on in STEPS:
        run = shifted(player, step, on) & opponent
        for _ in range(5):
            run |= shifted(run, step, on) & opponent
        legal |= shifted(run, step, on) & empty
    return legal


def flips(player: int, opponent: int, square: int) -> int:
    """The discs that turn."""
    turned = 0
    for step, on in STEPS:
        run, at = 0, shifted(1 << square, step, on)
        while at & opponent:
            run |= at
            at = shifted(at, step, on)
        if at & player:
            turned |= run
    return turned


def bits_in_python(draw: random.Random) -> None:
    """A game with whole numbers as sets of squares."""
    player, opponent = 0x0000000810000000, 0x0000001008000000
    passes = 0
    while passes < 2:
        legal = placements(player, opponent)
        if legal:
            squares = [square for square in range(64) if legal >> square & 1]
            square = draw.choice(squares)
            turned = flips(player, opponent, square)
            player, opponent, passes = player | turned | 1 << square, opponent & ~turned, 0
        else:
            passes += 1
        player, opponent = opponent, player


def plain_python(draw: random.Random) -> None:
    """A game of the oracle."""
    cells = dict(oracle.START)
    while moves := oracle.moves(cells):
        cells = oracle.play(cells, draw.choice(moves))


def objects(draw: random.Random) -> None:
    """A game of positions, one object each."""
    position = Position()
    while moves := position.legal_moves:
        position = position.play(draw.choice(moves))


def arrays(rng: np.random.Generator, n: int) -> None:
    """Games side by side."""
    boards = np.repeat(batch.from_positions([Position()]), n, axis=0)
    while len(boards):
        mask = batch.legal_mask(boards)
        alive = mask.any(axis=1)
        boards, mask = boards[alive], mask[alive]
        if len(boards):
            boards = batch.play(boards, (mask * rng.random(mask.shape, np.float32)).argmax(axis=1))


def rate(play: Callable[[], object], games: int = 1) -> float:
    """Games a second."""
    play()
    begin, done = time.perf_counter(), 0
    while time.perf_counter() - begin < SECONDS:
        play()
        done += games
    return done / (time.perf_counter() - begin)


def main() -> None:
    """Prints the rates, and the factors to the first one."""
    draw, rng = random.Random(1), np.random.default_rng(1)
    found = {
        "plain Python, a dictionary of squares": rate(lambda: plain_python(draw)),
        "plain Python, bits": rate(lambda: bits_in_python(draw)),
    }
    try:
        import pyspiel
    except ImportError:
        print("OpenSpiel is not installed: pip install open_spiel", file=sys.stderr)
    else:
        othello = pyspiel.load_game("othello")

        def spiel() -> None:
            state = othello.new_initial_state()
            while not state.is_terminal():
                state.apply_action(draw.choice(state.legal_actions()))

        found["OpenSpiel"] = rate(spiel)
    found["outflank.Position"] = rate(lambda: objects(draw))
    found["outflank.batch"] = rate(lambda: arrays(rng, 4096), 4096)
    first = next(iter(found.values()))
    for name, games in found.items():
        print(f"{name:<40} {games:>10,.0f} games a second, {games / first:>8,.1f} times the first")


if __name__ == "__main__":
    main()
