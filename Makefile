# Everything runs from a virtual environment in .venv that `make` sets up by itself.
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# What runs kbtui, and what tests it: two steps, so that the demo waits for neither torch nor the tools.
RUNTIME := $(VENV)/.runtime
DEV := $(VENV)/.dev
TOOLS := .make/tools
SPARK := .make/spark
RAY := $(VENV)/.ray
LOCK := .ci/lock
LOCKED := -m pip install --quiet --no-deps --require-hashes
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export HF_HUB_OFFLINE := 1

.DEFAULT_GOAL := help
.PHONY: help demo test test-all test-cluster soak check fix snap screenshots bench model lock wheel clean

help: ## show what can be made
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sort | awk -F':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

$(RUNTIME): pyproject.toml $(LOCK)/runtime.txt
	@$(PYTHON) -c 'import sys; sys.exit("kbtui needs Python 3.11 or newer, this is " + sys.version.split()[0] + "; set PYTHON=python3.11") if sys.version_info < (3, 11) else None'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python $(LOCKED) --requirement $(LOCK)/runtime.txt
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $@

# torch first and by itself: whichever of its builds is at hand is the one that tests run with.
$(DEV): $(RUNTIME) $(LOCK)/dev.txt constraints.txt
	$(BIN)/python -m pip install --quiet --constraint constraints.txt torch
	$(BIN)/python $(LOCKED) --requirement $(LOCK)/dev.txt
	@touch $@

$(TOOLS): pyproject.toml
	test -x $(TOOLS)/bin/python || $(PYTHON) -m venv $(TOOLS)
	$(TOOLS)/bin/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(TOOLS)/bin/python -m pip install --quiet --group packaging
	@touch $@

demo: $(RUNTIME) ## open the sample handbook (without a terminal: answer its sample questions)
	@$(BIN)/kbtui demo

test: check ## lint, types, import contracts, then all tests
	$(BIN)/python -m pytest -n 2 --dist loadgroup

# A Spark server with its own folder: the client in .venv has the same package name.
$(SPARK)/.done: pyproject.toml | $(DEV)
	$(BIN)/python -m pip install --quiet --no-deps --upgrade --target $(SPARK) 'pyspark>=4.1,<5'
	@touch $@

# The extra `ray` is not part of `all`, and in no lock; what it needs and is locked stays as it is.
$(RAY): pyproject.toml | $(DEV)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt 'ray[data]>=2.60,<3'
	@touch $@

test-all: check $(SPARK)/.done $(RAY) ## make test, and the tests that start a Spark server (Java 17 or newer) and a Ray cluster
	SPARK_HOME=$(CURDIR)/$(SPARK)/pyspark $(BIN)/python -m pytest -m 'not soak' -n 2 --dist loadgroup

test-cluster: $(SPARK)/.done $(RAY) ## the tests that start a Spark server (Java 17 or newer) and a Ray cluster, alone: 5 minutes
	SPARK_HOME=$(CURDIR)/$(SPARK)/pyspark $(BIN)/python -m pytest -m 'cluster and not soak' -n 2 --dist loadgroup

soak: $(DEV) ## the long tests that `make test` leaves out: every fault, long fuzzing, random keys
	$(BIN)/python -m pytest -m soak -n 2 --dist loadgroup

check: $(DEV) ## lint, types and import contracts
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

fix: $(DEV) ## format and mend what can be mended
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

snap: $(DEV) ## take the screen snapshots anew, to be looked at before they are committed
	$(BIN)/python -m pytest tests/ui -n 2 --dist loadgroup --snapshot-update

screenshots: $(DEV) ## draw screenshots/*.svg from recorded sessions, through the real program
	$(BIN)/python screenshots/make.py

bench: $(DEV) ## run the benchmarks that need no data of their own; DATA=folder runs the others too
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --group bench
	$(BIN)/python benchmarks/run_all.py $(DATA)

model: $(DEV) ## make the bundled embedding model from its original weights, and compare the two
	$(BIN)/python benchmarks/make_model.py

lock: $(TOOLS) ## write .ci/lock: the newest versions that pyproject.toml allows, with hashes
	.ci/lock.sh $(TOOLS)/bin/uv

wheel: $(TOOLS) ## build the wheel, install it with pip, uv and pipx for each Python there is, and ask it
	$(TOOLS)/bin/python .ci/check_wheel.py $(TOOLS)/bin

clean: ## remove what make made
	rm -rf $(VENV) .make .mypy_cache .ruff_cache .import_linter_cache
