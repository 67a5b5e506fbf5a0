# Everything runs from a virtual environment in .venv that `make` sets up by itself.
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export HF_HUB_OFFLINE := 1

.DEFAULT_GOAL := help
.PHONY: help demo test soak check fix snap screenshots bench clean

help: ## show what can be made
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sort | awk -F':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit("kbtui needs Python 3.11 or newer, this is " + sys.version.split()[0] + "; set PYTHON=python3.11") if sys.version_info < (3, 11) else None'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --constraint constraints.txt torch
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable . --group dev
	@touch $@

demo: $(STAMP) ## open the sample handbook (without a terminal: answer its sample questions)
	@$(BIN)/kbtui demo

test: check ## lint, types, import contracts, then all tests
	$(BIN)/python -m pytest -n 2 --dist loadgroup

soak: $(STAMP) ## the long tests that `make test` leaves out: every fault, long fuzzing, random keys
	$(BIN)/python -m pytest -m soak -n 2 --dist loadgroup

check: $(STAMP) ## lint, types and import contracts
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

fix: $(STAMP) ## format and mend what can be mended
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

snap: $(STAMP) ## take the screen snapshots anew, to be looked at before they are committed
	$(BIN)/python -m pytest tests/ui -n 2 --dist loadgroup --snapshot-update

screenshots: $(STAMP) ## draw screenshots/*.svg from recorded sessions, through the real program
	$(BIN)/python screenshots/make.py

bench: $(STAMP) ## run the benchmarks that need no data of their own; DATA=folder runs the others too
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --group bench
	$(BIN)/python benchmarks/run_all.py $(DATA)

clean: ## remove what make made
	rm -rf $(VENV) .mypy_cache .ruff_cache .import_linter_cache
