"""Exact values of very many boards, computed by processes or machines, with nothing lost and nothing doubled.

A job is cut into *parts* of so many rows, each of which becomes one parquet file, and parts into *chunks* of some seconds of
work. A pool of workers solves chunks; what comes back goes into the log of its part at once. A part that is complete is
written as a whole, and its log removed. Whatever dies, a job that is resumed goes on with what its logs hold, and its files
have the same bytes as those of a job that one process did without a break (with ``omit_seconds``, since times differ).

:class:`LocalPool` has processes of this machine; ``outflank.ray`` has a pool of actors of Ray. Needs ``pyarrow``.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import batch
from ._run import FAILED, Log, Progress, Run
from ._workers import ROW, Event, Goal, LocalPool, Pool, Task, WorkerFailed, fingerprint

PART_ROWS = 65_536
"""Rows of a part."""
CHUNK_SECONDS = 10.0
"""What a chunk should take a worker."""


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
            run = Run(self)
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
    while at + Log.HEAD.size <= len(content):
        length, _ = Log.HEAD.unpack_from(content, at)
        at += Log.HEAD.size + length
        rows += length // ROW.itemsize if at <= len(content) else 0
    return rows


__all__ = [
    "Event", "Goal", "Job", "LocalPool", "Pool", "Progress", "Task", "WorkerFailed", "fingerprint", "solve", "status",
]  # fmt: skip
