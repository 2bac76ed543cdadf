"""Columns of games and positions, against games of objects and the oracle, and through files and back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import oracle
import pytest
from test_books import some_games

from outflank import Game, ParseError, batch, data, parse


@pytest.fixture(scope="module")
def played() -> list[Game]:
    return some_games(30, 2)


@pytest.fixture(scope="module")
def games(played: list[Game], tmp_path_factory: pytest.TempPathFactory) -> data.Games:
    path = tmp_path_factory.mktemp("data") / "games.txt"
    path.write_text("".join(f"{game.to_text()}\n" for game in played))
    return data.read_games(path)


def test_columns_are_those_of_games(games: data.Games, played: list[Game]) -> None:
    assert len(games) == len(played)
    for row, game in enumerate(played):
        placed = [int(move) for move in game.moves if move != 64]
        assert list(games.moves[row, : games.n_moves[row]]) == placed
        assert set(games.moves[row, games.n_moves[row] :]) <= {255}
    assert list(games.result) == [game.result for game in played]
    assert set(games.start_side) == {0} and len(np.unique(games.start, axis=0)) == 1


def test_positions_are_what_the_oracle_plays(games: data.Games) -> None:
    positions = games.positions()
    assert len(positions) == games.n_moves.sum() and list(np.unique(positions.game)) == list(range(len(games)))
    for row in range(0, len(positions), 37):
        player, opponent = (int(word) for word in positions.boards[row])
        cells = oracle.from_words(player, opponent)
        square = int(positions.move[row])
        assert (square % 8, square // 8) in oracle.placements(cells)
        result = int(games.result[positions.game[row]])
        assert positions.value[row] == (-result if positions.side[row] else result)
    late = games.positions(empties=(10, 12), unique=True)
    assert set(late.empties) == {10, 11, 12}
    assert len(batch.unique(late.boards).boards) == len(late)
    assert len(late) == len(batch.unique(positions[(positions.empties >= 10) & (positions.empties <= 12)].boards).boards)


@pytest.mark.parametrize("ending", ["npz", "parquet"])
def test_tables_come_back_out_of_files(games: data.Games, ending: str, tmp_path: Path) -> None:
    if ending == "parquet":
        pytest.importorskip("pyarrow")
    for number, table in enumerate((games, games.positions(empties=20), games[:0], games.positions(empties=61))):
        path = tmp_path / f"{number}.{ending}"
        table.save(path)
        back = type(table).load(path)
        for name, column in table._columns().items():
            found = getattr(back, name)
            assert found.shape == column.shape and (found == column).all()
            assert column.dtype.kind == "U" or found.dtype == column.dtype
    with pytest.raises(ValueError, match="columns are missing"):
        data.Scored.load(tmp_path / f"0.{ending}")
    with pytest.raises(ValueError, match="npz"):
        games.save(tmp_path / "games.csv")


def test_saved_positions_are_what_a_cluster_solves(games: data.Games, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    from outflank import ray

    positions = games.positions(empties=8)
    positions.save(tmp_path / "positions.parquet")
    assert (ray.boards_of(tmp_path / "positions.parquet") == positions.boards).all()


def test_records_keep_names_years_and_values(tmp_path: Path) -> None:
    path = tmp_path / "game.ggf"
    path.write_text(
        "(;GM[Othello]PC[Somewhere]DT[2001.05.12]PB[Ann]PW[Bob]RE[+2]TI[5]TY[8]"
        "BO[8 ---------------------------O*------*O--------------------------- *]B[f5]W[d6]B[c3];)\n"
    )
    games = data.read_games([path, path])
    assert list(games.black) == ["Ann", "Ann"] and list(games.white) == ["Bob", "Bob"] and list(games.year) == [2001, 2001]
    assert list(games.event) == ["Somewhere"] * 2 and list(games.n_moves) == [3, 3]
    text = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; g8:+18; h7:+12;\n"
    (tmp_path / "board.obf").write_text(text)
    scored = data.read_positions(tmp_path / "board.obf")
    assert list(scored.value) == [18] and scored.values[0, 62] == 18 and scored.values[0, 55] == 12
    assert (scored.boards == batch.from_positions(parse(text).positions)).all()
    scored.save(tmp_path / "scored.npz")
    assert (data.Scored.load(tmp_path / "scored.npz").values == scored.values).all()


def test_games_from_other_starts_are_replayed(tmp_path: Path) -> None:
    start = some_games(1, 5, moves=20)[0].position
    game = Game(start=start)
    while not game.is_over:
        game.play(game.position.legal_moves[0])
    (tmp_path / "game.ggf").write_text(game.to_text("ggf"))
    games = data.read_games(tmp_path / "game.ggf")
    positions = games.positions()
    assert (positions.boards[0] == [start.player, start.opponent]).all() and positions.side[0] == start.side
    assert list(games.result) == [game.result]
    with pytest.raises(ValueError, match="starts"):
        batch.replay(games.moves, (games.start[:0], games.start_side))


def test_games_of_the_engine_become_a_table() -> None:
    played = batch.self_play(3, seed=1, level=1, random_plies=20)
    games = data.Games.of_moves(*played)
    positions = games.positions()
    assert (positions.boards == batch.replay(played.moves).boards).all() and list(games.result) == list(played.result)
    last = np.cumsum(games.n_moves) - 1
    after = batch.play(positions.boards[last], positions.move[last])
    margins = np.where(positions.side[last] == 0, -batch.final_scores(after), batch.final_scores(after))
    assert (margins == games.result).all()
    assert list(data.Games.of_moves(played.moves).result) == [batch.NO_VALUE] * 3


def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    path.write_text("f5d6\nf5a1\nf5f6\n")
    with pytest.raises(ParseError, match=r"games\.txt"):
        data.read_games(path)
    assert list(data.read_games(path, errors="skip").n_moves) == [2, 2]
    with pytest.raises(FileNotFoundError):
        data.read_games(tmp_path / "none")
    with pytest.raises(ValueError, match="errors"):
        data.read_positions(path, errors="ignore")


def test_samples_are_records_of_17_bytes(tmp_path: Path) -> None:
    path = tmp_path / "samples.bin"
    boards = batch.random_positions(20, 10, seed=1)
    values = batch.solve(boards).value
    data.write_samples(path, boards, values)
    assert path.stat().st_size == 20 * 17
    again, found = data.read_samples(path)
    assert (again == boards).all() and (found == values).all()
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(ValueError, match="records"):
        data.read_samples(path)
    with pytest.raises(ValueError, match="each board"):
        data.write_samples(path, boards, values[:-1])
