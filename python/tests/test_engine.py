"""Engines: values, limits, news, interruptions, the end of things."""

from __future__ import annotations

import asyncio
import gc
import os
import subprocess
import sys
import threading
from pathlib import Path

import oracle
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import outflank
from outflank import Engine, Game, Info, Kind, Move, Position, SearchBusyError, batch

EXACT = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X"


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine(hash_mb=8)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 6))
def test_solved_values_are_those_of_plain_minimax(engine: Engine, seed: int, empties: int) -> None:
    board = batch.random_positions(1, empties, seed)
    position = batch.to_positions(board)[0]
    cells = oracle.from_words(position.player, position.opponent)
    solved = engine.solve(position, "all-moves")
    assert solved.value.is_exact and solved.value.discs == oracle.minimax(cells)
    for move in oracle.placements(cells):
        value = -oracle.minimax(oracle.play(cells, move))
        assert solved.values[Move(oracle.number(move))] == value
    outcome = engine.search(position, exact=True)
    assert outcome.value.kind is Kind.EXACT and outcome.value.discs == solved.value.discs
    won = engine.solve(position, "wld")
    assert won.value.kind is Kind.WLD
    sign = (solved.value.discs > 0) - (solved.value.discs < 0)
    assert won.value.discs == 2 * sign
    if not position.is_over and position.legal_moves != (Move.PASS,):
        assert outcome.move in solved.best and solved.values[solved.best[0]] == solved.value.discs


def test_values_say_what_they_are_worth(engine: Engine) -> None:
    assert str(engine.solve(EXACT).value) == "+18 (exact)"
    outcome = engine.search("f5d6c3d3c4", depth=8, lines=3)
    assert len(outcome.lines) == 3 and outcome.complete and outcome.opening == "Tiger"
    best = outcome.best
    assert best.value.kind is Kind.ESTIMATE and best.value.depth == 8 and best.value.confidence == 73
    assert float(best.value) >= float(outcome.lines[1].value) and best.pv[0] == outcome.move
    black = best.value.for_color(outflank.Color.WHITE, outflank.Color.BLACK)
    assert black.discs == -best.value.discs and black.kind is Kind.ESTIMATE
    assert engine.evaluate("f5d6c3") == batch.evaluate(batch.from_positions(["f5d6c3"]))[0]
    over = engine.search(Position.from_bitboards(1, 0), depth=3)
    assert over.move is None and over.value.discs == 64 and over.value.is_exact
    assert engine.solve(Position(), time=0.05).value.kind is Kind.ABORTED


def test_pictures_show_that_solved_values_are_proven(engine: Engine) -> None:
    solved = engine.solve(EXACT, "all-moves")
    assert [(line.move, line.value.discs) for line in solved.lines] == sorted(
        solved.values.items(), key=lambda known: -known[1]
    )
    assert all(line.value.is_exact for line in solved.lines) and solved.lines[0].move in solved.best
    picture = Position(EXACT).svg(values=solved)
    assert ">+18<" in picture and "≈" not in picture
    assert [line.move for line in engine.solve(EXACT).lines] == list(engine.solve(EXACT).best)
    assert engine.solve(EXACT, "wld").lines[0].value.kind is Kind.WLD
    assert engine.solve(Position(), time=0.05).lines == ()


def test_the_same_question_has_the_same_answer() -> None:
    def answer() -> tuple[Move | None, float, int]:
        with Engine(hash_mb=4) as engine:
            found = engine.search("f5d6c3", nodes=20_000)
            return found.move, found.value.discs, found.nodes

    assert answer() == answer() and answer()[2] <= 20_000
    with Engine(hash_mb=4, threads=2) as engine:
        assert engine.search("f5d6c3", depth=8).complete
        for level in (1, "human-3", "2"):
            assert engine.search("f5d6c3", level=level).move is not None
        assert engine.search("f5d6c3", clock=(2.0, 0.1)).move is not None


def test_a_search_tells_how_it_gets_on(engine: Engine) -> None:
    news: list[Info] = []
    engine.clear()
    outcome = engine.search("f5d6", depth=7, progress=news.append)
    assert [info.depth for info in news] == sorted(info.depth for info in news) and news[-1].pv == outcome.best.pv
    with engine.analysis("f5d6", time=600) as analysis:
        first = next(analysis)
        assert first.rank == 1 and analysis.running
        with pytest.raises(SearchBusyError):
            engine.search("f5")
        with pytest.raises(TimeoutError):
            analysis.result(timeout=0.03)
        analysis.stop()
        result = analysis.result()
        assert not result.complete and not analysis.running and analysis.latest is not None
    assert engine.search("f5", depth=2).complete


def test_an_analysis_can_be_awaited(engine: Engine) -> None:
    async def run() -> int:
        async with engine.analysis("f5d6c3", time=600) as analysis:
            n = 0
            async for info in analysis:
                n += 1
                if info.depth >= 6:
                    analysis.stop()
            assert analysis.result().move is not None
            return n

    assert asyncio.run(run()) > 0
    assert engine.search("f5", depth=2).complete


def test_what_a_callback_raises_comes_out(engine: Engine) -> None:
    def fail(_info: Info) -> None:
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        engine.search("f5d6", time=60, progress=fail)

    def fail_too(done: int, of: int) -> None:
        raise ZeroDivisionError(f"{done} of {of}")

    with pytest.raises(ZeroDivisionError):
        engine.review("f5d6c3", level=3, progress=fail_too)
    assert engine.search("f5", depth=2).complete


