"""Exact values of very many boards on a cluster, through Ray Core: ``python -m outflank.ray solve in.obf out.parquet``.

One driver, one actor for each worker; see ``outflank.cluster`` for what is kept when something dies. Workers need no shared
disk. Needs ``pip install outflank[ray]``. On one machine ``--local`` takes processes instead, without Ray.

:class:`Solve` is for people who have a pipeline of Ray Data: ``dataset.map_batches(Solve, concurrency=4)``.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import batch, cluster
from ._errors import OutflankError
from ._reading import read
from .cluster import Event, Goal, Job, LocalPool, Pool, Progress, Task, fingerprint


class _Worker:
    """An actor."""

    def __init__(self, task: Task) -> None:
        self._task = task

    def fingerprint(self) -> str:
        """What its engine computes."""
        return fingerprint()

    def solve(self, boards: batch.Boards) -> NDArray[Any]:
        """The answers to boards."""
        return self._task.solve(boards)


class RayPool:
    """Actors of a cluster of Ray, to which the program is connected (``ray.init``), one for each CPU if nothing is said."""

    def __init__(self, workers: int | None = None) -> None:
        self._wanted = workers
        self.size = workers or 1
        self._task = Task()
        self._actors: dict[int, Any] = {}
        # What is awaited: the worker and the chunk, -1 for the fingerprint.
        self._awaited: dict[Any, tuple[int, int]] = {}
        self._next = 0

    def start(self, task: Task) -> None:
        import ray

        if not ray.is_initialized():
            raise OutflankError("Ray is not connected: call ray.init(address=…) first")
        self._task = task
        cpus = int(ray.cluster_resources().get("CPU", 1))
        self.size = self._wanted or max(cpus // task.threads, 1)
        for _ in range(self.size):
            self._add()

    def _add(self) -> None:
        import ray

        # Ray's own restarts keep an actor that fails: the driver makes new ones.
        actor = ray.remote(num_cpus=self._task.threads, max_restarts=0, max_task_retries=0)(_Worker).remote(self._task)
        self._actors[self._next] = actor
        self._awaited[actor.fingerprint.remote()] = (self._next, -1)
        self._next += 1

    def submit(self, worker: int, chunk: int, boards: batch.Boards) -> None:
        self._awaited[self._actors[worker].solve.remote(boards)] = (worker, chunk)

    def wait(self, seconds: float) -> list[Event]:
        import ray

        done, _ = ray.wait(list(self._awaited), num_returns=len(self._awaited), timeout=seconds, fetch_local=True)
        events = []
        for reference in done:
            # A worker that was lost takes all that it was asked for with it.
            if reference not in self._awaited:
                continue
            worker, chunk = self._awaited.pop(reference)
            try:
                answer = ray.get(reference)
            except ray.exceptions.RayTaskError as error:
                events.append(Event(worker, "failed", chunk, text=str(error)))
            except ray.exceptions.RayError as error:
                ray.kill(self._actors.pop(worker))
                for other in [other for other, (of, _) in self._awaited.items() if of == worker]:
                    del self._awaited[other]
                events.append(Event(worker, "lost", text=str(error).strip()))
                self._add()
            else:
                event = Event(worker, "ready", text=answer) if chunk < 0 else Event(worker, "done", chunk, answer)
                events.append(event)
        return events

    def close(self) -> None:
        import ray

        if ray.is_initialized():
            for actor in self._actors.values():
                ray.kill(actor)
        self._actors.clear()
        self._awaited.clear()


class Solve:
    """Solves the batches of a pipeline: to the columns ``player`` and ``opponent`` it adds ``value``, ``best``, ``kind``, ``nodes``.

    >>> added = Solve()({"player": np.array([0x0], np.uint64), "opponent": np.array([0x1], np.uint64)})
    >>> added["value"], str(added["kind"][0])
    (array([-64], dtype=int8), 'exact')
    """

    def __init__(self, goal: Goal = "exact", hash_mb: int = 64, threads: int = 1) -> None:
        self._task = Task(goal, hash_mb, None, threads)

    def __call__(self, rows: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
        """The batch with its answers."""
        answers = self._task.solve(np.stack([rows["player"], rows["opponent"]], axis=1).astype(np.uint64))
        kinds = np.array([str(kind) for kind in batch.KINDS])
        added = {name: answers[name].copy() for name in ("value", "best", "nodes")}
        return rows | added | {"kind": kinds[answers["kind"]]}


def boards_of(path: Path) -> batch.Boards:
    """The boards of a parquet file with the columns ``player`` and ``opponent``, or of a file in any notation."""
    if path.suffix == ".parquet" or path.is_dir():
        from pyarrow import parquet

        table = parquet.read_table(path, columns=["player", "opponent"])
        columns = [table.column(name).to_numpy().astype(np.uint64) for name in ("player", "opponent")]
        return np.stack(columns, axis=1)
    return batch.from_positions(item.position for item in read(path))


def _print(progress: Progress, how: str) -> None:
    if how == "json":
        print(json.dumps({name: getattr(progress, name) for name in Progress.__slots__}), file=sys.stderr, flush=True)
        return
    left = "" if progress.seconds_left is None else f", {progress.seconds_left:.0f} s left"
    rate = progress.nodes / max(progress.seconds, 1e-9) / 1e6
    line = (
        f"{progress.rows:,} of {progress.total:,} rows, {rate:.1f} million nodes a second, "
        f"{progress.workers} workers, {progress.lost} lost{left}"
    )
    if sys.stderr.isatty():
        print(f"{line:<100}", end="\r", file=sys.stderr, flush=True)
    else:
        print(line, file=sys.stderr, flush=True)


def _follow(job: Job, how: str) -> None:
    """Do a job; the first Ctrl-C waits for what is in flight, the second one does not."""

    def interrupted(number: int, frame: FrameType | None) -> None:
        if job.is_stopping:
            raise KeyboardInterrupt
        job.stop()
        print("\nwaiting for the chunks in flight; Ctrl-C again leaves them", file=sys.stderr, flush=True)

    before = signal.signal(signal.SIGINT, interrupted)
    told, last = 0.0, None
    try:
        for last in job:
            if how != "none" and last.seconds - told >= (0.5 if sys.stderr.isatty() else 10.0):
                told = last.seconds
                _print(last, how)
    finally:
        signal.signal(signal.SIGINT, before)
    if last is not None and how != "none":
        _print(last, how)
        if sys.stderr.isatty():
            print(file=sys.stderr)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m outflank.ray", description=__doc__.split("\n\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    solve = commands.add_parser("solve", help="solve positions into a parquet file")
    solve.add_argument("input", type=Path, help="positions in any notation, or parquet with player and opponent")
    solve.add_argument("out", type=Path, help="the parquet file; a folder of them if there are many rows")
    where = solve.add_mutually_exclusive_group()
    where.add_argument("--address", help="the cluster: auto, HOST:PORT, local to start one; left out, auto if one runs, else local")
    where.add_argument("--local", action="store_true", help="processes of this machine, without Ray")
    solve.add_argument("--goal", choices=["exact", "all-moves", "wld"], default="exact")
    solve.add_argument("--time", type=float, help="most seconds for each position")
    solve.add_argument("--workers", type=int, help="how many; one for each processor if left out")
    solve.add_argument("--threads-per-worker", type=int, default=1)
    solve.add_argument("--hash", type=int, default=64, metavar="MB", help="table of each worker")
    solve.add_argument("--part-rows", type=int, default=cluster.PART_ROWS)
    solve.add_argument("--chunk-seconds", type=float, default=cluster.CHUNK_SECONDS)
    solve.add_argument("--omit-seconds", action="store_true", help="leave times out: the same bytes every time")
    solve.add_argument("--resume", action="store_true", help="go on with a job that was begun")
    solve.add_argument("--progress", choices=["text", "json", "none"], default="text")
    status = commands.add_parser("status", help="what the files of a job say")
    status.add_argument("out", type=Path)
    return parser


def _pool(args: argparse.Namespace) -> Pool:
    if args.local:
        return LocalPool(args.workers)
    try:
        import ray
    except ImportError as error:
        raise OutflankError("Ray is not installed: pip install 'outflank[ray]', or use --local") from error
    ray.init(address=args.address, logging_level="warning", log_to_driver=False, include_dashboard=False)
    return RayPool(args.workers)


def main(arguments: list[str] | None = None) -> int:
    """Exit code: 0 all right, 1 rows on which workers died, 2 bad usage or input, 3 the cluster is gone, 130 Ctrl-C.

    Where the head of the cluster does not answer for a minute, Ray itself ends the program, with 1.
    """
    args = _parser().parse_args(arguments)
    try:
        if args.command == "status":
            print(json.dumps(cluster.status(args.out)))
            return 0
        job = cluster.solve(
            boards_of(args.input), args.out, pool=_pool(args), goal=args.goal, time=args.time, hash_mb=args.hash,
            threads_per_worker=args.threads_per_worker, part_rows=args.part_rows, chunk_seconds=args.chunk_seconds,
            omit_seconds=args.omit_seconds, resume=args.resume,
        )  # fmt: skip
        _follow(job, args.progress)
        if not job.is_done:
            raise KeyboardInterrupt
    except KeyboardInterrupt:
        print("\nstopped; what was answered is kept: the same command with --resume goes on", file=sys.stderr)
        return 130
    except (OutflankError, OSError, ValueError, ImportError) as error:
        print(f"outflank.ray: {error}", file=sys.stderr)
        return 2
    except Exception as error:
        if type(error).__module__.startswith("ray"):
            print(f"outflank.ray: the cluster is gone ({error}); start again with --resume", file=sys.stderr)
            return 3
        raise
    if job.failed:
        print(f"outflank.ray: workers died on {job.failed} rows, whose kind is `failed`", file=sys.stderr)
    return 1 if job.failed else 0


if __name__ == "__main__":
    sys.exit(main())
