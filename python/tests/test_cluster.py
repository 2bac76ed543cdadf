"""Bulk solving: whatever dies, nothing is lost, nothing is doubled, and the bytes are those of an undisturbed run."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("pyarrow")

from pyarrow import parquet

from outflank import batch, cluster
from outflank.cluster import Event, Job, LocalPool, Task, fingerprint

BOARDS = batch.random_positions(60, 7, seed=3)
OPTIONS = {"hash_mb": 1, "part_rows": 25, "chunk_seconds": 1e-4, "omit_seconds": True}


class FakePool:
    """Workers that answer late, in any order, twice, or never, as chance has it; ``deadly`` rows kill them."""

    def __init__(self, chance: random.Random, deaths: float = 0.0, deadly: frozenset[int] = frozenset()) -> None:
        self.size = 3
        self._chance, self._deaths, self._deadly = chance, deaths, deadly
        self._task = Task()
        self._next = 0
        self._alive: set[int] = set()
        self._events: list[Event] = []

    def start(self, task: Task) -> None:
        self._task = task
        for _ in range(self.size):
            self._add()

    def _add(self) -> None:
        self._events.append(Event(self._next, "ready", text=fingerprint()))
        self._alive.add(self._next)
        self._next += 1

    def submit(self, worker: int, chunk: int, boards: batch.Boards) -> None:
        if worker not in self._alive:
            return
        kills = any(int(player) in self._deadly for player in boards[:, 0])
        if kills or self._chance.random() < self._deaths:
            self._alive.discard(worker)
            self._events = [event for event in self._events if event.worker != worker]
            self._events.append(Event(worker, "lost"))
            self._add()
            return
        event = Event(worker, "done", chunk, self._task.solve(boards))
        self._events.extend([event] * self._chance.choice([1, 1, 1, 2]))

    def wait(self, seconds: float) -> list[Event]:
        self._chance.shuffle(self._events)
        # A worker is ready before it answers.
        self._events.sort(key=lambda event: event.what != "ready")
        now = self._chance.randint(0, len(self._events))
        told, self._events = self._events[:now], self._events[now:]
        return told

    def close(self) -> None:
        self._events.clear()


def job(out: Path, pool: cluster.Pool, resume: bool = False, boards: batch.Boards = BOARDS) -> Job:
    """The job of these tests."""
    return cluster.solve(boards, out, pool=pool, resume=resume, **OPTIONS)  # type: ignore[arg-type]


def content(out: Path) -> list[bytes]:
    """The bytes of the parts."""
    assert not out.with_name(out.name + ".work").exists()
    return [path.read_bytes() for path in (sorted(out.iterdir()) if out.is_dir() else [out])]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """What a run without any trouble writes."""
    out = tmp_path_factory.mktemp("undisturbed") / "out.parquet"
    return content(job(out, FakePool(random.Random(0))).result())


def test_an_undisturbed_run_writes_what_a_batch_says(undisturbed: list[bytes], tmp_path: Path) -> None:
    for number, part in enumerate(undisturbed):
        (tmp_path / f"{number}.parquet").write_bytes(part)
    table = parquet.read_table(tmp_path)
    solved = batch.solve(BOARDS)
    assert table["row"].to_pylist() == list(range(len(BOARDS)))
    assert table["player"].to_pylist() == BOARDS[:, 0].tolist()
    assert table["value"].to_pylist() == solved.value.tolist()
    assert table["best"].to_pylist() == solved.best.tolist()
    assert table["nodes"].to_pylist() == solved.nodes.tolist()
    assert set(table["kind"].to_pylist()) == {"exact"}


@given(seed=st.integers(0, 1 << 32), deaths=st.sampled_from([0.0, 0.1, 0.3]), stops=st.lists(st.integers(1, 30), max_size=3))
@settings(max_examples=25)
def test_whatever_happens_the_bytes_are_the_same(
    undisturbed: list[bytes], tmp_path_factory: pytest.TempPathFactory, seed: int, deaths: float, stops: list[int]
) -> None:
    out, chance = tmp_path_factory.mktemp("run") / "out.parquet", random.Random(seed)
    for run, stop in enumerate(stops):
        running = iter(job(out, FakePool(chance, deaths), resume=run > 0))
        for _ in range(stop):
            if next(running, None) is None:
                break
        running.close()  # type: ignore[attr-defined]
    found = job(out, FakePool(chance, deaths), resume=bool(stops))
    found.result()
    # Work that is lost three times by chance is given up, which the values show.
    if found.failed == 0 and b"failed" not in b"".join(content(out)):
        assert content(out) == undisturbed


def test_a_row_that_kills_its_worker_is_given_up_alone(tmp_path: Path) -> None:
    deadly = 31
    found = job(tmp_path / "o.parquet", FakePool(random.Random(1), deadly=frozenset([int(BOARDS[deadly, 0])])))
    table = parquet.read_table(found.result())
    failed = [row for row, kind in enumerate(table["kind"].to_pylist()) if kind == "failed"]
    assert failed == [deadly] and found.failed == 1
    assert table["value"].to_pylist()[deadly] is None
    solved = batch.solve(BOARDS)
    assert [v for row, v in enumerate(table["value"].to_pylist()) if row != deadly] == np.delete(solved.value, deadly).tolist()


def test_a_torn_log_is_cut_where_it_is_torn(undisturbed: list[bytes], tmp_path: Path) -> None:
    out = tmp_path / "o.parquet"
    running = iter(job(out, FakePool(random.Random(2))))
    next(progress for progress in running if progress.rows > 0)
    running.close()  # type: ignore[attr-defined]
    logs = list((tmp_path / "o.parquet.work").glob("*.log"))
    before = cluster.status(out)
    assert logs and 0 < before["done"] < len(BOARDS) and not before["is_done"]
    for log in logs:
        log.write_bytes(log.read_bytes() + b"\x53\x00\x00\x00torn")
    running = iter(job(out, FakePool(random.Random(3)), resume=True))
    next(progress for progress in running if progress.rows > 40)
    running.close()  # type: ignore[attr-defined]
    # As if the run had ended between writing a part and removing its log.
    written = next((tmp_path / "o.parquet.work").glob("*.parquet"))
    written.with_suffix(".log").write_bytes(b"whatever")
    job(out, FakePool(random.Random(3)), resume=True).result()
    assert content(out) == undisturbed
    assert cluster.status(out) == {"is_done": True}


def test_jobs_are_not_mixed_up(tmp_path: Path) -> None:
    out = tmp_path / "o.parquet"
    running = iter(job(out, FakePool(random.Random(4))))
    next(running)
    running.close()  # type: ignore[attr-defined]
    with pytest.raises(FileExistsError, match="resume"):
        job(out, FakePool(random.Random(4)))
    with pytest.raises(ValueError, match="boards differ"):
        job(out, FakePool(random.Random(4)), resume=True, boards=BOARDS[::-1].copy())
    job(out, FakePool(random.Random(4)), resume=True).result()
    with pytest.raises(FileExistsError, match="there already"):
        job(out, FakePool(random.Random(4)))
    # Nothing is left to do.
    assert job(out, FakePool(random.Random(4)), resume=True).result() == out
    with pytest.raises(FileNotFoundError):
        cluster.status(tmp_path / "other.parquet")


def test_bad_rows_are_named_before_any_work(tmp_path: Path) -> None:
    boards = BOARDS.copy()
    boards[5] = 1
    with pytest.raises(ValueError, match="row 5"):
        job(tmp_path / "o.parquet", FakePool(random.Random(5)), boards=boards)
    assert list(tmp_path.iterdir()) == []


def test_nothing_to_do_is_an_empty_file(tmp_path: Path) -> None:
    out = job(tmp_path / "ö ä.parquet", FakePool(random.Random(6)), boards=BOARDS[:0]).result()
    assert parquet.read_table(out).num_rows == 0


def test_all_moves_have_values_by_square(tmp_path: Path) -> None:
    boards = BOARDS[:5]
    out = cluster.solve(boards, tmp_path / "o.parquet", pool=FakePool(random.Random(7)), goal="all-moves").result()
    table = parquet.read_table(out)
    wanted = batch.solve(boards, "all-moves").values
    assert [[-128 if v is None else v for v in row] for row in table["values"].to_pylist()] == wanted.tolist()
    assert "seconds" in table.column_names


def test_other_engines_are_refused(tmp_path: Path) -> None:
    class Other(FakePool):
        def _add(self) -> None:
            super()._add()
            self._events[-1].text = "another"

    with pytest.raises(cluster.WorkerFailed, match="another version"):
        job(tmp_path / "o.parquet", Other(random.Random(8))).result()


def test_processes_that_are_killed_are_replaced(undisturbed: list[bytes], tmp_path: Path) -> None:
    pool = LocalPool(2)
    found = job(tmp_path / "o.parquet", pool)
    killed, lost = False, 0
    for progress in found:
        if progress.rows > 0 and not killed:
            os.kill(pool.processes()[0], signal.SIGKILL)
            killed = True
        lost = progress.lost
    assert killed and lost == 1
    assert content(found.out) == undisturbed


def command(source: Path, out: Path, *more: str) -> list[str]:
    """The command line of these tests; the folder it runs in may hold sources without the compiled part."""
    program = [sys.executable, "-P", "-m", "outflank.ray", "solve", str(source), str(out)]
    return [*program, "--local", "--workers", "2", "--omit-seconds", "--progress", "none", "--part-rows", "400", *more]


def test_the_command_line_survives_kills_and_interrupts(tmp_path: Path) -> None:
    boards = batch.random_positions(1000, 11, seed=9)
    source = tmp_path / "in.obf"
    source.write_text("".join(f"{position.to_text('board')};\n" for position in batch.to_positions(boards)))
    whole, out = tmp_path / "whole.parquet", tmp_path / "out.parquet"
    assert subprocess.run(command(source, whole), check=False).returncode == 0
    resume: list[str] = []
    codes = []
    for end in (signal.SIGKILL, signal.SIGKILL, signal.SIGKILL, signal.SIGINT):
        driver = subprocess.Popen([*command(source, out), *resume, "--chunk-seconds", "0.01"], stderr=subprocess.DEVNULL)
        until = time.monotonic() + 60
        begun = cluster.status(out)["done"] if resume else 0
        while driver.poll() is None and time.monotonic() < until:
            try:
                if cluster.status(out).get("done", 0) > begun:
                    break
            except (FileNotFoundError, KeyError):
                pass
            time.sleep(0.01)
        driver.send_signal(end)
        codes.append(driver.wait())
        resume = ["--resume"]
    assert codes[:1] == [-signal.SIGKILL]
    assert codes[3] in (0, 130)
    assert subprocess.run([*command(source, out), "--resume"], check=False).returncode == 0
    assert content(out) == content(whole)


def test_bad_usage_is_said_in_one_line(tmp_path: Path) -> None:
    done = subprocess.run(
        command(tmp_path / "none.obf", tmp_path / "o.parquet"), check=False, capture_output=True, text=True
    )
    assert done.returncode == 2 and "none.obf" in done.stderr and "Traceback" not in done.stderr
