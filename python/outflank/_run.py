"""One run of a job: parts, chunks, and what workers tell."""

from __future__ import annotations

import heapq
import struct
import zlib
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import batch
from ._workers import ROW, Event, WorkerFailed, fingerprint

if TYPE_CHECKING:
    from .cluster import Job

CHUNK_ROWS = 1_000
"""Most rows of a chunk."""
TRIES = 3
"""How often work may be lost with its worker: then a chunk is cut into single rows, and a row is given up."""
IN_FLIGHT = 2
"""Chunks that a worker has at most: the second hides the way to it."""

FAILED = 255
"""In a log: a row on which workers died."""


def _seconds(empties: NDArray[np.uint8]) -> NDArray[np.float64]:
    """About what boards take to solve: 0.35 seconds at 20 empties, and twice that for each one more."""
    seconds: NDArray[np.float64] = 0.35 * np.exp2(empties.astype(np.float64) - 20.0) + 2e-5
    return seconds


class Log:
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
class Chunk:
    part: int
    rows: NDArray[np.uint32]
    seconds: float
    """Predicted work."""
    lost: int = 0


@dataclass(slots=True)
class Part:
    log: Log
    boards: batch.Boards
    empties: NDArray[np.uint8]
    left: int


class Run:
    """One run of a job: parts that are open, chunks that wait, chunks in flight."""

    OPEN_PARTS = 4

    def __init__(self, job: Job) -> None:
        self.job = job
        self.parts: dict[int, Part] = {}
        self.chunks: dict[int, Chunk] = {}
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
        log = Log(self.job._work / f"part-{number:05}.log", rows)
        empties = self._empties(number)
        todo = np.flatnonzero(~log.known).astype(np.uint32)
        self.done_rows += rows - len(todo)
        seconds = _seconds(empties)
        self.work_left -= float(seconds[log.known].sum())
        part = Part(log, self.job.boards[first : first + rows], empties, len(todo))
        self.parts[number] = part
        begin, work = 0, 0.0
        for at, row in enumerate(todo):
            work += seconds[row]
            is_last = at + 1 == len(todo)
            if is_last or at + 1 - begin == CHUNK_ROWS or work * self.speed >= self.job.chunk_seconds:
                self.add(Chunk(number, todo[begin : at + 1], work))
                begin, work = at + 1, 0.0
        if part.left == 0:
            self.close_part(number)

    def add(self, chunk: Chunk) -> None:
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
                    raise WorkerFailed(f"workers end before they are ready: {event.text}")
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
                self.add(Chunk(chunk.part, np.array([row], np.uint32), chunk.seconds / len(chunk.rows)))
            return
        answers = np.zeros(1, ROW)
        answers["kind"], answers["value"], answers["best"], answers["values"] = FAILED, -128, 255, -128
        self.job._failed += 1
        self.keep(chunk, answers)

    def keep(self, chunk: Chunk, answers: NDArray[Any]) -> None:
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
