# Two commands do everything on a fresh machine with Python 3.11 or newer:
#   make demo   runs all of audits/ on shipped data, each to its documented verdict
#   make test   passes every check: lint, types, import contracts, tests, doctests
# Both make their own virtual environment in .venv.

PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test fresh bench clean

demo: .venv/run
	$(BIN)/python examples/run_audits.py

test: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/pytest

# Writes everything that is generated: schemas, metric pages, example data, golden files.
fresh: .venv/dev
	$(BIN)/python schemas/make_schemas.py
	$(BIN)/python docs/make_pages.py
	$(BIN)/python examples/make_data.py
	$(BIN)/pytest --regenerate tests/golden tests/loading

bench: .venv/dev
	$(BIN)/python benchmarks/start.py
	$(BIN)/python benchmarks/scan.py
	$(BIN)/python benchmarks/fliptest.py
	$(BIN)/python benchmarks/coverage.py

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

.venv/run: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "biaspipe needs Python 3.11 or newer")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

.venv/dev: .venv/run
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@
