# Every command sets up what it needs by itself: Python >= 3.11 and make are enough. Quick when already done.

VENV ?= .venv
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
BIN := $(VENV)/bin
PY := $(BIN)/python
PIP := $(PY) -m pip --disable-pip-version-check install --quiet --constraint constraints.txt
WORKERS ?= 2
PYTEST := $(PY) -m pytest -n $(WORKERS) --dist worksteal

# Tests run again with array bounds checked: what plays games through every kernel.
BOUNDS_TESTS := tests/test_core_rng.py tests/test_core_bits.py $(wildcard tests/test_*_reference.py)
# Tests run again without compilation: helpers on numbers and arrays (records need the compiler).
UNCOMPILED_TESTS := tests/test_core_rng.py tests/test_core_bits.py tests/test_core_cards.py
BROWSER_TESTS := tests/browser

DEMO := build/demo
NOTEBOOKS := $(wildcard notebooks/*.ipynb)
EXPERIMENTS := $(basename $(notdir $(wildcard experiments/drei_*.py experiments/big_*.py experiments/thirteen_*.py)))

.PHONY: help demo test warm test-compiled test-bounds test-uncompiled lint style format types bench notebooks experiments \
	wheel browser-test setup clean

help:
	@echo "make demo         simulate 400,000 games (100,000 deals, each in four seatings), write an HTML report"
	@echo "make test         all tests"
	@echo "make lint         ruff and mypy (make format: format; make types: mypy alone)"
	@echo "make bench        games per second"
	@echo "make notebooks    execute the notebooks"
	@echo "make experiments  run the experiments behind results/"
	@echo "make browser-test open a report in a browser"

# --- what newcomers type -------------------------------------------------------------------------

demo: $(VENV)/.ready
	@rm -rf $(DEMO)
	$(BIN)/simlib run drei_zu_viel --policies careful,greedy,filler,random --deals 25000 --seed 7 \
		--seatings rotations --out $(DEMO)
	$(BIN)/simlib report $(DEMO)

test: test-compiled test-bounds test-uncompiled

# --- tests ---------------------------------------------------------------------------------------

# Kernels are compiled once, before tests run in parallel: the workers then find them in the on-disk cache.
warm: $(VENV)/.ready-dev
	$(PY) -m simlib._warm

test-compiled: warm
	$(PYTEST)

test-bounds: $(VENV)/.ready-dev test-compiled
	NUMBA_BOUNDSCHECK=1 $(PYTEST) $(BOUNDS_TESTS)

test-uncompiled: $(VENV)/.ready-dev test-bounds
	NUMBA_DISABLE_JIT=1 $(PYTEST) $(UNCOMPILED_TESTS)

browser-test: $(VENV)/.ready-dev
	SIMLIB_CHROMIUM=$$(.ci/chromium) && export SIMLIB_CHROMIUM && $(PY) -m pytest $(BROWSER_TESTS)

# --- checks --------------------------------------------------------------------------------------

lint: style types

style: $(VENV)/.ready-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(VENV)/.ready-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(VENV)/.ready-dev
	$(BIN)/mypy

# --- longer work ---------------------------------------------------------------------------------

bench: $(VENV)/.ready-dev
	$(BIN)/simlib bench

notebooks: warm
	@test -n "$(NOTEBOOKS)" || echo "notebooks/ holds no notebook"
	@for file in $(NOTEBOOKS); do \
		echo "$$file"; JUPYTER_PREFER_ENV_PATH=1 $(BIN)/jupyter-execute --timeout=900 $(NOTEBOOK_FLAGS) $$file || exit 1; done

experiments: $(VENV)/.ready-dev
	@test -n "$(EXPERIMENTS)" || echo "experiments/ holds no experiment"
	@for name in $(EXPERIMENTS); do echo "$$name"; $(PY) -m experiments.$$name || exit 1; done
	@$(PY) -m experiments.overview

wheel: $(VENV)/.ready-dev
	$(PY) -m build --no-isolation --wheel --outdir $(or $(DIST),dist) .

# --- set-up --------------------------------------------------------------------------------------

setup: $(VENV)/.ready-dev

$(PY):
	@test -n "$(PYTHON)" || { echo "simlib needs Python 3.11 or newer, and found none" >&2; exit 1; }
	@echo "Setting up $(VENV), once; this takes a minute or two"
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "Python's venv module does not work (Debian: apt-get install python3-venv)" >&2; exit 1; }

# The build backend is installed first, so that building the package fetches nothing more.
$(VENV)/.ready: pyproject.toml constraints.txt | $(PY)
	@$(PIP) hatchling
	@$(PIP) --no-build-isolation --editable .
	@touch $@

$(VENV)/.ready-dev: pyproject.toml constraints.txt | $(VENV)/.ready
	@echo "Installing what tests and checks need"
	@$(PIP) --no-build-isolation --editable '.[dev]'
	@touch $@ $(VENV)/.ready

clean:
	rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks
