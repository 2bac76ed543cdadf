"""Gomoku: boards against five-in-a-row in plain Python, forced wins played through."""

from __future__ import annotations

import random

import pytest

from outflank import Color, Kind
from outflank.gomoku import Board, Engine

POINTS = [f"{'abcdefghijklmno'[x]}{y + 1}" for x in range(15) for y in range(15)]


def has_five(stones: set[tuple[int, int]]) -> bool:
    """Whether five stones stand in a row."""
    return any(
        all((x + n * dx, y + n * dy) in stones for n in range(5))
        for x, y in stones
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
    )


def place(point: str) -> tuple[int, int]:
    return ord(point[0]) - ord("a"), int(point[1:]) - 1


@pytest.mark.parametrize("seed", range(5))
def test_random_games_end_with_five_in_a_row(seed: int) -> None:
    chance = random.Random(seed)
    # Few points, so that rows come about.
    points = chance.sample([point for point in POINTS if place(point)[0] < 7 and place(point)[1] < 7], 49)
    board, stones = Board(), (set[tuple[int, int]](), set[tuple[int, int]]())
    for number, point in enumerate(points):
        assert board.side == number % 2 and not board.is_over and len(board.moves) == number
        mine = stones[number % 2]
        winning = {other for other in points[number:] if has_five(mine | {place(other)})}
        assert set(board.fives) & set(points) == winning
        board = board.play(point)
        mine.add(place(point))
        assert board.is_over == has_five(mine)
        if board.is_over:
            with pytest.raises(ValueError, match="over"):
                board.play("o15")
            return


def test_forced_wins_are_forced() -> None:
    board = Board("h8i9h9i10h10i11")
    with Engine(hash_mb=1) as engine:
        win = engine.forced_win(board, fours=True)
        assert win.found and win.verified and win.kind == "vcf"
        for point in win.line:
            board = board.play(point)
        assert board.is_over and board.moves[-1] == win.line[-1]
        none = engine.forced_win(Board("h8i9"), fours=True)
        assert none.kind == "none" and not none.found
        stages: list[float] = []
        outcome = engine.search(Board("h8i9h9"), depth=4, lines=2, progress=lambda line: stages.append(line.percent))
        assert outcome.complete and len(outcome.lines) == 2 and len(stages) >= 4
        assert outcome.best.kind is Kind.ESTIMATE and outcome.move in POINTS
        won = engine.search(Board("h8i9h9i10h10i11h11a1"), depth=2)
        assert won.best.kind is Kind.WIN and won.best.stones == 1


def test_a_closed_engine_refuses_calls() -> None:
    engine = Engine(hash_mb=1)
    engine.close()
    engine.close()
    with pytest.raises(ValueError, match="closed"):
        engine.search(Board("h8"), depth=1)
    with pytest.raises(ValueError, match="closed"):
        engine.forced_win(Board("h8"))


def test_boards_are_values() -> None:
    board = Board("h8i9")
    assert board == Board("H8 i9") and hash(board) == hash(Board("h8i9")) and board.side is Color.BLACK
    assert board.svg(numbers=True).startswith("<svg width=") and board._repr_svg_().rstrip().endswith("</svg>")
    assert Board("", 9).size == 9
    for wrong in ("h8h8", "z99", "h16"):
        with pytest.raises(ValueError):
            Board(wrong)
    with pytest.raises(ValueError):
        Board("h8", rule="no rule")  # type: ignore[arg-type]
