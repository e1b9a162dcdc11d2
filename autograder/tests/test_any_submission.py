"""Whatever a folder holds becomes a notebook of the lesson, and costs nobody else anything."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator

import nbformat
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from traitlets.config import Config

from autograder.exercises.limits import MAX_CELLS
from autograder.grading import grade_submission
from autograder.grading.grade_submission import Job, Record
from autograder.records import fingerprint
from autograder.records.record_store import load_record
from autograder.sandbox import limited_process
from autograder.submissions import submission_folder
from autograder.submissions.cell_matching import LessonCells
from autograder.submissions.restore_cells import read_and_restore
from autograder.submissions.sanitize_text import sanitize_cells
from autograder.tests import needs
from autograder.tests.commands import run_ours
from autograder.tests.grading import hand_in, right
from autograder.tests.hostile import DOT, HOSTILE
from autograder.tests.made_up import make_master
from autograder.tests.this_course import COURSE

LESSON = COURSE.lessons[0]
NAMES = st.text(alphabet="ab\x1b\n\u202e\udcfc+=. ", min_size=1, max_size=6).filter(
    lambda name: name.strip(".")
)
TEXTS = st.sampled_from(
    ["", "x = 1", "\\\\[" * 2000, "A" * 30_000 + "<b>", "\ud800\x1b[31m", *HOSTILE[:8]]
) | st.text(max_size=20)
ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=5,
)
GRADING = st.fixed_dictionaries(
    {}, optional={"grade_id": st.sampled_from([*make_master(), "own"]) | ODD, "locked": ODD, "points": ODD}
)
CELL = st.fixed_dictionaries(
    {"cell_type": st.sampled_from(["code", "markdown", "raw"]) | ODD, "source": TEXTS | ODD},
    optional={
        "metadata": st.fixed_dictionaries({}, optional={"nbgrader": GRADING | ODD, "tags": ODD, "x": ODD})
        | ODD,
        "outputs": ODD,
        "execution_count": ODD,
        "attachments": st.dictionaries(TEXTS, st.just({"image/png": DOT}) | ODD, max_size=2) | ODD,
    },
)
CELLS = st.lists(CELL | ODD, max_size=6) | st.just([{"cell_type": "code", "source": ""}] * 5000)
NOTEBOOK = st.fixed_dictionaries(
    {"cells": CELLS | ODD},
    optional={"nbformat": st.sampled_from([2, 3, 4, 5]) | ODD, "nbformat_minor": ODD, "metadata": ODD},
)
WRITTEN = (
    NOTEBOOK.map(lambda data: json.dumps(data).encode()) | st.binary(max_size=20) | st.just(b"{}," * 300_000)
)
LYING = st.sampled_from(["file", "module", "link", "pipe", "folder", "sparse", "notebook"])
SUBMISSION = st.tuples(WRITTEN, st.dictionaries(NAMES, LYING, max_size=4), st.booleans())


def lay(folder, written, beside, there):
    """Hand in a notebook, if it is to be there, and other things beside it."""
    folder.mkdir(parents=True)
    if there:
        (folder / f"{LESSON.notebook}.ipynb").write_bytes(written)
    for name, kind in beside.items():
        path = folder / f"{name}{'.ipynb' if kind == 'notebook' else '.py' if kind == 'module' else ''}"
        if kind == "link":
            path.symlink_to("/dev/zero")
        elif kind == "pipe":
            os.mkfifo(path)
        elif kind == "folder":
            path.mkdir()
        else:
            path.write_bytes(written)
            if kind == "sparse":
                os.truncate(path, 2**38)


@given(SUBMISSION)
@settings(deadline=None, max_examples=30, suppress_health_check=[HealthCheck.too_slow])
def test_anything_becomes_a_notebook_of_the_lesson(tmp_path_factory, submission):
    folder = tmp_path_factory.mktemp("any") / LESSON.id
    lay(folder, *submission)
    master = make_master()
    beside, notebooks = folder.with_name("beside"), folder.with_name("notebooks")
    work = submission_folder.copy_work(submission_folder.notebook_of(folder), [], beside, notebooks)
    notebook, notes = nbformat.v4.new_notebook(), [*work.notes]
    if work.notebook:
        notebook, more = read_and_restore(str(notebooks / work.notebook), LessonCells(master, [master]))
        notes += more
    fingerprint.grade_inputs(work.digest, LESSON, Config())
    assert sum(os.path.getsize(path) for path in beside.rglob("*")) < 2**27
    sanitize_cells([cell for cell in notebook.cells if cell.cell_type != "code"])
    written = nbformat.writes(notebook)
    nbformat.validate(nbformat.reads(written, as_version=4))
    assert len(written.encode()) < 2**21
    assert len(notebook.cells) <= MAX_CELLS + len(master)
    assert all(
        note.instructor_message.isprintable() and len(note.instructor_message) < 1500 for note in notes
    )
    shutil.rmtree(folder)


@needs.seal
def test_a_process_that_is_never_done_costs_its_own_submission(make_course, monkeypatch):
    course, _ = make_course(LESSON.id)
    for student in "bc":
        hand_in(course, student, LESSON, right(LESSON))
    run = limited_process.run

    def never_done(function, arguments, **options):
        stuck = function is grade_submission.grade and arguments[0].student == "b"
        return run(never_ends if stuck else function, arguments, **options)

    monkeypatch.setattr(limited_process, "run", never_done)
    output = run_ours("grade", LESSON.id, "--class", str(course), "--jobs", "1")
    assert "b: grading it took more time or memory than there is for a submission" in output
    verdicts = [load_record(LESSON, student, course).verdicts.values() for student in "bc"]
    points = [sum(verdict.points for verdict in each) for each in verdicts]
    assert points == [0, sum(exercise.points for exercise in LESSON.graded)]


def never_ends(job: Job, is_sealed: bool, earlier: list[Record]) -> Iterator[Record]:
    """Grade, as `grading.grade` does, where running a notebook comes to no end."""
    grade_submission.limits.MAX_RUNNING_SECONDS = 1
    grade_submission._run = lambda *_: [None for _ in iter(int, 1)]
    yield from grade_submission.grade(job, is_sealed, earlier)
