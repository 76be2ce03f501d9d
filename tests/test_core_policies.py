"""Policies as objects: declaration, parameters, pickling, errors in words."""

from __future__ import annotations

import concurrent.futures
import multiprocessing
import os
import pickle
import subprocess
import sys
import textwrap

import cloudpickle
import numpy as np
import pytest
from hypothesis import strategies as st

from simlib.engine import make_work, play_range
from simlib.errors import PolicyError
from simlib.game import MAX_PARAMS, MAX_SUBS
from simlib.policies import Policy, find, policy, resolve

GAME = "drei_zu_viel"
NUMBERS = st.one_of(
    st.floats(allow_nan=False), st.integers(-1000, 1000), st.sampled_from([0.5, -0.25, 1e-9, 12345.678])
)


@policy(GAME, place=(0, "position in the hand"), weight=1.5, fallback=("greedy", "who plays otherwise"))
def sample(view, ctx):
    """Play the card at a place of the hand.

    More text.
    """
    return min(int(ctx.params[0]), int(view.hand_n[view.seat]) - 1)


def play(*line, deals=4):
    """Results of a few deals, as bytes."""
    return play_range(make_work(GAME, list(line), 5), 0, deals).tobytes()


# --- declaration ----------------------------------------------------------------------------------


def test_decorator_declares():
    """Name, game, description, parameters with defaults and texts, in order."""
    assert isinstance(sample, Policy)
    assert (sample.name, sample.game, sample.doc) == ("sample", GAME, "Play the card at a place of the hand.")
    assert [(p.name, p.default, p.doc, p.is_policy) for p in sample.parameters] == [
        ("place", 0.0, "position in the hand", False),
        ("weight", 1.5, "", False),
        ("fallback", "greedy", "who plays otherwise", True),
    ]
    assert sample.numbers == [0.0, 1.5]
    assert sample.policies == [find(GAME, "greedy")]
    assert sample.text == "sample"


def test_parameters_reach_the_function():
    """ctx.params[0] is the first number: place 7 beyond the hand is the highest card."""
    assert play(sample, "random") == play("lowest", "random")
    assert play(sample.with_params(place=7), "random") == play("highest", "random")
    assert play("lowest", "random") != play("highest", "random")


@pytest.mark.parametrize("game", ["drei_zu_vile", "", "chess"])
def test_declared_for_an_unknown_game(game):
    """ValueError that lists the games."""
    with pytest.raises(ValueError, match=r"unknown game .*games: drei_zu_viel"):
        policy(game)(lambda view, ctx: 0)


def test_decorator_without_a_game():
    """@policy alone: TypeError that shows how."""
    with pytest.raises(TypeError, match=r'policy takes a game, as in @policy\("drei_zu_viel"\)'):

        @policy
        def lost(view, ctx):
            return 0


@pytest.mark.parametrize("default", [None, [1], {"a": 1}])
def test_default_of_a_wrong_kind(default):
    """TypeError that names parameter and policy."""
    with pytest.raises(TypeError, match=r"parameter a of policy .* the default must be a number or a policy's text"):
        policy(GAME, a=default)(lambda view, ctx: 0)


def test_a_policy_as_default():
    """A Policy object stands for its text."""
    made = policy(GAME, base=find(GAME, "greedy").with_params(gold=0))(lambda view, ctx: 0)
    assert made.parameters[0].default == "greedy:gold=0"
    assert made.policies == [resolve(GAME, "greedy:gold=0")]


def test_too_many_parameters():
    """The context has room for so many."""
    with pytest.raises(ValueError, match=rf"at most {MAX_PARAMS} numbers and {MAX_SUBS} policies"):
        policy(GAME, **{f"p{i}": 0 for i in range(MAX_PARAMS + 1)})(lambda view, ctx: 0)
    with pytest.raises(ValueError, match="too many parameters"):
        policy(GAME, **{f"p{i}": "greedy" for i in range(MAX_SUBS + 1)})(lambda view, ctx: 0)


# --- values ---------------------------------------------------------------------------------------


def test_variants_share_compiled_code_and_leave_the_original_alone():
    """with_params makes a new object; nothing is compiled again."""
    variant = sample.with_params(place=3)
    assert variant.code is sample.code
    assert (sample.params["place"], variant.params["place"]) == (0.0, 3.0)
    assert variant != sample
    assert variant == sample.with_params(place=3.0)
    assert hash(variant) == hash(sample.with_params(place=3.0))
    assert variant.digest != sample.digest


def test_policies_are_frozen():
    """Attributes cannot be set."""
    with pytest.raises(AttributeError):
        sample.name = "other"


@pytest.mark.parametrize(("value", "number"), [("yes", 1), ("False", 0), (True, 1), (" 2.5 ", 2.5), ("-inf", -np.inf)])
def test_values_understood(value, number):
    """Numbers, their texts, and yes and no."""
    assert sample.with_params(weight=value).params["weight"] == number


def test_unknown_parameter():
    """ValueError with a suggestion and the parameters there are."""
    with pytest.raises(
        ValueError, match=r"'sample' has no parameter 'plaec' \(did you mean 'place'\?\).*place, weight, fallback"
    ):
        sample.with_params(plaec=1)
    with pytest.raises(ValueError, match="'lowest' has no parameter 'x'; parameters: none"):
        find(GAME, "lowest").with_params(x=1)


@pytest.mark.parametrize("value", ["much", None, [1], "1,5"])
def test_value_that_is_no_number(value):
    """TypeError that names parameter, policy and value."""
    with pytest.raises(TypeError, match="parameter weight of policy 'sample' must be a number, not") as error:
        sample.with_params(weight=value)
    assert repr(value) in str(error.value)


