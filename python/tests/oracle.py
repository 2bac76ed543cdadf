"""Othello in plain Python on a dictionary of squares: slow and obvious. It shares nothing with the package.

A board maps ``(column, row)``, from 0, to ``"X"`` (the player to move) or ``"O"``; empty squares are left out.
"""

from __future__ import annotations

Square = tuple[int, int]
Cells = dict[Square, str]

DIRECTIONS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
SQUARES = [(column, row) for row in range(8) for column in range(8)]
START: Cells = {(4, 3): "X", (3, 4): "X", (3, 3): "O", (4, 4): "O"}


def flips(cells: Cells, square: Square) -> set[Square]:
    """The discs of O that X turns over by a disc on ``square``."""
    if square in cells:
        return set()
    turned: set[Square] = set()
    for dx, dy in DIRECTIONS:
        row: list[Square] = []
        x, y = square[0] + dx, square[1] + dy
        while cells.get((x, y)) == "O":
            row.append((x, y))
            x, y = x + dx, y + dy
        if cells.get((x, y)) == "X":
            turned.update(row)
    return turned


def other_side(cells: Cells) -> Cells:
    """The same discs as the other player sees them."""
    return {square: "O" if disc == "X" else "X" for square, disc in cells.items()}


def placements(cells: Cells) -> list[Square]:
    """The squares on which X may place a disc."""
    return [square for square in SQUARES if flips(cells, square)]


def moves(cells: Cells) -> list[Square | None]:
    """What X may do: squares, or ``None`` for a pass, or nothing when the game is over."""
    squares = placements(cells)
    if squares:
        return list(squares)
    return [None] if placements(other_side(cells)) else []


def play(cells: Cells, move: Square | None) -> Cells:
    """The board after a legal move, as the other player sees it."""
    after = dict(cells)
    if move is not None:
        for square in flips(cells, move):
            after[square] = "X"
        after[move] = "X"
    return other_side(after)


def score(cells: Cells) -> int:
    """X's margin if the game ended here: the winner takes the empty squares."""
    mine, theirs = (sum(disc == which for disc in cells.values()) for which in "XO")
    difference = mine - theirs
    empty = 64 - mine - theirs
    return difference + (empty if difference > 0 else -empty if difference < 0 else 0)


def minimax(cells: Cells) -> int:
    """The margin of perfect play for X."""
    choices = moves(cells)
    return max(-minimax(play(cells, move)) for move in choices) if choices else score(cells)


def images(cells: Cells) -> list[Cells]:
    """The board, turned and mirrored in all eight ways, in no particular order."""
    found = []
    for swap in (False, True):
        for mirror_x in (False, True):
            for mirror_y in (False, True):

                def image(square: Square) -> Square:
                    x, y = square[::-1] if swap else square
                    return (7 - x if mirror_x else x, 7 - y if mirror_y else y)

                found.append({image(square): disc for square, disc in cells.items()})
    return found


def words(cells: Cells) -> tuple[int, int]:
    """The two sets of discs as numbers, a1 the lowest bit."""
    bits = {"X": 0, "O": 0}
    for (x, y), disc in cells.items():
        bits[disc] |= 1 << (8 * y + x)
    return bits["X"], bits["O"]


def from_words(player: int, opponent: int) -> Cells:
    """The board of two sets."""
    cells: Cells = {}
    for x, y in SQUARES:
        bit = 1 << (8 * y + x)
        if player & bit:
            cells[x, y] = "X"
        elif opponent & bit:
            cells[x, y] = "O"
    return cells


def number(move: Square | None) -> int:
    """The number of a move: squares from 0, row by row, and 64 for a pass."""
    return 64 if move is None else 8 * move[1] + move[0]
