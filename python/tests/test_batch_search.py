"""Arrays on which the engine works: solving, searching, playing."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import oracle
import pytest

import outflank
from outflank import Engine, Game, IllegalMoveError, Kind, SetupError, batch


def test_solved_boards_are_those_of_plain_minimax() -> None:
    boards = np.concatenate([batch.random_positions(8, empties, seed=empties) for empties in range(7)])
    expected = [oracle.minimax(oracle.from_words(int(a), int(b))) for a, b in boards]
    done: list[tuple[int, int]] = []
    solved = batch.solve(boards, threads=2, hash_mb=2, progress=lambda a, b: done.append((a, b)))
    assert list(solved.value) == expected and done[-1] == (len(boards), len(boards))
    assert all(batch.KINDS[kind] is Kind.EXACT for kind in solved.kind)
    every = batch.solve(boards, "all-moves", hash_mb=1)
    assert np.array_equal(every.value, solved.value)
    mask = batch.legal_mask(boards)[:, :64]
    assert np.array_equal(every.values != batch.NO_VALUE, mask)
    for row, (best, over) in enumerate(zip(every.best, batch.is_over(boards), strict=True)):
        assert (best == batch.NO_MOVE) == over
        if best < 64:
            assert every.values[row, best] == every.values[row].max() == every.value[row]
    won = batch.solve(boards, "wld", hash_mb=1)
    assert np.array_equal(won.value, 2 * np.sign(solved.value)) and set(won.kind) == {1}


def test_threads_change_no_value_and_no_node() -> None:
    boards = batch.random_positions(20, 12, seed=5)
    one, three = (batch.solve(boards, threads=threads, hash_mb=3 * threads) for threads in (1, 3))
    for name in ("value", "kind", "best", "nodes"):
        assert np.array_equal(getattr(one, name), getattr(three, name)), name
    found = [batch.search(boards, depth=5, threads=threads, hash_mb=1) for threads in (1, 3)]
    for name in ("move", "value", "kind", "depth", "nodes", "pv"):
        assert np.array_equal(getattr(found[0], name), getattr(found[1], name)), name
    games = [batch.self_play(6, 3, depth=1, threads=threads, hash_mb=1) for threads in (1, 3)]
    assert np.array_equal(games[0].moves, games[1].moves) and np.array_equal(games[0].result, games[1].result)


def test_a_search_of_an_array_is_that_of_the_engine() -> None:
    boards = batch.random_positions(6, 30, seed=8)
    found = batch.search(boards, depth=6, hash_mb=4)
    for row, position in enumerate(batch.to_positions(boards)):
        with Engine(hash_mb=4) as engine:
            outcome = engine.search(position, depth=6)
        assert outcome.move == found.move[row] and outcome.nodes == found.nodes[row]
        assert abs(outcome.value.discs - found.value[row]) < 0.006 and found.depth[row] == 6
        assert [int(move) for move in outcome.best.pv] == [move for move in found.pv[row] if move != batch.NO_MOVE]


def test_lines_of_an_array_are_those_of_the_engine() -> None:
    boards = batch.random_positions(12, 30, seed=4)
    found = batch.search(boards, depth=3, lines=3)
    for row, position in enumerate(batch.to_positions(boards)):
        with Engine(hash_mb=16) as engine:
            lines = engine.search(position, depth=3, lines=3).lines
        moves = [255 if line.move is None else int(line.move) for line in lines]
        assert list(found.moves[row, : len(moves)]) == moves and set(found.moves[row, len(moves) :]) <= {255}
        assert np.allclose(found.values[row, : len(moves)], [line.value.discs for line in lines], atol=0.01)
        assert np.isnan(found.values[row, len(moves) :]).all()
    assert (found.moves[:, 0] == found.move).all() and (found.values[:, 0] == found.value).all()
    with pytest.raises(ValueError, match="lines"):
        batch.search(boards, depth=1, lines=0)


def test_weights_of_a_file_judge(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Engine(weights=tmp_path / "none.weights")
    wrong = tmp_path / "wrong.weights"
    wrong.write_bytes(b"no weights")
    with pytest.raises(ValueError, match=r"wrong\.weights"):
        batch.search(batch.random_positions(1, 30, seed=1), depth=1, weights=wrong)
    ours = Path(__file__).parents[2] / "crates/eval/weights/default.weights"
    if not ours.exists():
        pytest.skip("the weights are in the repository")
    with Engine(hash_mb=4) as plain, Engine(hash_mb=4, weights=ours) as judged:
        assert plain.search("f5d6c3", depth=6).nodes == judged.search("f5d6c3", depth=6).nodes
        assert plain.evaluate("f5d6c3") == judged.evaluate("f5d6c3")


def test_games_played_again_are_games() -> None:
    played = batch.self_play(20, 7, depth=1, random_plies=20, hash_mb=1)
    replay = batch.replay(played.moves)
    assert replay.offsets[-1] == len(replay.boards) == (played.moves != batch.NO_MOVE).sum()
    for number, row in enumerate(played.moves):
        game = Game("".join(f"{'abcdefgh'[move % 8]}{move // 8 + 1}" for move in row if move != batch.NO_MOVE))
        assert game.result == played.result[number]
        at = replay.offsets[number]
        for ply, position in enumerate(game.positions()[:-1]):
            if game.moves[ply].is_pass:
                continue
            assert (position.player, position.opponent) == tuple(map(int, replay.boards[at]))
            assert (replay.move[at], replay.side[at]) == (game.moves[ply], position.side)
            assert replay.passed[at] == (ply > 0 and game.moves[ply - 1].is_pass)
            at += 1
        assert at == replay.offsets[number + 1]
    assert np.array_equal(batch.play(replay.boards[:1], replay.move[:1]), replay.boards[1:2])
    with pytest.raises(IllegalMoveError, match="row 1, move 1: a1"):
        batch.replay(np.array([[19, 255], [0, 255]], np.uint8))
    with pytest.raises(ValueError, match="row 0, move 2"):
        batch.replay(np.array([[19, 64]], np.uint8))
    with pytest.raises(TypeError):
        batch.replay([[19]])


def test_known_values_are_found() -> None:
    file = Path(__file__).parents[2] / "data/fforum-1-19.obf"
    items = list(outflank.read(file))
    solved = batch.solve(batch.from_positions([item.position for item in items]), threads=2)
    assert [item.value for item in items] == list(solved.value) and len(items) == 19


def test_wrong_calls_are_refused() -> None:
    boards = batch.random_positions(3, 10, seed=1)
    bad = boards.copy()
    bad[2, 1] = bad[2, 0]
    with pytest.raises(SetupError, match="row 2"):
        batch.solve(bad)
    with pytest.raises(ValueError, match="limit"):
        batch.search(boards)
    with pytest.raises(ValueError, match="goal"):
        batch.solve(boards, "best")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="time"):
        batch.solve(boards, time=0)
    with pytest.raises(ValueError, match="level"):
        batch.self_play(1, 1, level=99)
    with pytest.raises(MemoryError):
        batch.search(boards, depth=1, hash_mb=1 << 19)
    late = batch.solve(batch.random_positions(2, 40, seed=1), time=0.01)
    assert set(late.kind) == {5} and set(late.value) == {batch.NO_VALUE}
    assert len(batch.solve(boards[:0]).value) == 0

    def fail(done: int, of: int) -> None:
        raise ZeroDivisionError(f"{done} of {of}")

    with pytest.raises(ZeroDivisionError):
        batch.solve(batch.random_positions(200, 14, seed=1), progress=fail)


def test_the_program_says_the_same(tmp_path: Path) -> None:
    program = os.environ.get("OUTFLANK_PROGRAM")
    if program is None:
        pytest.skip("OUTFLANK_PROGRAM names no program")
    boards = batch.random_positions(50, 14, seed=2)
    file = tmp_path / "boards.txt"
    file.write_text("".join(f"{position}\n" for position in batch.to_positions(boards)))
    lines = subprocess.run([program, "solve", "--json", file], capture_output=True, text=True, check=True).stdout
    answers = [json.loads(line) for line in lines.splitlines() if "empties" in line]
    solved = batch.solve(boards)
    assert [answer["value"] for answer in answers] == list(solved.value)
    assert [answer["nodes"] for answer in answers] == list(solved.nodes)