def test_a_review_judges_every_move(engine: Engine) -> None:
    done: list[tuple[int, int]] = []
    review = engine.review("f5d6c3d3c4", level=3, progress=lambda a, b: done.append((a, b)))
    assert [move.move for move in review.moves] == list(Game("f5d6c3d3c4").moves)
    assert review.black.moves == 3 and review.white.moves == 2 and done[-1][0] == done[-1][1]
    assert all(move.loss >= 0 for move in review.moves)


def test_wrong_calls_are_refused(engine: Engine) -> None:
    with pytest.raises(ValueError, match="depth"):
        engine.search("f5", depth=0)
    with pytest.raises(ValueError, match="level"):
        engine.search("f5", level=61)
    with pytest.raises(ValueError, match="human"):
        engine.search("f5", level="human-x")
    with pytest.raises(ValueError, match="confidence"):
        engine.search("f5", depth=2, confidence=50)
    with pytest.raises(ValueError, match="goal"):
        engine.solve("f5", "best")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="exact"):
        engine.search("f5", exact=True, wld=True)
    with pytest.raises(ValueError):
        engine.search("nonsense", depth=2)
    with pytest.raises(ValueError):
        Engine(threads=0)
    with pytest.raises(ValueError):
        Engine(hash_mb=0)
    with pytest.raises(MemoryError):
        Engine(hash_mb=1 << 19).search("f5", depth=1)
    closed = Engine(hash_mb=1)
    closed.close()
    closed.close()
    with pytest.raises(ValueError, match="closed"):
        closed.search("f5", depth=1)


INTERRUPTED = """
import os, signal, threading, time
import outflank
from outflank import batch
# A shell that starts the tests in the background has it ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
engine = outflank.Engine(hash_mb=4)
{setup}
def interrupt():
    time.sleep(0.3)
    global at
    at = time.monotonic()
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt).start()
try:
    {call}
    print("not interrupted")
except KeyboardInterrupt:
    print(time.monotonic() - at, engine.search("f5", depth=2).complete)
"""

CALLS = {
    "search": 'engine.search("f5d6", time=600)',
    "analysis": 'list(engine.analysis("f5d6", time=600)); engine = outflank.Engine(hash_mb=4)',
    "solve": "engine.solve(outflank.Position())",
    "review": 'engine.review("f5d6c3d3c4", level=40)',
    "evaluate": "while True: batch.evaluate(boards)",
    "legal": "while True: batch.legal(boards)",
}


@pytest.mark.parametrize("name", CALLS)
def test_control_c_comes_through(name: str) -> None:
    setup = "boards = batch.random_positions(200_000, 40, 1)" if name in ("evaluate", "legal") else ""
    call = CALLS[name]
    if name == "analysis":
        call = 'analysis = engine.analysis("f5d6", time=600)\n    with analysis: list(analysis)'
    program = INTERRUPTED.format(setup=setup, call=call)
    done = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True, timeout=120, check=True)
    # How long it took is for people to read: a busy machine makes it anything.
    _seconds, usable = done.stdout.split()
    assert usable == "True", done


def test_engines_come_and_go() -> None:
    def memory() -> int:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    before = threading.active_count(), len(os.listdir("/proc/self/task"))
    levels = []
    for n in range(100):
        engine = Engine(hash_mb=1)
        engine.search("f5", depth=1)
        if n % 10 == 0:
            engine.analysis("f5", time=600)
        if n in (20, 99):
            levels.append(memory())
    del engine
    gc.collect()
    assert levels[1] - levels[0] < 4 << 20
    assert (threading.active_count(), len(os.listdir("/proc/self/task"))) == before
    position = Position()
    start = 0
    for n in range(30):
        if n == 10:
            start = memory()
        for _ in range(2000):
            position.play("f5").legal_moves  # noqa: B018
            position.to_text()
    assert memory() - start < 4 << 20


def test_threads_have_their_own_engines() -> None:
    found: list[float] = []

    def run() -> None:
        with Engine(hash_mb=1) as engine:
            found.append(engine.search("f5d6c3", depth=6).value.discs)

    threads = [threading.Thread(target=run) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8 and len(set(found)) == 1


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes_begin_anew(method: str, tmp_path: Path) -> None:
    program = (
        "import multiprocessing, outflank\n"
        "def run(text):\n"
        "    outflank.batch.solve(outflank.batch.random_positions(4, 8, seed=1), threads=2)\n"
        "    return str(outflank.Engine(hash_mb=1).search(text, depth=3).move)\n"
        "if __name__ == '__main__':\n"
        "    engine = outflank.Engine(hash_mb=1); engine.search('f5', depth=2)\n"
        "    outflank.batch.solve(outflank.batch.random_positions(4, 8, seed=1), threads=2)\n"
        f"    with multiprocessing.get_context('{method}').Pool(2) as pool:\n"
        "        print(len(pool.map(run, ['f5d6', 'f5f6', 'f5f4'])))\n"
    )
    path = tmp_path / "processes.py"
    path.write_text(program)
    done = subprocess.run([sys.executable, "-P", path], capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout.strip() == "3", done.stderr
