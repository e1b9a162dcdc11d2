# `make help` lists the targets. The first one to need it builds .venv. LESSON= names a lesson, CLASS= a class's folder.

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
.PHONY: help demo lab setup doctor kit self-study-kit site round mark build release validity vectors bodies writer two-writers austen test quick lint ranges attack bench processors pictures dist lock clean

help: ## list the targets
	@awk -F ':.*## ' '/^##@/ { print "\n" substr($$0, 5) } /^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# PyPI gives everything but PyTorch, each file by its hash. PyTorch's own index gives only PyTorch, built for the CPU.
$(READY): pyproject.toml requirements.txt
	@$(PYTHON) .ci/check_python.py
	@test ! -e $(VENV) || $(WORKS) || echo "What lies in $(VENV) does not work, so it is made anew."
	@echo "Setting up $(VENV): a minute or two, about 2 GB …"
	$(PYTHON) -m venv $$($(WORKS) || echo --clear) $(VENV)
	$(BIN)/pip install --disable-pip-version-check --progress-bar on -q --no-deps --require-hashes -r requirements.txt
	@echo "PyTorch, built for the CPU, from $(TORCH_INDEX) …"
	@$(BIN)/pip install --disable-pip-version-check --progress-bar on -q --no-deps -c autograder/constraints.txt --index-url $(TORCH_INDEX) torch \
	  || { echo "That index gives none here, so PyPI's build is taken: several gigabytes."; \
	  $(BIN)/pip install --disable-pip-version-check --progress-bar on -q -c autograder/constraints.txt torch; }
	$(BIN)/pip install --disable-pip-version-check -q --no-deps --no-build-isolation -e .
	@touch $@

##@ To begin with

demo: $(READY) ## release, sample submissions, grades, feedback: the whole chain on bundled input
	$(BIN)/attention-course demo

lab: $(READY) ## open JupyterLab on the lessons
	$(BIN)/jupyter lab --ServerApp.root_dir=course

setup: $(READY) ## install everything into .venv; the other targets do it by themselves

##@ Teaching a class

doctor: $(READY) ## whether this machine has all that a round needs
	$(BIN)/attention-course doctor $(CLASS_FOLDER)

kit: $(READY) ## dist/student-kit.zip: what students need and nothing else
	$(BIN)/attention-course kit $(CLASS_FOLDER)

self-study-kit: $(READY) ## dist/self-study-kit.zip: the same for who learns alone, with the answers at last
	$(BIN)/attention-course kit --self-study --to dist/self-study-kit.zip

site: $(READY) ## build/site/: the lessons as a web site to read, without answers
	$(BIN)/attention-course site

round: $(READY) ## once work is in: grade what changed, feedback, reports, grades.csv
	$(BIN)/attention-course round $(LESSON) $(if $(JOBS),--jobs $(JOBS)) $(CLASS_FOLDER)

mark: $(READY) ## written answers on one page: points and comments into the gradebook
	$(BIN)/attention-course mark $(LESSON) $(CLASS_FOLDER)

##@ Writing lessons

build: $(READY) ## lessons' sources -> instructor notebooks and visible examples
	$(BIN)/attention-course build $(LESSON)

release: $(READY) ## instructor notebooks -> student notebooks in course/
	$(BIN)/attention-course release $(LESSON)

validity: $(READY) ## judge the corpus of right and wrong answers
	$(BIN)/python -m autograder.tests.validity

vectors: $(READY) ## make data/word_vectors.txt.gz again
	$(BIN)/python -m data.makers.word_vectors

bodies: $(READY) ## make data/bodies.csv again
	$(BIN)/python -m data.makers.bodies

writer: $(READY) ## train data/writer.npz again, a minute
	$(BIN)/python -m data.makers.writer

two-writers: $(READY) ## train data/two_writers.npz again, a minute
	$(BIN)/python -m data.makers.two_writers

austen: $(READY) ## train data/austen_*.npz again, half an hour; apt-get brings the novels
	test -e build/austen || (mkdir -p build/austen && cd build/austen && apt-get download r-cran-janeaustenr=1.0.0-1 && dpkg -x *.deb .)
	$(BIN)/python -m data.makers.austen

##@ Changing the grader

test: $(READY) ## run every test
	$(BIN)/pytest

quick: $(READY) lint ## what a change to code breaks first: style, types, units, one lesson through the chain
	$(BIN)/pytest -m "not slow"

lint: $(READY) ## style, types, and that every import is asked for
	$(BIN)/ruff check . && $(BIN)/ruff format --check . solutions/test_*.py solutions/*/test_*.py && $(BIN)/mypy && .ci/check_lessons
	$(BIN)/deptry .
	$(BIN)/mypy --platform win32 --cache-dir .mypy_cache/win32 -p autograder.exercises -p autograder.calls -p autograder.checks -p autograder.views -p autograder.notebook

ranges: $(READY) ## test with the oldest and the newest libraries that pyproject.toml allows
	.ci/ranges

attack: $(READY) ## grade hostile submissions, and see that they gain, read and harm nothing
	$(BIN)/python -m autograder.tests.attacks

bench: $(READY) ## what grading costs, against stock nbgrader; writes docs/benchmark.md
	$(BIN)/python -m autograder.tests.bench

processors: $(READY) ## see that nothing derived would change on other processors
	$(BIN)/python -m autograder.tests.processors

pictures: $(READY) ## docs/pictures/: what students and instructors see, from the browser tests
	ATTENTION_COURSE_PICTURES=docs/pictures $(BIN)/pytest autograder/tests/browser

dist: $(READY) ## dist/: wheel, kits, site, instructors' notebooks, checksums: all that a release carries
	.ci/dist

lock: $(READY) ## choose versions again and write them down, with hashes for pip, and for conda
	$(BIN)/python .ci/lock.py

clean: ## remove what can be made again, but no grades
	rm -rf build dist .pytest_cache .ruff_cache .mypy_cache *.egg-info
