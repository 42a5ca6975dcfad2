# Two commands do everything on a fresh machine with Python 3.11 or newer:
#   make demo   runs all of audits/ on shipped data, each to its documented verdict
#   make test   passes every check: lint, types, import contracts, tests, doctests
# Two more run the tests that need a server, which they start on this machine and stop:
#   make test-spark      a Spark cluster; as root on Debian it installs Java where it is missing
#   make test-postgres   PostgreSQL; as root on Debian it installs the server where it is missing
# All make their own virtual environment in .venv.

PYTHON ?= python3
BIN := .venv/bin

# Installs the first Debian package of $(2) that there is, or says what to install.
APT := DEBIAN_FRONTEND=noninteractive apt-get --quiet --yes
define debian
	{ echo "$(1) is missing."; \
	  command -v apt-get >/dev/null && test "$$(id -u)" = 0 && $(APT) update && \
	  for package in $(2); do \
	    $(APT) install --no-install-recommends $$package && exit 0; \
	  done; \
	  echo "Install $(1) and try again; on Debian, as root: apt-get install $(firstword $(2))" >&2; \
	  exit 1; }
endef

.PHONY: demo test test-spark test-postgres java postgres fresh bench clean

demo: .venv/run
	$(BIN)/python examples/run_audits.py

test: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/pytest

test-spark: .venv/spark java
	$(BIN)/pytest -m spark

test-postgres: .venv/postgres postgres
	$(BIN)/pytest -m postgres

java:
	@test -x "$${JAVA_HOME:-.}/bin/java" || command -v java >/dev/null || \
	$(call debian,Java 17 or newer,openjdk-17-jre-headless openjdk-21-jre-headless)

postgres:
	@command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || \
	$(call debian,PostgreSQL,postgresql)

# Writes everything that is generated: schemas, metric pages, example data, golden files.
fresh: .venv/dev
	$(BIN)/python schemas/make_schemas.py
	$(BIN)/python docs/make_pages.py
	$(BIN)/python examples/make_data.py
	$(BIN)/pytest --regenerate tests/golden tests/loading

bench: .venv/dev
	$(BIN)/python benchmarks/start.py
	$(BIN)/python benchmarks/scan.py
	$(BIN)/python benchmarks/scale.py
	$(BIN)/python benchmarks/fliptest.py
	$(BIN)/python benchmarks/coverage.py

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

.venv/run: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "biaspipe needs Python 3.11 or newer")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@# An editable install leaves compiling to the first start, which may not be allowed to keep it.
	$(BIN)/python -m compileall -q biaspipe
	touch $@

.venv/dev: .venv/run
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $@

.venv/spark .venv/postgres: .venv/%: .venv/dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,$*]'
	touch $@
