# `make help` lists the targets. The first one to need it builds .venv. LESSON= names a lesson, CLASS= a class's folder.
# An instructor's commands are those of `attention-course`.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
WORKS := $(BIN)/pip --version > /dev/null 2>&1
# An environment that was moved, or whose Python has gone, is not ready.
$(shell test ! -e $(READY) || $(WORKS) || rm $(READY))
TORCH_INDEX ?= https://download.pytorch.org/whl/cpu
CLASS_FOLDER = $(if $(CLASS),--class "$(CLASS)")
# Small arrays: threads that wait for each other cost ten times more than they save.
export OMP_NUM_THREADS ?= 1
# nbgrader would go on with its own settings where ours cannot be read.
export TRAITLETS_APPLICATION_RAISE_CONFIG_FILE_ERROR := 1
export PATH := $(CURDIR)/$(BIN):$(PATH)

.DEFAULT_GOAL := help
.PHONY: help setup demo lab kit build test quick lint bench validity attack docs lock dist clean

help: ## list the targets
	@awk -F ':.*## ' '/^##@/ { print "\n" substr($$0, 5) } /^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# PyPI gives everything but PyTorch, each file by its hash. PyTorch's own index gives only PyTorch, built for the CPU.
$(READY): pyproject.toml requirements.txt
	@$(PYTHON) .ci/check_python.py
	@test ! -e $(VENV) || $(WORKS) || echo "What lies in $(VENV) does not work, so it is made anew."
	@echo "Setting up $(VENV): it downloads about 520 MB, fills 2.1 GB, and takes about two minutes beside the download."
	$(PYTHON) -m venv $$($(WORKS) || echo --clear) $(VENV)
	$(BIN)/pip install --disable-pip-version-check --progress-bar on --no-deps --require-hashes -r requirements.txt
	@echo "PyTorch, built for the CPU, from $(TORCH_INDEX) …"
	@$(BIN)/pip install --disable-pip-version-check --progress-bar on --no-deps -c autograder/constraints.txt --index-url $(TORCH_INDEX) torch \
	  || { echo "That index gives none here, so PyPI's build is taken: several gigabytes."; \
	  $(BIN)/pip install --disable-pip-version-check --progress-bar on -c autograder/constraints.txt torch; }
	$(BIN)/pip install --disable-pip-version-check -q --no-deps --no-build-isolation -e .
	@touch $@

##@ To begin with

setup: $(READY) ## install everything into .venv; the other targets do it by themselves

demo: $(READY) ## release, sample submissions, grades, feedback: the whole chain on bundled input
	$(BIN)/attention-course demo

lab: $(READY) ## open JupyterLab on the lessons
	$(BIN)/jupyter lab --ServerApp.root_dir=course

kit: $(READY) ## dist/student-kit.zip: what students need and nothing else
	$(BIN)/attention-course kit $(CLASS_FOLDER)

##@ To change lessons or the grader

build: $(READY) ## lessons' sources -> instructor notebooks, visible examples, student notebooks in course/
	$(BIN)/attention-course build $(LESSON)
	$(BIN)/attention-course release $(LESSON)

test: $(READY) ## run every test
	$(BIN)/pytest

quick: $(READY) lint ## what a change to code breaks first: style, types, units, one lesson through the chain
	$(BIN)/pytest -n 2 -m "not slow"

lint: $(READY) ## style, types, and that every import is asked for
	$(BIN)/ruff check . && $(BIN)/ruff format --check . solutions/test_*.py solutions/*/test_*.py && $(BIN)/mypy && .ci/check_lessons
	$(BIN)/deptry .
	$(BIN)/mypy --platform win32 --cache-dir .mypy_cache/win32 -p autograder.exercises -p autograder.calls -p autograder.checks -p autograder.views -p autograder.notebook -p autograder.quiz

bench: $(READY) ## what grading costs, against stock nbgrader; writes docs/benchmark.md
	$(BIN)/python -m autograder.tests.bench

validity: $(READY) ## judge the corpus of right and wrong answers; writes docs/validity.md
	$(BIN)/python -m autograder.tests.validity

attack: $(READY) ## grade hostile submissions, and see that they gain, read and harm nothing; writes docs/attacks.md
	$(BIN)/python -m autograder.tests.attacks

docs: $(READY) ## docs/pictures/: what students and instructors see, from the browser tests
	ATTENTION_COURSE_PICTURES=docs/pictures $(BIN)/pytest autograder/tests/browser

lock: $(READY) ## choose versions again and write them down, with hashes for pip, and for conda
	$(BIN)/python .ci/lock.py

dist: $(READY) ## dist/: wheel, kits, site, instructors' notebooks, checksums: all that a release carries
	.ci/dist

clean: ## remove what can be made again, but no grades
	rm -rf build dist .pytest_cache .ruff_cache .mypy_cache *.egg-info
