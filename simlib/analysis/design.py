"""What a comparison plays: each version of the hero in the same seats of the same deals, against the same opponents.

The line-up is the hero in its `copies` seats, then the opponents. Its seatings are the same for every
version; games that come out alike (the baseline in every seat, say) are played once and counted as often as
they occur.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from simlib.engine import Work, check_count, check_seed, rules_for, seating_plan
from simlib.game import Game, Rules
from simlib.games import get
from simlib.policies import Policy, line_up, resolve

Array = np.ndarray[Any, Any]
#: Games of one deal, all versions together, beyond which a plan of seatings is refused.
MAX_GAMES = 10_000


@dataclass(frozen=True, eq=False)
class Version:
    """The baseline or a variant: what is played, and which results count.

    Attributes
    ----------
    name : str
        As it stands in the table.
    policy : Policy
        Who sits in the hero's seats.
    work : Work
        Its games; ``work.seatings`` holds each different one once.
    weights : ndarray of int64, shape (len(work.seatings), players)
        How often the result of each seat of each game counts: the number of seatings in which the hero sits
        there.
    """

    name: str
    policy: Policy
    work: Work
    weights: Array

    @property
    def key(self) -> Any:
        """Equal for versions that play the same games."""
        line = tuple(tuple(self.work.policies[i] for i in order) for order in self.work.seatings)
        return line, self.work.rules.digest


@dataclass(frozen=True, eq=False)
class Design:
    """Everything that decides what a comparison plays, apart from how many deals. Picklable.

    Attributes
    ----------
    versions : tuple of Version
        The baseline first.
    opponents : tuple of Policy
    copies : int
        Seats that the hero holds.
    orders : tuple of tuple of int
        The seatings: for each one the index into [hero …, opponents …] at each seat.
    how : str
        ``"fixed"``, ``"rotations"`` or ``"all"``.
    covariates : bool
        Whether features of the dealt hands are noted.
    """

    versions: tuple[Version, ...]
    opponents: tuple[Policy, ...]
    copies: int
    orders: tuple[tuple[int, ...], ...]
    how: str
    covariates: bool = False

    @property
    def game(self) -> Game:
        """The game."""
        return get(self.versions[0].work.game)

    @property
    def players(self) -> int:
        """Number of players."""
        return self.versions[0].work.players

    @property
    def seed(self) -> int:
        """The seed of the deals."""
        return self.versions[0].work.seed

    @property
    def count(self) -> int:
        """Results of the hero in a deal: seatings × copies. A deal's value is their mean."""
        return len(self.orders) * self.copies

    @property
    def hero_seats(self) -> list[int]:
        """Seats in which the hero sits at some time."""
        return [int(s) for s in np.flatnonzero(self.versions[0].weights.sum(axis=0))]

    def is_same(self, version: int) -> bool:
        """Whether a version plays the same games as the baseline, so that the difference is 0 by construction."""
        return bool(self.versions[version].key == self.versions[0].key)

    def played(self) -> list[int]:
        """For each version the first one that plays the same games."""
        keys = [v.key for v in self.versions]
        return [keys.index(k) for k in keys]


def make_design(
    game: str | Game,
    baseline: Any,
    variants: Any,
    *,
    opponents: Any = None,
    seatings: str = "rotations",
    seed: int | None = None,
    rules: Any = None,
    copies: int = 1,
    covariates: bool = False,
) -> Design:
    """Validate and return what is to be played. See `simlib.compare` for the arguments.

    Raises
    ------
    ValueError, TypeError
        Naming the argument, what was given and what is allowed.
    """
    g = get(game)
    hero = _one_policy(g, "baseline", baseline)
    check_count("copies", copies, 1, g.max_players)
    players, others = _opponents(g, hero, opponents, _players_in(g, rules), copies)
    options = rules_for(g, rules, players)
    line: list[Any] = [_HERO] * copies + others
    orders = seating_plan(line, seatings)
    named = _named_variants(g, hero, variants)
    if len(orders) * (1 + len(named)) > MAX_GAMES:
        made = len(orders) * (1 + len(named))
        raise ValueError(f"seatings={seatings!r} makes {made} games of each deal; at most {MAX_GAMES} are allowed")
    number = check_seed(seed)
    versions = [_version(g, "baseline", hero, options, others, copies, orders, number)]
    for name, spec in named.items():
        policy, own = _interpret(g, name, spec, hero, options)
        versions.append(_version(g, name, policy, own, others, copies, orders, number))
    return Design(tuple(versions), tuple(others), copies, orders, seatings, bool(covariates))


#: Stands for whatever policy the hero's seats hold, in the plan of seatings.
_HERO = "hero"


def _one_policy(game: Game, argument: str, spec: Any) -> Policy:
    """Return the policy that an argument names, or an error that names the argument."""
    found = line_up(game.name, spec) if isinstance(spec, (str, Policy)) else None
    if found is None:
        raise TypeError(f"{argument} must be a policy or its text, not {spec!r}")
    if len(found) != 1:
        raise ValueError(f"{argument}={spec!r} names {len(found)} policies; it must be one")
    return found[0]


def _players_in(game: Game, rules: Any) -> int | None:
    """Number of players that the rules ask for, None when they leave it open."""
    if isinstance(rules, game.rules):
        return int(rules.players) if "players" in rules.model_fields_set else None  # type: ignore[attr-defined]
    given = rules.get("players") if isinstance(rules, dict) else None
    return None if given is None else check_count("players", given, game.min_players, game.max_players)


