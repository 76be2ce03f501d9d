"""Policies as text: parameters, lists, nesting, files of one's own, the listing."""

from __future__ import annotations

import contextlib
import pickle

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from simlib.engine import make_work, play_range
from simlib.games import GAMES
from simlib.policies import Policy, builtin, find, line_up, policies, policy, resolve, split_policies

GAME = "drei_zu_viel"
NUMBERS = st.one_of(
    st.floats(allow_nan=False), st.integers(-1000, 1000), st.sampled_from([0.5, -0.25, 1e-9, 12345.678])
)


def play(*line, deals=4):
    """Results of a few deals, as bytes."""
    return play_range(make_work(GAME, list(line), 5), 0, deals).tobytes()


# --- text form ------------------------------------------------------------------------------------


@given(NUMBERS, st.lists(st.tuples(NUMBERS, NUMBERS), max_size=2))
def test_text_round_trip(win, nested):
    """Text to policy and back, nested policies included; twelve digits count."""
    made = find(GAME, "lookahead").with_params(win=win)
    for pays, gold in nested:
        inner = find(GAME, "lookahead").with_params(win=pays, playout=find(GAME, "greedy").with_params(gold=gold))
        made = made.with_params(playout=inner.with_params(playout=made))
    again = resolve(GAME, made.text)
    assert again.text == made.text
    assert resolve(GAME, again.text) == again
    assert resolve(GAME, f"{GAME}/{made.text}") == again


@given(
    st.lists(
        st.sampled_from(
            ["greedy", "random", "filler:pays=2,spread=0", "lookahead:samples=8,playout=[filler:pays=1,spread=0]"]
        ),
        min_size=1,
    )
)
def test_lists_round_trip(texts):
    """Lines-up as one text, with commas inside parameters and brackets."""
    assert split_policies(",".join(texts)) == texts
    assert split_policies(" , ".join(texts)) == texts
    assert [p.text for p in line_up(GAME, ",".join(texts))] == [resolve(GAME, t).text for t in texts]


@given(st.text(alphabet="greedy:=,[]/. 1", max_size=30))
def test_no_text_surprises_the_parser(text):
    """Any text is a line-up or a ValueError (TypeError for a value), never something else."""
    assume("::" not in text)
    with contextlib.suppress(ValueError, TypeError):
        assert all(isinstance(p, Policy) for p in line_up(GAME, text))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("greeedy", r"has no policy 'greeedy' \(did you mean 'greedy'\?\); policies: random"),
        ("filler:pays", "'pays' is not of the form key=value"),
        ("filler:pays=", "'pays=' is not of the form key=value"),
        ("filler:=2", "'=2' is not of the form key=value"),
        ("filler:pays=1:spread=0", "more than one ':'"),
        ("lookahead:playout=[greedy", r"'\[' without '\]'"),
        ("lookahead:playout=greedy]", r"'\]' without '\['"),
        ("filler:payz=1", "did you mean 'pays'"),
        ("filler:pays=lots", "must be a number, not 'lots'"),
        ("", "has no policy ''"),
        ("nowhere.py::mine", "there is no file 'nowhere.py'"),
    ],
)
def test_text_that_names_no_policy(text, problem):
    """One line that says what is wrong."""
    with pytest.raises((ValueError, TypeError), match=problem) as error:
        resolve(GAME, text)
    assert "\n" not in str(error.value)


def test_lists_that_are_none():
    """An empty piece, and a parameter with nothing before it."""
    with pytest.raises(ValueError, match="an empty name between commas"):
        split_policies("greedy,,random")
    with pytest.raises(ValueError, match="sets a parameter, but no policy stands before it"):
        split_policies("pays=2,greedy")
    assert split_policies("filler,pays=2,greedy") == ["filler:pays=2", "greedy"]


def test_a_policy_of_another_game():
    """Neither as text nor as object."""
    with pytest.raises(ValueError, match=f"'random' plays {GAME}, not big_three"):
        resolve("big_three", find(GAME, "random"))


def test_a_bare_function_is_no_policy():
    """The hint names the decorator."""
    with pytest.raises(TypeError, match=r"decorate it with @sl\.policy"):
        line_up(GAME, [lambda view, ctx: 0])


def test_fetching():
    """sl.policy("game/name", key=value)."""
    assert policy(f"{GAME}/filler", pays=2) == resolve(GAME, "filler:pays=2")
    assert policy(f"{GAME}/filler:spread=0", pays=2).text == "filler:pays=2,spread=0"


@pytest.mark.parametrize("game", list(GAMES))
def test_every_builtin_is_described(game):
    """Listing: each policy has a line, each parameter a text; its text form names it."""
    table = policies(game)
    assert list(table.columns) == ["policy", "does", "parameters"]
    assert table.policy.is_unique
    assert "random" in set(table.policy)
    for made in builtin(game):
        assert made.doc.endswith("."), made
        assert all(p.doc for p in made.parameters), made
        assert resolve(game, made.text) == made
        assert made.code.builtin


def test_unknown_game_of_a_listing():
    """ValueError with a suggestion."""
    with pytest.raises(ValueError, match="did you mean 'big_three'"):
        policies("bigthree")


# --- a user's file --------------------------------------------------------------------------------

FILE = '''
from simlib.policies import policy

@policy("drei_zu_viel", place=(0, "position"))
def mine(view, ctx):
    """Play at a place."""
    return min(int(ctx.params[0]), int(view.hand_n[view.seat]) - 1)

@policy("big_three")
def other(view, ctx):
    """Another game's."""
    return 0

def bare(view, ctx):
    return 0
'''


@pytest.fixture
def file(tmp_path, monkeypatch):
    """A file with policies, in the current directory."""
    (tmp_path / "my policies.py").write_text(FILE)
    monkeypatch.chdir(tmp_path)
    return "my policies.py"


def test_a_policy_from_a_file(file):
    """path.py::name, with parameters, alone and in a line-up; it plays."""
    made = resolve(GAME, f"{file}::mine:place=7")
    assert made.text == f"{file}::mine:place=7"
    line = line_up(GAME, f"{file}::mine:place=7,random")
    assert play(*line) == play("highest", "random")
    again = pickle.loads(pickle.dumps(made))
    assert again.text == made.text
    assert play(again, "random") == play("highest", "random")


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("mien", "the file has no policy 'mien'; it has: mine, other"),
        ("bare", "the file has no policy 'bare'"),
        ("other", "plays big_three, not drei_zu_viel"),
        ("mine:plaec=1", "did you mean 'place'"),
    ],
)
def test_a_wrong_name_in_a_file(file, name, problem):
    """ValueError that names the file's policies."""
    with pytest.raises(ValueError, match=problem):
        resolve(GAME, f"{file}::{name}")


def test_a_file_that_fails(tmp_path):
    """Its error is repeated in one line."""
    path = tmp_path / "broken.py"
    path.write_text("import nothing_of_that_name\n")
    with pytest.raises(ValueError, match="importing the file failed: ModuleNotFoundError: No module named 'nothing_of"):
        resolve(GAME, f"{path}::mine")
