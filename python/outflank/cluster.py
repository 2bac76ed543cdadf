"""Exact values of very many boards, computed by processes or machines, with nothing lost and nothing doubled.

A job is cut into *parts* of so many rows, each of which becomes one parquet file, and parts into *chunks* of some seconds of
work. A pool of workers solves chunks; what comes back goes into the log of its part at once. A part that is complete is
written as a whole, and its log removed. Whatever dies, a job that is resumed goes on with what its logs hold, and its files
have the same bytes as those of a job that one process did without a break (with ``omit_seconds``, since times differ).

:class:`LocalPool` has processes of this machine; ``outflank.ray`` has a pool of actors of Ray. Needs ``pyarrow``.
"""

from __future__ import annotations

import hashlib
import heapq
import json
import os
import shutil
import struct
import zlib
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from multiprocessing.connection import Connection, wait
from pathlib import Path
from time import monotonic
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from . import batch
from ._errors import OutflankError

Goal = Literal["exact", "all-moves", "wld"]

PART_ROWS = 65_536
"""Rows of a part."""
CHUNK_ROWS = 1_000
"""Most rows of a chunk."""
CHUNK_SECONDS = 10.0
"""What a chunk should take a worker."""
TRIES = 3
"""How often work may be lost with its worker: then a chunk is cut into single rows, and a row is given up."""
IN_FLIGHT = 2
"""Chunks that a worker has at most: the second hides the way to it."""

FAILED = 255
"""In a log: a row on which workers died."""

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
    """The fingerprint of a worker that is ready, or what went wrong."""


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
                events.append(Event(worker, "lost"))
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


def _seconds(empties: NDArray[np.uint8]) -> NDArray[np.float64]:
    """About what boards take to solve: 0.35 seconds at 20 empties, and twice that for each one more."""
    seconds: NDArray[np.float64] = 0.35 * np.exp2(empties.astype(np.float64) - 20.0) + 2e-5
    return seconds


class _Log:
    """What is known of a part: records of a length, a check sum and answers. A torn record at the end is dropped."""

    HEAD = struct.Struct("<II")

    def __init__(self, path: Path, rows: int) -> None:
        self.path = path
        self.answers = np.zeros(rows, ROW)
        self.known = np.zeros(rows, np.bool_)
        good = 0
        if path.exists():
            content = path.read_bytes()
            while good + self.HEAD.size <= len(content):
                length, check = self.HEAD.unpack_from(content, good)
                record = content[good + self.HEAD.size : good + self.HEAD.size + length]
                if len(record) < length or zlib.crc32(record) != check:
                    break
                self._take(np.frombuffer(record, ROW))
                good += self.HEAD.size + length
        self._file = path.open("ab")
        self._file.truncate(good)

    def _take(self, answers: NDArray[Any]) -> None:
        self.answers[answers["row"]] = answers
        self.known[answers["row"]] = True

    def append(self, answers: NDArray[Any]) -> int:
        """Keep answers; returns how many of them are new. What came twice counts once, as it came first."""
        new = answers[~self.known[answers["row"]]]
        if len(new):
            record = new.tobytes()
            self._file.write(self.HEAD.pack(len(record), zlib.crc32(record)) + record)
            self._file.flush()
            self._take(new)
        return len(new)

    def close(self) -> None:
        self._file.close()


@dataclass(slots=True)
class Progress:
    """How far a job is."""

    rows: int
    """Rows that are answered, those of earlier runs included."""
    total: int
    nodes: int
    """Of this run."""
    seconds: float
    """Since this run began."""
    seconds_left: float | None
    """By the work that is left, not by rows; ``None`` as long as nothing is known."""
    workers: int
    """Workers that are ready."""
    lost: int
    """Workers that were lost."""


@dataclass(slots=True)
class _Chunk:
    part: int
    rows: NDArray[np.uint32]
    seconds: float
    """Predicted work."""
    lost: int = 0


@dataclass(slots=True)
class _Part:
    log: _Log
    boards: batch.Boards
    empties: NDArray[np.uint8]
    left: int


