"""Tables of estimates as figures take them: columns are there, numbers are numbers, intervals hold their means."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from simlib.errors import did_you_mean

if TYPE_CHECKING:
    import pandas as pd


def table(data: Any, names: Sequence[str], *, numbers: Sequence[str] = (), mean: str = "mean") -> pd.DataFrame:
    """Return `data` as a DataFrame that has the columns `names`, those in `numbers` as floats.

    Where the columns ``lo`` and ``hi`` are asked for, they must hold the column `mean`; they may be infinite.

    Raises
    ------
    ValueError, TypeError
        When a column is missing, the table is empty, a number is not finite, or an interval does not hold its mean.
    """
    import pandas as pd

    try:
        found = pd.DataFrame(data).reset_index(drop=True)
    except (ValueError, TypeError):
        raise TypeError(f"data: must be a table with columns {', '.join(names)}, not {type(data).__name__}") from None
    for name in names:
        if name not in found:
            known = [str(c) for c in found.columns]
            raise ValueError(f"data: has no column {name!r}{did_you_mean(name, known)}; columns: {', '.join(known)}")
    if not len(found):
        raise ValueError("data: has no rows")
    for name in numbers:
        try:
            found[name] = found[name].astype(float)
        except (ValueError, TypeError):
            raise TypeError(f"data: column {name!r} must hold numbers") from None
        bad = found[name].isna() if name in ("lo", "hi") else ~np.isfinite(found[name])
        if bad.any():
            raise ValueError(f"data: column {name!r} holds {found[name][bad].iloc[0]} in row {np.argmax(bad)}")
    if "lo" in numbers and "hi" in numbers:
        slack = 1e-9 * (1 + found[mean].abs())
        bad = (found.lo > found[mean] + slack) | (found.hi < found[mean] - slack)
        if bad.any():
            row = found[bad].iloc[0]
            raise ValueError(
                f"data: row {np.argmax(bad)}: {mean} {row[mean]:g} is not within lo {row.lo:g} and hi {row.hi:g}"
            )
    return found


def series(data: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    """Return (name, rows in order of x) of each series; one without a name when there is no column ``series``."""
    if "series" not in data:
        return [("", data.sort_values("x"))]
    names = list(dict.fromkeys(data.series))
    return [(str(name), data[data.series == name].sort_values("x")) for name in names]
