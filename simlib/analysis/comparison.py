"""Comparison: the result of `simlib.compare`, as tables, estimates, figures and a file."""

from __future__ import annotations

import functools
import json
import math
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simlib.analysis.stopping import Stopping
from simlib.analysis.sums import MEASURES, Sums
from simlib.errors import RunDirectoryError, did_you_mean
from simlib.game import Game
from simlib.games import get
from simlib.stats.intervals import Estimate, linear_interval, t_estimate
from simlib.stats.multiple import holm
from simlib.stats.planning import adjusted_moments
from simlib.stats.sequences import BettingSequence

if TYPE_CHECKING:
    import pandas as pd

#: File of a comparison in its directory.
FILE = "comparison.json"
FORMAT = "simlib-comparison/1"


class Comparison:
    """Variants against a baseline, in the same seats of the same deals.

    Every difference is variant minus baseline, for one game and seat of the hero; a positive one is better
    for the variant (scores are better when higher in every game). The unit of every standard error is the
    deal.

    Attributes
    ----------
    manifest : dict
        What was played, from which seed, and where it stopped: enough to play it again (`repeat`).
    sums : Sums
        The sufficient statistics that everything here is computed from.
    """

    def __init__(self, manifest: dict[str, Any], sums: Sums) -> None:
        self.manifest = manifest
        self.sums = sums

    # --- what was played ---

    @property
    def game(self) -> Game:
        """The game that was played."""
        return get(self.manifest["game"])

    @property
    def baseline(self) -> str:
        """Text of the baseline."""
        return str(self.manifest["baseline"]["policy"])

    @property
    def variants(self) -> list[str]:
        """Names of the variants."""
        return [v["name"] for v in self.manifest["variants"]]

    @property
    def deals(self) -> int:
        """Deals that were played in every version."""
        return self.sums.deals

    @property
    def stopping(self) -> Stopping:
        """When the comparison was to end."""
        return Stopping.from_dict(self.manifest["stopping"], len(self.variants))

    @property
    def fields(self) -> list[str]:
        """Fields that are compared: score, win share, then the game's own numbers by seat."""
        return list(dict.fromkeys(f for _, f, _ in self.sums.differences))

    @property
    def seats(self) -> list[int]:
        """Seats in which the hero sat."""
        return sorted({s for _, _, s in self.sums.differences if s >= 0})

    def games(self, variant: str | int) -> int:
        """Games of the paired comparison with a variant: its own and those of the baseline."""
        v = self._number(variant)
        per_deal = self.sums.games[0, "score"].columns + (0 if self._same(v) else self.sums.games[v, "score"].columns)
        return self.deals * per_deal

    def _number(self, variant: str | int) -> int:
        """Number of a variant, from 1."""
        if isinstance(variant, int):
            return variant
        if variant not in self.variants:
            close = did_you_mean(variant, self.variants)
            raise ValueError(f"variant={variant!r} was not compared{close}; variants: {', '.join(self.variants)}")
        return 1 + self.variants.index(variant)

    def _same(self, v: int) -> bool:
        return bool(self.manifest["variants"][v - 1]["same"])

    # --- estimates ---

    def estimate(self, variant: str | int, field: str = "score", seat: int | None = None) -> Estimate:
        """Return the mean difference between a variant and the baseline.

        Where all deals gave the same difference, though the games were others, a standard error of 0 would be no
        certainty: the interval of a win share is that of a betting sequence then, that of a score infinite.

        Parameters
        ----------
        variant : str
            Name of the variant.
        field : str
            ``score``, ``win_share`` or another number that the game has by seat.
        seat : int, optional
            Only the games in which the hero sits there (``score`` and ``win_share`` only).

        Returns
        -------
        Estimate
            By t clustered by deal for a fixed number of deals, adjusted when covariates were asked for; by a
            confidence sequence, valid wherever it stopped, with ``until`` or ``sprt``. Its error is split
            among the variants then.
        """
        v = self._number(variant)
        where = -1 if seat is None else seat
        if (v, field, where) not in self.sums.differences:
            if field not in self.fields:
                raise ValueError(f"field={field!r} must be one of {', '.join(self.fields)}")
            raise ValueError(f"seat={seat!r}: must be one of {self.seats}, with field 'score' or 'win_share'")
        n_games = self.games(v)
        histogram, stopping = self.sums.differences[v, field, where], self.stopping
        if stopping.sequential and not self._same(v):
            sequence = stopping.sequence(self._is_share(field))
            return replace(sequence.interval(histogram), n_games=n_games)
        if field in MEASURES and len(histogram.values) == 1 and not self._same(v):
            return replace(self._unvaried(v, field, where), n_games=n_games)
        if self.sums.variates and field in MEASURES and seat is None and not self._same(v):
            return replace(self._adjusted(v, field), n_games=n_games)
        return linear_interval(histogram.moments(), level=stopping.level, n_games=n_games)

    def _unvaried(self, v: int, field: str, where: int) -> Estimate:
        """What is known when all deals gave the same difference: its standard error of 0 is no certainty."""
        histogram, level = self.sums.differences[v, field, where], self.stopping.level
        if self._is_share(field):
            return BettingSequence(-1.0, 1.0, 1 - level).interval(histogram)
        mean, n = float(histogram.moments().means[0]), self.deals
        return t_estimate(mean, 0.0, n, n, level=level, df=0, method="t by deal, no deal differs from the others")

    def _is_share(self, field: str) -> bool:
        return field == "win_share" or self.game.columns[field].kind in ("share", "flag")

    def _adjusted(self, v: int, field: str) -> Estimate:
        """The difference adjusted by the features that vary and do not follow from each other in this design."""
        import numpy as np

        moments = self.sums.variates[v]
        expected, column = self.manifest["covariates"]["expected"], MEASURES.index(field)
        spread = moments.covariance
        kept: list[int] = []
        for f in range(len(expected)):
            chosen = [2 + k for k in (*kept, f)]
            part = spread[np.ix_(chosen, chosen)]
            scale = np.sqrt(np.diag(part))
            if scale.all() and np.linalg.cond(part / np.outer(scale, scale)) < 1e8:
                kept.append(f)
        if not kept or moments.n <= len(kept) + 2:
            return linear_interval(self.sums.differences[v, field, -1].moments(), level=self.stopping.level)
        means = [expected[f] for f in kept]
        return adjusted_moments(moments, means, value=column, features=[2 + f for f in kept], level=self.stopping.level)

    @property
    def estimates(self) -> dict[str, dict[str, Estimate]]:
        """For each variant the difference of every field, as `estimate` gives it."""
        return {name: {field: self.estimate(name, field) for field in self.fields} for name in self.variants}

    def p_values(self, field: str = "score") -> list[float]:
        """Return p of no difference for each variant, adjusted over the variants (Holm).

        With early stopping they are valid at any time.
        """
        single = []
        for v in range(1, 1 + len(self.variants)):
            if self._same(v):
                single.append(1.0)
            elif self.stopping.sequential:
                sequence = self.stopping.sequence(self._is_share(field))
                single.append(sequence.p_value(self.sums.differences[v, field, -1]))
            else:
                e = self.estimate(v, field)
                of_shares = BettingSequence(-1.0, 1.0, 1 - e.level)
                by_t = e.method.startswith("t ")
                single.append(e.p_value() if by_t else of_shares.p_value(self.sums.differences[v, field, -1]))
        return [float(p) for p in holm(single)]

    def factor(self, variant: str | int, field: str = "score") -> float:
        """Return the variance-reduction factor of pairing: how many times more games unpaired play needs.

        Unpaired play has the same number of games in the same seatings, each on a deal of its own. Infinite
        for a variant that never differs.
        """
        v = self._number(variant)
        spread = self.sums.differences[v, field, -1].moments().covariance[0, 0]
        alone = sum(self.sums.games[k, field].covariance.diagonal().sum() for k in (0, v))
        return float(alone / spread) if spread > 0 else math.inf if alone > 0 else math.nan

    def gain(self, variant: str | int, field: str = "score") -> float:
        """Return by what factor the control variates divide the variance; nan without any."""
        v = self._number(variant)
        plain = linear_interval(self.sums.differences[v, field, -1].moments(), level=self.stopping.level)
        adjusted = self.estimate(v, field)
        if not self.sums.variates or not adjusted.se > 0:
            return math.nan
        return (plain.se / adjusted.se) ** 2

    # --- tables ---

    @functools.cached_property
    def table(self) -> pd.DataFrame:
        """One row a variant.

        Columns: ``variant``; for ``score`` and ``win_share`` the mean difference and its ``_se``, ``_lo``,
        ``_hi``, ``_p`` (Holm over the variants) and ``_factor`` (variance reduction by pairing); ``_gain``
        with covariates; ``penalty`` with its interval where the game has it; ``deals``, ``games``,
        ``seconds``; ``verdict`` with early stopping.
        """
        import pandas as pd

        p = {m: self.p_values(m) for m in MEASURES}
        rows = []
        for i, name in enumerate(self.variants):
            row: dict[str, Any] = {"variant": name}
            for m in MEASURES:
                e = self.estimate(name, m)
                row |= {m: e.mean, f"{m}_se": e.se, f"{m}_lo": e.lo, f"{m}_hi": e.hi, f"{m}_p": p[m][i]}
                row[f"{m}_factor"] = self.factor(name, m)
                if self.sums.variates:
                    row[f"{m}_gain"] = self.gain(name, m)
            if "penalty" in self.fields:
                e = -self.estimate(name, "score")  # a score is minus the penalty; the same interval, adjusted too
                row |= {"penalty": e.mean, "penalty_lo": e.lo, "penalty_hi": e.hi}
            row |= {"deals": self.deals, "games": self.games(name), "seconds": self.sums.seconds[i + 1]}
            if self.stopping.sequential:
                row["verdict"] = self.verdict(name)
            rows.append(row)
        return pd.DataFrame(rows)

    def verdict(self, variant: str) -> str:
        """Return in words why the comparison with a variant stopped."""
        v = self._number(variant)
        if self._same(v):
            return "the same games as the baseline"
        found = self.manifest["decisions"].get(variant)
        if found is None:
            return "undecided: the deals ran out" if self.manifest["complete"] else "undecided: interrupted"
        if found["reason"] == "precise":
            return f"precise after {found['deals']:,} deals"
        lo, hi = self.manifest["stopping"]["sprt"][:2]
        accepted = f"at most {lo:g}" if found["reason"] == "h0" else f"at least {hi:g}"
        return f"{accepted} accepted after {found['deals']:,} deals"

    @functools.cached_property
    def by_seat(self) -> pd.DataFrame:
        """One row a variant and seat of the hero: the differences in score and win share with their intervals."""
        return self._frame(
            [(n, s, m, self.estimate(n, m, s)) for n in self.variants for s in self.seats for m in MEASURES], "seat"
        )

    @functools.cached_property
    def details(self) -> pd.DataFrame:
        """One row a variant and field, the game's own numbers too: what else the variant changes."""
        return self._frame(
            [(n, f, "difference", self.estimate(n, f)) for n in self.variants for f in self.fields], "field"
        )

    @staticmethod
    def _frame(found: list[tuple[str, Any, str, Estimate]], key: str) -> pd.DataFrame:
        import pandas as pd

        rows: dict[tuple[str, Any], dict[str, Any]] = {}
        for variant, value, name, e in found:
            row = rows.setdefault((variant, value), {"variant": variant, key: value})
            row |= {name: e.mean, f"{name}_se": e.se, f"{name}_lo": e.lo, f"{name}_hi": e.hi}
        return pd.DataFrame(list(rows.values()))

    @functools.cached_property
    def means(self) -> pd.DataFrame:
        """One row a version, the baseline first: mean score and win share of the hero, with standard errors by deal."""
        import pandas as pd

        rows = []
        texts = [self.baseline, *(v["policy"] for v in self.manifest["variants"])]
        for v, (name, text) in enumerate(zip(["baseline", *self.variants], texts, strict=True)):
            row: dict[str, Any] = {"version": name, "policy": text}
            for m in MEASURES:
                moments = self.sums.games[v, m]
                e = linear_interval(moments, (1,) * moments.columns)
                row |= {m: e.mean, f"{m}_se": e.se}
            rows.append(row)
        return pd.DataFrame(rows)

    # --- showing, keeping, repeating ---

    @property
    def plot(self) -> Any:
        """Figures of this comparison; each takes and returns Axes."""
        from simlib.plots import ComparisonPlots  # type: ignore[attr-defined]

        return ComparisonPlots(self)

    def report(self, path: Any) -> Any:
        """Write a self-contained HTML report and return its path."""
        from simlib.report import write_report

        return write_report(self, path)  # type: ignore[arg-type]

    def repeat(self, **changes: Any) -> Comparison:
        """Compare again from the manifest; arguments of `simlib.compare` may be changed.

        Raises
        ------
        ValueError
            When a policy is not at hand any more by its text, or its code has changed since.
        """
        from simlib.analysis.compare import arguments_of, compare

        return compare(**{**arguments_of(self.manifest), **changes})

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON values: the manifest and the sufficient statistics."""
        return {"format": FORMAT, "manifest": self.manifest, "sums": self.sums.as_dict()}

    def save(self, directory: Any) -> Path:
        """Write the comparison into a directory, whole or not at all; return the file's path."""
        from simlib.rundir import RunDirectory

        place = RunDirectory(directory)
        place.prepare(FILE)
        place.write(FILE, json.dumps(self.as_dict(), ensure_ascii=False).encode())
        return place.path / FILE

    def __repr__(self) -> str:
        unit = self.game.score_unit
        lines = [
            f"<comparison in {self.manifest['game']} with {self.baseline!r}, {self.deals:,} deals: difference in {unit}"
        ]
        for name, p in zip(self.variants, self.p_values(), strict=True):
            e = self.estimate(name)
            line = f"  {name}: {e.mean:+.4g} [{e.lo:.4g}, {e.hi:.4g}], p {p:.2g}"
            lines.append(f"{line}, {self.factor(name):.3g} times fewer games by pairing")
        return "\n".join(lines) + ">"

    def _repr_html_(self) -> str:
        import html

        m = self.manifest
        against = ", ".join(o["policy"] for o in m["opponents"]) or "nobody else"
        head = (
            f"{m['game']}: variants instead of {self.baseline} against {against}; "
            f"{self.deals:,} deals × {len(m['orders'])} seatings, seed {m['seed']}"
        )
        return f"<p>{html.escape(head)}</p>" + self.table.to_html(index=False, float_format="{:.4g}".format)


def load_comparison(directory: Any) -> Comparison:
    """Return a comparison that was written by ``compare(…, out=directory)`` or `Comparison.save`.

    Raises
    ------
    RunDirectoryError
        (a ValueError) when the directory holds none, or its file is damaged.
    """
    path = Path(directory) / FILE
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["format"] != FORMAT:
            raise RunDirectoryError(f"{path}: has format {data['format']!r}; this version reads {FORMAT!r}")
        return Comparison(data["manifest"], Sums.from_dict(data["sums"]))
    except OSError as error:
        raise RunDirectoryError(f"{path}: cannot be read ({error.strerror or error})") from None
    except (ValueError, KeyError, TypeError) as error:
        if isinstance(error, RunDirectoryError):
            raise
        raise RunDirectoryError(f"{path}: is damaged ({type(error).__name__}: {error})") from None
