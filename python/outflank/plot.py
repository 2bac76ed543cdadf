"""Pictures of games, matches and searches by matplotlib, which comes with ``pip install outflank[plot]``.

Each function draws on ``axes``, or on new ones, and returns them: ``plot.review(review).figure.savefig("game.svg")``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from ._results import Review
from ._types import Color
from .arena import MatchReport
from .lab import Report

if TYPE_CHECKING:
    from matplotlib.axes import Axes
else:
    Axes: TypeAlias = Any


def _axes(axes: Axes | None, size: tuple[float, float] = (7.0, 3.5)) -> Axes:
    if axes is not None:
        return axes
    from matplotlib import pyplot

    made: Axes = pyplot.subplots(figsize=size, layout="constrained")[1]
    return made


_MARKS = {"?!": ("o", "#d9a400"), "?": ("s", "#e06c00"), "??": ("D", "#c00000")}


def review(of: Review, *, axes: Axes | None = None) -> Axes:
    """The value of a game for Black before each move, and the moves that lost something."""
    axes = _axes(axes)
    plies = np.arange(len(of.values))
    values = np.array(of.values)
    axes.axhline(0, color="0.6", linewidth=0.8)
    axes.fill_between(plies, values, 0, where=values >= 0, color="0.25", alpha=0.25, interpolate=True, linewidth=0)
    axes.fill_between(plies, values, 0, where=values <= 0, color="0.75", alpha=0.35, interpolate=True, linewidth=0)
    axes.plot(plies, values, color="0.15", linewidth=1.4)
    for mark, (sign, color) in _MARKS.items():
        marked = [(number, move) for number, move in enumerate(of.moves) if move.mark == mark]
        if not marked:
            continue
        axes.plot(
            [number + 1 for number, _ in marked], [values[number + 1] for number, _ in marked], sign, color=color, label=mark
        )
        for number, move in marked:
            up = move.color is Color.WHITE
            axes.annotate(
                str(move.move), (number + 1, values[number + 1]), xytext=(0, 6 if up else -6), fontsize=8, color=color,
                textcoords="offset points", ha="center", va="bottom" if up else "top",
            )  # fmt: skip
    axes.set(xlabel="moves played", ylabel="value for Black, discs", xlim=(0, max(len(values) - 1, 1)))
    axes.margins(y=0.15)
    if axes.get_legend_handles_labels()[0]:
        axes.legend(loc="best", frameon=False)
    return axes


MOST_ELO = 1200
"""Greatest difference that is shown."""


def match(of: MatchReport | Sequence[MatchReport], *, axes: Axes | None = None) -> Axes:
    """Elo differences of the first players to the second ones, with their intervals."""
    reports = [of] if isinstance(of, MatchReport) else list(of)
    axes = _axes(axes, (7.0, 1.2 + 0.45 * len(reports)))
    rows = np.arange(len(reports))[::-1]
    axes.axvline(0, color="0.6", linewidth=0.8)
    for row, report in zip(rows, reports, strict=True):
        # Who wins or loses all games has no finite difference.
        low, elo, high = np.clip([report.low, report.elo, report.high], -MOST_ELO, MOST_ELO)
        axes.plot([low, high], [row, row], color="tab:blue", linewidth=2)
        axes.plot(elo, row, "o", color="tab:blue")
        axes.annotate(
            f"{report.elo:+.0f}  (+{report.wins} ={report.draws} −{report.losses})", (elo, row), xytext=(0, 5),
            textcoords="offset points", ha="center", va="bottom", fontsize=8,
        )  # fmt: skip
    axes.set_yticks(rows, [f"{report.players[0]}\nagainst {report.players[1]}" for report in reports], fontsize=8)
    axes.margins(x=0.12)
    axes.set(xlabel="Elo difference", ylim=(-0.6, len(reports) - 0.2))
    return axes


def margins(of: MatchReport, *, axes: Axes | None = None) -> Axes:
    """How often the games of a match ended with which margin for the first player."""
    axes = _axes(axes)
    found = [played.margin for played in of.played]
    axes.hist(found, bins=[*range(-66, 67, 4)], color="tab:blue", alpha=0.7)
    axes.axvline(0, color="0.3", linewidth=0.8)
    axes.axvline(of.mean_margin, color="tab:orange", label=f"mean {of.mean_margin:+.1f}")
    axes.set(xlabel=f"margin of {of.players[0]}, discs", ylabel="games")
    axes.legend(frameon=False)
    return axes


def growth(of: Mapping[str, Sequence[Report]], *, axes: Axes | None = None) -> Axes:
    """How the nodes of searches grow with their depth, for each method by name."""
    axes = _axes(axes)
    for name, reports in of.items():
        axes.plot([report.depth for report in reports], [report.nodes for report in reports], "o-", label=name)
    axes.set(xlabel="depth", ylabel="nodes", yscale="log")
    axes.set_xticks(sorted({report.depth for reports in of.values() for report in reports}))
    axes.legend(frameon=False)
    return axes
