"""The shape of the code: imports point downwards only, heavy libraries come late, files are small and documented."""

from __future__ import annotations

import ast
import json
import pathlib
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator

import pytest

import simlib

ROOT = pathlib.Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "simlib"
MODULES = sorted(PACKAGE.rglob("*.py"))

#: The layers from the bottom up. A module may import its own layer and those below. Within a layer cycles are
#: caught by Python itself. A name stands for a module, or for a package and all in it.
LAYERS = (
    ("_version", "errors"),
    ("_cache", "_jit"),
    ("_bits", "_words", "_dispatch"),
    ("rng", "cards"),
    ("game",),
    ("games",),
    ("policies",),
    ("_loop", "_scan", "engine", "executors", "batch", "rulebook"),
    ("stats",),
    ("results", "records", "run", "parts", "rundir", "tables", "sufficient", "replay", "checking"),
    ("analysis",),
    ("plots", "report", "bench", "validation"),
    ("drei_zu_viel", "big_three", "three_thirteen"),
    (
        *("cli", "_cli_field", "_cli_output", "_cli_options", "_cli_big_three", "_cli_three_thirteen", "_cli_compare"),
        *("_warm", "__main__"),
    ),
)
HEIGHT = {name: height for height, names in enumerate(LAYERS) for name in names}
HEAVY = {
    *("pandas", "pyarrow", "scipy.stats", "scipy.optimize", "statsmodels", "matplotlib"),
    *("IPython", "dask", "nashpy", "cmaes", "jinja2"),
}
ids = [str(path.relative_to(ROOT)) for path in MODULES]


def layer(module: str) -> int | None:
    """Height of a module given by its dotted name; None for the package itself, which only fetches names late."""
    parts = module.split(".")
    if len(parts) == 1 or parts[1] not in HEIGHT:
        return None
    return HEIGHT[parts[1]]


def name_of(path: pathlib.Path) -> str:
    """Dotted name of a source file."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(path: pathlib.Path) -> set[str]:
    """Every simlib module that a file imports anywhere, in functions and for typing too."""
    return named_in(ast.walk(ast.parse(path.read_text(encoding="utf-8"))), path)


def early_imports(path: pathlib.Path) -> set[str]:
    """Every simlib module that is imported as soon as the file is."""
    return named_in(iter(ast.parse(path.read_text(encoding="utf-8")).body), path)


def named_in(nodes: Iterator[ast.AST], path: pathlib.Path) -> set[str]:
    """Names of simlib modules in the import statements among some nodes."""
    found = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}: relative import in line {node.lineno}"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {name for name in found if name.split(".")[0] == "simlib"}


@pytest.mark.parametrize("path", MODULES, ids=ids)
def test_every_module_has_its_layer(path):
    """A new module of the package is named in LAYERS."""
    name = name_of(path)
    assert name == "simlib" or layer(name) is not None, f"{name} is in no layer of {pathlib.Path(__file__).name}"


#: The few imports upwards, inside functions: what hands an object over to the layer that shows it.
UPWARDS = {
    ("simlib.game", "simlib.games"),  # a Game is unpickled by its name
    ("simlib.results", "simlib.plots"),  # Runs.plot
    ("simlib.results", "simlib.report"),  # Runs.report
    ("simlib.analysis.comparison", "simlib.plots"),  # Comparison.plot
    ("simlib.analysis.comparison", "simlib.report"),  # Comparison.report
    ("simlib.results", "simlib.analysis"),  # Runs.compare and the like
    ("simlib.analysis", "simlib.plots"),  # the plot methods of what an analysis returns
    ("simlib.analysis", "simlib.report"),  # and their report
}


@pytest.mark.parametrize("path", [p for p in MODULES if name_of(p) != "simlib"], ids=name_of)
def test_imports_point_downwards(path):
    """A module imports from its own layer and from those below."""
    name = name_of(path)
    own = layer(name)
    early = early_imports(path)
    for imported in imports(path):
        above = layer(imported)
        late = imported not in early
        if late and any(f"{name}.".startswith(f"{a}.") and imported.startswith(f"{b}.") for a, b in UPWARDS):
            continue
        assert above is not None, f"{name} imports from the package itself: {imported}"
        assert own is None or above <= own, f"{name} (layer {own}) imports {imported} (layer {above})"


@pytest.mark.parametrize("path", [p for p in MODULES if p.parent != PACKAGE], ids=name_of)
def test_games_do_not_know_each_other(path):
    """Rules, policies and analyses of one game import nothing of another game."""
    parts = name_of(path).split(".")
    if len(parts) < 3 or parts[2] not in simlib.GAMES:
        return
    for imported in imports(path):
        others = set(imported.split(".")) & set(simlib.GAMES) - {parts[2]}
        assert not others, f"{name_of(path)} imports {imported}"


def test_games_and_policies_do_no_input_or_output():
    """Rules and decisions are pure: no file is opened, nothing is printed (models shipped as *.json are read)."""
    for path in [p for p in MODULES if "games" in p.parts or "policies" in p.parts]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in ("print", "open", "input"), (
                    f"{path.name}, line {node.lineno}: {node.func.id}"
                )


# --- what is imported when -----------------------------------------------------------------------


def imported_by(code: str) -> set[str]:
    """Modules that a new interpreter has imported after running some code."""
    code += "\nimport json, sys\nprint(json.dumps(list(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_import_simlib_is_light():
    """Not even numba is needed to import the package."""
    assert not imported_by("import simlib") & {*HEAVY, "scipy", "numba", "numpy", "pydantic", "rich", "typer"}


PLAY = """
from simlib.engine import make_work, play_range
from simlib.games import GAMES
play_range(make_work({game!r}, ["random"] * GAMES[{game!r}].min_players, 7), 0, 2)
"""


@pytest.mark.parametrize("game", list(simlib.GAMES))
def test_nothing_heavy_before_the_first_game_is_played(game):
    """Nothing but numpy, numba (with what it draws in) and what rules need is imported until results are looked at."""
    assert not imported_by(PLAY.format(game=game)) & HEAVY


SIMULATE = """
import simlib as sl
sl.simulate("drei_zu_viel", ["lowest", "highest"], deals=3, seed=7, progress=False)
"""


def test_a_run_in_memory_draws_no_pictures():
    """sl.simulate by itself needs neither plots nor statistics' libraries."""
    assert not imported_by(SIMULATE) & HEAVY - {"pandas", "pyarrow"}


