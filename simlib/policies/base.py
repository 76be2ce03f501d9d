"""Policies: functions of a view and a context, with named parameters, compiled on first use and called by address."""

from __future__ import annotations

import functools
import hashlib
import inspect
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, overload

from simlib.errors import did_you_mean
from simlib.game import MAX_PARAMS, MAX_SUBS, Game
from simlib.policies.compiling import Code


@dataclass(frozen=True)
class Parameter:
    """One declared parameter: its name, default (a number, or text for a policy) and a line of explanation."""

    name: str
    default: float | str
    doc: str = ""

    @property
    def is_policy(self) -> bool:
        """Whether the value is another policy."""
        return isinstance(self.default, str)


@dataclass(frozen=True, eq=False)
class Policy:
    """A way of playing one game. Frozen; make variants with `with_params`.

    Attributes
    ----------
    name : str
        The function's name, or ``path.py::name`` for one from a file.
    game : str
        Name of the game.
    function : callable
        ``function(view, ctx) -> action`` compiled for one game at a time, or, when `vector` is true,
        ``function(views, ctx) -> actions`` in plain NumPy for many games at once.
    parameters : tuple of Parameter
        What the decorator declared.
    params : mapping
        Value by name: a float, or a Policy.
    """

    name: str
    game: str
    function: Callable[..., Any]
    parameters: tuple[Parameter, ...] = ()
    params: Mapping[str, Any] = field(default_factory=dict)
    vector: bool = False
    code: Code = field(repr=False, default=None)  # type: ignore[assignment]

    @property
    def kernel(self) -> Any:
        """The compiled function, to be called from other kernels."""
        return self.code.dispatcher

    @property
    def doc(self) -> str:
        """The first line of the function's docstring."""
        return (inspect.getdoc(self.function) or "").split("\n")[0]

    @property
    def numbers(self) -> list[float]:
        """Values of the numeric parameters, in order of declaration: `ctx.params`."""
        return [float(self.params[p.name]) for p in self.parameters if not p.is_policy]

    @property
    def policies(self) -> list[Policy]:
        """Values of the policy parameters, in order of declaration: `ask(ctx, k, …)` calls number k."""
        return [self.params[p.name] for p in self.parameters if p.is_policy]

    @property
    def text(self) -> str:
        """Text form, ``name:key=value,key=value``; defaults are left out."""
        parts = []
        for p in self.parameters:
            value = self.params[p.name]
            if p.is_policy:
                if value.text != p.default:
                    parts.append(f"{p.name}=[{value.text}]")
            elif value != p.default:
                parts.append(f"{p.name}={value:.12g}")
        return self.name + (":" + ",".join(parts) if parts else "")

    @property
    def digest(self) -> str:
        """Twelve hex digits of the policy's code, parameters included; a changed source changes it."""
        sha = hashlib.sha256(self.code.digest.encode())
        for p in self.parameters:
            value = self.params[p.name]
            sha.update(f"{p.name}={value.digest if p.is_policy else repr(float(value))};".encode())
        return sha.hexdigest()[:12]

    def with_params(self, **values: Any) -> Policy:
        """Return the same policy with other parameter values; the compiled code is shared.

        Raises
        ------
        ValueError, TypeError
            For a name that the policy does not have, or a value of the wrong kind.
        """
        names = [p.name for p in self.parameters]
        merged = dict(self.params)
        for name, value in values.items():
            if name not in names:
                known = ", ".join(names) or "none"
                raise ValueError(
                    f"policy {self.name!r} has no parameter {name!r}{did_you_mean(name, names)}; parameters: {known}"
                )
            merged[name] = self._value(self.parameters[names.index(name)], value)
        return Policy(self.name, self.game, self.function, self.parameters, merged, self.vector, self.code)

    def _value(self, parameter: Parameter, value: Any) -> Any:
        """Check one parameter value and bring it to its final form."""
        if parameter.is_policy:
            from simlib.policies import resolve

            return resolve(self.game, value)
        if isinstance(value, str):
            text = value.strip().lower()
            value = {"true": 1.0, "false": 0.0, "yes": 1.0, "no": 0.0}.get(text, value)
        try:
            number = float(value)
        except (TypeError, ValueError):
            raise TypeError(
                f"parameter {parameter.name} of policy {self.name!r} must be a number, not {value!r}"
            ) from None
        if math.isnan(number):
            raise ValueError(f"parameter {parameter.name} of policy {self.name!r} must be a number, not NaN")
        return number

    def walk(self) -> Iterator[Policy]:
        """This policy and every policy among its parameters, depth first."""
        yield self
        for sub in self.policies:
            yield from sub.walk()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Policy) and (self.game, self.text, self.digest) == (
            other.game,
            other.text,
            other.digest,
        )

    def __hash__(self) -> int:
        return hash((self.game, self.text, self.digest))

    def __repr__(self) -> str:
        return f"<policy {self.game}/{self.text}>"

    def __reduce__(self) -> Any:
        values = {p.name: self.params[p.name] for p in self.parameters}
        if self.code.builtin:
            return _by_name, (self.game, self.name, values)
        from simlib.policies.travel import pack

        code = (pack(self.function), self.game, self.vector, self.code.digest, self.code.proven)
        return _by_value, (self.name, self.parameters, values, code)