def _opponents(game: Game, hero: Policy, spec: Any, players: int | None, copies: int) -> tuple[int, list[Policy]]:
    """Return the number of players and the opponents: a list as it is, one policy in as many seats as are left."""
    default = int(game.rules.model_fields["players"].default)
    if spec is None or isinstance(spec, Policy) or (isinstance(spec, str) and len(line_up(game.name, spec)) == 1):
        n = default if players is None else players
        if copies > n:
            raise ValueError(f"copies={copies}: there are only {n} players")
        return n, (line_up(game.name, spec) if spec is not None else [hero]) * (n - copies)
    if not isinstance(spec, (str, list, tuple)):
        raise TypeError(f"opponents must be a policy, its text, or a list of them, not {spec!r}")
    others = line_up(game.name, spec)
    n = copies + len(others)
    if players is not None and players != n:
        raise ValueError(
            f"opponents: {len(others)} are given, and the hero holds {copies} seat(s), "
            f"but the rules say players={players}"
        )
    if not game.min_players <= n <= game.max_players:
        limits = f"{game.min_players} to {game.max_players}"
        raise ValueError(
            f"opponents: {len(others)} are given, which makes {n} players; {game.name} is played by {limits}"
        )
    return n, others


def _named_variants(game: Game, hero: Policy, variants: Any) -> dict[str, Any]:
    """Return the variants by name."""
    if isinstance(variants, (str, Policy)):
        variants = line_up(game.name, variants)
    if isinstance(variants, game.rules):
        variants = [variants]
    if isinstance(variants, Mapping):
        for name in variants:
            if not isinstance(name, str) or not name:
                raise TypeError(f"variants: a name must be a text, not {name!r}")
        named = dict(variants)
    elif isinstance(variants, Sequence):
        specs = [resolve(game.name, v) if isinstance(v, str) else v for v in variants]
        named = {_name_of(game, v): v for v in specs}
        if len(named) < len(specs):
            raise ValueError("variants: two of the list are the same; give a dict of names")
    else:
        raise TypeError(
            f"variants must be a dict of names to policies, parameters or rule options, or a list, not {variants!r}"
        )
    if not named:
        raise ValueError("variants: at least one is needed")
    if "baseline" in named:
        raise ValueError("variants: the name 'baseline' is taken by the baseline itself")
    return named


def _name_of(game: Game, spec: Any) -> str:
    """Name of a variant in a list."""
    if isinstance(spec, Policy):
        return spec.text
    options = spec.changed() if isinstance(spec, game.rules) else spec
    if isinstance(options, Mapping):
        return ", ".join(f"{k}={v}" for k, v in options.items()) or "default rules"
    raise TypeError(f"variants: {spec!r} is no policy, no parameters and no rule options")


def _interpret(game: Game, name: str, spec: Any, hero: Policy, rules: Rules) -> tuple[Policy, Rules]:
    """Return policy and rules of a variant: a policy, parameters of the baseline, or rule options."""
    try:
        if isinstance(spec, (str, Policy)):
            return _one_policy(game, name, spec), rules
        if isinstance(spec, game.rules):
            changed = {k: getattr(spec, k) for k in spec.model_fields_set}
            return hero, _other_rules(game, rules, changed)
        if isinstance(spec, Mapping) and spec:
            return _settings(game, dict(spec), hero, rules)
    except (ValueError, TypeError) as error:
        raise type(error)(f"variant {name!r}: {error}") from None
    raise TypeError(
        f"variant {name!r} must be a policy, its text, parameters of the baseline or rule options, not {spec!r}"
    )


def _settings(game: Game, settings: dict[str, Any], hero: Policy, rules: Rules) -> tuple[Policy, Rules]:
    """Tell parameters of the baseline from rule options."""
    parameters, options = {p.name for p in hero.parameters}, set(game.rules.model_fields)
    keys = set(settings)
    both = sorted(keys & parameters & options)
    if both:
        raise ValueError(
            f"{both[0]!r} is a parameter of {hero.name!r} and a rule option; give a policy, or sl.rules(…)"
        )
    if keys & options and keys & parameters:
        raise ValueError(
            f"mixes parameters of {hero.name!r} ({', '.join(sorted(keys & parameters))}) with rule options"
        )
    if keys & options:
        return hero, _other_rules(game, rules, settings)
    if keys & parameters:
        return hero.with_params(**settings), rules
    from simlib.errors import did_you_mean

    unknown = sorted(keys)[0]
    raise ValueError(
        f"{unknown!r} is neither a parameter of {hero.name!r} nor a rule option"
        f"{did_you_mean(unknown, parameters | options)}; "
        f"parameters: {', '.join(sorted(parameters)) or 'none'}; options: {', '.join(game.rules.model_fields)}"
    )


def _other_rules(game: Game, rules: Rules, changed: dict[str, Any]) -> Rules:
    """The baseline's rules with some options changed."""
    players = getattr(rules, "players")  # noqa: B009  (every game's rules have it)
    if changed.get("players", players) != players:
        raise ValueError(
            f"players={changed['players']}: all versions are played by the same number of players, here {players}"
        )
    given = {name: getattr(rules, name) for name in rules.model_fields_set}
    return game.rules.make(**{**given, **changed})


def _version(
    game: Game,
    name: str,
    policy: Policy,
    rules: Rules,
    others: list[Policy],
    copies: int,
    orders: tuple[tuple[int, ...], ...],
    seed: int,
) -> Version:
    """Return a version: its different games, and how often each seat of each counts."""
    line = [policy] * copies + others
    found: dict[tuple[Policy, ...], int] = {}
    plan: list[tuple[int, ...]] = []
    weights: list[Array] = []
    for order in orders:
        seated = tuple(line[i] for i in order)
        if seated not in found:
            found[seated] = len(plan)
            plan.append(order)
            weights.append(np.zeros(len(line), np.int64))
        weights[found[seated]] += np.array(order) < copies
    return Version(name, policy, Work(game.name, rules, tuple(line), seed, tuple(plan)), np.stack(weights))