HELP = """
import sys
from simlib.cli import main
sys.argv = ["simlib", "--help"]
try:
    main()
except SystemExit:
    pass
"""


def test_help_of_the_command_is_light():
    """simlib --help imports neither numba nor pandas."""
    assert not imported_by(HELP) & {*HEAVY, "scipy", "numba"}


# --- files ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", MODULES, ids=ids)
def test_files_are_small_and_say_what_they_are(path):
    """Less than 400 lines; a docstring for the module, and for every public function, class and method."""
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") < 400, f"{path.name} has {text.count(chr(10))} lines"
    tree = ast.parse(text)
    assert ast.get_docstring(tree), f"{path.name} has no docstring"
    for node in ast.walk(tree):
        if not isinstance(node, (ast.ClassDef, ast.Module)):
            continue
        for part in node.body:
            public = isinstance(part, (ast.FunctionDef, ast.ClassDef)) and not part.name.startswith("_")
            if public and not any(isinstance(d, ast.Name) and d.id == "overload" for d in part.decorator_list):
                assert ast.get_docstring(part), f"{path.name}, line {part.lineno}: {part.name} has no docstring"


def tracked() -> list[pathlib.Path]:
    """Text files under version control (every file, in a copy without git)."""
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    if listing.returncode == 0:
        paths = [ROOT / name for name in listing.stdout.split("\0") if name]
    else:
        paths = [p for p in ROOT.rglob("*") if not any(part.startswith(".") for part in p.relative_to(ROOT).parts)]
    text = {
        ".py",
        ".md",
        ".toml",
        ".txt",
        ".json",
        ".jsonl",
        ".ipynb",
        ".html",
        ".j2",
        ".csv",
        ".svg",
        ".cff",
        ".yml",
        "",
    }
    return [p for p in paths if p.is_file() and p.suffix in text]


def test_no_text_names_a_machine():
    """No paths of anybody's machine, no hosts of package registries."""
    # put together here, so that this file does not match itself
    folders = "|".join(("work" + "/(main|shared)", "home" + "/[a-z]", "Users" + "/[A-Za-z]", "root" + "/"))
    hosts = "|".join((r"py" + r"pi\.org", "python" + r"hosted\.org", "conda" + r"\.anaconda", "npm" + r"js\.(org|com)"))
    forbidden = re.compile(f"(?<![A-Za-z0-9_.])/({folders})|({hosts})")
    for path in tracked():
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            assert not forbidden.search(line), f"{path.relative_to(ROOT)}, line {number}: {line.strip()[:100]}"


def test_constraints_pin_every_dependency():
    """Each dependency and extra has its version in constraints.txt, without any address."""
    pins = {}
    for line in (ROOT / "constraints.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            assert re.fullmatch(r"[A-Za-z0-9._-]+==[0-9][A-Za-z0-9.]*", line), line
            name, version = line.split("==")
            pins[re.sub(r"[-_.]+", "-", name).lower()] = version
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = project["dependencies"] + sum(project["optional-dependencies"].values(), [])
    names = {re.split(r"[\[<>=; ]", text)[0].lower().replace("_", "-") for text in wanted} - {"simlib"}
    assert names <= set(pins), sorted(names - set(pins))
    assert "torch" not in pins


def test_one_version():
    """The package, its metadata and the changelog agree."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project.get("version", simlib.__version__) == simlib.__version__
    assert f"## {simlib.__version__}" in (ROOT / "CHANGELOG.md").read_text()
