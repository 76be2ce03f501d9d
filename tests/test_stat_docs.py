"""The examples in the documentation of the statistics are true."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import simlib.stats

MODULES = [f"simlib.stats.{module.name}" for module in pkgutil.iter_modules(simlib.stats.__path__)]
WITH_EXAMPLES = {"distributions", "elo", "intervals", "sequential"}


@pytest.mark.parametrize("name", sorted(WITH_EXAMPLES))
def test_examples(name: str) -> None:
    result = doctest.testmod(importlib.import_module(f"simlib.stats.{name}"))
    assert result.attempted > 0
    assert result.failed == 0


@pytest.mark.parametrize("name", MODULES)
def test_every_public_name_is_documented(name: str) -> None:
    module = importlib.import_module(name)
    own = [v for k, v in vars(module).items() if not k.startswith("_") and getattr(v, "__module__", "") == name]
    assert module.__doc__
    assert [v.__name__ for v in own if callable(v) and not v.__doc__] == []
