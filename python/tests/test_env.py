"""The vector environment, step for step that of the objects."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from outflank import Game, IllegalMoveError, Position
from outflank.env import PASS, VectorEnv


@pytest.mark.parametrize("auto_pass", [False, True])
@pytest.mark.parametrize("reward", ["result", "margin"])
def test_steps_are_those_of_games(auto_pass: bool, reward: str) -> None:
    n = 16
    env = VectorEnv(n, reward=reward, auto_pass=auto_pass, threads=2)  # type: ignore[arg-type]
    games = [Game() for _ in range(n)]
    random = np.random.default_rng(7)
    observation, info = env.reset()
    over = np.zeros(n, np.bool_)
    finished = passes = 0
    for _ in range(150):
        for row, game in enumerate(games):
            position = game.position
            assert np.array_equal(observation[row], position.to_planes())
            assert list(np.flatnonzero(info["action_mask"][row])) == [int(move) for move in position.legal_moves]
            assert info["to_move"][row] == position.side
            passes += int(info["action_mask"][row][PASS])
        mask = info["action_mask"]
        actions = np.array([random.choice(np.flatnonzero(row)) if row.any() else 0 for row in mask])
        expected = np.zeros(n, np.float32)
        for row, game in enumerate(games):
            if over[row]:
                games[row] = Game()
                continue
            mover = game.position.side
            game.play(int(actions[row]))
            if auto_pass and game.position.legal_moves == (PASS,):
                game.play(PASS)
            if game.is_over:
                finished += 1
                result = game.result
                assert result is not None
                margin = result if mover == 0 else -result
                # After an automatic pass the last to move is the same player again: the reward is for whoever just moved.
                expected[row] = margin / 64 if reward == "margin" else np.sign(margin)
        observation, found, terminated, truncated, info = env.step(actions)
        over = np.array([game.is_over for game in games])
        assert np.array_equal(terminated, over) and not truncated.any()
        assert np.array_equal(found, expected)
    assert finished >= n and (passes == 0) == auto_pass


def test_illegal_actions_name_the_game_and_change_nothing() -> None:
    env = VectorEnv(5, random_plies=6, seed=3)
    env.reset()
    before = env.boards
    mask = env.step(np.array([np.flatnonzero(row)[0] for row in env._mask]))[4]["action_mask"]
    assert not np.array_equal(before, env.boards)
    actions = mask.argmax(axis=1)
    actions[3] = PASS
    kept = env.boards
    with pytest.raises(IllegalMoveError, match="row 3"):
        env.step(actions)
    assert np.array_equal(kept, env.boards)
    with pytest.raises(ValueError, match="shape"):
        env.step(actions[:2])
    same = VectorEnv(5, random_plies=6, seed=3)
    same.reset()
    assert np.array_equal(same.boards, before)
    assert Position(env.render()).empties == 53
    wrong: dict[str, Any]
    for wrong in ({"n": 0}, {"n": 1, "reward": "x"}, {"n": 1, "random_plies": 60}):
        with pytest.raises(ValueError):
            VectorEnv(**wrong)
