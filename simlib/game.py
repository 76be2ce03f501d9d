"""What a game is: the frozen contract that each package under `simlib.games` fills.

A game is arrays. One aligned structured dtype holds one game (`STATE`), nested or beside it what a seat may know
(`VIEW`), the options as numbers (`RULES`), a counterfactual set-up (`SCENARIO`) and what a finished game leaves
for analysis (`RESULT`). The functions are kernels (`simlib._jit.kernel`) over records of these types:

``deal(state, rules, scenario, rng) -> seat``
    Set up a game from the stream `rng` (number 0 of the game) and return the seat to act.
``observe(state, seat, view)``
    Fill `view` with what `seat` may know now. A view record may be used again for the same seat and game.
``legal(view, out) -> n``
    Write the legal actions, ascending, into the integer array `out` and return how many there are.
``is_legal(state, action) -> 0 or 1``
    For the seat to act; never a scan of `legal`; right for any 64-bit integer.
``step(state, action) -> seat``
    Play a legal action. Returns the next seat to act, or `OVER`.
``result(state, out)``
    Fill a `RESULT` record from a finished game.
``redeal(view, rng, state) -> seat``
    Fill `state` with a game that agrees with the view, the cards this seat cannot see drawn uniformly among the
    deals that agree with everything public; chance still to come is drawn from `rng` as well. Returns the seat
    to act (that of the view).

``play_on(state, seat, views, contexts, where)`` (may be left out)
    Play from `seat`'s turn to the end: what `simlib._loop.play_chunk` does, marks in `where` included, with the game's
    own functions compiled in instead of called by address. It only saves time. Only policies that are shipped or that
    passed `simlib.check` are played here: they do not write to their view, so it may be a part of `state`.

Actions are small integers from 0 to ``n_actions - 1`` with a documented meaning.

Every `VIEW` has the fields ``seat`` (who looks) and ``players``; every `RESULT` has ``score`` (higher is better) and
``win_share`` (in units of 1/840), each with one entry a seat. `RULES` has ``digest``, a number that differs between
different options.
"""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError

from simlib.rng import STREAM

#: Returned by `step` when the game has ended.
OVER = -1
#: A win share of 1 as an integer; divisible by every number of winners up to eight.
SHARE = 840

#: Bytes of a line of the processor's cache.
LINE = 64
MAX_PARAMS = 64
MAX_SUBS = 8
#: What a policy gets besides the view: its own random stream `rng`, its parameters, memory kept for the game
#: (zero at its start), scratch space with undefined contents, and the addresses of contexts of policies it may call.
CONTEXT = np.dtype(
    [
        ("rng", STREAM),
        ("fn", np.uint64),
        ("sub", np.uint64, (MAX_SUBS,)),
        ("seat", np.int64),
        ("params", np.float64, (MAX_PARAMS,)),
        ("mem", np.int64, (64,)),
        ("tmp", np.int64, (256,)),
    ],
    align=True,
)
#: Where a loop stands, so that an error can name policy, seat, game and action.
WHERE = np.dtype(
    [("game", np.int64), ("seat", np.int64), ("action", np.int64), ("ply", np.int64), ("failed", np.int64)], align=True
)
#: Addresses of a game's functions, for the loop.
FUNCTIONS = np.dtype(
    [(name, np.uint64) for name in ("deal", "observe", "legal", "is_legal", "step", "result", "redeal", "play_on")],
    align=True,
)


