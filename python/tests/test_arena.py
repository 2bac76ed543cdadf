"""Matches: openings, colors, forfeits, the sequential test."""

from __future__ import annotations

import time

import pytest

from outflank import Game, MoveLike, arena


class First(arena.Player):
    def choose(self, game: Game, clock: float | None) -> MoveLike:
        return game.position.legal_moves[0]


class Fails(arena.Player):
    def choose(self, game: Game, clock: float | None) -> MoveLike:
        if len(game) > 3:
            raise ZeroDivisionError("mine")
        return str(game.position.legal_moves[0])


def test_a_match_is_played_in_pairs() -> None:
    report = arena.match(First(), "level 2", games=8, seed=3)
    assert report.games == 8 == report.wins + report.draws + report.losses and report.players == ("First", "level 2")
    for one, two in zip(report.played[::2], report.played[1::2], strict=True):
        assert one.game.start == two.game.start and one.first_is_black and not two.first_is_black
    for played in report.played:
        result = played.game.result
        assert result is not None and played.margin == (result if played.first_is_black else -result)
    assert report.low <= report.elo <= report.high and "Elo" in str(report) and report._repr_html_().startswith("<p>")
    again = arena.match(First(), "level 2", games=8, seed=3)
    assert [played.game for played in again.played] == [played.game for played in report.played]
    mirror = arena.match(First(), First(), games=4, openings=["f5d6c3", "f5f6"])
    assert sum(played.margin for played in mirror.played) == 0 and mirror.elo == 0


def test_players_that_fail_lose_their_games() -> None:
    report = arena.match(Fails(), First(), games=2)
    assert report.losses == 2 and report.mean_margin == -64
    assert all(played.forfeit is not None and "ZeroDivisionError: mine" in played.forfeit for played in report.played)

    class Illegal(arena.Player):
        def choose(self, game: Game, clock: float | None) -> MoveLike:
            return "a1"

    class Slow(arena.Player):
        def choose(self, game: Game, clock: float | None) -> MoveLike:
            time.sleep(0.05)
            return game.position.legal_moves[0]

    assert arena.match(First(), Illegal(), games=2).wins == 2
    slow = arena.match(First(), Slow(), games=2, clock=0.02).played[0].forfeit
    assert slow is not None and "seconds" in slow

    class Interrupted(arena.Player):
        def choose(self, game: Game, clock: float | None) -> MoveLike:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        arena.match(First(), Interrupted(), games=2)


def test_the_sequential_test_ends_a_match() -> None:
    report = arena.match("level 1", "random", games=400, sprt=(0, 50), seed=1)
    assert report.sprt is not None and report.sprt[2] == "H1" and report.games < 400 and report.superiority > 0.95


def test_wrong_calls_are_refused() -> None:
    for games in (0, 1, 3):
        with pytest.raises(ValueError, match="games"):
            arena.match(First(), First(), games=games)
    with pytest.raises(ValueError, match="opening"):
        arena.match(First(), First(), games=2, openings=[])
    with pytest.raises(ValueError):
        arena.match(First(), "nobody", games=2)
    with pytest.raises(ValueError):
        arena.match(First(), First(), games=2, sprt=(5, 5))
