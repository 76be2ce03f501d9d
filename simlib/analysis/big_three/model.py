"""An interpretable model of the chance to win as declarer: a logistic regression on features of the dealt hand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from simlib.analysis.big_three.tables import Array
from simlib.stats._check import check_open_unit
from simlib.stats.clusters import cluster_interval
from simlib.stats.intervals import t_quantile

if TYPE_CHECKING:
    import pandas as pd

    from simlib.analysis.big_three.counterfactuals import Counterfactuals

DEFAULT = ("leads", "threes", "twos", "aces", "pairs", "triples", "quads", "longest", "turns")


def fit(
    data: Counterfactuals, features: Sequence[str] | None = None, *, holdout: float = 0.3, level: float = 0.95
) -> BidModel:
    """Fit the logit of the declarer's chance to win, with covariances clustered by deal.

    Parameters
    ----------
    data : Counterfactuals
    features : sequence of str, optional
        Columns of ``data.rows``; `DEFAULT` when not given.
    holdout : float
        Share of the deals, the last ones, that are kept apart for the calibration.
    level : float
        Confidence level.

    Returns
    -------
    BidModel

    Raises
    ------
    ValueError
        For an unknown or constant feature, or when one of them says who wins in every deal.
    """
    import statsmodels.api as sm
    from statsmodels.tools.sm_exceptions import PerfectSeparationError

    check_open_unit(holdout, "holdout")
    rows = data.rows
    varied = [f for f in DEFAULT if rows[f].nunique() > 1]
    names = data._check(varied if features is None else features)
    constant = [n for n in names if rows[n].nunique() < 2]
    if constant:
        raise ValueError(f"features: {constant[0]!r} is the same in every deal")
    cut = round((1 - holdout) * data.setting.deals)
    if not 10 * len(names) <= cut < data.setting.deals:
        raise ValueError(f"deals={data.setting.deals}: too few for {len(names)} features and a holdout of {holdout:g}")
    train = rows[rows.deal < cut]
    try:
        found = sm.Logit(train["won"].astype(float), sm.add_constant(train[list(names)].astype(float))).fit(
            disp=0, cov_type="cluster", cov_kwds={"groups": train["deal"].to_numpy()}
        )
    except (np.linalg.LinAlgError, PerfectSeparationError) as error:
        raise ValueError(f"features: {', '.join(names)} cannot be told apart, or decide every deal ({error})") from None
    return BidModel(
        names, np.asarray(found.params), np.asarray(found.cov_params()), cut, level, train, rows[rows.deal >= cut]
    )


@dataclass(frozen=True, eq=False)
class BidModel:
    """A fitted chance to win as declarer.

    Attributes
    ----------
    features : tuple of str
    coefficients : ndarray, shape (1 + features,)
        Of the logit, the constant first.
    covariance : ndarray
        Of the coefficients, cluster-robust by deal.
    deals : int
        Deals it was fitted to.
    level : float
        Confidence level of the intervals.
    train, test : DataFrame
        Rows that it was fitted to, and those kept apart.
    """

    features: tuple[str, ...]
    coefficients: Array = field(repr=False)
    covariance: Array = field(repr=False)
    deals: int
    level: float
    train: pd.DataFrame = field(repr=False)
    test: pd.DataFrame = field(repr=False)

    @property
    def table(self) -> pd.DataFrame:
        """One row a feature: ``coefficient`` of the logit with ``se``, ``lo``, ``hi``; ``odds``: what one more of it
        multiplies the odds by, with its interval; ``effect``: by how much one more of it raises the chance on average.
        """
        import pandas as pd

        se = np.sqrt(np.diag(self.covariance))
        reach = t_quantile(self.level, math.inf) * se
        p = self.chance(self.train)
        b = self.coefficients
        return pd.DataFrame({
            "feature": ("constant", *self.features),
            "coefficient": b, "se": se, "lo": b - reach, "hi": b + reach,
            "odds": np.exp(b), "odds_lo": np.exp(b - reach), "odds_hi": np.exp(b + reach),
            "effect": np.where(np.arange(len(b)) == 0, np.nan, b * float((p * (1 - p)).mean())),
        })  # fmt: skip

    def chance(self, rows: Any) -> Array:
        """Return the chance to win for a table with the features as columns, shape (rows,)."""
        missing = [f for f in self.features if f not in rows]
        if missing:
            raise ValueError(f"rows: have no column {missing[0]!r}; the model needs {', '.join(self.features)}")
        x = np.column_stack([np.asarray(rows[f], float) for f in self.features])
        return 1 / (1 + np.exp(-(self.coefficients[0] + x @ self.coefficients[1:])))  # type: ignore[no-any-return]

    def calibration(self, groups: int = 10) -> pd.DataFrame:
        """Compare predictions with what happened in the deals kept apart, in groups of equally many.

        Returns
        -------
        DataFrame
            ``predicted`` (mean), ``observed`` with ``lo`` and ``hi`` (clustered by deal), ``n``.
        """
        import pandas as pd

        if groups < 1:
            raise ValueError(f"groups={groups!r} must be 1 or more")
        p = self.chance(self.test)
        won, deal = self.test["won"].to_numpy(), self.test["deal"].to_numpy()
        rows = []
        for part in np.array_split(np.argsort(p, kind="stable"), min(groups, len(p))):
            e = cluster_interval(won[part], deal[part], level=self.level)
            rows.append({"predicted": p[part].mean(), "observed": e.mean, "lo": e.lo, "hi": e.hi, "n": len(part)})
        return pd.DataFrame(rows)

    @property
    def log_loss(self) -> float:
        """Mean of −log of the chance given to what happened, in the deals kept apart; a coin has 0.693."""
        p, won = self.chance(self.test), self.test["won"].to_numpy()
        return float(-np.log(np.where(won == 1, p, 1 - p)).mean())

    def plot(self, ax: Any = None, *, groups: int = 10) -> Any:
        """Draw the calibration on the deals kept apart; return the Axes."""
        from simlib.plots.models import calibration

        return calibration(self.calibration(groups), ax, what="chance that the declarer wins")

    def plot_coefficients(self, ax: Any = None) -> Any:
        """Draw what one more of each feature multiplies the odds by; return the Axes."""
        from simlib.plots import style

        t = self.table[1:]
        ax = style.rows_axes(len(t), ax)
        style.dots(ax, t["odds"].tolist(), t["odds_lo"].tolist(), t["odds_hi"].tolist())
        style.label_rows(ax, list(t["feature"]))
        ax.set_xscale("log")
        ax.axvline(1, color=style.GREY, linewidth=1)
        ax.set_xlabel(f"odds to win as declarer, times ({100 * self.level:g} % intervals)")
        style.title(ax, "What one more of each is worth")
        return ax

    def __repr__(self) -> str:
        names = ", ".join(self.features)
        return f"<chance to win as declarer from {names}; {self.deals:,} deals, log loss {self.log_loss:.4f}>"

    def _repr_html_(self) -> str:
        shown: str = self.table.round(4).to_html(index=False)
        return (
            f"<p>Logit of the declarer's chance to win; {self.deals:,} deals, log loss {self.log_loss:.4f}</p>{shown}"
        )
