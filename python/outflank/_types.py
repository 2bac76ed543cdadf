"""Colors, moves, and what a value is worth."""

from __future__ import annotations

from enum import Enum, IntEnum
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from typing import Self


class Color(IntEnum):
    """A player; Black moves first."""

    BLACK = 0
    WHITE = 1

    @property
    def opponent(self) -> Color:
        """The other player."""
        return Color(1 - self)


class Move(IntEnum):
    """A square, or a pass.

    >>> Move("d3"), Move.D3 == 19, str(Move.PASS)
    (d3, True, 'pass')
    """

    if TYPE_CHECKING:

        def __new__(cls, value: int | str) -> Self: ...

    # fmt: off
    A1 = 0; B1 = 1; C1 = 2; D1 = 3; E1 = 4; F1 = 5; G1 = 6; H1 = 7
    A2 = 8; B2 = 9; C2 = 10; D2 = 11; E2 = 12; F2 = 13; G2 = 14; H2 = 15
    A3 = 16; B3 = 17; C3 = 18; D3 = 19; E3 = 20; F3 = 21; G3 = 22; H3 = 23
    A4 = 24; B4 = 25; C4 = 26; D4 = 27; E4 = 28; F4 = 29; G4 = 30; H4 = 31
    A5 = 32; B5 = 33; C5 = 34; D5 = 35; E5 = 36; F5 = 37; G5 = 38; H5 = 39
    A6 = 40; B6 = 41; C6 = 42; D6 = 43; E6 = 44; F6 = 45; G6 = 46; H6 = 47
    A7 = 48; B7 = 49; C7 = 50; D7 = 51; E7 = 52; F7 = 53; G7 = 54; H7 = 55
    A8 = 56; B8 = 57; C8 = 58; D8 = 59; E8 = 60; F8 = 61; G8 = 62; H8 = 63
    PASS = 64
    # fmt: on

    @classmethod
    def _missing_(cls, value: object) -> Move | None:
        if isinstance(value, str):
            name = value.strip().upper()
            if name in ("PA", "PS", "--"):
                return cls.PASS
            member = cls.__members__.get(name)
            if member is None:
                raise ValueError(f"{value!r} is no move: a letter a to h and a digit 1 to 8, or pass")
            return member
        return None

    @property
    def is_pass(self) -> bool:
        """Whether no disc is placed."""
        return self is Move.PASS

    @property
    def column(self) -> int:
        """0 for a to 7 for h."""
        if self is Move.PASS:
            raise ValueError("a pass has no column")
        return int(self) % 8

    @property
    def row(self) -> int:
        """0 for the rank 1 to 7 for the rank 8."""
        if self is Move.PASS:
            raise ValueError("a pass has no row")
        return int(self) // 8

    def __str__(self) -> str:
        return self.name.lower()

    def __repr__(self) -> str:
        return self.name.lower()


MoveLike: TypeAlias = Move | int | str
"""A move, its number, or a text such as ``d3`` or ``pass``."""


class Kind(Enum):
    """What a value is worth."""

    EXACT = "exact"
    """Proven: the margin of perfect play."""
    WLD = "wld"
    """Only who wins is proven: the value is -2, 0 or 2."""
    BOUNDS = "bounds"
    """Proven on one side only."""
    ESTIMATE = "estimate"
    """The judgment of a search."""
    BOOK = "book"
    """Out of an opening book."""
    ABORTED = "aborted"
    """The search was stopped before it could say anything."""
    WIN = "win"
    """A forced win in Gomoku."""
    LOSS = "loss"
    """A forced loss in Gomoku."""

    def __str__(self) -> str:
        return self.value
