"""Whatever one folder holds, the others are graded, in time, with the same points."""

from __future__ import annotations

import json
import logging
import os
import shutil
import time

import nbformat
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from nbformat import NotebookNode
from traitlets.config import Config

from autograder.courses import source
from autograder.demo import samples
from autograder.nbgrader_plugin import fingerprint, folders, kept
from autograder.nbgrader_plugin.defusing import defuse
from autograder.nbgrader_plugin.intake import MAX_CELLS
from autograder.nbgrader_plugin.kept import NOTES, graded
from autograder.nbgrader_plugin.reading import take_in
from autograder.tests import needs, under_load
from autograder.tests.attacks import FULL, LESSON
from autograder.tests.commands import run_ours
from autograder.tests.test_defusing import DOT, HOSTILE
from autograder.tests.test_restoring import make_master
from autograder.tests.this_course import find_lesson

SECONDS = 5
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
        (folder / f"{find_lesson(LESSON).notebook}.ipynb").write_bytes(written)
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
def test_anything_becomes_a_notebook_of_the_lesson_soon(tmp_path_factory, submission):
    folder = tmp_path_factory.mktemp("any") / LESSON
    lay(folder, *submission)
    begun = time.monotonic()
    master = make_master()
    notebook, notes = take_in(folder / f"{find_lesson(LESSON).notebook}.ipynb", master, [master])
    notes += folders.passed_over(folder)
    fingerprint.of_submission(folder, find_lesson(LESSON), Config())
    assert all(os.path.getsize(path) < 2**30 for path in folders.plain_files(str(folder)))
    notebook.metadata[NOTES] = NotebookNode(notes=[])
    kept.note(notebook, "amy", notes, logging.getLogger("none"))
    defuse([cell for cell in notebook.cells if cell.cell_type != "code"])
    written = nbformat.writes(notebook)
    nbformat.validate(nbformat.reads(written, as_version=4))
    assert time.monotonic() - begun < 4 * SECONDS
    assert len(written.encode()) < 2**21
    assert len(notebook.cells) <= MAX_CELLS + len(master)
    assert all(note.line.isprintable() and len(note.line) < 1500 for note in notes)
    shutil.rmtree(folder)


DRAWN = {
    "b": (b'{"nbformat": 4, "cells": [%s]}' % (b"{}," * 300_000), {}, True),
    "c": (
        json.dumps({"cells": [{"cell_type": "code", "source": ""}] * 5000}).encode(),
        {"\x1b\n": "sparse"},
        True,
    ),
    "e": (
        b'{"nbformat": 4, "cells": 5, "metadata": {"language_info": "x"}}',
        {"a": "pipe", "b": "link"},
        True,
    ),
    "f": (b"", {"other": "notebook", "numpy": "module"}, False),
}
HONEST = ("a", "d", "g")


def hand_in_right(course, release, students):
    answers = {name: source.without_marks(find_lesson(LESSON).solution(name)) for name in FULL}
    right = samples.filled(release.read_text(), answers).encode()
    for student in students:
        samples.write(course / "submitted", student, LESSON, release.name, right)


@pytest.mark.slow
def test_the_others_get_their_points(make_course):
    course, release = make_course(LESSON)
    hand_in_right(course, release, HONEST)
    for student, submission in DRAWN.items():
        lay(course / "submitted" / student / LESSON, *submission)
    said = run_ours(
        "grade", LESSON, "--folder", str(course), "--jobs", "1", "--setting", "Interview.timeout=20"
    )
    assert "could not be graded" not in said
    assert f"{len(HONEST)} all right" in said
    assert "\x1b" not in said


def points(course, student):
    found = graded(find_lesson(LESSON), student, course).verdicts
    return sum(verdict.points for verdict in found.values())


# HERE


@needs.seal
@pytest.mark.slow
@pytest.mark.parametrize("harmed", [False, True])
def test_honest_submissions_get_their_points_on_a_busy_machine(monkeypatch, capsys, harmed):
    """Where some do not, that is said; the machine need not be busy for that."""
    monkeypatch.setattr(under_load, "BUSY", 0 if harmed else 1)
    if harmed:
        monkeypatch.setattr(under_load, "got", lambda course, student: 1)
    assert under_load.main(times=2) == harmed
    assert ("2 harmed student_0 student_1" if harmed else "0 harmed") in capsys.readouterr().out
