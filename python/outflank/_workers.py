"""Workers of a long job: what they are asked, what a pool of them tells, and processes of this machine."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from functools import cache
from multiprocessing.connection import Connection, wait
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from . import batch
from ._errors import OutflankError

Goal = Literal["exact", "all-moves", "wld"]

ROW = np.dtype(
    [
        ("row", np.uint32), ("value", np.int8), ("kind", np.uint8), ("best", np.uint8), ("nodes", np.uint64),
        ("seconds", np.float32), ("values", np.int8, (64,)),
    ]
)  # fmt: skip
"""An answer in a log: its row within the part, then the fields of ``batch.SolveBatch``."""


class WorkerFailed(OutflankError):
    """A worker said what is wrong, or is of another version."""


@dataclass(frozen=True, slots=True)
class Task:
    """What a worker needs to know of every chunk."""

    goal: Goal = "exact"
    hash_mb: int = 64
    time: float | None = None
    threads: int = 1

    def solve(self, boards: batch.Boards) -> NDArray[Any]:
        """The answers to boards, their rows numbered from 0."""
        solved = batch.solve(boards, self.goal, threads=self.threads, hash_mb=self.hash_mb, time=self.time)
        answers = np.zeros(len(boards), ROW)
        answers["row"] = np.arange(len(boards), dtype=np.uint32)
        for name, column in solved._asdict().items():
            answers[name] = column
        return answers


@cache
def fingerprint() -> str:
    """What tells engines apart that compute otherwise: a digest of the values of some boards."""
    values = batch.evaluate(batch.random_positions(256, 24, seed=1))
    return hashlib.sha256(values.tobytes()).hexdigest()[:16]


@dataclass(slots=True)
class Event:
    """What a pool tells of a worker."""

    worker: int
    what: Literal["ready", "done", "failed", "lost"]
    """``failed`` is an exception of Python, ``lost`` a worker that is no more."""
    chunk: int = -1
    answers: NDArray[Any] | None = None
    text: str = ""
    """The fingerprint of a worker that is ready, or what went wrong as far as is known."""


class Pool(Protocol):
    """Workers. A pool replaces those that it loses, if it can."""

    size: int
    """Workers that are wanted."""

    def start(self, task: Task) -> None:
        """Begin to make workers; each tells when it is ready."""

    def submit(self, worker: int, chunk: int, boards: batch.Boards) -> None:
        """Give a worker that is ready a chunk."""

    def wait(self, seconds: float) -> list[Event]:
        """What has happened, after at most so many seconds."""

    def close(self) -> None:
        """End all workers."""


def _work(connection: Connection, task: Task) -> None:
    """A process of a :class:`LocalPool`: answers until the other side is gone."""
    import signal

    # Ctrl-C goes to the whole group: the driver decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        connection.send(("ready", fingerprint()))
        while True:
            number, boards = connection.recv()
            try:
                connection.send(("done", number, task.solve(boards)))
            except Exception as error:
                connection.send(("failed", number, f"{type(error).__name__}: {error}"))
    except (EOFError, OSError):
        pass


class LocalPool:
    """Processes of this machine; for a machine alone ``outflank.batch.solve`` with threads does the same with less."""

    def __init__(self, workers: int | None = None) -> None:
        self.size = workers or os.cpu_count() or 1
        self._workers: dict[int, tuple[Any, Connection]] = {}
        self._next = 0
        self._task = Task()

    def start(self, task: Task) -> None:
        self._task = task
        for _ in range(self.size):
            self._add()

    def _add(self) -> None:
        import multiprocessing

        # A fork would copy locks that threads of the engine hold.
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=_work, args=(theirs, self._task), daemon=True)
        process.start()
        theirs.close()
        self._workers[self._next] = (process, ours)
        self._next += 1

    def submit(self, worker: int, chunk: int, boards: batch.Boards) -> None:
        try:
            self._workers[worker][1].send((chunk, boards))
        except OSError:
            pass  # The worker is gone: `wait` finds out.

    def wait(self, seconds: float) -> list[Event]:
        by_connection = {id(connection): worker for worker, (_, connection) in self._workers.items()}
        events = []
        for connection in wait([connection for _, connection in self._workers.values()], seconds):
            assert isinstance(connection, Connection)
            worker = by_connection[id(connection)]
            try:
                what, *rest = connection.recv()
            except (EOFError, OSError):
                process, _ = self._workers.pop(worker)
                connection.close()
                process.join()
                events.append(Event(worker, "lost", text=f"its process ended with code {process.exitcode}; see what it printed"))
                self._add()
                continue
            match what:
                case "ready":
                    events.append(Event(worker, "ready", text=rest[0]))
                case "done":
                    events.append(Event(worker, "done", rest[0], rest[1]))
                case _:
                    events.append(Event(worker, "failed", rest[0], text=rest[1]))
        return events

    def processes(self) -> list[int]:
        """The numbers of the processes."""
        return [process.pid for process, _ in self._workers.values()]

    def close(self) -> None:
        for process, connection in self._workers.values():
            connection.close()
            process.terminate()
        for process, _ in self._workers.values():
            process.join()
        self._workers.clear()