def test_nan_is_no_value():
    """NaN would compare as it likes inside a policy."""
    with pytest.raises(ValueError, match="must be a number, not NaN"):
        sample.with_params(weight=float("nan"))


@pytest.mark.parametrize(
    ("value", "problem"), [("greeedy", "did you mean 'greedy'"), (3, "given by its text or as a Policy")]
)
def test_wrong_policy_as_value(value, problem):
    """The error is that of any wrong policy."""
    with pytest.raises((ValueError, TypeError), match=problem):
        sample.with_params(fallback=value)


# --- pickling -------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["greedy", "filler:pays=2", "lookahead:samples=4,playout=[filler:pays=1]"])
def test_builtins_travel_by_name(text):
    """The pickle holds no code, and finds the same object's code."""
    made = resolve(GAME, text)
    payload = pickle.dumps(made)
    assert len(payload) < 2000
    again = pickle.loads(payload)
    assert again == made
    assert again.code is made.code


def test_own_policies_travel_by_value():
    """Here and back within one process, parameters and policies as values included."""
    made = sample.with_params(place=2, fallback="filler:pays=1")
    again = pickle.loads(pickle.dumps(made))
    assert (again.text, again.game, again.parameters) == (made.text, GAME, made.parameters)
    assert play(again, "random") == play(made, "random")
    first, second = (pickle.loads(pickle.dumps(sample.with_params(place=i))) for i in (1, 2))
    assert first.code is second.code  # variants that travel apart still share compiled code


def notebook_policy(name="mine", shift=1):
    """A policy as a notebook cell defines it: made by exec, in __main__, with a helper."""
    source = f'''
    def clip(i, n):
        return min(i, n - 1)
    clip = njit(clip)

    @policy("{GAME}", place=(0, "position"))
    def {name}(view, ctx):
        """Play at a place, shifted."""
        return clip(int(ctx.params[0]) + {shift}, int(view.hand_n[view.seat]))
    '''
    from numba import njit

    space = {"policy": policy, "njit": njit, "__name__": "__main__"}
    exec(textwrap.dedent(source), space)
    return space[name]


def test_a_notebooks_policy_reaches_another_process(tmp_path):
    """Pickled here, played in a new interpreter that has no source of it: the same games."""
    made = notebook_policy().with_params(place=2)
    (tmp_path / "policy.pickle").write_bytes(cloudpickle.dumps(made))
    code = f"""
    import hashlib, pickle
    from simlib.engine import make_work, play_range
    made = pickle.load(open("policy.pickle", "rb"))
    print(made.text, hashlib.sha256(play_range(make_work({GAME!r}, [made, "random"], 5), 0, 4).tobytes()).hexdigest())
    """
    import hashlib

    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        env=os.environ,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["mine:place=2", hashlib.sha256(play(made, "random")).hexdigest()]


def test_a_notebooks_policy_on_a_process_pool():
    """Plain pickle is enough for concurrent.futures."""
    work = make_work(GAME, [notebook_policy("pooled"), "greedy"], 5)
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        rows = pool.submit(play_range, work, 0, 3).result(timeout=300)
    assert rows.tobytes() == play_range(work, 0, 3).tobytes()


def test_digests_tell_codes_apart():
    """The same name with another body is another policy."""
    assert notebook_policy(shift=1).digest != notebook_policy(shift=2).digest


# --- what cannot be compiled ----------------------------------------------------------------------


def _fraction(view, ctx):
    return view.hand_n[view.seat] / 2


def _nothing(view, ctx):
    pass


def _sometimes(view, ctx):
    if view.seat == 0:
        return 0
    return None


def _field(view, ctx):
    return view.hands[0]


def _name(view, ctx):
    return undefined_name(view)  # noqa: F821


def _python_function(view, ctx):
    return os.getpid()


def _text(view, ctx):
    return "0"


@pytest.mark.parametrize(
    ("function", "problem"),
    [
        (_fraction, "returns a fraction; an action is a whole number"),
        (_nothing, "does not return an action on every path"),
        (_sometimes, "does not return an action on every path"),
        (_field, "has no field 'hands'"),
        (_name, "'undefined_name'"),
        (_python_function, "getpid"),
        (_text, "an action is a whole number"),
    ],
)
def test_errors_of_compilation_in_words(function, problem):
    """One line that names policy and line of the source."""
    with pytest.raises(PolicyError, match=problem) as error:
        play(policy(GAME)(function), "random")
    text = str(error.value)
    first = function.__code__.co_firstlineno
    assert function.__name__ in text
    assert "\n" not in text
    assert any(f"line {line}" in text for line in range(first, first + 4))


@pytest.mark.parametrize("kind", ["np.int8(1)", "True", "view.seat", "np.uint32(1)"])
def test_any_whole_number_is_an_action(kind):
    """Narrow, unsigned and boolean results are widened."""
    space = {"np": np}
    exec(f"def made(view, ctx):\n    return {kind}", space)
    assert play(policy(GAME)(space["made"]), "random")


def test_users_policies_are_bounds_checked_until_proven():
    """An index beyond the hand is an error, not a wild read."""

    def wild(view, ctx):
        return int(view.hand[int(ctx.params[0])])

    made = policy(GAME, at=(100, "index"))(wild)
    with pytest.raises(PolicyError, match=r"wild.*IndexError"):
        play(made, "random")
    assert not made.code.proven
    assert find(GAME, "greedy").code.proven
