"""Many games of Othello at a time, for reinforcement learning.

>>> import numpy as np
>>> env = VectorEnv(4, seed=1)
>>> observation, info = env.reset()
>>> actions = info["action_mask"].argmax(axis=1)
>>> observation, reward, terminated, truncated, info = env.step(actions)
>>> observation.shape, reward.tolist(), info["to_move"].tolist()
((4, 2, 8, 8), [0.0, 0.0, 0.0, 0.0], [1, 1, 1, 1])
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import batch

PASS = 64
"""The action of a pass."""

_START = (0x0000000810000000, 0x0000001008000000)

Step = tuple[NDArray[np.uint8], NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]


class VectorEnv:
    """``n`` games side by side, both sides played by whoever steps.

    An action is a square, 0 (a1) to 63 (h8), or 64 for a pass, which is legal only where nothing else is; with
    ``auto_pass`` passes are made without being asked. The observation is two planes, the discs of the player to move
    first. The reward is for the player who has just moved: 1, 0 or -1 at the end of the game, or the margin in discs
    over 64. A game that has ended begins anew with the step after, whose action for it is ignored and whose reward is 0
    (``autoreset_mode`` ``"next_step"``, as Gymnasium calls it). With ``random_plies`` games begin with so many random
    moves, drawn from ``seed``.
    """

    metadata = {"autoreset_mode": "next_step", "render_modes": ["ansi"]}

    def __init__(
        self,
        n: int,
        seed: int = 0,
        *,
        reward: Literal["result", "margin"] = "result",
        auto_pass: bool = False,
        random_plies: int = 0,
        threads: int = 1,
    ) -> None:
        if n < 1:
            raise ValueError(f"{n} games: at least 1")
        if reward not in ("result", "margin"):
            raise ValueError(f"reward is 'result' or 'margin', not {reward!r}")
        if not 0 <= random_plies <= 50:
            raise ValueError(f"{random_plies} random moves: 0 to 50")
        self.n = n
        self._margin = reward == "margin"
        self._auto_pass = auto_pass
        self._random_plies = random_plies
        self._threads = threads
        self._random = np.random.default_rng(seed)
        self._boards = np.empty((n, 2), np.uint64)
        self._side = np.zeros(n, np.uint8)
        self._over = np.ones(n, np.bool_)
        self._mask = np.zeros((n, 65), np.bool_)

    @property
    def boards(self) -> batch.Boards:
        """The boards, seen by the players to move."""
        return self._boards.copy()

    def _begin(self, which: NDArray[np.bool_]) -> None:
        count = int(which.sum())
        if not count:
            return
        self._boards[which] = _START
        if self._random_plies:
            seed = int(self._random.integers(2**63))
            self._boards[which] = batch.random_positions(count, 60 - self._random_plies, seed)
        # Whether there were passes among the random moves does not matter: Black has begun.
        self._side[which] = self._random_plies % 2
        self._over[which] = False

    def _look(self) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        self._mask = batch.legal_mask(self._boards, threads=self._threads)
        if self._auto_pass:
            passing = self._mask[:, PASS]
            if passing.any():
                self._boards[passing] = self._boards[passing][:, ::-1]
                self._side[passing] ^= 1
                self._mask[passing] = batch.legal_mask(np.ascontiguousarray(self._boards[passing]))
        observation = batch.to_planes(self._boards, threads=self._threads)
        return observation, {"action_mask": self._mask.copy(), "to_move": self._side.copy()}

    def reset(self, *, seed: int | None = None) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        """Begin every game anew."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
        self._begin(np.ones(self.n, np.bool_))
        return self._look()

    def step(self, actions: ArrayLike) -> Step:
        """Play an action in every game; an illegal one raises an error that names the game, and changes nothing."""
        chosen = np.asarray(actions)
        if chosen.shape != (self.n,):
            raise ValueError(f"actions are of the shape ({self.n},), not {chosen.shape}")
        going = ~self._over
        # The games that are over take no action: the start stands in for them, with a move that is legal there.
        boards = np.where(going[:, None], self._boards, np.array(_START, np.uint64))
        played = batch.play(boards, np.where(going, chosen, 19), threads=self._threads)
        self._boards[going] = played[going]
        self._side[going] ^= 1
        self._begin(~going)
        observation, info = self._look()
        over: NDArray[np.bool_] = np.logical_not(self._mask.any(axis=1))
        reward = np.zeros(self.n, np.float32)
        if over.any():
            # The board is seen by the player who does not move any more.
            scores = -batch.final_scores(np.ascontiguousarray(self._boards[over])).astype(np.float32)
            reward[over] = scores / 64 if self._margin else np.sign(scores)
        self._over = over
        return observation, reward, over.copy(), np.zeros(self.n, np.bool_), info

    def render(self) -> str:
        """The first game as text."""
        return str(batch.to_positions(self._boards[:1])[0])
