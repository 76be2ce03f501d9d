"""Fit the model behind the Big Three bidder `value`: the chance to win as declarer, from the hand before the widow.

Every deal is played once for each seat as declarer, all seats playing their cards with one policy. Whether the
declaring party won is regressed on simple features of that seat's dealt hand (`HAND_FEATURES`) by logistic
regression, fitted by iteratively reweighted least squares. Standard errors are cluster-robust by deal. The
coefficients are written to ``simlib/policies/big_three/value_model.py``.

    python experiments/fit_big_three_value.py --deals 20000 --seed 1
"""

from __future__ import annotations

import argparse
import pathlib

import numba
import numpy as np

from simlib.engine import make_work, play_range, ranges, run_ranges
from simlib.games import get
from simlib.games.big_three.play import deal
from simlib.policies.big_three import value_model
from simlib.policies.big_three.bidding import HAND_FEATURES, MODEL_GAMES, hand_feature
from simlib.rng import STREAM, seek


@numba.njit
def features_of_deals(state, rules, scenario, rng, seed, out):
    """Fill `out` (deals, seats, features) with the features of the hands dealt in the games 0 … of a seed."""
    for g in range(out.shape[0]):
        seek(rng, seed, 0, g)
        deal(state, rules, scenario, rng)
        for seat in range(out.shape[1]):
            leads = 1 if state.table.leader == seat else 0
            for i in range(out.shape[2]):
                out[g, seat, i] = hand_feature(state.hand[seat], rules, leads, i)


def dealt_features(options, deals, seed):
    """Return the hand features of each deal and seat, shape (deals, seats, features)."""
    game = get("big_three")
    rules = game.rules.make(**options)
    out = np.zeros((deals, rules.players, len(HAND_FEATURES)))
    state, scenario, rng = np.zeros(1, game.STATE), np.zeros(1, game.SCENARIO), np.zeros(1, STREAM)
    assert game.functions is not None  # compiles `deal` for the engine's types before it is used below
    features_of_deals(state[0], game.encode(rules)[0], scenario[0], rng[0], seed, out)
    return out


def declarer_wins(options, play, deals, seed):
    """Return 0 or 1, shape (deals, seats): did the seat's party win when it declared?"""
    game = get("big_three")
    players = game.rules.make(**options).players
    out = np.zeros((deals, players))
    for seat in range(players):
        scenario = np.zeros(1, game.SCENARIO)
        scenario["declarer"], scenario["bid"] = 1 + seat, 1
        work = make_work("big_three", [play] * players, seed, rules=dict(options), scenario=scenario)
        play_range(work, 0, 1)
        for first, rows in run_ranges(work, ranges(0, deals, 500)):
            out[first : first + len(rows), seat] = rows[:, 0]["declarer_won"]
    return out


def logistic(x, y, steps=30):
    """Return coefficients and cluster-robust standard errors; x is (deals, seats, features), y (deals, seats)."""
    rows, won = x.reshape(-1, x.shape[2]), y.ravel()
    used = rows.std(axis=0) > 0
    used[0] = True
    rows = rows[:, used]
    beta = np.zeros(rows.shape[1])
    for _ in range(steps):
        p = 1 / (1 + np.exp(-rows @ beta))
        hessian = (rows * (p * (1 - p))[:, None]).T @ rows + 1e-6 * np.eye(len(beta))
        beta = beta + np.linalg.solve(hessian, rows.T @ (won - p))
    scores = (rows * (won - p)[:, None]).reshape(*y.shape, -1).sum(axis=1)
    bread = np.linalg.inv(hessian)
    errors = np.sqrt(np.diag(bread @ (scores.T @ scores) @ bread))
    full, full_errors = np.zeros(x.shape[2]), np.zeros(x.shape[2])
    full[used], full_errors[used] = beta, errors
    return full, full_errors


def report(name, x, y, beta, errors):
    """Print coefficients and calibration by tenths of the fitted chance."""
    p = 1 / (1 + np.exp(-x @ beta)).ravel()
    won = y.ravel()
    loss = -np.mean(won * np.log(p) + (1 - won) * np.log(1 - p))
    base = won.mean()
    plain = -(base * np.log(base) + (1 - base) * np.log(1 - base))
    print(f"{name}: declarer wins {base:.4f}, log loss {loss:.4f} (without the hand {plain:.4f})")
    print("  " + ", ".join(f"{f} {b:+.3f}±{1.96 * e:.3f}" for f, b, e in zip(HAND_FEATURES, beta, errors, strict=True)))
    order = np.argsort(p)
    tenths = [f"{p[i].mean():.2f}/{won[i].mean():.2f}" for i in np.array_split(order, 10)]
    print("  fitted / observed by tenths: " + " ".join(tenths))


def write(models, play, deals, seed):
    """Write the coefficients as Python source."""
    lines = [
        '"""The model of `value`: coefficients of the logit of a declarer\'s chance to win, by game and hand feature.',
        "",
        f"Written by experiments/fit_big_three_value.py: {deals} deals of each game, seed {seed}, every seat declares,",
        f'cards played by `{play}`."""',
        "",
        "from __future__ import annotations",
        "",
        "MODELS: dict[str, dict[str, float]] = {",
    ]
    for name, beta in models.items():
        lines.append(f'    "{name}": {{')
        lines += [f'        "{f}": {b:.4f},' for f, b in zip(HAND_FEATURES, beta, strict=True)]
        lines.append("    },")
    lines.append("}")
    pathlib.Path(value_model.__file__).write_text("\n".join(lines) + "\n", encoding="utf-8")


def main():
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--deals", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--play", default="counting")
    a = parser.parse_args()
    models = {}
    for name, options in MODEL_GAMES:
        x = dealt_features(options, a.deals, a.seed)
        y = declarer_wins(options, a.play, a.deals, a.seed)
        beta, errors = logistic(x, y)
        report(name, x, y, beta, errors)
        models[name] = beta
    write(models, a.play, a.deals, a.seed)


if __name__ == "__main__":
    main()
