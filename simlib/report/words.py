"""Numbers as people write them, and a manifest as a table."""

from __future__ import annotations

import math
from typing import Any


def digits_of(half_width: float) -> int:
    """Decimals that show two digits of a half-width, at most six."""
    if not math.isfinite(half_width) or half_width <= 0:
        return 1
    return min(6, max(0, 1 - math.floor(math.log10(half_width))))


def interval_text(mean: float, lo: float, hi: float, unit: str = "") -> str:
    """Return ``mean [lo, hi]``, rounded to two digits of the half-width."""
    d = digits_of((hi - lo) / 2)
    return f"{mean:.{d}f}{unit} [{lo:.{d}f}, {hi:.{d}f}]"


def and_list(words: list[str]) -> str:
    """Return ``a, b and c``."""
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]


def share_text(row: Any) -> str:
    """Return the win rate of a summary row in per cent."""
    return interval_text(100 * row.win_rate, 100 * row.win_lo, 100 * row.win_hi, " %")


def estimate_text(row: Any, field: str) -> str:
    """Return a field of a summary row with its interval."""
    return interval_text(getattr(row, field), getattr(row, f"{field}_lo"), getattr(row, f"{field}_hi"))


def manifest_rows(manifest: dict[str, Any]) -> list[dict[str, str]]:
    """Return a manifest as rows of a table: what was played, by what, from which seed."""
    rows = {
        "game": manifest["game"],
        "deals": f"{manifest['deals']:,} from number {manifest['first_deal']}",
        "seatings": f"{len(manifest['seatings'])}: " + "; ".join(" ".join(map(str, s)) for s in manifest["seatings"][:8]),
        "seed": str(manifest["seed"]),
    }
    for i, policy in enumerate(manifest["policies"]):
        values = ", ".join(f"{k}={v:g}" if isinstance(v, float) else f"{k}=[{v}]" for k, v in policy["parameters"].items())
        rows[f"policy {i}"] = f"{policy['text']} (code {policy['digest']}{'; ' + values if values else ''})"
    rows["rules"] = ", ".join(f"{k}={_plain(v)}" for k, v in manifest["rules"].items())
    environment = ", ".join(f"{k} {v}" for k, v in manifest["environment"].items())
    rows["software"] = f"simlib {manifest['simlib']}, code {manifest['code']}, {environment}"
    return [{"entry": k, "value": v} for k, v in rows.items()]


def _plain(value: Any) -> str:
    return "(" + ", ".join(map(str, value)) + ")" if isinstance(value, list) else str(value)