def cache_lines(fields: list[Any]) -> np.dtype[Any]:
    """Return an aligned structured dtype of whole cache lines: a view or state that begins within one costs 5 to 7 %.

    Arrays of it come from `lined_zeros`.
    """
    tight = np.dtype(fields, align=True)
    parts = {name: tight.fields[name] for name in tight.names}  # type: ignore[index, union-attr]
    return np.dtype(
        {
            "names": list(parts),
            "formats": [part[0] for part in parts.values()],
            "offsets": [part[1] for part in parts.values()],
            "itemsize": -(-tight.itemsize // LINE) * LINE,
        },
        align=True,
    )


def lined_zeros(n: int, dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """Return `n` zeroed records that begin at the beginning of a cache line."""
    block = np.zeros(n * dtype.itemsize + LINE, np.uint8)
    start = -block.ctypes.data % LINE
    return block[start : start + n * dtype.itemsize].view(dtype)


class Rules(BaseModel):
    """Options of a game: validated, frozen, named. Each game derives its own."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)
    game: ClassVar[str] = ""
    #: Options that say how chance is drawn and are no rules of the game: a record does not list them.
    technical: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def make(cls, **options: Any) -> Self:
        """Validate options; a mistake is a ValueError that names the option, what was given and what is allowed."""
        unknown = [name for name in options if name not in cls.model_fields]
        if unknown:
            from simlib.errors import did_you_mean

            known = list(cls.model_fields)
            raise ValueError(
                f"{cls.game} has no rule option "
                f"{unknown[0]!r}{did_you_mean(unknown[0], known)}; options: {', '.join(known)}"
            )
        try:
            return cls(**options)
        except ValidationError as error:
            first = error.errors()[0]
            text = str(first["msg"]).removeprefix("Value error, ")
            if not first["loc"]:  # options that do not go together; the text names them
                raise ValueError(f"rules of {cls.game}: {text}") from None
            place = str(first["loc"][0])
            raise ValueError(f"rule option {place}={options.get(place, first.get('input'))!r}: {text}") from None

    def options(self) -> dict[str, Any]:
        """Every option by name, as plain JSON values, defaults included."""
        options: dict[str, Any] = json.loads(self.model_dump_json())
        return options

    def recorded(self) -> dict[str, Any]:
        """The options that a game record lists: all that are rules of the game."""
        return {name: value for name, value in self.options().items() if name not in self.technical}

    def changed(self) -> dict[str, Any]:
        """The options that differ from their defaults."""
        return {k: v for k, v in self.options().items() if v != type(self)().options()[k]}

    @property
    def digest(self) -> int:
        """A 63-bit number that differs between different options."""
        text = json.dumps([self.game, self.options()], sort_keys=True)
        return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little") >> 1 or 1


@dataclass(frozen=True)
class Column:
    """What one field of a game's RESULT means: one line of text, its unit, and how the tables show it.

    Attributes
    ----------
    doc : str
        One line.
    unit : str
        ``"points"``, ``"cards"``, ``""`` for a plain number.
    kind : str
        ``"number"``, ``"flag"`` (0/1), ``"seat"`` (−1: nobody), ``"card"`` (a number of `simlib.cards`, −1: none),
        ``"share"`` (units of 1/840) or ``"code"`` (a number from 0 with a text in `codes`, −1: none).
    per : str
        ``"game"``, ``"seat"``, or the name of the part (``"third"``, ``"round"``) of a field with one row a part and
        one column a seat (``"part"`` only, without seats: shape (parts,)).
    codes : tuple of str
        Text of the codes from 0.
    """

    doc: str
    unit: str = ""
    kind: str = "number"
    per: str = "game"
    codes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Codec:
    """How a game is written to and read from a record (plain Python, not hot). See `simlib.records`.

    Attributes
    ----------
    write : callable
        ``write(rules, state, actions) -> dict``: the game's own part of a record. `rules` is the options object,
        `state` a STATE array of length 1 just after the deal (it may be played on), `actions` every action of the game.
    replay : callable
        ``replay(rules, record) -> iterator of str``: plays a record through the kernels and yields one readable line an
        event. Raises ValueError that names the place (as ``events[12]``) at an illegal move, a missing or wrong field,
        or a result that differs.
    """

    write: Callable[..., dict[str, Any]]
    replay: Callable[..., Iterator[str]]


@dataclass(frozen=True)
class Game:
    """One game: data types, kernels, options, and how its parts are called. See the module's text for the contract."""

    name: str
    title: str
    rules: type[Rules]
    min_players: int
    max_players: int
    STATE: np.dtype[Any]
    VIEW: np.dtype[Any]
    RULES: np.dtype[Any]
    SCENARIO: np.dtype[Any]
    RESULT: np.dtype[Any]
    deal: Any
    observe: Any
    legal: Any
    is_legal: Any
    step: Any
    result: Any
    redeal: Any
    n_actions: int
    encode_rules: Callable[[Any, Any], None]
    describe: Callable[[int, Any], str]
    columns: Mapping[str, Column]
    codec: Codec | None = None
    play_on: Any = None
    score_unit: str = "points"
    parts: str = ""
    part_played: str = ""  # a field by part that is 0 for parts that were not played, if there can be such
    notes: Mapping[str, str] = field(default_factory=dict)

    @functools.cached_property
    def functions(self) -> Any:
        """Record of the compiled functions' addresses (compiled, or loaded from the cache, on first use)."""
        from numba import from_dtype, types

        from simlib._dispatch import address_of

        out = np.zeros(1, FUNCTIONS)
        state, view, rules, scenario, rng = self.STATE, self.VIEW, self.RULES, self.SCENARIO, STREAM
        whole = types.int64
        out["deal"] = address_of(self.deal, whole, (state, rules, scenario, rng))
        out["observe"] = address_of(self.observe, types.none, (state, whole, view))
        out["legal"] = address_of(self.legal, whole, (view, types.Array(whole, 1, "C")))
        out["is_legal"] = address_of(self.is_legal, whole, (state, whole))
        out["step"] = address_of(self.step, whole, (state, whole))
        out["result"] = address_of(self.result, types.none, (state, self.RESULT))
        out["redeal"] = address_of(self.redeal, whole, (view, rng, state))
        if self.play_on is not None:
            many = [types.Array(from_dtype(kind), 1, "C") for kind in (view, CONTEXT)]
            out["play_on"] = address_of(self.play_on, types.none, (state, whole, *many, WHERE))
        return out

    def encode(self, rules: Rules) -> np.ndarray[Any, Any]:
        """Return the options as a RULES array of length 1."""
        out = np.zeros(1, self.RULES)
        self.encode_rules(rules, out[0])
        out["digest"] = rules.digest
        return out

    def __reduce__(self) -> Any:
        from simlib.games import get

        return get, (self.name,)

    def __repr__(self) -> str:
        return f"<game {self.name}: {self.title}, {self.min_players}–{self.max_players} players>"
