"""Positions, games, moves and texts: the package against the oracle."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import boards, cells_of, game, games

import outflank
from outflank import Color, Game, IllegalMoveError, Kind, Move, ParseError, Position, SetupError, Value


@given(games())
def test_a_game_is_what_the_oracle_plays(moves: list[oracle.Square | None]) -> None:
    played = game(moves)
    cells = cells_of(moves)
    position = played.position
    assert (position.player, position.opponent) == oracle.words(cells)
    assert position.empties == 64 - len(cells)
    assert [int(move) for move in position.legal_moves] == [oracle.number(move) for move in oracle.moves(cells)]
    assert position.is_over == (not oracle.moves(cells))
    assert position.side == len(moves) % 2
    margin = oracle.score(cells) if position.side is Color.BLACK else -oracle.score(cells)
    assert position.result == (margin if position.is_over else None)
    assert len(played) == len(moves) and played.positions()[-1] == position
    for text in (played.to_text("transcript-pa"), str(played), played.to_text("ggf"), played.to_text("sgf")):
        if moves:
            assert Game(text) == played
    assert pickle.loads(pickle.dumps(played)) == played
    assert copy.copy(played) == played == copy.deepcopy(played)


@given(games(least=1))
def test_what_is_taken_back_comes_again(moves: list[oracle.Square | None]) -> None:
    played = game(moves)
    last = played.undo()
    assert last is not None and played == game(moves[:-1])
    assert played.redo() == last and played == game(moves) and played.redo() is None
    assert played.at_ply(0) == Position()
    with pytest.raises(IndexError):
        played.at_ply(len(moves) + 1)


@given(boards(), st.sampled_from(Color))
def test_any_two_disjoint_sets_are_a_position(words: tuple[int, int], side: Color) -> None:
    position = Position.from_bitboards(*words, side)
    assert (position.player, position.opponent, position.side) == (*words, side)
    cells = oracle.from_words(*words)
    for square in oracle.SQUARES:
        turned = sum(1 << oracle.number(disc) for disc in oracle.flips(cells, square))
        assert position.flips(oracle.number(square)) == turned
    for text in ("board", "obf", "fen"):
        assert Position(position.to_text(text)) == position
    same = pickle.loads(pickle.dumps(position))
    assert same == position and hash(same) == hash(position) and copy.deepcopy(position) == position
    images = {oracle.words(image) for image in oracle.images(cells)}
    found = [position.symmetry(n) for n in range(8)]
    assert {(image.player, image.opponent) for image in found} == images
    smallest, number = position.canonical()
    assert (smallest.player, smallest.opponent) == min(images) and found[number] == smallest
    planes = position.to_planes()
    assert planes.shape == (2, 8, 8)
    for x, y in oracle.SQUARES:
        assert "-XO"[planes[0, y, x] + 2 * planes[1, y, x]] == cells.get((x, y), "-")


@given(boards(), st.integers(0, 64))
def test_a_move_is_played_or_refused(words: tuple[int, int], number: int) -> None:
    position = Position.from_bitboards(*words)
    cells = oracle.from_words(*words)
    legal = {oracle.number(move): move for move in oracle.moves(cells)}
    if number in legal:
        after = position.play(number)
        assert (after.player, after.opponent) == oracle.words(oracle.play(cells, legal[number]))
        assert after.side is Color.WHITE
    else:
        with pytest.raises(IllegalMoveError) as caught:
            position.play(number)
        assert caught.value.move == number and caught.value.position == position
        assert isinstance(pickle.loads(pickle.dumps(caught.value)), IllegalMoveError)


@given(st.text() | st.text(alphabet="abcdefgh12345678XO-;:+ \n"))
def test_any_text_gives_a_value_or_a_parse_error(text: str) -> None:
    parsed = outflank.parse(text)
    for error in parsed.bad:
        assert isinstance(error, ParseError) and error.line >= 1 and error.column >= 1 and error.remedy
    for item in parsed:
        assert item.position.empties >= 0 and item.line >= 1
    for read in (Position, Game):
        try:
            read(text)
        except ParseError as error:
            assert error.remedy and isinstance(error, ValueError)


def test_moves_have_names_and_numbers() -> None:
    assert Move("D3") is Move.D3 is Move(19) and str(Move.D3) == "d3" and repr(Move("pass")) == "pass"
    assert (Move.D3.column, Move.D3.row, Move.PASS.is_pass) == (3, 2, True)
    assert Color.BLACK.opponent is Color.WHITE
    for wrong in ("i1", "", "d", 65, -1, 3.5, None):
        with pytest.raises((ValueError, TypeError)):
            Position().play(wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="a letter a to h"):
        Move("z9")
    with pytest.raises(SetupError, match="a1"):
        Position.from_bitboards(3, 1)
    with pytest.raises(OverflowError):
        Position.from_bitboards(-1, 0)


def test_errors_name_place_and_remedy(tmp_path: Path) -> None:
    found = outflank.parse("f5d6c3\n\nf5d6b2")
    assert [item.line for item in found] == [1] and len(found.games) == 1
    error = found.bad[0]
    assert (error.line, error.column, error.text) == (3, 5, "f5d6b2") and "legal" in error.remedy
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
    with pytest.raises(ParseError):
        outflank.parse("f5d6c3\n\nf5d6b2", strict=True)
    with pytest.raises(IllegalMoveError) as caught:
        Game("f5").play("f5")
    assert caught.value.index == 1
    file = tmp_path / "games.txt"
    file.write_text("f5d6\n\nf5a1\n\nf5f6\n")
    assert [item.line for item in outflank.read(file, errors="skip")] == [1, 5]
    with pytest.raises(ParseError):
        list(outflank.read(file))
    with pytest.raises(FileNotFoundError):
        outflank.read(tmp_path / "none").__next__()


def test_scores_of_a_source_are_kept() -> None:
    text = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12;"
    item = outflank.parse(text).items[0]
    assert item.value == 18 and item.scores == {Move.G8: 18, Move.H1: 12} and item.game is None


def test_records_keep_their_tags() -> None:
    game = Game("f5d6c3")
    assert game.tags == {} and game.opening is not None
    text = "(;GM[Othello]PC[here]PB[Ann]PW[Ben]RE[?]TI[5:00]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[f5]W[d6];)"
    assert Game(text).tags["PB"] == "Ann" and Game(text).tags["PW"] == "Ben"
    assert pickle.loads(pickle.dumps(Game(text))).tags["PB"] == "Ann"


def test_pictures_are_svg() -> None:
    game = Game("f5d6c3")
    for picture in (game.svg(numbers=True), game.position._repr_svg_(), game.svg(1, marks=["d3=A"], arrows=["d3-c5"])):
        assert picture.startswith("<svg width=") and picture.rstrip().endswith("</svg>")
    assert ">≈4<" in game.svg(values={"d3": 4})
    assert ">+4<" in game.svg(values={Move.D3: Value(4, Kind.EXACT)})
    with pytest.raises(ValueError, match="z9"):
        game.svg(marks=["z9=A"])
