"""Arrays: every function equals a loop over the oracle, and refuses what is no array of boards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import boards, rows

from outflank import IllegalMoveError, Position, SetupError, batch

LISTS = st.lists(boards(), max_size=12)


@given(LISTS, st.integers(1, 3))
def test_rows_are_what_the_oracle_says(found: list[tuple[int, int]], threads: int) -> None:
    array = rows(found)
    cells = [oracle.from_words(*words) for words in found]
    legal = batch.legal(array, threads=threads)
    mask = batch.legal_mask(array, threads=threads)
    assert mask.shape == (len(found), 65)
    for row, board in enumerate(cells):
        squares = [oracle.number(square) for square in oracle.placements(board)]
        assert int(legal[row]) == sum(1 << number for number in squares)
        assert list(np.flatnonzero(mask[row])) == [oracle.number(move) for move in oracle.moves(board)]
    assert list(batch.legal_counts(array)) == [len(oracle.placements(board)) for board in cells]
    assert list(batch.is_over(array, threads=threads)) == [not oracle.moves(board) for board in cells]
    assert list(batch.final_scores(array, threads=threads)) == [oracle.score(board) for board in cells]
    assert list(batch.empties(array, threads=threads)) == [64 - len(board) for board in cells]


@given(LISTS, st.integers(1, 3))
def test_children_are_all_moves_in_order(found: list[tuple[int, int]], threads: int) -> None:
    expected = [
        (*oracle.words(oracle.play(board, move)), row, oracle.number(move))
        for row, board in enumerate(oracle.from_words(*words) for words in found)
        for move in oracle.moves(board)
    ]
    children = batch.children(rows(found), threads=threads)
    assert [
        (int(a), int(b), int(parent), int(move))
        for (a, b), parent, move in zip(children.boards, children.parent, children.move, strict=True)
    ] == expected
    # The same boards by `play`.
    parents = rows(found)[children.parent]
    assert np.array_equal(batch.play(parents, children.move, threads=threads), children.boards)


@given(st.lists(st.tuples(boards(), st.integers(0, 64)), max_size=12), st.integers(1, 3))
def test_illegal_moves_are_named_or_kept(pairs: list[tuple[tuple[int, int], int]], threads: int) -> None:
    array, moves = rows([words for words, _ in pairs]), np.array([move for _, move in pairs], np.int64)
    cells = [oracle.from_words(*words) for words, _ in pairs]
    legal = [move in map(oracle.number, oracle.moves(board)) for board, (_, move) in zip(cells, pairs, strict=True)]
    played, ok = batch.play(array, moves, errors="keep", threads=threads)
    assert list(ok) == legal
    assert np.array_equal(played[~ok], array[~ok])
    if all(legal):
        assert np.array_equal(batch.play(array, moves, threads=threads), played)
    else:
        with pytest.raises(IllegalMoveError) as caught:
            batch.play(array, moves, threads=threads)
        assert caught.value.index == legal.index(False) and f"row {legal.index(False)}" in str(caught.value)


@given(LISTS, st.integers(1, 3))
def test_images_are_the_eight(found: list[tuple[int, int]], threads: int) -> None:
    array = rows(found)
    images = batch.symmetries(array, threads=threads)
    smallest, number = batch.canonical(array, threads=threads)
    assert images.shape == (len(found), 8, 2)
    for row, words in enumerate(found):
        expected = {oracle.words(image) for image in oracle.images(oracle.from_words(*words))}
        assert {(int(a), int(b)) for a, b in images[row]} == expected
        assert tuple(map(int, images[row][0])) == words
        assert tuple(map(int, smallest[row])) == min(expected)
        assert np.array_equal(images[row][number[row]], smallest[row])
    # A move goes where its board goes, and back.
    for symmetry in range(8):
        mask = batch.legal_mask(array)
        mapped = batch.legal_mask(np.ascontiguousarray(images[:, symmetry]))
        to = batch.map_moves(np.arange(65), symmetry)
        assert np.array_equal(mapped[:, to], mask)
        assert list(batch.map_moves(to, int(batch.inverse_symmetry(symmetry)))) == list(range(65))


@given(LISTS, st.booleans())
def test_unique_boards_are_those_of_a_dictionary(found: list[tuple[int, int]], symmetric: bool) -> None:
    doubled = found + [found[0][::-1]] + found[:3] if found else found
    groups: dict[tuple[int, int], list[int]] = {}
    for row, words in enumerate(doubled):
        images = [oracle.words(image) for image in oracle.images(oracle.from_words(*words))]
        groups.setdefault(min(images) if symmetric else words, []).append(row)
    unique = batch.unique(rows(doubled), symmetric=symmetric)
    assert [(int(a), int(b)) for a, b in unique.boards] == list(groups)
    assert list(unique.first) == [group[0] for group in groups.values()]
    assert list(unique.counts) == [len(group) for group in groups.values()]
    for number, group in enumerate(groups.values()):
        assert all(unique.inverse[row] == number for row in group)


@given(LISTS)
def test_planes_and_features_are_those_of_a_walk(found: list[tuple[int, int]]) -> None:
    array = rows(found)
    planes = batch.to_planes(array)
    assert planes.dtype == np.uint8 and batch.to_planes(array, dtype=np.float32).dtype == np.float32
    assert np.array_equal(batch.from_planes(planes), array)
    cells = batch.to_cells(array)
    features = batch.features(array)
    for row, words in enumerate(found):
        board = oracle.from_words(*words)
        assert np.array_equal(planes[row], Position.from_bitboards(*words).to_planes())
        for x, y in oracle.SQUARES:
            assert cells[row, y, x] == {"X": 1, "O": -1, None: 0}[board.get((x, y))]
        neighbors = {
            square: [(square[0] + dx, square[1] + dy) for dx, dy in oracle.DIRECTIONS] for square in oracle.SQUARES
        }
        for side, name in (("X", ""), ("O", "opponent_")):
            seen = board if side == "X" else oracle.other_side(board)
            mine = {square for square, disc in board.items() if disc == side}
            empty = set(oracle.SQUARES) - set(board)
            theirs = set(board) - mine
            assert features[row][f"{name}discs"] == len(mine)
            assert features[row][f"{name}mobility"] == len(oracle.placements(seen))
            assert features[row][f"{name}frontier"] == sum(any(n in empty for n in neighbors[s]) for s in mine)
            assert features[row][f"{name}potential_mobility"] == sum(
                any(n in theirs for n in neighbors[s]) for s in empty
            )
            corners = {(x, y) for x in (0, 7) for y in (0, 7)}
            x_squares = {(x, y) for x in (1, 6) for y in (1, 6)}
            c_squares = {s for corner in corners for s in neighbors[corner] if s in neighbors} - x_squares
            assert features[row][f"{name}corners"] == len(mine & corners)
            assert features[row][f"{name}x_squares"] == len(mine & x_squares)
            assert features[row][f"{name}c_squares"] == len(mine & c_squares)
            assert len(mine & corners) <= features[row][f"{name}stable"] <= len(mine)
        assert features[row]["empties"] == len(empty)


@given(LISTS, st.integers(1, 3))
def test_values_do_not_depend_on_the_side_or_the_road(found: list[tuple[int, int]], threads: int) -> None:
    array = rows(found)
    values = batch.evaluate(array, threads=threads)
    assert values.dtype == np.float32 and np.all(np.abs(values) <= 64)
    images = np.ascontiguousarray(batch.symmetries(array).reshape(-1, 2))
    assert np.array_equal(batch.evaluate(images).reshape(-1, 8), np.repeat(values[:, None], 8, axis=1))


def test_random_positions_are_reached_by_games() -> None:
    for empties in (0, 1, 20, 59, 60):
        boards = batch.random_positions(50, empties, seed=3)
        assert set(batch.empties(boards)) == {empties}
        assert np.array_equal(boards, batch.random_positions(50, empties, seed=3, threads=2))
    assert not np.array_equal(batch.random_positions(9, 30, 1), batch.random_positions(9, 30, 2))
    with pytest.raises(ValueError, match="61"):
        batch.random_positions(1, 61, 1)


ONE_ARRAY: list[Callable[..., Any]] = [
    batch.legal, batch.legal_mask, batch.children, batch.is_over, batch.final_scores, batch.empties, batch.features,
    batch.symmetries, batch.canonical, batch.unique, batch.to_planes, batch.to_cells, batch.evaluate,
]  # fmt: skip


@pytest.mark.parametrize("function", ONE_ARRAY)
def test_arrays_are_looked_at_before_they_are_used(function: Callable[..., Any]) -> None:
    good = batch.random_positions(200_000, 30, seed=1, threads=2)
    wrong: Any
    for wrong in ([[1, 2]], np.zeros((3, 2), np.int64), np.zeros((3, 2), np.float64), None):
        with pytest.raises(TypeError):
            function(wrong)
    for wrong in (np.zeros(2, np.uint64), np.zeros((2, 3), np.uint64), np.zeros((1, 2, 2), np.uint64)):
        with pytest.raises(ValueError, match="shape"):
            function(wrong)
    with pytest.raises(ValueError, match="threads"):
        function(good, threads=0)
    for row in (0, 150_000, 199_999):
        bad = good.copy()
        bad[row:, 1] = bad[row:, 0]
        for threads in (1, 2):
            with pytest.raises(SetupError, match=f"row {row}:"):
                function(bad, threads=threads)
    # Other layouts mean the same, and no row is a row too many.
    few = good[:100]
    for same in (np.asfortranarray(few), np.repeat(few, 2, axis=0)[::2], few[::-1][::-1]):
        assert repr(function(same)) == repr(function(few))
    function(np.empty((0, 2), np.uint64))


def test_blocks_and_threads_change_nothing() -> None:
    boards = batch.random_positions(150_000, 25, seed=2, threads=2)
    for function in (batch.legal, batch.final_scores, batch.evaluate):
        whole = function(boards, threads=3)
        assert np.array_equal(whole, np.concatenate([function(boards[:70_001]), function(boards[70_001:])]))
    children = batch.children(boards, threads=2)
    assert np.all(np.diff(children.parent) >= 0) and np.array_equal(children.boards, batch.children(boards).boards)


def test_positions_become_rows_and_come_back() -> None:
    positions = [Position(), Position("f5"), Position("f5d6c3")]
    boards = batch.from_positions(positions)
    assert batch.to_positions(boards)[0] == positions[0]
    assert [(p.player, p.opponent) for p in batch.to_positions(boards)] == [(p.player, p.opponent) for p in positions]
    assert np.array_equal(batch.from_positions(["f5", "f5d6c3"]), boards[1:])
