"""Texts and files in any notation."""

from __future__ import annotations

from collections.abc import Iterator
from os import PathLike, fspath

from . import _core
from ._errors import ParseError
from ._results import Item, Parsed


def parse(text: str | bytes, *, strict: bool = False) -> Parsed:
    """Read everything in a text: boards, moves, OBF, GGF, SGF, PGN, FEN, JSON, WTHOR.

    What cannot be read is in ``bad``, what was doubtful in ``warnings``; with ``strict`` both are raised.

    >>> found = parse("f5d6c3\\nf5a1")
    >>> found.games[0].to_text(), found.bad[0].line, found.bad[0].column
    ('f5d6c3', 2, 3)
    """
    items, bad = _core.parse(text)
    parsed = Parsed(tuple(Item._of(item) for item in items), tuple(bad))
    if strict:
        if parsed.bad:
            raise parsed.bad[0]
        for item in parsed.items:
            for warning in item.warnings:
                raise ParseError(f"line {item.line}: {warning}", item.line, 1, "", "leave strict out to accept it")
        if not parsed.items:
            raise ParseError("there is no position or game in the text")
    return parsed


def read(path: str | PathLike[str], *, errors: str = "raise") -> Iterator[Item]:
    """Read a file of any size, item by item; with ``errors="skip"`` what cannot be read is left out."""
    if errors not in ("raise", "skip"):
        raise ValueError(f"errors is 'raise' or 'skip', not {errors!r}")
    for found in _core.read(fspath(path)):
        if isinstance(found, ParseError):
            if errors == "raise":
                raise found
        else:
            yield Item._of(found)
