"""Speeds on one core, reported and not enforced: ``pytest benchmarks --benchmark-columns=min,mean,ops`` with a release wheel.

Beside the arrays stands the oracle of the tests, Othello in plain Python, for the factor.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from outflank import Position, batch
from outflank.env import VectorEnv

sys.path.append(str(Path(__file__).parents[1] / "tests"))
import oracle  # noqa: E402

N = 1_000_000
BOARDS = np.concatenate([batch.random_positions(N // 50, empties, seed=empties) for empties in range(5, 55)])
MOVES = batch.legal_mask(BOARDS).argmax(axis=1).astype(np.uint8)
GOING = ~batch.is_over(BOARDS)

FUNCTIONS: dict[str, Callable[[], Any]] = {
    "legal": lambda: batch.legal(BOARDS),
    "legal_counts": lambda: batch.legal_counts(BOARDS),
    "legal_mask": lambda: batch.legal_mask(BOARDS),
    "play": lambda: batch.play(BOARDS[GOING], MOVES[GOING]),
    "children": lambda: batch.children(BOARDS),
    "canonical": lambda: batch.canonical(BOARDS),
    "unique": lambda: batch.unique(BOARDS),
    "planes": lambda: batch.to_planes(BOARDS),
    "features": lambda: batch.features(BOARDS),
    "evaluate": lambda: batch.evaluate(BOARDS),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_million_boards(benchmark: Any, name: str) -> None:
    benchmark.extra_info["boards"] = N
    benchmark.pedantic(FUNCTIONS[name], rounds=5, warmup_rounds=1)


def test_steps_of_1024_games(benchmark: Any) -> None:
    env = VectorEnv(1024, seed=1)
    _, info = env.reset()
    masks = [info["action_mask"]]

    def steps() -> None:
        for _ in range(100):
            masks[0] = env.step(masks[0].argmax(axis=1))[4]["action_mask"]

    benchmark.extra_info["steps"] = 102_400
    benchmark.pedantic(steps, rounds=5, warmup_rounds=1)


def test_a_thousand_boards_in_plain_python(benchmark: Any) -> None:
    cells = [oracle.from_words(int(a), int(b)) for a, b in BOARDS[::1000]]
    benchmark.pedantic(lambda: [oracle.placements(board) for board in cells], rounds=3)


def test_a_thousand_positions_by_objects(benchmark: Any) -> None:
    positions = [Position.from_bitboards(int(a), int(b)) for a, b in BOARDS[::1000]]
    benchmark.pedantic(lambda: [position.legal_moves for position in positions], rounds=5)
