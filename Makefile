# Everything runs in the project's own .venv, which any target sets up when it is missing.
# `make serve` installs what the server needs; the targets for developers install the rest.

# `make PYTHON=python3.13 ...` makes it with that one. Else it is the system's own where that is
# new enough: those that distributions build take a fifth less time for the same than those that
# one has built oneself without telling them to (pyenv).
# There may be a space in its path, so it is quoted wherever the shell reads it.
PYTHONS := $(if $(PYTHON),'$(PYTHON)',/usr/bin/python3 python3)
VENV := .venv
BIN := $(VENV)/bin
UV := $(BIN)/uv pip install --quiet --python $(BIN)/python --constraint constraints.txt
# Workers for the tests: `make test JOBS=0` shows prints and debuggers as they come. Five for
# two processors, as many tests wait for each other's processes more than they compute. Whoever
# runs out of tests takes over some of another's, so tests of one file mostly stay together
# and share what the file sets up. Bytecode is kept, though not among the sources where that
# is not wanted: to compile pytest and all it loads takes every worker seconds, and a server one.
JOBS ?= $(shell echo $$((($$(getconf _NPROCESSORS_ONLN) * 5 + 1) / 2)))
KEPT := $(if $(PYTHONDONTWRITEBYTECODE),PYTHONDONTWRITEBYTECODE= PYTHONPYCACHEPREFIX="$(CURDIR)/$(VENV)/pycache")
# Runs of each kind for `make fuzz`; one of a dialect sends about 25 pieces of input.
RUNS ?= 2000
# Worlds for `make sim`: about two a second and core.
WORLDS ?= 1000
# Minutes for `make strength`: the more games, the smaller the error bars.
MINUTES ?= 10
# Servers that `make crashtest` kills; about a second each.
KILLS ?= 100

.DEFAULT_GOAL := help
.PHONY: help serve test tests setup check lint types imports format page pictures bench baseline strength sim fuzz crashtest golden clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

serve: $(VENV)/.runtime ## set up and run the server on 127.0.0.1:7350
	$(KEPT) $(BIN)/rookery serve

test: $(VENV)/.browsers ## set up, check and run all tests, beside each other
	@$(MAKE) --no-print-directory --jobs 4 tests lint types imports

tests: $(VENV)/.browsers ## run all tests, and nothing else
	$(KEPT) $(BIN)/python -m pytest -n $(JOBS) --dist worksteal

setup: $(VENV)/.dev ## make .venv with everything a developer needs
	@echo "Ready: $(BIN)/rookery --help"

check: $(VENV)/.dev ## lint, types and layers, beside each other
	@$(MAKE) --no-print-directory --jobs 3 lint types imports

lint: $(VENV)/.dev ## ruff: style and format
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: $(VENV)/.dev ## mypy, strict
	$(BIN)/mypy

imports: $(VENV)/.dev ## import-linter: the layers of docs/architecture.md
	$(BIN)/lint-imports --no-logo

format: $(VENV)/.dev ## mend what ruff can mend by itself
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

page: $(VENV)/.runtime ## build the page from web/ into the package; needs Node.js
	$(BIN)/python web/wire.py
	cd web && npm ci --silent && npm run --silent check && npm test --silent && npm run --silent build

pictures: $(VENV)/.dev $(VENV)/.browsers ## take the pictures of the docs anew
	ROOKERY_PICTURES=docs/pictures $(BIN)/python -m pytest -q tests/browser

bench: $(VENV)/.runtime ## measure; the table on the screen, the numbers in bench.json
	$(BIN)/rookery bench --json bench.json

baseline: $(VENV)/.runtime ## measure on a machine with nothing else to do, into bench/baseline.json
	$(BIN)/rookery bench --repeat 5 --json bench/baseline.json

strength: $(VENV)/.runtime ## the levels of every game against each other; MINUTES=60 for smaller errors
	$(BIN)/rookery strength --minutes $(MINUTES) --write docs/strength.md

sim: $(VENV)/.dev ## the server in made-up worlds, WORLDS=10000 for more; then with mistakes in it
	$(BIN)/rookery sim --worlds $(WORLDS)
	$(BIN)/rookery crashtest --kills 10 --cuts 50
	$(BIN)/rookery sim --mutation all

fuzz: $(VENV)/.dev ## hostile bytes, wishes and plans of tours; RUNS=20000 for longer
	$(BIN)/python -m tests.fuzz --runs $(RUNS)
	@$(UV) --editable '.[fuzz]' 2>/dev/null || { echo "No atheris for this Python."; exit 0; }; \
	  for dialect in $$($(BIN)/python -c 'from rookery.dialects import DIALECTS; print(*DIALECTS)'); do \
	    $(BIN)/python -m tests.fuzz.guided $$dialect -runs=$$((10 * $(RUNS))) -verbosity=0 || exit 1; \
	    echo "$$dialect: $$((10 * $(RUNS))) guided inputs, nothing broke"; \
	  done

crashtest: $(VENV)/.runtime ## a real server killed under players of all languages; KILLS=1000 for longer
	$(BIN)/rookery crashtest --kills $(KILLS) --cuts $(KILLS)

golden: $(VENV)/.dev ## write the golden playthroughs anew; review them as a diff
	$(BIN)/python -m tests.playthroughs

clean: ## remove .venv and all caches
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis bench.json

# Debian splits venv off Python; as root we can put it back by ourselves, where no other has it.
# What an interrupted setup has left is not built upon.
$(BIN)/uv:
	@found=; for python in $(PYTHONS); do \
	  "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue; \
	  found="$${found:-$$python}"; \
	  "$$python" -m venv --clear $(VENV) >/dev/null 2>&1 && exit; \
	done; \
	[ "$$found" ] || \
	  { echo "Rookery needs Python 3.11 or later, and found none:" $(PYTHONS)"." \
	      "Say which with make PYTHON=/path/to/python3 ..."; exit 1; }; \
	{ [ "$$(id -u)" = 0 ] && apt-get update -qq && apt-get install -y -qq python3-venv && \
	  "$$found" -m venv --clear $(VENV); } || \
	  { rm -rf $(VENV); \
	    echo "Python's venv module is missing: install it (Debian: apt install python3-venv)."; exit 1; }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt uv

$(VENV)/.runtime: $(BIN)/uv pyproject.toml tools/pyproject.toml constraints.txt
	@$(UV) --editable . --editable ./tools
	@touch $@

# The oracles are compiled, and not for every Python: the tests that compare with them
# are skipped where they cannot be had.
$(VENV)/.dev: $(VENV)/.runtime
	@$(UV) --editable '.[dev]'
	@$(UV) --editable '.[oracles]' 2>/dev/null || echo "No oracles for this Python: their tests are skipped."
	@$(UV) --editable '.[servers]' 2>/dev/null || \
	  echo "No wheel with PostgreSQL for this Python: its tests need Debian's postgresql, or are skipped."
	@touch $@

# The page is tested in a real browser: one without windows where it can be had, since it takes
# a third less work. Where there is none and we may not install it, those tests say so and are
# skipped.
$(VENV)/.browsers: $(VENV)/.dev
	@command -v chromium-headless-shell >/dev/null || \
	  { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -qq && \
	    for package in chromium-headless-shell chromium; do \
	      apt-get install -y -qq --no-install-recommends $$package >/dev/null 2>&1 && break; \
	    done; } || command -v chromium >/dev/null || command -v chromium-browser >/dev/null || \
	  echo "No chromium: the tests in the browser are skipped (Debian: apt install chromium-headless-shell)."
	@touch $@
