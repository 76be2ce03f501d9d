"""The checks themselves: a page with every fault is caught, a clean one is not."""

from __future__ import annotations

CLEAN = """<!doctype html><html lang="en"><meta charset="utf-8"><title>t</title><body><p>Fine.</p><img alt="dot"
src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/%3E"></body></html>"""
FAULTY = """<!doctype html><html lang="en"><meta charset="utf-8"><title>t</title><body>
<div style="width: 2000px">wide</div><img alt="lost" src="data:image/png;base64,AAAA">
<link rel="stylesheet" href="missing.css"><script>undefinedFunction()</script></body></html>"""


def test_a_clean_page(tmp_path, look_at):
    """Nothing to complain of; the text can be read."""
    path = tmp_path / "page.html"
    path.write_text(CLEAN, encoding="utf-8")
    seen = look_at(path, 390)
    assert (seen.problems, seen.requests, seen.overflow, seen.broken, seen.text.strip()) == ([], [], 0, [], "Fine.")


def test_every_fault_is_seen(tmp_path, look_at):
    """A failing script, something fetched, a page too wide, a picture that is none."""
    path = tmp_path / "page.html"
    path.write_text(FAULTY, encoding="utf-8")
    seen = look_at(path, 390)
    assert any("undefinedFunction" in text for text in seen.problems)
    assert [url.rsplit("/", 1)[-1] for url in seen.requests] == ["missing.css"]
    assert seen.overflow >= 1500
    assert seen.broken == ["lost"]
