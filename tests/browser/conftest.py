"""A real browser for `make browser-test`: the system's Chromium, named by SIMLIB_CHROMIUM, driven by playwright."""

from __future__ import annotations

import os
import pathlib
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import sync_playwright


@dataclass
class Look:
    """What a page did when it was opened at some width.

    Attributes
    ----------
    problems : list of str
        Errors and warnings on the console, and errors of scripts.
    requests : list of str
        Everything it fetched besides itself (data: addresses apart).
    overflow : int
        Pixels by which the page is wider than the window.
    broken : list of str
        Pictures that did not load.
    text : str
        What can be read on it.
    """

    problems: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    overflow: int = 0
    broken: list[str] = field(default_factory=list)
    text: str = ""


@pytest.fixture(scope="session")
def browser():
    """Chromium, started once."""
    arguments = ["--no-sandbox", "--disable-background-networking"]
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=os.environ["SIMLIB_CHROMIUM"], headless=True, args=arguments
        )
        yield chromium
        chromium.close()


@pytest.fixture
def look_at(browser):
    """Return a function that opens a file at some width and says what happened."""

    def look(path: pathlib.Path, width: int, screenshot: pathlib.Path | None = None) -> Look:
        seen = Look()
        page = browser.new_page(viewport={"width": width, "height": 900})
        page.on("console", lambda m: seen.problems.append(m.text) if m.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: seen.problems.append(str(error)))
        page.on("request", lambda request: seen.requests.append(request.url))
        page.goto(path.resolve().as_uri(), wait_until="load")
        seen.requests = [url for url in seen.requests[1:] if not url.startswith("data:")]
        seen.overflow = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        seen.broken = page.evaluate(
            "[...document.images].filter(i => !i.complete || !i.naturalWidth).map(i => i.alt || i.src.slice(0, 60))"
        )
        seen.text = page.inner_text("body")
        if screenshot is not None:
            page.screenshot(path=str(screenshot), full_page=True)
        page.close()
        return seen

    return look
