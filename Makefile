# `make help` lists the verbs. The first one to need it builds .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
# Small arrays: threads that wait for each other cost ten times more than they save.
export OMP_NUM_THREADS ?= 1
# nbgrader would go on with its own settings where ours cannot be read.
export TRAITLETS_APPLICATION_RAISE_CONFIG_FILE_ERROR := 1
export PATH := $(CURDIR)/$(BIN):$(PATH)

.DEFAULT_GOAL := help
.PHONY: help setup demo test processors validity attack round grade bench report lab doctor build release vectors bodies kit site pictures lint lock clean

help: ## list the verbs
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-10s %s\n", $$1, $$2}'

$(READY): pyproject.toml autograder/constraints.txt
	@$(PYTHON) .ci/check_python.py
	@echo "Setting up $(VENV): a minute or two, about 2 GB …"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --disable-pip-version-check --progress-bar on -q -c autograder/constraints.txt -e '.[test]'
	@touch $@

setup: $(READY) ## install everything into .venv

demo: $(READY) ## release, sample submissions, grades, feedback: the whole chain on bundled input
	$(BIN)/attention-course demo

test: $(READY) ## run every test
	$(BIN)/pytest

processors: $(READY) ## see that nothing derived would change on other processors
	$(BIN)/python -m autograder.tests.processors

validity: $(READY) ## judge the corpus of right and wrong answers
	$(BIN)/python -m autograder.tests.validity

attack: $(READY) ## grade hostile submissions, sealed, and see that they gain, read and harm nothing
	$(BIN)/python -m autograder.tests.attacks

round: $(READY) ## once work is in: grade what changed, feedback, reports, grades.csv, and what is left to do
	$(BIN)/attention-course round $(LESSON) $(if $(JOBS),--jobs $(JOBS))

grade: $(READY) ## grade everything in submitted/ that has changed, on all cores
	$(BIN)/attention-course grade $(LESSON) $(if $(JOBS),--jobs $(JOBS))

bench: $(READY) ## what grading costs, against stock nbgrader; writes docs/benchmark.md
	$(BIN)/python -m autograder.bench

report: $(READY) ## reports/: how the class did, a page and a table a lesson
	$(BIN)/attention-course report

lab: $(READY) ## open JupyterLab on the lessons
	$(BIN)/jupyter lab --ServerApp.root_dir=course

doctor: $(READY) ## which layers of the seal around student code this machine offers
	$(BIN)/attention-course doctor

build: $(READY) ## lessons' sources -> instructor notebooks and visible examples
	$(BIN)/attention-course build

release: $(READY) ## instructor notebooks -> student notebooks in course/
	$(BIN)/attention-course release

vectors: $(READY) ## make data/word_vectors.txt.gz again
	$(BIN)/python -m data.makers.word_vectors

bodies: $(READY) ## make data/bodies.csv again
	$(BIN)/python -m data.makers.bodies

kit: $(READY) ## dist/student-kit.zip: what students need and nothing else
	$(BIN)/attention-course kit

site: $(READY) ## build/site/: the lessons as a web site to read, without answers
	$(BIN)/attention-course site

pictures: $(READY) ## docs/pictures/: what students and instructors see, by way of the browser tests
	ATTENTION_COURSE_PICTURES=docs/pictures $(BIN)/pytest autograder/tests/browser

lint: $(READY) ## style and types
	$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy && .ci/check_lessons

lock: ## write down the versions now installed
	$(BIN)/pip freeze --exclude-editable | sed 's/+cpu$$//' > autograder/constraints.txt

clean: ## remove what can be made again, but no grades
	rm -rf build dist .pytest_cache .ruff_cache .mypy_cache *.egg-info