@dataclass
class Job:
    """A job that runs as long as it is iterated over: ``for progress in job: …``, or ``job.result()``.

    It may be left at any time; what was answered is kept.
    """

    boards: batch.Boards
    out: Path
    pool: Pool
    task: Task = field(default_factory=Task)
    part_rows: int = PART_ROWS
    chunk_seconds: float = CHUNK_SECONDS
    omit_seconds: bool = False
    resume: bool = False

    def __post_init__(self) -> None:
        self.boards = batch._boards(self.boards)
        # An empty file says that there was nothing to do.
        self._parts = max(-(-len(self.boards) // self.part_rows), 1)
        self._work = self.out.with_name(self.out.name + ".work")
        # Names the first bad row before any worker is asked.
        self._empties = batch.empties(self.boards)
        batch.legal(self.boards)
        self._stopping = False
        self._failed = 0
        about = {
            "goal": self.task.goal,
            "time": self.task.time,
            "rows": len(self.boards),
            "part_rows": self.part_rows,
            "omit_seconds": self.omit_seconds,
            "boards": hashlib.sha256(self.boards.tobytes()).hexdigest(),
            "engine": fingerprint(),
        }
        note = self._work / "job.json"
        if self.is_done:
            if not self.resume:
                raise FileExistsError(f"{self.out} is there already; remove it, or resume")
        elif note.exists():
            if not self.resume:
                raise FileExistsError(f"{self._work} holds a job that was begun; resume it, or remove the folder")
            begun = json.loads(note.read_text())
            other = [name for name in about if begun.get(name) != about[name]]
            if other:
                raise ValueError(f"{self._work} holds another job: {', '.join(other)} differ")
        else:
            self._work.mkdir(parents=True, exist_ok=True)
            _write(note, json.dumps(about).encode())

    def stop(self) -> None:
        """Hand out nothing more: iterating ends when the chunks in flight are back."""
        self._stopping = True

    @property
    def is_stopping(self) -> bool:
        """Whether it was told to stop."""
        return self._stopping

    @property
    def is_done(self) -> bool:
        """Whether all parts are written."""
        return self.out.exists() and not (self._work / "job.json").exists()

    @property
    def failed(self) -> int:
        """Rows of this run on which workers died again and again; their kind is ``failed``."""
        return self._failed

    def result(self, tell: Callable[[Progress], object] | None = None) -> Path:
        """Do all of it; returns the file, or the folder of the parts."""
        for progress in self:
            if tell is not None:
                tell(progress)
        return self.out

    def part_path(self, part: int) -> Path:
        """Where a part is written: in the folder ``out`` in the end, the only one as the file ``out``."""
        return self._work / f"part-{part:05}.parquet"

    def __iter__(self) -> Iterator[Progress]:
        if not self.is_done:
            run = _Run(self)
            try:
                yield from run.steps()
            finally:
                self.pool.close()
            if not run.is_complete:
                return
            self._finish()
        # Logs of parts that were written before a run ended between the two.
        shutil.rmtree(self._work, ignore_errors=True)

    def _finish(self) -> None:
        """Moves the parts to where they belong; the job is done when its note is gone."""
        if self._parts == 1:
            if self.part_path(0).exists():
                os.replace(self.part_path(0), self.out)
        else:
            self.out.mkdir(exist_ok=True)
            for part in range(self._parts):
                # A part that is missing was moved by a run that ended in this loop.
                if self.part_path(part).exists():
                    os.replace(self.part_path(part), self.out / self.part_path(part).name)
        (self._work / "job.json").unlink(missing_ok=True)

    def write_part(self, part: int, answers: NDArray[Any]) -> None:
        """Write a part whole."""
        import pyarrow
        from pyarrow import parquet

        first = part * self.part_rows
        boards = self.boards[first : first + self.part_rows]
        kinds = np.array([*map(str, batch.KINDS), "failed"], dtype=object)
        is_failed = answers["kind"] == FAILED
        nothing = is_failed | (answers["value"] == -128)
        columns: dict[str, Any] = {
            "row": np.arange(first, first + len(boards), dtype=np.int64),
            "player": boards[:, 0],
            "opponent": boards[:, 1],
            "empties": self._empties[first : first + len(boards)],
            "value": pyarrow.array(answers["value"], mask=nothing),
            "kind": kinds[np.where(is_failed, len(batch.KINDS), answers["kind"])],
            "best": pyarrow.array(answers["best"], mask=nothing | (answers["best"] == 255)),
        }
        if self.task.goal == "all-moves":
            flat = answers["values"].reshape(-1)
            columns["values"] = pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(flat, mask=flat == -128), 64)
        columns["nodes"] = answers["nodes"]
        if not self.omit_seconds:
            columns["seconds"] = answers["seconds"]
        sink = pyarrow.BufferOutputStream()
        parquet.write_table(pyarrow.table(columns), sink, compression="zstd")
        _write(self.part_path(part), sink.getvalue().to_pybytes())


def _write(path: Path, content: bytes) -> None:
    """Writes a file whole or not at all."""
    beside = path.with_name(path.name + ".new")
    with beside.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    os.replace(beside, path)


class _Run:
    """One run of a job: parts that are open, chunks that wait, chunks in flight."""

    OPEN_PARTS = 4

    def __init__(self, job: Job) -> None:
        self.job = job
        self.parts: dict[int, _Part] = {}
        self.chunks: dict[int, _Chunk] = {}
        # Numbers of chunks; those that were lost come first, since their parts wait for them.
        self.waiting: list[int] = []
        self.flying: dict[int, list[int]] = {}
        self.next_chunk = 0
        self.lost = 0
        self.stillborn = 0
        self.speed = 1.0
        self.nodes = 0
        self.began = monotonic()
        self.unopened = deque(part for part in range(job._parts) if not self._is_written(part))
        rows = [self._rows(part) for part in range(job._parts)]
        self.done_rows = sum(rows) - sum(rows[part] for part in self.unopened)
        self.work_left = float(sum(_seconds(self._empties(part)).sum() for part in self.unopened))

    def _rows(self, part: int) -> int:
        return min(self.job.part_rows, len(self.job.boards) - part * self.job.part_rows)

    def _empties(self, part: int) -> NDArray[np.uint8]:
        first = part * self.job.part_rows
        return self.job._empties[first : first + self.job.part_rows]

    def _is_written(self, part: int) -> bool:
        path, out = self.job.part_path(part), self.job.out
        return path.exists() or (out if self.job._parts == 1 else out / path.name).exists()

    def steps(self) -> Iterator[Progress]:
        """Work until all is done or nothing more is handed out."""
        try:
            self.job.pool.start(self.job.task)
            yield self.progress()
            while not self.is_complete:
                if self.job._stopping and not any(self.flying.values()):
                    break
                if not self.job._stopping:
                    self.hand_out()
                for event in self.job.pool.wait(0.1):
                    self.take(event)
                yield self.progress()
        finally:
            for part in self.parts.values():
                part.log.close()

    @property
    def is_complete(self) -> bool:
        """Whether all parts are written."""
        return not self.unopened and not self.parts

    def progress(self) -> Progress:
        """How far it is."""
        done = monotonic() - self.began
        left = max(self.work_left, 0.0) * self.speed / max(len(self.flying), 1) if self.nodes else None
        total = len(self.job.boards)
        return Progress(self.done_rows, total, self.nodes, done, left, len(self.flying), self.lost)

    def open_part(self) -> None:
        """Read what is known of the next part and cut the rest into chunks."""
        number = self.unopened.popleft()
        first, rows = number * self.job.part_rows, self._rows(number)
        log = _Log(self.job._work / f"part-{number:05}.log", rows)
        empties = self._empties(number)
        todo = np.flatnonzero(~log.known).astype(np.uint32)
        self.done_rows += rows - len(todo)
        seconds = _seconds(empties)
        self.work_left -= float(seconds[log.known].sum())
        part = _Part(log, self.job.boards[first : first + rows], empties, len(todo))
        self.parts[number] = part
        begin, work = 0, 0.0
        for at, row in enumerate(todo):
            work += seconds[row]
            is_last = at + 1 == len(todo)
            if is_last or at + 1 - begin == CHUNK_ROWS or work * self.speed >= self.job.chunk_seconds:
                self.add(_Chunk(number, todo[begin : at + 1], work))
                begin, work = at + 1, 0.0
        if part.left == 0:
            self.close_part(number)

    def add(self, chunk: _Chunk) -> None:
        """Let a chunk wait for a worker."""
        self.chunks[self.next_chunk] = chunk
        heapq.heappush(self.waiting, self.next_chunk)
        self.next_chunk += 1

    def hand_out(self) -> None:
        """Give every worker that has room a chunk, those with none first."""
        for room in range(IN_FLIGHT):
            for worker, flying in self.flying.items():
                if len(flying) > room:
                    continue
                while not self.waiting and self.unopened and len(self.parts) < self.OPEN_PARTS:
                    self.open_part()
                if not self.waiting:
                    return
                number = heapq.heappop(self.waiting)
                flying.append(number)
                chunk = self.chunks[number]
                self.job.pool.submit(worker, number, self.parts[chunk.part].boards[chunk.rows])

    def take(self, event: Event) -> None:
        """Do what an event asks for."""
        match event.what:
            case "ready":
                if event.text != fingerprint():
                    raise WorkerFailed("a worker has another version of Outflank or other weights: install the same")
                self.flying[event.worker] = []
                self.stillborn = 0
            case "lost":
                self.lost += 1
                self.stillborn += event.worker not in self.flying
                if self.stillborn > TRIES * self.job.pool.size:
                    raise WorkerFailed("workers end before they are ready: see what they print")
                for number in self.flying.pop(event.worker, []):
                    self.take_back(number)
            case "failed":
                raise WorkerFailed(event.text)
            case "done":
                flying = self.flying.get(event.worker, [])
                if event.chunk in flying:
                    flying.remove(event.chunk)
                # Late or twice: the chunk is no more.
                chunk = self.chunks.pop(event.chunk, None)
                if chunk is not None and event.answers is not None:
                    self.keep(chunk, event.answers)

    def take_back(self, number: int) -> None:
        """Let a chunk wait again whose worker was lost, in single rows if that happens again and again."""
        chunk = self.chunks[number]
        chunk.lost += 1
        if chunk.lost < TRIES:
            heapq.heappush(self.waiting, number)
            return
        del self.chunks[number]
        if len(chunk.rows) > 1:
            for row in chunk.rows:
                self.add(_Chunk(chunk.part, np.array([row], np.uint32), chunk.seconds / len(chunk.rows)))
            return
        answers = np.zeros(1, ROW)
        answers["kind"], answers["value"], answers["best"], answers["values"] = FAILED, -128, 255, -128
        self.job._failed += 1
        self.keep(chunk, answers)

    def keep(self, chunk: _Chunk, answers: NDArray[Any]) -> None:
        """Put the answers to a chunk into the log of its part."""
        answers = answers.copy()
        answers["row"] = chunk.rows
        part = self.parts[chunk.part]
        new = part.log.append(answers)
        self.done_rows += new
        part.left -= new
        self.nodes += int(answers["nodes"].sum())
        self.work_left -= chunk.seconds
        taken = float(answers["seconds"].sum())
        if chunk.seconds > 0 and taken > 0:
            self.speed += 0.2 * (min(max(taken / chunk.seconds, 0.01), 100.0) - self.speed)
        if part.left == 0:
            self.close_part(chunk.part)

    def close_part(self, number: int) -> None:
        """Write a part that is complete, then forget its log."""
        part = self.parts.pop(number)
        part.log.close()
        self.job.write_part(number, part.log.answers)
        part.log.path.unlink()


def solve(
    boards: batch.Boards,
    out: str | os.PathLike[str],
    *,
    pool: Pool | None = None,
    goal: Goal = "exact",
    time: float | None = None,
    hash_mb: int = 64,
    threads_per_worker: int = 1,
    part_rows: int = PART_ROWS,
    chunk_seconds: float = CHUNK_SECONDS,
    omit_seconds: bool = False,
    resume: bool = False,
) -> Job:
    """Solve boards with all processors of this machine, or with ``pool``, into the parquet file ``out``.

    With more rows than ``part_rows``, ``out`` is a folder of files. ``time`` is for each board. The columns are ``row``,
    ``player``, ``opponent``, ``empties``, ``value`` (discs for the player to move; null if the time was over), ``kind``,
    ``best`` (0 = a1 … 63 = h8), with the goal ``all-moves`` ``values`` by square, ``nodes`` and ``seconds``.
    """
    if part_rows < 1 or hash_mb < 1 or threads_per_worker < 1 or chunk_seconds <= 0:
        raise ValueError("part_rows, hash_mb, threads_per_worker and chunk_seconds are greater than 0")
    task = Task(goal, hash_mb, time, threads_per_worker)
    return Job(
        boards, Path(out), pool or LocalPool(), task, part_rows, chunk_seconds, omit_seconds, resume
    )  # fmt: skip


def status(out: str | os.PathLike[str]) -> dict[str, Any]:
    """What the files of a job say: ``rows``, ``done``, ``parts``, ``written``; no worker is asked."""
    path = Path(out)
    work = path.with_name(path.name + ".work")
    if not (work / "job.json").exists():
        if not path.exists():
            raise FileNotFoundError(f"{path}: there is no such job")
        return {"is_done": True}
    about = json.loads((work / "job.json").read_text())
    rows, part_rows = about["rows"], about["part_rows"]
    done = written = 0
    parts = max(-(-rows // part_rows), 1)
    for part in range(parts):
        name = f"part-{part:05}"
        size = min(part_rows, rows - part * part_rows)
        if (work / f"{name}.parquet").exists() or (path / f"{name}.parquet").exists():
            done, written = done + size, written + 1
        elif (work / f"{name}.log").exists():
            done += _known(work / f"{name}.log")
    return {
        "is_done": False, "goal": about["goal"], "rows": rows, "done": done, "parts": parts, "written": written,
    }  # fmt: skip


def _known(path: Path) -> int:
    """Rows in a log that may be written meanwhile: every row stands in one record."""
    content, at, rows = path.read_bytes(), 0, 0
    while at + _Log.HEAD.size <= len(content):
        length, _ = _Log.HEAD.unpack_from(content, at)
        at += _Log.HEAD.size + length
        rows += length // ROW.itemsize if at <= len(content) else 0
    return rows


__all__ = [
    "Goal", "Job", "LocalPool", "Pool", "Progress", "Task", "WorkerFailed", "fingerprint", "solve", "status",
]  # fmt: skip