def _by_name(game: str, name: str, values: dict[str, Any]) -> Policy:
    from simlib.policies import find

    return find(game, name).with_params(**values)


@functools.lru_cache(maxsize=256)
def _revive(payload: bytes, game: str, vector: bool, digest: str, proven: bool) -> tuple[Callable[..., Any], Code]:
    from simlib.policies.travel import unpack

    function = unpack(payload)
    return function, Code(function, game, vector, digest=digest, proven=proven)


def _by_value(name: str, parameters: tuple[Parameter, ...], values: dict[str, Any], packed: tuple[Any, ...]) -> Policy:
    function, code = _revive(*packed)
    return Policy(name, code.game, function, parameters, values, code.vector, code)


def _declare(name: str, declared: Mapping[str, Any]) -> tuple[Parameter, ...]:
    """Turn the decorator's keywords into parameters."""
    out = []
    for key, value in declared.items():
        default, doc = value if isinstance(value, tuple) else (value, "")
        if not isinstance(default, str):
            if isinstance(default, Policy):
                default = default.text
            elif not isinstance(default, (int, float)):
                raise TypeError(
                    f"parameter {key} of policy {name!r}: the default must be a number "
                    f"or a policy's text, not {default!r}"
                )
            else:
                default = float(default)
        out.append(Parameter(key, default, str(doc)))
    if sum(not p.is_policy for p in out) > MAX_PARAMS or sum(p.is_policy for p in out) > MAX_SUBS:
        raise ValueError(
            f"policy {name!r} declares too many parameters: at most {MAX_PARAMS} numbers and {MAX_SUBS} policies"
        )
    return tuple(out)


class _Defaults(Mapping[str, Any]):
    """Default values; the policies among them are looked up when first read: they may stand further down."""

    def __init__(self, game: str, parameters: tuple[Parameter, ...]) -> None:
        self._game = game
        self._parameters = {p.name: p for p in parameters}
        self._found: dict[str, Policy] = {}

    def __getitem__(self, name: str) -> Any:
        parameter = self._parameters[name]
        if not parameter.is_policy:
            return parameter.default
        if name not in self._found:
            from simlib.policies import resolve

            self._found[name] = resolve(self._game, parameter.default)
        return self._found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._parameters)

    def __len__(self) -> int:
        return len(self._parameters)


def make_policy(
    function: Callable[..., Any],
    game: str,
    declared: Mapping[str, Any],
    *,
    name: str | None = None,
    vector: bool = False,
) -> Policy:
    """Make a Policy of a function. `declared` maps parameter names to a default or to ``(default, line of text)``."""
    from simlib.games import get

    name = name or function.__name__
    parameters = _declare(name, declared)
    return Policy(
        name,
        get_name(get, game),
        function,
        parameters,
        _Defaults(game, parameters),
        vector,
        Code(function, game, vector),
    )


def get_name(get: Callable[[str], Game], game: str) -> str:
    """Check the name of a game without importing its kernels."""
    from simlib.games import GAMES

    if not isinstance(game, str):
        raise TypeError(f"@policy takes the name of a game, not {game!r}")
    return game if game in GAMES else get(game).name


@overload
def policy(what: str, *, vector: bool = ..., **params: Any) -> Callable[[Callable[..., Any]], Policy]: ...
@overload
def policy(what: Callable[..., Any], **params: Any) -> Policy: ...
def policy(what: Any, *, vector: bool = False, **params: Any) -> Any:
    """Declare a policy (as a decorator), or fetch one that exists.

    Parameters
    ----------
    what : str
        ``"drei_zu_viel"``: returns a decorator that turns a function into a policy of that game.
        ``"drei_zu_viel/careful"`` (or with parameters, ``"drei_zu_viel/careful:rows=2"``): returns that policy.
    vector : bool
        Decorator only: the function is plain NumPy and decides for many games at once.
    **params
        Decorator: parameters by name, each a default or ``(default, "what it means")``; a default that is text names
        another policy. In order of declaration the numbers are ``ctx.params[0]``, ``ctx.params[1]`` … and policy k is
        called by ``ask(ctx, k, seat, view)``. Fetching: values to set.

    Returns
    -------
    decorator or Policy

    Examples
    --------
    >>> import simlib as sl
    >>> @sl.policy("drei_zu_viel", place=(0, "position in the ascending hand"))
    ... def at(view, ctx):
    ...     return min(int(ctx.params[0]), view.hand_n[view.seat] - 1)
    >>> at.with_params(place=2)
    <policy drei_zu_viel/at:place=2>
    """
    if not isinstance(what, str):
        raise TypeError(f'policy takes a game, as in @policy("drei_zu_viel"), or "game/name", not {what!r}')
    if "/" in what and ".py::" not in what.split("/", 1)[0]:
        from simlib.policies import resolve

        game, _, text = what.partition("/")
        return resolve(game, text).with_params(**params)
    return lambda function: make_policy(function, what, params, vector=vector)
