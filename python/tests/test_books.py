"""Books and collections of games: against a walk through the games, and against the program where there is one."""

from __future__ import annotations

import json
import os
import random
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from outflank import Book, Color, Explored, Game, Games, Move, Position


def some_games(n: int, seed: int, moves: int = 128) -> list[Game]:
    """Games of random moves, which begin alike; to the end unless fewer moves, passes included, are wanted."""
    draw = random.Random(seed)
    games = []
    for _ in range(n):
        game = Game("f5")
        while not game.is_over and len(game) < moves:
            game.play(draw.choice(game.position.legal_moves[:2]))
        games.append(game)
    return games


@pytest.fixture(scope="module")
def played() -> list[Game]:
    return some_games(40, 1)


@pytest.fixture(scope="module")
def games(played: list[Game], tmp_path_factory: pytest.TempPathFactory) -> Games:
    path = tmp_path_factory.mktemp("games") / "games.txt"
    path.write_text("".join(f"{game.to_text()}\n" for game in played) + "f5f5\n")
    return Games(path)


def walked(played: list[Game], position: Position) -> Counter[int]:
    """How many games go to which position next, up to symmetry."""
    found: Counter[int] = Counter()
    for game in played:
        positions = game.positions()
        keys = [at.key() for at in positions]
        if position.key() in keys[:-1]:
            found[keys[keys.index(position.key()) + 1]] += 1
    return found


def test_what_was_played_is_what_a_walk_finds(games: Games, played: list[Game]) -> None:
    assert len(games) == len(played) and games.bad == 1
    for ply in (0, 1, 2, 5, 9, 20):
        position = played[3].at_ply(ply)
        explored = games.explore(position, duplicates=True)
        assert explored.position == position and explored.total.games == sum(walked(played, position).values())
        assert {position.play(move.move).key(): move.fared.games for move in explored.moves} == walked(played, position)
        for move in explored.moves:
            assert move.fared.wins + move.fared.draws + move.fared.losses == move.fared.games
            image = position.play(move.move).canonical()[0]
            assert all(position.play(same).canonical()[0] == image for same in move.same)


def test_the_start_has_four_moves_that_are_one(games: Games) -> None:
    (move,) = games.explore(examples=2).moves
    assert {move.move, *move.same} == {Move.F5, Move.E6, Move.D3, Move.C4}
    assert len(move.examples) == 2 and all(example.game.is_over for example in move.examples)


def test_lists_are_filtered_ordered_and_cut(games: Games, played: list[Game]) -> None:
    everything = games.list(duplicates=True, order="number")
    assert [game.moves for game in everything] == ["".join(str(m) for m in game.moves if m != 64) for game in played]
    assert [found.game.result for found in everything] == [game.result for game in played]
    wins = games.list(duplicates=True, least_result=1, order="margin")
    assert wins.total == len(wins) == sum((game.result or 0) > 0 for game in played)
    assert all(found.winner is Color.BLACK for found in wins)
    margins = [found.margin for found in wins if found.margin is not None]
    assert margins == sorted(margins, reverse=True)
    part = games.list(duplicates=True, order="number", skip=5, limit=3)
    assert part.total == len(played) and part.games == everything.games[5:8]
    through = games.list(played[3].at_ply(6), duplicates=True)
    assert through.total == sum(played[3].at_ply(6).key() in [at.key() for at in game.positions()] for game in played)


def test_wrong_questions_are_refused(games: Games, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="is the name of none"):
        games.list(player="Nobody")
    with pytest.raises(ValueError, match="color"):
        games.list(color="black")
    with pytest.raises(ValueError):
        games.explore("f5f5")
    with pytest.raises(ValueError):
        games.list(order="best")  # type: ignore[arg-type]
    with pytest.raises(FileNotFoundError):
        Games(tmp_path / "none.db")
    with pytest.raises(TypeError):
        Games()
    broken = tmp_path / "broken.db"
    broken.write_bytes(b"SQLite format 3\0" + bytes(100))
    with pytest.raises(ValueError):
        Games(broken)


def test_the_book_inside_knows_the_start_and_no_nonsense(tmp_path: Path) -> None:
    book = Book()
    assert len(book) == book.stats()["positions"] > 1000
    start = book.lookup()
    assert start is not None and start.best is not None and start.best.loss == 0
    assert start.range is not None and start.value is not None and start.range[0] <= start.value <= start.range[1]
    found, image = book.lookup("f5d6c3"), book.lookup(Position("f5d6c3").symmetry(3))
    assert found is not None and image is not None
    assert (found.value, [move.value for move in found.moves]) == (image.value, [move.value for move in image.moves])
    assert all(move.move in Position("f5d6c3").legal_moves for move in found.moves)
    far = some_games(1, 3, moves=40)[0]
    assert book.lookup(far) is None and far not in book
    with pytest.raises(FileNotFoundError):
        Book(tmp_path / "none.ofb")
    wrong = tmp_path / "wrong.ofb"
    wrong.write_bytes(b"no book at all")
    with pytest.raises(ValueError, match=r"wrong\.ofb"):
        Book(wrong)


def _program(*arguments: str | Path) -> list[Any]:
    program = os.environ.get("OUTFLANK_PROGRAM")
    if program is None:
        pytest.skip("OUTFLANK_PROGRAM names no program")
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith(("{", "["))]


def _numbers(found: Explored) -> list[tuple[str, int, int, int, int, float]]:
    return [
        (str(move.move), move.fared.games, move.fared.wins, move.fared.draws, move.fared.losses, move.share)
        for move in found.moves
    ]


def test_the_program_says_the_same_of_games(played: list[Game], tmp_path: Path) -> None:
    file, database = tmp_path / "games.txt", tmp_path / "games.db"
    file.write_text("".join(f"{game.to_text()}\n" for game in played))
    _program("games", "import", database, file)
    kept = Games(database)
    assert len(kept) == len(played)
    for moves in ("f5", "f5d6", played[3].to_text()[:12]):
        (told,) = _program("games", "position", database, moves, "--json")
        ours = kept.explore(moves)
        assert _numbers(ours) == [
            (move["move"], move["games"], move["wins"], move["draws"], move["losses"], move["share"])
            for move in told["moves"]
        ]
        assert ours == Games(file).explore(moves)
    listed = [game for game in _program("games", "list", database, "--json") if "moves" in game]
    assert [game.moves for game in kept.list()] == [game["moves"] for game in listed]


def test_the_program_says_the_same_of_books(tmp_path: Path) -> None:
    book = Book()
    for moves in ("f5", "f5d6c3", "f5f6e6f4"):
        (told,) = _program("book", "show", "--json", moves)
        found = book.lookup(moves)
        assert found is not None and found.value == told["value"] and found.lines == told["lines"]
        assert [(str(move.move), move.value, move.loss) for move in found.moves] == [
            (move["move"], move.get("value"), move.get("loss")) for move in told["moves"]
        ]
