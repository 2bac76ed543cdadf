"""Othello: rules, an engine and fast arrays, on top of the Rust engine Outflank."""

from . import batch
from ._core import Game, Position
from ._engine import Analysis, Engine, PositionLike
from ._errors import IllegalMoveError, OutflankError, ParseError, SearchBusyError, SetupError
from ._reading import parse, read
from ._results import Info, Item, Line, Outcome, Parsed, Review, ReviewedMove, Solved, Totals, Value
from ._types import Color, Kind, Move, MoveLike

__all__ = [
    "Analysis",
    "Color",
    "Engine",
    "Game",
    "IllegalMoveError",
    "Info",
    "Item",
    "Kind",
    "Line",
    "Move",
    "MoveLike",
    "Outcome",
    "OutflankError",
    "ParseError",
    "Parsed",
    "Position",
    "PositionLike",
    "Review",
    "ReviewedMove",
    "SearchBusyError",
    "SetupError",
    "Solved",
    "Totals",
    "Value",
    "batch",
    "parse",
    "read",
]
