"""Weights that an experiment found, as its summary has them, against those that a policy comes with."""

from __future__ import annotations

import pathlib
import sys
from collections.abc import Mapping

import pandas as pd

#: How the row of a weight begins; the parameter's name follows, its value is the estimate.
_ROW = "weight "


def weight_rows(weights: Mapping[str, float]) -> pd.DataFrame:
    """Return weights as rows of a summary."""
    return pd.DataFrame({"what": f"{_ROW}{name}", "estimate": value} for name, value in weights.items())


def found_weights(directory: pathlib.Path) -> dict[str, float]:
    """Return the weights in the summary of an experiment, by parameter."""
    rows = pd.read_csv(directory / "summary.csv").set_index("what")["estimate"]
    return {what.removeprefix(_ROW): float(value) for what, value in rows.items() if str(what).startswith(_ROW)}


def compare_shipped(directory: pathlib.Path, shipped: Mapping[str, float]) -> int:
    """Say whether the policy comes with the weights found; return the exit code: 0 when it does, else 1."""
    found = found_weights(directory)
    other = [
        f"{name}: found {value}, shipped {shipped[name]}" for name, value in found.items() if value != shipped[name]
    ]
    if not other:
        print(f"equal: the {len(found)} weights found are those that are shipped", file=sys.stderr)
        return 0
    print("\n".join([f"not equal: {len(other)} of {len(found)} weights", *other]), file=sys.stderr)
    return 1
