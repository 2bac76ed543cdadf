"""An engine, and searches that run.

A search runs in a thread of its own, which never touches the interpreter. Whoever waits for it wakes up every 20 ms and
so hears of signals: Ctrl-C stops the search, and the engine stays usable.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from functools import cache
from os import PathLike, fspath
from types import TracebackType
from typing import Any, Literal, Self, TypeAlias

from ._core import Engines, Evaluator, Game, Job, Position
from ._results import Info, Outcome, Review, Solved

PositionLike: TypeAlias = Position | Game | str
"""A position, a game (its last position), or a text in any notation."""

TICK = 0.02
"""Seconds between two looks for signals."""


@cache
def evaluator(path: str | None = None) -> Evaluator:
    """The learned evaluation, or the weights of a file; each is decoded once."""
    return Evaluator(path)


def input_of(position: PositionLike) -> dict[str, str]:
    """The input of a call."""
    return {"text": position if isinstance(position, str) else str(position)}


def _without_none(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _limits(
    *, depth: int | None, time: float | None, nodes: int | None, level: int | str | None
) -> dict[str, Any]:
    """The limits of a call."""
    human = None
    if isinstance(level, str):
        kind, _, number = level.rpartition("human-")
        if kind or not number.isdigit():
            raise ValueError(f"{level!r} is no level: 1 to 60, or 'human-1' to 'human-8'")
        level, human = (None, int(number)) if level.startswith("human-") else (int(number), None)
    return _without_none(depth=depth, seconds=time, nodes=nodes, level=level, human=human)


def finish(job: Job, tell: Callable[[Any], object]) -> Any:
    """Wait for the end of a job; whatever is raised meanwhile stops it first."""
    try:
        while True:
            # Asked before the news are taken, so that none can come between.
            done = job.done
            for news in job.wait(0.0 if done else TICK):
                tell(news)
            if done:
                return job.result()
    except BaseException:
        job.stop()
        # The engine is free again when the thread has ended.
        while not job.done:
            job.wait(TICK)
        raise


class Analysis:
    """A search that runs: iterate over it for its news, ask for its result, stop it.

    It is a context manager that stops the search at the end of its block, and an iterator for ``async for``, too.
    """

    def __init__(self, job: Job) -> None:
        self._job = job
        self._news: deque[Info] = deque()
        self._latest: Info | None = None
        self._outcome: Outcome | None = None
        self._is_over = False
        self._error: BaseException | None = None

    def _take(self, seconds: float) -> None:
        """Wait for news, and note the end."""
        if self._is_over:
            return
        done = self._job.done
        for text in self._job.wait(0.0 if done else seconds):
            event = json.loads(text)
            if "progress" in event:
                info = Info._of(event["progress"])
                if info.rank == 1:
                    self._latest = info
                self._news.append(info)
            elif "lines" in event:
                self._outcome = Outcome._of(event)
        if done:
            self._is_over = True
            try:
                self._job.result()
            except BaseException as error:
                self._error = error
                raise

    @property
    def running(self) -> bool:
        """Whether the search goes on."""
        return not self._job.done

    @property
    def latest(self) -> Info | None:
        """The newest news of the best line."""
        self._take(0.0)
        return self._latest

    def stop(self) -> None:
        """Ask the search to end; its result comes soon."""
        self._job.stop()

    def result(self, timeout: float | None = None) -> Outcome:
        """Wait for the result; :class:`TimeoutError` if it is not there after ``timeout`` seconds."""
        left = timeout
        while not self._is_over:
            if left is not None and left <= 0:
                raise TimeoutError(f"no result after {timeout} seconds; the search goes on")
            tick = TICK if left is None else min(TICK, left)
            self._take(tick)
            if left is not None:
                left -= tick
        if self._error is not None:
            raise self._error
        assert self._outcome is not None
        return self._outcome

    def __iter__(self) -> Iterator[Info]:
        return self

    def __next__(self) -> Info:
        while not self._news:
            if self._is_over:
                raise StopIteration
            self._take(TICK)
        return self._news.popleft()

    def __aiter__(self) -> AsyncIterator[Info]:
        return self

    async def __anext__(self) -> Info:
        while not self._news:
            if self._is_over:
                raise StopAsyncIteration
            self._take(0.0)
            if not self._news and not self._is_over:
                await asyncio.sleep(TICK)
        return self._news.popleft()

    def __enter__(self) -> Analysis:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        # The news stay for whoever asks later; the end of the thread is waited for.
        while not self._is_over:
            self._take(TICK)

    async def __aenter__(self) -> Analysis:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        while not self._is_over:
            self._take(0.0)
            await asyncio.sleep(0)


class Closing:
    """What is closed at the end of its block."""

    def close(self) -> None:
        """Give the memory back."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Engine(Closing):
    """An Othello engine with its memory, for one search at a time; several engines may live side by side.

    >>> with Engine(hash_mb=1) as engine:
    ...     found = engine.search("f5d6c3", depth=4)
    >>> found.move in Game("f5d6c3").position.legal_moves, found.value.kind
    (True, <Kind.ESTIMATE: 'estimate'>)
    """

    def __init__(
        self, *, threads: int = 1, hash_mb: int = 64, weights: str | PathLike[str] | None = None
    ) -> None:
        """``weights`` is a file of weights, as ``outflank train fit`` writes them, that judge in place of the package's."""
        if not 1 <= threads <= 256:
            raise ValueError(f"{threads} threads: 1 to 256")
        if hash_mb < 1:
            raise ValueError(f"a table of {hash_mb} MB: at least 1")
        self._hash_bytes = hash_mb << 20
        # The package's own weights are decoded once a process, when somebody asks for a value.
        self._judge = None if weights is None else evaluator(fspath(weights))
        self._engines = Engines(self._hash_bytes, threads, self._judge)
        self._is_closed = False

    def _start(self, call: str, **request: Any) -> Job:
        if self._is_closed:
            raise ValueError("the engine is closed")
        return self._engines.start(json.dumps({"call": call, **request}))

    def analysis(
        self,
        position: PositionLike,
        *,
        depth: int | None = None,
        time: float | None = None,
        nodes: int | None = None,
        level: int | str | None = None,
        clock: tuple[float, float] | float | None = None,
        lines: int = 1,
        exact: bool = False,
        wld: bool = False,
        confidence: int = 73,
    ) -> Analysis:
        """Start a search and return at once.

        The search ends at the first limit that it reaches: ``depth`` in discs, ``time`` in seconds, ``nodes``, ``level`` 1
        to 60 or ``"human-1"`` to ``"human-8"``, ``clock`` the seconds left for the game, or those and an increment. With
        none it takes five seconds, with ``exact`` or ``wld`` what it needs. ``lines`` is the number of moves to value.
        """
        left = None
        if clock is not None:
            seconds, increment = clock if isinstance(clock, tuple) else (clock, 0.0)
            left = {"seconds": seconds, "increment": increment}
        limits = _without_none(clock=left, **_limits(depth=depth, time=time, nodes=nodes, level=level))
        goal = "exact" if exact else "wld" if wld else "best"
        if exact and wld:
            raise ValueError("exact says more than wld: give one of the two")
        job = self._start(
            "analyze",
            input=input_of(position),
            limits=limits,
            lines=lines,
            goal=goal,
            confidence=confidence,
            progress=True,
        )
        return Analysis(job)

    def search(
        self,
        position: PositionLike,
        *,
        depth: int | None = None,
        time: float | None = None,
        nodes: int | None = None,
        level: int | str | None = None,
        clock: tuple[float, float] | float | None = None,
        lines: int = 1,
        exact: bool = False,
        wld: bool = False,
        confidence: int = 73,
        progress: Callable[[Info], object] | None = None,
    ) -> Outcome:
        """Search, and return what was found; for the limits see :meth:`analysis`.

        ``progress`` hears of every stage; what it raises stops the search and comes out here.
        """
        analysis = self.analysis(
            position,
            depth=depth,
            time=time,
            nodes=nodes,
            level=level,
            clock=clock,
            lines=lines,
            exact=exact,
            wld=wld,
            confidence=confidence,
        )
        with analysis:
            for info in analysis:
                if progress is not None:
                    progress(info)
        return analysis.result()

    def solve(
        self,
        position: PositionLike,
        goal: Literal["exact", "all-moves", "wld"] = "exact",
        *,
        time: float | None = None,
    ) -> Solved:
        """The proven value of a position; after ``time`` seconds the answer is of the kind ``aborted``.

        >>> board = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X"
        >>> solved = Engine(hash_mb=1).solve(board)
        >>> str(solved.value), solved.move
        ('+18 (exact)', g8)
        """
        if goal not in ("exact", "all-moves", "wld"):
            raise ValueError(f"{goal!r} is no goal: 'exact', 'all-moves' or 'wld'")
        request = _without_none(seconds=time)
        job = self._start(
            "solve",
            input=input_of(position),
            all_moves=goal == "all-moves",
            wld=goal == "wld",
            table_bytes=self._hash_bytes,
            **request,
        )
        answers: list[Solved] = []

        def tell(text: str) -> None:
            event = json.loads(text)
            if "empties" in event:
                answers.append(Solved._of(event))

        finish(job, tell)
        return answers[0]

    def review(
        self,
        game: Game | str,
        *,
        level: int = 12,
        time: float | None = None,
        progress: Callable[[int, int], object] | None = None,
    ) -> Review:
        """Judge every move of a game; ``progress`` hears how many positions of how many are done."""
        played = Game(game) if isinstance(game, str) else game
        moves: list[dict[str, Any]] = []
        summaries: list[dict[str, Any]] = []

        def tell(text: str) -> None:
            event = json.loads(text)
            if "reviewing" in event:
                if progress is not None:
                    progress(*event["reviewing"])
            elif "summary" in event:
                summaries.append(event["summary"])
            else:
                moves.append(event)

        job = self._start("review", input=input_of(played), level=level, **_without_none(seconds=time))
        finish(job, tell)
        return Review._of(played, list(moves), summaries[0])

    def evaluate(self, position: PositionLike) -> float:
        """The estimate of a position in discs for the player to move, without a search."""
        return (self._judge or evaluator()).value(position)

    def clear(self) -> None:
        """Forget everything that was learned."""
        self._engines.clear()

    def close(self) -> None:
        """Give the memory back; the engine cannot be used afterwards."""
        if not self._is_closed:
            self._engines.close()
            self._is_closed = True
