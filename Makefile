PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
OLDEST := $(VENV)/oldest
SECONDS ?= 3600
DATA ?= benchmarks/data
INSTALL := -m pip install --quiet --disable-pip-version-check
PIP := $(BIN)/python $(INSTALL)

.DEFAULT_GOAL := help
.PHONY: help demo quick test nightly pages bench fuzz bench-answers bench-shape picture examples notebooks docs tables format clean

help:  ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-14s %s\n", $$1, $$2}' Makefile

demo: $(VENV)/.installed  ## format one recall from examples/, with its report
	$(BIN)/areev-context examples/search-order.json --preset claude --budget 400 --report

quick: $(VENV)/.installed-dev  ## run the quick checks, with 30 examples a law: under a minute
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	AREEV_PROFILE=quick $(BIN)/pytest -n auto -m "not slow"

# The laws and the conformance cases take minutes and import no framework: without one, the rest tells.
SLOW := tests/laws tests/test_conformance.py

test: $(VENV)/.installed-dev $(OLDEST)/.installed  ## run what guards a change, the quick ones first
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest -n auto --cov --cov-report=term --ignore=tests/laws
	$(BIN)/pytest -n auto tests/laws  # these take half as long where no coverage is measured
	$(OLDEST)/bin/pytest -n auto tests/integrations
	$(BIN)/pytest -n auto --without-frameworks -m "not slow" $(SLOW:%=--ignore=%)

nightly: test  ## run what takes hours: a thousand examples a law, SECONDS of new ones, the mutants
	AREEV_PROFILE=nightly $(BIN)/pytest -n auto
	$(BIN)/pytest -n auto --without-frameworks
	$(BIN)/python tests/laws/fuzz.py --seconds $(SECONDS) $(if $(SEED),--seed $(SEED))
	$(BIN)/python benchmarks/mutation.py

pages: $(VENV)/.installed-dev  ## write the pages of exact text anew, and what the documentation prints
	$(BIN)/python tests/write_pages.py
	$(BIN)/python tests/write_blocks.py

bench: $(VENV)/.installed-dev  ## measure microseconds a hit, what the adapters add, and how time grows
	$(BIN)/python benchmarks/speed.py
	$(BIN)/python benchmarks/adapters.py
	$(BIN)/python benchmarks/growth.py

fuzz: $(VENV)/.installed-dev  ## run the laws on ever new examples: make fuzz SECONDS=3600 SEED=7
	$(BIN)/python tests/laws/fuzz.py --seconds $(SECONDS) $(if $(SEED),--seed $(SEED))

bench-answers: $(DATA)/harness.py $(VENV)/.installed-dev  ## what still answers after packing: DATA=the benchmark's folder
	$(PIP) -r $(DATA)/requirements.txt promptbudget contextcram llm-ctxpack
	$(BIN)/python benchmarks/answers.py $(DATA)
	$(BIN)/python benchmarks/packers.py $(DATA)

bench-shape: $(DATA)/harness.py $(VENV)/.installed-dev  ## what is still usable after packing: DATA=the benchmark's folder
	$(PIP) -r $(DATA)/shape/requirements.txt
	$(BIN)/python benchmarks/shape.py $(DATA)

picture: $(VENV)/.installed-dev  ## make docs/page.png and docs/sweep.png, pages of 200 hits as Chromium shows them
	$(BIN)/python tests/picture.py docs/page.png docs/sweep.png

examples: $(VENV)/.installed-dev  ## run the examples and keep what they print
	$(BIN)/python tests/run_examples.py

notebooks: $(VENV)/.installed-dev  ## run the notebooks and keep what they print
	$(BIN)/python tests/run_notebooks.py

docs: $(VENV)/.installed-docs  ## build the documentation into site/, warnings as errors
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

tables: $(VENV)/.installed-dev  ## write the tables of docs/ anew
	$(BIN)/python tests/write_tables.py

format: $(VENV)/.installed-dev  ## let ruff fix and format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:  ## remove the environment and everything the checks leave behind
	rm -rf $(VENV) .coverage* .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache build dist site
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@command -v $(PYTHON) >/dev/null || { \
	  echo "$(PYTHON) not found: install Python 3.11 or newer, or run make PYTHON=/path/to/python"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "Python 3.11 or newer is needed, $(PYTHON) is $$($(PYTHON) --version 2>&1):" \
	    "run make PYTHON=/path/to/a/newer/python"; exit 1; }
	$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }

# A stamp is as old as the last installation; the package itself is installed editable.
$(VENV)/.installed: pyproject.toml | $(BIN)/python
	$(PIP) --editable .
	@touch $@

$(VENV)/.installed-docs: pyproject.toml | $(BIN)/python
	$(PIP) --editable '.[docs]'
	@touch $(VENV)/.installed $@

$(VENV)/.installed-dev: pyproject.toml | $(BIN)/python
	$(PIP) --editable '.[dev]'
	@touch $(VENV)/.installed $(VENV)/.installed-docs $@

$(OLDEST)/.installed: pyproject.toml tests/oldest.txt | $(BIN)/python
	$(BIN)/python -m venv $(OLDEST)
	$(OLDEST)/bin/python $(INSTALL) --requirement tests/oldest.txt --editable '.[haystack,langchain,llamaindex]'
	@touch $@

$(DATA)/harness.py:
	@echo "$(DATA) holds no benchmark: make bench-answers DATA=the/folder/with/harness.py/and/data"; exit 2
