"""Pictures: that what is drawn is what the reports say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from outflank import Engine, arena, lab

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")


def test_pictures_show_what_reports_say(tmp_path: Path) -> None:
    from matplotlib import pyplot

    from outflank import plot

    with Engine(hash_mb=1) as engine:
        review = engine.review("f5d6c3d3c4f4f6g5e6d7g3", level=1)
    axes: Any = plot.review(review)
    assert list(axes.lines[1].get_ydata()) == list(review.values)
    report = arena.match("level 1", "random", games=6, seed=1)
    both: Any = plot.match([report, report])
    assert list(both.lines[1].get_xdata()) == [*np.clip([report.low, report.high], -1200, 1200)] and len(both.get_yticklabels()) == 2
    margins: Any = plot.margins(report)
    assert sum(patch.get_height() for patch in margins.patches) == report.games
    reports = {method: [lab.search("f5d6c3", method=method, depth=depth) for depth in (1, 2, 3)] for method in ("minimax", "alpha-beta")}
    growth: Any = plot.growth(reports)
    assert [list(line.get_ydata()) for line in growth.lines] == [[found.nodes for found in row] for row in reports.values()]
    given: Any = pyplot.subplots()[1]
    assert plot.match(report, axes=given) is given
    for name, drawn in (("review", axes), ("match", both), ("margins", margins)):
        drawn.figure.savefig(tmp_path / f"{name}.png")
        assert (tmp_path / f"{name}.png").stat().st_size > 1000
    pyplot.close("all")
