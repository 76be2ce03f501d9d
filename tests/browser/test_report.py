"""A run's HTML report in a real browser: self-contained, without errors, fitting a phone and a desk."""

from __future__ import annotations

import pytest

import simlib as sl

LINES = {
    "drei_zu_viel": ["greedy", "filler", "lowest", "random"],
    "big_three": ["greedy", "random", "random"],
    "three_thirteen": ["greedy", "random", "random"],
}


@pytest.fixture(scope="module", params=list(sl.GAMES))
def report(request, tmp_path_factory):
    """The report of a small run of each game."""
    path = tmp_path_factory.mktemp("report") / "report.html"
    sl.simulate(request.param, LINES[request.param], deals=200, seed=7, progress=False).report(path)
    return path


@pytest.mark.parametrize("width", [390, 1280])
def test_report_in_a_browser(report, look_at, width):
    """No message on the console, nothing fetched, no sideways scrolling, every picture shown."""
    seen = look_at(report, width)
    assert seen.problems == []
    assert seen.requests == []
    assert seen.overflow <= 0
    assert seen.broken == []
    assert "greedy" in seen.text
