"""Othello: rules, an engine and fast arrays, on top of the Rust engine Outflank."""

from . import _compiled as _compiled  # First, since it says what is missing.
from . import batch
from ._books import (
    Book,
    BookMove,
    BookPosition,
    Explored,
    ExploredMove,
    Fared,
    Games,
    GamesFilter,
    Listed,
    ListedGame,
)
from ._core import Game, Position, __version__
from ._engine import Analysis, Engine, PositionLike
from ._errors import IllegalMoveError, OutflankError, ParseError, SearchBusyError, SetupError
from ._reading import parse, read
from ._results import Info, Item, Line, Outcome, Parsed, Review, ReviewedMove, Solved, Totals, Value
from ._types import Color, Kind, Move, MoveLike

__all__ = [
    "Analysis",
    "Book",
    "BookMove",
    "BookPosition",
    "Color",
    "Engine",
    "Explored",
    "ExploredMove",
    "Fared",
    "Game",
    "Games",
    "GamesFilter",
    "IllegalMoveError",
    "Info",
    "Item",
    "Kind",
    "Line",
    "Listed",
    "ListedGame",
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
    "__version__",
    "batch",
    "parse",
    "read",
]
