"""Everything that goes wrong, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._core import Position
    from ._types import Move


class OutflankError(Exception):
    """The base of the errors of this package."""


class ParseError(OutflankError, ValueError):
    """A text that cannot be read: where, and what would be right."""

    def __init__(self, message: str, line: int = 1, column: int = 1, text: str = "", remedy: str = "") -> None:
        super().__init__(message)
        self.line = line
        """Line of the trouble, from 1."""
        self.column = column
        """Column of the trouble, from 1."""
        self.text = text
        """The start of that line."""
        self.remedy = remedy
        """What would be right."""

    def __str__(self) -> str:
        message: str = self.args[0]
        return f"{message} ({self.remedy})" if self.remedy else message

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.args[0], self.line, self.column, self.text, self.remedy)


class SetupError(OutflankError, ValueError):
    """Discs that make no position."""


class IllegalMoveError(OutflankError, ValueError):
    """A move that the rules do not allow."""

    def __init__(
        self, message: str, move: Move, position: Position | None = None, index: int | None = None
    ) -> None:
        super().__init__(message)
        self.move = move
        """The move."""
        self.position = position
        """Where it is not allowed; ``None`` in an array."""
        self.index = index
        """Its place in the game or in the array, from 0."""

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.args[0], self.move, self.position, self.index)


class SearchBusyError(OutflankError, RuntimeError):
    """The engine is searching already."""
